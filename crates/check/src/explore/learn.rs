//! Orders that are learned on a small sibling.
//!
//! The same net with fewer tokens has the same structure and few states: many orders can be tried there in the time that one
//! takes on the net itself. So the orders that heuristics find for a net with many tokens are compared on its sibling, and the
//! best of them is improved by local search: a variable or a short run of them goes elsewhere, and stays there if the diagrams
//! got no larger. What is learned takes part in the competition like any other order.
//!
//! Work is counted, and what is tried next comes from a sequence of numbers that is always the same: so is the order.

use mandala_analysis::order::moves::{Numbers, moved};
use mandala_analysis::structure::Structure;
use mandala_diagram::Error;
use mandala_model::net::Net;
use mandala_model::system::{System, Type};
use mandala_symbolic::plan::{Hierarchy, Plans};
use mandala_symbolic::variables::Grouping;

use super::attempt::attempt;
use super::layouts::described;
use super::{Stopped, SystemStopped};
use crate::options::{HierarchyChoice, Options};
use crate::space::SystemSpace;

/// A sibling has about so many tokens where the net has most.
const TOKENS: i32 = 6;

/// A net whose places hold no more than this is as small as its sibling would be.
const FEW_TOKENS: i32 = 12;

/// For more variables, more moves would be needed than there is work for.
const MOST_VARIABLES: usize = 100;

/// How many moves are tried.
const MOVES: u32 = 1_200;

/// How much work all of it may take, in nodes.
const WORK: u64 = 4_000_000;

/// How much work one order may take on the sibling, at first.
const WORK_OF_AN_ORDER: u64 = 60_000;

/// The best order for a sibling of a net, if it has one and the net has not.
pub(super) fn learn(net: &Net, begin: usize, plans: &Plans, grouping: Grouping, options: &Options) -> Option<Vec<u32>> {
    let is_worth_it = (4..=MOST_VARIABLES).contains(&plans.contents.len()) && !plans.is_flat;
    let small = if is_worth_it { sibling(net, begin)? } else { return None };
    let structure = Structure::new(&small);
    let small_plans = Plans::new(&small, &structure, grouping);
    // The variables must be the same; what a place is to the others of its variable need not.
    let variables = |plans: &Plans| plans.contents.iter().map(|content| content.variables()).collect::<Vec<_>>();
    if !structure.is_bounded() || variables(plans) != variables(&small_plans) {
        return None;
    }
    let system = System { name: String::new(), types: vec![Type::Net(small)], main: 0, begins: vec![0] };
    let options = Options {
        strategy: options.strategy,
        hierarchy: HierarchyChoice::Fixed(Hierarchy::Off),
        limits: options.limits.clone(),
        ..Options::default()
    };
    Lesson { system: &system, plans: &small_plans, options: &options, left: WORK, patience: WORK_OF_AN_ORDER }
        .run(plans)
}

/// The net with fewer tokens, if it has many. What one token is stays one token, and what a transition needs at once stays
/// there.
fn sibling(net: &Net, begin: usize) -> Option<Net> {
    let marking = &net.initial.get(begin)?.marking;
    let most = marking.iter().copied().max().filter(|&most| most > FEW_TOKENS)?;
    let mut needs = vec![1; net.places.len()];
    for effect in net.transitions.iter().flat_map(|transition| &transition.effects) {
        if let Some(need) = needs.get_mut(effect.place as usize) {
            *need = effect.needs().max(*need);
        }
    }
    let scaled = |(&tokens, &need): (&i32, &i32)| {
        let part = (i64::from(tokens) * i64::from(TOKENS) + i64::from(most) / 2) / i64::from(most);
        (part as i32).max(need).min(tokens)
    };
    let mut small = net.clone();
    small.initial = vec![net.initial[begin].clone()];
    small.initial[0].marking = marking.iter().zip(&needs).map(scaled).collect();
    Some(small)
}

/// A search for an order.
struct Lesson<'l> {
    system: &'l System,
    plans: &'l Plans,
    options: &'l Options,
    /// How much work is left.
    left: u64,
    /// How much an order may take.
    patience: u64,
}

