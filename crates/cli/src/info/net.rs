//! What a net is: its size, what its structure shows, and how its states are laid out.

use super::Sheet;
use crate::output::count;
use mandala::{NetFacts, OrderFacts};
use serde_json::{Value, json};

/// Describes a net.
pub fn describe(sheet: &mut Sheet, net: &NetFacts) {
    sheet.add("kind", "place/transition net", "kind", json!("net"));
    sheet.add("places", net.places, "places", json!(net.places));
    sheet.add("transitions", net.transitions, "transitions", json!(net.transitions));
    describe_arcs(sheet, net);
    if !net.queues.is_empty() {
        let words = net.queues.iter().map(|queue| {
            format!("{} ({}, at most {})", queue.name, count(queue.letters.len(), "letter"), queue.capacity)
        });
        let value = net
            .queues
            .iter()
            .map(|queue| json!({"name": queue.name, "letters": queue.letters, "capacity": queue.capacity}));
        sheet.add("queues", words.collect::<Vec<_>>().join(", "), "queues", value.collect());
    }
    if net.priorities > 0 {
        sheet.add("priorities", count(net.priorities, "transition"), "priorities", json!(net.priorities));
    }
    if let Some((tokens, marked)) = net.tokens {
        let words = format!("{tokens} in {}", count(marked, "place"));
        sheet.add("tokens", words, "initial_tokens", json!(tokens));
    }
    if let Some((units, safe)) = net.declared_units {
        let safe = if safe { "safe" } else { "not said to be safe" };
        sheet.add("declared units", format!("{units}, {safe} (NUPN)"), "declared_units", json!(units));
    }
    describe_structure(sheet, net);
    if let Some(reduced) = &net.reduced {
        let sizes = |(before, after): (usize, usize)| json!([before, after]);
        let value = json!({"places": sizes(reduced.places), "transitions": sizes(reduced.transitions)});
        sheet.add("reduced", reduced.to_string(), "reduced", value);
    }
    describe_layout(sheet, net);
}

fn describe_arcs(sheet: &mut Sheet, net: &NetFacts) {
    let arcs = &net.arcs;
    let kinds =
        [("take", arcs.take), ("put", arcs.put), ("read", arcs.read), ("inhibit", arcs.inhibit), ("reset", arcs.reset)];
    let total: usize = kinds.iter().map(|(_, number)| number).sum();
    let used = kinds.iter().filter(|(_, number)| *number > 0);
    let words: Vec<String> = used.map(|(name, number)| format!("{number} {name}")).collect();
    let words = if words.is_empty() { "0".to_owned() } else { format!("{total} ({})", words.join(", ")) };
    sheet.add("arcs", words, "arcs", json!(total));
    if net.capacities > 0 {
        sheet.add("capacities", count(net.capacities, "place"), "capacities", json!(net.capacities));
    }
}

fn describe_structure(sheet: &mut Sheet, net: &NetFacts) {
    let more = if net.all_semiflows { "" } else { " (the search was cut short)" };
    sheet.add("P-semiflows", format!("{}{more}", net.semiflows), "semiflows", json!(net.semiflows));
    let units = net.proven_units.len();
    let words = format!("{units} with {} in all", count(net.proven_units.iter().sum(), "place"));
    sheet.add("proven units", words, "proven_units", json!(units));
    let known: Vec<i32> = net.bounds.iter().copied().flatten().collect();
    let words = match known.iter().max() {
        Some(most) if known.len() == net.bounds.len() => format!("all places, at most {most}"),
        Some(most) => format!("{} of {} places, at most {most}", known.len(), net.bounds.len()),
        None => "no place".to_owned(),
    };
    sheet.add("bounded", words, "places_with_bound", json!(known.len()));
}

fn describe_layout(sheet: &mut Sheet, net: &NetFacts) {
    let mut words = net.variables.to_string();
    let mut kinds = Vec::new();
    if net.units > 0 {
        kinds.push(count(net.units, "unit"));
    }
    if net.followed > 0 {
        kinds.push(format!("{} with places that follow from one another", net.followed));
    }
    if !kinds.is_empty() {
        words.push_str(&format!(" ({})", kinds.join(", ")));
    }
    sheet.add("variables", words, "variables", json!(net.variables));
    describe_orders(sheet, &net.orders);
}

/// Describes the orders that variables may have.
pub fn describe_orders(sheet: &mut Sheet, orders: &[OrderFacts]) {
    let header = ["order", "spans", "tops", "wavefront", "cut"].map(str::to_owned);
    let mut rows = vec![header];
    let mut values = Vec::new();
    for order in orders {
        let name = order.heuristic.name();
        rows.push([
            name.to_owned(),
            order.sum_of_spans.to_string(),
            order.sum_of_tops.to_string(),
            format!("{:.1}", order.mean_wavefront),
            format!("{:.1}", order.mean_cut),
        ]);
        values.push(json!({
            "order": name,
            "sum_of_spans": order.sum_of_spans,
            "sum_of_tops": order.sum_of_tops,
            "mean_wavefront": order.mean_wavefront,
            "mean_cut": order.mean_cut,
        }));
    }
    let text = format!("orders, the most promising first (`--order` chooses; smaller is better)\n{}", aligned(&rows));
    sheet.table(&text, "orders", Value::Array(values));
}

/// Rows with their columns aligned, numbers to the right.
fn aligned(rows: &[[String; 5]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths = [0, 1, 2, 3, 4].map(width);
    let line = |row: &[String; 5]| {
        let [name, numbers @ ..] = row;
        let numbers: String =
            numbers.iter().zip(&widths[1..]).map(|(number, width)| format!("  {number:>width$}")).collect();
        format!("  {name:0$}{numbers}\n", widths[0])
    };
    rows.iter().map(line).collect()
}
