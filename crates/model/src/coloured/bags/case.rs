//! Cases in which it is known how the terms of some bags compare, so that it is known what is in the bags.
//!
//! Terms that are in one bag, or in bags that are compared, form a *cluster*. A case of a cluster puts its terms in an order,
//! those that are equal side by side, and says of each which sets of colours it is in. Every binding is in exactly one case.
//! In a case a bag is a number for each group of equal terms, and one for the colours that no term is, by the sets that these
//! are in.

use super::super::class::Colours;
use super::super::expression::{BagExpression, Guard, Term};
use super::super::visit::Leaf;
use super::super::{ClassOrder, ColouredNet, Sort};
use super::TooLarge;
use super::substitute::class_of;
use crate::expression::Comparison;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// What is known of the variables before any case is made.
pub(super) struct Known<'k> {
    pub net: &'k ColouredNet,
    /// By variable.
    pub sorts: &'k [Sort],
    /// Of variables that stand for the colours of a bag: which bag, and how often the bag has the colour.
    pub members: &'k [Option<(usize, u32)>],
}

impl Known<'_> {
    /// How two terms of one class may compare.
    fn may_compare(&self, one: &Term, other: &Term, how: Ordering) -> bool {
        if one == other {
            return how == Ordering::Equal;
        }
        match (one, other) {
            (Term::Constant { colour: one, .. }, Term::Constant { colour: other, .. }) => one.cmp(other) == how,
            (Term::Variable(one), Term::Variable(other)) => {
                match (self.members[*one as usize], self.members[*other as usize]) {
                    (Some((bag, times)), Some((same, again))) if bag == same && times == again => one.cmp(other) == how,
                    (Some((bag, _)), Some((same, _))) if bag == same => how != Ordering::Equal,
                    _ => true,
                }
            }
            _ => match (steps_from(one), steps_from(other)) {
                (Some((from, steps)), Some((same, others))) if from == same => {
                    let class = &self.net.classes[self.sorts[from as usize].class() as usize];
                    match class.order {
                        ClassOrder::Circular => {
                            let round = (steps - others).rem_euclid(i128::from(class.len().max(1))) == 0;
                            round == (how == Ordering::Equal)
                        }
                        _ => steps.cmp(&others) == how,
                    }
                }
                _ => true,
            },
        }
    }

    /// The colours of a bag, in the order of its shape, if it is just what a variable for bags stands for: these are in that
    /// order in every case.
    pub fn whole(&self, bag: &BagExpression) -> Option<Vec<(u32, Term)>> {
        let BagExpression::Sum(parts) = bag else { return None };
        let mut colours = Vec::new();
        for part in parts {
            let (times, term) = match part {
                BagExpression::One(term) => (1, term),
                BagExpression::Times(times, inner) => match &**inner {
                    BagExpression::One(term) => (*times, term),
                    _ => return None,
                },
                _ => return None,
            };
            let Term::Variable(variable) = term else { return None };
            let (bag, member) = self.members[*variable as usize]?;
            // The members of a bag are variables one after the other.
            let follows = colours.last().is_none_or(|(before, _, last)| *before == bag && last + 1 == *variable);
            if !follows || member != times {
                return None;
            }
            colours.push((bag, times, *variable));
        }
        let whole = self.members.iter().flatten().filter(|(bag, _)| colours.first().is_some_and(|one| one.0 == *bag));
        let is_whole = whole.count() == colours.len();
        is_whole.then(|| colours.into_iter().map(|(_, times, variable)| (times, Term::Variable(variable))).collect())
    }

    /// How two terms compare, if that is always the same.
    pub fn certain(&self, one: &Term, other: &Term) -> Option<Ordering> {
        let all = [Ordering::Less, Ordering::Equal, Ordering::Greater];
        let mut possible = all.into_iter().filter(|&how| self.may_compare(one, other, how));
        possible.next().filter(|_| possible.next().is_none())
    }
}

