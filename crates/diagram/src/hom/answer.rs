//! What a term answers to one arc, so that a closure can go on level by level.

use std::sync::Arc as Shared;

use super::inductive::{Answer, Label};
use super::rewrite::Link;
use super::term::{ID, Term, TermData};
use super::value_map::{Image, Map, related};
use crate::memory::{Diagram, Run};
use crate::node::{Kind, Node, TOP, ZERO};
use crate::store::{Store, Variable};

/// So many users' homomorphisms in a composition are answered arc by arc together. A longer composition is applied one
/// after the other.
const MOST_INDUCTIVE: usize = 2;

/// What becomes of an arc of a data node.
#[derive(Default)]
pub(crate) struct Answers {
    /// New values, each with what goes on below.
    pub(crate) moves: Vec<(i32, Term)>,
    /// Terms that, applied to what is below the arc, give the whole result.
    pub(crate) wholes: Vec<Term>,
    /// What depends on what is below the arc.
    pub(crate) guesses: Vec<Guess>,
}

/// An answer for each of some values.
pub(crate) struct Guess {
    /// Makes the values from what is below the arc.
    pub(crate) values: Term,
    /// What follows from a value.
    pub(crate) then: Then,
}

/// What follows from a guess.
pub(crate) type Then = Shared<dyn Fn(&mut Store, i32) -> Run<Answers> + Send + Sync>;

/// What becomes of an arc of a set node.
#[derive(Default)]
pub(crate) struct LabelAnswers {
    /// Terms for the label, each with what goes on below.
    pub(crate) moves: Vec<(Term, Term)>,
    /// Terms that, applied to what is below the arc, give the whole result.
    pub(crate) wholes: Vec<Term>,
}

impl Store {
    /// Whether a term that does not skip a variable is answered arc by arc. Where nothing is to be
    /// closed (`plain`), compositions and set operations are done one after the other instead.
    pub(crate) fn is_answered(&self, term: Term, plain: bool) -> bool {
        match *self.terms.get(term) {
            TermData::Inductive(_) => true,
            _ => !plain && self.has_answers(term),
        }
    }

    fn has_answers(&self, mut term: Term) -> bool {
        // Compositions nest to the right, and may be long.
        let mut inductive = 0;
        while let TermData::Compose { outer, inner } = *self.terms.get(term) {
            if !self.has_answers(outer) {
                return false;
            }
            inductive += usize::from(self.is_inductive(outer));
            term = inner;
        }
        // The answers of each of them to each of the answers of the one before: beyond this they are too many.
        if inductive + usize::from(self.is_inductive(term)) > MOST_INDUCTIVE {
            return false;
        }
        match *self.terms.get(term) {
            TermData::Id | TermData::Null | TermData::Append(_) | TermData::Intersect(_) => true,
            TermData::Value { .. } | TermData::Local { .. } | TermData::Inductive(_) => true,
            TermData::Sum(ref terms) => terms.iter().all(|&term| self.has_answers(term)),
            TermData::Compose { .. } => unreachable!("taken apart above"),
            TermData::Constant(_)
            | TermData::Prepend(_)
            | TermData::Fixpoint(_)
            | TermData::Close(_)
            | TermData::Not(_)
            | TermData::Unconstant { .. }
            | TermData::Unprepend { .. }
            | TermData::Unappend { .. }
            | TermData::CloseWithin { .. }
            | TermData::Within { .. } => false,
        }
    }

    /// Whether a user's homomorphism is asked in the end.
    fn is_inductive(&self, mut term: Term) -> bool {
        while let TermData::Compose { outer, inner } = *self.terms.get(term) {
            if self.is_inductive(outer) {
                return true;
            }
            term = inner;
        }
        match self.terms.get(term) {
            TermData::Inductive(_) => true,
            TermData::Sum(terms) => terms.iter().any(|&term| self.is_inductive(term)),
            _ => false,
        }
    }

