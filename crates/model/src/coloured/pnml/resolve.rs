//! From a draft to a net: sorts to domains, terms to expressions, arcs at their places and transitions.

use super::Reading;
use super::declarations::{Components, Declarations};
use super::draft::{Arc as ArcDraft, Draft};
use super::names::free;
use super::terms::Terms;
use super::tree::Node;
use crate::coloured::{Arc, ColouredNet, Guard, Place, Sort, Tokens, Transition, Variable};
use crate::pnml::kinds::Kind;
use crate::pnml::nodes::Link;
use crate::pnml::timing;
use crate::text::Problem;
use crate::text::complaint::shortened;
use crate::text::problems::Problems;
use rustc_hash::FxHashSet;

/// The net of a draft. `None` if something is wrong with it, which is among the problems then.
pub(super) fn net(draft: &Draft<'_>, problems: &mut Problems) -> Option<Reading> {
    let timings = draft.nodes.transitions.iter().zip(draft.transitions.iter().map(|transition| &transition.timing));
    let mut notes = draft.notes.clone();
    let priorities = timing::priorities(&timings.collect::<Vec<_>>(), &mut notes, problems);
    let mut links = links(draft, problems);
    let mut declarations = Declarations::new(&draft.tree, &draft.declarations, problems);
    let domains: Vec<Option<Components>> = draft.places.iter().map(|place| declarations.sort(place.sort?)).collect();
    let places = places(draft, &domains, &mut declarations);
    // Arcs of one transition stay in the order of their places, and of the file.
    links.sort_by_key(|(link, _)| (link.transition, link.place));
    let mut transitions = Some(Vec::with_capacity(draft.transitions.len()));
    let mut rest = links.as_slice();
    for (index, priority) in priorities.into_iter().enumerate() {
        let end = rest.partition_point(|(link, _)| link.transition as usize <= index);
        let (arcs, after) = rest.split_at(end);
        rest = after;
        let transition = Builder { draft, domains: &domains, declarations: &mut declarations }.transition(index, arcs);
        match (transition, &mut transitions) {
            (Some(transition), Some(transitions)) => {
                transitions.push(Transition { priority, ..transition });
            }
            (None, _) => transitions = None,
            (_, None) => {}
        }
    }
    let classes = declarations.into_classes();
    let net = ColouredNet { name: draft.name.to_string(), classes, places: places?, transitions: transitions? };
    Some(Reading { net, notes })
}

/// What the arcs connect.
fn links<'n, 'a>(draft: &'n Draft<'a>, problems: &mut Problems) -> Vec<(Link, &'n ArcDraft<'a>)> {
    let nodes = draft.nodes.resolve(problems);
    let mut links = Vec::with_capacity(draft.arcs.len());
    for arc in &draft.arcs {
        links.extend(nodes.link(&arc.ends, problems).map(|link| (link, arc)));
    }
    links
}

fn places(
    draft: &Draft<'_>, domains: &[Option<Components>], declarations: &mut Declarations<'_, '_>,
) -> Option<Vec<Place>> {
    let mut places = Some(Vec::with_capacity(draft.places.len()));
    for ((node, place), components) in draft.nodes.places.iter().zip(&draft.places).zip(domains) {
        let initial = components.as_ref().and_then(|components| match place.marking {
            Some(marking) => Terms { all: &mut *declarations, scope: None, place: Some((&node.id, components)) }
                .tokens(marking, components),
            None => Some(Tokens::none()),
        });
        match (components, initial, &mut places) {
            (Some(components), Some(initial), Some(places)) => {
                let domain = components.iter().map(|&class| Sort::Colour(class)).collect();
                places.push(Place { name: node.id.to_string(), domain, initial });
            }
            (None, ..) | (_, None, _) => places = None,
            _ => {}
        }
    }
    places
}

/// Makes one transition.
struct Builder<'b, 'd, 'a> {
    draft: &'b Draft<'a>,
    domains: &'b [Option<Components>],
    declarations: &'b mut Declarations<'d, 'a>,
}

/// All arcs between a transition and a place.
#[derive(Default)]
struct Bundle {
    takes: Vec<Tokens>,
    puts: Vec<Tokens>,
    reads: Option<Tokens>,
    inhibitors: Vec<Tokens>,
}

