//! How states of a system are packed into words, and what happens from a packed state.
//!
//! Three ways, the first that can be used: a net with proven bounds fires on words; a program has its updates; whatever else
//! there is takes the definition. Ranges of values are proven for the first. For the others they are those of what can be
//! assigned, or of a few states that are looked at first, and get wider when a value does not fit: then the run begins anew,
//! which happens seldom, because each time there is room for twice as many bits.

use std::sync::Arc;

use mandala_analysis::structure::Structure;
use mandala_analysis::symmetry::leader::Leaders;
use mandala_group::UBig;
use mandala_model::semantics::{RunError, Semantics, Step};
use mandala_model::system::{System, Type};
use mandala_symbolic::layout::{Content, Slot};
use mandala_symbolic::packed::net::Packed;
use mandala_symbolic::packed::program::Updates;
use mandala_symbolic::plan::{Hierarchy, Plans};
use mandala_symbolic::variables::Grouping;

use crate::explore::enumerate::program::{Errors, ProgramRules, Range, columns_of, first_ranges, wider};
use crate::explore::enumerate::state_set::Words;
use crate::explore::enumerate::{Column, Interrupt, Narrow, Rules, net};

/// So many states are looked at first where nothing else says how large values get.
const SAMPLE: usize = 2_000;
/// A column with more values than this has no table of what they are worth.
const MOST_IN_TABLE: u32 = 1 << 12;

/// A system whose states can be packed.
pub(super) struct Machine<'a> {
    pub(super) semantics: &'a Semantics<'a>,
    packing: Packing,
    /// Where one state stands for its orbit.
    pub(super) leaders: Option<&'a Leaders>,
}

/// How states are packed.
#[derive(Clone)]
pub(super) struct Packing {
    way: Way,
    /// What each column says about the variables of a state.
    contents: Arc<[Content]>,
    ranges: Vec<Range>,
    columns: Vec<Column>,
    words: usize,
}

#[derive(Clone)]
enum Way {
    Net(Arc<Packed>),
    Program(Arc<Updates>),
    Any,
}

impl Packing {
    /// How the states of a system are packed, up to symmetry if there are leaders.
    pub(super) fn new(semantics: &Semantics<'_>, leaders: Option<&Leaders>) -> Result<Packing, RunError> {
        let initial = semantics.initial_states()?;
        if leaders.is_none()
            && let Some(packing) = Packing::fast(semantics.system())
            && initial.iter().all(|state| packing.keeps(state))
        {
            return Ok(packing);
        }
        Packing::any(semantics, leaders)
    }

    /// By the definition, whatever the system is.
    pub(super) fn any(semantics: &Semantics<'_>, leaders: Option<&Leaders>) -> Result<Packing, RunError> {
        let ranges = sample(semantics, leaders)?;
        let contents = (0..semantics.size() as u32).map(Content::single).collect();
        Ok(Packing::with(Way::Any, contents, ranges))
    }

    fn with(way: Way, contents: Arc<[Content]>, ranges: Vec<Range>) -> Packing {
        let (columns, words) = match &way {
            Way::Net(packed) => (packed.fields.iter().map(|&field| Column { field, low: 0 }).collect(), packed.words),
            Way::Program(_) | Way::Any => columns_of(&ranges),
        };
        Packing { way, contents, ranges, columns, words }
    }

