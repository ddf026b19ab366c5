//! What the states of an automaton make of some exchanges of processes.

use std::collections::VecDeque;

use super::{Relation, Renaming};
use crate::TooLarge;
use crate::automaton::{Automaton, State};

/// The state that stands for those that are like it up to exchanges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Representative {
    /// The state.
    pub state: State,
    /// The exchanges, by number and one after the other, that lead there.
    pub exchanges: Vec<usize>,
}

/// What the states of an automaton make of some exchanges.
#[derive(Clone, Debug)]
pub struct Exchanges {
    /// For each state the exchanges, by number and in order, that it does not notice: it is related to itself.
    pub unnoticed: Vec<Vec<usize>>,
    /// What stands for each state.
    pub representatives: Vec<Representative>,
}

impl Exchanges {
    /// What the states of an automaton make of exchanges, each of which is undone if it is done twice.
    pub fn new(automaton: &Automaton, exchanges: &[Renaming]) -> Result<Exchanges, TooLarge> {
        let count = automaton.state_count();
        let mut unnoticed: Vec<Vec<usize>> = vec![Vec::new(); count];
        // By state, what it is related to by which exchange.
        let mut related: Vec<Vec<(State, usize)>> = vec![Vec::new(); count];
        for (number, renaming) in exchanges.iter().enumerate() {
            let Some(relation) = Relation::new(automaton, renaming)? else { continue };
            for state in automaton.states() {
                if relation.holds(state, state) {
                    unnoticed[state as usize].push(number);
                }
                let others = relation.images(state).filter(|&other| other != state);
                related[state as usize].extend(others.map(|other| (other, number)));
            }
        }
        Ok(Exchanges { unnoticed, representatives: representatives(&related) })
    }

    /// How many states stand for others or for themselves.
    pub fn class_count(&self) -> usize {
        (0..).zip(&self.representatives).filter(|(state, one)| one.state == *state).count()
    }
}

/// For each state the first that exchanges lead to, with the fewest of them.
fn representatives(related: &[Vec<(State, usize)>]) -> Vec<Representative> {
    let mut found: Vec<Option<Representative>> = vec![None; related.len()];
    for first in 0..related.len() {
        if found[first].is_some() {
            continue;
        }
        found[first] = Some(Representative { state: first as State, exchanges: Vec::new() });
        let mut open = VecDeque::from([first]);
        while let Some(state) = open.pop_front() {
            let Some(way) = found[state].as_ref().map(|one| one.exchanges.clone()) else { continue };
            for &(other, exchange) in &related[state] {
                if found[other as usize].is_none() {
                    // From the other back to this one, and on.
                    let exchanges = std::iter::once(exchange).chain(way.iter().copied()).collect();
                    found[other as usize] = Some(Representative { state: first as State, exchanges });
                    open.push_back(other as usize);
                }
            }
        }
    }
    let alone = |state: usize| Representative { state: state as State, exchanges: Vec::new() };
    found.into_iter().enumerate().map(|(state, one)| one.unwrap_or_else(|| alone(state))).collect()
}
