//! What the elements of a formula mean.

use super::Logic;
use crate::expression::{Comparison, Integer, UnaryOperator as IntegerOperator};
use crate::property::{Atom, BinaryOperator, Formula, Quantifier, Question, UnaryOperator};
use crate::system::Location;
use crate::text::xml::{Fault, fault};
use crate::text::{Problem, Span};

/// How deep operators nest at most, where conjunctions right inside of conjunctions count as one, and disjunctions too.
pub const DEEPEST: usize = 256;

/// The elements that formulas are made of, but for names and numbers.
pub(super) const OPERATORS: [&str; 27] = [
    "true",
    "false",
    "deadlock",
    "is-deadlock",
    "is-fireable",
    "negation",
    "conjunction",
    "disjunction",
    "implication",
    "integer-eq",
    "integer-ne",
    "integer-lt",
    "integer-le",
    "integer-gt",
    "integer-ge",
    "integer-sum",
    "integer-difference",
    "tokens-count",
    "place-bound",
    "all-paths",
    "exists-path",
    "next",
    "finally",
    "globally",
    "until",
    "before",
    "reach",
];

/// Whether formulas have such an element.
pub(super) fn is_operator(name: &str) -> bool {
    OPERATORS.contains(&name)
}

/// What an element has become.
pub(super) enum Part {
    Formula(Built),
    /// An integer, with how deep it nests.
    Integer(Integer<Location>, usize),
    /// A place, or all places that it was unfolded into.
    Place(Vec<Location>),
    /// A transition, or all that it was unfolded into, with those that fire where it fails.
    Transition(Vec<Location>),
    /// The left side of an until.
    Before(Built),
    /// The right side of an until.
    Reach(Built),
    /// The bounds of an integer.
    Bound(Integer<Location>),
    /// An outermost `<all-paths>` that is the only quantifier, taken off.
    AllRuns(Built),
    /// Something is wrong with it, and that has been said.
    Wrong,
}

/// A formula with what must be known of it.
pub(super) struct Built {
    formula: Formula,
    depth: usize,
    bare: Bare,
}

/// Where a formula has temporal operators without a quantifier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Bare {
    Nowhere,
    /// Only its outermost operator is one.
    OnTop,
    Below,
}

impl Part {
    /// A number.
    pub fn constant(number: i32) -> Part {
        Part::Integer(Integer::Constant(number), 1)
    }

    fn state(formula: Formula) -> Part {
        Part::Formula(Built { formula, depth: 1, bare: Bare::Nowhere })
    }
}

/// What an element becomes, given its parts.
pub(super) fn build(name: &str, span: Span, parts: Vec<Part>) -> Result<Part, Fault> {
    if parts.iter().any(|part| matches!(part, Part::Wrong)) {
        return Ok(Part::Wrong);
    }
    let at = At { name, span };
    match name {
        "true" | "false" => at.leaf(parts, Formula::Constant(name == "true")),
        "deadlock" | "is-deadlock" => at.leaf(parts, Formula::Deadlock),
        "is-fireable" => {
            Ok(Part::state(Formula::Atom(Atom::Fireable(at.some(parts, "transitions", as_transition)?.concat()))))
        }
        "tokens-count" => Ok(Part::Integer(sum(at.some(parts, "places", as_place)?.concat()), 2)),
        "place-bound" => Ok(Part::Bound(sum(at.some(parts, "places", as_place)?.concat()))),
        "integer-sum" => {
            let terms = at.some(parts, "integers", as_integer)?;
            let depth = terms.iter().map(|term| term.1).max().unwrap_or(0) + 1;
            Ok(Part::Integer(Integer::Sum(terms.into_iter().map(|term| term.0).collect()), at.limited(depth)?))
        }
        "integer-difference" => {
            let [(a, depth_a), (b, depth_b)] = at.exactly(parts, "integers", as_integer)?;
            let minus_b = Integer::Unary(IntegerOperator::Minus, Box::new(b));
            Ok(Part::Integer(Integer::Sum(vec![a, minus_b]), at.limited(depth_a.max(depth_b) + 2)?))
        }
        "before" => at.exactly(parts, "formula", as_formula).map(|[built]| Part::Before(built)),
        "reach" => at.exactly(parts, "formula", as_formula).map(|[built]| Part::Reach(built)),
        "until" => at.until(parts),
        "next" => at.temporal(parts, UnaryOperator::Next),
        "finally" => at.temporal(parts, UnaryOperator::Finally),
        "globally" => at.temporal(parts, UnaryOperator::Globally),
        _ => at.boolean(parts),
    }
}

