//! All markings of a small coloured net, by trying every binding.

use mandala_model::coloured::evaluate::{Evaluator, Undefined};
use mandala_model::coloured::{Arc, Bag, ColouredNet, Sort, Token, Transition, Value};
use std::collections::{HashMap, HashSet};

/// Tokens by their place and colours, as positions in a marking.
type Positions = HashMap<(u32, Token), usize>;

/// A transition with a binding: what it takes, puts and is inhibited by, by position.
struct Firing {
    transition: usize,
    priority: u32,
    takes: Vec<(usize, u32)>,
    puts: Vec<(usize, u32)>,
    inhibitors: Vec<(usize, u32)>,
}

/// A net with a position for every token that may be anywhere.
pub struct Explorer {
    firings: Vec<Firing>,
    initial: Vec<u8>,
}

/// Every binding of the variables of a transition.
fn bindings(net: &ColouredNet, transition: &Transition) -> Vec<Vec<Value>> {
    transition.variables.iter().fold(vec![Vec::new()], |bindings, variable| {
        let Sort::Colour(class) = variable.sort else { panic!("bags are not explored here") };
        let colours = 0..net.classes[class as usize].len();
        let longer = |binding: &Vec<Value>, colour| [&binding[..], &[Value::Colour(colour)]].concat();
        bindings.iter().flat_map(|binding| colours.clone().map(move |colour| longer(binding, colour))).collect()
    })
}

impl Explorer {
    pub fn new(net: &ColouredNet) -> Explorer {
        let mut positions = Positions::new();
        let mut listed = |place: u32, bag: &Bag<Token>| -> Vec<(usize, u32)> {
            let mut position = |token| {
                let next = positions.len();
                *positions.entry((place, token)).or_insert(next)
            };
            bag.iter().map(|(token, count)| (position(token), count)).collect()
        };
        let mut begins = Vec::new();
        for (index, place) in net.places.iter().enumerate() {
            let bag = Evaluator::constant(net).tokens(&place.initial).expect("an initial marking");
            begins.extend(listed(index as u32, &bag));
        }
        let mut firings = Vec::new();
        for (index, transition) in net.transitions.iter().enumerate() {
            for binding in bindings(net, transition) {
                let evaluator = Evaluator::new(net, &transition.variables, &binding);
                match evaluator.guard(&transition.guard) {
                    Ok(true) => {}
                    Ok(false) | Err(Undefined::NoColour) => continue,
                    Err(error) => panic!("{error:?}"),
                }
                let mut all = |arcs: &[Arc]| -> Vec<(usize, u32)> {
                    let bag = |arc: &Arc| evaluator.tokens(&arc.tokens).unwrap_or_else(|error| panic!("{error:?}"));
                    arcs.iter().flat_map(|arc| listed(arc.place, &bag(arc))).collect()
                };
                let (takes, puts) = (all(&transition.takes), all(&transition.puts));
                let inhibitors = all(&transition.inhibitors);
                firings.push(Firing { transition: index, priority: transition.priority, takes, puts, inhibitors });
            }
        }
        firings.sort_by_key(|firing| std::cmp::Reverse(firing.priority));
        let mut initial = vec![0; positions.len()];
        begins.into_iter().for_each(|(position, count)| initial[position] = count as u8);
        Explorer { firings, initial }
    }

    /// The number of markings, and which transitions ever fire.
    pub fn run(&self) -> (usize, HashSet<usize>) {
        let (mut known, mut open) = (HashSet::from([self.initial.clone()]), vec![self.initial.clone()]);
        let mut fired = HashSet::new();
        while let Some(marking) = open.pop() {
            let mut highest = None;
            for firing in &self.firings {
                let is_there = |&(at, count): &(usize, u32)| u32::from(marking[at]) >= count;
                if highest.is_some_and(|highest| firing.priority < highest) {
                    break;
                }
                if !firing.takes.iter().all(is_there) || firing.inhibitors.iter().any(is_there) {
                    continue;
                }
                highest = Some(firing.priority);
                fired.insert(firing.transition);
                let mut next = marking.clone();
                firing.takes.iter().for_each(|&(at, count)| next[at] -= count as u8);
                firing.puts.iter().for_each(|&(at, count)| next[at] = next[at].checked_add(count as u8).expect("few"));
                if known.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        (known.len(), fired)
    }
}

/// The number of markings of a net.
pub fn markings(net: &ColouredNet) -> usize {
    Explorer::new(net).run().0
}
