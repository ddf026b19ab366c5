//! Small random systems in DVE that may fail: values near the bounds of their types, indices that may not exist, divisors
//! that may be 0, channels of all kinds, commit states. The same seed gives the same text, for ever.

/// Numbers that look random (xorshift64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % bound as u64) as usize
    }

    fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

/// What all processes share.
const GLOBALS: [&str; 2] = ["g", "h"];
/// What each process has of its own.
const LOCALS: [&str; 2] = ["x", "y"];
/// Arrays, global and local, with two elements at least.
const ARRAYS: [&str; 2] = ["t", "a"];
const STATES: [&str; 3] = ["p", "q", "r"];
const PROCESSES: [&str; 3] = ["A", "B", "C"];

/// The text of a system.
pub fn system(seed: u64) -> String {
    let mut random = seeded(seed);
    let synchronous = random.percent(12);
    let count = 1 + random.below(3);
    let mut text = shared(&mut random, synchronous);
    for name in &PROCESSES[..count] {
        text += &process(&mut random, name, &PROCESSES[..count], synchronous);
    }
    text + if synchronous { "system sync;\n" } else { "system async;\n" }
}

/// The text of a system whose processes are all alike.
#[allow(dead_code, reason = "not all who use this file make quotients")]
pub fn of_copies(seed: u64) -> String {
    let mut random = seeded(seed);
    let count = 2 + random.below(2);
    let mut text = shared(&mut random, false);
    let first = process(&mut random, "A", &["A"], false);
    for name in &PROCESSES[..count] {
        let copy = first.replace("process A", &format!("process {name}"));
        text += &copy.replace("A.", &format!("{name}.")).replace("A->", &format!("{name}->"));
    }
    text + "system async;\n"
}

fn seeded(seed: u64) -> Random {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    (0..8).for_each(|_| _ = random.below(2));
    random
}

/// Constants, variables and channels.
fn shared(random: &mut Random, synchronous: bool) -> String {
    let mut text = String::from("const byte N = 2;\n");
    let bytes = ["0", "1", "2", "N", "254", "255", "255 - N"];
    let ints = ["0", "1", "-1", "32766", "32767", "-32767", "-32768"];
    text += &format!("byte g = {}; int h = {};\n", random.pick(&bytes), random.pick(&ints));
    let array = [random.pick(&bytes), random.pick(&bytes)];
    text += &format!("byte t[N + 1] = {{{}, {}}};\n", array[0], array[1]);
    if random.percent(2) {
        // The system begins in the error state.
        text += &format!("byte broken = {};\n", random.pick(&["256", "-1", "1 / (N - 2)"]));
    }
    if !synchronous {
        text += "channel plain, signal; channel {byte} typed[0]; channel {byte, int} buffered[N];\n";
    }
    text
}

fn process(random: &mut Random, name: &str, all: &[&str], synchronous: bool) -> String {
    let mut text = format!("process {name} {{\n  byte x = {}; ", random.pick(&["0", "1", "254", "255"]));
    text += &format!("int y = {}; byte a[2] = {{1}};\n", random.pick(&["0", "1", "-1", "32767"]));
    text += "  state p, q, r; init p;";
    if !synchronous && random.percent(25) {
        text += &format!(" commit {};", random.pick(&STATES));
    }
    let transitions = 2 + random.below(4);
    let list: Vec<String> = (0..transitions).map(|_| transition(random, all, synchronous)).collect();
    text += &format!("\n  trans\n    {};\n}}\n", list.join(",\n    "));
    text
}

fn transition(random: &mut Random, all: &[&str], synchronous: bool) -> String {
    let mut text = format!("{} -> {} {{", random.pick(&STATES), random.pick(&STATES));
    if random.percent(55) {
        text += &format!(" guard {};", condition(random, all, 2));
    }
    if !synchronous && random.percent(45) {
        text += &format!(" sync {};", sync(random, all));
    }
    if random.percent(70) {
        let effects = 1 + random.below(3);
        let list: Vec<String> = (0..effects).map(|_| effect(random, all)).collect();
        text += &format!(" effect {};", list.join(", "));
    }
    text + " }"
}

