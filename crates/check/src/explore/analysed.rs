//! A system without parts, analysed once for all attempts to explore it.

use mandala_analysis::order::Heuristic;
use mandala_analysis::order::cuts::{self, least_cuts};
use mandala_analysis::structure::Structure;
use mandala_analysis::structure::cover::{PATIENCE, Witness, unbounded};
use mandala_model::net::Net;
use mandala_model::system::{Program, System, Type};
use mandala_symbolic::plan::{Hierarchy, Plans};
use mandala_symbolic::variables::Grouping;

use super::candidate::LaidOut;
use super::enumerate::StateByState;
use super::layouts::{described, in_turn, tries};
use super::learn::learn;
use super::portfolio::{LastResorts, Learned, OF_NETS, OF_PROGRAMS, Portfolio};
use crate::options::{HierarchyChoice, Options};

/// A net or a program with what is known of it.
pub(crate) struct Analysed<'a> {
    system: &'a System,
    kind: Kind<'a>,
    grouping: Grouping,
    /// The first are those to follow, the others are for the portfolio.
    pub(crate) plans: Vec<Plans>,
}

enum Kind<'a> {
    Net(&'a Net, Structure),
    Program(&'a Program),
    /// A net with queues. Whether it is bounded is not asked: a run of the net that counts letters may not be one of its.
    Queues,
}

impl<'a> Analysed<'a> {
    /// Analyses a system; nothing if it has parts.
    pub(crate) fn new(system: &'a System, grouping: Grouping) -> Option<Analysed<'a>> {
        let (kind, plans) = match system.main_type() {
            Type::Net(net) => {
                let structure = Structure::new(net);
                let plans = plans_of_net(net, &structure, grouping);
                (Kind::Net(net, structure), plans)
            }
            // What holds of all markings of the net that counts letters holds of these.
            Type::Queues(queues) => {
                let plans = Plans::of_queues(queues, &Structure::new(&queues.counted()));
                (Kind::Queues, vec![plans])
            }
            Type::Program(program) => (Kind::Program(program), vec![Plans::of_program(program)]),
            Type::Composite(_) => return None,
        };
        Some(Analysed { system, kind, grouping, plans })
    }

    /// Relies on nothing but what is proven, because a promise of the file turned out to be broken.
    pub(crate) fn distrust(&mut self) {
        if let Kind::Net(net, structure) = &self.kind {
            self.plans = plans_of_net(net, structure, Grouping::Proven);
            self.grouping = Grouping::Proven;
        }
    }

    /// How many variables its states have.
    pub(crate) fn variables(&self) -> usize {
        self.plans[0].contents.len()
    }

    /// A run that shows that a net is not bounded, if so many operations find one.
    pub(crate) fn find_growth(&self, budget: u64) -> Option<Witness> {
        match &self.kind {
            Kind::Net(net, structure) if !structure.is_bounded() => unbounded(net, &self.system.begins, budget),
            Kind::Net(..) | Kind::Program(_) | Kind::Queues => None,
        }
    }

    /// The system state by state, if it lends itself to that.
    pub(crate) fn enumerable(&self) -> Option<Box<StateByState<'a>>> {
        let plans = self.plans.last()?;
        let states = match &self.kind {
            Kind::Net(net, structure) => StateByState::of_net(self.system, net, structure, plans),
            Kind::Program(program) => StateByState::of_program(self.system, program, plans),
            Kind::Queues => None,
        };
        states.map(Box::new)
    }

    /// All layouts of all plans, in a competition.
    pub(crate) fn portfolio(&self, hierarchy: HierarchyChoice) -> Portfolio<'_, LaidOut<'a>> {
        self.portfolio_with(&[], || None, hierarchy)
    }

    /// All layouts of this system and of others, in a competition: systems that are as good as this one. One more may join
    /// them once the first round was not enough. What is asked of a system by itself is asked of this one.
    pub(crate) fn portfolio_with<'p>(
        &'p self, others: &'p [Analysed<'a>], late: impl FnOnce() -> Option<Analysed<'a>> + 'p,
        hierarchy: HierarchyChoice,
    ) -> Portfolio<'p, LaidOut<'a>> {
        let mut layouts = Vec::new();
        for (model, analysed) in std::iter::once(self).chain(others).enumerate() {
            layouts.extend(analysed.layouts(model, hierarchy));
        }
        let resorts = LastResorts {
            unbounded: Box::new(|| self.find_growth(PATIENCE)),
            enumerable: Box::new(|| Some(self.enumerable()?)),
            rounds: match self.kind {
                Kind::Net(..) | Kind::Queues => OF_NETS,
                Kind::Program(_) => OF_PROGRAMS,
            },
        };
        let lesson = move |options: &Options| {
            let mut learned = Learned { first: self.learned(hierarchy, options), among: Vec::new() };
            for (model, analysed) in std::iter::once(self).chain(others).enumerate() {
                learned.among.push(analysed.with_least_cuts(model, hierarchy));
            }
            if let Some(late) = late() {
                let model = others.len() + 1;
                learned.among.extend(late.layouts(model, hierarchy));
                learned.among.push(late.with_least_cuts(model, hierarchy));
            }
            learned
        };
        Portfolio::new(in_turn(layouts), resorts).with_lesson(Box::new(lesson))
    }

    /// The layouts that are worth a try, a list for each of the plans.
    fn layouts(&self, model: usize, hierarchy: HierarchyChoice) -> Vec<Vec<LaidOut<'a>>> {
        let tries =
            |plans| tries(self.system, plans, hierarchy).into_iter().map(|one| LaidOut { model, ..one }).collect();
        self.plans.iter().map(tries).collect()
    }

    /// Layouts with orders that are learned from smaller systems.
    fn learned(&self, hierarchy: HierarchyChoice, options: &Options) -> Vec<LaidOut<'a>> {
        let (Kind::Net(net, _), [begin]) = (&self.kind, &self.system.begins[..]) else { return Vec::new() };
        let plans = &self.plans[0];
        let Some(order) = learn(net, *begin, plans, self.grouping, options) else { return Vec::new() };
        let levels = match hierarchy {
            HierarchyChoice::Fixed(hierarchy) => vec![hierarchy],
            HierarchyChoice::Automatic if plans.supports.is_empty() => vec![Hierarchy::Off],
            HierarchyChoice::Automatic => vec![Hierarchy::Off, Hierarchy::Semiflows],
        };
        levels.into_iter().map(|levels| described(self.system, plans, "learned".to_owned(), &order, levels)).collect()
    }

    /// Layouts with orders of least cuts, and the same upside down.
    fn with_least_cuts(&self, model: usize, hierarchy: HierarchyChoice) -> Vec<LaidOut<'a>> {
        let mut found = Vec::new();
        for plans in &self.plans {
            let Some(order) = least_cuts(&plans.connections, cuts::PATIENCE) else { continue };
            let levels = match hierarchy {
                HierarchyChoice::Fixed(hierarchy) => hierarchy,
                HierarchyChoice::Automatic => Hierarchy::Off,
            };
            let reversed: Vec<u32> = order.iter().rev().copied().collect();
            let name = Heuristic::LeastCuts.name();
            for (name, order) in [(name.to_owned(), order), (format!("{name} upside down"), reversed)] {
                found.push(LaidOut { model, ..described(self.system, plans, name, &order, levels) });
            }
        }
        found
    }
}

fn plans_of_net(net: &Net, structure: &Structure, grouping: Grouping) -> Vec<Plans> {
    let mut plans = vec![Plans::new(net, structure, grouping)];
    if grouping == Grouping::Promised && plans[0].relies_on_promises() {
        // Other variables, other orders: a second chance.
        plans.push(Plans::new(net, structure, Grouping::Proven));
    }
    plans
}
