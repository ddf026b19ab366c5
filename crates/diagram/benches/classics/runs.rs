//! Which models are built, how large, and by which strategies.

use crate::models::{Model, fms, kanban, philosophers, slotted_ring, states};
use mandala_diagram::{Count, Error, Store, Strategy};

/// A model of any size.
pub struct Family {
    /// With `#` for the size.
    name: &'static str,
    build: fn(&mut Store, u32) -> Result<Model, Error>,
    states: fn(u32) -> Count,
    /// All are built by saturation.
    sizes: &'static [u32],
    /// Which are built by other strategies, too: up to what size.
    others: &'static [(Strategy, u32)],
}

use Strategy::{BreadthFirst, Chaining, Frontier, Rewriting, Saturation};

static FAMILIES: [Family; 9] = [
    Family {
        name: "philosophers #",
        build: philosophers::ring,
        states: states::philosophers,
        sizes: &[100, 200, 1000, 4000],
        others: &[(Rewriting, 4000), (Chaining, 200), (BreadthFirst, 200), (Frontier, 200)],
    },
    Family {
        name: "philosophers folded 2^#",
        build: philosophers::folded,
        states: states::philosophers_folded,
        sizes: &[5, 10, 31, 1000, 10_000, 20_000],
        others: &[(Rewriting, 20_000), (Chaining, 5), (BreadthFirst, 5), (Frontier, 5)],
    },
    Family {
        name: "philosophers flat #",
        build: philosophers::flat,
        states: states::philosophers,
        sizes: &[100, 200, 1000],
        others: &[(Rewriting, 1000), (Chaining, 100), (BreadthFirst, 100), (Frontier, 100)],
    },
    Family {
        name: "slotted ring #",
        build: slotted_ring::hierarchical,
        states: states::slotted_ring,
        sizes: &[10, 50, 100, 150],
        others: &[(Rewriting, 150), (Chaining, 10), (BreadthFirst, 10), (Frontier, 10)],
    },
    Family {
        name: "slotted ring flat #",
        build: slotted_ring::flat,
        states: states::slotted_ring,
        sizes: &[10, 50],
        others: &[(Rewriting, 50), (Chaining, 10), (BreadthFirst, 10), (Frontier, 10)],
    },
    Family {
        name: "kanban #",
        build: |store, n| kanban::hierarchical(store, n as i32),
        states: states::kanban,
        sizes: &[20, 100, 200, 300, 700],
        others: &[(Rewriting, 300), (Chaining, 200), (BreadthFirst, 20), (Frontier, 20)],
    },
    Family {
        name: "kanban flat #",
        build: |store, n| kanban::flat(store, n as i32),
        states: states::kanban,
        sizes: &[20, 50, 100, 200, 300],
        others: &[(Rewriting, 50), (Chaining, 50), (BreadthFirst, 20), (Frontier, 20)],
    },
    Family {
        name: "fms #",
        build: |store, n| fms::hierarchical(store, n as i32),
        states: states::fms,
        sizes: &[10, 50, 100, 150, 300],
        others: &[(Rewriting, 150), (Chaining, 50), (BreadthFirst, 10), (Frontier, 10)],
    },
    Family {
        name: "fms flat #",
        build: |store, n| fms::flat(store, n as i32),
        states: states::fms,
        sizes: &[10, 50, 100, 150],
        others: &[(Rewriting, 100), (Chaining, 50), (BreadthFirst, 10), (Frontier, 10)],
    },
];

/// A model of one size and a strategy.
#[derive(Clone, Copy)]
pub struct Run {
    family: &'static Family,
    size: u32,
    pub strategy: Strategy,
}

impl Run {
    /// All runs.
    pub fn all() -> impl Iterator<Item = Run> {
        let sized = FAMILIES.iter().flat_map(|family| family.sizes.iter().map(move |&size| (family, size)));
        sized.flat_map(|(family, size)| {
            let others = family.others.iter().filter(move |(_, largest)| size <= *largest);
            let strategies = [Saturation].into_iter().chain(others.map(|&(strategy, _)| strategy));
            strategies.map(move |strategy| Run { family, size, strategy })
        })
    }

    /// The run of this name.
    pub fn find(name: &str, strategy: Strategy) -> Option<Run> {
        Run::all().find(|run| run.strategy == strategy && run.name() == name)
    }

    /// The name of the model.
    pub fn name(&self) -> String {
        self.family.name.replace('#', &self.size.to_string())
    }

    /// The model.
    pub fn build(&self, store: &mut Store) -> Result<Model, Error> {
        (self.family.build)(store, self.size)
    }

    /// How many states the model has.
    pub fn states(&self) -> Count {
        (self.family.states)(self.size)
    }
}

/// The name of a strategy on the command line and in tables.
pub fn strategy_name(strategy: Strategy) -> &'static str {
    match strategy {
        Saturation => "saturation",
        Rewriting => "rewriting",
        Chaining => "chaining",
        BreadthFirst => "breadth-first",
        Frontier => "frontier",
    }
}

/// The strategy of this name.
pub fn strategy_named(name: &str) -> Option<Strategy> {
    Strategy::ALL.into_iter().find(|&strategy| strategy_name(strategy) == name)
}
