//! What can be written on the command line.

use crate::input::Define;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use mandala::classic::{Classic, GenerateError, Shape, Size};
use mandala::contest::{self, Examination};
use mandala::{Levels, Traces};
use std::time::Duration;

/// Answers questions about all states that a concurrent system can reach.
#[derive(Parser, Debug)]
#[command(
    name = "mandala",
    version,
    about,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Verb {
    /// Build the state space: how many states, how large the diagram, how long it took
    States(States),
    /// Check properties: those of the model, given formulas, or a file of the Model Checking Contest
    Check(Check),
    /// Show what a model is: sizes, types, invariants, variable order
    Info(Info),
    /// Write a model in another format
    Convert(Convert),
    /// Draw the net, the hierarchy or the diagram of the states as a picture
    Draw(Draw),
    /// Play a model by hand on a page of your browser: fire transitions, go back, ask formulas, step through traces
    Explore(Explore),
    /// Walk through the states at random, or by hand: what can fire, fire it, undo
    Simulate(Simulate),
    /// Lay out files of GAL and `.sn`: blanks, indentation, empty lines
    Format(FormatFiles),
    /// Write a classic model of any size
    Generate(Generate),
    /// Write the automaton of a formula of LTL in the Hanoi format
    Automaton(Automaton),
    /// Run a verb on several machines
    Cluster(Cluster),
    /// Serve an editor by the Language Server Protocol, on standard input and output
    Lsp,
    /// Write what a shell needs to complete what is typed
    Completions(Completions),
    /// Write the manual, as `man` shows it
    Man(Man),
}

/// `mandala states`
#[derive(Args, Debug)]
pub struct States {
    #[command(flatten)]
    pub model: Model,
    #[command(flatten)]
    pub again: Again,
    #[command(flatten)]
    pub engine: Engine,
    #[command(flatten)]
    pub show: Show,
    /// Also count transitions, and tokens in a place and in a marking
    #[arg(long)]
    pub full: bool,
    /// Print all digits of numbers with up to N digits [default: 100000 with --json]
    #[arg(long, value_name = "N")]
    pub digits: Option<usize>,
    #[command(flatten)]
    pub dump: Dump,
}

impl States {
    /// Whether it is said how workers went: where somebody asked for them, or for all that there is to say.
    pub fn shows_work(&self) -> bool {
        let crew = &self.engine.crew;
        self.show.stats || crew.workers.is_some() || crew.hosts.is_some() || crew.checkpoint.is_some()
    }
}

/// Where all states are written.
#[derive(Args, Debug)]
pub struct Dump {
    /// Also write all states and the steps between them to a file: .dot for Graphviz, .json, or .aut for CADP and mCRL2
    #[arg(long, value_name = "FILE", value_parser = file, help_heading = "Output")]
    pub dump: Option<String>,
    /// The most states that are written
    #[arg(long, value_name = "N", default_value_t = 100_000, requires = "dump", help_heading = "Output")]
    pub dump_states: usize,
}

/// `mandala cluster`
#[derive(Args, Debug)]
pub struct Cluster {
    #[command(subcommand)]
    pub deed: ClusterDeed,
}

/// What is done on several machines.
#[derive(Subcommand, Debug)]
pub enum ClusterDeed {
    /// Start `mandala` on each host of a list, as one run; what the first says is shown
    Run(ClusterRun),
    /// Give each of many questions, or models, to one of the hosts of a list; answers come as they are known, and what a lost
    /// host had goes to others
    Share(ClusterShare),
}

/// `mandala cluster run`
#[derive(Args, Debug)]
pub struct ClusterRun {
    /// A file with one `address:port` per line
    #[arg(value_name = "HOSTS")]
    pub hosts: String,
    #[command(flatten)]
    pub reach: Reach,
    /// The verb and its arguments, as in `-- states model.pnml`
    #[arg(last = true, required = true)]
    pub command: Vec<String>,
}

