//! Symmetries for scripts.

use mandala::{Construction, Group, Quotient};
use serde_json::{Value, json};

/// A group.
pub fn group(group: &Group) -> Value {
    json!({
        "parts": group.parts,
        "order": format!("{:#}", group.order),
        "complete": group.is_complete,
        "keeps_initial": group.keeps_initial,
        "twins": group.twins,
    })
}

/// A quotient: its group, and how it was made.
pub fn quotient(quotient: &Quotient) -> Value {
    let mut object = group(&quotient.group);
    object["way"] = json!(match quotient.construction {
        Construction::Explored => "explore",
        Construction::Selected => "select",
        Construction::Listed => "list",
        Construction::Whole => "whole",
    });
    if let Some(left) = &quotient.left_by_diagrams {
        object["left_by_diagrams"] = json!(format!("{left:#}"));
    }
    object
}
