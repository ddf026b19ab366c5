//! Symbolic markings as numbers: what a search keeps.
//!
//! Bytes, four in a number: for each static subclass how many atoms there are and their sizes; for each place how many orbits of
//! tokens, and each of them with its items and how many there are. Numbers below 128 take one byte.

use super::entries::{Entries, items};
use super::palette::Palette;

fn write(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

struct Reader<'r> {
    numbers: &'r [i32],
    at: usize,
}

impl Reader<'_> {
    fn read(&mut self) -> Option<u32> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let byte = (*self.numbers.get(self.at / 4)? >> (8 * (self.at % 4))) as u8;
            self.at += 1;
            number |= u32::from(byte & 127).checked_shl(shift)?;
            if byte < 128 {
                return Some(number);
            }
        }
        None
    }
}

/// A marking as numbers. Its atoms are in the order of their static subclasses, and its tokens are sorted.
pub(super) fn pack(palette: &Palette, atoms: &[(u32, u32)], entries: &Entries, bytes: &mut Vec<u8>) -> Vec<i32> {
    let first = palette.fixed_count();
    bytes.clear();
    let mut rest = atoms;
    for cell in 0..palette.cells.len() as u32 {
        let count = rest.iter().take_while(|one| one.0 == cell).count();
        write(bytes, count as u32);
        rest[..count].iter().for_each(|&(_, size)| write(bytes, size));
        rest = &rest[count..];
    }
    let mut at = 0;
    for (place, shape) in palette.places.iter().enumerate() {
        let count = entries.list[at..].iter().take_while(|entry| entry.place as usize == place).count();
        write(bytes, count as u32);
        for entry in &entries.list[at..at + count] {
            let key = entries.key(entry);
            if !shape.is_unary() {
                write(bytes, (key.len() / shape.stride) as u32);
            }
            for item in items(shape, key) {
                // Fixed atoms are even.
                let atom = item.atom().checked_sub(first).map_or(2 * item.atom(), |at| 2 * at + 1);
                write(bytes, atom);
                if !shape.is_unary() {
                    item.role().iter().for_each(|&word| write(bytes, word));
                }
            }
            write(bytes, entry.count);
        }
        at += count;
    }
    let number = |part: &[u8]| {
        let mut four = [0; 4];
        four[..part.len()].copy_from_slice(part);
        i32::from_le_bytes(four)
    };
    bytes.chunks(4).map(number).collect()
}

/// The marking that some numbers mean: its atoms, and its tokens. Nothing if they mean none.
pub(super) fn unpack(
    palette: &Palette, numbers: &[i32], atoms: &mut Vec<(u32, u32)>, entries: &mut Entries,
) -> Option<()> {
    let first = palette.fixed_count();
    let mut reader = Reader { numbers, at: 0 };
    atoms.clear();
    entries.clear();
    for cell in 0..palette.cells.len() as u32 {
        for _ in 0..reader.read()? {
            atoms.push((cell, reader.read()?));
        }
    }
    let mut key = Vec::new();
    for (place, shape) in (0..).zip(&palette.places) {
        for _ in 0..reader.read()? {
            key.clear();
            let length = if shape.is_unary() { shape.colours.len() as u32 } else { reader.read()? };
            for _ in 0..length {
                let atom = reader.read()?;
                let atom = if atom % 2 == 0 { atom / 2 } else { first + atom / 2 };
                if atom >= first + atoms.len() as u32 {
                    return None;
                }
                key.push(atom);
                if shape.is_unary() {
                    key.push(1);
                } else {
                    for _ in 1..shape.stride {
                        key.push(reader.read()?);
                    }
                }
            }
            let count = reader.read()?;
            entries.push(place, &key, count);
        }
    }
    Some(())
}
