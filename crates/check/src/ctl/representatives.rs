//! What shows a verdict that was found on representatives, or about fair runs.
//!
//! A tree of claims speaks of states of the model, and of representatives these were never kept. Where they are not too many they are
//! visited now, one by one, and show it as they always do. Else, if one state or one run is enough to show it, such a run
//! is looked for among the representatives, as for a formula of LTL, and lifted to one of the model: `AF p` does not hold because of a run on
//! which p never comes, and `EG p` holds because of a run on which `F !p` does not. It is the same for all operators but
//! the next state, whether a run ends or repeats its last state. Other formulas have nothing to show on so many states.

use mandala_model::property::{Formula, Quantifier, Question, UnaryOperator};
use mandala_symbolic::encode::{Atom, Encoding};

use crate::answer::{Answer, Traces, Verdict};
use crate::explicit;
use crate::fair::WhichRuns;
use crate::limits::{Limits, Progress};
use crate::run::{NoTrace, broken};
use crate::space::Space;

/// So many states of the model are visited to show something.
const MOST_STATES: u64 = 100_000;

/// Why nothing is shown.
const TOO_MANY: &str = "the model has too many states to show a formula of CTL whole, and it takes more than one run; \
                        ask for a part of it";

impl<E: Encoding> Space<E> {
    /// A verdict on representatives with what shows it.
    pub(super) fn shown_from_representatives(
        &mut self, formula: &Formula<Atom<E>>, holds: bool,
    ) -> Answer<E::Formalism> {
        self.shown_within(formula, holds, MOST_STATES)
    }

    fn shown_within(&mut self, formula: &Formula<Atom<E>>, holds: bool, most: u64) -> Answer<E::Formalism> {
        if let Some(answer) = self.shown_by_all_states(formula, holds, most) {
            return answer;
        }
        if let Some(answer) = self.shown_by_a_state(formula, holds) {
            return answer;
        }
        let verdict = Verdict::of(holds);
        let trace = match against_run(formula, holds, self.begins_in_one_state()) {
            Some(against) => match self.answer_ltl(&against, Traces::Wanted) {
                Answer { verdict: Verdict::Fails, trace: Some(trace), .. } => trace,
                _ => Err(NoTrace::Unknown(TOO_MANY.to_owned())),
            },
            None => Err(NoTrace::Unknown(TOO_MANY.to_owned())),
        };
        Answer { trace: Some(trace), ..Answer::plain(verdict) }
    }

    /// What a way to one state shows, if that is enough.
    fn shown_by_a_state(&mut self, formula: &Formula<Atom<E>>, holds: bool) -> Option<Answer<E::Formalism>> {
        if self.leaves_runs_out() {
            return None;
        }
        let (wanted, found, absent) = match formula {
            Formula::Unary(Quantifier::All, UnaryOperator::Globally, inner) if !holds && !inner.is_temporal() => {
                (Formula::Not(inner.clone()), Verdict::Fails, Verdict::Holds)
            }
            Formula::Unary(Quantifier::Exists, UnaryOperator::Finally, inner)
                if holds && !inner.is_temporal() && self.begins_in_one_state() =>
            {
                ((**inner).clone(), Verdict::Holds, Verdict::Fails)
            }
            _ => return None,
        };
        Some(self.search(&wanted, found, absent, Traces::Wanted))
    }

    /// What all states of the model show, if there are not too many.
    fn shown_by_all_states(&self, formula: &Formula<Atom<E>>, holds: bool, most: u64) -> Option<Answer<E::Formalism>> {
        let semantics = self.encoded.encoding.semantics().ok()?;
        let deadline = self.encoded.store.limits().deadline;
        let limits = Limits { states: Some(most), deadline, ..Limits::default() };
        let questions = [Question::Ctl(formula.clone())];
        let runs = WhichRuns { finite: self.finite_runs, fair: &self.fairness };
        let outcome = explicit::show(&semantics, &questions, runs, &limits, &Progress::default());
        let answer = outcome.answers.into_iter().next()?;
        match answer.verdict.holds()? {
            truth if truth == holds => Some(answer),
            _ => {
                let trace = Some(Err(broken("all states say otherwise than representatives")));
                Some(Answer { trace, ..Answer::plain(Verdict::of(holds)) })
            }
        }
    }
}

