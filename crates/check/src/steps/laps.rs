//! What goes round, variable by variable.
//!
//! Seen by itself, a variable of the diagrams is a small graph: its values, and the moves of the transitions between them. A
//! run that goes round in the states goes round in the graph of each variable that moves on it. So a transition that moves a
//! variable from one strongly connected part of its graph to another is on no cycle; without it there are fewer moves, and
//! the parts get smaller, until nothing changes. What is left are the transitions that may *recur*. None does where all
//! graphs are without a cycle.
//!
//! In the graph of a variable, some moves lead *back*: against the order in which a depth-first search leaves the values.
//! There is no cycle without such a move. So on a cycle of states some transition leads back, and the states from which runs
//! never end within a set are those that lead to the greatest
//!
//! > `Z = { s : s comes, within Z and by transitions that may recur, to one of them that leads back to Z }`
//!
//! That is a closure for each time that a run can still lead back (for each lap), where taking away the states without a
//! successor is a step for each state of the run.

use mandala_diagram::{Diagram, Hom, Path};
use mandala_symbolic::encode::{Encoded, Encoding};
use rustc_hash::FxHashMap;

use super::{Steps, defined};
use crate::undecided::Undecided;

/// The most transitions that do one thing to each variable, that one of the relation may consist of, and all of them.
const MOST_CHAINS: usize = 1 << 14;
/// The most moves.
const MOST_MOVES: usize = 1 << 21;
/// The most nodes that are looked at to see which values occur.
const MOST_NODES: usize = 1 << 22;

/// A transition that does one thing to each variable, backwards, and its moves from value to value.
struct Transition {
    back: Hom,
    moves: Vec<Move>,
}

/// What a transition does to a variable.
#[derive(Clone)]
struct Move {
    variable: usize,
    pairs: Vec<(i32, i32)>,
}

/// The moves of all transitions.
pub(super) struct Moves {
    transitions: Vec<Transition>,
    variables: FxHashMap<Path, usize>,
}

/// The transitions that may recur within a set.
struct Recurring {
    /// By number, with the moves that may recur.
    left: Vec<(usize, Vec<Move>)>,
    /// Which of them may lead back.
    back: Vec<usize>,
}

impl Moves {
    /// The moves between the states of a set; nothing if there is a transition that is not made of moves.
    pub fn of<E: Encoding>(
        encoded: &mut Encoded<E>, relation: &[Hom], reached: &Diagram,
    ) -> Result<Option<Moves>, Undecided> {
        let Some(occurring) = encoded.store.occurring(reached, MOST_NODES) else { return Ok(None) };
        let mut moves = Moves { transitions: Vec::new(), variables: FxHashMap::default() };
        let mut most = MOST_MOVES;
        for transition in relation {
            let Some(chains) = encoded.store.chains(transition, MOST_CHAINS) else { return Ok(None) };
            for chain in chains {
                let Some(found) = encoded.store.moves(&chain, &occurring, most) else { return Ok(None) };
                most -= found.iter().map(|(_, pairs)| pairs.len()).sum::<usize>();
                let mut of_chain = Vec::with_capacity(found.len());
                for (path, pairs) in found {
                    let next = moves.variables.len();
                    let variable = *moves.variables.entry(path).or_insert(next);
                    of_chain.push(Move { variable, pairs });
                }
                let back = encoded.store.backwards(&chain, reached)?;
                moves.transitions.push(Transition { back, moves: of_chain });
            }
            if moves.transitions.len() > MOST_CHAINS {
                return Ok(None);
            }
        }
        Ok(Some(moves))
    }

    /// All transitions, none of them looked at.
    fn all(&self) -> Vec<(usize, Vec<Move>)> {
        self.transitions.iter().map(|transition| transition.moves.clone()).enumerate().collect()
    }

