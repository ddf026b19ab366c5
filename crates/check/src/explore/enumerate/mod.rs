//! States one by one, for systems whose diagrams are larger than their state spaces.
//!
//! Some systems (puzzles, protocols in which everything depends on everything) have a few million states and no order of
//! variables that keeps the diagrams on the way small, although the last one is. Their states are enumerated breadth
//! first, packed into words; in the end they are sorted and become a diagram, so that everything that is asked of a state
//! space can be asked of these.
//!
//! - `state_set`: the states found, each once.
//! - `net`: the transitions of a bounded net on words.
//! - `program`: those of a program, whose fields get wider when a value needs it.

pub(crate) mod net;
pub(crate) mod program;
pub(crate) mod state_set;

use mandala_analysis::order::Candidate;
use mandala_analysis::structure::Structure;
use mandala_diagram::{Diagram, Error, Store};
use mandala_model::net::Net;
use mandala_model::system::{Program, System};
use mandala_symbolic::encode::SystemEncoding;
use mandala_symbolic::packed::Field;
use mandala_symbolic::packed::net::Packed;
use mandala_symbolic::packed::program::Updates;
use mandala_symbolic::plan::{Hierarchy, Plans};

use super::candidate::LaidOut;
use super::layouts::described;
use super::portfolio::Enumerable;
use super::{Stopped, SystemStopped, attempt_by};
use crate::options::Options;
use crate::space::SystemSpace;
use state_set::{StateSet, Words};

/// A system whose states can be enumerated, with the layout of the diagram that they become.
pub(crate) struct StateByState<'a> {
    /// Nothing if it turned out that they cannot.
    enumeration: Option<Box<dyn Enumeration>>,
    /// Whether a state was found in which there is an error of the model.
    fails: bool,
    laid_out: LaidOut<'a>,
}

impl<'a> StateByState<'a> {
    /// A net with proven bounds and units, in the most promising order; nothing if its markings cannot be packed.
    pub(crate) fn of_net(
        system: &'a System, net: &Net, structure: &Structure, plans: &Plans,
    ) -> Option<StateByState<'a>> {
        let bounds: Vec<i32> = structure.bounds.iter().copied().collect::<Option<_>>()?;
        let Candidate { heuristic, order, .. } = plans.candidates.first()?;
        let packed = Packed::new(net, &system.begins, &plans.layout(order, Hierarchy::Off), &bounds)?;
        let name = format!("{heuristic}, state by state");
        let laid_out = described(system, plans, name, order, Hierarchy::Off);
        Some(StateByState { enumeration: Some(net::search(&packed)?), fails: false, laid_out })
    }

    /// A program in the most promising order; nothing if its states are too large.
    pub(crate) fn of_program(system: &'a System, program: &Program, plans: &Plans) -> Option<StateByState<'a>> {
        let Candidate { heuristic, order, .. } = plans.candidates.first()?;
        let updates = Updates::new(program, &system.begins, &plans.layout(order, Hierarchy::Off))?;
        let name = format!("{heuristic}, state by state");
        let laid_out = described(system, plans, name, order, Hierarchy::Off);
        Some(StateByState { enumeration: Some(program::search(updates)?), fails: false, laid_out })
    }
}

impl<'a> Enumerable<SystemEncoding<'a>> for StateByState<'a> {
    /// The end is where all states are found, or one with an error of the model.
    fn run(&mut self, options: &Options, most: usize) -> Result<(), Error> {
        let unfit = Error::Work { reached: None };
        while let Some(enumeration) = &mut self.enumeration {
            match enumeration.run(options, most) {
                Ok(()) => return Ok(()),
                Err(Interrupt::Error(error)) => return Err(error),
                Err(Interrupt::ModelError) => {
                    self.fails = true;
                    return Ok(());
                }
                Err(Interrupt::Narrow(narrow)) => {
                    self.enumeration = self.enumeration.take().and_then(|enumeration| enumeration.widened(narrow));
                }
            }
        }
        Err(unfit)
    }

    fn into_space(self: Box<Self>, options: &Options) -> Result<SystemSpace<'a>, SystemStopped<'a>> {
        let StateByState { enumeration, fails, laid_out } = *self;
        if fails {
            return Err(Stopped::Undefined);
        }
        attempt_by(&laid_out, options, None, |encoded| match enumeration {
            Some(enumeration) => enumeration.into_diagram(&mut encoded.store),
            None => Err(Error::Work { reached: None }),
        })
    }
}

/// An enumeration that can be stopped and taken up again.
pub(crate) trait Enumeration: Send {
    /// Goes on until all states are found, or more than `most`.
    fn run(&mut self, options: &Options, most: usize) -> Result<(), Interrupt>;
    /// The same with room for a value, if it can be done.
    fn widened(self: Box<Self>, narrow: Narrow) -> Option<Box<dyn Enumeration>>;
    /// The states found as a diagram with a variable a column.
    fn into_diagram(self: Box<Self>, store: &mut Store) -> Result<Diagram, Error>;
}

/// Why an enumeration does not go on.
pub(crate) enum Interrupt {
    Error(Error),
    Narrow(Narrow),
    /// There is an error of the model in one of the states.
    ModelError,
}

impl From<Error> for Interrupt {
    fn from(error: Error) -> Interrupt {
        Interrupt::Error(error)
    }
}

/// A value that does not fit into its column.
pub(crate) struct Narrow {
    pub(crate) column: usize,
    pub(crate) value: i32,
}

/// Where the values of a diagram variable are.
#[derive(Clone, Copy)]
pub(crate) struct Column {
    pub(crate) field: Field,
    /// The value whose field is 0.
    pub(crate) low: i32,
}

