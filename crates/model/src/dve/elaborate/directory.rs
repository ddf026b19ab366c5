//! What the names of a file mean, and the variables of the program they stand for.

use rustc_hash::FxHashMap;

use super::super::syntax::{Name, Width};
use super::complaint;
use crate::system::{Array, Misfit, Program, ValueRange, Variable};
use crate::text::{Problem, Span};

impl Width {
    /// The least and the greatest value.
    pub fn bounds(self) -> (i32, i32) {
        match self {
            Width::Byte => (0, 255),
            Width::Int => (-32768, 32767),
        }
    }

    /// Of two types, the one whose values all fit into the other.
    pub fn narrower(self, other: Width) -> Width {
        if other == Width::Byte { other } else { self }
    }

    /// Its values, for messages.
    pub fn range(self) -> ValueRange {
        let (least, greatest) = self.bounds();
        let kind = match self {
            Width::Byte => "a byte",
            Width::Int => "an int",
        };
        ValueRange { kind, least, greatest }
    }

    /// As it is written.
    pub fn word(self) -> &'static str {
        match self {
            Width::Byte => "byte",
            Width::Int => "int",
        }
    }
}

/// Where the program keeps a variable or an array of the file.
#[derive(Clone, Copy, Debug)]
pub(in crate::dve) struct Storage {
    /// The variable, or element 0.
    pub first: u32,
    /// How many elements an array has.
    pub length: Option<u32>,
    pub width: Width,
    /// Whether it may never change.
    pub constant: bool,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(in crate::dve) enum Meaning {
    Constant(i32),
    /// A variable or an array.
    Variable(Storage),
    /// An index into [`Directory::channels`].
    Channel(usize),
}

/// Names and what they stand for.
#[derive(Debug, Default)]
pub(in crate::dve) struct Scope {
    names: FxHashMap<String, (Meaning, Span)>,
}

impl Scope {
    pub fn get(&self, name: &str) -> Option<(Meaning, Span)> {
        self.names.get(name).copied()
    }

    /// Adds a name; a problem if it is there already.
    pub fn add(&mut self, name: &Name, meaning: Meaning) -> Result<(), Problem> {
        match self.names.get(name.text.as_str()) {
            Some((_, first)) => Err(complaint::twice(name, "name", *first)),
            None => {
                self.names.insert(name.text.clone(), (meaning, name.span));
                Ok(())
            }
        }
    }

    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.names
            .iter()
            .filter(|(_, (meaning, _))| !matches!(meaning, Meaning::Channel(_)))
            .map(|(name, _)| name.as_str())
    }

    fn channels(&self) -> impl Iterator<Item = &str> + Clone {
        self.names
            .iter()
            .filter(|(_, (meaning, _))| matches!(meaning, Meaning::Channel(_)))
            .map(|(name, _)| name.as_str())
    }
}

/// A process.
#[derive(Debug)]
pub(in crate::dve) struct ProcessFacts {
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// The variable that says in which state it is.
    pub state: u32,
    pub locals: Scope,
    /// The number of each state.
    pub numbers: FxHashMap<String, u32>,
    /// In the order of their numbers.
    pub states: Vec<String>,
    pub initial: u32,
    /// Whether each state is a commit state.
    pub commit: Vec<bool>,
}

impl ProcessFacts {
    /// The number of a state.
    pub fn state(&self, name: &Name) -> Result<u32, Problem> {
        self.numbers.get(name.text.as_str()).copied().ok_or_else(|| {
            complaint::missing(name.span, &self.name, "state", &name.text, self.states.iter().map(String::as_str))
        })
    }
}

/// Where messages wait.
#[derive(Debug)]
pub(in crate::dve) struct Buffer {
    /// How many there are.
    pub count: u32,
    pub capacity: u32,
    /// One array for each value of a message.
    pub arrays: Vec<Storage>,
}

