//! DVE, the language of DiVinE and of the BEEM models: processes with states, variables and channels.
//!
//! A text is read in two steps: `parse` makes a tree of what is written, and `elaborate` makes of it one flat program
//! of a [`Specification`], so that everything that works on a program works on it.
//!
//! | written | becomes |
//! |---|---|
//! | `byte x; int t[3];` | the variables `x`, `t[0]`, `t[1]`, `t[2]` |
//! | `process P { byte y; state a, b; ... }` | the variables `P.state` (0 for `a`, 1 for `b`) and `P.y` |
//! | `a -> b { ... }` in `P` | the transition `P.a_b`; others between the same states are called `P.a_b.2` and so on |
//! | `sync c!e` in `P` and `sync c?x` in `Q` | one transition for each pair, called `P.a_b.c.Q.d_e` |
//! | `channel {byte} c[4]` | the variables `c.count` and `c[0]` to `c[3]`; places without a message hold 0 |
//! | `const byte N = 3;` | its value |
//! | `assert a: x < 3;` in `P` | the property `P.a`, an invariant |
//!
//! [`Names`] keep what states are called, so that formulas may speak of `P.a` (P is in its state a) and `P->y`.
//!
//! What it means: in a `system async`, a process moves alone, or two of them on a channel, of which one sends and the
//! other receives; the value is passed first, then the effects of the receiver take place, then those of the sender.
//! While a process is in a commit state, only steps are taken in which all who take part are in commit states. In a
//! `system sync`, all processes move in every step. Expressions have 32 bits. A step that stores a value that does not fit
//! (a `byte` holds 0 to 255, an `int` -32768 to 32767), that uses an element that does not exist or divides by zero leads
//! to the *error state* ([`ErrorState`](crate::system::ErrorState)), in which every process is in the state -1. As in
//! DiVinE, `&&` and `||` bind equally strongly, and so do `&`, `|` and `^`: what is mixed is read from left to right.
//! `docs/reference/dve.md` has all of it.
//!
//! What is not read: processes as properties, probabilities, channels and commit states in synchronous systems.

mod elaborate;
mod names;
#[cfg(test)]
mod oracle;
mod parse;
mod syntax;
mod token;

pub use names::Names;

use crate::gal::Specification;
use crate::text::Unreadable;

/// Reads a file and makes the system it describes, with its assertions as properties.
///
/// ```
/// let text = "byte x; process P { state a, b; init a; trans a -> b { effect x = x + 1; }; } system async;";
/// let model = mandala_model::dve::read("step.dve", text)?;
/// assert_eq!(model.system.name, "step");
/// # Ok::<(), mandala_model::text::Unreadable>(())
/// ```
pub fn read(file: &str, text: &str) -> Result<Specification, Unreadable> {
    Ok(read_with_names(file, text)?.0)
}

/// Reads a file as [`read`] does, and keeps its names for formulas.
///
/// ```
/// let text = "process P { state idle, busy; init idle; trans idle -> busy {}; } system async;";
/// let (_, names) = mandala_model::dve::read_with_names("step.dve", text)?;
/// assert!(names.formula("EF P.busy").is_ok());
/// # Ok::<(), mandala_model::text::Unreadable>(())
/// ```
pub fn read_with_names(file: &str, text: &str) -> Result<(Specification, Names), Unreadable> {
    read_with_constants(file, text, &[])
}

/// Reads a file as [`read_with_names`] does. `defines` gives global constants other values than the file does; the last
/// value counts.
///
/// ```
/// let text = "const byte N = 2; byte t[N]; process P { state a; init a; } system async;";
/// let defines = [("N".to_string(), 3)];
/// let (model, _) = mandala_model::dve::read_with_constants("array.dve", text, &defines)?;
/// let mandala_model::system::Type::Program(program) = &model.system.types[0] else { unreachable!() };
/// assert_eq!(program.variables.len(), 4, "three elements and the state of P");
/// # Ok::<(), mandala_model::text::Unreadable>(())
/// ```
pub fn read_with_constants(
    file: &str, text: &str, defines: &[(String, i32)],
) -> Result<(Specification, Names), Unreadable> {
    let (model, directory) = elaborate::elaborate(parse::parse(file, text)?, file, text, defines)?;
    Ok((model, Names { directory }))
}
