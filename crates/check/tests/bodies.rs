//! Bodies that are more than a few assignments: long ones, targets that are computed, fixpoints that may never end, calls
//! inside of them, transient states. Every engine against state by state.

use std::time::{Duration, Instant};

use crate::common::build;
use crate::common::formulas::{ctl, events, variables};
use crate::common::programs::{FIRST, LENGTH, VARIABLES, boolean, integer, with_array};
use crate::common::random::{Random, factor};
use crate::common::shared;
use mandala_analysis::order::Heuristic;
use mandala_check::answer::{Traces, Verdict};
use mandala_check::explicit::{self, Ended, Outcome};
use mandala_check::explore::{Stopped, SystemStopped, enumerate, explore};
use mandala_check::limits::{Limits, Progress};
use mandala_check::options::QuotientChoice;
use mandala_check::options::{Options, OrderChoice};
use mandala_check::quotient;
use mandala_check::space::SystemSpace;
use mandala_diagram::Strategy;
use mandala_model::expression::{BinaryOperator, Boolean, Comparison, Integer};
use mandala_model::gal;
use mandala_model::property::Question;
use mandala_model::semantics::{Cause, Semantics};
use mandala_model::system::{Program, Statement, System, Target, Type};

// ---- Random programs ----------------------------------------------------------------------------

fn binary(operator: BinaryOperator, left: Integer<u32>, right: i32) -> Integer<u32> {
    Integer::Binary(operator, Box::new(left), Box::new(Integer::Constant(right)))
}

/// A value from 0 to 2: there is an end to everything.
fn bounded(value: Integer<u32>) -> Integer<u32> {
    binary(BinaryOperator::Remainder, binary(BinaryOperator::BitAnd, value, 3), 3)
}

/// An element, whose index is itself an element now and then.
fn target(random: &mut Random) -> (Target, Integer<u32>) {
    let index = match random.below(4) {
        0 => Integer::Constant(random.between(0, 2)),
        // Sometimes it is out of range.
        1 if random.percent(20) => integer(random, 1),
        1 => bounded(integer(random, 1)),
        _ => {
            let inner = Box::new(Integer::Constant(random.between(0, 2)));
            bounded(Integer::Element { first: FIRST, length: LENGTH, index: inner })
        }
    };
    let value = Integer::Element { first: FIRST, length: LENGTH, index: Box::new(index.clone()) };
    (Target::Element { first: FIRST, length: LENGTH, index }, value)
}

/// Something small, over and over again the same: what `for` unrolls to.
fn increment(random: &mut Random) -> Statement {
    let (target, value) = if random.percent(60) {
        target(random)
    } else {
        let variable = random.below(VARIABLES as usize) as u32;
        (Target::Variable(variable), Integer::Variable(variable))
    };
    let more = bounded(Integer::Sum(vec![value, Integer::Constant(1)]));
    Statement::Assign(target, more)
}

fn statement(random: &mut Random, depth: usize) -> Statement {
    match random.below(if depth == 0 { 6 } else { 12 }) {
        0..3 => increment(random),
        3..5 => Statement::Assign(target(random).0, bounded(integer(random, 1))),
        5 => {
            let variable = random.below(VARIABLES as usize) as u32;
            Statement::Assign(Target::Variable(variable), bounded(integer(random, 2)))
        }
        6 if random.percent(30) => Statement::Abort,
        6 | 7 => Statement::Call(random.choose(&["a", "b"]).to_string()),
        8 => Statement::Fixpoint(repeated(random, depth - 1)),
        _ => Statement::If(condition(random), block(random, depth - 1, 3), block(random, depth - 1, 2)),
    }
}

fn condition(random: &mut Random) -> Boolean<u32> {
    if random.percent(30) {
        return boolean(random, 1);
    }
    let variable = random.below(VARIABLES as usize) as u32;
    build::compare(variable, *random.choose(&[Comparison::Less, Comparison::Equal, Comparison::Greater]), 1)
}

/// What a fixpoint repeats: mostly under a condition, so that it may come to an end.
fn repeated(random: &mut Random, depth: usize) -> Vec<Statement> {
    match random.below(4) {
        0 => block(random, depth, 2),
        1 => vec![Statement::Call("a".to_owned())],
        // Down to zero, which ends.
        2 => {
            let variable = random.below(VARIABLES as usize) as u32;
            let down = build::add(variable, -1);
            vec![Statement::If(build::compare(variable, Comparison::Greater, 0), vec![down], block(random, depth, 1))]
        }
        _ => vec![Statement::If(condition(random), vec![statement(random, depth)], Vec::new())],
    }
}

fn block(random: &mut Random, depth: usize, most: usize) -> Vec<Statement> {
    (0..random.below(most + 1)).map(|_| statement(random, depth)).collect()
}

/// Up to a dozen statements, some of them several times.
fn body(random: &mut Random) -> Vec<Statement> {
    let mut body = Vec::new();
    for _ in 0..1 + random.below(4) {
        let statement = statement(random, 2);
        let times = if random.percent(30) { 1 + random.below(4) } else { 1 };
        body.extend(std::iter::repeat_n(statement, times));
    }
    body
}

fn program(random: &mut Random) -> Program {
    let guard = |random: &mut Random| if random.percent(50) { Boolean::Constant(true) } else { condition(random) };
    let mut transitions = Vec::new();
    for i in 0..1 + random.below(3) {
        let (guard, body) = (guard(random), body(random));
        transitions.push(build::action(&format!("t{i}"), None, guard, body));
    }
    // What is called calls nothing.
    for (i, label) in ["a", "a", "b"].into_iter().enumerate().take(1 + random.below(3)) {
        let guard = guard(random);
        let body = vec![statement(random, 0), Statement::If(condition(random), vec![increment(random)], Vec::new())];
        transitions.push(build::action(&format!("l{i}"), Some(label), guard, body));
    }
    let values: Vec<i32> = (0..VARIABLES).map(|_| random.between(0, 2)).collect();
    let mut program = with_array("program", &values, transitions);
    program.transient = random.percent(25).then(|| condition(random));
    program
}

/// The program by itself, or inside of a composite that sends it labels.
fn system(seed: u64) -> System {
    let mut random = Random::new(seed);
    let program = program(&mut random);
    let mut types = vec![Type::Program(program)];
    if random.percent(25) {
        let calls = [(Some(0), "a"), (Some(0), "b")];
        let synchronisations = vec![build::synchronisation("s", None, &calls[..random.below(3)])];
        types.push(Type::Composite(build::composite("composite", &[("inside", 0)], synchronisations)));
    }
    build::system(types)
}

// ---- Every engine -------------------------------------------------------------------------------

const ENOUGH: Duration = Duration::from_secs(60);

/// Builds the state space in every way.
fn in_every_way<'a>(system: &'a System) -> Vec<(&'static str, Result<SystemSpace<'a>, SystemStopped<'a>>)> {
    let deadline = Some(Instant::now() + ENOUGH);
    let base = Options { limits: Limits { deadline, ..Limits::default() }, ..Options::default() };
    let ordered = |heuristic, strategy| {
        let order = OrderChoice::Heuristic(heuristic);
        explore(system, &Options { order, strategy, ..base.clone() })
    };
    let mut all = vec![
        ("automatic", explore(system, &base)),
        ("declared", ordered(Heuristic::Declared, Strategy::Saturation)),
        ("reversed", ordered(Heuristic::Reversed, Strategy::Saturation)),
        ("chaining", ordered(Heuristic::Declared, Strategy::Chaining)),
        ("breadth first", ordered(Heuristic::Reversed, Strategy::BreadthFirst)),
        ("quotient", quotient::explore(system, &Options { quotient: QuotientChoice::Select, ..base.clone() }, &[])),
    ];
    all.extend(enumerate(system, &base).map(|space| ("state by state", space)));
    all
}

fn explored(system: &System, most: u64) -> Outcome {
    let semantics = Semantics::new(system).unwrap();
    explicit::explore(&semantics, &[], &Limits { states: Some(most), ..Limits::default() }, &Progress::default())
}

/// Asserts that every engine finds what the explicit one has found: the same figures, or an error.
fn agree(system: &System, outcome: &Outcome, context: &dyn Fn() -> String) {
    for (way, found) in in_every_way(system) {
        match (&outcome.ended, found) {
            (Ended::Complete, Ok(mut space)) => {
                if way == "quotient" && space.quotient().is_some() {
                    continue;
                }
                assert_eq!(space.count().to_u64(), Some(outcome.states), "{way}: {}", context());
                let figures = space.figures().unwrap_or_else(|error| panic!("{way}, {error}: {}", context()));
                // Where nothing comes out of transient states, it is not said.
                if let Some(transitions) = figures.transitions {
                    assert_eq!(transitions.to_u64(), Some(outcome.transitions), "{way}: {}", context());
                }
                if outcome.states > 0 {
                    assert_eq!(
                        Some(figures.most_in_place),
                        outcome.most_in_place.map(i64::from),
                        "{way}: {}",
                        context()
                    );
                }
            }
            (Ended::Error { .. }, Err(Stopped::Undefined)) => {}
            (Ended::Complete, Err(stopped)) => panic!("{way}, {stopped}: {}", context()),
            (Ended::Error { error, .. }, Ok(_)) => panic!("{way}, no error ({error}): {}", context()),
            (ended, Err(stopped)) => panic!("{way}, {stopped} and not {ended:?}: {}", context()),
            (ended, Ok(_)) => panic!("{ended:?}: {}", context()),
        }
    }
}

#[test]
fn random_bodies() {
    let (mut compared, mut oscillating, mut other_errors, mut transient, mut composites) = (0, 0, 0, 0, 0);
    let seeds = 700 * factor();
    for seed in 0..seeds {
        let system = system(seed);
        let outcome = explored(&system, 300);
        match &outcome.ended {
            Ended::Complete => compared += 1,
            Ended::Error { error, .. } if error.cause == Cause::Oscillates => oscillating += 1,
            Ended::Error { .. } => other_errors += 1,
            _ => continue,
        }
        let Type::Program(program) = &system.types[0] else { panic!("a program") };
        transient += u64::from(program.transient.is_some());
        composites += u64::from(system.types.len() > 1);
        agree(&system, &outcome, &|| format!("seed {seed}:\n{}", gal::write(&system, &[])));
    }
    println!(
        "{compared} without an error, {oscillating} oscillate, {other_errors} with another error, \
         {transient} with transient states, {composites} composites"
    );
    assert!(compared * 5 > seeds && oscillating * 20 > seeds && other_errors * 20 > seeds);
    assert!(transient * 10 > seeds && composites * 10 > seeds);
}

/// A transition with a label that nobody calls leads to states which are not reachable: whether it could fire depends on whether a
/// state comes out of them.
#[test]
fn who_is_called_alone_goes_through_transient_states() {
    let system = read(
        "gal G { int x = 1; int y; TRANSIENT = y == 1; transition t [x < 3] { x += 1; }
            transition back [x == 2 && y == 1] { y = 0; } transition l label \"a\" { y = 1; } } main G;",
    );
    let semantics = Semantics::new(&system).unwrap();
    let questions = ["AG fireable(l)", "AG (x < 3 -> fireable(l))", "EF (x == 3 && fireable(l))", "EX fireable(l)"];
    let questions = questions.map(|question| gal::formula(&system, question).unwrap().question);
    let outcome = explicit::explore(&semantics, &questions, &Limits::default(), &Progress::default());
    let mut space = explore(&system, &Options::default()).unwrap();
    let expected = [Verdict::Fails, Verdict::Holds, Verdict::Fails, Verdict::Holds];
    for ((question, answer), expected) in questions.iter().zip(&outcome.answers).zip(expected) {
        assert_eq!(answer.verdict, expected, "{question:?}");
        assert_eq!(space.answer(question, Traces::Unwanted).verdict, expected, "{question:?}");
    }
}