    /// Those of some transitions that may recur within a set.
    fn recurring<E: Encoding>(
        &self, encoded: &Encoded<E>, set: &Diagram, mut left: Vec<(usize, Vec<Move>)>,
    ) -> Recurring {
        // Where it would take too long to see which values occur, all may.
        if let Some(occurring) = encoded.store.occurring(set, MOST_NODES) {
            let mut values: Vec<&[i32]> = vec![&[]; self.variables.len()];
            for (path, &variable) in &self.variables {
                values[variable] = occurring.get(path).map_or(&[], Vec::as_slice);
            }
            left.retain_mut(|(_, moves)| {
                moves.iter_mut().all(|one| {
                    let occurs = |value: &i32| values[one.variable].binary_search(value).is_ok();
                    one.pairs.retain(|(from, to)| occurs(from) && occurs(to));
                    !one.pairs.is_empty()
                })
            });
        }
        let mut changed = vec![true; self.variables.len()];
        while changed.contains(&true) {
            let parts: Vec<Option<Graph>> = self.graphs(&left, &changed);
            changed.fill(false);
            left.retain_mut(|(_, moves)| {
                let before: usize = moves.iter().map(|one| one.pairs.len()).sum();
                for one in moves.iter_mut() {
                    let Some(graph) = &parts[one.variable] else { continue };
                    let pairs = one.pairs.len();
                    one.pairs.retain(|&(from, to)| graph.is_in_one_part(from, to));
                    changed[one.variable] |= one.pairs.len() < pairs;
                }
                let stays = moves.iter().all(|one| !one.pairs.is_empty());
                if !stays && before > 0 {
                    moves.iter().filter(|one| !one.pairs.is_empty()).for_each(|one| changed[one.variable] = true);
                }
                stays
            });
        }
        let graphs = self.graphs(&left, &vec![true; self.variables.len()]);
        let leads_back = |moves: &[Move]| {
            // What changes nothing goes round by itself.
            moves.iter().all(|one| one.pairs.iter().any(|(from, to)| from == to))
                || moves.iter().any(|one| {
                    let graph = graphs[one.variable].as_ref();
                    graph.is_some_and(|graph| one.pairs.iter().any(|&(from, to)| graph.leads_back(from, to)))
                })
        };
        let back = left.iter().filter(|(_, moves)| leads_back(moves)).map(|(number, _)| *number).collect();
        Recurring { left, back }
    }

    /// The graphs of some variables, as some transitions move them.
    fn graphs(&self, transitions: &[(usize, Vec<Move>)], wanted: &[bool]) -> Vec<Option<Graph>> {
        let mut pairs: Vec<Vec<(i32, i32)>> = vec![Vec::new(); self.variables.len()];
        for one in transitions.iter().flat_map(|(_, moves)| moves).filter(|one| wanted[one.variable]) {
            pairs[one.variable].extend(one.pairs.iter().filter(|(from, to)| from != to));
        }
        pairs.into_iter().zip(wanted).map(|(pairs, wanted)| wanted.then(|| Graph::new(pairs))).collect()
    }
}

/// The values of a variable and the moves between them, as a depth-first search sees them.
struct Graph {
    /// Sorted; others have no moves.
    values: Vec<i32>,
    /// The strongly connected part of each value.
    part: Vec<usize>,
    /// When the search left each value: later than all to which it leads, but for those to which it leads back.
    left: Vec<usize>,
}

impl Graph {
    fn new(mut pairs: Vec<(i32, i32)>) -> Graph {
        pairs.sort_unstable();
        pairs.dedup();
        let mut values: Vec<i32> = pairs.iter().flat_map(|&(from, to)| [from, to]).collect();
        values.sort_unstable();
        values.dedup();
        let place = |value: i32| values.partition_point(|&other| other < value);
        let mut successors: Vec<Vec<usize>> = vec![Vec::new(); values.len()];
        for (from, to) in pairs {
            successors[place(from)].push(place(to));
        }
        let (part, left) = parts_of(&successors);
        Graph { values, part, left }
    }

    fn place(&self, value: i32) -> Option<usize> {
        self.values.binary_search(&value).ok()
    }

