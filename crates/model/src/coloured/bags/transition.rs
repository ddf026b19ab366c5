//! The replicas of a transition: one for each shape of its bags, and each case in which it is known what is in other bags.

use super::super::bounds::{Bound, Held, Occurrence, bounds, occurrences};
use super::super::expression::{BagExpression, Element, Guard, Term, Tokens};
use super::super::visit::Leaf;
use super::super::{Arc, ClassOrder, ColouredNet, Sort, Transition, Variable};
use super::case::{Case, Cluster, Known, cases, clusters};
use super::conserve::most_in;
use super::resolve::{Resolver, all_of, has_variables, pieces_of_guard, pieces_of_tokens};
use super::shape::{Limits, Shape, cardinality};
use super::substitute::{NoColour, Replacement, Substitution, class_of};
use super::{MOST_REPLICAS, NotUnfolded, TooLarge, TransitionReplica, VariableReplica};
use crate::expression::Comparison;
use std::collections::BTreeSet;

/// A place by its index and the shapes of the bags of its tokens.
pub(super) type Flat = (u32, Vec<Shape>);

/// A replica, on places that have no index yet.
#[derive(Clone, Debug)]
pub(super) struct Replica {
    pub of: TransitionReplica,
    pub variables: Vec<Variable>,
    pub guard: Guard,
    pub takes: Vec<(Flat, Tokens)>,
    pub puts: Vec<(Flat, Tokens)>,
    pub inhibitors: Vec<(Flat, Tokens)>,
    /// Terms that must have a value for a binding to be there, and may have none.
    partial: Vec<Term>,
}

/// Which shapes the bags in the tokens of each place can have.
pub(super) type Shapes = Vec<BTreeSet<Vec<Shape>>>;

/// The replicas of a transition so far: for all shapes of its bags that were possible up to now.
pub(super) struct Replicas<'e> {
    net: &'e ColouredNet,
    index: u32,
    /// The shapes of the variables for which there are replicas.
    done: BTreeSet<Vec<Option<Shape>>>,
    all: Vec<Replica>,
}