    /// A net or a program on words, if it can be done.
    fn fast(system: &System) -> Option<Packing> {
        if system.has_transient_states() {
            return None;
        }
        match system.main_type() {
            Type::Net(net) => {
                let structure = Structure::new(net);
                let bounds: Vec<i32> = structure.bounds.iter().copied().collect::<Option<_>>()?;
                let plans = Plans::new(net, &structure, Grouping::Proven);
                let layout = plans.layout(&plans.candidates.first()?.order, Hierarchy::Off);
                let packed = Packed::new(net, &system.begins, &layout, &bounds)?;
                let ranges = packed.fields.iter().map(|field| (0, field.most)).collect();
                Some(Packing::with(Way::Net(Arc::new(packed)), contents(layout.slots())?, ranges))
            }
            Type::Program(program) => {
                let plans = Plans::of_program(program);
                let layout = plans.layout(&plans.candidates.first()?.order, Hierarchy::Off);
                let updates = Updates::new(program, &system.begins, &layout)?;
                let ranges = first_ranges(&updates);
                Some(Packing::with(Way::Program(Arc::new(updates)), contents(layout.slots())?, ranges))
            }
            Type::Composite(_) | Type::Queues(_) => None,
        }
    }

    /// The same with room for more values; nothing if that cannot be.
    pub(super) fn widened(&self, narrow: &[(usize, i32)]) -> Option<Packing> {
        let mut ranges = self.ranges.clone();
        for &(column, value) in narrow {
            let (low, most) = *ranges.get(column)?;
            if !(i64::from(low)..=i64::from(low) + i64::from(most)).contains(&i64::from(value)) {
                ranges[column] = wider(ranges[column], value)?;
            }
        }
        Some(Packing::with(self.way.clone(), Arc::clone(&self.contents), ranges))
    }

    /// What it takes to pack the same way again.
    pub(super) fn to_words(&self) -> Vec<u64> {
        let range = |&(low, most): &Range| u64::from(low as u32) << 32 | u64::from(most);
        std::iter::once(u64::from(self.is_plain())).chain(self.ranges.iter().map(range)).collect()
    }

    /// The packing that somebody has written down; nothing if it cannot be one of this system.
    pub(super) fn with_words(
        &self, words: &[u64], semantics: &Semantics<'_>, leaders: Option<&Leaders>,
    ) -> Option<Packing> {
        let (is_plain, ranges) = words.split_first()?;
        let base = match (*is_plain != 0, self.is_plain()) {
            (true, false) => Packing::any(semantics, leaders).ok()?,
            (false, true) => return None,
            _ => self.clone(),
        };
        let ranges: Vec<Range> = ranges.iter().map(|&word| ((word >> 32) as u32 as i32, word as u32)).collect();
        (ranges.len() == base.ranges.len()).then(|| Packing::with(base.way, base.contents, ranges))
    }

    /// Whether states are expanded by the definition.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.way, Way::Any)
    }

    /// How many words a state has.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// Bits of a state.
    pub(super) fn bits(&self) -> u32 {
        self.columns.iter().map(|column| column.field.mask().count_ones()).sum()
    }

    fn keeps(&self, values: &[i32]) -> bool {
        let Ok(words) = self.write(values) else { return false };
        let mut read = vec![0; values.len()];
        for (column, content) in self.columns.iter().zip(&self.contents[..]) {
            content.decode(column.value(words[column.field.word]), &mut read);
        }
        read == values
    }

    fn write(&self, values: &[i32]) -> Result<Vec<u64>, Narrow> {
        let mut state = vec![0; self.words];
        for (index, (column, content)) in self.columns.iter().zip(&self.contents[..]).enumerate() {
            let value = content.encode(values).unwrap_or(i32::MIN);
            if !column.put_into(&mut state, value) {
                return Err(Narrow { column: index, value });
            }
        }
        Ok(state)
    }
}

