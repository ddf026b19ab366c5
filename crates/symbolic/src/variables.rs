//! Which diagram variables a net gets.
//!
//! One per unit of places that exclude each other, one per group of places that follow from one number, and one per
//! remaining place. This decides more about the size of a diagram than anything else.

use mandala_model::expression::Parts;
use mandala_model::net::{Effect, Net};
use mandala_model::system::{Composite, Program, ProgramTransition, Statement, Target};

use crate::layout::{Content, Follower};
use crate::program::{FEW_STEPS, steps};
use crate::step::{Change, Step};
use mandala_analysis::order::wishes::wishes;
use mandala_analysis::order::{Connections, Event};
use mandala_analysis::structure::Structure;
use mandala_analysis::structure::complement::{complements, equal_places};
use mandala_analysis::structure::unit::{Unit, declared_units};
use rustc_hash::FxHashSet;

/// What diagram variables may stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// Units where the structure of the net proves them or its file promises them.
    Promised,
    /// Units where the structure of the net proves them.
    Proven,
    /// One variable per place.
    Places,
}

/// The variables of a net, in the order of their first places.
pub fn contents(net: &Net, structure: &Structure, grouping: Grouping) -> Vec<Content> {
    let mut groups = match grouping {
        Grouping::Places => Vec::new(),
        Grouping::Proven => structure.units.clone(),
        Grouping::Promised => {
            let promised = declared_units(net);
            let covered = |units: &[Unit]| units.iter().map(|unit| unit.places.len() - 1).sum::<usize>();
            // A promise has to be checked: it must be worth it.
            if covered(&promised) > covered(&structure.units) { promised } else { structure.units.clone() }
        }
    };
    groups.retain(|unit| unit.places.len() > 1);
    let mut free = vec![true; net.places.len()];
    let mut contents: Vec<Content> = Vec::new();
    for unit in groups {
        unit.places.iter().for_each(|&place| free[place as usize] = false);
        contents.push(Content::Unit { promised: !unit.proven, places: unit.places });
    }
    if grouping != Grouping::Places {
        contents.extend(numbers(net, &mut free));
    }
    let singles = (0..net.places.len() as u32).filter(|&place| free[place as usize]);
    contents.extend(singles.map(Content::single));
    contents.sort_by_key(|content| content.variables().into_iter().min());
    contents
}

/// Places outside units that follow from another such place.
fn numbers(net: &Net, free: &mut [bool]) -> Vec<Content> {
    let mut followers: Vec<Vec<Follower>> = vec![Vec::new(); net.places.len()];
    let relations = complements(net)
        .into_iter()
        .map(|(first, second, sum)| (first, second, -1, sum))
        .chain(equal_places(net).into_iter().map(|(first, second, difference)| (first, second, 1, difference)));
    // A place that others follow, and one that follows, takes part in no other group.
    let mut leads = vec![false; net.places.len()];
    for (first, second, factor, offset) in relations {
        let (lead, place) = (first as usize, second as usize);
        if (free[lead] || leads[lead]) && free[place] && !leads[place] {
            free[place] = false;
            free[lead] = false;
            leads[lead] = true;
            followers[lead].push(Follower { variable: second, factor, offset });
        }
    }
    let groups = followers.into_iter().enumerate().filter(|(_, followers)| !followers.is_empty());
    groups
        .map(|(lead, mut followers)| {
            followers.insert(0, Follower { variable: lead as u32, factor: 1, offset: 0 });
            Content::Number(followers)
        })
        .collect()
}

/// The diagram variable of each place: contents hold every place once.
pub(crate) fn variable_of(contents: &[Content]) -> Vec<u32> {
    let places: Vec<Vec<u32>> = contents.iter().map(Content::variables).collect();
    let mut variable_of = vec![0; places.iter().map(Vec::len).sum()];
    for (variable, places) in places.iter().enumerate() {
        places.iter().for_each(|&place| variable_of[place as usize] = variable as u32);
    }
    variable_of
}

/// Units that are nested deeper than this are taken as one.
const MOST_NESTED: usize = 16;

/// For each variable, the declared units around its first place, from the outermost inwards, but for the root.
pub(crate) fn nesting(net: &Net, contents: &[Content]) -> Vec<Vec<u32>> {
    let Some(declared) = &net.units else { return vec![Vec::new(); contents.len()] };
    let mut unit_of: Vec<Option<usize>> = vec![None; net.places.len()];
    for (index, unit) in declared.units.iter().enumerate() {
        unit.places.iter().for_each(|&place| unit_of[place as usize] = Some(index));
    }
    // From the root inwards, so that no chain of units is walked twice.
    let mut around: Vec<Vec<u32>> = vec![Vec::new(); declared.units.len()];
    let mut open = vec![declared.root];
    while let Some(unit) = open.pop() {
        for &child in &declared.units[unit].children {
            let mut path = around[unit].clone();
            if path.len() < MOST_NESTED {
                path.push(child as u32);
            }
            around[child] = path;
            open.push(child);
        }
    }
    let path = |content: &Content| {
        let unit = content.variables().first().and_then(|&place| unit_of[place as usize]);
        unit.map_or(Vec::new(), |unit| around[unit].clone())
    };
    contents.iter().map(path).collect()
}

