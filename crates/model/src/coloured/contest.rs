//! The property files of the Model Checking Contest about coloured nets, in the words of the coloured net: the tokens of a place
//! are those of all its colours, and a transition can fire if some binding can.

use super::ColouredNet;
use super::property::{Atom, ColouredNets, Count, Firing};
use crate::expression::Integer;
use crate::net::Net;
use crate::property::contest::{self, Groups, Logic};
use crate::property::{self, Formula, Property, Question};
use crate::system::{Location, System, Type};
use crate::text::Unreadable;

/// Reads the properties of a file, as [`contest::read`] does.
pub fn read(
    file: &str, text: &str, net: &ColouredNet, logic: Option<Logic>,
) -> Result<Vec<Property<ColouredNets>>, Unreadable> {
    let names = |names: Vec<&String>| names.into_iter().zip(0..).map(|(name, at)| (name.clone(), at..at + 1)).collect();
    let groups = Groups {
        places: names(net.places.iter().map(|place| &place.name).collect()),
        transitions: names(net.transitions.iter().map(|transition| &transition.name).collect()),
    };
    // A net with these places and transitions, of which nothing but their numbers is asked.
    let outline = Net { name: net.name.clone(), ..Net::default() };
    let outline = System { name: net.name.clone(), types: vec![Type::Net(outline)], main: 0, begins: vec![0] };
    let read = contest::read_groups(file, text, &outline, &groups, logic)?;
    let coloured = |property: Property| {
        let question = question(&property.question)?;
        Some(Property { name: property.name, question })
    };
    // Nothing else can be written in such a file.
    Ok(read.into_iter().filter_map(coloured).collect())
}

fn question(question: &Question) -> Option<Question<ColouredNets>> {
    Some(match question {
        Question::Reachable(inner) => Question::Reachable(formula(inner)?),
        Question::Invariant(inner) => Question::Invariant(formula(inner)?),
        Question::Never(inner) => Question::Never(formula(inner)?),
        Question::Bounds(quantity) => Question::Bounds(integer(quantity)?),
        Question::Ctl(inner) => Question::Ctl(formula(inner)?),
        Question::Ltl(inner) => Question::Ltl(formula(inner)?),
        Question::CtlStar(inner) => Question::CtlStar(formula(inner)?),
        Question::Live(groups) => {
            Question::Live(groups.iter().map(|group| group.iter().map(firing).collect()).collect())
        }
    })
}

fn formula(given: &Formula) -> Option<Formula<Atom>> {
    given.map(&mut |atom| {
        Some(Formula::Atom(match atom {
            property::Atom::Compare(comparison, a, b) => Atom::Compare(*comparison, integer(a)?, integer(b)?),
            property::Atom::Fireable(transitions) => Atom::Fireable(transitions.iter().map(firing).collect()),
            _ => return None,
        }))
    })
}

fn firing(transition: &Location) -> Firing {
    Firing { transition: transition.index, pattern: Vec::new() }
}

fn integer(quantity: &Integer<Location>) -> Option<Integer<Count>> {
    quantity.map(&mut |place| Some(Integer::Variable(Count { place: place.index, pattern: Vec::new() })))
}