    /// Whether two values are in one strongly connected part.
    fn is_in_one_part(&self, from: i32, to: i32) -> bool {
        from == to
            || matches!((self.place(from), self.place(to)), (Some(from), Some(to)) if self.part[from] == self.part[to])
    }

    /// Whether a move leads back. On each cycle there is one: a search leaves each value after those to which it leads
    /// otherwise.
    fn leads_back(&self, from: i32, to: i32) -> bool {
        from != to
            && matches!((self.place(from), self.place(to)), (Some(from), Some(to)) if self.left[from] <= self.left[to])
    }
}

/// The strongly connected parts of a graph (R. E. Tarjan, 1972), by number, and the order in which a depth-first search
/// leaves the vertices.
fn parts_of(successors: &[Vec<usize>]) -> (Vec<usize>, Vec<usize>) {
    const UNSEEN: usize = usize::MAX;
    let count = successors.len();
    let (mut part, mut left) = (vec![UNSEEN; count], vec![UNSEEN; count]);
    let (mut seen, mut lowest) = (vec![UNSEEN; count], vec![0; count]);
    let (mut clock, mut leaving, mut parts) = (0, 0, 0);
    let mut open: Vec<usize> = Vec::new();
    for root in 0..count {
        if seen[root] != UNSEEN {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some(&(vertex, next)) = path.last() {
            if next == 0 {
                (seen[vertex], lowest[vertex]) = (clock, clock);
                clock += 1;
                open.push(vertex);
            }
            if let Some(&to) = successors[vertex].get(next) {
                if let Some(top) = path.last_mut() {
                    top.1 += 1;
                }
                if seen[to] == UNSEEN {
                    path.push((to, 0));
                } else if part[to] == UNSEEN {
                    lowest[vertex] = lowest[vertex].min(seen[to]);
                }
                continue;
            }
            path.pop();
            left[vertex] = leaving;
            leaving += 1;
            if let Some(&(above, _)) = path.last() {
                lowest[above] = lowest[above].min(lowest[vertex]);
            }
            if lowest[vertex] == seen[vertex] {
                while let Some(member) = open.pop() {
                    part[member] = parts;
                    if member == vertex {
                        break;
                    }
                }
                parts += 1;
            }
        }
    }
    (part, left)
}

impl Steps {
    /// States on whose runs within a set something leads back again and again, by transitions that may recur: all that are
    /// on cycles of the set, and others that lead to them. Nothing if there are none.
    pub(super) fn going_round<E: Encoding>(
        &self, encoded: &mut Encoded<E>, moves: &Moves, set: &Diagram,
    ) -> Result<Diagram, Undecided> {
        let mut rest = set.clone();
        let mut left = moves.all();
        for lap in 0u64.. {
            if rest.is_empty() {
                break;
            }
            let mut recurring = moves.recurring(encoded, &rest, left);
            if lap > 0 && lap.is_power_of_two() && !recurring.back.is_empty() {
                let mut possible = Vec::with_capacity(recurring.left.len());
                for one in recurring.left {
                    let back = &moves.transitions[one.0].back;
                    if !defined(encoded, |encoded| encoded.store.apply_within(back, &rest, &rest))?.is_empty() {
                        possible.push(one);
                    }
                }
                recurring = moves.recurring(encoded, &rest, possible);
            }
            if recurring.back.is_empty() {
                return Ok(encoded.store.zero());
            }
            let leading_back: Vec<&Hom> = recurring.back.iter().map(|&one| &moves.transitions[one].back).collect();
            let sum = encoded.store.sum(leading_back);
            let before = defined(encoded, |encoded| encoded.store.apply_within(&sum, &rest, &rest))?;
            let all: Vec<&Hom> = recurring.left.iter().map(|&(one, _)| &moves.transitions[one].back).collect();
            let next = defined(encoded, |encoded| encoded.store.reachable_within(&before, all, &rest))?;
            if next == rest {
                break;
            }
            (rest, left) = (next, recurring.left);
        }
        Ok(rest)
    }
}
