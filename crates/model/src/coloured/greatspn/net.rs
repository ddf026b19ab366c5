//! Nets in the old format: a `.net` file of lines and fields.
//!
//! | lines | fields |
//! |---|---|
//! | `\|0\|` up to `\|` | a comment |
//! | `f 0 2 0 1 0 0 0` | how many marking parameters, places, rate parameters, transitions, groups, and what is for drawings |
//! | a marking parameter | name, value, drawing |
//! | a place | name, marking, drawing, domain |
//! | a rate parameter | name, value, drawing |
//! | a group | name, drawing, priority |
//! | a transition | name, rate, servers, group, number of arcs that take, drawing, guard; then its arcs, one per line |
//! | an arc | weight, number of the place from 1 on, number of lines for its drawing, drawing, function |
//!
//! The arcs that take come first, then the number of those that put and these, and the same for those that inhibit.

use rustc_hash::FxHashMap;

use super::assemble::{self, ArcDraft, Kind, Weight, neutral};
use super::definitions::{self, Definitions};
use super::lines::{Fields, Lines};
use super::palette::Name;
use super::parse::{self, Dialect, Setting};
use super::piece::Piece;
use super::resolve::{Bags, Resolver, Variables};
use super::{Origin, Reading, Reports};
use crate::coloured::{ColouredNet, Domain, Place, Sort, Tokens, Transition};
use crate::text::complaint;
use crate::text::xml::{Fault, fault};
use crate::text::{Problem, Span};

/// The value of a marking parameter that is to be given one later.
const OPEN: i32 = -7134;

/// Below this a marking is the number of a definition.
const DEFINED: i32 = -10_000;

/// From here on a weight is the number of a marking parameter.
const PARAMETERS: u32 = 20_000;

/// The group of transitions that fire after a fixed time.
const DETERMINISTIC: u32 = 127;

/// A place as it is written.
struct PlaceDraft<'a> {
    name: Name,
    marking: (i32, Span),
    domain: Option<Piece<'a>>,
}

/// A transition as it is written.
struct TransitionDraft<'a> {
    name: Name,
    group: (u32, Span),
    guard: Option<Piece<'a>>,
    arcs: Vec<WrittenArc<'a>>,
}

/// An arc as it is written.
struct WrittenArc<'a> {
    kind: Kind,
    weight: (u32, Span),
    place: (u32, Span),
    function: Option<Piece<'a>>,
}

/// A file as it is written.
#[derive(Default)]
struct Draft<'a> {
    parameters: Vec<(Name, i64)>,
    places: Vec<PlaceDraft<'a>>,
    groups: Vec<i32>,
    transitions: Vec<TransitionDraft<'a>>,
}

/// Whether a text looks like a `.net` file: a comment between bars, then how much there is of everything.
pub(super) fn is_net(text: &str) -> bool {
    let mut lines = Lines::new(text);
    let starts = lines.next().is_some_and(|line| line.rest().starts_with('|') && line.rest() != "|");
    starts && header(&mut lines).is_ok()
}

/// Reads a net and its definitions.
pub(super) fn read(name: &str, text: &str, def: Option<&str>, reports: &mut Reports) -> Option<Reading> {
    let draft = Draft::read(text);
    let draft = reports.of(Origin::Net).keep(draft)?;
    let definitions = def.map(Definitions::read).unwrap_or_else(|| Ok(Definitions::default()));
    let definitions = reports.of(Origin::Def).keep(definitions)?;
    let constants: FxHashMap<String, i64> =
        draft.parameters.iter().map(|(name, value)| (name.text.clone(), *value)).collect();
    let palette = definitions.palette(&constants, reports.of(Origin::Def));
    if reports.any() {
        return None;
    }
    let setting = Setting { dialect: Dialect::Net, palette: &palette, constants: &constants };
    let bags = Bags::default();
    let maker =
        Maker { draft: &draft, definitions: &definitions, setting: &setting, bags: &bags, has_def: def.is_some() };
    let mut reading = maker.make(name, reports)?;
    reading.net.classes = palette.classes;
    Some(reading)
}

