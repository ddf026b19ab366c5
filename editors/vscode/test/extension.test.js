// The extension without an editor: what it asks of the editor is played, and what it starts is the real server.
"use strict";

const assert = require("node:assert");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const { test } = require("node:test");

const root = path.join(__dirname, "../../..");
const program = [process.env.MANDALA, path.join(root, "target/debug/mandala"), path.join(root, "target/release/mandala")]
  .find((file) => file && fs.existsSync(file));

test("the extension starts the server that the settings name", async () => {
  const started = [];
  const load = Module._load;
  Module._load = function (name, ...rest) {
    if (name === "vscode") {
      return { workspace: { getConfiguration: () => ({ get: () => "/somewhere/mandala" }) }, window: { showErrorMessage: (text) => started.push(text) } };
    }
    if (name === "vscode-languageclient/node") {
      return { LanguageClient: class { constructor(id, label, server, options) { started.push({ id, server, options }); } start() { return Promise.resolve(); } stop() { return Promise.resolve(); } } };
    }
    return load.call(this, name, ...rest);
  };
  try {
    const extension = require("../extension.js");
    const context = { subscriptions: [] };
    await extension.activate(context);
    assert.deepStrictEqual(started[0].server, { command: "/somewhere/mandala", args: ["lsp"] });
    assert.deepStrictEqual(started[0].options.documentSelector.map((one) => one.language), ["gal", "symmetric-net"]);
    assert.strictEqual(context.subscriptions.length, 1);
    await extension.deactivate();
  } finally {
    Module._load = load;
  }
});

test("the server answers", { skip: program ? false : "there is no program: `cargo build -p mandala-cli` makes it" }, async () => {
  const server = spawn(program, ["lsp"]);
  const send = (message) => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  let heard = "";
  server.stdout.on("data", (data) => { heard += data; });
  send({ id: 1, method: "initialize", params: { capabilities: {} } });
  send({ method: "initialized", params: {} });
  send({ method: "textDocument/didOpen", params: { textDocument: { uri: "file:///a.gal", languageId: "gal", version: 1, text: "gal a { int x = y; }" } } });
  const deadline = Date.now() + 60000;
  while (!heard.includes("publishDiagnostics") && Date.now() < deadline) await new Promise((done) => setTimeout(done, 20));
  send({ id: 2, method: "shutdown" });
  send({ method: "exit" });
  await new Promise((done) => server.on("exit", done));
  assert.match(heard, /documentFormattingProvider/);
  assert.match(heard, /"source":"mandala"/);
});
