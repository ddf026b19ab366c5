//! `mandala explore`: a page on which a model is played by hand.
//!
//! A small server on the loopback address gives a page, and answers what the page asks: what can happen in a state, what is
//! around it, what a formula says. The page keeps where one is and how one got there; the server keeps nothing but the model.

mod answers;
mod guard;
mod http;
mod page;
mod server;
mod states;

use crate::arguments::Explore;
use crate::failure::Failure;
use crate::status::Status;
use crate::{input, output};
use server::Server;

/// Runs the verb: until Ctrl-C.
pub fn run(arguments: &Explore) -> Result<Status, Failure> {
    let model = input::read(&arguments.model)?;
    model.prepare(&mandala::Options { timeout: Some(arguments.timeout), ..mandala::Options::default() })?;
    let server = Server::bind(model, arguments.port, arguments.timeout, arguments.memory)?;
    output::print(&format!("{}\nCtrl-C ends it\n", server.address()))?;
    if !arguments.no_open {
        open(&server.address());
    }
    server.serve();
    Ok(Status::Good)
}

/// Asks the system to show a page. Who sees nothing has the address.
fn open(address: &str) {
    let opener = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(target_os = "windows") {
        "explorer"
    } else {
        "xdg-open"
    };
    let mut command = std::process::Command::new(opener);
    command.arg(address).stdin(std::process::Stdio::null());
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    if let Ok(mut child) = command.spawn() {
        std::thread::spawn(move || child.wait());
    }
}
