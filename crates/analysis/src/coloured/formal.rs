//! What arcs take and put, as formal sums of symbols that stand for colours.
//!
//! A symbol is a variable, perhaps shifted, or an *atom*: a set of colours of a class that no arc takes apart. The sets that
//! arcs name are sums of atoms, and a constant is an atom of its own. Under a binding a symbol is worth a bag of colours (a
//! variable one colour, an atom each of its colours once), and a formal sum is worth the sum of these.

use mandala_model::coloured::{
    Arc, BagExpression, Class, ClassOrder, ColouredNet, Colours, Element, Guard, Sort, Term, Tokens, Transition,
};
use mandala_model::expression::Comparison;
use std::collections::{BTreeMap, BTreeSet};

/// What stands for colours of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Symbol {
    /// The colour so many steps after that of a variable.
    Variable(u32, i64),
    /// Each colour of an atom.
    Atom(u32),
}

/// How often there is each symbol.
pub(super) type Sum = BTreeMap<Symbol, i64>;

/// A class with more atoms is not looked at.
const MOST_ATOMS: usize = 256;

/// An expression with more tuples is not looked at.
const MOST_TUPLES: usize = 256;

/// The sets of colours of a class that no arc takes apart.
#[derive(Debug, Default)]
pub(super) struct Atoms {
    /// How many colours each has.
    sizes: Vec<i64>,
    /// The atoms of the stretches of colours from a first one on, in ascending order.
    stretches: Vec<(u32, u32)>,
}

impl Atoms {
    /// The atoms of each class; nothing for a class that has too many.
    pub fn of(net: &ColouredNet) -> Vec<Option<Atoms>> {
        let mut constants = vec![BTreeSet::new(); net.classes.len()];
        for transition in &net.transitions {
            for arc in transition.takes.iter().chain(&transition.puts) {
                constants_of_tokens(net, &arc.tokens, &mut constants);
            }
            for (_, other) in equalities(&transition.guard) {
                constants_of_term(net, other, &mut constants);
            }
        }
        net.classes.iter().zip(&constants).map(|(class, constants)| Atoms::of_class(class, constants)).collect()
    }

    fn of_class(class: &Class, constants: &BTreeSet<u32>) -> Option<Atoms> {
        let ranges = class.subclasses.iter().flat_map(|subclass| subclass.ranges.iter().copied());
        let cuts = ranges.chain(constants.iter().map(|&colour| (colour, colour.saturating_add(1))));
        let mut cuts: Vec<u32> = cuts.flat_map(|(first, end)| [first, end]).chain([0]).collect();
        cuts.retain(|&cut| cut < class.len());
        cuts.sort_unstable();
        cuts.dedup();
        if cuts.len() > 16 * MOST_ATOMS || cuts.len().saturating_mul(class.subclasses.len()) > 1_000_000 {
            return None;
        }
        let mut atoms = Atoms::default();
        let mut known: BTreeMap<(Vec<u32>, Option<u32>), u32> = BTreeMap::new();
        for (at, &first) in cuts.iter().enumerate() {
            let end = cuts.get(at + 1).copied().unwrap_or(class.len());
            let inside = (0..).zip(&class.subclasses).filter(|(_, subclass)| subclass.contains(first));
            let signature = (inside.map(|(index, _)| index).collect(), constants.get(&first).copied());
            let next = atoms.sizes.len() as u32;
            let atom = *known.entry(signature).or_insert(next);
            if atom == next {
                atoms.sizes.push(0);
            }
            atoms.sizes[atom as usize] += i64::from(end - first);
            atoms.stretches.push((first, atom));
        }
        (atoms.sizes.len() <= MOST_ATOMS).then_some(atoms)
    }

    /// The atom that a colour is in.
    fn of_colour(&self, colour: u32) -> Option<u32> {
        let after = self.stretches.partition_point(|&(first, _)| first <= colour);
        Some(self.stretches.get(after.checked_sub(1)?)?.1)
    }

    /// The atoms that a set consists of. No atom is in part inside a set that has a name.
    fn of_set(&self, class: &Class, set: Colours) -> Sum {
        let is_inside = |first: u32| set.subclass.is_none_or(|index| class.subclasses[index as usize].contains(first));
        let inside = self.stretches.iter().filter(|(first, _)| is_inside(*first));
        inside.map(|&(_, atom)| (Symbol::Atom(atom), 1)).collect()
    }

    /// How many colours a sum is worth, under any binding.
    fn cardinality(&self, sum: &Sum) -> Option<i64> {
        sum.iter().try_fold(0_i64, |total, (symbol, times)| {
            let size = match symbol {
                Symbol::Variable(..) => 1,
                Symbol::Atom(atom) => self.sizes[*atom as usize],
            };
            total.checked_add(times.checked_mul(size)?)
        })
    }
}