impl<'e> Replicas<'e> {
    pub fn new(net: &'e ColouredNet, index: u32) -> Replicas<'e> {
        Replicas { net, index, done: BTreeSet::new(), all: Vec::new() }
    }

    /// Adds those that there are as well, now that the bags that places hold have these shapes.
    pub fn extend(&mut self, shapes: &Shapes) -> Result<(), NotUnfolded> {
        let (net, index) = (self.net, self.index);
        let transition = &net.transitions[index as usize];
        let too_large = |_: TooLarge| NotUnfolded::Transition { transition: transition.name.clone() };
        for chosen in choices(&shapes_of(net, transition, shapes)?).map_err(too_large)? {
            let chosen: Vec<Option<Shape>> = chosen.into_iter().cloned().collect();
            if !self.done.insert(chosen.clone()) {
                continue;
            }
            match has_bags(net, transition) {
                true => Expanding::new(net, index, &chosen).expand(&mut self.all).map_err(too_large)?,
                false => self.all.push(verbatim(transition, index)),
            }
        }
        Ok(())
    }

    /// Those that find what they take, where bags have these shapes.
    pub fn live<'r>(&'r self, shapes: &'r Shapes) -> impl Iterator<Item = &'r Replica> {
        let starved = |(flat, tokens): &(Flat, Tokens)| never_holds(shapes, flat) && is_certain(tokens);
        self.all.iter().filter(move |replica| !replica.takes.iter().any(starved))
    }
}

/// Whether a replica of a place is always empty.
fn never_holds(shapes: &Shapes, (place, flat): &Flat) -> bool {
    !flat.is_empty() && !shapes[*place as usize].contains(flat)
}

impl Replica {
    /// The same without what never inhibits it. Terms that are gone must have a value all the same.
    pub fn finished(&self, net: &ColouredNet, shapes: &Shapes) -> Replica {
        let mut replica = self.clone();
        replica.inhibitors.retain(|(flat, _)| !never_holds(shapes, flat));
        let sorts: Vec<Sort> = replica.variables.iter().map(|variable| variable.sort).collect();
        let mut left = Vec::new();
        replica.guard.leaves(&mut |leaf| see_partial(net, &sorts, leaf, &mut left));
        let arcs = replica.takes.iter().chain(&replica.puts).chain(&replica.inhibitors);
        arcs.for_each(|(_, tokens)| tokens.leaves(&mut |leaf| see_partial(net, &sorts, leaf, &mut left)));
        let gone = replica.partial.iter().filter(|term| !left.contains(term));
        let defined: Vec<Guard> =
            gone.map(|term| Guard::Compare(Comparison::Equal, term.clone(), term.clone())).collect();
        if !defined.is_empty() {
            let guard = std::mem::take(&mut replica.guard);
            replica.guard = all_of([vec![guard], defined].concat());
        }
        replica
    }
}

/// Notes a term that may have no value.
fn see_partial(net: &ColouredNet, sorts: &[Sort], leaf: Leaf<'_>, seen: &mut Vec<Term>) {
    if let Leaf::Term(term @ Term::Shift(..)) = leaf
        && net.classes[class_of(term, sorts) as usize].order != ClassOrder::Circular
        && !seen.contains(term)
    {
        seen.push(term.clone());
    }
}

/// Whether bags occur in it at all: as variables, in tokens, or in guards.
fn has_bags(net: &ColouredNet, transition: &Transition) -> bool {
    let is_bag = |sort: &Sort| matches!(sort, Sort::Bag(_));
    let mut arcs = transition.takes.iter().chain(&transition.puts).chain(&transition.inhibitors);
    transition.variables.iter().any(|variable| is_bag(&variable.sort))
        || arcs.any(|arc| net.places[arc.place as usize].domain.iter().any(is_bag) || mentions_bags(&arc.tokens))
        || guard_mentions_bags(&transition.guard)
}

fn mentions_bags(tokens: &Tokens) -> bool {
    match tokens {
        Tokens::Tuple(_) => false,
        Tokens::Sum(parts) => parts.iter().any(mentions_bags),
        Tokens::Difference(from, taken) => mentions_bags(from) || mentions_bags(taken),
        Tokens::Times(_, inner) => mentions_bags(inner),
        Tokens::When(guard, inner) => guard_mentions_bags(guard) || mentions_bags(inner),
    }
}

fn guard_mentions_bags(guard: &Guard) -> bool {
    match guard {
        Guard::Constant(_) | Guard::Compare(..) | Guard::Member(..) => false,
        Guard::Cardinality(..) | Guard::Included(..) | Guard::SameBag(..) => true,
        Guard::Not(inner) => guard_mentions_bags(inner),
        Guard::And(parts) | Guard::Or(parts) => parts.iter().any(guard_mentions_bags),
    }
}

fn verbatim(transition: &Transition, index: u32) -> Replica {
    let arcs = |arcs: &[Arc]| arcs.iter().map(|arc| ((arc.place, Vec::new()), arc.tokens.clone())).collect();
    let variables = 0..transition.variables.len() as u32;
    Replica {
        of: TransitionReplica {
            transition: index,
            variables: variables.map(|first| VariableReplica { first, shape: None }).collect(),
        },
        variables: transition.variables.clone(),
        guard: transition.guard.clone(),
        takes: arcs(&transition.takes),
        puts: arcs(&transition.puts),
        inhibitors: arcs(&transition.inhibitors),
        partial: Vec::new(),
    }
}

/// The shapes that each variable can have; `None` for one that is bound to colours.
fn shapes_of(
    net: &ColouredNet, transition: &Transition, shapes: &Shapes,
) -> Result<Vec<Vec<Option<Shape>>>, NotUnfolded> {
    // The shapes of one component of the tokens of a place.
    let held = |occurrence: &Occurrence| -> BTreeSet<Shape> {
        let domain = &net.places[occurrence.place as usize].domain[..occurrence.component];
        let component = domain.iter().filter(|sort| matches!(sort, Sort::Bag(_))).count();
        shapes[occurrence.place as usize].iter().map(|shapes| shapes[component].clone()).collect()
    };
    let taken = |occurrence: &Occurrence| match occurrence.held {
        Held::Spread => {
            let class = transition.variables[occurrence.variable as usize].sort.class();
            most_in(net, occurrence.place, class).map(Bound::of_size)
        }
        Held::Whole | Held::Included => {
            Some(Bound::of_size(held(occurrence).iter().map(|shape| cardinality(shape)).max().unwrap_or(0)))
        }
    };
    let occurrences = occurrences(net, transition);
    let bounds = bounds(net, transition, &taken);
    let shapes = transition.variables.iter().zip(&bounds).enumerate().map(|(index, (variable, bound))| {
        let length = net.classes[variable.sort.class() as usize].len();
        if let Sort::Colour(_) = variable.sort {
            return Ok(vec![None]);
        }
        let whole = |one: &&Occurrence| one.variable as usize == index && one.held == Held::Whole;
        let limits = Limits::new(bound, length);
        let shapes = match occurrences.iter().find(whole) {
            Some(occurrence) => held(occurrence).into_iter().filter(|shape| limits.allow(shape)).collect(),
            None if !bound.is_known() => {
                let (transition, variable) = (transition.name.clone(), variable.name.clone());
                return Err(NotUnfolded::Variable { transition, variable });
            }
            None => limits
                .shapes(MOST_REPLICAS)
                .ok_or_else(|| NotUnfolded::Transition { transition: transition.name.clone() })?,
        };
        Ok(shapes.into_iter().map(Some).collect())
    });
    shapes.collect()
}

/// All ways to choose one of each.
fn choices<T>(options: &[Vec<T>]) -> Result<Vec<Vec<&T>>, TooLarge> {
    let mut all: Vec<Vec<&T>> = vec![Vec::new()];
    for options in options {
        if all.len().saturating_mul(options.len()) > MOST_REPLICAS {
            return Err(TooLarge);
        }
        let longer = |chosen: Vec<_>| options.iter().map(move |one| [chosen.as_slice(), &[one]].concat());
        all = all.into_iter().flat_map(longer).collect();
    }
    Ok(all)
}

/// A transition whose bags have known shapes.
struct Expanding<'e> {
    net: &'e ColouredNet,
    index: u32,
    of: TransitionReplica,
    variables: Vec<Variable>,
    sorts: Vec<Sort>,
    members: Vec<Option<(usize, u32)>>,
    replacements: Vec<Replacement>,
}

