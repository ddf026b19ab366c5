//! The examples of the papers on data decision diagrams and set decision diagrams.
#![allow(missing_docs)]

mod common;

use std::collections::{BTreeSet, VecDeque};

use common::{Rng, Set, Setup, State, Val, build, expect, flat, seeds, set_of};
use mandala_diagram::{Answer, Diagram, Error, Hom, Inductive, Label, Store, Strategy, ValueMap, Variable};

// ---- SDD paper, 6.1: leq and inc ----------------------------------------------------------------

/// `leq(x, k)`: what is at most `k` at the first `x`; a sequence without it passes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Leq(Variable, i32);

impl Inductive for Leq {
    fn skips(&self, variable: Variable) -> bool {
        variable != self.0
    }
    fn at_value(&self, store: &mut Store, _: Variable, value: i32) -> Result<Answer, Error> {
        Ok(if value <= self.1 { Answer::Keep(store.identity()) } else { Answer::Drop })
    }
    fn at_label(&self, store: &mut Store, _: Variable, label: &Diagram) -> Result<Answer, Error> {
        let range = store.integers(..=self.1)?;
        let label = store.intersection(label, &range)?;
        Ok(Answer::to_set(label, store.identity()))
    }
    fn at_one(&self, store: &mut Store) -> Result<Diagram, Error> {
        Ok(store.one())
    }
    fn is_selector(&self) -> bool {
        true
    }
}

/// `inc(x)`: one more at the first `x`; a sequence without it passes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Inc(Variable);

impl Inductive for Inc {
    fn skips(&self, variable: Variable) -> bool {
        variable != self.0
    }
    fn at_value(&self, store: &mut Store, _: Variable, value: i32) -> Result<Answer, Error> {
        Ok(Answer::to(value + 1, store.identity()))
    }
    fn at_one(&self, store: &mut Store) -> Result<Diagram, Error> {
        Ok(store.one())
    }
}

/// Figure 6: `(leq(d, 2) ∘ inc(d) + Id)*` on a b c d, without touching a, b and c.
#[test]
fn figure_6() {
    let (a, b, c, d) = (0, 1, 2, 3);
    for strategy in Strategy::ALL {
        let mut store = Setup::default().store();
        let s1 = store.state(&[(a, 1), (b, 1), (c, 1), (d, 0)]).unwrap();
        let (leq, inc) = (store.inductive(Leq(d, 2)), store.inductive(Inc(d)));
        let f = store.compose(&leq, &inc);
        assert!(store.is_skipping(&f, a) && store.is_skipping(&f, c) && !store.is_skipping(&f, d));
        let found = store.reachable(&s1, [&f], strategy).unwrap();
        let expected = set_of((0..=2).map(|value| flat(&[(a, 1), (b, 1), (c, 1), (d, value)])));
        expect(&mut store, &found, &expected).unwrap();
        // The same with value maps, as a term of the closure, and as a fixpoint.
        let (leq, inc) = (store.value(d, ValueMap::at_most(2)), store.value(d, ValueMap::add(1)));
        let g = store.sequence([&inc, &leq]);
        assert_eq!(store.reachable(&s1, [&g], strategy).unwrap(), found);
        let identity = store.identity();
        let sum = store.sum([&f, &identity]);
        let fixpoint = store.fixpoint(&sum);
        assert_eq!(store.apply(&fixpoint, &s1).unwrap(), found);
        // Neither drops a sequence that lacks d.
        let without = store.state(&[(a, 1), (b, 1)]).unwrap();
        assert_eq!(store.apply(&f, &without).unwrap(), without);
    }
}

#[test]
fn leq_on_a_set_of_integers() {
    let mut store = Store::new();
    let one = store.one();
    let label = store.integers(..=9).unwrap();
    let set = store.assign_set(3, &label, &one).unwrap();
    let leq = store.inductive(Leq(3, 4));
    let expected = store.integers(..=4).unwrap();
    let expected = store.assign_set(3, &expected, &one).unwrap();
    assert_eq!(store.apply(&leq, &set).unwrap(), expected);
    let not = store.not(&leq);
    let expected = store.integers(5..=9).unwrap();
    let expected = store.assign_set(3, &expected, &one).unwrap();
    assert_eq!(store.apply(&not, &set).unwrap(), expected);
}

// ---- DDD paper: constants, swap, queues ---------------------------------------------------------

/// `setCst(x, v)`: the first `x` gets a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct SetConstant(Variable, i32);

