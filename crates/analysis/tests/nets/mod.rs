//! Nets for tests, and what is true of them by definition alone.

use mandala_model::net::{Effect, Initial, Net, Place, Transition, pnml};
use std::collections::{HashSet, VecDeque};
use std::path::PathBuf;

/// Numbers that look random (a linear congruence, its high bits).
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(0x2545_F491_4F6C_DD1D) | 1)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }
}

/// Which kinds of arcs a random net has.
#[derive(Clone, Copy)]
pub enum Shape {
    /// Takes, puts and reads, one initial marking.
    Plain,
    /// Also inhibitors, resets, capacities, and sometimes several initial markings.
    Full,
}

/// A net of up to seven places and transitions; most transitions move as many tokens as they take.
pub fn random_net(chance: &mut Chance, shape: Shape) -> Net {
    let count = 2 + chance.below(6);
    let full = matches!(shape, Shape::Full);
    let places = (0..count).map(|index| Place {
        name: format!("p{index}"),
        capacity: (full && chance.one_in(5)).then(|| 1 + chance.below(3) as i32),
    });
    let places: Vec<Place> = places.collect();
    let transitions = (0..1 + chance.below(7)).map(|_| random_transition(chance, count, full)).collect();
    let several = if full && chance.one_in(3) { 2 } else { 1 };
    let initial = (0..several).map(|index| Initial {
        name: format!("m{index}"),
        marking: (0..count).map(|_| [0, 0, 1, 1, 0, 2][chance.below(6)]).collect(),
    });
    Net { name: "random".into(), initial: initial.collect(), places, transitions, ..Net::default() }
}

fn random_transition(chance: &mut Chance, places: usize, full: bool) -> Transition {
    let mut effects: Vec<Effect> = (0..places as u32).map(Effect::on).collect();
    for _ in 0..1 + chance.below(2) {
        let weight = if chance.one_in(4) { 2 } else { 1 };
        effects[chance.below(places)].take += weight;
        effects[chance.below(places)].put += weight;
    }
    let other = &mut effects[chance.below(places)];
    match chance.below(if full { 12 } else { 8 }) {
        0 => other.take += 1,
        1 => other.put += 1,
        2 => other.read = 1 + i32::from(chance.one_in(3)),
        8 | 9 => other.below = Some(1 + chance.below(2) as i32),
        10 => other.reset = true,
        11 => (other.reset, other.below) = (true, Some(1 + chance.below(2) as i32)),
        _ => {}
    }
    effects.retain(|effect| *effect != Effect::on(effect.place));
    Transition { name: "t".into(), label: None, effects, priority: 0 }
}

/// The marking after a transition, if it may fire.
pub fn fire(net: &Net, marking: &[i32], transition: usize) -> Option<Vec<i32>> {
    let mut after = marking.to_vec();
    for effect in &net.transitions[transition].effects {
        let place = effect.place as usize;
        after[place] = effect.apply(marking[place], net.places[place].capacity).ok()??;
    }
    Some(after)
}

/// Reachable markings.
pub struct Explored {
    pub markings: HashSet<Vec<i32>>,
    /// Whether these are all.
    pub complete: bool,
}

/// Markings reachable from all initial ones, breadth first.
pub fn explore(net: &Net, limit: usize) -> Explored {
    let mut markings: HashSet<Vec<i32>> = net.initial.iter().map(|initial| initial.marking.clone()).collect();
    let mut queue: VecDeque<Vec<i32>> = markings.iter().cloned().collect();
    while let Some(marking) = queue.pop_front() {
        for transition in 0..net.transitions.len() {
            if let Some(after) = fire(net, &marking, transition)
                && markings.insert(after.clone())
            {
                queue.push_back(after);
            }
        }
        if markings.len() > limit {
            return Explored { markings, complete: false };
        }
    }
    Explored { markings, complete: true }
}

