//! What terms answer to the arcs of data nodes, remembered by value.
//!
//! A term is asked once for each value at a variable: how often its arcs are fired afterwards, its answer is a few
//! operations to do below. Where an answer depends on what is below the arc, because a value is to be *guessed*, the
//! guess is a question of its own.

use rustc_hash::FxHashMap;

use super::data::Dirt;
use super::plan::Op;
use crate::hom::{Answers, Closure, NOTHING, Term, Then};
use crate::memory::Run;
use crate::node::{Kind, Node, ZERO};
use crate::store::{Store, Variable};

/// What is asked of a value.
#[derive(Clone)]
enum Asked {
    /// What a term does to an arc.
    Term(Term, Variable),
    /// What follows from a guess.
    Guess(Then),
}

/// Something that happens to an arc.
#[derive(Clone, Copy)]
enum Outcome {
    /// The arc gets a value, and this happens below it.
    Move { value: i32, below: Op },
    /// This makes the whole result from what is below the arc.
    Whole { result: Op },
    /// What happens depends on these values of what is below the arc.
    Guess { values: Op, question: Question },
}

/// A question, to be answered for any value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Question(u32);

/// Questions and their answers.
#[derive(Default)]
pub(crate) struct Questions {
    /// What is asked, and what children are closed under.
    asked: Vec<(Asked, Closure)>,
    outcomes: Vec<Outcome>,
    /// Where the outcomes are.
    index: FxHashMap<(Question, i32), (u32, u32)>,
}

impl Questions {
    fn add(&mut self, asked: Asked, below: Closure) -> Question {
        self.asked.push((asked, below));
        Question((self.asked.len() - 1) as u32)
    }

    /// What a term does to the arcs of a variable, whose children are closed.
    pub(super) fn of_term(&mut self, term: Term, variable: Variable, below: Closure) -> Question {
        self.add(Asked::Term(term, variable), below)
    }

    /// Bytes allocated, about.
    pub(super) fn bytes(&self) -> usize {
        self.asked.capacity() * size_of::<(Asked, Closure)>()
            + self.outcomes.capacity() * size_of::<Outcome>()
            + self.index.capacity() * 20
    }
}

/// The data node in the making: where its arcs begin, and which of them are new.
pub(super) struct Making<'a, 'b> {
    pub(super) base: usize,
    pub(super) changed: &'a mut Option<&'b mut Dirt>,
}

impl Store {
    /// Does what is answered for a value to what is below its arc. Results are added to the arcs of the node in the
    /// making. Returns what is not an arc of the same variable.
    pub(super) fn ask_at_value(
        &mut self, question: Question, value: i32, child: Node, making: Making<'_, '_>,
    ) -> Run<Node> {
        let outcomes = match self.plans.questions.index.get(&(question, value)) {
            Some(&outcomes) => outcomes,
            None => self.answer_anew(question, value)?,
        };
        let Making { base, changed } = making;
        let root = self.roots.len();
        self.roots.push(ZERO);
        for at in outcomes.0..outcomes.1 {
            let whole = match self.plans.questions.outcomes[at as usize] {
                Outcome::Move { value, below } => {
                    let child = self.fire(below, child)?;
                    self.add_data_arc(base, value, child, changed)?;
                    continue;
                }
                Outcome::Whole { result } => self.fire(result, child)?,
                Outcome::Guess { values, question } => {
                    let values = self.fire(values, child)?;
                    self.roots.push(values);
                    let whole = self.ask_guesses(question, values, child, Making { base, changed })?;
                    self.roots.pop();
                    whole
                }
            };
            self.roots[root] = self.unite(self.roots[root], whole)?;
        }
        let rest = self.roots[root];
        self.roots.truncate(root);
        Ok(rest)
    }

    /// Asks for each value on the arcs of a node.
    fn ask_guesses(&mut self, question: Question, values: Node, child: Node, making: Making<'_, '_>) -> Run<Node> {
        if values == ZERO {
            return Ok(ZERO);
        }
        if self.nodes.kind(values) != Kind::Data {
            return Ok(self.undefined());
        }
        let root = self.roots.len();
        self.roots.push(ZERO);
        for i in 0..self.nodes.arc_count(values) {
            let value = self.nodes.arc(values, i).value();
            let making = Making { base: making.base, changed: &mut *making.changed };
            let whole = self.ask_at_value(question, value, child, making)?;
            self.roots[root] = self.unite(self.roots[root], whole)?;
        }
        let rest = self.roots[root];
        self.roots.truncate(root);
        Ok(rest)
    }

    #[cold]
    fn answer_anew(&mut self, question: Question, value: i32) -> Run<(u32, u32)> {
        let (asked, below) = self.plans.questions.asked[question.0 as usize].clone();
        let answers = match asked {
            Asked::Term(term, variable) => {
                let mut answers = Answers::default();
                self.answer_value(term, variable, value, &mut answers)?;
                answers
            }
            Asked::Guess(then) => then(self, value)?,
        };
        let mut outcomes = Vec::with_capacity(answers.moves.len() + answers.wholes.len() + answers.guesses.len());
        for (value, term) in answers.moves {
            outcomes.push(Outcome::Move { value, below: self.plans.fire_op(term, below) });
        }
        for term in answers.wholes {
            outcomes.push(Outcome::Whole { result: self.plans.fire_op(term, NOTHING) });
        }
        for guess in answers.guesses {
            let values = self.plans.fire_op(guess.values, NOTHING);
            let question = self.plans.questions.add(Asked::Guess(guess.then), below);
            outcomes.push(Outcome::Guess { values, question });
        }
        // An answer may have been long in the making.
        self.count_plan();
        let questions = &mut self.plans.questions;
        let start = questions.outcomes.len() as u32;
        questions.outcomes.extend(outcomes);
        let range = (start, questions.outcomes.len() as u32);
        questions.index.insert((question, value), range);
        Ok(range)
    }
}
