//! The symbolic bindings of a transition in a marking.
//!
//! Variables are bound one after the other, those for colours first. A part of the guard and an arc are looked at as soon as
//! all their variables are bound. What is taken is compared with the marking as it was before it was split: exchanging colours
//! of an atom changes nothing there.

use super::bound::{self, MOST_BINDINGS};
use super::entries::{Entries, Word, items, normalise};
use super::palette::Atom;
use super::scene::Scene;
use mandala_model::coloured::bounds::{Occurrence, occurrences};
use mandala_model::coloured::semantics::defined;
use mandala_model::coloured::visit::Leaf;
use mandala_model::coloured::{Arc, BagExpression, ColouredNet, Element, Guard, Sort, Term, Tokens, Transition};
use mandala_model::semantics::Cause;
use std::ops::ControlFlow;

/// Something without which a binding is not there.
#[derive(Clone, Copy, Debug)]
enum Check<'n> {
    Guard(&'n Guard),
    Takes(&'n Arc),
}

/// What is known of a transition in every marking.
#[derive(Clone, Debug)]
pub(super) struct Prepared<'n> {
    pub transition: &'n Transition,
    /// The variables in the order in which they are bound.
    order: Vec<usize>,
    /// What can be judged once so many variables are bound, from none to all.
    checks: Vec<Vec<Check<'n>>>,
    /// Where bags are taken.
    pub occurrences: Vec<Occurrence>,
    /// By variable: a component of tokens that are taken where its colour must be.
    held: Vec<Option<Held<'n>>>,
}

/// Where the colour of a variable must be: in a component of a token that is taken.
#[derive(Clone, Debug)]
struct Held<'n> {
    place: u32,
    component: usize,
    /// Other components of the token that are known when the variable is bound.
    known: Vec<(usize, &'n Term)>,
}

/// Tokens that are taken, one for each binding: the colour of each component, if it has one.
type Taken<'n> = (u32, Vec<Option<&'n Term>>);

/// A binding for which a transition can fire: what it takes and puts.
pub(super) struct Firing<'f, 's> {
    pub transition: usize,
    pub scene: &'f Scene<'s>,
    pub takes: &'f Entries,
    pub puts: &'f Entries,
}

/// Who is shown bindings, and says whether to go on.
pub(super) type Visit<'v> = dyn FnMut(&Firing<'_, '_>) -> Result<ControlFlow<()>, Cause> + 'v;

impl<'n> Prepared<'n> {
    pub fn new(net: &'n ColouredNet, transition: &'n Transition) -> Prepared<'n> {
        let count = transition.variables.len();
        let is_colour = |variable: &usize| matches!(transition.variables[*variable].sort, Sort::Colour(_));
        let mut taken = Vec::new();
        transition.takes.iter().for_each(|arc| collect_taken(&arc.tokens, arc.place, &mut taken));
        let (mut order, mut held) = (Vec::new(), vec![None; count]);
        let mut left: Vec<usize> = (0..count).filter(is_colour).collect();
        // Next comes the variable of whose token the most is known.
        while !left.is_empty() {
            let places: Vec<Option<Held<'n>>> = left.iter().map(|&variable| best(&taken, &order, variable)).collect();
            let known = |at: &usize| places[*at].as_ref().map(|held| held.known.len());
            // The first one of those that are as good.
            let next = (0..left.len()).rev().max_by_key(known).unwrap_or(0);
            let variable = left.remove(next);
            held[variable] = places.into_iter().nth(next).flatten();
            order.push(variable);
        }
        order.extend((0..count).filter(|variable| !is_colour(variable)));
        let mut position = vec![0; count];
        order.iter().enumerate().for_each(|(at, &variable)| position[variable] = at);
        let mut checks = vec![Vec::new(); count + 1];
        let mut insert = |check: Check<'n>| {
            let mut bound = 0;
            let mut visit = |leaf: Leaf<'_>| {
                let last = leaf.variable().and_then(|variable| position.get(variable as usize));
                bound = bound.max(last.map_or(0, |at| at + 1));
            };
            match check {
                Check::Guard(guard) => guard.leaves(&mut visit),
                Check::Takes(arc) => arc.tokens.leaves(&mut visit),
            }
            checks[bound].push(check);
        };
        transition.guard.conjuncts().into_iter().for_each(|guard| insert(Check::Guard(guard)));
        transition.takes.iter().for_each(|arc| insert(Check::Takes(arc)));
        Prepared { transition, order, checks, occurrences: occurrences(net, transition), held }
    }
}

