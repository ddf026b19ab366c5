//! The front door as someone meets it who writes Rust: read or build a model, ask, get answers that can be trusted.

use mandala::build::{Action, Net, Program, Transition};
use mandala::classic::{Classic, Shape, Size, generate};
use mandala::{
    Answer, Cancel, Counted, Ended, ErrorKind, Format, Kind, Model, Note, Order, Reader, Reason, Space, Strategy,
    Symmetry, Traces, Verdict,
};
use std::sync::{Arc, Mutex};

/// So many processes and one lock.
fn lock(processes: i32) -> Model {
    let mut net = Net::new("lock");
    net.place("free", 1);
    for process in 0..processes {
        let name = |what: &str| format!("{what}{process}");
        net.place(name("idle"), 1).place(name("inside"), 0);
        net.transition(Transition::new(name("enter")).take("free", 1).take(name("idle"), 1).put(name("inside"), 1));
        net.transition(Transition::new(name("leave")).take(name("inside"), 1).put("free", 1).put(name("idle"), 1));
    }
    net.build().expect("a net")
}

/// A net without bound.
fn tap() -> Model {
    let text = "net tap { place water = 0; place lid = 1; transition drip { put water; } }";
    Model::parse(text, Format::Gal).expect("a net")
}

fn check(model: &Model, formula: &str) -> Answer {
    model.check(formula).expect("a formula").run().expect("an answer")
}

/// Nothing that is given borrows anything.
#[test]
fn what_is_given_can_be_sent_and_kept() {
    fn is_owned<T: Send + Sync + 'static>() {}
    is_owned::<Model>();
    is_owned::<Space>();
    is_owned::<Answer>();
    is_owned::<mandala::Answers>();
    is_owned::<mandala::Error>();
    let space = { lock(2).states().run().expect("states") };
    let counted = std::thread::spawn(move || space.count_where("free == 1").expect("a count")).join().expect("done");
    assert_eq!(counted.to_u64(), Some(1));
}

#[test]
fn a_space_answers_more_than_once() {
    let space = lock(3).states().run().expect("states");
    assert_eq!(space.count().exactly().and_then(|count| count.to_u64()), Some(4));
    assert_eq!(space.check("AG inside0 + inside1 + inside2 <= 1").expect("an answer").holds(), Some(true));
    let answer = space.check("AG inside2 == 0").expect("an answer");
    assert_eq!(answer.holds(), Some(false));
    let trace = answer.trace().expect("a trace");
    assert_eq!((trace.steps.len(), trace.steps[0].transition.as_str(), trace.shortest), (1, "enter2", true));
    let changes: Vec<&str> = trace.steps[0].changes.iter().map(|change| change.variable.as_str()).collect();
    assert_eq!(changes, ["free", "idle2", "inside2"]);
    assert_eq!(space.deadlocks().expect("a count").to_u64(), Some(0));
    let figures = space.figures().expect("figures");
    assert_eq!((figures.most_in_place, figures.most_in_marking), (1, 4));
}

#[test]
fn every_strategy_says_the_same() {
    let model = lock(3);
    for strategy in [Strategy::Saturation, Strategy::Chaining, Strategy::BreadthFirst, Strategy::Explicit] {
        let space = model.states().strategy(strategy).run().expect("states");
        assert_eq!(space.count().to_string(), "4", "{strategy:?}");
        for (formula, expected) in [("EF inside1 == 1", true), ("AG EF free == 1", true), ("G F free == 1", true)] {
            let asked = model.check(formula).expect("a formula").strategy(strategy).run().expect("an answer");
            assert_eq!(asked.holds(), Some(expected), "{strategy:?} {formula}");
            assert_eq!(space.check(formula).expect("an answer").holds(), Some(expected), "{strategy:?} {formula}");
        }
    }
}

#[test]
fn symmetric_states_are_kept_once_and_counted_all() {
    let model = lock(6);
    let space = model.states().symmetry(Symmetry::Auto).run().expect("states");
    assert_eq!(space.count().to_string(), "7");
    assert_eq!(space.representatives().and_then(|count| count.to_u64()), Some(2));
    assert_eq!(space.quotient().expect("a quotient").group.order.to_u64(), Some(720));
    // A question that tells processes apart is not answered from one state of an orbit, on a space that has only these.
    let only = model.states().symmetry(Symmetry::Explore).run().expect("states");
    let answer = only.check("EF inside3 == 1").expect("an answer");
    assert!(answer.verdict.is_unknown(), "{answer}");
    assert!(only.count_where("inside3 == 1").is_err());
    // Asked for itself, it gets the symmetries that leave it alone.
    let answer =
        model.check("EF inside3 == 1").expect("a formula").symmetry(Symmetry::Explore).run().expect("an answer");
    assert_eq!(answer.holds(), Some(true));
    assert_eq!(answer.trace().expect("a trace").steps[0].transition, "enter3");
}