impl Lesson<'_> {
    /// Goes through the orders of heuristics, then through changes of the best.
    fn run(mut self, plans: &Plans) -> Option<Vec<u32>> {
        let mut best: Option<(u64, Vec<u32>)> = None;
        for candidate in &plans.candidates {
            if let Some(cost) = self.cost(&candidate.order)?
                && best.as_ref().is_none_or(|best| cost < best.0)
            {
                best = Some((cost, candidate.order.clone()));
            }
        }
        let (first, mut order) = best?;
        let (mut least, mut numbers) = (first, Numbers::default());
        for _ in 0..MOVES {
            let Some(changed) = moved(&order, &mut numbers) else { continue };
            match self.cost(&changed) {
                Some(Some(cost)) if cost <= least => (least, order) = (cost, changed),
                Some(_) => {}
                None => break,
            }
        }
        (least < first).then_some(order)
    }

    /// How large diagrams of the sibling are in an order: in the end, and to a fifth on the way. `Some(None)` if they are too
    /// large, `None` if there is no work left.
    fn cost(&mut self, order: &[u32]) -> Option<Option<u64>> {
        // To encode the sibling is work, too.
        let fixed = 500 + 10 * self.plans.connections.events.len() as u64;
        self.left = self.left.checked_sub(fixed)?;
        let laid_out = described(self.system, self.plans, String::new(), order, Hierarchy::Off);
        let result: Result<SystemSpace<'_>, SystemStopped<'_>> = attempt(&laid_out, self.options, Some(self.patience));
        match result {
            Ok(space) => {
                let statistics = space.encoded().store.statistics();
                self.left = self.left.checked_sub(statistics.made_nodes)?;
                // What takes much longer than the best is not looked at to its end.
                self.patience = self.patience.min(4 * statistics.made_nodes.max(5_000));
                let nodes = space.encoded().store.size(space.states()).nodes as u64;
                Some(Some(5 * nodes + statistics.peak_nodes as u64))
            }
            Err(Stopped::Limit { error: Error::Work { .. }, .. }) => {
                self.left = self.left.checked_sub(self.patience)?;
                Some(None)
            }
            Err(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use mandala_model::net::{Effect, Initial, Place, Transition};

    /// Lines of places side by side, numbered across: tokens move down each line and come back to its top together.
    fn lines(count: u32, length: u32, tokens: i32) -> Net {
        let place = |line: u32, step: u32| step * count + line;
        let mut net = Net::default();
        for index in 0..count * length {
            net.places.push(Place { name: format!("p{index}"), capacity: None });
        }
        for step in 0..length - 1 {
            for line in 0..count {
                let take = Effect { take: 1, ..Effect::on(place(line, step)) };
                let put = Effect { put: 1, ..Effect::on(place(line, step + 1)) };
                let name = format!("t{step}_{line}");
                net.transitions.push(Transition { name, effects: vec![take, put], ..Transition::default() });
            }
        }
        for line in 0..count {
            let take = Effect { take: 1, ..Effect::on(place(line, length - 1)) };
            let put = Effect { put: 1, ..Effect::on(place(line, 0)) };
            let name = format!("back{line}");
            net.transitions.push(Transition { name, effects: vec![put, take], ..Transition::default() });
        }
        let marking = (0..count * length).map(|index| if index < count { tokens } else { 0 }).collect();
        net.initial = vec![Initial { name: String::new(), marking }];
        net
    }

    #[test]
    fn siblings_keep_what_transitions_need() {
        let mut net = lines(2, 3, 1_000);
        net.initial[0].marking[1] = 1;
        net.transitions[0].effects[0].take = 7;
        let small = sibling(&net, 0).unwrap();
        assert_eq!(small.initial[0].marking, [7, 1, 0, 0, 0, 0]);
        assert_eq!(sibling(&lines(2, 3, 3), 0), None, "it is small as it is");
    }

    #[test]
    fn what_is_learned_is_always_the_same_and_no_worse() {
        let net = lines(2, 4, 16);
        let structure = Structure::new(&net);
        let mut plans = Plans::new(&net, &structure, Grouping::Places);
        // The declared order, in which each line is cut by all others, is all there is to begin with.
        plans.candidates.retain(|candidate| candidate.heuristic == mandala_analysis::order::Heuristic::Declared);
        let learned = || learn(&net, 0, &plans, Grouping::Places, &Options::default());
        let order = learned().expect("the declared order can be improved");
        assert_eq!(learned(), Some(order.clone()));
        let system = System { name: String::new(), types: vec![Type::Net(net.clone())], main: 0, begins: vec![0] };
        let nodes = |order: &[u32]| {
            let laid_out = described(&system, &plans, String::new(), order, Hierarchy::Off);
            attempt(&laid_out, &Options::default(), None).unwrap().peak_nodes
        };
        let declared: Vec<u32> = (0..8).collect();
        assert!(2 * nodes(&order) < nodes(&declared), "{order:?}");
    }
}
