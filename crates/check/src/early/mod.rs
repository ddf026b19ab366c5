//! Answers without the states: by runs that meet what is looked for, and by the state equation.
//!
//! Most questions about large nets are decided by one marking, or by an invariant. So before the states are explored, and when
//! they could not be, questions are taken apart into *goals*, conditions on markings that can be met or not (`claims`); runs
//! look for markings that meet them (`runs`), and the state equation shows of others that no marking does (`refute`); what is left is
//! searched for, the nearest markings first (`nearest`). A goal
//! that is met comes with its run; what was refuted was checked exactly.
//!
//! It is for nets that are a whole model, with one initial marking, no priorities, and no transitions that wait to be called.

pub(crate) mod board;
mod branch;
mod claims;
mod facts;
pub(crate) mod goals;
mod lively;
pub(crate) mod markings;
pub(crate) mod nearest;
mod proof;
mod proofs;
mod refute;
pub(crate) mod relaxed;
pub(crate) mod runs;

use std::cell::OnceCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mandala_analysis::equation::Equation;
use mandala_model::net::Net;
use mandala_model::property::{Formula, Question};
use mandala_model::semantics::{Semantics, Step};
use mandala_model::system::{Event, Location, System, Type};
use rustc_hash::FxHashMap;

use crate::answer::Verdict;
use crate::limits::Limits;
use crate::run::{FiniteRuns, Found, Trace};
use board::{Board, Rules};
use claims::{Claim, Next, Reader};
use facts::Fact;
use goals::{Condition, Goals};
use lively::Again;
use nearest::{Outcome, Search};
pub use proof::{Proof, ProofCase};
use relaxed::Relaxed;
use runs::{Runner, Sightings, Way};

/// How many run at a time. It does not depend on the machine, because what they find does.
const RUNNERS: u64 = 2;
/// How many goals at least share the work of directed runs.
const FEWEST_GOALS: u64 = 8;

/// How many times the work of a directed run a search has that keeps what it has seen.
const MORE_FOR_SEARCHES: u64 = 4;
/// How often is looked for what is the same in all markings.
const LOOKS_AT_FACTS: u32 = 2;

/// How much is done.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Work of runs at random; those that are directed get as much for each of a few goals, or share that among many.
    pub work: u64,
    /// How many systems of inequalities are looked at for each goal.
    pub systems: u32,
    /// The most time for these, all together.
    pub time: Duration,
}

/// Questions about a net, and what is known of them.
pub struct Early<'s> {
    net: &'s Net,
    initial: &'s [i32],
    questions: Vec<Asked>,
    /// For each question, the answer that nothing one could look at would show, if there is one.
    unseen: Vec<Option<bool>>,
    goals: Arc<Goals>,
    /// The token game, once somebody runs.
    rules: Option<Rules<'s>>,
    sightings: Option<Sightings>,
    /// Goals that no marking meets.
    refuted: Vec<bool>,
    /// For each goal, how many systems were looked at in vain.
    tried: Vec<u32>,
    /// For each sum whose extremes are asked for, whether the least and the greatest value that were seen are known to be so.
    proven: Vec<(bool, bool)>,
    /// For each of these, what was to be shown the last time, and with how many systems.
    tried_extremes: Vec<Option<(i64, i64, u32)>>,
    equation: Option<Option<Equation>>,
    /// For each goal that is refuted, what shows it, if that is not too long.
    proofs: Vec<Option<Proof>>,
    /// For each goal that is one of very many things, how many of these are refuted, from the first on.
    refuted_parts: Vec<usize>,
    /// For each goal, how many systems were looked at with what solutions are not.
    branched: Vec<u32>,
    /// What these looks know.
    known: branch::Known,
    /// Parts of formulas that may be the same in all markings, and how often they were looked at.
    facts: Vec<Fact>,
    looks_at_facts: u32,
    /// How often was looked.
    rounds: u64,
}

/// What is looked for, the nearest markings first.
#[derive(Clone, Copy)]
enum Target {
    Goal(usize),
    /// More than was seen of a sum whose extremes are asked for, by its place.
    More(usize),
    /// Less than was seen of it.
    Less(usize),
}

