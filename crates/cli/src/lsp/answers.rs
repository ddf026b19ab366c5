//! What the editor asks of a text, and the answers.

use super::document::Document;
use mandala::language::{Declaration, DeclarationKind, Outline, complete, format};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::time::Duration;

/// How long hovering may look for the bounds of a variable.
const BOUNDS: Duration = Duration::from_millis(400);
/// How long a property may be checked.
pub const CHECK: Duration = Duration::from_secs(60);
/// Memory that work for an editor may use.
const MEMORY: u64 = 2 << 30;

/// What a name is: how it is declared, what its comment says, and between which values it is.
pub fn hover(document: &Document, position: &Value) -> Value {
    if !document.has_outline() {
        return Value::Null;
    }
    let at = document.offset(position);
    let outline = Outline::of(&document.text);
    let Some(found) = outline.resolve(&document.text, at) else { return Value::Null };
    let mut text = format!("```gal\n{}\n```\n{}", found.detail, found.kind.word());
    if let Some(inside) = found.inside.and_then(|number| outline.declarations.get(number)) {
        text.push_str(&format!(" of `{}`", inside.name));
    }
    if matches!(found.kind, DeclarationKind::Variable | DeclarationKind::Place)
        && let Some(bounds) = bounds(document, outline.reference_at(&document.text, at).unwrap_or(&found.name))
    {
        text.push_str(&format!(", {bounds}"));
    }
    if !found.comment.is_empty() {
        text.push_str(&format!("\n\n{}", found.comment));
    }
    json!({"contents": {"kind": "markdown", "value": text}})
}

/// Between which values a variable is, if that is found soon.
fn bounds(document: &Document, reference: &str) -> Option<String> {
    let model = document.model().ok()?;
    let question = model.check(&format!("[bounds] : {reference}")).ok()?;
    let answer = question.timeout(BOUNDS).memory(MEMORY).traces(mandala::Traces::Unwanted).run().ok()?;
    match answer.verdict {
        mandala::Verdict::Bounds { least, greatest } if least == greatest => Some(format!("always {least}")),
        mandala::Verdict::Bounds { least, greatest } => Some(format!("from {least} to {greatest}")),
        _ => None,
    }
}

/// Where a name is declared.
pub fn definition(document: &Document, position: &Value) -> Value {
    let outline = Outline::of(&document.text);
    let at = document.offset(position);
    let found = outline.resolve(&document.text, at).filter(|_| document.has_outline());
    found.map_or(Value::Null, |found| json!({"uri": document.uri, "range": document.range(found.at.clone())}))
}

/// Where what a name means is named.
pub fn references(document: &Document, position: &Value) -> Value {
    let outline = Outline::of(&document.text);
    let Some(found) = outline.resolve(&document.text, document.offset(position)) else { return json!([]) };
    let uses = outline.uses(&document.text, found).into_iter();
    uses.map(|range| json!({"uri": document.uri, "range": document.range(range)})).collect()
}

/// What may be written.
pub fn completion(document: &Document, position: &Value) -> Value {
    if !document.has_outline() {
        return json!([]);
    }
    let found = complete(&document.text, document.offset(position)).into_iter();
    found.map(|one| json!({"label": one.text, "kind": completion_kind(one.kind), "detail": one.detail})).collect()
}

fn completion_kind(kind: Option<DeclarationKind>) -> u32 {
    match kind {
        None => 14,
        Some(DeclarationKind::Constant) => 21,
        Some(DeclarationKind::Range) => 13,
        Some(DeclarationKind::Type) => 7,
        Some(DeclarationKind::Variable | DeclarationKind::Parameter) => 6,
        Some(DeclarationKind::Place) => 5,
        Some(DeclarationKind::Transition) => 23,
        Some(DeclarationKind::Instance) => 9,
        Some(DeclarationKind::Definition) => 3,
        Some(DeclarationKind::Property | DeclarationKind::Other) => 10,
    }
}

/// What the text declares, one inside of the other.
pub fn symbols(document: &Document) -> Value {
    if !document.has_outline() {
        return json!([]);
    }
    let outline = Outline::of(&document.text);
    let shown = outline.members(None).map(|one| symbol(document, &outline, one));
    shown.collect()
}

fn symbol(document: &Document, outline: &Outline, one: &Declaration) -> Value {
    let number = outline.declarations.iter().position(|other| other == one);
    // Declarations nest three deep at most: type, transition, parameter.
    let children: Vec<Value> = match one.kind {
        DeclarationKind::Type => outline.members(number).map(|inner| symbol(document, outline, inner)).collect(),
        _ => Vec::new(),
    };
    let kind = match one.kind {
        DeclarationKind::Constant => 14,
        DeclarationKind::Range => 10,
        DeclarationKind::Type => 5,
        DeclarationKind::Variable | DeclarationKind::Parameter => 13,
        DeclarationKind::Place => 8,
        DeclarationKind::Transition => 24,
        DeclarationKind::Instance => 19,
        DeclarationKind::Definition => 12,
        DeclarationKind::Property => 7,
        DeclarationKind::Other => 20,
    };
    json!({
        "name": one.name,
        "detail": one.detail,
        "kind": kind,
        "range": document.range(one.whole.clone()),
        "selectionRange": document.range(one.at.clone()),
        "children": children,
    })
}

/// The text laid out as usual; nothing if it cannot be.
pub fn formatting(document: &Document) -> Value {
    match format(&document.text) {
        Ok(text) if document.has_outline() && text != document.text => {
            json!([{"range": document.range(0..document.text.len()), "newText": text}])
        }
        _ => json!([]),
    }
}

/// A lens on each property that checks it, or says what is known.
pub fn lenses(document: &Document, verdicts: &HashMap<String, String>) -> Value {
    let outline = Outline::of(&document.text);
    let properties = outline.members(None).filter(|one| one.kind == DeclarationKind::Property);
    let shown = properties.filter(|_| document.has_outline()).map(|one| {
        let title = verdicts.get(&one.name).map_or_else(|| "check".to_owned(), Clone::clone);
        let command = json!({"title": title, "command": "mandala.check", "arguments": [document.uri, one.name]});
        json!({"range": document.range(one.at.clone()), "command": command})
    });
    shown.collect()
}

/// Checks a property: the verdict in a few words, and what shows it.
pub fn check(document: &Document, name: &str) -> Result<(String, String), String> {
    let model = document.model().map_err(|error| error.to_string())?;
    let options = mandala::Options { timeout: Some(CHECK), memory: Some(MEMORY.into()), ..mandala::Options::default() };
    model.prepare(&options).map_err(|error| error.to_string())?;
    let question = model.property(name).map_err(|error| error.to_string())?;
    let answers = model.ask([question]).options(&options).run().map_err(|error| error.to_string())?;
    let answer = answers.answers.first().ok_or("there is no answer")?;
    Ok((answer.verdict_in_words(), answer.explanation()))
}
