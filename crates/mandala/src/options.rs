//! How states are explored, how far that may go, and who hears of it.

use crate::crew::Crew;
use crate::error::Error;
use crate::fairness::Fairness;
use crate::limits::{self, Cancel, Deadline, Memory};
use crate::reason::Reason;
use mandala_analysis::order::Heuristic;
pub use mandala_check::answer::Traces;
use mandala_check::answer::Verdict;
use mandala_check::limits::Progress;
pub use mandala_check::run::FiniteRuns;
use mandala_diagram::ProcessMemory;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How states are explored, and how far that may go. Queries set what they name; [`Query::options`](crate::Query::options)
/// takes all of it at once.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How states are explored.
    pub strategy: Strategy,
    /// Who does it, state by state.
    pub crew: Crew,
    /// The order of variables.
    pub order: Order,
    /// The levels that a flat model gets.
    pub levels: Levels,
    /// Whether, and how, the quotient of the states by symmetry is made.
    pub symmetry: Symmetry,
    /// By which symmetries.
    pub symmetries: Symmetries,
    /// Whether nets are made smaller before their states are counted, and for each question by what it looks at.
    pub reductions: Reductions,
    /// How symmetries are used where a formula of LTL does not treat all processes alike.
    pub symmetry_of_formula: SymmetryOfFormula,
    /// Whether, and how, symbolic markings of a coloured net are used.
    pub symbolic: Symbolic,
    /// Which colours of a coloured net are told apart by them.
    pub partition: Partition,
    /// What becomes of runs that end.
    pub finite_runs: FiniteRuns,
    /// Which transitions runs are fair to, where a formula is about runs.
    pub fairness: Vec<Fairness>,
    /// Whether answers come with traces.
    pub traces: Traces,
    /// The most time.
    pub timeout: Option<Duration>,
    /// From when the time counts; from when the work begins if this is not said.
    pub started: Option<Instant>,
    /// The most memory that the process is to use besides what it has when the work begins; most of what is free if this is not
    /// said.
    pub memory: Option<Memory>,
    /// The same, counted from before; from when the work begins if this is not said.
    pub process: Option<ProcessMemory>,
    /// What stops the work from outside.
    pub cancel: Cancel,
    /// Where to see how far it is.
    pub progress: Progress,
    /// Who hears of what is worth knowing on the way.
    pub notes: Listener,
    /// Who hears of verdicts before all of them are known.
    pub verdicts: Listener<Told>,
    /// Whether one answer with no is enough, and the other questions may then stay open.
    pub first_no: bool,
}

impl Options {
    /// When work that begins now must end.
    pub(crate) fn deadline(&self) -> Option<Deadline> {
        self.timeout.and_then(|time| Deadline::after(self.started.unwrap_or_else(Instant::now), time))
    }

    /// The same, with time and memory counted from now on, unless they are counted from before: for work that has several parts.
    pub fn from_now(self) -> Result<Options, Error> {
        let process = self.process_memory()?;
        Ok(Options { started: Some(self.started.unwrap_or_else(Instant::now)), process, ..self })
    }

    /// What the process may use.
    pub(crate) fn process_memory(&self) -> Result<Option<ProcessMemory>, Error> {
        let given = self.memory.as_ref().map(|memory| memory.bytes()).transpose()?;
        Ok(self.process.clone().or_else(|| limits::memory_of_process(given)))
    }

    /// Why work must stop now, if it must.
    pub fn reason_to_stop(&self) -> Option<Reason> {
        if self.cancel.is_cancelled() {
            return Some(Reason::Cancelled);
        }
        if let Some(deadline) = self.deadline()
            && Instant::now() >= deadline.moment
        {
            return Some(Reason::Time(Some(deadline.time)));
        }
        self.process.as_ref().is_some_and(|process| process.exceeds(0)).then_some(Reason::Memory)
    }

    /// How many bytes a model that is made may take: the rest is for its states.
    pub(crate) fn bytes_for_models(&self) -> Result<u64, Error> {
        let given = self.memory.as_ref().map(|memory| memory.bytes()).transpose()?;
        Ok(limits::memory_for_models(given))
    }
}

/// How states are explored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// Diagrams, from the bottom to the top: nearly always the fastest.
    #[default]
    Saturation,
    /// Diagrams, one transition after the other.
    Chaining,
    /// Diagrams, breadth first.
    BreadthFirst,
    /// One state after the other, without diagrams.
    Explicit,
}

/// Whether, and how, the quotient of the states by symmetry is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Symmetry {
    /// All states.
    #[default]
    Off,
    /// One state for each orbit, by whichever of the other three gets there.
    Auto,
    /// One state for each orbit, from the start: only these are ever kept.
    Explore,
    /// One state for each orbit, selected from the whole space.
    Select,
    /// One state for each orbit, found one by one.
    List,
}

/// By which symmetries a quotient is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Symmetries {
    /// All that are found.
    #[default]
    Found,
    /// Those that the model declares, and no others.
    Declared,
}

