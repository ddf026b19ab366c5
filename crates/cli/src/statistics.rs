//! What the engine did, for the curious.

use crate::output::{self, Facts};
use mandala::Statistics;
use serde_json::{Value, json};

/// For people.
pub fn text(statistics: &Statistics) -> String {
    let mut facts = Facts::default();
    let of = |bytes: usize| output::bytes(bytes as u64);
    facts.add("nodes made", statistics.made_nodes);
    facts.add(
        "nodes kept",
        format!("{} with {} arcs, {}", statistics.nodes, statistics.arcs, of(statistics.node_bytes)),
    );
    facts.add("terms", statistics.terms);
    facts.add("collections", statistics.collections);
    if statistics.answers > 0 {
        facts.add(
            "answers",
            format!("{} of expressions to values, {} values guessed", statistics.answers, statistics.guesses),
        );
    }
    facts.add("diagrams", format!("{} now, {} peak", of(statistics.bytes), of(statistics.peak_bytes)));
    for cache in statistics.caches.iter().filter(|cache| cache.hits + cache.misses > 0) {
        let asked = cache.hits + cache.misses;
        let rate = 100.0 * cache.hits as f64 / asked as f64;
        facts.add(&format!("cache: {}", cache.operation), format!("{rate:.1} % of {asked} found, {}", of(cache.bytes)));
    }
    facts.text()
}

/// For scripts.
pub fn json(statistics: &Statistics) -> Value {
    let caches: Vec<Value> = statistics.caches.iter().map(|cache| {
        json!({"operation": cache.operation, "hits": cache.hits, "misses": cache.misses, "bytes": cache.bytes})
    }).collect();
    json!({
        "nodes": statistics.nodes,
        "made_nodes": statistics.made_nodes,
        "arcs": statistics.arcs,
        "terms": statistics.terms,
        "collections": statistics.collections,
        "answers": statistics.answers,
        "guesses": statistics.guesses,
        "node_bytes": statistics.node_bytes,
        "bytes": statistics.bytes,
        "peak_bytes": statistics.peak_bytes,
        "caches": caches,
    })
}
