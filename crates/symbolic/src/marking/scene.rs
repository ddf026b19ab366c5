//! A marking whose atoms are split as a binding needs it, and what expressions are worth there.
//!
//! A variable for colours is bound to an atom of one colour, which is split off if it was one of several; a variable for bags
//! is bound to whole atoms, each with how often its colours are in the bag. Under such a binding nothing tells the colours of
//! one atom apart, so bags of colours are numbers for atoms, and bags of tokens are numbers for orbits of tokens.

use super::entries::{Entries, Word, normalise};
use super::palette::{Atom, Palette};
use mandala_model::coloured::evaluate::{Evaluator, Undefined};
use mandala_model::coloured::{BagExpression, Cardinality, ColouredNet, Colours, Element, Guard, Term, Tokens};
use mandala_model::expression::Comparison;

/// An atom that is not fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// Its static subclass.
    pub cell: u32,
    /// How many colours it stands for: at least one.
    pub size: u32,
    /// The atom of the marking of which it is a part.
    pub parent: Atom,
}

/// How often each colour of an atom is in a bag: in ascending order of atoms, each once, and none that is not there.
pub(super) type AtomBag = Vec<(Atom, u32)>;

/// A marking split for a binding.
#[derive(Clone, Debug)]
pub(super) struct Scene<'s> {
    pub net: &'s ColouredNet,
    pub palette: &'s Palette,
    /// The atoms that are not fixed: first those of the marking, then what was split off.
    pub parts: Vec<Part>,
    /// By variable for colours: its atom.
    pub colours: Vec<Option<Atom>>,
    /// By variable for bags: its bag.
    pub bags: Vec<Option<AtomBag>>,
    /// Of which atoms the parts were split off, in their order.
    split_off: Vec<Atom>,
}

