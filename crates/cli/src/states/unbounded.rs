//! The run that shows that a net is not bounded.

use mandala_analysis::structure::cover::Witness;
use mandala_model::net::Net;
use mandala_model::system::{System, Type};

/// A run that can be repeated for ever, by names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Transitions that fire first.
    pub prefix: Vec<String>,
    /// Transitions that can then fire again and again.
    pub cycle: Vec<String>,
    /// Places that hold more each time.
    pub grows: Vec<String>,
}

/// Steps that people are shown of the beginning and of the cycle, and places.
const MOST: usize = 30;

/// The names of a witness.
pub fn describe(system: &System, witness: &Witness) -> Run {
    let none = Net::default();
    let net = match system.types.get(system.main) {
        Some(Type::Net(net)) => net,
        _ => &none,
    };
    let transitions = |list: &[u32]| {
        let names = list.iter().filter_map(|&index| net.transitions.get(index as usize));
        names.map(|transition| transition.name.clone()).collect()
    };
    let places = witness.grows.iter().filter_map(|&index| net.places.get(index as usize));
    Run {
        prefix: transitions(&witness.prefix),
        cycle: transitions(&witness.cycle),
        grows: places.map(|place| place.name.clone()).collect(),
    }
}

impl Run {
    /// The run for people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if !self.prefix.is_empty() {
            text.push_str("After\n");
            text.push_str(&steps(&self.prefix));
        }
        text.push_str("this can happen again and again:\n");
        text.push_str(&steps(&self.cycle));
        let shown = self.grows.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(", ");
        let more = match self.grows.len().saturating_sub(MOST) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        text.push_str(&format!("and each time there are more tokens in {shown}{more}\n"));
        text
    }
}

/// Steps, one a line; the same step several times in a row is one line.
fn steps(names: &[String]) -> String {
    let mut text = String::new();
    let rows: Vec<&[String]> = names.chunk_by(|a, b| a == b).collect();
    for row in rows.iter().take(MOST) {
        let times = if row.len() > 1 { format!("  ({} times)", row.len()) } else { String::new() };
        text.push_str(&format!("  {}{times}\n", row[0]));
    }
    let shown: usize = rows.iter().take(MOST).map(|row| row.len()).sum();
    if shown < names.len() {
        text.push_str(&format!("  ... and {} more steps\n", names.len() - shown));
    }
    text
}