/// What a quantifier becomes. `alone` says that it is the outermost element of the formula and its only quantifier.
pub(super) fn quantify(quantifier: Quantifier, span: Span, parts: Vec<Part>, alone: bool) -> Result<Part, Fault> {
    if parts.iter().any(|part| matches!(part, Part::Wrong)) {
        return Ok(Part::Wrong);
    }
    let name = if quantifier == Quantifier::All { "all-paths" } else { "exists-path" };
    let [built] = At { name, span }.exactly(parts, "formula", as_formula)?;
    if alone && quantifier == Quantifier::All {
        return Ok(Part::AllRuns(built));
    }
    let formula = match (built.formula, built.bare) {
        (formula, Bare::OnTop) => quantified(quantifier, formula),
        _ => {
            let problem = Problem::new(span, "a formula that is neither of CTL nor of LTL");
            let problem =
                problem.label(format!("`<{name}>` is not right above the only temporal operator it speaks of"));
            let help = "in CTL a quantifier is right above each temporal operator; \
                        in LTL there is one, an outermost `<all-paths>`";
            return fault(problem.help(help));
        }
    };
    Ok(Part::Formula(Built { formula, depth: built.depth, bare: Bare::Nowhere }))
}

/// A formula with a quantifier on its outermost operator, which has none.
fn quantified(quantifier: Quantifier, formula: Formula) -> Formula {
    match formula {
        Formula::Unary(_, operator, f) => Formula::Unary(quantifier, operator, f),
        Formula::Binary(_, operator, f, g) => Formula::Binary(quantifier, operator, f, g),
        other => other,
    }
}

/// What a `<formula>` asks, as far as it can be told without the logic of its file.
#[derive(Debug)]
pub(super) enum Reading {
    /// The same in both logics.
    Same(Question),
    /// A formula that only this logic has.
    Only(Logic, Question),
    /// `<all-paths>` over one temporal operator, which both logics have. The formula is without the quantifier.
    Both(Formula),
}

impl Reading {
    /// Whether its logic must be known: CTL and LTL disagree about the next state of a state that has none.
    pub fn is_ambiguous(&self) -> bool {
        matches!(self, Reading::Both(Formula::Unary(_, UnaryOperator::Next, _)))
    }

    /// The question in a logic; an `Err` with the logic that has the formula if that is another one.
    pub fn question(self, logic: Logic) -> Result<Question, Logic> {
        match self {
            Reading::Only(only, _) if only != logic => Err(only),
            Reading::Same(question) | Reading::Only(_, question) => Ok(question),
            Reading::Both(formula) if logic == Logic::Ctl => Ok(Question::Ctl(quantified(Quantifier::All, formula))),
            Reading::Both(formula) => Ok(Question::Ltl(formula)),
        }
    }
}

