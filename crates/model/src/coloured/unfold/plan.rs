//! How the bindings of a transition are found: which arc first, and what is known by then.
//!
//! A *literal* is a tuple of terms that the transition takes for sure. Bindings are found from a token that matches one of its
//! literals (the seed of the plan) and by going on from there: whatever is known already is checked at once, so that a failing
//! arc or guard prunes all bindings that share its beginning.

use super::compiled::{Base, CompiledGuard, CompiledTerm, needed};
use super::tokens::TokenSet;
use crate::coloured::bounds::bounds;
use crate::coloured::expression::{BagExpression, Element, Guard, Tokens};
use crate::coloured::{ColouredNet, Sort, Transition};
use crate::expression::Comparison;

/// A tuple that the transition takes for sure.
pub(super) struct Literal {
    pub place: usize,
    pub components: Vec<CompiledTerm>,
}

/// What is done with a component of a token that is matched with a literal.
pub(super) enum Unify {
    /// The variable in it is bound, through this term.
    Bind(usize),
    /// It is compared.
    Compare,
}

/// A step on the way to a binding.
pub(super) enum Step {
    /// A part of the guard must hold.
    Check(usize),
    /// A variable is what makes two terms equal.
    Assign { variable: usize, through: CompiledTerm, equal_to: CompiledTerm },
    /// The token of a literal must be there. If `earlier`, it is not the one of the seed.
    Present { literal: usize, earlier: bool },
    /// Each token that matches a literal, by an index of its place.
    Match { literal: usize, earlier: bool, index: usize, key: Vec<usize>, unify: Vec<Unify> },
    /// Each colour of the class of a variable.
    Choose { variable: usize, colours: u32 },
    /// Each bag up to a size.
    ChooseBag { variable: usize, colours: u32, most: u32, unique: bool },
}

/// How to find all bindings in which the seed is matched with a token.
pub(super) struct Plan {
    pub seed: Option<(usize, Vec<Unify>)>,
    pub steps: Vec<Step>,
}

/// A transition whose bindings can be found.
pub(super) struct Bindings<'a> {
    pub literals: Vec<Literal>,
    pub conjuncts: Vec<Conjunct<'a>>,
    /// One per literal, or one for all if there are none.
    pub plans: Vec<Plan>,
}

/// A part of a guard, all of which must hold.
pub(super) struct Conjunct<'a> {
    pub guard: CompiledGuard<'a>,
    variables: Vec<usize>,
}

/// The variable of a transition whose bags have no greatest size.
pub(super) struct Unbounded(pub usize);

impl<'a> Bindings<'a> {
    /// Makes the plans of a transition, and the indices that they use.
    pub fn new(
        net: &'a ColouredNet, transition: &'a Transition, sets: &mut [TokenSet],
    ) -> Result<Bindings<'a>, Unbounded> {
        let mut literals: Vec<Literal> = Vec::new();
        for arc in &transition.takes {
            for components in needed(net, transition, &arc.tokens) {
                let place = arc.place as usize;
                if !literals.iter().any(|known| known.place == place && known.components == components) {
                    literals.push(Literal { place, components });
                }
            }
        }
        let parts = transition.guard.conjuncts();
        let conjuncts: Vec<Conjunct<'a>> = parts.iter().map(|part| Conjunct::new(net, transition, part)).collect();
        // Whatever the places may hold: that is what is being found out.
        let bounds = bounds(net, transition, &|_| None);
        let most: Vec<Option<u32>> = bounds.iter().map(|bound| u32::try_from(bound.most?).ok()).collect();
        let mut planner = Planner { transition, net, literals: &literals, conjuncts: &conjuncts, most: &most, sets };
        let plans = if literals.is_empty() {
            vec![planner.plan(None)?]
        } else {
            (0..literals.len()).map(|seed| planner.plan(Some(seed))).collect::<Result<_, _>>()?
        };
        Ok(Bindings { literals, conjuncts, plans })
    }
}

impl<'a> Conjunct<'a> {
    fn new(net: &'a ColouredNet, transition: &'a Transition, guard: &'a Guard) -> Conjunct<'a> {
        let mut variables = Vec::new();
        guard.leaves(&mut |leaf| variables.extend(leaf.variable().map(|variable| variable as usize)));
        variables.sort_unstable();
        variables.dedup();
        Conjunct { guard: CompiledGuard::new(net, transition, guard), variables }
    }
}

struct Planner<'p, 'a> {
    net: &'a ColouredNet,
    transition: &'a Transition,
    literals: &'p [Literal],
    conjuncts: &'p [Conjunct<'a>],
    /// The greatest size of the bags of each variable, where it is known.
    most: &'p [Option<u32>],
    sets: &'p mut [TokenSet],
}

