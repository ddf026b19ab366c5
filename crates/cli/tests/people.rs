//! What people do in a terminal: walk through the states, write them to files, run for several models and again, complete what
//! they type, read the manual, see colours.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const TURNS: &str = "gal Turns {
    array [2] inside;
    transition enter (0..1 $p) [inside[0] + inside[1] == 0] { inside[$p] = 1; }
    transition leave (0..1 $p) [inside[$p] == 1] { inside[$p] = 0; }
}
main Turns;
";

fn mandala(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mandala"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for variable in ["NO_COLOR", "CLICOLOR_FORCE", "TERM"] {
        command.env_remove(variable);
    }
    command
}

/// A file of a test's own.
fn file(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).expect("a file");
    path.to_string_lossy().into_owned()
}

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    told(arguments, "")
}

/// Runs with some input.
fn told(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut child = mandala(arguments).spawn().expect("it starts");
    child.stdin.take().expect("an input").write_all(input.as_bytes()).expect("it listens");
    let Output { status, stdout, stderr } = child.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (status.code(), text(stdout), text(stderr))
}

#[test]
fn a_walk_by_hand_works_in_a_pipe() {
    let model = file("hand.gal", TURNS);
    let (code, printed, _) = told(&["simulate", &model], "1\n9\nu\nu\n2\nt\nr 3\nb\nfly\nq\n1\n");
    assert_eq!(code, Some(0));
    for line in [
        "  2  enter(1)",
        "  enter(0)  inside[0] 0 -> 1",
        "expected a number from 1 to 1, a name of the list, or `?` for help",
        "undone: enter(0)",
        "this is the start",
        "expected a number from 1 to 2, a name of the list, or `?` for help",
    ] {
        assert!(printed.lines().any(|one| one == line), "{line}: {printed}");
    }
    // What follows after `q` is not done.
    assert!(printed.ends_with("or `?` for help\n"), "{printed}");
}

#[test]
fn a_walk_by_hand_takes_names() {
    let model = file("by-name.gal", TURNS);
    let (code, printed, _) = told(&["simulate", &model], "enter(1)\nu\nenter\n?\nq\n");
    assert_eq!(code, Some(0));
    for line in [
        "  enter(1)  inside[1] 0 -> 1",
        "there are several of this name; choose a number: 1, 2",
        "  NUMBER     fire a transition of the list",
    ] {
        assert!(printed.lines().any(|one| one == line), "{line}: {printed}");
    }
}

