//! Questions about steps and fair runs, formulas over ranges, and files of formulas, through the front door.

use mandala::{Answer, Fairness, FiniteRuns, Format, Model, Reader, Symmetry, Traces, Verdict};

const PETERSON: &str = include_str!("../../../models/peterson.gal");
const PHILOSOPHERS: &str = include_str!("../../../models/philosophers.gal");

fn peterson() -> Model {
    Model::parse(PETERSON, Format::Gal).expect("a model")
}

fn ask(model: &Model, formula: &str, fair: &[&str]) -> Answer {
    let query = model.check(formula).unwrap_or_else(|error| panic!("{formula}: {error}")).traces(Traces::Wanted);
    let fair = fair.iter().map(|one| one.parse::<Fairness>().expect("fairness"));
    let query = fair.fold(query, |query, one| query.fair(one));
    query.run().unwrap_or_else(|error| panic!("{formula}: {error}"))
}

#[test]
fn steps_are_asked_in_every_logic() {
    let model = peterson();
    for (formula, holds) in [
        ("EF fired(enter(0))", true),
        ("AG (fired(enter(0)) -> at[0] == 3)", true),
        ("AG !fired(leave)", false),
        ("G (fired(request(1)) -> F fired(enter(1)))", true),
        ("fired(request)", false),
        ("X fired(request)", true),
        ("AX fired(request(0))", false),
        ("EX fired(request(0))", true),
        ("A G (fired(request(0)) -> F (fired(enter(0))))", true),
        ("G (fired(enter) -> X !fired(enter))", true),
        ("G (fired(request) -> X !fired(request))", false),
    ] {
        let answer = ask(&model, formula, &[]);
        assert_eq!(answer.holds(), Some(holds), "{formula}: {answer}");
        // What remembers the last step is not shown.
        assert!(!answer.to_string().contains("last step"), "{answer}");
    }
    let composite = Model::parse(PHILOSOPHERS, Format::Gal).expect("a model");
    let answer = ask(&composite, "AG !fired(at[1]:takeRight)", &[]);
    let trace = answer.trace().expect("a trace");
    assert_eq!(trace.steps.last().map(|step| step.transition.as_str()), Some("at[1]:takeRight"));
    assert!(trace.initial.iter().all(|(name, _)| name.starts_with("at[")), "{trace}");
}

/// Liveness is about states: it does not matter which runs count, and not whether another question is about steps.
#[test]
fn liveness_is_about_states() {
    let once = "net Once { place a = 1; place b; transition go { take a; put b; } }";
    let model = Model::parse(once, Format::Gal).expect("a model");
    let steps = model.question("[ctl] : EF fired(go)").expect("a formula");
    for finite_runs in [FiniteRuns::Stutter, FiniteRuns::Ignore] {
        let asked = [model.live().expect("a net"), steps.clone()];
        let answers = model.ask(asked).finite_runs(finite_runs).run().expect("answers");
        let holds: Vec<_> = answers.answers.iter().map(Answer::holds).collect();
        assert_eq!(holds, [Some(false), Some(finite_runs == FiniteRuns::Stutter)], "{finite_runs:?}");
    }
}

/// Of what can never happen, unfolding leaves no transition: it never was the last step.
#[test]
fn what_cannot_happen_never_was_the_last_step() {
    let text = "net Never {
        class C = c{1..2};
        place p : C = <c1>; place q = 1; place never;
        transition t (C x) { take p<x>; }
        transition s { take q; }
        transition u (C x) { take never; }
    }";
    let model = Model::parse(text, Format::Sn).expect("a model");
    for (formula, holds) in [
        ("EF fired(u)", false),
        ("AG !fired(t(x = c2))", true),
        ("EF fired(t(x = c1))", true),
        ("G !fired(u)", true),
        ("EF (fired(u) || fired(s))", true),
    ] {
        assert_eq!(ask(&model, formula, &[]).holds(), Some(holds), "{formula}");
    }
}

