//! Several processes as one run, and many questions over several hosts: on this machine, and in networks of its own.

mod common;
mod faults;
mod large;
mod networks;
mod processes;
mod share;

#[path = "../../../check/tests/common/build.rs"]
#[allow(dead_code)]
mod build;
#[path = "../../../check/tests/common/formulas.rs"]
#[allow(dead_code)]
mod formulas;
#[path = "../../../check/tests/common/random.rs"]
#[allow(dead_code)]
mod random;
#[path = "../../../check/tests/common/shared.rs"]
#[allow(dead_code)]
mod shared;
