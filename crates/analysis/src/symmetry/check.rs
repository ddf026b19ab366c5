//! Whether a permutation of variables and values is a symmetry: all that is said about the model must be mapped to itself.
//!
//! Only terms that contain something moved are looked at. This knows nothing of graphs, and is asked of everything that
//! the search for automorphisms finds, and of what the user declares.

use mandala_group::Permutation;
use rustc_hash::FxHashMap;

use super::behaviour::{Behaviour, Subject};
use super::terms::{Term, Terms};

/// What a permutation that is no symmetry would change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken {
    /// It moves a variable that the model does not have.
    Variable(u32),
    /// It maps values of a variable to what are no values of its image.
    Values,
    /// It maps a transition or synchronisation, by its name, to something that the model does not do.
    Event(String),
    /// It maps a place to one with another capacity.
    Capacity,
    /// It maps a transient state to one that is not.
    Transient,
    /// It maps an initial state to one that is none.
    Initial,
    /// It changes the meaning of a question (an index).
    Question(usize),
    /// It exchanges places that always hold the same.
    Twins,
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Broken::Variable(_) => write!(f, "it moves a variable that the model does not have"),
            Broken::Values => write!(f, "it would give a variable values that it cannot have"),
            Broken::Event(name) => write!(f, "it would make `{name}` something that the model does not do"),
            Broken::Capacity => write!(f, "it would give a place another capacity"),
            Broken::Transient => write!(f, "it would map a transient state to one that is not"),
            Broken::Initial => write!(f, "it would change the initial states"),
            Broken::Question(_) => write!(f, "it would change the meaning of a question"),
            Broken::Twins => write!(f, "it would exchange places that always hold the same"),
        }
    }
}

/// For each term, what it is a child of.
pub(super) struct Parents {
    of: Vec<Vec<Term>>,
}

impl Parents {
    pub fn new(terms: &Terms, tops: &[Term]) -> Parents {
        let is_used = terms.used_by(tops);
        let mut of = vec![Vec::new(); is_used.len()];
        for term in (0..is_used.len()).filter(|&term| is_used[term]) {
            for &(_, child) in terms.children(term as Term) {
                let parents: &mut Vec<Term> = &mut of[child as usize];
                if parents.last() != Some(&(term as Term)) {
                    parents.push(term as Term);
                }
            }
        }
        Parents { of }
    }
}

/// The image of each term that contains a moved variable; nothing for what is mapped to no term at all.
pub(super) type Images = FxHashMap<Term, Option<Term>>;

impl Behaviour<'_> {
    /// Checks a permutation of the variables and values.
    pub fn check(&self, parents: &Parents, permutation: &Permutation) -> Result<(), Broken> {
        if let Some(variable) = permutation.support().find(|&point| point as usize >= self.terms.points()) {
            return Err(Broken::Variable(variable));
        }
        let images = self.images(parents, permutation);
        for &(subject, top) in &self.tops {
            if images.get(&top).is_none_or(|&image| image == Some(top)) {
                continue;
            }
            return Err(match subject {
                Subject::Domains => Broken::Values,
                Subject::Events => Broken::Event(self.lost_event(top, &images)),
                Subject::Capacities => Broken::Capacity,
                Subject::Transient => Broken::Transient,
                Subject::Initial => Broken::Initial,
                Subject::Question(index) => Broken::Question(index),
                Subject::Twins => Broken::Twins,
            });
        }
        Ok(())
    }

    /// What becomes of the terms that contain a moved variable.
    pub(super) fn images(&self, parents: &Parents, permutation: &Permutation) -> Images {
        let mut images: Images = permutation.moves().iter().map(|&(point, image)| (point, Some(image))).collect();
        // Terms have greater numbers than their children: in ascending order, children come first.
        let mut open: std::collections::BTreeSet<Term> = std::collections::BTreeSet::new();
        permutation.support().for_each(|point| open.extend(&parents.of[point as usize]));
        while let Some(term) = open.pop_first() {
            let image = self.image(term, &images);
            if image != Some(term) {
                images.insert(term, image);
                open.extend(&parents.of[term as usize]);
            }
        }
        images
    }

    /// The image of a term, given those of its children.
    fn image(&self, term: Term, images: &Images) -> Option<Term> {
        if self.stays(term, images) {
            return Some(term);
        }
        let mut children = Vec::with_capacity(self.terms.children(term).len());
        for &(role, child) in self.terms.children(term) {
            children.push((role, images.get(&child).copied().unwrap_or(Some(child))?));
        }
        children.sort_unstable();
        self.terms.find(self.terms.head(term), children)
    }

    /// Whether a term with many children, few of which are moved, is seen to be its own image: each moved child must be
    /// in as many places, by role, as its image.
    fn stays(&self, term: Term, images: &Images) -> bool {
        const FEW_ROLES: usize = 8;
        let children = self.terms.children(term);
        if children.len() < 4 * images.len() {
            return false;
        }
        let mut roles = Vec::new();
        let mut start = 0;
        while let Some(&(role, _)) = children.get(start) {
            let end = start + children[start..].partition_point(|&(other, _)| other == role);
            roles.push(&children[start..end]);
            start = end;
            if roles.len() > FEW_ROLES {
                return false;
            }
        }
        let count = |children: &[(u32, Term)], term: Term| {
            let from = children.partition_point(|&(_, child)| child < term);
            children[from..].iter().take_while(|&&(_, child)| child == term).count()
        };
        let is_alike = |term: Term, image: Term| roles.iter().all(|role| count(role, term) == count(role, image));
        images.iter().all(|(&child, &image)| match image {
            Some(image) => is_alike(child, image),
            None => roles.iter().all(|role| count(role, child) == 0),
        })
    }

    /// The name of an event that is mapped to something that does not happen.
    fn lost_event(&self, events: Term, images: &Images) -> String {
        let children = self.terms.children(events);
        let happens = |image: Term| children.iter().any(|&(_, child)| child == image);
        let is_lost = |event: Term| images.get(&event).is_some_and(|image| !image.is_some_and(happens));
        let lost = children.iter().find(|&&(_, event)| is_lost(event));
        lost.map_or_else(String::new, |&(_, event)| self.name_of_event(event))
    }
}