impl<'s> Scene<'s> {
    /// A scene without variables, with some atoms.
    pub fn new(net: &'s ColouredNet, palette: &'s Palette) -> Scene<'s> {
        Scene { net, palette, parts: Vec::new(), colours: Vec::new(), bags: Vec::new(), split_off: Vec::new() }
    }

    /// Begins anew with the atoms of a marking, and with so many variables.
    pub fn begin(&mut self, atoms: impl Iterator<Item = (u32, u32)>, variables: usize) {
        self.parts.clear();
        self.split_off.clear();
        let first = self.palette.fixed_count();
        self.parts.extend(atoms.zip(first..).map(|((cell, size), parent)| Part { cell, size, parent }));
        self.colours.clear();
        self.colours.resize(variables, None);
        self.bags.clear();
        self.bags.resize(variables, None);
    }

    fn part(&self, atom: Atom) -> Option<&Part> {
        self.parts.get(atom.checked_sub(self.palette.fixed_count())? as usize)
    }

    /// How many colours an atom stands for.
    pub fn size(&self, atom: Atom) -> u32 {
        self.part(atom).map_or(1, |part| part.size)
    }

    /// The atom of the marking of which an atom is a part.
    pub fn parent(&self, atom: Atom) -> Atom {
        self.part(atom).map_or(atom, |part| part.parent)
    }

    /// The class of an atom.
    pub fn class(&self, atom: Atom) -> u32 {
        match self.part(atom) {
            Some(part) => self.palette.cells[part.cell as usize].class,
            None => self.palette.fixed[atom as usize].0,
        }
    }

    /// A colour that stands for those of an atom where sets, and comparisons with colours that are named, look at it.
    fn sample(&self, atom: Atom) -> u32 {
        match self.part(atom) {
            Some(part) => self.palette.cells[part.cell as usize].ranges[0].0,
            None => self.palette.fixed[atom as usize].1,
        }
    }

    /// All atoms of a class, the fixed ones first.
    pub fn atoms_of(&self, class: u32) -> impl Iterator<Item = Atom> + '_ {
        let of_class = &self.palette.classes[class as usize];
        let first = self.palette.fixed_count();
        let is_in = move |part: &Part| of_class.cells.contains(&part.cell);
        let parts = self.parts.iter().zip(first..).filter(move |(part, _)| is_in(part)).map(|(_, atom)| atom);
        of_class.fixed.clone().chain(parts)
    }

    /// Splits so many colours off an atom; the atom itself if it has no more. What the atom is bound to, they are.
    pub fn split(&mut self, atom: Atom, size: u32) -> Atom {
        if self.size(atom) <= size {
            return atom;
        }
        let first = self.palette.fixed_count();
        let at = (atom - first) as usize;
        self.parts[at].size -= size;
        let new = first + self.parts.len() as u32;
        self.parts.push(Part { size, ..self.parts[at] });
        self.split_off.push(atom);
        for bag in self.bags.iter_mut().flatten() {
            if let Ok(found) = bag.binary_search_by_key(&atom, |one| one.0) {
                // Its number is the highest.
                let times = bag[found].1;
                bag.push((new, times));
            }
        }
        new
    }

    /// Undoes the last splits until so many atoms are left.
    pub fn join(&mut self, length: usize) {
        let first = self.palette.fixed_count();
        while self.parts.len() > length {
            let (Some(part), Some(atom)) = (self.parts.pop(), self.split_off.pop()) else { return };
            self.parts[(atom - first) as usize].size += part.size;
            let gone = first + self.parts.len() as u32;
            for bag in self.bags.iter_mut().flatten() {
                if bag.last().is_some_and(|last| last.0 == gone) {
                    bag.pop();
                }
            }
        }
    }

    /// The colour of a term without variables.
    fn constant(&self, term: &Term) -> Option<Result<u32, Undefined>> {
        let mut inner = term;
        loop {
            match inner {
                Term::Constant { .. } => return Some(Evaluator::constant(self.net).term(term)),
                Term::Variable(_) => return None,
                Term::Shift(next, _) => inner = next,
            }
        }
    }

    /// The atom of a term.
    pub fn term(&self, term: &Term) -> Result<Atom, Undefined> {
        match term {
            Term::Variable(variable) => self.colours[*variable as usize].ok_or(Undefined::Malformed),
            Term::Constant { class, colour } => self.palette.atom_of(*class, *colour).ok_or(Undefined::Malformed),
            Term::Shift(inner, steps) => {
                if let Some(colour) = self.constant(term) {
                    let colour = colour?;
                    return self.palette.atom_of(self.class_of(term), colour).ok_or(Undefined::Malformed);
                }
                // Classes with steps have fixed atoms only, one for each colour.
                let atom = self.term(inner)?;
                let &(class, colour) = self.palette.fixed.get(atom as usize).ok_or(Undefined::Malformed)?;
                let shifted = self.net.classes[class as usize].shift(colour, *steps).ok_or(Undefined::NoColour)?;
                self.palette.atom_of(class, shifted).ok_or(Undefined::Malformed)
            }
        }
    }

    fn class_of(&self, term: &Term) -> u32 {
        match term {
            Term::Constant { class, .. } => *class,
            Term::Variable(variable) => self.colours[*variable as usize].map_or(0, |atom| self.class(atom)),
            Term::Shift(inner, _) => self.class_of(inner),
        }
    }

    /// A colour of a term, as comparisons by position see it.
    fn position(&self, term: &Term) -> Result<u32, Undefined> {
        match self.constant(term) {
            Some(colour) => colour,
            None => self.term(term).map(|atom| self.sample(atom)),
        }
    }

    fn compare(&self, comparison: Comparison, left: &Term, right: &Term) -> Result<bool, Undefined> {
        let both_constant = self.constant(left).is_some() && self.constant(right).is_some();
        match comparison {
            // Different atoms have different colours, and these atoms have one each.
            Comparison::Equal | Comparison::NotEqual if !both_constant => {
                Ok(comparison.holds(&self.term(left)?, &self.term(right)?))
            }
            _ => Ok(comparison.holds(&self.position(left)?, &self.position(right)?)),
        }
    }

    fn contains(&self, set: Colours, atom: Atom) -> bool {
        let class = &self.net.classes[set.class as usize];
        set.subclass.is_none_or(|subclass| class.subclasses[subclass as usize].contains(self.sample(atom)))
    }

    /// The bag of an expression.
    pub fn bag(&self, bag: &BagExpression) -> Result<AtomBag, Undefined> {
        match bag {
            BagExpression::One(term) => match self.constant(term) {
                Some(colour) => Ok(self.one(self.class_of(term), colour?)),
                None => Ok(vec![(self.term(term)?, 1)]),
            },
            BagExpression::All(set) => {
                Ok(self.atoms_of(set.class).filter(|&atom| self.contains(*set, atom)).map(|atom| (atom, 1)).collect())
            }
            BagExpression::Variable(variable) => self.bags[*variable as usize].clone().ok_or(Undefined::Malformed),
            BagExpression::Sum(parts) => {
                let mut sum = AtomBag::new();
                for part in parts {
                    sum = combine(&sum, &self.bag(part)?, |one, other| one.checked_add(other))?;
                }
                Ok(sum)
            }
            BagExpression::Difference(from, taken) => {
                combine(&self.bag(from)?, &self.bag(taken)?, |one, other| Some(one.saturating_sub(other)))
            }
            BagExpression::Times(factor, inner) => {
                let inner = self.bag(inner)?;
                if *factor == 0 {
                    return Ok(AtomBag::new());
                }
                let times = |(atom, count): (Atom, u32)| Some((atom, count.checked_mul(*factor)?));
                inner.into_iter().map(|one| times(one).ok_or(Undefined::TooMany)).collect()
            }
        }
    }

    /// One colour that is named. If it has no atom of its own, then the bag that it is in has equally many of all colours of its
    /// static subclass, and what the bag says of the colour that stands for them, it says of all.
    fn one(&self, class: u32, colour: u32) -> AtomBag {
        match self.palette.atom_of(class, colour) {
            Some(atom) => vec![(atom, 1)],
            None => self.atoms_of(class).filter(|&atom| self.sample(atom) == colour).map(|atom| (atom, 1)).collect(),
        }
    }

    fn cardinality(&self, number: &Cardinality) -> Result<u64, Undefined> {
        match number {
            Cardinality::Constant(number) => Ok(*number),
            Cardinality::Of(bag) => Ok(self.bag(bag)?.iter().fold(0_u64, |sum, &(atom, times)| {
                sum.saturating_add(u64::from(times).saturating_mul(u64::from(self.size(atom))))
            })),
        }
    }

    /// Whether a guard holds. All of it must have a value.
    pub fn guard(&self, guard: &Guard) -> Result<bool, Undefined> {
        match guard {
            Guard::Constant(value) => Ok(*value),
            Guard::Compare(comparison, left, right) => self.compare(*comparison, left, right),
            Guard::Member(term, set) => match self.constant(term) {
                Some(colour) => {
                    let colour = colour?;
                    let class = &self.net.classes[set.class as usize];
                    Ok(set.subclass.is_none_or(|index| class.subclasses[index as usize].contains(colour)))
                }
                None => Ok(self.contains(*set, self.term(term)?)),
            },
            Guard::Cardinality(comparison, left, right) => {
                Ok(comparison.holds(&self.cardinality(left)?, &self.cardinality(right)?))
            }
            Guard::Included(part, whole) => {
                Ok(combine(&self.bag(part)?, &self.bag(whole)?, |one, other| Some(one.saturating_sub(other)))?
                    .is_empty())
            }
            Guard::SameBag(left, right) => Ok(self.bag(left)? == self.bag(right)?),
            Guard::Not(inner) => Ok(!self.guard(inner)?),
            Guard::And(parts) => parts.iter().try_fold(true, |all, part| Ok(self.guard(part)? && all)),
            Guard::Or(parts) => parts.iter().try_fold(false, |any, part| Ok(self.guard(part)? || any)),
        }
    }

    /// Adds the tokens of an expression to some entries of a place, which are then sorted and added up.
    pub fn tokens(&self, place: u32, tokens: &Tokens, times: u32, into: &mut Entries) -> Result<(), Undefined> {
        self.add_tokens(place, tokens, times, into)?;
        into.sum_up().ok_or(Undefined::TooMany)
    }

    fn add_tokens(&self, place: u32, tokens: &Tokens, times: u32, into: &mut Entries) -> Result<(), Undefined> {
        match tokens {
            Tokens::Tuple(elements) => self.tuple(place, elements, times, into),
            Tokens::Sum(parts) => parts.iter().try_for_each(|part| self.add_tokens(place, part, times, into)),
            Tokens::Difference(from, taken) => {
                let (mut left, mut right) = (Entries::default(), Entries::default());
                self.tokens(place, from, 1, &mut left)?;
                self.tokens(place, taken, 1, &mut right)?;
                for (entry, key) in left.iter() {
                    let rest = entry.count.saturating_sub(right.count(place, key));
                    into.push(place, key, rest.checked_mul(times).ok_or(Undefined::TooMany)?);
                }
                Ok(())
            }
            Tokens::Times(factor, inner) => {
                let times = times.checked_mul(*factor).ok_or(Undefined::TooMany)?;
                self.add_tokens(place, inner, times, into)
            }
            Tokens::When(guard, inner) => {
                let holds = self.guard(guard)?;
                // Its terms must have values even if the guard does not hold.
                self.add_tokens(place, inner, if holds { times } else { 0 }, into)
            }
        }
    }

    fn tuple(&self, place: u32, elements: &[Element], times: u32, into: &mut Entries) -> Result<(), Undefined> {
        let mut spread: Vec<(usize, AtomBag)> = Vec::with_capacity(elements.len());
        let mut whole: Vec<AtomBag> = Vec::new();
        for (component, element) in elements.iter().enumerate() {
            match element {
                Element::Each(bag) => spread.push((component, self.bag(bag)?)),
                Element::Whole(bag) => whole.push(self.bag(bag)?),
            }
        }
        Product { scene: self, place, spread: &spread, whole: &whole, named: Vec::new(), key: Vec::new() }
            .add(0, times, into)
    }
}

