//! A symbolic model checker: it answers questions about all states that a concurrent system can reach.
//!
//! This crate is the front door of Mandala. It reads a model in any format that is known (or you build one in code), finds
//! its states as decision diagrams, and answers formulas of CTL and LTL with a trace that a person can follow. Everything
//! that it gives is owned and has names; the command `mandala` is made of this crate and nothing else.
//!
//! ```no_run
//! use mandala::{Model, Symmetry};
//! use std::time::Duration;
//!
//! fn main() -> Result<(), mandala::Error> {
//!     let model = Model::read("philosophers.gal")?;
//!     let question = model.check("AG !(at[0]:eating == 1 && at[1]:eating == 1)")?;
//!     let answer = question.symmetry(Symmetry::Auto).timeout(Duration::from_secs(60)).run()?;
//!     println!("{answer}");
//!     let space = model.states().memory("4G").run()?;
//!     println!("{} states", space.count());
//!     Ok(())
//! }
//! ```
//!
//! # A first model
//!
//! Two processes want the same lock. In the Guarded Action Language, variables have values, and a transition may happen
//! when its guard holds:
//!
//! ```
//! use mandala::{Format, Model};
//!
//! let text = "
//!     gal lock {
//!         int free = 1;
//!         array [2] at = (0, 0);          // 0: outside, 1: waiting, 2: inside
//!         transition ask0   [at[0] == 0] { at[0] = 1; }
//!         transition ask1   [at[1] == 0] { at[1] = 1; }
//!         transition enter0 [at[0] == 1 && free == 1] { at[0] = 2; free = 0; }
//!         transition enter1 [at[1] == 1 && free == 1] { at[1] = 2; free = 0; }
//!         transition leave0 [at[0] == 2] { at[0] = 0; free = 1; }
//!         transition leave1 [at[1] == 2] { at[1] = 0; free = 1; }
//!     }";
//! let model = Model::parse(text, Format::Gal)?;
//! let space = model.states().run()?;
//! assert_eq!(space.count().to_string(), "8");
//! # Ok::<(), mandala::Error>(())
//! ```
//!
//! [`Model::read`] takes a file: GAL, PNML, DVE, `.sn` or a net of GreatSPN, a folder of the Model Checking Contest, or `-` for
//! standard input. [`Reader`] says more about how it is read, and [`build`] makes nets and programs without a text. The
//! [classic models](classic) of any size can be written down, too:
//!
//! ```
//! use mandala::classic::{Classic, Size, generate};
//! use mandala::Reader;
//!
//! let mut text = Vec::new();
//! generate(Classic::Philosophers, &Size::from(100), None, &mut text).expect("a text can be written to");
//! let model = Reader::new().parse(&String::from_utf8_lossy(&text))?;
//! assert_eq!(model.states().run()?.count().to_string(), "4.969e62");
//! # Ok::<(), mandala::Error>(())
//! ```
//!
//! # A first formula
//!
//! [`Model::check`] reads a formula. `AG p` asks whether p holds in all states, `EF p` whether it does in one; other formulas
//! with quantifiers are CTL, and those with temporal operators alone are LTL, about all runs. `[bounds] : e` asks between
//! which values an expression is.
//!
//! ```
//! # use mandala::{Format, Model, Verdict};
//! # use mandala::build::{Net, Transition};
//! # fn lock() -> Result<Model, mandala::Error> {
//! #     let mut net = Net::new("lock");
//! #     net.place("free", 1).place("waiting", 3).place("inside", 0);
//! #     net.transition(Transition::new("enter").take("free", 1).take("waiting", 1).put("inside", 1));
//! #     net.transition(Transition::new("leave").take("inside", 1).put("free", 1).put("waiting", 1));
//! #     net.build()
//! # }
//! let model = lock()?; // a net with the places `free`, `waiting` and `inside`
//!
//! assert_eq!(model.check("AG inside <= 1")?.run()?.holds(), Some(true));
//! assert_eq!(model.check("AG EF fireable(enter)")?.run()?.holds(), Some(true));
//! assert_eq!(model.check("G F inside == 1")?.run()?.holds(), Some(true));
//! let bounds = model.check("[bounds] : waiting + inside")?.run()?;
//! assert_eq!(bounds.verdict, Verdict::Bounds { least: 3, greatest: 3 });
//!
//! // A mistake is shown with its place, and with a way forward.
//! let error = model.check("AG insid <= 1").unwrap_err();
//! assert!(error.to_string().contains("did you mean `inside`?"), "{error}");
//! # Ok::<(), mandala::Error>(())
//! ```
//!
//! A verdict is *holds*, *fails*, the *bounds*, or *unknown* with the reason: an answer is never guessed. To ask several
//! questions of the same states, use [`Model::ask`], which looks for no more states than these take, or ask a [`Space`].
//!
//! # Traces
//!
//! Where a state or a run shows the verdict, the answer has it: step by step, with the names of transitions and what each
//! changes. It is one of the shortest, or says that it may not be.
//!
//! ```
//! use mandala::build::{Net, Transition};
//!
//! let mut net = Net::new("two locks");
//! net.place("a", 1).place("b", 1).place("idle1", 1).place("idle2", 1).place("has_a", 0).place("has_b", 0);
//! net.transition(Transition::new("first_takes_a").take("idle1", 1).take("a", 1).put("has_a", 1));
//! net.transition(Transition::new("first_is_done").take("has_a", 1).read("b", 1).put("a", 1).put("idle1", 1));
//! net.transition(Transition::new("second_takes_b").take("idle2", 1).take("b", 1).put("has_b", 1));
//! net.transition(Transition::new("second_is_done").take("has_b", 1).read("a", 1).put("b", 1).put("idle2", 1));
//! let model = net.build()?;
//!
//! let answer = model.check("AG !deadlock")?.run()?;
//! assert_eq!(answer.holds(), Some(false));
//! let trace = answer.trace().expect("a way to the deadlock");
//! let names: Vec<&str> = trace.steps.iter().map(|step| step.transition.as_str()).collect();
//! assert_eq!(names.len(), 2);
//! assert!(names.contains(&"first_takes_a") && names.contains(&"second_takes_b"));
//! for step in &trace.steps {
//!     for change in &step.changes {
//!         println!("{}: {} {} -> {}", step.transition, change.variable, change.before, change.after);
//!     }
//! }
//! println!("{answer}"); // the verdict, and the steps one by one
//! # Ok::<(), mandala::Error>(())
//! ```
//!
//! A run that goes on for ever says with which step it goes on ([`Trace::repeats`]). All that shows the verdict
//! about a formula of CTL is in [`Answer::witness`]: a tree of claims about its parts, of which the trace is one run. (Of a
//! quotient, there may be the run alone.) Traces and witnesses are looked for with every answer unless
//! [`Query::traces`] is told [`Traces::Unwanted`], which saves the time.
//!
//! # Limits
//!
//! Time, memory and a [`Cancel`] from another thread stop the work. That is no error: what is known by then is the answer.
//!
//! ```
//! use mandala::{Cancel, Counted, Format, Model, Reason};
//!
//! let model = Model::parse("gal count { int x = 0; transition up [x < 1000000] { x = x + 1; } }", Format::Gal)?;
//! let cancel = Cancel::default();
//! cancel.cancel(); // usually from another thread, or from a handler of Ctrl-C
//! let space = model.states().cancel(&cancel).memory("1G").run()?;
//! assert_eq!(space.stopped(), Some(Reason::Cancelled));
//! assert!(!space.is_complete());
//! assert!(!matches!(space.count(), Counted::Exactly(_)), "nobody gets a wrong number");
//! # Ok::<(), mandala::Error>(())
//! ```
//!
//! A space knows which part of the states it has, its coverage: [`Space::is_complete`] says whether these are all,
//! [`Space::stopped`] which limit struck if not, and [`Space::count`] whether its number is exact or a lower bound
//! ([`Counted`]). A question that the states found so far do not decide is answered with *unknown*. [`Progress`] shows from
//! another thread how far the work is.
//!
//! # Symmetry
//!
//! Where parts of a model may take each other's place, one state is enough for all that differ in that only. With
//! [`Symmetry::Auto`] the symmetries are found, checked, and used as far as the question allows.
//!
//! ```
//! use mandala::build::{Net, Transition};
//! use mandala::Symmetry;
//!
//! let mut net = Net::new("ten lamps");
//! for lamp in 0..10 {
//!     net.place(format!("off{lamp}"), 1).place(format!("on{lamp}"), 0);
//!     net.transition(Transition::new(format!("switch{lamp}")).take(format!("off{lamp}"), 1).put(format!("on{lamp}"), 1));
//! }
//! let model = net.build()?;
//! let space = model.states().symmetry(Symmetry::Auto).run()?;
//! assert_eq!(space.count().to_string(), "1024");
//! assert_eq!(space.representatives().unwrap().to_u64(), Some(11));
//! println!("{}", space.quotient().unwrap().words().join("\n"));
//! # Ok::<(), mandala::Error>(())
//! ```
//!
//! # Diagrams underneath
//!
//! The states are a hierarchical set decision diagram. How large it is depends on the order of variables, for which several
//! are tried; [`Model::orders`] lists them, and [`Query::order`] chooses one. A small diagram can be drawn.
//!
//! ```
//! # use mandala::build::{Net, Transition};
//! # let mut net = Net::new("lock");
//! # net.place("free", 1).place("waiting", 3).place("inside", 0);
//! # net.transition(Transition::new("enter").take("free", 1).take("waiting", 1).put("inside", 1));
//! # net.transition(Transition::new("leave").take("inside", 1).put("free", 1).put("waiting", 1));
//! # let model = net.build()?;
//! let best = model.orders()[0].heuristic;
//! let space = model.states().order(mandala::Order::Heuristic(best)).run()?;
//! println!("{} nodes, order {}", space.nodes().unwrap(), space.layout().unwrap().order);
//! assert!(space.picture(100)?.svg().starts_with("<svg"));
//! # Ok::<(), mandala::Error>(())
//! ```
//!
//! The diagrams themselves, without any formalism, are a library of their own: the crate `mandala-diagram`, which is
//! [`diagram`] here.
//!
//! # Where everything is
//!
//! | what | where |
//! |---|---|
//! | read, parse, build a model | [`Model::read`], [`Reader`], [`build`], [`classic`] |
//! | states, figures, deadlocks, states that satisfy a formula | [`Model::states`], [`Space`] |
//! | sets of states, states one by one | [`Space::all`], [`StateSet`], [`Model::walk`], [`Walk`] |
//! | formulas, properties of a file, automata | [`Model::check`], [`Model::ask`], [`Model::properties`], [`Model::automaton_file`] |
//! | the Model Checking Contest | [`Model::examine`], [`contest`] |
//! | how, how long, how much | [`Query`], [`Options`], [`Cancel`], [`Progress`] |
//! | sizes, invariants, orders, symmetries of a model | [`Model::facts`], [`Model::orders`], [`Model::symmetries`] |
//! | names, completion and layout for editors | [`language`] |
//! | other formats, pictures | [`Model::to_gal`], [`Model::to_pnml`], [`Model::flatten`], [`Model::picture`], [`Picture`] |

