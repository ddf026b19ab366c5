// The grammar, as the editor's own engine reads it.
"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");

let engines;
try {
  engines = { oniguruma: require("vscode-oniguruma"), textmate: require("vscode-textmate") };
} catch {
  engines = null;
}
const skip = engines ? false : "`npm install` brings the editor's engine for grammars";

async function tokens(text) {
  const { oniguruma, textmate } = engines;
  const wasm = fs.readFileSync(path.join(path.dirname(require.resolve("vscode-oniguruma")), "onig.wasm"));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length)).catch(() => {});
  const file = path.join(__dirname, "../syntaxes/gal.tmLanguage.json");
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (string) => new oniguruma.OnigString(string),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(file, "utf8"), file),
  });
  const grammar = await registry.loadGrammar("source.gal");
  const found = [];
  let stack = textmate.INITIAL;
  for (const line of text.split("\n")) {
    const result = grammar.tokenizeLine(line, stack);
    for (const token of result.tokens) found.push([line.slice(token.startIndex, token.endIndex), token.scopes.at(-1)]);
    stack = result.ruleStack;
  }
  return found;
}

test("words get their scopes", { skip }, async () => {
  const found = await tokens('// c\nnet N {\n place [2] p = (1, $K); /* a\n b */\n transition t label "x" { take p; }\n}\nproperty q [ctl] : AG EF p == 1;');
  const scope = (word) => (found.find(([text]) => text === word) || [])[1];
  assert.strictEqual(scope("// c"), "comment.line.double-slash.gal");
  assert.strictEqual(scope("N"), "entity.name.type.gal");
  assert.strictEqual(scope("place"), "storage.type.gal");
  assert.strictEqual(scope("$K"), "variable.parameter.gal");
  assert.strictEqual(scope(" b "), "comment.block.gal");
  assert.strictEqual(scope("t"), "entity.name.function.gal");
  assert.strictEqual(scope('"x"'), "string.quoted.double.gal");
  assert.strictEqual(scope("ctl"), "storage.modifier.gal");
  assert.strictEqual(scope("AG"), "keyword.operator.temporal.gal");
});

test("comments and texts of all models are closed", { skip }, async () => {
  const folder = path.join(__dirname, "../../../models");
  for (const name of fs.readdirSync(folder).filter((name) => /\.(gal|sn)$/.test(name))) {
    const found = await tokens(fs.readFileSync(path.join(folder, name), "utf8") + "\ngal");
    assert.ok(!String(found.at(-1)[1]).startsWith("comment"), name);
  }
});

test("the extension is whole", () => {
  const folder = path.join(__dirname, "..");
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  for (const file of [manifest.main, ...manifest.contributes.grammars.map((one) => one.path), ...manifest.contributes.languages.map((one) => one.configuration)]) {
    assert.ok(fs.existsSync(path.join(folder, file)), file);
  }
});
