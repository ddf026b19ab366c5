//! Declarations: variables, channels, processes and their states.

use super::super::syntax::{Channel, Declaration, Expression, File, Initial, Kind, Name, Process, Variable};
use super::complaint;
use super::directory::{Buffer, ChannelFacts, Directory, Meaning, ProcessFacts, Scope, Storage};
use super::value::{Fault, Maker};
use crate::system::Misfit;
use crate::text::problems::Problems;
use crate::text::{Problem, Span};
use rustc_hash::FxHashMap;

/// How many variables a model may have, with the elements of its arrays.
const MOST_VARIABLES: usize = 1_000_000;

/// Collects all declarations of a file, and reports what is wrong with them.
pub(super) fn declare(file: &File, problems: &mut Problems) -> Directory {
    let mut directory = Directory::default();
    let names = file.declarations.iter().map(|declaration| match declaration {
        Declaration::Variable(variable) => &variable.name,
        Declaration::Channel(channel) => &channel.name,
    });
    directory.written = names.map(|name| (name.text.clone(), name.span)).collect();
    for declaration in &file.declarations {
        match declaration {
            Declaration::Variable(variable) => problems.keep(declare_variable(&mut directory, None, variable)),
            Declaration::Channel(channel) => problems.keep(declare_channel(&mut directory, channel)),
        };
    }
    for process in &file.processes {
        declare_process(&mut directory, process, problems);
    }
    if file.processes.is_empty() {
        let span = file.system.as_ref().map_or(Span::default(), |line| line.span);
        let problem = Problem::new(span, "there is no process").label("a system has at least one process");
        problems.add(problem.help("declare one, such as `process P { state a, b; init a; trans a -> b {}; }`"));
    }
    directory
}

fn declare_variable(directory: &mut Directory, process: Option<usize>, variable: &Variable) -> Result<(), Fault> {
    let made = make_variable(directory, process, variable);
    let scope = match process.and_then(|process| directory.processes.get_mut(process)) {
        Some(facts) => &mut facts.locals,
        None => &mut directory.globals,
    };
    // Something is declared even if it cannot be made: where it is used, it is not unknown.
    let meaning = match made {
        Ok(meaning) => meaning,
        Err(_) => {
            let length = variable.length.as_ref().map(|_| i32::MAX as u32);
            Meaning::Variable(Storage { first: 0, length, width: variable.width, constant: variable.constant })
        }
    };
    scope.add(&variable.name, meaning).map_err(Box::new)?;
    made.map(|_| ())
}

fn make_variable(directory: &mut Directory, process: Option<usize>, variable: &Variable) -> Result<Meaning, Fault> {
    let Variable { constant, width, name, .. } = variable;
    let length = match &variable.length {
        Some(length) => Some(array_length(directory, process, length)?),
        None => None,
    };
    let values = initial_values(directory, process, variable, length)?;
    if length.is_none() && *constant {
        return match values.first() {
            Some(Ok(value)) => Ok(Meaning::Constant(*value)),
            Some(Err(misfit)) => Err(complaint::no_constant(variable, misfit)),
            None => Err(Box::new(
                Problem::new(name.span, format!("the constant `{}` has no value", name.shown()))
                    .label("expected a value")
                    .help(format!("write `const {} {} = 0;`", width.word(), name.shown())),
            )),
        };
    }
    let shown = match process.and_then(|process| directory.processes.get(process)) {
        Some(facts) => format!("{}.{}", facts.name, name.text),
        None => name.text.clone(),
    };
    let values = fitting(directory, &shown, length, values);
    let elements = complaint::counted(length.unwrap_or(1) as usize, "element");
    room(directory, length.unwrap_or(1), name.span, elements, "use smaller arrays")?;
    let first = match length {
        Some(length) => directory.array(shown, width.bounds(), length, &values),
        None => directory.variable(shown, width.bounds(), values.first().copied().unwrap_or(0)),
    };
    Ok(Meaning::Variable(Storage { first, length, width: *width, constant: *constant }))
}

/// Reports that there are too many variables.
fn room(directory: &Directory, more: u32, span: Span, what: String, help: &str) -> Result<(), Fault> {
    if directory.program.variables.len() + more as usize <= MOST_VARIABLES {
        return Ok(());
    }
    Err(Box::new(
        Problem::new(span, format!("the model has more than {MOST_VARIABLES} variables")).label(what).help(help),
    ))
}

