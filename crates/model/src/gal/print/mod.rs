//! Files as text, one declaration per line, indented by four blanks.

mod expression;
mod reading;

use std::fmt::{self, Display, Formatter, Write};

use expression::{Quoted, Weak};
pub(super) use reading::{Reading, is_doubtful};

use super::syntax::{
    Action, Arc, Assignment, Call, Change, Choice, CompositeMember, CompositeType, Constant, Definition, File, Given,
    Initial, InstanceDeclaration, Interface, Item, Label, Letters, Listed, Main, Name, NetMember, NetType, Parameter,
    PlaceDeclaration, ProgramMember, ProgramType, Property, QueueDeclaration, Range, RangeDeclaration, Row, Step,
    Symmetry, Transition, TypeUse, Unit, Values, VariableDeclaration, Word,
};

/// Words that are written in backquotes when they are names, because they would be read as something else where some
/// names stand.
const RESERVED: [&str; 13] = [
    "true",
    "false",
    "True",
    "False",
    "self",
    "initial",
    "symmetry",
    "typedef",
    "predicate",
    "alias",
    "synchronization",
    "synchronisation",
    "fireable",
];

/// Words that formulas read as operators.
const OPERATORS: [&str; 16] =
    ["U", "W", "R", "M", "X", "F", "G", "A", "E", "AX", "AF", "AG", "EX", "EF", "EG", "deadlock"];

impl Display for Name {
    /// As it is, if the language allows that; in backquotes otherwise.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let word =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let plain = self.text.split('.').all(word) && !self.text.starts_with(|first: char| first.is_ascii_digit());
        let text = self.text.as_str();
        match plain && !RESERVED.contains(&text) && !OPERATORS.contains(&text) {
            true => f.write_str(text),
            false => write!(f, "`{}`", self.text.replace('`', "``")),
        }
    }
}

impl Display for File {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut before: Option<&Item> = None;
        for item in &self.items {
            let block =
                |item: &Item| matches!(item, Item::Interface(_) | Item::Program(_) | Item::Net(_) | Item::Composite(_));
            if before.is_some_and(|before| block(before) || block(item)) {
                f.write_char('\n')?;
            }
            print_item(f, item)?;
            before = Some(item);
        }
        Ok(())
    }
}

fn print_item(f: &mut Formatter<'_>, item: &Item) -> fmt::Result {
    match item {
        Item::Model(name) => writeln!(f, "model {name};"),
        Item::Constant(constant) => writeln!(f, "{constant};"),
        Item::Range(range) => writeln!(f, "{range}"),
        Item::Interface(interface) => print_interface(f, interface),
        Item::Program(program) => print_program(f, program),
        Item::Net(net) => print_net(f, net),
        Item::Composite(composite) => print_composite(f, composite),
        Item::Main(Main { type_use, bindings, from }) => {
            write!(f, "main {type_use}")?;
            separated(f, " (", bindings, ")")?;
            separated(f, " from ", from, "")?;
            writeln!(f, ";")
        }
        Item::Property(Property { name, kind, formula }) => {
            writeln!(f, "property {name} [{}] : {formula};", kind.word())
        }
    }
}

/// A list with commas, between two texts; nothing if it is empty.
fn separated<T: Display>(f: &mut Formatter<'_>, open: &str, list: &[T], close: &str) -> fmt::Result {
    for (i, thing) in list.iter().enumerate() {
        write!(f, "{}{thing}", if i == 0 { open } else { ", " })?;
    }
    if list.is_empty() { Ok(()) } else { f.write_str(close) }
}

fn indent(f: &mut Formatter<'_>, depth: usize) -> fmt::Result {
    (0..depth).try_for_each(|_| f.write_str("    "))
}

impl Display for Constant {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "${} = {}", self.name.text, Weak(&self.value))
    }
}

impl Display for RangeDeclaration {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "typedef {} = {}..{};", self.name, Weak(&self.least), Weak(&self.greatest))
    }
}

impl Display for Range {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Range::Named(name) => write!(f, "{name}"),
            Range::Between(least, greatest) => write!(f, "{}..{}", Weak(least), Weak(greatest)),
        }
    }
}

impl Display for Parameter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} ${}", self.range, self.name.text)
    }
}

impl Display for Label {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Quoted(&self.name.text))?;
        let arguments: Vec<Weak<'_>> = self.arguments.iter().map(Weak).collect();
        separated(f, "(", &arguments, ")")
    }
}

