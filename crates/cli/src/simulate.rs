//! `mandala simulate`: walks through the states of a model, at random or by hand.

use crate::arguments::Simulate;
use crate::ending::{self, Stopped};
use crate::failure::Failure;
use crate::input;
use crate::output::{self, count};
use crate::session::{Session, reason_in_words, reason_name};
use crate::status::Status;
use crate::style::{Style, paint};
use crate::trace;
use mandala::{Model, Move, State, Trace, Walk};
use std::io::{self, BufRead, IsTerminal};

/// So many of the transitions that can fire are listed.
const MOST_LISTED: usize = 30;
/// The most steps at random that are taken at once.
const MOST_STEPS: usize = 1_000_000;

/// What can be written at the prompt.
const HELP: &str = "  NUMBER     fire a transition of the list
  NAME       fire the transition of this name
  r [N]      N steps at random (1 if nothing is said)
  u          undo the last step
  b          back to the start
  s          show the state
  t          show the way here
  l          list what can fire
  q          quit (as does the end of the input)
";

/// Runs the verb.
pub fn run(arguments: &Simulate) -> Result<Status, Failure> {
    let Some(steps) = arguments.steps else {
        refuse(arguments)?;
        return by_hand(arguments);
    };
    let session = Session::with_limits(&arguments.limits)?;
    let nothing = Nothing { model: arguments.model.model.clone(), seed: arguments.seed, json: arguments.json };
    ending::if_stopped(move |stopped| nothing.told(stopped));
    let model = input::read(&arguments.model)?;
    session.prepare(&model)?;
    ending::enter("walking");
    let mut random = Random::new(arguments.seed);
    let (mut path, _) = Path::begin(&model, &mut random)?;
    at_random(&mut path, &mut random, steps, arguments, &session)
}

/// Refuses what has no meaning by hand.
fn refuse(arguments: &Simulate) -> Result<(), Failure> {
    let text = if arguments.json {
        "by hand there is nothing to print as JSON"
    } else if arguments.limits.timeout.is_some() || arguments.limits.memory.is_some() {
        "by hand there are no limits"
    } else {
        return Ok(());
    };
    Err(Failure::with_help(text, "say how many steps at random: `--steps 100`"))
}

/// What is said where a limit struck before the first step.
struct Nothing {
    model: String,
    seed: u64,
    json: bool,
}

impl Nothing {
    fn told(&self, stopped: &Stopped) -> String {
        if !self.json {
            return format!("no step was taken (stopped: {})\n", stopped.in_words());
        }
        let object = serde_json::json!({
            "model": self.model, "seed": self.seed, "deadlock": null, "trace": null,
            "stopped": reason_name(stopped.reason), "phase": stopped.phase,
        });
        serde_json::to_string_pretty(&object).unwrap_or_default() + "\n"
    }
}

/// A way through the states.
struct Path {
    walk: Walk,
    start: State,
    steps: Vec<Move>,
}

impl Path {
    /// Begins in an initial state, one of so many.
    fn begin(model: &Model, random: &mut Random) -> Result<(Path, usize), Failure> {
        let walk = model.walk()?;
        let begins = walk.initial_states()?;
        match begins.get(random.below(begins.len())).cloned() {
            Some(start) => Ok((Path { walk, start, steps: Vec::new() }, begins.len())),
            None => Err(Failure::new("the model has no initial state")),
        }
    }

    /// Where it has come.
    fn state(&self) -> &State {
        self.steps.last().map_or(&self.start, |step| &step.state)
    }

    /// All that can happen here.
    fn moves(&self) -> Result<Vec<Move>, Failure> {
        Ok(self.walk.moves(self.state())?)
    }

