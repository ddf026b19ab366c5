//! The token game of coloured nets, by brute force: all bindings are tried. Only for small nets.

use std::collections::HashSet;

use mandala_model::coloured::evaluate::Evaluator;
use mandala_model::coloured::{Bag, Binding, ColouredNet, Sort, Token, Transition, Value};

/// The tokens of each place.
pub type Marking = Vec<Bag<Token>>;

/// All reachable markings. Bags with more than `largest` members are not tried.
pub fn markings(net: &ColouredNet, largest: u32) -> Vec<Marking> {
    let constant = Evaluator::constant(net);
    let initial: Marking = net.places.iter().map(|place| constant.tokens(&place.initial).expect("tokens")).collect();
    let bindings: Vec<Vec<Binding>> =
        net.transitions.iter().map(|transition| bindings(net, transition, largest)).collect();
    let mut seen: HashSet<Marking> = HashSet::from([initial.clone()]);
    let mut list = vec![initial];
    let mut next = 0;
    while next < list.len() {
        let marking = list[next].clone();
        next += 1;
        for marking in successors(net, &marking, &bindings) {
            if seen.insert(marking.clone()) {
                list.push(marking);
            }
        }
    }
    list
}

fn bindings(net: &ColouredNet, transition: &Transition, largest: u32) -> Vec<Binding> {
    let mut all: Vec<Binding> = vec![Vec::new()];
    for variable in &transition.variables {
        let length = net.classes[variable.sort.class() as usize].len();
        let values: Vec<Value> = match variable.sort {
            Sort::Colour(_) => (0..length).map(Value::Colour).collect(),
            Sort::Bag(_) => bags(length, largest)
                .into_iter()
                .filter(|bag| !variable.unique || bag.is_set())
                .map(Value::Bag)
                .collect(),
        };
        let longer = |binding: &Binding| -> Vec<Binding> {
            values.iter().map(|value| binding.iter().cloned().chain([value.clone()]).collect()).collect()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all.retain(|binding| Evaluator::new(net, &transition.variables, binding).guard(&transition.guard) == Ok(true));
    all
}

/// The bags over some colours with at most so many members.
fn bags(length: u32, largest: u32) -> Vec<Bag<u32>> {
    let mut all = vec![(Bag::new(), 0)];
    let mut next = 0;
    while next < all.len() {
        let (bag, least): (Bag<u32>, u32) = all[next].clone();
        next += 1;
        if bag.cardinality() < u64::from(largest) {
            for colour in least..length {
                let mut more = bag.clone();
                more.add(colour, 1).expect("few");
                all.push((more, colour));
            }
        }
    }
    all.into_iter().map(|(bag, _)| bag).collect()
}

fn successors(net: &ColouredNet, marking: &Marking, bindings: &[Vec<Binding>]) -> Vec<Marking> {
    let mut highest = 0;
    let mut found: Vec<(u32, Marking)> = Vec::new();
    for (transition, bindings) in net.transitions.iter().zip(bindings) {
        for binding in bindings {
            if let Some(after) = fire(net, marking, transition, binding) {
                highest = highest.max(transition.priority);
                found.push((transition.priority, after));
            }
        }
    }
    found.into_iter().filter(|(priority, _)| *priority == highest).map(|(_, after)| after).collect()
}

fn fire(net: &ColouredNet, marking: &Marking, transition: &Transition, binding: &Binding) -> Option<Marking> {
    let evaluator = Evaluator::new(net, &transition.variables, binding);
    let mut after = marking.clone();
    for arc in &transition.takes {
        let tokens = evaluator.tokens(&arc.tokens).ok()?;
        if !tokens.is_included_in(&marking[arc.place as usize]) {
            return None;
        }
        after[arc.place as usize].remove_all(&tokens);
    }
    for arc in &transition.inhibitors {
        let tokens = evaluator.tokens(&arc.tokens).ok()?;
        if tokens.iter().any(|(token, count)| marking[arc.place as usize].count(&token) >= count) {
            return None;
        }
    }
    for arc in &transition.puts {
        after[arc.place as usize].add_all(&evaluator.tokens(&arc.tokens).ok()?).ok()?;
    }
    Some(after)
}
