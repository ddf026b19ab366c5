//! Questions to a state space.

use mandala_model::property::{Formula, Question};
use mandala_symbolic::encode::{Encoding, Quantity, Refusal};

use crate::answer::{Answer, NO_VALUES, Traces, Verdict};
use crate::budget::within_budget;
use crate::select::without_error_state;
use crate::space::Space;
use crate::space::TOLD_APART;

impl<E: Encoding> Space<E> {
    /// Answers a question about the reachable states, as far as the states of the space decide it: where it holds only a
    /// part of them, what they cannot decide is unknown; where it holds representatives, questions that tell apart what its
    /// symmetries map to each other are unknown.
    pub fn answer(&mut self, question: &Question<E::Formalism>, traces: Traces) -> Answer<E::Formalism> {
        if !self.preserves(question) {
            return Answer::unknown(TOLD_APART);
        }
        match question {
            Question::Reachable(formula) => self.search(formula, Verdict::Holds, Verdict::Fails, traces),
            Question::Never(formula) => self.search(formula, Verdict::Fails, Verdict::Holds, traces),
            Question::Invariant(formula) => {
                let negation = Formula::Not(Box::new(formula.clone()));
                self.search(&negation, Verdict::Fails, Verdict::Holds, traces)
            }
            Question::Bounds(quantity) => match self.bounds(quantity) {
                Ok(Some((least, greatest))) if self.is_complete() => Answer::plain(Verdict::Bounds { least, greatest }),
                Ok(Some((least, greatest))) => {
                    Answer::unknown(format!("not all states are known; so far from {least} to {greatest}"))
                }
                Ok(None) => Answer::unknown(NO_VALUES),
                Err(refusal) => Answer::unknown(refusal),
            },
            Question::Ctl(formula) => self.answer_ctl(formula, traces),
            Question::Live(transitions) => self.answer_live(transitions, traces),
            Question::Ltl(formula) => self.answer_ltl(formula, traces),
            Question::CtlStar(formula) => self.answer_ctl_star(formula),
        }
    }

    /// An answer that takes no more than so much work ([`Limits::work`](mandala_diagram::Limits::work)); nothing if it
    /// takes more, or what shows it does. What was found on the way is there when it is asked again.
    pub fn answer_within(
        &mut self, work: u64, ask: impl FnOnce(&mut Self) -> Answer<E::Formalism>,
    ) -> Option<Answer<E::Formalism>> {
        let (answer, is_spent) = within_budget(self, work, |space| (ask(space), space.encoded.store.is_out_of_work()));
        let is_all = !answer.verdict.is_unknown() && !matches!(answer.trace, Some(Err(_)));
        (is_all || !is_spent).then_some(answer)
    }

    /// The least and the greatest value of a quantity; the error state has none, and nothing is found if it is the only one.
    fn bounds(&mut self, quantity: &Quantity<E>) -> Result<Option<(i64, i64)>, Refusal> {
        let states = without_error_state(&mut self.encoded, self.states.clone())?;
        if states.is_empty() {
            return Ok(None);
        }
        E::extremes(&mut self.encoded, quantity, &states).map(Some)
    }
}

/// Attempts to get an answer that is wrong.
#[cfg(test)]
mod tests {
    use mandala_diagram::Error;
    use mandala_model::property::{Quantifier, Question};
    use mandala_model::system::System;
    use mandala_symbolic::encode::Layouts;

    use super::*;
    use crate::claim::Forbidden;
    use crate::explore::candidate::LaidOut;
    use crate::explore::{Stopped, SystemStopped, attempt_by, enough, explore};
    use crate::options::Options;
    use crate::options::QuotientChoice;
    use crate::space::{Coverage, Description, SystemSpace};
    use crate::tests::formulas::{ctl, events, state_formula, sum, temporal, variables};
    use crate::tests::random::{Leaves, Random, factor, flat, nested, small};

    /// One question of every kind, about any variables and events.
    fn questions(random: &mut Random, system: &System) -> Vec<Question> {
        let (variables, events) = (variables(system), events(system));
        let state = |random: &mut Random| state_formula(random, &variables, &events, 1);
        let ltl = temporal(random, &[Quantifier::None], &state, 2);
        vec![
            Question::Reachable(state(random)),
            Question::Invariant(state(random)),
            Question::Never(state(random)),
            Question::Bounds(sum(random, &variables)),
            Question::Ctl(ctl(random, &variables, &events, 2)),
            Question::Live(events.chunks(2).take(2).map(<[_]>::to_vec).collect()),
            Question::Ltl(ltl),
            Question::CtlStar(temporal(random, &[Quantifier::None, Quantifier::All, Quantifier::Exists], &state, 3)),
        ]
    }

    /// Asks everything of a space that does not hold all states one by one, and compares what it dares to say.
    fn asked(space: &mut SystemSpace<'_>, system: &System, seed: u64, said: &mut [u64; 2]) {
        let mut whole = explore(system, &Options::default()).unwrap_or_else(|stopped| panic!("{stopped}: {seed}"));
        let mut random = Random::new(seed);
        for question in questions(&mut random, system) {
            let context = format!("seed {seed}: {question:?} of {system:?}");
            let expected = whole.answer(&question, Traces::Unwanted).verdict;
            let mut verdicts = vec![space.answer(&question, Traces::Unwanted).verdict];
            if let Question::Ltl(formula) = &question {
                let forbidden = Forbidden::against(formula).expect("a small automaton");
                verdicts.push(space.answer_forbidden(&forbidden, Traces::Unwanted).verdict);
            }
            if let Question::Reachable(formula) = &question
                && let Ok(count) = space.count_where(formula)
            {
                assert_eq!(Some(count), whole.count_where(formula).ok(), "{context}");
            }
            for verdict in verdicts {
                said[usize::from(!verdict.is_unknown())] += 1;
                assert!(verdict.is_unknown() || verdict == expected, "{verdict:?}, not {expected:?}: {context}");
            }
        }
        if let Ok(figures) = space.figures() {
            assert_eq!(figures.states, whole.count(), "seed {seed}: {system:?}");
        }
    }

