//! Arcs and the ways in which tools say of what kind they are.

use super::document::Document;
use super::draft::Arc;
use crate::pnml::kinds::Kind;
use crate::pnml::labels::number;
use crate::pnml::nodes::Ends;
use crate::text::Problem;
use crate::text::xml::{Element, Fault, Text};

impl<'a> Document<'a, '_> {
    /// An `<arc>`, to its end.
    pub(super) fn arc(&mut self, element: Element<'a>) -> Result<(), Fault> {
        let source = self.file.problems.keep(element.required("source"));
        let target = self.file.problems.keep(element.required("target"));
        let mut kind = self.file.kind(element.attribute("type")?);
        let mut weight = self.weight(element.attribute("weight")?);
        if let Some(inscription) = element.attribute("inscription")? {
            self.written_inscription(&inscription, &mut weight);
        }
        let mut given = Vec::new();
        while let Some(child) = self.file.cursor.child()? {
            self.file.once(child, &["inscription", "type", "arctype"], &mut given);
            match child.name {
                "inscription" => {
                    let written = self.file.label("the weight of an arc")?;
                    weight = self.weight(written.map(|label| label.text)).or(weight);
                }
                "type" | "arctype" => kind = self.file.kind_inside(child)?.or(kind),
                "hlinscription" => self.coloured(child)?,
                "toolspecific" => self.file.tool_of_node()?,
                _ => self.file.other(child, &["graphics", "name", "arcpath"])?,
            }
        }
        let kind = kind.unwrap_or(Kind::Normal);
        let weight = weight.unwrap_or(1);
        if weight == 0 && kind != Kind::Inhibitor {
            let problem = Problem::new(element.span, "an arc of weight 0");
            self.file.problems.add(problem.help("leave the arc out if it moves no tokens"));
        }
        if let (Some(source), Some(target)) = (source, target) {
            let arc = Arc { ends: Ends { source, target, kind, span: element.span }, weight };
            self.draft.arcs.push(arc);
        }
        Ok(())
    }

    fn weight(&mut self, written: Option<Text<'a>>) -> Option<i32> {
        written.and_then(|text| self.file.problems.keep(number(&text, "a weight")))
    }

    /// TAPAAL writes weights, and the times of timed arcs, as an attribute.
    fn written_inscription(&mut self, inscription: &Text<'a>, weight: &mut Option<i32>) {
        match inscription.text.trim_ascii() {
            "[0,inf)" => {}
            text if text.starts_with(['[', '(']) => {
                let problem = Problem::new(inscription.span, "timed nets are not supported");
                self.file.problems.add(problem.label("an interval of ages"));
            }
            _ => *weight = weight.or(self.file.problems.keep(number(inscription, "a weight"))),
        }
    }
}