impl Planner<'_, '_> {
    fn plan(&mut self, seed: Option<usize>) -> Result<Plan, Unbounded> {
        let mut bound = vec![false; self.transition.variables.len()];
        let mut open_literals: Vec<usize> = (0..self.literals.len()).filter(|&one| Some(one) != seed).collect();
        let mut open_conjuncts: Vec<usize> = (0..self.conjuncts.len()).collect();
        let seed = seed.map(|literal| (literal, unify(&self.literals[literal], &mut bound)));
        let before_seed = seed.as_ref().map_or(0, |(literal, _)| *literal);
        let mut steps = Vec::new();
        loop {
            self.deterministic(&mut bound, &mut open_literals, &mut open_conjuncts, before_seed, &mut steps);
            // The literal with the fewest variables that are not bound yet, and of these the one with the most that is known.
            let best = open_literals.iter().copied().min_by_key(|&literal| {
                let components = &self.literals[literal].components;
                let (known, free): (Vec<_>, Vec<_>) = components.iter().partition(|term| is_known(term, &bound));
                (known.is_empty(), free.len(), std::cmp::Reverse(known.len()))
            });
            if let Some(literal) = best {
                open_literals.retain(|&one| one != literal);
                let Literal { place, components } = &self.literals[literal];
                let key: Vec<usize> = (0..components.len()).filter(|&at| is_known(&components[at], &bound)).collect();
                let index = self.sets[*place].index_by(&key);
                let unify = unify(&self.literals[literal], &mut bound);
                steps.push(Step::Match { literal, earlier: literal < before_seed, index, key, unify });
                continue;
            }
            // Colours first: bags are many.
            let is_bag = |&variable: &usize| matches!(self.transition.variables[variable].sort, Sort::Bag(_));
            let Some(variable) = (0..bound.len()).filter(|&variable| !bound[variable]).min_by_key(is_bag) else {
                return Ok(Plan { seed, steps });
            };
            bound[variable] = true;
            steps.push(self.choose(variable)?);
        }
    }

    fn choose(&self, variable: usize) -> Result<Step, Unbounded> {
        let declared = &self.transition.variables[variable];
        let colours = self.net.classes[declared.sort.class() as usize].len();
        Ok(match declared.sort {
            Sort::Colour(_) => Step::Choose { variable, colours },
            Sort::Bag(_) => {
                let most = self.most[variable].ok_or(Unbounded(variable))?;
                Step::ChooseBag { variable, colours, most, unique: declared.unique }
            }
        })
    }

    /// Everything that has at most one outcome by now.
    fn deterministic(
        &self, bound: &mut [bool], literals: &mut Vec<usize>, conjuncts: &mut Vec<usize>, before_seed: usize,
        steps: &mut Vec<Step>,
    ) {
        loop {
            let before = (literals.len(), conjuncts.len());
            conjuncts.retain(|&one| {
                let conjunct = &self.conjuncts[one];
                let step = if conjunct.variables.iter().all(|&variable| bound[variable]) {
                    Some(Step::Check(one))
                } else {
                    assignment(&conjunct.guard, bound)
                };
                let is_open = step.is_none();
                steps.extend(step);
                is_open
            });
            literals.retain(|&one| {
                let is_open = !self.literals[one].components.iter().all(|term| is_known(term, bound));
                if !is_open {
                    steps.push(Step::Present { literal: one, earlier: one < before_seed });
                }
                is_open
            });
            if before == (literals.len(), conjuncts.len()) {
                return;
            }
        }
    }
}

/// A variable that an equality gives a value.
fn assignment(guard: &CompiledGuard<'_>, bound: &mut [bool]) -> Option<Step> {
    let CompiledGuard::Compare(Comparison::Equal, left, right) = guard else { return None };
    let (through, equal_to) = match (is_known(left, bound), is_known(right, bound)) {
        (false, true) => (left, right),
        (true, false) => (right, left),
        _ => return None,
    };
    let variable = through.variable_of()?;
    bound[variable] = true;
    Some(Step::Assign { variable, through: through.clone(), equal_to: equal_to.clone() })
}

fn is_known(term: &CompiledTerm, bound: &[bool]) -> bool {
    match term.base {
        Base::Constant(_) => true,
        Base::Variable(variable) => bound[variable],
    }
}

/// What is done with each component of a token that is matched with a literal; its variables are bound then.
fn unify(literal: &Literal, bound: &mut [bool]) -> Vec<Unify> {
    let mut one = |term: &CompiledTerm| match term.variable_of() {
        Some(variable) if !bound[variable] => {
            bound[variable] = true;
            Unify::Bind(variable)
        }
        _ => Unify::Compare,
    };
    literal.components.iter().map(&mut one).collect()
}

/// How much is in a bag at most, if no variable for bags is in it.
fn size_of(net: &ColouredNet, bag: &BagExpression) -> Option<u64> {
    match bag {
        BagExpression::One(_) => Some(1),
        BagExpression::All(set) => {
            let ranges = net.classes[set.class as usize].ranges(set.subclass);
            Some(ranges.iter().map(|&(first, end)| u64::from(end - first)).sum())
        }
        BagExpression::Variable(_) => None,
        BagExpression::Sum(parts) => parts.iter().try_fold(0_u64, |sum, part| sum.checked_add(size_of(net, part)?)),
        BagExpression::Difference(from, _) => size_of(net, from),
        BagExpression::Times(factor, inner) => size_of(net, inner)?.checked_mul(u64::from(*factor)),
    }
}

/// About how many different tokens an expression may stand for: as if bags that variables are bound to had one colour.
pub(super) fn most_tokens(net: &ColouredNet, tokens: &Tokens) -> u64 {
    match tokens {
        Tokens::Tuple(elements) => elements.iter().fold(1_u64, |product, element| match element {
            Element::Each(bag) => product.saturating_mul(size_of(net, bag).unwrap_or(1)),
            Element::Whole(_) => product,
        }),
        Tokens::Sum(parts) => parts.iter().fold(0_u64, |sum, part| sum.saturating_add(most_tokens(net, part))),
        Tokens::Difference(from, taken) => most_tokens(net, from).max(most_tokens(net, taken)),
        Tokens::Times(_, inner) | Tokens::When(_, inner) => most_tokens(net, inner),
    }
}