/// Passes over the comment; returns the line of numbers after it.
fn header<'a>(lines: &mut Lines<'a>) -> Result<Fields<'a>, Fault> {
    loop {
        let Some(line) = lines.any() else {
            let problem = Problem::new(Span::new(0, 0), "there is no line `|` after which the net begins");
            return fault(problem.label("expected after this").help("is this a `.net` file of GreatSPN?"));
        };
        if line.rest() == "|" {
            break;
        }
    }
    let mut line = lines.expect("`f` and seven numbers")?;
    let (word, span) = line.expect("`f`")?;
    if word != "f" {
        let problem = Problem::new(span, "the net does not begin with `f`");
        return fault(problem.label("expected `f` and seven numbers").help("is this a `.net` file of GreatSPN?"));
    }
    Ok(line)
}

impl<'a> Draft<'a> {
    fn read(text: &'a str) -> Result<Draft<'a>, Fault> {
        let mut lines = Lines::new(text);
        let mut line = header(&mut lines)?;
        let mut draft = Draft::default();
        let parameters = line.count("the number of marking parameters")?;
        let places = line.count("the number of places")?;
        let rates = line.count("the number of rate parameters")?;
        let transitions = line.count("the number of transitions")?;
        let groups = line.count("the number of groups")?;
        // Sets of conflicts and layers follow, if they are there: for drawings only.
        let drawn =
            line.word().is_some_and(|(word, _)| word != "0") || line.word().is_some_and(|(word, _)| word != "0");
        for _ in 0..parameters {
            let mut line = lines.expect("a marking parameter")?;
            let (name, span) = line.expect("the name of a marking parameter")?;
            let (value, at) = line.integer("the value of the marking parameter")?;
            if value == OPEN {
                let problem = Problem::new(at, format!("the marking parameter `{name}` has no value"));
                return fault(problem.label("to be given one").help("write its value here"));
            }
            draft.parameters.push((Name { text: name.to_owned(), span }, i64::from(value)));
        }
        for _ in 0..places {
            draft.places.push(place(lines.expect("a place")?)?);
        }
        for _ in 0..rates {
            lines.expect("a rate parameter")?.expect("the name of a rate parameter")?;
        }
        for _ in 0..groups {
            let mut line = lines.expect("a group")?;
            line.expect("the name of a group")?;
            line.coordinates(2)?;
            draft.groups.push(line.integer("the priority of the group")?.0);
        }
        for _ in 0..transitions {
            draft.transitions.push(transition(&mut lines)?);
        }
        match lines.next() {
            Some(line) if !drawn => {
                let problem = Problem::new(line.span(), "the net goes on after its last transition");
                fault(problem.label(format!("there are {transitions} transitions, as the line of `f` says")))
            }
            _ => Ok(draft),
        }
    }
}

/// A name without the tags for composing nets, which follow a bar.
fn untagged(word: &str, span: Span) -> Name {
    let text = word.split_once('|').map_or(word, |(name, _)| name);
    Name { text: text.to_owned(), span: Span { end: span.start + text.len() as u32, ..span } }
}

fn place(mut line: Fields<'_>) -> Result<PlaceDraft<'_>, Fault> {
    let (name, span) = line.expect("the name of a place")?;
    let marking = line.integer("the marking of the place")?;
    line.coordinates(4)?;
    line.layers()?;
    let domain = match line.is_empty() {
        true => None,
        false => {
            line.coordinates(2)?;
            Some(line.piece())
        }
    };
    Ok(PlaceDraft { name: untagged(name, span), marking, domain })
}

fn transition<'a>(lines: &mut Lines<'a>) -> Result<TransitionDraft<'a>, Fault> {
    let mut line = lines.expect("a transition")?;
    let (name, span) = line.expect("the name of a transition")?;
    let name = untagged(name, span);
    line.expect("the rate of the transition")?;
    line.count("the number of servers, or 0 for any number,")?;
    let (group, at) = line.integer("the group of the transition, or 0 if it is timed,")?;
    let Ok(group) = u32::try_from(group) else {
        return fault(Problem::new(at, "a group below zero").label("expected 0 or the number of a group"));
    };
    let takes = line.count("the number of arcs that take")?;
    line.count("how the transition is drawn")?;
    line.coordinates(6)?;
    line.layers()?;
    let mut guard = None;
    if !line.is_empty() {
        line.coordinates(2)?;
        guard = Some(brackets(line)?);
    }
    let mut arcs = Vec::new();
    for _ in 0..takes {
        arcs.push(arc(lines, Kind::Take)?);
    }
    for (kind, what) in [(Kind::Put, "the number of arcs that put"), (Kind::Inhibit, "the number of arcs that inhibit")]
    {
        for _ in 0..lines.expect(what)?.count(what)? {
            arcs.push(arc(lines, kind)?);
        }
    }
    Ok(TransitionDraft { name, group: (group, at), guard, arcs })
}

