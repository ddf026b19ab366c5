//! `mandala lsp`: what an editor needs, by the Language Server Protocol on standard input and output.
//!
//! One thread reads what the editor says and keeps the texts. What may take a while (a model that is read, a property that
//! is checked) is done in threads of its own, on a copy of the text; what has become old by then is not told.

mod answers;
mod document;

use crate::failure::Failure;
use crate::status::Status;
use document::Document;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Readers recur: they get as much stack as everywhere else.
const STACK_BYTES: usize = 64 << 20;

/// What is known of the texts that are open.
#[derive(Default)]
struct Texts {
    documents: HashMap<String, Document>,
    /// What was found about the properties of each text, until it is changed.
    verdicts: HashMap<String, HashMap<String, String>>,
}

/// The server.
#[derive(Clone)]
struct Server {
    connection: Arc<Connection>,
    texts: Arc<Mutex<Texts>>,
}

/// Runs the verb: until the editor says that it is enough.
pub fn run() -> Result<Status, Failure> {
    let broken = |error: &dyn std::fmt::Display| Failure::new(format!("the editor was not understood: {error}"));
    let (connection, threads) = Connection::stdio();
    let able = json!({
        "textDocumentSync": {"openClose": true, "change": 2},
        "hoverProvider": true,
        "definitionProvider": true,
        "referencesProvider": true,
        "completionProvider": {"triggerCharacters": [":", ".", "$"]},
        "documentSymbolProvider": true,
        "documentFormattingProvider": true,
        "codeLensProvider": {"resolveProvider": false},
        "executeCommandProvider": {"commands": ["mandala.check"]},
    });
    connection.initialize(able).map_err(|error| broken(&error))?;
    let server = Server { connection: Arc::new(connection), texts: Arc::default() };
    server.serve().map_err(|error| broken(&error))?;
    drop(server);
    threads.join().map_err(|error| broken(&error))?;
    Ok(Status::Good)
}

impl Server {
    fn serve(&self) -> Result<(), lsp_server::ProtocolError> {
        for message in &self.connection.receiver {
            match message {
                Message::Request(request) => {
                    if self.connection.handle_shutdown(&request)? {
                        return Ok(());
                    }
                    self.answer(request);
                }
                Message::Notification(notification) => self.hear(&notification),
                Message::Response(_) => {}
            }
        }
        Ok(())
    }

