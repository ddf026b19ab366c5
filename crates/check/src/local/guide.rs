//! Where the states of an automaton want to go.

use mandala_logic::Automaton;
use mandala_logic::automaton::{Components, Edge, State};

use crate::early::goals::Condition;

/// What a proposition says, and what its negation does.
pub(super) type Literal = [Condition; 2];

/// Of so many edges at most is it said which markings take them.
const MOST_EDGES: usize = 6;

/// What brings an automaton nearer to accepting.
pub(super) struct Guide {
    /// States from which the automaton accepts whatever follows.
    pub accepts_all: Vec<bool>,
    /// How many edges it is to where it may accept.
    pub ranks: Vec<u32>,
    /// What markings look like that let it go there, if it is not there.
    pub aims: Vec<Option<Condition>>,
}

impl Guide {
    pub fn new(automaton: &Automaton, literals: &[Literal]) -> Guide {
        let all = automaton.all_marks();
        let accepts_all = |state: State| {
            let stays = |edge: &Edge| edge.target == state && edge.condition.is_true() && all.is_subset(edge.marks);
            automaton.edges(state).iter().any(stays)
        };
        let accepts_all: Vec<bool> = automaton.states().map(accepts_all).collect();
        let ranks = ranks(automaton, &accepts_all);
        let aims = automaton.states().map(|state| aim(automaton, state, &ranks, literals)).collect();
        Guide { accepts_all, ranks, aims }
    }
}

/// How far each state is from those that accept whatever follows, or, if there are none, from components with all marks.
fn ranks(automaton: &Automaton, accepts_all: &[bool]) -> Vec<u32> {
    let components = Components::new(automaton);
    let may_accept = |state: State| components.of(state).is_some_and(|one| components.is_accepting(one));
    let is_sink = accepts_all.contains(&true);
    let is_end = |state: State| if is_sink { accepts_all[state as usize] } else { may_accept(state) };
    let mut ranks: Vec<u32> = automaton.states().map(|state| if is_end(state) { 0 } else { u32::MAX }).collect();
    loop {
        let mut has_changed = false;
        for state in automaton.states() {
            let nearest = automaton.edges(state).iter().map(|edge| ranks[edge.target as usize].saturating_add(1)).min();
            if nearest.is_some_and(|nearest| nearest < ranks[state as usize]) {
                ranks[state as usize] = nearest.unwrap_or(u32::MAX);
                has_changed = true;
            }
        }
        if !has_changed {
            return ranks;
        }
    }
}

/// What a marking looks like that lets the automaton come nearer.
fn aim(automaton: &Automaton, state: State, ranks: &[u32], literals: &[Literal]) -> Option<Condition> {
    let nearer = automaton.edges(state).iter().filter(|edge| ranks[edge.target as usize] < ranks[state as usize]);
    let conditions = nearer.take(MOST_EDGES).map(|edge| {
        let cube = automaton.conditions().any_cube(edge.condition).unwrap_or_default();
        Condition::All(cube.iter().map(|&(atom, holds)| literals[atom as usize][usize::from(!holds)].clone()).collect())
    });
    let conditions: Vec<Condition> = conditions.collect();
    (!conditions.is_empty()).then_some(Condition::Any(conditions))
}