/// Visits the markings of a random walk.
pub fn walk(net: &Net, length: usize, chance: &mut Chance, mut visit: impl FnMut(&[i32])) {
    let mut marking = net.initial[0].marking.clone();
    for _ in 0..length {
        visit(&marking);
        let first = chance.below(net.transitions.len());
        let mut turns = (0..net.transitions.len()).map(|index| (first + index) % net.transitions.len());
        match turns.find_map(|transition| fire(net, &marking, transition)) {
            Some(after) => marking = after,
            None => return,
        }
    }
}

/// The semiflows of minimal support of a small net without resets, by definition: for each set of places, the weights
/// on it are a line of solutions, and all positive.
pub fn minimal_semiflows(net: &Net) -> Vec<Vec<(u32, i64)>> {
    let count = net.places.len();
    let gain = |transition: &Transition, place: u32| {
        let effect = transition.effects.iter().find(|effect| effect.place == place);
        effect.map_or(0, |effect| i128::from(effect.put) - i128::from(effect.take))
    };
    let mut flows = Vec::new();
    for set in 1u32..1 << count {
        let places: Vec<u32> = (0..count as u32).filter(|place| set >> place & 1 == 1).collect();
        let equations: Vec<Vec<i128>> = net
            .transitions
            .iter()
            .map(|transition| places.iter().map(|&place| gain(transition, place)).collect())
            .collect();
        if let Some(line) = only_solution(equations, places.len())
            && line.iter().all(|&weight| weight > 0)
        {
            flows.push(places.into_iter().zip(line).collect());
        }
    }
    flows.sort();
    flows
}

/// The solutions of homogeneous equations if they are one line: its smallest integer point with a positive last
/// number.
fn only_solution(mut equations: Vec<Vec<i128>>, unknowns: usize) -> Option<Vec<i64>> {
    let mut pivots: Vec<usize> = Vec::new();
    for column in 0..unknowns {
        let rank = pivots.len();
        let Some(found) = (rank..equations.len()).find(|&row| equations[row][column] != 0) else { continue };
        equations.swap(rank, found);
        let pivot = equations[rank].clone();
        for (index, row) in equations.iter_mut().enumerate() {
            let factor = row[column];
            if index != rank && factor != 0 {
                row.iter_mut().zip(&pivot).for_each(|(value, at)| *value = *value * pivot[column] - factor * at);
                let divisor = row.iter().fold(0, |divisor, &value| gcd(divisor, value)).max(1);
                row.iter_mut().for_each(|value| *value /= divisor);
            }
        }
        pivots.push(column);
    }
    let mut free = (0..unknowns).filter(|column| !pivots.contains(column));
    let (Some(free), None) = (free.next(), free.next()) else { return None };
    let scale = pivots.iter().enumerate().fold(1, |scale, (row, &column)| {
        let value = equations[row][column].abs();
        scale / gcd(scale, value) * value
    });
    let mut line = vec![0; unknowns];
    line[free] = scale;
    for (row, &column) in pivots.iter().enumerate() {
        line[column] = -equations[row][free] * scale / equations[row][column];
    }
    let divisor = line.iter().fold(0, |divisor, &value| gcd(divisor, value)).max(1);
    Some(line.into_iter().map(|value| (value / divisor) as i64).collect())
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// The nets of a folder of shared models, by name. None, with a message, if it is not there.
pub fn shared_nets(folder: &str) -> impl Iterator<Item = (String, Net)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models").join(folder);
    let mut names: Vec<PathBuf> = match std::fs::read_dir(&folder) {
        Ok(entries) => entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect(),
        Err(_) => {
            println!("skipped: there are no shared models at {}", folder.display());
            Vec::new()
        }
    };
    names.sort();
    names.into_iter().map(|path| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let text = std::fs::read_to_string(path.join("model.pnml")).expect("a model");
        let net = pnml::read("model.pnml", &text).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        (name, net)
    })
}
