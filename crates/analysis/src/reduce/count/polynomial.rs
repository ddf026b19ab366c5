//! Polynomials over the tokens of places, in the basis of binomials.
//!
//! How many ways there are to spread `x` tokens over `d + 1` places is `B_d(x) = binom(x + d, d)`. A polynomial is a sum of
//! products of these, one for each place that it depends on, with integers as coefficients; every polynomial that is an integer
//! wherever its places hold integers is such a sum. In this basis to split tokens over two places is to add degrees:
//!
//! ```text
//! sum over p + q = x of B_a(p) B_b(q) = B_(a + b + 1)(x)
//! ```

use dashu_int::IBig;
use std::collections::BTreeMap;

/// A product of binomials: places with their degrees, which are at least 1, ascending by place.
type Product = Vec<(u32, u32)>;

/// A polynomial. Without terms it is zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Polynomial {
    terms: BTreeMap<Product, IBig>,
}

/// A polynomial has too many terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// The most terms of a polynomial.
const MOST_TERMS: usize = 4_000;

/// `binom(n, k)` for any integer `n`.
fn binomial(n: &IBig, k: u32) -> IBig {
    let mut result = IBig::ONE;
    for i in 0..k {
        result *= n - IBig::from(i);
        result /= IBig::from(i + 1);
    }
    result
}

/// `B_d(x)`.
fn basis(x: &IBig, degree: u32) -> IBig {
    let n = x + IBig::from(degree);
    // The same number either way; the shorter product of the two.
    match u32::try_from(x) {
        Ok(x) if x < degree => binomial(&n, x),
        _ => binomial(&n, degree),
    }
}

impl Polynomial {
    /// A number.
    pub fn constant(value: IBig) -> Polynomial {
        Polynomial { terms: [(Vec::new(), value)].into_iter().filter(|term| term.1 != IBig::ZERO).collect() }
    }

    /// The polynomial that is 1.
    pub fn one() -> Polynomial {
        Polynomial::constant(IBig::ONE)
    }

    /// Its terms: a coefficient, and places with the degree of their binomial.
    pub fn terms(&self) -> impl Iterator<Item = (&[(u32, u32)], &IBig)> {
        self.terms.iter().map(|(product, coefficient)| (product.as_slice(), coefficient))
    }

    /// The number that it is, if it depends on no place.
    pub fn as_constant(&self) -> Option<IBig> {
        match self.terms.len() {
            0 => Some(IBig::ZERO),
            1 => self.terms.get(&Vec::new()).cloned(),
            _ => None,
        }
    }

