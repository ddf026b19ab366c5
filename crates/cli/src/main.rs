//! The `mandala` command.

fn main() {}
