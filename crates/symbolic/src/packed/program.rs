//! The transitions of a program on the values of its variables, as [updates](Update).

use mandala_model::expression::Comparison;
use mandala_model::system::{Program, happens_by_itself};
use rustc_hash::FxHashMap;

use crate::evaluate::expression::{Expression, Kind, cell};
use crate::evaluate::path::{MOST_NESTED, Reader};
use crate::evaluate::run::{Compiler, Failure, Runner};
use crate::evaluate::update::{Destination, Update, Write};
use crate::layout::Layout;

/// The transitions of a program. Variables are diagram variables, from top to bottom.
pub struct Updates {
    rules: Filed<Rule>,
    /// Where something in a transition has no value.
    failing: Filed<Guard>,
    /// What runs the transitions that are more than some updates.
    runner: Runner,
    /// How many transitions there are, those that wait to be called included.
    transitions: usize,
    /// The initial states.
    pub initial: Vec<Vec<i32>>,
}

/// Things that happen under conditions, filed by what these ask for.
struct Filed<R> {
    all: Vec<R>,
    /// Variables of which conditions ask that they have a certain value, and by the value what happens then.
    by_value: Vec<(u32, FxHashMap<i32, Vec<u32>>)>,
    /// What asks for no value.
    others: Vec<u32>,
}

/// A condition that is taken apart: the cheap parts first.
struct Guard {
    tests: Vec<Test>,
    rest: Vec<Expression>,
}

/// What happens under a condition.
struct Rule {
    guard: Guard,
    /// The transition of which this is a part.
    transition: u32,
    action: Action,
}

/// What happens.
enum Action {
    /// Assignments, all at once.
    Writes(Vec<Write>),
    /// A transition of the runner, statement by statement.
    Run(usize),
}

/// Why there are no more successors of a state.
pub enum Stop<E> {
    /// There is an error of the model.
    Failure(Failure),
    /// Whoever was called with a successor says so.
    Caller(E),
}

/// A condition on one variable.
#[derive(Clone, Copy)]
enum Test {
    /// It lies between two values.
    Within(u32, i32, i32),
    /// It does not have a value.
    Differs(u32, i32),
}

impl Test {
    fn of(condition: &Expression) -> Option<Test> {
        let Kind::Compare(comparison, left, right, _) = condition.kind() else { return None };
        let (comparison, variable, value) = match (left.kind(), right.kind()) {
            (Kind::Variable(variable), Kind::Constant(value)) => (*comparison, *variable, *value),
            (Kind::Constant(value), Kind::Variable(variable)) => (comparison.mirrored(), *variable, *value),
            _ => return None,
        };
        Some(match comparison {
            Comparison::Equal => Test::Within(variable, value, value),
            Comparison::NotEqual => Test::Differs(variable, value),
            Comparison::Less => Test::Within(variable, i32::MIN, value.checked_sub(1)?),
            Comparison::LessOrEqual => Test::Within(variable, i32::MIN, value),
            Comparison::Greater => Test::Within(variable, value.checked_add(1)?, i32::MAX),
            Comparison::GreaterOrEqual => Test::Within(variable, value, i32::MAX),
        })
    }

    #[inline(always)]
    fn holds(self, state: &[i32]) -> bool {
        match self {
            Test::Within(variable, low, high) => (low..=high).contains(&state[variable as usize]),
            Test::Differs(variable, value) => state[variable as usize] != value,
        }
    }
}

impl Guard {
    fn new(guard: &Expression) -> Guard {
        let (mut tests, mut rest) = (Vec::new(), Vec::new());
        for condition in guard.conjuncts() {
            match Test::of(condition) {
                Some(test) => tests.push(test),
                None => rest.push(condition.clone()),
            }
        }
        Guard { tests, rest }
    }

