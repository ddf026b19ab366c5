//! One state: to pick it, to look it up, to make a set of it.

use rustc_hash::FxHashSet;

use super::State;
use super::states::{Part, Token};
use super::walk::{Walk, first_part, ranges_of};
use crate::memory::{Diagram, Error, Run};
use crate::node::{Arc, Kind, Node, ONE, ZERO};
use crate::store::{Store, Variable};

impl Store {
    /// Some state of a set, always the same one for the same diagram. `None` if there is none.
    ///
    /// ```
    /// # use mandala_diagram::{Error, Store};
    /// let mut store = Store::new();
    /// let (a, b) = (store.state(&[(0, 5), (1, 3)])?, store.state(&[(0, 6), (1, 2)])?);
    /// let set = store.union(&a, &b)?;
    /// let state = store.pick(&set).unwrap();
    /// assert!(store.contains(&set, &state));
    /// assert_eq!(store.pick(&store.zero()), None);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn pick(&self, set: &Diagram) -> Option<State> {
        let mut node = self.node_of(set);
        let alive = self.alive(node);
        let mut tokens = Vec::new();
        // Where to go on after the values that are open.
        let mut after = Vec::new();
        loop {
            if node == ONE {
                match after.pop() {
                    None => return Some(State { tokens }),
                    Some(child) => {
                        tokens.push(Token::Close);
                        node = child;
                        continue;
                    }
                }
            }
            let kind = self.nodes.kind(node);
            if !matches!(kind, Kind::Data | Kind::Set) {
                return None;
            }
            let arc = *self.nodes.arcs(node).iter().find(|arc| alive.contains(arc.child))?;
            let (variable, label) = (self.nodes.variable(node), arc.set_label());
            node = arc.child;
            let part = if kind == Kind::Data {
                Part::Integer(arc.value())
            } else if let Some(range) = ranges_of(&self.nodes, label).first() {
                let (low, high) = range.ends();
                first_part(low, high)
            } else {
                after.push(node);
                node = label;
                Part::Open
            };
            tokens.push(Token::Assign(variable, part));
        }
    }

    /// Whether a set holds a state. A range in it stands for all its integers, so that this asks
    /// whether [`Store::diagram_of`] gives a subset that is not empty.
    ///
    /// ```
    /// # use mandala_diagram::{Error, State, Store};
    /// let mut store = Store::new();
    /// let (set, one) = (store.state(&[(0, 1), (1, 2)])?, store.one());
    /// let set = store.assign_set(7, &set, &one)?;
    /// assert!(store.contains(&set, &State::new().with(7, &State::new().with(0, 1).with(1, 2))));
    /// assert!(!store.contains(&set, &State::new().with(7, &State::new().with(0, 1).with(1, 3))));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn contains(&self, set: &Diagram, state: &State) -> bool {
        let mut walk = Walk::new(self, self.node_of(set));
        // Parts of ranges that are still to be looked up, with the number of tokens before them.
        let mut open: Vec<(usize, Variable, (i32, i32))> = Vec::new();
        // Where parts of ranges led outside of all labels: they need not lead there again.
        let mut seen: FxHashSet<(usize, Node)> = FxHashSet::default();
        let mut read = 0;
        loop {
            while let Some(&token) = state.tokens.get(read) {
                if let Token::Assign(variable, Part::Range(low, high)) = token {
                    if low > high {
                        return false;
                    }
                    open.extend(walk.cut(variable, low, high).into_iter().map(|part| (read, variable, part)));
                    break;
                }
                if !walk.take(token) {
                    return false;
                }
                read += 1;
            }
            if read == state.tokens.len() && !walk.is_complete() {
                return false;
            }
            loop {
                let Some((before, variable, (low, high))) = open.pop() else { return true };
                walk.back_to(before);
                if !walk.take_within(variable, low, high) {
                    return false;
                }
                read = before + 1;
                if walk.outermost().is_none_or(|node| seen.insert((read, node))) {
                    break;
                }
            }
        }
    }

    /// The set that holds just this state: the inverse of [`Store::pick`] and [`Store::states`]. A
    /// range in the state stands for all its integers.
    ///
    /// ```
    /// # use mandala_diagram::{Error, State, Store};
    /// let mut store = Store::new();
    /// let state = State::new().with(0, 5).with(1, &State::new().with(0, 1));
    /// let set = store.diagram_of(&state)?;
    /// assert_eq!(store.states(&set).collect::<Vec<_>>(), [state]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn diagram_of(&mut self, state: &State) -> Result<Diagram, Error> {
        let node = self.run(|store| {
            let root = store.roots.len();
            let node = store.node_of_tokens(&state.tokens);
            store.roots.truncate(root);
            node
        })?;
        Ok(self.diagram(node))
    }

    /// From the end to the beginning. What follows a value that is being made is on the stack `roots`.
    fn node_of_tokens(&mut self, tokens: &[Token]) -> Run<Node> {
        let mut node = ONE;
        for &token in tokens.iter().rev() {
            node = match token {
                Token::Close => {
                    self.roots.push(node);
                    ONE
                }
                Token::Assign(variable, Part::Integer(value)) => {
                    let base = self.data.len();
                    self.data.push(Arc::data(value, node));
                    self.make_data(variable, base)?
                }
                Token::Assign(variable, Part::Range(low, high)) => {
                    self.roots.push(node);
                    let label = self.ranges_of(vec![(low, high)])?;
                    let child = self.roots.pop().unwrap_or(ONE);
                    if label == ZERO {
                        return Ok(ZERO);
                    }
                    self.make_assignment(variable, label, child)?
                }
                Token::Assign(variable, Part::Open) => {
                    let child = self.roots.pop().unwrap_or(ONE);
                    self.make_assignment(variable, node, child)?
                }
            };
        }
        Ok(node)
    }

    fn make_assignment(&mut self, variable: Variable, label: Node, child: Node) -> Run<Node> {
        let base = self.pieces.len();
        self.pieces.push(Arc::set(label, child));
        self.make_set(variable, base)
    }
}