#[test]
fn fairness_names_transitions() {
    let model = file("fair.gal", TURNS);
    let (code, _, said) = run(&["check", &model, "-f", "G F inside[0] == 1", "--fair", "weak:entr"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("`--fair weak:entr`: there is no transition `entr`"), "{said}");
    assert!(said.contains("did you mean `enter`?") && !said.contains("fireable"), "{said}");
}

#[test]
fn formulas_know_the_constants_of_a_coloured_net() {
    let text = "$N = 4; net W { class P = p{1..$N}; place idle : P = <all>; place busy : P; \
                transition go (P x) { take idle<x>; put busy<x>; } }";
    let model = file("constants.sn", text);
    let ask = |values: &[&str], formula: &str| {
        let (code, printed, said) = run(&[&["check", &model, "-f", formula], values].concat());
        assert!(code == Some(0) || code == Some(1), "{said}");
        printed.contains(" holds")
    };
    assert!(ask(&[], "EF busy == $N"));
    assert!(ask(&["-D", "N=2"], "forall ($x : 1..$N) EF busy(p{$x}) == 1"));
    assert!(ask(&["-D", "N=2"], "AG busy <= $N"));
    assert!(!ask(&["-D", "N=5"], "AG busy < $N"));
}

/// That a net is not bounded is said also where nobody had to look at all of its states.
#[test]
fn what_is_not_bounded_is_said() {
    let text = "net Tap { place water = 1; place idle = 1; place busy; transition fill { put water; } \
                transition go { take idle; put busy; } transition back { take busy; put idle; } }";
    let model = file("tap.gal", text);
    for formula in ["EF busy == 1", "AG busy <= 1", "EF water == 3", "[bounds] : water"] {
        let (code, printed, said) = run(&["check", &model, "-f", formula]);
        assert_eq!(code, Some(0), "{formula}: {said}");
        assert!(printed.contains("; the net is not bounded"), "{formula}: {printed}");
    }
    let bounded = file("no-tap.gal", &text.replace("put water; }", "read water; }"));
    let (_, printed, _) = run(&["check", &bounded, "-f", "EF busy == 1"]);
    assert!(!printed.contains("not bounded"), "{printed}");
}

/// What is known of a net that is still being unfolded when the time is over.
#[test]
fn unfolding_says_how_far_it_is() {
    let text = "net Large { class A = a{1..3000}; place p : A * A = <all, all>; place q : A * A; \
                transition copy (A x, A y) { take p<x, y>; put q<y, x>; } }";
    let model = file("unfolding.sn", text);
    let (code, printed, said) = run(&["states", &model, "--json", "--symbolic", "off", "--timeout", "500ms"]);
    assert_eq!(code, Some(3), "{printed}{said}");
    let answer: serde_json::Value = serde_json::from_str(&printed).expect("one object");
    assert_eq!((&answer["states"], &answer["stopped"]), (&serde_json::Value::Null, &"time".into()));
    let everything = format!("{printed}{said}");
    assert!(everything.contains("unfold") && everything.contains("places and"), "{everything}");
    let (code, printed, said) = run(&["info", &model, "--json", "--timeout", "500ms"]);
    assert_eq!(code, Some(3), "{printed}{said}");
    let answer: serde_json::Value = serde_json::from_str(&printed).expect("one object");
    assert_eq!((&answer["places"], &answer["stopped"]), (&2.into(), &"time".into()));
}

/// What other languages have is named with what it is written as here.
#[test]
fn words_of_other_languages_are_understood() {
    let model = file("words.gal", TURNS);
    for (formula, says) in [
        ("AG(inside[0] =< 1)", "\"at most\" is written `<=`"),
        ("always inside[0] <= 1", "\"in all states\" is written `AG f`"),
        ("eventually inside[0] == 1", "\"in some state\" is written `EF f`"),
        ("never inside[0] == 2", "\"in no state\" is written `AG !(f)`"),
    ] {
        let (code, printed, said) = run(&["check", &model, "-f", formula]);
        assert_eq!(code, Some(2), "{formula}: {printed}{said}");
        assert!(said.contains(says), "{formula}: {said}");
    }
    let (code, printed, said) = run(&["states", &model, "--timeout", "5", "minutes"]);
    assert_eq!((code, printed.as_str()), (Some(2), ""), "{said}");
    assert!(said.contains("`minutes`"), "{said}");
}

/// The words of other languages for parameters and names that hold more than words.
#[test]
fn formulas_as_others_write_them() {
    let model = file("as-others.gal", TURNS);
    for formula in [
        "forall $i in 0..1 : AG inside[$i] <= 1",
        "AG (forall ($i in 0..1) inside[$i] <= 1)",
        "AG sum($i in 0..1) inside[$i] <= 1",
        "AG sum $i in 0..1 : inside[$i] <= 1",
        "exists $i in 0..1 : EF fired(enter($i))",
    ] {
        let (code, printed, said) = run(&["check", &model, "-f", formula]);
        assert_eq!(code, Some(0), "{formula}: {printed}{said}");
    }
    let (code, _, said) = run(&["check", &model, "-f", "forall $i in 0..1 AG inside[$i] <= 1"]);
    assert!(code == Some(2) && said.contains("`:` after the range"), "{said}");
    let text = "net N { place `id-1` = 1; place `start it`; transition t { take `id-1`; put `start it`; } }";
    let model = file("signs.gal", text);
    for (formula, says) in [("EF id-1 == 0", "`id-1`"), ("EF start == 1", "`start it`")] {
        let (code, _, said) = run(&["check", &model, "-f", formula]);
        assert!(code == Some(2) && said.contains("is written in backquotes") && said.contains(says), "{said}");
    }
    assert_eq!(run(&["check", &model, "-f", "EF (`id-1` == 0 && `start it` == 1)"]).0, Some(0));
}

/// Nodes of PNML are called by their names where these are unique, and the ids go on meaning them.
#[test]
fn nodes_of_pnml_are_called_by_their_names() {
    let node = |kind: &str, id: &str, name: &str, more: &str| {
        format!("<{kind} id=\"{id}\"><name><text>{name}</text></name>{more}</{kind}>")
    };
    let text = format!(
        "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\"><net id=\"n\" \
         type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"g\">{}{}{}\
         <arc id=\"x\" source=\"id-1\" target=\"id-3\"/><arc id=\"y\" source=\"id-3\" target=\"id-2\"/></page></net></pnml>",
        node("place", "id-1", "start it", "<initialMarking><text>1</text></initialMarking>"),
        node("place", "id-2", "done", ""),
        node("transition", "id-3", "go now", ""),
    );
    let model = file("named.pnml", &text);
    for formula in ["EF done == 1", "EF `id-2` == 1", "EF (`start it` == 0 && fired(`go now`))", "EF fired(`id-3`)"] {
        let (code, printed, said) = run(&["check", &model, "-f", formula, "--trace"]);
        assert_eq!(code, Some(0), "{formula}: {printed}{said}");
        assert!(printed.contains("go now") && printed.contains("start it"), "{printed}");
    }
}

/// Who forgets the verb is told which there are.
#[test]
fn a_model_in_place_of_a_verb() {
    let model = file("verb.gal", TURNS);
    let (code, printed, said) = run(&[&model, "--json"]);
    assert!(code == Some(2) && said.contains(&format!("`mandala check {model}`")), "{said}");
    let answer: serde_json::Value = serde_json::from_str(&printed).expect("one object");
    assert!(answer["error"]["help"].as_str().is_some_and(|help| help.contains("mandala states")), "{printed}");
    let (code, _, said) = run(&["fly"]);
    assert!(code == Some(2) && !said.contains("say what to do"), "{said}");
}

/// Verbs and options of other tools are answered with those of this one.
#[test]
fn options_of_other_tools() {
    let model = file("options.gal", TURNS);
    for (line, says) in [
        ("verify MODEL", "this is `mandala check`"),
        ("count MODEL", "this is `mandala states`"),
        ("check MODEL --ltl G(x)", "asked with `-f`"),
        ("check MODEL --spec G(x)", "asked with `-f`"),
        ("check MODEL --counterexample", "`--trace`"),
        ("states MODEL --verbose", "`--stats`"),
        ("check MODEL --depth=3", "`--timeout` and `--memory`"),
        ("info MODEL --invariants", "`--most 50`"),
        ("simulate MODEL 12", "`--steps 12`"),
        ("convert MODEL -o out.pnml", "follows the model"),
        ("draw MODEL out.svg", "`-o out.svg`"),
    ] {
        let line = line.replace("MODEL", &model);
        let arguments: Vec<&str> = line.split(' ').collect();
        let (code, printed, said) = run(&arguments);
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{line}");
        assert!(said.contains(says) && !said.contains("tip:"), "{line}: {said}");
    }
    let (_, _, said) = run(&["check", &model, "--ordr", "force"]);
    assert!(said.contains("'--order'"), "{said}");
}

/// Files of other tools are named, instead of read as if they were of this one.
#[test]
fn languages_of_other_tools_are_named() {
    for (name, text, says) in [
        ("lock.pml", "byte x; active proctype P() { x = 1 }", "seems to be in Promela, which is not read"),
        ("lock.txt", "MODULE main\nVAR x : boolean;", "the language of NuSMV"),
    ] {
        let (code, printed, said) = run(&["states", &file(name, text), "--json"]);
        assert!(code == Some(2) && said.contains(says) && said.contains("PNML"), "{said}");
        let answer: serde_json::Value = serde_json::from_str(&printed).expect("one object");
        assert!(answer["error"]["message"].as_str().is_some_and(|message| message.contains(says)), "{printed}");
    }
    let model = file("gal.pml", TURNS);
    assert_eq!(run(&["states", &model, "--format-in", "gal"]).0, Some(0));
}

/// Parameters of formulas range over the colours of a class.
#[test]
fn formulas_go_over_the_colours_of_a_class() {
    let text = "net Desk { class Client = c{1..3}; class Number = 1..2; place idle : Client = <all>; place free : Number = <all>; \
                place served : Client * Number; \
                transition begin (Client c, Number s) { take idle<c>; take free<s>; put served<c, s>; } \
                transition end (Client c, Number s) { take served<c, s>; put idle<c>; put free<s>; } } \
                property one [invariant] : forall ($s : Number) served(*, $s) <= 1;";
    let model = file("classes.sn", text);
    let ask = |formula: &str| run(&["check", &model, "-f", formula, "--symmetry", "auto"]);
    assert_eq!(run(&["check", &model]).0, Some(0));
    for (formula, code) in [
        ("forall ($c : Client) EF served($c, *) == 1", 0),
        ("AG forall ($a : Client, $b : Client) ($a == $b || served($a, 1) + served($b, 1) <= 1)", 0),
        ("AG forall ($a : Client, $b : Client) served($a, 1) + served($b, 2) <= 1", 1),
        ("AG (sum ($c : Client) served($c, *)) <= 2", 0),
        ("AG (sum ($c : Client, $s : Number) served($c, $s)) <= 1", 1),
        ("exists ($s : Number) EF fireable(end(s = $s, c = c1))", 0),
        ("AG exists ($c : Client) idle($c) == 1", 0),
        // The number of a colour is not what it is called.
        ("EF forall ($s : Number) free($s) + free(1) == 2 * free($s)", 0),
    ] {
        let (found, printed, said) = ask(formula);
        assert_eq!(found, Some(code), "{formula}: {printed}{said}");
    }
    for (formula, says) in [
        ("AG forall ($s : Number) served($s, *) <= 1", "`$s` is a colour of `Number`"),
        ("AG forall ($c : Client) $c == 1", "`$c` is a colour of `Client`, and no number"),
        ("AG forall ($c : Client) idle(c{$c}) <= 1", "`$c` is a colour of `Client`, and no number"),
        ("AG forall ($c : Client, $s : Number) $c != $s", "and no number"),
        ("forall ($c : Cliemt) EF idle($c) == 0", "`Client`"),
    ] {
        let (found, printed, said) = ask(formula);
        assert_eq!(found, Some(2), "{formula}: {printed}{said}");
        assert!(said.contains(says), "{formula}: {said}");
    }
}

#[test]
fn a_walk_at_random_is_the_same_for_the_same_seed() {
    let model = file("random.gal", TURNS);
    let walk = |seed: &str| run(&["simulate", &model, "-n", "30", "--seed", seed, "--json"]).1;
    assert_eq!(walk("5"), walk("5"));
    assert!(
        (0..20).any(|seed| walk(&seed.to_string()) != walk("5").replace("\"seed\": 5", &format!("\"seed\": {seed}")))
    );
    let stuck = file("stuck.gal", "gal S { int x; transition t [x < 2] { x += 1; } } main S;");
    let (code, printed, _) = run(&["simulate", &stuck, "--steps", "9"]);
    assert_eq!(code, Some(0));
    assert!(printed.ends_with("nothing can happen after 2 steps\n"), "{printed}");
}

#[test]
fn states_are_written_to_files() {
    let model = file("dump.gal", TURNS);
    let out = |ending: &str| file(&format!("dump.{ending}"), "");
    for ending in ["aut", "json", "dot"] {
        let (code, _, said) = run(&["states", &model, "--dump", &out(ending)]);
        assert_eq!((code, said.contains("3 states and 4 steps written")), (Some(0), true), "{said}");
    }
    let read = |ending: &str| fs::read_to_string(file_named(&format!("dump.{ending}"))).expect("what was written");
    run(&["states", &model, "--dump", &out("aut")]);
    assert!(read("aut").starts_with("des (0, 4, 3)\n(0, \"enter(0)\", 1)\n"), "{}", read("aut"));
    run(&["states", &model, "--dump", &out("json")]);
    let json: serde_json::Value = serde_json::from_str(&read("json")).expect("JSON");
    assert_eq!((json["states"].as_array().map(Vec::len), json["steps"].as_array().map(Vec::len)), (Some(3), Some(4)));
    run(&["states", &model, "--dump", &out("dot")]);
    assert!(read("dot").contains("0 -> 1 [label=\"enter(0)\"];"), "{}", read("dot"));
    let (code, _, said) = run(&["states", &model, "--dump", &out("aut"), "--dump-states", "2"]);
    assert_eq!((code, said.contains("more than 2 states")), (Some(3), true), "{said}");
    let (code, _, said) = run(&["states", &model, "--dump", "states.txt"]);
    assert_eq!((code, said.contains(".dot, .json and .aut")), (Some(2), true), "{said}");
    let (code, _, said) = run(&["states", &model, "--dump", &out("aut"), "--symmetry", "auto"]);
    assert_eq!((code, said.contains("representatives")), (Some(2), true), "{said}");
}

fn file_named(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn several_models_in_one_call() {
    let (good, bad) = (file("good.gal", TURNS), file("bad.gal", "gal B { int x = 5; } main B;"));
    let (code, printed, _) = run(&["check", &good, &bad, "-f", "deadlock"]);
    assert_eq!(code, Some(1));
    assert!(printed.contains(&format!("{good}:\n")) && printed.contains(&format!("{bad}:\n")), "{printed}");
    let (code, _, said) = run(&["states", &good, &file("none.gal", "gal {"), "--json"]);
    assert_eq!(code, Some(2), "{said}");
    let (code, _, said) = run(&["check", &good, "-f", "deadlock", &bad]);
    assert_eq!((code, said.contains("one after the other")), (Some(2), true), "{said}");
}

#[test]
fn a_file_is_watched() {
    let model = file("watched.gal", TURNS);
    let mut child = mandala(&["states", &model, "--watch"]).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("an output")).lines();
    let mut states = || lines.find_map(|line| line.ok()?.strip_prefix("states  ").map(|rest| rest.trim().to_owned()));
    let first = states();
    // Files have times in steps of the file system's own.
    let end = Instant::now() + Duration::from_secs(20);
    std::thread::sleep(Duration::from_millis(300));
    fs::write(&model, TURNS.replace("inside[0] + inside[1] == 0", "true")).expect("a file");
    let second = states();
    child.kill().expect("it runs until it is ended");
    child.wait().expect("it ends");
    assert_eq!((first.as_deref(), second.as_deref()), (Some("3"), Some("4")));
    assert!(Instant::now() < end);
}

#[test]
fn colours_are_asked_for_or_not() {
    let model = file("colours.gal", TURNS);
    let asked = |variables: &[(&str, &str)]| {
        let mut command = mandala(&["check", &model, "-f", "deadlock"]);
        let output = command.envs(variables.iter().copied()).output().expect("it runs");
        String::from_utf8(output.stdout).expect("text")
    };
    assert!(!asked(&[]).contains('\u{1b}'), "a pipe has no colours");
    assert!(asked(&[("CLICOLOR_FORCE", "1")]).contains("\u{1b}[31mdoes not hold\u{1b}[0m"));
    assert!(!asked(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]).contains('\u{1b}'));
    // What is wrong is said in the same manner.
    let complained = |variables: &[(&str, &str)]| {
        let mut command = mandala(&["check", "no-such-file.gal"]);
        let output = command.envs(variables.iter().copied()).output().expect("it runs");
        String::from_utf8(output.stderr).expect("text")
    };
    assert!(complained(&[]).starts_with("error: "));
    assert!(complained(&[("CLICOLOR_FORCE", "1")]).starts_with("\u{1b}[1;31merror\u{1b}[0m: "));
    assert!(complained(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]).starts_with("error: "));
}

