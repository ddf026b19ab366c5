//! Properties: from written formulas to questions about a system.

use super::super::ledger::{Ledger, Outcome, complaint};
use super::super::print::Reading;
use super::super::syntax::{self, Expression, ExpressionKind, Firing, Over, Parameter, PropertyKind, Reference, Unary};
use super::builder::{Builder, Meaning, Names, no_colours};
use super::directory::Directory;
use super::environment::{Environment, Scope};
use super::meaning::Facts;
use crate::expression::{Boolean, Comparison, Integer};
use crate::formalism::Formalism;
use crate::property::{Atom, Formula, Property, Quantifier, Question, Systems, UnaryOperator};
use crate::system::{Location, System, Type};
use crate::text::{Problem, Span, Unreadable};

/// `<->` is written out, which doubles its operands; nested deeper than this it is refused.
const DEEPEST_EQUIVALENCE: usize = 8;

/// What a file asks.
pub(super) struct Asking<'p> {
    pub properties: &'p [&'p syntax::Property],
    /// Whether constants have other values than the file gives them: then a property may mean nothing, and the system does
    /// not depend on that.
    pub may_be_broken: bool,
}

/// Properties that mean nothing, with what is wrong with each.
type Broken = Vec<(String, Vec<Problem>)>;

/// The properties of a file, and those that mean nothing.
pub(super) fn properties(
    asking: Asking<'_>, types: &[Type], facts: &[Facts], main: usize, environment: &mut Environment<'_>,
    ledger: &mut Ledger,
) -> (Vec<Property>, Broken) {
    let (mut questions, mut broken) = (Vec::new(), Vec::new());
    let Some(root) = types.get(main) else { return (questions, broken) };
    environment.enter(Vec::new());
    let directory = Directory::new(types, facts, root, facts.get(main));
    for property in asking.properties {
        let name = property.name.text.clone();
        let mut own = ledger.apart();
        let used = if asking.may_be_broken { &mut own } else { &mut *ledger };
        match Reader::new(&directory, environment, used).question(property.kind, &property.formula) {
            Ok(question) => questions.push(Property { name, question }),
            Err(_) if asking.may_be_broken => broken.push((name, own.problems())),
            Err(_) => {}
        }
    }
    (questions, broken)
}

/// What a formula asks of a system; its kind is found out if it is not given.
pub(in crate::gal) fn question_of(
    system: &System, scope: &Scope, text: &str, (kind, formula): (Option<PropertyKind>, Expression),
) -> Result<Question, Unreadable> {
    let mut ledger = Ledger::new(text.len());
    let environment = scope.environment();
    let question = system.types.get(system.main).map(|root| {
        let directory = Directory::new(&system.types, &[], root, None).also(&scope.also);
        let mut reader = Reader::new(&directory, &environment, &mut ledger);
        match kind {
            Some(kind) => reader.question(kind, &formula),
            None => reader.guessed(&formula),
        }
    });
    match question {
        Some(Ok(question)) if ledger.is_clean() => Ok(question),
        _ => {
            if ledger.is_clean() {
                ledger.report(Problem::new(formula.span(), "there is no system to ask"));
            }
            Err(Unreadable::new("formula", text, ledger.problems()))
        }
    }
}

/// Which temporal operators a formula has.
#[derive(Clone, Copy, Default)]
struct Operators {
    quantified: bool,
    bare: bool,
}

/// What formulas may speak of: the names of a model, and what becomes of the atoms that use them.
pub(crate) trait Asked: Names {
    /// The formalism of the model.
    type Formalism: Formalism<Quantity = Integer<Self::Variable>>;

    /// The atom of a comparison.
    fn compare(
        comparison: Comparison, left: Integer<Self::Variable>, right: Integer<Self::Variable>,
    ) -> AtomOf<Self::Formalism>;

    /// The atom that one of some transitions can fire.
    fn fireable(
        &self, transitions: &[(Reference, Vec<Expression>)], environment: &Environment<'_>, ledger: &mut Ledger,
    ) -> Outcome<AtomOf<Self::Formalism>>;

