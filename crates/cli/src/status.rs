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

    /// The status with this number; any other is that of an error.
    pub fn of_code(code: i32) -> Status {
        let all = [Status::Good, Status::Fails, Status::Bad, Status::Unknown];
        all.into_iter().find(|status| i32::from(status.code()) == code).unwrap_or(Status::Broken)
    }

    /// Whether there was an answer, if only that it is not known.
    pub fn is_answer(self) -> bool {
        matches!(self, Status::Good | Status::Fails | Status::Unknown)
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status.code())
    }
}
