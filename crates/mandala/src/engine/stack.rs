//! Room on the stack: diagrams bring their own, but readers, writers and formulas of deeply nested models recurse.

use std::thread;

/// More than any of them needs.
pub const STACK_BYTES: usize = 64 << 20;

/// Does something on a stack of its own, so that it does not depend on how much room the caller's thread has left.
pub(crate) fn deep<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        let thread = thread.unwrap_or_else(|error| panic!("cannot start a thread: {error}"));
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
