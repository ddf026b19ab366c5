//! Homomorphisms that guess a value from further down, against plain sets.

#[path = "common/rng.rs"]
#[allow(dead_code)]
mod rng;

use std::collections::BTreeSet;

use mandala_diagram::{Answer, Diagram, Error, Guessed, Hom, Inductive, Store, Strategy, ValueMap, Variable};
use rng::Rng;

const VARIABLES: u32 = 4;
const MOST: i32 = 3;

/// A variable that no state has.
const RESULT: Variable = 99;

type Plain = [i32; VARIABLES as usize];

/// Makes of each state the value of a variable.
#[derive(Debug, PartialEq, Eq, Hash)]
struct ValueOf(Variable);

impl Inductive for ValueOf {
    fn skips(&self, _: Variable) -> bool {
        false
    }

    fn at_value(&self, store: &mut Store, variable: Variable, value: i32) -> Result<Answer, Error> {
        Ok(Answer::Whole(if variable == self.0 {
            let result = store.state(&[(RESULT, value)])?;
            store.constant(&result)
        } else {
            store.inductive(ValueOf(self.0))
        }))
    }
}

/// A variable gets the value of one that is further down; or, if it has that already, nothing happens.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Copy {
    to: Variable,
    from: Variable,
}

impl Inductive for Copy {
    fn skips(&self, variable: Variable) -> bool {
        variable != self.to && variable != self.from
    }

    fn at_value(&self, store: &mut Store, _: Variable, value: i32) -> Result<Answer, Error> {
        let (values, from) = (store.inductive(ValueOf(self.from)), self.from);
        let other = Guessed::new(move |store, guess| {
            let right = store.value(from, ValueMap::between(guess, guess));
            Ok(if guess == value { Answer::Drop } else { Answer::to(guess, right) })
        });
        let same = store.value(from, ValueMap::between(value, value));
        Ok(Answer::Each(vec![Answer::Guess(values, other), Answer::Keep(same)]))
    }
}

fn plain(store: &Store, set: &Diagram) -> BTreeSet<Plain> {
    let mut all = BTreeSet::new();
    for state in store.states(set) {
        let values: Vec<i32> = state.assignments().filter_map(|assignment| assignment.value.integer()).collect();
        all.insert(values.try_into().expect("a state"));
    }
    all
}

/// What one transition does to one state.
#[derive(Clone, Debug)]
enum Step {
    Copy(Variable, Variable),
    Up(Variable),
    /// One, then the other.
    Then(Box<Step>, Box<Step>),
}

impl Step {
    fn random(random: &mut Rng, depth: u32) -> Step {
        match random.below(if depth == 0 { 2 } else { 4 }) {
            0 => {
                let to = random.below(VARIABLES as usize - 1) as u32;
                Step::Copy(to, to + 1 + random.below((VARIABLES - 1 - to) as usize) as u32)
            }
            1 => Step::Up(random.below(VARIABLES as usize) as u32),
            _ => Step::Then(Box::new(Step::random(random, depth - 1)), Box::new(Step::random(random, depth - 1))),
        }
    }

    fn hom(&self, store: &mut Store) -> Hom {
        match self {
            Step::Copy(to, from) => store.inductive(Copy { to: *to, from: *from }),
            Step::Up(variable) => {
                let below = ValueMap::between(0, MOST - 1).then(&ValueMap::add(1)).expect("one map");
                store.value(*variable, below)
            }
            Step::Then(first, second) => {
                let both = [first.hom(store), second.hom(store)];
                store.sequence(&both)
            }
        }
    }

    fn plain(&self, mut state: Plain) -> Option<Plain> {
        match self {
            Step::Copy(to, from) => state[*to as usize] = state[*from as usize],
            Step::Up(variable) => {
                let value = &mut state[*variable as usize];
                if *value == MOST {
                    return None;
                }
                *value += 1;
            }
            Step::Then(first, second) => return second.plain(first.plain(state)?),
        }
        Some(state)
    }
}

#[test]
fn guesses_are_plain_functions() {
    for seed in 0..500 {
        let mut random = Rng::new(seed);
        let mut store = Store::new();
        if seed % 2 == 0 {
            // Garbage is collected in the middle of everything.
            store.collect_at_every(1 + seed as u32 % 5);
        }
        let steps: Vec<Step> = (0..1 + random.below(4)).map(|_| Step::random(&mut random, 2)).collect();
        let homs: Vec<Hom> = steps.iter().map(|step| step.hom(&mut store)).collect();
        let mut initial = BTreeSet::new();
        for _ in 0..1 + random.below(4) {
            initial.insert([(); VARIABLES as usize].map(|()| random.range(0, MOST)));
        }
        let states: Vec<Diagram> = initial
            .iter()
            .map(|state| store.state(&[(0, state[0]), (1, state[1]), (2, state[2]), (3, state[3])]).expect("small"))
            .collect();
        let set = store.union_of(&states).expect("small");
        for (step, hom) in steps.iter().zip(&homs) {
            let image = store.apply(hom, &set).expect("small");
            let expected: BTreeSet<Plain> = initial.iter().filter_map(|&state| step.plain(state)).collect();
            assert_eq!(plain(&store, &image), expected, "seed {seed}: {step:?}");
        }
        let mut reached = initial.clone();
        let mut open: Vec<Plain> = initial.into_iter().collect();
        while let Some(state) = open.pop() {
            open.extend(steps.iter().filter_map(|step| step.plain(state)).filter(|&next| reached.insert(next)));
        }
        for strategy in Strategy::ALL {
            let found = store.reachable(&set, &homs, strategy).expect("small");
            assert_eq!(plain(&store, &found), reached, "seed {seed}, {strategy:?}: {steps:?}");
        }
    }
}