/// The tokens of a tuple, orbit by orbit.
struct Product<'p, 's> {
    scene: &'p Scene<'s>,
    place: u32,
    /// The bags of the components that are colours.
    spread: &'p [(usize, AtomBag)],
    /// Those of the others.
    whole: &'p [AtomBag],
    /// The colours so far: atom and components.
    named: Vec<(Atom, Word)>,
    key: Vec<Word>,
}

impl Product<'_, '_> {
    fn add(&mut self, next: usize, times: u32, into: &mut Entries) -> Result<(), Undefined> {
        let spread = self.spread;
        let Some((component, bag)) = spread.get(next) else { return self.finish(times, into) };
        let bit = 1 << component;
        for &(atom, more) in bag {
            let times = times.checked_mul(more).ok_or(Undefined::TooMany)?;
            let mut used = 0;
            // The same colour as in a component before, or another one of the same atom.
            for at in 0..self.named.len() {
                if self.named[at].0 == atom {
                    used += 1;
                    self.named[at].1 |= bit;
                    self.add(next + 1, times, into)?;
                    self.named[at].1 &= !bit;
                }
            }
            if used < self.scene.size(atom) {
                self.named.push((atom, bit));
                self.add(next + 1, times, into)?;
                self.named.pop();
            }
        }
        Ok(())
    }

