//! Chains of P-semiflows: the places of an invariant belong together.
//!
//! The tokens of an invariant move among its places, so that each place follows from the others: kept together, they
//! need little memory between them. Groups are laid out one after the other, always next the one that shares most
//! variables with the last; what the two share lies between them. If nothing is shared, events that connect the groups
//! count. Variables in no group go to where their neighbours are.

use super::force::force;
use super::heap::Heap;
use super::incidence::{Incidence, Rows, by_position, positions};
use super::search::Search;
use super::{Connections, Order};

/// An order that keeps the groups together, as far as they allow; inside, as FORCE has it. The groups are supports of
/// P-semiflows.
pub fn semiflow(connections: &Connections, groups: &[Vec<u32>]) -> Order {
    semiflow_from(connections, groups, &force(connections))
}

/// As [`semiflow`], with another order inside the groups.
pub fn semiflow_from(connections: &Connections, groups: &[Vec<u32>], inside: &[u32]) -> Order {
    let incidence = Incidence::whole(connections);
    let ranks = positions(connections.variables, inside);
    let groups = selected(&Rows::new(groups.iter(), connections.variables), connections.variables);
    let chain = Chain::new(&incidence, &groups).run();
    let laid_out = lay_out(&groups, &chain, &ranks);
    attach(&incidence, &laid_out, &ranks)
}

/// Small groups first, those that have a variable which is not in enough of the others yet: a net may have thousands of
/// semiflows that say the same.
fn selected(groups: &Rows, variables: usize) -> Rows {
    const ENOUGH: u8 = 4;
    let mut indices: Vec<u32> = (0u32..).take(groups.len()).collect();
    indices.sort_by_key(|&index| groups.row(index).len());
    let mut covers = vec![0u8; variables];
    indices.retain(|&index| {
        let group = groups.row(index);
        let needed = group.iter().any(|&variable| covers[variable as usize] < ENOUGH);
        if needed {
            group.iter().for_each(|&variable| covers[variable as usize] = covers[variable as usize].saturating_add(1));
        }
        needed
    });
    indices.sort_unstable();
    Rows::new(indices.iter().map(|&index| groups.row(index)), variables)
}

/// The sequence of the groups in the making.
struct Chain<'a> {
    groups: &'a Rows,
    /// The groups of each variable and, after those, the groups that each event connects.
    ties: Incidence,
    variables: usize,
    /// Groups not in the chain yet, by how much they have in common with those that are.
    rest: Heap<u64>,
    chained: Vec<bool>,
    /// How much each group has in common with the last one; zero but while that is counted.
    common: Vec<u32>,
}