    /// The answer to an arc of a data node. The term [has answers](Store::has_answers).
    pub(crate) fn answer_value(
        &mut self, term: Term, variable: Variable, value: i32, answers: &mut Answers,
    ) -> Run<()> {
        if self.stack_is_low() {
            return self.on_new_stack(|store| store.answer_value(term, variable, value, answers));
        }
        if self.skips(term, variable) {
            answers.moves.push((value, term));
            return Ok(());
        }
        if let Some((link, rest)) = self.unlink(term, variable) {
            self.answer_link(link, rest, value, answers);
            return Ok(());
        }
        match self.terms.get(term).clone() {
            TermData::Sum(terms) => {
                for &term in terms.iter() {
                    self.answer_value(term, variable, value, answers)?;
                }
            }
            TermData::Compose { outer, inner } => {
                let mut first = Answers::default();
                self.answer_value(inner, variable, value, &mut first)?;
                self.answer_after(first, outer, variable, answers)?;
            }
            TermData::Intersect(TOP) => self.answer_undefined(ID, &mut answers.wholes),
            TermData::Intersect(node) => {
                if self.nodes.kind(node) == Kind::Data
                    && self.nodes.variable(node) == variable
                    && let Some(child) = self.nodes.child(node, value)
                {
                    answers.moves.push((value, self.terms.add(TermData::Intersect(child))));
                }
            }
            TermData::Inductive(inductive) => {
                let answer = inductive.0.at_value(self, variable, value).map_err(|error| self.fail(error))?;
                self.answer_by_user(answer, variable, value, answers)?;
            }
            _ => unreachable!("terms without answers are not asked"),
        }
        Ok(())
    }

    /// A user's answer to an arc of a data node.
    fn answer_by_user(&mut self, answer: Answer, variable: Variable, value: i32, answers: &mut Answers) -> Run<()> {
        match answer {
            Answer::Drop => {}
            Answer::Keep(below) => answers.moves.push((value, self.term_of(&below))),
            Answer::Whole(below) => answers.wholes.push(self.term_of(&below)),
            Answer::Move(moves) => {
                for (label, below) in moves {
                    let below = self.term_of(&below);
                    match label {
                        Label::Value(value) => answers.moves.push((value, below)),
                        Label::Set(set) => {
                            let one = self.one();
                            let first = self.assign_set(variable, &set, &one).map_err(|e| self.fail(e))?;
                            answers.wholes.push(self.prepend_term(&first, below));
                        }
                    }
                }
            }
            Answer::Each(all) => {
                for answer in all {
                    self.answer_by_user(answer, variable, value, answers)?;
                }
            }
            Answer::Guess(values, guessed) => {
                let values = self.term_of(&values);
                let then = move |store: &mut Store, guess| {
                    let answer = guessed.0(store, guess).map_err(|error| store.fail(error))?;
                    let mut answers = Answers::default();
                    store.answer_by_user(answer, variable, value, &mut answers)?;
                    Ok(answers)
                };
                answers.guesses.push(Guess { values, then: Shared::new(then) });
            }
        }
        Ok(())
    }

    /// What another term makes of answers.
    fn answer_after(&mut self, first: Answers, outer: Term, variable: Variable, answers: &mut Answers) -> Run<()> {
        for (value, below) in first.moves {
            let mut second = Answers::default();
            self.answer_value(outer, variable, value, &mut second)?;
            self.answer_above(second, below, answers);
        }
        for below in first.wholes {
            answers.wholes.push(self.compose_term(outer, below));
        }
        for Guess { values, then } in first.guesses {
            let then = move |store: &mut Store, guess| {
                let first = then(store, guess)?;
                let mut answers = Answers::default();
                store.answer_after(first, outer, variable, &mut answers)?;
                Ok(answers)
            };
            answers.guesses.push(Guess { values, then: Shared::new(then) });
        }
        Ok(())
    }

    /// Answers whose terms are applied to what another term makes of what is below the arc.
    fn answer_above(&mut self, second: Answers, below: Term, answers: &mut Answers) {
        for (value, next) in second.moves {
            answers.moves.push((value, self.compose_term(next, below)));
        }
        for next in second.wholes {
            answers.wholes.push(self.compose_term(next, below));
        }
        for Guess { values, then } in second.guesses {
            let values = self.compose_term(values, below);
            let then = move |store: &mut Store, guess| {
                let second = then(store, guess)?;
                let mut answers = Answers::default();
                store.answer_above(second, below, &mut answers);
                Ok(answers)
            };
            answers.guesses.push(Guess { values, then: Shared::new(then) });
        }
    }

    fn answer_link(&mut self, link: Link, rest: Term, value: i32, answers: &mut Answers) {
        match link {
            Link::Value(Map::Relation(pairs)) => {
                answers.moves.extend(related(&pairs, value).iter().map(|pair| (pair.1, rest)));
            }
            Link::Value(map) => match map.image(value) {
                Image::Nothing => {}
                Image::One(value) => answers.moves.push((value, rest)),
                Image::Overflow => self.answer_undefined(rest, &mut answers.wholes),
            },
            Link::Local(_) => self.answer_undefined(rest, &mut answers.wholes),
        }
    }

    /// A set, followed by what a term makes of the rest: for arcs that become arcs of another kind.
    fn prepend_term(&mut self, first: &Diagram, below: Term) -> Term {
        let prepend = self.prepend(first);
        self.compose_term(prepend.term(), below)
    }

