//! What the expressions of a program would like of an order of variables.

use mandala_model::expression::{Boolean, Integer, Part, Parts};
use mandala_model::system::{Program, ProgramTransition, Statement, Target};
use rustc_hash::FxHashMap;

use super::Wish;

/// The weight of variables that are compared, or assigned from one another: close is better.
const TOGETHER: f64 = 2.0;

/// The weight of all that is read or written as a scalar in one transition.
const OF_TRANSITION: f64 = 1.0;

/// What the transitions of a program would like: each wish once, with the weight of all that wish it.
pub fn wishes(program: &Program) -> Vec<Wish> {
    let mut wishes = Wishes::default();
    for transition in &program.transitions {
        wishes.transition(transition);
    }
    let mut all: Vec<Wish> =
        wishes.0.into_iter().map(|((above, below), weight)| Wish { above, below, weight }).collect();
    all.sort_by(|one, other| (&one.above, &one.below).cmp(&(&other.above, &other.below)));
    all
}

#[derive(Default)]
struct Wishes(FxHashMap<(Vec<u32>, Vec<u32>), f64>);

/// The scalars among what is read, and the arrays with a computed index: where they begin and how long they are.
fn read(parts: Parts<'_, u32>) -> (Vec<u32>, Vec<(u32, u32)>) {
    let (mut scalars, mut arrays) = (Vec::new(), Vec::new());
    for (part, _) in parts {
        match part {
            Part::Integer(Integer::Variable(variable)) => scalars.push(*variable),
            Part::Integer(Integer::Element { first, length, index }) => match **index {
                Integer::Constant(place) if (0..*length as i32).contains(&place) => scalars.push(first + place as u32),
                _ => arrays.push((*first, *length)),
            },
            _ => {}
        }
    }
    (scalars, arrays)
}

fn tidy(mut variables: Vec<u32>) -> Vec<u32> {
    variables.sort_unstable();
    variables.dedup();
    variables
}

impl Wishes {
    fn add(&mut self, above: Vec<u32>, below: Vec<u32>, weight: f64) {
        let (above, below) = (tidy(above), tidy(below));
        if above.len() + below.len() > 1 {
            *self.0.entry((above, below)).or_default() += weight;
        }
    }

    /// An index wants to be above its array, and so do those of indices.
    fn index(&mut self, first: u32, length: u32, index: &Integer<u32>) {
        let (scalars, arrays) = read(index.parts());
        let mut above = scalars;
        above.extend(arrays.into_iter().flat_map(|(first, length)| first..first + length));
        // An element of an array that is the index of another of its elements comes before itself: no order helps.
        let below: Vec<u32> = (first..first + length).filter(|cell| !above.contains(cell)).collect();
        if !above.is_empty() && !below.is_empty() {
            self.add(above, below, Wish::STRONG);
        }
    }

    fn parts(&mut self, parts: Parts<'_, u32>, scalars: &mut Vec<u32>) {
        for (part, _) in parts {
            match part {
                Part::Integer(Integer::Variable(variable)) => scalars.push(*variable),
                Part::Integer(Integer::Element { first, length, index }) => self.index(*first, *length, index),
                Part::Boolean(Boolean::Compare(_, left, right)) => {
                    let (mut together, _) = read(left.parts());
                    together.extend(read(right.parts()).0);
                    self.add(Vec::new(), together, TOGETHER);
                }
                _ => {}
            }
        }
    }

    fn transition(&mut self, transition: &ProgramTransition) {
        let mut scalars = Vec::new();
        self.parts(transition.guard.parts(), &mut scalars);
        let mut open: Vec<&Statement> = transition.body.iter().collect();
        while let Some(statement) = open.pop() {
            match statement {
                Statement::Assign(target, value) => {
                    self.parts(value.parts(), &mut scalars);
                    let (above, _) = read(value.parts());
                    match target {
                        Target::Variable(variable) => {
                            scalars.push(*variable);
                            let above: Vec<u32> = above.into_iter().filter(|one| one != variable).collect();
                            self.add(above, vec![*variable], TOGETHER);
                        }
                        Target::Element { first, length, index } => {
                            self.index(*first, *length, index);
                            self.parts(index.parts(), &mut scalars);
                            let cells = *first..*first + *length;
                            let above: Vec<u32> = above.into_iter().filter(|one| !cells.contains(one)).collect();
                            self.add(above, cells.collect(), TOGETHER);
                        }
                    }
                }
                Statement::If(condition, yes, no) => {
                    self.parts(condition.parts(), &mut scalars);
                    open.extend(yes.iter().chain(no));
                }
                Statement::Fixpoint(body) => open.extend(body),
                Statement::Abort | Statement::Call(_) => {}
            }
        }
        self.add(Vec::new(), scalars, OF_TRANSITION);
    }
}