fn constants_of_tokens(net: &ColouredNet, tokens: &Tokens, constants: &mut [BTreeSet<u32>]) {
    match tokens {
        Tokens::Tuple(elements) => {
            for Element::Each(bag) | Element::Whole(bag) in elements {
                constants_of_bag(net, bag, constants);
            }
        }
        Tokens::Sum(parts) => parts.iter().for_each(|part| constants_of_tokens(net, part, constants)),
        Tokens::Difference(from, taken) => {
            constants_of_tokens(net, from, constants);
            constants_of_tokens(net, taken, constants);
        }
        Tokens::Times(_, inner) | Tokens::When(_, inner) => constants_of_tokens(net, inner, constants),
    }
}

fn constants_of_bag(net: &ColouredNet, bag: &BagExpression, constants: &mut [BTreeSet<u32>]) {
    match bag {
        BagExpression::One(term) => constants_of_term(net, term, constants),
        BagExpression::All(_) | BagExpression::Variable(_) => {}
        BagExpression::Sum(parts) => parts.iter().for_each(|part| constants_of_bag(net, part, constants)),
        BagExpression::Difference(from, taken) => {
            constants_of_bag(net, from, constants);
            constants_of_bag(net, taken, constants);
        }
        BagExpression::Times(_, inner) => constants_of_bag(net, inner, constants),
    }
}

fn constants_of_term(net: &ColouredNet, term: &Term, constants: &mut [BTreeSet<u32>]) {
    if let Some((class, colour)) = constant(net, term) {
        constants[class as usize].insert(colour);
    }
}

/// The class and the colour of a term without variables, if it has one.
fn constant(net: &ColouredNet, term: &Term) -> Option<(u32, u32)> {
    match term {
        Term::Constant { class, colour } => Some((*class, *colour)),
        Term::Variable(_) => None,
        Term::Shift(inner, steps) => {
            let (class, colour) = constant(net, inner)?;
            Some((class, net.classes[class as usize].shift(colour, *steps)?))
        }
    }
}

/// Variables that a guard says are equal to something.
fn equalities(guard: &Guard) -> Vec<(u32, &Term)> {
    match guard {
        Guard::And(parts) => parts.iter().flat_map(equalities).collect(),
        // Both ways, so that the variable with the lesser index can stand for both.
        Guard::Compare(Comparison::Equal, left @ Term::Variable(one), right @ Term::Variable(other)) => {
            vec![(*one, right), (*other, left)]
        }
        Guard::Compare(Comparison::Equal, Term::Variable(one), other)
        | Guard::Compare(Comparison::Equal, other, Term::Variable(one)) => vec![(*one, other)],
        _ => Vec::new(),
    }
}

/// Pairs of variables that a guard says are different, each both ways.
fn differences(guard: &Guard) -> BTreeSet<(u32, u32)> {
    match guard {
        Guard::And(parts) => parts.iter().flat_map(differences).collect(),
        Guard::Compare(
            Comparison::NotEqual | Comparison::Less | Comparison::Greater,
            Term::Variable(one),
            Term::Variable(other),
        ) => BTreeSet::from([(*one, *other), (*other, *one)]),
        _ => BTreeSet::new(),
    }
}

/// A component of a tuple.
#[derive(Clone, Debug)]
pub(super) enum Component<'a> {
    /// A colour of a class.
    Colour(u32, Sum),
    /// A bag.
    Bag(&'a BagExpression),
}

/// The product of its components, so many times.
#[derive(Clone, Debug)]
pub(super) struct Tuple<'a> {
    /// How many times; negative for what a difference takes out.
    pub times: i64,
    /// The components.
    pub components: Vec<Component<'a>>,
}

/// Translates the arcs of a transition.
pub(super) struct Translator<'a> {
    net: &'a ColouredNet,
    atoms: &'a [Option<Atoms>],
    transition: &'a Transition,
    /// What a variable is equal to, where the guard says so: a constant, or a variable with a lesser index.
    same: BTreeMap<u32, &'a Term>,
    /// Which variables are different, where the guard says so.
    different: BTreeSet<(u32, u32)>,
}

