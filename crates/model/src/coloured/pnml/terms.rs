//! Terms that stand for one colour, or for one tuple of colours.

use super::declarations::{Declarations, Operator};
use super::tree::{Node, Tree};
use crate::coloured::Term;
use crate::text::Problem;
use crate::text::complaint::{counted, shortened, suggested};
use crate::text::xml::Text;

/// Colours with their classes: the components of a tuple.
pub(super) type Colours = Vec<(u32, Term)>;

/// Terms of one place, transition or arc.
pub(super) struct Terms<'t, 'd, 'a> {
    pub all: &'t mut Declarations<'d, 'a>,
    /// The variables that may be used: which ones are declared, and which number the first component of each has in its
    /// transition. Nothing where there are none, as in a marking.
    pub scope: Option<&'t [(u32, u32)]>,
    /// The place whose tokens these are, and the classes of its components.
    pub place: Option<(&'t str, &'t [u32])>,
}

/// Operators that give one colour or a tuple.
const OF_COLOURS: [&str; 8] = [
    "variable",
    "useroperator",
    "finiteintrangeconstant",
    "dotconstant",
    "booleanconstant",
    "successor",
    "predecessor",
    "tuple",
];

/// Operators that give bags.
const OF_BAGS: [&str; 7] = ["all", "empty", "add", "subtract", "numberof", "scalarproduct", "usersort"];

/// Operators that give truth.
pub(super) const OF_TRUTH: [&str; 12] = [
    "and",
    "or",
    "not",
    "imply",
    "equality",
    "inequality",
    "lessthan",
    "lessthanorequal",
    "greaterthan",
    "greaterthanorequal",
    "gtp",
    "ltp",
];

/// Operators of full high-level nets.
const ARITHMETIC: [&str; 32] = [
    "addition",
    "subtraction",
    "mult",
    "div",
    "mod",
    "gt",
    "geq",
    "lt",
    "leq",
    "stringconstant",
    "stringconcatenation",
    "stringappend",
    "stringlength",
    "substring",
    "lessthanstring",
    "lts",
    "gts",
    "emptylist",
    "makelist",
    "listlength",
    "listconcatenation",
    "listappend",
    "sublist",
    "memberatindex",
    "cardinality",
    "cardinalityof",
    "contains",
    "unparsed",
    "concatenation",
    "append",
    "length",
    "greaterthanstring",
];

