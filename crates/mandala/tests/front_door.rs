//! The front door as someone meets it who writes Rust: read or build a model, ask, get answers that can be trusted.

use mandala::build::{Action, Net, Program, Transition};
use mandala::classic::{self, Classic, Shape};
use mandala::contest::Value;
use mandala::{
    Answer, Cancel, Counted, Ended, ErrorKind, Format, Kind, Model, Note, Order, Progress, Proof, Reader, Reason,
    Reductions, Space, Status, Strategy, Symmetry, Told, Traces, Verdict,
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

/// What properties say of the state at hand, in nets with colours too.
#[test]
fn properties_are_known_of_one_state() {
    let plain = "net door { place [2] outside = (1, 1); place [2] inside; \
                 transition enter (0..1 $w) { take outside[$w]; put inside[$w]; } }\n\
                 property in [reachable] : inside[0] == 1; property all [bounds] : inside[0] + inside[1]; \
                 property stuck [never] : deadlock; property soon [ltl] : F inside[0] == 1;";
    let coloured = "net Door { class Who = w{0..1}; place outside : Who = <all>; place inside : Who; \
                    transition enter (Who w) { take outside<w>; put inside<w>; } }\n\
                    property in [reachable] : inside(w0) == 1; property all [bounds] : inside; \
                    property stuck [never] : deadlock; property soon [ltl] : F inside(w0) == 1;";
    for (text, format) in [(plain, Format::Gal), (coloured, Format::Sn)] {
        let model = Model::parse(text, format).expect("a net");
        let (walk, properties) = (model.walk().expect("a walk"), model.properties().expect("properties"));
        let said = |state: &mandala::State| -> Vec<Status> {
            properties.iter().map(|one| walk.status(one, state).expect("a status")).collect()
        };
        let start = walk.initial_states().expect("states").remove(0);
        let in_start = [Status::Holds(false), Status::Value(0), Status::Holds(false), Status::TakesMore];
        assert_eq!(said(&start), in_start, "{text}");
        let first = walk.moves(&start).expect("moves").remove(0).state;
        let last = walk.moves(&first).expect("moves").remove(0).state;
        assert_eq!(said(&last), [Status::Holds(true), Status::Value(2), Status::Holds(true), Status::TakesMore]);
    }
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

/// Sums and multiples are exact in formulas, whoever calculates them; products wrap around.
#[test]
fn sums_do_not_wrap_around() {
    let net = "net N { place a = 2147483647; place b = 2147483647; place c; place d = 2;
        transition t { take a; take d; put c; } transition u { take b; take d; put c; } }";
    let program = "gal N { int a = 2147483647; int b = 2147483647; int c; int d = 2;
        transition t [d > 0] { a = a - 1; d = d - 1; } transition u [d > 0] { b = b - 1; d = d - 1; } }";
    for text in [net, program] {
        let model = Model::parse(text, Format::Gal).expect("a model");
        for strategy in [Strategy::Saturation, Strategy::Chaining, Strategy::Explicit] {
            for (formula, expected) in [
                ("a + b < 0", false),
                ("AF a + b < 0 - 3", false),
                ("G a + b > 2147483647", true),
                ("AG 2 * a > 0", true),
                ("a + 5 > 10", true),
                ("-1 * (a + b) - a < -2147483648", true),
                ("EF a * b == 1", true),
            ] {
                for traces in [Traces::Wanted, Traces::Unwanted] {
                    let query = model.check(formula).expect("a formula").strategy(strategy).traces(traces);
                    let answer = query.run().expect("an answer");
                    assert_eq!(answer.holds(), Some(expected), "{strategy:?} {formula} {text}: {answer}");
                }
            }
            let bounds = model.check("[bounds] : a + b").expect("a sum").strategy(strategy).run().expect("bounds");
            assert_eq!(bounds.verdict, Verdict::Bounds { least: 4294967292, greatest: 4294967294 }, "{strategy:?}");
        }
    }
}

