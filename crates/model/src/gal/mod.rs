//! The Guarded Action Language of ITS-Tools, with composites, and with nets as elementary types (ours).
mod parse;
mod print;
mod suggest;
pub mod syntax;
mod token;
pub use parse::parse;
