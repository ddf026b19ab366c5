//! Cells of colours, and the net with few colours in each.
//!
//! If a transition has `m` variables of a class, a binding names at most `m` colours of a cell, and treats all others of the cell
//! alike. So `m + 1` colours of each cell are enough to see what all bindings do, however large the class: that net is unfolded.

use super::choose::Choice;
use super::{CannotCount, Cell};
use crate::coloured::cells::{ClassCells, Telling, cells, with_few};
use crate::coloured::evaluate::Evaluator;
use crate::coloured::expression::{BagExpression, Element, Term, Tokens};
use crate::coloured::unfold::CannotUnfold;
use crate::coloured::value::{Bag, Token, Value};
use crate::coloured::{ColouredNet, Sort};
use rustc_hash::FxHashMap;

/// A net with few colours in each cell.
pub(super) struct Reduced {
    /// The net.
    pub net: ColouredNet,
    /// The cells of all counted classes.
    pub cells: Vec<Cell>,
    /// For each class, if it is counted, the cell of each colour of the net with few colours.
    pub cell_of: Vec<Option<Vec<u32>>>,
    /// For each place, which component of its tokens is of a counted class.
    pub counted_at: Vec<Option<usize>>,
}

impl Reduced {
    /// The class and the colour that is counted in a token, and the token without it.
    pub fn split(&self, place: u32, token: &[Value]) -> Option<((u32, u32), Token)> {
        let at = self.counted_at[place as usize]?;
        let Value::Colour(colour) = token[at] else { return None };
        let mut rest = token.to_vec();
        rest.remove(at);
        Some(((self.net.places[place as usize].domain[at].class(), colour), rest))
    }
}

/// Finds the cells of colours that neither transitions nor the initial marking tell apart, and the net with few colours of each.
pub(super) fn reduce(net: &ColouredNet, choice: &Choice) -> Result<Reduced, CannotCount> {
    let is_counted = |sort: &Sort| choice.counted.iter().any(|one| one.class == sort.class());
    let counted_at: Vec<Option<usize>> =
        net.places.iter().map(|place| place.domain.iter().position(is_counted)).collect();
    let known = cells(net, Telling::InitialMarking);
    let finer = choice.counted.iter().map(|one| {
        let alone = || (0..net.classes[one.class as usize].len()).map(|one| vec![one]).collect();
        let known = known.iter().find(|known| known.class == one.class).cloned();
        known.unwrap_or_else(|| ClassCells { class: one.class, cells: alone() })
    });
    let finer: Vec<ClassCells> = finer.collect();
    let few = with_few(net, &finer, &|_, _| 1);
    let initial = initial_tokens(&few)?;
    let mut refined = Vec::new();
    for (coarse, fine) in choice.counted.iter().zip(&finer) {
        refined.push(ClassCells { class: coarse.class, cells: refine(coarse, fine, &few, &initial) });
    }
    let sizes: Vec<usize> = refined.iter().map(|one| variables_of(net, one.class) + 1).collect();
    let mut reduced = with_few(net, &refined, &|class, _| sizes[class]);
    set_initial(&mut reduced, &few, &initial, &finer, (&refined, &sizes), &counted_at);
    let mut cells = Vec::new();
    let mut cell_of = vec![None; net.classes.len()];
    for (one, &size) in refined.into_iter().zip(&sizes) {
        let mut of = Vec::new();
        for colours in one.cells {
            of.extend(std::iter::repeat_n(cells.len() as u32, colours.len().min(size)));
            cells.push(Cell { class: one.class, colours });
        }
        cell_of[one.class as usize] = Some(of);
    }
    Ok(Reduced { net: reduced, cells, cell_of, counted_at })
}

/// How many colours of a class a transition names at most.
fn variables_of(net: &ColouredNet, class: u32) -> usize {
    let own = |transition: &crate::coloured::Transition| {
        transition.variables.iter().filter(|variable| variable.sort == Sort::Colour(class)).count()
    };
    net.transitions.iter().map(own).max().unwrap_or(0)
}