impl<'t, 'd, 'a> Terms<'t, 'd, 'a> {
    /// Terms without variables.
    pub fn new(all: &'t mut Declarations<'d, 'a>) -> Terms<'t, 'd, 'a> {
        Terms { all, scope: None, place: None }
    }

    /// The elements of the file.
    pub fn tree(&self) -> &'d Tree<'a> {
        self.all.tree
    }

    /// The operands of an operator that has so many.
    pub fn operands<const N: usize>(&mut self, node: Node) -> Option<[Node; N]> {
        let operands: Vec<Node> = self.tree().children(node).take(N + 1).collect();
        let found = operands.len();
        let operands = <[Node; N]>::try_from(operands).ok();
        if operands.is_none() {
            let element = self.tree().element(node);
            let found = if found > N { "more".to_owned() } else { counted(found, "operand") };
            let problem = Problem::new(element.span, format!("`<{}>` has {}", element.name, counted(N, "operand")));
            self.all
                .problems
                .add(problem.label(format!("there {} {found}", if found.starts_with('1') { "is" } else { "are" })));
        }
        operands
    }

    /// The colours of a term. `None` if something is wrong with it, which has been said then.
    pub fn colours(&mut self, node: Node) -> Option<Colours> {
        let element = self.tree().element(node);
        match element.name {
            "variable" => {
                let name = self.all.problems.keep(element.required("refvariable"))?;
                self.variable(&name)
            }
            "useroperator" => {
                let name = self.all.problems.keep(element.required("declaration"))?;
                self.constant(&name)
            }
            "finiteintrangeconstant" => self.number(node),
            "dotconstant" => Some(Vec::new()),
            "booleanconstant" => {
                let class = self.all.truth(None);
                let colour = u32::from(self.truth_value(node)?);
                Some(vec![(class, Term::Constant { class, colour })])
            }
            "successor" => self.shifted(node, 1),
            "predecessor" => self.shifted(node, -1),
            "tuple" => {
                let mut colours = Vec::new();
                for part in self.tree().children(node) {
                    colours.extend(self.colours(part)?);
                }
                Some(colours)
            }
            _ => {
                self.misplaced(node, "a colour");
                None
            }
        }
    }

    fn variable(&mut self, name: &Text<'a>) -> Option<Colours> {
        let Some(&index) = self.all.variable_ids.get(&name.text) else {
            let problem = self.all.unknown("variable", name, self.all.variable_ids.keys());
            self.all.problems.add(problem);
            return None;
        };
        let Some(scope) = self.scope else {
            let problem = Problem::new(
                name.span,
                format!("the variable `{}` is used outside of a transition", shortened(&name.text)),
            );
            let problem = problem.label("a variable has a value only where a transition fires");
            self.all
                .problems
                .add(problem.help("initial markings and partitions are written with constants and `<all>`"));
            return None;
        };
        let at = scope.binary_search_by_key(&index, |&(declared, _)| declared).ok()?;
        let components = self.all.variables[index as usize].components.clone()?;
        let terms = components.iter().zip(scope[at].1..).map(|(&class, number)| (class, Term::Variable(number)));
        Some(terms.collect())
    }

    /// What a `useroperator` names.
    pub fn operator(&mut self, name: &Text<'a>) -> Option<Operator> {
        let operator = self.all.operators.get(&name.text).map(|&(operator, _)| operator);
        if operator.is_none() {
            let problem = self.all.unknown("constant", name, self.all.operators.keys());
            self.all.problems.add(problem);
        }
        operator
    }

    fn constant(&mut self, name: &Text<'a>) -> Option<Colours> {
        let is_sort = self.all.sorts.contains_key(&name.text) && !self.all.operators.contains_key(&name.text);
        let operator = if is_sort { None } else { Some(self.operator(name)?) };
        match operator {
            Some(Operator::Colour { class, colour }) => Some(vec![(class, Term::Constant { class, colour })]),
            Some(Operator::Wrong) => None,
            Some(Operator::Part { .. }) | None => {
                let problem =
                    Problem::new(name.span, format!("`{}` stands for several colours", shortened(&name.text)));
                self.all.problems.add(problem.label("expected one colour"));
                None
            }
        }
    }

    /// A `<finiteintrangeconstant>`.
    fn number(&mut self, node: Node) -> Option<Colours> {
        let element = self.tree().element(node);
        let [range] = self.operands(node)?;
        let range_element = self.tree().element(range);
        let class = match range_element.name {
            "finiteintrange" => self.all.range(range, None)?,
            _ => {
                let components = self.all.sort(range)?;
                self.all.class_of(&components, range_element.span)?
            }
        };
        let written = self.all.problems.keep(element.required("value"))?;
        let value = self.all.integer(&written, "a constant")?;
        let colour = self.all.classes[class as usize].find(&value.to_string());
        let Some(colour) = colour else {
            let problem = Problem::new(written.span, format!("{value} is not in its range"));
            self.all.problems.add(problem.related(range_element.span, "the range"));
            return None;
        };
        Some(vec![(class, Term::Constant { class, colour })])
    }

    /// The `value` of a `<booleanconstant>`.
    pub fn truth_value(&mut self, node: Node) -> Option<bool> {
        let written = self.all.problems.keep(self.tree().element(node).required("value"))?;
        match written.text.trim_ascii() {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => {
                let problem = Problem::new(written.span, "a truth value that is neither true nor false");
                self.all.problems.add(problem.label("expected `true` or `false`"));
                None
            }
        }
    }

    fn shifted(&mut self, node: Node, steps: i64) -> Option<Colours> {
        let [operand] = self.operands(node)?;
        let mut colours = self.colours(operand)?;
        if colours.len() != 1 {
            let problem = Problem::new(self.tree().element(operand).span, "a tuple has no successor or predecessor");
            self.all.problems.add(problem.label("expected one colour"));
            return None;
        }
        let (class, term) = colours.pop()?;
        self.all.is_ordered[class as usize] = true;
        Some(vec![(class, term.shifted(steps))])
    }

    /// Refuses a term that is none, or one of another kind.
    pub fn misplaced(&mut self, node: Node, expected: &str) {
        let element = self.tree().element(node);
        let name = element.name;
        let problem = match name {
            name if ARITHMETIC.contains(&name) || super::sorts::INFINITE.contains(&name) => {
                let problem = Problem::new(element.span, format!("`<{name}>` belongs to full high-level nets"));
                problem.help("symmetric nets have colours of finite classes, and no arithmetic")
            }
            "numberconstant" => {
                let problem = Problem::new(element.span, format!("a number where {expected} was expected"));
                problem.help("numbers say how often something is there, in a `<numberof>`")
            }
            name if OF_COLOURS.contains(&name) || OF_BAGS.contains(&name) || OF_TRUTH.contains(&name) => {
                Problem::new(element.span, format!("`<{name}>` where {expected} was expected"))
            }
            "partitionelementof" => {
                Problem::new(element.span, format!("an element of a partition where {expected} was expected"))
            }
            _ => {
                let known = OF_COLOURS
                    .iter()
                    .chain(&OF_BAGS)
                    .chain(&OF_TRUTH)
                    .chain(["partitionelementof", "numberconstant"].iter());
                let problem = Problem::new(element.span, format!("`<{name}>` is no operator that is known"));
                suggested(problem, name, known.copied(), String::new())
            }
        };
        self.all.problems.add(problem);
    }

    /// Checks that colours are those of some classes.
    pub fn fits(&mut self, node: Node, found: &Colours, expected: &[u32]) -> Option<()> {
        if found.len() != expected.len() {
            self.wrong_width(node, found.len(), expected.len());
            return None;
        }
        let wrong = found.iter().zip(expected).find(|((class, _), expected)| class != *expected);
        let Some(((class, _), expected)) = wrong else { return Some(()) };
        self.wrong_class(node, *class, *expected);
        None
    }

    /// Refuses something of the wrong class.
    pub fn wrong_class(&mut self, node: Node, found: u32, expected: u32) {
        let (found, expected) = (self.class_name(found), self.class_name(expected));
        let span = self.tree().element(node).span;
        let problem = Problem::new(span, format!("a colour of {found} where one of {expected} was expected"));
        let problem = problem.label(format!("this is of {found}")).help(match self.tokens_of_place() {
            Some(tokens) => tokens,
            None => "only colours of one class can be compared".to_owned(),
        });
        self.all.problems.add(problem);
    }

    /// Refuses a tuple of the wrong width.
    pub fn wrong_width(&mut self, node: Node, found: usize, expected: usize) {
        let span = self.tree().element(node).span;
        let of = |width: usize| match width {
            0 => "no colour".to_owned(),
            1 => "one colour".to_owned(),
            _ => format!("{width} colours"),
        };
        let verb = if expected > 1 { "were" } else { "was" };
        let problem = Problem::new(span, format!("{} where {} {verb} expected", of(found), of(expected)));
        let problem = match self.tokens_of_place() {
            Some(tokens) => problem.help(tokens),
            None => problem,
        };
        self.all.problems.add(problem);
    }

    fn class_name(&self, class: u32) -> String {
        format!("`{}`", shortened(&self.all.classes[class as usize].name))
    }

    /// What the tokens of the place are.
    fn tokens_of_place(&self) -> Option<String> {
        let (place, classes) = self.place?;
        let place = shortened(place);
        let names: Vec<String> = classes.iter().take(10).map(|&class| self.class_name(class)).collect();
        let rest = if classes.len() > names.len() { ", …" } else { "" };
        Some(match names.as_slice() {
            [] => format!("the tokens of `{place}` have no colour: write `<dotconstant/>`"),
            [class] => format!("the tokens of `{place}` are colours of {class}"),
            _ => format!("the tokens of `{place}` are tuples ({}{rest})", names.join(", ")),
        })
    }
}
