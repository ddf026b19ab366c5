//! What a net is: its size, what its structure shows, and how its states are laid out.

use crate::engine::reduced;
use crate::figures::Reduced;
use mandala_analysis::order::Heuristic;
use mandala_analysis::reduce;
use mandala_analysis::structure::Structure;
use mandala_model::net::queue::{Queue, QueueNet};
use mandala_model::net::{Effect, Net};
use mandala_model::system::Program;
use mandala_symbolic::layout::Content;
use mandala_symbolic::plan::Plans;
use mandala_symbolic::variables::Grouping;

/// What a net is.
#[derive(Clone, Debug)]
pub struct NetFacts {
    /// How many places it has.
    pub places: usize,
    /// How many transitions.
    pub transitions: usize,
    /// How many arcs of each kind.
    pub arcs: Arcs,
    /// How many places have a capacity.
    pub capacities: usize,
    /// The places that are queues.
    pub queues: Vec<QueueFacts>,
    /// How many transitions have a priority.
    pub priorities: usize,
    /// The tokens of the first initial marking, and how many places hold them.
    pub tokens: Option<(i64, usize)>,
    /// The units that its file declares, and whether it says that they are safe.
    pub declared_units: Option<(usize, bool)>,
    /// How many P-semiflows were found.
    pub semiflows: usize,
    /// Whether the search for them came to its end.
    pub all_semiflows: bool,
    /// How many places each proven unit with more than one place has.
    pub proven_units: Vec<usize>,
    /// The most tokens that each place can hold, if its structure shows it.
    pub bounds: Vec<Option<i32>>,
    /// How much smaller the net is made before its states are counted, if it is.
    pub reduced: Option<Reduced>,
    /// How many variables a state has in a diagram.
    pub variables: usize,
    /// How many of these are units of places that exclude each other.
    pub units: usize,
    /// How many of these stand for places that follow from one another.
    pub followed: usize,
    /// The orders that variables may have, the most promising first.
    pub orders: Vec<OrderFacts>,
}

/// A place that is a queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueFacts {
    /// Its name.
    pub name: String,
    /// The letters that it may hold.
    pub letters: Vec<String>,
    /// How many of them at most.
    pub capacity: usize,
}

/// How many arcs a net has of each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Arcs {
    pub take: usize,
    pub put: usize,
    pub read: usize,
    pub inhibit: usize,
    pub reset: usize,
}

/// An order of variables, and how promising it is: smaller is better.
#[derive(Clone, Debug)]
pub struct OrderFacts {
    /// The heuristic that it comes from.
    pub heuristic: Heuristic,
    /// How far apart the variables of a transition are, added up.
    pub sum_of_spans: u64,
    /// How high the transitions begin, added up.
    pub sum_of_tops: u64,
    /// How many variables are in use at a time, on average.
    pub mean_wavefront: f64,
    /// How many transitions pass between two neighbours, on average.
    pub mean_cut: f64,
}

impl NetFacts {
    pub(super) fn new(net: &Net) -> NetFacts {
        let structure = Structure::new(net);
        let plans = Plans::new(net, &structure, Grouping::Promised);
        let marking = net.initial.first().map(|initial| &initial.marking);
        let reduced =
            marking.and_then(|marking| reduced(net, marking, reduce::PATIENCE.into())).map(|one| Reduced::of(&one));
        NetFacts { reduced, ..NetFacts::with(net, &structure, &plans) }
    }

    /// What a net with queues is: what is said of places is what holds of the net that counts letters.
    pub(super) fn of_queues(queues: &QueueNet) -> NetFacts {
        let counted = queues.counted();
        let structure = Structure::new(&counted);
        let facts = NetFacts::with(&counted, &structure, &Plans::of_queues(queues, &structure));
        let queue = |one: &Queue| QueueFacts {
            name: queues.name_of(one).to_owned(),
            letters: one.letters.clone(),
            capacity: one.cells.len(),
        };
        NetFacts { queues: queues.queues.iter().map(queue).collect(), ..facts }
    }

    fn with(net: &Net, structure: &Structure, plans: &Plans) -> NetFacts {
        let number = |is: fn(&Content) -> bool| plans.contents.iter().filter(|&content| is(content)).count();
        NetFacts {
            places: net.places.len(),
            transitions: net.transitions.len(),
            arcs: Arcs::of(net),
            capacities: net.places.iter().filter(|place| place.capacity.is_some()).count(),
            priorities: net.transitions.iter().filter(|transition| transition.priority > 0).count(),
            tokens: net.initial.first().map(|initial| {
                let tokens = initial.marking.iter().map(|&tokens| i64::from(tokens)).sum();
                (tokens, initial.marking.iter().filter(|&&tokens| tokens > 0).count())
            }),
            declared_units: net.units.as_ref().map(|declared| (declared.units.len(), declared.safe)),
            semiflows: structure.semiflows.flows.len(),
            all_semiflows: structure.semiflows.complete,
            proven_units: structure.units.iter().map(|unit| unit.places.len()).filter(|&places| places > 1).collect(),
            bounds: structure.bounds.clone(),
            queues: Vec::new(),
            reduced: None,
            variables: plans.contents.len(),
            units: number(|content| matches!(content, Content::Unit { .. })),
            followed: number(|content| matches!(content, Content::Number(followers) if followers.len() > 1)),
            orders: orders(plans),
        }
    }
}

impl Arcs {
    fn of(net: &Net) -> Arcs {
        let effects = || net.transitions.iter().flat_map(|transition| &transition.effects);
        let number = |is: fn(&Effect) -> bool| effects().filter(|&effect| is(effect)).count();
        Arcs {
            take: number(|effect| effect.take > 0),
            put: number(|effect| effect.put > 0),
            read: number(|effect| effect.read > 0),
            inhibit: number(|effect| effect.below.is_some()),
            reset: number(|effect| effect.reset),
        }
    }
}

/// The orders of the variables of a program.
pub fn orders_of_program(program: &Program) -> Vec<OrderFacts> {
    orders(&Plans::of_program(program))
}

fn orders(plans: &Plans) -> Vec<OrderFacts> {
    let facts = plans.candidates.iter().map(|candidate| OrderFacts {
        heuristic: candidate.heuristic,
        sum_of_spans: candidate.scores.sum_of_spans,
        sum_of_tops: candidate.scores.sum_of_tops,
        mean_wavefront: candidate.scores.mean_wavefront,
        mean_cut: candidate.scores.mean_cut,
    });
    facts.collect()
}
