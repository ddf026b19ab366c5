//! Symmetries for scripts.

use mandala::{ClassOfColours, Construction, Group, Quotient, SymbolicMarkings};
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

/// A class of colours with its static subclasses.
pub fn class(class: &ClassOfColours) -> Value {
    let subclass = |(size, first): &(u32, String)| json!({"colours": size, "first": first});
    let subclasses: Vec<Value> = class.subclasses.iter().map(subclass).collect();
    json!({
        "name": class.name,
        "colours": class.colours,
        "symmetry": class.symmetry.name(),
        "subclasses": subclasses,
        "reasons": class.reasons,
    })
}

/// Symbolic markings.
pub fn symbolic(symbolic: &SymbolicMarkings) -> Value {
    json!({
        "engine": symbolic.engine,
        "markings": format!("{:#}", symbolic.markings),
        "unique": symbolic.is_unique,
        "firings": symbolic.firings.as_ref().map(|count| format!("{count:#}")),
        "dead": symbolic.deadlocks.as_ref().map(|count| format!("{count:#}")),
        "bytes": symbolic.bytes,
        "how": symbolic.how,
        "classes": symbolic.classes.iter().map(class).collect::<Vec<Value>>(),
    })
}