/// `mandala cluster share`
#[derive(Args, Debug)]
pub struct ClusterShare {
    /// A file with one host per line (a port does not matter); a host that is there twice gets two questions at a time
    #[arg(value_name = "HOSTS")]
    pub hosts: String,
    #[command(flatten)]
    pub reach: Reach,
    /// The verb and its arguments, as in `-- check model.pnml --properties LTLFireability.xml --timeout 60s`; limits are those of
    /// each question
    #[arg(last = true, required = true)]
    pub command: Vec<String>,
}

/// How hosts are reached.
#[derive(Args, Debug)]
pub struct Reach {
    /// What reaches a host: it is called with the host and a command, and ends when its standard input ends
    #[arg(
        long,
        value_name = "COMMAND",
        default_value = "ssh -o BatchMode=yes -o ServerAliveInterval=5 -o ServerAliveCountMax=3"
    )]
    pub ssh: String,
    /// The program on the hosts
    #[arg(long, value_name = "PROGRAM", default_value = "mandala")]
    pub program: String,
}

/// `mandala simulate`
#[derive(Args, Debug)]
pub struct Simulate {
    #[command(flatten)]
    pub model: Model,
    /// Take N steps at random and show them; without this, what to do is read from standard input, line by line
    #[arg(long, short = 'n', value_name = "N")]
    pub steps: Option<usize>,
    /// Chance begins with this number: the same number walks the same way
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// Print the steps as one JSON object
    #[arg(long)]
    pub json: bool,
    /// How far steps at random go; by hand, Ctrl-C ends it
    #[command(flatten)]
    pub limits: Limits,
}

/// `mandala completions`
#[derive(Args, Debug)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// `mandala man`
#[derive(Args, Debug)]
pub struct Man {
    /// The verb whose page is written; without this, that of the whole
    pub verb: Option<String>,
    /// Write all pages into a folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "verb")]
    pub into: Option<String>,
}

/// `mandala check`
#[derive(Args, Debug)]
pub struct Check {
    #[command(flatten)]
    pub model: Model,
    #[command(flatten)]
    pub again: Again,
    /// Check a property of the model (or of a file of properties) by its name; can be repeated
    #[arg(long, short, value_name = "NAME", help_heading = "Questions")]
    pub property: Vec<String>,
    /// Check a formula, as in `AG(x <= 3)`, `EF(deadlock)`, `G(x == 1 -> F x == 2)` or `[bounds] : x + y`; can be repeated
    #[arg(long, short, value_name = "FORMULA", help_heading = "Questions")]
    pub formula: Vec<String>,
    /// Check the formulas in a text file, one on a line, perhaps as `property NAME : FORMULA`; can be repeated
    #[arg(long, short = 'F', value_name = "FILE", help_heading = "Questions")]
    pub formulas: Vec<String>,
    /// Check the properties in a file of the Model Checking Contest; can be repeated
    #[arg(long, value_name = "FILE.xml", help_heading = "Questions")]
    pub properties: Vec<String>,
    /// The logic of the formulas in the files of --properties; without this, what the name of a file says
    /// (`CTLCardinality.xml`) or its formulas show
    #[arg(long, value_enum, value_name = "LOGIC", requires = "properties", help_heading = "Questions")]
    pub logic: Option<Logic>,
    /// Check that no run is accepted by the automaton in a file of the Hanoi format, whose atoms are formulas about a state,
    /// as in "x == 1"; can be repeated
    #[arg(long, value_name = "FILE.hoa", help_heading = "Questions")]
    pub automaton: Vec<String>,
    /// Check that there is no deadlock
    #[arg(long, help_heading = "Questions")]
    pub deadlock: bool,
    /// Check that every transition of a net can always fire again
    #[arg(long, help_heading = "Questions")]
    pub live: bool,
    /// Do an examination of the Model Checking Contest and answer in its format
    #[arg(
        long,
        value_parser = examination(),
        ignore_case = true,
        value_name = "NAME",
        conflicts_with_all = ["property", "formula", "formulas", "properties", "automaton", "deadlock", "live"],
        help_heading = "Questions"
    )]
    pub examination: Option<Examination>,
    /// Show how it comes about, step by step
    #[arg(long, short, help_heading = "Output")]
    pub trace: bool,
    /// Write the trace to a file in the Informal Trace Format of Apalache and Quint (.itf.json); if several questions are
    /// asked, each gets a file with its number before the ending
    #[arg(long, value_name = "FILE", value_parser = file, conflicts_with = "examination", help_heading = "Output")]
    pub itf: Option<String>,
    /// Draw the trace as a picture: a column per part of the model, a row per step; if several questions are asked, each gets a
    /// file with its number before the ending
    #[arg(long, value_name = "FILE.svg", value_parser = file, conflicts_with = "examination", help_heading = "Output")]
    pub draw: Option<String>,
    /// For people, as JSON (like --json), or as the Model Checking Contest wants it
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "json", help_heading = "Output")]
    format: Option<Format>,
    /// What becomes of runs that end, where a formula is about runs (LTL and CTL; `EF p` and `AG p` about one state are not)
    #[arg(long, value_enum, value_name = "HOW", default_value_t = FiniteRuns::Stutter, help_heading = "Questions")]
    pub finite_runs: FiniteRuns,
    /// Formulas about runs speak only of runs that are fair to transitions: `weak` (who can fire from some point on fires again
    /// and again), `strong` (who can fire again and again does), or `weak:t, u(1)` for some of them; can be repeated
    #[arg(long, value_name = "HOW[:TRANSITIONS]", conflicts_with = "examination", help_heading = "Questions")]
    pub fair: Vec<mandala::Fairness>,
    /// Only the question with this number, of all that are asked; the first is 1
    #[arg(long, value_name = "N", hide = true)]
    pub only: Option<usize>,
    #[command(flatten)]
    pub engine: Engine,
    #[command(flatten)]
    pub show: Show,
}

