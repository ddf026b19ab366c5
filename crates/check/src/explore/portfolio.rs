//! Several layouts, each tried a little.
//!
//! No order of variables wins everywhere, and what an order is worth shows when it is used. So layouts compete in rounds:
//! each may do a certain amount of work, the same for all; who finishes has won, and who does not may come back in the
//! next round, which has fewer places and more work. Work is counted in nodes, not in seconds, and of several that finish
//! in one round the most promising wins: the result does not depend on the machine, nor on how many of its cores are used.
//!
//! What a layout has found until then is looked at: if it is enough to answer all that was asked, that layout has won, too.
//!
//! If the first rounds bring no end, and no more states than could be enumerated one by one, that is tried beside the
//! layouts of the later rounds; for programs, whose diagrams are the dearest, beside those of all rounds.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use mandala_analysis::structure::cover::Witness;
use mandala_diagram::{Cancel, Error, Strategy};
use mandala_symbolic::encode::Encoding;

use super::candidate::Candidate;
use super::layouts::in_turn;
use super::{Stopped, attempt, enough};
use crate::limits::Limits;
use crate::options::{Options, OptionsFor};
use crate::space::{Coverage, Space};

/// A round: how much work each candidate may do, how many candidates take part, and how many states may be enumerated
/// beside them.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    work: u64,
    places: usize,
    states: usize,
}

/// The rounds of a competition. The candidate that is left in the end runs without a limit. Before the first round in
/// which states may be enumerated, it is asked at length whether there is an end to find at all.
pub(crate) type Rounds = &'static [Effort];

const fn effort(work: u64, places: usize, states: usize) -> Effort {
    Effort { work, places, states }
}

/// For nets: states are enumerated only if layouts do not get far.
pub(crate) const OF_NETS: Rounds = &[
    effort(100_000, 32, 0),
    effort(600_000, 20, 0),
    effort(4_000_000, 8, 32_000_000),
    effort(20_000_000, 3, 160_000_000),
];

/// For programs: to enumerate few states is cheaper than many diagrams.
pub(crate) const OF_PROGRAMS: Rounds = &[
    effort(20_000, 1, 120_000),
    effort(800_000, 4, 800_000),
    effort(2_000_000, 12, 4_000_000),
    effort(4_000_000, 8, 20_000_000),
    effort(20_000_000, 3, 100_000_000),
];

/// How many candidates run at a time.
const MOST_AT_A_TIME: usize = 2;

/// States that are found one by one. It can be stopped and taken up again.
pub(crate) trait Enumerable<E: Encoding>: Send {
    /// Goes on until it comes to its end, or until there are more than `most` states. After [`Error::Work`] it can be taken
    /// up again.
    fn run(&mut self, options: &OptionsFor<E>, most: usize) -> Result<(), Error>;

    /// The state space, once it has come to its end.
    fn into_space(self: Box<Self>, options: &OptionsFor<E>) -> Result<Space<E>, Stopped<E>>;
}

/// What is asked of a model only if it turns out to be hard.
pub(crate) struct LastResorts<'d, E> {
    /// Whether it is unbounded.
    pub(crate) unbounded: Box<dyn Fn() -> Option<Witness> + 'd>,
    /// Whether it can be enumerated.
    pub(crate) enumerable: Box<dyn Fn() -> Option<Box<dyn Enumerable<E> + 'd>> + 'd>,
    /// How much of all this.
    pub(crate) rounds: Rounds,
}

impl<'d, E> LastResorts<'d, E> {
    /// Nothing, for a model of which nothing more is known.
    pub(crate) fn none(rounds: Rounds) -> LastResorts<'d, E> {
        LastResorts { unbounded: Box::new(|| None), enumerable: Box::new(|| None), rounds }
    }
}

/// Finds more layouts.
type Lesson<'p, C> = Box<dyn FnOnce(&OptionsFor<<C as Candidate>::Encoding>) -> Learned<C> + 'p>;

