//! Witnesses of CTL with names: what shows a claim, and below it what shows that in turn.

use crate::output::count;
use crate::trace::{Named, Start};
use mandala_check::run::Trace;
use mandala_check::witness::{Claim, Node, Parts, Path, Shown, Witness};
use mandala_model::gal;
use mandala_model::property::Formula;
use mandala_model::semantics::Semantics;
use serde_json::{Value, json};

/// Formulas are not written out beyond this many letters for people.
const LONGEST_FORMULA: usize = 160;

/// A witness with the names of formulas, variables and transitions.
pub struct Tree {
    claims: Vec<NamedClaim>,
    /// The state of which the first claim speaks.
    start: Option<Named>,
}

/// A claim, and what shows it.
struct NamedClaim {
    formula: String,
    holds: bool,
    /// Whether it is the formula that was asked.
    is_whole: bool,
    at: usize,
    shown: NamedShown,
    children: Vec<usize>,
}

enum NamedShown {
    State,
    Parts,
    Run {
        run: Named,
        /// What is true all the way.
        through: Option<String>,
        /// What is true in the end.
        goals: Vec<String>,
    },
    ByNoRun,
    LeftOut(String),
}

impl Tree {
    /// A witness for or against a formula, with names.
    pub fn new(semantics: &Semantics<'_>, formula: &Formula, witness: &Witness) -> Tree {
        let parts = Parts::of(formula);
        let named = Names { semantics, parts: &parts };
        let start = witness.nodes.first().map(|root| Trace { initial: root.state.clone(), steps: Vec::new() });
        Tree {
            claims: witness.nodes.iter().map(|node| named.claim(node)).collect(),
            start: start.map(|start| Named::new(semantics, &start, true)),
        }
    }

    /// For people: what is claimed, the run that shows it, and below that what shows what is true there.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if !self.claims.is_empty() {
            self.write(0, Place { depth: 1, first: 1, where_: "" }, &mut text);
        }
        text
    }

    /// Trees are not deep: they were cut.
    fn write(&self, number: usize, place: Place, text: &mut String) {
        let claim = &self.claims[number];
        let space = "  ".repeat(place.depth);
        let said = if claim.is_whole { "it".to_owned() } else { quoted(&claim.formula) };
        let said = format!("{space}{}{said} {}", place.where_, verb(claim.holds));
        // A run has the state where it begins in its first line.
        let start = match &self.start {
            Some(start) if number == 0 => start.lines(&space, 1, Start::Shown),
            _ => String::new(),
        };
        let below = |first: usize, where_: &'static str| Place { depth: place.depth + 1, first, where_ };
        match &claim.shown {
            NamedShown::State => {
                text.push_str(&format!("{start}{said}\n"));
            }
            NamedShown::Parts => {
                text.push_str(&format!("{start}{said} because\n"));
                claim.children.iter().for_each(|&child| self.write(child, below(place.first, ""), text));
            }
            NamedShown::ByNoRun => {
                let runs = if claim.holds { "on all runs" } else { "on no run" };
                text.push_str(&format!("{said}: {runs}, so that there is none to show\n"));
            }
            NamedShown::LeftOut(reason) => text.push_str(&format!("{said}; what shows it is left out: {reason}\n")),
            NamedShown::Run { run, through, goals } => {
                text.push_str(&format!("{said}: {}:\n", reason(run, through.as_deref(), goals, claim.holds)));
                let start = if number == 0 { Start::Shown } else { Start::Known };
                text.push_str(&run.lines(&space, place.first, start));
                for &child in &claim.children {
                    let other = &self.claims[child];
                    let is_last = run.repeats().is_none() && other.at == run.steps();
                    if is_last && matches!(other.shown, NamedShown::State) {
                        // This was said.
                        continue;
                    }
                    let where_ = if is_last { "there " } else { "where it begins " };
                    self.write(child, below(place.first + other.at, where_), text);
                }
            }
        }
    }

    /// For scripts.
    pub fn json(&self) -> Value {
        if self.claims.is_empty() { Value::Null } else { self.object(0) }
    }

    fn object(&self, number: usize) -> Value {
        let claim = &self.claims[number];
        let mut object = json!({"formula": claim.formula, "holds": claim.holds, "at": claim.at});
        match &claim.shown {
            NamedShown::State => object["shown"] = json!("state"),
            NamedShown::Parts => object["shown"] = json!("parts"),
            NamedShown::ByNoRun => object["shown"] = json!("no run"),
            NamedShown::LeftOut(reason) => {
                object["shown"] = json!("left out");
                object["reason"] = json!(reason);
            }
            NamedShown::Run { run, .. } => {
                object["shown"] = json!("run");
                object["run"] = run.json();
            }
        }
        let children: Vec<Value> = claim.children.iter().map(|&child| self.object(child)).collect();
        object["because"] = Value::Array(children);
        object
    }
}