impl Column {
    #[inline(always)]
    pub(crate) fn of<const N: usize>(&self, state: &Words<N>) -> i32 {
        self.low.wrapping_add(self.field.of(state[self.field.word]) as i32)
    }

    /// Writes a value; `false` if there is no room for it.
    #[inline(always)]
    pub(crate) fn put<const N: usize>(&self, state: &mut Words<N>, value: i32) -> bool {
        let Ok(value) = u32::try_from(i64::from(value) - i64::from(self.low)) else { return false };
        let word = &mut state[self.field.word];
        *word = *word & !self.field.mask() | u64::from(value) << self.field.shift;
        value <= self.field.most
    }
}

/// What happens from a state.
pub(crate) trait Rules<const N: usize>: Send {
    /// Adds the successors of a state, and says how many events can happen in it.
    fn successors(&mut self, state: &Words<N>, successors: &mut Vec<Words<N>>) -> Result<u64, Interrupt>;
    /// The enumeration of which so many states are known and expanded, with room for a value.
    fn widened(&self, known: &StateSet<N>, expanded: usize, narrow: Narrow) -> Option<Box<dyn Enumeration>>;
}

/// An enumeration with states of so many words.
struct Search<const N: usize, R> {
    columns: Vec<Column>,
    rules: R,
    known: StateSet<N>,
    /// How many of the known states have been expanded.
    expanded: usize,
}

/// Bytes in use at most, if nothing else is said.
const MOST_BYTES: usize = 4 << 30;

/// So many states are expanded before their successors are looked up, and limits are looked at.
const EXPANSIONS: usize = 1 << 8;

impl<const N: usize, R: Rules<N>> Enumeration for Search<N, R> {
    fn run(&mut self, options: &Options, most: usize) -> Result<(), Interrupt> {
        let mut successors = Vec::new();
        while self.expanded < self.known.count {
            options.limits.check()?;
            if self.known.count > most {
                return Err(Error::Work { reached: None }.into());
            }
            successors.clear();
            let mut end = self.expanded;
            while end < self.known.count && end < self.expanded + EXPANSIONS {
                self.rules.successors(self.known.get(end), &mut successors)?;
                end += 1;
            }
            let (used, needed) = (self.known.bytes(0), self.known.bytes(successors.len()));
            let is_allowed = options.limits.allow(used as u64, (needed - used) as u64);
            let is_too_much = options.limits.memory.is_none() && needed > MOST_BYTES;
            if !is_allowed || is_too_much || !self.known.can_number(successors.len()) {
                return Err(Error::Memory { used, needed, limit: options.limits.memory, reached: None }.into());
            }
            self.known.reserve(successors.len());
            self.known.insert_all(&successors);
            self.expanded = end;
        }
        Ok(())
    }

    fn widened(self: Box<Self>, narrow: Narrow) -> Option<Box<dyn Enumeration>> {
        self.rules.widened(&self.known, self.expanded, narrow)
    }

    fn into_diagram(self: Box<Self>, store: &mut Store) -> Result<Diagram, Error> {
        let Search { columns, known, .. } = *self;
        let mut rows = known.into_ascending();
        let mut last: Option<Words<N>> = None;
        store.ascending(columns.len(), |row| {
            let next = rows.next()?;
            // Columns follow each other in words: those before the first bit that differs are the same.
            let first = last.map_or(0, |last| first_difference(&columns, &last, &next));
            for (value, column) in row.iter_mut().zip(&columns).skip(first) {
                *value = column.of(&next);
            }
            last = Some(next);
            Some(first)
        })
    }
}

/// The first column in which two states differ, or all of them if none does.
fn first_difference<const N: usize>(columns: &[Column], a: &Words<N>, b: &Words<N>) -> usize {
    let Some(word) = (0..N).find(|&word| a[word] != b[word]) else { return columns.len() };
    let bit = u64::BITS - 1 - (a[word] ^ b[word]).leading_zeros();
    columns.partition_point(|column| (column.field.word, bit) < (word, column.field.shift))
}

#[cfg(test)]
mod tests {
    use mandala_model::classic::{Classic, Shape, generate};
    use mandala_model::gal;
    use mandala_model::system::Type;
    use mandala_symbolic::variables::Grouping;

    use super::*;
    use crate::limits::Limits;

    /// Kanban with 3 cards a cell, which has 58,400 markings.
    fn net() -> System {
        let mut text = Vec::new();
        generate(Classic::Kanban, &"3".parse().expect("a size"), Some(Shape::Flat), &mut text).expect("written");
        gal::read("kanban.gal", &String::from_utf8(text).expect("text"), &[]).expect("read").system
    }

    fn enumerable(system: &System) -> StateByState<'_> {
        let Type::Net(net) = &system.types[system.main] else { panic!("a net") };
        let structure = Structure::new(net);
        let plans = Plans::new(net, &structure, Grouping::Proven);
        StateByState::of_net(system, net, &structure, &plans).expect("a bounded net")
    }

    /// An enumeration that is stopped many times finds what one finds that is not.
    #[test]
    fn it_is_taken_up_where_it_stopped() {
        let system = net();
        let mut enumerable = enumerable(&system);
        let stops = (1..).step_by(300).take_while(|&most| enumerable.run(&Options::default(), most).is_err()).count();
        assert!(stops > 5, "{stops} stops");
        let space = Box::new(enumerable).into_space(&Options::default()).expect("an end");
        assert_eq!(space.count().to_u64(), Some(58400));
    }

    #[test]
    fn memory_is_a_limit() {
        let system = net();
        let limits = Limits { memory: Some(200_000), ..Limits::default() };
        let options = Options { limits, ..Options::default() };
        let result = enumerable(&system).run(&options, usize::MAX);
        assert!(matches!(result, Err(Error::Memory { .. })));
    }
}
