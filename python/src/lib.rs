//! The front door of Mandala, as Python meets it. What needs no Rust (named tuples, traces as lists, tables for notebooks)
//! is in the package's own Python files; this is the rest, a thin layer.

#![warn(missing_docs)]

mod answer;
mod build;
mod error;
mod model;
mod space;
mod work;

use pyo3::prelude::*;

// As in the command line: the allocator of glibc is as fast, and takes half of the memory.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The native half of the package.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::answer::Answer;
    #[pymodule_export]
    use super::build::{build_net, build_program};
    #[pymodule_export]
    use super::error::{MandalaError, ReadError};
    #[pymodule_export]
    use super::model::{Model, generate, parse, read};
    #[pymodule_export]
    use super::space::{Space, StateIterator, StateSet};
}