    /// The states that some steps lead to, as if a limit had struck then.
    fn some_steps<'a>(
        system: &'a System, options: &Options, steps: usize,
    ) -> Result<SystemSpace<'a>, SystemStopped<'a>> {
        let laid_out = LaidOut { system, layouts: Layouts::default(), description: Description::default(), model: 0 };
        attempt_by(&laid_out, options, None, |encoded| {
            let step = encoded.store.sum(&encoded.relation);
            let mut reached = encoded.initial.clone();
            for _ in 0..steps {
                let next = encoded.store.apply(&step, &reached)?;
                reached = encoded.store.union(&reached, &next)?;
            }
            Err(Error::Work { reached: Some(reached) })
        })
    }

    /// A part of the states says nothing about the rest of them.
    #[test]
    fn a_part_of_the_states_does_not_answer_for_all() {
        let (mut parts, mut said) = (0, [0; 2]);
        let generate = |seed| if seed % 3 == 0 { nested(seed, Leaves::Both) } else { flat(seed, Leaves::Both) };
        for (seed, system, _) in small(0..1500 * factor(), 300, generate) {
            for steps in 0..3 {
                let Err(Stopped::Limit { partial: Some(mut space), .. }) =
                    some_steps(&system, &Options::default(), steps)
                else {
                    continue;
                };
                assert_eq!(space.coverage(), Coverage::Part);
                asked(&mut space, &system, seed, &mut said);
                assert!(space.figures().is_err(), "seed {seed}: {system:?}");
                parts += 1;
            }
        }
        println!("{parts} parts, {said:?} unknown and known");
        assert!(parts > 200 && said[0] > 500 && said[1] > 200, "{parts} {said:?}");
    }

    /// States that were enough for one question are not taken to be enough for others.
    #[test]
    fn what_is_enough_for_one_question_is_not_for_another() {
        let (mut times, mut said) = (0, [0; 2]);
        for (seed, system, _) in small(0..1500 * factor(), 300, |seed| flat(seed, Leaves::Both)) {
            let mut random = Random::new(seed + 1);
            let goal = Question::Reachable(state_formula(&mut random, &variables(&system), &events(&system), 1));
            let options = Options { goals: [goal].into(), ..Options::default() };
            let Ok(mut space) = enough(&options, some_steps(&system, &options, 1)) else { continue };
            if space.coverage() == Coverage::Enough {
                asked(&mut space, &system, seed, &mut said);
                times += 1;
            }
        }
        println!("{times} times enough, {said:?} unknown and known");
        assert!(times > 50 && said[0] > 100 && said[1] > 50, "{times} {said:?}");
    }

    /// Representatives answer only what does not tell apart what they stand for.
    #[test]
    fn representatives_do_not_answer_for_others() {
        let (mut quotients, mut said) = (0, [0; 2]);
        for (seed, system, _) in small(0..3000 * factor(), 300, |seed| flat(seed, Leaves::Both)) {
            for quotient in
                [QuotientChoice::Explore, QuotientChoice::List, QuotientChoice::Select, QuotientChoice::Automatic]
            {
                let options = Options { quotient, ..Options::default() };
                let Ok(mut space) = crate::quotient::explore(&system, &options, &[]) else { continue };
                if space.quotient().is_some() {
                    asked(&mut space, &system, seed, &mut said);
                    quotients += 1;
                }
            }
        }
        println!("{quotients} quotients, {said:?} unknown and known");
        assert!(quotients > 100 && said[0] > 100 && said[1] > 100, "{quotients} {said:?}");
    }

    /// Work that is stopped anywhere leaves nothing behind that makes a later answer wrong, and budgets are kept.
    #[test]
    fn what_was_stopped_is_asked_again() {
        let (mut stopped, mut asked) = (0, 0);
        for (seed, system, _) in small(0..250 * factor(), 200, |seed| flat(seed, Leaves::Both)) {
            let mut whole = explore(&system, &Options::default()).unwrap_or_else(|stopped| panic!("{stopped}: {seed}"));
            let mut space = explore(&system, &Options::default()).unwrap_or_else(|stopped| panic!("{stopped}: {seed}"));
            space.encoded.store.collect_at_every(5);
            let mut random = Random::new(seed);
            for question in questions(&mut random, &system) {
                let context = format!("seed {seed}: {question:?} of {system:?}");
                let expected = whole.answer(&question, Traces::Unwanted).verdict;
                for looks in [0, 3, 10, 30, 100] {
                    space.encoded.store.stop_in(Some(looks));
                    let verdict = space.answer(&question, Traces::Unwanted).verdict;
                    assert!(verdict.is_unknown() || verdict == expected, "{verdict:?}, not {expected:?}: {context}");
                    stopped += u64::from(verdict.is_unknown());
                }
                space.encoded.store.stop_in(None);
                if let Some(answer) = space.answer_within(0, |space| space.answer(&question, Traces::Unwanted)) {
                    assert_eq!(answer.verdict, expected, "{context}");
                }
                assert_eq!(space.answer(&question, Traces::Unwanted).verdict, expected, "{context}");
                asked += 1;
            }
        }
        println!("{asked} asked, {stopped} stopped");
        assert!(asked > 500 && stopped > asked, "{asked} {stopped}");
    }
}