/// What is between brackets, which is all that is left of a line.
fn brackets(line: Fields<'_>) -> Result<Piece<'_>, Fault> {
    let rest = line.rest();
    match rest.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
        Some(inner) => Ok(Piece::plain(inner, line.span().start as usize + 1)),
        None if rest.ends_with('#') => {
            let problem = Problem::new(line.span(), "a transition that empties places");
            fault(problem.label("`#` is not read").help("reset transitions have no arcs that say what they take"))
        }
        None => fault(Problem::new(line.span(), "a guard is expected here").label("expected `[` and `]`")),
    }
}

fn arc<'a>(lines: &mut Lines<'a>, kind: Kind) -> Result<WrittenArc<'a>, Fault> {
    let mut line = lines.expect("an arc")?;
    // A weight below zero only says how the arc is drawn.
    let (weight, at) = line.integer("the weight of an arc")?;
    let (place, place_at) = line.integer("the number of a place")?;
    let points = line.count("the number of points of the arc")?;
    line.layers()?;
    let function = match line.is_empty() {
        true => None,
        false => {
            line.coordinates(2)?;
            Some(line.piece())
        }
    };
    for _ in 0..points {
        lines.expect("a point of an arc")?.coordinates(2)?;
    }
    let Some(place) = u32::try_from(place).ok().and_then(|place| place.checked_sub(1)) else {
        return fault(Problem::new(place_at, format!("there is no place {place}")).label("places count from 1"));
    };
    Ok(WrittenArc { kind, weight: (weight.unsigned_abs(), at), place: (place, place_at), function })
}

/// Makes a net of a draft.
struct Maker<'d, 'a> {
    draft: &'d Draft<'a>,
    definitions: &'d Definitions<'a>,
    setting: &'d Setting<'d>,
    bags: &'d Bags,
    has_def: bool,
}

impl Maker<'_, '_> {
    fn make(&self, name: &str, reports: &mut Reports) -> Option<Reading> {
        let mut net = ColouredNet { name: name.to_owned(), ..ColouredNet::default() };
        let mut notes = Vec::new();
        let mut known: FxHashMap<&str, Span> = FxHashMap::default();
        for draft in &self.draft.places {
            if let Some(first) = known.insert(&draft.name.text, draft.name.span) {
                reports.of(Origin::Net).add(complaint::twice(draft.name.span, "place", &draft.name.text, first));
            }
            let Some(domain) = self.domain(draft, reports) else { continue };
            let initial = self.initial(draft, &domain, reports).unwrap_or_else(Tokens::none);
            net.places.push(Place { name: draft.name.text.clone(), domain, initial });
        }
        if reports.any() {
            return None;
        }
        let mut known: FxHashMap<&str, Span> = FxHashMap::default();
        for draft in &self.draft.transitions {
            if let Some(first) = known.insert(&draft.name.text, draft.name.span) {
                reports.of(Origin::Net).add(complaint::twice(draft.name.span, "transition", &draft.name.text, first));
            }
            let priority = self.priority(draft, &mut notes);
            let transition = self.transition(draft, priority, &net.places, reports);
            net.transitions.push(transition);
        }
        self.note_order(&mut notes);
        Some(Reading { net, notes })
    }

    fn domain(&self, draft: &PlaceDraft<'_>, reports: &mut Reports) -> Option<Domain> {
        let Some(piece) = &draft.domain else { return Some(Vec::new()) };
        let problems = reports.of(Origin::Net);
        let names = parse::read(piece, self.setting, problems, |parser| parser.domain())?;
        let find = |name: &Name| match self.setting.palette.class(&name.text) {
            Some(class) => Ok(Sort::Colour(class)),
            None => {
                let none = match self.has_def {
                    true => "the `.def` file defines no classes",
                    false => "classes are defined in the `.def` file, which is missing",
                };
                let known = self.setting.palette.class_names();
                Err(Box::new(complaint::unknown(name.span, "class", &name.text, known, none.to_owned())))
            }
        };
        problems.keep(names.iter().map(find).collect())
    }