    /// The atom that the step that led to a state was one of some transitions.
    fn fired(
        &self, transitions: &[(Reference, Vec<Expression>)], environment: &Environment<'_>, ledger: &mut Ledger,
    ) -> Outcome<AtomOf<Self::Formalism>>;

    /// The atom that one of some transitions can fire with a binding that matches. Only coloured nets have these.
    fn fireable_with(
        &self, firings: &[Firing], _: &Environment<'_>, ledger: &mut Ledger,
    ) -> Outcome<AtomOf<Self::Formalism>> {
        let span = firings.first().map_or(Span::default(), |first| first.transition.span());
        Err(ledger.report(no_colours(span)))
    }

    /// The atom that the step that led to a state was one of some transitions with a binding that matches.
    fn fired_with(
        &self, firings: &[Firing], environment: &Environment<'_>, ledger: &mut Ledger,
    ) -> Outcome<AtomOf<Self::Formalism>> {
        self.fireable_with(firings, environment, ledger)
    }
}

type AtomOf<F> = <F as Formalism>::Atom;
type FormulaOf<N> = Formula<AtomOf<<N as Asked>::Formalism>>;

impl Directory<'_> {
    /// All transitions of a list.
    fn locations(
        &self, transitions: &[(Reference, Vec<Expression>)], environment: &Environment<'_>, ledger: &mut Ledger,
    ) -> Outcome<Vec<Location>> {
        let mut locations = Vec::new();
        for (reference, arguments) in transitions {
            locations.extend(self.transitions(reference, arguments, environment, ledger)?);
        }
        Ok(locations)
    }
}

impl Asked for Directory<'_> {
    type Formalism = Systems;

    fn compare(comparison: Comparison, left: Integer<Location>, right: Integer<Location>) -> Atom {
        Atom::Compare(comparison, left, right)
    }

    fn fireable(
        &self, transitions: &[(Reference, Vec<Expression>)], environment: &Environment<'_>, ledger: &mut Ledger,
    ) -> Outcome<Atom> {
        self.locations(transitions, environment, ledger).map(Atom::Fireable)
    }

    fn fired(
        &self, transitions: &[(Reference, Vec<Expression>)], environment: &Environment<'_>, ledger: &mut Ledger,
    ) -> Outcome<Atom> {
        self.locations(transitions, environment, ledger).map(Atom::Fired)
    }
}

/// Makes questions of formulas.
pub(crate) struct Reader<'r, 'a, N> {
    pub names: &'r N,
    pub environment: &'r Environment<'a>,
    pub ledger: &'r mut Ledger,
    equivalences: usize,
}

impl<'r, 'a, N: Asked> Reader<'r, 'a, N> {
    pub fn new(names: &'r N, environment: &'r Environment<'a>, ledger: &'r mut Ledger) -> Reader<'r, 'a, N> {
        Reader { names, environment, ledger, equivalences: 0 }
    }

    fn builder(&mut self) -> Builder<'_, 'a, N> {
        Builder { names: self.names, environment: self.environment, ledger: self.ledger }
    }

    /// What a formula of a kind asks.
    pub fn question(&mut self, kind: PropertyKind, expression: &Expression) -> Outcome<Question<N::Formalism>> {
        if kind == PropertyKind::Bounds {
            self.refuse_condition(expression)?;
            return Ok(Question::Bounds(self.builder().integer(expression)?));
        }
        self.refuse_operators(kind, expression)?;
        let formula = self.formula(expression)?;
        Ok(match kind {
            PropertyKind::Reachable => Question::Reachable(formula),
            PropertyKind::Invariant => Question::Invariant(formula),
            PropertyKind::Never => Question::Never(formula),
            PropertyKind::Ctl => Question::Ctl(formula),
            PropertyKind::CtlStar => Question::CtlStar(formula),
            PropertyKind::Ltl | PropertyKind::Bounds => Question::Ltl(formula),
        })
    }

