//! What the places of a net say about those of the reduced one.

use mandala_model::gal::written_name;

/// An equation between *nodes*: the places of the net, and those that rules made. Read from the last to the first, each
/// says what a marking of the reduced net leaves open: the markings of the net are the solutions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Equation {
    /// A place that follows from others: `factor * place` is the sum of the terms and a constant, in every marking.
    Follows {
        /// The place.
        place: u32,
        /// At least 1.
        factor: i64,
        /// Nodes, each with what it is multiplied with.
        terms: Vec<(u32, i64)>,
        /// What is added.
        constant: i64,
    },
    /// A place that was made of others: any numbers of tokens that add up to those of the whole.
    Sum {
        /// The place that was made.
        whole: u32,
        /// What it was made of; what is no place of the net stands for tokens that are nowhere.
        parts: Vec<u32>,
    },
    /// A place that holds no more than this, which the equations after this one do not say: it is a part of the next sum.
    AtMost {
        /// The place.
        place: u32,
        /// The most that it holds.
        most: i64,
    },
}

impl Equation {
    /// The place that was made, if it is a sum.
    pub(super) fn whole(&self) -> Option<u32> {
        match self {
            Equation::Sum { whole, .. } => Some(*whole),
            Equation::Follows { .. } | Equation::AtMost { .. } => None,
        }
    }

    /// The equation as people write it, given the names of the nodes.
    pub fn words(&self, names: &[String]) -> String {
        let name = |node: u32| names.get(node as usize).map_or_else(|| "?".to_owned(), |name| written_name(name));
        match self {
            Equation::Sum { whole, parts } => {
                let parts: Vec<String> = parts.iter().map(|&part| name(part)).collect();
                format!("{} = {}", name(*whole), parts.join(" + "))
            }
            Equation::AtMost { place, most } => format!("{} <= {most}", name(*place)),
            Equation::Follows { place, factor, terms, constant } => {
                let mut text = multiple(*factor, &name(*place)) + " =";
                let mut is_first = true;
                for &(node, times) in terms {
                    text.push_str(match (times < 0, is_first) {
                        (true, _) => " -",
                        (false, false) => " +",
                        (false, true) => "",
                    });
                    text.push(' ');
                    text.push_str(&multiple(times.saturating_abs(), &name(node)));
                    is_first = false;
                }
                match constant {
                    0 if !is_first => {}
                    constant if is_first => text.push_str(&format!(" {constant}")),
                    constant if *constant < 0 => text.push_str(&format!(" - {}", constant.unsigned_abs())),
                    constant => text.push_str(&format!(" + {constant}")),
                }
                text
            }
        }
    }
}

/// A multiple of something.
fn multiple(times: i64, name: &str) -> String {
    if times == 1 { name.to_owned() } else { format!("{times} * {name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_written_as_people_do() {
        let names: Vec<String> = ["p", "q", "r"].map(str::to_owned).to_vec();
        let words = |factor, terms: &[(u32, i64)], constant| {
            Equation::Follows { place: 0, factor, terms: terms.to_vec(), constant }.words(&names)
        };
        assert_eq!(words(1, &[], 0), "p = 0");
        assert_eq!(words(2, &[(1, 1), (2, -3)], 1), "2 * p = q - 3 * r + 1");
        assert_eq!(words(1, &[(1, -1)], -2), "p = - q - 2");
        assert_eq!(Equation::Sum { whole: 2, parts: vec![0, 1] }.words(&names), "r = p + q");
        let odd: Vec<String> = ["c + d", "c", "U"].map(str::to_owned).to_vec();
        assert_eq!(Equation::Sum { whole: 2, parts: vec![0, 1] }.words(&odd), "`U` = `c + d` + c");
    }
}