#[test]
fn shells_and_readers_are_served() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (code, script, _) = run(&["completions", shell]);
        assert!(code == Some(0) && script.contains("simulate"), "{shell}");
    }
    let (code, page, _) = run(&["man", "check"]);
    assert!(code == Some(0) && page.contains(".TH mandala-check 1") && page.contains("fair"), "{page}");
    assert!(run(&["man"]).1.contains("simulate"));
    assert_eq!(run(&["man", "fly"]).0, Some(2));
    let folder = file_named("manual");
    fs::create_dir_all(&folder).expect("a folder");
    assert_eq!(run(&["man", "--into", &folder.to_string_lossy()]).0, Some(0));
    assert!(folder.join("mandala.1").is_file() && folder.join("mandala-simulate.1").is_file());
}

#[test]
fn formulas_come_from_files() {
    let model = file("asked.gal", TURNS);
    let asked =
        file("asked.txt", "# a comment\nproperty one : EF inside[0] == 1\nproperty two [ltl] : G F inside[1] == 1;\n");
    let (code, printed, _) = run(&["check", &model, "--formulas", &asked]);
    assert_eq!(code, Some(1), "{printed}");
    assert!(
        printed.starts_with("one  reachable  holds") && printed.contains("two  ltl        does not hold"),
        "{printed}"
    );
    let (code, printed, _) = run(&["check", &model, "-F", &asked, "-p", "two", "--fair", "strong"]);
    assert_eq!(code, Some(0), "{printed}");
    let wrong = file("wrong.txt", "true\n\nEF insid[0] == 1\nproperty x y z\n");
    let (code, _, said) = run(&["check", &model, "-F", &wrong]);
    assert_eq!(code, Some(2));
    assert!(said.contains("wrong.txt:3:4") && said.contains("wrong.txt:4:1") && said.contains("inside"), "{said}");
}