/// A whole condition may stand in double quotes, and what a trace calls a token is what a formula calls it.
#[test]
fn conditions_about_colours_may_be_quoted() {
    let text = "net Bags {
        class C = c{1..3};
        place shop : C = <c1> + 2 * <c2>;
        place sold : bag C;
        transition buy (C x, C y) [x != y] { take shop<x> + 2 * <y>; put sold<{x, 2 * y}>; }
    }";
    let model = Model::parse(text, Format::Sn).expect("a model");
    let answer = ask(&model, "AG \"shop(c2) == 2\"", &[]);
    let trace = answer.trace().expect("a trace");
    let sold = trace.steps[0].changes.iter().find(|change| change.after.number == 1).expect("a token");
    assert_eq!(sold.variable, "sold({c1, 2 * c2})");
    for quoted in ["", "\""] {
        let formula = format!("EF {quoted}{} == 1{quoted}", sold.variable);
        assert_eq!(ask(&model, &formula, &[]).holds(), Some(true), "{formula}");
    }
    let Err(wrong) = model.check("AG \"shop(c9) == 2\"") else { panic!("there is no such colour") };
    let wrong = wrong.to_string();
    assert!(wrong.contains("1:4"), "the place of the quoted text: {wrong}");
}

#[test]
fn runs_are_fair() {
    let model = peterson();
    let request = "G F at[0] == 3";
    assert_eq!(ask(&model, request, &[]).holds(), Some(false));
    assert_eq!(ask(&model, request, &["weak"]).holds(), Some(true));
    assert_eq!(ask(&model, request, &["weak:leave(1)"]).holds(), Some(false));
    assert_eq!(ask(&model, "AG AF at[0] == 3", &["weak"]).holds(), Some(true));
    assert_eq!(ask(&model, "AG AF at[0] == 3", &["strong:request, enter, leave, giveWay"]).holds(), Some(true));
    let table = Reader::new().define("N", 3).parse(PHILOSOPHERS).expect("a model");
    let all_eat = "forall ($i : seat) G F (deadlock || at[$i]:eating == 1)";
    let unfair = ask(&table, all_eat, &["weak"]);
    assert_eq!(unfair.holds(), Some(false));
    // The run goes on for ever, and is one of the model.
    assert!(unfair.trace().is_some_and(|trace| trace.repeats.is_some()), "{unfair}");
    assert_eq!(ask(&table, all_eat, &["strong"]).holds(), Some(true));
    let folded = table.check("G F (deadlock || at[0]:eating == 1)").expect("a formula");
    let folded = folded.fair("strong".parse().expect("fairness")).symmetry(Symmetry::Auto).run().expect("an answer");
    assert_eq!(folded.verdict, Verdict::Holds);
}

/// State by state, fair runs are the same; and what is said of CTL is shown by them.
#[test]
fn runs_are_fair_state_by_state() {
    let model = peterson();
    let ask = |formula: &str, fair: &str| {
        let query = model.check(formula).expect("a formula").fair(fair.parse().expect("fairness"));
        let query = query.traces(Traces::Wanted);
        let one_by_one = query.clone().strategy(mandala::Strategy::Explicit).run().expect("an answer");
        let by_diagrams = query.run().expect("an answer");
        assert_eq!(one_by_one.verdict, by_diagrams.verdict, "{formula}");
        (one_by_one, by_diagrams)
    };
    assert_eq!(ask("G F at[0] == 3", "weak").0.holds(), Some(true));
    let (unfair, _) = ask("G F at[0] == 3", "weak:leave(1)");
    assert_eq!(unfair.holds(), Some(false));
    assert!(unfair.trace().is_some_and(|trace| trace.repeats.is_some()), "{unfair}");
    for answer in <[Answer; 2]>::from(ask("AG AF at[0] == 3", "weak:leave(1)")) {
        assert_eq!(answer.holds(), Some(false));
        assert!(answer.witness.is_some(), "{answer}");
    }
    assert_eq!(ask("A(G F at[0] == 3) && E(F at[1] == 3)", "weak").0.holds(), Some(true));
}

