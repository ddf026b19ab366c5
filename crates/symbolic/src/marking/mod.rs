//! Symbolic markings of symmetric nets with bags: markings up to exchanging colours that nothing tells apart.
//!
//! The colours of a static subclass ([`mandala_analysis::coloured::partition`]) may be exchanged: a marking and what it becomes
//! then behave alike. A *symbolic marking* stands for all of these (the thesis, 5.2; the SRS paper, 2.2). It divides each static
//! subclass into *dynamic subclasses*, and says of each only how many colours it has: whichever colours these are, they can be
//! exchanged without changing the marking. It is kept with as few dynamic subclasses as possible, and they are numbered so that
//! each symbolic marking is written in exactly one way. Its size does not depend on that of the classes.
//!
//! | module | what |
//! |---|---|
//! | `palette`, `entries` | the colours of a net; tokens of a symbolic marking |
//! | `scene`, `bound`, `binding` | a marking split for a binding, and what expressions are worth there; symbolic bindings |
//! | `fire`, `merge`, `canonical` | firing, merging dynamic subclasses, numbering them (reindexing) |
//! | `pack`, `count`, `show` | markings as numbers; how much they stand for; as people write them |
//! | `system` | the quotient as a transition system, for all that works state by state |
//! | `lift` | runs of the quotient as runs of the net, with colours |
//! | `sets` | all symbolic markings of one shape at a time: their sizes as sets in diagrams |

mod binding;
mod bound;
mod canonical;
mod count;
mod entries;
mod fire;
mod lift;
mod merge;
mod pack;
mod palette;
mod scene;
pub mod sets;
mod show;
mod system;

pub use count::{Ordinary, Weight};

use binding::{Binder, Firing, Prepared, Visit};
use canonical::canonise;
use entries::Entries;
use fire::{Fire, TooMany};
use mandala_analysis::coloured::partition::{Initial, Partition, Source};
use mandala_group::UBig;
use mandala_model::coloured::property::ColouredNets;
use mandala_model::coloured::semantics::Unbounded;
use mandala_model::coloured::{ColouredNet, evaluate::Undefined};
use mandala_model::property::Question;
use mandala_model::semantics::Cause;
use merge::{Loose, merge};
use palette::{Atom, MOST_COMPONENTS, Palette};
use scene::Scene;
use std::fmt;
use std::ops::ControlFlow;

/// A coloured net up to exchanging colours.
#[derive(Debug)]
pub struct SymbolicNet<'n> {
    net: &'n ColouredNet,
    partition: Partition,
    palette: Palette,
    /// By fixed atom: its number among those of classes that can be turned.
    turned: Vec<Option<u32>>,
    transitions: Vec<Prepared<'n>>,
    /// The priorities there are, highest first.
    priorities: Vec<u32>,
    /// Atoms and tokens of the initial marking.
    initial: Result<Vec<i32>, Cause>,
    /// The colours of each atom in the initial marking that is not fixed.
    initial_colours: Vec<Vec<(u32, u32)>>,
    initial_turns: Vec<u32>,
}

/// Why a net has no symbolic markings here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Nothing bounds the bags that a variable can be bound to.
    Unbounded(Unbounded),
    /// The tokens of a place have too many components.
    TooManyComponents {
        /// The place.
        place: String,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Unbounded(unbounded) => write!(f, "{unbounded}"),
            Refusal::TooManyComponents { place } => {
                write!(f, "the tokens of the place `{place}` have more than {MOST_COMPONENTS} components")
            }
        }
    }
}

impl std::error::Error for Refusal {}

/// A symbolic marking, taken apart.
#[derive(Clone, Debug, Default)]
struct Marking {
    /// Static subclass and size of each dynamic subclass, in the order of their numbers.
    atoms: Vec<(u32, u32)>,
    /// Its tokens, sorted.
    entries: Entries,
}

/// What a symbolic firing leads to.
#[derive(Debug)]
pub struct Reached<'r> {
    /// The transition that fires.
    pub transition: u32,
    /// The symbolic marking afterwards.
    pub state: Vec<i32>,
    atoms: &'r [(u32, u32)],
    symmetries: &'r UBig,
}

/// Where the atoms of a marking went when it was merged and numbered anew.
struct Moved {
    /// By atom that was not fixed: its number now, from 0 on.
    atoms: Vec<u32>,
    /// By class: by how much it was turned back.
    turns: Vec<u32>,
}