impl<'d, 'a> Builder<'_, 'd, 'a> {
    fn transition(mut self, index: usize, arcs: &[(Link, &ArcDraft<'a>)]) -> Option<Transition> {
        let guard = self.draft.transitions[index].guard;
        let (scope, variables) = self.variables(guard.into_iter().chain(arcs.iter().filter_map(|(_, arc)| arc.tokens)));
        let guard = match guard {
            Some(guard) => self.terms(&scope, None).guard(guard),
            None => Some(Guard::default()),
        };
        let name = self.draft.nodes.transitions[index].id.to_string();
        let mut transition = Transition { name, variables, ..Transition::default() };
        let mut is_whole = true;
        for group in arcs.chunk_by(|(one, _), (other, _)| one.place == other.place) {
            match self.bundle(group, &scope) {
                Some(bundle) => bundle.add_to(&mut transition, group[0].0.place),
                None => is_whole = false,
            }
        }
        transition.guard = guard?;
        is_whole.then_some(transition)
    }

    /// The variables that some terms mention, in the order in which they are declared, and which number each of them has.
    fn variables(&mut self, terms: impl Iterator<Item = Node>) -> (Vec<(u32, u32)>, Vec<Variable>) {
        let mut used: Vec<u32> = Vec::new();
        for element in terms.flat_map(|term| self.draft.tree.all(term)).filter(|element| element.name == "variable") {
            let name = element.attribute("refvariable").ok().flatten();
            used.extend(name.and_then(|name| self.declarations.variable_ids.get(&name.text)));
        }
        used.sort_unstable();
        used.dedup();
        let declared = |index: u32| &self.declarations.variables[index as usize];
        let mut taken: FxHashSet<String> = used.iter().map(|&index| declared(index).name.clone()).collect();
        let (mut scope, mut variables) = (Vec::new(), Vec::new());
        for index in used {
            let variable = declared(index);
            scope.push((index, variables.len() as u32));
            let components = variable.components.as_deref().unwrap_or_default();
            for (&class, number) in components.iter().zip(1..) {
                let name = match components.len() {
                    1 => variable.name.clone(),
                    _ => free(format!("{}.{number}", variable.name), &mut taken),
                };
                variables.push(Variable { name, sort: Sort::Colour(class), unique: false });
            }
        }
        (scope, variables)
    }

    fn terms<'t>(&'t mut self, scope: &'t [(u32, u32)], place: Option<(&'t str, &'t [u32])>) -> Terms<'t, 'd, 'a> {
        Terms { all: &mut *self.declarations, scope: Some(scope), place }
    }

    /// The arcs between a transition and a place.
    fn bundle(&mut self, arcs: &[(Link, &ArcDraft<'a>)], scope: &[(u32, u32)]) -> Option<Bundle> {
        let place = arcs[0].0.place as usize;
        let components = self.domains[place].clone()?;
        let draft = self.draft;
        let name = &draft.nodes.places[place].id;
        let mut bundle = Some(Bundle::default());
        for (link, arc) in arcs {
            let tokens = match arc.tokens {
                Some(tokens) => self.terms(scope, Some((name, &components))).tokens(tokens, &components),
                None if components.is_empty() => Some(Tokens::neutral()),
                None => {
                    let problem = Problem::new(arc.ends.span, "an arc that does not say which tokens it moves");
                    let problem = problem.label(format!("the tokens of `{}` have colours", shortened(name)));
                    let help = "write `<hlinscription><structure>…</structure></hlinscription>` inside of it";
                    self.declarations.problems.add(problem.help(help));
                    None
                }
            };
            let (Some(tokens), Some(all)) = (tokens, &mut bundle) else {
                bundle = None;
                continue;
            };
            match arc.ends.kind {
                Kind::Normal if link.out => all.puts.push(tokens),
                Kind::Normal => all.takes.push(tokens),
                Kind::Inhibitor => all.inhibitors.push(tokens),
                Kind::Read if all.reads.is_none() => all.reads = Some(tokens),
                Kind::Read => {
                    let problem = Problem::new(arc.ends.span, "a second read arc between the same nodes");
                    self.declarations.problems.add(problem.help("make one of them, whose tokens are enough for both"));
                    bundle = None;
                }
                Kind::Reset => {
                    let problem = Problem::new(arc.ends.span, "a reset arc in a coloured net is not supported");
                    self.declarations.problems.add(problem.help("supported are ordinary, `inhibitor` and `read` arcs"));
                    bundle = None;
                }
            }
        }
        bundle
    }
}

impl Bundle {
    /// Adds these arcs to a transition.
    fn add_to(mut self, transition: &mut Transition, place: u32) {
        if let Some(reads) = self.reads {
            // What is read must be there beside nothing but itself: of it, only what is not taken anyway is taken and put back.
            let more = match self.takes.is_empty() {
                true => reads,
                false => Tokens::Difference(Box::new(reads), Box::new(one(self.takes.clone()))),
            };
            self.takes.push(more.clone());
            self.puts.push(more);
        }
        let arc = |tokens: Vec<Tokens>| Arc { place, tokens: one(tokens) };
        if !self.takes.is_empty() {
            transition.takes.push(arc(self.takes));
        }
        if !self.puts.is_empty() {
            transition.puts.push(arc(self.puts));
        }
        transition.inhibitors.extend(self.inhibitors.into_iter().map(|tokens| Arc { place, tokens }));
    }
}

/// The tokens of several arcs as one. Sums of sums are made one sum.
fn one(mut arcs: Vec<Tokens>) -> Tokens {
    if arcs.len() == 1 {
        return arcs.remove(0);
    }
    let flat = arcs.into_iter().flat_map(|tokens| match tokens {
        Tokens::Sum(inner) if !inner.is_empty() => inner,
        tokens => vec![tokens],
    });
    Tokens::Sum(flat.collect())
}