impl Inductive for SetConstant {
    fn skips(&self, variable: Variable) -> bool {
        variable != self.0
    }
    fn at_value(&self, store: &mut Store, _: Variable, _: i32) -> Result<Answer, Error> {
        Ok(Answer::to(self.1, store.identity()))
    }
}

/// `swap(x, y)`: the values of the first `x` and of the first `y` change places, whichever comes first.
///
/// The DDD paper goes down to the second of them with `rename`, puts there the value that it carries,
/// and brings up the value that it finds with `down` and `up`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Swap(Variable, Variable);

impl Inductive for Swap {
    fn skips(&self, variable: Variable) -> bool {
        variable != self.0 && variable != self.1
    }
    fn at_value(&self, store: &mut Store, variable: Variable, value: i32) -> Result<Answer, Error> {
        let other = if variable == self.0 { self.1 } else { self.0 };
        Ok(Answer::Whole(store.inductive(Down { first: variable, value, other })))
    }
}

/// `down`: finds the first `other`, leaves `value` there, and brings `first = what was there` to the top.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Down {
    first: Variable,
    value: i32,
    other: Variable,
}

impl Inductive for Down {
    fn skips(&self, _: Variable) -> bool {
        false
    }
    fn at_value(&self, store: &mut Store, variable: Variable, value: i32) -> Result<Answer, Error> {
        if variable == self.other {
            let state = store.state(&[(self.first, value), (variable, self.value)])?;
            return Ok(Answer::Whole(store.prepend(&state)));
        }
        let (up, down) = (store.inductive(Up(variable, value)), store.inductive(self.clone()));
        Ok(Answer::Whole(store.compose(&up, &down)))
    }
}

/// `up`: puts an assignment after the first one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Up(Variable, i32);

impl Inductive for Up {
    fn skips(&self, _: Variable) -> bool {
        false
    }
    fn at_value(&self, store: &mut Store, variable: Variable, value: i32) -> Result<Answer, Error> {
        let state = store.state(&[(variable, value), (self.0, self.1)])?;
        Ok(Answer::Whole(store.prepend(&state)))
    }
}

/// `swap(x, y)` where the values are known to be few: guesses what will be found, and checks it below.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Guess(Variable, Variable, i32);

impl Inductive for Guess {
    fn skips(&self, variable: Variable) -> bool {
        variable != self.0 && variable != self.1
    }
    fn at_value(&self, store: &mut Store, variable: Variable, value: i32) -> Result<Answer, Error> {
        let other = if variable == self.0 { self.1 } else { self.0 };
        let moves = (0..=self.2).map(|guess| {
            let map = ValueMap::relation([(guess, value)]);
            (Label::Value(guess), store.value(other, map))
        });
        Ok(Answer::Move(moves.collect()))
    }
}

fn swapped(state: &State, x: Variable, y: Variable) -> Option<State> {
    let place = |variable| state.iter().position(|assignment| assignment.0 == variable);
    let (i, j) = (place(x)?, place(y)?);
    let mut state = state.clone();
    let (a, b) = (state[i].1.clone(), state[j].1.clone());
    (state[i].1, state[j].1) = (b, a);
    Some(state)
}

fn random_flat(rng: &mut Rng, variables: &[Variable], high: i32, size: usize) -> Set {
    let states = (0..rng.below(size + 1)).map(|_| {
        let assignments: Vec<_> = variables.iter().map(|&variable| (variable, rng.range(0, high))).collect();
        flat(&assignments)
    });
    states.collect()
}

#[test]
fn constants_and_swaps() {
    for seed in seeds(400) {
        let mut rng = Rng::new(seed);
        let mut variables: Vec<Variable> = (0..5).collect();
        rng.shuffle(&mut variables);
        let set = random_flat(&mut rng, &variables, 3, 10);
        let mut store = Setup::default().store();
        let argument = build(&mut store, &set);
        let (x, y) = (variables[rng.below(5)], variables[rng.below(5)]);
        let value = rng.range(0, 3);
        let constant = store.inductive(SetConstant(x, value));
        let found = store.apply(&constant, &argument).unwrap();
        let place = variables.iter().position(|&variable| variable == x).unwrap();
        let assigned = set.iter().cloned().map(|mut state| {
            state[place].1 = Val::Int(value);
            state
        });
        expect(&mut store, &found, &assigned.collect()).unwrap_or_else(|m| panic!("{seed}: {m} {set:?}"));
        if x == y {
            continue;
        }
        let expected: Set = set.iter().filter_map(|state| swapped(state, x, y)).collect();
        let (swap, guess) = (store.inductive(Swap(x, y)), store.inductive(Guess(x, y, 3)));
        for swap in [&swap, &guess] {
            let found = store.apply(swap, &argument).unwrap();
            expect(&mut store, &found, &expected).unwrap_or_else(|m| panic!("{seed}: {m} {set:?} {x} {y}"));
            assert_eq!(store.apply(swap, &found).unwrap(), argument, "{seed}: {set:?} {x} {y}");
        }
        let missing = store.inductive(Swap(x, 9));
        assert!(store.apply(&missing, &argument).unwrap().is_empty());
    }
}

