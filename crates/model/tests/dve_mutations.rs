//! A few thousand broken files: whatever they are, they are read or refused.

mod readers;

use mandala_model::{dve, gal};
use readers::mutate::Mutator;

const SAMPLE: &str = "// Two processes that do a bit of everything.
const byte N = 3;
byte counter = 0, table[N] = {1, 2, 3};
int level = -4;
channel ask, answer;
channel {byte, int} queue[2];

process Left {
    byte i, seen[2];
    state idle, waiting, done;
    init idle;
    commit done;
    assert waiting: i < N or counter == 0;
    trans
        idle -> waiting { guard i < N && table[i] != 0; sync ask!(i + 1) % N; effect i = i + 1, table[i - 1] = 0; },
        waiting -> done { sync answer?seen[1]; effect level = level * 2 - counter; },
        -> idle { guard not (Right.busy imply Right->answers > 2) || level >> 1 == ~3; },
        done -> idle { sync queue!{i, -level}; effect seen[0] = seen[1]; };
}

process Right {
    byte question, answers;
    int amount;
    state free, busy;
    init free;
    accept busy;
    trans
        free -> busy { sync ask?question; },
        busy -> free { guard question / 2 < 2; sync answer!question ^ 1; effect answers = answers + 1; },
        busy -> busy { sync queue?{question, amount}; };
}

system async;
";

const FORMULA: &str = "G (Left.waiting -> F (Left.done && Right->answers > 0)) || (counter == 0 U table[2] < level)";

#[test]
fn programs() {
    assert!(dve::read("sample.dve", SAMPLE).is_ok());
    let synchronous = "byte x; process P { state a, b; init a; trans a -> b { effect x = x + 1; }, b -> a { }; }
        process Q { byte t[4]; state a; init a; trans a -> a { guard t[x] == 0; effect t[x] = 1; }; } system sync;";
    let mut mutator = Mutator::new(5, vec![SAMPLE.to_owned(), synchronous.to_owned()]);
    let mut read = 0;
    for _ in 0..3_000 {
        let text = mutator.text();
        match dve::read("mutated.dve", &text) {
            Ok(model) => {
                read += 1;
                let written = gal::write(&model.system, &model.properties);
                if let Err(error) = gal::read("written.gal", &written, &[]) {
                    panic!("{error}\n{text}");
                }
            }
            Err(error) => is_explained(&error, &text),
        }
    }
    assert!(read > 30, "almost nothing is read any more: {read}");
}

#[test]
fn formulas() {
    let (_, names) = dve::read_with_names("sample.dve", SAMPLE).unwrap_or_else(|error| panic!("{error}"));
    assert!(names.formula(FORMULA).is_ok());
    let mut mutator = Mutator::new(6, vec![FORMULA.to_owned(), "AG EF (Left.idle + Right.free == 2)".to_owned()]);
    let mut read = 0;
    for _ in 0..3_000 {
        let text = mutator.text();
        match names.formula(&text) {
            Ok(_) => read += 1,
            Err(error) => is_explained(&error, &text),
        }
    }
    assert!(read > 30, "almost nothing is read any more: {read}");
}

/// Checks of a refusal that it says something, somewhere inside of the text.
fn is_explained(error: &mandala_model::text::Unreadable, text: &str) {
    assert!(!error.problems.is_empty(), "refused without a reason: {text}");
    for problem in &error.problems {
        let (start, end) = (problem.span.start as usize, problem.span.end as usize);
        assert!(!problem.message.is_empty());
        assert!(start <= end && end <= text.len(), "{problem:?}: {text}");
        assert!(text.is_char_boundary(start) && text.is_char_boundary(end), "{problem:?}: {text}");
    }
}