/// Of a coloured net, transitions are named with their bindings.
#[test]
fn steps_of_coloured_nets() {
    let text = "net Door { class P = {a, b}; place outside : P = <all>; place inside : P; place free = 1; \
                transition enter (P x) { take outside<x>; take free; put inside<x>; } \
                transition leave (P x) { take inside<x>; put outside<x>; put free; } }";
    let model = Model::parse(text, Format::Sn).expect("a model");
    assert_eq!(ask(&model, "EF fired(enter(x = a))", &[]).holds(), Some(true));
    assert_eq!(ask(&model, "AG (fired(enter(x = a)) -> inside(a) == 1)", &[]).holds(), Some(true));
    assert_eq!(ask(&model, "AG (fired(leave) -> free == 0)", &[]).holds(), Some(false));
    assert_eq!(ask(&model, "AG !(fired(enter) && fired(leave))", &[]).holds(), Some(true));
    let again = "G F inside(a) == 1";
    assert_eq!(ask(&model, again, &["weak"]).holds(), Some(false));
    assert_eq!(ask(&model, again, &["strong"]).holds(), Some(true));
    assert_eq!(ask(&model, again, &["strong:enter(x = b)"]).holds(), Some(false));
    assert_eq!(ask(&model, again, &["strong:enter(x = a)", "weak:leave"]).holds(), Some(true));
    let wrong = model.check(again).expect("a formula").fair("weak:entr".parse().expect("fairness"));
    assert!(wrong.run().expect_err("an error").to_string().contains("`--fair weak:entr`"));
    // Symbolic markings do not know how they were reached.
    let symbolic = model.check("EF fired(enter)").expect("a formula").symbolic(mandala::Symbolic::List);
    assert!(symbolic.run().is_err());
}

#[test]
fn what_cannot_be_fair_is_refused() {
    let model = peterson();
    let refused = |model: &Model, fair: &str, formula: &str| {
        let query = model.check(formula).expect("a formula").fair(fair.parse().expect("fairness"));
        query.run().expect_err("an error").to_string()
    };
    assert!(refused(&model, "weak:nobody", "F at[0] == 3").contains("nobody"));
    assert!("fair".parse::<Fairness>().is_err() && "weak:".parse::<Fairness>().is_err());
    let text = "gal T { int x; TRANSIENT = x == 1; transition t [x < 3] { x += 1; } } main T;";
    let transient = Model::parse(text, Format::Gal).expect("a model");
    assert!(refused(&transient, "weak", "F x == 3").contains("transient"));
    let called =
        Model::parse("gal C { int x; transition t label \"l\" { x = 1; } } main C;", Format::Gal).expect("a model");
    assert!(called.check("EF fired(t)").expect("a formula").run().is_err());
    // A space does not know how it was reached.
    let space = model.states().run().expect("a space");
    assert!(space.ask(vec![model.question("EF fired(enter)").expect("a formula")]).is_err());
}

