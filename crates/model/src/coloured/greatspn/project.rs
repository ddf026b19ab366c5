//! Projects of GreatSPN's editor: `.PNPRO` files, which are XML.
//!
//! A project has pages; those that are nets are called `gspn`. Expressions are attributes, in the language of the editor.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use super::assemble::{self, ArcDraft, Kind, Weight, neutral};
use super::expression::ClassDefinition;
use super::palette::{Name, Palette};
use super::parameters::{self, Parameter};
use super::parse::{self, Dialect, Setting};
use super::piece::Piece;
use super::resolve::{Bags, Resolver, Variables};
use super::{Origin, Reading, Reports};
use crate::coloured::{ClassOrder, ColouredNet, Domain, Guard, Place, Sort, Tokens, Transition};
use crate::text::complaint;
use crate::text::problems::Problems;
use crate::text::xml::{Cursor, Element, Fault, Text, fault};
use crate::text::{Problem, Span};

/// A net of a project, as elements.
struct Page<'a> {
    name: Text<'a>,
    span: Span,
    nodes: Vec<Element<'a>>,
    arcs: Vec<Element<'a>>,
}

/// Whether a text looks like a project: XML whose outermost element is `<project>`.
pub(super) fn is_project(text: &str) -> bool {
    matches!(Cursor::new(text).child(), Ok(Some(root)) if root.name == "project")
}

/// Reads the net of a project.
pub(super) fn read(text: &str, defines: &[(String, i32)], problems: &mut Problems) -> Option<Reading> {
    let pages = problems.keep(pages(text))?;
    let page = problems.keep(only(&pages))?;
    let mut reports = Reports { net: std::mem::take(problems), ..Reports::default() };
    let reading = Maker::new(text, page).make(defines, &mut reports);
    *problems = reports.net;
    reading
}

/// The nets of a project.
fn pages(text: &str) -> Result<Vec<Page<'_>>, Fault> {
    let mut cursor = Cursor::new(text);
    match cursor.child()? {
        Some(root) if root.name == "project" => {}
        Some(root) => {
            let problem = Problem::new(root.span, format!("`<{}>` does not begin a project of GreatSPN", root.name));
            return fault(problem.label("expected `<project>`"));
        }
        None => return fault(Problem::new(Span::new(0, 0), "the file is empty").label("expected `<project>`")),
    }
    let mut pages = Vec::new();
    while let Some(child) = cursor.child()? {
        match child.name {
            "gspn" => pages.push(page(&mut cursor, child)?),
            _ => cursor.skip()?,
        }
    }
    // The document may not go on after its outermost element.
    cursor.child()?;
    Ok(pages)
}

fn page<'a>(cursor: &mut Cursor<'a>, element: Element<'a>) -> Result<Page<'a>, Fault> {
    let name = element.required("name")?;
    let mut page = Page { name, span: element.span, nodes: Vec::new(), arcs: Vec::new() };
    while let Some(list) = cursor.child()? {
        if list.name != "nodes" && list.name != "edges" {
            let problem = Problem::new(list.span, format!("`<{}>` in a net is not known", list.name));
            return fault(problem.label("expected `<nodes>` or `<edges>`"));
        }
        while let Some(child) = cursor.child()? {
            if list.name == "nodes" { &mut page.nodes } else { &mut page.arcs }.push(child);
            cursor.skip()?;
        }
    }
    Ok(page)
}

/// The only net.
fn only<'p, 'a>(pages: &'p [Page<'a>]) -> Result<&'p Page<'a>, Fault> {
    match pages {
        [page] => Ok(page),
        [] => fault(Problem::new(Span::new(0, 0), "there is no net in this project").label("expected `<gspn …>`")),
        [first, second, ..] => {
            let names: Vec<String> =
                pages.iter().take(20).map(|page| format!("`{}`", complaint::shortened(&page.name.text))).collect();
            let problem = Problem::new(second.span, format!("there are {} nets in this project", pages.len()));
            let problem = problem.label("another one").related(first.span, "the first one");
            fault(problem.help(format!("leave one in a project of its own; there are {}", names.join(", "))))
        }
    }
}

