//! Markings, and how they are written as numbers.
//!
//! A marking is, place by place, how many different tokens there are, and then each of them in ascending order: its components
//! and how often it is there. A component that is a colour is one number; one that is a bag is how many different colours it
//! has, and each of them with how often it is there. So equal markings are equal numbers, but not all have the same length.

use super::super::value::{Bag, Token, Value};
use super::super::{ColouredNet, Sort};

/// What is in each place of a net.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Marking {
    /// One bag of tokens per place.
    pub places: Vec<Bag<Token>>,
}

/// A place holds more of one token than a signed 32-bit number says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overfull {
    /// The place.
    pub place: usize,
}

impl Marking {
    /// The marking of a net without any token.
    pub fn empty(net: &ColouredNet) -> Marking {
        Marking { places: vec![Bag::new(); net.places.len()] }
    }

    /// The marking as numbers.
    pub fn to_numbers(&self) -> Result<Vec<i32>, Overfull> {
        let mut numbers = Vec::new();
        for (place, tokens) in self.places.iter().enumerate() {
            numbers.push(tokens.iter().count() as i32);
            for (token, times) in tokens.iter() {
                token.iter().for_each(|value| write(value, &mut numbers));
                numbers.push(i32::try_from(times).map_err(|_| Overfull { place })?);
            }
        }
        Ok(numbers)
    }

    /// The marking that some numbers mean; nothing if they mean none.
    pub fn from_numbers(net: &ColouredNet, numbers: &[i32]) -> Option<Marking> {
        let mut numbers = numbers.iter().copied();
        let mut marking = Marking::empty(net);
        for (place, tokens) in net.places.iter().zip(&mut marking.places) {
            for _ in 0..numbers.next()? {
                let sorts = place.domain.iter();
                let token: Option<Token> = sorts.map(|sort| read(net, *sort, &mut numbers)).collect();
                let times = u32::try_from(numbers.next()?).ok().filter(|&times| times > 0)?;
                tokens.add(token?, times).ok()?;
            }
        }
        numbers.next().is_none().then_some(marking)
    }
}

/// Colours and how often bags have them are unsigned; as signed numbers they have the same bits.
fn write(value: &Value, numbers: &mut Vec<i32>) {
    match value {
        Value::Colour(colour) => numbers.push(*colour as i32),
        Value::Bag(bag) => {
            numbers.push(bag.iter().count() as i32);
            numbers.extend(bag.iter().flat_map(|(colour, times)| [colour as i32, times as i32]));
        }
    }
}

fn read(net: &ColouredNet, sort: Sort, numbers: &mut impl Iterator<Item = i32>) -> Option<Value> {
    let length = net.classes[sort.class() as usize].len();
    let mut colour = || numbers.next().map(|number| number as u32);
    match sort {
        Sort::Colour(_) => colour().filter(|&colour| colour < length).map(Value::Colour),
        Sort::Bag(_) => {
            let mut bag = Bag::new();
            for _ in 0..colour()? {
                let (member, times) = (colour().filter(|&colour| colour < length)?, colour()?);
                bag.add(member, times).ok()?;
            }
            Some(Value::Bag(bag))
        }
    }
}