impl<'a> Translator<'a> {
    /// A translator of the arcs of a transition.
    pub fn new(net: &'a ColouredNet, atoms: &'a [Option<Atoms>], transition: &'a Transition) -> Translator<'a> {
        let mut same = BTreeMap::new();
        for (variable, other) in equalities(&transition.guard) {
            match other {
                Term::Variable(other) if *other >= variable => {}
                Term::Shift(..) => {}
                other => {
                    same.insert(variable, other);
                }
            }
        }
        Translator { net, atoms, transition, same, different: differences(&transition.guard) }
    }

    /// The tokens of an arc as a sum of tuples. Nothing if that cannot be said.
    pub fn arc(&self, arc: &'a Arc) -> Option<Vec<Tuple<'a>>> {
        self.tokens(&self.net.places[arc.place as usize].domain, &arc.tokens)
    }

    fn tokens(&self, domain: &[Sort], tokens: &'a Tokens) -> Option<Vec<Tuple<'a>>> {
        let found = match tokens {
            Tokens::Tuple(elements) => {
                let components = domain.iter().zip(elements).map(|(sort, element)| self.component(*sort, element));
                vec![Tuple { times: 1, components: components.collect::<Option<_>>()? }]
            }
            Tokens::Sum(parts) => {
                let mut sum = Vec::new();
                for part in parts {
                    sum.extend(self.tokens(domain, part)?);
                    if sum.len() > MOST_TUPLES {
                        return None;
                    }
                }
                sum
            }
            Tokens::Difference(from, taken) => {
                self.difference(self.tokens(domain, from)?, self.tokens(domain, taken)?)?
            }
            Tokens::Times(factor, inner) => {
                let mut inner = self.tokens(domain, inner)?;
                for tuple in &mut inner {
                    tuple.times = tuple.times.checked_mul(i64::from(*factor))?;
                }
                inner
            }
            Tokens::When(..) => return None,
        };
        (found.len() <= MOST_TUPLES).then_some(found)
    }

    /// The difference, if nothing is taken out that is not there: each tuple that is taken out is part of one that is there.
    fn difference(&self, from: Vec<Tuple<'a>>, taken: Vec<Tuple<'a>>) -> Option<Vec<Tuple<'a>>> {
        if let (Some((class, from)), Some((_, taken))) = (single(&from), single(&taken)) {
            let rest = minus(&from, &taken)?;
            let components = vec![Component::Colour(class, rest.clone())];
            return self.is_never_negative(class, &rest).then(|| vec![Tuple { times: 1, components }]);
        }
        if from.iter().chain(&taken).any(|tuple| tuple.times < 0) {
            return None;
        }
        let mut left: Vec<i64> = from.iter().map(|tuple| tuple.times).collect();
        for tuple in &taken {
            let fits = |at: &usize| left[*at] >= tuple.times && self.is_part(tuple, &from[*at]);
            let at = (0..from.len()).find(fits)?;
            left[at] -= tuple.times;
        }
        let taken = taken.into_iter().map(|tuple| Tuple { times: -tuple.times, ..tuple });
        Some(from.into_iter().chain(taken).collect())
    }

    /// Whether each component of a tuple is part of that of another one.
    fn is_part(&self, part: &Tuple<'_>, whole: &Tuple<'_>) -> bool {
        part.components.iter().zip(&whole.components).all(|components| match components {
            (Component::Colour(class, part), Component::Colour(_, whole)) => {
                minus(whole, part).is_some_and(|rest| self.is_never_negative(*class, &rest))
            }
            (Component::Bag(part), Component::Bag(whole)) => part == whole,
            _ => false,
        })
    }

    /// Whether a sum is worth at least nothing of each colour, under any binding: even if all variables that count less than
    /// nothing, and are not known to be different, are the same colour.
    fn is_never_negative(&self, class: u32, sum: &Sum) -> bool {
        let Some(atoms) = &self.atoms[class as usize] else { return false };
        let negative = sum.iter().filter_map(|(symbol, times)| match symbol {
            Symbol::Variable(variable, steps) if *times < 0 => Some((*variable, *steps, *times)),
            _ => None,
        });
        let negative: Vec<(u32, i64, i64)> = negative.collect();
        let are_different = negative.iter().enumerate().all(|(at, one)| {
            let differs = |other: &(u32, i64, i64)| one.1 == other.1 && self.different.contains(&(one.0, other.0));
            negative[..at].iter().all(differs)
        });
        let mut lost = negative.iter().map(|(_, _, times)| *times);
        let lost = if are_different { lost.min() } else { lost.try_fold(0, i64::checked_add).or(Some(i64::MIN)) };
        let (lost, times) = (lost.unwrap_or(0), |atom: u32| sum.get(&Symbol::Atom(atom)).copied().unwrap_or(0));
        (0..atoms.sizes.len() as u32).all(|atom| times(atom).checked_add(lost).is_some_and(|least| least >= 0))
    }

    /// A sum with everything so many steps further on. Nothing if that takes an atom to what is none.
    pub fn shifted(&self, class: u32, sum: &Sum, steps: i64) -> Option<Sum> {
        if steps == 0 {
            return Some(sum.clone());
        }
        let length = i64::from(self.net.classes[class as usize].len());
        let is_circular = self.net.classes[class as usize].order == ClassOrder::Circular;
        let is_whole = is_circular && self.atoms[class as usize].as_ref()?.sizes.len() == 1;
        let symbols = sum.iter().map(|(symbol, times)| match symbol {
            Symbol::Variable(variable, before) => {
                let after = before.checked_add(steps)?;
                let after = if is_circular { after.rem_euclid(length) } else { after };
                Some((Symbol::Variable(*variable, after), *times))
            }
            Symbol::Atom(_) => is_whole.then_some((*symbol, *times)),
        });
        symbols.collect()
    }

    fn component(&self, sort: Sort, element: &'a Element) -> Option<Component<'a>> {
        match (sort, element) {
            (Sort::Colour(class), Element::Each(bag)) => Some(Component::Colour(class, self.bag(class, bag)?)),
            (Sort::Bag(_), Element::Whole(bag)) => Some(Component::Bag(bag)),
            _ => None,
        }
    }

    fn bag(&self, class: u32, bag: &BagExpression) -> Option<Sum> {
        let atoms = self.atoms[class as usize].as_ref()?;
        match bag {
            BagExpression::One(term) => Some(Sum::from([(self.term(class, term)?, 1)])),
            BagExpression::All(set) => Some(atoms.of_set(&self.net.classes[class as usize], *set)),
            BagExpression::Variable(_) => None,
            BagExpression::Sum(parts) => {
                let mut sum = Sum::new();
                for part in parts {
                    add(&mut sum, &self.bag(class, part)?, 1)?;
                }
                Some(sum)
            }
            BagExpression::Difference(from, taken) => {
                let rest = minus(&self.bag(class, from)?, &self.bag(class, taken)?)?;
                self.is_never_negative(class, &rest).then_some(rest)
            }
            BagExpression::Times(factor, inner) => {
                let mut sum = Sum::new();
                add(&mut sum, &self.bag(class, inner)?, i64::from(*factor))?;
                Some(sum)
            }
        }
    }

    fn term(&self, class: u32, term: &Term) -> Option<Symbol> {
        let atoms = self.atoms[class as usize].as_ref()?;
        let length = i64::from(self.net.classes[class as usize].len());
        if length == 1 {
            return Some(Symbol::Atom(0));
        }
        let (mut inner, mut offset) = (term, 0_i64);
        loop {
            match inner {
                Term::Constant { colour, .. } => {
                    let colour = self.net.classes[class as usize].shift(*colour, offset)?;
                    // What the guard makes a constant may be shifted to one that is no atom.
                    let atom = atoms.of_colour(colour)?;
                    return (atoms.sizes[atom as usize] == 1).then_some(Symbol::Atom(atom));
                }
                Term::Variable(variable) => match self.same.get(variable) {
                    Some(same) => inner = same,
                    None => {
                        self.transition.variables.get(*variable as usize)?;
                        let is_circular = self.net.classes[class as usize].order == ClassOrder::Circular;
                        let offset = if is_circular { offset.rem_euclid(length) } else { offset };
                        return Some(Symbol::Variable(*variable, offset));
                    }
                },
                Term::Shift(next, steps) => {
                    offset = offset.checked_add(*steps)?;
                    inner = next;
                }
            }
        }
    }

    /// How many values a component has.
    pub fn cardinality(&self, component: &Component<'_>) -> Option<i64> {
        match component {
            Component::Colour(class, sum) => self.atoms[*class as usize].as_ref()?.cardinality(sum),
            Component::Bag(_) => Some(1),
        }
    }
}

/// The sum of tuples that have one component, a colour. Nothing if they do not, or there are none.
fn single(tuples: &[Tuple<'_>]) -> Option<(u32, Sum)> {
    let mut sum = Sum::new();
    let mut of = None;
    for tuple in tuples {
        let [Component::Colour(class, one)] = &tuple.components[..] else { return None };
        add(&mut sum, one, tuple.times)?;
        of = Some(*class);
    }
    Some((of?, sum))
}

/// Adds a sum to another, so many times.
fn add(sum: &mut Sum, more: &Sum, factor: i64) -> Option<()> {
    for (symbol, times) in more {
        let count = sum.entry(*symbol).or_default();
        *count = count.checked_add(times.checked_mul(factor)?)?;
    }
    sum.retain(|_, times| *times != 0);
    Some(())
}

fn minus(from: &Sum, taken: &Sum) -> Option<Sum> {
    let mut rest = from.clone();
    add(&mut rest, taken, -1)?;
    Some(rest)
}