    fn initial(&self, draft: &PlaceDraft<'_>, domain: &[Sort], reports: &mut Reports) -> Option<Tokens> {
        let (marking, span) = draft.marking;
        let problems = reports.of(Origin::Net);
        if domain.is_empty() {
            let count = match u32::try_from(marking) {
                Ok(count) => Ok(count),
                Err(_) => self.parameter(i64::from(marking).unsigned_abs() - 1, span),
            };
            return problems.keep(count).map(neutral);
        }
        if marking == 0 {
            return Some(Tokens::none());
        }
        let number = DEFINED.checked_sub(marking).and_then(|number| usize::try_from(number).ok()).unwrap_or(0);
        let definition = number.checked_sub(1).and_then(|index| self.definitions.list.get(index));
        let Some(definition) = definition.filter(|definition| definition.kind == definitions::Kind::Marking) else {
            let problem = Problem::new(span, format!("the marking of `{}` is not defined", draft.name.text));
            let problem = problem.label(match (number, definition) {
                (0, _) => "expected 0, or -10001 for the first definition".to_owned(),
                (_, Some(other)) => format!("definition {number} is `{}`, which is no marking", other.name.text),
                (_, None) => format!("there is no definition {number}"),
            });
            problems.add(problem.help("markings of coloured places are definitions in the `.def` file"));
            return None;
        };
        problems.keep(self.setting.palette.charge(definition.text.text.len(), span))?;
        let problems = reports.of(Origin::Def);
        if definition.text.text.starts_with('(') {
            let problem = Problem::new(definition.text.span, "a dynamic subclass is not read");
            let help = "it says how many colours are alike, and not which: write a marking, as `<S C1>`";
            problems.add(problem.label("not understood here").help(help));
            return None;
        }
        let addends = parse::read(&definition.text, self.setting, problems, |parser| parser.tokens())?;
        let mut resolver = Resolver::new(self.setting, self.bags, Variables::None);
        problems.keep(resolver.tokens(domain, &addends))
    }

    /// The value of a marking parameter, as a number of tokens.
    fn parameter(&self, index: u64, span: Span) -> Result<u32, Fault> {
        let parameters = &self.draft.parameters;
        let Some((name, value)) = usize::try_from(index).ok().and_then(|index| parameters.get(index)) else {
            let problem = Problem::new(span, format!("there is no marking parameter {}", index.saturating_add(1)));
            return fault(problem.label(match parameters.len() {
                0 => "there are none".to_owned(),
                count => format!("this net has {}", complaint::counted(count, "marking parameter")),
            }));
        };
        u32::try_from(*value).or_else(|_| {
            let problem = Problem::new(span, format!("the marking parameter `{}` is {value}", name.text));
            fault(problem.label("expected a number of tokens").related(name.span, "it is defined here"))
        })
    }

    /// Timed transitions have no priority, and all others that of their group.
    fn priority(&self, draft: &TransitionDraft<'_>, notes: &mut Vec<Problem>) -> u32 {
        let (group, span) = draft.group;
        if group >= DETERMINISTIC {
            let message = format!("the transition `{}` fires after a fixed time", draft.name.text);
            let note = Problem::new(span, message).label("this is passed over");
            notes.push(note.help("it may fire at any time here, so that there may be more markings"));
            return 0;
        }
        match group.checked_sub(1) {
            None => 0,
            Some(index) => self.group_priority(index).saturating_add(1),
        }
    }

    /// A group that is not listed is its own priority.
    fn group_priority(&self, index: u32) -> u32 {
        let listed = self.draft.groups.get(index as usize);
        listed.map_or(index + 1, |&priority| u32::try_from(priority).unwrap_or(0))
    }

    /// GreatSPN's solvers go by the numbers of groups, its editor by the priority that they are listed with.
    fn note_order(&self, notes: &mut Vec<Problem>) {
        let mut used: Vec<(u32, Span)> = self.draft.transitions.iter().map(|transition| transition.group).collect();
        used.retain(|&(group, _)| group > 0 && group < DETERMINISTIC);
        used.sort_unstable();
        used.dedup_by_key(|&mut (group, _)| group);
        let wrong =
            used.windows(2).find(|pair| self.group_priority(pair[0].0 - 1) >= self.group_priority(pair[1].0 - 1));
        if let Some([_, (group, span)]) = wrong {
            let note = Problem::new(*span, "the order of the groups is not that of their priorities");
            notes.push(note.label(format!("group {group}")).help("the priority is what counts here"));
        }
    }

