//! Symmetries for scripts.

use mandala::{Fold, Folding, Group};
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

/// How a state space was folded.
pub fn folding(folding: &Folding) -> Value {
    let mut object = group(&folding.group);
    object["way"] = json!(match folding.fold {
        Fold::Explored => "explore",
        Fold::Selected => "select",
        Fold::Listed => "list",
        Fold::Whole => "whole",
    });
    if let Some(left) = &folding.left_by_diagrams {
        object["left_by_diagrams"] = json!(format!("{left:#}"));
    }
    object
}