impl<'n> SymbolicNet<'n> {
    /// A net with its static subclasses for some questions.
    pub fn new(
        net: &'n ColouredNet, source: Source, initial: Initial, questions: &[&Question<ColouredNets>],
    ) -> Result<SymbolicNet<'n>, Refusal> {
        if let Some(place) = net.places.iter().find(|place| place.domain.len() > MOST_COMPONENTS) {
            return Err(Refusal::TooManyComponents { place: place.name.clone() });
        }
        let partition = Partition::find(net, source, initial, questions);
        let palette = Palette::new(net, &partition);
        let mut count = 0;
        let mut number = |&(class, _): &(u32, u32)| {
            palette.classes[class as usize].is_turned.then(|| {
                count += 1;
                count - 1
            })
        };
        let turned = palette.fixed.iter().map(&mut number).collect();
        let transitions: Vec<Prepared<'n>> = net.transitions.iter().map(|one| Prepared::new(net, one)).collect();
        let mut priorities: Vec<u32> = net.transitions.iter().map(|transition| transition.priority).collect();
        priorities.sort_unstable_by(|a, b| b.cmp(a));
        priorities.dedup();
        let mut symbolic = SymbolicNet {
            net,
            partition,
            palette,
            turned,
            transitions,
            priorities,
            initial: Ok(Vec::new()),
            initial_colours: Vec::new(),
            initial_turns: Vec::new(),
        };
        symbolic.refuse_unbounded()?;
        let finer = Partition::find(net, source, Initial::Named, questions);
        symbolic.begin(&Palette::new(net, &finer));
        Ok(symbolic)
    }

    fn refuse_unbounded(&self) -> Result<(), Refusal> {
        let whole: Vec<(u32, u32)> =
            self.palette.cells.iter().zip(0..).map(|(cell, index)| (index, cell.size)).collect();
        for prepared in &self.transitions {
            let mut scene = Scene::new(self.net, &self.palette);
            scene.begin(whole.iter().copied(), prepared.transition.variables.len());
            if let Some(variable) = bound::unbounded(&scene, prepared) {
                let transition = prepared.transition.name.clone();
                let variable = prepared.transition.variables[variable].name.clone();
                return Err(Refusal::Unbounded(Unbounded { transition, variable }));
            }
        }
        Ok(())
    }

    /// The net.
    pub fn net(&self) -> &'n ColouredNet {
        self.net
    }

    /// Its static subclasses.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// Finds the initial marking, from static subclasses in which all that it names is told apart.
    fn begin(&mut self, finer: &Palette) {
        let mut scene = Scene::new(self.net, finer);
        scene.begin((0..).zip(&finer.cells).map(|(cell, of)| (cell, of.size)), 0);
        let mut entries = Entries::default();
        for (place, of) in (0..).zip(&self.net.places) {
            let mut tokens = Entries::default();
            let evaluated = scene.tokens(place, &of.initial, 1, &mut tokens);
            let full = tokens.list.iter().any(|entry| entry.count > i32::MAX as u32);
            match evaluated {
                Ok(()) if !full => tokens.iter().for_each(|(entry, key)| entries.push(place, key, entry.count)),
                Ok(()) | Err(Undefined::TooMany) => {
                    self.initial = Err(Cause::Overflow { place: of.name.clone() });
                    return;
                }
                Err(_) => {
                    self.initial = Err(Cause::Malformed);
                    return;
                }
            }
        }
        // The atoms there as atoms here.
        let first = self.palette.fixed_count();
        let mut loose: Vec<Loose> = Vec::new();
        let mut colours: Vec<Vec<(u32, u32)>> = Vec::new();
        let mut here: Vec<Atom> = Vec::new();
        let alone = finer.fixed.iter().map(|&(class, colour)| (class, vec![(colour, colour + 1)]));
        let several = finer.cells.iter().map(|cell| (cell.class, cell.ranges.clone()));
        for (class, ranges) in alone.chain(several) {
            let colour = ranges[0].0;
            if let Some(atom) = self.palette.atom_of(class, colour) {
                here.push(atom);
                continue;
            }
            let holds = |cell: &palette::Cell| {
                cell.class == class && cell.ranges.iter().any(|&(first, end)| (first..end).contains(&colour))
            };
            let Some(cell) = self.palette.cells.iter().position(holds) else {
                self.initial = Err(Cause::Malformed);
                return;
            };
            here.push(first + loose.len() as u32);
            let size = mandala_analysis::coloured::partition::size(&ranges);
            loose.push(Loose { cell: cell as u32, size, family: 0, is_touched: true });
            colours.push(ranges);
        }
        let mut renamed = Entries::default();
        let (mut key, mut scratch) = (Vec::new(), Vec::new());
        for (entry, words) in entries.iter() {
            let shape = &self.palette.places[entry.place as usize];
            key.clear();
            key.extend_from_slice(words);
            key.chunks_exact_mut(shape.stride).for_each(|item| item[0] = here[item[0] as usize]);
            entries::normalise(shape, &mut key, &mut scratch);
            renamed.push(entry.place, &key, entry.count);
        }
        renamed.sort();
        let (marking, moved, _) = self.settle(&loose, &mut renamed);
        let mut lists = vec![Vec::new(); marking.atoms.len()];
        moved.atoms.iter().zip(colours).for_each(|(&to, ranges)| lists[to as usize].extend(ranges));
        lists.iter_mut().for_each(|list| list.sort_unstable());
        self.initial_colours = lists;
        self.initial_turns = moved.turns;
        self.initial = Ok(self.pack(&marking, &mut Vec::new()));
    }

    /// Merges and numbers anew. Says also where each atom went, and how many permutations of atoms leave the marking alone.
    fn settle(&self, atoms: &[Loose], entries: &mut Entries) -> (Marking, Moved, UBig) {
        let (merged, target) = merge(&self.palette, atoms, entries);
        let canonical = canonise(&self.palette, &self.turned, &merged, entries);
        let entries = canonical.apply(&self.palette, entries);
        let mut ordered = vec![(0, 0); merged.len()];
        canonical.place_of.iter().zip(&merged).for_each(|(&to, &atom)| ordered[to as usize] = atom);
        let moved = target.iter().map(|&group| canonical.place_of[group as usize]).collect();
        let moved = Moved { atoms: moved, turns: canonical.turns };
        (Marking { atoms: ordered, entries }, moved, canonical.symmetries)
    }

    fn pack(&self, marking: &Marking, bytes: &mut Vec<u8>) -> Vec<i32> {
        pack::pack(&self.palette, &marking.atoms, &marking.entries, bytes)
    }

    fn unpack(&self, state: &[i32]) -> Result<Marking, Cause> {
        let mut marking = Marking::default();
        let found = pack::unpack(&self.palette, state, &mut marking.atoms, &mut marking.entries);
        found.map(|()| marking).ok_or(Cause::NotAMarking)
    }

    /// How many ordinary markings a symbolic one stands for.
    pub fn represented(&self, state: &[i32]) -> Result<UBig, Cause> {
        let marking = self.unpack(state)?;
        let canonical = canonise(&self.palette, &self.turned, &marking.atoms, &marking.entries);
        Ok(count::represented(&self.palette, &marking.atoms, &canonical.symmetries))
    }

    /// Visits all bindings with which a transition can fire in a marking: of the highest priority that has one.
    fn firings(&self, marking: &Marking, visit: &mut Visit<'_>) -> Result<(), (usize, Cause)> {
        let mut binder = Binder::new(Scene::new(self.net, &self.palette), &marking.entries);
        for &priority in &self.priorities {
            let mut fired = false;
            for (index, prepared) in self.transitions.iter().enumerate() {
                if prepared.transition.priority != priority {
                    continue;
                }
                let mut seen = |firing: &Firing<'_, '_>| {
                    fired = true;
                    visit(firing)
                };
                let flow = binder.bindings(&marking.atoms, index, prepared, &mut seen);
                if flow.map_err(|cause| (index, cause))?.is_break() {
                    return Ok(());
                }
            }
            if fired {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Visits all symbolic firings in a marking.
    fn steps(&self, marking: &Marking, visit: &mut dyn FnMut(Reached<'_>)) -> Result<(), (usize, Cause)> {
        let mut fire = Fire::default();
        let mut bytes = Vec::new();
        self.firings(marking, &mut |firing| {
            let (after, _, symmetries) = self.after(marking, firing, &mut fire)?;
            let state = self.pack(&after, &mut bytes);
            visit(Reached {
                transition: firing.transition as u32,
                state,
                atoms: &after.atoms,
                symmetries: &symmetries,
            });
            Ok(ControlFlow::Continue(()))
        })
    }

    fn after(
        &self, marking: &Marking, firing: &Firing<'_, '_>, fire: &mut Fire,
    ) -> Result<(Marking, Moved, UBig), Cause> {
        let overflow =
            |TooMany(place): TooMany| Cause::Overflow { place: self.net.places[place as usize].name.clone() };
        fire.fire(&marking.entries, marking.atoms.len(), firing).map_err(overflow)?;
        let Fire { after, atoms, .. } = fire;
        Ok(self.settle(atoms, after))
    }
}
