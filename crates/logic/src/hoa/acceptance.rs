//! Acceptance conditions, as disjunctions.

use super::HoaError;
use super::expression::{Algebra, Tokens};
use super::lexer::Token;

/// Conditions with more disjuncts are refused.
const MAX_DISJUNCTS: usize = 200;

/// Edges in a set, or those that are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SetOfEdges {
    pub set: u32,
    pub complemented: bool,
}

impl SetOfEdges {
    /// Whether an edge with some sets is among them.
    pub fn has(self, sets: &[u32]) -> bool {
        sets.contains(&self.set) != self.complemented
    }
}

/// A conjunction: edges to be met infinitely often, and edges to be met finitely often.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Disjunct {
    pub infinitely: Vec<SetOfEdges>,
    pub finitely: Vec<SetOfEdges>,
}

/// Reads acceptance conditions as disjunctions, over so many sets.
pub(super) struct Acceptance {
    pub sets: u32,
    /// Whether there were too many disjuncts.
    pub too_large: bool,
}

impl Algebra for Acceptance {
    type Value = Vec<Disjunct>;

    fn leaf(&mut self, tokens: &mut Tokens<'_>) -> Result<Vec<Disjunct>, HoaError> {
        let infinitely = match tokens.peek() {
            Token::Identifier(name) if name == "Inf" => true,
            Token::Identifier(name) if name == "Fin" => false,
            _ => return Err(tokens.expected("`Inf`, `Fin`, `t`, `f` or a bracket")),
        };
        tokens.advance();
        tokens.expect('(')?;
        let complemented = tokens.take('!');
        let place = tokens.place();
        let set = tokens.integer("the number of an acceptance set")?;
        if set >= self.sets {
            let message = format!("there are only {} acceptance sets, numbered from 0", self.sets);
            return Err(HoaError::new(tokens.text, place, message));
        }
        tokens.expect(')')?;
        let edges = vec![SetOfEdges { set, complemented }];
        Ok(vec![if infinitely {
            Disjunct { infinitely: edges, finitely: Vec::new() }
        } else {
            Disjunct { infinitely: Vec::new(), finitely: edges }
        }])
    }

    fn constant(&mut self, value: bool) -> Vec<Disjunct> {
        if value { vec![Disjunct::default()] } else { Vec::new() }
    }

    fn not(&mut self, _: Vec<Disjunct>) -> Option<Vec<Disjunct>> {
        None
    }

    fn and(&mut self, left: Vec<Disjunct>, right: Vec<Disjunct>) -> Vec<Disjunct> {
        if left.len() * right.len() > MAX_DISJUNCTS {
            self.too_large = true;
            return left;
        }
        let mut all = Vec::new();
        for one in &left {
            for other in &right {
                let join = |a: &[SetOfEdges], b: &[SetOfEdges]| {
                    let mut both = [a, b].concat();
                    both.sort_unstable();
                    both.dedup();
                    both
                };
                all.push(Disjunct {
                    infinitely: join(&one.infinitely, &other.infinitely),
                    finitely: join(&one.finitely, &other.finitely),
                });
            }
        }
        all
    }

    fn or(&mut self, mut left: Vec<Disjunct>, right: Vec<Disjunct>) -> Vec<Disjunct> {
        self.too_large |= left.len() + right.len() > MAX_DISJUNCTS;
        left.extend(right);
        left
    }
}