impl Display for TypeUse {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        separated(f, "<", &self.arguments, ">")
    }
}

fn print_interface(f: &mut Formatter<'_>, interface: &Interface) -> fmt::Result {
    writeln!(f, "interface {} {{", interface.name)?;
    for label in &interface.labels {
        write!(f, "    label {}", Quoted(&label.name.text))?;
        separated(f, "(", &label.parameters, ")")?;
        writeln!(f, ";")?;
    }
    writeln!(f, "}}")
}

fn print_program(f: &mut Formatter<'_>, program: &ProgramType) -> fmt::Result {
    write!(f, "gal {}", program.name)?;
    separated(f, " (", &program.parameters, ")")?;
    writeln!(f, " {{")?;
    for member in &program.members {
        indent(f, 1)?;
        match member {
            ProgramMember::Range(range) => writeln!(f, "{range}")?,
            ProgramMember::Variable(variable) => print_variable(f, variable)?,
            ProgramMember::Alias(alias) => print_definition(f, "alias", alias)?,
            ProgramMember::Predicate(predicate) => print_definition(f, "predicate", predicate)?,
            ProgramMember::Transient(condition) => writeln!(f, "TRANSIENT = {condition};")?,
            ProgramMember::Transition(transition) => print_transition(f, "transition", transition)?,
            ProgramMember::Initial(initial) => print_initial(f, initial)?,
            ProgramMember::Symmetry(symmetry) => print_symmetry(f, symmetry)?,
        }
    }
    writeln!(f, "}}")
}

fn print_variable(f: &mut Formatter<'_>, variable: &VariableDeclaration) -> fmt::Result {
    if let Some(range) = &variable.hotbit {
        write!(f, "hotbit ({range}) ")?;
    }
    match &variable.length {
        Some(length) => write!(f, "array [{}] {}", Weak(length), variable.name)?,
        None => write!(f, "int {}", variable.name)?,
    }
    print_values(f, &variable.values)?;
    writeln!(f, ";")
}

fn print_values(f: &mut Formatter<'_>, values: &Values) -> fmt::Result {
    match values {
        Values::None => Ok(()),
        Values::One(value) => write!(f, " = {}", Weak(value)),
        Values::List(list) if list.is_empty() => f.write_str(" = ()"),
        Values::List(list) => separated(f, " = (", &list.iter().map(Weak).collect::<Vec<_>>(), ")"),
    }
}

fn print_definition(f: &mut Formatter<'_>, word: &str, definition: &Definition) -> fmt::Result {
    writeln!(f, "{word} {} = {};", definition.name, definition.value)
}

fn print_net(f: &mut Formatter<'_>, net: &NetType) -> fmt::Result {
    write!(f, "net {}", net.name)?;
    separated(f, " (", &net.parameters, ")")?;
    writeln!(f, " {{")?;
    for member in &net.members {
        indent(f, 1)?;
        match member {
            NetMember::Range(range) => writeln!(f, "{range}")?,
            NetMember::Place(place) => print_place(f, place)?,
            NetMember::Queue(queue) => print_queue(f, queue)?,
            NetMember::Alias(alias) => print_definition(f, "alias", alias)?,
            NetMember::Predicate(predicate) => print_definition(f, "predicate", predicate)?,
            NetMember::Transition(transition) => print_transition(f, "transition", transition)?,
            NetMember::Initial(initial) => print_initial(f, initial)?,
            NetMember::Symmetry(symmetry) => print_symmetry(f, symmetry)?,
            NetMember::Unit(unit) => print_unit(f, unit)?,
            NetMember::Root(name, safe) => writeln!(f, "{}root {name};", if *safe { "safe " } else { "" })?,
        }
    }
    writeln!(f, "}}")
}

fn print_place(f: &mut Formatter<'_>, place: &PlaceDeclaration) -> fmt::Result {
    f.write_str("place ")?;
    if let Some(length) = &place.length {
        write!(f, "[{}] ", Weak(length))?;
    }
    write!(f, "{}", place.name)?;
    print_values(f, &place.values)?;
    if let Some(capacity) = &place.capacity {
        write!(f, " capacity {}", Weak(capacity))?;
    }
    writeln!(f, ";")
}

