//! Figures of a net with many tokens, from those of its siblings with few.
//!
//! Where the markings of a net are all solutions of its invariants, how many there are is a polynomial of how many tokens it
//! begins with ([`mandala_analysis::polytope`]).

use mandala_analysis::polytope::Family;
use mandala_analysis::reduce::count::{IBig, UBig};
use mandala_diagram::Count;
use mandala_model::net::{Initial, Net};
use mandala_model::system::{System, Type};

use crate::explore::explore_briefly;
use crate::figures::Figures;
use crate::options::Options;

/// How much work may be done for each sibling.
const WORK: u64 = 3_000_000;

/// The contest's figures of a net of a family. Nothing if one of its siblings takes too much work, or a limit struck.
pub fn figures(family: &Family, net: &Net, options: &Options) -> Option<Figures> {
    let (mut states, mut transitions) = (Vec::new(), Vec::new());
    for number in family.samples() {
        let sibling = sibling(net, family.marking(number)?);
        let figures = explore_briefly(&sibling, options, WORK)?.figures().ok()?;
        states.push(exact(&figures.states)?);
        transitions.push(exact(&figures.transitions?)?);
    }
    Some(Figures {
        states: counted(family, &states)?,
        transitions: Some(counted(family, &transitions)?),
        most_in_place: family.most_in_place()?,
        most_in_marking: family.most_in_marking()?,
    })
}

/// The net with another initial marking.
fn sibling(net: &Net, marking: Vec<i32>) -> System {
    let net = Net { initial: vec![Initial { name: String::new(), marking }], ..net.clone() };
    System { name: net.name.clone(), types: vec![Type::Net(net)], main: 0, begins: vec![0] }
}

fn exact(count: &Count) -> Option<IBig> {
    count.exact().cloned().map(IBig::from)
}

fn counted(family: &Family, samples: &[IBig]) -> Option<Count> {
    UBig::try_from(family.extrapolate(samples)?).ok().map(Count::from)
}