impl<'a> Machine<'a> {
    pub(super) fn new(semantics: &'a Semantics<'a>, packing: Packing, leaders: Option<&'a Leaders>) -> Machine<'a> {
        Machine { semantics, packing, leaders }
    }

    pub(super) fn packing(&self) -> &Packing {
        &self.packing
    }

    /// What a worker works with.
    pub(super) fn hands<const N: usize>(&self) -> Hands<'_, 'a, N> {
        let Packing { way, columns, ranges, contents, .. } = &self.packing;
        let rules: Option<Box<dyn Rules<N>>> = match way {
            Way::Net(packed) => Some(net::rules(packed)),
            Way::Program(updates) => {
                Some(Box::new(ProgramRules::new(updates, columns.clone(), ranges.clone(), Errors::Found)))
            }
            Way::Any => None,
        };
        let worth = columns.iter().zip(&contents[..]).map(|(column, content)| Worth::new(column, content));
        Hands { machine: self, rules, worth: worth.collect(), values: Vec::new() }
    }
}

/// What the slots of a flat layout hold.
fn contents(slots: &[Slot]) -> Option<Arc<[Content]>> {
    let content = |slot: &Slot| match slot {
        Slot::Data(content) => Some(content.clone()),
        Slot::Part(_) | Slot::Queue(_) => None,
    };
    slots.iter().map(content).collect()
}

/// Ranges with room for the values of a few states, and some more.
fn sample(semantics: &Semantics<'_>, leaders: Option<&Leaders>) -> Result<Vec<Range>, RunError> {
    let mut ranges: Vec<(i32, i32)> = vec![(i32::MAX, i32::MIN); semantics.size()];
    let mut queue = std::collections::VecDeque::new();
    let mut known = rustc_hash::FxHashSet::default();
    for state in semantics.initial_states()? {
        if known.insert(state.clone()) {
            queue.push_back(state);
        }
    }
    let mut expanded = 0;
    while let Some(state) = queue.pop_front() {
        let led = leaders.and_then(|leaders| leaders.leader(&state)).map(|leader| leader.state);
        for state in std::iter::once(&state).chain(&led) {
            for ((least, most), value) in ranges.iter_mut().zip(state) {
                (*least, *most) = ((*least).min(*value), (*most).max(*value));
            }
        }
        expanded += 1;
        if expanded < SAMPLE && known.len() < 4 * SAMPLE {
            // What is wrong is found again by whoever explores.
            for step in semantics.successors(&state).unwrap_or_default() {
                if known.insert(step.state.clone()) {
                    queue.push_back(step.state);
                }
            }
        }
    }
    let is_all = known.len() < 4 * SAMPLE && expanded < SAMPLE;
    let room = |(least, most): (i32, i32)| {
        let (least, most) = if least > most { (0, 0) } else { (least, most) };
        // What has not changed so far may be constant; the rest gets one more bit.
        let span = most.abs_diff(least);
        (least, if is_all || span == 0 { span } else { span.saturating_mul(2).saturating_add(1) })
    };
    Ok(ranges.into_iter().map(room).collect())
}

impl Column {
    fn value(&self, word: u64) -> i32 {
        self.low.wrapping_add(self.field.of(word) as i32)
    }

    fn put_into(&self, state: &mut [u64], value: i32) -> bool {
        let Ok(value) = u32::try_from(i64::from(value) - i64::from(self.low)) else { return false };
        if value > self.field.most {
            return false;
        }
        state[self.field.word] |= u64::from(value) << self.field.shift;
        true
    }
}

/// The greatest and the sum of the variables that follow from a column.
enum Worth {
    Table(Vec<(i32, i64)>),
    Computed(Content, usize),
}

impl Worth {
    fn new(column: &Column, content: &Content) -> Worth {
        let variables = content.variables().into_iter().max().map_or(0, |most| most as usize + 1);
        let computed = Worth::Computed(content.clone(), variables);
        if column.field.most > MOST_IN_TABLE {
            return computed;
        }
        Worth::Table(
            (0..=column.field.most).map(|value| computed.of(column.low.wrapping_add(value as i32), value)).collect(),
        )
    }

