//! What was used of the symmetries, in words.

use std::collections::BTreeMap;

use super::Way;
use super::folding::Folding;

/// So many groups of states are named.
const MOST_NAMED: usize = 3;

/// Which processes are interchangeable at how many states of the automaton.
pub(super) fn describe(folding: &Folding, way: Way) -> String {
    let all = folding.at.len();
    if folding.processes.exchanges.is_empty() {
        return "no two processes of the model are interchangeable".to_owned();
    }
    // By what can be put in any order, at how many states. Where that is not much to say, which processes; else how many.
    let mut exact: BTreeMap<String, usize> = BTreeMap::new();
    let mut sizes: BTreeMap<String, usize> = BTreeMap::new();
    for at in &folding.at {
        let several = at.classes.iter().map(|classes| classes.iter().filter(|class| class.len() > 1));
        let named: Vec<String> = several.clone().flatten().map(|class| processes(class)).collect();
        let counted: Vec<String> = several
            .zip(&folding.processes.sizes)
            .flat_map(|(classes, size)| classes.map(move |class| format!("{} of {size} processes", class.len())))
            .collect();
        *exact.entry(named.join(" and ")).or_default() += 1;
        *sizes.entry(counted.join(" and ")).or_default() += 1;
    }
    let groups = if exact.len() <= MOST_NAMED { exact } else { sizes };
    let mut groups: Vec<(String, usize)> = groups.into_iter().collect();
    groups.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let more = groups.len().saturating_sub(MOST_NAMED);
    let said: Vec<String> = groups
        .iter()
        .take(MOST_NAMED)
        .map(|(what, count)| match what.as_str() {
            "" => format!("at {count} of {all} states of the automaton no two processes are interchangeable"),
            what => format!("at {count} of {all} states of the automaton {what} are interchangeable"),
        })
        .collect();
    let mut text = said.join("; ");
    if more > 0 {
        text.push_str(&format!("; and so on ({more} more)"));
    }
    match way {
        Way::Group => format!("the symmetries that leave all propositions alone: {text}"),
        Way::Consistent => format!("the consistent graph: {text}"),
        Way::Product => {
            let left = folding.automaton_states;
            format!("the quotient product: {text}; {left} of the {all} states stand for all")
        }
    }
}

/// A class of processes by their numbers, from 1 on, with what follows each other put together.
fn processes(class: &[usize]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &process in class {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == process => *last = process,
            _ => runs.push((process, process)),
        }
    }
    let one = |&(first, last): &(usize, usize)| match last - first {
        0 => format!("{}", first + 1),
        1 => format!("{}, {}", first + 1, last + 1),
        _ => format!("{} to {}", first + 1, last + 1),
    };
    format!("processes {}", runs.iter().map(one).collect::<Vec<_>>().join(", "))
}