/// Layouts that are found once the first round was not enough.
pub(crate) struct Learned<C> {
    /// Those that are more promising than all others.
    pub(crate) first: Vec<C>,
    /// Lists of those that take turns with the others, but for the first few of them.
    pub(crate) among: Vec<Vec<C>>,
}

/// So many stay in front of what takes turns with the others: one of them mostly comes to its end in the second round.
const STAY_IN_FRONT: usize = 3;

/// Layouts that compete. It can be left after a round and taken up again.
pub(crate) struct Portfolio<'p, C: Candidate> {
    layouts: Vec<C>,
    resorts: LastResorts<'p, C::Encoding>,
    /// Those that still take part, the most promising first.
    candidates: Vec<usize>,
    enumerable: Option<Box<dyn Enumerable<C::Encoding> + 'p>>,
    /// Finds more layouts, which takes some work: asked once the first round is over.
    lesson: Option<Lesson<'p, C>>,
    /// How many rounds are over.
    rounds: usize,
    /// Whether the last resorts have not been asked.
    is_easy: bool,
    /// The most states that anyone found, as the exponent of a power of ten.
    most_found: f64,
    failure: Option<Stopped<C::Encoding>>,
    /// The most that a layout has found in a round that is over, if that takes little memory: should the time end before another
    /// one finds more, this is what is known.
    found: Option<Box<Space<C::Encoding>>>,
}

impl<'p, C: Candidate> Portfolio<'p, C> {
    /// Layouts, the most promising first.
    pub(crate) fn new(layouts: Vec<C>, resorts: LastResorts<'p, C::Encoding>) -> Self {
        let candidates = (0..layouts.len()).collect();
        Portfolio {
            layouts,
            resorts,
            candidates,
            enumerable: None,
            lesson: None,
            rounds: 0,
            is_easy: true,
            most_found: 0.0,
            failure: None,
            found: None,
        }
    }

    /// With more layouts to be found if the first round is not enough.
    pub(crate) fn with_lesson(self, lesson: Lesson<'p, C>) -> Self {
        Portfolio { lesson: Some(lesson), ..self }
    }

    /// Goes on until something is found, or a limit of the user strikes. Whatever ends it, something is known of the states.
    pub(crate) fn run(mut self, options: &OptionsFor<C::Encoding>) -> Outcome<C::Encoding> {
        match self.compete(options) {
            Err(Stopped::Limit {
                error: error @ (Error::Time { .. } | Error::Cancelled { .. } | Error::Memory { .. }),
                partial,
            }) => {
                let failed = match self.failure.take() {
                    Some(Stopped::Limit { partial, .. }) => partial,
                    _ => None,
                };
                let known = more_of(more_of(self.found.take(), failed), partial);
                Err(Stopped::Limit { error, partial: known.or_else(|| nearby(options, &self.layouts)) })
            }
            result => result,
        }
    }

    fn compete(&mut self, options: &OptionsFor<C::Encoding>) -> Outcome<C::Encoding> {
        while self.rounds < self.resorts.rounds.len() {
            if let Some(result) = self.round(options) {
                return result;
            }
        }
        self.last(options, None)
    }

    /// The next round, if there is one. Nothing if nobody comes to an end in it.
    pub(crate) fn round(&mut self, options: &OptionsFor<C::Encoding>) -> Option<Outcome<C::Encoding>> {
        if self.rounds == 0
            && let Some(space) = look_around(options, &self.layouts)
        {
            return Some(Ok(space));
        }
        let &Effort { work, places, states } = self.resorts.rounds.get(self.rounds)?;
        if self.rounds == 1
            && let Some(lesson) = self.lesson.take()
        {
            self.learn(lesson(options));
        }
        self.rounds += 1;
        if states > 0 && std::mem::take(&mut self.is_easy) {
            if let Some(witness) = (self.resorts.unbounded)() {
                return Some(Err(Stopped::Unbounded(witness)));
            }
            if options.strategy == Strategy::Saturation {
                self.enumerable = (self.resorts.enumerable)();
            }
        }
        if self.most_found > (states as f64).log10() {
            self.enumerable = None;
        }
        let taking_part = &self.candidates[..places.min(self.candidates.len())];
        if taking_part.is_empty() && self.enumerable.is_none() {
            return None;
        }
        let enumerable = Mutex::new(self.enumerable.take());
        if taking_part.len() > 1 {
            let doing = format!("trying {} orders, round {}", taking_part.len(), self.rounds);
            options.progress.set_doing(Some(doing));
        }
        let round = Round { options, layouts: &self.layouts, enumerable, work, states };
        let results = round.run(taking_part);
        options.progress.set_doing(None);
        self.enumerable = round.enumerable.into_inner().unwrap_or_default();
        let most_bytes = options.limits.memory.map_or(MOST_KEPT, |memory| MOST_KEPT.min(memory / 16));
        self.judge(results, places, most_bytes)
    }