/// The initial marking of a net.
fn initial_tokens(net: &ColouredNet) -> Result<Vec<Bag<Token>>, CannotCount> {
    let evaluator = Evaluator::constant(net);
    let of_place = |place: &crate::coloured::Place| {
        let too_many = |_| CannotCount::Unfold(CannotUnfold::TooManyTokens { whose: place.name.clone() });
        evaluator.tokens(&place.initial).map_err(too_many)
    };
    net.places.iter().map(of_place).collect()
}

/// The cells of a class, divided by the local states that their colours have in the beginning. A fine cell is a part of a coarse
/// one; the net has one colour of each fine cell.
fn refine(coarse: &ClassCells, fine: &ClassCells, few: &ColouredNet, initial: &[Bag<Token>]) -> Vec<Vec<u32>> {
    let coarse_of: FxHashMap<u32, usize> =
        coarse.cells.iter().enumerate().flat_map(|(at, cell)| cell.iter().map(move |&colour| (colour, at))).collect();
    type LocalState = Vec<(usize, Token, u32)>;
    let mut states: Vec<LocalState> = vec![Vec::new(); fine.cells.len()];
    for (place, tokens) in initial.iter().enumerate() {
        let Some(at) = few.places[place].domain.iter().position(|sort| *sort == Sort::Colour(coarse.class)) else {
            continue;
        };
        for (mut token, times) in tokens.iter() {
            if let Value::Colour(colour) = token.remove(at) {
                states[colour as usize].push((place, token, times));
            }
        }
    }
    let mut merged: FxHashMap<(usize, LocalState), Vec<u32>> = FxHashMap::default();
    for (cell, state) in fine.cells.iter().zip(states) {
        merged.entry((coarse_of[&cell[0]], state)).or_default().extend(cell);
    }
    let mut cells: Vec<Vec<u32>> = merged.into_values().collect();
    cells.iter_mut().for_each(|cell| cell.sort_unstable());
    cells.sort_unstable();
    cells
}

/// Gives the colours of each refined cell the local state that the colours of its fine cells have.
fn set_initial(
    reduced: &mut ColouredNet, few: &ColouredNet, initial: &[Bag<Token>], finer: &[ClassCells],
    refined: (&[ClassCells], &[usize]), counted_at: &[Option<usize>],
) {
    // Which colours of the result a colour of `few` stands for. Of the fine cells of a refined one, which all have the same local
    // state, the first does.
    let mut stands_for: FxHashMap<(u32, u32), std::ops::Range<u32>> = FxHashMap::default();
    for ((fine, refined), &size) in finer.iter().zip(refined.0).zip(refined.1) {
        let fine_of: FxHashMap<u32, u32> =
            (0..).zip(&fine.cells).flat_map(|(at, cell)| cell.iter().map(move |&colour| (colour, at))).collect();
        let mut first = 0;
        for cell in &refined.cells {
            let end = first + cell.len().min(size) as u32;
            stands_for.insert((fine.class, fine_of[&cell[0]]), first..end);
            first = end;
        }
    }
    for (place, tokens) in initial.iter().enumerate() {
        let mut sum = Vec::new();
        for (token, times) in tokens.iter() {
            let put = |token: &[Value]| {
                let elements = token.iter().zip(&few.places[place].domain).map(|(value, sort)| constant(*sort, value));
                Tokens::Times(times, Box::new(Tokens::Tuple(elements.collect())))
            };
            match counted_at[place] {
                None => sum.push(put(&token)),
                Some(at) => {
                    let Value::Colour(colour) = token[at] else { continue };
                    let class = few.places[place].domain[at].class();
                    for colour in stands_for.get(&(class, colour)).cloned().into_iter().flatten() {
                        let mut token = token.clone();
                        token[at] = Value::Colour(colour);
                        sum.push(put(&token));
                    }
                }
            }
        }
        reduced.places[place].initial = Tokens::Sum(sum);
    }
}

fn constant(sort: Sort, value: &Value) -> Element {
    let one = |colour: u32| BagExpression::One(Term::Constant { class: sort.class(), colour });
    match value {
        Value::Colour(colour) => Element::Each(one(*colour)),
        Value::Bag(bag) => {
            let members = bag.iter().map(|(colour, times)| BagExpression::Times(times, Box::new(one(colour))));
            Element::Whole(BagExpression::Sum(members.collect()))
        }
    }
}
