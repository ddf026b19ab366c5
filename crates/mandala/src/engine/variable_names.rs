//! What the variables of a diagram are called, level by level.

use mandala_check::space::SystemSpace;
use mandala_model::system::{System, Type};
use mandala_symbolic::encode::EncodedSystem;
use mandala_symbolic::layout::{Content, Layout, Slot};
use mandala_symbolic::queue::QueueSlot;

/// The names of the variables of a diagram, and of their values.
pub struct VariableNames<'s, 'a> {
    encoded: &'s EncodedSystem<'a>,
    system: &'a System,
}

/// What a variable of a diagram is.
enum Meaning<'s> {
    /// The state of an instance, or of some variables together, by its name.
    Part(String),
    /// Variables or places of a type.
    Content(&'s Type, &'s Content),
    /// What is inside of a queue: its length, or a letter.
    Queue(&'s Type, &'s QueueSlot, u32),
}

impl<'s, 'a> VariableNames<'s, 'a> {
    /// The names of a state space.
    pub fn of(space: &'s SystemSpace<'a>) -> VariableNames<'s, 'a> {
        VariableNames { encoded: space.encoded(), system: space.encoded().encoding.system }
    }

    /// The name of a variable, given with those whose values it is in.
    pub fn name(&self, path: &[u32]) -> String {
        let unknown = || path.last().map_or_else(String::new, |variable| format!("x{variable}"));
        match self.meaning(path) {
            None => unknown(),
            Some(Meaning::Part(name)) => name,
            Some(Meaning::Queue(_, _, variable)) => if variable == 0 { "length" } else { "letter" }.to_owned(),
            Some(Meaning::Content(kind, Content::Number(followers))) => {
                let name = followers.first().and_then(|first| name_of(kind, first.variable));
                name.map_or_else(unknown, str::to_owned)
            }
            Some(Meaning::Content(kind, Content::Unit { places, .. })) => {
                let names: Vec<&str> = places.iter().filter_map(|&place| name_of(kind, place)).collect();
                match names.as_slice() {
                    [first, .., last] if names.len() > 3 => format!("{first}|..|{last}"),
                    names => names.join("|"),
                }
            }
        }
    }

    /// The name of a value: of a unit of places the place that is marked, of a variable what its value is called.
    pub fn value(&self, path: &[u32], value: i32) -> Option<String> {
        match self.meaning(path)? {
            Meaning::Part(_) | Meaning::Queue(_, _, 0) => None,
            Meaning::Queue(Type::Queues(queues), queue, _) => {
                queues.queue_at(queue.place)?.letter(value).map(str::to_owned)
            }
            Meaning::Queue(..) => None,
            Meaning::Content(kind, Content::Unit { places, .. }) => match usize::try_from(value).ok()? {
                0 => Some("none".to_owned()),
                number => name_of(kind, *places.get(number - 1)?).map(str::to_owned),
            },
            Meaning::Content(Type::Program(program), Content::Number(followers)) => {
                let first = followers.first().filter(|first| first.factor == 1 && first.offset == 0)?;
                let names = &program.variables.get(first.variable as usize)?.values;
                names.get(usize::try_from(value).ok()?).cloned()
            }
            Meaning::Content(..) => None,
        }
    }

    fn meaning(&self, path: &[u32]) -> Option<Meaning<'s>>
    where
        'a: 's,
    {
        let (mut type_index, mut rest) = (self.system.main, path);
        loop {
            let (&variable, inner) = rest.split_first()?;
            let kind = &self.system.types[type_index];
            if let Some(layout) = self.encoded.layout(type_index) {
                return in_layout(kind, layout, variable, inner);
            }
            let instance = self.encoded.instance_at(type_index, variable)?;
            let instance = kind.instances().get(instance)?;
            if inner.is_empty() {
                return Some(Meaning::Part(instance.name.clone()));
            }
            (type_index, rest) = (instance.type_index, inner);
        }
    }
}

fn in_layout<'s>(kind: &'s Type, layout: &'s Layout, variable: u32, inner: &[u32]) -> Option<Meaning<'s>> {
    match (layout.slots().get(variable as usize)?, inner.split_first()) {
        (Slot::Data(content), _) => Some(Meaning::Content(kind, content)),
        (Slot::Part(_), None) => Some(Meaning::Part(format!("group {}", variable + 1))),
        (Slot::Part(part), Some((&next, inner))) => in_layout(kind, part, next, inner),
        (Slot::Queue(queue), None) => Some(Meaning::Part(name_of(kind, queue.place)?.to_owned())),
        (Slot::Queue(queue), Some((&next, _))) => Some(Meaning::Queue(kind, queue, next)),
    }
}

fn name_of(kind: &Type, variable: u32) -> Option<&str> {
    kind.variable_names().get(variable as usize).copied()
}
