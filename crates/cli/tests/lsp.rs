//! The server for editors: what it says when an editor asks.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const URI: &str = "file:///philosophers.gal";

/// An editor that talks to the server.
struct Editor {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: i64,
}

impl Editor {
    fn start() -> Editor {
        let mut process = Command::new(env!("CARGO_BIN_EXE_mandala"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = process.stdin.take().expect("its input");
        let output = BufReader::new(process.stdout.take().expect("its output"));
        let mut editor = Editor { process, input, output, next: 0 };
        let able = editor.ask("initialize", &json!({"capabilities": {}}));
        assert_eq!(able["capabilities"]["hoverProvider"], true);
        editor.tell("initialized", &json!({}));
        editor
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("it listens");
        self.input.flush().expect("it listens");
    }

    fn tell(&mut self, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    fn hear(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).expect("it answers");
            assert!(!line.is_empty(), "it has ended");
            match line.trim() {
                "" => break,
                line => {
                    if let Some(number) = line.strip_prefix("Content-Length: ") {
                        length = number.parse().expect("a length");
                    }
                }
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).expect("a body");
        serde_json::from_slice(&body).expect("JSON")
    }

    /// Asks, and gives the answer; what is told in between is passed over.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let heard = self.hear();
            if heard["id"] == id && heard.get("method").is_none() {
                assert!(heard.get("error").is_none(), "{heard}");
                return heard["result"].clone();
            }
        }
    }

    fn open(&mut self, text: &str) -> Vec<Value> {
        let document = json!({"uri": URI, "languageId": "gal", "version": 1, "text": text});
        self.tell("textDocument/didOpen", &json!({"textDocument": document}));
        self.diagnostics(1)
    }

    fn diagnostics(&mut self, version: i64) -> Vec<Value> {
        loop {
            let heard = self.hear();
            if heard["method"] == "textDocument/publishDiagnostics" && heard["params"]["version"] == version {
                return heard["params"]["diagnostics"].as_array().expect("a list").clone();
            }
        }
    }

    fn at(&mut self, method: &str, text: &str, behind: &str) -> Value {
        let offset = text.find(behind).expect("it is there") + behind.len();
        let before = &text[..offset];
        let position = json!({
            "line": before.matches('\n').count(),
            "character": before.rsplit('\n').next().unwrap_or_default().len(),
        });
        self.ask(method, &json!({"textDocument": {"uri": URI}, "position": position, "context": {}}))
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn philosophers() -> String {
    let file = format!("{}/../../models/philosophers.gal", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(file).expect("a model")
}

#[test]
fn errors_come_and_go_as_one_types() {
    let mut editor = Editor::start();
    let found = editor.open("gal a {\n    int x = 0;\n    transition t [z > 0] { x = 1; }\n}\n");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["range"]["start"], json!({"line": 2, "character": 18}));
    assert!(found[0]["message"].as_str().expect("a text").contains("`z`"), "{found:?}");
    let range = json!({"start": {"line": 2, "character": 18}, "end": {"line": 2, "character": 19}});
    let change = json!({"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"range": range, "text": "x"}]});
    editor.tell("textDocument/didChange", &change);
    assert!(editor.diagnostics(2).is_empty());
}

#[test]
fn names_are_known() {
    let (mut editor, text) = (Editor::start(), philosophers());
    assert!(editor.open(&text).is_empty());
    let hover = editor.at("textDocument/hover", &text, "[never] : at[0]:");
    let words = hover["contents"]["value"].as_str().expect("words");
    assert!(words.contains("place eating") && words.contains("from 0 to 1"), "{words}");
    let found = editor.at("textDocument/definition", &text, "transition takeRight { take ");
    let line = text[..text.find("place hasLeft").expect("a place")].matches('\n').count();
    assert_eq!(found["range"]["start"], json!({"line": line, "character": 10}));
    let uses = editor.at("textDocument/references", &text, "place for");
    assert_eq!(uses.as_array().map(Vec::len), Some(6));
    let next = editor.at("textDocument/completion", &text, "[bounds] : at[0]:");
    assert_eq!(next[0]["label"], "thinking");
    let symbols = editor.ask("textDocument/documentSymbol", &json!({"textDocument": {"uri": URI}}));
    let names: Vec<&str> = symbols.as_array().expect("a list").iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names[..4], ["$N", "seat", "Philosopher", "Table"]);
    assert_eq!(symbols[2]["children"][0]["name"], "thinking");
}

#[test]
fn properties_are_checked_by_a_lens() {
    let (mut editor, text) = (Editor::start(), philosophers());
    editor.open(&text);
    let document = json!({"textDocument": {"uri": URI}});
    let lenses = editor.ask("textDocument/codeLens", &document);
    assert_eq!(lenses.as_array().map(Vec::len), Some(5));
    let command = lenses[4]["command"].clone();
    assert_eq!((&command["title"], &command["arguments"][1]), (&json!("check"), &json!("stuck")));
    let asked = json!({"command": "mandala.check", "arguments": command["arguments"]});
    let answer = editor.ask("workspace/executeCommand", &asked);
    assert_eq!(answer["verdict"], "does not hold");
    let lenses = editor.ask("textDocument/codeLens", &document);
    assert_eq!(lenses[4]["command"]["title"], "does not hold");
    let wrong = json!({"command": "mandala.check", "arguments": [URI, "nothing"]});
    assert!(editor.ask("workspace/executeCommand", &wrong)["error"].is_string());
}

#[test]
fn coloured_nets_are_known_too() {
    let mut editor = Editor::start();
    let uri = "file:///somewhere/desk.sn";
    let text = "net Desk {\n    class Client = c{1..3};\n    place idle : Client = <all>;\n    place busy : Client;\n    \
                transition begin (Client c) { take idle<c>; put bussy<c>; }\n}\n";
    let document = json!({"uri": uri, "languageId": "symmetric-net", "version": 1, "text": text});
    editor.tell("textDocument/didOpen", &json!({"textDocument": document}));
    let found = editor.diagnostics(1);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0]["message"].as_str().expect("a text").contains("bussy"), "{found:?}");
    let position =
        json!({"line": 4, "character": text.lines().nth(4).and_then(|line| line.find("idle")).expect("a use") + 1});
    let asked = json!({"textDocument": {"uri": uri}, "position": position});
    let hover = editor.ask("textDocument/hover", &asked);
    assert!(hover["contents"]["value"].as_str().expect("words").contains("idle"), "{hover}");
    assert_eq!(editor.ask("textDocument/definition", &asked)["range"]["start"], json!({"line": 2, "character": 10}));
    let whole = json!({"textDocument": {"uri": uri}, "options": {}});
    let symbols = editor.ask("textDocument/documentSymbol", &whole);
    assert_eq!(symbols[0]["children"][1]["name"], "idle", "{symbols}");
    let change = json!({"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": text.replace("bussy", "busy").replace("    ", "")}]});
    editor.tell("textDocument/didChange", &change);
    assert!(editor.diagnostics(2).is_empty());
    assert_eq!(editor.ask("textDocument/formatting", &whole)[0]["newText"], text.replace("bussy", "busy"));
}

