//! Words and signs of formulas.

use super::Atoms;
use super::parse::SyntaxError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Atom(String),
    Constant(bool),
    Not,
    Next,
    Finally,
    Globally,
    And,
    Or,
    Xor,
    Implies,
    Equivalent,
    Until,
    WeakUntil,
    Release,
    StrongRelease,
    Open,
    Close,
    End,
}

/// A token, and the bytes `start..end` of the text that are it.
pub(super) struct Spanned {
    pub token: Token,
    pub start: usize,
    pub end: usize,
}

/// Signs, the longer ones first.
const SIGNS: [(&str, Token); 24] = [
    ("<->", Token::Equivalent),
    ("<=>", Token::Equivalent),
    ("-->", Token::Implies),
    ("->", Token::Implies),
    ("=>", Token::Implies),
    ("<>", Token::Finally),
    ("[]", Token::Globally),
    ("&&", Token::And),
    ("||", Token::Or),
    ("/\\", Token::And),
    ("\\/", Token::Or),
    ("!", Token::Not),
    ("~", Token::Not),
    ("&", Token::And),
    ("|", Token::Or),
    ("^", Token::Xor),
    ("(", Token::Open),
    (")", Token::Close),
    ("¬", Token::Not),
    ("∧", Token::And),
    ("∨", Token::Or),
    ("→", Token::Implies),
    ("↔", Token::Equivalent),
    ("⊕", Token::Xor),
];

/// The tokens of a text, the last of which is `End`.
///
/// Where an operand may stand, a word that starts with `F`, `G` or `X` is that operator and the rest, so that `GFp`
/// needs no spaces; unless the whole word is the name of an atom that is known already. A word right after an operand,
/// without a space, that starts with `U`, `W`, `R`, `V` or `M` is that operator and the rest, as in `p=1Uq=1`.
pub(super) fn tokens(text: &str, atoms: &Atoms) -> Result<Vec<Spanned>, SyntaxError> {
    let mut tokens = Vec::new();
    let mut start = 0;
    while let Some(first) = text[start..].chars().next() {
        let rest = &text[start..];
        let (token, length) = if first.is_whitespace() {
            start += first.len_utf8();
            continue;
        } else if first == '"' {
            quoted(text, start)?
        } else if is_start_of_word(first) {
            match tokens.last() {
                Some(Spanned { token: Token::Atom(_) | Token::Constant(_) | Token::Close, end, .. }) => {
                    operator_or_word(rest, *end == start)
                }
                _ => word(rest, atoms),
            }
        } else if first.is_ascii_digit() {
            number(text, start)?
        } else if let Some((sign, token)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            (token.clone(), sign.len())
        } else {
            let end = start + first.len_utf8();
            let message = format!("`{first}` means nothing here; names with such characters go between quotes");
            return Err(SyntaxError::new(text, start..end, message));
        };
        tokens.push(Spanned { token, start, end: start + length });
        start += length;
    }
    tokens.push(Spanned { token: Token::End, start, end: start });
    Ok(tokens)
}

fn is_start_of_word(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_part_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

/// The length of the name at the beginning: a word, and perhaps `=` and a number, as in `p=1`.
fn name_length(text: &str) -> usize {
    let word = text.find(|c| !is_part_of_word(c)).unwrap_or(text.len());
    match text[word..].strip_prefix('=') {
        Some(value) if value.starts_with(|c: char| c.is_ascii_digit()) => {
            let digits = value.find(|c: char| !c.is_ascii_digit()).unwrap_or(value.len());
            word + 1 + digits
        }
        _ => word,
    }
}

/// A binary operator, where one is expected; with more after it only if it touches what is before.
fn operator_or_word(text: &str, touches: bool) -> (Token, usize) {
    let name = &text[..name_length(text)];
    let operator = match name.as_bytes()[0] {
        _ if name == "xor" => return (Token::Xor, 3),
        b'U' => Token::Until,
        b'W' => Token::WeakUntil,
        b'R' | b'V' => Token::Release,
        b'M' => Token::StrongRelease,
        _ => return (Token::Atom(name.to_string()), name.len()),
    };
    if touches || name.len() == 1 { (operator, 1) } else { (Token::Atom(name.to_string()), name.len()) }
}

fn word(text: &str, atoms: &Atoms) -> (Token, usize) {
    let length = name_length(text);
    let name = &text[..length];
    match name {
        "true" => return (Token::Constant(true), length),
        "false" => return (Token::Constant(false), length),
        "U" | "W" | "R" | "V" | "M" | "xor" => return operator_or_word(name, false),
        _ => {}
    }
    let operator = match name.as_bytes()[0] {
        b'F' => Token::Finally,
        b'G' => Token::Globally,
        b'X' => Token::Next,
        _ => return (Token::Atom(name.to_string()), length),
    };
    if length > 1 && atoms.find(name).is_some() { (Token::Atom(name.to_string()), length) } else { (operator, 1) }
}

fn number(text: &str, start: usize) -> Result<(Token, usize), SyntaxError> {
    let length = text[start..].find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len() - start);
    match &text[start..start + length] {
        "0" => Ok((Token::Constant(false), 1)),
        "1" => Ok((Token::Constant(true), 1)),
        number => {
            let message =
                format!("`{number}` is no formula; only 0 and 1 are constants, and other names go between quotes");
            Err(SyntaxError::new(text, start..start + length, message))
        }
    }
}

fn quoted(text: &str, start: usize) -> Result<(Token, usize), SyntaxError> {
    let mut name = String::new();
    let mut escaped = false;
    for (at, c) in text[start..].char_indices().skip(1) {
        match c {
            _ if escaped => {
                name.push(c);
                escaped = false;
            }
            '\\' => escaped = true,
            '"' => return Ok((Token::Atom(name), at + 1)),
            _ => name.push(c),
        }
    }
    Err(SyntaxError::new(text, start..text.len(), "the quote that starts here has no end".to_string()))
}

/// Whether a name can be written without quotes and is read as itself by whoever knows no names.
pub(super) fn is_plain(name: &str) -> bool {
    let reserved = matches!(name, "U" | "W" | "R" | "V" | "M" | "true" | "false" | "xor");
    let starts = name.starts_with(|c: char| is_start_of_word(c) && !matches!(c, 'F' | 'G' | 'X'));
    starts && !reserved && name_length(name) == name.len()
}