/// The name of a file, which standard output is not.
fn file(text: &str) -> Result<String, String> {
    match text {
        "" | "-" => Err("this is written to a file, since answers are written to standard output".to_owned()),
        text => Ok(text.to_owned()),
    }
}

impl Verb {
    /// Whether the answer is one JSON object, and so is an error.
    pub fn wants_json(&self) -> bool {
        match self {
            Verb::States(arguments) => arguments.show.json,
            Verb::Check(arguments) => arguments.format() == Format::Json,
            Verb::Info(arguments) => arguments.json,
            Verb::Simulate(arguments) => arguments.json,
            _ => false,
        }
    }
}

impl Check {
    /// Whether answers are to come with traces.
    pub fn traces(&self) -> Traces {
        if self.trace || self.itf.is_some() || self.draw.is_some() { Traces::Wanted } else { Traces::Unwanted }
    }

    /// How answers are printed.
    pub fn format(&self) -> Format {
        match self.format {
            Some(format) => format,
            None if self.show.json => Format::Json,
            None => Format::Text,
        }
    }
}

/// A logic of runs.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logic {
    /// Quantifiers over the runs from each state; where nothing can happen, there is no next state
    Ctl,
    /// Formulas about whole runs; where nothing can happen, the state repeats
    Ltl,
}

impl From<Logic> for contest::Logic {
    fn from(logic: Logic) -> contest::Logic {
        match logic {
            Logic::Ctl => contest::Logic::Ctl,
            Logic::Ltl => contest::Logic::Ltl,
        }
    }
}

/// What becomes of runs that end.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum FiniteRuns {
    /// They count, and their last state repeats for ever (in CTL without a next state), as in the Model Checking Contest
    Stutter,
    /// They do not count: a formula need not hold on them, and quantifiers do not see them
    Ignore,
}

impl From<FiniteRuns> for mandala::FiniteRuns {
    fn from(runs: FiniteRuns) -> Self {
        match runs {
            FiniteRuns::Stutter => mandala::FiniteRuns::Stutter,
            FiniteRuns::Ignore => mandala::FiniteRuns::Ignore,
        }
    }
}

/// How answers are printed.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For people
    Text,
    /// One JSON object
    Json,
    /// The lines of the Model Checking Contest
    Mcc,
}

/// The examinations of the Model Checking Contest, by their names.
fn examination() -> impl TypedValueParser<Value = Examination> {
    let names = Examination::all().iter().map(|examination| examination.name());
    PossibleValuesParser::new(names).try_map(|name| Examination::named(&name).ok_or("no examination"))
}