/// What a transition says, with something in the place of its variables.
struct Said {
    guard: Guard,
    /// That variables stand for the colours of a bag in the order of its shape.
    canonical: Vec<Guard>,
    takes: Vec<Arc>,
    puts: Vec<Arc>,
    inhibitors: Vec<Arc>,
}

impl<'e> Expanding<'e> {
    fn new(net: &'e ColouredNet, index: u32, chosen: &[Option<Shape>]) -> Expanding<'e> {
        let originals = &net.transitions[index as usize].variables;
        let mut expanding = Expanding {
            net,
            index,
            of: TransitionReplica { transition: index, variables: Vec::new() },
            variables: Vec::new(),
            sorts: Vec::new(),
            members: Vec::new(),
            replacements: Vec::new(),
        };
        let mut names: BTreeSet<String> = originals.iter().map(|variable| variable.name.clone()).collect();
        for (number, (original, shape)) in originals.iter().zip(chosen).enumerate() {
            let first = expanding.variables.len() as u32;
            let sort = Sort::Colour(original.sort.class());
            expanding.of.variables.push(VariableReplica { first, shape: shape.clone() });
            let mut declare = |name: String, member| {
                expanding.variables.push(Variable { name, sort, unique: false });
                expanding.sorts.push(sort);
                expanding.members.push(member);
                Term::Variable(expanding.variables.len() as u32 - 1)
            };
            let replacement = match shape {
                None => Replacement::Colour(declare(original.name.clone(), None)),
                Some(shape) => {
                    let members = shape.iter().enumerate().map(|(place, &times)| {
                        let name = super::fresh(format!("{}{}", original.name, place + 1), &mut names);
                        (times, declare(name, Some((number, times))))
                    });
                    Replacement::Bag(members.collect())
                }
            };
            expanding.replacements.push(replacement);
        }
        expanding
    }

    /// What makes a sequence of colours the one sequence of its bag: all are different, and those that are there equally often
    /// ascend.
    fn canonical(&self) -> Vec<Guard> {
        let mut guards = Vec::new();
        for replacement in &self.replacements {
            let Replacement::Bag(members) = replacement else { continue };
            for (place, (times, term)) in members.iter().enumerate() {
                for (far, (others, other)) in members[place + 1..].iter().enumerate() {
                    let comparison = match (times == others, far) {
                        (true, 0) => Comparison::Less,
                        // By way of those in between.
                        (true, _) => continue,
                        (false, _) => Comparison::NotEqual,
                    };
                    guards.push(Guard::Compare(comparison, term.clone(), other.clone()));
                }
            }
        }
        guards
    }

    /// Adds the replicas for all cases.
    fn expand(&self, found: &mut Vec<Replica>) -> Result<(), TooLarge> {
        let transition = &self.net.transitions[self.index as usize];
        let original = Said {
            guard: transition.guard.clone(),
            canonical: Vec::new(),
            takes: transition.takes.clone(),
            puts: transition.puts.clone(),
            inhibitors: transition.inhibitors.clone(),
        };
        let substitution = Substitution { net: self.net, replacements: &self.replacements };
        // A term without a value: no binding is there.
        let Ok(mut said) = original.with(&substitution) else { return Ok(()) };
        said.canonical = self.canonical();
        let itself = |variable: usize| Replacement::Colour(Term::Variable(variable as u32));
        let bound: Vec<u32> = said.variables_beside_sets().into_iter().collect();
        let values: Vec<Vec<u32>> = bound.iter().map(|&variable| self.colours_of(variable)).collect();
        for chosen in choices(&values)? {
            let mut replacements: Vec<Replacement> = (0..self.variables.len()).map(itself).collect();
            let mut conditions = Vec::new();
            for (&variable, &&colour) in bound.iter().zip(&chosen) {
                let constant = Term::Constant { class: self.sorts[variable as usize].class(), colour };
                conditions.push(Guard::Compare(Comparison::Equal, Term::Variable(variable), constant.clone()));
                replacements[variable as usize] = Replacement::Colour(constant);
            }
            let substitution = Substitution { net: self.net, replacements: &replacements };
            if let Ok(said) = said.with(&substitution) {
                self.split(&said, conditions, found)?;
            }
        }
        Ok(())
    }

    fn colours_of(&self, variable: u32) -> Vec<u32> {
        (0..self.net.classes[self.sorts[variable as usize].class() as usize].len()).collect()
    }

    /// Adds one replica per case.
    fn split(&self, said: &Said, conditions: Vec<Guard>, found: &mut Vec<Replica>) -> Result<(), TooLarge> {
        let known = Known { net: self.net, sorts: &self.sorts, members: &self.members };
        let mut pieces = Vec::new();
        pieces_of_guard(&said.guard, &mut pieces);
        said.arcs().for_each(|arc| pieces_of_tokens(&arc.tokens, &known, &mut pieces));
        let all = |cluster: &Cluster| cases(cluster, &known, MOST_REPLICAS);
        let all: Vec<Vec<Case>> = clusters(&pieces).iter().map(all).collect::<Result<_, _>>()?;
        for chosen in choices(&all)? {
            let chosen: Vec<Case> = chosen.into_iter().cloned().collect();
            let resolver = Resolver { net: self.net, known: &known, cases: &chosen };
            let mut conditions = conditions.clone();
            conditions.extend(chosen.iter().flat_map(|case| case.conditions(&known)));
            if let Some(replica) = self.resolve(said, conditions, &resolver)? {
                found.push(replica);
                if found.len() > MOST_REPLICAS {
                    return Err(TooLarge);
                }
            }
        }
        Ok(())
    }

    /// The replica in a case, unless its guard never holds.
    fn resolve(
        &self, said: &Said, conditions: Vec<Guard>, resolver: &Resolver<'_>,
    ) -> Result<Option<Replica>, TooLarge> {
        let constant = |guard: &Guard| match guard {
            Guard::Compare(comparison, Term::Constant { colour: left, .. }, Term::Constant { colour: right, .. }) => {
                Guard::Constant(comparison.holds(left, right))
            }
            guard => guard.clone(),
        };
        let mut parts: Vec<Guard> = said.canonical.iter().map(constant).collect();
        parts.extend(conditions);
        parts.push(resolver.guard(&said.guard)?);
        let guard = all_of(parts);
        if guard == Guard::Constant(false) {
            return Ok(None);
        }
        let flatten = |arcs: &[Arc]| -> Result<Vec<(Flat, Tokens)>, TooLarge> {
            let mut flat = Vec::new();
            for arc in arcs {
                let tokens = resolver.tokens(&self.net.places[arc.place as usize].domain, &arc.tokens)?;
                flat.extend(tokens.into_iter().map(|(shapes, tokens)| ((arc.place, shapes), tokens)));
            }
            Ok(flat)
        };
        let mut partial = Vec::new();
        said.guard.leaves(&mut |leaf| see_partial(self.net, &self.sorts, leaf, &mut partial));
        said.arcs()
            .for_each(|arc| arc.tokens.leaves(&mut |leaf| see_partial(self.net, &self.sorts, leaf, &mut partial)));
        Ok(Some(Replica {
            of: self.of.clone(),
            variables: self.variables.clone(),
            guard,
            takes: flatten(&said.takes)?,
            puts: flatten(&said.puts)?,
            inhibitors: flatten(&said.inhibitors)?,
            partial,
        }))
    }
}

/// Whether tokens are never none.
fn is_certain(tokens: &Tokens) -> bool {
    match tokens {
        // Sums of single terms, but for differences.
        Tokens::Tuple(elements) => {
            elements.iter().all(|element| matches!(element, Element::Each(BagExpression::One(_))))
        }
        Tokens::Sum(parts) => parts.iter().any(is_certain),
        Tokens::Times(factor, inner) => *factor > 0 && is_certain(inner),
        Tokens::Difference(..) | Tokens::When(..) => false,
    }
}

impl Said {
    fn arcs(&self) -> impl Iterator<Item = &Arc> {
        self.takes.iter().chain(&self.puts).chain(&self.inhibitors)
    }