    /// ⊤, wherever the rest is not empty.
    fn answer_undefined(&mut self, rest: Term, wholes: &mut Vec<Term>) {
        let top = self.undefined();
        let undefined = self.terms.add(TermData::Constant(top));
        wholes.push(self.compose_term(undefined, rest));
    }

    /// The answer to an arc of a set node. The term [has answers](Store::has_answers).
    pub(crate) fn answer_label(
        &mut self, term: Term, variable: Variable, label: Node, answers: &mut LabelAnswers,
    ) -> Run<()> {
        if self.stack_is_low() {
            return self.on_new_stack(|store| store.answer_label(term, variable, label, answers));
        }
        if self.skips(term, variable) {
            answers.moves.push((ID, term));
            return Ok(());
        }
        if let Some((link, rest)) = self.unlink(term, variable) {
            match link {
                Link::Local(inside) => answers.moves.push((inside, rest)),
                Link::Value(map) if self.nodes.kind(label) == Kind::Ranges => {
                    let image = self.map_ranges(&map, label)?;
                    let image = self.terms.add(TermData::Constant(image));
                    answers.moves.push((image, rest));
                }
                Link::Value(_) => self.answer_undefined(rest, &mut answers.wholes),
            }
            return Ok(());
        }
        match self.terms.get(term).clone() {
            TermData::Sum(terms) => {
                for &term in terms.iter() {
                    self.answer_label(term, variable, label, answers)?;
                }
            }
            TermData::Compose { outer, inner } => self.answer_composed(outer, inner, variable, label, answers)?,
            TermData::Intersect(TOP) => self.answer_undefined(ID, &mut answers.wholes),
            TermData::Intersect(node) => {
                if self.nodes.kind(node) == Kind::Set && self.nodes.variable(node) == variable {
                    for i in 0..self.nodes.arc_count(node) {
                        let arc = self.nodes.arc(node, i);
                        let inside = self.terms.add(TermData::Intersect(arc.set_label()));
                        answers.moves.push((inside, self.terms.add(TermData::Intersect(arc.child))));
                    }
                }
            }
            TermData::Inductive(inductive) => {
                let handle = self.diagram(label);
                let answer = inductive.0.at_label(self, variable, &handle).map_err(|error| self.fail(error))?;
                self.answer_label_by_user(answer, variable, answers)?;
            }
            _ => unreachable!("terms without answers are not asked"),
        }
        Ok(())
    }

    /// A user's answer to an arc of a set node.
    fn answer_label_by_user(&mut self, answer: Answer, variable: Variable, answers: &mut LabelAnswers) -> Run<()> {
        match answer {
            Answer::Drop => {}
            Answer::Keep(below) => answers.moves.push((ID, self.term_of(&below))),
            Answer::Whole(below) => answers.wholes.push(self.term_of(&below)),
            Answer::Move(moves) => {
                for (label, below) in moves {
                    let below = self.term_of(&below);
                    match label {
                        Label::Set(set) => {
                            let set = self.node_of(&set);
                            answers.moves.push((self.terms.add(TermData::Constant(set)), below));
                        }
                        Label::Value(value) => {
                            let first = self.state(&[(variable, value)]).map_err(|e| self.fail(e))?;
                            answers.wholes.push(self.prepend_term(&first, below));
                        }
                    }
                }
            }
            Answer::Each(all) => {
                for answer in all {
                    self.answer_label_by_user(answer, variable, answers)?;
                }
            }
            Answer::Guess(values, _) => {
                let values = self.term_of(&values);
                self.answer_undefined(values, &mut answers.wholes);
            }
        }
        Ok(())
    }

    fn answer_composed(
        &mut self, outer: Term, inner: Term, variable: Variable, label: Node, answers: &mut LabelAnswers,
    ) -> Run<()> {
        let mut first = LabelAnswers::default();
        self.answer_label(inner, variable, label, &mut first)?;
        let root = self.roots.len();
        for (inside, below) in first.moves {
            let between = self.apply_term(inside, label)?;
            if between == ZERO {
                continue;
            }
            self.roots.push(between);
            let mut second = LabelAnswers::default();
            self.answer_label(outer, variable, between, &mut second)?;
            self.roots.truncate(root);
            for (next_inside, next) in second.moves {
                let inside = self.compose_term(next_inside, inside);
                answers.moves.push((inside, self.compose_term(next, below)));
            }
            for next in second.wholes {
                answers.wholes.push(self.compose_term(next, below));
            }
        }
        for below in first.wholes {
            answers.wholes.push(self.compose_term(outer, below));
        }
        Ok(())
    }
}