/// Where a claim is written.
#[derive(Clone, Copy)]
struct Place {
    depth: usize,
    /// The number of its first step.
    first: usize,
    /// Of which state it speaks.
    where_: &'static str,
}

struct Names<'n, 'a> {
    semantics: &'n Semantics<'a>,
    parts: &'n Parts<'n>,
}

impl Names<'_, '_> {
    fn formulas(&self, parts: &[usize]) -> Vec<String> {
        let formulas: Vec<&Formula> = parts.iter().map(|&part| self.parts.get(part)).collect();
        gal::write_formulas(self.semantics.system(), &formulas)
    }

    fn claim(&self, node: &Node) -> NamedClaim {
        let shown = match &node.shown {
            Shown::State => NamedShown::State,
            Shown::Parts => NamedShown::Parts,
            Shown::ByNoRun => NamedShown::ByNoRun,
            Shown::LeftOut(reason) => NamedShown::LeftOut(reason.clone()),
            Shown::Run(run) => {
                let trace = Trace { initial: node.state.clone(), steps: run.steps.clone() };
                let run = Named::new(self.semantics, &trace, run.shortest).with_loop(run.repeats);
                let path = Path::of(self.parts, node.claim);
                let (through, goals) = path.map_or((None, Vec::new()), |path| (path.through, path.goals));
                let part = |claim: Claim| claim.part;
                let through = through.and_then(|claim| self.formulas(&[part(claim)]).pop());
                let goals = self.formulas(&goals.into_iter().map(part).collect::<Vec<usize>>());
                NamedShown::Run { run, through, goals }
            }
        };
        NamedClaim {
            formula: self.formulas(&[node.claim.part]).pop().unwrap_or_default(),
            holds: node.claim.holds,
            is_whole: node.claim.part == 0,
            at: node.at,
            shown,
            children: node.children.clone(),
        }
    }
}

/// How a run shows a claim. What it says of the states on the way and at the end has the same truth as the claim.
fn reason(run: &Named, through: Option<&str>, goals: &[String], holds: bool) -> String {
    if run.repeats() == Some(0) && run.steps() == 0 {
        return format!("{} {}, and it stays so", quoted(through.unwrap_or_default()), verb(holds));
    }
    if run.repeats().is_some() {
        let always = if holds { "always holds" } else { "never holds" };
        return format!("{} {always} on a run of {}", quoted(through.unwrap_or_default()), run.length());
    }
    let goal = match (goals, holds) {
        ([f, g], true) => format!("{} and {} hold", quoted(f), quoted(g)),
        ([f, g], false) => format!("neither {} nor {} holds", quoted(f), quoted(g)),
        _ => format!("{} {}", quoted(goals.first().map_or("", String::as_str)), verb(holds)),
    };
    match (run.steps(), through) {
        (0, _) => format!("already here {goal}"),
        (_, None) => format!("{} {goal}", run.length()),
        (_, Some(through)) => format!("{} {}, and {} {goal}", quoted(through), on_the_way(holds), run.length()),
    }
}

fn on_the_way(holds: bool) -> &'static str {
    if holds { "holds on the way" } else { "does not hold on the way" }
}

fn verb(holds: bool) -> &'static str {
    if holds { "holds" } else { "does not hold" }
}

/// A formula as it is named in a sentence; a long one is cut.
fn quoted(formula: &str) -> String {
    let letters = formula.chars().count();
    if letters <= LONGEST_FORMULA {
        return format!("`{formula}`");
    }
    let start: String = formula.chars().take(LONGEST_FORMULA).collect();
    format!("`{start}...` (and {} more)", count(letters - LONGEST_FORMULA, "letter"))
}
