//! Coloured nets: symmetric nets, and symmetric nets with bags.
//!
//! A *symmetric net* (also *well-formed net*) is a Petri net whose tokens are tuples of colours. Colours come from finite
//! *classes*; each place has a *domain*, a product of classes; each transition has variables, a guard over them, and arcs whose
//! expressions say which tokens a binding of the variables takes and puts. In a symmetric net *with bags* (the thesis, 5.1.3)
//! a component of a domain may also be a bag over a class, and a variable may be bound to a bag.
//!
//! With `C` the domain of a place `p`, a marking gives `p` a bag over `C`. A transition `t` with a binding `b` that satisfies
//! its guard may fire in a marking `M` if for every place `p` and colour `c`
//!
//! - `W-(p, t)(b)(c) <= M(p)(c)`, the tokens that it takes are there, and
//! - `M(p)(c) < H(p, t)(b)(c)` wherever `H(p, t)(b)(c) > 0`, nothing inhibits it, and
//! - no transition of a higher priority may fire in `M`;
//!
//! then `M'(p) = M(p) - W-(p, t)(b) + W+(p, t)(b)`. A binding under which a term has no value (the successor of the last colour
//! of a class that does not wrap around) is not there.
//!
//! | module | what |
//! |---|---|
//! | [`class`] | colour classes, subclasses, sets of colours |
//! | [`expression`] | terms, bags of colours, bags of tokens, guards |
//! | [`value`] | colours, bags and tokens as values |
//! | [`evaluate`] | what expressions are worth under a binding |
//! | [`semantics`] | what a net means, marking by marking |
//! | [`property`] | what can be asked |
//! | [`unfold`] | the place/transition net that a coloured net stands for |
//! | [`cells`] | which colours may be exchanged |
//! | [`counting`] | a net up to exchanging colours, as one that counts them |
//! | [`bags`] | a net with bags as one without |
//! | [`visit`] | what is at the bottom of expressions |
//! | [`bounds`] | how large bags can be |
//! | [`bounded`] | which variables for bags have finitely many values |
//! | [`sn`], [`pnml`], [`greatspn`] | readers and writers |

pub mod bags;
pub mod bounded;
pub mod bounds;
pub mod cells;
pub mod class;
pub mod contest;
pub mod counting;
pub mod evaluate;
pub mod expression;
pub mod greatspn;
pub mod pnml;
pub mod property;
pub mod semantics;
pub mod sn;
pub mod unfold;
pub mod value;
pub mod visit;

pub use class::{Class, ClassOrder, Colours, Names, Subclass};
pub use expression::{BagExpression, Cardinality, Element, Guard, Term, Tokens};
pub use value::{Bag, Binding, Token, Value};

/// A symmetric net, perhaps with bags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColouredNet {
    /// Its name.
    pub name: String,
    /// Colour classes; an index into this list is what domains and terms name.
    pub classes: Vec<Class>,
    /// Places; an index into this list is what arcs name.
    pub places: Vec<Place>,
    /// Transitions.
    pub transitions: Vec<Transition>,
}

/// A place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The name by which formulas and arcs know it.
    pub name: String,
    /// What its tokens are tuples of.
    pub domain: Domain,
    /// Its tokens in the beginning; an expression without variables.
    pub initial: Tokens,
}

/// The components of the tokens of a place. The neutral domain, that of tokens without colour, has none.
pub type Domain = Vec<Sort>;

/// What a component of a token is, or a variable is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// A colour of a class.
    Colour(u32),
    /// A bag of colours of a class.
    Bag(u32),
}

impl Sort {
    /// The class that its colours are of.
    pub fn class(self) -> u32 {
        match self {
            Sort::Colour(class) | Sort::Bag(class) => class,
        }
    }
}

/// A transition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transition {
    /// Its name.
    pub name: String,
    /// Its variables; an index into this list is what terms name. All of them count for what is one binding and what are two.
    pub variables: Vec<Variable>,
    /// Which bindings there are.
    pub guard: Guard,
    /// What it takes, at most one arc per place.
    pub takes: Vec<Arc>,
    /// What it puts, at most one arc per place.
    pub puts: Vec<Arc>,
    /// What inhibits it. Several arcs from one place must all be satisfied.
    pub inhibitors: Vec<Arc>,
    /// In a marking that enables several transitions only those of the highest priority fire. 0 is what has none.
    pub priority: u32,
}

/// A variable of a transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// What it is bound to.
    pub sort: Sort,
    /// Of a variable for bags: it is bound to sets only, in which each colour occurs at most once.
    pub unique: bool,
}

/// An arc between a transition and a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arc {
    /// The place.
    pub place: u32,
    /// Which tokens.
    pub tokens: Tokens,
}

impl ColouredNet {
    /// Whether some place holds bags or some variable is bound to one.
    pub fn has_bags(&self) -> bool {
        let is_bag = |sort: &Sort| matches!(sort, Sort::Bag(_));
        self.places.iter().any(|place| place.domain.iter().any(is_bag))
            || self.transitions.iter().any(|transition| transition.variables.iter().any(|one| is_bag(&one.sort)))
    }

    /// Whether some transition has a priority.
    pub fn has_priorities(&self) -> bool {
        self.transitions.iter().any(|transition| transition.priority > 0)
    }

    /// The number of tokens that fit into a domain, if it has no bags and that is no more than 64 bits hold.
    pub fn size(&self, domain: &[Sort]) -> Option<u64> {
        domain.iter().try_fold(1_u64, |size, sort| match sort {
            Sort::Colour(class) => size.checked_mul(u64::from(self.classes[*class as usize].len())),
            Sort::Bag(_) => None,
        })
    }

    /// A token as people write it: `(a, 3)`, `{x, 2 * y}`; a token without colour is nothing.
    pub fn show(&self, domain: &[Sort], token: &[Value]) -> String {
        let parts: Vec<String> = domain.iter().zip(token).map(|(sort, value)| self.show_value(*sort, value)).collect();
        parts.join(", ")
    }

    /// A value as formulas read it: `a`, `{x, 2 * y}`.
    pub fn show_value(&self, sort: Sort, value: &Value) -> String {
        let class = &self.classes[sort.class() as usize];
        match value {
            Value::Colour(colour) => class.name_of(*colour).into_owned(),
            Value::Bag(bag) => {
                let one = |(colour, count): (u32, u32)| match count {
                    1 => class.name_of(colour).into_owned(),
                    _ => format!("{count} * {}", class.name_of(colour)),
                };
                let inside: Vec<String> = bag.iter().map(one).collect();
                format!("{{{}}}", inside.join(", "))
            }
        }
    }
}
