//! Smaller nets for a question.
//!
//! A question looks at some places and asks of runs no more than its kind says. What it does not look at may be left out or put
//! together, as long as its answer stays the same: much more than where markings are counted. What each kind of question
//! leaves open is a [`Keeps`], which rules ask for what they may do; each rule has a file, which says why it is right.
//!
//! Places that questions look at are *visible*: the flag `is_weighty` of the working net. A place that a visible one follows
//! from is visible, too. A transition is *invisible* if it has no arc to a visible place.
//!
//! Runs of the reduced net are turned back: its transitions stand for words of those of the net (`words`).

mod agglomerate;
mod ask;
mod cycle;
mod forget;
mod slice;
mod words;

pub use ask::Look;
use ask::Values;
use mandala_model::net::{Effect, Initial, Net, Place, Transition};
use mandala_model::property::Question;
pub use words::TooLong;
use words::Words;

use super::Patience;
use super::groups::Groups;
use super::work::Work;
use super::{constant, place, transition};

/// What of a net has to stay as it is, for all visible places. Each keeps more than the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Keeps {
    /// Which markings can be reached.
    Markings,
    /// The sequences of markings of maximal runs, but for how often each is repeated; with them, whether there is a deadlock.
    /// This is what LTL without X asks for.
    Runs,
    /// Which choices there are on the way: divergence-sensitive branching bisimilarity, for CTL without X.
    Branches,
    /// Every single step.
    Steps,
}

/// Whether runs of the reduced net have to be turned back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Back {
    /// They have: rules after which it takes a search to do so are left out.
    Runs,
    /// Only the answer matters.
    Nothing,
}

/// A net made smaller for some questions.
#[derive(Clone, Debug)]
pub struct Simplified {
    /// The reduced net.
    pub net: Net,
    /// What each place of the net holds, in terms of the places of the reduced net.
    values: Values,
    /// What its transitions stand for.
    words: Words,
    /// How many places and transitions the net had.
    before: (usize, usize),
}

impl Simplified {
    /// Whether the reduced net is smaller at all.
    pub fn is_smaller(&self) -> bool {
        self.size() < self.before.0 + self.before.1
    }

    /// How many places and transitions are left, together.
    pub fn size(&self) -> usize {
        self.net.places.len() + self.net.transitions.len()
    }

    /// A question about the net as one about the reduced net. Nothing if it looks at something that is gone.
    pub fn question(&self, net: &Net, question: &Question) -> Option<Question> {
        ask::rewritten(net, &self.values, question)
    }

    /// A run of the reduced net, as transitions of the net.
    pub fn run(&self, transitions: impl IntoIterator<Item = u32>) -> Result<Vec<u32>, TooLong> {
        self.words.run(transitions)
    }

    /// The transitions of the net that one of the reduced net stands for; before the first of a run come those of
    /// [`Simplified::beginning`].
    pub fn word(&self, transition: u32) -> Result<Vec<u32>, TooLong> {
        self.words.word(transition)
    }

    /// What has happened before the initial marking of the reduced net.
    pub fn beginning(&self) -> Result<Vec<u32>, TooLong> {
        self.words.run([])
    }
}

/// Reduces a net that begins with a marking so that what questions look at stays as it is. Nothing if the net has something that
/// the rules do not know (inhibitor and reset arcs, capacities, priorities, labels), or numbers become too large.
pub fn simplify<'p>(
    net: &Net, marking: &[i32], look: &Look, back: Back, patience: impl Into<Patience<'p>>,
) -> Option<Simplified> {
    let mut work = Work::new(net, marking, patience.into(), true)?;
    let mut words = Words::new(net.transitions.len());
    for &place in &look.places {
        work.nodes.get_mut(place as usize)?.is_weighty = true;
    }
    constant::never_enabled(&mut work);
    loop {
        let mut changed = work.apply(&[constant::constants]);
        if look.keeps == Keeps::Markings {
            changed |= work.apply(&[transition::idle, slice::slice]);
        }
        changed |= work.apply(&[forget::never_needed, transition::twins, place::duplicates]);
        if look.keeps != Keeps::Steps {
            if back == Back::Nothing {
                changed |= work.apply(&[cycle::cycles]);
            }
            changed |= agglomerate::agglomerate(&mut work, &mut words, look.keeps);
        }
        if changed && work.budget > 0 {
            continue;
        }
        changed |= work.apply(&[place::combinations]);
        if look.keeps == Keeps::Markings {
            changed |= work.apply(&[transition::compositions]);
        }
        if !changed || work.budget == 0 {
            break;
        }
    }
    finish(net, &work, words)
}

/// The result, if its numbers fit into a net.
fn finish(net: &Net, work: &Work, mut words: Words) -> Option<Simplified> {
    let node_of: Vec<u32> = work.alive().collect();
    let mut place_of = vec![u32::MAX; work.nodes.len()];
    (0..).zip(&node_of).for_each(|(place, &node)| place_of[node as usize] = place);
    let name = |node: u32| net.places.get(node as usize).map_or_else(|| format!("_sum{node}"), |one| one.name.clone());
    let places = node_of.iter().map(|&node| Place { name: name(node), capacity: None }).collect();
    let marking: Option<Vec<i32>> =
        node_of.iter().map(|&node| i32::try_from(work.nodes[node as usize].tokens).ok()).collect();
    let mut transitions = Vec::new();
    let kept: Vec<u32> = work.kept().collect();
    for &index in &kept {
        let mut effects = Vec::new();
        for arc in &work.events[index as usize].arcs {
            let (take, put) = (i32::try_from(arc.take).ok()?, i32::try_from(arc.put).ok()?);
            effects.push(Effect { take, put, ..Effect::on(place_of[arc.node as usize]) });
        }
        effects.sort_unstable_by_key(|effect| effect.place);
        let own = net.transitions.get(index as usize);
        let name = own.map_or_else(|| format!("_word{index}"), |transition| transition.name.clone());
        transitions.push(Transition { name, effects, ..Transition::default() });
    }
    words.keep(&kept);
    let groups = Groups::new(net, &work.equations, work.nodes.len(), &place_of);
    let reduced = Net {
        name: net.name.clone(),
        places,
        transitions,
        initial: vec![Initial { name: String::new(), marking: marking? }],
        units: net.units.as_ref().map(|units| groups.units(units)),
        exclusive: groups.exclusive(&net.exclusive),
        symmetries: Vec::new(),
    };
    Some(Simplified {
        net: reduced,
        values: Values::new(&work.equations, place_of),
        words,
        before: (net.places.len(), net.transitions.len()),
    })
}
