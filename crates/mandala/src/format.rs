//! Formats that are read, and which of them a text is in.

use mandala_model::coloured::greatspn;
use std::fmt;
use std::str::FromStr;

/// A format in which models are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// The Guarded Action Language of ITS-Tools, with nets and composites.
    Gal,
    /// Place/transition nets and symmetric nets in PNML.
    Pnml,
    /// DVE, the language of DiVinE and of the BEEM models.
    Dve,
    /// Symmetric nets with bags in Mandala's own language.
    Sn,
    /// GreatSPN's nets (`.net`), with their definitions (`.def`) beside them.
    GreatSpn,
    /// Projects of GreatSPN's editor (`.PNPRO`).
    Pnpro,
}

impl Format {
    /// The format that a text shows to be in; nothing if it is not clear. PNML is XML, and a file of DVE declares
    /// processes and ends with the kind of its system.
    ///
    /// ```
    /// use mandala::Format;
    /// let text = "process P { state a; init a; } system async;";
    /// assert_eq!(Format::of_text(text), Some(Format::Dve));
    /// assert_eq!(Format::of_text("<pnml>"), Some(Format::Pnml));
    /// ```
    pub fn of_text(text: &str) -> Option<Format> {
        if text.trim_start_matches('\u{feff}').trim_ascii_start().starts_with('<') {
            return Some(if greatspn::is_project(text) { Format::Pnpro } else { Format::Pnml });
        }
        if greatspn::is_net(text) {
            return Some(Format::GreatSpn);
        }
        is_dve(text).then_some(Format::Dve)
    }

    /// The format that the ending of a file's name stands for, without its dot.
    pub fn of_ending(ending: &str) -> Option<Format> {
        match ending.to_ascii_lowercase().as_str() {
            "gal" => Some(Format::Gal),
            "pnml" | "xml" => Some(Format::Pnml),
            "dve" => Some(Format::Dve),
            "sn" => Some(Format::Sn),
            "net" => Some(Format::GreatSpn),
            "pnpro" => Some(Format::Pnpro),
            _ => None,
        }
    }
}

/// The language of another tool in which a text seems to be, if it is in no format that is read: by the ending of its file's
/// name, or by its first word.
pub(crate) fn other_language(ending: &str, text: &str) -> Option<&'static str> {
    let first = Words { rest: text }.next().unwrap_or("");
    Some(match (ending.to_ascii_lowercase().as_str(), first) {
        ("pml" | "prom" | "promela" | "spin", _) | (_, "active" | "proctype" | "mtype" | "inline") => "Promela",
        ("smv", _) | (_, "MODULE") => "the language of NuSMV",
        ("tla", _) => "TLA+",
        ("qnt", _) => "Quint",
        ("mcrl2", _) => "mCRL2",
        ("lotos" | "lnt", _) => "LOTOS",
        ("pm" | "prism" | "nm", _) => "the language of PRISM",
        ("c" | "h" | "cpp" | "rs" | "py" | "java", _) => "a language for programs that run",
        _ => return None,
    })
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Gal => "gal",
            Format::Pnml => "pnml",
            Format::Dve => "dve",
            Format::Sn => "sn",
            Format::GreatSpn => "greatspn",
            Format::Pnpro => "pnpro",
        })
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Format, String> {
        match text {
            "gal" => Ok(Format::Gal),
            "pnml" => Ok(Format::Pnml),
            "dve" => Ok(Format::Dve),
            "sn" => Ok(Format::Sn),
            "greatspn" => Ok(Format::GreatSpn),
            "pnpro" => Ok(Format::Pnpro),
            _ => Err("formats are `gal`, `pnml`, `dve`, `sn`, `greatspn` and `pnpro`".to_owned()),
        }
    }
}

/// Whether a text is one of DVE: outside of all braces it has `process NAME {`, or `system async` or `system sync`. None of
/// these can stand there in GAL, whose types begin with other words.
fn is_dve(text: &str) -> bool {
    let mut depth = 0usize;
    let mut before = ["", ""];
    let words = Words { rest: text };
    for word in words {
        match (before, word) {
            (["process", _], "{" | "(") if depth == 0 => return true,
            ([_, "system"], "async" | "sync") if depth == 0 => return true,
            (_, "{") => depth += 1,
            (_, "}") => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = [before[1], word];
    }
    false
}

/// The words and signs of a text, without comments and quoted texts.
struct Words<'t> {
    rest: &'t str,
}

impl<'t> Iterator for Words<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        loop {
            self.rest = self.rest.trim_start();
            let skipped = if self.rest.starts_with("//") {
                self.rest.find('\n')
            } else if self.rest.starts_with("/*") {
                self.rest.find("*/").map(|end| end + 2)
            } else if self.rest.starts_with('"') {
                self.rest[1..].find('"').map(|end| end + 2)
            } else {
                break;
            };
            self.rest = &self.rest[skipped.unwrap_or(self.rest.len())..];
        }
        let first = self.rest.chars().next()?;
        let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
        let end = match is_letter(first) {
            true => self.rest.find(|letter| !is_letter(letter)).unwrap_or(self.rest.len()),
            false => first.len_utf8(),
        };
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_dve_are_known_by_their_content() {
        for dve in [
            "byte x;\nprocess P {\n state a; init a;\n}\nsystem async;",
            "// gal\nprocess P { } // no system yet",
            "channel c;\n/* process */ process Q { state s; }\nsystem sync;",
        ] {
            assert_eq!(Format::of_text(dve), Some(Format::Dve), "{dve}");
        }
    }

    #[test]
    fn languages_of_other_tools_are_known() {
        for (ending, text, language) in [
            ("pml", "", Some("Promela")),
            ("txt", "/* a lock */ active proctype P() { skip }", Some("Promela")),
            ("", "MODULE main\nVAR x : boolean;", Some("the language of NuSMV")),
            ("TLA", "---- MODULE Lock ----", Some("TLA+")),
            ("txt", "$N = 3; gal active { int MODULE; }", None),
        ] {
            assert_eq!(other_language(ending, text), language, "{ending} {text}");
        }
    }

    #[test]
    fn texts_of_gal_are_not_taken_for_dve() {
        for gal in [
            "gal system { int async = 0; transition t [true] { } }",
            "gal process { int x = 0; }",
            "// system async\ngal g { int system = 1; }",
            "composite c { g process; synchronization s label \"system async\" { } }",
            "",
        ] {
            assert_eq!(Format::of_text(gal), None, "{gal}");
        }
    }
}