    /// A formula whose kind is not given: `EF p` and `AG p` ask for a state, quantifiers are CTL, temporal operators
    /// without them LTL, both together CTL*, and what speaks of one state is an invariant.
    pub fn guessed(&mut self, expression: &Expression) -> Outcome<Question<N::Formalism>> {
        let operators = operators(expression);
        let kind = match operators {
            Operators { quantified: true, bare: true } => PropertyKind::CtlStar,
            Operators { quantified: true, .. } => PropertyKind::Ctl,
            Operators { bare: true, .. } => PropertyKind::Ltl,
            _ => PropertyKind::Invariant,
        };
        Ok(match self.question(kind, expression)? {
            Question::Ctl(Formula::Unary(Quantifier::Exists, UnaryOperator::Finally, inner))
                if of_one_state(&inner) =>
            {
                Question::Reachable(*inner)
            }
            Question::Ctl(Formula::Unary(Quantifier::All, UnaryOperator::Globally, inner)) if of_one_state(&inner) => {
                Question::Invariant(*inner)
            }
            question => question,
        })
    }

    /// Reports a condition where the bounds of an integer are asked for.
    fn refuse_condition(&mut self, expression: &Expression) -> Outcome<()> {
        let is_condition = match &expression.kind {
            ExpressionKind::Number(_)
            | ExpressionKind::Parameter(_)
            | ExpressionKind::Reference(_)
            | ExpressionKind::Matching(..)
            | ExpressionKind::Over(Over::Sum, ..)
            | ExpressionKind::Chain(..) => false,
            ExpressionKind::Unary(operator, _) => *operator == Unary::Not,
            _ => true,
        };
        if !is_condition {
            return Ok(());
        }
        let problem = Problem::new(expression.span(), "expected an integer, found a condition")
            .label("this holds or not, and has no bounds")
            .help(
                "ask for the bounds of a sum such as `x + y`, or whether the condition is `reachable` or `invariant`",
            );
        Err(self.ledger.report(problem))
    }

    /// Reports temporal operators that a kind of property does not have.
    fn refuse_operators(&mut self, kind: PropertyKind, expression: &Expression) -> Outcome<()> {
        let (refused, help): (fn(Quantifier) -> bool, &str) = match kind {
            PropertyKind::CtlStar => return Ok(()),
            PropertyKind::Ctl => (
                |quantifier| quantifier == Quantifier::None,
                "in CTL each is quantified: `AG`, `EF`, `A[f U g]` (`ctlstar` has both)",
            ),
            PropertyKind::Ltl => (
                |quantifier| quantifier != Quantifier::None,
                "in LTL none is quantified: `G`, `F`, `X`, `f U g` (`ctlstar` has both)",
            ),
            _ => (|_| true, "use the kinds `ctl`, `ltl` or `ctlstar` for formulas with temporal operators"),
        };
        let mut open = vec![expression];
        while let Some(part) = open.pop() {
            let quantifier = match &part.kind {
                ExpressionKind::TemporalUnary(quantifier, ..) | ExpressionKind::TemporalBinary(quantifier, ..) => {
                    *quantifier
                }
                _ => {
                    open.extend(children(part));
                    continue;
                }
            };
            if refused(quantifier) {
                let message = format!("a property of kind `{}` does not have this operator", kind.word());
                let help = format!("{help}; the formula is read as `{}`", Reading(expression));
                let problem = Problem::new(part.span(), message).label("a temporal operator").help(help);
                return Err(self.ledger.report(problem));
            }
            open.extend(children(part));
        }
        Ok(())
    }