/// Makes a net of a page.
struct Maker<'t, 'p, 'a> {
    text: &'t str,
    page: &'p Page<'a>,
    /// What each node is, and where it is.
    names: FxHashMap<String, (&'a str, Span)>,
    /// Products of classes.
    products: FxHashMap<String, Vec<Sort>>,
    /// The classes of variables.
    variables: FxHashMap<String, u32>,
}

/// A transition with what is yet to be read of it.
struct TransitionDraft<'a> {
    name: String,
    priority: u32,
    guard: Option<Piece<'a>>,
    arcs: Vec<ArcDraft>,
}

impl<'t, 'p, 'a: 't> Maker<'t, 'p, 'a> {
    fn new(text: &'t str, page: &'p Page<'a>) -> Maker<'t, 'p, 'a> {
        let (names, products, variables) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        Maker { text, page, names, products, variables }
    }

    fn make(mut self, defines: &[(String, i32)], reports: &mut Reports) -> Option<Reading> {
        let problems = reports.of(Origin::Net);
        let checked = self.check();
        problems.keep(checked)?;
        let parameters = self.parameters();
        let constants = parameters::values(&problems.keep(parameters)?, defines, problems);
        let palette = self.palette(&constants, problems);
        let variables = self.declared(&palette);
        self.variables = problems.keep(variables)?;
        if problems.count() > 0 {
            return None;
        }
        let setting = Setting { dialect: Dialect::Editor, palette: &palette, constants: &constants };
        let bags = self.bags(&setting, problems)?;
        let places = self.places(&setting, &bags, problems)?;
        let mut notes = Vec::new();
        let drafts = self.transitions(&setting, &places, &mut notes, problems)?;
        let mut net = ColouredNet { name: self.page.name.text.to_string(), places, ..ColouredNet::default() };
        let mut compared = FxHashSet::default();
        for draft in drafts {
            let mut resolver = Resolver::new(&setting, &bags, Variables::Declared(&self.variables));
            let mut transition = Transition { name: draft.name, priority: draft.priority, ..Transition::default() };
            assemble::arcs(&mut transition, &draft.arcs, &net.places, &mut resolver, reports);
            let problems = reports.of(Origin::Net);
            transition.guard = guard(draft.guard, &setting, &mut resolver, problems).unwrap_or_default();
            transition.variables = resolver.variables;
            compared.extend(resolver.compared);
            net.transitions.push(transition);
        }
        net.classes = palette.classes;
        // Colours that are compared have an order, whatever the definition says.
        for class in compared {
            let order = &mut net.classes[class as usize].order;
            if *order == ClassOrder::Unordered {
                *order = ClassOrder::Linear;
            }
        }
        Some(Reading { net, notes })
    }

    fn piece(&self, value: Text<'a>) -> Piece<'a> {
        Piece::attribute(value, self.text)
    }

    fn name(element: &Element<'a>) -> Result<Name, Fault> {
        element.required("name").map(|name| Name { text: name.text.into_owned(), span: name.span })
    }

    /// The nodes of a kind.
    fn nodes(&self, kind: &'static str) -> impl Iterator<Item = &'p Element<'a>> {
        self.page.nodes.iter().filter(move |node| node.name == kind)
    }

    /// Every node is known, and no two have the same name.
    fn check(&mut self) -> Result<(), Fault> {
        for node in &self.page.nodes {
            let known = ["place", "transition", "constant", "template", "color-class", "color-var"];
            if node.name == "text-box" {
                continue;
            }
            if !known.contains(&node.name) {
                let problem = Problem::new(node.span, format!("a node `<{}>` is not known", node.name));
                return fault(problem.label("not understood"));
            }
            let name = Self::name(node)?;
            if let Some((_, first)) = self.names.insert(name.text.clone(), (node.name, name.span)) {
                return Err(Box::new(complaint::twice(name.span, "name", &name.text, first)));
            }
        }
        match self.page.arcs.iter().find(|arc| arc.name != "arc") {
            Some(other) => {
                let problem = Problem::new(other.span, format!("an edge `<{}>` is not known", other.name));
                fault(problem.label("expected `<arc>`"))
            }
            None => Ok(()),
        }
    }

    /// Constants and templates that are whole numbers. Those that are not are for rates.
    fn parameters(&self) -> Result<Vec<Parameter<'a>>, Fault> {
        let mut parameters = Vec::new();
        for (kind, sort, value) in [("constant", "consttype", "value"), ("template", "type", "last-binding")] {
            for node in self.nodes(kind) {
                let is_neutral = node.attribute("domain")?.is_none_or(|domain| is_neutral(&domain.text));
                let sort = node.required(sort)?;
                match &*sort.text {
                    "INTEGER" if is_neutral => {
                        let name = Self::name(node)?;
                        let here = Span { start: node.span.end, ..node.span };
                        let none = Text { text: Cow::Borrowed(""), span: here };
                        let value = self.piece(node.attribute(value)?.unwrap_or(none));
                        parameters.push(Parameter { name, value });
                    }
                    "INTEGER" | "REAL" => {}
                    other => {
                        let problem = Problem::new(sort.span, format!("a {kind} of the type `{other}` is not read"));
                        return fault(problem.label("expected `INTEGER` or `REAL`"));
                    }
                }
            }
        }
        Ok(parameters)
    }

    fn palette(&mut self, constants: &FxHashMap<String, i64>, problems: &mut Problems) -> Palette {
        let none = Palette::default();
        let setting = Setting { dialect: Dialect::Editor, palette: &none, constants };
        let mut palette = Palette::default();
        let mut products = Vec::new();
        for node in self.nodes("color-class") {
            let Some(name) = problems.keep(Self::name(node)) else { continue };
            let Some(definition) = problems.keep(node.required("definition")) else { continue };
            let definition = self.piece(definition);
            match parse::read(&definition, &setting, problems, |parser| parser.class_definition()) {
                Some(ClassDefinition::Class(order, parts)) => {
                    problems.keep(palette.add(&name, order, parts));
                }
                Some(ClassDefinition::Product(factors)) => products.push((name, factors)),
                None => {}
            }
        }
        for (name, factors) in products {
            let sorts: Result<Vec<Sort>, Fault> = factors.iter().map(|factor| class(&palette, factor)).collect();
            if let Some(sorts) = problems.keep(sorts) {
                self.products.insert(name.text, sorts);
            }
        }
        palette
    }

    /// Which class each variable is of.
    fn declared(&self, palette: &Palette) -> Result<FxHashMap<String, u32>, Fault> {
        let mut variables = FxHashMap::default();
        for node in self.nodes("color-var") {
            let name = Self::name(node)?;
            let domain = node.required("domain")?;
            let of = Name { text: domain.text.trim_ascii().to_owned(), span: domain.span };
            let class = class(palette, &of)?.class();
            variables.insert(name.text, class);
        }
        Ok(variables)
    }

    /// The domain of a node.
    fn domain(&self, node: &Element<'a>, palette: &Palette) -> Result<Domain, Fault> {
        let Some(domain) = node.attribute("domain")?.filter(|domain| !is_neutral(&domain.text)) else {
            return Ok(Vec::new());
        };
        let name = domain.text.trim_ascii();
        match self.products.get(name) {
            Some(sorts) => {
                palette.charge(sorts.len(), domain.span)?;
                Ok(sorts.clone())
            }
            None => Ok(vec![class(palette, &Name { text: name.to_owned(), span: domain.span })?]),
        }
    }

    /// The constants that stand for tokens.
    fn bags(&self, setting: &Setting<'_>, problems: &mut Problems) -> Option<Bags> {
        let (mut bags, none) = (Bags::default(), Bags::default());
        for node in self.nodes("constant") {
            let domain = problems.keep(self.domain(node, setting.palette))?;
            if domain.is_empty() {
                continue;
            }
            let name = problems.keep(Self::name(node))?;
            let value = self.piece(problems.keep(node.required("value"))?);
            let addends = parse::read(&value, setting, problems, |parser| parser.tokens())?;
            let mut resolver = Resolver::new(setting, &none, Variables::None);
            let tokens = problems.keep(resolver.tokens(&domain, &addends))?;
            bags.insert(name.text, (domain, tokens, value.text.len()));
        }
        Some(bags)
    }

    fn places(&self, setting: &Setting<'_>, bags: &Bags, problems: &mut Problems) -> Option<Vec<Place>> {
        let mut places = Vec::new();
        for node in self.nodes("place") {
            let name = problems.keep(Self::name(node))?.text;
            if let Some(sort) = problems.keep(node.attribute("type"))?
                && sort.text != "DISCRETE"
            {
                let problem = Problem::new(sort.span, format!("a place of the type `{}` is not read", sort.text));
                problems.add(problem.label("expected `DISCRETE`").help("fluids cannot be counted"));
            }
            let domain = problems.keep(self.domain(node, setting.palette))?;
            let marking = problems.keep(node.attribute("marking"))?.map(|marking| self.piece(marking));
            let initial = marking.map(|marking| initial(&domain, &marking, setting, bags, problems));
            let initial = initial.unwrap_or_else(|| Some(Tokens::none())).unwrap_or_else(Tokens::none);
            places.push(Place { name, domain, initial });
        }
        (problems.count() == 0).then_some(places)
    }

    fn transitions(
        &self, setting: &Setting<'_>, places: &[Place], notes: &mut Vec<Problem>, problems: &mut Problems,
    ) -> Option<Vec<TransitionDraft<'a>>> {
        let mut drafts = Vec::new();
        for node in self.nodes("transition") {
            let name = problems.keep(Self::name(node))?;
            let priority = self.priority(node, &name, setting, notes, problems)?;
            let guard = problems.keep(node.attribute("guard"))?.map(|guard| self.piece(guard));
            let guard = guard.filter(|guard| !guard.text.trim_ascii().is_empty());
            drafts.push(TransitionDraft { name: name.text, priority, guard, arcs: Vec::new() });
        }
        let place: FxHashMap<&str, usize> =
            places.iter().enumerate().map(|(index, place)| (place.name.as_str(), index)).collect();
        let transition: FxHashMap<String, usize> =
            drafts.iter().enumerate().map(|(index, draft)| (draft.name.clone(), index)).collect();
        for element in &self.page.arcs {
            let ends = self.ends(element, &place, &transition);
            let Some((kind, place, transition)) = problems.keep(ends) else { continue };
            let weight = self.weight(element, &places[place], setting, problems);
            let place = place as u32;
            let arc = weight.map(|weight| ArcDraft { kind, place, weight, origin: Origin::Net });
            drafts[transition].arcs.extend(arc);
        }
        Some(drafts)
    }

    /// A timed transition has the priority 0, an immediate one its own and one more.
    fn priority(
        &self, node: &Element<'a>, name: &Name, setting: &Setting<'_>, notes: &mut Vec<Problem>,
        problems: &mut Problems,
    ) -> Option<u32> {
        let sort = problems.keep(node.required("type"))?;
        match &*sort.text {
            "EXP" => Some(0),
            "GEN" => {
                let message = format!("the transition `{}` fires after a time that is not exponential", name.text);
                let note = Problem::new(sort.span, message).label("this is passed over");
                notes.push(note.help("it may fire at any time here, so that there may be more markings"));
                Some(0)
            }
            "IMM" => match problems.keep(node.attribute("priority"))? {
                None => Some(2),
                Some(priority) => {
                    let piece = self.piece(priority);
                    let priority = parse::read(&piece, setting, problems, |parser| parser.amount())?;
                    Some(priority.saturating_add(1))
                }
            },
            other => {
                let problem = Problem::new(sort.span, format!("a transition of the type `{other}` is not read"));
                problems.add(problem.label("expected `EXP`, `IMM` or `GEN`"));
                None
            }
        }
    }

    /// What an arc does, and between which place and transition.
    fn ends(
        &self, element: &Element<'a>, place: &FxHashMap<&str, usize>, transition: &FxHashMap<String, usize>,
    ) -> Result<(Kind, usize, usize), Fault> {
        let (tail, head) = (element.required("tail")?, element.required("head")?);
        for end in [&tail, &head] {
            if !place.contains_key(&*end.text) && !transition.contains_key(&*end.text) {
                let known = place.keys().copied().chain(transition.keys().map(String::as_str));
                let what = "place or transition";
                return Err(Box::new(complaint::unknown(
                    end.span,
                    what,
                    &end.text,
                    known,
                    "there are none".to_owned(),
                )));
            }
        }
        let kind = match element.attribute("kind")? {
            Some(kind) => kind,
            None => element.required("type")?,
        };
        // Which way an arc goes is seen from its ends.
        let inhibits = match &*kind.text {
            "INHIBITOR" => true,
            "INPUT" | "OUTPUT" | "INPUT_OR_OUTPUT" => false,
            other => {
                let problem = Problem::new(kind.span, format!("an arc of the kind `{other}` is not known"));
                return fault(problem.label("expected `INPUT`, `OUTPUT` or `INHIBITOR`"));
            }
        };
        match (place.get(&*tail.text), transition.get(&*head.text), inhibits) {
            (Some(&place), Some(&transition), true) => return Ok((Kind::Inhibit, place, transition)),
            (Some(&place), Some(&transition), false) => return Ok((Kind::Take, place, transition)),
            _ => {}
        }
        match (transition.get(&*tail.text), place.get(&*head.text), inhibits) {
            (Some(&transition), Some(&place), false) => Ok((Kind::Put, place, transition)),
            (Some(_), Some(_), true) => {
                let problem = Problem::new(element.span, "an arc that inhibits a place");
                fault(problem.label("expected a place as its tail and a transition as its head"))
            }
            _ => {
                let problem = Problem::new(element.span, "an arc between two nodes of the same kind");
                fault(problem.label("expected a place and a transition"))
            }
        }
    }

    fn weight(
        &self, element: &Element<'a>, place: &Place, setting: &Setting<'_>, problems: &mut Problems,
    ) -> Option<Weight> {
        let mut weight = problems.keep(element.attribute("mult"))?;
        if weight.is_none() {
            weight = problems.keep(element.attribute("multiplicity"))?;
        }
        let Some(weight) = weight.map(|weight| self.piece(weight)) else {
            if place.domain.is_empty() {
                return Some(Weight::Number(1));
            }
            let problem = Problem::new(element.span, format!("an arc of the place `{}` without tokens", place.name));
            problems.add(problem.label("which tokens?").help("tokens of this place have colours: write `<x>`"));
            return None;
        };
        if !place.domain.is_empty() {
            return parse::read(&weight, setting, problems, |parser| parser.tokens()).map(Weight::Tokens);
        }
        match parse::read(&weight, setting, problems, |parser| parser.amount())? {
            0 => {
                let problem = Problem::new(weight.span, "an arc with the weight 0");
                problems.add(problem.label("expected a number from 1 on"));
                None
            }
            count => Some(Weight::Number(count)),
        }
    }
}

