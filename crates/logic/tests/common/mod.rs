//! Random formulas and words, and where the shared files are.
#![allow(dead_code)]

use std::path::PathBuf;

use mandala_logic::words::{Lasso, Letter};
use mandala_logic::{Atoms, Formula, Formulas};

/// Pseudo-random numbers (splitmix64).
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x1234_5678_9ABC_DEF0)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ (x >> 31)
    }

    /// A number below a bound.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

/// The seeds of so many cases, or of more: `TEST_FACTOR=20 cargo test` looks twenty times longer.
pub fn seeds(count: u64) -> std::ops::Range<u64> {
    let factor = std::env::var("TEST_FACTOR").ok().and_then(|factor| factor.parse().ok());
    0..count * factor.unwrap_or(1)
}

/// The atoms p0, p1, ...
pub fn atoms(count: u32) -> Atoms {
    let mut atoms = Atoms::new();
    (0..count).for_each(|number| {
        atoms.intern(&format!("p{number}"));
    });
    atoms
}

/// A formula with about so many operators.
pub fn formula(rng: &mut Rng, formulas: &mut Formulas, atoms: u32, operators: u64) -> Formula {
    if operators == 0 {
        return match rng.below(20) {
            0 => Formula::TRUE,
            1 => Formula::FALSE,
            _ => {
                let atom = rng.below(u64::from(atoms)) as u32;
                formulas.literal(atom, rng.below(2) == 0)
            }
        };
    }
    let kind = rng.below(18);
    if kind < 6 {
        let f = formula(rng, formulas, atoms, operators - 1);
        return match kind {
            0 => formulas.not(f),
            1 | 2 => formulas.next(f),
            3 | 4 => formulas.finally(f),
            _ => formulas.globally(f),
        };
    }
    let left = rng.below(operators);
    let f = formula(rng, formulas, atoms, left);
    let g = formula(rng, formulas, atoms, operators - 1 - left);
    match kind {
        6 | 7 => formulas.and(f, g),
        8 | 9 => formulas.or(f, g),
        10 => formulas.implication(f, g),
        11 => formulas.equivalence(f, g),
        12 => formulas.xor(f, g),
        13 | 14 => formulas.until(f, g),
        15 => formulas.weak_until(f, g),
        16 => formulas.release(f, g),
        _ => formulas.strong_release(f, g),
    }
}

fn letter(rng: &mut Rng, atoms: u32) -> Letter {
    (0..atoms).filter(|_| rng.below(2) == 0).collect()
}

/// A word with a short stem and a short loop.
pub fn word(rng: &mut Rng, atoms: u32) -> Lasso {
    let (stem, round) = (rng.below(4), 1 + rng.below(4));
    let stem = (0..stem).map(|_| letter(rng, atoms)).collect();
    Lasso::new(stem, (0..round).map(|_| letter(rng, atoms)).collect())
}

/// A file of the shared models, or nothing, with a message, if the folder is not there.
pub fn shared(path: &str) -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models");
    if !folder.exists() {
        eprintln!("skipped: there is no folder of shared models");
        return None;
    }
    Some(folder.join(path))
}

/// The rows of a file of comma-separated values, without the first. Fields may be quoted.
pub fn rows(text: &str) -> Vec<Vec<String>> {
    text.lines().skip(1).filter(|line| !line.is_empty()).map(fields).collect()
}

fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        let field = fields.last_mut().unwrap();
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => field.push(characters.next().unwrap()),
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => field.push(c),
        }
    }
    fields
}

/// The formulas of a file with one per line; `#` starts a comment.
pub fn formula_lines(text: &str) -> Vec<(usize, &str)> {
    let stripped = text.lines().map(|line| line.split('#').next().unwrap_or("").trim());
    stripped.enumerate().map(|(index, line)| (index + 1, line)).filter(|(_, line)| !line.is_empty()).collect()
}
