//! What a net is: its size, what its structure shows, and how its states are laid out.

use super::Sheet;
use crate::output::count;
use mandala_analysis::structure::Structure;
use mandala_model::net::{Effect, Net};
use mandala_symbolic::layout::Content;
use mandala_symbolic::plan::Plans;
use mandala_symbolic::variables::Grouping;
use serde_json::{Value, json};

/// Describes a net.
pub fn describe(sheet: &mut Sheet, net: &Net) {
    sheet.add("kind", "place/transition net", "kind", json!("net"));
    sheet.add("places", net.places.len(), "places", json!(net.places.len()));
    sheet.add("transitions", net.transitions.len(), "transitions", json!(net.transitions.len()));
    describe_arcs(sheet, net);
    if let Some(initial) = net.initial.first() {
        let tokens: i64 = initial.marking.iter().map(|&tokens| i64::from(tokens)).sum();
        let marked = initial.marking.iter().filter(|&&tokens| tokens > 0).count();
        let words = format!("{tokens} in {}", count(marked, "place"));
        sheet.add("tokens", words, "initial_tokens", json!(tokens));
    }
    if let Some(declared) = &net.units {
        let safe = if declared.safe { "safe" } else { "not said to be safe" };
        let words = format!("{}, {safe} (NUPN)", declared.units.len());
        sheet.add("declared units", words, "declared_units", json!(declared.units.len()));
    }
    let structure = Structure::new(net);
    describe_structure(sheet, &structure);
    describe_layout(sheet, net, &structure);
}

fn describe_arcs(sheet: &mut Sheet, net: &Net) {
    let effects = || net.transitions.iter().flat_map(|transition| &transition.effects);
    let number = |is: fn(&Effect) -> bool| effects().filter(|&effect| is(effect)).count();
    let kinds = [
        ("take", number(|effect| effect.take > 0)),
        ("put", number(|effect| effect.put > 0)),
        ("read", number(|effect| effect.read > 0)),
        ("inhibit", number(|effect| effect.below.is_some())),
        ("reset", number(|effect| effect.reset)),
    ];
    let total: usize = kinds.iter().map(|(_, number)| number).sum();
    let used = kinds.iter().filter(|(_, number)| *number > 0);
    let words: Vec<String> = used.map(|(name, number)| format!("{number} {name}")).collect();
    let words = if words.is_empty() { "0".to_owned() } else { format!("{total} ({})", words.join(", ")) };
    sheet.add("arcs", words, "arcs", json!(total));
    let limited = net.places.iter().filter(|place| place.capacity.is_some()).count();
    if limited > 0 {
        sheet.add("capacities", count(limited, "place"), "capacities", json!(limited));
    }
}

fn describe_structure(sheet: &mut Sheet, structure: &Structure) {
    let flows = &structure.semiflows;
    let more = if flows.complete { "" } else { " (the search was cut short)" };
    let words = format!("{}{more}", flows.flows.len());
    sheet.add("P-semiflows", words, "semiflows", json!(flows.flows.len()));
    let large: Vec<usize> = structure.units.iter().map(|unit| unit.places.len()).filter(|&places| places > 1).collect();
    let words = format!("{} with {} in all", large.len(), count(large.iter().sum(), "place"));
    sheet.add("proven units", words, "proven_units", json!(large.len()));
    let bounds = &structure.bounds;
    let known: Vec<i32> = bounds.iter().copied().flatten().collect();
    let words = match known.iter().max() {
        Some(most) if known.len() == bounds.len() => format!("all places, at most {most}"),
        Some(most) => format!("{} of {} places, at most {most}", known.len(), bounds.len()),
        None => "no place".to_owned(),
    };
    sheet.add("bounded", words, "places_with_bound", json!(known.len()));
}

fn describe_layout(sheet: &mut Sheet, net: &Net, structure: &Structure) {
    let plans = Plans::new(net, structure, Grouping::Promised);
    let number = |is: fn(&Content) -> bool| plans.contents.iter().filter(|&content| is(content)).count();
    let grouped = number(|content| matches!(content, Content::Unit { .. }));
    let followed = number(|content| matches!(content, Content::Number(followers) if followers.len() > 1));
    let mut words = plans.contents.len().to_string();
    let mut kinds = Vec::new();
    if grouped > 0 {
        kinds.push(count(grouped, "unit"));
    }
    if followed > 0 {
        kinds.push(format!("{followed} with places that follow from one another"));
    }
    if !kinds.is_empty() {
        words.push_str(&format!(" ({})", kinds.join(", ")));
    }
    sheet.add("variables", words, "variables", json!(plans.contents.len()));
    describe_orders(sheet, &plans);
}

/// Describes the orders that variables may have.
pub fn describe_orders(sheet: &mut Sheet, plans: &Plans) {
    let header = ["order", "spans", "tops", "wavefront", "cut"].map(str::to_owned);
    let mut rows = vec![header];
    let mut values = Vec::new();
    for candidate in &plans.candidates {
        let scores = &candidate.scores;
        rows.push([
            candidate.heuristic.name().to_owned(),
            scores.sum_of_spans.to_string(),
            scores.sum_of_tops.to_string(),
            format!("{:.1}", scores.mean_wavefront),
            format!("{:.1}", scores.mean_cut),
        ]);
        values.push(json!({
            "order": candidate.heuristic.name(),
            "sum_of_spans": scores.sum_of_spans,
            "sum_of_tops": scores.sum_of_tops,
            "mean_wavefront": scores.mean_wavefront,
            "mean_cut": scores.mean_cut,
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
