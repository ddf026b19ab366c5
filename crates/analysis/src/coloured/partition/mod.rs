//! Static subclasses: which colours nothing tells apart.
//!
//! At first each class is one set of colours that may be exchanged. What the net says splits it: a colour that a guard or an
//! arc names, a subclass that one of them names, a comparison with a colour. So does a question that names colours, and the
//! initial marking where ordinary markings are counted: a symbolic marking stands for all markings that its symmetries lead to,
//! and these are all reachable only if the initial marking looks the same to these symmetries. (A verdict needs less: that the
//! symmetries leave the transitions and the question alone.)
//!
//! What is named but makes no difference does not split: `<leader> + <others>` is each colour once.
//!
//! An order matters only if something uses it. A class whose colours are compared by position, or whose successor does not wrap
//! around, has no symmetry at all; one that is circular and is only stepped through can be turned, as long as nothing splits it.

mod named;

use mandala_model::coloured::property::ColouredNets;
use mandala_model::coloured::{ClassOrder, ColouredNet};
use mandala_model::property::Question;
use named::Named;
use rustc_hash::FxHashMap;
use std::fmt;

/// Where the static subclasses come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// What is told apart, and nothing else.
    #[default]
    Found,
    /// What is told apart, and what the net declares as a partition.
    Declared,
}

/// Whether the initial marking tells colours apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initial {
    /// It does: where ordinary markings are counted.
    Matters,
    /// It does not: for verdicts.
    Ignored,
    /// All that it names is told apart, whether that makes a difference or not: for those who evaluate it.
    Named,
}

/// The static subclasses of all classes of a net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// By class.
    pub classes: Vec<Subclasses>,
}

/// The static subclasses of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subclasses {
    /// What can be done with its colours.
    pub symmetry: Symmetry,
    /// The subclasses if colours are exchanged, each as ranges `first..end` of colours; they share none and leave none out.
    /// Otherwise there is nothing here: each colour is alone.
    pub cells: Vec<Cell>,
    /// What told colours apart.
    pub reasons: Vec<Reason>,
}

/// Colours, as ranges `first..end` in ascending order that neither touch nor overlap.
pub type Cell = Vec<(u32, u32)>;

/// What can be done with the colours of a class without changing what the net does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// Those of one subclass can be exchanged.
    Exchanged,
    /// All can be turned.
    Turned,
    /// Nothing.
    None,
}

/// What told colours of a class apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reason {
    /// What is used: a colour, a subclass, the order.
    pub what: String,
    /// Where.
    pub place: String,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.what, self.place)
    }
}

impl Partition {
    /// The static subclasses of a net, for some questions.
    pub fn find(
        net: &ColouredNet, source: Source, initial: Initial, questions: &[&Question<ColouredNets>],
    ) -> Partition {
        let mut named = Named::new(net);
        named.net();
        questions.iter().for_each(|question| named.question(question));
        if initial != Initial::Ignored {
            named.initial(initial);
        }
        if source == Source::Declared {
            named.declared();
        }
        let classes = named.classes.into_iter().zip(&net.classes).map(|(one, class)| one.subclasses(class));
        Partition { classes: classes.collect() }
    }

    /// Whether some colours can be exchanged.
    pub fn has_exchanges(&self) -> bool {
        self.classes.iter().any(|class| class.cells.iter().any(|cell| size(cell) > 1))
    }
}

/// How many colours there are.
pub fn size(cell: &[(u32, u32)]) -> u32 {
    cell.iter().map(|(first, end)| end - first).sum()
}

/// What is known of how a class is used.
#[derive(Clone, Debug)]
struct Use {
    /// The sets of colours that nothing has told apart so far.
    cells: Vec<Cell>,
    is_compared: bool,
    is_shifted: bool,
    reasons: Vec<Reason>,
}

impl Use {
    /// Tells apart the colours to which something gives different keys, and says why if that was not so before.
    fn split<K: Ord + Clone>(&mut self, keys: &[((u32, u32), K)], other: &K, reason: impl FnOnce() -> Reason) {
        let mut cells: Vec<Cell> = Vec::new();
        for cell in &self.cells {
            let mut parts: Vec<(K, Cell)> = Vec::new();
            let mut put = |key: &K, range: (u32, u32)| {
                if range.0 >= range.1 {
                    return;
                }
                match parts.iter_mut().find(|(one, _)| one == key) {
                    Some((_, part)) => match part.last_mut() {
                        Some(last) if last.1 == range.0 => last.1 = range.1,
                        _ => part.push(range),
                    },
                    None => parts.push((key.clone(), vec![range])),
                }
            };
            for &(first, end) in cell {
                let mut at = first;
                let from = keys.partition_point(|((_, end), _)| *end <= first);
                for ((start, stop), key) in &keys[from..] {
                    if *start >= end {
                        break;
                    }
                    put(other, (at, (*start).max(at)));
                    put(key, ((*start).max(at), (*stop).min(end)));
                    at = at.max((*stop).min(end));
                }
                put(other, (at, end));
            }
            cells.extend(parts.into_iter().map(|(_, part)| part));
        }
        cells.sort_unstable();
        if cells.len() != self.cells.len() {
            self.reasons.push(reason());
        }
        self.cells = cells;
    }

    fn subclasses(self, class: &mandala_model::coloured::Class) -> Subclasses {
        let mut reasons = self.reasons;
        let is_split = self.cells.len() > 1;
        reasons.dedup();
        let symmetry = match class.order {
            _ if self.is_compared => Symmetry::None,
            _ if !self.is_shifted => Symmetry::Exchanged,
            ClassOrder::Circular if !is_split && class.len() > 1 => Symmetry::Turned,
            _ => Symmetry::None,
        };
        let cells = if symmetry == Symmetry::Exchanged { self.cells } else { Vec::new() };
        Subclasses { symmetry, cells, reasons }
    }
}

/// Level sets of a function that is 0 but for some colours and ranges: each range with its value, in ascending order.
fn levels(parts: &[((u32, u32), i64)]) -> Vec<((u32, u32), i64)> {
    let mut ends: Vec<u32> = parts.iter().flat_map(|((first, end), _)| [*first, *end]).collect();
    ends.sort_unstable();
    ends.dedup();
    let mut change: FxHashMap<u32, i64> = FxHashMap::default();
    for ((first, end), value) in parts {
        *change.entry(*first).or_insert(0) += value;
        *change.entry(*end).or_insert(0) -= value;
    }
    let mut value = 0;
    let mut found = Vec::new();
    for pair in ends.windows(2) {
        value += change[&pair[0]];
        found.push(((pair[0], pair[1]), value));
    }
    found
}
