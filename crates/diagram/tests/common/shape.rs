//! Shapes: families of compatible sequences.

use std::rc::Rc;

use mandala_diagram::Variable;

use super::rng::Rng;
use super::state::{Set, State, Val, member, weight};

/// What the sequences of a family look like.
#[derive(Debug)]
pub enum Shape {
    End,
    /// An assignment to a data variable; what comes after depends on the value.
    Data(Variable, Vec<(i32, Rc<Shape>)>),
    /// An assignment to a variable with structure; what comes after depends on the label's weight.
    Set(Variable, Rc<Shape>, Rc<Shape>, Rc<Shape>),
    /// An assignment to a variable whose label is a set of integers.
    Integers(Variable, i32, i32, Rc<Shape>, Rc<Shape>),
}

/// The kinds of variables, so that a variable is of the same kind wherever it occurs: two in four are
/// data, one has structure, one has sets of integers.
pub fn data_variable(i: u32) -> Variable {
    i / 2 * 4 + i % 2 * 2
}
pub fn set_variable(i: u32) -> Variable {
    i * 4 + 1
}
pub fn integers_variable(i: u32) -> Variable {
    i * 4 + 3
}

impl Shape {
    /// Data variables in this order, each from `low` to `high`.
    pub fn flat(variables: &[Variable], low: i32, high: i32) -> Rc<Shape> {
        Shape::flat_before(variables, low, high, Rc::new(Shape::End))
    }

    pub fn flat_before(variables: &[Variable], low: i32, high: i32, end: Rc<Shape>) -> Rc<Shape> {
        variables.iter().rev().fold(end, |next, &variable| {
            Rc::new(Shape::Data(variable, (low..=high).map(|value| (value, next.clone())).collect()))
        })
    }

    /// A queue of up to `length` elements: a variable again and again, -1 at the end.
    pub fn queue(variable: Variable, low: i32, high: i32, length: usize, end: Rc<Shape>) -> Rc<Shape> {
        let mut next = Rc::new(Shape::Data(variable, vec![(-1, end.clone())]));
        for _ in 0..length {
            let mut arcs = vec![(-1, end.clone())];
            arcs.extend((low..=high).map(|value| (value, next.clone())));
            next = Rc::new(Shape::Data(variable, arcs));
        }
        next
    }

    /// Set variables in this order, all with labels of one shape.
    pub fn nested(variables: &[Variable], label: &Rc<Shape>, end: Rc<Shape>) -> Rc<Shape> {
        variables
            .iter()
            .rev()
            .fold(end, |next, &variable| Rc::new(Shape::Set(variable, label.clone(), next.clone(), next)))
    }

    /// Any shape: `length` assignments at most, `depth` levels of labels.
    pub fn random(rng: &mut Rng, length: usize, depth: usize) -> Rc<Shape> {
        if length == 0 || rng.one_in(12) {
            return Rc::new(Shape::End);
        }
        let next = Shape::random(rng, length - 1, depth);
        // Now and then something else comes after some of the values.
        let other = if rng.one_in(4) { Shape::random(rng, length - 1, depth) } else { next.clone() };
        Rc::new(match rng.below(if depth > 0 { 6 } else { 4 }) {
            0..=2 => {
                let low = rng.range(-2, 0);
                let variable = data_variable(rng.below(4) as u32);
                let arcs = (low..=low + rng.range(0, 3))
                    .map(|value| (value, if rng.one_in(3) { other.clone() } else { next.clone() }));
                Shape::Data(variable, arcs.collect())
            }
            3 => {
                let low = rng.range(-3, 1);
                Shape::Integers(integers_variable(rng.below(2) as u32), low, low + rng.range(0, 4), next, other)
            }
            _ => {
                let label = Shape::random(rng, 3, depth - 1);
                Shape::Set(set_variable(rng.below(3) as u32), label, next, other)
            }
        })
    }

    /// Any member of the family.
    pub fn state(&self, rng: &mut Rng) -> State {
        let mut state = State::new();
        let mut shape = self;
        loop {
            shape = match shape {
                Shape::End => return state,
                Shape::Data(variable, arcs) => {
                    let (value, next) = rng.pick(arcs);
                    state.push((*variable, Val::Int(*value)));
                    next
                }
                Shape::Set(variable, label, even, odd) => {
                    let label = label.state(rng);
                    let next = if weight(&label) % 2 == 0 { even } else { odd };
                    state.push((*variable, Val::State(label)));
                    next
                }
                Shape::Integers(variable, low, high, even, odd) => {
                    let value = rng.range(*low, *high);
                    state.push((*variable, member(value)));
                    if value % 2 == 0 { even } else { odd }
                }
            }
        }
    }

    /// Up to `size` members of the family.
    pub fn set(&self, rng: &mut Rng, size: usize) -> Set {
        let size = rng.below(size + 1);
        (0..size).map(|_| self.state(rng)).collect()
    }