/// A class, as a component of a domain.
fn class(palette: &Palette, name: &Name) -> Result<Sort, Fault> {
    palette.class(&name.text).map(Sort::Colour).ok_or_else(|| {
        let none = "there are no classes".to_owned();
        Box::new(complaint::unknown(name.span, "class", &name.text, palette.class_names(), none))
    })
}

/// Whether a domain is that of tokens without colour.
fn is_neutral(domain: &str) -> bool {
    let domain = domain.trim_ascii();
    domain.is_empty() || domain == "<Neutral>"
}

/// The tokens of a place in the beginning.
fn initial(
    domain: &[Sort], marking: &Piece<'_>, setting: &Setting<'_>, bags: &Bags, problems: &mut Problems,
) -> Option<Tokens> {
    if ["", "0"].contains(&marking.text.trim_ascii()) {
        return Some(Tokens::none());
    }
    if domain.is_empty() {
        return parse::read(marking, setting, problems, |parser| parser.amount()).map(neutral);
    }
    let addends = parse::read(marking, setting, problems, |parser| parser.tokens())?;
    problems.keep(Resolver::new(setting, bags, Variables::None).tokens(domain, &addends))
}

fn guard(
    piece: Option<Piece<'_>>, setting: &Setting<'_>, resolver: &mut Resolver<'_>, problems: &mut Problems,
) -> Option<Guard> {
    let predicate = parse::read(&piece?, setting, problems, |parser| parser.predicate())?;
    problems.keep(resolver.guard(&predicate))
}
