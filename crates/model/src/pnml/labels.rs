//! Numbers in labels: initial markings, weights, capacities.

use crate::text::Problem;
use crate::text::xml::{Cursor, Fault, Step, Text, fault};

/// What a label says: the text of its `<text>` or, as older tools write it, its `<value>`.
pub(crate) struct Label<'a> {
    pub text: Text<'a>,
    /// Whether it was in a `<value>`.
    pub in_value: bool,
}

/// The label that is the innermost element, to its end. `None` if it says nothing; an `Err` with text that is not in a
/// `<text>`.
pub(crate) fn label<'a>(cursor: &mut Cursor<'a>) -> Result<Option<Result<Label<'a>, Text<'a>>>, Fault> {
    let mut found = None;
    let mut bare = None;
    loop {
        match cursor.step()? {
            Step::Open(element) if matches!(element.name, "text" | "value") => {
                let text = cursor.text()?;
                found.get_or_insert(Ok(Label { text, in_value: element.name == "value" }));
            }
            Step::Open(_) => cursor.skip()?,
            Step::Text(text) if text.text.trim_ascii().is_empty() => {}
            Step::Text(text) => bare = bare.or(Some(Err(text))),
            Step::Close | Step::End => return Ok(found.or(bare)),
        }
    }
}

/// A number that is not negative. `what` names it: `a weight`.
pub(crate) fn number(text: &Text<'_>, what: &str) -> Result<i32, Fault> {
    // PIPE writes the class of tokens before their number.
    let written = text.text.trim_ascii();
    let digits = written.strip_prefix("Default,").unwrap_or(written).trim_ascii();
    let unsigned = digits.strip_prefix(['+', '-']).unwrap_or(digits);
    if unsigned.is_empty() || !unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
        return fault(Problem::new(text.span, format!("{what} that is not a number")).label("expected a number"));
    }
    if digits.starts_with('-') && unsigned.bytes().any(|byte| byte != b'0') {
        return fault(Problem::new(text.span, format!("{what} below zero")).label("expected a number from 0 on"));
    }
    unsigned.parse().or_else(|_| {
        let problem = Problem::new(text.span, format!("{what} that is too large"));
        fault(problem.label(format!("expected a number up to {}", i32::MAX)))
    })
}