    fn of(&self, value: i32, place: u32) -> (i32, i64) {
        match self {
            Worth::Table(table) => table[place as usize],
            Worth::Computed(Content::Number(followers), _) if followers.len() == 1 => {
                let follower = followers[0];
                let value = value.wrapping_mul(follower.factor).wrapping_add(follower.offset);
                (value, i64::from(value))
            }
            Worth::Computed(content, size) => {
                let mut values = vec![0; *size];
                content.decode(value, &mut values);
                let variables = content.variables();
                let values = variables.iter().map(|&variable| values[variable as usize]);
                values.fold((i32::MIN, 0), |(most, sum), value| (most.max(value), sum + i64::from(value)))
            }
        }
    }
}

/// A machine as one worker uses it.
pub(super) struct Hands<'m, 'a, const N: usize> {
    machine: &'m Machine<'a>,
    rules: Option<Box<dyn Rules<N>>>,
    worth: Vec<Worth>,
    values: Vec<i32>,
}

/// Why a state has no successors that could be named.
pub(super) enum Trouble {
    /// A value has no room.
    Narrow(usize, i32),
    /// There is an error of the model, or the fast way says so.
    Error,
}

impl<const N: usize> Hands<'_, '_, N> {
    /// The values of a state.
    pub(super) fn read(&self, state: &Words<N>) -> Vec<i32> {
        let mut values = vec![0; self.machine.semantics.size()];
        for (column, content) in self.machine.packing.columns.iter().zip(&self.machine.packing.contents[..]) {
            content.decode(column.of(state), &mut values);
        }
        values
    }

    /// A state with these values.
    pub(super) fn write(&self, values: &[i32]) -> Result<Words<N>, Trouble> {
        let words =
            self.machine.packing.write(values).map_err(|narrow| Trouble::Narrow(narrow.column, narrow.value))?;
        Ok(std::array::from_fn(|word| words.get(word).copied().unwrap_or(0)))
    }

    /// The state that stands for the orbit of one with these values; itself where there is no symmetry.
    pub(super) fn write_leader(&self, values: &[i32]) -> Result<Words<N>, Trouble> {
        match self.machine.leaders {
            Some(leaders) => self.write(&leaders.leader(values).ok_or(Trouble::Error)?.state),
            None => self.write(values),
        }
    }

    /// How many states the orbit of a state has.
    pub(super) fn orbit(&self, state: &Words<N>) -> UBig {
        let led = |leaders: &Leaders| leaders.leader(&self.read(state)).map(|leader| leader.orbit);
        self.machine.leaders.and_then(led).unwrap_or(UBig::ONE)
    }

    /// Adds the successors of a state, and says how many events can happen in it. After trouble some may have been added.
    pub(super) fn expand(&mut self, state: &Words<N>, successors: &mut Vec<Words<N>>) -> Result<u64, Trouble> {
        if let Some(rules) = &mut self.rules {
            return rules.successors(state, successors).map_err(|interrupt| match interrupt {
                Interrupt::Narrow(narrow) => Trouble::Narrow(narrow.column, narrow.value),
                Interrupt::ModelError | Interrupt::Error(_) => Trouble::Error,
            });
        }
        self.values = self.read(state);
        let steps: Vec<Step> = self.machine.semantics.successors(&self.values).map_err(|_| Trouble::Error)?;
        for step in &steps {
            successors.push(self.write_leader(&step.state)?);
        }
        Ok(steps.chunk_by(|a, b| a.event.location == b.event.location).count() as u64)
    }

    /// The greatest variable of a state, and the sum of all. Without variables both are 0.
    #[inline]
    pub(super) fn figures(&self, state: &Words<N>) -> (i32, i64) {
        if self.worth.is_empty() {
            return (0, 0);
        }
        let columns = self.machine.packing.columns.iter().zip(&self.worth);
        columns.fold((i32::MIN, 0), |(most, sum), (column, worth)| {
            let field = column.field;
            let place = field.of(state[field.word]);
            let (greatest, all) = match worth {
                Worth::Table(table) => table[place as usize],
                computed => computed.of(column.of(state), place),
            };
            (most.max(greatest), sum + all)
        })
    }
}