/// All permutations, by swaps of neighbours.
#[test]
fn permutations() {
    for kind in 0..2 {
        for strategy in Strategy::ALL {
            let mut store = Setup::default().store();
            let initial = store.state(&[(3, 0), (0, 1), (2, 2), (1, 3)]).unwrap();
            let swaps = [(3, 0), (2, 0), (2, 1)];
            let homs: Vec<Hom> = swaps
                .iter()
                .map(|&(x, y)| if kind == 0 { store.inductive(Swap(x, y)) } else { store.inductive(Guess(x, y, 3)) })
                .collect();
            let found = store.reachable(&initial, &homs, strategy).unwrap();
            assert_eq!(store.count(&found).to_string(), "24", "{strategy:?}");
            let mut expected = Set::new();
            for order in 0..256 {
                let values = [order & 3, order >> 2 & 3, order >> 4 & 3, order >> 6 & 3];
                if BTreeSet::from(values).len() == 4 {
                    expected.insert(flat(&[(3, values[0]), (0, values[1]), (2, values[2]), (1, values[3])]));
                }
            }
            expect(&mut store, &found, &expected).unwrap();
        }
    }
}

/// A queue: a variable again and again, and -1 at its end.
const END: i32 = -1;

/// Puts an element at the end, if there is room.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Enqueue {
    queue: Variable,
    element: i32,
    room: u32,
}

impl Inductive for Enqueue {
    fn skips(&self, variable: Variable) -> bool {
        variable != self.queue
    }
    fn at_value(&self, store: &mut Store, variable: Variable, value: i32) -> Result<Answer, Error> {
        if value != END {
            let room = self.room - 1;
            return Ok(match room {
                0 => Answer::Drop,
                room => Answer::Keep(store.inductive(Enqueue { room, ..self.clone() })),
            });
        }
        let end = store.state(&[(variable, END)])?;
        let before = store.prepend(&end);
        Ok(Answer::to(self.element, before))
    }
}

/// Takes an element from the front.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Dequeue(Variable, i32);

impl Inductive for Dequeue {
    fn skips(&self, variable: Variable) -> bool {
        variable != self.0
    }
    fn at_value(&self, store: &mut Store, _: Variable, value: i32) -> Result<Answer, Error> {
        Ok(if value == self.1 { Answer::Whole(store.identity()) } else { Answer::Drop })
    }
}

fn queue_state(queue: Variable, content: &VecDeque<i32>, rest: &[(Variable, i32)]) -> State {
    let elements = content.iter().map(|&element| (queue, element));
    let all: Vec<_> = elements.chain([(queue, END)]).chain(rest.iter().copied()).collect();
    flat(&all)
}

#[test]
fn queues() {
    let queue = 4;
    let mut store = Setup::default().store();
    let mut contents: Vec<VecDeque<i32>> = vec![VecDeque::new()];
    for length in 0..3 {
        for content in contents.clone().into_iter().filter(|content| content.len() == length) {
            for element in 0..2 {
                let mut longer = content.clone();
                longer.push_back(element);
                contents.push(longer);
            }
        }
    }
    let all: Set = contents.iter().map(|content| queue_state(queue, content, &[(7, 0)])).collect();
    let set = build(&mut store, &all);
    expect(&mut store, &set, &all).unwrap();
    for element in 0..2 {
        let enqueue = store.inductive(Enqueue { queue, element, room: 3 });
        let found = store.apply(&enqueue, &set).unwrap();
        let longer = contents.iter().filter(|content| content.len() < 3).map(|content| {
            let mut content = content.clone();
            content.push_back(element);
            queue_state(queue, &content, &[(7, 0)])
        });
        expect(&mut store, &found, &longer.collect()).unwrap();
        let dequeue = store.inductive(Dequeue(queue, element));
        let found = store.apply(&dequeue, &set).unwrap();
        let shorter = contents.iter().filter(|content| content.front() == Some(&element)).map(|content| {
            let mut content = content.clone();
            content.pop_front();
            queue_state(queue, &content, &[(7, 0)])
        });
        expect(&mut store, &found, &shorter.collect()).unwrap();
    }
}

