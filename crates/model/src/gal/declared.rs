//! What a file declares, by name.

use rustc_hash::{FxHashMap, FxHashSet};

use super::ledger::{Ledger, Outcome, complaint};
use super::syntax::{
    CompositeMember, CompositeType, Constant, File, Interface, Item, Label, Main, Name, NetMember, NetType,
    ProgramMember, ProgramType, Property, RangeDeclaration, TypeUse,
};
use crate::text::Problem;

/// The declarations of a file.
#[derive(Default)]
pub(super) struct Declared<'a> {
    pub model: Option<&'a Name>,
    pub constants: Vec<&'a Constant>,
    pub ranges: Vec<&'a RangeDeclaration>,
    pub interfaces: FxHashMap<&'a str, &'a Interface>,
    pub types: Vec<DeclaredType<'a>>,
    pub type_names: FxHashMap<&'a str, usize>,
    pub main: Option<&'a Main>,
    pub properties: Vec<&'a Property>,
}

/// A type, and what others know of it.
pub(super) struct DeclaredType<'a> {
    pub body: Body<'a>,
    /// The labels of its transitions, with how many arguments each takes.
    pub labels: FxHashSet<(&'a str, usize)>,
}

/// A type as it is written.
#[derive(Clone, Copy)]
pub(super) enum Body<'a> {
    Program(&'a ProgramType),
    Net(&'a NetType),
    Composite(&'a CompositeType),
}

impl<'a> Body<'a> {
    pub fn name(self) -> &'a Name {
        match self {
            Body::Program(body) => &body.name,
            Body::Net(body) => &body.name,
            Body::Composite(body) => &body.name,
        }
    }

    pub fn parameters(self) -> &'a [Constant] {
        match self {
            Body::Program(body) => &body.parameters,
            Body::Net(body) => &body.parameters,
            Body::Composite(body) => &body.parameters,
        }
    }

    /// The number of types it leaves open.
    pub fn openings(self) -> usize {
        match self {
            Body::Composite(body) => body.templates.len(),
            _ => 0,
        }
    }

    /// What declares a transition of this name; none if nothing does.
    fn transition(self, name: &str) -> Option<&'static str> {
        let is = |other: &Name| other.text == name;
        let (is_there, word) = match self {
            Body::Program(body) => (
                body.members.iter().any(|member| matches!(member, ProgramMember::Transition(one) if is(&one.name))),
                "transition",
            ),
            Body::Net(body) => (
                body.members.iter().any(|member| matches!(member, NetMember::Transition(one) if is(&one.name))),
                "transition",
            ),
            Body::Composite(body) => (
                body.members
                    .iter()
                    .any(|member| matches!(member, CompositeMember::Synchronisation(one) if is(&one.name))),
                "synchronization",
            ),
        };
        is_there.then_some(word)
    }

    /// The labels of its transitions; an empty label is none.
    fn labels(self) -> FxHashSet<(&'a str, usize)> {
        let labels: Vec<Option<&'a Label>> = match self {
            Body::Program(body) => body
                .members
                .iter()
                .map(|member| match member {
                    ProgramMember::Transition(transition) => transition.label.as_ref(),
                    _ => None,
                })
                .collect(),
            Body::Net(body) => body
                .members
                .iter()
                .map(|member| match member {
                    NetMember::Transition(transition) => transition.label.as_ref(),
                    _ => None,
                })
                .collect(),
            Body::Composite(body) => body
                .members
                .iter()
                .map(|member| match member {
                    CompositeMember::Synchronisation(transition) => transition.label.as_ref(),
                    _ => None,
                })
                .collect(),
        };
        let named = labels.into_iter().flatten().filter(|label| !label.name.text.is_empty());
        named.map(|label| (label.name.text.as_str(), label.arguments.len())).collect()
    }
}