    /// Takes steps at random until there are so many, nothing can happen, or it must stop. How many were taken.
    fn wander(&mut self, random: &mut Random, steps: usize, must_stop: impl Fn() -> bool) -> Result<usize, Failure> {
        for taken in 0..steps {
            if must_stop() {
                return Ok(taken);
            }
            let mut moves = self.moves()?;
            if moves.is_empty() {
                return Ok(taken);
            }
            let chosen = random.below(moves.len());
            self.steps.push(moves.swap_remove(chosen));
        }
        Ok(steps)
    }

    /// The same as a trace.
    fn trace(&self) -> Trace {
        let variables = self.start.variables();
        let initial = variables.names().iter().enumerate();
        let initial = initial.map(|(index, name)| (name.clone(), variables.value_in(index, self.start.values())));
        let steps = self.steps.iter().map(|one| one.step.clone()).collect();
        Trace { initial: initial.collect(), steps, shortest: false, repeats: None }
    }
}

fn at_random(
    path: &mut Path, random: &mut Random, steps: usize, arguments: &Simulate, session: &Session,
) -> Result<Status, Failure> {
    let taken = path.wander(random, steps, || session.options.reason_to_stop().is_some())?;
    let stopped = (taken < steps).then(|| session.options.reason_to_stop()).flatten();
    let is_dead = path.moves()?.is_empty();
    let trace = path.trace();
    let status = if stopped.is_some() { Status::Unknown } else { Status::Good };
    if arguments.json {
        let mut object = serde_json::json!({
            "model": path.walk.model().name(),
            "seed": arguments.seed,
            "deadlock": is_dead,
            "trace": trace::trace(&trace),
        });
        if let Some(reason) = stopped {
            object["stopped"] = reason_name(reason).into();
        }
        output::print(&(serde_json::to_string_pretty(&object).unwrap_or_default() + "\n"))?;
        return Ok(status);
    }
    // Of a long walk the beginning and the end are shown.
    let mut text = trace.to_string();
    if is_dead {
        text.push_str(&format!("nothing can happen after {}\n", count(taken, "step")));
    } else if let Some(reason) = stopped {
        text.push_str(&format!("stopped after {}: {}\n", count(taken, "step"), reason_in_words(reason)));
    }
    output::print(&text)?;
    Ok(status)
}

/// Reads what to do from standard input, line by line.
fn by_hand(arguments: &Simulate) -> Result<Status, Failure> {
    let mut random = Random::new(arguments.seed);
    let (mut path, begins) = Path::begin(&input::read(&arguments.model)?, &mut random)?;
    let (path, random) = (&mut path, &mut random);
    if begins > 1 {
        output::print(&format!("one of {begins} initial states, chosen by `--seed`\n"))?;
    }
    output::print(&format!("{}\n{}", path.state(), listed(&path.moves()?)))?;
    let is_terminal = io::stdin().is_terminal();
    let mut lines = io::stdin().lock().lines();
    loop {
        if is_terminal {
            output::print(&format!("{} ", paint(Style::Faint, "number, r, u, b, s, t, l, q or ? >")))?;
        }
        let Some(line) = lines.next() else { return Ok(Status::Good) };
        let line = line.map_err(|error| Failure::new(format!("cannot read standard input: {error}")))?;
        let mut words = line.split_whitespace();
        let (Some(word), argument) = (words.next(), words.next()) else { continue };
        let text = match word {
            "q" | "quit" | "exit" => return Ok(Status::Good),
            "?" | "h" | "help" => HELP.to_owned(),
            "u" | "undo" => match path.steps.pop() {
                Some(undone) => format!("undone: {}\n{}", undone.step.transition, around(path)?),
                None => "this is the start\n".to_owned(),
            },
            "b" | "back" => {
                path.steps.clear();
                around(path)?
            }
            "s" | "state" => format!("{}\n", path.state()),
            "l" | "list" => listed(&path.moves()?),
            "t" | "trace" => path.trace().to_string(),
            "r" | "random" => wandered(path, random, argument)?,
            _ => chosen(path, line.trim())?,
        };
        output::print(&text)?;
    }
}

