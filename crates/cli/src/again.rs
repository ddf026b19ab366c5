//! The same for several models, and again whenever a file changes. Each run is a process of its own, with limits of its own.

use crate::arguments::Again;
use crate::failure::Failure;
use crate::output;
use crate::status::Status;
use crate::style::{Style, paint};
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, SystemTime};

/// How often files are looked at.
const PERIOD: Duration = Duration::from_millis(200);

/// Runs the command for each of several models, or again and again, if that is asked for. Nothing if it is not.
pub fn instead(model: &str, again: &Again, files: &[&str], is_json: bool) -> Option<Result<Status, Failure>> {
    if again.more.is_empty() && !again.watch {
        return None;
    }
    Some(several(model, again, files, is_json))
}

fn several(model: &str, again: &Again, files: &[&str], is_json: bool) -> Result<Status, Failure> {
    let models: Vec<&str> = std::iter::once(model).chain(again.more.iter().map(String::as_str)).collect();
    let runs = Runs { arguments: std::env::args_os().skip(1).collect(), models, is_json };
    if !again.watch {
        return runs.each();
    }
    let watched: Vec<&str> = runs.models.iter().copied().chain(files.iter().copied()).collect();
    if watched.contains(&"-") {
        return Err(Failure::new("standard input does not change, so that there is nothing to watch"));
    }
    loop {
        let before = changed(&watched);
        runs.until(|| changed(&watched) != before)?;
        let names = watched.join(", ");
        output::complain(&paint(Style::Faint, &format!("watching {names}; Ctrl-C ends it")));
        while changed(&watched) == before {
            std::thread::sleep(PERIOD);
        }
    }
}

/// When each of some files was changed last; nothing of one that is not there, or is being written.
fn changed(files: &[&str]) -> Vec<Option<(SystemTime, u64)>> {
    let of = |file: &&str| {
        let inside = Path::new(file).join("model.pnml");
        let facts = std::fs::metadata(if inside.is_file() { &inside } else { Path::new(file) }).ok()?;
        Some((facts.modified().ok()?, facts.len()))
    };
    files.iter().map(of).collect()
}

/// Runs of this program, one for each model.
struct Runs<'r> {
    arguments: Vec<OsString>,
    models: Vec<&'r str>,
    is_json: bool,
}

impl Runs<'_> {
    /// Runs for each model, and says how it went: what is worst counts.
    fn each(&self) -> Result<Status, Failure> {
        let mut worst = Status::Good;
        for model in &self.models {
            self.announce(model)?;
            let ended = self.start(model)?.wait();
            worst = worse(worst, status(ended.ok().and_then(|ended| ended.code())));
        }
        Ok(worst)
    }

    /// The same, until something happens that makes it worthless.
    fn until(&self, is_worthless: impl Fn() -> bool) -> Result<(), Failure> {
        for model in &self.models {
            self.announce(model)?;
            let mut child = self.start(model)?;
            while matches!(child.try_wait(), Ok(None)) {
                if is_worthless() {
                    // A child that has ended by itself in the meantime is as good.
                    let _ = child.kill();
                    let _ = child.wait();
                    return Ok(());
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        Ok(())
    }

    fn announce(&self, model: &str) -> Result<(), Failure> {
        if self.models.len() == 1 || self.is_json {
            return Ok(());
        }
        output::print(&format!("{}\n", paint(Style::Strong, &format!("{model}:"))))
    }

    fn start(&self, model: &str) -> Result<Child, Failure> {
        let arguments = without(&self.arguments, &self.models, model).ok_or_else(|| {
            Failure::with_help(
                "the models stand apart",
                "write them one after the other: `mandala check A B --deadlock`",
            )
        })?;
        let program = std::env::current_exe().map_err(|error| Failure::new(format!("cannot run again: {error}")))?;
        Command::new(program)
            .args(arguments)
            .spawn()
            .map_err(|error| Failure::new(format!("cannot run again: {error}")))
    }
}

/// The arguments for one of several models, without watching.
fn without(arguments: &[OsString], models: &[&str], model: &str) -> Option<Vec<OsString>> {
    let is_list = |part: &[OsString]| part.iter().zip(models).all(|(one, model)| one == OsStr::new(model));
    // The first argument is the verb.
    let start =
        (1..=arguments.len().checked_sub(models.len())?).find(|&at| is_list(&arguments[at..at + models.len()]))?;
    let rest = &arguments[start + models.len()..];
    let all = arguments[..start].iter().cloned().chain([OsString::from(model)]).chain(rest.iter().cloned());
    Some(all.filter(|one| one != "--watch").collect())
}

/// How a run of this program ended.
fn status(code: Option<i32>) -> Status {
    match code {
        Some(0) => Status::Good,
        Some(1) => Status::Fails,
        Some(2) => Status::Bad,
        Some(3) => Status::Unknown,
        _ => Status::Broken,
    }
}

fn worse(one: Status, other: Status) -> Status {
    let badness = |status: Status| match status {
        Status::Good => 0,
        Status::Unknown => 1,
        Status::Fails => 2,
        Status::Bad => 3,
        Status::Broken => 4,
    };
    if badness(other) > badness(one) { other } else { one }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_for_one_model() {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        let of = |text: &str, model: &str| without(&words(text), &["a", "b"], model);
        assert_eq!(of("check a b -f x --watch", "b"), Some(words("check b -f x")));
        assert_eq!(of("check -f a a b", "a"), Some(words("check -f a a")));
        assert_eq!(of("check a -f x b", "a"), None);
        assert_eq!(of("check", "a"), None);
        assert_eq!(worse(Status::Fails, Status::Unknown), Status::Fails);
    }
}