    fn finish(&mut self, times: u32, into: &mut Entries) -> Result<(), Undefined> {
        let shape = &self.scene.palette.places[self.place as usize];
        self.key.clear();
        if shape.bags.is_empty() {
            self.named.iter().for_each(|&(atom, components)| self.key.extend([atom, components]));
        } else {
            let often =
                |bag: &AtomBag, atom: Atom| bag.binary_search_by_key(&atom, |one| one.0).map_or(0, |at| bag[at].1);
            for &(atom, components) in &self.named {
                self.key.extend([atom, components, 1]);
                self.key.extend(self.whole.iter().map(|bag| often(bag, atom)));
            }
            let mut atoms: Vec<Atom> = self.whole.iter().flatten().map(|one| one.0).collect();
            atoms.sort_unstable();
            atoms.dedup();
            for atom in atoms {
                let named = self.named.iter().filter(|one| one.0 == atom).count() as u32;
                let rest = self.scene.size(atom) - named;
                if rest > 0 {
                    self.key.extend([atom, 0, rest]);
                    self.key.extend(self.whole.iter().map(|bag| often(bag, atom)));
                }
            }
            normalise(shape, &mut self.key, &mut Vec::new());
        }
        into.push(self.place, &self.key, times);
        Ok(())
    }
}

/// A bag whose numbers are made from those of two bags.
pub(super) fn combine(
    one: &[(Atom, u32)], other: &[(Atom, u32)], count: impl Fn(u32, u32) -> Option<u32>,
) -> Result<AtomBag, Undefined> {
    let mut result = AtomBag::with_capacity(one.len().max(other.len()));
    let (mut i, mut j) = (0, 0);
    loop {
        let (atom, left, right) = match (one.get(i), other.get(j)) {
            (None, None) => return Ok(result),
            (Some(a), Some(b)) if a.0 == b.0 => (a.0, a.1, b.1),
            (Some(a), Some(b)) if a.0 > b.0 => (b.0, 0, b.1),
            (Some(a), _) => (a.0, a.1, 0),
            (None, Some(b)) => (b.0, 0, b.1),
        };
        i += usize::from(one.get(i).is_some_and(|first| first.0 == atom));
        j += usize::from(other.get(j).is_some_and(|first| first.0 == atom));
        let count = count(left, right).ok_or(Undefined::TooMany)?;
        if count > 0 {
            result.push((atom, count));
        }
    }
}
