//! Coloured nets, as a user meets them: counts, traces and questions with colours, examinations, conversions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn mandala(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mandala"));
    command.args(arguments).output().expect("mandala runs")
}

/// What it prints, where it must succeed with this status.
fn printed(status: i32, arguments: &[&str]) -> String {
    let said = mandala(arguments);
    let error = String::from_utf8_lossy(&said.stderr);
    assert_eq!(said.status.code(), Some(status), "{arguments:?}: {error}");
    String::from_utf8_lossy(&said.stdout).into_owned()
}

/// What it says on standard error, with this status.
fn complaint(status: i32, arguments: &[&str]) -> String {
    let said = mandala(arguments);
    assert_eq!(said.status.code(), Some(status), "{arguments:?}");
    String::from_utf8_lossy(&said.stderr).into_owned()
}

/// The line of a report that begins with this word.
fn line<'t>(text: &'t str, word: &str) -> &'t str {
    let found = text.lines().find_map(|line| line.strip_prefix(word));
    found.unwrap_or_else(|| panic!("no {word} in {text}")).trim()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn model(name: &str) -> String {
    root().join("models").join(name).to_string_lossy().into_owned()
}

/// A file of the test's own.
fn file(name: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("coloured");
    fs::create_dir_all(&folder).expect("a folder");
    folder.join(name).to_string_lossy().into_owned()
}

/// A folder of the contest that is shared with other tests, if it is there.
fn shared(name: &str) -> Option<String> {
    let folder = root().join("../shared/models").join(name);
    if !folder.is_dir() {
        eprintln!("skipped: {} is not there", folder.display());
        return None;
    }
    Some(folder.to_string_lossy().into_owned())
}

#[test]
fn states_are_counted() {
    let cases: [(&str, &[&str], &str); 9] = [
        ("client-server.sn", &[], "184"),
        ("critical-section-waves.sn", &[], "512"),
        ("database.sn", &[], "109"),
        ("peterson.sn", &[], "55"),
        ("philosophers.sn", &[], "1364"),
        ("philosophers.sn", &["-D", "N=8"], "103682"),
        ("philosophers.sn", &["--strategy", "explicit"], "1364"),
        ("sale-store.sn", &[], "735"),
        ("sale-store.sn", &["--symmetry", "auto"], "735"),
    ];
    for (name, options, states) in cases {
        let path = model(name);
        let text = printed(0, &[&["states", &path], options].concat());
        assert_eq!(line(&text, "states"), states, "{name} {options:?}");
    }
}

#[test]
fn traces_have_colours() {
    let text = printed(0, &["check", &model("client-server.sn"), "-f", "EF(served(c3, s2) == 1)", "--trace"]);
    assert!(text.contains("1  send(c=c3, s=s2)   idle(c3) 1 -> 0, request(c3, s2) 0 -> 1"), "{text}");
    assert!(text.contains("2  begin(c=c3, s=s2)  "), "{text}");
    let text = printed(0, &["check", &model("sale-store.sn"), "-f", "EF(out(person1, {gift2}) == 1)", "--trace"]);
    assert!(text.contains("2  shopping(x=person1, B={gift2})"), "{text}");
}

#[test]
fn questions_have_colours() {
    let cases = [
        ("client-server.sn", "AG(request(c1, *) + served(c1, *) + answer(c1) + idle(c1) == 1)", 0, "holds"),
        ("client-server.sn", "EF(request(*, s1) == 4)", 1, "does not hold"),
        ("client-server.sn", "EF(fireable(begin(s = s2)))", 0, "holds"),
        ("client-server.sn", "AG(fireable(begin(c = c1, s = s2)) -> idle(c1) == 0)", 0, "holds"),
        ("client-server.sn", "[bounds] : request(*, s1)", 0, "from 0 to 3"),
        ("philosophers.sn", "G(hasLeft(3) == 1 -> fork(2) == 0)", 0, "holds"),
        ("sale-store.sn", "EF(out(*, {}) == 3)", 0, "holds"),
    ];
    for (name, formula, status, verdict) in cases {
        let text = printed(status, &["check", &model(name), "-f", formula]);
        let first = text.lines().next().unwrap_or_default();
        assert!(first.contains(&format!("  {verdict}  ")), "{name}: {formula}: {text}");
    }
}