/// The variable that a term depends on, and how many steps after it the term is.
fn steps_from(term: &Term) -> Option<(u32, i128)> {
    let (mut term, mut sum) = (term, 0_i128);
    loop {
        match term {
            Term::Constant { .. } => return None,
            Term::Variable(variable) => return Some((*variable, sum)),
            Term::Shift(inner, steps) => {
                sum += i128::from(*steps);
                term = inner;
            }
        }
    }
}

/// Terms of one class that are in bags together, and the sets of colours that are in the same bags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cluster {
    terms: Vec<Term>,
    sets: Vec<Colours>,
}

/// Puts together what is in the bags of each piece, which are made and compared together.
pub(super) fn clusters(pieces: &[Vec<&BagExpression>]) -> Vec<Cluster> {
    let mut clusters: Vec<Cluster> = Vec::new();
    for piece in pieces {
        let mut new = Cluster::default();
        for bag in piece {
            bag.leaves(&mut |leaf| match leaf {
                Leaf::Term(term) if !new.terms.contains(term) => new.terms.push(term.clone()),
                Leaf::Set(set) if !new.sets.contains(&set) => new.sets.push(set),
                _ => {}
            });
        }
        let (apart, together): (Vec<Cluster>, Vec<Cluster>) =
            clusters.into_iter().partition(|other| other.terms.iter().all(|term| !new.terms.contains(term)));
        clusters = apart;
        for other in together {
            let terms: Vec<Term> = other.terms.into_iter().filter(|term| !new.terms.contains(term)).collect();
            let sets: Vec<Colours> = other.sets.into_iter().filter(|set| !new.sets.contains(set)).collect();
            new.terms.extend(terms);
            new.sets.extend(sets);
        }
        if !new.terms.is_empty() {
            clusters.push(new);
        }
    }
    clusters
}

/// How the terms of a cluster compare, and in which sets they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Case {
    /// Terms that are equal, in ascending order of their colours.
    groups: Vec<Vec<Term>>,
    sets: Vec<Colours>,
    /// For each group and each of the sets: whether it is in the set.
    within: Vec<Vec<bool>>,
    /// How many colours no term is, by the sets that they are in. None of the numbers is 0.
    rest: BTreeMap<Vec<bool>, u64>,
}

/// What is in a bag, in a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Contents {
    /// How often each group is there.
    groups: Vec<u64>,
    /// How often each of the other colours is there, by the sets that it is in.
    rest: Vec<u64>,
}

/// All cases of a cluster; an error if these are more than `most`.
pub(super) fn cases(cluster: &Cluster, known: &Known<'_>, most: usize) -> Result<Vec<Case>, TooLarge> {
    let Some(class) = cluster.terms.first().map(|term| class_of(term, known.sorts)) else {
        return Ok(vec![Case::without_terms(known.net, cluster.sets.clone())]);
    };
    let length = known.net.classes[class as usize].len() as usize;
    let mut orders: Vec<Vec<Vec<Term>>> = vec![Vec::new()];
    for term in &cluster.terms {
        let mut longer = Vec::new();
        for groups in orders {
            insertions(term, &groups, known, &mut |groups| {
                if groups.len() <= length {
                    longer.push(groups);
                }
            });
            if longer.len() > most {
                return Err(TooLarge);
            }
        }
        orders = longer;
    }
    let colours = Case::without_terms_of(known.net, class, cluster.sets.clone());
    let mut cases = Vec::new();
    for groups in orders {
        let start = Case { groups: Vec::new(), within: Vec::new(), ..colours.clone() };
        let mut partial = vec![start];
        for group in groups {
            let mut longer = Vec::new();
            for case in partial {
                for within in case.rest.keys().filter(|within| may_be_within(known, &group, &cluster.sets, within)) {
                    let mut case = case.clone();
                    case.groups.push(group.clone());
                    case.within.push(within.clone());
                    if let Some(left) = case.rest.get_mut(within) {
                        *left -= 1;
                    }
                    case.rest.retain(|_, left| *left > 0);
                    longer.push(case);
                }
                if longer.len() > most {
                    return Err(TooLarge);
                }
            }
            partial = longer;
        }
        cases.extend(partial);
        if cases.len() > most {
            return Err(TooLarge);
        }
    }
    Ok(cases)
}