/// What a question comes down to.
enum Asked {
    Claim(Claim),
    /// Whether transitions can always fire again, and what speaks against it.
    Again(Claim, Again),
    /// The extremes of the sum with this number among those that are asked for, with a constant to be added.
    Extremes(usize, i64),
}

impl<'s> Early<'s> {
    /// Questions about a system, if it is a net of the kind that this is for.
    pub fn new(system: &'s System, questions: &[Option<&Question>], finite_runs: FiniteRuns) -> Option<Early<'s>> {
        let Type::Net(net) = system.main_type() else { return None };
        let [begin] = system.begins[..] else { return None };
        let waits = net.transitions.iter().any(|transition| transition.label.is_some());
        if waits || net.has_priorities() {
            return None;
        }
        let initial = &net.initial.get(begin)?.marking;
        let semantics = Semantics::new(system).ok()?;
        let initially = |formula: &Formula| semantics.evaluate(formula, initial).ok();
        let successors: OnceCell<Option<Vec<Step>>> = OnceCell::new();
        let next = |formula: &Formula| {
            let after = successors.get_or_init(|| semantics.successors(initial).ok()).as_ref()?;
            let truths = after.iter().map(|step| semantics.evaluate(formula, &step.state).ok());
            let truths: Vec<bool> =
                if after.is_empty() { vec![initially(formula)?] } else { truths.collect::<Option<_>>()? };
            let (in_all, in_some) = (truths.iter().all(|truth| *truth), truths.contains(&true));
            Some(Next { in_all, in_some, is_dead: after.is_empty() })
        };
        let mut goals = Goals::default();
        let mut facts = Vec::new();
        let mut read = Vec::with_capacity(questions.len());
        for question in questions {
            let asked = match question {
                Some(Question::Bounds(quantity)) => goals.add_extremes(net, quantity).map(|(sum, constant)| {
                    let place = goals.extremes.iter().position(|&known| known == sum).unwrap_or_default();
                    Asked::Extremes(place, constant)
                }),
                Some(question) => {
                    let mut reader = Reader { net, goals: &mut goals, finite_runs, initially: &initially, next: &next };
                    let claim = reader.question(question);
                    Some(match Again::new(net, question) {
                        Some(again) => Asked::Again(claim, again),
                        None => Asked::Claim(claim),
                    })
                }
                None => None,
            };
            read.push(asked.unwrap_or(Asked::Claim(Claim::Open)));
        }
        for question in questions.iter().flatten() {
            // Where runs that end do not count there may be none at all, and constants are not what they seem.
            if let (Question::Ctl(formula) | Question::Ltl(formula), FiniteRuns::Stutter) = (question, finite_runs) {
                facts::collect(net, &mut goals, formula, &mut facts);
            }
        }
        Some(Early {
            net,
            initial,
            questions: read,
            unseen: questions.iter().map(|question| proof::unseen((*question)?)).collect(),
            refuted: vec![false; goals.conditions.len()],
            tried: vec![0; goals.conditions.len()],
            proven: vec![(false, false); goals.extremes.len()],
            tried_extremes: vec![None; goals.extremes.len()],
            proofs: vec![None; goals.conditions.len()],
            refuted_parts: vec![0; goals.conditions.len()],
            branched: vec![0; goals.conditions.len()],
            goals: Arc::new(goals),
            rules: None,
            sightings: None,
            equation: None,
            known: branch::Known::default(),
            facts,
            looks_at_facts: 0,
            rounds: 0,
        })
    }

    /// The verdict on a question, if it is known.
    pub fn verdict(&self, question: usize) -> Option<Verdict> {
        match self.questions.get(question)? {
            Asked::Claim(claim) => claim.truth(&|goal| self.is_met(goal)).map(Verdict::of),
            Asked::Again(..) if self.is_lost() => None,
            Asked::Again(claim, again) => {
                again.truth.or_else(|| claim.truth(&|goal| self.is_met(goal))).map(Verdict::of)
            }
            Asked::Extremes(place, constant) => {
                let (least, greatest) = self.sightings.as_ref()?.extremes[*place];
                let (least, greatest) = (least.checked_add(*constant)?, greatest.checked_add(*constant)?);
                (self.proven[*place] == (true, true)).then_some(Verdict::Bounds { least, greatest })
            }
        }
    }

    /// A formula of CTL or LTL without what is known to be the same in all markings.
    pub fn simplified(&self, question: &Question) -> Question {
        let truth = |formula: &Formula| {
            let fact = self.facts.iter().find(|fact| fact.formula == *formula)?;
            match (self.is_met(fact.holds), self.is_met(fact.fails)) {
                (Some(false), _) => Some(false),
                (_, Some(false)) => Some(true),
                _ => None,
            }
        };
        match question {
            _ if self.facts.is_empty() => question.clone(),
            Question::Ctl(formula) => Question::Ctl(facts::simplified(formula, &truth)),
            Question::Ltl(formula) => Question::Ltl(facts::simplified(formula, &truth)),
            other => other.clone(),
        }
    }

    /// The verdict that proofs alone give, if there is no run and no state that would show it.
    pub fn proven(&self, question: usize) -> Option<Verdict> {
        if self.is_lost() {
            return None;
        }
        let truth = |claim: &Claim| claim.truth(&|goal| self.refuted[goal].then_some(false));
        let holds = match self.questions.get(question)? {
            Asked::Claim(claim) => truth(claim),
            Asked::Again(claim, again) => again.truth.filter(|&lives| lives).or_else(|| truth(claim)),
            Asked::Extremes(..) => None,
        };
        holds.filter(|&holds| self.unseen[question] == Some(holds)).map(Verdict::of)
    }

    /// What shows a verdict that proofs alone give, where it is about one condition.
    pub fn proof(&self, question: usize) -> Option<&Proof> {
        self.proven(question)?;
        let (Asked::Claim(claim) | Asked::Again(claim, _)) = self.questions.get(question)? else { return None };
        let mut claim = claim;
        while let Claim::Not(inner) = claim {
            claim = inner;
        }
        match claim {
            Claim::Met(goal) => self.proofs[*goal].as_ref(),
            _ => None,
        }
    }

    /// The run to the marking that shows a verdict, if there is one marking that does.
    pub fn trace(&self, question: usize) -> Option<Found> {
        if let Asked::Again(_, Again { run: Some(run), .. }) = self.questions.get(question)? {
            return Some(Found { trace: self.written(run)?, shortest: run.is_empty(), repeats: None });
        }
        let goal = match self.questions.get(question)? {
            Asked::Claim(Claim::Met(goal)) => *goal,
            Asked::Claim(Claim::Not(inner)) => match **inner {
                Claim::Met(goal) => goal,
                _ => return None,
            },
            _ => return None,
        };
        let run = self.sightings.as_ref()?.met[goal].as_ref()?;
        Some(Found { trace: self.written(run)?, shortest: run.is_empty(), repeats: None })
    }

    /// Whether nothing is left that this could find out.
    pub fn is_done(&self) -> bool {
        let is_open = |question: usize| match &self.questions[question] {
            Asked::Claim(claim) => {
                let mut goals = Vec::new();
                claim.goals(&mut goals);
                self.verdict(question).is_none() && goals.iter().any(|&goal| self.is_met(goal).is_none())
            }
            Asked::Extremes(..) | Asked::Again(..) => self.verdict(question).is_none(),
        };
        self.is_lost() || !(0..self.questions.len()).any(is_open)
    }

    /// Whether a place came to hold more tokens than can be counted.
    fn is_lost(&self) -> bool {
        self.sightings.as_ref().is_some_and(|seen| seen.overflow)
    }

    fn is_met(&self, goal: usize) -> Option<bool> {
        // Whether there is an error of the model is for others to say.
        if self.is_lost() {
            return None;
        }
        if self.refuted[goal] {
            return Some(false);
        }
        self.sightings.as_ref().and_then(|seen| seen.met[goal].is_some().then_some(true))
    }

    /// The goals that questions still depend on.
    fn wanted(&self) -> Vec<usize> {
        let mut wanted = Vec::new();
        for (index, question) in self.questions.iter().enumerate() {
            if let (Asked::Claim(claim) | Asked::Again(claim, _), None) = (question, self.verdict(index)) {
                claim.goals(&mut wanted);
            }
        }
        wanted.sort_unstable();
        wanted.dedup();
        wanted.retain(|&goal| self.is_met(goal).is_none());
        wanted
    }

    /// The sums whose extremes are asked for and not known, by their place.
    fn wanted_extremes(&self) -> Vec<usize> {
        (0..self.proven.len()).filter(|&place| self.proven[place] != (true, true)).collect()
    }

    /// Looks for what questions still depend on: runs first, then the state equation.
    pub fn look(&mut self, effort: Effort, keeps_runs: bool, limits: &Limits) {
        if self.is_done() && !self.has_open_facts() {
            return;
        }
        let (wanted, extremes) = (self.wanted(), self.wanted_extremes());
        // Each way, with its part of the work.
        let mut ways: Vec<Way> = wanted.iter().map(|&goal| Way::Goal(goal)).collect();
        for &place in &extremes {
            let sum = self.goals.extremes[place];
            ways.extend([true, false].map(|largest| Way::Extreme { sum, largest }));
        }
        let share = effort.work.saturating_mul(FEWEST_GOALS) / FEWEST_GOALS.max(ways.len() as u64);
        self.run(effort.work, &ways, share, keeps_runs, limits);
        self.look_again(effort.work, limits);
        let time = |part: u32| {
            let time = Instant::now().checked_add(effort.time / part);
            [time, limits.deadline].into_iter().flatten().min()
        };
        if let Some(deadline) = time(1) {
            self.refute(effort.systems, deadline, limits);
        }
        self.search(share.saturating_mul(MORE_FOR_SEARCHES), limits);
        if let Some(deadline) = time(2) {
            let plans = self.plans(deadline, limits);
            self.run(0, &plans, share, keeps_runs, limits);
        }
        // Where runs have seen more than before, that may be all there is.
        if let Some(deadline) = time(2) {
            self.refute(effort.systems, deadline, limits);
        }
        // Each system takes longer here: with less time, so that others have theirs.
        if let Some(deadline) = time(4).filter(|_| effort.systems >= proofs::FEWEST_FOR_BRANCHES) {
            self.refute_by_branches(effort.systems, deadline, limits);
        }
        if let Some(deadline) = time(1).filter(|_| self.has_open_facts()) {
            self.refute_facts(effort.systems, deadline, limits);
            self.looks_at_facts += 1;
        }
        self.rounds += 1;
    }

    /// Looks whether transitions can always fire again.
    fn look_again(&mut self, work: u64, limits: &Limits) {
        let is_open = |one: &Asked| matches!(one, Asked::Again(_, again) if again.truth.is_none());
        if self.is_lost() || !self.questions.iter().any(is_open) {
            return;
        }
        let goals = &self.goals;
        let rules = &*self.rules.get_or_insert_with(|| Rules::new(self.net, self.initial, Arc::clone(goals)));
        for question in &mut self.questions {
            let Asked::Again(_, again) = question else { continue };
            if again.look(rules, self.initial, work, self.rounds, limits) {
                let goals = self.goals.conditions.iter().enumerate();
                for (goal, _) in goals.filter(|(_, condition)| **condition == Condition::Dead) {
                    self.refuted[goal] = true;
                    self.proofs[goal].get_or_insert(Proof::MarkedTraps);
                }
            }
        }
    }

    /// Whether something may still be found out about what is the same in all markings.
    fn has_open_facts(&self) -> bool {
        self.looks_at_facts < LOOKS_AT_FACTS && !self.is_lost() && !self.facts.is_empty()
    }

    /// Looks for what was neither seen nor refuted, the nearest markings first, with so much work for each.
    fn search(&mut self, work: u64, limits: &Limits) {
        let mut targets: Vec<Target> = self.wanted().into_iter().map(Target::Goal).collect();
        for place in self.wanted_extremes() {
            let (is_least, is_most) = self.proven[place];
            targets.extend((!is_most).then_some(Target::More(place)));
            targets.extend((!is_least).then_some(Target::Less(place)));
        }
        let Some(seen) = self.sightings.as_ref().filter(|seen| !seen.overflow && !targets.is_empty()) else { return };
        let goals = &self.goals;
        let rules = &*self.rules.get_or_insert_with(|| Rules::new(self.net, self.initial, Arc::clone(goals)));
        let conditions = targets.iter().map(|target| match *target {
            Target::Goal(goal) => goals.conditions[goal].clone(),
            Target::More(place) => Condition::AtLeast(goals.extremes[place], seen.extremes[place].1.saturating_add(1)),
            Target::Less(place) => Condition::AtMost(goals.extremes[place], seen.extremes[place].0.saturating_sub(1)),
        });
        let conditions: Vec<Condition> = conditions.collect();
        let rounds = self.rounds;
        let one = |number: usize| {
            let mine = (0..conditions.len()).skip(number).step_by(RUNNERS as usize);
            let (start, mut relaxed) = (Board::new(rules), Relaxed::new(rules.net));
            let run = |index: usize| {
                let seed = rounds * conditions.len() as u64 + index as u64;
                let search = Search::new(start.clone(), &conditions[index], &mut relaxed, seed, limits);
                (index, search.run(work, limits))
            };
            mine.map(run).collect::<Vec<(usize, Outcome)>>()
        };
        let one = &one;
        let found = std::thread::scope(|scope| {
            let others: Vec<_> = (1..RUNNERS as usize).map(|number| scope.spawn(move || one(number))).collect();
            let mut found = one(0);
            found.extend(others.into_iter().filter_map(|other| other.join().ok()).flatten());
            found
        });
        let mut runner = Runner::new(rules, 0, self.sightings.as_ref(), true);
        for (index, outcome) in found {
            match (outcome, targets[index]) {
                (Outcome::Met(run), _) => runner.follow(&run),
                (Outcome::Never, Target::Goal(goal)) => self.refuted[goal] = true,
                (Outcome::Never, Target::More(place)) => self.proven[place].1 = true,
                (Outcome::Never, Target::Less(place)) => self.proven[place].0 = true,
                (Outcome::Overflow, _) => runner.sightings.overflow = true,
                (Outcome::Unknown, _) => {}
            }
        }
        self.sightings = Some(runner.sightings);
    }

    /// Runs at random, and then in some ways, which are shared among those who run.
    fn run(&mut self, work: u64, ways: &[Way], share: u64, keeps_runs: bool, limits: &Limits) {
        if work == 0 && ways.is_empty() {
            return;
        }
        let goals = &self.goals;
        let rules = &*self.rules.get_or_insert_with(|| Rules::new(self.net, self.initial, Arc::clone(goals)));
        let (known, rounds) = (self.sightings.as_ref(), self.rounds);
        let one = |number: u64| {
            let seed = rounds * RUNNERS + number;
            let mut runner = Runner::new(rules, seed, known, keeps_runs);
            let first = if (rounds + number).is_multiple_of(2) { Way::Random } else { Way::Fair };
            let mut goes_on = work == 0 || runner.run(&first, work, limits);
            for way in ways.iter().skip(number as usize).step_by(RUNNERS as usize) {
                if !goes_on || runner.is_done() {
                    break;
                }
                goes_on = runner.run(way, share, limits);
            }
            runner.sightings
        };
        let one = &one;
        let found = std::thread::scope(|scope| {
            let others: Vec<_> = (1..RUNNERS).map(|number| scope.spawn(move || one(number))).collect();
            let mut found = vec![one(0)];
            found.extend(others.into_iter().filter_map(|other| other.join().ok()));
            found
        });
        for sightings in found {
            match &mut self.sightings {
                Some(known) => known.merge(sightings),
                none => *none = Some(sightings),
            }
        }
    }

    /// A run with its markings, without the detours that come back to a marking.
    fn written(&self, run: &[u32]) -> Option<Trace> {
        let mut trace: Trace = Trace { initial: self.initial.to_vec(), steps: Vec::new() };
        let mut at: FxHashMap<Vec<i32>, usize> = FxHashMap::default();
        at.insert(self.initial.to_vec(), 0);
        for &transition in run {
            let mut marking = trace.last().clone();
            for effect in &self.net.transitions.get(transition as usize)?.effects {
                let place = effect.place as usize;
                marking[place] = effect.apply(marking[place], self.net.places[place].capacity).ok()??;
            }
            if let Some(&before) = at.get(&marking) {
                for step in trace.steps.drain(before..) {
                    at.remove(&step.state);
                }
                continue;
            }
            let location = Location { path: Vec::new(), index: transition };
            at.insert(marking.clone(), trace.steps.len() + 1);
            trace.steps.push(Step { event: Event { location, through: Vec::new() }, state: marking });
        }
        Some(trace)
    }
}