/// Beyond 61 bits a sum is refused on diagrams, and exact state by state; nobody takes what is left of it for its value.
#[test]
fn sums_that_are_too_large_are_refused() {
    let text = "net N { place x = 1500000000; place y = 2; transition t { take 500000000 x; put 500000000 y; }
                transition u { take 500000000 y; put 500000000 x; } }";
    let model = Model::parse(text, Format::Gal).expect("a net");
    let large = "2147483647 * (2147483647 * y)";
    // Whether diagrams can tell, and what is right.
    for (formula, can_tell, holds) in [
        ("EF 10000 * (10000 * x) < 0".to_owned(), true, false),
        ("EF 100000 * (100000 * x) < 0".to_owned(), false, false),
        (format!("EF x + {large} + {large} < 0"), false, false),
        (format!("AG {large} + {large} >= 0"), false, true),
    ] {
        for strategy in [Strategy::Saturation, Strategy::Chaining, Strategy::Explicit] {
            let answer = model.check(&formula).expect("a formula").strategy(strategy).run().expect("an answer");
            let expected = (can_tell || strategy == Strategy::Explicit).then_some(holds);
            assert_eq!(answer.holds(), expected, "{strategy:?} {formula}: {answer}");
        }
    }
}

/// What has no value in some state has no bounds, for all engines.
#[test]
fn expressions_without_a_value_have_no_bounds() {
    for body in [
        "net N { place x = 0 capacity 3; place y = 3; transition t { put x; } }",
        "gal N { int x; int y = 3; transition t [x < 3] { x += 1; } }",
    ] {
        let model = Model::parse(body, Format::Gal).expect("a model");
        for strategy in [Strategy::Saturation, Strategy::Chaining, Strategy::Explicit] {
            let bounds =
                |text: &str| model.check(text).expect("a sum").strategy(strategy).run().expect("bounds").verdict;
            assert!(bounds("[bounds] : y / x").is_unknown(), "{strategy:?} {body}");
            assert_eq!(bounds("[bounds] : x * y"), Verdict::Bounds { least: 0, greatest: 9 }, "{strategy:?} {body}");
            assert_eq!(bounds("[bounds] : x / y"), Verdict::Bounds { least: 0, greatest: 1 }, "{strategy:?} {body}");
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
    let numbers: String = (0..12).map(|one| format!("int x{one} = 0; ")).collect();
    let moves = (0..12).map(|one| {
        let other = (one + 5) % 12;
        format!("transition t{one} [x{one} < 40] {{ x{one} += 1; x{other} = (x{other} * 7 + x{one}) % 41; }} ")
    });
    let model = Reader::new().parse(&format!("gal g {{ {numbers}{} }}", moves.collect::<String>())).expect("a program");
    match model.states().cancel(&cancel).run() {
        Ok(space) => {
            assert_eq!(space.stopped(), Some(Reason::Cancelled));
            assert_eq!(space.count().exactly(), None);
        }
        // A machine may be so busy that nobody looked in time: then there is no space, and the same reason.
        Err(error) => assert_eq!(error.stopped(), Some(Reason::Cancelled), "{error}"),
    }
    let answers = model.ask([model.deadlock()]).cancel(&cancel).run().expect("no error");
    assert_eq!(answers.ended, Ended::Stopped(Reason::Cancelled));
    assert!(answers.answers[0].verdict.is_unknown(), "not from a part of the states: {answers}");
    let error = model.states().memory("much").run().expect_err("no amount");
    assert_eq!(error.kind(), ErrorKind::Memory);
}

/// Who is stopped says the most that was found, also if that was in an order that has been given up since.
#[test]
fn the_most_that_was_found_is_told() {
    let mut text = Vec::new();
    let size = "2000".parse().expect("a size");
    classic::generate(Classic::Kanban, &size, Some(Shape::Flat), &mut text).expect("a net");
    let model = Reader::new().parse(&String::from_utf8(text).expect("text")).expect("a net");
    let (cancel, progress) = (Cancel::default(), Progress::default());
    let space = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !progress.doing().is_some_and(|doing| doing.ends_with("round 2")) {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            cancel.cancel();
        });
        let states = model.states().reductions(Reductions::Off);
        states.cancel(&cancel).progress(&progress).run().expect("a part of the states")
    });
    assert_eq!(space.stopped(), Some(Reason::Cancelled));
    let Counted::AtLeast(found) = space.count() else { panic!("{:?}", space.count()) };
    // Near the initial marking there are about a thousand.
    assert!(found.to_u64().is_none_or(|found| found > 100_000), "{found}");
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

