// The editor's side of `mandala lsp`: starts the server, and lets it do the rest.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function activate(context) {
  const command = vscode.workspace.getConfiguration("mandala").get("path") || "mandala";
  client = new LanguageClient(
    "mandala",
    "Mandala",
    { command, args: ["lsp"] },
    { documentSelector: [{ language: "gal" }, { language: "symmetric-net" }] },
  );
  context.subscriptions.push({ dispose: () => client && client.stop() });
  return client.start().catch(() => {
    vscode.window.showErrorMessage(`Mandala: \`${command} lsp\` does not start. Install it, or set mandala.path.`);
  });
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate };
