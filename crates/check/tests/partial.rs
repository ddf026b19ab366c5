//! What some of the states decide: a goal that is met early ends the exploration, and what a limit leaves open stays
//! unknown.

use mandala_check::answer::{Traces, Verdict};
use mandala_check::explore::{Stopped, explore};
use mandala_check::limits::Limits;
use mandala_check::options::Options;
use mandala_check::run::replay;
use mandala_check::space::Coverage;
use mandala_diagram::Error;
use mandala_model::classic::generate;
use mandala_model::property::Question;
use mandala_model::semantics::Semantics;
use mandala_model::system::System;

/// A machine shop with far more states than any of these tests has time for.
fn large() -> System {
    let (kanban, size, shape) = ("kanban".parse().unwrap(), "2000".parse().unwrap(), "flat".parse().unwrap());
    let mut text = Vec::new();
    generate(kanban, &size, Some(shape), &mut text).unwrap();
    mandala_model::gal::read("kanban.gal", &String::from_utf8(text).unwrap(), &[]).unwrap().system
}

fn ask(system: &System, formula: &str) -> Question {
    mandala_model::gal::formula(system, formula).unwrap_or_else(|problems| panic!("{problems}")).question
}

#[test]
fn goals_that_are_met_end_the_exploration() {
    let system = large();
    let formulas = ["EF machine1 == 2", "machine1 + rework1 < 3", "[never] : out1 == 1", "[ctl] : EF rework1 == 1"];
    let questions: Vec<Question> = formulas.iter().map(|formula| ask(&system, formula)).collect();
    let options = Options { goals: questions.clone().into(), ..Options::default() };
    let mut space = explore(&system, &options).unwrap();
    assert_eq!(space.coverage(), Coverage::Enough);
    let semantics = Semantics::new(&system).unwrap();
    let expected = [true, false, false, true];
    for ((question, expected), formula) in questions.iter().zip(expected).zip(formulas) {
        let answer = space.answer(question, Traces::Wanted);
        assert!(
            matches!((&answer.verdict, expected), (Verdict::Holds, true) | (Verdict::Fails, false)),
            "{formula}: {:?}",
            answer.verdict
        );
        replay(&semantics, &answer.trace.unwrap().unwrap().trace).unwrap();
    }
}

#[test]
fn what_is_not_met_is_unknown() {
    let system = large();
    let formulas =
        ["EF machine1 == 2", "EF machine1 == 3000", "AG machine1 <= 2000", "AG EF machine1 == 0", "[bounds] : out4"];
    let questions: Vec<Question> = formulas.iter().map(|formula| ask(&system, formula)).collect();
    let goals = questions.clone().into();
    let options =
        Options { goals, limits: Limits { memory: Some(6 << 20), ..Limits::default() }, ..Options::default() };
    let mut space = match explore(&system, &options) {
        Err(Stopped::Limit { error: Error::Memory { .. }, partial: Some(space) }) => space,
        Err(stopped) => panic!("{stopped}"),
        Ok(space) => panic!("{} states", space.count()),
    };
    space.set_limits(&Limits::default());
    for (question, formula) in questions.iter().zip(formulas) {
        let answer = space.answer(question, Traces::Wanted);
        match formula {
            "EF machine1 == 2" => assert!(matches!(answer.verdict, Verdict::Holds)),
            _ => assert!(matches!(answer.verdict, Verdict::Unknown(_)), "{formula}: {:?}", answer.verdict),
        }
    }
}

/// Where all states are found anyway, goals change nothing.
#[test]
fn goals_of_small_systems() {
    let text = "gal A { int x; transition go [x < 2] { x += 1; } } main A;";
    let read = mandala_model::gal::read("test.gal", text, &[]).unwrap();
    let goals = [ask(&read.system, "EF x == 1")].into();
    let space = explore(&read.system, &Options { goals, ..Options::default() }).unwrap();
    assert_eq!((space.count().to_string().as_str(), space.coverage()), ("3", Coverage::All));
}