/// What a `<formula>` asks, given its parts. `None` if something is wrong with them that has been said.
pub(super) fn reading(span: Span, parts: Vec<Part>) -> Result<Option<Reading>, Fault> {
    let [part] = (At { name: "formula", span }).exactly(parts, "formula", Some)?;
    Ok(Some(match part {
        Part::Wrong => return Ok(None),
        Part::Bound(integer) => Reading::Same(Question::Bounds(integer)),
        Part::AllRuns(Built { formula, bare, .. }) => match formula {
            Formula::Unary(_, UnaryOperator::Globally, state) if !state.is_temporal() => {
                Reading::Same(Question::Invariant(*state))
            }
            formula if bare == Bare::OnTop => Reading::Both(formula),
            formula => Reading::Only(Logic::Ltl, Question::Ltl(formula)),
        },
        Part::Formula(Built { bare: Bare::OnTop | Bare::Below, .. }) => {
            let problem = Problem::new(span, "a temporal operator without a quantifier above it");
            return fault(problem.help("put `<all-paths>` around the whole formula if it is of LTL"));
        }
        Part::Formula(Built { formula, .. }) => match formula {
            Formula::Unary(Quantifier::Exists, UnaryOperator::Finally, state) if !state.is_temporal() => {
                Reading::Only(Logic::Ctl, Question::Reachable(*state))
            }
            formula if formula.is_temporal() => Reading::Only(Logic::Ctl, Question::Ctl(formula)),
            formula => Reading::Same(Question::Ctl(formula)),
        },
        _ => return fault(Problem::new(span, "a formula that is neither true nor false").label("expected a formula")),
    }))
}

fn as_formula(part: Part) -> Option<Built> {
    if let Part::Formula(built) = part { Some(built) } else { None }
}

fn as_integer(part: Part) -> Option<(Integer<Location>, usize)> {
    if let Part::Integer(integer, depth) = part { Some((integer, depth)) } else { None }
}

fn as_place(part: Part) -> Option<Vec<Location>> {
    if let Part::Place(place) = part { Some(place) } else { None }
}

fn as_transition(part: Part) -> Option<Vec<Location>> {
    if let Part::Transition(transition) = part { Some(transition) } else { None }
}

/// The tokens of places, added up.
fn sum(mut places: Vec<Location>) -> Integer<Location> {
    match (places.pop(), places.is_empty()) {
        (Some(only), true) => Integer::Variable(only),
        (last, _) => Integer::Sum(places.into_iter().chain(last).map(Integer::Variable).collect()),
    }
}

/// The element that is being built.
struct At<'n> {
    name: &'n str,
    span: Span,
}

