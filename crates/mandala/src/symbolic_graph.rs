//! The graph of the symbolic markings of a coloured net: its quotient by exchanging colours.

use crate::engine::{deep, markings};
use crate::error::{Error, ErrorKind};
use crate::model::Model;
use crate::options::Options;
use crate::picture::{Picture, of_states};
use crate::walk::StateEdge;
use mandala_analysis::coloured::partition::{Initial, Partition};
use mandala_diagram::Count;
use mandala_model::coloured::ColouredNet;
use mandala_model::semantics::{RunError, TransitionSystem};
use mandala_symbolic::marking::SymbolicNet;
use std::collections::{HashMap, HashSet};

/// Symbolic markings of a coloured net, and the symbolic firings between them. The first one is the initial marking.
#[derive(Clone, Debug, Default)]
pub struct SymbolicGraph {
    /// The symbolic markings.
    pub markings: Vec<SymbolicNode>,
    /// The firings between them: for each transition that leads from one to another, one.
    pub edges: Vec<StateEdge>,
    /// Whether these are all that can be reached.
    pub is_complete: bool,
}

/// A symbolic marking of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolicNode {
    /// The marking as the papers write it: `waiting(People#1) + inside(People#0), |People#1| = 2`.
    pub shown: String,
    /// How many ordinary markings it stands for.
    pub stands_for: Count,
    /// Whether nothing can happen in it; not known if it was not looked at.
    pub is_dead: Option<bool>,
}

/// A symbolic marking, and what can happen in it.
#[derive(Clone, Debug)]
pub struct SymbolicMoves {
    /// The marking.
    pub marking: SymbolicNode,
    /// The symbolic firings: those of one transition that lead to the same marking are one.
    pub moves: Vec<SymbolicMove>,
}

/// A symbolic firing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolicMove {
    /// The transition.
    pub transition: String,
    /// The marking afterwards.
    pub marking: SymbolicNode,
    /// What of the marking is not there any more, term by term. Dynamic subclasses are numbered anew in each marking.
    pub gone: Vec<String>,
    /// What is new in it.
    pub new: Vec<String>,
}

impl Model {
    /// Plays on the quotient of a coloured net: goes along symbolic firings from the initial marking, each by its number among the
    /// [moves](SymbolicMoves::moves), and says what can happen there. Nothing if the model is no coloured net whose colours can be
    /// exchanged.
    ///
    /// ```
    /// use mandala::{Model, Options};
    ///
    /// let model = Model::parse("net lights {
    ///     class Light = l{1..5};
    ///     place on : Light;
    ///     place off : Light = <all>;
    ///     transition switch (Light x) { take off<x>; put on<x>; }
    /// }", mandala::Format::Sn)?;
    /// let there = model.symbolic_moves(&Options::default(), &[0])?.expect("symbolic markings");
    /// assert_eq!(there.marking.shown, "on(Light#0) + off(Light#1), |Light#1| = 4");
    /// assert_eq!((there.moves.len(), there.moves[0].transition.as_str()), (1, "switch"));
    /// # Ok::<(), mandala::Error>(())
    /// ```
    pub fn symbolic_moves(&self, options: &Options, path: &[usize]) -> Result<Option<SymbolicMoves>, Error> {
        let Some(coloured) = self.coloured() else { return Ok(None) };
        let found = Partition::find(&coloured.net, markings::source(options), Initial::Matters, &[]);
        if !found.has_exchanges() {
            return Ok(None);
        }
        deep(|| Quotient::new(options, &coloured.net)?.moves(options, path)).map(Some)
    }

    /// The graph of the symbolic markings of a coloured net, with so many of them at most. Nothing if the options do not ask for
    /// symbolic markings, or if the model is no coloured net.
    ///
    /// ```
    /// use mandala::{Model, Options, Symbolic};
    ///
    /// let model = Model::parse("net lights {
    ///     class Light = l{1..5};
    ///     place on : Light;
    ///     place off : Light = <all>;
    ///     transition switch (Light x) { take off<x>; put on<x>; }
    /// }", mandala::Format::Sn)?;
    /// let options = Options { symbolic: Symbolic::List, ..Options::default() };
    /// let graph = model.symbolic_graph(&options, 100)?.expect("symbolic markings");
    /// assert_eq!(graph.markings[0].shown, "off(Light#0), |Light#0| = 5");
    /// assert_eq!((graph.markings.len(), graph.edges.len()), (6, 5));
    /// # Ok::<(), mandala::Error>(())
    /// ```
    pub fn symbolic_graph(&self, options: &Options, most: usize) -> Result<Option<SymbolicGraph>, Error> {
        let Some(coloured) = self.coloured() else { return Ok(None) };
        if markings::way(options, &coloured.net)?.is_none() {
            return Ok(None);
        }
        deep(|| graph(options, &coloured.net, most)).map(Some)
    }
}

/// The quotient of a net.
struct Quotient<'n> {
    symbolic: SymbolicNet<'n>,
}

