//! Fairness of transitions, as it is asked for.

use std::fmt;
use std::str::FromStr;

/// That some transitions, each by itself, do not wait for ever: formulas about runs (LTL, CTL and CTL*) then speak of such
/// runs alone. Written as `weak`, `strong`, or `weak:take, give(1)` for some of the transitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fairness {
    /// How much of it.
    pub strength: Strength,
    /// The transitions, as in `fireable(...)`; all that happen by themselves if nothing is said.
    pub transitions: Option<String>,
}

/// How fair runs are to a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// If it can fire from some point on, it fires again and again.
    Weak,
    /// If it can fire again and again, it fires again and again.
    Strong,
}

impl FromStr for Fairness {
    type Err = String;

    fn from_str(text: &str) -> Result<Fairness, String> {
        let (word, transitions) = match text.split_once(':') {
            Some((word, transitions)) => (word, Some(transitions.trim())),
            None => (text, None),
        };
        let strength = match word.trim() {
            "weak" => Strength::Weak,
            "strong" => Strength::Strong,
            _ => return Err("fairness is `weak` or `strong`, perhaps with transitions: `weak:take, give`".to_owned()),
        };
        match transitions {
            Some("") => Err("no transitions after `:`; without it, all of them are meant".to_owned()),
            transitions => Ok(Fairness { strength, transitions: transitions.map(str::to_owned) }),
        }
    }
}

impl fmt::Display for Fairness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.strength {
            Strength::Weak => "weak",
            Strength::Strong => "strong",
        };
        match &self.transitions {
            Some(transitions) => write!(f, "{word}:{transitions}"),
            None => f.write_str(word),
        }
    }
}