fn array_length(directory: &Directory, process: Option<usize>, length: &Expression) -> Result<u32, Fault> {
    let value = Maker { directory, process }.constant(length)?;
    match u32::try_from(value) {
        Ok(value) if value > 0 => Ok(value),
        _ => {
            let wraps = value < 0 && matches!(length.kind, Kind::Chain(..));
            let problem = Problem::new(length.span, format!("an array of length {value}"))
                .label("expected a positive number")
                .help(match wraps {
                    true => "a number beyond 32 bits wraps around, and may become negative",
                    false => "an array has at least one element",
                });
            Err(Box::new(problem))
        }
    }
}

/// The values as variables hold them. If one does not fit, the system begins in the error state, and it does not matter
/// what is there instead.
fn fitting(directory: &mut Directory, name: &str, length: Option<u32>, values: Vec<Given>) -> Vec<i32> {
    let mut kept = Vec::with_capacity(values.len());
    for (index, value) in values.into_iter().enumerate() {
        kept.push(value.unwrap_or_else(|misfit| {
            let variable = if length.is_some() { format!("{name}[{index}]") } else { name.to_string() };
            directory.misfit.get_or_insert(Misfit { variable, ..misfit });
            0
        }));
    }
    kept
}

/// A value that is given to a variable at first, or why it cannot hold it.
type Given = Result<i32, Misfit>;

/// The values that are given to a variable at first.
fn initial_values(
    directory: &Directory, process: Option<usize>, variable: &Variable, length: Option<u32>,
) -> Result<Vec<Given>, Fault> {
    let maker = Maker { directory, process };
    let name = variable.name.shown();
    let given: &[Expression] = match (&variable.initial, length) {
        (None, _) => &[],
        (Some(Initial::One(value)), None) => std::slice::from_ref(value),
        (Some(Initial::List(values, span)), Some(length)) => {
            let (kept, rest) = values.split_at(values.len().min(length as usize));
            // Some models of BEEM give a zero too many.
            for more in rest {
                if maker.constant(more)? != 0 {
                    let values = complaint::counted(values.len(), "value");
                    let message = format!("`{name}` has {length} elements, but {values} are given");
                    let problem = Problem::new(*span, message).label("too many values");
                    return Err(Box::new(problem.help("make the array longer, or leave the last values out")));
                }
            }
            kept
        }
        (Some(Initial::One(value)), Some(_)) => {
            let problem = Problem::new(value.span, format!("`{name}` is an array")).label("this is one value");
            return Err(Box::new(problem.help("write the values of its elements in braces, as in `{0, 1}`")));
        }
        (Some(Initial::List(_, span)), None) => {
            let problem = Problem::new(*span, format!("`{name}` is no array")).label("this is a list of values");
            return Err(Box::new(problem.help(format!("give it a length, as in `{name}[3]`, or a single value"))));
        }
    };
    given.iter().map(|expression| initial_value(&maker, expression, variable)).collect()
}

fn initial_value(maker: &Maker<'_>, expression: &Expression, variable: &Variable) -> Result<Given, Fault> {
    let fits = variable.width.range();
    let misfit = |value| Misfit { variable: variable.name.text.clone(), value, fits };
    Ok(match maker.constant_if_any(expression)? {
        Some(value) if fits.holds(value) => Ok(value),
        value => Err(misfit(value)),
    })
}

fn declare_channel(directory: &mut Directory, channel: &Channel) -> Result<(), Fault> {
    let Channel { name, carries, .. } = channel;
    let made = make_buffer(directory, channel);
    let values = carries.as_ref().map(|carries| (carries.len(), name.span));
    directory.globals.add(name, Meaning::Channel(directory.channels.len())).map_err(Box::new)?;
    // The channel is declared even if its buffer cannot be made: where it is used, it is not unknown.
    let (buffer, fault) = match made {
        Ok(buffer) => (buffer, Ok(())),
        Err(fault) => (None, Err(fault)),
    };
    let carries = carries.clone();
    directory.channels.push(ChannelFacts { name: name.text.clone(), span: name.span, carries, buffer, values });
    fault
}