/// All ways to put a term into an order: into a group, or as a group of its own.
fn insertions(term: &Term, groups: &[Vec<Term>], known: &Known<'_>, found: &mut dyn FnMut(Vec<Vec<Term>>)) {
    let may = |group: &[Term], how: Ordering| group.iter().all(|other| known.may_compare(term, other, how));
    for at in 0..=groups.len() {
        let (before, after) = groups.split_at(at);
        if !before.iter().all(|group| may(group, Ordering::Greater)) {
            break;
        }
        if after.iter().all(|group| may(group, Ordering::Less)) {
            found([before, &[vec![term.clone()]], after].concat());
        }
        if let Some((group, after)) = after.split_first()
            && may(group, Ordering::Equal)
            && after.iter().all(|group| may(group, Ordering::Less))
        {
            let mut group = group.clone();
            group.push(term.clone());
            found([before, &[group], after].concat());
        }
    }
}

/// Whether a group may be in these sets and in no others: a constant is where it is.
fn may_be_within(known: &Known<'_>, group: &[Term], sets: &[Colours], within: &[bool]) -> bool {
    group.iter().all(|term| match term {
        Term::Constant { colour, .. } => {
            sets.iter().zip(within).all(|(set, &is)| contains(known.net, *set, *colour) == is)
        }
        _ => true,
    })
}

fn contains(net: &ColouredNet, set: Colours, colour: u32) -> bool {
    let class = &net.classes[set.class as usize];
    set.subclass.is_none_or(|subclass| class.subclasses[subclass as usize].contains(colour))
}

impl Case {
    /// The only case of bags without terms.
    pub fn without_terms(net: &ColouredNet, sets: Vec<Colours>) -> Case {
        match sets.first() {
            Some(set) => Case::without_terms_of(net, set.class, sets),
            None => Case::default(),
        }
    }

    fn without_terms_of(net: &ColouredNet, class: u32, sets: Vec<Colours>) -> Case {
        let mut rest = BTreeMap::new();
        for colour in 0..net.classes[class as usize].len() {
            let within: Vec<bool> = sets.iter().map(|set| contains(net, *set, colour)).collect();
            *rest.entry(within).or_insert(0) += 1;
        }
        Case { groups: Vec::new(), sets, within: Vec::new(), rest }
    }

    /// Whether it speaks of a term.
    pub fn has(&self, term: &Term) -> bool {
        self.group(term).is_some()
    }

    fn group(&self, term: &Term) -> Option<usize> {
        self.groups.iter().position(|group| group.contains(term))
    }

    /// How two terms compare, if it says so.
    pub fn compare(&self, one: &Term, other: &Term) -> Option<Ordering> {
        Some(self.group(one)?.cmp(&self.group(other)?))
    }

    /// Whether a term is in a set, if it says so.
    pub fn is_in(&self, term: &Term, set: Colours) -> Option<bool> {
        let set = self.sets.iter().position(|other| *other == set)?;
        Some(self.within[self.group(term)?][set])
    }

