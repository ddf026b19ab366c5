//! State spaces up to symmetry, as in table 3.1 of the thesis: whole, kept while exploring, selected, and by whichever
//! way is chosen automatically.
//!
//!     cargo run --release -p mandala-check --example quotients [SECONDS] [MODEL]
//!
//! Each way has so many seconds for each size of each model (60 if nothing is said), or of the one that is named.

use std::time::{Duration, Instant};

use mandala_check::explore::Stopped;
use mandala_check::limits::Limits;
use mandala_check::options::Options;
use mandala_check::options::QuotientChoice;
use mandala_check::quotient;
use mandala_model::classic::{Besides, Classic, Shape, Size, generate_with};
use mandala_model::gal;
use mandala_model::system::System;

/// A model with sizes, and what the thesis' tool needed: seconds and megabytes.
struct Row {
    classic: Classic,
    size: u64,
    besides: Besides,
    thesis: &'static str,
}

fn rows() -> Vec<Row> {
    let clients = |size, servers, thesis| Row {
        classic: Classic::ClientServer,
        size,
        besides: Besides { servers: Some(servers), ..Besides::default() },
        thesis,
    };
    let store = |size, thesis| Row {
        classic: Classic::SaleStore,
        size,
        besides: Besides { gifts: Some(5), ..Besides::default() },
        thesis,
    };
    let plain = |classic, size| Row { classic, size, besides: Besides::default(), thesis: "" };
    let mut rows = vec![
        clients(5, 7, "1.4 s, 58 MB"),
        clients(6, 7, "3.8 s, 140 MB"),
        clients(7, 7, "8.8 s, 267 MB"),
        clients(8, 7, "19 s, 521 MB"),
        clients(12, 7, "350 s, 4 GB"),
        clients(10, 2, ""),
        clients(20, 2, ""),
        clients(8, 8, ""),
        clients(9, 9, ""),
        store(5, "0.32 s, 17 MB"),
        store(10, "3.2 s, 99 MB"),
        store(15, "12.5 s, 303 MB"),
        store(20, "30 s, 722 MB"),
        store(30, "154 s, 2.5 GB"),
        store(40, "495 s, 4.2 GB"),
    ];
    rows.extend([4, 6, 8].map(|size| plain(Classic::Peterson, size)));
    rows.extend([8, 12, 16].map(|size| plain(Classic::TokenRing, size)));
    rows.extend([4, 5, 6].map(|size| plain(Classic::Database, size)));
    rows.extend([5, 8, 10].map(|size| plain(Classic::ContestPhilosophers, size)));
    rows
}

fn read(row: &Row) -> System {
    let mut text = Vec::new();
    generate_with(row.classic, &Size::from(row.size), row.besides, Some(Shape::Flat), &mut text).expect("written");
    gal::read(row.classic.name(), &String::from_utf8(text).expect("text"), &[]).expect("read").system
}

/// States and orbits, seconds and megabytes; nothing if the time is over.
fn run(system: &System, choice: QuotientChoice, seconds: u64) -> Option<(String, String, f64, usize)> {
    let start = Instant::now();
    let deadline = start.checked_add(Duration::from_secs(seconds));
    let options = Options { quotient: choice, limits: Limits { deadline, ..Limits::default() }, ..Options::default() };
    match quotient::explore(system, &options, &[]) {
        Ok(space) => {
            let count = |set| space.encoded().store.count(set).to_string();
            let orbits = space.quotient().map_or("-".to_owned(), |quotient| {
                let left = quotient.left_by_diagrams.as_ref().map_or(String::new(), |left| format!(" of {left}"));
                let exact = if quotient.is_canonical { "" } else { "≤ " };
                format!("{exact}{}{left}", count(&quotient.representatives))
            });
            let states = space.quotient().and_then(|quotient| quotient.concrete.as_ref()).map(ToString::to_string);
            let states = states.unwrap_or_else(|| space.count().to_string());
            let megabytes = space.encoded().store.statistics().peak_bytes >> 20;
            Some((states, orbits, start.elapsed().as_secs_f64(), megabytes))
        }
        Err(Stopped::Limit { .. }) => None,
        Err(stopped) => panic!("{stopped}"),
    }
}

fn main() {
    let seconds = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(60);
    println!(
        "| model | states | orbits (of those that diagrams left) | whole | explore | select | list | auto | thesis |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    let wanted = std::env::args().nth(2);
    for row in rows().into_iter().filter(|row| wanted.as_ref().is_none_or(|name| row.classic.name() == name)) {
        let system = read(&row);
        let ways = [
            QuotientChoice::Off,
            QuotientChoice::Explore,
            QuotientChoice::Select,
            QuotientChoice::List,
            QuotientChoice::Automatic,
        ];
        let results = ways.map(|choice| run(&system, choice, seconds));
        // What diagrams leave is told by those that work on diagrams.
        let known = results.iter().flatten().max_by_key(|one| one.1.contains(" of "));
        let (states, orbits) = known.map_or(("?".to_owned(), "?".to_owned()), |one| (one.0.clone(), one.1.clone()));
        let cells = results.each_ref().map(|result| match result {
            Some((_, _, seconds, megabytes)) => format!("{seconds:.2} s, {megabytes} MB"),
            None => format!("> {seconds} s"),
        });
        let besides = row.besides.servers.or(row.besides.gifts).map_or(String::new(), |number| format!("/{number}"));
        let name = format!("{} {}{besides}", row.classic.name(), row.size);
        println!("| {name} | {states} | {orbits} | {} | {} |", cells.join(" | "), row.thesis);
    }
}
