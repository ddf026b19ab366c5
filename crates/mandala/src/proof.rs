//! Why something is never so, without the states: what can be checked by hand.

use std::fmt;

/// More cases than this are not written out in text.
const MOST_CASES: usize = 5;
/// Nor sums with more parts, or more conditions.
const MOST_PARTS: usize = 12;

/// What shows that no reachable state is one that would decide otherwise. Displayed, it is written out, but for what is long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Such a state would be in one of these cases, and no reachable state is.
    Cases(Vec<ProofCase>),
    /// It would be a deadlock, whose empty places are a siphon; but every siphon holds a trap that is marked in the beginning, and
    /// is never empty.
    MarkedTraps,
}

/// Why no reachable state is in a case: no transition makes a sum of tokens greater, and in this case it would be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofCase {
    /// What holds in this case, as far as it matters.
    pub assumed: Vec<Inequality>,
    /// What holds in all reachable states of it, because traps are marked in the beginning and places hold at most one token.
    pub known: Vec<Inequality>,
    /// Which sum: places, each with how often its tokens count.
    pub sum: Vec<(i64, String)>,
    /// The sum in the beginning.
    pub initially: i128,
    /// What it would be at least.
    pub needed: i128,
}

/// That a sum of tokens is at least a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inequality {
    /// Places, each with how often its tokens count.
    pub sum: Vec<(i64, String)>,
    /// The number.
    pub least: i64,
}

impl fmt::Display for Inequality {
    /// With what is negative on the other side: `p >= 1`, `q <= 2`, `p >= q + 1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |is: fn(&i64) -> bool| -> Vec<(i64, String)> {
            let parts = self.sum.iter().filter(|(times, _)| is(times));
            parts.map(|(times, place)| (times.saturating_abs(), place.clone())).collect()
        };
        let (plus, minus) = (side(|times| *times > 0), side(|times| *times < 0));
        match (plus.is_empty(), minus.is_empty(), self.least) {
            (true, false, least) => write!(f, "{} <= {}", written(&minus), least.saturating_neg()),
            (false, false, 0) => write!(f, "{} >= {}", written(&plus), written(&minus)),
            (false, false, 1..) => write!(f, "{} >= {} + {}", written(&plus), written(&minus), self.least),
            (false, false, _) => {
                write!(f, "{} >= {} - {}", written(&plus), written(&minus), self.least.saturating_neg())
            }
            (_, true, least) => write!(f, "{} >= {least}", written(&plus)),
        }
    }
}

/// A sum as formulas write it: `a + 2 * b`.
pub fn written(sum: &[(i64, String)]) -> String {
    let mut text = String::new();
    for (times, place) in sum.iter().take(MOST_PARTS) {
        match (text.is_empty(), *times < 0) {
            (true, false) => {}
            (true, true) => text.push('-'),
            (false, false) => text.push_str(" + "),
            (false, true) => text.push_str(" - "),
        }
        match times.unsigned_abs() {
            1 => text.push_str(place),
            times => text.push_str(&format!("{times} * {place}")),
        }
    }
    match sum.len() {
        0 => "0".to_owned(),
        more if more > MOST_PARTS => format!("{text} + ... ({} more)", more - MOST_PARTS),
        _ => text,
    }
}

fn list(all: &[Inequality]) -> String {
    let shown: Vec<String> = all.iter().take(MOST_PARTS).map(Inequality::to_string).collect();
    let more = if all.len() > MOST_PARTS { format!(", ... ({} more)", all.len() - MOST_PARTS) } else { String::new() };
    shown.join(", ") + &more
}

impl fmt::Display for ProofCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.known.is_empty() {
            write!(f, "always {}; ", list(&self.known))?;
        }
        if self.sum.is_empty() {
            return write!(f, "no place holds fewer than 0 tokens, as {} would take", list(&self.assumed));
        }
        // With the sign that needs fewer of them.
        let is_negative = self.sum.iter().all(|(times, _)| *times < 0);
        let sign = if is_negative { -1 } else { 1 };
        let (less, least) = if is_negative { ("less", "most") } else { ("more", "least") };
        let sum: Vec<(i64, String)> = self.sum.iter().map(|(times, place)| (times * sign, place.clone())).collect();
        let (initially, needed) = (i128::from(sign) * self.initially, i128::from(sign) * self.needed);
        write!(f, "no step makes {} {less} than the {initially} of the beginning", written(&sum))?;
        match self.assumed.is_empty() {
            true => write!(f, ", and it would have to be {needed}"),
            false => write!(f, ", and with {} it would be at {least} {needed}", list(&self.assumed)),
        }
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cases = match self {
            Proof::MarkedTraps => {
                let text = "every siphon holds a trap with a token in the beginning, so none is ever empty, as one would be in a deadlock";
                return writeln!(f, "  a proof without the states: {text}");
            }
            Proof::Cases(cases) => cases,
        };
        if let [only] = cases.as_slice() {
            return writeln!(f, "  a proof without the states: {only}");
        }
        writeln!(f, "  a proof without the states, in {} cases:", cases.len())?;
        for (number, case) in (1..).zip(cases).take(MOST_CASES) {
            writeln!(f, "  {number}  {case}")?;
        }
        if cases.len() > MOST_CASES {
            writeln!(f, "  and {} more, which --json shows", cases.len() - MOST_CASES)?;
        }
        Ok(())
    }
}
