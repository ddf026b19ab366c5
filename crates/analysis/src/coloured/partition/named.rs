//! What the expressions of a net and of questions name.

use super::{Initial, Reason, Use, levels};
use mandala_model::coloured::evaluate::Evaluator;
use mandala_model::coloured::property::{Atom, ColouredNets, Count, Firing};
use mandala_model::coloured::visit::Leaf;
use mandala_model::coloured::{
    Bag, BagExpression, Cardinality, Class, ColouredNet, Colours, Element, Guard, Sort, Term, Token, Tokens, Value,
    Variable,
};
use mandala_model::expression::{Comparison, Integer};
use mandala_model::property::{Formula, Question};
use rustc_hash::FxHashMap;

/// Initial markings of places with pairs or bags are looked at token by token up to this many tokens.
const MOST_TOKENS: u64 = 20_000;

/// Guards about one variable are looked at colour by colour up to this many.
const MOST_COLOURS: u32 = 20_000;

/// Uses of the classes of a net.
pub(super) struct Named<'n> {
    net: &'n ColouredNet,
    /// By class.
    pub classes: Vec<Use>,
    /// The variables that expressions have.
    variables: &'n [Variable],
    /// Their sorts.
    sorts: Vec<Sort>,
    /// Where the expression is that is looked at.
    place: String,
}