#[test]
fn formulas_go_over_ranges() {
    let text = "$N = 3; typedef index = 0..$N - 1;
        gal Cells { array [$N] at; int x; transition up (index $i) [at[$i] < 2] { at[$i] += 1; } }
        main Cells; property all [invariant] : forall ($i : index, $j : index) ($i == $j || at[$i] + at[$j] <= 4);";
    let model = Model::parse(text, Format::Gal).expect("a model");
    assert_eq!(model.properties().expect("properties").len(), 1);
    for (formula, same) in [
        ("forall ($i : 0..2) at[$i] <= 2", "at[0] <= 2 && at[1] <= 2 && at[2] <= 2"),
        ("forall ($i : index) at[$i] <= 2", "at[0] <= 2 && at[1] <= 2 && at[2] <= 2"),
        ("exists ($i : 1..$N - 1) at[$i] == 2 && x == 0", "at[1] == 2 && x == 0 || at[2] == 2 && x == 0"),
        ("sum ($i : index) at[$i] <= 6", "at[0] + at[1] + at[2] <= 6"),
        ("sum ($i : index) $i * at[$i] + x <= 6", "0 * at[0] + 1 * at[1] + 2 * at[2] + x <= 6"),
        ("forall ($i : 3..2) false", "true"),
        ("forall ($i : index) ($i < 2 -> at[$i + 1] >= 0)", "at[1] >= 0 && at[2] >= 0"),
        ("exists ($i : index) EF at[$i] == 2", "EF at[0] == 2 || EF at[1] == 2 || EF at[2] == 2"),
        ("[] (at[0] == 1 -> <> at[0] == 2)", "G (at[0] == 1 -> F at[0] == 2)"),
        ("A[] x == 0", "AG x == 0"),
        ("E<> at[1] == 2", "EF at[1] == 2"),
        ("enabled(up(1))", "fireable(up(1))"),
        ("G \"at[0] <= 2\"", "G at[0] <= 2"),
    ] {
        let (one, other) = (ask(&model, formula, &[]), ask(&model, same, &[]));
        assert_eq!(one.verdict, other.verdict, "{formula}");
    }
    for wrong in [
        "forall ($i : 0..9) at[$i] == 0",
        "forall ($i : nothing) true",
        "sum ($i : index) at[$i]",
        "forall ($i : 0..2) $j",
    ] {
        assert!(model.question(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn nodes_of_pnml_have_names_and_ids() {
    let text = r#"<pnml><net id="n"><page id="p">
        <place id="id-1"><name><text>free</text></name><initialMarking><text>1</text></initialMarking></place>
        <place id="id-2"><name><text>held</text></name></place>
        <transition id="id-3"><name><text>start it</text></name></transition>
        <arc id="a" source="id-1" target="id-3"/><arc id="b" source="id-3" target="id-2"/>
        </page></net></pnml>"#;
    let model = Model::parse(text, Format::Pnml).expect("a net");
    for formula in
        ["EF held == 1", "EF `id-2` == 1", "fireable(`start it`) || held == 1", "fireable(`id-3`) || `id-1` == 0"]
    {
        assert_eq!(ask(&model, formula, &[]).holds(), Some(true), "{formula}");
    }
    let answer = ask(&model, "EF held == 1", &[]);
    assert_eq!(answer.trace().expect("a trace").steps[0].transition, "start it");
}

#[test]
fn constants_may_leave_a_property_without_a_meaning() {
    let text = "$N = 3; gal A { array [$N] t; transition up [t[0] < 2] { t[0] += 1; } } main A;
        property first [reachable] : t[0] == 2; property last [reachable] : t[2] == 0;";
    let model = Reader::new().define("N", 1).parse(text).expect("a model all the same");
    assert_eq!(model.states().run().expect("states").count().to_string(), "3");
    assert!(model.property("first").is_ok() && model.property("last").is_err() && model.properties().is_err());
    assert!(Model::parse(&text.replace("t[2]", "t[3]"), Format::Gal).is_err(), "without -D it is an error of the file");
    let two = Model::parse("gal A { int x; } gal B { int y; }", Format::Gal).expect("a model");
    assert!(two.notes().iter().any(|note| note.contains("main B;")), "{:?}", two.notes());
}

#[test]
fn the_structure_of_a_net_is_listed() {
    let text = "net n { place a = 1; place b; place c; transition t { take a; put b; } transition u { take b; put a; }
        transition dead { take c; put a; } } main n;";
    let model = Model::parse(text, Format::Gal).expect("a net");
    let structure = model.structure().expect("of a net");
    let invariants: Vec<String> = structure.invariants.found.iter().map(ToString::to_string).collect();
    assert_eq!(invariants, ["a + b = 1", "c = 0"]);
    assert_eq!(structure.rounds.found.iter().map(ToString::to_string).collect::<Vec<_>>(), ["t + u"]);
    assert_eq!(structure.dead_transitions, Some(vec!["dead".to_owned()]));
    let sets = model.siphons_and_traps(10).expect("of a net");
    assert_eq!(sets.siphons.found, [vec!["c"]]);
    assert!(peterson().structure().is_none());
}