#[test]
fn a_net_without_bound_has_infinitely_many_states() {
    let space = tap().states().run().expect("no error");
    assert_eq!(space.count(), Counted::Infinitely);
    assert_eq!(space.growth().expect("a run").cycle, ["drip"]);
    assert!(!space.is_complete());
    // Some states decide some questions; the structure and the state equation decide others; the rest is not known.
    assert_eq!(check(&tap(), "EF water == 3").holds(), Some(true));
    assert_eq!(check(&tap(), "AG lid == 1").holds(), Some(true));
    assert_eq!(check(&tap(), "AG water >= 0").holds(), Some(true));
    assert!(check(&tap(), "AG EF water == 0").verdict.is_unknown());
    assert_eq!(space.check("EF water == 3").expect("an answer").holds(), Some(true));
}

#[test]
fn who_is_stopped_says_what_is_known() {
    let cancel = Cancel::default();
    cancel.cancel();
    // Too many states to be found on the way out, which is done for small models.
    let mut text = Vec::new();
    generate(Classic::Philosophers, &Size::from(1000), Some(Shape::Flat), &mut text).expect("a text");
    let model = Reader::new().parse(&String::from_utf8_lossy(&text)).expect("a net");
    let space = model.states().cancel(&cancel).run().expect("no error");
    assert_eq!(space.stopped(), Some(Reason::Cancelled));
    assert_eq!(space.count().exactly(), None);
    let answers = model.ask([model.deadlock()]).cancel(&cancel).run().expect("no error");
    assert_eq!(answers.ended, Ended::Stopped(Reason::Cancelled));
    assert!(answers.answers[0].verdict.is_unknown(), "not from a part of the states: {answers}");
    let error = model.states().memory("much").run().expect_err("no amount");
    assert_eq!(error.kind(), ErrorKind::Memory);
}

#[test]
fn formats_are_known_by_their_content() {
    let dve = "byte x; process P { state a, b; init a; trans a -> b { effect x = x + 1; }; } system async;";
    let model = Reader::new().parse(dve).expect("DVE");
    assert_eq!(model.states().run().expect("states").count().to_string(), "2");
    assert_eq!(check(&model, "EF P.b").holds(), Some(true));
    let pnml = lock(2).to_pnml().expect("a net");
    assert_eq!(Reader::new().parse(&pnml).expect("PNML").states().run().expect("states").count().to_string(), "3");
    let gal = lock(2).to_gal().expect("GAL");
    assert_eq!(Reader::new().parse(&gal).expect("GAL").states().run().expect("states").count().to_string(), "3");
    // Whoever says another format gets its errors.
    assert_eq!(Model::parse(dve, Format::Gal).expect_err("no GAL").kind(), ErrorKind::Text);
}

#[test]
fn errors_print_well_from_main() {
    let error = Model::parse("gal g {\n  int x = ;\n}", Format::Gal).expect_err("a mistake");
    let printed = format!("Error: {error:?}");
    assert!(printed.starts_with("Error: model has mistakes\nerror: "), "{printed}");
    assert!(printed.contains("--> model:2:11"), "{printed}");
    let error = Model::read("no/such/folder/model.gal").expect_err("no file");
    assert_eq!(
        format!("{error:?}"),
        "there is no file no/such/folder/model.gal\n  help: there is no folder no/such/folder either"
    );
    let text = "gal g { int x = 2; transition t [x >= 0] { x = 4 / x - 2; } }";
    let error = Model::parse(text, Format::Gal).expect("a program").states().run().expect_err("a division by zero");
    assert_eq!(error.kind(), ErrorKind::Model);
    assert!(error.trace().is_some(), "{error}");
}

#[test]
fn what_is_built_is_checked() {
    let mut net = Net::new("n");
    net.place("water", 1);
    net.transition(Transition::new("t").take("watter", 1));
    let error = net.build().expect_err("no such place");
    assert_eq!(error.kind(), ErrorKind::Build);
    assert_eq!(error.message(), "transition `t`: there is no place `watter`");
    assert_eq!(error.help(), Some("did you mean `water`?"));
    let error = Net::new("n").place("a", 1).place("a", 1).build().expect_err("twice");
    assert_eq!(error.message(), "there are two places called `a`");
    assert!(Net::new("n").place("a", -1).build().is_err());
    assert!(Net::new("n").place_with_capacity("a", 2, 1).build().is_err());
    assert!(Net::new("n").place("a", 1).transition(Transition::new("t").take("a", 0)).build().is_err());

    let mut program = Program::new("p");
    program.variable("x", 0);
    assert!(program.clone().action(Action::new("t").when("y == 1")).build().is_err(), "no such variable");
    let outbreak = Action::new("t").when("true] { } transition u [true");
    assert!(program.clone().action(outbreak).build().is_err(), "more than a condition");
    let outbreak = Action::new("t").set("x", "1; x = 2");
    assert!(program.clone().action(outbreak).build().is_err(), "more than a value");
    assert!(program.clone().action(Action::new("t").set("x", "x + 1 // and")).build().is_err());
    let model = program.action(Action::new("odd name").when("x < 3").set("x", "x + 1")).build().expect("a program");
    assert_eq!(model.states().run().expect("states").count().to_string(), "4");
    assert_eq!(check(&model, "EF x == 3").trace().expect("a trace").steps[0].transition, "odd name");
}

