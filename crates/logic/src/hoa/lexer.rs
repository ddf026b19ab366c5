//! Words and signs of the format.

use super::HoaError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name with a colon, without it.
    Header(String),
    Identifier(String),
    /// A name with an `@`, without it.
    Alias(String),
    String(String),
    Integer(u32),
    Sign(char),
    Body,
    End,
    Abort,
    EndOfText,
}

/// A token, and the byte where it starts.
pub(super) struct Placed {
    pub token: Token,
    pub start: usize,
}

/// The tokens of a text, the last of which is `EndOfText`.
pub(super) fn tokens(text: &str) -> Result<Vec<Placed>, HoaError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        if rest.starts_with("/*") {
            at += comment_length(text, at)?;
            continue;
        }
        let (token, length) = token(text, at, first)?;
        tokens.push(Placed { token, start: at });
        at += length;
    }
    tokens.push(Placed { token: Token::EndOfText, start: at });
    Ok(tokens)
}

fn token(text: &str, at: usize, first: char) -> Result<(Token, usize), HoaError> {
    let rest = &text[at..];
    for (sign, token) in [("--BODY--", Token::Body), ("--END--", Token::End), ("--ABORT--", Token::Abort)] {
        if rest.starts_with(sign) {
            return Ok((token, sign.len()));
        }
    }
    let word = |from: &str| from.find(|c: char| !is_part_of_name(c)).unwrap_or(from.len());
    match first {
        '"' => quoted(text, at),
        '@' => {
            let length = word(&rest[1..]);
            Ok((Token::Alias(rest[1..=length].to_string()), length + 1))
        }
        '0'..='9' => {
            let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            match rest[..length].parse() {
                Ok(number) => Ok((Token::Integer(number), length)),
                Err(_) => Err(HoaError::new(text, at, format!("the number {} is too large", &rest[..length]))),
            }
        }
        '[' | ']' | '(' | ')' | '{' | '}' | '!' | '&' | '|' => Ok((Token::Sign(first), 1)),
        _ if first.is_ascii_alphabetic() || first == '_' => {
            let length = word(rest);
            let name = rest[..length].to_string();
            if rest[length..].starts_with(':') {
                Ok((Token::Header(name), length + 1))
            } else {
                Ok((Token::Identifier(name), length))
            }
        }
        _ => Err(HoaError::new(text, at, format!("`{first}` means nothing here"))),
    }
}

fn is_part_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-' || c == '.'
}

fn quoted(text: &str, at: usize) -> Result<(Token, usize), HoaError> {
    let mut value = String::new();
    let mut escaped = false;
    for (offset, c) in text[at..].char_indices().skip(1) {
        match c {
            _ if escaped => {
                value.push(c);
                escaped = false;
            }
            '\\' => escaped = true,
            '"' => return Ok((Token::String(value), offset + 1)),
            _ => value.push(c),
        }
    }
    Err(HoaError::new(text, at, "the quote that starts here has no end".to_string()))
}

/// The length of a comment, which may have others inside.
fn comment_length(text: &str, at: usize) -> Result<usize, HoaError> {
    let mut open = 0;
    let bytes = text.as_bytes();
    let mut end = at;
    while end + 1 < bytes.len() {
        match &bytes[end..end + 2] {
            b"/*" => open += 1,
            b"*/" => open -= 1,
            _ => {
                end += 1;
                continue;
            }
        }
        end += 2;
        if open == 0 {
            return Ok(end - at);
        }
    }
    Err(HoaError::new(text, at, "the comment that starts here has no end".to_string()))
}