    /// The values that variables must have.
    fn wanted(&self) -> impl Iterator<Item = (u32, i32)> {
        self.tests.iter().filter_map(|test| match *test {
            Test::Within(variable, low, high) if low == high => Some((variable, low)),
            _ => None,
        })
    }

    fn holds(&self, state: &[i32]) -> bool {
        self.tests.iter().all(|test| test.holds(state)) && self.rest.iter().all(|part| part.on(state) == Some(1))
    }
}

impl AsRef<Guard> for Guard {
    fn as_ref(&self) -> &Guard {
        self
    }
}

impl AsRef<Guard> for Rule {
    fn as_ref(&self) -> &Guard {
        &self.guard
    }
}

impl<R: AsRef<Guard>> Filed<R> {
    /// Files things under a value that they ask for: of the variable of which most of them ask for one.
    fn new(all: Vec<R>) -> Filed<R> {
        let wanted: Vec<Vec<(u32, i32)>> = all.iter().map(|one| one.as_ref().wanted().collect()).collect();
        let mut filed = Filed { all, by_value: Vec::new(), others: Vec::new() };
        let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
        wanted.iter().flatten().for_each(|(variable, _)| *counts.entry(*variable).or_default() += 1);
        for (one, wanted) in (0u32..).zip(wanted) {
            let Some(&(variable, value)) = wanted.iter().max_by_key(|(variable, _)| (counts[variable], *variable))
            else {
                filed.others.push(one);
                continue;
            };
            let at = filed.by_value.iter().position(|(known, _)| *known == variable).unwrap_or_else(|| {
                filed.by_value.push((variable, FxHashMap::default()));
                filed.by_value.len() - 1
            });
            filed.by_value[at].1.entry(value).or_default().push(one);
        }
        filed
    }

    /// What happens in a state.
    fn of<'f>(&'f self, state: &'f [i32]) -> impl Iterator<Item = &'f R> {
        let by_value = self.by_value.iter().filter_map(|(variable, filed)| filed.get(&state[*variable as usize]));
        let possible = by_value.flatten().chain(&self.others).map(|&one| &self.all[one as usize]);
        possible.filter(|one| one.as_ref().holds(state))
    }
}

impl Rule {
    /// The writes, if it has some.
    fn writes(&self) -> &[Write] {
        match &self.action {
            Action::Writes(writes) => writes,
            Action::Run(_) => &[],
        }
    }
}

/// What assignments do to a state, as variables with their new values; of several the last one counts. `false` if
/// something has no value.
fn written(writes: &[Write], state: &[i32], changes: &mut Vec<(u32, i32)>) -> bool {
    changes.clear();
    for Write { destination, value } in writes {
        let variable = match destination {
            Destination::Variable(variable) => Some(*variable),
            Destination::Element(cells, index) => index.on(state).and_then(|index| cell(cells, index)),
        };
        match (variable, value.on(state)) {
            (Some(variable), Some(value)) => changes.push((variable, value)),
            _ => return false,
        }
    }
    true
}

/// The variables whose values differ between two states.
fn differences(before: &[i32], after: &[i32], changes: &mut Vec<(u32, i32)>) {
    changes.clear();
    let differ = (0u32..).zip(before.iter().zip(after)).filter(|(_, (before, after))| before != after);
    changes.extend(differ.map(|(variable, (_, after))| (variable, *after)));
}

