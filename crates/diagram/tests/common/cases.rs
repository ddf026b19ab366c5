//! Cases: what to check, how to make a failing one smaller.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use mandala_diagram::{Limits, Store, Strategy};

use super::state::{Set, build, build_slowly, expect};
use super::term::{Stop, Term, build_all, reach, refuel};

/// How a store is to be set up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setup {
    /// Collect at every so many points.
    pub period: Option<u32>,
}

impl Setup {
    pub fn store(self) -> Store {
        let mut store = Store::new();
        if let Some(period) = self.period {
            store.collect_at_every(period);
        }
        limit_time(&mut store);
        store
    }
}

/// A test that hangs is a test that fails.
pub fn limit_time(store: &mut Store) {
    store.set_limits(Limits {
        memory: Some(2 << 30),
        deadline: Some(Instant::now() + Duration::from_secs(20)),
        work: None,
    });
}

/// How much work the oracle may do for a case.
const FUEL: usize = 30_000;

/// What came of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Right,
    /// The oracle has no answer.
    Skipped(Stop),
    Wrong(String),
}

/// A set and homomorphisms.
#[derive(Clone, Debug)]
pub struct Case {
    pub set: Set,
    pub terms: Vec<Term>,
}

impl Case {
    /// Cases that are a little smaller.
    fn smaller(&self) -> Vec<Case> {
        let mut out = Vec::new();
        for state in &self.set {
            let mut set = self.set.clone();
            set.remove(state);
            out.push(Case { set, terms: self.terms.clone() });
        }
        for i in 0..self.terms.len() {
            if self.terms.len() > 1 {
                let mut terms = self.terms.clone();
                terms.remove(i);
                out.push(Case { set: self.set.clone(), terms });
            }
            for term in self.terms[i].smaller() {
                let mut terms = self.terms.clone();
                terms[i] = term;
                out.push(Case { set: self.set.clone(), terms });
            }
        }
        out
    }

    /// Checks, and panics with the smallest failing case that is found.
    pub fn must(&self, name: &str, check: impl Fn(&Case) -> Outcome) -> Outcome {
        let guarded = |case: &Case| {
            catch_unwind(AssertUnwindSafe(|| check(case))).unwrap_or_else(|_| Outcome::Wrong("it panicked".to_string()))
        };
        let mut outcome = guarded(self);
        let Outcome::Wrong(first) = outcome.clone() else { return outcome };
        let mut case = self.clone();
        let start = Instant::now();
        'search: loop {
            for smaller in case.smaller() {
                if start.elapsed() > Duration::from_secs(30) {
                    break 'search;
                }
                let found = guarded(&smaller);
                if let Outcome::Wrong(_) = found {
                    (case, outcome) = (smaller, found);
                    continue 'search;
                }
            }
            break;
        }
        panic!("{name}: {outcome:?}\nsmallest: {case:#?}\nfirst: {first}\nfrom: {self:?}");
    }
}

/// Whether a homomorphism's result is what the definitions say, and it distributes over union.
pub fn check_apply(store: &mut Store, case: &Case) -> Outcome {
    let term = Term::Sequence(case.terms.clone());
    limit_time(store);
    refuel(FUEL);
    let expected = match term.eval(&case.set) {
        Ok(expected) => expected,
        Err(stop) => return Outcome::Skipped(stop),
    };
    let single = if let [term] = &case.terms[..] { term } else { &term };
    let hom = single.build(store);
    let set = build(store, &case.set);
    let found = store.apply(&hom, &set).unwrap();
    if let Err(message) = expect(store, &found, &expected) {
        return Outcome::Wrong(message);
    }
    let zero = store.zero();
    if !store.apply(&hom, &zero).unwrap().is_empty() {
        return Outcome::Wrong("the result for 0 is not 0".to_string());
    }
    // Two halves, the longer one last.
    let halves = [case.set.iter().step_by(3).collect::<Vec<_>>(), case.set.iter().collect()];
    let parts = halves.map(|half| {
        let half = build_slowly(store, half);
        store.apply(&hom, &half).unwrap()
    });
    let sum = store.union(&parts[0], &parts[1]).unwrap();
    if sum != found {
        return Outcome::Wrong("h(a + b) is not h(a) + h(b)".to_string());
    }
    for state in &case.set {
        let alone = build_slowly(store, [state]);
        let result = store.apply(&hom, &alone).unwrap();
        refuel(FUEL);
        let Ok(expected) = single.eval(&Set::from([state.clone()])) else { continue };
        if let Err(message) = expect(store, &result, &expected) {
            return Outcome::Wrong(format!("for {state:?}: {message}"));
        }
    }
    Outcome::Right
}

/// Whether all ways to the reachable states give what a search finds.
pub fn check_closure(store: &mut Store, case: &Case) -> Outcome {
    limit_time(store);
    refuel(FUEL);
    let expected = match reach(&case.set, &case.terms) {
        Ok(expected) => expected,
        Err(stop) => return Outcome::Skipped(stop),
    };
    let homs = build_all(store, &case.terms);
    let initial = build(store, &case.set);
    for strategy in Strategy::ALL {
        let found = store.reachable(&initial, &homs, strategy).unwrap();
        if let Err(message) = expect(store, &found, &expected) {
            return Outcome::Wrong(format!("{strategy:?}: {message}"));
        }
    }
    let closure = store.closure(&homs);
    let found = store.apply(&closure, &initial).unwrap();
    if let Err(message) = expect(store, &found, &expected) {
        return Outcome::Wrong(format!("closure: {message}"));
    }
    let mut with_identity = homs.clone();
    with_identity.insert(homs.len() / 2, store.identity());
    let sum = store.sum(&with_identity);
    let fixpoint = store.fixpoint(&sum);
    let found = store.apply(&fixpoint, &initial).unwrap();
    if let Err(message) = expect(store, &found, &expected) {
        return Outcome::Wrong(format!("fixpoint: {message}"));
    }
    // What is closed stays as it is, also in a store that knows nothing of how it was closed.
    let again = store.apply(&closure, &found).unwrap();
    if again != found {
        return Outcome::Wrong("the closure of the closure is another set".to_string());
    }
    Outcome::Right
}
