//! Which known name someone may have meant by an unknown one.

/// More known names are not looked at: a file may have a hundred thousand names, and as many that are wrong.
const MOST_CANDIDATES: usize = 5000;
/// Longer names are not compared.
const LONGEST: usize = 200;

/// The known name that is nearest to `name`, if one is near enough to be meant: at most a third of its characters may be
/// changed, added, left out or swapped with their neighbours (one of two, none of one), and at most three. A difference
/// of case is none. The first of several that are equally near.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name: Vec<char> = name.to_lowercase().chars().collect();
    if name.is_empty() || name.len() > LONGEST {
        return None;
    }
    let mut most = if name.len() < 2 { 0 } else { (name.len() / 3).clamp(1, 3) };
    let mut best = None;
    let mut rows = Rows::default();
    for candidate in known.into_iter().take(MOST_CANDIDATES) {
        // Bytes are at least as many as characters: a cheap test that spares most names the exact one.
        if candidate.len() + most < name.len() || candidate.len() > (name.len() + most) * 4 {
            continue;
        }
        if let Some(distance) = rows.distance(&name, candidate, most) {
            best = Some(candidate);
            if distance == 0 {
                break;
            }
            // Only something nearer is of interest from here on.
            most = distance - 1;
        }
    }
    best
}

/// The help for an unknown name: ``did you mean `this`?``, if there is something near.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(name, known).map(|known| format!("did you mean `{known}`?"))
}

/// Three rows of the table of edit distances, kept between candidates.
#[derive(Default)]
struct Rows {
    candidate: Vec<char>,
    earlier: Vec<usize>,
    before: Vec<usize>,
    current: Vec<usize>,
}

impl Rows {
    /// How many characters must be changed, added, left out or swapped to turn one name into the other, if that is at
    /// most `most`.
    fn distance(&mut self, name: &[char], candidate: &str, most: usize) -> Option<usize> {
        self.candidate.clear();
        self.candidate.extend(candidate.chars().flat_map(char::to_lowercase));
        let width = self.candidate.len();
        if width.abs_diff(name.len()) > most {
            return None;
        }
        self.before.clear();
        self.before.extend(0..=width);
        for (row, &letter) in name.iter().enumerate() {
            self.current.clear();
            self.current.push(row + 1);
            for column in 0..width {
                let change = self.before[column] + usize::from(self.candidate[column] != letter);
                let mut cost = change.min(self.before[column + 1] + 1).min(self.current[column] + 1);
                let swapped = row > 0
                    && column > 0
                    && letter == self.candidate[column - 1]
                    && name[row - 1] == self.candidate[column];
                if swapped {
                    cost = cost.min(self.earlier[column - 1] + 1);
                }
                self.current.push(cost);
            }
            std::mem::swap(&mut self.earlier, &mut self.before);
            std::mem::swap(&mut self.before, &mut self.current);
            if self.before.iter().chain(&self.earlier).all(|&cost| cost > most) {
                return None;
            }
        }
        self.before.last().copied().filter(|&cost| cost <= most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found() {
        let known = ["waiting", "walking", "eating", "fork_1", "fork_2"];
        assert_eq!(nearest("waitng", known), Some("waiting"));
        assert_eq!(nearest("walting", known), Some("waiting"));
        assert_eq!(nearest("fork_2", known), Some("fork_2"));
        assert_eq!(nearest("fork_3", known), Some("fork_1"));
        assert_eq!(nearest("sleeping", known), None);
        assert_eq!(nearest("", known), None);
        assert_eq!(nearest("awiting", known), Some("waiting"));
        assert_eq!(nearest("EATING", known), Some("eating"));
        assert_eq!(nearest("x", ["y", "X"]), Some("X"));
        assert_eq!(nearest("né", ["nè"]), Some("nè"));
    }

    #[test]
    fn short_names_are_not_taken_for_each_other() {
        assert_eq!(nearest("a", ["b"]), None);
        assert_eq!(nearest("ab", ["xy"]), None);
        assert_eq!(nearest("ab", ["xb"]), Some("xb"));
        assert_eq!(did_you_mean("p12", ["p11", "q12"]).as_deref(), Some("did you mean `p11`?"));
    }
}
