//! The same for several models, and again whenever a file changes. Each run is a process of its own, with limits of its own.

use crate::arguments::Again;
use crate::failure::Failure;
use crate::interrupt;
use crate::output;
use crate::status::Status;
use crate::style::{Style, paint, paint_aside};
use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

/// How often a run is looked at.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
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
        output::complain(&paint_aside(Style::Faint, &format!("watching {names}; Ctrl-C ends it")));
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
    /// Runs for each model, and says how it went: what is worst counts. A signal ends the run that goes on, with what is known
    /// by then, and no other begins.
    fn each(&self) -> Result<Status, Failure> {
        let signal = interrupt::signal();
        let mut worst = Status::Good;
        for (number, model) in self.models.iter().enumerate() {
            if signal.is_cancelled() {
                let left = output::count(self.models.len() - number, "model");
                output::complain(&format!("stopped: interrupted, before {left} of {}", self.models.len()));
                return Ok(worse(worst, Status::Unknown));
            }
            let (mut child, answer) = self.announced(model)?;
            let mut is_told = false;
            let ended = loop {
                match child.try_wait() {
                    Ok(None) => std::thread::sleep(BETWEEN_LOOKS),
                    Ok(Some(ended)) => break ended.code(),
                    Err(_) => break None,
                }
                if signal.is_cancelled() && !is_told {
                    interrupt::pass_on(&mut child);
                    is_told = true;
                }
            };
            self.print(answer)?;
            worst = worse(worst, ended.map_or(Status::Broken, Status::of_code));
        }
        Ok(worst)
    }

    /// The same, until something happens that makes it worthless.
    fn until(&self, is_worthless: impl Fn() -> bool) -> Result<(), Failure> {
        for model in &self.models {
            let (mut child, answer) = self.announced(model)?;
            while matches!(child.try_wait(), Ok(None)) {
                if is_worthless() {
                    // A child that has ended by itself in the meantime is as good.
                    let _ = child.kill();
                    let _ = child.wait();
                    return Ok(());
                }
                std::thread::sleep(BETWEEN_LOOKS);
            }
            self.print(answer)?;
        }
        Ok(())
    }

    /// Prints the object of a run on one line, so that those of several are told apart.
    fn print(&self, answer: Option<Answer>) -> Result<(), Failure> {
        let Some(Ok(text)) = answer.map(Answer::join) else { return Ok(()) };
        output::print(&(on_one_line(&text) + "\n"))
    }

    /// Starts a run, below the name of its model if there are several. What it prints is read where that is to be put on one
    /// line.
    fn announced(&self, model: &str) -> Result<(Child, Option<Answer>), Failure> {
        let arguments = without(&self.arguments, &self.models, model).ok_or_else(|| {
            let taken = self.models.iter().map(|model| format!("`{model}`")).collect::<Vec<_>>().join(", ");
            Failure::with_help(
                format!("the models stand apart: {taken}"),
                "write them one after the other, as in `mandala check A B --deadlock`; a value of an option is one word",
            )
        })?;
        if self.models.len() > 1 && !self.is_json {
            output::print(&format!("{}\n", paint(Style::Strong, &format!("{model}:"))))?;
        }
        let program = std::env::current_exe().map_err(|error| Failure::new(format!("cannot run again: {error}")))?;
        let is_read = self.is_json && self.models.len() > 1;
        let mut child = Command::new(program)
            .args(arguments)
            .stdout(if is_read { Stdio::piped() } else { Stdio::inherit() })
            .spawn()
            .map_err(|error| Failure::new(format!("cannot run again: {error}")))?;
        let answer = child.stdout.take().map(|mut pipe| {
            std::thread::spawn(move || {
                let mut bytes = Vec::new();
                // What cannot be read is missing from the answer, which the reader then notices.
                let _ = pipe.read_to_end(&mut bytes);
                String::from_utf8_lossy(&bytes).into_owned()
            })
        });
        Ok((child, answer))
    }
}

/// What a run prints, when it has ended.
type Answer = JoinHandle<String>;

/// A JSON text without its line breaks, which are never inside of strings.
pub fn on_one_line(text: &str) -> String {
    text.lines().map(str::trim_start).collect()
}

/// The arguments for one of several models, without watching.
pub fn without(arguments: &[OsString], models: &[&str], model: &str) -> Option<Vec<OsString>> {
    let is_list = |part: &[OsString]| part.iter().zip(models).all(|(one, model)| one == OsStr::new(model));
    // The first argument is the verb.
    let start =
        (1..=arguments.len().checked_sub(models.len())?).find(|&at| is_list(&arguments[at..at + models.len()]))?;
    let rest = &arguments[start + models.len()..];
    let all = arguments[..start].iter().cloned().chain([OsString::from(model)]).chain(rest.iter().cloned());
    Some(all.filter(|one| one != "--watch").collect())
}

/// What is worse of two ways to end.
pub fn worse(one: Status, other: Status) -> Status {
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

    #[test]
    fn objects_on_one_line() {
        let text = "{\n  \"a\": \"b\\n  c\",\n  \"d\": [\n    1,\n    2\n  ]\n}\n";
        assert_eq!(on_one_line(text), "{\"a\": \"b\\n  c\",\"d\": [1,2]}");
    }
}