/// Whatever is put in comes out again, in order: a writer, a queue and a reader; two orders of these.
#[test]
fn a_queue_with_its_writer_and_its_reader() {
    let queue = 4;
    for (writer, reader) in [(1, 7), (7, 1)] {
        for strategy in Strategy::ALL {
            let mut store = Setup::default().store();
            // The writer counts modulo 3 and writes that; the reader holds what it read last.
            let initial = store.state(&[(1, 0), (queue, END), (7, 0)]).unwrap();
            let mut homs = Vec::new();
            for element in 0..3 {
                let next = store.value(writer, ValueMap::relation([(element, (element + 1) % 3)]));
                let put = store.inductive(Enqueue { queue, element, room: 4 });
                homs.push(store.sequence([&next, &put]));
                let take = store.inductive(Dequeue(queue, element));
                let read = store.value(reader, ValueMap::assign(element));
                homs.push(store.sequence([&take, &read]));
            }
            let found = store.reachable(&initial, &homs, strategy).unwrap();
            let mut expected = Set::new();
            let mut open = vec![(0, VecDeque::new(), 0)];
            while let Some((written, content, read)) = open.pop() {
                let (first, last) = if writer == 1 { (written, read) } else { (read, written) };
                let elements = content.iter().map(|&element| (queue, element));
                let all: Vec<_> = [(1, first)].into_iter().chain(elements).chain([(queue, END), (7, last)]).collect();
                if !expected.insert(flat(&all)) {
                    continue;
                }
                if content.len() < 4 {
                    let mut longer = content.clone();
                    longer.push_back(written);
                    open.push(((written + 1) % 3, longer, read));
                }
                let mut shorter: VecDeque<i32> = content.clone();
                if let Some(element) = shorter.pop_front() {
                    open.push((written, shorter, element));
                }
            }
            expect(&mut store, &found, &expected).unwrap_or_else(|m| panic!("{writer} {strategy:?}: {m}"));
        }
    }
}

// ---- SDD paper, 4.3: Petri nets by h- and h+ ----------------------------------------------------

/// `h-(p, v)`: at least `v` tokens, which are taken.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Minus(Variable, i32);

impl Inductive for Minus {
    fn skips(&self, variable: Variable) -> bool {
        variable != self.0
    }
    fn at_value(&self, store: &mut Store, _: Variable, value: i32) -> Result<Answer, Error> {
        Ok(if value >= self.1 { Answer::to(value - self.1, store.identity()) } else { Answer::Drop })
    }
}

/// `h+(p, v)`: `v` more tokens.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Plus(Variable, i32);

impl Inductive for Plus {
    fn skips(&self, variable: Variable) -> bool {
        variable != self.0
    }
    fn at_value(&self, store: &mut Store, _: Variable, value: i32) -> Result<Answer, Error> {
        Ok(Answer::to(value + self.1, store.identity()))
    }
}

/// Random nets that keep the number of tokens: by h- and h+, and by value maps.
#[test]
fn petri_nets() {
    for seed in seeds(250) {
        let mut rng = Rng::new(seed);
        let places = rng.below(3) + 3;
        let mut order: Vec<Variable> = (0..places as Variable).collect();
        rng.shuffle(&mut order);
        let marking: Vec<i32> = (0..places).map(|_| rng.range(0, 2)).collect();
        let mut transitions = Vec::new();
        for _ in 0..=rng.below(5) {
            let weight = rng.range(1, 2);
            let mut pick = || (0..weight).map(|_| rng.below(places)).collect::<Vec<_>>();
            transitions.push((pick(), pick()));
        }
        // The token game.
        let mut reached = BTreeSet::from([marking.clone()]);
        let mut open = vec![marking.clone()];
        while let Some(marking) = open.pop() {
            for (pre, post) in &transitions {
                let mut next = marking.clone();
                pre.iter().for_each(|&place| next[place] -= 1);
                if next.iter().all(|&tokens| tokens >= 0) {
                    post.iter().for_each(|&place| next[place] += 1);
                    if reached.insert(next.clone()) {
                        open.push(next);
                    }
                }
            }
        }
        let state = |marking: &Vec<i32>| -> State {
            order.iter().map(|&place| (place, Val::Int(marking[place as usize]))).collect()
        };
        let expected: Set = reached.iter().map(state).collect();
        let mut store = Setup::default().store();
        let initial = build(&mut store, &[state(&marking)]);
        let mut found = Vec::new();
        for by_maps in [false, true] {
            let mut homs = Vec::new();
            for (pre, post) in &transitions {
                let mut steps = Vec::new();
                for &place in pre {
                    let place = place as Variable;
                    if by_maps {
                        steps.push(store.value(place, ValueMap::at_least(1).then(&ValueMap::add(-1)).unwrap()));
                    } else {
                        steps.push(store.inductive(Minus(place, 1)));
                    }
                }
                for &place in post {
                    let place = place as Variable;
                    let plus =
                        if by_maps { store.value(place, ValueMap::add(1)) } else { store.inductive(Plus(place, 1)) };
                    steps.push(plus);
                }
                homs.push(store.sequence(&steps));
            }
            for strategy in Strategy::ALL {
                found.push((by_maps, strategy, store.reachable(&initial, &homs, strategy).unwrap()));
            }
        }
        for (by_maps, strategy, found) in found {
            expect(&mut store, &found, &expected).unwrap_or_else(|m| {
                panic!("{seed} {by_maps} {strategy:?}: {m}\n{order:?} {marking:?} {transitions:?}")
            });
        }
    }
}