#[test]
fn formats_on_standard_input() {
    let text = "process P { state a, b; init a; trans a -> b {}; } system async;";
    let (code, printed, _) = told(&["states", "-", "--format-in", "dve"], text);
    assert!(code == Some(0) && printed.contains("states     2"), "{printed}");
    let (code, printed, _) = told(&["check", "-", "-f", "EF P.state == b"], text);
    assert!(code == Some(0) && printed.contains("holds"), "{printed}");
}

/// What people write who know other languages, or forgot a sign: each is told how it is written here.
#[test]
fn habits_are_answered() {
    let gal = |inside: &str| format!("gal A {{ int x; {inside} }}");
    for (text, says) in [
        (gal("int y in 0..3;"), "no range is declared"),
        (gal("int y : 0..3;"), "no range is declared"),
        (gal("transition t [true] { x = (x + 1) mod 3; }"), "\"mod\" is written `%`"),
        (gal("transition t [x mod 2 == 0] { x = 1; }"), "\"mod\" is written `%`"),
        (gal("transition t [enabled(u)] { x = 1; }"), "guards look at variables"),
        (gal("transition t (i : 0..2) { x = 1; }"), "begins with `$`: `(0..3 $i)`"),
        (gal("transition t (0..2 i) { x = 1; }"), "begins with `$`: `(0..3 $i)`"),
        (gal("") + " AG x < 2;", "`property name [ctl] : AG x == 1;`"),
        ("net N { class S = s1..s3; place p : S = <all>; }".to_owned(), "`c{1..3}`"),
        ("net N { class S = s{1..3}; place p : S = all; }".to_owned(), "one token of each colour is written `<all>`"),
    ] {
        let (code, printed, said) =
            told(&["states", "-", "--format-in", if text.contains("class") { "sn" } else { "gal" }], &text);
        assert_eq!(code, Some(2), "{text}: {printed}{said}");
        assert!(said.contains(says), "{text}: {said}");
    }
    let model = file("habits.gal", "net N { place `buffer full` = 1; transition t { take `buffer full`; } }");
    for (formula, says) in [
        ("EF buffer full == 0", "it is written in backquotes: `buffer full`"),
        ("EF[x == 1]", "stands in parentheses: `EF (...)`"),
    ] {
        let (code, printed, said) = run(&["check", &model, "-f", formula]);
        assert_eq!(code, Some(2), "{formula}: {printed}{said}");
        assert!(said.contains(says), "{formula}: {said}");
    }
}