/// `mandala info`
#[derive(Args, Debug)]
pub struct Info {
    #[command(flatten)]
    pub model: Model,
    #[command(flatten)]
    pub again: Again,
    /// Also list the siphons and traps of a net that hold no smaller ones
    #[arg(long)]
    pub siphons: bool,
    /// The most invariants, siphons and traps that are listed
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub most: usize,
    /// Print one JSON object instead of a text for people
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limits: Limits,
}

/// `mandala convert`
#[derive(Args, Debug)]
pub struct Convert {
    #[command(flatten)]
    pub model: Model,
    /// The file to write (.gal, .pnml for a net, .sn for a coloured net), or `-` for standard output
    pub out: String,
    /// The format to write; without this, what the ending of the file says
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to: Option<Language>,
    /// Write a composite as one net, or as one program if there are programs in it
    #[arg(long)]
    pub flatten: bool,
    /// Write a coloured net as the place/transition net that it stands for
    #[arg(long)]
    pub unfold: bool,
    /// Write a coloured net with bags as a coloured net without
    #[arg(long)]
    pub unfold_bags: bool,
    /// Write a net as the smaller one on which its markings are counted, with the equations from which they follow as
    /// comments
    #[arg(long)]
    pub reduce: bool,
    #[command(flatten)]
    pub limits: Limits,
}

/// Formats that are written.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// The Guarded Action Language, with nets and composites
    Gal,
    /// PNML, for nets
    Pnml,
    /// Symmetric nets with bags, for coloured nets
    Sn,
}

/// `mandala draw`
#[derive(Args, Debug)]
pub struct Draw {
    #[command(flatten)]
    pub model: Model,
    /// The file to write (.svg, or .dot for Graphviz), or `-` for standard output
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    pub output: String,
    /// What to draw; without this, the net, or the hierarchy of a composite
    #[arg(long, value_enum, value_name = "WHAT")]
    pub what: Option<Picture>,
    /// The format of the picture; without this, what the ending of the file says
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<PictureFormat>,
    /// The most nodes that a picture may have
    #[arg(long, value_name = "N", default_value_t = 500)]
    pub most: usize,
    /// Of a net, only what is around this place or transition; can be repeated
    #[arg(long, value_name = "NAME")]
    pub around: Vec<String>,
    /// So many arcs around it
    #[arg(long, value_name = "N", default_value_t = 3, requires = "around")]
    pub arcs: usize,
    #[command(flatten)]
    pub engine: Engine,
    #[command(flatten)]
    pub show: Show,
}

/// What is drawn.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picture {
    /// Places and transitions
    Net,
    /// Types and their instances
    Hierarchy,
    /// The decision diagram of the reachable states
    Diagram,
    /// The reachable states and the steps between them, if they are few
    States,
}

/// Formats of pictures.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// A picture that every browser shows
    Svg,
    /// The language of Graphviz
    Dot,
}

/// `mandala explore`
#[derive(Args, Debug)]
pub struct Explore {
    #[command(flatten)]
    pub model: Model,
    /// The port of the loopback address; 0 for any that is free
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub port: u16,
    /// Print the address of the page, and do not open it
    #[arg(long)]
    pub no_open: bool,
    /// The most time that an answer may take
    #[arg(long, value_name = "TIME", value_parser = mandala::time, default_value = "30s")]
    pub timeout: Duration,
    /// The most memory that the process is to use [default: most of what is free]
    #[arg(long, value_name = "SIZE", value_parser = mandala::memory)]
    pub memory: Option<u64>,
}

/// `mandala format`
#[derive(Args, Debug)]
pub struct FormatFiles {
    /// The files, which are written anew; `-` reads standard input and writes to standard output
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// Write nothing; say which files would change, with the exit status 1 if there is one
    #[arg(long)]
    pub check: bool,
}

