//! What was perhaps meant by a name that does not exist.

/// More candidates are not looked at: a file may have a hundred thousand names, and as many that are wrong.
const MOST_CANDIDATES: usize = 5000;

/// The candidate that is nearest to a name, if one is near: a third of its letters may differ, and their case.
pub(super) fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let letters = name.chars().count();
    if letters > 60 {
        return None;
    }
    let most = letters / 3;
    candidates
        .take(MOST_CANDIDATES)
        .filter(|candidate| candidate.len().abs_diff(name.len()) <= most + 2)
        .filter_map(|candidate| distance(name, candidate, most).map(|distance| (distance, candidate)))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// How many letters are to be put in, taken out, changed or swapped with their neighbour; `None` if more than `most`.
/// A difference of case is none.
fn distance(one: &str, other: &str, most: usize) -> Option<usize> {
    let one: Vec<char> = one.to_lowercase().chars().collect();
    let other: Vec<char> = other.to_lowercase().chars().collect();
    if one.len().abs_diff(other.len()) > most {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, &letter) in one.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, &against) in other.iter().enumerate() {
            let change = row[j] + usize::from(letter != against);
            let mut best = change.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && letter == other[j - 1] && one[i - 1] == against {
                best = best.min(before[j - 1] + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().filter(|&distance| distance <= most)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let names = ["transition", "typedef", "int"];
        assert_eq!(nearest("transtion", names.into_iter()), Some("transition"));
        assert_eq!(nearest("tpyedef", names.into_iter()), Some("typedef"));
        assert_eq!(nearest("INT", names.into_iter()), Some("int"));
        assert_eq!(nearest("composite", names.into_iter()), None);
        assert_eq!(nearest("x", ["y", "z"].into_iter()), None);
        assert_eq!(nearest("x", ["y", "X"].into_iter()), Some("X"));
        assert_eq!(nearest("", names.into_iter()), None);
    }
}