    fn with(&self, substitution: &Substitution<'_>) -> Result<Said, NoColour> {
        let arcs = |arcs: &[Arc]| -> Result<Vec<Arc>, NoColour> {
            arcs.iter().map(|arc| Ok(Arc { place: arc.place, tokens: substitution.tokens(&arc.tokens)? })).collect()
        };
        Ok(Said {
            guard: substitution.guard(&self.guard)?,
            canonical: self.canonical.iter().map(|guard| substitution.guard(guard)).collect::<Result<_, _>>()?,
            takes: arcs(&self.takes)?,
            puts: arcs(&self.puts)?,
            inhibitors: arcs(&self.inhibitors)?,
        })
    }

    /// The variables in bags that are held by a token and have, or may have, colours that are no terms: `{all - x}`. Which
    /// colours these are is known only if it is known what the variables are bound to.
    fn variables_beside_sets(&self) -> BTreeSet<u32> {
        let mut pieces = Vec::new();
        self.arcs().for_each(|arc| whole_bags(&arc.tokens, &mut pieces));
        let mut variables = BTreeSet::new();
        for bag in pieces.into_iter().filter(|bag| has_variables(bag)) {
            let (mut sets, mut found) = (false, Vec::new());
            bag.leaves(&mut |leaf| match leaf {
                Leaf::Set(_) => sets = true,
                leaf => found.extend(leaf.variable()),
            });
            if sets {
                variables.extend(found);
            }
        }
        variables
    }
}

/// The bags that are held by tokens.
fn whole_bags<'t>(tokens: &'t Tokens, bags: &mut Vec<&'t BagExpression>) {
    match tokens {
        Tokens::Tuple(elements) => bags.extend(elements.iter().filter_map(|element| match element {
            Element::Whole(bag) => Some(bag),
            Element::Each(_) => None,
        })),
        Tokens::Sum(parts) => parts.iter().for_each(|part| whole_bags(part, bags)),
        Tokens::Difference(from, taken) => [from, taken].into_iter().for_each(|part| whole_bags(part, bags)),
        Tokens::Times(_, inner) | Tokens::When(_, inner) => whole_bags(inner, bags),
    }
}