    /// Every member of the family, in the order of the values, `most` at most.
    pub fn all(&self, most: usize) -> Vec<State> {
        fn walk(shape: &Shape, most: usize, prefix: &State, out: &mut Vec<State>) {
            if out.len() >= most {
                return;
            }
            let mut on = |variable: Variable, value: Val, next: &Shape| {
                let mut prefix = prefix.clone();
                prefix.push((variable, value));
                walk(next, most, &prefix, out);
            };
            match shape {
                Shape::End => out.push(prefix.clone()),
                Shape::Data(variable, arcs) => {
                    for (value, next) in arcs {
                        on(*variable, Val::Int(*value), next);
                    }
                }
                Shape::Set(variable, label, even, odd) => {
                    for label in label.all(most) {
                        let next = if weight(&label) % 2 == 0 { even } else { odd };
                        on(*variable, Val::State(label), next);
                    }
                }
                Shape::Integers(variable, low, high, even, odd) => {
                    for value in *low..=*high {
                        on(*variable, member(value), if value % 2 == 0 { even } else { odd });
                    }
                }
            }
        }
        let mut out = Vec::new();
        walk(self, most, &State::new(), &mut out);
        out
    }

    /// The variables on the ways through the shape.
    pub fn variables(self: &Rc<Shape>) -> Variables {
        let mut found = Variables::default();
        let mut open = vec![self.clone()];
        let mut seen = Vec::new();
        while let Some(shape) = open.pop() {
            if seen.contains(&Rc::as_ptr(&shape)) {
                continue;
            }
            seen.push(Rc::as_ptr(&shape));
            match &*shape {
                Shape::End => {}
                Shape::Data(variable, arcs) => {
                    let (low, high) = (arcs[0].0, arcs[arcs.len() - 1].0);
                    match found.data.iter_mut().find(|known| known.0 == *variable) {
                        Some(known) => *known = (*variable, known.1.min(low), known.2.max(high)),
                        None => found.data.push((*variable, low, high)),
                    }
                    open.extend(arcs.iter().map(|arc| arc.1.clone()));
                }
                Shape::Set(variable, label, even, odd) => {
                    found.sets.push((*variable, label.clone()));
                    open.extend([even.clone(), odd.clone()]);
                }
                Shape::Integers(variable, low, high, even, odd) => {
                    found.integers.push((*variable, *low, *high));
                    open.extend([even.clone(), odd.clone()]);
                }
            }
        }
        found
    }
}

/// The variables of a shape, with their values.
#[derive(Debug, Default)]
pub struct Variables {
    pub data: Vec<(Variable, i32, i32)>,
    pub sets: Vec<(Variable, Rc<Shape>)>,
    pub integers: Vec<(Variable, i32, i32)>,
}

/// One of all kinds of shapes that models use.
pub fn any_shape(rng: &mut Rng) -> Rc<Shape> {
    let end = Rc::new(Shape::End);
    let mut few: Vec<Variable> = (0..4).map(data_variable).collect();
    rng.shuffle(&mut few);
    few.truncate(rng.below(4) + 1);
    let mut parts: Vec<Variable> = (0..3).map(set_variable).collect();
    rng.shuffle(&mut parts);
    parts.truncate(rng.below(2) + 2);
    match rng.below(9) {
        0 => Shape::flat(&few, 0, 3),
        1 => {
            // Repeated variables.
            let repeated: Vec<Variable> = (0..4).map(|_| data_variable(rng.below(2) as u32)).collect();
            Shape::flat(&repeated, -1, 1)
        }
        2 => Shape::queue(data_variable(1), 0, 1, 4, end),
        3 => {
            let rest = Shape::flat(&few[..few.len().min(2)], 0, 1);
            Shape::queue(data_variable(rng.below(4) as u32), 0, 1, 2, rest)
        }
        4 => {
            // The order of the variables depends on an earlier value.
            let forward = Shape::flat(&few, 0, 2);
            few.reverse();
            let backward = Shape::flat(&few, 0, 2);
            Rc::new(Shape::Data(data_variable(7), vec![(0, forward.clone()), (1, backward), (2, forward)]))
        }
        5 => Shape::nested(&parts, &Shape::flat(&few[..few.len().min(2)], 0, 2), end),
        6 => {
            let inner = Shape::flat(&few[..few.len().min(2)], 0, 1);
            let middle = Shape::nested(&parts[..2], &inner, end.clone());
            Shape::nested(&parts, &middle, end)
        }
        7 => {
            let inner = Shape::queue(data_variable(0), 0, 1, 2, end.clone());
            Shape::nested(&parts, &inner, Shape::flat(&few[..1], 0, 2))
        }
        _ => Shape::random(rng, 4, 2),
    }
}
