//! What an editor wants to know of a text in GAL or `.sn`: what it declares, what a name means, what may come next, and how it
//! is laid out.
//!
//! All of this works on the words of a text and needs no tree, so that it also works on a text that is just being written.
//!
//! ```
//! use mandala::language::Outline;
//! let text = "gal lamp { int on = 0; transition switch [true] { on = 1 - on; } }";
//! let outline = Outline::of(text);
//! let found = outline.resolve(text, text.rfind("on;").unwrap()).unwrap();
//! assert_eq!((found.name.as_str(), found.detail.as_str()), ("on", "int on = 0"));
//! ```

mod complete;
mod format;
mod outline;
mod resolve;
mod word;

pub use complete::{Completion, complete};
pub use format::{NotFormatted, format};
pub use outline::{Declaration, DeclarationKind, Outline};
