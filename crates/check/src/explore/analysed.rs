//! A system without parts, analysed once for all attempts to explore it.

use mandala_analysis::structure::Structure;
use mandala_analysis::structure::cover::{PATIENCE, Witness, unbounded};
use mandala_model::net::Net;
use mandala_model::system::{Program, System, Type};
use mandala_symbolic::plan::Plans;
use mandala_symbolic::variables::Grouping;

use super::candidate::LaidOut;
use super::enumerate::StateByState;
use super::layouts::{in_turn, tries};
use super::portfolio::{LastResorts, OF_NETS, OF_PROGRAMS, Portfolio};
use crate::options::HierarchyChoice;

/// A net or a program with what is known of it.
pub(crate) struct Analysed<'a> {
    system: &'a System,
    kind: Kind<'a>,
    /// The first are those to follow, the others are for the portfolio.
    pub(crate) plans: Vec<Plans>,
}

enum Kind<'a> {
    Net(&'a Net, Structure),
    Program(&'a Program),
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
            Type::Program(program) => (Kind::Program(program), vec![Plans::of_program(program)]),
            Type::Composite(_) => return None,
        };
        Some(Analysed { system, kind, plans })
    }

    /// Relies on nothing but what is proven, because a promise of the file turned out to be broken.
    pub(crate) fn distrust(&mut self) {
        if let Kind::Net(net, structure) = &self.kind {
            self.plans = plans_of_net(net, structure, Grouping::Proven);
        }
    }

    /// A run that shows that a net is not bounded, if so many operations find one.
    pub(crate) fn find_growth(&self, budget: u64) -> Option<Witness> {
        match &self.kind {
            Kind::Net(net, structure) if !structure.is_bounded() => unbounded(net, &self.system.begins, budget),
            Kind::Net(..) | Kind::Program(_) => None,
        }
    }

    /// The system state by state, if it lends itself to that.
    pub(crate) fn enumerable(&self) -> Option<Box<StateByState<'a>>> {
        let plans = self.plans.last()?;
        let states = match &self.kind {
            Kind::Net(net, structure) => StateByState::of_net(self.system, net, structure, plans),
            Kind::Program(program) => StateByState::of_program(self.system, program, plans),
        };
        states.map(Box::new)
    }

    /// All layouts of all plans, in a competition.
    pub(crate) fn portfolio(&self, hierarchy: HierarchyChoice) -> Portfolio<'_, LaidOut<'a>> {
        let layouts = self.plans.iter().map(|plans| tries(self.system, plans, hierarchy)).collect();
        let resorts = LastResorts {
            unbounded: Box::new(|| self.find_growth(PATIENCE)),
            enumerable: Box::new(|| Some(self.enumerable()?)),
            rounds: match self.kind {
                Kind::Net(..) => OF_NETS,
                Kind::Program(_) => OF_PROGRAMS,
            },
        };
        Portfolio::new(in_turn(layouts), resorts)
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
