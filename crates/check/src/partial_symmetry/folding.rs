//! Which state of the product stands for which.

use mandala_analysis::symmetry::leader::Leaders;
use mandala_group::Permutation;
use mandala_logic::TooLarge;
use mandala_logic::automaton::{Automaton, State};
use mandala_logic::symmetry::{Exchanges, Renaming};
use rustc_hash::FxHashMap;

use super::Way;
use super::alphabet::Alphabet;
use super::processes::Processes;

/// What is done with the states of the model at a state of the automaton.
pub(super) struct At {
    /// The state of the automaton that is taken instead.
    pub state: State,
    /// What leads there.
    way: Permutation,
    /// Which processes can be put in any order there: by kind, in classes.
    pub classes: Vec<Vec<Vec<usize>>>,
    leaders: Option<usize>,
}

/// Which state of the product stands for which.
pub(super) struct Folding {
    pub processes: Processes,
    /// By state of the automaton.
    pub at: Vec<At>,
    leaders: Vec<Leaders>,
    /// How many states of the automaton are left.
    pub automaton_states: usize,
}

impl Folding {
    pub fn new(
        automaton: &Automaton, alphabet: &Alphabet, processes: Processes, way: Way,
    ) -> Result<Folding, TooLarge> {
        let usable: Vec<(usize, &Renaming)> =
            alphabet.renamings.iter().enumerate().filter_map(|(at, one)| Some((at, one.as_ref()?))).collect();
        let fixing: Vec<usize> = usable.iter().filter(|(_, one)| one.is_identity()).map(|&(at, _)| at).collect();
        let renamings: Vec<Renaming> = usable.iter().map(|&(_, one)| one.clone()).collect();
        let found = match way {
            Way::Group => None,
            Way::Consistent | Way::Product => Some(Exchanges::new(automaton, &renamings)?),
        };
        let mut folding = Folding { processes, at: Vec::new(), leaders: Vec::new(), automaton_states: 0 };
        let mut known: FxHashMap<Vec<Vec<Vec<usize>>>, Option<usize>> = FxHashMap::default();
        for state in automaton.states() {
            let (mut target, mut permutation) = (state, Permutation::identity());
            if let (Way::Product, Some(found)) = (way, &found) {
                let representative = &found.representatives[state as usize];
                target = representative.state;
                for &number in &representative.exchanges {
                    permutation = permutation.then(&folding.processes.exchanges[usable[number].0].permutation);
                }
            }
            let unnoticed: Vec<usize> = match &found {
                None => fixing.clone(),
                Some(found) => found.unnoticed[target as usize].iter().map(|&number| usable[number].0).collect(),
            };
            let classes = folding.processes.classes(&unnoticed);
            let leaders = match known.get(&classes) {
                Some(leaders) => *leaders,
                None => {
                    let leaders = folding.leaders_of(&classes, alphabet);
                    known.insert(classes.clone(), leaders);
                    leaders
                }
            };
            folding.automaton_states += usize::from(target == state);
            folding.at.push(At { state: target, way: permutation, classes, leaders });
        }
        Ok(folding)
    }

    /// Where the leaders of orbits are found, for processes in these classes; nothing if nothing can be moved. If leaders
    /// are not easily found, with fewer symmetries.
    fn leaders_of(&mut self, classes: &[Vec<Vec<usize>>], alphabet: &Alphabet) -> Option<usize> {
        let mut shape = self.processes.shape(classes, &alphabet.others);
        while !shape.parts.is_empty() {
            if let Some(leaders) = Leaders::new(&shape, &self.processes.points) {
                self.leaders.push(leaders);
                return Some(self.leaders.len() - 1);
            }
            shape.parts.pop();
        }
        None
    }

    /// The state of the product that stands for one.
    pub fn fold(&self, state: &[i32], automaton: State) -> (Vec<i32>, State) {
        let at = &self.at[automaton as usize];
        let Some(moved) = self.processes.points.image(state, &at.way) else { return (state.to_vec(), automaton) };
        let leader = at.leaders.and_then(|leaders| self.leaders[leaders].leader(&moved));
        (leader.map_or(moved, |leader| leader.state), at.state)
    }

    /// A symmetry that maps a state to the one that stands for it.
    pub fn symmetry(&self, state: &[i32], automaton: State) -> Permutation {
        let at = &self.at[automaton as usize];
        let Some(moved) = self.processes.points.image(state, &at.way) else { return Permutation::identity() };
        let leader = at.leaders.and_then(|leaders| self.leaders[leaders].leader_with_symmetry(&moved));
        leader.map_or_else(|| at.way.clone(), |(_, symmetry)| at.way.then(&symmetry))
    }
}