/// Collects tokens that are there in every binding.
fn collect_taken<'n>(tokens: &'n Tokens, place: u32, taken: &mut Vec<Taken<'n>>) {
    match tokens {
        // Where each component is one colour, the token is there.
        Tokens::Tuple(elements) => {
            let one = |element: &'n Element| match element {
                Element::Each(BagExpression::One(term)) => Some(Some(term)),
                Element::Whole(_) => Some(None),
                Element::Each(_) => None,
            };
            taken.extend(elements.iter().map(one).collect::<Option<Vec<_>>>().map(|terms| (place, terms)));
        }
        Tokens::Sum(parts) => parts.iter().for_each(|part| collect_taken(part, place, taken)),
        Tokens::Times(factor, inner) if *factor > 0 => collect_taken(inner, place, taken),
        Tokens::Times(..) | Tokens::Difference(..) | Tokens::When(..) => {}
    }
}

/// The token with a variable of which the most is known once some others are bound.
fn best<'n>(taken: &[Taken<'n>], bound: &[usize], variable: usize) -> Option<Held<'n>> {
    let is_it = |term: &Option<&Term>| matches!(term, Some(Term::Variable(one)) if *one as usize == variable);
    let is_known = |term: &Term| term.variable().is_none_or(|one| bound.contains(&(one as usize)));
    let held = taken.iter().filter_map(|(place, terms)| {
        let component = terms.iter().position(is_it)?;
        let terms = terms.iter().enumerate().filter_map(|(at, term)| Some((at, (*term)?)));
        Some(Held { place: *place, component, known: terms.filter(|(_, term)| is_known(term)).collect() })
    });
    // The first one of those that are as good.
    held.reduce(|best, held| if held.known.len() > best.known.len() { held } else { best })
}

/// Looks for the bindings of a transition.
pub(super) struct Binder<'b, 's> {
    pub scene: Scene<'s>,
    /// The tokens of the marking.
    pub marking: &'b Entries,
    begun: usize,
    taken: Entries,
    takes: Entries,
    puts: Entries,
    key: Vec<Word>,
    scratch: Vec<Word>,
}

