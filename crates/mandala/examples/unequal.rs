//! Formulas of LTL that treat processes unequally: states of the product and seconds by each way, as tables of markdown.
//!
//! `cargo run --release -p mandala --example unequal -- [RUNS]`
//!
//! Seconds are those of the best of so many runs (3), from asking to the verdict, without reading the model. The last column
//! is how many times as long as the best way the automatic choice takes. Exit status 1 if two ways disagree.

use mandala::classic::{Besides, Classic, Shape, Size, generate_with};
use mandala::{Format, Model, Query, Reader, Strategy, Symmetry, SymmetryOfFormula, Traces};
use std::error::Error;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How long a way may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// A way to an answer, with its name.
type Way = (&'static str, Strategy, Symmetry, SymmetryOfFormula);

/// The ways to an answer; the last one chooses among them.
const WAYS: [Way; 7] = [
    ("all states, on diagrams", Strategy::Saturation, Symmetry::Off, SymmetryOfFormula::Auto),
    ("all states, one by one", Strategy::Explicit, Symmetry::Off, SymmetryOfFormula::Auto),
    ("group cut down", Strategy::Saturation, Symmetry::Auto, SymmetryOfFormula::Group),
    ("consistent graph", Strategy::Saturation, Symmetry::Auto, SymmetryOfFormula::Consistent),
    ("quotient product", Strategy::Saturation, Symmetry::Auto, SymmetryOfFormula::Product),
    ("quotient product, on diagrams", Strategy::Saturation, Symmetry::Explore, SymmetryOfFormula::Product),
    ("auto", Strategy::Saturation, Symmetry::Auto, SymmetryOfFormula::Auto),
];

/// The critical section whose processes are idle, requesting or inside.
const SECTION: &str = include_str!("../../../models/critical-section.gal");

fn main() -> ExitCode {
    let runs = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(3);
    match tables(runs) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn tables(runs: usize) -> Result<bool, Box<dyn Error>> {
    let mut agree = true;
    heading("n processes in a critical section: who requests while a later one is inside requests until that has left");
    for n in 2..=8 {
        let formula = pairs(n, |i, j| {
            format!(
                "G (requests[{i}] == 1 && inside[{j}] == 1 -> (requests[{i}] == 1 U (requests[{i}] == 1 && inside[{j}] == 0)))"
            )
        });
        agree &= row(&n.to_string(), &section(n)?, &formula, runs)?;
    }
    heading("the formula of section 7 of the paper");
    for n in 2..=8 {
        let exclusion = pairs(n, |i, j| format!("G !(inside[{i}] == 1 && inside[{j}] == 1)"));
        let served = each(n, |i| format!("G (requests[{i}] == 1 -> F inside[{i}] == 1)"));
        let lower_first = pairs(n, |i, j| {
            format!("G (requests[{i}] == 1 && requests[{j}] == 1 -> (inside[{j}] == 0 U inside[{i}] == 1))")
        });
        agree &= row(&n.to_string(), &section(n)?, &format!("{exclusion} && {served} && {lower_first}"), runs)?;
    }
    heading("other models");
    for (name, model, formula) in others()? {
        agree &= row(name, &model, &formula, runs)?;
    }
    Ok(agree)
}

/// A model and a formula about it, in words too.
type Other = (&'static str, Model, String);

/// Models with symmetries and formulas about them.
fn others() -> Result<Vec<Other>, Box<dyn Error>> {
    let clients = classic_with(Classic::ClientServer, 6, Besides { servers: Some(4), ..Besides::default() })?;
    let ring = classic(Classic::TokenRing, 10)?;
    let peterson = classic(Classic::Peterson, 6)?;
    let database = classic(Classic::Database, 6)?;
    let philosophers = classic(Classic::ContestPhilosophers, 8)?;
    Ok(vec![
        (
            "client-server 6, 4 servers: who is not idle gets an answer",
            clients.clone(),
            each(6, |i| format!("G (idle_{i} == 0 -> F answer_{i} == 1)")),
        ),
        (
            "client-server 6, 4 servers: each answer stays until it is taken",
            clients.clone(),
            each(6, |i| format!("G (answer_{i} == 1 -> (answer_{i} == 1 W idle_{i} == 1))")),
        ),
        (
            "client-server 6, 4 servers: no two are served by server 0",
            clients,
            pairs(6, |i, j| format!("G !(served_{i}_0 == 1 && served_{j}_0 == 1)")),
        ),
        (
            "token-ring 10: who wants to send will",
            ring.clone(),
            each(10, |i| format!("G (wants_{i} == 1 -> F sending_{i} == 1)")),
        ),
        ("token-ring 10: no two send", ring, pairs(10, |i, j| format!("G !(sending_{i} == 1 && sending_{j} == 1)"))),
        (
            "peterson 6: who has begun enters",
            peterson.clone(),
            each(6, |i| format!("G (idle_{i} == 0 -> F critical_{i} == 1)")),
        ),
        (
            "peterson 6: who is critical stays so until idle while a later one is not",
            peterson,
            pairs(6, |i, j| {
                format!("G (critical_{i} == 1 -> (critical_{i} == 1 && critical_{j} == 0 W idle_{i} == 1))")
            }),
        ),
        (
            "database 6: who waits becomes inactive",
            database.clone(),
            each(6, |i| format!("G (waiting_{i} == 1 -> F inactive_{i} == 1)")),
        ),
        (
            "database 6: who has sent waits until it is acknowledged",
            database,
            pairs(6, |i, j| format!("G (sent_{i}_{j} == 1 -> (waiting_{i} == 1 U acknowledged_{i}_{j} == 1))")),
        ),
        (
            "contest-philosophers 8: who has one fork eats",
            philosophers.clone(),
            (1..=8).map(|i| format!("G (Catch1_{i} == 1 -> F Eat_{i} == 1)")).collect::<Vec<_>>().join(" && "),
        ),
        (
            "contest-philosophers 8: no two neighbours eat",
            philosophers,
            (1..=8).map(|i| format!("G !(Eat_{i} == 1 && Eat_{} == 1)", i % 8 + 1)).collect::<Vec<_>>().join(" && "),
        ),
    ])
}

fn each(n: usize, part: impl Fn(usize) -> String) -> String {
    (0..n).map(part).collect::<Vec<_>>().join(" && ")
}

fn pairs(n: usize, part: impl Fn(usize, usize) -> String) -> String {
    let all = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
    all.map(|(i, j)| part(i, j)).collect::<Vec<_>>().join(" && ")
}

fn section(n: usize) -> Result<Model, Box<dyn Error>> {
    Ok(Reader::new().format(Format::Gal).define("N", n as i32).parse(SECTION)?)
}

fn classic(classic: Classic, size: u64) -> Result<Model, Box<dyn Error>> {
    classic_with(classic, size, Besides::default())
}

fn classic_with(classic: Classic, size: u64, besides: Besides) -> Result<Model, Box<dyn Error>> {
    let mut text = Vec::new();
    generate_with(classic, &Size::from(size), besides, Some(Shape::Flat), &mut text)?;
    Ok(Model::parse(&String::from_utf8(text)?, Format::Gal)?)
}

fn heading(title: &str) {
    let names: Vec<&str> = WAYS.iter().map(|way| way.0).collect();
    println!("\n{title}\n\n| | verdict | {} | times the best |", names.join(" | "));
    println!("|---|---|{}---:|", "---:|".repeat(WAYS.len()));
}

/// A line of a table: whether all ways agree.
fn row(name: &str, model: &Model, formula: &str, runs: usize) -> Result<bool, Box<dyn Error>> {
    let (mut cells, mut times, mut verdicts) = (Vec::new(), Vec::new(), Vec::new());
    for (_, strategy, symmetry, of_formula) in WAYS {
        let mut best: Option<Duration> = None;
        let mut states = None;
        for _ in 0..runs {
            let query: Query<_> = model.check(formula)?.traces(Traces::Unwanted).timeout(PATIENCE);
            let start = Instant::now();
            let answer = query.strategy(strategy).symmetry(symmetry).symmetry_of_formula(of_formula).run();
            let time = start.elapsed();
            let Some(holds) = answer.as_ref().ok().and_then(mandala::Answer::holds) else { break };
            verdicts.push(holds);
            states = answer.ok().and_then(|answer| answer.product_states);
            best = Some(best.map_or(time, |best| best.min(time)));
        }
        let states = states.map_or_else(|| "?".to_owned(), |states| states.to_string());
        cells.push(best.map_or_else(|| "-".to_owned(), |time| format!("{states}, {:.3} s", time.as_secs_f64())));
        times.push(best);
    }
    let verdict = match verdicts.first() {
        Some(first) if verdicts.iter().any(|one| one != first) => "different!",
        Some(true) => "holds",
        Some(false) => "fails",
        None => "-",
    };
    let automatic = times.pop().flatten();
    let best = times.into_iter().flatten().min();
    let ratio = automatic.zip(best).map(|(automatic, best)| automatic.as_secs_f64() / best.as_secs_f64());
    let ratio = ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.1}"));
    println!("| {name} | {verdict} | {} | {ratio} |", cells.join(" | "));
    Ok(verdict != "different!")
}
