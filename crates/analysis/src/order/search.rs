//! Breadth-first search in the graph where two variables are neighbours if they share an event.
//!
//! The graph is never built: an event of a thousand variables would be half a million edges. Once one variable of an
//! event has been visited the others are at most one step further, so each event is looked at once a search.

use super::incidence::Incidence;

/// Searches, one after the other, that share their memory. What the last one found is in `visited` and `levels`.
pub(super) struct Search<'a> {
    incidence: &'a Incidence,
    epoch: u32,
    variable_seen: Vec<u32>,
    event_seen: Vec<u32>,
    visited: Vec<u32>,
    levels: Vec<usize>,
}

impl<'a> Search<'a> {
    pub fn new(incidence: &'a Incidence) -> Search<'a> {
        Search {
            incidence,
            epoch: 0,
            variable_seen: vec![0; incidence.variables],
            event_seen: vec![0; incidence.events.len()],
            visited: Vec::new(),
            levels: Vec::new(),
        }
    }

    /// Visits everything that is connected to a variable.
    pub fn from(&mut self, start: u32) {
        self.epoch += 1;
        self.visited.clear();
        self.levels.clear();
        self.variable_seen[start as usize] = self.epoch;
        self.visited.push(start);
        let mut begin = 0;
        while begin < self.visited.len() {
            self.levels.push(begin);
            let end = self.visited.len();
            for index in begin..end {
                self.expand(self.visited[index]);
            }
            begin = end;
        }
    }

    fn expand(&mut self, variable: u32) {
        for &event in self.incidence.of_variable.row(variable) {
            if self.event_seen[event as usize] == self.epoch {
                continue;
            }
            self.event_seen[event as usize] = self.epoch;
            for &other in self.incidence.events.row(event) {
                if self.variable_seen[other as usize] != self.epoch {
                    self.variable_seen[other as usize] = self.epoch;
                    self.visited.push(other);
                }
            }
        }
    }

    /// What the last search visited.
    pub fn visited(&self) -> &[u32] {
        &self.visited
    }

    /// What it visited, by distance from the start.
    pub fn levels(&self) -> impl Iterator<Item = &[u32]> {
        let ends = self.levels.iter().skip(1).copied().chain([self.visited.len()]);
        self.levels.iter().zip(ends).map(|(&begin, end)| &self.visited[begin..end])
    }

    /// An end of the component of a variable, as George and Liu find it: to the far end, and back, as long as that
    /// leads further. The last search is the one from the opposite end.
    pub fn end(&mut self, member: u32, degrees: &[u64]) -> u32 {
        const ROUNDS: usize = 16;
        let lightest = |variables: &[u32]| variables.iter().copied().min_by_key(|&one| (degrees[one as usize], one));
        self.from(member);
        let mut first = lightest(&self.visited).unwrap_or(member);
        self.from(first);
        for _ in 0..ROUNDS {
            let depth = self.levels.len();
            let last = lightest(self.levels().last().unwrap_or(&[])).unwrap_or(first);
            self.from(last);
            if self.levels.len() <= depth {
                return first;
            }
            first = last;
        }
        let last = lightest(self.levels().last().unwrap_or(&[])).unwrap_or(first);
        self.from(last);
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::samples;

    #[test]
    fn the_ends_of_a_hidden_path_are_found() {
        let (connections, hidden) = samples::hidden_path(500, 3);
        let incidence = Incidence::whole(&connections);
        let mut search = Search::new(&incidence);
        let mut found = [search.end(17, &incidence.degrees()), search.visited()[0]];
        let mut expected = [hidden[0], hidden[499]];
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
        assert_eq!(search.levels().count(), 500);
    }

    #[test]
    fn an_event_over_everything_is_one_level() {
        let incidence = Incidence::whole(&samples::one_event(1000));
        let mut search = Search::new(&incidence);
        search.from(3);
        assert_eq!(search.levels().map(<[u32]>::len).collect::<Vec<_>>(), [1, 999]);
    }
}
