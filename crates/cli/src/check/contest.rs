//! The Model Checking Contest: its examinations and the lines that it wants as answers.

use super::answers::{Answered, Answers};
use super::questions::{Asked, Kind, deadlock, live};
use crate::arguments::{Check, Examination};
use crate::failure::Failure;
use crate::input::{self, Content, Model};
use crate::output;
use crate::session::Session;
use crate::states;
use crate::status::Status;
use mandala_check::answer::Verdict;
use mandala_model::expression::{Comparison, Integer};
use mandala_model::net::Net;
use mandala_model::property::contest::{self, Logic};
use mandala_model::property::{Atom, Formula, Question};
use mandala_model::system::{Location, System, Type};

/// How an answer was found, as the contest calls it.
pub fn techniques(by_diagrams: bool) -> &'static str {
    if by_diagrams {
        "TECHNIQUES SEQUENTIAL_PROCESSING DECISION_DIAGRAMS TOPOLOGICAL"
    } else {
        "TECHNIQUES SEQUENTIAL_PROCESSING EXPLICIT"
    }
}

/// A line a question.
pub fn lines(answers: &Answers) -> String {
    answers.answered.iter().map(|answered| line(answered, answers.by_diagrams)).collect()
}

fn line(answered: &Answered, by_diagrams: bool) -> String {
    let truth = |truth: bool| if truth { "TRUE".to_owned() } else { "FALSE".to_owned() };
    let deadlock = answered.asked.kind == Kind::Deadlock;
    let verdict = match &answered.verdict {
        // The contest asks whether there is one.
        Verdict::True => truth(!deadlock),
        Verdict::False => truth(deadlock),
        Verdict::Bounds { greatest, .. } => greatest.to_string(),
        Verdict::Unknown(_) => return format!("FORMULA {} CANNOT_COMPUTE\n", name(&answered.asked)),
    };
    format!("FORMULA {} {verdict} {}\n", name(&answered.asked), techniques(by_diagrams))
}

fn name(asked: &Asked) -> &str {
    if asked.kind == Kind::Deadlock { "ReachabilityDeadlock" } else { &asked.name }
}

/// What one verdict for the whole examination follows from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whole {
    /// True if all questions are answered with yes.
    All,
    /// True if one is answered with no.
    SomeNot,
}

/// Does an examination and prints what the contest wants.
pub fn examine(
    examination: Examination, arguments: &Check, session: &Session, model: &Model,
) -> Result<Status, Failure> {
    match examination {
        Examination::StateSpace => states::examine(arguments, session, &model.system),
        Examination::ReachabilityDeadlock => each(arguments, session, &model.system, vec![deadlock()]),
        Examination::OneSafe => {
            let net = net(&model.system, examination)?;
            let safe = |place: u32| compare(place, Comparison::LessOrEqual, 1);
            let all = Formula::And((0..net.places.len() as u32).map(safe).collect());
            let asked = Asked::about("OneSafe", Kind::Invariant, Question::Invariant(all));
            each(arguments, session, &model.system, vec![asked])
        }
        Examination::QuasiLiveness => {
            let net = net(&model.system, examination)?;
            let fires = |index: u32| Formula::Atom(Atom::Fireable(vec![Location { path: Vec::new(), index }]));
            let questions = (0..net.transitions.len() as u32).map(fires).collect();
            whole(examination, arguments, session, &model.system, questions, Whole::All)
        }
        Examination::StableMarking => {
            let net = net(&model.system, examination)?;
            let marking = net.initial.first().map_or(&[][..], |initial| &initial.marking);
            let changes = (0..).zip(marking).map(|(place, &tokens)| compare(place, Comparison::NotEqual, tokens));
            whole(examination, arguments, session, &model.system, changes.collect(), Whole::SomeNot)
        }
        Examination::Liveness => {
            net(&model.system, examination)?;
            let asked = Asked { name: examination.name().to_owned(), ..live(model)? };
            each(arguments, session, &model.system, vec![asked])
        }
        _ => each(arguments, session, &model.system, from_folder(examination, model)?),
    }
}

fn compare(place: u32, comparison: Comparison, tokens: i32) -> Formula {
    let place = Integer::Variable(Location { path: Vec::new(), index: place });
    Formula::Atom(Atom::Compare(comparison, place, Integer::Constant(tokens)))
}

fn net(system: &System, examination: Examination) -> Result<&Net, Failure> {
    match system.types.get(system.main) {
        Some(Type::Net(net)) => Ok(net),
        _ => Err(Failure::new(format!("the examination {} is about nets, and this is none", examination.name()))),
    }
}

/// The questions in the file next to the model.
fn from_folder(examination: Examination, model: &Model) -> Result<Vec<Asked>, Failure> {
    let folder = model.folder.as_ref().ok_or_else(|| {
        let text = format!("the examination {} is in a file next to the model", examination.name());
        Failure::with_help(text, "give the model as a file or a folder, or the questions with `--properties FILE.xml`")
    })?;
    let file = folder.join(format!("{}.xml", examination.name())).to_string_lossy().into_owned();
    let properties =
        contest::read(&file, &input::text(&file, Content::Properties)?, &model.system, Logic::of_file(&file))?;
    Ok(properties.into_iter().map(Asked::from).collect())
}

/// A line a question.
fn each(arguments: &Check, session: &Session, system: &System, asked: Vec<Asked>) -> Result<Status, Failure> {
    let line = session.show_progress();
    let answers = Answers::find(arguments, session, system, asked)?;
    drop(line);
    output::print(&lines(&answers))?;
    Ok(answers.status())
}

/// One line for whether all states or some state have a formula each.
fn whole(
    examination: Examination, arguments: &Check, session: &Session, system: &System, formulas: Vec<Formula>,
    whole: Whole,
) -> Result<Status, Failure> {
    let asked = formulas
        .into_iter()
        .map(|formula| Asked::about(examination.name(), Kind::Reachable, Question::Reachable(formula)));
    let line = session.show_progress();
    let answers = Answers::find(arguments, session, system, asked.collect())?;
    drop(line);
    let any = |is: fn(&Verdict) -> bool| answers.answered.iter().any(|one| is(&one.verdict));
    let truth = if any(|verdict| matches!(verdict, Verdict::False)) {
        Some(whole == Whole::SomeNot)
    } else if any(|verdict| matches!(verdict, Verdict::Unknown(_))) {
        None
    } else {
        Some(whole == Whole::All)
    };
    let name = examination.name();
    let text = match truth {
        Some(true) => format!("FORMULA {name} TRUE {}\n", techniques(answers.by_diagrams)),
        Some(false) => format!("FORMULA {name} FALSE {}\n", techniques(answers.by_diagrams)),
        None => format!("FORMULA {name} CANNOT_COMPUTE\n"),
    };
    output::print(&text)?;
    Ok(match truth {
        Some(true) => Status::Good,
        Some(false) => Status::Fails,
        None => Status::Unknown,
    })
}
