//! What symmetries permute: the variables of a state, and the values of some of them.
//!
//! A *point* is a variable or, after the variables, that a variable has a certain value. A symmetry maps variables to
//! variables and, with a variable, its values to those of the image: it moves the value of `next[1]` to `next[2]` and
//! renames it on the way. A state with values is a state of points, where the point of each value that a variable has is
//! 1, all points of other values are 0, and so are the variables themselves: what permutes points acts on such a state as
//! on one of variables alone.

use std::ops::Range;
use std::sync::Arc;

use mandala_group::{Orbits, Permutation};
use mandala_model::system::System;

use super::behaviour::Behaviour;
use super::check::Parents;
use super::domains::Domains;
use super::leader::{Leader, Leaders, moved};
use super::terms::Terms;
use super::{Broken, Preserved, Symmetry, Unknown};

/// The points that some symmetries permute: all variables, and the values of those of which a value is renamed.
#[derive(Clone, Debug, Default)]
pub struct Points {
    variables: u32,
    /// Of which variable, and which, in ascending order.
    values: Vec<(u32, i32)>,
    /// Which values all variables can have, as far as that was relied upon.
    pub(super) domains: Arc<Domains>,
}

impl Points {
    /// Variables alone.
    pub fn of_variables(variables: usize) -> Points {
        Points { variables: variables as u32, ..Points::default() }
    }

    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.variables as usize
    }

    /// How many points there are.
    pub fn count(&self) -> usize {
        self.variables as usize + self.values.len()
    }

    /// Whether values of variables are renamed.
    pub fn have_values(&self) -> bool {
        !self.values.is_empty()
    }

    /// The variables whose values are renamed, in ascending order.
    pub fn renamed(&self) -> Vec<u32> {
        let mut variables: Vec<u32> = self.values.iter().map(|&(variable, _)| variable).collect();
        variables.dedup();
        variables
    }

    /// The variable that a point is, or is a value of.
    pub fn variable(&self, point: u32) -> u32 {
        self.value(point).map_or(point, |(variable, _)| variable)
    }

    /// Of which variable a point is a value, and which; nothing if it is a variable.
    pub fn value(&self, point: u32) -> Option<(u32, i32)> {
        self.values.get(point.checked_sub(self.variables)? as usize).copied()
    }

    /// The points of the values of a variable.
    pub fn values_of(&self, variable: u32) -> Range<u32> {
        let at = |from: u32| self.variables + self.values.partition_point(|&(of, _)| of < from) as u32;
        at(variable)..at(variable.saturating_add(1))
    }

    fn point(&self, variable: u32, value: i32) -> Option<u32> {
        let at = self.values.binary_search(&(variable, value)).ok()?;
        Some(self.variables + at as u32)
    }

    /// The points that permutations of the points of some terms need, and the permutations on these: where all of them
    /// leave the values of a variable their numbers, the values go without saying. Also where each point has gone.
    pub(super) fn needed(
        terms: &Terms, domains: &Arc<Domains>, permutations: &[Permutation],
    ) -> (Points, Vec<Permutation>, Vec<u32>) {
        let variables = terms.variables() as u32;
        let all = terms.values();
        let value = |point: u32| point.checked_sub(variables).and_then(|at| all.get(at as usize)).copied();
        let mut orbits = Orbits::under(terms.points(), permutations);
        let mut is_renamed = vec![false; terms.points()];
        for &(point, image) in permutations.iter().flat_map(|one| one.moves()) {
            if let (Some((variable, from)), Some((_, to))) = (value(point), value(image)) {
                is_renamed[orbits.find(variable) as usize] |= from != to;
            }
        }
        let values: Vec<(u32, i32)> =
            all.iter().copied().filter(|&(variable, _)| is_renamed[orbits.find(variable) as usize]).collect();
        let points = Points { variables, values, domains: Arc::clone(domains) };
        let places = (0..terms.points() as u32).map(|point| match value(point) {
            None => point,
            Some((variable, value)) => points.point(variable, value).unwrap_or(variable),
        });
        let places: Vec<u32> = places.collect();
        let is_needed =
            |point: u32| value(point).is_none_or(|(variable, value)| points.point(variable, value).is_some());
        let permutations = permutations.iter().filter_map(|one| {
            let moves = one.moves().iter().filter(|&&(point, _)| is_needed(point));
            Permutation::from_moves(moves.map(|&(from, to)| (places[from as usize], places[to as usize])).collect())
        });
        let permutations = permutations.collect();
        (points, permutations, places)
    }

    /// A permutation on all points of some terms: what is not said keeps its number.
    pub(super) fn on_all(&self, terms: &Terms, permutation: &Permutation) -> Option<Permutation> {
        if terms.values().is_empty() {
            return Some(permutation.clone());
        }
        // A value that is renamed, and of which nothing is known there, cannot be spoken of.
        let is_there = |point: u32| self.value(point).is_none_or(|(of, value)| terms.value(of, value).is_some());
        if !permutation.support().all(is_there) {
            return None;
        }
        // Where neither a variable nor one of its values is moved, there is nothing to say.
        let mut touched: Vec<u32> = permutation.support().map(|point| self.variable(point)).collect();
        touched.sort_unstable();
        touched.dedup();
        let is_variable = |&&(point, _): &&(u32, u32)| point < self.variables;
        let mut moves: Vec<(u32, u32)> = permutation.moves().iter().filter(is_variable).copied().collect();
        for variable in touched {
            let image = permutation.image(variable);
            for &(_, value) in terms.domain(variable).unwrap_or_default() {
                let to = match self.point(variable, value) {
                    Some(point) => self.value(permutation.image(point))?,
                    None => (image, value),
                };
                moves.push((terms.value(variable, value)?, terms.value(to.0, to.1)?));
            }
        }
        Permutation::from_moves(moves)
    }

    /// The same variables and domains, where no value is spoken of.
    pub(super) fn without_values(&self) -> Points {
        Points { values: Vec::new(), ..self.clone() }
    }

    /// Checks permutations of these points: for each, what it would change. That no variable ever has another value than
    /// it is said to is checked, too.
    pub fn check(
        &self, system: &System, preserved: &Preserved<'_>, permutations: &[Permutation],
    ) -> Result<Vec<Result<(), Broken>>, Unknown> {
        if !self.domains.are_closed(system) {
            return Ok(permutations.iter().map(|_| Err(Broken::Values)).collect());
        }
        let behaviour = Behaviour::new(system, preserved, &self.domains)?;
        let tops: Vec<u32> = behaviour.tops.iter().map(|&(_, top)| top).collect();
        let parents = Parents::new(&behaviour.terms, &tops);
        Ok(permutations.iter().map(|one| self.verified(&behaviour, &parents, one).map(|_| ())).collect())
    }

    /// A permutation on all points of a behaviour with these domains, if it is a symmetry.
    pub(super) fn verified(
        &self, behaviour: &Behaviour<'_>, parents: &Parents, permutation: &Permutation,
    ) -> Result<Permutation, Broken> {
        let on_all = self.on_all(&behaviour.terms, permutation).ok_or(Broken::Values)?;
        behaviour.check(parents, &on_all).map(|()| on_all)
    }

    /// What a permutation of these points does to variables and values.
    pub fn symmetry(&self, permutation: &Permutation) -> Symmetry {
        let moves = permutation.moves().iter().filter(|&&(point, _)| point < self.variables);
        let variables = Permutation::from_moves(moves.copied().collect()).unwrap_or_default();
        let renamed = self.renamed().into_iter().map(|variable| (variable, self.renaming(variable, permutation)));
        let is_other = |(_, renaming): &(u32, Vec<(i32, i32)>)| renaming.iter().any(|(from, to)| from != to);
        Symmetry { variables, values: renamed.filter(is_other).collect() }
    }

    /// What each value of a variable becomes.
    pub fn renaming(&self, variable: u32, permutation: &Permutation) -> Vec<(i32, i32)> {
        let image = |point: u32| Some((self.value(point)?.1, self.value(permutation.image(point))?.1));
        self.values_of(variable).filter_map(image).collect()
    }

    /// Whether a permutation of these points leaves a state of variables alone.
    pub fn leaves_alone(&self, state: &[i32], permutation: &Permutation) -> bool {
        permutation.moves().iter().all(|&(point, image)| match (self.value(point), self.value(image)) {
            (Some((variable, value)), Some((to, renamed))) => {
                (state[variable as usize] == value) == (state[to as usize] == renamed)
            }
            _ if self.values_of(point).is_empty() => state[point as usize] == state[image as usize],
            _ => true,
        })
    }

    /// A state of variables as one of points; nothing if a variable has a value that has no point.
    pub fn extended(&self, state: &[i32]) -> Option<Vec<i32>> {
        let mut points = state.to_vec();
        points.resize(self.count(), 0);
        for variable in self.renamed() {
            let value = std::mem::take(points.get_mut(variable as usize)?);
            points[self.point(variable, value)? as usize] = 1;
        }
        Some(points)
    }

    /// A state of points as one of variables.
    pub fn restricted(&self, points: &[i32]) -> Vec<i32> {
        let mut state = points[..points.len().min(self.variables())].to_vec();
        for (&(variable, value), &is_there) in self.values.iter().zip(points.iter().skip(self.variables())) {
            if is_there != 0
                && let Some(place) = state.get_mut(variable as usize)
            {
                *place = value;
            }
        }
        state
    }
}

