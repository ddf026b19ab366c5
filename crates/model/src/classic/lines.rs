//! Places and transitions as lines of text that are not too long.

use std::io::{self, Write};

/// How long a line may be.
const WIDTH: usize = 118;

/// Places, each as `name` or `name = tokens`, on as few lines as they need.
pub(super) fn write_places(out: &mut dyn Write, places: impl IntoIterator<Item = String>) -> io::Result<()> {
    for line in filled(places.into_iter().map(|place| format!("place {place};")), WIDTH - 4) {
        writeln!(out, "    {line}")?;
    }
    Ok(())
}

/// A transition with arcs, each as `take name`: on one line if it is short enough.
pub(super) fn write_transition(
    out: &mut dyn Write, name: &str, arcs: impl IntoIterator<Item = String>,
) -> io::Result<()> {
    let lines = filled(arcs.into_iter().map(|arc| format!("{arc};")), WIDTH - 8);
    match lines.as_slice() {
        [line] if line.len() + name.len() + 20 <= WIDTH => writeln!(out, "    transition {name} {{ {line} }}"),
        lines => {
            writeln!(out, "    transition {name} {{")?;
            for line in lines {
                writeln!(out, "        {line}")?;
            }
            writeln!(out, "    }}")
        }
    }
}

/// Words, filled into lines.
fn filled(words: impl Iterator<Item = String>, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= width => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}
