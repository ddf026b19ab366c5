//! Symbolic markings of coloured nets by counting the colours of classes, and the ordinary markings that they stand for.
//!
//! ```text
//! cargo run --release -p mandala-check --example counting -- models/client-server.sn -D C=20 -D S=20
//! cargo run --release -p mandala-check --example counting -- ../shared/models/mcc-col/*/model.pnml
//! ```

use mandala_check::limits::Limits;
use mandala_check::options::{Options, QuotientChoice};
use mandala_check::quotient::counted::{count, explore_counted};
use mandala_model::coloured::counting::Counted;
use mandala_model::coloured::{ColouredNet, greatspn, pnml, sn, unfold};
use mandala_model::system::Type;
use std::error::Error;
use std::time::{Duration, Instant};

/// For each net.
const SECONDS: u64 = 60;

fn main() {
    let (mut files, mut defines) = (Vec::new(), Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "-D" => {
                let definition = arguments.next().unwrap_or_default();
                let value =
                    definition.split_once('=').and_then(|(name, value)| Some((name.to_owned(), value.parse().ok()?)));
                defines.extend(value);
            }
            _ => files.push(argument),
        }
    }
    for file in files {
        match read(&file, &defines) {
            Ok(net) => report(&net),
            Err(error) => eprintln!("{file}: {error}"),
        }
    }
}

fn read(file: &str, defines: &[(String, i32)]) -> Result<ColouredNet, Box<dyn Error>> {
    let text = std::fs::read_to_string(file)?;
    Ok(match file.rsplit_once('.') {
        Some((_, "sn")) => sn::read(file, &text, defines)?.net,
        Some((stem, "net")) => {
            let definitions = format!("{stem}.def");
            let own = std::fs::read_to_string(&definitions).ok();
            greatspn::read_net(file, &text, own.as_deref().map(|text| (definitions.as_str(), text)))?.net
        }
        Some((_, "PNPRO")) => greatspn::read_project(file, &text, defines)?.net,
        _ => pnml::read(file, &text)?,
    })
}

fn report(net: &ColouredNet) {
    let start = Instant::now();
    let deadline = start + Duration::from_secs(SECONDS);
    let go_on = |_: &unfold::Progress| Instant::now() < deadline;
    let counted = match count(net, &unfold::Limits { go_on: &go_on, ..unfold::Limits::default() }) {
        Ok(counted) => counted,
        Err(error) => return println!("{}: {error}", net.name),
    };
    let limits = Limits { deadline: Some(deadline), ..Limits::default() };
    let options = Options { quotient: QuotientChoice::Automatic, limits, ..Options::default() };
    println!("{}: {}", net.name, about(net, &counted));
    match explore_counted(&counted, &options) {
        Ok(space) => {
            let unique = if space.is_canonical { "" } else { " (representatives may not be unique)" };
            let ordinary = space.ordinary.map_or("not known".to_owned(), |count| count.to_string());
            let seconds = start.elapsed().as_secs_f64();
            println!(
                "    {:#} symbolic markings{unique}, {ordinary} ordinary markings, {seconds:.2} s",
                space.symbolic
            );
        }
        Err(stopped) => println!("    {stopped}"),
    }
}

/// What is counted, and what is left.
fn about(net: &ColouredNet, counted: &Counted) -> String {
    let names: Vec<&str> = counted.classes.iter().map(|&class| net.classes[class as usize].name.as_str()).collect();
    let left = match &counted.system.types[0] {
        Type::Net(net) => format!("{} places, {} transitions", net.places.len(), net.transitions.len()),
        Type::Program(program) => {
            format!("a program of {} variables, {} transitions", program.variables.len(), program.transitions.len())
        }
        Type::Queues(_) | Type::Composite(_) => String::new(),
    };
    format!("{} counted; {left}", names.join(", "))
}