/// `mandala generate`
#[derive(Args, Debug)]
pub struct Generate {
    /// The model: philosophers, kanban, slotted-ring, fms, contest-philosophers, client-server, salestore,
    /// peterson, token-ring or database
    #[arg(value_parser = parsed::<Classic>)]
    pub name: Classic,
    /// Its size, as 100 or 2^20000
    #[arg(value_parser = parsed::<Size>)]
    pub size: Size,
    /// flat (one net), ring (the natural hierarchy: the default, where there is one), coloured (one coloured net) or, for
    /// philosophers, fold
    #[arg(long, value_parser = parsed::<Shape>)]
    pub shape: Option<Shape>,
    /// How many servers client-server has [default: 7]
    #[arg(long, value_name = "S")]
    pub servers: Option<u64>,
    /// How many gifts salestore has [default: 5]
    #[arg(long, value_name = "G")]
    pub gifts: Option<u64>,
    /// The file to write
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    pub output: String,
}

/// What a text stands for, or why it stands for nothing.
fn parsed<T: std::str::FromStr<Err = GenerateError>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: GenerateError| error.to_string())
}

/// `mandala automaton`
#[derive(Args, Debug)]
pub struct Automaton {
    /// The formula, as in `G(request -> F answer)`; atoms that are more than a word go between double quotes, as in
    /// `F "x == 1"`
    #[arg(long, short, value_name = "FORMULA")]
    pub formula: String,
    /// Write the automaton of the words on which the formula does not hold
    #[arg(long)]
    pub negate: bool,
    /// The file to write
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    pub output: String,
}

/// Which model is meant.
#[derive(Args, Debug)]
pub struct Model {
    /// A file (.gal, .pnml, .dve, .sn, or GreatSPN's .net and .PNPRO), a folder of the Model Checking Contest, or `-` for
    /// standard input
    pub model: String,
    /// Give a constant of the model another value
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    pub defines: Vec<Define>,
    /// The format of the model; without this, what its content shows
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format_in: Option<ModelFormat>,
}

/// Which further models are meant, and whether they are looked at again.
#[derive(Args, Debug)]
pub struct Again {
    /// Further models, each as if it were alone, with limits of its own
    #[arg(value_name = "MORE")]
    pub more: Vec<String>,
    /// Run again whenever the model (or a file of formulas) changes
    #[arg(long)]
    pub watch: bool,
}

/// Formats that are read.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelFormat {
    /// The Guarded Action Language, with nets and composites
    Gal,
    /// Place/transition nets and symmetric nets in PNML
    Pnml,
    /// The language of DiVinE and of the BEEM models
    Dve,
    /// Symmetric nets with bags, in Mandala's own language
    Sn,
    /// GreatSPN's nets, with a .def file beside them
    Greatspn,
    /// Projects of GreatSPN's editor
    Pnpro,
}

impl From<ModelFormat> for mandala::Format {
    fn from(format: ModelFormat) -> mandala::Format {
        match format {
            ModelFormat::Gal => mandala::Format::Gal,
            ModelFormat::Pnml => mandala::Format::Pnml,
            ModelFormat::Dve => mandala::Format::Dve,
            ModelFormat::Sn => mandala::Format::Sn,
            ModelFormat::Greatspn => mandala::Format::GreatSpn,
            ModelFormat::Pnpro => mandala::Format::Pnpro,
        }
    }
}

/// How states are explored.
#[derive(Args, Debug)]
pub struct Engine {
    /// How states are explored
    #[arg(long, value_enum, default_value_t = Strategy::Saturation, help_heading = "Exploration")]
    pub strategy: Strategy,
    /// The order of variables: `auto`, the name of a heuristic (see `mandala info`), or a file with one name per line
    #[arg(long, value_name = "NAME|FILE", default_value = "auto", help_heading = "Exploration")]
    pub order: String,
    /// The levels that a flat net gets: auto, off, units, semiflows, communities, balanced or balanced:SIZE
    #[arg(long, value_name = "LEVELS", default_value = "auto", help_heading = "Exploration")]
    pub hierarchy: Levels,
    /// Build the quotient by symmetry: keep one representative of each orbit
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = Symmetry::Off, help_heading = "Exploration")]
    pub symmetry: Symmetry,
    /// Which symmetries are used for it
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = Symmetries::Found, help_heading = "Exploration")]
    pub symmetries: Symmetries,
    /// Make nets smaller before their states are counted, and for questions
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Reductions::On, help_heading = "Exploration")]
    pub reductions: Reductions,
    /// How they are used with a formula of LTL that does not treat all processes alike
    #[arg(long, value_enum, value_name = "HOW", default_value_t = SymmetryOfFormula::Auto, help_heading = "Exploration")]
    pub symmetry_of_formula: SymmetryOfFormula,
    /// How the quotient of a coloured net is found without unfolding it
    #[arg(long, value_enum, value_name = "ENGINE", default_value_t = Symbolic::Auto, help_heading = "Exploration")]
    pub symbolic: Symbolic,
    /// Which colours of a coloured net are told apart for it
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = Partition::Found, help_heading = "Exploration")]
    pub partition: Partition,
    #[command(flatten)]
    pub crew: Crew,
    #[command(flatten)]
    pub limits: Limits,
}

