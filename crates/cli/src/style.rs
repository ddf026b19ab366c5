//! Colours, on a terminal that has them and nowhere else.
//!
//! `NO_COLOR` (set to anything) and `TERM=dumb` switch them off, `CLICOLOR_FORCE` (set to anything but 0) on, as the
//! conventions for these variables say.

use std::io::IsTerminal;
use std::sync::OnceLock;

/// What a piece of text is to look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Something that is as it should be.
    Good,
    /// Something that is not.
    Bad,
    /// What is wrong with what was asked.
    Wrong,
    /// Something that is not known.
    Unsure,
    /// What matters most in its line.
    Strong,
    /// What matters least.
    Faint,
}

impl Style {
    fn code(self) -> &'static str {
        match self {
            Style::Good => "32",
            Style::Bad => "31",
            Style::Wrong => "1;31",
            Style::Unsure => "33",
            Style::Strong => "1",
            Style::Faint => "2",
        }
    }
}

/// Whether standard output shows colours.
pub fn has_colours() -> bool {
    static KNOWN: OnceLock<bool> = OnceLock::new();
    *KNOWN.get_or_init(|| wanted(|name| std::env::var(name).ok(), std::io::stdout().is_terminal()))
}

/// Whether standard error shows colours.
pub fn errors_have_colours() -> bool {
    wanted(|name| std::env::var(name).ok(), std::io::stderr().is_terminal())
}

/// Whether a stream shows colours, given the environment and whether it is a terminal.
fn wanted(variable: impl Fn(&str) -> Option<String>, is_terminal: bool) -> bool {
    let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
    if is_set("NO_COLOR") {
        return false;
    }
    if variable("CLICOLOR_FORCE").is_some_and(|value| !value.is_empty() && value != "0") {
        return true;
    }
    is_terminal && variable("TERM").as_deref() != Some("dumb")
}

/// A text in a style, if standard output shows colours.
pub fn paint(style: Style, text: &str) -> String {
    if has_colours() { painted(style, text) } else { text.to_owned() }
}

/// A text in a style for standard error, if that shows colours.
pub fn paint_aside(style: Style, text: &str) -> String {
    if errors_have_colours() { painted(style, text) } else { text.to_owned() }
}

/// A text in a style.
fn painted(style: Style, text: &str) -> String {
    format!("\u{1b}[{}m{text}\u{1b}[0m", style.code())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_for_terminals_that_want_them() {
        let with = |set: &[(&str, &str)], is_terminal| {
            let set: Vec<(String, String)> =
                set.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
            wanted(|name| set.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone()), is_terminal)
        };
        assert!(with(&[("TERM", "xterm")], true));
        assert!(!with(&[("TERM", "xterm")], false));
        assert!(!with(&[("TERM", "dumb")], true));
        assert!(!with(&[("NO_COLOR", "1")], true));
        assert!(with(&[("NO_COLOR", "")], true));
        assert!(with(&[("CLICOLOR_FORCE", "1")], false));
        assert!(!with(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], true));
        assert!(!with(&[("CLICOLOR_FORCE", "0")], false));
        assert_eq!(painted(Style::Good, "holds"), "\u{1b}[32mholds\u{1b}[0m");
    }
}