impl At<'_> {
    fn leaf(&self, parts: Vec<Part>, formula: Formula) -> Result<Part, Fault> {
        self.exactly(parts, "children", Some).map(|[]| Part::state(formula))
    }

    /// Operators on formulas that are not temporal, and comparisons.
    fn boolean(&self, parts: Vec<Part>) -> Result<Part, Fault> {
        match self.name {
            "negation" => {
                let [built] = self.exactly(parts, "formula", as_formula)?;
                self.combined(vec![built], |mut parts| Formula::Not(Box::new(parts.remove(0))))
            }
            "conjunction" => self.combined(self.some(parts, "formulas", as_formula)?, Formula::And),
            "disjunction" => self.combined(self.some(parts, "formulas", as_formula)?, Formula::Or),
            "implication" => {
                let [mut premise, conclusion] = self.exactly(parts, "formulas", as_formula)?;
                premise.formula = Formula::Not(Box::new(premise.formula));
                premise.depth += 1;
                self.combined(vec![premise, conclusion], Formula::Or)
            }
            _ => self.comparison(parts),
        }
    }

    fn combined(&self, parts: Vec<Built>, make: impl FnOnce(Vec<Formula>) -> Formula) -> Result<Part, Fault> {
        let depth = self.limited(parts.iter().map(|part| part.depth).max().unwrap_or(0) + 1)?;
        let bare = if parts.iter().all(|part| part.bare == Bare::Nowhere) { Bare::Nowhere } else { Bare::Below };
        let formula = make(parts.into_iter().map(|part| part.formula).collect());
        Ok(Part::Formula(Built { formula, depth, bare }))
    }

    fn comparison(&self, parts: Vec<Part>) -> Result<Part, Fault> {
        let comparison = match self.name {
            "integer-eq" => Comparison::Equal,
            "integer-ne" => Comparison::NotEqual,
            "integer-lt" => Comparison::Less,
            "integer-le" => Comparison::LessOrEqual,
            "integer-gt" => Comparison::Greater,
            "integer-ge" => Comparison::GreaterOrEqual,
            name => return fault(Problem::new(self.span, format!("`<{name}>` is not known in formulas"))),
        };
        let [(a, depth_a), (b, depth_b)] = self.exactly(parts, "integers", as_integer)?;
        let depth = self.limited(depth_a.max(depth_b) + 1)?;
        let formula = Formula::Atom(Atom::Compare(comparison, a, b));
        Ok(Part::Formula(Built { formula, depth, bare: Bare::Nowhere }))
    }

    fn temporal(&self, parts: Vec<Part>, operator: UnaryOperator) -> Result<Part, Fault> {
        let [built] = self.exactly(parts, "formula", as_formula)?;
        let depth = self.limited(built.depth + 1)?;
        let formula = Formula::Unary(Quantifier::None, operator, Box::new(built.formula));
        Ok(Part::Formula(Built { formula, depth, bare: above(built.bare) }))
    }

    fn until(&self, parts: Vec<Part>) -> Result<Part, Fault> {
        let [first, second] = self.exactly(parts, "children", Some)?;
        let (Part::Before(before), Part::Reach(reach)) = (first, second) else {
            let problem = Problem::new(self.span, "an `<until>` without its two sides");
            return fault(problem.label("expected `<before>` and then `<reach>` in it"));
        };
        let depth = self.limited(before.depth.max(reach.depth) + 1)?;
        let bare = above(before.bare.max(reach.bare));
        let (before, reach) = (Box::new(before.formula), Box::new(reach.formula));
        let formula = Formula::Binary(Quantifier::None, BinaryOperator::Until, before, reach);
        Ok(Part::Formula(Built { formula, depth, bare }))
    }

    /// A depth, if that is not too deep.
    fn limited(&self, depth: usize) -> Result<usize, Fault> {
        if depth <= DEEPEST {
            return Ok(depth);
        }
        let problem = Problem::new(self.span, format!("operators are nested more than {DEEPEST} deep"));
        fault(problem.help("write it with fewer levels; conjunctions in conjunctions count as one"))
    }

    /// One part or more of a kind.
    fn some<T>(&self, parts: Vec<Part>, what: &str, kind: fn(Part) -> Option<T>) -> Result<Vec<T>, Fault> {
        if parts.is_empty() {
            return self.wrong(&format!("expected {what} in it"));
        }
        parts
            .into_iter()
            .map(kind)
            .collect::<Option<_>>()
            .map_or_else(|| self.wrong(&format!("expected {what} in it")), Ok)
    }

    /// So many parts of a kind.
    fn exactly<T, const N: usize>(
        &self, parts: Vec<Part>, what: &str, kind: fn(Part) -> Option<T>,
    ) -> Result<[T; N], Fault> {
        let found = parts.len();
        let parts: Option<Vec<T>> = parts.into_iter().map(kind).collect();
        match parts.map(<[T; N]>::try_from) {
            Some(Ok(parts)) => Ok(parts),
            Some(Err(_)) => self.wrong(&format!("expected {N} {what} in it, found {found}")),
            None => self.wrong(&format!("expected {N} {what} in it")),
        }
    }

    fn wrong<T>(&self, label: &str) -> Result<T, Fault> {
        fault(Problem::new(self.span, format!("`<{}>` has the wrong contents", self.name)).label(label))
    }
}

/// Where there are bare operators in a formula with a temporal operator over another one.
fn above(below: Bare) -> Bare {
    if below == Bare::Nowhere { Bare::OnTop } else { Bare::Below }
}