/// Where the messages of a channel wait, if they do.
fn make_buffer(directory: &mut Directory, channel: &Channel) -> Result<Option<Buffer>, Fault> {
    let Channel { name, carries, buffer: Some(size) } = channel else { return Ok(None) };
    let value = Maker { directory, process: None }.constant(size)?;
    let capacity = u32::try_from(value).map_err(|_| {
        let problem = Problem::new(size.span, format!("a buffer of size {value}")).label("expected 0 or more");
        Box::new(problem.help("a channel without a buffer passes values at once"))
    })?;
    let widths = match (capacity, carries) {
        (0, _) => return Ok(None),
        (_, Some(widths)) => widths,
        (_, None) => {
            let problem = Problem::new(name.span, format!("the channel `{}` has a buffer, but no type", name.shown()))
                .label("expected types before the name");
            return Err(Box::new(problem.help(format!("write `channel {{byte}} {}[{capacity}];`", name.shown()))));
        }
    };
    let places = capacity.saturating_mul(widths.len() as u32).saturating_add(1);
    room(directory, places, name.span, format!("room for {capacity} messages"), "use a smaller buffer")?;
    let count = directory.variable(format!("{}.count", name.text), (0, capacity.min(i32::MAX as u32) as i32), 0);
    let several = widths.len() > 1;
    let mut arrays = Vec::new();
    for (position, &width) in widths.iter().enumerate() {
        let shown = if several { format!("{}.{position}", name.text) } else { name.text.clone() };
        let first = directory.array(shown, width.bounds(), capacity, &[]);
        arrays.push(Storage { first, length: Some(capacity), width, constant: false });
    }
    Ok(Some(Buffer { count, capacity, arrays }))
}

fn declare_process(directory: &mut Directory, process: &Process, problems: &mut Problems) {
    let index = directory.processes.len();
    let name = &process.name;
    let first = directory.process_names.get(&name.text).and_then(|&first| directory.processes.get(first));
    match (first, directory.globals.get(&name.text)) {
        (Some(first), _) => problems.add(complaint::twice(name, "process", first.span)),
        (None, Some((_, span))) => problems.add(complaint::twice(name, "name", span)),
        (None, None) => {
            directory.process_names.insert(name.text.clone(), index);
        }
    }
    let (numbers, states) = number_states(process, problems);
    let initial = initial_state(process, &numbers, problems);
    let greatest = states.len().saturating_sub(1) as i32;
    let state = directory.variable(format!("{}.state", name.text), (0, greatest), initial as i32);
    let commit = vec![false; states.len()];
    let facts = ProcessFacts {
        name: name.text.clone(),
        span: name.span,
        state,
        locals: Scope::default(),
        numbers,
        states,
        initial,
        commit,
    };
    directory.program.variables[facts.state as usize].values.clone_from(&facts.states);
    directory.processes.push(facts);
    for variable in &process.variables {
        problems.keep(declare_variable(directory, Some(index), variable));
    }
    mark_states(&mut directory.processes[index], process, problems);
}

fn number_states(process: &Process, problems: &mut Problems) -> (FxHashMap<String, u32>, Vec<String>) {
    let mut numbers = FxHashMap::<String, u32>::default();
    let mut states: Vec<&Name> = Vec::new();
    for state in &process.states {
        match numbers.get(state.text.as_str()).and_then(|&number| states.get(number as usize)) {
            Some(first) => problems.add(complaint::twice(state, "state", first.span)),
            None => {
                numbers.insert(state.text.clone(), states.len() as u32);
                states.push(state);
            }
        }
    }
    (numbers, states.iter().map(|state| state.text.clone()).collect())
}

fn initial_state(process: &Process, numbers: &FxHashMap<String, u32>, problems: &mut Problems) -> u32 {
    let name = &process.name;
    if numbers.is_empty() {
        let problem = Problem::new(name.span, format!("the process `{}` has no states", name.shown()));
        problems.add(problem.label("expected `state` in it").help("declare them with `state a, b;`"));
        return 0;
    }
    match &process.initial[..] {
        [] => {
            let problem =
                Problem::new(name.span, format!("the process `{}` does not say where it begins", name.shown()));
            let state = process.states.first().map_or("a".to_string(), Name::shown);
            problems
                .add(problem.label("expected `init` in it").help(format!("write `init {state};` after its states")));
            0
        }
        [first, rest @ ..] => {
            if let Some(second) = rest.first() {
                let problem = Problem::new(second.span, format!("the process `{}` begins in two states", name.shown()))
                    .label("a second state to begin in")
                    .related(first.span, "this is the first");
                problems.add(problem.help("leave one of them out"));
            }
            numbers.get(first.text.as_str()).copied().unwrap_or_else(|| {
                let names = process.states.iter().map(|state| state.text.as_str());
                problems.add(complaint::missing(first.span, &name.text, "state", &first.text, names));
                0
            })
        }
    }
}

fn mark_states(facts: &mut ProcessFacts, process: &Process, problems: &mut Problems) {
    for state in &process.commit {
        if let Some(number) = problems.keep(facts.state(state).map_err(Box::new)) {
            facts.commit[number as usize] = true;
        }
    }
    for state in &process.accept {
        problems.keep(facts.state(state).map_err(Box::new));
    }
}