impl Updates {
    /// A program that begins in some of its initial states. Nothing if its layout has levels.
    pub fn new(program: &Program, begins: &[usize], layout: &Layout) -> Option<Updates> {
        let slots = layout.single_slots(program.variables.len())?;
        let initial = |&begin: &usize| {
            let mut state = vec![0; slots.len()];
            for (&slot, &value) in slots.iter().zip(&program.initial[begin].values) {
                state[slot as usize] = value;
            }
            state
        };
        let initial = begins.iter().map(initial).collect();
        let reader = Reader::new(program, slots);
        let (mut rules, mut failing) = (Vec::new(), Vec::new());
        let mut compiler = Compiler::new(&reader);
        for (index, transition) in (0u32..).zip(&program.transitions) {
            if !happens_by_itself(transition.label.as_deref(), true) {
                continue;
            }
            let mut rule = |guard: &Expression, action| {
                rules.push(Rule { guard: Guard::new(guard), transition: index, action });
            };
            match reader.fire(transition, MOST_NESTED) {
                Ok(paths) => {
                    failing.extend(paths.failing.iter().map(Guard::new));
                    for path in paths.open {
                        let Update { guard, writes } = path.update;
                        rule(&guard, Action::Writes(writes));
                    }
                }
                Err(_) => {
                    let action = Action::Run(compiler.transition(index));
                    rule(&reader.condition(&transition.guard), action);
                }
            }
        }
        let (runner, _) = compiler.done();
        let (rules, failing) = (Filed::new(rules), Filed::new(failing));
        Some(Updates { rules, failing, runner, transitions: program.transitions.len(), initial })
    }

    /// How many transitions the program has.
    pub fn transitions(&self) -> usize {
        self.transitions
    }

    /// Whether something that happens in a state has no value. What the runner runs says so itself.
    pub fn fails(&self, state: &[i32]) -> bool {
        self.failing.of(state).next().is_some()
    }

    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.initial.first().map_or(0, Vec::len)
    }

    /// For each variable, the least and the greatest value that it has initially or is given as a constant, and whether
    /// it may be given another.
    pub fn constants(&self) -> Vec<(i32, i32, bool)> {
        let mut ranges: Vec<(i32, i32, bool)> = vec![(i32::MAX, i32::MIN, false); self.variables()];
        let mut add = |variable: usize, value: Option<i32>| {
            let (low, high, others) = &mut ranges[variable];
            match value {
                Some(value) => (*low, *high) = ((*low).min(value), (*high).max(value)),
                None => *others = true,
            }
        };
        for state in &self.initial {
            state.iter().enumerate().for_each(|(variable, &value)| add(variable, Some(value)));
        }
        for write in self.rules.all.iter().flat_map(Rule::writes) {
            match &write.destination {
                Destination::Variable(variable) => add(*variable as usize, write.value.value()),
                Destination::Element(cells, _) => {
                    cells.iter().for_each(|&cell| add(cell as usize, write.value.value()));
                }
            }
        }
        for variable in self.runner.written() {
            add(variable as usize, None);
        }
        ranges
    }

    /// Calls `each` with what changes from a state to each of its successors: the transition, and variables with their new
    /// values, of which the last one counts.
    pub fn successors<E>(
        &self, state: &[i32], changes: &mut Vec<(u32, i32)>, mut each: impl FnMut(u32, &[(u32, i32)]) -> Result<(), E>,
    ) -> Result<(), Stop<E>> {
        for rule in self.rules.of(state) {
            match &rule.action {
                Action::Writes(writes) => {
                    if written(writes, state, changes) {
                        each(rule.transition, changes).map_err(Stop::Caller)?;
                    }
                }
                Action::Run(transition) => {
                    self.run(*transition, state, |after| {
                        differences(state, after, changes);
                        each(rule.transition, changes)
                    })?;
                }
            }
        }
        Ok(())
    }

    /// Calls `each` with the states after a transition of the runner.
    fn run<E>(
        &self, transition: usize, state: &[i32], mut each: impl FnMut(&[i32]) -> Result<(), E>,
    ) -> Result<(), Stop<E>> {
        if self.runner.is_function(transition) {
            let mut after = state.to_vec();
            return match self.runner.fire_in_place(transition, &mut after).map_err(Stop::Failure)? {
                true => each(&after).map_err(Stop::Caller),
                false => Ok(()),
            };
        }
        let states = self.runner.fire(transition, state).map_err(Stop::Failure)?;
        states.iter().try_for_each(|after| each(after)).map_err(Stop::Caller)
    }
}