/// Where a path is, and what can happen there.
fn around(path: &Path) -> Result<String, Failure> {
    Ok(format!("{}\n{}", path.state(), listed(&path.moves()?)))
}

fn wandered(path: &mut Path, random: &mut Random, argument: Option<&str>) -> Result<String, Failure> {
    let steps = match argument.map_or(Ok(1), str::parse::<usize>) {
        Ok(steps) if steps <= MOST_STEPS => steps,
        _ => return Ok(format!("expected a number of steps up to {MOST_STEPS}\n")),
    };
    let from = path.steps.len();
    let taken = path.wander(random, steps, || false)?;
    let mut text = String::new();
    for one in path.steps[from..].iter().take(MOST_LISTED) {
        text.push_str(&fired(one));
    }
    if taken > MOST_LISTED {
        text.push_str(&format!("  and so on, {} in all\n", count(taken, "step")));
    }
    Ok(text + &around(path)?)
}

fn chosen(path: &mut Path, word: &str) -> Result<String, Failure> {
    let mut moves = path.moves()?;
    let number = word.parse::<usize>().ok().filter(|number| (1..=moves.len()).contains(number));
    let named = named(&moves, word);
    let index = match (number, &named[..]) {
        (Some(number), _) => number - 1,
        (None, [index]) => *index,
        (None, []) => {
            return Ok(match moves.len() {
                0 => "nothing can happen here: `u` goes back a step, `b` to the start\n".to_owned(),
                all => format!("expected a number from 1 to {all}, a name of the list, or `?` for help\n"),
            });
        }
        (None, several) => {
            let numbers: Vec<String> = several.iter().take(MOST_LISTED).map(|index| (index + 1).to_string()).collect();
            return Ok(format!("there are several of this name; choose a number: {}\n", numbers.join(", ")));
        }
    };
    let step = moves.swap_remove(index);
    let text = fired(&step);
    path.steps.push(step);
    Ok(text + &around(path)?)
}

/// The moves with a name, or with a name and arguments if no move has the name alone.
fn named(moves: &[Move], name: &str) -> Vec<usize> {
    let all = |is_meant: &dyn Fn(&str) -> bool| -> Vec<usize> {
        (0..moves.len()).filter(|&index| is_meant(&moves[index].step.transition)).collect()
    };
    let exact = all(&|transition| transition == name);
    match exact.is_empty() {
        true => all(&|transition| transition.split_once('(').is_some_and(|(base, _)| base == name)),
        false => exact,
    }
}

/// What happened, and what it changed.
fn fired(one: &Move) -> String {
    let changes = one.step.changes.iter().take(MOST_LISTED);
    let changes: Vec<String> =
        changes.map(|change| format!("{} {} -> {}", change.variable, change.before, change.after)).collect();
    format!("  {}  {}\n", paint(Style::Strong, &one.step.transition), changes.join(", "))
}

/// What can happen, with numbers to choose by.
fn listed(moves: &[Move]) -> String {
    if moves.is_empty() {
        return format!("  {}\n", paint(Style::Bad, "nothing can happen"));
    }
    let mut text = String::new();
    let width = moves.len().min(MOST_LISTED).to_string().len();
    for (number, one) in (1..).zip(moves).take(MOST_LISTED) {
        text.push_str(&format!("  {number:width$}  {}\n", one.step.transition));
    }
    if moves.len() > MOST_LISTED {
        text.push_str(&format!("  and {} more, up to {}\n", moves.len() - MOST_LISTED, moves.len()));
    }
    text
}

/// Pseudo-random numbers (xorshift64*): the same seed walks the same way.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03 | 1);
        // The first numbers of similar seeds are similar.
        (0..8).for_each(|_| {
            random.next();
        });
        random
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number from 0 up to, but not including, the bound.
    fn below(&mut self, bound: usize) -> usize {
        ((self.next() >> 33) % bound.max(1) as u64) as usize
    }
}
