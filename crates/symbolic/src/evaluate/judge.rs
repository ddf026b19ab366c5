//! States in which statements do something, judged one by one.
//!
//! What no expression says (whether a fixpoint with choices ends, whether there is a state after a body that may abort
//! half way) is found by running the statements. The diagram is descended, the values of the variables that matter are
//! collected, and below the last of them the statements are run. States that agree on these variables are judged once;
//! there may be many that do not, so this is for what cannot be said otherwise.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use mandala_diagram::{Answer, Error, Hom, Inductive, Store, Variable};
use rustc_hash::FxHasher;

use super::run::{Body, Runner};

/// What is asked of a state.
#[derive(Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// Whether transitions can fire one after the other: any one of each list.
    Fires(Vec<Vec<usize>>),
    /// Whether a body leads from it to itself and nowhere else.
    Keeps(Body),
    /// Whether a body that is repeated until nothing changes never comes to an end there.
    NeverEnds(Body),
}

#[derive(Debug)]
struct Judge {
    runner: Runner,
    question: Question,
    /// The variables that matter, ascending.
    support: Vec<u32>,
    hash: u64,
}

impl Judge {
    /// The verdict on a state of which the variables that matter are given. What fails is another question's business.
    fn selects(&self, values: &[i32]) -> bool {
        let length = self.support.last().map_or(0, |last| *last as usize + 1);
        let mut state = vec![0; length];
        for (&variable, &value) in self.support.iter().zip(values) {
            state[variable as usize] = value;
        }
        match &self.question {
            Question::Fires(sequence) => self.runner.fires(sequence, &state) == Ok(true),
            Question::Keeps(body) => self.runner.keeps(body, &state) == Ok(true),
            Question::NeverEnds(body) => !self.runner.ends(body, &state),
        }
    }
}

/// Keeps the states of which the answer is yes. With the runner, the variables that matter, ascending.
pub fn judged(store: &mut Store, (runner, support): (Runner, Vec<u32>), question: Question) -> Hom {
    let mut hasher = FxHasher::default();
    (&runner, &question).hash(&mut hasher);
    let judge = Judge { runner, question, support, hash: hasher.finish() };
    judged_after(store, Judged { judge: Arc::new(judge), values: Vec::new() })
}

fn judged_after(store: &mut Store, judged: Judged) -> Hom {
    if judged.values.len() < judged.judge.support.len() {
        return store.inductive(judged);
    }
    if judged.judge.selects(&judged.values) { store.identity() } else { store.null() }
}

#[derive(Debug)]
struct Judged {
    judge: Arc<Judge>,
    /// The values of the first of the variables that matter.
    values: Vec<i32>,
}

impl PartialEq for Judged {
    fn eq(&self, other: &Judged) -> bool {
        let (a, b) = (&self.judge, &other.judge);
        let is_same = || a.hash == b.hash && a.support == b.support && a.question == b.question && a.runner == b.runner;
        self.values == other.values && (Arc::ptr_eq(a, b) || is_same())
    }
}

impl Eq for Judged {}

impl Hash for Judged {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.judge.hash.hash(state);
        self.values.hash(state);
    }
}

impl Inductive for Judged {
    fn skips(&self, variable: Variable) -> bool {
        self.judge.support[self.values.len()..].binary_search(&variable).is_err()
    }

    fn at_value(&self, store: &mut Store, _: Variable, value: i32) -> Result<Answer, Error> {
        let values = self.values.iter().copied().chain([value]).collect();
        Ok(Answer::Keep(judged_after(store, Judged { judge: Arc::clone(&self.judge), values })))
    }

    fn is_selector(&self) -> bool {
        true
    }
}