/// Backwards through compositions and fixpoints: CTL on diagrams against CTL state by state.
#[test]
fn ctl_of_random_bodies() {
    let (mut compared, mut unknown) = (0, 0);
    for seed in 0..250 * factor() {
        let system = system(seed);
        let semantics = Semantics::new(&system).unwrap();
        let mut random = Random::new(seed);
        let (variables, events) = (variables(&system), events(&system));
        let questions: Vec<Question> =
            (0..3).map(|i| Question::Ctl(ctl(&mut random, &variables, &events, 1 + i))).collect();
        let limits = Limits { states: Some(200), ..Limits::default() };
        let outcome = explicit::explore(&semantics, &questions, &limits, &Progress::default());
        if outcome.ended != Ended::Complete || outcome.states < 2 {
            continue;
        }
        let context = || format!("seed {seed}:\n{}", gal::write(&system, &[]));
        let mut space =
            explore(&system, &Options::default()).unwrap_or_else(|stopped| panic!("{stopped}: {}", context()));
        for (question, expected) in questions.iter().zip(&outcome.answers) {
            match (space.answer(question, Traces::Unwanted).verdict, &expected.verdict) {
                (Verdict::Holds, Verdict::Holds) | (Verdict::Fails, Verdict::Fails) => compared += 1,
                (Verdict::Unknown(_), _) => unknown += 1,
                // Whether something that is never called could fire, and it has an error.
                (_, Verdict::Unknown(_)) => {}
                (verdict, expected) => panic!("{verdict:?} and not {expected:?}: {question:?}, {}", context()),
            }
        }
    }
    println!("{compared} compared, {unknown} unknown");
    assert!(compared > 50 * factor() && unknown * 2 < compared, "{compared} compared, {unknown} unknown");
}

// ---- Programs by hand ---------------------------------------------------------------------------

fn read(text: &str) -> System {
    gal::read("test.gal", text, &[]).unwrap_or_else(|problems| panic!("{problems:?}")).system
}

/// Asserts that all engines find so many states and transitions.
fn has(text: &str, states: u64, transitions: u64) {
    let system = read(text);
    let outcome = explored(&system, 100_000);
    assert_eq!(
        (&outcome.ended, outcome.states, outcome.transitions),
        (&Ended::Complete, states, transitions),
        "{text}"
    );
    agree(&system, &outcome, &|| text.to_owned());
}

/// Asserts that all engines report an error, and this transition is to blame.
fn fails(text: &str, transition: &str) {
    let system = read(text);
    let outcome = explored(&system, 100_000);
    let Ended::Error { error, .. } = &outcome.ended else { panic!("{:?}: {text}", outcome.ended) };
    assert_eq!(error.transition.as_deref(), Some(transition), "{text}");
    agree(&system, &outcome, &|| text.to_owned());
}

#[test]
fn a_fixpoint_that_oscillates_is_an_error() {
    fails("gal G { int x; transition t [true] { fixpoint { x = 1 - x; } } } main G;", "t");
    // The set of states {0, 1} stays as it is, but neither of them does.
    fails(
        "gal G { int x; transition u [true] { x = 1; } transition t [true] { fixpoint { x = 1 - x; } } } main G;",
        "t",
    );
    // Only from a state that is reached late, and only after a few rounds.
    fails(
        "gal G { int x; int y; transition up [y < 5] { y += 1; }
            transition t [true] { fixpoint { if (y == 5) { x = (x + 1) % 3; } else { x = 0; } } } } main G;",
        "t",
    );
    // In the elements of an array, by its own contents.
    fails(
        "gal G { array [3] t = (0, 1, 2); transition t [true] { fixpoint { t[t[0]] = (t[t[0]] + 1) % 3; } } } main G;",
        "t",
    );
}

