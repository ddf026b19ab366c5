//! All bindings of a transition that go with one token, by the plan that begins with it.

use super::bags::{Bags, BagsUpTo, Number};
use super::compiled::Context;
use super::plan::{Bindings, Literal, Plan, Step, Unify};
use super::tokens::TokenSet;
use crate::coloured::{ColouredNet, Transition};

/// What has several outcomes, with those that are left.
enum Choice<'s> {
    Tokens(std::slice::Iter<'s, u32>),
    Colours(std::ops::Range<u32>),
    Bags(BagsUpTo),
}

/// The search for bindings of one transition.
pub(super) struct Join<'s> {
    pub sets: &'s [TokenSet],
    pub net: &'s ColouredNet,
    pub transition: &'s Transition,
    pub bindings: &'s Bindings<'s>,
}

/// Bindings that were found.
#[derive(Default)]
pub(super) struct FoundBindings {
    /// The values of their variables, binding after binding.
    pub values: Vec<Number>,
    /// How many there are.
    pub count: u64,
}

/// The search was told to stop.
pub(super) struct Interrupted;

impl Join<'_> {
    /// Adds to `found` all bindings in which the seed of the plan is this token of its place. At each step `tick` is asked
    /// whether to go on, and told how many were found.
    pub fn run(
        &self, plan: &Plan, seed: Option<u32>, bags: &mut Bags, found: &mut FoundBindings,
        tick: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(), Interrupted> {
        let mut binding = vec![0; self.transition.variables.len()];
        let seed_place = plan.seed.as_ref().map(|(literal, _)| self.bindings.literals[*literal].place);
        if let (Some((literal, unify)), Some(token)) = (&plan.seed, seed) {
            let literal = &self.bindings.literals[*literal];
            if !unified(literal, unify, self.sets[literal.place].token(token), &mut binding) {
                return Ok(());
            }
        }
        let is_seed = |place: usize, token: u32| Some(place) == seed_place && Some(token) == seed;
        let mut open: Vec<(usize, Choice<'_>)> = Vec::new();
        let mut key = Vec::new();
        let mut at = 0;
        loop {
            // On from here, as long as nothing fails and nothing is to be chosen.
            let mut alive = true;
            while alive && at < plan.steps.len() {
                if !tick(found.count) {
                    return Err(Interrupted);
                }
                match &plan.steps[at] {
                    Step::Check(conjunct) => {
                        let context = Context { net: self.net, transition: self.transition, bags };
                        alive = self.bindings.conjuncts[*conjunct].guard.holds(&context, &binding) == Some(true);
                    }
                    Step::Assign { variable, through, equal_to } => {
                        match equal_to.value(&binding).and_then(|value| through.solve(value)) {
                            Some(value) => binding[*variable] = value,
                            None => alive = false,
                        }
                    }
                    Step::Present { literal, earlier } => {
                        let Literal { place, components } = &self.bindings.literals[*literal];
                        key.clear();
                        key.extend(components.iter().map_while(|term| term.value(&binding)));
                        let token = (key.len() == components.len()).then(|| self.sets[*place].find_processed(&key));
                        alive = token.flatten().is_some_and(|token| !(*earlier && is_seed(*place, token)));
                    }
                    step => {
                        if let Some(choice) = self.choices(step, &binding, &mut key) {
                            open.push((at, choice));
                        }
                        break;
                    }
                }
                at += 1;
            }
            if alive && at == plan.steps.len() {
                found.values.extend_from_slice(&binding);
                found.count += 1;
            }
            // The next outcome of the last choice that has one.
            loop {
                let Some((step, choice)) = open.last_mut() else { return Ok(()) };
                let is_next = match (&plan.steps[*step], choice) {
                    (Step::Match { literal, earlier, unify, .. }, Choice::Tokens(tokens)) => tokens.any(|&token| {
                        let literal = &self.bindings.literals[*literal];
                        !(*earlier && is_seed(literal.place, token))
                            && unified(literal, unify, self.sets[literal.place].token(token), &mut binding)
                    }),
                    (Step::Choose { variable, .. }, Choice::Colours(colours)) => {
                        colours.next().map(|colour| binding[*variable] = colour).is_some()
                    }
                    (Step::ChooseBag { variable, .. }, Choice::Bags(all)) => {
                        all.next().map(|bag| binding[*variable] = bags.number(&bag)).is_some()
                    }
                    _ => false,
                };
                if is_next {
                    at = *step + 1;
                    break;
                }
                open.pop();
            }
            if !tick(found.count) {
                return Err(Interrupted);
            }
        }
    }

    /// The outcomes of a step that may have several; nothing if there are none.
    fn choices(&self, step: &Step, binding: &[Number], key: &mut Vec<Number>) -> Option<Choice<'_>> {
        Some(match step {
            Step::Match { literal, index, key: known, .. } => {
                let Literal { place, components } = &self.bindings.literals[*literal];
                key.clear();
                for &component in known {
                    key.push(components[component].value(binding)?);
                }
                Choice::Tokens(self.sets[*place].matching(*index, key).iter())
            }
            Step::Choose { colours, .. } => Choice::Colours(0..*colours),
            Step::ChooseBag { colours, most, unique, .. } => Choice::Bags(BagsUpTo::new(*colours, *most, *unique)),
            Step::Check(_) | Step::Assign { .. } | Step::Present { .. } => return None,
        })
    }
}

/// Whether a token matches a literal; its variables are bound then.
fn unified(literal: &Literal, unify: &[Unify], token: &[Number], binding: &mut [Number]) -> bool {
    literal.components.iter().zip(unify).zip(token).all(|((term, how), &value)| match how {
        Unify::Bind(variable) => term.solve(value).map(|value| binding[*variable] = value).is_some(),
        Unify::Compare => term.value(binding) == Some(value),
    })
}
