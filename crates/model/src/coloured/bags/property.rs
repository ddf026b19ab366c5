//! What is asked of a net with bags, asked of the one without; and what happens in that one, said of the one with bags.

use super::super::property::{Atom, ColouredNets, Count, Event, Firing};
use super::super::semantics::Marking;
use super::super::value::{Bag, Binding, Token, Value};
use super::{Shape, Unfolded, bag_of, shape_of};
use crate::expression::Integer;
use crate::property::{Formula, Property, Question};

/// A pattern of what may be a bag.
type Pattern = Option<Value>;

/// The patterns of the colours that stand for a bag of some shape; nothing if no bag of that shape matches.
fn spread(pattern: &Pattern, shape: &Shape) -> Option<Vec<Pattern>> {
    match pattern {
        None => Some(vec![None; shape.len()]),
        Some(Value::Bag(bag)) => {
            let (same, colours) = shape_of(bag);
            (same == *shape).then(|| colours.into_iter().map(|colour| Some(Value::Colour(colour))).collect())
        }
        Some(Value::Colour(_)) => None,
    }
}

/// A pattern of values of which some are bags of some shapes; nothing if nothing matches. An empty one stays empty.
fn flat<'s>(pattern: &[Pattern], shapes: impl Iterator<Item = Option<&'s Shape>>) -> Option<Vec<Pattern>> {
    let mut flat = Vec::new();
    for (pattern, shape) in pattern.iter().zip(shapes) {
        match shape {
            Some(shape) => flat.extend(spread(pattern, shape)?),
            None => flat.push(pattern.clone()),
        }
    }
    Some(flat)
}

/// Values of which some are spread as bags of some shapes.
fn gathered<'s>(values: &[Value], shapes: impl Iterator<Item = Option<&'s Shape>>) -> Option<Vec<Value>> {
    let mut values = values.iter();
    let mut colour = || match values.next()? {
        Value::Colour(colour) => Some(*colour),
        Value::Bag(_) => None,
    };
    shapes
        .map(|shape| match shape {
            None => colour().map(Value::Colour),
            Some(shape) => {
                let colours: Vec<u32> = (0..shape.len()).map(|_| colour()).collect::<Option<_>>()?;
                Some(Value::Bag(bag_of(shape, colours)))
            }
        })
        .collect()
}

impl Unfolded {
    /// The number of tokens of a place: those of all its replicas.
    pub fn count(&self, count: &Count) -> Integer<Count> {
        let replicas = self.places.iter().enumerate().filter(|(_, replica)| replica.place == count.place);
        let mut counts: Vec<Integer<Count>> = replicas
            .filter_map(|(place, replica)| {
                let pattern = flat(&count.pattern, replica.shapes.iter().map(Option::as_ref))?;
                Some(Integer::Variable(Count { place: place as u32, pattern }))
            })
            .collect();
        if counts.len() == 1 { counts.remove(0) } else { Integer::Sum(counts) }
    }

    /// The firings of a transition: those of all its replicas.
    pub fn firings(&self, firing: &Firing) -> Vec<Firing> {
        let replicas =
            self.transitions.iter().enumerate().filter(|(_, replica)| replica.transition == firing.transition);
        replicas
            .filter_map(|(transition, replica)| {
                let pattern = flat(&firing.pattern, replica.variables.iter().map(|variable| variable.shape.as_ref()))?;
                Some(Firing { transition: transition as u32, pattern })
            })
            .collect()
    }

    /// What is said of a number; nothing if it speaks of arrays, which nets do not have.
    pub fn integer(&self, integer: &Integer<Count>) -> Option<Integer<Count>> {
        integer.map(&mut |count| Some(self.count(count)))
    }

    /// What is said of one marking.
    pub fn atom(&self, atom: &Atom) -> Option<Atom> {
        Some(match atom {
            Atom::Compare(comparison, left, right) => {
                Atom::Compare(*comparison, self.integer(left)?, self.integer(right)?)
            }
            Atom::Fireable(firings) => Atom::Fireable(firings.iter().flat_map(|firing| self.firings(firing)).collect()),
            Atom::Fired(firings) => Atom::Fired(firings.iter().flat_map(|firing| self.firings(firing)).collect()),
        })
    }

    /// A formula about the net with bags, about the one without.
    pub fn formula(&self, formula: &Formula<Atom>) -> Option<Formula<Atom>> {
        formula.map(&mut |atom| self.atom(atom).map(Formula::Atom))
    }

    /// A question about the net with bags, about the one without.
    pub fn question(&self, question: &Question<ColouredNets>) -> Option<Question<ColouredNets>> {
        Some(match question {
            Question::Reachable(formula) => Question::Reachable(self.formula(formula)?),
            Question::Invariant(formula) => Question::Invariant(self.formula(formula)?),
            Question::Never(formula) => Question::Never(self.formula(formula)?),
            Question::Bounds(quantity) => Question::Bounds(self.integer(quantity)?),
            Question::Ctl(formula) => Question::Ctl(self.formula(formula)?),
            Question::Ltl(formula) => Question::Ltl(self.formula(formula)?),
            Question::CtlStar(formula) => Question::CtlStar(self.formula(formula)?),
            Question::Live(groups) => {
                let replicas = |group: &Vec<Firing>| match self.atom(&Atom::Fireable(group.clone()))? {
                    Atom::Fireable(firings) => Some(firings),
                    Atom::Compare(..) | Atom::Fired(_) => None,
                };
                Question::Live(groups.iter().map(replicas).collect::<Option<_>>()?)
            }
        })
    }

    /// A property of the net with bags, as one of the net without.
    pub fn property(&self, property: &Property<ColouredNets>) -> Option<Property<ColouredNets>> {
        Some(Property { name: property.name.clone(), question: self.question(&property.question)? })
    }

    /// What happened in the net without bags, in that with bags.
    pub fn event(&self, event: &Event) -> Option<Event> {
        let replica = self.transitions.get(event.transition as usize)?;
        let binding: Binding = gathered(&event.binding, replica.variables.iter().map(|one| one.shape.as_ref()))?;
        Some(Event { transition: replica.transition, binding })
    }

    /// A marking of the net without bags, as one of the net with bags, which has so many places.
    pub fn marking(&self, marking: &Marking, places: usize) -> Option<Marking> {
        let mut whole = Marking { places: vec![Bag::new(); places] };
        for (replica, tokens) in self.places.iter().zip(&marking.places) {
            for (token, times) in tokens.iter() {
                let token: Token = gathered(&token, replica.shapes.iter().map(Option::as_ref))?;
                whole.places.get_mut(replica.place as usize)?.add(token, times).ok()?;
            }
        }
        Some(whole)
    }
}