#[test]
fn a_fixpoint_that_oscillates_in_a_state_that_does_not_count() {
    fails("gal G { int x; TRANSIENT = x < 2; transition t [true] { fixpoint { x = 1 - x; } } } main G;", "t");
    fails(
        "gal G { int x; TRANSIENT = x == 1; transition up [x < 2] { x += 1; }
            transition t [x == 1] { fixpoint { x = 1 - x; } } } main G;",
        "t",
    );
    fails("gal G { int x = 1; TRANSIENT = x == 1; transition t [true] { x = 1 / (x - 1); } } main G;", "t");
}

#[test]
fn a_fixpoint_with_choices() {
    // From 0 to {0, 1}, which stays: no error, although 1 alone goes to 0 alone.
    has(
        "gal G { int x; int y; transition t [y == 0] { y = 1; fixpoint { self.\"a\"; } }
            transition a [x == 0] label \"a\" { x = 1; } transition b [true] label \"a\" { x = 0; } } main G;",
        3,
        1,
    );
    // From 2 to {0, 1} at once: no error. From 0 to 1 and back: one.
    let swap = |x: i32| {
        format!(
            "gal G {{ int x = {x}; int y; transition t [y == 0] {{ y = 1; fixpoint {{ self.\"a\"; }} }}
                transition a [x == 2] label \"a\" {{ x = 0; }} transition b [x == 2] label \"a\" {{ x = 1; }}
                transition c [x < 2] label \"a\" {{ x = 1 - x; }} }} main G;"
        )
    };
    has(&swap(2), 3, 1);
    fails(&swap(0), "t");
}

