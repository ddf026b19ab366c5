//! Connections for the tests of this module.

use super::{Connections, Event, Order};

/// Pseudo-random numbers, the same for the same seed.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x2545_F491_4F6C_DD1D)
    }

    pub fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * u64::from(bound)) >> 32) as u32
    }
}

/// A random permutation.
pub fn shuffled(variables: usize, seed: u64) -> Order {
    let mut random = Random::new(seed);
    let mut order: Order = (0u32..).take(variables).collect();
    for last in (1..variables).rev() {
        order.swap(last, random.below(last as u32 + 1) as usize);
    }
    order
}

/// Events over given sets of variables: the first is taken from, the last put to, the others read.
pub fn from_sets(variables: usize, sets: &[Vec<u32>]) -> Connections {
    let event = |set: &Vec<u32>| match set.as_slice() {
        [] => Event::default(),
        [only] => Event { takes: vec![*only], ..Event::default() },
        [first, middle @ .., last] => Event { takes: vec![*first], puts: vec![*last], reads: middle.to_vec() },
    };
    Connections { variables, events: sets.iter().map(event).collect(), ..Connections::default() }
}

/// A path 0, 1, 2, ...
pub fn path(variables: u32) -> Connections {
    from_sets(variables as usize, &(1..variables).map(|one| vec![one - 1, one]).collect::<Vec<_>>())
}

/// A path whose variables have been renamed at random, with the order that hides in it.
pub fn hidden_path(variables: u32, seed: u64) -> (Connections, Order) {
    let names = shuffled(variables as usize, seed);
    let sets: Vec<Vec<u32>> = names.windows(2).map(<[u32]>::to_vec).collect();
    (from_sets(variables as usize, &sets), names)
}

/// A grid whose variables have been renamed at random: events connect neighbours in a row and in a column.
pub fn hidden_grid(width: u32, height: u32, seed: u64) -> Connections {
    let names = shuffled((width * height) as usize, seed);
    let name = |x: u32, y: u32| names[(y * width + x) as usize];
    let mut sets = Vec::new();
    for y in 0..height {
        for x in 0..width {
            if x + 1 < width {
                sets.push(vec![name(x, y), name(x + 1, y)]);
            }
            if y + 1 < height {
                sets.push(vec![name(x, y), name(x, y + 1)]);
            }
        }
    }
    from_sets((width * height) as usize, &sets)
}

/// One event over everything.
pub fn one_event(variables: u32) -> Connections {
    Connections {
        variables: variables as usize,
        events: vec![Event { takes: (0..variables).collect(), ..Event::default() }],
        ..Connections::default()
    }
}

/// A small random case: few or many events, empty lists, repetitions, isolated variables.
pub fn random(seed: u64) -> Connections {
    let mut random = Random::new(seed);
    let variables = random.below(25);
    let events = if variables == 0 { random.below(2) } else { random.below(2 * variables) };
    let mut list = |most: u32| -> Vec<u32> {
        if variables == 0 {
            return Vec::new();
        }
        (0..random.below(most + 1)).map(|_| random.below(variables)).collect()
    };
    let events = (0..events).map(|_| Event { takes: list(3), puts: list(3), reads: list(1) }).collect();
    Connections { variables: variables as usize, events, ..Connections::default() }
}

/// A large net-like case: events connect variables that are near to each other in a hidden order, some are far.
pub fn large(variables: u32, events: u32, seed: u64) -> Connections {
    let names = shuffled(variables as usize, seed);
    let mut random = Random::new(seed + 1);
    let mut event = || {
        let near = random.below(variables);
        let mut one = || {
            let far = random.below(50) == 0;
            let at = if far { random.below(variables) } else { (near + random.below(20)) % variables };
            names[at as usize]
        };
        Event { takes: vec![one(), one()], puts: vec![one(), one()], reads: vec![] }
    };
    let events = (0..events).map(|_| event()).collect();
    Connections { variables: variables as usize, events, ..Connections::default() }
}

/// Whether an order has each variable once.
pub fn is_permutation(variables: usize, order: &[u32]) -> bool {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    sorted.into_iter().eq((0u32..).take(variables))
}