    /// The places that it depends on, ascending.
    pub fn places(&self) -> Vec<u32> {
        let mut places: Vec<u32> = self.terms.keys().flatten().map(|factor| factor.0).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// Whether it depends on a place.
    pub fn depends_on(&self, place: u32) -> bool {
        self.terms.keys().any(|product| product.binary_search_by_key(&place, |factor| factor.0).is_ok())
    }

    /// Its value where each place holds so many tokens.
    pub fn value(&self, tokens: impl Fn(u32) -> i64) -> IBig {
        let mut sum = IBig::ZERO;
        for (product, coefficient) in &self.terms {
            let mut value = coefficient.clone();
            product.iter().for_each(|&(place, degree)| value *= basis(&tokens(place).into(), degree));
            sum += value;
        }
        sum
    }

    fn add(&mut self, product: Product, coefficient: IBig) -> Result<(), TooLarge> {
        if coefficient == IBig::ZERO {
            return Ok(());
        }
        let sum = self.terms.entry(product).or_insert(IBig::ZERO);
        *sum += coefficient;
        if self.terms.len() > MOST_TERMS { Err(TooLarge) } else { Ok(()) }
    }

    fn tidy(mut self) -> Polynomial {
        self.terms.retain(|_, coefficient| *coefficient != IBig::ZERO);
        self
    }

    fn zero() -> Polynomial {
        Polynomial { terms: BTreeMap::new() }
    }

    /// The product of two.
    pub fn times(&self, other: &Polynomial) -> Result<Polynomial, TooLarge> {
        if *other == Polynomial::one() {
            return Ok(self.clone());
        }
        if *self == Polynomial::one() {
            return Ok(other.clone());
        }
        let mut result = Polynomial::zero();
        for (a, x) in &self.terms {
            for (b, y) in &other.terms {
                multiply(a, b, x * y, &mut result)?;
            }
        }
        Ok(result.tidy())
    }

    /// The polynomial with one place instead of two, `whole = whole + part`: the sum over all ways to split the tokens.
    /// Where `part` is in no term, it is one more place to put tokens.
    pub fn sum_over(&self, whole: u32, part: u32) -> Result<Polynomial, TooLarge> {
        let mut result = Polynomial::zero();
        for (product, coefficient) in &self.terms {
            let mut degree = 1;
            let mut rest: Product = Vec::with_capacity(product.len() + 1);
            for &(place, own) in product {
                if place == whole || place == part { degree += own } else { rest.push((place, own)) }
            }
            insert(&mut rest, whole, degree);
            result.add(rest, coefficient.clone())?;
        }
        Ok(result.tidy())
    }

    /// The same with more empty places to put tokens of a place into.
    pub fn spread(&self, place: u32, more: u32) -> Polynomial {
        let mut terms = BTreeMap::new();
        for (product, coefficient) in &self.terms {
            let mut rest: Product = product.clone();
            let degree = take(&mut rest, place);
            insert(&mut rest, place, degree + more);
            terms.insert(rest, coefficient.clone());
        }
        Polynomial { terms }
    }

    /// The same polynomial of a place with another name, which must be new to it.
    pub fn rename(&self, from: u32, to: u32) -> Polynomial {
        let mut terms = BTreeMap::new();
        for (product, coefficient) in &self.terms {
            let mut rest: Product = product.clone();
            let degree = take(&mut rest, from);
            insert(&mut rest, to, degree);
            terms.insert(rest, coefficient.clone());
        }
        Polynomial { terms }
    }

    /// With `place + by` instead of a place.
    pub fn shift(&self, place: u32, by: i64) -> Result<Polynomial, TooLarge> {
        if by == 0 {
            return Ok(self.clone());
        }
        let mut result = Polynomial::zero();
        for (product, coefficient) in &self.terms {
            let mut rest: Product = product.clone();
            let degree = take(&mut rest, place);
            // B_d(x + b) = sum over j of binom(b - 1 + j, j) B_(d - j)(x), for any integer b.
            let mut factor = IBig::ONE;
            for j in 0..=degree {
                if j > 0 {
                    factor *= IBig::from(by) + IBig::from(j) - IBig::ONE;
                    factor /= IBig::from(j);
                }
                if factor == IBig::ZERO {
                    break;
                }
                let mut product = rest.clone();
                insert(&mut product, place, degree - j);
                result.add(product, coefficient * &factor)?;
            }
        }
        Ok(result.tidy())
    }

    /// A polynomial of a degree of at most `most` in a place, which is the same wherever the place holds no more than that.
    pub fn up_to(&self, place: u32, most: u32) -> Polynomial {
        let degree_of = |product: &Product| {
            let at = product.binary_search_by_key(&place, |factor| factor.0);
            at.map_or(0, |at| product[at].1)
        };
        if self.terms.keys().all(|product| degree_of(product) <= most) {
            return self.clone();
        }
        let mut result = Polynomial::zero();
        let mut known: BTreeMap<u32, Vec<IBig>> = BTreeMap::new();
        for (product, coefficient) in &self.terms {
            let degree = degree_of(product);
            if degree <= most {
                *result.terms.entry(product.clone()).or_insert(IBig::ZERO) += coefficient;
                continue;
            }
            let coefficients = known.entry(degree).or_insert_with(|| lowered(degree, most));
            let mut rest: Product = product.clone();
            take(&mut rest, place);
            for (degree, factor) in (0..).zip(coefficients.iter()) {
                let mut product = rest.clone();
                insert(&mut product, place, degree);
                *result.terms.entry(product).or_insert(IBig::ZERO) += coefficient * factor;
            }
        }
        result.tidy()
    }

    /// With a sum of multiples of other places and a constant instead of a place.
    pub fn substitute(&self, place: u32, terms: &[(u32, i64)], constant: i64) -> Result<Polynomial, TooLarge> {
        if let [(other, 1)] = terms
            && self.terms.keys().flatten().all(|factor| factor.0 != *other)
        {
            return self.rename(place, *other).shift(*other, constant);
        }
        // A place is B_1 - 1.
        let mut form = Polynomial::zero();
        let mut number = IBig::from(constant);
        for &(other, times) in terms {
            form.add(vec![(other, 1)], times.into())?;
            number -= IBig::from(times);
        }
        form.add(Vec::new(), number)?;
        let form = form.tidy();
        let mut by_degree: BTreeMap<u32, Polynomial> = BTreeMap::new();
        for (product, coefficient) in &self.terms {
            let mut rest: Product = product.clone();
            let degree = take(&mut rest, place);
            by_degree.entry(degree).or_insert_with(Polynomial::zero).add(rest, coefficient.clone())?;
        }
        // B_d(form) = B_(d - 1)(form) * (form + d) / d
        let (mut power, mut at) = (Polynomial::one(), 0);
        let mut result = Polynomial::zero();
        if terms.is_empty() {
            for (degree, factor) in by_degree {
                let value = basis(&constant.into(), degree);
                for (product, coefficient) in factor.terms {
                    result.add(product, coefficient * &value)?;
                }
            }
            return Ok(result.tidy());
        }
        for (degree, factor) in by_degree {
            while at < degree {
                at += 1;
                let mut next = form.clone();
                next.add(Vec::new(), at.into())?;
                power = power.times(&next.tidy())?;
                power.terms.values_mut().for_each(|coefficient| *coefficient /= IBig::from(at));
            }
            for (product, coefficient) in factor.times(&power)?.terms {
                result.add(product, coefficient)?;
            }
        }
        Ok(result.tidy())
    }
}

/// The coefficients of `B_0` to `B_most` of the sum that is `B_degree` from 0 to `most`.
///
/// With `1 / (1 - z)^(d + 1)` for `B_d`, the sum times `(1 - z)^(most + 1)` is a polynomial in `1 - z`.
fn lowered(degree: u32, most: u32) -> Vec<IBig> {
    let size = most as usize + 1;
    let values: Vec<IBig> = (0..size).map(|x| basis(&x.into(), degree)).collect();
    let signed = |k: usize, n: u32| {
        let number = binomial(&n.into(), k as u32);
        if k.is_multiple_of(2) { number } else { -number }
    };
    let power: Vec<IBig> = (0..size).map(|k| signed(k, most + 1)).collect();
    let mut in_z: Vec<IBig> =
        (0..size).map(|x| (0..=x).fold(IBig::ZERO, |sum, k| sum + &values[x - k] * &power[k])).collect();
    // In terms of w = 1 - z: z^x is (1 - w)^x, by Horner's rule.
    let mut in_w = vec![IBig::ZERO; size];
    while let Some(coefficient) = in_z.pop() {
        for at in (1..size).rev() {
            let below = in_w[at - 1].clone();
            in_w[at] -= below;
        }
        in_w[0] += coefficient;
    }
    // w^(most - j) is B_j.
    in_w.reverse();
    in_w
}

/// Takes a place out of a product; its degree.
fn take(product: &mut Product, place: u32) -> u32 {
    match product.binary_search_by_key(&place, |factor| factor.0) {
        Ok(at) => product.remove(at).1,
        Err(_) => 0,
    }
}

/// Puts a place into a product that does not have it.
fn insert(product: &mut Product, place: u32, degree: u32) {
    if degree > 0 {
        let at = product.partition_point(|factor| factor.0 < place);
        product.insert(at, (place, degree));
    }
}

/// Adds the product of two products. Where both have a place,
/// `B_a B_b = sum over j of (-1)^j (a + b - j)! / ((a - j)! (b - j)! j!) B_(a + b - j)`.
fn multiply(a: &Product, b: &Product, coefficient: IBig, into: &mut Polynomial) -> Result<(), TooLarge> {
    let mut parts: Vec<(Product, IBig)> = vec![(Vec::with_capacity(a.len() + b.len()), coefficient)];
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let place = match (a.get(i), b.get(j)) {
            (Some(x), Some(y)) => x.0.min(y.0),
            (Some(x), None) => x.0,
            (None, Some(y)) => y.0,
            (None, None) => break,
        };
        let x = a.get(i).filter(|x| x.0 == place).map_or(0, |x| x.1);
        let y = b.get(j).filter(|y| y.0 == place).map_or(0, |y| y.1);
        i += usize::from(x > 0);
        j += usize::from(y > 0);
        if x == 0 || y == 0 {
            parts.iter_mut().for_each(|part| part.0.push((place, x + y)));
            continue;
        }
        let mut next = Vec::new();
        let mut factor = binomial(&IBig::from(x + y), x.min(y));
        for step in 0..=x.min(y) {
            if step > 0 {
                // From (n - s)! / ((x - s)! (y - s)! s!) to the next.
                factor *= IBig::from(x - step + 1) * IBig::from(y - step + 1);
                factor /= IBig::from(x + y - step + 1) * IBig::from(step);
                factor = -factor;
            }
            for (product, coefficient) in &parts {
                let mut product = product.clone();
                product.push((place, x + y - step));
                next.push((product, coefficient * &factor));
            }
        }
        if next.len() > MOST_TERMS {
            return Err(TooLarge);
        }
        parts = next;
    }
    for (product, coefficient) in parts {
        into.add(product, coefficient)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `B_d` of a place.
    fn b(place: u32, degree: u32) -> Polynomial {
        Polynomial::one().spread(place, degree)
    }

    fn at(polynomial: &Polynomial, values: [i64; 3]) -> IBig {
        polynomial.value(|place| values[place as usize])
    }

    #[test]
    fn products_and_substitutions_are_those_of_numbers() {
        for (a, c) in (0..5).flat_map(|a| (0..5).map(move |c| (a, c))) {
            let product = b(0, a).times(&b(0, c)).unwrap();
            let form = b(0, a).times(&b(1, c)).unwrap().substitute(0, &[(1, 2), (2, -1)], 3).unwrap();
            let shifted = b(0, a).shift(0, c as i64 - 3).unwrap();
            for x in 0..6i64 {
                assert_eq!(at(&product, [x, 0, 0]), at(&b(0, a), [x, 0, 0]) * at(&b(0, c), [x, 0, 0]));
                assert_eq!(at(&shifted, [x, 0, 0]), at(&b(0, a), [x + c as i64 - 3, 0, 0]));
                for y in 0..4i64 {
                    let number = at(&b(0, a), [2 * y - x + 3, 0, 0]) * at(&b(1, c), [0, y, 0]);
                    assert_eq!(at(&form, [0, y, x]), number);
                }
            }
        }
    }

    #[test]
    fn lower_degrees_are_enough_for_few_tokens() {
        for (degree, most) in (0..9).flat_map(|degree| (0..6).map(move |most| (degree, most))) {
            let both = b(0, degree).times(&b(1, 2)).unwrap();
            let lower = both.up_to(0, most);
            assert!(lower.terms().flat_map(|term| term.0).all(|factor| factor.0 != 0 || factor.1 <= most));
            for x in 0..=i64::from(most) {
                assert_eq!(at(&lower, [x, 3, 0]), at(&both, [x, 3, 0]), "degree {degree}, most {most}, {x}");
            }
        }
    }

    #[test]
    fn sums_are_those_over_all_ways_to_split() {
        let both = b(0, 2).times(&b(1, 3)).unwrap().times(&b(0, 1)).unwrap();
        let whole = both.sum_over(0, 1).unwrap();
        for x in 0..8i64 {
            let sum = (0..=x).fold(IBig::ZERO, |sum, p| sum + at(&both, [p, x - p, 0]));
            assert_eq!(at(&whole, [x, 0, 0]), sum);
        }
    }
}