/// A condition alone is an invariant, which is not what `deadlock` alone is mostly meant to be.
#[test]
fn who_asks_for_a_deadlock_is_told_how() {
    let model = file("alone.gal", TURNS);
    let (code, _, said) = run(&["check", &model, "-f", "deadlock"]);
    assert!(code == Some(1) && said.contains("`--deadlock` asks whether there is one"), "{said}");
    let (_, _, said) = run(&["check", &model, "-f", "EF deadlock"]);
    assert!(!said.contains("note"), "{said}");
}

/// A property that has no meaning with the values that are given stops those alone who ask it.
#[test]
fn a_property_without_a_meaning_stops_nobody_else() {
    let text = "$N = 3; gal A { array [$N] at; transition t [at[0] == 0] { at[0] = 1; } } main A; \
                property other [reachable] : at[1] == 1; property first [reachable] : at[0] == 1;";
    let model = file("unused.gal", text);
    let (code, printed, said) = run(&["states", &model, "-D", "N=1"]);
    assert!(code == Some(0) && printed.contains("states     2"), "{printed}{said}");
    assert_eq!(run(&["check", &model, "-D", "N=1", "-p", "first"]).0, Some(0));
    let (code, _, said) = run(&["check", &model, "-D", "N=1"]);
    assert!(code == Some(2) && said.contains("`at[1]` does not exist"), "{said}");
}