/// All kinds of arcs mean what they mean in a file.
#[test]
fn arcs_of_all_kinds() {
    let mut net = Net::new("arcs");
    net.place("a", 2).place("b", 0).place_with_capacity("c", 0, 1);
    net.transition(Transition::new("move").take("a", 1).put("b", 1));
    net.transition(Transition::new("note").read("b", 2).put("c", 1));
    net.transition(Transition::new("wash").inhibit("a", 1).reset("b"));
    let model = net.build().expect("a net");
    let copy = Model::parse(&model.to_gal().expect("GAL"), Format::Gal).expect("GAL");
    for formula in ["EF c == 1", "AG c <= 1", "EF (a == 0 && b == 0)", "AG (b == 0 -> a == 2 || a == 0)"] {
        assert_eq!(check(&model, formula).holds(), Some(true), "{formula}");
        assert_eq!(check(&copy, formula).holds(), Some(true), "{formula}");
    }
}

#[test]
fn questions_of_all_kinds() {
    let model = lock(2);
    let questions = [
        ("EF free == 0", Kind::Reachable, Verdict::Holds),
        ("free <= 1", Kind::Invariant, Verdict::Holds),
        ("[bounds] : idle0 + idle1", Kind::Bounds, Verdict::Bounds { least: 1, greatest: 2 }),
        ("AG AF free == 1", Kind::Ctl, Verdict::Holds),
        ("G F inside0 == 1", Kind::Ltl, Verdict::Fails),
    ];
    let asked: Vec<_> = questions.iter().map(|(formula, ..)| model.question(formula).expect("a formula")).collect();
    let answers = model.ask(asked).run().expect("answers");
    for ((formula, kind, verdict), answer) in questions.iter().zip(&answers.answers) {
        assert_eq!((answer.question.kind(), &answer.verdict), (*kind, verdict), "{formula}");
    }
    let run = answers.answers[4].trace().expect("a run");
    assert!(run.repeats.is_some(), "it goes on for ever");
    let answers = model.ask([model.deadlock(), model.live().expect("a net")]).traces(Traces::Unwanted).run();
    assert!(answers.expect("answers").answers.iter().all(|answer| answer.holds() == Some(true)));
}

/// A question about a composite that was made flat for its symmetries comes back as it was asked.
#[test]
fn questions_come_back_as_they_were_asked() {
    let text = "net Cell { place off = 1; place on; transition t { take off; put on; } }
                composite Grid { Cell [3] c; }";
    let model = Model::parse(text, Format::Gal).expect("a composite");
    let heard = Arc::new(Mutex::new(Vec::new()));
    let notes = Arc::clone(&heard);
    let query = model.check("EF c[1]:on == 1").expect("a formula").symmetry(Symmetry::Auto);
    let query = query.on_note(move |note: &Note| notes.lock().expect("a list").push(note.to_string()));
    let answer = query.run().expect("an answer");
    assert_eq!(answer.holds(), Some(true));
    assert_eq!(heard.lock().expect("a list").as_slice(), ["the composite is made flat, to make its quotient"]);
    let again = model.ask([answer.question]).run().expect("an answer");
    assert_eq!(again.answers[0].holds(), Some(true));
}

#[test]
fn orders_are_chosen_by_name_and_given_by_names() {
    let mut net = Net::new("three");
    net.place("a", 1).place("b", 0).place("c", 0);
    net.transition(Transition::new("t").take("a", 1).put("b", 1));
    net.transition(Transition::new("u").take("b", 1).put("c", 1));
    let model = net.build().expect("a net");
    for order in model.orders() {
        let space = model.states().order(Order::Heuristic(order.heuristic)).run().expect("states");
        assert_eq!(space.count().to_string(), "3");
    }
    let names = ["c", "a", "b"].map(str::to_owned).to_vec();
    assert_eq!(model.states().order(Order::Names(names)).run().expect("states").count().to_string(), "3");
    let wrong = model.states().order(Order::Names(vec!["a".to_owned()])).run().expect_err("not all places");
    assert_eq!(wrong.kind(), ErrorKind::Order);
    assert_eq!(model.states().order("forse").run().expect_err("no order").help(), Some("did you mean `force`?"));
}
