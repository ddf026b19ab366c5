//! The reader.

use rustc_hash::FxHashMap;

use super::HoaError;
use super::acceptance::{Acceptance, Disjunct};
use super::expression::{Algebra, Tokens, expression};
use super::lexer::{Token, tokens};
use crate::automaton::{Automaton, MAX_MARKS, Marks, State};
use crate::condition::{Condition, Conditions};
use crate::formula::Atoms;

/// An automaton with more atoms is not read.
const MAX_ATOMS: usize = 1_000;
/// A state whose edges have no labels has one for each letter: with more atoms it is refused.
const MAX_IMPLICIT_ATOMS: usize = 16;

/// Reads an automaton. Names that are new become atoms.
///
/// ```
/// use mandala_logic::{Atoms, hoa};
///
/// let text = "HOA: v1 States: 1 Start: 0 AP: 1 \"p\" Acceptance: 1 Inf(0)
///             --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--";
/// let mut atoms = Atoms::new();
/// let automaton = hoa::read(text, &mut atoms)?;
/// assert_eq!((automaton.state_count(), automaton.mark_count()), (1, 1));
/// let error = hoa::read("HOA: v2", &mut atoms).unwrap_err();
/// assert_eq!(error.to_string(), "line 1, column 6: only version v1 of the format is supported");
/// # Ok::<(), hoa::HoaError>(())
/// ```
pub fn read(text: &str, atoms: &mut Atoms) -> Result<Automaton, HoaError> {
    let tokens = Tokens::new(text, tokens(text)?);
    let labels = Labels { conditions: Conditions::new(), atoms: None, aliases: FxHashMap::default() };
    let mut reader = Reader {
        tokens,
        labels,
        names: atoms,
        declared: None,
        initial: Vec::new(),
        sets: 0,
        acceptance: None,
        edges: Vec::new(),
    };
    reader.header()?;
    reader.body()?;
    reader.finish()
}

/// What labels mean.
struct Labels {
    conditions: Conditions,
    atoms: Option<Vec<u32>>,
    aliases: FxHashMap<String, Condition>,
}

impl Algebra for Labels {
    type Value = Condition;

    fn leaf(&mut self, tokens: &mut Tokens<'_>) -> Result<Condition, HoaError> {
        match tokens.peek() {
            &Token::Integer(index) => {
                let atoms = self.atoms.as_deref().unwrap_or_default();
                let Some(&atom) = atoms.get(index as usize) else {
                    let message = format!("there are only {} atoms, numbered from 0", atoms.len());
                    return Err(tokens.error(message));
                };
                tokens.advance();
                Ok(self.conditions.literal(atom, true))
            }
            Token::Alias(name) => {
                let Some(&meaning) = self.aliases.get(name) else {
                    return Err(tokens.error(format!("there is no alias `@{name}`")));
                };
                tokens.advance();
                Ok(meaning)
            }
            _ => Err(tokens.expected("an atom's number, an alias, `t`, `f` or a bracket")),
        }
    }

    fn constant(&mut self, value: bool) -> Condition {
        self.conditions.constant(value)
    }

    fn not(&mut self, value: Condition) -> Option<Condition> {
        Some(self.conditions.not(value))
    }

    fn and(&mut self, left: Condition, right: Condition) -> Condition {
        self.conditions.and(left, right)
    }

    fn or(&mut self, left: Condition, right: Condition) -> Condition {
        self.conditions.or(left, right)
    }
}

/// An edge as it is written.
struct WrittenEdge {
    condition: Condition,
    target: State,
    sets: Vec<u32>,
}

struct Reader<'a> {
    tokens: Tokens<'a>,
    labels: Labels,
    names: &'a mut Atoms,
    /// How many states are declared.
    declared: Option<u32>,
    /// Initial states, and where they are named.
    initial: Vec<(State, usize)>,
    sets: u32,
    acceptance: Option<Vec<Disjunct>>,
    edges: Vec<Vec<WrittenEdge>>,
}

