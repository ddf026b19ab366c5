//! Models that are built in code, without a file.
//!
//! A net has places with tokens, and transitions that take and put them:
//!
//! ```
//! use mandala::build::{Net, Transition};
//!
//! let mut net = Net::new("lock");
//! net.place("free", 1).place("waiting", 3).place("inside", 0);
//! net.transition(Transition::new("enter").take("free", 1).take("waiting", 1).put("inside", 1));
//! net.transition(Transition::new("leave").take("inside", 1).put("free", 1).put("waiting", 1));
//! let model = net.build()?;
//!
//! assert_eq!(model.check("AG inside <= 1")?.run()?.holds(), Some(true));
//! # Ok::<(), mandala::Error>(())
//! ```
//!
//! Where several transitions may fire, those of the highest priority do:
//!
//! ```
//! use mandala::build::{Net, Transition};
//!
//! let mut net = Net::new("desk");
//! net.place("urgent", 2).place("calm", 3).place("served", 0);
//! net.transition(Transition::new("call").take("urgent", 1).put("served", 1).priority(1));
//! net.transition(Transition::new("serve").take("calm", 1).put("served", 1));
//! let model = net.build()?;
//!
//! assert_eq!(model.states().run()?.count().to_string(), "6");
//! assert_eq!(model.check("AG (urgent == 0 || !fireable(serve))")?.run()?.holds(), Some(true));
//! # Ok::<(), mandala::Error>(())
//! ```
//!
//! A program has variables, and actions that are taken when their condition holds. Conditions and values are written as in
//! GAL, and as in formulas:
//!
//! ```
//! use mandala::build::{Action, Program};
//!
//! let mut program = Program::new("count");
//! program.variable("x", 0).array("seen", &[0, 0, 0]);
//! program.action(Action::new("up").when("x < 2").set("x", "x + 1").set("seen[x]", "1"));
//! program.action(Action::new("again").when("x == 2").set("x", "0"));
//! let model = program.build()?;
//!
//! assert_eq!(model.states().run()?.count().to_string(), "5");
//! # Ok::<(), mandala::Error>(())
//! ```

mod net;
mod program;

pub use net::{Net, Transition};
pub use program::{Action, Program};

use crate::error::{Error, ErrorKind};
use mandala_model::text::suggest::nearest;

fn wrong(text: impl Into<String>) -> Error {
    Error::new(ErrorKind::Build, text)
}

/// The index of a name, or an error that says which name may be meant.
fn index_of(names: &[String], wanted: &str, what: &str) -> Result<usize, Error> {
    names.iter().position(|name| name == wanted).ok_or_else(|| {
        let text = format!("there is no {what} `{wanted}`");
        match nearest(wanted, names.iter().map(String::as_str)) {
            Some(meant) => Error::with_help(ErrorKind::Build, text, format!("did you mean `{meant}`?")),
            None => wrong(text),
        }
    })
}

/// An error if a name is empty, or there twice.
fn check_names<'n>(names: impl Iterator<Item = &'n str>, what: &str) -> Result<(), Error> {
    let mut known = std::collections::HashSet::new();
    for name in names {
        if name.is_empty() {
            return Err(wrong(format!("a {what} has no name")));
        }
        if !known.insert(name) {
            return Err(wrong(format!("there are two {what}s called `{name}`")));
        }
    }
    Ok(())
}