fn print_queue(f: &mut Formatter<'_>, queue: &QueueDeclaration) -> fmt::Result {
    f.write_str("queue ")?;
    if let Some(length) = &queue.length {
        write!(f, "[{}] ", Weak(length))?;
    }
    write!(f, "{} {{", queue.name)?;
    for (i, letters) in queue.letters.iter().enumerate() {
        f.write_str(if i == 0 { " " } else { ", " })?;
        match letters {
            Letters::One(letter) => write!(f, "{}", Weak(letter))?,
            Letters::Between(first, last) => write!(f, "{} .. {}", Weak(first), Weak(last))?,
        }
    }
    f.write_str(" }")?;
    if let Some(word) = &queue.word {
        write!(f, " = {word}")?;
    }
    if let Some(capacity) = &queue.capacity {
        write!(f, " capacity {}", Weak(capacity))?;
    }
    writeln!(f, ";")
}

impl Display for Word {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('[')?;
        separated(f, "", &self.letters.iter().map(Weak).collect::<Vec<_>>(), "")?;
        f.write_char(']')
    }
}

fn print_unit(f: &mut Formatter<'_>, unit: &Unit) -> fmt::Result {
    write!(f, "unit {} {{", unit.name)?;
    unit.places.iter().try_for_each(|place| write!(f, " {place};"))?;
    unit.children.iter().try_for_each(|child| write!(f, " unit {child};"))?;
    writeln!(f, " }}")
}

fn print_composite(f: &mut Formatter<'_>, composite: &CompositeType) -> fmt::Result {
    write!(f, "composite {}", composite.name)?;
    for (i, template) in composite.templates.iter().enumerate() {
        write!(f, "{}{}", if i == 0 { "<" } else { ", " }, template.name)?;
        for (i, interface) in template.interfaces.iter().enumerate() {
            write!(f, "{}{interface}", if i == 0 { " extends " } else { " & " })?;
        }
    }
    if !composite.templates.is_empty() {
        f.write_char('>')?;
    }
    separated(f, " (", &composite.parameters, ")")?;
    writeln!(f, " {{")?;
    for member in &composite.members {
        indent(f, 1)?;
        match member {
            CompositeMember::Range(range) => writeln!(f, "{range}")?,
            CompositeMember::Instance(instance) => print_instance(f, instance)?,
            CompositeMember::Predicate(predicate) => print_definition(f, "predicate", predicate)?,
            CompositeMember::Alias(alias) => print_definition(f, "alias", alias)?,
            CompositeMember::Synchronisation(transition) => print_transition(f, "synchronization", transition)?,
            CompositeMember::Initial(initial) => print_initial(f, initial)?,
            CompositeMember::Symmetry(symmetry) => print_symmetry(f, symmetry)?,
        }
    }
    writeln!(f, "}}")
}

fn print_instance(f: &mut Formatter<'_>, instance: &InstanceDeclaration) -> fmt::Result {
    write!(f, "{} ", instance.type_use)?;
    if let Some(length) = &instance.length {
        write!(f, "[{}] ", Weak(length))?;
    }
    write!(f, "{}", instance.name)?;
    separated(f, " (", &instance.bindings, ")")?;
    separated(f, " from ", &instance.from, "")?;
    writeln!(f, ";")
}