/// Who explores states one by one.
#[derive(Args, Debug)]
pub struct Crew {
    /// How many workers explore the states, with `--strategy explicit` or `--symbolic list` [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), help_heading = "Workers")]
    pub workers: Option<u16>,
    /// The processes that take part: a file with one `address:port` per line, or these with commas in between. They trust each
    /// other: use a private network
    #[arg(long, value_name = "FILE", requires = "process", help_heading = "Workers")]
    pub hosts: Option<String>,
    /// Which of them this one is; the first is 0
    #[arg(long, value_name = "K", requires = "hosts", help_heading = "Workers")]
    pub process: Option<usize>,
    /// How long to wait for the other processes [default: 60s]
    #[arg(long, value_name = "TIME", value_parser = mandala::time, requires = "hosts", help_heading = "Workers")]
    pub patience: Option<Duration>,
    /// Write checkpoints into a folder; a run that finds some there goes on from the last level that all have
    #[arg(long, value_name = "FOLDER", help_heading = "Workers")]
    pub checkpoint: Option<std::path::PathBuf>,
    /// Write one every N levels
    #[arg(long, value_name = "N", default_value_t = 10, requires = "checkpoint", help_heading = "Workers")]
    pub checkpoint_every: u64,
    /// End with what is known, as by SIGTERM, when standard input ends: whoever started this from elsewhere is gone
    #[arg(long, hide = true)]
    pub leash: bool,
}

/// How far work may go.
#[derive(Args, Debug)]
pub struct Limits {
    /// The most memory to use, as in 8G [default: 80 % of what is free]
    #[arg(long, value_name = "SIZE", value_parser = mandala::memory, help_heading = "Limits")]
    pub memory: Option<u64>,
    /// The most time to use, as in 60s, 5m or 1h
    #[arg(long, value_name = "TIME", value_parser = mandala::time, help_heading = "Limits")]
    pub timeout: Option<Duration>,
}

/// Whether, and how, the quotient of the states by symmetry is made.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// All states
    Off,
    /// One state for each orbit, by whichever of the other three gets there
    Auto,
    /// One state for each orbit, from the start: only these are ever kept
    Explore,
    /// One state for each orbit, selected from the whole space
    Select,
    /// One state for each orbit, found one by one
    List,
}

impl Symmetry {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Symmetry::Off => "off",
            Symmetry::Auto => "auto",
            Symmetry::Explore => "explore",
            Symmetry::Select => "select",
            Symmetry::List => "list",
        }
    }
}

impl From<Symmetry> for mandala::Symmetry {
    fn from(symmetry: Symmetry) -> mandala::Symmetry {
        match symmetry {
            Symmetry::Off => mandala::Symmetry::Off,
            Symmetry::Auto => mandala::Symmetry::Auto,
            Symmetry::Explore => mandala::Symmetry::Explore,
            Symmetry::Select => mandala::Symmetry::Select,
            Symmetry::List => mandala::Symmetry::List,
        }
    }
}

/// Whether nets are made smaller before their states are counted, and for questions.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reductions {
    /// Where that is possible
    On,
    /// Never: what is counted and asked is about the states of the net itself
    Off,
}