impl Reader<'_> {
    fn header(&mut self) -> Result<(), HoaError> {
        match self.tokens.advance() {
            Token::Header(name) if name == "HOA" => {}
            _ => return Err(HoaError::new(self.tokens.text, 0, "expected `HOA: v1`".to_string())),
        }
        match self.tokens.peek() {
            Token::Identifier(version) if version == "v1" => self.tokens.advance(),
            _ => return Err(self.tokens.error("only version v1 of the format is supported".to_string())),
        };
        loop {
            let place = self.tokens.place();
            match self.tokens.peek().clone() {
                Token::Body => {
                    self.tokens.advance();
                    return Ok(());
                }
                Token::Header(name) => {
                    self.tokens.advance();
                    self.header_item(&name, place)?;
                }
                Token::Abort => return Err(self.tokens.error("the automaton was not finished".to_string())),
                _ => return Err(self.tokens.expected("a header or `--BODY--`")),
            }
        }
    }

    fn header_item(&mut self, name: &str, place: usize) -> Result<(), HoaError> {
        let error = |reader: &Self, message: &str| Err(HoaError::new(reader.tokens.text, place, message.to_string()));
        match name {
            "States" if self.declared.is_some() => error(self, "the number of states is given twice"),
            "AP" if self.labels.atoms.is_some() => error(self, "the atoms are given twice"),
            "Acceptance" if self.acceptance.is_some() => error(self, "the acceptance condition is given twice"),
            "States" => {
                let count = self.tokens.integer("the number of states")?;
                // A state that is there takes some letters.
                if count as usize > self.tokens.text.len() {
                    return error(self, "there are more states than the text has room for");
                }
                self.declared = Some(count);
                self.edges.resize_with(count as usize, Vec::new);
                Ok(())
            }
            "Start" => {
                let place = self.tokens.place();
                let state = self.tokens.integer("an initial state")?;
                self.refuse_alternation()?;
                self.initial.push((state, place));
                Ok(())
            }
            "AP" => self.atoms(),
            "Alias" => self.alias(),
            "Acceptance" => self.acceptance(),
            _ if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                error(self, &format!("`{name}:` may change what the automaton means, and is not supported"))
            }
            _ => {
                while matches!(self.tokens.peek(), Token::Identifier(_) | Token::String(_) | Token::Integer(_)) {
                    self.tokens.advance();
                }
                Ok(())
            }
        }
    }

    fn refuse_alternation(&self) -> Result<(), HoaError> {
        match self.tokens.peek() {
            Token::Sign('&') => Err(self.tokens.error("alternating automata are not supported".to_string())),
            _ => Ok(()),
        }
    }

    fn atoms(&mut self) -> Result<(), HoaError> {
        let count_place = self.tokens.place();
        let count = self.tokens.integer("the number of atoms")? as usize;
        let mut atoms = Vec::new();
        while let Token::String(name) = self.tokens.peek() {
            let atom = self.names.intern(name);
            if atoms.contains(&atom) {
                return Err(self.tokens.error(format!("the atom \"{name}\" is named twice")));
            }
            atoms.push(atom);
            if atoms.len() > MAX_ATOMS {
                return Err(self.tokens.error(format!("more than {MAX_ATOMS} atoms are not supported")));
            }
            self.tokens.advance();
        }
        if atoms.len() != count {
            let message = format!("{count} atoms are announced, and {} are named", atoms.len());
            return Err(HoaError::new(self.tokens.text, count_place, message));
        }
        self.labels.atoms = Some(atoms);
        Ok(())
    }

    fn alias(&mut self) -> Result<(), HoaError> {
        let Token::Alias(name) = self.tokens.peek().clone() else {
            return Err(self.tokens.expected("the name of an alias, such as `@a`"));
        };
        self.tokens.advance();
        let meaning = expression(&mut self.tokens, &mut self.labels, 0)?;
        self.labels.aliases.insert(name, meaning);
        Ok(())
    }

    fn acceptance(&mut self) -> Result<(), HoaError> {
        let place = self.tokens.place();
        self.sets = self.tokens.integer("the number of acceptance sets")?;
        let mut acceptance = Acceptance { sets: self.sets, too_large: false };
        let condition = expression(&mut self.tokens, &mut acceptance, 0)?;
        let marks = condition.iter().map(|disjunct| disjunct.infinitely.len()).max().unwrap_or(0);
        if acceptance.too_large || marks > MAX_MARKS as usize {
            let message = "this acceptance condition is too large".to_string();
            return Err(HoaError::new(self.tokens.text, place, message));
        }
        self.acceptance = Some(condition);
        Ok(())
    }

    fn body(&mut self) -> Result<(), HoaError> {
        loop {
            match self.tokens.peek() {
                Token::End => {
                    self.tokens.advance();
                    break;
                }
                Token::Header(name) if name == "State" => self.state()?,
                Token::Abort => return Err(self.tokens.error("the automaton was not finished".to_string())),
                _ => return Err(self.tokens.expected("`State:` or `--END--`")),
            }
        }
        match self.tokens.peek() {
            Token::EndOfText => Ok(()),
            _ => Err(self.tokens.error("only one automaton can be read at a time".to_string())),
        }
    }

    fn label(&mut self) -> Result<Option<Condition>, HoaError> {
        if !self.tokens.take('[') {
            return Ok(None);
        }
        let condition = expression(&mut self.tokens, &mut self.labels, 0)?;
        self.tokens.expect(']')?;
        if self.labels.conditions.is_exhausted() {
            return Err(self.tokens.error("the labels are too large".to_string()));
        }
        Ok(Some(condition))
    }

    /// The sets that an edge or the edges of a state are in.
    fn sets(&mut self) -> Result<Vec<u32>, HoaError> {
        let mut sets = Vec::new();
        if self.tokens.take('{') {
            while !self.tokens.take('}') {
                let place = self.tokens.place();
                let set = self.tokens.integer("the number of an acceptance set or `}`")?;
                if set >= self.sets {
                    let message = format!("there are only {} acceptance sets, numbered from 0", self.sets);
                    return Err(HoaError::new(self.tokens.text, place, message));
                }
                sets.push(set);
            }
        }
        Ok(sets)
    }

    /// The number of a state, for which there is room from now on.
    fn state_number(&mut self) -> Result<State, HoaError> {
        let place = self.tokens.place();
        let state = self.tokens.integer("the number of a state")?;
        self.check_state(state, place)?;
        Ok(state)
    }

    fn check_state(&mut self, state: State, place: usize) -> Result<(), HoaError> {
        let message = match self.declared {
            Some(count) if state >= count => format!("there are only {count} states, numbered from 0"),
            None if state as usize > self.tokens.text.len() => "this number of a state is too large".to_string(),
            _ => {
                if state as usize >= self.edges.len() {
                    self.edges.resize_with(state as usize + 1, Vec::new);
                }
                return Ok(());
            }
        };
        Err(HoaError::new(self.tokens.text, place, message))
    }

    fn state(&mut self) -> Result<(), HoaError> {
        self.tokens.advance();
        let place = self.tokens.place();
        let state_label = self.label()?;
        let state = self.state_number()?;
        if let Token::String(_) = self.tokens.peek() {
            self.tokens.advance();
        }
        let state_sets = self.sets()?;
        let mut edges = Vec::new();
        let mut implicit = 0;
        while matches!(self.tokens.peek(), Token::Sign('[') | Token::Integer(_)) {
            let place = self.tokens.place();
            let condition = match (self.label()?, state_label) {
                (None, Some(label)) => label,
                (Some(_), Some(_)) => {
                    let message = "an edge of a state with a label has none of its own".to_string();
                    return Err(HoaError::new(self.tokens.text, place, message));
                }
                (Some(label), None) => label,
                (None, None) => {
                    implicit += 1;
                    self.implicit_label(implicit - 1)?
                }
            };
            let target = self.state_number()?;
            self.refuse_alternation()?;
            let mut sets = self.sets()?;
            sets.extend(&state_sets);
            edges.push(WrittenEdge { condition, target, sets });
        }
        let letters = 1usize << self.labels.atoms.as_ref().map_or(0, Vec::len).min(MAX_IMPLICIT_ATOMS);
        if implicit > 0 && (implicit != letters || edges.len() > implicit) {
            let message = format!("without labels, state {state} needs one edge for each of the {letters} letters");
            return Err(HoaError::new(self.tokens.text, place, message));
        }
        self.edges[state as usize].extend(edges);
        Ok(())
    }

    /// The letter for an edge without a label: the bits of its number are the values of the atoms.
    fn implicit_label(&mut self, index: usize) -> Result<Condition, HoaError> {
        let atoms = self.labels.atoms.clone().unwrap_or_default();
        if atoms.len() > MAX_IMPLICIT_ATOMS || index >> atoms.len() > 0 {
            return Err(self.tokens.error("expected a label, `State:` or `--END--`".to_string()));
        }
        let cube: Vec<(u32, bool)> =
            atoms.iter().enumerate().map(|(bit, &atom)| (atom, index >> bit & 1 == 1)).collect();
        Ok(self.labels.conditions.cube(&cube))
    }

    fn finish(mut self) -> Result<Automaton, HoaError> {
        for (state, place) in self.initial.clone() {
            self.check_state(state, place)?;
        }
        let Some(acceptance) = self.acceptance.take() else {
            return Err(HoaError::new(self.tokens.text, 0, "there is no acceptance condition".to_string()));
        };
        let automaton = match &acceptance[..] {
            [only] if only.finitely.is_empty() => self.plain(only),
            disjuncts => {
                let room = (disjuncts.len() + 1).saturating_mul(self.edges.len());
                if room > 1_000_000 {
                    let message = "with this acceptance condition the automaton becomes too large".to_string();
                    return Err(HoaError::new(self.tokens.text, 0, message));
                }
                self.with_copies(disjuncts)
            }
        };
        Ok(automaton)
    }

    fn plain(self, only: &Disjunct) -> Automaton {
        let mut automaton = Automaton::with_conditions(self.labels.conditions, only.infinitely.len() as u32);
        self.edges.iter().for_each(|_| {
            automaton.add_state();
        });
        for (state, edges) in self.edges.iter().enumerate() {
            for edge in edges {
                automaton.add_edge(state as State, edge.condition, marks(only, edge), edge.target);
            }
        }
        self.initial.iter().for_each(|&(state, _)| automaton.add_initial(state));
        automaton
    }

    /// A copy in which nothing accepts, and one for each disjunct that can be entered from there.
    fn with_copies(self, disjuncts: &[Disjunct]) -> Automaton {
        let most = disjuncts.iter().map(|disjunct| disjunct.infinitely.len()).max().unwrap_or(0).max(1);
        let mut automaton = Automaton::with_conditions(self.labels.conditions, most as u32);
        let all = automaton.all_marks();
        let count = self.edges.len() as State;
        (0..count * (disjuncts.len() as State + 1)).for_each(|_| {
            automaton.add_state();
        });
        for (state, edges) in self.edges.iter().enumerate() {
            let state = state as State;
            for edge in edges {
                automaton.add_edge(state, edge.condition, Marks::NONE, edge.target);
                for (first, disjunct) in (1..).map(|copy| copy * count).zip(disjuncts) {
                    automaton.add_edge(state, edge.condition, Marks::NONE, first + edge.target);
                    if !disjunct.finitely.iter().any(|set| set.has(&edge.sets)) {
                        let missing = all.minus(Marks::first(disjunct.infinitely.len() as u32));
                        let marks = marks(disjunct, edge) | missing;
                        automaton.add_edge(first + state, edge.condition, marks, first + edge.target);
                    }
                }
            }
        }
        self.initial.iter().for_each(|&(state, _)| automaton.add_initial(state));
        automaton
    }
}

/// The marks of an edge: one for each set that is to be met infinitely often.
fn marks(disjunct: &Disjunct, edge: &WrittenEdge) -> Marks {
    (0..).zip(&disjunct.infinitely).filter(|(_, set)| set.has(&edge.sets)).map(|(mark, _)| mark).collect()
}