/// Verdicts that are told on the way are those of the end, under the names that were asked for.
#[test]
fn verdicts_are_told_as_they_come() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut told = 0;
    for name in
        ["philosophers.gal", "producer-consumer.gal", "peterson.gal", "alternating-bit.gal", "waves.sn", "database.sn"]
    {
        let model = Model::read(folder.join(name)).expect("a model");
        for symmetry in [Symmetry::Off, Symmetry::Auto] {
            let heard = Arc::new(Mutex::new(Vec::new()));
            let hears = Arc::clone(&heard);
            let query = model.ask(model.properties().expect("properties")).symmetry(symmetry).traces(Traces::Unwanted);
            let query = query.on_verdict(move |told: &Told| hears.lock().expect("a list").push(told.clone()));
            let answers = query.run().expect("answers").answers;
            for one in heard.lock().expect("a list").iter() {
                let asked = answers.iter().find(|answer| answer.question.name() == one.question);
                let asked = asked.unwrap_or_else(|| panic!("{name}: nobody asked {}", one.question));
                assert_eq!(asked.verdict, one.verdict, "{name}: {}", one.question);
                told += 1;
            }
        }
    }
    assert!(told >= 20, "{told}");
}

/// What has no trace needs no states, although traces are wanted; what has one gets it.
#[test]
fn proofs_have_no_traces() {
    let mut net = Net::new("cells");
    for cell in 0..4 {
        let name = |what: &str| format!("{what}{cell}");
        net.place(name("card"), 3_000).place(name("work"), 0).place(name("done"), 0);
        net.transition(Transition::new(name("begin")).take(name("card"), 1).put(name("work"), 1));
        net.transition(Transition::new(name("end")).take(name("work"), 1).put(name("done"), 1));
    }
    for cell in 0..4 {
        let move_on = Transition::new(format!("move{cell}")).take(format!("done{cell}"), 1);
        net.transition(move_on.put(format!("card{}", (cell + 1) % 4), 1));
    }
    let model = net.build().expect("a net");
    let asked = ["AG work0 + card0 <= 12000", "EF work0 + done1 > 12000"];
    let asked = asked.map(|formula| model.question(formula).expect("a formula"));
    let mut asked = asked.to_vec();
    asked.push(model.deadlock());
    let answers = model.ask(asked).traces(Traces::Wanted).run().expect("answers");
    let holds: Vec<_> = answers.answers.iter().map(Answer::holds).collect();
    assert_eq!(holds, [Some(true), Some(false), Some(true)]);
    assert!(answers.states.is_none(), "no states were needed");
    assert!(answers.answers.iter().all(|answer| answer.trace().is_none()));
    let proof = answers.answers[1].proof.as_ref().expect("a proof");
    let Proof::Cases(cases) = proof else { panic!("{proof}") };
    assert_eq!((cases.len(), cases[0].needed - cases[0].initially), (1, 1), "{proof}");
    assert!(answers.answers[1].to_string().contains("no step makes"), "{proof}");
    let broken = model.check("AG work0 <= 1").expect("a formula").traces(Traces::Wanted).run().expect("an answer");
    assert_eq!((broken.holds(), broken.trace().map(|trace| trace.steps.len())), (Some(false), Some(2)));
}

/// Runs that show something are not left out where what they show is known before there are any states.
#[test]
fn what_is_known_early_is_shown_all_the_same() {
    let text = "net N { place p0 = 2; place p1; place p2 = 1; place p3; place clock = 50000; place rest;
                transition t0 { take p0; put p1; } transition t1 { take p1; take p2; put p3; }
                transition t2 { take p3; put p0; put p2; }
                transition tick { take clock; put rest; } transition tock { take rest; put clock; } }";
    let model = Model::parse(text, Format::Gal).expect("a net");
    for (formula, holds) in [
        ("EX p1 == 1", true),
        ("AX p0 == 5", false),
        ("X p0 == 5", false),
        ("F p0 == 7", false),
        ("AF p0 == 7", false),
        ("[ctl] : p0 == 5", false),
    ] {
        let answer = model.check(formula).expect("a formula").traces(Traces::Wanted).run().expect("an answer");
        assert_eq!(answer.holds(), Some(holds), "{formula}");
        assert!(answer.trace().is_some() || answer.witness.is_some(), "{formula}: {answer}");
    }
}

/// Where one no decides, the others need no answer.
#[test]
fn the_first_no_is_enough() {
    let text = "net door { place closed = 1; place open; place key;
                transition push { take closed; put open; } transition pull { take open; put closed; }
                transition unlock { take key; put closed; } }";
    let model = Model::parse(text, Format::Gal).expect("a net");
    let value = |examination: &str| {
        let examination = mandala::contest::Examination::named(examination).expect("an examination");
        model.examine(examination).run().expect("an answer").values[0].1.clone()
    };
    assert_eq!(value("QuasiLiveness"), Value::Truth(false), "nobody has the key");
    assert_eq!(value("StableMarking"), Value::Truth(true), "there is never a key");
    assert_eq!(value("OneSafe"), Value::Truth(true));
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