/// Completion and the lens of properties, in a net with colours.
#[test]
fn coloured_nets_are_completed_and_checked() {
    let mut editor = Editor::start();
    let uri = "file:///somewhere/door.sn";
    let text = "net Door {\n    class Who = {ann, bob};\n    place outside : Who = <all>;\n    place inside : Who;\n    \
                transition enter (Who w) { take outside<w>; put inside<w>; }\n}\n\
                property all_in [reachable] : inside == 2;\nproperty ann_in [never] : inside(ann) == 1;\n";
    let document = json!({"uri": uri, "languageId": "symmetric-net", "version": 1, "text": text});
    editor.tell("textDocument/didOpen", &json!({"textDocument": document}));
    assert!(editor.diagnostics(1).is_empty());
    let mut offered = |behind: &str| -> Vec<String> {
        let before = &text[..text.find(behind).expect("it is there") + behind.len()];
        let line = before.rsplit('\n').next().unwrap_or_default();
        let position = json!({"line": before.matches('\n').count(), "character": line.len()});
        let found = editor.ask("textDocument/completion", &json!({"textDocument": {"uri": uri}, "position": position}));
        let labels = found.as_array().expect("a list").iter().filter_map(|one| one["label"].as_str());
        labels.map(str::to_owned).collect()
    };
    let in_transition = offered("(Who w) { ");
    for word in ["outside", "w", "take", "all", "Who"] {
        assert!(in_transition.iter().any(|one| one == word), "{word}: {in_transition:?}");
    }
    let in_formula = offered("[never] : inside(");
    for word in ["outside", "inside", "AG", "fireable"] {
        assert!(in_formula.iter().any(|one| one == word), "{word}: {in_formula:?}");
    }
    let document = json!({"textDocument": {"uri": uri}});
    let lenses = editor.ask("textDocument/codeLens", &document);
    assert_eq!(lenses.as_array().map(Vec::len), Some(2), "{lenses}");
    for (number, verdict) in [(0, "holds"), (1, "does not hold")] {
        let asked = json!({"command": "mandala.check", "arguments": lenses[number]["command"]["arguments"]});
        assert_eq!(editor.ask("workspace/executeCommand", &asked)["verdict"], verdict);
    }
    assert_eq!(editor.ask("textDocument/codeLens", &document)[1]["command"]["title"], "does not hold");
}

#[test]
fn texts_are_formatted() {
    let mut editor = Editor::start();
    editor.open("gal a{\nint x=0;\n}");
    let document = json!({"textDocument": {"uri": URI}, "options": {}});
    let edits = editor.ask("textDocument/formatting", &document);
    assert_eq!(edits[0]["newText"], "gal a {\n    int x = 0;\n}\n");
    assert_eq!(editor.ask("shutdown", &Value::Null), Value::Null);
    editor.tell("exit", &Value::Null);
    assert!(editor.process.wait().expect("an end").success());
}