    fn transition(
        &self, draft: &TransitionDraft<'_>, priority: u32, places: &[Place], reports: &mut Reports,
    ) -> Transition {
        let name = draft.name.text.clone();
        let mut transition = Transition { name, priority, ..Transition::default() };
        let mut resolver = Resolver::new(self.setting, self.bags, Variables::OnArcs);
        let mut arcs = Vec::new();
        for arc in &draft.arcs {
            arcs.extend(self.arc(arc, places, reports));
        }
        for arc in &arcs {
            if let Weight::Tokens(addends) = &arc.weight {
                let declared = resolver.declare(&places[arc.place as usize].domain, addends);
                if reports.of(arc.origin).keep(declared).is_none() {
                    return transition;
                }
            }
        }
        let problems = reports.of(Origin::Net);
        if let Some(piece) = &draft.guard
            && let Some(predicate) = parse::read(piece, self.setting, problems, |parser| parser.predicate())
            && let Some(guard) = problems.keep(resolver.guard(&predicate))
        {
            transition.guard = guard;
        }
        assemble::arcs(&mut transition, &arcs, places, &mut resolver, reports);
        transition.variables = resolver.variables;
        transition
    }

    fn arc(&self, arc: &WrittenArc<'_>, places: &[Place], reports: &mut Reports) -> Option<ArcDraft> {
        let problems = reports.of(Origin::Net);
        let (weight, span) = arc.weight;
        let (index, at) = arc.place;
        let Some(place) = places.get(index as usize) else {
            let problem = Problem::new(at, format!("there is no place {}", u64::from(index) + 1));
            problems.add(problem.label(format!("this net has {}", complaint::counted(places.len(), "place"))));
            return None;
        };
        let made = |weight, origin| Some(ArcDraft { kind: arc.kind, place: index, weight, origin });
        match (&arc.function, place.domain.is_empty()) {
            (None, true) => {
                let count = problems.keep(self.weight(weight, span))?;
                made(Weight::Number(count), Origin::Net)
            }
            (None, false) => {
                let problem = Problem::new(span, format!("an arc of the place `{}` without a function", place.name));
                problems.add(problem.label("which tokens?").help("tokens of this place have colours: write `<x>`"));
                None
            }
            (Some(piece), true) => {
                let problem = Problem::new(piece.span, format!("tokens of the place `{}` have no colour", place.name));
                problems.add(problem.label("a function is not read here"));
                None
            }
            (Some(piece), false) if weight != 1 => {
                let problem = Problem::new(span, "an arc with a function and another weight than 1");
                problems.add(problem.label(format!("here it is {weight}")).related(piece.span, "the function"));
                None
            }
            (Some(piece), false) => {
                let (addends, origin) = self.function(piece, reports)?;
                made(Weight::Tokens(addends), origin)
            }
        }
    }

    /// The weight of an arc, which may be a marking parameter.
    fn weight(&self, weight: u32, span: Span) -> Result<u32, Fault> {
        let weight = match weight.checked_sub(PARAMETERS) {
            Some(index) if (index as usize) < self.draft.parameters.len() => self.parameter(u64::from(index), span)?,
            _ => weight,
        };
        match weight {
            0 => fault(Problem::new(span, "an arc with the weight 0").label("expected a number from 1 on")),
            _ => Ok(weight),
        }
    }

    /// What stands on an arc: a sum of tuples, or the name of a function.
    fn function(&self, piece: &Piece<'_>, reports: &mut Reports) -> Option<(Vec<super::expression::Addend>, Origin)> {
        let (text, origin) = match self.definitions.function(&piece.text) {
            Some(definition) => {
                reports.of(Origin::Net).keep(self.setting.palette.charge(definition.text.text.len(), piece.span))?;
                (&definition.text, Origin::Def)
            }
            None if is_name(&piece.text) && !self.setting.constants.contains_key(&*piece.text) && piece.text != "S" => {
                let known = self.definitions.function_names();
                let none = "functions are defined in the `.def` file".to_owned();
                let problem = complaint::unknown(piece.span, "function", &piece.text, known, none);
                reports.of(Origin::Net).add(problem);
                return None;
            }
            None => (piece, Origin::Net),
        };
        let addends = parse::read(text, self.setting, reports.of(origin), |parser| parser.tokens())?;
        Some((addends, origin))
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
