//! What terms answer to the arcs of data nodes, remembered by value.
//!
//! A term is asked once for each value at a variable. Its answer is a few operations to do below the arc, however often arcs
//! with this value are fired afterwards; and so are the answers of all that closes a node.
//!
//! Where an answer depends on a value from below the arc, the value is *guessed*: the answer is given for each value that
//! there is, and must drop the states in which it is another. These are the classes of EquivSplit (thesis, 4.2), one by one;
//! what they are the classes of is the business of whoever wrote the homomorphism.

use rustc_hash::FxHashMap;

use super::data::Dirt;
use super::plan::{Op, Step};
use crate::hom::{Answers, Closure, Image, Map, NOTHING, Term, TermData, Then, related};
use crate::memory::Run;
use crate::node::{Arc, Kind, Node, ZERO};
use crate::store::{NODE_TICKS, Store, Variable};

/// What is asked of a value.
#[derive(Clone)]
enum Asked {
    /// What a term does to an arc.
    Term(Term, Variable),
    /// What follows from a guess.
    Guess(Then),
    /// What the steps that close a node do to an arc, all of them.
    Steps((u32, u32), Variable),
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
    /// ⊤, if this leaves anything of what is below the arc.
    Undefined { below: Op },
    /// This makes the result of the arc with this value.
    OfArc { term: Term, variable: Variable, value: i32 },
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

    /// What the steps that close a node of a variable do, whose children are closed.
    pub(super) fn of_steps(&mut self, steps: (u32, u32), variable: Variable, below: Closure) -> Question {
        self.add(Asked::Steps(steps, variable), below)
    }

    fn remember(&mut self, question: Question, value: i32, outcomes: Vec<Outcome>) -> (u32, u32) {
        let start = self.outcomes.len() as u32;
        self.outcomes.extend(outcomes);
        let range = (start, self.outcomes.len() as u32);
        self.index.insert((question, value), range);
        range
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
                Outcome::Undefined { below } => {
                    if self.fire(below, child)? == ZERO {
                        continue;
                    }
                    self.undefined()
                }
                Outcome::OfArc { term, variable, value } => {
                    self.apply_to_arc(term, Kind::Data, variable, Arc::data(value, child))?
                }
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
        self.guessed += self.nodes.arc_count(values) as u64;
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
            Asked::Steps(steps, variable) => {
                let outcomes = self.outcomes_of_steps(steps, variable, value)?;
                return Ok(self.plans.questions.remember(question, value, outcomes));
            }
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
        self.asked += 1;
        // An answer may have been long in the making.
        self.spend(4 * NODE_TICKS);
        Ok(self.plans.questions.remember(question, value, outcomes))
    }

    fn outcomes_of_steps(&mut self, steps: (u32, u32), variable: Variable, value: i32) -> Run<Vec<Outcome>> {
        let mut outcomes = Vec::new();
        for at in steps.0..steps.1 {
            match self.plans.step(at as usize) {
                Step::Skip { below } => outcomes.push(Outcome::Move { value, below }),
                Step::Add { low, high, delta, below } => {
                    if (low..=high).contains(&value) {
                        outcomes.push(match value.checked_add(delta) {
                            Some(value) => Outcome::Move { value, below },
                            None => Outcome::Undefined { below },
                        });
                    }
                }
                Step::Value { link, below } => {
                    let TermData::Value { map, .. } = self.terms.get(link) else { unreachable!("a value link") };
                    match map {
                        Map::Relation(pairs) => {
                            let images = related(pairs, value).iter();
                            outcomes.extend(images.map(|&(_, value)| Outcome::Move { value, below }));
                        }
                        map => match map.image(value) {
                            Image::Nothing => {}
                            Image::One(value) => outcomes.push(Outcome::Move { value, below }),
                            Image::Overflow => outcomes.push(Outcome::Undefined { below }),
                        },
                    }
                }
                Step::Undefined { below } => outcomes.push(Outcome::Undefined { below }),
                Step::Label { .. } => unreachable!("labels are at set nodes"),
                Step::Ask { question, .. } => {
                    let (start, end) = self.answer_anew(question, value)?;
                    outcomes.extend_from_slice(&self.plans.questions.outcomes[start as usize..end as usize]);
                }
                Step::Whole { term } => outcomes.push(Outcome::OfArc { term, variable, value }),
            }
        }
        Ok(outcomes)
    }
}