    /// Lets more layouts take part.
    fn learn(&mut self, learned: Learned<C>) {
        let mut add = |layouts: Vec<C>| {
            let before = self.layouts.len();
            self.layouts.extend(layouts);
            (before..self.layouts.len()).collect::<Vec<usize>>()
        };
        let (first, among) = (add(learned.first), learned.among.into_iter().map(add));
        let rest = self.candidates.split_off(STAY_IN_FRONT.min(self.candidates.len()));
        let among = in_turn(std::iter::once(rest).chain(among).collect());
        self.candidates.splice(0..0, first);
        self.candidates.extend(among);
    }

    /// What the results of a round mean for the next one; or the result that decides it.
    fn judge(
        &mut self, results: Results<C::Encoding>, places: usize, most_bytes: usize,
    ) -> Option<Outcome<C::Encoding>> {
        let mut found: Vec<(usize, f64)> = Vec::new();
        // Where the time of the user is over, or the user stopped it, one that is less promising may have come to its end.
        let mut over = None;
        for (runner, result) in results {
            match (runner, result) {
                (Runner::Layout(candidate), result @ Err(Stopped::Limit { error: Error::Work { .. }, .. })) => {
                    found.push((candidate, found_by(&result)));
                    if let Err(Stopped::Limit { partial: Some(space), .. }) = result
                        && space.peak_bytes <= most_bytes
                    {
                        self.found = more_of(self.found.take(), Some(space));
                    }
                }
                // Whoever runs beside it has more to say about what was found.
                (Runner::Enumeration, Err(Stopped::Limit { .. })) => {}
                (_, result @ Err(Stopped::Limit { error: Error::Memory { .. }, .. })) => self.remember(result),
                (Runner::Layout(_), result) if is_over(&result) => over = over.or(Some(result)),
                (_, result) => return Some(result),
            }
        }
        if over.is_some() {
            return over;
        }
        self.most_found = found.iter().map(|found| found.1).fold(self.most_found, f64::max);
        let rest = self.candidates.split_off(places.min(self.candidates.len()));
        self.candidates = self.ranked(found);
        self.candidates.extend(rest);
        None
    }

    /// Candidates by their place before and by how many states they found; those of several models in turn, because their
    /// numbers of states say nothing about each other.
    fn ranked(&self, found: Vec<(usize, f64)>) -> Vec<usize> {
        let mut by_model: BTreeMap<usize, Vec<(usize, f64)>> = BTreeMap::new();
        for one in found {
            by_model.entry(self.layouts[one.0].model()).or_default().push(one);
        }
        in_turn(by_model.into_values().map(ranked).collect())
    }

    /// Keeps of two that ran out of memory the one that found more: what it has found is all that may be said in the end.
    fn remember(&mut self, result: Outcome<C::Encoding>) {
        let before = self.failure.take().map(Err);
        let is_more = before.as_ref().is_none_or(|before| found_by(&result) >= found_by(before));
        self.failure = if is_more { result.err() } else { before.and_then(Result::err) };
    }