/// Whether nets are made smaller before their states are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reductions {
    /// Where that is possible.
    #[default]
    On,
    /// No: what is counted and asked is about the states of the net itself.
    Off,
}

/// How symmetries are used with a formula of LTL, which may treat processes unequally. All but the first take one
/// automaton of the whole formula, and explore its product with the model state by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SymmetryOfFormula {
    /// Whichever is best.
    #[default]
    Auto,
    /// Those that leave all propositions of the formula alone.
    Group,
    /// At each state of the automaton those that this state does not notice: the consistent graph.
    Consistent,
    /// Also those that map states of the automaton to each other: the quotient product.
    Product,
}

/// Whether, and how, symbolic markings of a coloured net are used: its markings up to exchanging colours, without unfolding it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Symbolic {
    /// Where a quotient is asked for with [`Symmetry::Auto`], and there are colours to exchange (rings alone do not count).
    #[default]
    Auto,
    /// Not: the net is unfolded.
    Off,
    /// One by one.
    List,
    /// Sets of them in diagrams.
    Sets,
    /// By counting colours in each local state.
    Counting,
    /// As tensors in diagrams.
    Tensors,
}

/// Which colours of a coloured net are told apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Partition {
    /// Those that something in the net, or the question, tells apart.
    #[default]
    Found,
    /// These, and those that are in different subclasses of a partition that the net declares.
    Declared,
}

/// The order of variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Several are tried, each a little; the one that moves is kept.
    #[default]
    Auto,
    /// That of a heuristic.
    Heuristic(Heuristic),
    /// The names of places, variables or instances, from the top of the diagram to its bottom, each once.
    Names(Vec<String>),
    /// The same in a file, one name on each line.
    File(String),
}

/// `auto`, the name of a heuristic, or else of a file.
impl From<&str> for Order {
    fn from(text: &str) -> Order {
        match text.parse() {
            _ if text == "auto" => Order::Auto,
            Ok(heuristic) => Order::Heuristic(heuristic),
            Err(_) => Order::File(text.to_owned()),
        }
    }
}

/// The levels that a flat model gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Levels {
    /// Where it pays.
    #[default]
    Auto,
    /// None: one long diagram.
    Off,
    /// Units as the file nests them.
    Units,
    /// One group for each P-semiflow.
    Semiflows,
    /// Groups of variables that many transitions connect.
    Communities,
    /// Groups of so many neighbours, and groups of groups.
    Balanced(usize),
}

/// How many neighbours a group has if nothing is said.
const GROUP: usize = 8;

impl FromStr for Levels {
    type Err = String;

    fn from_str(text: &str) -> Result<Levels, String> {
        match text {
            "auto" => return Ok(Levels::Auto),
            "off" => return Ok(Levels::Off),
            "units" => return Ok(Levels::Units),
            "semiflows" => return Ok(Levels::Semiflows),
            "communities" => return Ok(Levels::Communities),
            "balanced" => return Ok(Levels::Balanced(GROUP)),
            _ => {}
        }
        let size = text.strip_prefix("balanced:").and_then(|size| size.parse().ok()).filter(|&size| size >= 2);
        size.map(Levels::Balanced).ok_or_else(|| {
            "it is `auto`, `off`, `units`, `semiflows`, `communities`, `balanced` or `balanced:SIZE` with a size from 2"
                .to_owned()
        })
    }
}

/// Something worth knowing that is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// Levels were asked for, and a composite keeps those in which it is written.
    LevelsAsWritten,
    /// What became of a composite of which a quotient was asked for.
    Composite(String),
    /// A coloured net is unfolded after all, and why.
    Unfolded(String),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::LevelsAsWritten => write!(f, "a composite keeps the levels in which it is written"),
            Note::Composite(text) => f.write_str(text),
            Note::Unfolded(reason) => write!(f, "{reason}: the net is unfolded"),
        }
    }
}

/// A verdict, as soon as it is known. It may be told more than once.
#[derive(Clone, Debug)]
pub struct Told {
    /// The name of the question.
    pub question: String,
    /// What is known.
    pub verdict: Verdict,
    /// Whether diagrams were used.
    pub by_diagrams: bool,
}

/// Who hears of something; nobody if nothing is said.
pub struct Listener<T = Note>(Option<Arc<Hear<T>>>);

/// What is done with what is heard.
type Hear<T> = dyn Fn(&T) + Send + Sync;

impl<T> Listener<T> {
    /// Calls a function with each thing.
    pub fn new(hear: impl Fn(&T) + Send + Sync + 'static) -> Listener<T> {
        Listener(Some(Arc::new(hear)))
    }

    pub(crate) fn hear(&self, heard: &T) {
        if let Some(hear) = &self.0 {
            hear(heard);
        }
    }
}

impl<T> Default for Listener<T> {
    fn default() -> Listener<T> {
        Listener(None)
    }
}

impl<T> Clone for Listener<T> {
    fn clone(&self) -> Listener<T> {
        Listener(self.0.clone())
    }
}

impl<T> fmt::Debug for Listener<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Listener" } else { "nobody" })
    }
}