impl<'b, 's> Binder<'b, 's> {
    pub fn new(scene: Scene<'s>, marking: &'b Entries) -> Binder<'b, 's> {
        Binder {
            scene,
            marking,
            begun: 0,
            taken: Entries::default(),
            takes: Entries::default(),
            puts: Entries::default(),
            key: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Visits each binding with which a transition can fire, whatever the others can.
    pub fn bindings(
        &mut self, atoms: &[(u32, u32)], index: usize, prepared: &Prepared<'_>, visit: &mut Visit<'_>,
    ) -> Result<ControlFlow<()>, Cause> {
        self.scene.begin(atoms.iter().copied(), prepared.transition.variables.len());
        self.begun = 0;
        if !self.holds(prepared, 0)? {
            return Ok(ControlFlow::Continue(()));
        }
        self.bind(prepared, index, 0, visit)
    }

    fn begin(&mut self) -> Result<(), Cause> {
        self.begun += 1;
        if self.begun > MOST_BINDINGS { Err(Cause::TooManyBindings(MOST_BINDINGS)) } else { Ok(()) }
    }

    fn bind(
        &mut self, prepared: &Prepared<'_>, index: usize, next: usize, visit: &mut Visit<'_>,
    ) -> Result<ControlFlow<()>, Cause> {
        let Some(&variable) = prepared.order.get(next) else { return self.complete(prepared, index, visit) };
        let length = self.scene.parts.len();
        match prepared.transition.variables[variable].sort {
            Sort::Colour(class) => {
                for atom in self.candidates(class, prepared.held[variable].as_ref()) {
                    self.begin()?;
                    self.scene.colours[variable] = Some(self.scene.split(atom, 1));
                    let flow = match self.holds(prepared, next + 1)? {
                        true => self.bind(prepared, index, next + 1, visit)?,
                        false => ControlFlow::Continue(()),
                    };
                    self.scene.colours[variable] = None;
                    self.scene.join(length);
                    if flow.is_break() {
                        return Ok(flow);
                    }
                }
            }
            Sort::Bag(_) => {
                for choice in bound::choices(&self.scene, prepared, self.marking, variable)? {
                    self.begin()?;
                    let split = |&(atom, times, colours): &(Atom, u32, u32)| (self.scene.split(atom, colours), times);
                    let mut bag: Vec<(Atom, u32)> = choice.iter().map(split).collect();
                    bag.sort_unstable();
                    self.scene.bags[variable] = Some(bag);
                    let flow = match self.holds(prepared, next + 1)? {
                        true => self.bind(prepared, index, next + 1, visit)?,
                        false => ControlFlow::Continue(()),
                    };
                    self.scene.bags[variable] = None;
                    self.scene.join(length);
                    if flow.is_break() {
                        return Ok(flow);
                    }
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The atoms that a colour can be of.
    fn candidates(&self, class: u32, held: Option<&Held<'_>>) -> Vec<Atom> {
        let Some(Held { place, component, known }) = held else { return self.scene.atoms_of(class).collect() };
        let shape = &self.scene.palette.places[*place as usize];
        // A colour that is known and has no value is left to the check of the arc.
        let known: Vec<(Word, Atom)> = known
            .iter()
            .filter_map(|(at, term)| Some((1 << at, self.scene.parent(self.scene.term(term).ok()?))))
            .collect();
        let mut parents: Vec<Atom> = Vec::new();
        for entry in self.marking.of_place(*place) {
            let at = |bit: Word| items(shape, self.marking.key(entry)).find(|item| item.components() & bit != 0);
            if known.iter().all(|&(bit, atom)| at(bit).is_some_and(|item| item.atom() == atom)) {
                parents.extend(at(1 << component).map(|item| item.atom()));
            }
        }
        parents.sort_unstable();
        parents.dedup();
        let first = self.scene.palette.fixed_count();
        let fixed = parents.iter().copied().take_while(|&atom| atom < first);
        let parts =
            self.scene.parts.iter().zip(first..).filter(|(part, _)| parents.binary_search(&part.parent).is_ok());
        fixed.chain(parts.map(|(_, atom)| atom)).collect()
    }

    /// Whether what can be judged once so many variables are bound allows this.
    fn holds(&mut self, prepared: &Prepared<'_>, bound: usize) -> Result<bool, Cause> {
        for check in &prepared.checks[bound] {
            let holds = match check {
                Check::Guard(guard) => defined(self.scene.guard(guard), None)?,
                Check::Takes(arc) => {
                    let place = &self.scene.net.places[arc.place as usize].name;
                    let mut taken = std::mem::take(&mut self.taken);
                    taken.clear();
                    let tokens = self.scene.tokens(arc.place, &arc.tokens, 1, &mut taken);
                    let there = defined(tokens, Some(place))?
                        .map(|()| taken.iter().all(|(entry, key)| self.held(entry.place, key) >= entry.count));
                    self.taken = taken;
                    there
                }
            };
            if holds != Some(true) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// How many tokens of an orbit the marking has.
    fn held(&mut self, place: u32, key: &[Word]) -> u32 {
        let shape = &self.scene.palette.places[place as usize];
        self.key.clear();
        self.key.extend_from_slice(key);
        self.key.chunks_exact_mut(shape.stride).for_each(|item| item[0] = self.scene.parent(item[0]));
        normalise(shape, &mut self.key, &mut self.scratch);
        self.marking.count(place, &self.key)
    }

    fn complete(
        &mut self, prepared: &Prepared<'_>, index: usize, visit: &mut Visit<'_>,
    ) -> Result<ControlFlow<()>, Cause> {
        let go_on = Ok(ControlFlow::Continue(()));
        let transition = prepared.transition;
        for arc in &transition.inhibitors {
            let mut least = std::mem::take(&mut self.taken);
            least.clear();
            let is_there = self.add(arc, &mut least)?;
            let is_free = is_there && least.iter().all(|(entry, key)| self.held(entry.place, key) < entry.count);
            self.taken = least;
            if !is_free {
                return go_on;
            }
        }
        let (mut takes, mut puts) = (std::mem::take(&mut self.takes), std::mem::take(&mut self.puts));
        takes.clear();
        puts.clear();
        let mut is_there = true;
        for (arcs, into) in [(&transition.takes, &mut takes), (&transition.puts, &mut puts)] {
            for arc in arcs {
                is_there = is_there && self.add(arc, into)?;
            }
        }
        let flow = match is_there {
            true => visit(&Firing { transition: index, scene: &self.scene, takes: &takes, puts: &puts })?,
            false => ControlFlow::Continue(()),
        };
        (self.takes, self.puts) = (takes, puts);
        Ok(flow)
    }

    /// Adds the tokens of an arc; not if a term has no value.
    fn add(&self, arc: &Arc, into: &mut Entries) -> Result<bool, Cause> {
        let place = &self.scene.net.places[arc.place as usize].name;
        Ok(defined(self.scene.tokens(arc.place, &arc.tokens, 1, into), Some(place))?.is_some())
    }
}