    /// What must hold for a binding to be in this case.
    pub fn conditions(&self, known: &Known<'_>) -> Vec<Guard> {
        let mut conditions = Vec::new();
        let mut compare = |comparison, how, one: &Term, other: &Term| {
            if known.certain(one, other) != Some(how) {
                conditions.push(Guard::Compare(comparison, one.clone(), other.clone()));
            }
        };
        for group in &self.groups {
            group.windows(2).for_each(|pair| compare(Comparison::Equal, Ordering::Equal, &pair[0], &pair[1]));
        }
        for pair in self.groups.windows(2) {
            compare(Comparison::Less, Ordering::Less, &pair[0][0], &pair[1][0]);
        }
        for (group, within) in self.groups.iter().zip(&self.within) {
            if group.iter().any(|term| matches!(term, Term::Constant { .. })) {
                continue;
            }
            for (set, is) in self.sets.iter().zip(within).filter(|(set, _)| set.subclass.is_some()) {
                let member = Guard::Member(group[0].clone(), *set);
                conditions.push(if *is { member } else { Guard::Not(Box::new(member)) });
            }
        }
        conditions
    }

    /// What is in a bag. All its terms and sets must be in the cluster. An error if that is more than any bag holds.
    pub fn contents(&self, bag: &BagExpression) -> Result<Contents, TooLarge> {
        let nothing = || Contents { groups: vec![0; self.groups.len()], rest: vec![0; self.rest.len()] };
        match bag {
            BagExpression::One(term) => {
                let mut contents = nothing();
                contents.groups[self.group(term).ok_or(TooLarge)?] = 1;
                Ok(contents)
            }
            BagExpression::All(set) => {
                let set = self.sets.iter().position(|other| other == set).ok_or(TooLarge)?;
                let once = |within: &Vec<bool>| u64::from(within[set]);
                Ok(Contents {
                    groups: self.within.iter().map(once).collect(),
                    rest: self.rest.keys().map(once).collect(),
                })
            }
            // Bags have been put in the place of variables.
            BagExpression::Variable(_) => Err(TooLarge),
            BagExpression::Sum(parts) => {
                let mut sum = nothing();
                for part in parts {
                    sum = sum.with(&self.contents(part)?, |one, other| one.checked_add(other))?;
                }
                Ok(sum)
            }
            BagExpression::Difference(from, taken) => {
                self.contents(from)?.with(&self.contents(taken)?, |one, other| Some(one.saturating_sub(other)))
            }
            BagExpression::Times(factor, inner) => {
                let inner = self.contents(inner)?;
                inner.with(&inner, |times, _| times.checked_mul(u64::from(*factor)))
            }
        }
    }

    /// How much is in a bag.
    pub fn cardinality(&self, contents: &Contents) -> u64 {
        let rest = contents.rest.iter().zip(self.rest.values()).map(|(times, colours)| times * colours);
        contents.groups.iter().sum::<u64>() + rest.sum::<u64>()
    }

    /// The colours of a bag with how often they are there, in ascending order; nothing if they are not all terms.
    pub fn members(&self, contents: &Contents) -> Option<Vec<(u32, Term)>> {
        if contents.rest.iter().any(|&times| times > 0) {
            return None;
        }
        let members = self.groups.iter().zip(&contents.groups).filter(|(_, times)| **times > 0);
        members.map(|(group, &times)| Some((u32::try_from(times).ok()?, group[0].clone()))).collect()
    }
}

impl Contents {
    fn with(&self, other: &Contents, combine: impl Fn(u64, u64) -> Option<u64>) -> Result<Contents, TooLarge> {
        let each = |one: &[u64], other: &[u64]| -> Result<Vec<u64>, TooLarge> {
            let fits = |number: Option<u64>| number.filter(|&number| number <= u64::from(u32::MAX)).ok_or(TooLarge);
            one.iter().zip(other).map(|(&one, &other)| fits(combine(one, other))).collect()
        };
        Ok(Contents { groups: each(&self.groups, &other.groups)?, rest: each(&self.rest, &other.rest)? })
    }

    /// Whether another bag, in the same case, has at least as much of everything.
    pub fn is_included_in(&self, other: &Contents) -> bool {
        let included = |one: &[u64], other: &[u64]| one.iter().zip(other).all(|(one, other)| one <= other);
        included(&self.groups, &other.groups) && included(&self.rest, &other.rest)
    }
}
