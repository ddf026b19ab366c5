//! Formulas as text, in the syntax of Spot, which the reader takes back.

use std::fmt;

use super::lexer::is_plain;
use super::{Atoms, Formula, Formulas, Node};

/// A formula to be shown.
#[derive(Clone, Copy, Debug)]
pub struct Display<'a> {
    formulas: &'a Formulas,
    atoms: &'a Atoms,
    formula: Formula,
}

impl Formulas {
    /// A formula as text. Formulas share their parts and texts do not: the text may be much larger than the formula.
    pub fn display<'a>(&'a self, formula: Formula, atoms: &'a Atoms) -> Display<'a> {
        Display { formulas: self, atoms, formula }
    }
}

/// What is still to be written.
enum Piece {
    Text(&'static str),
    /// A formula, in brackets unless it binds more tightly than this.
    Formula(Formula, u8),
}

/// How tightly the outermost operator binds.
fn tightness(node: &Node) -> u8 {
    match node {
        Node::Implies(..) | Node::Equivalent(..) => 1,
        Node::Xor(..) => 2,
        Node::Or(_) => 3,
        Node::And(_) => 4,
        Node::Until(..) | Node::WeakUntil(..) | Node::Release(..) | Node::StrongRelease(..) => 5,
        Node::True | Node::False | Node::Atom(_) => 7,
        Node::Not(_) | Node::Next(_) | Node::Finally(_) | Node::Globally(_) => 6,
    }
}

impl fmt::Display for Display<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut open = vec![Piece::Formula(self.formula, 0)];
        while let Some(piece) = open.pop() {
            match piece {
                Piece::Text(text) => f.write_str(text)?,
                Piece::Formula(formula, outside) => {
                    let node = self.formulas.node(formula);
                    if tightness(node) <= outside {
                        f.write_str("(")?;
                        open.push(Piece::Text(")"));
                    }
                    self.write_node(f, node, &mut open)?;
                }
            }
        }
        Ok(())
    }
}

impl Display<'_> {
    fn write_node(&self, f: &mut fmt::Formatter<'_>, node: &Node, open: &mut Vec<Piece>) -> fmt::Result {
        let binary = |open: &mut Vec<Piece>, left: Formula, sign, right: Formula| {
            let inside = tightness(node);
            open.extend([Piece::Formula(right, inside), Piece::Text(sign), Piece::Formula(left, inside)]);
        };
        let list = |open: &mut Vec<Piece>, operands: &[Formula], sign| {
            for (index, &operand) in operands.iter().enumerate().rev() {
                open.push(Piece::Formula(operand, tightness(node)));
                if index > 0 {
                    open.push(Piece::Text(sign));
                }
            }
        };
        let unary = |open: &mut Vec<Piece>, sign, operand: Formula| {
            open.push(Piece::Formula(operand, 5));
            if sign != "!" && tightness(self.formulas.node(operand)) > 5 {
                open.push(Piece::Text(" "));
            }
            open.push(Piece::Text(sign));
        };
        match node {
            Node::True => return f.write_str("true"),
            Node::False => return f.write_str("false"),
            Node::Atom(atom) => return write_atom(f, *atom, self.atoms),
            Node::Not(g) => unary(open, "!", *g),
            Node::Next(g) => unary(open, "X", *g),
            Node::Finally(g) => unary(open, "F", *g),
            Node::Globally(g) => unary(open, "G", *g),
            Node::And(operands) => list(open, operands, " & "),
            Node::Or(operands) => list(open, operands, " | "),
            Node::Implies(g, h) => binary(open, *g, " -> ", *h),
            Node::Equivalent(g, h) => binary(open, *g, " <-> ", *h),
            Node::Xor(g, h) => binary(open, *g, " xor ", *h),
            Node::Until(g, h) => binary(open, *g, " U ", *h),
            Node::WeakUntil(g, h) => binary(open, *g, " W ", *h),
            Node::Release(g, h) => binary(open, *g, " R ", *h),
            Node::StrongRelease(g, h) => binary(open, *g, " M ", *h),
        }
        Ok(())
    }
}

/// Writes the name of an atom, in quotes where it needs them.
fn write_atom(f: &mut fmt::Formatter<'_>, atom: u32, atoms: &Atoms) -> fmt::Result {
    match atoms.name(atom) {
        Some(name) if is_plain(name) => f.write_str(name),
        Some(name) => write!(f, "\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\"")),
        None => write!(f, "\"#{atom}\""),
    }
}