#[test]
fn wrong_colours_are_pointed_at() {
    let cases = [
        ("EF(hasLeft(9) == 1)", "the class `Seat` has no colour `9`", "there are `1`, `2`, `3`, `4`, `5`"),
        ("EF(hasLeftt(3) == 1)", "there is no place `hasLeftt`", "did you mean `hasLeft`?"),
        ("EF(hasLeft(3, 4) == 1)", "the pattern has 2 components", "counts all its tokens"),
        ("EF(fireable(takeLeft(y = 3)))", "`takeLeft` has no variable `y`", "there is only `x`"),
        ("EF(takeLeft == 1)", "there is no place `takeLeft`", "write `fireable(takeLeft)`"),
    ];
    for (formula, error, help) in cases {
        let text = complaint(2, &["check", &model("philosophers.sn"), "-f", formula]);
        assert!(text.contains(error) && text.contains(help), "{formula}: {text}");
    }
}

/// Every model in every format that can say it has the same states.
#[test]
fn conversions_keep_the_states() {
    for name in ["client-server", "critical-section-waves", "database", "peterson", "philosophers", "sale-store"] {
        let from = model(&format!("{name}.sn"));
        let states = |path: &str| line(&printed(0, &["states", path]), "states").to_owned();
        let expected = states(&from);
        let cases: [(&str, &[&str]); 5] = [
            ("same.sn", &[]),
            ("unfolded.pnml", &["--unfold"]),
            ("unfolded.gal", &["--unfold"]),
            ("bagless.sn", &["--unfold-bags"]),
            ("coloured.pnml", &["--unfold-bags"]),
        ];
        for (ending, options) in cases {
            // PNML cannot say priorities of coloured nets.
            if name == "critical-section-waves" && ending == "coloured.pnml" {
                continue;
            }
            let to = file(&format!("{name}-{ending}"));
            printed(0, &[&["convert", &from, &to], options].concat());
            assert_eq!(states(&to), expected, "{name} as {ending}");
        }
    }
}

#[test]
fn what_pnml_cannot_say_is_refused() {
    let to = file("refused.pnml");
    let text = complaint(2, &["convert", &model("sale-store.sn"), &to]);
    assert!(text.contains("`out` has bags, which PNML cannot say"), "{text}");
}

#[test]
fn info_says_what_a_coloured_net_is() {
    let text = printed(0, &["info", &model("sale-store.sn")]);
    assert_eq!(line(&text, "kind"), "coloured net with bags");
    assert_eq!(line(&text, "classes"), "People (3 colours)");
    assert_eq!(line(&text, "unfolded"), "55 places, 51 transitions");
    let json: serde_json::Value =
        serde_json::from_str(&printed(0, &["info", &model("sale-store.sn"), "--json"])).unwrap();
    assert_eq!(json["bags"], true);
    assert_eq!(json["classes"][1]["colours"], 4);
}

