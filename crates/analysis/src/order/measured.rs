//! The heuristics on large inputs and on the nets of the contest.

use super::samples;
use super::score::scores;
use super::{Connections, Event, Heuristic, candidates};
use mandala_model::net::Net;
use std::path::Path;
use std::time::{Duration, Instant};

fn timed<T>(action: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = action();
    (result, start.elapsed())
}

/// Prints how long each heuristic takes.
fn report(name: &str, connections: &Connections) {
    println!("{name}: {} variables, {} events", connections.variables, connections.events.len());
    for &heuristic in Heuristic::all() {
        let (order, time) = timed(|| heuristic.order(connections, &[]));
        let (scores, scored) = timed(|| scores(connections, &order));
        println!("  {heuristic:16} {time:>10.2?} scored in {scored:.2?}: {scores:?}");
        assert!(samples::is_permutation(connections.variables, &order));
        assert!(time < Duration::from_secs(120), "{heuristic} takes {time:?}");
    }
}

#[test]
#[ignore = "takes a minute"]
fn a_million_variables() {
    report("a million", &samples::large(1_000_000, 1_000_000, 5));
}

#[test]
fn a_hundred_thousand_variables() {
    report("a hundred thousand", &samples::large(100_000, 150_000, 5));
}

#[test]
fn events_over_everything() {
    let mut connections = samples::large(50_000, 10, 6);
    let all = samples::one_event(50_000).events.remove(0);
    connections.events.extend(vec![all; 20]);
    report("twenty events over everything", &connections);
}

/// Nets of the contest of many kinds: protocols, business processes, biology, grids, hardware.
const NETS: [&str; 18] = [
    "Anderson-PT-06",
    "AutoFlight-PT-48a",
    "BusinessProcesses-PT-19",
    "CloudReconfiguration-PT-312",
    "CircularTrains-PT-384",
    "DES-PT-60b",
    "Dekker-PT-020",
    "Diffusion2D-PT-D05N350",
    "EGFr-PT-10420",
    "Eratosthenes-PT-200",
    "FMS-PT-01000",
    "FlexibleBarrier-PT-22a",
    "FunctionPointer-PT-b128",
    "HirschbergSinclair-PT-50",
    "PhaseVariation-PT-D05CS010",
    "ShieldRVs-PT-100A",
    "SimpleLoadBal-PT-10",
    "GPUForwardProgress-PT-32a",
];

/// One variable per place.
fn connections(net: &Net) -> Connections {
    let mut connections = Connections { variables: net.places.len(), events: Vec::new(), ..Connections::default() };
    for transition in &net.transitions {
        let mut event = Event::default();
        for effect in &transition.effects {
            let change = effect.put - effect.take;
            let list = match change.signum() {
                -1 => &mut event.takes,
                1 => &mut event.puts,
                _ if effect.reset => &mut event.takes,
                _ => &mut event.reads,
            };
            list.push(effect.place);
        }
        connections.events.push(event);
    }
    connections
}

/// The mean wavefront and the sum of spans of each heuristic, as a table in Markdown.
#[test]
fn nets_of_the_contest() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/mcc-pt-large");
    if !folder.is_dir() {
        println!("skipped: the shared models are not there");
        return;
    }
    let names: Vec<&str> = Heuristic::all().iter().map(|heuristic| heuristic.name()).collect();
    println!("| net | places/transitions/semiflows | {} | first |", names.join(" | "));
    println!("|---|---{}|---|", "|---".repeat(names.len()));
    for name in NETS {
        let Ok(text) = std::fs::read_to_string(folder.join(name).join("model.pnml")) else { continue };
        let net = mandala_model::net::pnml::read(name, &text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let groups = groups(&net);
        let connections = connections(&net);
        let cells = Heuristic::all().iter().map(|heuristic| {
            let (order, time) = timed(|| heuristic.order(&connections, &groups));
            assert!(samples::is_permutation(connections.variables, &order), "{heuristic} on {name}");
            let scores = scores(&connections, &order);
            format!("{:.1} / {} ({:.0?})", scores.mean_wavefront, scores.sum_of_spans, time)
        });
        let cells: Vec<String> = cells.collect();
        let candidates = candidates(&connections, &groups);
        let size = format!("{}/{}/{}", net.places.len(), net.transitions.len(), groups.len());
        println!("| {name} | {size} | {} | {} |", cells.join(" | "), candidates[0].heuristic);
        let declared = scores(&connections, &Heuristic::Declared.order(&connections, &groups));
        assert!(candidates[0].scores.mean_wavefront <= 1.5 * declared.mean_wavefront, "{name}");
    }
}

fn groups(net: &Net) -> Vec<Vec<u32>> {
    let semiflows = crate::structure::semiflow::semiflows(net, 10_000_000);
    semiflows.flows.iter().map(|semiflow| semiflow.weights.iter().map(|weight| weight.0).collect()).collect()
}
