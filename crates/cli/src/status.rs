//! The exit status, which scripts rely on.

use std::process::ExitCode;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Done, and every property holds.
    Good,
    /// Done, and some property does not hold.
    Fails,
    /// Bad usage or bad input.
    Bad,
    /// Stopped at a limit or by the user, or some verdict is unknown and none is false.
    Unknown,
    /// An error of this program.
    Broken,
}

impl Status {
    /// The number that the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Status::Good => 0,
            Status::Fails => 1,
            Status::Bad => 2,
            Status::Unknown => 3,
            Status::Broken => 101,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status.code())
    }
}
