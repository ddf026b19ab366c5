//! Of what kind a net is, and an arc, as the standard and tools write it.

use crate::text::Problem;
use crate::text::xml::{Fault, Text, fault};

/// How the types of coloured nets end, as the standard and tools write them.
const COLOURED: [&str; 5] = ["symmetricnet", "highlevelnet", "hlpn", "hlcorestructure", "pt-hlpng"];

/// How the types of place/transition nets end.
const PLACE_TRANSITION: [&str; 7] =
    ["ptnet", "ptnetb", "p/t net", "ptnet.pntd", "coremodel", "epnml-1.1", "stochasticpetrinet"];

/// Whether the `type` of a net is that of a coloured one.
pub(crate) fn is_coloured(written: &str) -> bool {
    ends_with_one_of(written, &COLOURED)
}

/// Whether the `type` of a net is that of a place/transition net.
pub(crate) fn is_place_transition(written: &str) -> bool {
    ends_with_one_of(written, &PLACE_TRANSITION)
}

fn ends_with_one_of(written: &str, endings: &[&str]) -> bool {
    let lower = written.trim_ascii().to_ascii_lowercase();
    endings.iter().any(|ending| lower.ends_with(ending))
}

/// What an arc means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Normal,
    Read,
    Inhibitor,
    Reset,
}

/// What to write instead of a type that is not supported.
const SUPPORTED: &str = "supported are `normal`, `inhibitor`, `read` (or `test`) and `reset`";

/// The kind of an arc, as tools call it.
pub(crate) fn kind(written: &Text<'_>) -> Result<Kind, Fault> {
    let name = written.text.trim_ascii();
    Ok(match name.to_ascii_lowercase().as_str() {
        "normal" => Kind::Normal,
        "inhibitor" | "tapninhibitor" => Kind::Inhibitor,
        "read" | "test" => Kind::Read,
        "reset" => Kind::Reset,
        // In TAPAAL an arc with the interval [0,inf) is an ordinary one; others are refused where they are read.
        "timed" => Kind::Normal,
        "" => return fault(Problem::new(written.span, "an arc whose type is not said").help(SUPPORTED)),
        _ => {
            let problem = Problem::new(written.span, format!("arcs of type `{name}` are not supported"));
            return fault(problem.help(SUPPORTED));
        }
    })
}