    fn formula(&mut self, expression: &Expression) -> Outcome<FormulaOf<N>> {
        self.ledger.parts(1, expression.span())?;
        match &expression.kind {
            ExpressionKind::Unary(Unary::Not, operand) => Ok(Formula::Not(Box::new(self.formula(operand)?))),
            ExpressionKind::All(list) => self.formulas(list, false).map(all),
            ExpressionKind::Any(list) => self.formulas(list, true).map(any),
            ExpressionKind::Implies(left, right) => {
                let left = self.formula(left)?;
                if left == Formula::Constant(false) {
                    return Ok(Formula::Constant(true));
                }
                let right = self.formula(right)?;
                Ok(match (&left, &right) {
                    (Formula::Constant(true), _) | (_, Formula::Constant(true)) => right,
                    _ => any(vec![Formula::Not(Box::new(left)), right]),
                })
            }
            ExpressionKind::Equivalent(left, right) => self.equivalent(expression, left, right),
            ExpressionKind::Deadlock => Ok(Formula::Deadlock),
            ExpressionKind::Fireable(transitions) => {
                self.names.fireable(transitions, self.environment, self.ledger).map(Formula::Atom)
            }
            ExpressionKind::Fired(transitions) => {
                self.names.fired(transitions, self.environment, self.ledger).map(Formula::Atom)
            }
            ExpressionKind::Over(over @ (Over::All | Over::Any), parameters, operand) => {
                self.over(*over, parameters, operand)
            }
            ExpressionKind::FireableWith(firings) => {
                self.names.fireable_with(firings, self.environment, self.ledger).map(Formula::Atom)
            }
            ExpressionKind::FiredWith(firings) => {
                self.names.fired_with(firings, self.environment, self.ledger).map(Formula::Atom)
            }
            ExpressionKind::TemporalUnary(quantifier, operator, operand) => {
                Ok(Formula::Unary(*quantifier, *operator, Box::new(self.formula(operand)?)))
            }
            ExpressionKind::TemporalBinary(quantifier, operator, left, right) => {
                let (left, right) = (self.formula(left)?, self.formula(right)?);
                Ok(Formula::Binary(*quantifier, *operator, Box::new(left), Box::new(right)))
            }
            _ => Ok(formula_of::<N>(self.condition(expression)?)),
        }
    }

    /// All that a formula becomes with the values of some parameters, or one of them. What a constant decides is not looked
    /// at any further, and may make no sense.
    fn over(&mut self, over: Over, parameters: &[Parameter], operand: &Expression) -> Outcome<FormulaOf<N>> {
        let (names, equivalences, end) = (self.names, self.equivalences, over == Over::Any);
        let mut list = Vec::new();
        self.environment.for_each_value(parameters, self.ledger, &mut |environment, ledger| {
            let formula = Reader { names, environment, ledger, equivalences }.formula(operand)?;
            let ends = matches!(formula, Formula::Constant(truth) if truth == end);
            if ends {
                list.clear();
            }
            list.push(formula);
            Ok(ends)
        })?;
        Ok(if end { any(list) } else { all(list) })
    }

    /// The formulas; only the first that is this constant, if there is one: the others do not matter, and may make no sense.
    fn formulas(&mut self, list: &[Expression], end: bool) -> Outcome<Vec<FormulaOf<N>>> {
        let mut formulas = Vec::with_capacity(list.len());
        for operand in list {
            let formula = self.formula(operand)?;
            if formula == Formula::Constant(end) {
                return Ok(vec![formula]);
            }
            formulas.push(formula);
        }
        Ok(formulas)
    }

    /// A condition on one state.
    fn condition(&mut self, expression: &Expression) -> Outcome<Boolean<N::Variable>> {
        if let ExpressionKind::Reference(reference) = &expression.kind {
            return match self.builder().reference(reference)? {
                Meaning::Boolean(condition) => Ok(condition),
                _ => Err(self.ledger.report(complaint::no_condition(expression.span()))),
            };
        }
        self.builder().boolean(expression)
    }

    fn equivalent(&mut self, whole: &Expression, left: &Expression, right: &Expression) -> Outcome<FormulaOf<N>> {
        if self.equivalences >= DEEPEST_EQUIVALENCE {
            let problem = Problem::new(whole.span(), "`<->` is nested too deep")
                .label(format!("more than {DEEPEST_EQUIVALENCE} of them in each other"));
            return Err(self.ledger.report(problem));
        }
        self.equivalences += 1;
        let operands = self.formula(left).and_then(|left| Ok((left, self.formula(right)?)));
        self.equivalences -= 1;
        let (left, right) = operands?;
        let neither = vec![Formula::Not(Box::new(left.clone())), Formula::Not(Box::new(right.clone()))];
        Ok(any(vec![all(vec![left, right]), all(neither)]))
    }
}

