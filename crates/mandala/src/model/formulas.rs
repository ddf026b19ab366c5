//! Text files of formulas: one on a line, perhaps with a name.

use super::Model;
use crate::error::{Error, ErrorKind};
use crate::input::{self, Content};
use crate::question::Question;
use mandala_model::text::{Problem, Span, Unreadable};

/// The word before the name of a formula.
const PROPERTY: &str = "property";

/// A line that asks something.
#[derive(Debug, PartialEq, Eq)]
struct Line<'t> {
    /// Its name, if it has one.
    name: Option<&'t str>,
    /// The formula, perhaps with its kind.
    formula: &'t str,
    /// Where the formula begins in the text.
    start: usize,
}

impl Model {
    /// The questions in a text file: a formula on each line, as [`Model::question`] reads it, or `property NAME : FORMULA` or
    /// `property NAME [KIND] : FORMULA`, perhaps with a semicolon at its end. Empty lines and those that begin with `//` or
    /// `#` say nothing.
    pub fn formula_file(&self, file: &str) -> Result<Vec<Question>, Error> {
        let text = input::text(file, Content::Formulas)?;
        let mut problems = Vec::new();
        let mut questions: Vec<Question> = Vec::new();
        for line in lines(&text) {
            let line = match line {
                Ok(line) => line,
                Err(problem) => {
                    problems.push(problem);
                    continue;
                }
            };
            match self.question(line.formula) {
                Ok(question) => match line.name {
                    Some(name) if questions.iter().any(|known| known.name() == name) => {
                        let span = Span::new(line.start, line.start + line.formula.len());
                        problems
                            .push(Problem::new(span, format!("there are two properties `{name}`")).label("the second"));
                    }
                    Some(name) => questions.push(question.named(name)),
                    None => questions.push(question),
                },
                Err(error) => match error.unreadable() {
                    Some(unreadable) => problems.extend(unreadable.problems.iter().map(|one| moved(one, line.start))),
                    None => return Err(error.within(input::shown(file))),
                },
            }
        }
        if !problems.is_empty() {
            return Err(Unreadable::new(input::shown(file), &text, problems).into());
        }
        if questions.is_empty() {
            let text = format!("{} asks nothing", input::shown(file));
            return Err(Error::with_help(
                ErrorKind::Question,
                text,
                "write a formula on each line, such as `AG x <= 3`",
            ));
        }
        Ok(questions)
    }
}

/// The lines of a text that ask something.
fn lines(text: &str) -> Vec<Result<Line<'_>, Problem>> {
    let mut found = Vec::new();
    let mut start = 0;
    for whole in text.split_inclusive('\n') {
        let written = whole.trim();
        let begin = start + (whole.len() - whole.trim_start().len());
        start += whole.len();
        if !written.is_empty() && !written.starts_with("//") && !written.starts_with('#') {
            found.push(line(written, begin));
        }
    }
    found
}

fn line(written: &str, start: usize) -> Result<Line<'_>, Problem> {
    let rest = written.strip_prefix(PROPERTY).filter(|rest| rest.starts_with(char::is_whitespace));
    let Some(rest) = rest else { return Ok(Line { name: None, formula: written, start }) };
    let rest = rest.trim_start();
    let end = rest.find(|letter: char| letter.is_whitespace() || matches!(letter, '[' | ':')).unwrap_or(rest.len());
    let (name, rest) = rest.split_at(end);
    let mut formula = rest.trim_start();
    if let Some(plain) = formula.strip_prefix(':') {
        formula = plain.trim_start();
    }
    let begins = start + (written.len() - formula.len());
    if name.is_empty() || formula.is_empty() || formula.len() == rest.trim_start().len() && !formula.starts_with('[') {
        let problem = Problem::new(Span::new(start, start + written.len()), "this is no property")
            .label("expected a name, `:` and a formula")
            .help("write `property NAME : FORMULA`, or `property NAME [KIND] : FORMULA`");
        return Err(problem);
    }
    Ok(Line { name: Some(name), formula, start: begins })
}

/// A problem of a part of a text, in the whole of it.
fn moved(problem: &Problem, by: usize) -> Problem {
    let moved = |span: Span| Span::new(span.start as usize + by, span.end as usize + by);
    let related = problem.related.as_ref().map(|(span, label)| (moved(*span), label.clone()));
    Problem { span: moved(problem.span), related, ..problem.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_names_and_places() {
        let text = "# a comment\n\n  AG x <= 3;\nproperty low [ctl] : AF x == 0\r\n  property p: x == 1;\n// the end";
        let found: Vec<Line<'_>> = lines(text).into_iter().map(|line| line.unwrap()).collect();
        let known: Vec<(Option<&str>, &str)> = found.iter().map(|line| (line.name, line.formula)).collect();
        assert_eq!(known, [(None, "AG x <= 3;"), (Some("low"), "[ctl] : AF x == 0"), (Some("p"), "x == 1;")]);
        for line in found {
            assert!(text[line.start..].starts_with(line.formula));
        }
        for wrong in ["property", "property x", "property : x == 1", "property a b c", "property a:"] {
            let first = lines(wrong).remove(0);
            // A formula may begin with a name, and one that is called `property` too.
            assert_eq!(first.is_err(), wrong != "property", "{wrong}");
        }
    }
}
