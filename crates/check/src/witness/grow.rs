//! How a witness grows: claim by claim, the upper ones first, until it is complete or long enough.

use std::collections::VecDeque;

use mandala_model::property::Formula;
use mandala_model::semantics::TransitionSystem;

use super::{Claim, Leads, Node, Parts, Path, Run, Shown, Witness, check};
use crate::run::{AtomIn, NoTrace, StateIn, broken, steps_between};

/// Claims deeper in the tree than this are left out.
const DEEPEST: usize = 24;
/// A tree has no more claims than this.
const MOST_CLAIMS: usize = 400;
/// A tree has no more runs than this.
const MOST_RUNS: usize = 40;
/// When its runs have more steps than this, there is no further run.
const MOST_STEPS: usize = 2_000;

/// What an engine knows about the states of a model, for the parts of one formula.
pub(crate) trait Ground {
    /// What the model means.
    type Semantics: TransitionSystem;
    /// Some states; at least one.
    type States: Clone;

    /// Whether a claim is true in all of some states.
    fn holds(&mut self, claim: Claim, states: &Self::States) -> Result<bool, NoTrace>;

    /// One of some states, and its values.
    fn one(&mut self, states: &Self::States) -> Result<(Self::States, StateIn<Self::Semantics>), NoTrace>;

    /// A step from one of some states to one in which a claim is true; there is one.
    fn step(&mut self, from: &Self::States, goal: Claim) -> Result<WalkOf<Self>, NoTrace>;

    /// Whether a run leads from one of some states to one in which the goals are true, through states in which another
    /// claim is.
    fn leads(&mut self, from: &Self::States, through: Option<Claim>, goals: &[Claim]) -> Result<bool, NoTrace>;

    /// Such a run; there is one.
    fn to_goal(
        &mut self, from: &Self::States, through: Option<Claim>, goals: &[Claim],
    ) -> Result<WalkOf<Self>, NoTrace>;

    /// A run from one of some states that goes on for ever through states in which a claim is true; there is one from each.
    fn for_ever(&mut self, from: &Self::States, through: Claim) -> Result<WalkOf<Self>, NoTrace>;

    /// Whether a part of the formula holds in a state that was seen on a run.
    fn known(&mut self, part: usize, state: &StateIn<Self::Semantics>) -> Option<bool>;
}

/// A run through states of which an engine knows something.
pub(crate) type WalkOf<G> = Walk<<G as Ground>::States, StateIn<<G as Ground>::Semantics>>;

/// A run, state by state.
pub(crate) struct Walk<S, V = Vec<i32>> {
    /// Its states, value by value; transient ones may be among them. If it comes back to one, that is the
    /// last as well.
    pub states: Vec<V>,
    /// The first of them.
    pub first: S,
    /// The last of them.
    pub last: S,
    /// The number of the state to which it comes back. If that is the last, nothing can happen there.
    pub repeats: Option<usize>,
    /// Whether there is no shorter one.
    pub shortest: bool,
}

/// The formalism of the model of which an engine knows something.
type FormalismOf<G> = <<G as Ground>::Semantics as TransitionSystem>::Formalism;

/// A claim that is to be shown.
struct Open<S> {
    claim: Claim,
    states: S,
    parent: Option<usize>,
    at: usize,
    depth: usize,
}

/// What shows that the formula holds in one of some initial states, or that it does not hold in one of them; nothing if
/// there is nothing to see. It is checked.
pub(crate) fn grow<G: Ground>(
    ground: &mut G, semantics: &G::Semantics, parts: &Parts<'_, AtomIn<G::Semantics>>, holds: bool, from: G::States,
) -> Result<Option<Witness<FormalismOf<G>>>, NoTrace> {
    let mut tree = Tree { ground, semantics, parts, witness: Witness { nodes: Vec::new() }, runs: 0, steps: 0 };
    let root = Open { claim: Claim { part: 0, holds }, states: from, parent: None, at: 0, depth: 0 };
    let mut open = VecDeque::from([root]);
    while let Some(next) = open.pop_front() {
        if tree.witness.nodes.len() < MOST_CLAIMS {
            tree.add(next, &mut open)?;
        }
    }
    let Tree { ground, witness, .. } = tree;
    if !witness.says_something() {
        return Ok(None);
    }
    check(semantics, parts, &witness, &mut |part, state| ground.known(part, state))
        .map_err(|flaw| NoTrace::Broken(flaw.to_string()))?;
    Ok(Some(witness))
}

struct Tree<'t, G: Ground> {
    ground: &'t mut G,
    semantics: &'t G::Semantics,
    parts: &'t Parts<'t, AtomIn<G::Semantics>>,
    witness: Witness<FormalismOf<G>>,
    runs: usize,
    steps: usize,
}

/// What shows a claim, where, and what is to be shown next.
struct Found<G: Ground> {
    state: StateIn<G::Semantics>,
    shown: Shown<FormalismOf<G>>,
    next: Vec<(Claim, G::States, usize)>,
}