impl DeclaredType<'_> {
    /// A use of the type with too many or too few types for its templates.
    pub fn misused(&self, type_use: &TypeUse) -> Option<Problem> {
        let (open, given) = (self.body.openings(), type_use.arguments.len());
        if open == given {
            return None;
        }
        let needed = complaint::counted(open, "type");
        let message = format!("`{}` takes {needed} in `<...>`, and {given} are given", type_use.name.text);
        let problem = Problem::new(type_use.name.span(), message).label(format!("expected {needed}"));
        Some(problem.related(self.body.name().span(), "declared here"))
    }

    /// Reports a call of a label that the type does not declare.
    pub fn offers(&self, label: &Label, ledger: &mut Ledger) -> Outcome<()> {
        let name = label.name.text.as_str();
        if self.labels.contains(&(name, label.arguments.len())) {
            return Ok(());
        }
        let type_name = &self.body.name().text;
        let counts = |count: usize| complaint::counted(count, "argument");
        let other = self.labels.iter().find(|(other, _)| *other == name);
        Err(ledger.report(match other {
            Some(&(_, count)) => {
                let message = format!(
                    "the label \"{name}\" of `{type_name}` takes {}, not {}",
                    counts(count),
                    label.arguments.len()
                );
                Problem::new(label.name.span(), message).label(format!("expected {}", counts(count)))
            }
            None => {
                let labels = self.labels.iter().map(|&(name, _)| name);
                let problem = complaint::missing(label.name.span(), type_name, "label", name, labels);
                match self.body.transition(name) {
                    Some(word) => {
                        let name = complaint::shortened(name);
                        problem.help(format!(
                            "this is a {word}: give it a label: `{word} {name} label \"{name}\" {{ ... }}`"
                        ))
                    }
                    None => problem,
                }
            }
        }))
    }
}

impl<'a> Declared<'a> {
    /// Collects the declarations, and reports what is declared twice.
    pub fn of(file: &'a File, ledger: &mut Ledger) -> Declared<'a> {
        let mut declared = Declared::default();
        let mut names = Unique::default();
        let mut constants = Unique::default();
        let mut properties = Unique::default();
        for item in &file.items {
            match item {
                Item::Model(name) => declared.model = Some(name),
                Item::Constant(constant) => {
                    constants.add(&constant.name, "constant", ledger);
                    declared.constants.push(constant);
                }
                Item::Range(range) => {
                    names.add(&range.name, "range", ledger);
                    declared.ranges.push(range);
                }
                Item::Interface(interface) => {
                    names.add(&interface.name, "interface", ledger);
                    declared.interfaces.insert(&interface.name.text, interface);
                }
                Item::Program(body) => declared.add(Body::Program(body), &mut names, ledger),
                Item::Net(body) => declared.add(Body::Net(body), &mut names, ledger),
                Item::Composite(body) => declared.add(Body::Composite(body), &mut names, ledger),
                Item::Main(main) => {
                    if let Some(first) = declared.main {
                        let problem = complaint::twice(&main.type_use.name, "main type", first.type_use.name.span());
                        ledger.report(problem.help("a file has one `main`"));
                    }
                    declared.main = Some(main);
                }
                Item::Property(property) => {
                    properties.add(&property.name, "property", ledger);
                    declared.properties.push(property);
                }
            }
        }
        declared
    }

    fn add(&mut self, body: Body<'a>, names: &mut Unique<'a>, ledger: &mut Ledger) {
        names.add(body.name(), "type", ledger);
        self.type_names.insert(&body.name().text, self.types.len());
        self.types.push(DeclaredType { labels: body.labels(), body });
    }
}

/// Names that must differ.
#[derive(Default)]
pub(super) struct Unique<'a> {
    seen: FxHashMap<&'a str, &'a Name>,
}

impl<'a> Unique<'a> {
    /// Notes a name, and reports it if it has been there before.
    pub fn add(&mut self, name: &'a Name, what: &str, ledger: &mut Ledger) {
        match self.seen.get(name.text.as_str()) {
            Some(first) => {
                ledger.report(complaint::twice(name, what, first.span()));
            }
            None => {
                self.seen.insert(&name.text, name);
            }
        }
    }
}
