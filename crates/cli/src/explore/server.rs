//! The server: who listens, and who answers what.

use super::answers::Explorer;
use super::guard::Guard;
use super::http::{self, Request, Response};
use super::page;
use crate::failure::Failure;
use mandala::Model;
use serde_json::{Value, json};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Requests that are answered at a time.
const MOST_AT_A_TIME: usize = 16;
/// Formulas recur: they get as much stack as everywhere else.
const STACK_BYTES: usize = 64 << 20;

/// A server for one model.
pub struct Server {
    listener: TcpListener,
    guard: Guard,
    explorer: Arc<Explorer>,
}

impl Server {
    /// Begins to listen on the loopback address; on any port that is free if it is 0.
    pub fn bind(model: Model, port: u16, time: Duration, memory: Option<u64>) -> Result<Server, Failure> {
        let explorer = Arc::new(Explorer::new(model, time, memory)?);
        let cannot = |error: std::io::Error| {
            Failure::with_help(format!("cannot listen on port {port}: {error}"), "`--port 0` takes any that is free")
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(cannot)?;
        let port = listener.local_addr().map_err(cannot)?.port();
        Ok(Server { listener, guard: Guard::new(port), explorer })
    }

    /// Where the page is.
    pub fn address(&self) -> String {
        self.guard.address()
    }

    /// Answers requests, for ever.
    pub fn serve(&self) {
        let busy = Arc::new(AtomicUsize::new(0));
        for stream in self.listener.incoming().flatten() {
            if busy.fetch_add(1, Ordering::SeqCst) >= MOST_AT_A_TIME {
                busy.fetch_sub(1, Ordering::SeqCst);
                let _ = http::write(&stream, &Response::refused(503, "too many requests at a time"));
                continue;
            }
            let (guard, explorer, count) = (self.guard.clone(), Arc::clone(&self.explorer), Arc::clone(&busy));
            let work = move || {
                // Whoever asked may be gone.
                let _ = converse(&guard, &explorer, &stream);
                count.fetch_sub(1, Ordering::SeqCst);
            };
            if std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work).is_err() {
                busy.fetch_sub(1, Ordering::SeqCst);
            }
        }
    }
}

fn converse(guard: &Guard, explorer: &Explorer, stream: &TcpStream) -> std::io::Result<()> {
    let response = match http::read(stream)? {
        Ok(request) => {
            // A mistake of ours ends one answer, not the server.
            let work = std::panic::AssertUnwindSafe(|| answer(guard, explorer, &request));
            std::panic::catch_unwind(work).unwrap_or_else(|_| Response::refused(500, "something is broken here"))
        }
        Err(refusal) => refusal,
    };
    http::write(stream, &response)
}

fn answer(guard: &Guard, explorer: &Explorer, request: &Request) -> Response {
    let path = match guard.admit(request) {
        Ok(path) => path,
        Err(refusal) => return refusal,
    };
    match (request.method.as_str(), path) {
        ("GET", "") => page::page(explorer.name()),
        ("POST", path) => match path.strip_prefix("api/") {
            Some(verb) => asked(explorer, verb, &request.body),
            None => Response::refused(404, "there is nothing here"),
        },
        (_, "") => Response::refused(405, "the page is only read"),
        _ => Response::refused(404, "there is nothing here"),
    }
}

fn asked(explorer: &Explorer, verb: &str, body: &[u8]) -> Response {
    let asked: Value = match serde_json::from_slice(body) {
        Ok(asked) => asked,
        Err(error) => return Response::json(400, &json!({"error": format!("this is no JSON: {error}")})),
    };
    match explorer.answer(verb, &asked) {
        Some(Ok(value)) => Response::json(200, &value),
        Some(Err(error)) => Response::json(200, &json!({"error": error})),
        None => Response::refused(404, "there is nothing here"),
    }
}