impl<G: Ground> Tree<'_, G> {
    fn add(&mut self, open: Open<G::States>, waiting: &mut VecDeque<Open<G::States>>) -> Result<(), NoTrace> {
        let claim = self.parts.plain(open.claim);
        let found = match self.find(claim, &open.states, open.depth) {
            Ok(found) => found,
            Err(reason @ NoTrace::Broken(_)) => return Err(reason),
            Err(reason) if open.parent.is_none() => return Err(reason),
            Err(reason) => {
                let (_, state) = self.ground.one(&open.states)?;
                Found { state, shown: Shown::LeftOut(reason.to_string()), next: Vec::new() }
            }
        };
        let number = self.witness.nodes.len();
        let node = Node { claim, state: found.state, at: open.at, shown: found.shown, children: Vec::new() };
        self.witness.nodes.push(node);
        if let Some(parent) = open.parent {
            self.witness.nodes[parent].children.push(number);
        }
        waiting.extend(found.next.into_iter().map(|(claim, states, at)| Open {
            claim,
            states,
            parent: Some(number),
            at,
            depth: open.depth + 1,
        }));
        Ok(())
    }

    fn find(&mut self, claim: Claim, states: &G::States, depth: usize) -> Result<Found<G>, NoTrace> {
        let parts = self.parts;
        if !parts.is_temporal(claim.part) {
            let (_, state) = self.ground.one(states)?;
            return Ok(Found { state, shown: Shown::State, next: Vec::new() });
        }
        let left_out = |tree: &mut Self, reason: &str| {
            let (_, state) = tree.ground.one(states)?;
            Ok(Found { state, shown: Shown::LeftOut(reason.to_owned()), next: Vec::new() })
        };
        if depth >= DEEPEST {
            return left_out(self, "it is too deep in the formula");
        }
        if matches!(parts.get(claim.part), Formula::And(_) | Formula::Or(_)) {
            return self.by_parts(claim, states);
        }
        let Some(path) = Path::of(parts, claim) else {
            let (_, state) = self.ground.one(states)?;
            return Ok(Found { state, shown: Shown::ByNoRun, next: Vec::new() });
        };
        if self.runs >= MOST_RUNS || self.steps >= MOST_STEPS {
            return left_out(self, "there is enough to read");
        }
        self.by_run(&path, states)
    }

    fn by_parts(&mut self, claim: Claim, states: &G::States) -> Result<Found<G>, NoTrace> {
        let (one, state) = self.ground.one(states)?;
        let inside = self.parts.inside(claim.part).map(|part| Claim { part, holds: claim.holds });
        let mut inside: Vec<Claim> = inside.collect();
        let all_are_needed = matches!(self.parts.get(claim.part), Formula::And(_)) == claim.holds;
        if !all_are_needed {
            inside = vec![self.best(inside, &one, &state)?];
        }
        let next = inside.into_iter().map(|claim| (claim, one.clone(), 0)).collect();
        Ok(Found { state, shown: Shown::Parts, next })
    }

    /// One of some claims that is true in a state: one about the state alone if there is one, else one about some run.
    fn best(&mut self, claims: Vec<Claim>, one: &G::States, state: &StateIn<G::Semantics>) -> Result<Claim, NoTrace> {
        let parts = self.parts;
        let effort = |claim: &Claim| {
            let plain = parts.plain(*claim);
            match parts.get(plain.part) {
                _ if !parts.is_temporal(plain.part) => 0,
                Formula::And(_) | Formula::Or(_) => 2,
                _ if Path::of(parts, plain).is_some() => 1,
                _ => 3,
            }
        };
        let mut claims = claims;
        claims.sort_by_key(effort);
        for claim in claims {
            let holds = match parts.is_temporal(claim.part) {
                true => self.ground.holds(claim, one)?,
                false => self.semantics.evaluate(parts.get(claim.part), state).ok() == Some(claim.holds),
            };
            if holds {
                return Ok(claim);
            }
        }
        Err(broken("no part of a formula shows what the whole does"))
    }

    fn by_run(&mut self, path: &Path, states: &G::States) -> Result<Found<G>, NoTrace> {
        let Path { through, goals, leads } = path;
        let way = match (leads, through, &goals[..]) {
            (Leads::Next, _, &[goal]) => self.ground.step(states, goal)?,
            (Leads::Nowhere, &Some(through), _) => self.ground.for_ever(states, through)?,
            (Leads::ToGoalOrNowhere, &Some(through), _) if !self.ground.leads(states, Some(through), goals)? => {
                self.ground.for_ever(states, through)?
            }
            _ => self.ground.to_goal(states, *through, goals)?,
        };
        let trace = steps_between(self.semantics, way.states)?;
        let goes_on = way.repeats.is_some();
        let run = Run { steps: trace.steps, repeats: way.repeats, shortest: way.shortest };
        self.runs += 1;
        self.steps += run.steps.len();
        let mut next = Vec::new();
        if !goes_on {
            next.extend(goals.iter().map(|&goal| (goal, way.last.clone(), run.steps.len())));
        }
        // On the way to a goal there are states only if there is a step.
        if let Some(through) = through.filter(|_| goes_on || !run.steps.is_empty())
            && self.parts.is_temporal(through.part)
        {
            next.push((through, way.first, 0));
        }
        Ok(Found { state: trace.initial, shown: Shown::Run(run), next })
    }
}