impl From<Reductions> for mandala::Reductions {
    fn from(reductions: Reductions) -> mandala::Reductions {
        match reductions {
            Reductions::On => mandala::Reductions::On,
            Reductions::Off => mandala::Reductions::Off,
        }
    }
}

/// By which symmetries a quotient is made.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetries {
    /// All that are found
    Found,
    /// Those that the model declares, and no others
    Declared,
}

/// How symmetries are used with a formula of LTL that does not treat all processes alike.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymmetryOfFormula {
    /// Whichever is best
    Auto,
    /// Those that leave all propositions of the formula alone
    Group,
    /// At each state of the automaton those that it does not notice: the consistent graph
    Consistent,
    /// Also those that map states of the automaton to each other: the quotient product
    Product,
}

impl From<SymmetryOfFormula> for mandala::SymmetryOfFormula {
    fn from(way: SymmetryOfFormula) -> mandala::SymmetryOfFormula {
        match way {
            SymmetryOfFormula::Auto => mandala::SymmetryOfFormula::Auto,
            SymmetryOfFormula::Group => mandala::SymmetryOfFormula::Group,
            SymmetryOfFormula::Consistent => mandala::SymmetryOfFormula::Consistent,
            SymmetryOfFormula::Product => mandala::SymmetryOfFormula::Product,
        }
    }
}

impl From<Symmetries> for mandala::Symmetries {
    fn from(symmetries: Symmetries) -> mandala::Symmetries {
        match symmetries {
            Symmetries::Found => mandala::Symmetries::Found,
            Symmetries::Declared => mandala::Symmetries::Declared,
        }
    }
}

/// How symbolic markings of a coloured net are found.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbolic {
    /// With `--symmetry auto`, if some colours can be exchanged; else the net is unfolded
    Auto,
    /// Not at all: the net is unfolded
    Off,
    /// One by one
    List,
    /// As sets in diagrams
    Sets,
    /// By counting colours in each local state
    Counting,
    /// As tensors in diagrams
    Tensors,
}

impl From<Symbolic> for mandala::Symbolic {
    fn from(symbolic: Symbolic) -> mandala::Symbolic {
        match symbolic {
            Symbolic::Auto => mandala::Symbolic::Auto,
            Symbolic::Off => mandala::Symbolic::Off,
            Symbolic::List => mandala::Symbolic::List,
            Symbolic::Sets => mandala::Symbolic::Sets,
            Symbolic::Counting => mandala::Symbolic::Counting,
            Symbolic::Tensors => mandala::Symbolic::Tensors,
        }
    }
}

/// Which colours of a coloured net are told apart.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partition {
    /// Those that something tells apart
    Found,
    /// Also those in different subclasses of a partition that the net declares
    Declared,
}

impl From<Partition> for mandala::Partition {
    fn from(partition: Partition) -> mandala::Partition {
        match partition {
            Partition::Found => mandala::Partition::Found,
            Partition::Declared => mandala::Partition::Declared,
        }
    }
}

/// What is shown.
#[derive(Args, Debug)]
pub struct Show {
    /// Print one JSON object instead of a text for people
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Also print what the engine did: nodes made, collections, caches
    #[arg(long, help_heading = "Output")]
    pub stats: bool,
    /// Show no progress
    #[arg(long, short, help_heading = "Output")]
    pub quiet: bool,
}

/// How states are explored.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Diagrams, from the bottom to the top: nearly always the fastest
    Saturation,
    /// Diagrams, one transition after the other
    Chaining,
    /// Diagrams, breadth first
    Bfs,
    /// One state after the other, without diagrams
    Explicit,
}

impl Strategy {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Saturation => "saturation",
            Strategy::Chaining => "chaining",
            Strategy::Bfs => "bfs",
            Strategy::Explicit => "explicit",
        }
    }
}

impl From<Strategy> for mandala::Strategy {
    fn from(strategy: Strategy) -> mandala::Strategy {
        match strategy {
            Strategy::Saturation => mandala::Strategy::Saturation,
            Strategy::Chaining => mandala::Strategy::Chaining,
            Strategy::Bfs => mandala::Strategy::BreadthFirst,
            Strategy::Explicit => mandala::Strategy::Explicit,
        }
    }
}