/// A channel.
#[derive(Debug)]
pub(in crate::dve) struct ChannelFacts {
    pub name: String,
    pub span: Span,
    /// The types of what it carries, if they are declared.
    pub carries: Option<Vec<Width>>,
    pub buffer: Option<Buffer>,
    /// How many values it carries, and where that is said first.
    pub values: Option<(usize, Span)>,
}

/// All names of a file, and the program they speak of.
#[derive(Debug, Default)]
pub(in crate::dve) struct Directory {
    /// Its variables, arrays and nothing else.
    pub program: Program,
    /// What they hold at first.
    pub initial: Vec<i32>,
    /// The first of them that its variable cannot hold.
    pub misfit: Option<Misfit>,
    /// For each variable, its least and greatest value.
    pub bounds: Vec<(i32, i32)>,
    pub globals: Scope,
    /// Where global names are written: all of them, while [`Directory::globals`] has those that were declared so far.
    pub written: FxHashMap<String, Span>,
    pub processes: Vec<ProcessFacts>,
    pub process_names: FxHashMap<String, usize>,
    pub channels: Vec<ChannelFacts>,
}

impl Directory {
    /// Adds a variable to the program.
    pub fn variable(&mut self, name: String, bounds: (i32, i32), initial: i32) -> u32 {
        let index = self.program.variables.len() as u32;
        self.program.variables.push(Variable::new(name));
        self.initial.push(initial);
        self.bounds.push(bounds);
        index
    }

    /// Adds an array to the program; values that are not given are 0.
    pub fn array(&mut self, name: String, bounds: (i32, i32), length: u32, initial: &[i32]) -> u32 {
        let first = self.program.variables.len() as u32;
        for index in 0..length {
            let value = initial.get(index as usize).copied().unwrap_or(0);
            self.variable(format!("{name}[{index}]"), bounds, value);
        }
        self.program.arrays.push(Array { name, first, length });
        first
    }

    /// What a name means, inside of a process or outside.
    pub fn find(&self, process: Option<usize>, name: &Name) -> Result<Meaning, Problem> {
        let locals = process.and_then(|process| self.processes.get(process)).map(|facts| &facts.locals);
        let local = locals.and_then(|locals| locals.get(&name.text));
        if let Some((meaning, _)) = local.or_else(|| self.globals.get(&name.text)) {
            return Ok(meaning);
        }
        let names = locals.into_iter().flat_map(|locals| locals.names()).chain(self.globals.names());
        let problem = complaint::unknown(name.span, "variable", &name.text, names);
        let text = &name.text;
        if let Some(&span) = self.written.get(text) {
            return Err(complaint::too_early(problem, span));
        }
        let shown = name.shown();
        if self.process_names.contains_key(text) {
            return Err(problem.help(format!("`{shown}` is a process: ask for its state with `{shown}.state_name`")));
        }
        let own = process.and_then(|process| self.processes.get(process));
        match own.filter(|facts| facts.numbers.contains_key(text)) {
            Some(facts) => Err(problem.help(format!(
                "`{shown}` is a state: `{}.{shown}` holds where the process is in it",
                complaint::shortened(&facts.name)
            ))),
            None => Err(problem),
        }
    }

    /// A channel, by its name.
    pub fn channel(&self, name: &Name) -> Result<usize, Problem> {
        match self.globals.get(&name.text) {
            Some((Meaning::Channel(channel), _)) => Ok(channel),
            Some((_, span)) => Err(Problem::new(name.span, format!("`{}` is no channel", name.shown()))
                .label("expected a channel")
                .related(span, "declared here")
                .help("declare a channel with `channel name;`")),
            None => Err(complaint::unknown(name.span, "channel", &name.text, self.globals.channels())),
        }
    }

    /// A process, by its name.
    pub fn process(&self, name: &Name) -> Result<&ProcessFacts, Problem> {
        let found = self.process_names.get(name.text.as_str()).and_then(|&process| self.processes.get(process));
        let names = self.processes.iter().map(|process| process.name.as_str());
        found.ok_or_else(|| complaint::unknown(name.span, "process", &name.text, names))
    }
}
