//! What can be exchanged in a model: processes, each a block of variables or an index.

use mandala_analysis::symmetry::shape::swap;
use mandala_analysis::symmetry::{Part, Points, Shape, SymmetryGroup};
use mandala_group::{Orbits, Permutation};

/// Of more processes of a kind only neighbours are exchanged: there are too many pairs.
const MOST_FOR_ALL_PAIRS: usize = 24;

/// The exchange of two processes.
pub(super) struct Exchange {
    /// Which kind of processes.
    kind: usize,
    one: usize,
    other: usize,
    pub permutation: Permutation,
}

/// The interchangeable processes of a model, in kinds: those of one kind can be put in any order.
#[derive(Default)]
pub(super) struct Processes {
    pub points: Points,
    /// Parts of the group that are full symmetries.
    kinds: Vec<Part>,
    /// How many processes there are of each kind.
    pub sizes: Vec<usize>,
    /// The other parts of the group.
    pub others: Vec<Part>,
    /// Exchanges of two processes of a kind; with products of these every other is made.
    pub exchanges: Vec<Exchange>,
}

impl Processes {
    /// Those of a group of symmetries.
    pub fn of(group: &SymmetryGroup) -> Processes {
        let mut processes = Processes { points: group.points.clone(), ..Processes::default() };
        for part in &group.shape.parts {
            let size = match part {
                Part::Full { blocks } => blocks.len(),
                Part::Indices { swaps } => swaps.len() + 1,
                Part::Ring { .. } | Part::Other { .. } => {
                    processes.others.push(part.clone());
                    continue;
                }
            };
            let kind = processes.kinds.len();
            processes.kinds.push(part.clone());
            processes.sizes.push(size);
            for one in 0..size {
                let last = if size <= MOST_FOR_ALL_PAIRS { size } else { (one + 2).min(size) };
                for other in one + 1..last {
                    let permutation = exchange(part, one, other);
                    processes.exchanges.push(Exchange { kind, one, other, permutation });
                }
            }
        }
        processes
    }

    /// The processes of each kind, in classes of those that some exchanges put in any order.
    pub fn classes(&self, exchanges: &[usize]) -> Vec<Vec<Vec<usize>>> {
        let mut linked: Vec<Orbits> = self.sizes.iter().map(|&size| Orbits::new(size)).collect();
        for &number in exchanges {
            let Exchange { kind, one, other, .. } = &self.exchanges[number];
            linked[*kind].unite(*one as u32, *other as u32);
        }
        let classes = |(linked, &size): (&mut Orbits, &usize)| {
            let mut classes: Vec<Vec<usize>> = vec![Vec::new(); size];
            (0..size).for_each(|process| classes[linked.find(process as u32) as usize].push(process));
            classes.retain(|class| !class.is_empty());
            classes
        };
        linked.iter_mut().zip(&self.sizes).map(classes).collect()
    }

    /// The group that permutes the processes within classes, with some of the other parts.
    pub fn shape(&self, classes: &[Vec<Vec<usize>>], others: &[Part]) -> Shape {
        let mut parts = Vec::new();
        for (part, classes) in self.kinds.iter().zip(classes) {
            for class in classes.iter().filter(|class| class.len() > 1) {
                parts.push(match part {
                    Part::Full { blocks } => {
                        Part::Full { blocks: class.iter().map(|&process| blocks[process].clone()).collect() }
                    }
                    part => {
                        Part::Indices { swaps: class.windows(2).map(|two| exchange(part, two[0], two[1])).collect() }
                    }
                });
            }
        }
        parts.extend(others.iter().cloned());
        Shape { parts, is_whole: false }
    }
}

/// The exchange of two processes of a part, the first before the second.
fn exchange(part: &Part, one: usize, other: usize) -> Permutation {
    match part {
        Part::Full { blocks } => swap(&blocks[one], &blocks[other]),
        Part::Indices { swaps } => {
            swaps[one + 1..other].iter().fold(swaps[one].clone(), |swapped, next| swapped.conjugate(next))
        }
        Part::Ring { .. } | Part::Other { .. } => Permutation::identity(),
    }
}