/// Where several types could be the system, it is said which one is.
#[test]
fn a_file_without_a_main_type() {
    let types = "gal A { int x; } gal B { int x; transition t [x < 3] { x += 1; } }";
    let (code, printed, said) = run(&["states", &file("no-main.gal", types)]);
    assert!(code == Some(0) && printed.contains("states     4"), "{printed}{said}");
    assert!(said.contains("the last one is taken: `main B;`"), "{said}");
    let (_, _, said) = run(&["states", &file("with-main.gal", &format!("{types} main A;"))]);
    assert_eq!(said, "");
}

/// With symmetry the number of states is not lost: the answer has that of the states themselves too.
#[test]
fn symmetry_keeps_the_number_of_states() {
    let model = file("symmetric.gal", TURNS);
    for symmetry in ["auto", "explore", "select", "list"] {
        let (code, printed, said) = run(&["states", &model, "--symmetry", symmetry, "--json"]);
        assert_eq!(code, Some(0), "{said}");
        let answer: serde_json::Value = serde_json::from_str(&printed).expect("one object");
        assert_eq!((&answer["states"], &answer["representatives"]), (&"3".into(), &"2".into()), "{symmetry}");
    }
}

/// A file that cannot be written is named, and why.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named() {
    let model = file("full.gal", TURNS);
    for arguments in [
        vec!["generate", "philosophers", "300", "-o", "/dev/full"],
        vec!["convert", &model, "/dev/full", "--to", "gal"],
        vec!["draw", &model, "-o", "/dev/full", "--format", "svg"],
    ] {
        let (code, _, said) = run(&arguments);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("cannot write /dev/full") && said.contains("make room"), "{said}");
    }
}