#[test]
fn pictures_show_domains_guards_and_tokens() {
    let to = file("store.svg");
    printed(0, &["draw", &model("sale-store.sn"), "-o", &to]);
    let text = fs::read_to_string(to).expect("a picture");
    for part in [
        ">waiting: People = &lt;all&gt;<",
        ">out: People * bag Gift<",
        ">airlock [card(B) &gt;= 1 &amp;&amp; card(B) &lt;= 2]<",
        ">&lt;x, B&gt;<",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn generated_models_are_coloured() {
    for (name, states) in [("philosophers", "1364"), ("token-ring", "272"), ("database", "406")] {
        let to = file(&format!("{name}.sn"));
        printed(0, &["generate", name, "5", "--shape", "coloured", "-o", &to]);
        assert_eq!(line(&printed(0, &["states", &to]), "states"), states, "{name}");
    }
}

#[test]
fn too_much_to_unfold_is_said() {
    let path = file("wide.sn");
    let text = "net Wide { class C = c{1..10000}; place p : C = <all>; place q : C * C;
        transition pair (C x, C y) { take p<x> + <y>; put q<x, y>; } }";
    fs::write(&path, text).expect("a file");
    for limit in [["--memory", "200M"], ["--timeout", "1s"]] {
        let text = complaint(3, &[&["states", path.as_str()][..], &limit].concat());
        assert!(text.contains(" places and ") && text.contains("from `pair`"), "{limit:?}: {text}");
    }
}

#[test]
fn examinations_of_the_contest() {
    let Some(folder) = shared("mcc-col/CSRepetitions-COL-02") else { return };
    let text = printed(0, &["check", &folder, "--examination", "StateSpace"]);
    assert!(text.contains("STATE_SPACE STATES 7424 ") && text.contains("STATE_SPACE TRANSITIONS 37088 "), "{text}");
    let text = printed(0, &["check", &folder, "--examination", "UpperBounds"]);
    assert_eq!(text.lines().filter(|line| line.starts_with("FORMULA ")).count(), 16, "{text}");
    assert!(!text.contains("CANNOT_COMPUTE"), "{text}");
}

#[test]
fn definitions_of_greatspn_mean_their_net() {
    let Some(folder) = shared("swn") else { return };
    for name in ["simple.net", "simple.def"] {
        let path = Path::new(&folder).join(name).to_string_lossy().into_owned();
        assert_eq!(line(&printed(0, &["states", &path]), "states"), "1024", "{name}");
    }
}

/// The quotient graph is written as any other graph is, with symbolic markings as the papers write them.
#[test]
fn symbolic_markings_are_written_to_files() {
    let store = model("sale-store.sn");
    let written = |ending: &str, more: &[&str]| {
        let out = file(&format!("quotient.{ending}"));
        let mut arguments = vec!["states", &store, "-D", "P=2", "-D", "G=2", "--dump", &out];
        arguments.extend(more);
        let said = complaint(0, &arguments);
        assert!(said.contains("symbolic markings and"), "{said}");
        fs::read_to_string(out).expect("what was written")
    };
    for more in [&["--symbolic", "list"][..], &["--symmetry", "auto"], &["--symbolic", "sets"]] {
        let dot = written("dot", more);
        assert!(dot.contains("|People#0| = 2") && dot.contains("penwidth=2"), "{dot}");
        let json: serde_json::Value = serde_json::from_str(&written("json", more)).expect("JSON");
        let states = json["states"].as_array().expect("states");
        let ordinary: u64 = states
            .iter()
            .map(|state| state["stands_for"].as_str().and_then(|text| text.parse().ok()).unwrap_or(0))
            .sum();
        let counted = printed(0, &["states", &store, "-D", "P=2", "-D", "G=2"]);
        assert_eq!(line(&counted, "states"), ordinary.to_string(), "{json}");
        let first = written("aut", more).lines().next().map(str::to_owned);
        let steps = json["steps"].as_array().map_or(0, Vec::len);
        assert_eq!(first, Some(format!("des (0, {steps}, {})", states.len())));
    }
    let few = ["states", &store, "--symbolic", "list", "--dump", &file("few.aut"), "--dump-states", "2"];
    assert!(complaint(3, &few).contains("more than 2 states"));
}

const PROPERTIES: &str = r#"<?xml version="1.0"?>
<property-set xmlns="http://mcc.lip6.fr/">
  <property><id>bound</id><description>b</description><formula><place-bound><place>out</place><place>inside</place></place-bound></formula></property>
  <property><id>all-out</id><description>r</description><formula><exists-path><finally><integer-le>
    <integer-constant>3</integer-constant><tokens-count><place>out</place></tokens-count></integer-le></finally></exists-path></formula></property>
  <property><id>never-four</id><description>i</description><formula><all-paths><globally><integer-le>
    <tokens-count><place>out</place><place>waiting</place></tokens-count><integer-constant>2</integer-constant></integer-le></globally></all-paths></formula></property>
  <property><id>may-shop</id><description>c</description><formula><all-paths><globally><disjunction>
    <is-fireable><transition>airlock</transition></is-fireable>
    <exists-path><finally><is-fireable><transition>shopping</transition></is-fireable></finally></exists-path>
  </disjunction></globally></all-paths></formula></property>
</property-set>
"#;

/// The values of the contest's lines, without how they were found.
fn values(text: &str) -> Vec<String> {
    let line = |line: &str| line.split_whitespace().take(3).collect::<Vec<&str>>().join(" ");
    text.lines().filter(|line| line.starts_with("FORMULA")).map(line).collect()
}

/// Files of properties, and examinations, have the same answers on the quotient as on the unfolded net.
#[test]
fn files_of_properties_on_symbolic_markings() {
    let (store, properties, formulas) = (model("sale-store.sn"), file("properties.xml"), file("formulas.txt"));
    fs::write(&properties, PROPERTIES).expect("a file");
    let ask = |more: &[&str]| {
        let mut arguments = vec!["check", &store, "--properties", &properties, "--format", "mcc"];
        arguments.extend(more);
        values(&printed(1, &arguments))
    };
    let expected = ask(&[]);
    let known = ["FORMULA bound 3", "FORMULA all-out TRUE", "FORMULA never-four FALSE", "FORMULA may-shop FALSE"];
    assert_eq!(expected, known);
    for more in
        [&["--symbolic", "list"][..], &["--symmetry", "auto"], &["--symmetry", "auto", "--partition", "declared"]]
    {
        assert_eq!(ask(more), expected, "{more:?}");
    }
    let text = printed(1, &["check", &store, "--properties", &properties, "--symmetry", "auto"]);
    assert!(text.contains("symbolic markings"), "{text}");
    // In sets what is asked of single markings is answered, and all else is refused by name.
    let said = complaint(2, &["check", &store, "--properties", &properties, "--symbolic", "sets"]);
    assert!(said.contains("`may-shop` is no question about single markings"), "{said}");
    let lines = "EF out(person1, {gift1}) == 1\nproperty low [bounds] : warehouse\nAG inside <= 2\nEF deadlock\n";
    fs::write(&formulas, lines).expect("a file");
    let ask = |more: &[&str]| {
        let mut arguments = vec!["check", &store, "--formulas", &formulas, "--format", "mcc"];
        arguments.extend(more);
        values(&printed(1, &arguments))
    };
    let expected = ask(&[]);
    for more in [&["--symbolic", "sets"][..], &["--symbolic", "list"], &["--symmetry", "auto"]] {
        assert_eq!(ask(more), expected, "{more:?}");
    }
    for name in ["sale-store.sn", "client-server.sn", "philosophers.sn", "peterson.sn"] {
        for examination in ["ReachabilityDeadlock", "OneSafe", "QuasiLiveness", "StableMarking", "Liveness"] {
            let net = model(name);
            let ask = |more: &[&str]| {
                let mut arguments = vec!["check", &net, "--examination", examination];
                arguments.extend(more);
                let said = mandala(&arguments);
                values(&String::from_utf8_lossy(&said.stdout))
            };
            let expected = ask(&[]);
            assert!(expected.len() == 1 && !expected[0].contains("CANNOT"), "{name} {examination}: {expected:?}");
            assert_eq!(ask(&["--symmetry", "auto"]), expected, "{name} {examination}");
            assert_eq!(ask(&["--symbolic", "list"]), expected, "{name} {examination}");
        }
    }
}

/// Automata on the quotient, with colours in what their atoms say.
#[test]
fn automata_on_symbolic_markings() {
    let store = model("sale-store.sn");
    let (whole, one) = (file("whole.hoa"), file("one.hoa"));
    // Runs on which the condition holds for ever from some point on.
    let automaton = |atom: &str| {
        format!(
            "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"{atom}\"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n--BODY--\n\
             State: 0\n[t] 0\n[0] 1\nState: 1 {{0}}\n[0] 1\n--END--\n"
        )
    };
    fs::write(&whole, automaton("warehouse == 4 && inside == 0 && waiting == 0")).expect("a file");
    fs::write(&one, automaton("out(person1, {gift1}) == 1")).expect("a file");
    for hoa in [&whole, &one] {
        let expected = printed(1, &["check", &store, "--automaton", hoa, "--json"]);
        let found = printed(1, &["check", &store, "--automaton", hoa, "--json", "--symbolic", "list", "--trace"]);
        let verdict = |text: &str| {
            let json: serde_json::Value = serde_json::from_str(text).expect("JSON");
            json["results"][0]["verdict"].clone()
        };
        assert_eq!(verdict(&expected), verdict(&found));
        assert!(found.contains("symbolic marking"), "{found}");
    }
    let said = complaint(2, &["check", &store, "--automaton", &whole, "--symbolic", "sets"]);
    assert!(said.contains("no question about single markings"), "{said}");
    let fair = ["check", &store, "-f", "F waiting == 0", "--fair", "weak", "--symbolic", "list"];
    assert!(complaint(2, &fair).contains("fair"));
}

/// State by state on the unfolded net: as many states as diagrams have, and answers that do not depend on the workers.
#[test]
fn several_workers() {
    let names = ["client-server.sn", "database.sn", "peterson.sn", "philosophers.sn", "sale-store.sn", "waves.sn"];
    for name in names {
        let model = model(name);
        let states = printed(0, &["states", &model]);
        // The last line says how long it took.
        let answers = |workers: &str| {
            let given = ["check", &model, "-f", "EF deadlock", "--trace", "--strategy", "explicit"];
            let said = mandala(&[&given[..], &["--workers", workers]].concat());
            let text = String::from_utf8_lossy(&said.stdout).into_owned();
            (said.status.code(), text.trim_end().rsplit_once('\n').map(|(answers, _)| answers.to_owned()))
        };
        let (status, text) = answers("1");
        for workers in ["2", "3"] {
            let found = printed(0, &["states", &model, "--strategy", "explicit", "--workers", workers]);
            assert_eq!(line(&found, "states"), line(&states, "states"), "{name}, {workers} workers");
            assert_eq!(answers(workers), (status, text.clone()), "{name}, {workers} workers");
        }
        let (expected, trace) = match name {
            "philosophers.sn" => (0, "after 10 steps (shortest)"),
            "sale-store.sn" => (0, "(shortest)"),
            _ => (1, "does not hold"),
        };
        assert!(status == Some(expected) && text.as_ref().is_some_and(|text| text.contains(trace)), "{name}: {text:?}");
    }
}
