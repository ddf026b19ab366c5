//! Arcs and the ways in which tools say of what kind they are.

use super::document::Document;
use super::draft::{Arc, Kind};
use super::labels::{label, number};
use crate::text::Problem;
use crate::text::xml::{Element, Fault, Text, fault};

impl<'a> Document<'a, '_> {
    /// An `<arc>`, to its end.
    pub(super) fn arc(&mut self, element: Element<'a>) -> Result<(), Fault> {
        let source = self.problems.keep(element.required("source"));
        let target = self.problems.keep(element.required("target"));
        let mut kind = self.written_kind(element.attribute("type")?);
        let mut weight = self.weight(element.attribute("weight")?);
        if let Some(inscription) = element.attribute("inscription")? {
            self.written_inscription(&inscription, &mut weight);
        }
        let mut given = Vec::new();
        while let Some(child) = self.cursor.child()? {
            self.once(child, &["inscription", "type", "arctype"], &mut given);
            match child.name {
                "inscription" => {
                    let written = self.label("the weight of an arc")?;
                    weight = self.weight(written.map(|label| label.text)).or(weight);
                }
                "type" | "arctype" => {
                    let value = child.attribute("value")?;
                    let inside =
                        label(&mut self.cursor)?.map(|label| label.map_or_else(|bare| bare, |label| label.text));
                    let nothing = Text { text: "".into(), span: child.span };
                    kind = self.written_kind(value.or(inside).or(Some(nothing))).or(kind);
                }
                "hlinscription" => self.coloured(child)?,
                "toolspecific" => self.tool_of_node()?,
                _ => self.other(child, &["graphics", "name", "arcpath"])?,
            }
        }
        let kind = kind.unwrap_or(Kind::Normal);
        let weight = weight.unwrap_or(1);
        if weight == 0 && kind != Kind::Inhibitor {
            let problem = Problem::new(element.span, "an arc of weight 0");
            self.problems.add(problem.help("leave the arc out if it moves no tokens"));
        }
        if let (Some(source), Some(target)) = (source, target) {
            let arc = Arc { source, target, span: element.span, weight, kind };
            self.draft.arcs.push(arc);
        }
        Ok(())
    }

    fn weight(&mut self, written: Option<Text<'a>>) -> Option<i32> {
        written.and_then(|text| self.problems.keep(number(&text, "a weight")))
    }

    /// TAPAAL writes weights, and the times of timed arcs, as an attribute.
    fn written_inscription(&mut self, inscription: &Text<'a>, weight: &mut Option<i32>) {
        match inscription.text.trim_ascii() {
            "[0,inf)" => {}
            text if text.starts_with(['[', '(']) => {
                let problem = Problem::new(inscription.span, "timed nets are not supported");
                self.problems.add(problem.label("an interval of ages"));
            }
            _ => *weight = weight.or(self.problems.keep(number(inscription, "a weight"))),
        }
    }

    fn written_kind(&mut self, written: Option<Text<'a>>) -> Option<Kind> {
        written.and_then(|text| self.problems.keep(kind(&text)))
    }
}

/// What to write instead of a type that is not supported.
const SUPPORTED: &str = "supported are `normal`, `inhibitor`, `read` (or `test`) and `reset`";

/// The kind of an arc, as tools call it.
fn kind(written: &Text<'_>) -> Result<Kind, Fault> {
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
