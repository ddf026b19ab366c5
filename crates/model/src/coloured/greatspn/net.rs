//! Nets in the old format: from a `.net` file as it is written, and the definitions beside it, to a net.

use rustc_hash::FxHashMap;

use super::assemble::{self, ArcDraft, Weight, neutral};
use super::definitions::{self, Definitions};
use super::palette::Name;
use super::parse::{self, Dialect, Setting};
use super::piece::Piece;
use super::resolve::{Bags, Resolver, Variables};
use super::written::{Draft, PlaceDraft, TransitionDraft, WrittenArc};
use super::{Origin, Reading, Reports};
use crate::coloured::{ColouredNet, Domain, Place, Sort, Tokens, Transition};
use crate::text::complaint;
use crate::text::xml::{Fault, fault};
use crate::text::{Problem, Span};

/// Below this a marking is the number of a definition.
const DEFINED: i32 = -10_000;

/// From here on a weight is the number of a marking parameter.
const PARAMETERS: u32 = 20_000;

/// The group of transitions that fire after a fixed time.
const DETERMINISTIC: u32 = 127;

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