    fn with_texts<T>(&self, work: impl FnOnce(&mut Texts) -> T) -> T {
        work(&mut self.texts.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn document(&self, uri: &Value) -> Option<Document> {
        self.with_texts(|texts| texts.documents.get(uri.as_str()?).cloned())
    }

    fn send(&self, message: impl Into<Message>) {
        // An editor that is gone hears nothing.
        let _ = self.connection.sender.send(message.into());
    }

    fn tell(&self, method: &str, what: Value) {
        self.send(Notification::new(method.to_owned(), what));
    }

    /// Does something in a thread of its own.
    fn later(&self, work: impl FnOnce(&Server) + Send + 'static) {
        let server = self.clone();
        let _ = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || work(&server));
    }

    fn hear(&self, notification: &Notification) {
        let said = &notification.params;
        let uri = said["textDocument"]["uri"].as_str().unwrap_or_default().to_owned();
        match notification.method.as_str() {
            "textDocument/didOpen" => {
                let text = said["textDocument"]["text"].as_str().unwrap_or_default().to_owned();
                let version = said["textDocument"]["version"].as_i64().unwrap_or(0);
                self.with_texts(|texts| {
                    texts.documents.insert(uri.clone(), Document { uri: uri.clone(), text, version })
                });
                self.look_at(uri);
            }
            "textDocument/didChange" => {
                self.with_texts(|texts| {
                    texts.verdicts.remove(&uri);
                    let Some(document) = texts.documents.get_mut(&uri) else { return };
                    document.version = said["textDocument"]["version"].as_i64().unwrap_or(document.version + 1);
                    let changes = said["contentChanges"].as_array().map_or(&[][..], Vec::as_slice);
                    changes.iter().for_each(|change| document.change(change));
                });
                self.look_at(uri);
            }
            "textDocument/didClose" => {
                self.with_texts(|texts| (texts.documents.remove(&uri), texts.verdicts.remove(&uri)));
                self.tell("textDocument/publishDiagnostics", json!({"uri": uri, "diagnostics": []}));
            }
            _ => {}
        }
    }

    /// Looks for what is wrong with a text, and tells if it is still the same by then.
    fn look_at(&self, uri: String) {
        let Some(document) = self.document(&json!(uri)) else { return };
        self.later(move |server| {
            let is_current = |server: &Server| {
                let version = server.with_texts(|texts| texts.documents.get(&document.uri).map(|one| one.version));
                version == Some(document.version)
            };
            // Whoever types on has another version soon.
            if !is_current(server) {
                return;
            }
            let found = document.diagnostics();
            if is_current(server) {
                let what = json!({"uri": document.uri, "version": document.version, "diagnostics": found});
                server.tell("textDocument/publishDiagnostics", what);
            }
        });
    }

    fn answer(&self, request: Request) {
        let Request { id, method, params, .. } = request;
        if method == "workspace/executeCommand" {
            return self.later(move |server| {
                let answer = server.check(&params).unwrap_or_else(|error| json!({"error": error}));
                server.send(Response::new_ok(id, answer));
            });
        }
        let Some(document) = self.document(&params["textDocument"]["uri"]) else {
            let text = format!("`{method}` asks about a text that is not open");
            return self.send(Response::new_err(id, ErrorCode::InvalidParams as i32, text));
        };
        let position = params["position"].clone();
        let value = match method.as_str() {
            // The model may have to be read for this.
            "textDocument/hover" => {
                return self.later(move |server| {
                    server.send(Response::new_ok(id, answers::hover(&document, &position)));
                });
            }
            "textDocument/definition" => answers::definition(&document, &position),
            "textDocument/references" => answers::references(&document, &position),
            "textDocument/completion" => answers::completion(&document, &position),
            "textDocument/documentSymbol" => answers::symbols(&document),
            "textDocument/formatting" => answers::formatting(&document),
            "textDocument/codeLens" => {
                let verdicts = self.with_texts(|texts| texts.verdicts.get(&document.uri).cloned().unwrap_or_default());
                answers::lenses(&document, &verdicts)
            }
            _ => {
                let text = format!("`{method}` is not known here");
                return self.send(Response::new_err(id, ErrorCode::MethodNotFound as i32, text));
            }
        };
        self.send(Response::new_ok(id, value));
    }

    /// Checks a property, shows the verdict, and keeps it for the lens.
    fn check(&self, params: &Value) -> Result<Value, String> {
        if params["command"] != "mandala.check" {
            return Err(format!("there is no command {}", params["command"]));
        }
        let (uri, name) = (&params["arguments"][0], params["arguments"][1].as_str().unwrap_or_default());
        let document = self.document(uri).ok_or("the text is not open")?;
        let checked = answers::check(&document, name);
        let (kind, text) = match &checked {
            Ok((verdict, _)) => (3, format!("{name}: {verdict}")),
            Err(error) => (1, format!("{name}: {error}")),
        };
        self.tell("window/showMessage", json!({"type": kind, "message": text}));
        let (verdict, explanation) = checked?;
        self.with_texts(|texts| {
            let same = texts.documents.get(&document.uri).is_some_and(|one| one.version == document.version);
            if same {
                texts.verdicts.entry(document.uri.clone()).or_default().insert(name.to_owned(), verdict.clone());
            }
        });
        self.send(Request::new(format!("refresh-{name}").into(), "workspace/codeLens/refresh".to_owned(), Value::Null));
        Ok(json!({"verdict": verdict, "explanation": explanation}))
    }
}
