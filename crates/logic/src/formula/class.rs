//! What the shape of a formula says about the words it holds of.

use super::{Formula, Formulas, Node};

/// Properties of a formula that its shape shows. Each is sound and none is complete: what is not shown may still be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Traits {
    /// No temporal operator.
    pub state: bool,
    /// `F f` means `f`: what holds of a suffix holds of the word (Etessami and Holzmann's *pure eventuality*).
    pub eventual: bool,
    /// `G f` means `f`: what holds of the word holds of all suffixes.
    pub universal: bool,
    /// A word that violates it has a prefix that cannot be mended.
    pub safety: bool,
    /// A word that satisfies it has a prefix that says so.
    pub guarantee: bool,
}

impl Traits {
    pub(super) fn of(node: &Node, traits: impl Fn(Formula) -> Traits) -> Traits {
        let constant = Traits { state: true, eventual: true, universal: true, safety: true, guarantee: true };
        let mut every = constant;
        node.for_each_operand(|operand| {
            let operand = traits(operand);
            every.state &= operand.state;
            every.eventual &= operand.eventual;
            every.universal &= operand.universal;
            every.safety &= operand.safety;
            every.guarantee &= operand.guarantee;
        });
        let state = every.state;
        match *node {
            Node::True | Node::False => constant,
            Node::Atom(_) => Traits { eventual: false, universal: false, ..constant },
            Node::Not(f) => {
                let f = traits(f);
                Traits { state, eventual: f.universal, universal: f.eventual, safety: f.guarantee, guarantee: f.safety }
            }
            Node::Implies(f, g) => {
                let (f, g) = (traits(f), traits(g));
                Traits {
                    state,
                    eventual: f.universal && g.eventual,
                    universal: f.eventual && g.universal,
                    safety: f.guarantee && g.safety,
                    guarantee: f.safety && g.guarantee,
                }
            }
            Node::Equivalent(..) | Node::Xor(..) => {
                let (suspendable, both) = (every.eventual && every.universal, every.safety && every.guarantee);
                Traits { state, eventual: suspendable, universal: suspendable, safety: both, guarantee: both }
            }
            Node::And(_) | Node::Or(_) => every,
            Node::Next(_) => Traits { state: false, ..every },
            Node::Finally(_) => Traits { state: false, eventual: true, safety: false, ..every },
            Node::Globally(_) => Traits { state: false, universal: true, guarantee: false, ..every },
            Node::Until(_, g) => Traits { state: false, eventual: traits(g).eventual, safety: false, ..every },
            Node::StrongRelease(..) => Traits { state: false, safety: false, ..every },
            Node::Release(_, g) => Traits { state: false, universal: traits(g).universal, guarantee: false, ..every },
            Node::WeakUntil(..) => Traits { state: false, guarantee: false, ..every },
        }
    }
}

impl Formulas {
    pub(super) fn traits(&self, f: Formula) -> Traits {
        self.traits[f.index()]
    }

    /// Whether a formula has no temporal operator.
    pub fn is_state_formula(&self, f: Formula) -> bool {
        self.traits(f).state
    }

    /// Whether the shape of a formula shows that what holds of a suffix holds of the word, as with `F f`.
    pub fn is_eventual(&self, f: Formula) -> bool {
        self.traits(f).eventual
    }

    /// Whether the shape of a formula shows that what holds of a word holds of its suffixes, as with `G f`.
    pub fn is_universal(&self, f: Formula) -> bool {
        self.traits(f).universal
    }

    /// Whether the shape of a formula shows that it does not matter when one starts to look, as with `G F f`.
    pub fn is_suspendable(&self, f: Formula) -> bool {
        self.is_eventual(f) && self.is_universal(f)
    }

    /// Whether the shape of a formula shows that it is a safety property.
    pub fn is_syntactic_safety(&self, f: Formula) -> bool {
        self.traits(f).safety
    }

    /// Whether the shape of a formula shows that it is a guarantee property.
    pub fn is_syntactic_guarantee(&self, f: Formula) -> bool {
        self.traits(f).guarantee
    }
}