    /// What the most promising candidate finds, with so much work if it is limited.
    pub(crate) fn last(&mut self, options: &OptionsFor<C::Encoding>, work: Option<u64>) -> Outcome<C::Encoding> {
        self.enumerable = None;
        match self.candidates.first() {
            Some(&last) => attempt(&self.layouts[last], options, work),
            None => Err(self.failure.take().unwrap_or(Stopped::Undefined)),
        }
    }
}

/// Some states near the initial ones, whatever has struck.
fn nearby<C: Candidate>(options: &OptionsFor<C::Encoding>, layouts: &[C]) -> Option<Box<Space<C::Encoding>>> {
    let options = Options { limits: options.limits.without_end(), ..options.clone() };
    match attempt(layouts.first()?, &options, Some(WORK_NEARBY)) {
        Ok(space) => Some(Box::new(space)),
        Err(Stopped::Limit { partial, .. }) => partial,
        Err(_) => None,
    }
}

/// How much work is spent on the states near the initial ones.
const WORK_NEARBY: u64 = 20_000;

/// Looks whether states near the initial ones are enough to answer all that is asked. Breadth first: what a layout finds
/// until its work is done may be far away, and lack what is near.
fn look_around<C: Candidate>(options: &OptionsFor<C::Encoding>, layouts: &[C]) -> Option<Space<C::Encoding>> {
    let layout = layouts.first().filter(|_| !options.goals.is_empty())?;
    let options = Options { strategy: Strategy::BreadthFirst, ..options.clone() };
    let near = attempt(layout, &options, Some(WORK_NEARBY));
    // If these are all states, the layouts have no hard time either.
    enough(&options, near).ok().filter(|space| space.coverage == Coverage::Enough)
}

/// Whether the time of the user is over, or the user stopped it.
fn is_over<E: Encoding>(result: &Outcome<E>) -> bool {
    matches!(result, Err(Stopped::Limit { error: Error::Time { .. } | Error::Cancelled { .. }, .. }))
}

/// How many states were found, as the exponent of a power of ten.
fn found_by<E: Encoding>(result: &Outcome<E>) -> f64 {
    match result {
        Ok(space) => exponent(space),
        Err(Stopped::Limit { partial: Some(partial), .. }) => exponent(partial),
        Err(_) => 0.0,
    }
}

/// How many states there are in a space, as the exponent of a power of ten.
fn exponent<E: Encoding>(space: &Space<E>) -> f64 {
    space.count().log10().and_then(|count| count.to_f64()).unwrap_or(0.0)
}

/// The bytes of what is kept of rounds that are over.
const MOST_KEPT: usize = 16 << 20;

/// Of two parts of the states the one that has more. One that is far larger than what is ever kept is not counted for it.
fn more_of<E: Encoding>(one: Option<Box<Space<E>>>, other: Option<Box<Space<E>>>) -> Option<Box<Space<E>>> {
    match (one, other) {
        (Some(one), Some(other)) if other.peak_bytes <= 4 * MOST_KEPT && exponent(&one) > exponent(&other) => Some(one),
        (one, other) => other.or(one),
    }
}

/// Candidates by their place before and by how many states they found.
fn ranked(found: Vec<(usize, f64)>) -> Vec<usize> {
    let mut by_states: Vec<usize> = (0..found.len()).collect();
    by_states.sort_by(|&a, &b| found[b].1.total_cmp(&found[a].1));
    let mut places: Vec<(usize, usize)> = (0..found.len()).map(|place| (place, place)).collect();
    for (rank, &place) in by_states.iter().enumerate() {
        places[place].0 += rank;
    }
    places.sort_unstable();
    places.into_iter().map(|(_, place)| found[place].0).collect()
}

/// Who takes part in a round.
#[derive(Clone, Copy)]
enum Runner {
    Layout(usize),
    Enumeration,
}

/// A state space, or why there is none.
type Outcome<E> = Result<Space<E>, Stopped<E>>;

/// What came of a round, by place.
type Results<E> = Vec<(Runner, Outcome<E>)>;