#![forbid(unsafe_code)]

// In layers: each module uses only those before it in `ARCHITECTURE.md`.
mod answer;
pub mod automaton;
pub mod build;
pub mod contest;
mod crew;
mod engine;
mod error;
mod error_state;
mod facts;
mod fairness;
mod figures;
mod format;
mod input;
pub mod language;
mod limits;
mod model;
mod options;
mod picture;
mod proof;
mod query;
mod question;
mod reason;
mod space;
mod state;
mod state_set;
mod subclasses;
mod symbolic_graph;
mod symmetry;
mod trace;
mod walk;
mod witness;
pub mod words;

pub use answer::{Answer, Answers, Ended, Verdict};
pub use crew::{Checkpoints, Crew, Hosts, PATIENCE, Share, Work};
pub use error::{Error, ErrorKind};
pub use error_state::ErrorState;
pub use facts::{
    Arcs, ClassFacts, ColouredFacts, CompositeFacts, Facts, Invariant, Listing, NetFacts, NetStructure, OrderFacts,
    ProgramFacts, QueueFacts, Round, SiphonsAndTraps, Size, TypeFacts,
};
pub use fairness::{Fairness, Strength};
pub use figures::{Counted, Figures, Growth, Layout, NoFigures, Reduced, Siblings};
pub use format::Format;
pub use limits::{Cancel, Deadline, Memory, memory, peak_memory, time};
pub use mandala_analysis::order::Heuristic;
pub use mandala_check::limits::Progress;
pub use mandala_diagram as diagram;
pub use mandala_diagram::ProcessMemory;
pub use mandala_diagram::{CacheStatistics, Count, Log10, Statistics};
pub use mandala_model::classic;
pub use mandala_model::text::{Problem, Span, Unreadable};
pub use model::{Model, Reader, Shape};
pub use options::{
    FiniteRuns, Levels, Listener, Note, Options, Order, Partition, Reductions, Strategy, Symbolic, Symmetries,
    Symmetry, SymmetryOfFormula, Told, Traces,
};
pub use picture::{Around, Picture};
pub use proof::{Inequality, Proof, ProofCase};
pub use query::{AllStates, OneQuestion, Query, Questions};
pub use question::{Kind, Question};
pub use reason::Reason;
pub use space::Space;
pub use state::{State, Variables};
pub use state_set::{StateSet, States};
pub use subclasses::{ClassOfColours, ColourSymmetry, SymbolicMarkings};
pub use symbolic_graph::{SymbolicGraph, SymbolicMove, SymbolicMoves, SymbolicNode};
pub use symmetry::{Construction, Declared, Group, Quotient, Standing};
pub use trace::{Change, Step, Trace, Value};
pub use walk::{Move, Reach, Searched, StateEdge, StateGraph, StateNode, Status, Walk};
pub use witness::{Claim, Shown, Witness};

/// The programs of the README compile.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