impl Points {
    /// The image of a state of variables under a permutation of these points; nothing if a variable has a value that has
    /// no point.
    pub fn image(&self, state: &[i32], permutation: &Permutation) -> Option<Vec<i32>> {
        if permutation.is_identity() {
            return Some(state.to_vec());
        }
        if !self.have_values() {
            return Some(moved(state, permutation));
        }
        Some(self.restricted(&moved(&self.extended(state)?, permutation)))
    }
}

impl Leaders {
    /// The leader of the orbit of a state, and a symmetry that maps the state to it. Nothing if that would take too long.
    pub fn leader_with_symmetry(&self, state: &[i32]) -> Option<(Vec<i32>, Permutation)> {
        let symmetry = match self.points.have_values() {
            false => self.symmetry_to_leader(state)?,
            true => self.symmetry_to_leader(&self.points.extended(state)?)?,
        };
        Some((self.points.image(state, &symmetry)?, symmetry))
    }

    /// The leader of the orbit of a state. Nothing if that would take too long.
    pub fn leader(&self, state: &[i32]) -> Option<Leader> {
        if !self.points.have_values() {
            return self.leader_of_points(state);
        }
        let leader = self.leader_of_points(&self.points.extended(state)?)?;
        Some(Leader { state: self.points.restricted(&leader.state), ..leader })
    }
}