struct Round<'r, 'p, C: Candidate> {
    options: &'r OptionsFor<C::Encoding>,
    layouts: &'r [C],
    enumerable: Mutex<Option<Box<dyn Enumerable<C::Encoding> + 'p>>>,
    work: u64,
    states: usize,
}

impl<C: Candidate> Round<'_, '_, C> {
    /// Runs the enumeration, if there is one, and candidates with a limit on their work: all of them, or those up to the
    /// first that does not end at that limit.
    fn run(&self, candidates: &[usize]) -> Results<C::Encoding> {
        let enumerates = self.enumerable.lock().is_ok_and(|enumerable| enumerable.is_some());
        let mut runners: Vec<Runner> = candidates.iter().copied().map(Runner::Layout).collect();
        let enumeration = enumerates.then_some(runners.len().min(1));
        if let Some(place) = enumeration {
            // Beside the most promising layout, which wins if both come to an end.
            runners.insert(place, Runner::Enumeration);
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let workers = cores.min(MOST_AT_A_TIME).min(runners.len());
        let cancels: Vec<Cancel> = runners.iter().map(|_| self.options.limits.cancel.part()).collect();
        let next = AtomicUsize::new(0);
        let decided = AtomicUsize::new(usize::MAX);
        let results = Mutex::new(Vec::new());
        let run = || {
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                if place >= runners.len() || place > decided.load(Ordering::Relaxed) {
                    return;
                }
                let limits = self.options.limits.with_memory_divided_by(workers);
                let limits = Limits { cancel: cancels[place].clone(), ..limits };
                let options = Options { limits, ..self.options.clone() };
                let result = match runners[place] {
                    Runner::Layout(candidate) => {
                        enough(&options, attempt(&self.layouts[candidate], &options, Some(self.work)))
                    }
                    Runner::Enumeration => self.enumerate(&options),
                };
                let goes_on = match &result {
                    Ok(_) => false,
                    Err(Stopped::Limit { error: Error::Work { .. } | Error::Memory { .. }, .. }) => true,
                    Err(_) => matches!(runners[place], Runner::Enumeration),
                };
                if let (Runner::Layout(_), Some(enumeration)) = (runners[place], enumeration)
                    && found_by(&result) > (self.states as f64).log10()
                {
                    // There are more states than are to be enumerated now.
                    cancels[enumeration].cancel();
                }
                if !goes_on && is_over(&result) {
                    // Nobody else begins, but who is about to end may.
                    next.fetch_max(runners.len(), Ordering::Relaxed);
                } else if !goes_on {
                    // Those that are less promising are not needed any more.
                    decided.fetch_min(place, Ordering::Relaxed);
                    cancels[place + 1..].iter().for_each(Cancel::cancel);
                }
                if let Ok(mut results) = results.lock() {
                    results.push((place, result));
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..workers {
                scope.spawn(run);
            }
            run();
        });
        let mut results = results.into_inner().unwrap_or_default();
        results.sort_by_key(|(place, _)| *place);
        results.retain(|(place, _)| *place <= decided.load(Ordering::Relaxed));
        results.into_iter().map(|(place, result)| (runners[place], result)).collect()
    }

    /// Goes on with the enumeration. If there is no end to it within the limits, it may be taken up in the next round.
    fn enumerate(&self, options: &OptionsFor<C::Encoding>) -> Outcome<C::Encoding> {
        let enumerable = self.enumerable.lock().ok().and_then(|mut enumerable| enumerable.take());
        let Some(mut enumerable) = enumerable else { return Err(Error::Work { reached: None }.into()) };
        match enumerable.run(options, self.states) {
            Ok(()) => enumerable.into_space(options),
            Err(error) => {
                let can_go_on = matches!(error, Error::Work { .. } | Error::Cancelled { .. });
                if let (true, Ok(mut rest)) = (can_go_on, self.enumerable.lock()) {
                    *rest = Some(enumerable);
                }
                Err(error.into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use mandala_model::classic::{Classic, Shape, generate};
    use mandala_model::gal;
    use mandala_model::system::System;
    use mandala_symbolic::variables::Grouping;

    use super::*;
    use crate::explore::Analysed;
    use crate::explore::candidate::LaidOut;
    use crate::options::HierarchyChoice;

    fn net() -> System {
        let mut text = Vec::new();
        generate(Classic::Kanban, &"2".parse().expect("a size"), Some(Shape::Flat), &mut text).expect("written");
        gal::read("kanban.gal", &String::from_utf8(text).expect("text"), &[]).expect("read").system
    }

    type Tried<'p, 'a> = Portfolio<'p, LaidOut<'a>>;

    /// What becomes of a portfolio in a round that ends so.
    fn judged<'a>(
        portfolio: &mut Tried<'_, 'a>, results: Vec<Outcome<<LaidOut<'a> as Candidate>::Encoding>>,
    ) -> Option<Outcome<<LaidOut<'a> as Candidate>::Encoding>> {
        let places = results.len();
        let results = results.into_iter().enumerate().map(|(place, result)| (Runner::Layout(place), result));
        portfolio.judge(results.collect(), places, usize::MAX)
    }

    #[test]
    fn who_came_to_an_end_has_won_though_time_is_over() {
        let system = net();
        let analysed = Analysed::new(&system, Grouping::Proven).expect("a net");
        let options = Options::default();
        let mut portfolio: Tried<'_, '_> = analysed.portfolio(HierarchyChoice::Automatic);
        let ended = || attempt(&analysed.portfolio(HierarchyChoice::Automatic).layouts[1], &options, None);
        let late = || Err(Stopped::from(Error::Time { reached: None }));
        let won = judged(&mut portfolio, vec![late(), ended()]).expect("it is decided").expect("there is a space");
        assert_eq!(won.count().to_u64(), Some(4_600));
        assert!(judged(&mut portfolio, vec![late(), late()]).expect("it is decided").is_err());
        let unfinished = || Err(Stopped::from(Error::Work { reached: None }));
        assert!(judged(&mut portfolio, vec![unfinished(), ended()]).expect("it is decided").is_ok());
        assert!(judged(&mut portfolio, vec![unfinished(), unfinished()]).is_none());
    }

    #[test]
    fn what_is_learned_takes_turns_with_the_others() {
        let system = net();
        let analysed = Analysed::new(&system, Grouping::Proven).expect("a net");
        let mut portfolio = analysed.portfolio(HierarchyChoice::Automatic);
        portfolio.candidates.truncate(5);
        let before = portfolio.layouts.len();
        let some = |count: usize| portfolio.layouts[..count].to_vec();
        let learned = Learned { first: some(1), among: vec![some(1), some(2)] };
        portfolio.learn(learned);
        let later = [before + 1, before + 2, before + 3];
        assert_eq!(portfolio.candidates, [before, 0, 1, 2, 3, later[0], later[1], 4, later[2]]);
    }

    #[test]
    fn whoever_joins_after_the_first_round_finds_the_same() {
        let system = net();
        let analysed = Analysed::new(&system, Grouping::Proven).expect("a net");
        let late = || Analysed::new(&system, Grouping::Places);
        let mut portfolio = analysed.portfolio_with(&[], late, HierarchyChoice::Automatic);
        let before = portfolio.layouts.len();
        let lesson = portfolio.lesson.take().expect("there is something to learn");
        let learned = lesson(&Options::default());
        portfolio.learn(learned);
        let joined = &portfolio.layouts[before..];
        let of = |model: usize| joined.iter().filter(move |one| one.model == model);
        assert!(of(0).count() >= 2 && of(1).count() >= 4, "{} and {}", of(0).count(), of(1).count());
        for model in [0, 1] {
            assert!(of(model).any(|one| one.description.order == "least-cuts upside down"), "model {model}");
        }
        for candidate in joined {
            let space = attempt(candidate, &Options::default(), None).expect("there is a space");
            assert_eq!(space.count().to_u64(), Some(4_600), "{}", candidate.description.order);
        }
    }
}
