//! The figures of the SDD paper, tables 1 (section 7.2) and 2 (section 8.2), beside ours.

use super::measure::Measurement;
use super::runs::{Run, strategy_name};
use crate::table::{Column, Layout, Table};
use mandala_diagram::Strategy::{self, Chaining, Saturation};

/// A run of the paper: the model and strategy; states, seconds, MB, final nodes and peak nodes.
pub type Figures = (&'static str, Strategy, [&'static str; 5]);

/// The flat encoding with chaining is not in the table; what is missing here ran out of memory.
pub static TABLE_1: [Figures; 34] = [
    ("LOTOS specification", Saturation, ["9.8e21", "1.47", "74.0", "1085", "1.1e5"]),
    ("philosophers 100", Chaining, ["4.9e62", "1.9", "112", "419", "2.8e5"]),
    ("philosophers 200", Chaining, ["2.5e125", "7.9", "446", "819", "1.1e6"]),
    ("philosophers flat 100", Saturation, ["4.9e62", "0.2", "20", "2792", "18040"]),
    ("philosophers flat 200", Saturation, ["2.5e125", "0.7", "58.1", "5589", "36241"]),
    ("philosophers flat 1000", Saturation, ["9.2e626", "14", "1108", "27989", "1.8e5"]),
    ("philosophers 100", Saturation, ["4.9e62", "0.07", "5.2", "419", "4614"]),
    ("philosophers 200", Saturation, ["2.5e125", "0.2", "10.6", "819", "9216"]),
    ("philosophers 1000", Saturation, ["9.2e626", "4.3", "115", "4019", "46015"]),
    ("philosophers 4000", Saturation, ["7e2507", "77", "1488", "16019", "1.8e5"]),
    ("slotted ring 10", Chaining, ["8.3e9", "1.1", "48", "105", "90043"]),
    ("slotted ring flat 10", Saturation, ["8.3e9", "0.2", "16", "1283", "31501"]),
    ("slotted ring flat 50", Saturation, ["1.7e52", "22", "1054", "29403", "2.4e6"]),
    ("slotted ring 10", Saturation, ["8.3e9", "0.03", "3.5", "105", "3743"]),
    ("slotted ring 50", Saturation, ["1.7e52", "5.1", "209", "1345", "4.6e5"]),
    ("slotted ring 100", Saturation, ["2.6e105", "22", "816", "5145", "1.7e6"]),
    ("slotted ring 150", Saturation, ["4.5e158", "60", "2466", "11445", "5.6e6"]),
    ("kanban 100", Chaining, ["1.7e19", "12", "145", "511", "2.6e5"]),
    ("kanban 200", Chaining, ["3.2e22", "96", "563", "1011", "1e6"]),
    ("kanban flat 100", Saturation, ["1.7e19", "2.9", "132", "11419", "3.1e5"]),
    ("kanban flat 200", Saturation, ["3.2e22", "19", "809", "42819", "1.9e6"]),
    ("kanban flat 300", Saturation, ["2.6e24", "60", "2482", "94219", "5.7e6"]),
    ("kanban 100", Saturation, ["1.7e19", "0.4", "11", "511", "14817"]),
    ("kanban 200", Saturation, ["3.2e22", "2.2", "37", "1011", "46617"]),
    ("kanban 300", Saturation, ["2.6e24", "7", "78", "1511", "1.0e5"]),
    ("kanban 700", Saturation, ["2.8e28", "95", "397", "3511", "5.2e5"]),
    ("fms 50", Chaining, ["4.2e17", "13", "430", "917", "5.3e5"]),
    ("fms flat 50", Saturation, ["4.2e17", "2.7", "105", "8822", "2.2e5"]),
    ("fms flat 100", Saturation, ["2.7e21", "19", "627", "32622", "1.3e6"]),
    ("fms flat 150", Saturation, ["4.8e23", "62", "1875", "71422", "3.8e6"]),
    ("fms 50", Saturation, ["4.2e17", "0.4", "16", "917", "23287"]),
    ("fms 100", Saturation, ["2.7e21", "1.9", "50", "1817", "76587"]),
    ("fms 150", Saturation, ["4.8e23", "5.3", "105", "2717", "1.6e5"]),
    ("fms 300", Saturation, ["3.6e27", "33", "386", "5417", "5.9e5"]),
];

/// Here the paper does not say how much memory was used.
pub static TABLE_2: [Figures; 5] = [
    ("philosophers folded 2^10", Saturation, ["1.02337e642", "0.0", "", "124", "814"]),
    ("philosophers folded 2^31", Saturation, ["1.63233e1346392620", "0.02", "", "282", "2347"]),
    ("philosophers folded 2^1000", Saturation, ["N/A", "0.81", "", "8034", "73084"]),
    ("philosophers folded 2^10000", Saturation, ["N/A", "9.85", "", "80034", "730084"]),
    ("philosophers folded 2^20000", Saturation, ["N/A", "20.61", "", "160034", "1460084"]),
];

/// Writes those of the paper's runs that `select` selects, each with our measurement if there is one.
pub fn compare(title: &str, paper: &[Figures], ours: &[(Run, Measurement)], select: impl Fn(&str, Strategy) -> bool) {
    let mut rows = paper.iter().filter(|(name, strategy, _)| select(name, *strategy)).peekable();
    if rows.peek().is_none() {
        return;
    }
    println!("### {title}\n");
    let table = Table {
        layout: Layout::Markdown,
        columns: [
            Column::Left("model", 0),
            Column::Left("strategy", 0),
            Column::Right("states: paper", 0),
            Column::Right("ours", 0),
            Column::Right("seconds: paper", 0),
            Column::Right("ours", 0),
            Column::Right("MB: paper", 0),
            Column::Right("ours", 0),
            Column::Right("final nodes: paper", 0),
            Column::Right("ours", 0),
            Column::Right("peak nodes: paper", 0),
            Column::Right("ours", 0),
        ],
    };
    table.header();
    for (name, strategy, paper) in rows {
        let measured = ours.iter().find(|(run, _)| run.strategy == *strategy && run.name() == *name);
        let ours = measured.map_or([const { String::new() }; 5], |(_, m)| {
            [m.states(), m.closure(), m.resident_mebibytes(), m.nodes.clone(), m.peak_nodes.to_string()]
        });
        let [states, seconds, megabytes, nodes, peak] = ours;
        let [paper_states, paper_seconds, paper_megabytes, paper_nodes, paper_peak] = paper.map(str::to_string);
        table.row(&[
            name.to_string(),
            strategy_name(*strategy).to_string(),
            paper_states,
            states,
            paper_seconds,
            seconds,
            paper_megabytes,
            megabytes,
            paper_nodes,
            nodes,
            paper_peak,
            peak,
        ]);
    }
    println!();
}