impl<'a> Chain<'a> {
    fn new(incidence: &Incidence, groups: &'a Rows) -> Chain<'a> {
        Chain {
            groups,
            ties: ties(incidence, groups),
            variables: incidence.variables,
            rest: Heap::full(vec![0; groups.len()]),
            chained: vec![false; groups.len()],
            common: vec![0; groups.len()],
        }
    }

    /// From one end of what is connected to the other; where the chain breaks, with the group that has most in common
    /// with all before.
    fn run(mut self) -> Vec<u32> {
        let ends = self.ends();
        let mut chain: Vec<u32> = Vec::with_capacity(self.groups.len());
        while let Some(popped) = self.rest.pop() {
            let start = if self.rest.priority(popped) == 0 { ends[popped as usize] } else { popped };
            let mut next = [start, popped].into_iter().find(|&group| !self.chained[group as usize]);
            while let Some(group) = next {
                self.chained[group as usize] = true;
                chain.push(group);
                next = self.nearest(group);
            }
        }
        chain
    }

    /// For each group an end of what it is connected to.
    fn ends(&self) -> Vec<u32> {
        let degrees = self.ties.degrees();
        let mut search = Search::new(&self.ties);
        let mut ends = vec![u32::MAX; self.groups.len()];
        for group in self.ties.all() {
            if ends[group as usize] == u32::MAX {
                let end = search.end(group, &degrees);
                search.visited().iter().for_each(|&member| ends[member as usize] = end);
            }
        }
        ends
    }

    /// The next group: the one that shares most variables with the last, or else is connected to it by most events.
    fn nearest(&mut self, last: u32) -> Option<u32> {
        let ties = self.ties.of_variable.row(last);
        let (shared, connecting) = ties.split_at(ties.partition_point(|&tie| (tie as usize) < self.variables));
        let (shared, connecting) = (shared.to_vec(), connecting.to_vec());
        let by_variables = self.most_tied(shared);
        let by_events = self.most_tied(connecting);
        by_variables.or(by_events)
    }

    /// The group that most of the ties lead to, the first of those that are equal.
    fn most_tied(&mut self, ties: Vec<u32>) -> Option<u32> {
        let mut touched = Vec::new();
        for tie in ties {
            for &group in self.ties.events.row(tie) {
                if !self.chained[group as usize] {
                    if self.common[group as usize] == 0 {
                        touched.push(group);
                    }
                    self.common[group as usize] += 1;
                }
            }
        }
        let count = |group: u32| self.common[group as usize];
        let best = touched.iter().copied().max_by_key(|&group| (count(group), std::cmp::Reverse(group)));
        for group in touched {
            let common = std::mem::take(&mut self.common[group as usize]);
            self.rest.set(group, self.rest.priority(group) + u64::from(common));
        }
        best
    }
}

/// The graph of the groups: a variable ties the groups that it is in, an event those that it has variables of. What ties
/// too many says nothing about which of them belong together.
fn ties(incidence: &Incidence, groups: &Rows) -> Incidence {
    const MANY: usize = 50;
    let of_variable = groups.transposed(incidence.variables);
    let few = |groups: Vec<u32>| if groups.len() <= MANY { groups } else { Vec::new() };
    let by_variable = of_variable.iter().map(|groups| few(groups.to_vec()));
    let by_event = incidence.events.iter().map(|event| {
        let mut groups = Vec::new();
        for &variable in event.iter().take(MANY) {
            groups.extend(of_variable.row(variable).iter().take(MANY + 1));
        }
        groups.sort_unstable();
        groups.dedup();
        few(groups)
    });
    let events: Vec<Vec<u32>> = by_variable.chain(by_event).collect();
    Incidence::new(groups.len(), Rows::new(events.iter(), groups.len()))
}

/// The variables of the groups, each once: of each group first those that the next one does not have, then the others,
/// by rank.
fn lay_out(groups: &Rows, chain: &[u32], ranks: &[u32]) -> Vec<u32> {
    let mut order = Vec::new();
    let mut placed = vec![false; ranks.len()];
    for (index, &group) in chain.iter().enumerate() {
        let next = chain.get(index + 1).map_or(&[][..], |&next| groups.row(next));
        let mut new: Vec<u32> = groups.row(group).iter().copied().filter(|&one| !placed[one as usize]).collect();
        new.sort_unstable_by_key(|one| (next.binary_search(one).is_ok(), ranks[*one as usize]));
        new.iter().for_each(|&one| placed[one as usize] = true);
        order.extend(new);
    }
    order
}

/// Adds the other variables: step by step those that share an event with one that has a place, each to the mean place
/// of its neighbours; at the end those that are connected to none, by rank.
fn attach(incidence: &Incidence, laid_out: &[u32], ranks: &[u32]) -> Order {
    let mut wishes: Vec<Option<f64>> = vec![None; incidence.variables];
    for (place, &variable) in laid_out.iter().enumerate() {
        wishes[variable as usize] = Some(place as f64);
    }
    // Sum and number of the places known in each event.
    let mut centres = vec![(0.0f64, 0u32); incidence.events.len()];
    let mut front = laid_out.to_vec();
    while !front.is_empty() {
        let mut reached = Vec::new();
        for &variable in &front {
            let Some(place) = wishes[variable as usize] else { continue };
            for &event in incidence.of_variable.row(variable) {
                let centre = &mut centres[event as usize];
                if centre.1 == 0 {
                    let others = incidence.events.row(event).iter().copied();
                    reached.extend(others.filter(|&other| wishes[other as usize].is_none()));
                }
                centre.0 += place;
                centre.1 += 1;
            }
        }
        reached.sort_unstable();
        reached.dedup();
        let mean = |variable: u32| {
            let events = incidence.of_variable.row(variable).iter().map(|&event| centres[event as usize]);
            let (sum, count) = events.fold((0.0, 0), |(sum, count), centre| (sum + centre.0, count + centre.1));
            sum / f64::from(count.max(1))
        };
        let found: Vec<f64> = reached.iter().map(|&variable| mean(variable)).collect();
        for (&variable, place) in reached.iter().zip(found) {
            wishes[variable as usize] = Some(place);
        }
        front = reached;
    }
    // Those with a place of their own come before those that were attached to it.
    let mut order = laid_out.to_vec();
    let own = positions(incidence.variables, laid_out);
    let mut attached = by_position(ranks);
    attached.retain(|&variable| own[variable as usize] as usize >= laid_out.len());
    order.extend(attached);
    let wish = |variable: u32| wishes[variable as usize].unwrap_or(f64::INFINITY);
    order.sort_by(|&one, &other| wish(one).total_cmp(&wish(other)));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::samples;

    #[test]
    fn groups_that_overlap_are_a_chain() {
        // Groups of four, each sharing one variable with the next, given in any order.
        let group = |index: u32| -> Vec<u32> { (3 * index..=3 * index + 3).collect() };
        let groups: Vec<Vec<u32>> = [0, 4, 2, 1, 3].map(group).to_vec();
        let order = semiflow(&Connections { variables: 16, events: vec![], ..Connections::default() }, &groups);
        assert_eq!(order, (0..16).collect::<Vec<u32>>());
    }

    #[test]
    fn groups_without_a_common_variable_follow_the_events() {
        // Five processes of two places in a line, numbered out of order; events connect neighbours.
        let line = [3u32, 0, 4, 1, 2];
        let groups: Vec<Vec<u32>> = (0..5).map(|process| vec![2 * process, 2 * process + 1]).collect();
        let sets: Vec<Vec<u32>> = line.windows(2).map(|pair| vec![2 * pair[0] + 1, 2 * pair[1]]).collect();
        let order = semiflow(&samples::from_sets(10, &sets), &groups);
        let processes: Vec<u32> = order.chunks(2).map(|pair| pair[0] / 2).collect();
        assert!(order.chunks(2).all(|pair| pair[0] / 2 == pair[1] / 2), "{order:?}");
        let steps = processes
            .windows(2)
            .filter(|pair| line.windows(2).any(|near| near == *pair || [near[1], near[0]] == **pair));
        assert_eq!(steps.count(), 4, "{processes:?}");
    }

    #[test]
    fn a_variable_without_a_group_goes_to_its_neighbours() {
        // Variable 20 is connected to 2 and 3 only, variable 21 to 20 only.
        let groups = vec![(0..10).collect(), (10..20).collect()];
        let connections = samples::from_sets(22, &[vec![2, 20, 3], vec![20, 21]]);
        let order = semiflow(&connections, &groups);
        let at = |variable: u32| order.iter().position(|&one| one == variable).unwrap_or(99) as i64;
        assert!((at(20) - at(2)).abs() <= 3 && (at(21) - at(20)).abs() <= 2, "{order:?}");
    }
}