/// Something that is written on a line of its own in a block.
trait Line {
    fn print(&self, f: &mut Formatter<'_>, depth: usize) -> fmt::Result;
}

fn print_initial<C: Line>(f: &mut Formatter<'_>, initial: &Initial<C>) -> fmt::Result {
    match &initial.changes {
        None => writeln!(f, "initial {};", initial.name),
        Some(changes) => {
            writeln!(f, "initial {} {{", initial.name)?;
            print_lines(f, changes, 2)?;
            indent(f, 1)?;
            writeln!(f, "}}")
        }
    }
}

fn print_transition<A: Line>(f: &mut Formatter<'_>, word: &str, transition: &Transition<A>) -> fmt::Result {
    write!(f, "{word} {}", transition.name)?;
    separated(f, " (", &transition.parameters, ")")?;
    if let Some(guard) = &transition.guard {
        write!(f, " [{guard}]")?;
    }
    if let Some(priority) = &transition.priority {
        write!(f, " priority {priority}")?;
    }
    if let Some(label) = &transition.label {
        write!(f, " label {label}")?;
    }
    print_block(f, &transition.body, 1)
}

fn print_symmetry(f: &mut Formatter<'_>, symmetry: &Symmetry) -> fmt::Result {
    write!(f, "symmetry {} {}", symmetry.name, symmetry.kind.word())?;
    print_block(f, &symmetry.body, 1)
}

fn print_lines<T: Line>(f: &mut Formatter<'_>, lines: &[T], depth: usize) -> fmt::Result {
    for line in lines {
        indent(f, depth)?;
        line.print(f, depth)?;
    }
    Ok(())
}

/// A block whose braces belong at some depth.
fn print_block<T: Line>(f: &mut Formatter<'_>, lines: &[T], depth: usize) -> fmt::Result {
    print_open_block(f, lines, depth)?;
    writeln!(f, "}}")
}

/// A block without its closing brace.
fn print_open_block<T: Line>(f: &mut Formatter<'_>, lines: &[T], depth: usize) -> fmt::Result {
    writeln!(f, " {{")?;
    print_lines(f, lines, depth + 1)?;
    indent(f, depth)
}

impl<A: Line> Line for Step<A> {
    fn print(&self, f: &mut Formatter<'_>, depth: usize) -> fmt::Result {
        match self {
            Step::Do(action) => action.print(f, depth),
            Step::For(Parameter { range, name }, body) => {
                write!(f, "for (${} : {range})", name.text)?;
                print_block(f, body, depth)
            }
            Step::If(condition, then, otherwise) => {
                write!(f, "if ({condition})")?;
                print_open_block(f, then, depth)?;
                match &otherwise[..] {
                    [] => writeln!(f, "}}"),
                    [alternative @ Step::If(..)] => {
                        f.write_str("} else ")?;
                        alternative.print(f, depth)
                    }
                    _ => {
                        f.write_str("} else")?;
                        print_block(f, otherwise, depth)
                    }
                }
            }
        }
    }
}

impl Line for Action {
    fn print(&self, f: &mut Formatter<'_>, depth: usize) -> fmt::Result {
        match self {
            Action::Assign(target, way, value) => {
                let symbol = match way {
                    Assignment::Set => "=",
                    Assignment::Add => "+=",
                    Assignment::Subtract => "-=",
                };
                writeln!(f, "{target} {symbol} {};", Weak(value))
            }
            Action::Abort(_) => writeln!(f, "abort;"),
            Action::Fixpoint(body) => {
                f.write_str("fixpoint")?;
                print_block(f, body, depth)
            }
            Action::Call(label) => writeln!(f, "self.{label};"),
        }
    }
}

impl Line for Arc {
    fn print(&self, f: &mut Formatter<'_>, _: usize) -> fmt::Result {
        write!(f, "{} ", self.kind.word())?;
        if let Some(weight) = &self.weight {
            write!(f, "{} ", expression::Strong(weight))?;
        }
        write!(f, "{}", self.place)?;
        if let Some(letters) = &self.letters {
            f.write_char('(')?;
            separated(f, "", &letters.iter().map(Weak).collect::<Vec<_>>(), "")?;
            f.write_char(')')?;
        }
        writeln!(f, ";")
    }
}

impl Line for Row {
    fn print(&self, f: &mut Formatter<'_>, _: usize) -> fmt::Result {
        for (i, list) in self.lists.iter().enumerate() {
            f.write_str(if i == 0 { "(" } else { " (" })?;
            separated(f, "", &list.members, "")?;
            f.write_char(')')?;
        }
        writeln!(f, ";")
    }
}

impl Display for Listed {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for Parameter { range, name } in &self.loops {
            write!(f, "for (${} : {range}) ", name.text)?;
        }
        write!(f, "{}", self.reference)
    }
}

impl Line for Call {
    fn print(&self, f: &mut Formatter<'_>, _: usize) -> fmt::Result {
        match &self.instance {
            Some(instance) => writeln!(f, "{instance}.{};", self.label),
            None => writeln!(f, "self.{};", self.label),
        }
    }
}

impl Line for Change {
    fn print(&self, f: &mut Formatter<'_>, _: usize) -> fmt::Result {
        match &self.value {
            Given::Number(value) => writeln!(f, "{} = {};", self.target, Weak(value)),
            Given::Word(word) => writeln!(f, "{} = {word};", self.target),
        }
    }
}

impl Line for Choice {
    fn print(&self, f: &mut Formatter<'_>, _: usize) -> fmt::Result {
        write!(f, "{}", self.instance)?;
        separated(f, " from ", &self.from, "")?;
        writeln!(f, ";")
    }
}