fn wrong(error: RunError) -> Error {
    Error::new(ErrorKind::Model, format!("the model has an error: {error}"))
}

impl<'n> Quotient<'n> {
    fn new(options: &Options, net: &'n ColouredNet) -> Result<Quotient<'n>, Error> {
        let symbolic = SymbolicNet::new(net, markings::source(options), Initial::Matters, &[])
            .map_err(|refusal| Error::new(ErrorKind::Other, refusal.to_string()))?;
        Ok(Quotient { symbolic })
    }

    /// Symbolic firings, each once for a transition and where it leads to.
    fn steps(&self, state: &Vec<i32>) -> Result<Vec<(u32, Vec<i32>)>, Error> {
        let mut seen = HashSet::new();
        let steps = self.symbolic.successors(state).map_err(wrong)?.into_iter();
        let steps = steps.map(|step| (step.event.transition, step.state));
        Ok(steps.filter(|step| seen.insert(step.clone())).collect())
    }

    fn node(&self, state: &[i32]) -> Result<SymbolicNode, Error> {
        let stands_for =
            self.symbolic.represented(state).map_err(|cause| Error::new(ErrorKind::Other, cause.to_string()))?;
        Ok(SymbolicNode { shown: self.symbolic.show(state), stands_for: Count::from(stands_for), is_dead: None })
    }

    fn moves(&self, options: &Options, path: &[usize]) -> Result<SymbolicMoves, Error> {
        let there = |found: Option<Vec<i32>>| {
            found.ok_or_else(|| Error::new(ErrorKind::Question, "nothing happens with this number there"))
        };
        let mut state = there(self.symbolic.initial_states().map_err(wrong)?.into_iter().next())?;
        for &number in path {
            stop_in_time(options, path.len())?;
            state = there(self.steps(&state)?.into_iter().nth(number).map(|step| step.1))?;
        }
        let mut marking = self.node(&state)?;
        let steps = self.steps(&state)?;
        marking.is_dead = Some(steps.is_empty());
        let mut moves = Vec::with_capacity(steps.len());
        for (transition, state) in steps {
            stop_in_time(options, moves.len())?;
            let after = self.node(&state)?;
            moves.push(SymbolicMove {
                transition: self.symbolic.net().transitions[transition as usize].name.clone(),
                gone: less(&marking.shown, &after.shown),
                new: less(&after.shown, &marking.shown),
                marking: after,
            });
        }
        Ok(SymbolicMoves { marking, moves })
    }
}

/// The terms of a marking that another one does not have.
fn less(one: &str, other: &str) -> Vec<String> {
    let terms = |shown: &str| -> Vec<String> {
        let (tokens, sizes) = shown.split_once(", |").unwrap_or((shown, ""));
        let sizes = sizes.split(", |").filter(|size| !size.is_empty()).map(|size| format!("|{size}"));
        tokens.split(" + ").map(str::to_owned).chain(sizes).collect()
    };
    let others = terms(other);
    terms(one).into_iter().filter(|term| !others.contains(term)).collect()
}

fn stop_in_time(options: &Options, known: usize) -> Result<(), Error> {
    match options.reason_to_stop() {
        None => Ok(()),
        Some(reason) => {
            let text = format!("{reason} when {known} symbolic markings were known");
            Err(Error::new(ErrorKind::Other, text).stopped_by(Some(reason)))
        }
    }
}

fn graph(options: &Options, net: &ColouredNet, most: usize) -> Result<SymbolicGraph, Error> {
    let quotient = Quotient::new(options, net)?;
    let mut graph = SymbolicGraph { is_complete: true, ..SymbolicGraph::default() };
    let mut states = quotient.symbolic.initial_states().map_err(wrong)?;
    states.truncate(most);
    let mut numbers: HashMap<Vec<i32>, usize> = states.iter().cloned().zip(0..).collect();
    for state in &states {
        graph.markings.push(quotient.node(state)?);
    }
    let mut next = 0;
    while let Some(state) = states.get(next).cloned() {
        stop_in_time(options, states.len())?;
        let steps = quotient.steps(&state)?;
        graph.markings[next].is_dead = Some(steps.is_empty());
        for (transition, state) in steps {
            let to = match numbers.get(&state) {
                Some(&to) => to,
                None if states.len() >= most => {
                    graph.is_complete = false;
                    continue;
                }
                None => {
                    graph.markings.push(quotient.node(&state)?);
                    numbers.insert(state.clone(), states.len());
                    states.push(state);
                    states.len() - 1
                }
            };
            let transition = net.transitions[transition as usize].name.clone();
            graph.edges.push(StateEdge { from: next, to, transition });
        }
        next += 1;
    }
    Ok(graph)
}

impl SymbolicGraph {
    /// The graph as a picture, each symbolic marking as the papers write it.
    pub fn picture(&self, title: &str) -> Picture {
        let nodes = self.markings.iter().enumerate();
        let nodes = nodes.map(|(number, node)| (node.shown.clone(), number == 0, node.is_dead == Some(true)));
        of_states(nodes, &self.edges, title)
    }
}