fn sync(random: &mut Random, all: &[&str]) -> String {
    match random.below(8) {
        0 => "signal!".to_owned(),
        1 => "signal?".to_owned(),
        2 => format!("plain!{}", number(random, all, 1)),
        3 => format!("plain?{}", target(random, all)),
        4 => format!("typed!{}", number(random, all, 1)),
        5 => format!("typed?{}", target(random, all)),
        6 => format!("buffered!{{{}, {}}}", number(random, all, 1), number(random, all, 1)),
        // What is received second is not stored at a place that what is received first decides.
        _ => format!("buffered?{{{}, {}}}", target(random, all), random.pick(&["y", "h", "a[1]", "t[0]"])),
    }
}

fn effect(random: &mut Random, all: &[&str]) -> String {
    let target = target(random, all);
    let value = match random.below(6) {
        // Values near the bounds of their types, and values that stay small.
        0 => format!("{target} + 1"),
        1 => format!("{target} - 1"),
        2 | 3 => format!("({}) % {}", number(random, all, 2), random.pick(&["2", "3", "N", "g"])),
        4 => random.pick(&["0", "1", "2", "255", "256", "-1", "32767", "32768"]).to_owned(),
        _ => number(random, all, 2),
    };
    format!("{target} = {value}")
}

fn target(random: &mut Random, all: &[&str]) -> String {
    match random.below(3) {
        0 => element(random, all, 1),
        1 => random.pick(&GLOBALS).to_owned(),
        _ => random.pick(&LOCALS).to_owned(),
    }
}

/// An element of an array. One that is known not to exist is refused when the file is read, so there is always a variable.
fn element(random: &mut Random, all: &[&str], depth: usize) -> String {
    let array = random.pick(&ARRAYS);
    match random.below(5) {
        0 => format!("{array}[{}]", random.pick(&["0", "1", "N - 1"])),
        1 | 2 => format!("{array}[{}]", random.pick(&["x", "g", "y", "h"])),
        _ if depth == 0 => format!("{array}[x]"),
        _ => format!("{array}[{}]", number(random, all, depth - 1) + random.pick(&[" + x", " - x", " & x", " % x"])),
    }
}

fn number(random: &mut Random, all: &[&str], depth: usize) -> String {
    match random.below(if depth == 0 { 4 } else { 10 }) {
        0 => random.pick(&["0", "1", "2", "3", "N", "255", "300", "-1", "40000", "2147483647"]).to_owned(),
        1 => random.pick(&GLOBALS).to_owned(),
        2 => random.pick(&LOCALS).to_owned(),
        3 => format!("{}.{}", random.pick(all), random.pick(&STATES)),
        4 => format!("{}->{}", random.pick(all), random.pick(&["x", "y", "a[x]", "a[1]"])),
        5 => format!("{}({})", random.pick(&["-", "~", "not "]), number(random, all, depth - 1)),
        6 => format!("({})", condition(random, all, depth - 1)),
        7 => element(random, all, depth),
        _ => {
            let operators = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "+", "-"];
            let (left, right) = (number(random, all, depth - 1), number(random, all, depth - 1));
            format!("({left} {} {right})", random.pick(&operators))
        }
    }
}

fn condition(random: &mut Random, all: &[&str], depth: usize) -> String {
    match random.below(if depth == 0 { 3 } else { 7 }) {
        0..3 => {
            let compared = random.pick(&["<", "<=", "==", "!=", ">", ">="]);
            format!("{} {compared} {}", number(random, all, depth), number(random, all, depth))
        }
        3 => format!("not ({})", condition(random, all, depth - 1)),
        4 => number(random, all, depth),
        _ => {
            let joined = random.pick(&["&&", "||", "and", "or", "imply"]);
            format!("({}) {joined} ({})", condition(random, all, depth - 1), condition(random, all, depth - 1))
        }
    }
}