/// In nets with more transitions than this, those that do the same count once for the order: which ones there are says more
/// than how often they are there, and nobody wants to wait.
const MANY_TRANSITIONS: usize = 100_000;

/// What the transitions of a net connect, variable by variable.
pub fn connections(net: &Net, contents: &[Content]) -> Connections {
    let variable_of = variable_of(contents);
    let mut known: FxHashSet<&[Effect]> = FxHashSet::default();
    let is_many = net.transitions.len() > MANY_TRANSITIONS;
    let transitions = net.transitions.iter().filter(|transition| !is_many || known.insert(&transition.effects));
    let events = transitions.map(|transition| {
        let mut event = Event::default();
        for effect in &transition.effects {
            let variable = variable_of[effect.place as usize];
            let change = i64::from(effect.put) - i64::from(effect.take);
            if change < 0 || effect.reset {
                event.takes.push(variable);
            } else if change > 0 {
                event.puts.push(variable);
            } else {
                event.reads.push(variable);
            }
        }
        tidy(event)
    });
    Connections { variables: contents.len(), events: events.collect(), ..Connections::default() }
}

/// What the transitions of a program connect, and whether steps are enough for all that it does.
pub(crate) fn program_connections(program: &Program) -> (Connections, bool) {
    let mut is_of_steps = true;
    let events = program.transitions.iter().map(|transition| match steps(program, transition, FEW_STEPS) {
        Ok(steps) => event_of_steps(&steps),
        Err(_) => {
            is_of_steps = false;
            event_of_statements(transition)
        }
    });
    let events = events.collect();
    let wishes = wishes(program);
    let variables = program.variables.len();
    (Connections { variables, events, wishes, ..Connections::default() }, is_of_steps)
}

fn event_of_steps(steps: &[Step]) -> Event {
    let mut event = Event::default();
    for (variable, cell) in steps.iter().flat_map(|step| &step.cells) {
        match cell.change {
            Change::Add(0) => event.reads.push(*variable),
            Change::Add(delta) if delta > 0 => event.puts.push(*variable),
            Change::Add(_) => event.takes.push(*variable),
            Change::Set(_) => {
                event.takes.push(*variable);
                event.puts.push(*variable);
            }
        }
    }
    tidy(event)
}

fn event_of_statements(transition: &ProgramTransition) -> Event {
    let mut event = Event::default();
    let read = |parts: Parts<'_, u32>, event: &mut Event| {
        let stretches = parts.filter_map(|(part, _)| part.read());
        event.reads.extend(stretches.flat_map(|(first, length)| *first..*first + length));
    };
    read(transition.guard.parts(), &mut event);
    let mut open: Vec<&Statement> = transition.body.iter().collect();
    while let Some(statement) = open.pop() {
        match statement {
            Statement::Assign(target, value) => {
                read(value.parts(), &mut event);
                let written = match target {
                    Target::Variable(variable) => *variable..*variable + 1,
                    Target::Element { first, length, index } => {
                        read(index.parts(), &mut event);
                        *first..*first + *length
                    }
                };
                event.takes.extend(written.clone());
                event.puts.extend(written);
            }
            Statement::If(condition, yes, no) => {
                read(condition.parts(), &mut event);
                open.extend(yes.iter().chain(no));
            }
            Statement::Fixpoint(body) => open.extend(body),
            Statement::Abort | Statement::Call(_) => {}
        }
    }
    tidy(event)
}

/// What the synchronisations of a composite connect: its instances.
pub fn composite_connections(composite: &Composite) -> Connections {
    let events = composite.synchronisations.iter().map(|synchronisation| {
        let instances: Vec<u32> =
            synchronisation.calls.iter().filter_map(|call| call.instance).map(|instance| instance as u32).collect();
        tidy(Event { takes: instances.clone(), puts: instances, reads: Vec::new() })
    });
    Connections { variables: composite.instances.len(), events: events.collect(), ..Connections::default() }
}

/// Each variable once in a list, and among those that are read only if it does not change.
fn tidy(mut event: Event) -> Event {
    for list in [&mut event.takes, &mut event.puts, &mut event.reads] {
        list.sort_unstable();
        list.dedup();
    }
    event.reads.retain(|variable| !event.takes.contains(variable) && !event.puts.contains(variable));
    event
}

/// The supports of groups of places, as sets of variables: what chains of semiflows are made of.
pub fn supports(contents: &[Content], groups: impl IntoIterator<Item = Vec<u32>>) -> Vec<Vec<u32>> {
    let variable_of = variable_of(contents);
    let supports = groups.into_iter().map(|group| {
        let mut variables: Vec<u32> = group.into_iter().map(|place| variable_of[place as usize]).collect();
        variables.sort_unstable();
        variables.dedup();
        variables
    });
    supports.filter(|variables| variables.len() > 1).collect()
}
