//! Which states are alike up to a renaming of atoms.

use rustc_hash::FxHashMap;

use crate::TooLarge;
use crate::automaton::{Automaton, Edge, State};
use crate::condition::{Condition, Conditions};
use crate::reduce::classes;

/// What becomes of atoms: no two become the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renaming {
    images: FxHashMap<u32, u32>,
}

impl Renaming {
    /// A renaming, given what becomes of some atoms; the others keep their names. Nothing if two would be the same atom.
    pub fn new(images: impl IntoIterator<Item = (u32, u32)>) -> Option<Renaming> {
        let images: FxHashMap<u32, u32> = images.into_iter().filter(|(atom, image)| atom != image).collect();
        let mut targets: Vec<u32> = images.values().copied().collect();
        targets.sort_unstable();
        let is_injective = targets.windows(2).all(|pair| pair[0] != pair[1]);
        // An atom that keeps its name is no image of another, as far as atoms occur at all.
        is_injective.then_some(Renaming { images })
    }

    /// What becomes of an atom.
    pub fn image(&self, atom: u32) -> u32 {
        self.images.get(&atom).copied().unwrap_or(atom)
    }

    /// Whether every atom keeps its name.
    pub fn is_identity(&self) -> bool {
        self.images.is_empty()
    }

    /// Whether the images of some atoms are all different, so that the renaming is one of these.
    fn is_injective_on(&self, atoms: &[u32]) -> bool {
        let mut images: Vec<u32> = atoms.iter().map(|&atom| self.image(atom)).collect();
        images.sort_unstable();
        images.windows(2).all(|pair| pair[0] != pair[1])
    }
}

/// R: the largest relation between states such that of two related ones, for each edge of either and each of its letters,
/// the other has an edge for the renamed letter, with the same marks, to a related state.
#[derive(Clone, Debug)]
pub struct Relation {
    /// For each state, its class; and the class of what it is once its atoms are renamed.
    plain: Vec<State>,
    renamed: Vec<State>,
}

impl Relation {
    /// The relation of a renaming, by refinement: the automaton and its renamed copy side by side, in classes of states
    /// with the same edges. Nothing if two atoms of the automaton become the same.
    pub fn new(automaton: &Automaton, renaming: &Renaming) -> Result<Option<Relation>, TooLarge> {
        if !renaming.is_injective_on(&automaton.atoms()) {
            return Ok(None);
        }
        let count = automaton.state_count();
        let mut conditions = automaton.conditions().clone();
        let mut renamed = Renamed { renaming, known: FxHashMap::default() };
        let mut edges: Vec<Vec<Edge>> = automaton.states().map(|state| automaton.edges(state).to_vec()).collect();
        for state in automaton.states() {
            let copy = automaton.edges(state).iter().map(|edge| Edge {
                target: edge.target + count as State,
                condition: renamed.condition(edge.condition, &mut conditions),
                ..*edge
            });
            edges.push(copy.collect());
        }
        let class = classes(&edges, &mut conditions);
        if conditions.is_exhausted() {
            return Err(TooLarge::Conditions);
        }
        let relation = Relation { plain: class[..count].to_vec(), renamed: class[count..].to_vec() };
        Ok(relation.satisfies_definition(automaton, renaming)?.then_some(relation))
    }

    /// Whether the first state is related to the second.
    pub fn holds(&self, one: State, other: State) -> bool {
        self.renamed[one as usize] == self.plain[other as usize]
    }

    /// The states that a state is related to.
    pub fn images(&self, state: State) -> impl Iterator<Item = State> + '_ {
        (0..self.plain.len() as State).filter(move |&other| self.holds(state, other))
    }

    /// Whether the relation is one of the renaming by the definition, however it was found: each two related states match
    /// each other's edges.
    fn satisfies_definition(&self, automaton: &Automaton, renaming: &Renaming) -> Result<bool, TooLarge> {
        let mut conditions = automaton.conditions().clone();
        let mut renamed = Renamed { renaming, known: FxHashMap::default() };
        for one in automaton.states() {
            for other in self.images(one) {
                let mine: Vec<Edge> = automaton
                    .edges(one)
                    .iter()
                    .map(|edge| Edge { condition: renamed.condition(edge.condition, &mut conditions), ..*edge })
                    .collect();
                let theirs = automaton.edges(other);
                let is_matched = mine.iter().all(|edge| {
                    let same = |other: &&Edge| other.marks == edge.marks && self.holds(edge.target, other.target);
                    is_covered(edge, theirs.iter().filter(same), &mut conditions)
                });
                let matches = theirs.iter().all(|edge| {
                    let same = |other: &&Edge| other.marks == edge.marks && self.holds(other.target, edge.target);
                    is_covered(edge, mine.iter().filter(same), &mut conditions)
                });
                if conditions.is_exhausted() {
                    return Err(TooLarge::Conditions);
                }
                if !is_matched || !matches {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

/// Whether each letter of an edge is one of some other edges.
fn is_covered<'e>(edge: &Edge, others: impl Iterator<Item = &'e Edge>, conditions: &mut Conditions) -> bool {
    let all = others.fold(Condition::FALSE, |all, other| conditions.or(all, other.condition));
    conditions.implies(edge.condition, all)
}

/// Conditions whose atoms are renamed, as far as they are known.
struct Renamed<'r> {
    renaming: &'r Renaming,
    known: FxHashMap<Condition, Condition>,
}

impl Renamed<'_> {
    fn condition(&mut self, c: Condition, conditions: &mut Conditions) -> Condition {
        let Some((atom, low, high)) = conditions.decision(c) else { return c };
        if let Some(&known) = self.known.get(&c) {
            return known;
        }
        let low = self.condition(low, conditions);
        let high = self.condition(high, conditions);
        let atom = self.renaming.image(atom);
        let (holds, fails) = (conditions.literal(atom, true), conditions.literal(atom, false));
        let (if_so, if_not) = (conditions.and(holds, high), conditions.and(fails, low));
        let result = conditions.or(if_so, if_not);
        self.known.insert(c, result);
        result
    }
}