#[test]
fn a_fixpoint_in_a_composite() {
    let pair = |allowed: bool| {
        format!(
            "gal G {{ int x; transition t [true] label \"t\" {{ fixpoint {{ x = 1 - x; }} }} }}
            gal H {{ int y; transition t [{allowed}] label \"t\" {{ y = 1; }} }}
            composite C {{ G g; H h; synchronization s {{ g.\"t\"; h.\"t\"; }} }} main C;"
        )
    };
    fails(&pair(true), "g:t");
    // What the other does not allow does not happen.
    has(&pair(false), 1, 0);
}

#[test]
fn a_division_by_zero_in_a_composite() {
    fails(
        "gal G { int x; transition t [true] label \"t\" { x = 1 / x; } }
            gal H { int y; transition t [true] label \"t\" { y = 1; } }
            composite C { G g; H h; synchronization s { g.\"t\"; h.\"t\"; } } main C;",
        "g:t",
    );
}

#[test]
fn symmetries_do_not_hide_an_error() {
    let text = "gal G { array [3] t; array [3] u; int x;
        transition up (r $i) [t[$i] < 2] { t[$i] += 1; }
        transition t (r $i) [t[$i] == 2] { fixpoint { u[$i] = 1 - u[$i]; } } }
        typedef r = 0..2; main G;";
    let system = read(text);
    for choice in [QuotientChoice::Automatic, QuotientChoice::Explore, QuotientChoice::Select, QuotientChoice::List] {
        let found = quotient::explore(&system, &Options { quotient: choice, ..Options::default() }, &[]);
        assert!(matches!(found, Err(Stopped::Undefined)), "{choice:?}");
    }
}

/// Twenty assignments through computed indices, one after the other.
#[test]
fn a_long_body_takes_no_longer_than_it_is_long() {
    let times = "t[t[$i] % 4] = (t[t[$i] % 4] + 1) % 4; ".repeat(20);
    let text = format!(
        "typedef r = 0..2; gal G {{ int x; array [4] t = (0, 2, 0, 0);
            transition a [x < 3] {{ x += 1; }}
            transition t (r $i) [x == 3] {{ {times} x = 0; }}
            transition never (r $i) [x == 4] {{ {times} }} }} main G;"
    );
    let system = read(&text);
    let outcome = explored(&system, 100_000);
    agree(&system, &outcome, &|| text.clone());
}

/// A dozen conditions one after the other: thousands of paths.
#[test]
fn many_conditions_one_after_the_other() {
    let ifs: String = (0..12).map(|i| format!("if (t[{i}] < 1) {{ t[{i}] += 1; }} else {{ t[{i}] = x; }} ")).collect();
    let text = format!(
        "gal G {{ int x; array [12] t; transition t [true] {{ {ifs} }} transition x [true] {{ x = 1 - x; }}
            transition u [t[3] == 0] {{ t[7] = 0; }} }} main G;"
    );
    let system = read(&text);
    let outcome = explored(&system, 100_000);
    agree(&system, &outcome, &|| text.clone());
}

/// `x * x` of `x * x` of ... is short as it is written and shared.
#[test]
fn values_that_double_in_size() {
    let times = "x = (x * x + x) % 7; ".repeat(40);
    has(&format!("gal G {{ int x = 1; transition t [true] {{ {times} }} }} main G;"), 2, 2);
}

/// Each calls the next twice: thousands of statements, if all are written out.
#[test]
fn calls_of_calls() {
    let calls = |i: usize| {
        let next = i + 1;
        format!("transition l{i} [true] label \"l{i}\" {{ self.\"l{next}\"; self.\"l{next}\"; }}\n")
    };
    let levels: String = (0..12).map(calls).collect();
    let text = format!(
        "gal G {{ int x; transition t [true] {{ self.\"l0\"; }} {levels}
            transition last [x < 2] label \"l12\" {{ x += 1; }} transition last2 [x == 2] label \"l12\" {{ x = 0; }} }} main G;"
    );
    has(&text, 3, 3);
}

#[test]
fn when_a_long_body_can_fire_is_known() {
    let ifs = "if (y >= 1) { y -= 1; } else { y = 2; } ".repeat(9);
    has(&format!("gal G {{ int y; transition t [y < 3] {{ {ifs} }} }} main G;"), 1, 1);
    // After a fixpoint no condition says when it goes on.
    has(
        "gal G { int x; int y; transition up [y < 4] { y += 1; }
            transition t [true] { x = y; fixpoint { if (x > 1) { x -= 2; } } if (x == 1) { abort; } } } main G;",
        5,
        7,
    );
}

// ---- Files --------------------------------------------------------------------------------------

/// What people found.
#[test]
fn files_that_were_reported() {
    let Some(folder) = shared::models().map(|models| models.join("found")).filter(|folder| folder.is_dir()) else {
        println!("skipped: the folder of reported files is not there");
        return;
    };
    let files = [
        "fixpoint-oscillates",
        "gal-200144",
        "slow-unrolled-7",
        "slow-13",
        "slow-200022",
        "gal-1215",
        "gal-1241",
        "gal-1245",
    ];
    for file in files {
        let path = folder.join(file).with_extension("gal");
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let system = read(&text);
        let outcome = explored(&system, 100_000);
        agree(&system, &outcome, &|| file.to_owned());
    }
}

/// 28,895 states, and thousands of paths through a transition.
#[test]
fn train4() {
    let Some(models) = shared::models() else { return };
    let Ok(text) = std::fs::read_to_string(models.join("gal/gal-train4.gal")) else { return };
    let system = read(&text);
    let space = explore(&system, &Options::default()).unwrap_or_else(|stopped| panic!("{stopped}"));
    assert_eq!(space.count().to_u64(), Some(28895));
}