/// All of them; conjunctions among them are spread out.
fn all<A>(list: Vec<Formula<A>>) -> Formula<A> {
    if let [Formula::Constant(truth)] = list[..] {
        return Formula::Constant(truth);
    }
    let spread = list.into_iter().flat_map(|formula| match formula {
        Formula::And(inner) => inner,
        other => vec![other],
    });
    Formula::And(spread.collect())
}

/// One of them; disjunctions among them are spread out.
fn any<A>(list: Vec<Formula<A>>) -> Formula<A> {
    if let [Formula::Constant(truth)] = list[..] {
        return Formula::Constant(truth);
    }
    let spread = list.into_iter().flat_map(|formula| match formula {
        Formula::Or(inner) => inner,
        other => vec![other],
    });
    Formula::Or(spread.collect())
}

fn formula_of<N: Asked>(condition: Boolean<N::Variable>) -> FormulaOf<N> {
    match condition {
        Boolean::Constant(truth) => Formula::Constant(truth),
        Boolean::Compare(comparison, left, right) => Formula::Atom(N::compare(comparison, left, right)),
        Boolean::Not(operand) => Formula::Not(Box::new(formula_of::<N>(*operand))),
        Boolean::And(list) => Formula::And(list.into_iter().map(formula_of::<N>).collect()),
        Boolean::Or(list) => Formula::Or(list.into_iter().map(formula_of::<N>).collect()),
    }
}

fn operators(expression: &Expression) -> Operators {
    let mut operators = Operators::default();
    let mut open = vec![expression];
    while let Some(part) = open.pop() {
        match &part.kind {
            ExpressionKind::TemporalUnary(quantifier, ..) | ExpressionKind::TemporalBinary(quantifier, ..) => {
                match quantifier {
                    Quantifier::None => operators.bare = true,
                    Quantifier::All | Quantifier::Exists => operators.quantified = true,
                }
            }
            _ => {}
        }
        open.extend(children(part));
    }
    operators
}

/// The formulas in a formula.
fn children(expression: &Expression) -> Vec<&Expression> {
    match &expression.kind {
        ExpressionKind::Unary(_, operand)
        | ExpressionKind::TemporalUnary(_, _, operand)
        | ExpressionKind::Over(_, _, operand) => vec![operand],
        ExpressionKind::Compare(_, left, right)
        | ExpressionKind::Implies(left, right)
        | ExpressionKind::Equivalent(left, right)
        | ExpressionKind::TemporalBinary(_, _, left, right) => vec![left, right],
        ExpressionKind::All(list) | ExpressionKind::Any(list) => list.iter().collect(),
        ExpressionKind::Chain(first, rest) => {
            std::iter::once(&**first).chain(rest.iter().map(|(_, operand)| operand)).collect()
        }
        ExpressionKind::Number(_)
        | ExpressionKind::Parameter(_)
        | ExpressionKind::Reference(_)
        | ExpressionKind::Truth(_)
        | ExpressionKind::Deadlock
        | ExpressionKind::Matching(..)
        | ExpressionKind::FireableWith(_)
        | ExpressionKind::FiredWith(_)
        | ExpressionKind::Fired(_)
        | ExpressionKind::Fireable(_) => Vec::new(),
    }
}

/// Whether a formula has no temporal operator.
fn of_one_state<A>(formula: &Formula<A>) -> bool {
    match formula {
        Formula::Constant(_) | Formula::Atom(_) | Formula::Deadlock | Formula::Error => true,
        Formula::Not(operand) => of_one_state(operand),
        Formula::And(list) | Formula::Or(list) => list.iter().all(of_one_state),
        Formula::Unary(..) | Formula::Binary(..) => false,
    }
}