/// A formula of LTL that does not hold exactly on the runs that show a verdict, if one run is enough. What holds on some
/// run is shown by one if there is one initial state only.
fn against_run<A: Clone>(formula: &Formula<A>, holds: bool, is_one: bool) -> Option<Formula<A>> {
    let of_one_state = |part: &Formula<A>| !part.is_temporal();
    let (quantifier, plain) = match formula {
        Formula::Not(inner) => return against_run(inner, !holds, is_one).filter(|_| is_one),
        Formula::Unary(quantifier, operator, inner) if *operator != UnaryOperator::Next && of_one_state(inner) => {
            (*quantifier, Formula::Unary(Quantifier::None, *operator, inner.clone()))
        }
        Formula::Binary(quantifier, operator, left, right) if of_one_state(left) && of_one_state(right) => {
            (*quantifier, Formula::Binary(Quantifier::None, *operator, left.clone(), right.clone()))
        }
        _ => return None,
    };
    match (quantifier, holds) {
        (Quantifier::All, false) => Some(plain),
        (Quantifier::Exists, true) if is_one => Some(Formula::Not(Box::new(plain))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use crate::options::QuotientChoice;
    use crate::quotient;
    use crate::run::replay;
    use crate::tests::build::{net, system, transition};
    use crate::tests::random::Random;
    use crate::witness::{Parts, check};
    use mandala_model::expression::{Comparison, Integer};
    use mandala_model::property::{Atom, BinaryOperator};
    use mandala_model::semantics::Semantics;
    use mandala_model::system::{Location, System, Type};

    /// Some copies of a small random net, which move between three places each, and a place that all share.
    fn copies(random: &mut Random) -> System {
        let count = random.between(2, 3) as u32;
        let mut marking = vec![random.between(1, 2)];
        (0..count).for_each(|_| marking.extend([1, 0, 0]));
        let mut transitions = Vec::new();
        for number in 0..random.between(2, 4) {
            let (from, to) = (random.below(3) as u32, random.below(3) as u32);
            let shared = random.below(3);
            for copy in 0..count {
                let (mut take, mut put) = (vec![1 + 3 * copy + from], vec![1 + 3 * copy + to]);
                match shared {
                    0 => take.push(0),
                    1 => put.push(0),
                    _ => {}
                }
                transitions.push(transition(&format!("t{number}({copy})"), None, &take, &put));
            }
        }
        system(vec![Type::Net(net("copies", &marking, transitions))])
    }

    /// A formula that speaks of all copies alike.
    fn formula(random: &mut Random, places: usize, depth: usize) -> Formula {
        let quantifier = *random.choose(&[Quantifier::All, Quantifier::Exists]);
        if depth == 0 {
            let role = random.below(3);
            let of_role = (0..places as u32).filter(|place| *place > 0 && (place - 1) % 3 == role as u32);
            let sum = of_role.map(|index| Integer::Variable(Location { path: Vec::new(), index })).collect();
            return Formula::Atom(Atom::Compare(
                Comparison::GreaterOrEqual,
                Integer::Sum(sum),
                Integer::Constant(random.between(1, 2)),
            ));
        }
        let mut part = || Box::new(formula(random, places, depth - 1));
        let (one, other) = (part(), part());
        match random.below(6) {
            0 => Formula::Not(one),
            1 => Formula::Unary(quantifier, UnaryOperator::Next, one),
            2 => Formula::Unary(quantifier, UnaryOperator::Globally, one),
            3 => Formula::Unary(quantifier, UnaryOperator::Finally, one),
            4 => Formula::Binary(quantifier, BinaryOperator::Release, one, other),
            _ => Formula::Binary(quantifier, BinaryOperator::Until, one, other),
        }
    }

    /// One by one there are the same verdicts. With all states there are witnesses, which pass the check; without them there are
    /// runs of the model where one is enough.
    #[test]
    fn verdicts_on_representatives_are_shown() {
        let (mut quotients, mut one_by_one, mut trees, mut runs) = (0, 0, 0, [0, 0]);
        for seed in 0..400 {
            let mut random = Random::new(seed);
            let system = copies(&mut random);
            let Type::Net(net) = &system.types[0] else { continue };
            if crate::explore::find_unbounded(&system, 100_000).is_some() {
                continue;
            }
            let formula = formula(&mut random, net.places.len(), 1 + seed as usize % 2);
            let question = Question::Ctl(formula.clone());
            let options = Options { quotient: QuotientChoice::Explore, ..Options::default() };
            let Ok(mut space) = quotient::explore(&system, &options, &[&question]) else { continue };
            if space.encoded.orbit.is_none() {
                continue;
            }
            quotients += 1;
            let context = format!("seed {seed}: {formula:?} of {system:?}");
            let semantics = Semantics::new(&system).unwrap();
            let answer = space.answer(&question, Traces::Wanted);
            let holds = matches!(answer.verdict, Verdict::Holds);
            let mut whole = crate::explore::explore(&system, &Options::default()).unwrap();
            let expected = whole.answer(&question, Traces::Wanted);
            assert_eq!(holds, matches!(expected.verdict, Verdict::Holds), "{context}");
            assert_eq!(answer.trace.is_some(), expected.trace.is_some(), "{context}");
            if let Some(verdict) = space.holds_one_by_one(&formula) {
                assert_eq!(verdict, holds, "{context}");
                one_by_one += 1;
            }
            if let Some(witness) = &answer.witness {
                // What a part says of a state is asked of a space that begins there.
                let parts = Parts::of(&formula);
                let mut known = |part: usize, state: &Vec<i32>| {
                    let mut there = system.clone();
                    let Type::Net(net) = &mut there.types[0] else { return None };
                    net.initial[0].marking = state.to_vec();
                    let semantics = Semantics::new(&there).ok()?;
                    let asked = [Question::Ctl(parts.get(part).clone())];
                    let mut outcome = explicit::answer(&semantics, &asked, &Limits::default(), &Progress::default());
                    outcome.answers.pop()?.verdict.holds()
                };
                check(&semantics, &parts, witness, &mut known).unwrap_or_else(|flaw| panic!("{flaw}: {context}"));
                trees += 1;
            }
            let few = space.shown_within(&formula, holds, 0);
            let is_enough = against_run(&formula, holds, true).is_some();
            match few.trace {
                Some(Ok(found)) => {
                    assert!(is_enough, "{context}");
                    replay(&semantics, &found.trace).unwrap_or_else(|error| panic!("{error:?}: {context}"));
                    runs[usize::from(found.repeats.is_some())] += 1;
                }
                Some(Err(reason)) => assert!(!is_enough, "{reason}: {context}"),
                None => assert!(answer.trace.is_none(), "{context}"),
            }
        }
        let found = format!("{quotients} quotients, {one_by_one} one by one, {trees} trees, {runs:?} runs");
        println!("{found}");
        let is_enough = quotients > 100 && one_by_one > 100 && trees > 40 && runs.iter().all(|&count| count > 5);
        assert!(is_enough, "{found}");
    }
}