impl<'n> Named<'n> {
    pub fn new(net: &'n ColouredNet) -> Named<'n> {
        let whole = |class: &Class| Use {
            cells: if class.is_empty() { Vec::new() } else { vec![vec![(0, class.len())]] },
            is_compared: false,
            is_shifted: false,
            reasons: Vec::new(),
        };
        Named {
            net,
            classes: net.classes.iter().map(whole).collect(),
            variables: &[],
            sorts: Vec::new(),
            place: String::new(),
        }
    }

    /// All transitions.
    pub fn net(&mut self) {
        let net = self.net;
        for transition in &net.transitions {
            self.variables = &transition.variables;
            self.sorts = transition.variables.iter().map(|variable| variable.sort).collect();
            self.place = format!("in the guard of `{}`", transition.name);
            self.guard(&transition.guard);
            let arcs =
                [(&transition.takes, "takes"), (&transition.puts, "puts"), (&transition.inhibitors, "needs less of")];
            for (arcs, verb) in arcs {
                for arc in arcs {
                    let place = &net.places[arc.place as usize].name;
                    self.place = format!("in what `{}` {verb} in `{place}`", transition.name);
                    self.tokens(&arc.tokens);
                }
            }
        }
        self.variables = &[];
        self.sorts.clear();
    }

    /// The initial marking.
    pub fn initial(&mut self, initial: Initial) {
        let net = self.net;
        for place in &net.places {
            self.place = format!("in the initial marking of `{}`", place.name);
            let is_unary = matches!(place.domain.as_slice(), [] | [Sort::Colour(_)]);
            let evaluated = if is_unary || initial == Initial::Named || !is_small(net, &place.initial) {
                None
            } else {
                Evaluator::constant(net).tokens(&place.initial).ok()
            };
            match evaluated {
                None => self.tokens(&place.initial),
                Some(tokens) => self.told_apart(&place.domain, &place.initial, &tokens),
            }
        }
    }

    /// What a net declares as a partition.
    pub fn declared(&mut self) {
        let net = self.net;
        for (index, class) in net.classes.iter().enumerate().filter(|(_, class)| class.is_partitioned()) {
            self.place = "of the partition that the net declares".to_owned();
            for subclass in 0..class.subclasses.len() as u32 {
                self.set(Colours { class: index as u32, subclass: Some(subclass) });
            }
        }
    }

    /// A question.
    pub fn question(&mut self, question: &Question<ColouredNets>) {
        self.place = "in the question".to_owned();
        match question {
            Question::Reachable(formula)
            | Question::Invariant(formula)
            | Question::Never(formula)
            | Question::Ctl(formula)
            | Question::CtlStar(formula)
            | Question::Ltl(formula) => {
                // Only to look at all atoms: nothing comes of the map.
                let _ = formula.map(&mut |atom: &Atom| {
                    match atom {
                        Atom::Compare(_, left, right) => [left, right].into_iter().for_each(|side| self.quantity(side)),
                        Atom::Fireable(firings) | Atom::Fired(firings) => {
                            firings.iter().for_each(|firing| self.firing(firing))
                        }
                    }
                    Some(Formula::<Atom>::Constant(true))
                });
            }
            Question::Bounds(quantity) => self.quantity(quantity),
            Question::Live(groups) => groups.iter().flatten().for_each(|firing| self.firing(firing)),
        }
    }

    fn quantity(&mut self, quantity: &Integer<Count>) {
        for (part, _) in quantity.parts() {
            if let Some((count, _)) = part.read() {
                let Some(place) = self.net.places.get(count.place as usize) else { continue };
                self.pattern(&count.pattern, place.domain.iter().copied());
            }
        }
    }

    fn firing(&mut self, firing: &Firing) {
        if let Some(transition) = self.net.transitions.get(firing.transition as usize) {
            self.pattern(&firing.pattern, transition.variables.iter().map(|variable| variable.sort));
        }
    }

    fn pattern(&mut self, pattern: &[Option<Value>], sorts: impl Iterator<Item = Sort>) {
        for (value, sort) in pattern.iter().zip(sorts) {
            match value {
                None => {}
                Some(Value::Colour(colour)) => self.colour(sort.class(), *colour),
                Some(Value::Bag(bag)) => bag.iter().for_each(|(colour, _)| self.colour(sort.class(), colour)),
            }
        }
    }

    fn guard(&mut self, guard: &Guard) {
        if self.guard_of_one(guard) {
            return;
        }
        match guard {
            Guard::Constant(_) => {}
            Guard::Compare(comparison, left, right) => self.comparison(*comparison, left, right),
            Guard::Member(term, set) => {
                self.term(term);
                self.set(*set);
            }
            Guard::Cardinality(_, left, right) => {
                for side in [left, right] {
                    if let Cardinality::Of(bag) = side {
                        self.bag(bag);
                    }
                }
            }
            Guard::Included(left, right) | Guard::SameBag(left, right) => {
                self.bag(left);
                self.bag(right);
            }
            Guard::Not(inner) => self.guard(inner),
            Guard::And(parts) | Guard::Or(parts) => parts.iter().for_each(|part| self.guard(part)),
        }
    }

    /// A guard about one variable for colours and nothing else tells apart those for which it holds from the others. Not if the
    /// guard is another one.
    fn guard_of_one(&mut self, guard: &Guard) -> bool {
        if !matches!(guard, Guard::And(_) | Guard::Or(_) | Guard::Not(_)) {
            return false;
        }
        let mut variables: Vec<u32> = Vec::new();
        let mut is_plain = true;
        guard.leaves(&mut |leaf| match leaf {
            Leaf::Term(Term::Variable(variable)) => variables.push(*variable),
            Leaf::Term(term) => is_plain &= term.variable().is_none(),
            Leaf::Bag(_) => is_plain = false,
            Leaf::Set(_) => {}
        });
        variables.dedup();
        let (true, [variable]) = (is_plain, variables.as_slice()) else { return false };
        let (class, variables) = (self.class(*variable), self.variables);
        let colours = self.net.classes[class as usize].len();
        let Some(Sort::Colour(_)) = self.sorts.get(*variable as usize) else { return false };
        if colours > MOST_COLOURS {
            return false;
        }
        let mut binding = vec![Value::Colour(0); variables.len()];
        let mut keys: Vec<((u32, u32), i32)> = Vec::new();
        for colour in 0..colours {
            binding[*variable as usize] = Value::Colour(colour);
            let Ok(holds) = Evaluator::new(self.net, variables, &binding).guard(guard) else { return false };
            keys.extend(holds.then_some(((colour, colour + 1), 1)));
        }
        let name = &variables[*variable as usize].name;
        let reason = || Reason { what: format!("`{name}` is looked at"), place: self.place.clone() };
        self.classes[class as usize].split(&keys, &0, reason);
        true
    }

    /// A comparison. That a variable is before a colour splits the class there; other comparisons by position use the order as
    /// a whole.
    fn comparison(&mut self, comparison: Comparison, left: &Term, right: &Term) {
        if matches!(comparison, Comparison::Equal | Comparison::NotEqual) {
            self.term(left);
            self.term(right);
            return;
        }
        let place = self.place.clone();
        let compared = match (left, right, self.constant(left), self.constant(right)) {
            (_, _, Some(_), Some(_)) => return,
            (Term::Variable(variable), _, None, Some(colour)) => Some((*variable, comparison, colour)),
            (_, Term::Variable(variable), Some(colour), None) => Some((*variable, comparison.mirrored(), colour)),
            _ => None,
        };
        match compared {
            Some((variable, comparison, colour)) => {
                let class = self.class(variable);
                let name = self.net.classes[class as usize].name_of(colour).into_owned();
                // Of what is before, at and after the colour, two stay together.
                let first_after = match comparison {
                    Comparison::Less | Comparison::GreaterOrEqual => colour,
                    _ => colour + 1,
                };
                let keys = if first_after > 0 { vec![((0, first_after), 1)] } else { Vec::new() };
                let reason = || Reason { what: format!("colours are compared with `{name}`"), place };
                self.classes[class as usize].split(&keys, &0, reason);
            }
            None => {
                let class = self.term(left);
                self.term(right);
                let uses = &mut self.classes[class as usize];
                if !uses.is_compared {
                    uses.is_compared = true;
                    uses.reasons.push(Reason { what: "colours are compared by their order".to_owned(), place });
                }
            }
        }
    }

    fn class(&self, variable: u32) -> u32 {
        self.sorts[variable as usize].class()
    }

    /// The colour of a term without variables, if it has one.
    fn constant(&self, term: &Term) -> Option<u32> {
        Evaluator::constant(self.net).term(term).ok()
    }

    /// Takes note of a term: its class.
    fn term(&mut self, term: &Term) -> u32 {
        let mut inner = term;
        let mut is_shifted = false;
        let class = loop {
            match inner {
                Term::Constant { class, .. } => {
                    // Steps from a colour lead to a colour.
                    if let Some(colour) = self.constant(term) {
                        self.colour(*class, colour);
                    }
                    return *class;
                }
                Term::Variable(variable) => break self.class(*variable),
                Term::Shift(next, _) => {
                    is_shifted = true;
                    inner = next;
                }
            }
        };
        let uses = &mut self.classes[class as usize];
        if is_shifted && !uses.is_shifted {
            uses.is_shifted = true;
            let what = "successors or predecessors are used".to_owned();
            uses.reasons.push(Reason { what, place: self.place.clone() });
        }
        class
    }

    /// A colour that is named.
    fn colour(&mut self, class: u32, colour: u32) {
        let declared = &self.net.classes[class as usize];
        if colour < declared.len() {
            let reason =
                || Reason { what: format!("`{}` is named", declared.name_of(colour)), place: self.place.clone() };
            self.classes[class as usize].split(&[((colour, colour + 1), 1)], &0, reason);
        }
    }

    /// A set that is named.
    fn set(&mut self, set: Colours) {
        let Some(subclass) = set.subclass else { return };
        let declared = &self.net.classes[set.class as usize];
        let keys: Vec<((u32, u32), i32)> = declared.ranges(Some(subclass)).iter().map(|&range| (range, 1)).collect();
        let name = &declared.subclasses[subclass as usize].name;
        let reason = || Reason { what: format!("`{name}` is named"), place: self.place.clone() };
        self.classes[set.class as usize].split(&keys, &0, reason);
    }

    fn bag(&mut self, bag: &BagExpression) {
        let mut parts = Vec::new();
        self.linear(bag, 1, &mut parts);
        self.parts(parts);
    }

    /// Tells apart the colours that are there differently often.
    fn parts(&mut self, parts: Vec<(u32, (u32, u32), i64)>) {
        let Some(&(class, ..)) = parts.first() else { return };
        let declared = &self.net.classes[class as usize];
        let parts: Vec<((u32, u32), i64)> = parts.into_iter().map(|(_, range, times)| (range, times)).collect();
        let keys = levels(&parts);
        let named: Vec<String> = keys
            .iter()
            .filter(|((first, end), _)| end - first == 1)
            .take(3)
            .map(|((first, _), _)| format!("`{}`", declared.name_of(*first)))
            .collect();
        let what = match named.as_slice() {
            [] => "a subclass is named".to_owned(),
            [one] => format!("{one} is named"),
            some => format!("{} are named", some.join(", ")),
        };
        let reason = || Reason { what, place: self.place.clone() };
        self.classes[class as usize].split(&keys, &0, reason);
    }

    /// A bag as a sum: how often which colours are there. What is no sum is looked at by itself.
    fn linear(&mut self, bag: &BagExpression, times: i64, parts: &mut Vec<(u32, (u32, u32), i64)>) {
        match bag {
            BagExpression::One(term) => match (term_class(term), self.constant(term)) {
                (Some(class), Some(colour)) => parts.push((class, (colour, colour + 1), times)),
                _ => drop(self.term(term)),
            },
            BagExpression::All(set) => {
                let ranges = self.net.classes[set.class as usize].ranges(set.subclass);
                parts.extend(ranges.iter().map(|&range| (set.class, range, times)));
            }
            BagExpression::Variable(_) => {}
            BagExpression::Sum(inner) => inner.iter().for_each(|part| self.linear(part, times, parts)),
            BagExpression::Difference(from, taken) => {
                self.bag(from);
                self.bag(taken);
            }
            BagExpression::Times(factor, inner) => {
                self.linear(inner, times.saturating_mul(i64::from(*factor)), parts);
            }
        }
    }

    fn tokens(&mut self, tokens: &Tokens) {
        let mut parts = Vec::new();
        self.linear_tokens(tokens, 1, &mut parts);
        self.parts(parts);
    }

    /// Tokens of one component are a bag of colours.
    fn linear_tokens(&mut self, tokens: &Tokens, times: i64, parts: &mut Vec<(u32, (u32, u32), i64)>) {
        match tokens {
            Tokens::Tuple(elements) => match elements.as_slice() {
                [Element::Each(bag)] => self.linear(bag, times, parts),
                elements => elements.iter().for_each(|(Element::Each(bag) | Element::Whole(bag))| self.bag(bag)),
            },
            Tokens::Sum(_) => {
                for (times, tuple) in self.factored(tokens, times) {
                    self.linear_tokens(&tuple, times, parts);
                }
            }
            Tokens::Difference(from, taken) => {
                self.tokens(from);
                self.tokens(taken);
            }
            Tokens::Times(factor, inner) => {
                self.linear_tokens(inner, times.saturating_mul(i64::from(*factor)), parts);
            }
            Tokens::When(guard, inner) => {
                self.guard(guard);
                self.tokens(inner);
            }
        }
    }

    /// The parts of a sum. Tuples that are the same but for one component are one, with a sum there: `<a, x> + <b, x>` is
    /// `<a + b, x>`, which may be all colours.
    fn factored(&self, sum: &Tokens, times: i64) -> Vec<(i64, Tokens)> {
        let mut found: Vec<(i64, Tokens)> = Vec::new();
        let mut tuples: Vec<(i64, Vec<Element>)> = Vec::new();
        let mut open = vec![(times, sum)];
        while let Some((times, tokens)) = open.pop() {
            match tokens {
                Tokens::Sum(parts) => open.extend(parts.iter().map(|part| (times, part))),
                Tokens::Times(factor, inner) => open.push((times.saturating_mul(i64::from(*factor)), inner)),
                Tokens::Tuple(elements) => tuples.push((times, elements.clone())),
                other => found.push((times, other.clone())),
            }
        }
        let arity = tuples.first().map_or(0, |(_, elements)| elements.len());
        for component in (0..arity).filter(|_| arity > 1) {
            let mut merged: FxHashMap<(i64, Vec<Element>), Vec<BagExpression>> = FxHashMap::default();
            let mut others = Vec::new();
            for (times, mut elements) in tuples {
                match elements.remove(component) {
                    Element::Each(bag) => merged.entry((times, elements)).or_default().push(bag),
                    whole @ Element::Whole(_) => {
                        elements.insert(component, whole);
                        others.push((times, elements));
                    }
                }
            }
            tuples = merged
                .into_iter()
                .map(|((times, mut elements), mut bags)| {
                    // The same sum in the same order, so that the next component sees it.
                    bags.sort_by_cached_key(|bag| format!("{bag:?}"));
                    let bag = if bags.len() == 1 { bags.swap_remove(0) } else { BagExpression::Sum(bags) };
                    elements.insert(component, Element::Each(bag));
                    (times, elements)
                })
                .chain(others)
                .collect();
        }
        found.extend(tuples.into_iter().map(|(times, elements)| (times, Tokens::Tuple(elements))));
        found
    }

    /// Tells apart the colours that some tokens tell apart: of those that their expression names, the ones whose exchange would
    /// change the tokens.
    fn told_apart(&mut self, domain: &[Sort], expression: &Tokens, tokens: &Bag<Token>) {
        // What is named at all, each class by itself: nothing else can be told apart.
        let mut named = Named::new(self.net);
        named.place = self.place.clone();
        named.tokens(expression);
        for (class, uses) in named.classes.into_iter().enumerate() {
            if uses.cells.len() < 2 {
                continue;
            }
            let mut kinds: Vec<u32> = Vec::new();
            let mut keys: Vec<((u32, u32), usize)> = Vec::new();
            for cell in &uses.cells {
                let colour = cell[0].0;
                let is_like = |&other: &u32| is_exchanged(domain, class as u32, tokens, colour, other);
                let kind = kinds.iter().position(is_like).unwrap_or_else(|| {
                    kinds.push(colour);
                    kinds.len() - 1
                });
                keys.extend(cell.iter().map(|&range| (range, kind)));
            }
            keys.sort_unstable();
            let reason = || Reason { what: "colours are told apart".to_owned(), place: self.place.clone() };
            self.classes[class].split(&keys, &0, reason);
        }
    }
}

fn term_class(term: &Term) -> Option<u32> {
    match term {
        Term::Constant { class, .. } => Some(*class),
        Term::Variable(_) => None,
        Term::Shift(inner, _) => term_class(inner),
    }
}

/// Whether to exchange two colours of a class would leave some tokens as they are.
fn is_exchanged(domain: &[Sort], class: u32, tokens: &Bag<Token>, one: u32, other: u32) -> bool {
    let swap = |colour: u32| match colour {
        colour if colour == one => other,
        colour if colour == other => one,
        colour => colour,
    };
    tokens.iter().all(|(token, times)| {
        let changed = domain.iter().zip(&token).map(|(sort, value)| match value {
            value if sort.class() != class => value.clone(),
            Value::Colour(colour) => Value::Colour(swap(*colour)),
            Value::Bag(bag) => {
                let mut swapped = Bag::new();
                for (colour, times) in bag.iter() {
                    // As many as before, so they fit.
                    let _ = swapped.add(swap(colour), times);
                }
                Value::Bag(swapped)
            }
        });
        tokens.count(&changed.collect()) == times
    })
}

/// Whether an initial marking has few tokens, as far as one sees at once.
fn is_small(net: &ColouredNet, tokens: &Tokens) -> bool {
    most_tokens(net, tokens) <= MOST_TOKENS
}

fn most_tokens(net: &ColouredNet, tokens: &Tokens) -> u64 {
    match tokens {
        Tokens::Tuple(elements) => elements
            .iter()
            .map(|(Element::Each(bag) | Element::Whole(bag))| most_colours(net, bag).max(1))
            .fold(1, u64::saturating_mul),
        Tokens::Sum(parts) => parts.iter().map(|part| most_tokens(net, part)).fold(0, u64::saturating_add),
        Tokens::Difference(from, taken) => most_tokens(net, from).saturating_add(most_tokens(net, taken)),
        Tokens::Times(_, inner) | Tokens::When(_, inner) => most_tokens(net, inner),
    }
}

fn most_colours(net: &ColouredNet, bag: &BagExpression) -> u64 {
    match bag {
        BagExpression::One(_) => 1,
        BagExpression::All(set) => u64::from(super::size(&net.classes[set.class as usize].ranges(set.subclass))),
        BagExpression::Variable(_) => 0,
        BagExpression::Sum(parts) => parts.iter().map(|part| most_colours(net, part)).fold(0, u64::saturating_add),
        BagExpression::Difference(from, taken) => most_colours(net, from).saturating_add(most_colours(net, taken)),
        BagExpression::Times(_, inner) => most_colours(net, inner),
    }
}