// ---- SDD paper, 3 and 4: philosophers, each with a fork, in nested parts ------------------------

/// The states of `n` philosophers as a net, by explicit search: who holds what.
fn philosophers_by_search(n: usize) -> usize {
    // For each: 0 idle; else bits: 1 hungry, 2 has left, 4 has right. A fork is free if nobody has it.
    let mut reached = BTreeSet::from([vec![0u8; n]]);
    let mut open = vec![vec![0u8; n]];
    while let Some(state) = open.pop() {
        let free = |fork: usize| state[fork] & 4 == 0 && state[(fork + 1) % n] & 2 == 0;
        for i in 0..n {
            let mut next = Vec::new();
            if state[i] == 0 {
                next.push(1);
            } else {
                // The fork to the right is one's own, the one to the left the left neighbour's.
                if state[i] & 2 == 0 && free((i + n - 1) % n) {
                    next.push(state[i] | 2);
                }
                if state[i] & 4 == 0 && free(i) {
                    next.push(state[i] | 4);
                }
                if state[i] == 7 {
                    next.push(0);
                }
            }
            for value in next {
                let mut after = state.clone();
                after[i] = value;
                if reached.insert(after.clone()) {
                    open.push(after);
                }
            }
        }
    }
    reached.len()
}

#[test]
fn philosophers_in_parts() {
    // Places of a part.
    let (idle, wait_l, wait_r, has_l, has_r, fork) = (0, 1, 2, 3, 4, 5);
    for n in 2..=5 {
        let expected = philosophers_by_search(n).to_string();
        for strategy in Strategy::ALL {
            let mut store = Setup::default().store();
            let part = store.state(&[(idle, 1), (wait_l, 0), (wait_r, 0), (has_l, 0), (has_r, 0), (fork, 1)]).unwrap();
            let mut initial = store.one();
            for i in (0..n as Variable).rev() {
                initial = store.assign_set(i, &part, &initial).unwrap();
            }
            let step = |store: &mut Store, pre: &[Variable], post: &[Variable]| {
                let mut homs: Vec<Hom> = Vec::new();
                homs.extend(pre.iter().map(|&place| store.inductive(Minus(place, 1))));
                homs.extend(post.iter().map(|&place| store.value(place, ValueMap::add(1))));
                store.sequence(&homs)
            };
            let hungry = step(&mut store, &[idle], &[wait_l, wait_r]);
            let get_right = step(&mut store, &[wait_r, fork], &[has_r]);
            let get_left = step(&mut store, &[wait_l], &[has_l]);
            let (take, put) = (step(&mut store, &[fork], &[]), step(&mut store, &[], &[fork]));
            let eat = step(&mut store, &[has_l, has_r], &[idle, fork]);
            let mut homs = Vec::new();
            for i in 0..n as Variable {
                let left = (i + n as Variable - 1) % n as Variable;
                homs.push(store.local(i, &hungry));
                homs.push(store.local(i, &get_right));
                for (own, other) in [(&get_left, &take), (&eat, &put)] {
                    let (own, other) = (store.local(i, own), store.local(left, other));
                    homs.push(store.sequence([&own, &other]));
                }
            }
            let found = store.reachable(&initial, &homs, strategy).unwrap();
            assert_eq!(store.count(&found).to_string(), expected, "{n} {strategy:?}");
        }
    }
}
