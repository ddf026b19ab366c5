//! Facts that everyone who works with a system needs, each said once: what happens by itself, how large everything is,
//! and what it is called.

use super::{ErrorState, Instance, Location, System, Type};
use crate::net::queue::QueueNet;
use crate::symmetry::DeclaredSymmetry;

/// What has this label happens by itself in the main type.
pub const ELAPSE: &str = "elapse";

/// What comes between the name of an instance and the name of something inside of it: `ring:peers[1]:state`.
pub const INSIDE: char = ':';

/// Whether what has a label, or none, happens by itself: what has none does, and in the main type what is labelled
/// [`ELAPSE`] does too.
pub fn happens_by_itself(label: Option<&str>, is_main: bool) -> bool {
    label.is_none() || is_main && label == Some(ELAPSE)
}

impl System {
    /// The type of the system.
    pub fn main_type(&self) -> &Type {
        &self.types[self.main]
    }

    /// Whether the system is made of instances.
    pub fn is_composite(&self) -> bool {
        matches!(self.main_type(), Type::Composite(_))
    }

    /// How many variables (or places) each type has, with those of its instances; at most as many as a number can say.
    pub fn sizes(&self) -> Vec<usize> {
        self.sums(Type::variable_count)
    }

    /// How many instances each type consists of, itself and those within instances included; at most as many as a number
    /// can say.
    pub fn instance_counts(&self) -> Vec<usize> {
        self.sums(|_| 1)
    }

    /// For each type, what it has by itself and what its instances have.
    fn sums(&self, own: impl Fn(&Type) -> usize) -> Vec<usize> {
        let mut sums: Vec<usize> = Vec::with_capacity(self.types.len());
        for kind in &self.types {
            let parts = kind.instances().iter().map(|instance| sums[instance.type_index]);
            sums.push(parts.fold(own(kind), usize::saturating_add));
        }
        sums
    }

    /// How deep types are nested: 1 for a system without parts.
    pub fn levels(&self) -> usize {
        let mut levels: Vec<usize> = Vec::with_capacity(self.types.len());
        for kind in &self.types {
            let below = kind.instances().iter().map(|instance| levels[instance.type_index]);
            levels.push(below.max().unwrap_or(0).saturating_add(1));
        }
        levels.get(self.main).copied().unwrap_or(0)
    }

    /// The types on the way to an instance, the main type first; nothing if there is no such instance.
    pub fn types_on(&self, path: &[u32]) -> Option<Vec<usize>> {
        let mut types = vec![self.main];
        let mut last = self.main;
        for &instance in path {
            last = self.types[last].instances().get(instance as usize)?.type_index;
            types.push(last);
        }
        Some(types)
    }

    /// For each type, whether the system has an instance of it, or is one.
    pub fn occurring(&self) -> Vec<bool> {
        let mut occurring = vec![false; self.types.len()];
        occurring[self.main] = true;
        for index in (0..=self.main).rev() {
            if occurring[index] {
                self.types[index].instances().iter().for_each(|instance| occurring[instance.type_index] = true);
            }
        }
        occurring
    }

    /// Everything that happens by itself, in the main type and in its instances, if it is no more than so much.
    pub fn own_actions(&self, most: usize) -> Option<Vec<Location>> {
        let (mut found, mut open) = (Vec::new(), vec![(Vec::new(), self.main)]);
        // A tower of types has more instances than anyone can count.
        if self.instance_counts()[self.main] > most.saturating_mul(100) {
            return None;
        }
        while let Some((path, index)) = open.pop() {
            let kind = &self.types[index];
            let own = kind.own_events(path.is_empty());
            if found.len() + own.len() > most {
                return None;
            }
            found.extend(own.into_iter().map(|index| Location { path: path.clone(), index }));
            for (number, instance) in (0..).zip(kind.instances()) {
                let inside = path.iter().copied().chain([number]).collect();
                open.push((inside, instance.type_index));
            }
        }
        found.sort();
        Some(found)
    }

    /// Whether there are nets with queues in it.
    pub fn has_queues(&self) -> bool {
        self.types.iter().zip(self.occurring()).any(|(kind, occurs)| occurs && matches!(kind, Type::Queues(_)))
    }

    /// Whether there are programs in it.
    pub fn has_programs(&self) -> bool {
        self.types.iter().zip(self.occurring()).any(|(kind, occurs)| occurs && matches!(kind, Type::Program(_)))
    }

    /// Whether there may be transient states (GAL's `TRANSIENT`).
    pub fn has_transient_states(&self) -> bool {
        self.types.iter().any(|kind| matches!(kind, Type::Program(program) if program.transient.is_some()))
    }

    /// The error state, if it has one.
    pub fn error_state(&self) -> Option<&ErrorState> {
        self.types.get(self.main).and_then(Type::error_state)
    }
}

impl Type {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Type::Net(net) | Type::Queues(QueueNet { net, .. }) => &net.name,
            Type::Program(program) => &program.name,
            Type::Composite(composite) => &composite.name,
        }
    }

    /// How many places or variables it has by itself: a composite has none, its instances do.
    pub fn variable_count(&self) -> usize {
        match self {
            Type::Net(net) => net.places.len(),
            Type::Queues(queues) => queues.size(),
            Type::Program(program) => program.variables.len(),
            Type::Composite(_) => 0,
        }
    }

    /// The names of the places or variables that it has by itself.
    pub fn variable_names(&self) -> Vec<&str> {
        match self {
            Type::Net(net) => net.places.iter().map(|place| place.name.as_str()).collect(),
            Type::Queues(queues) => queues.variable_names().collect(),
            Type::Program(program) => program.variables.iter().map(|variable| variable.name.as_str()).collect(),
            Type::Composite(_) => Vec::new(),
        }
    }

    /// The instances that it holds: none, unless it is a composite.
    pub fn instances(&self) -> &[Instance] {
        match self {
            Type::Net(_) | Type::Queues(_) | Type::Program(_) => &[],
            Type::Composite(composite) => &composite.instances,
        }
    }

    /// How many transitions or synchronisations it has.
    pub fn event_count(&self) -> usize {
        match self {
            Type::Net(net) | Type::Queues(QueueNet { net, .. }) => net.transitions.len(),
            Type::Program(program) => program.transitions.len(),
            Type::Composite(composite) => composite.synchronisations.len(),
        }
    }

    /// The name of a transition or synchronisation, if there is one with this index.
    pub fn event_name(&self, event: usize) -> Option<&str> {
        match self {
            Type::Net(net) | Type::Queues(QueueNet { net, .. }) => {
                net.transitions.get(event).map(|one| one.name.as_str())
            }
            Type::Program(program) => program.transitions.get(event).map(|one| one.name.as_str()),
            Type::Composite(composite) => composite.synchronisations.get(event).map(|one| one.name.as_str()),
        }
    }

    /// The names of its transitions or synchronisations.
    pub fn event_names(&self) -> impl Iterator<Item = &str> {
        (0..self.event_count()).filter_map(|event| self.event_name(event))
    }

    /// The label of each transition or synchronisation.
    pub fn labels(&self) -> Vec<Option<&str>> {
        match self {
            Type::Net(net) | Type::Queues(QueueNet { net, .. }) => {
                net.transitions.iter().map(|one| one.label.as_deref()).collect()
            }
            Type::Program(program) => program.transitions.iter().map(|one| one.label.as_deref()).collect(),
            Type::Composite(composite) => composite.synchronisations.iter().map(|one| one.label.as_deref()).collect(),
        }
    }

    /// The transitions or synchronisations that [happen by themselves](happens_by_itself), by their index.
    pub fn own_events(&self, is_main: bool) -> Vec<u32> {
        let labels = (0..).zip(self.labels());
        labels.filter(|(_, label)| happens_by_itself(*label, is_main)).map(|(event, _)| event).collect()
    }

    /// The names of its designated initial states.
    pub fn initial_names(&self) -> Vec<&str> {
        match self {
            Type::Net(net) | Type::Queues(QueueNet { net, .. }) => {
                net.initial.iter().map(|initial| initial.name.as_str()).collect()
            }
            Type::Program(program) => program.initial.iter().map(|initial| initial.name.as_str()).collect(),
            Type::Composite(composite) => composite.initial.iter().map(|initial| initial.name.as_str()).collect(),
        }
    }

    /// The values of its variables in each designated initial state; a composite has none by itself.
    pub fn initial_values(&self) -> Vec<&[i32]> {
        match self {
            Type::Net(net) | Type::Queues(QueueNet { net, .. }) => {
                net.initial.iter().map(|initial| initial.marking.as_slice()).collect()
            }
            Type::Program(program) => program.initial.iter().map(|initial| initial.values.as_slice()).collect(),
            Type::Composite(_) => Vec::new(),
        }
    }

    /// Which of its places, variables or instances may take each other's place, as the file says.
    pub fn symmetries(&self) -> &[DeclaredSymmetry] {
        match self {
            Type::Net(net) | Type::Queues(QueueNet { net, .. }) => &net.symmetries,
            Type::Program(program) => &program.symmetries,
            Type::Composite(composite) => &composite.symmetries,
        }
    }

    /// Its error state, if it has one.
    pub fn error_state(&self) -> Option<&ErrorState> {
        match self {
            Type::Program(program) => program.error_state.as_ref(),
            Type::Net(_) | Type::Queues(_) | Type::Composite(_) => None,
        }
    }
}

impl Instance {
    /// What the names of all that is inside of it begin with, where its own name begins with `whole`.
    pub fn prefix(&self, whole: &str) -> String {
        format!("{whole}{}{INSIDE}", self.name)
    }
}

#[cfg(test)]
mod tests {
    const PAIRS: &str = "
        gal Light {
            int red = 1; int green = 0;
            transition swap [red == 1] { red = 0; green = 1; }
            transition tick [true] label \"elapse\" { red = 1; }
            transition wait [true] label \"go\" { green = 0; }
        }
        gal Unused { int x = 0; }
        composite Crossing { Light one; Light other; synchronization both { one.\"go\"; other.\"go\"; } }
        composite Town {
            Crossing c; Light l;
            synchronization time label \"elapse\" { l.\"go\"; }
            synchronization called label \"go\" { l.\"go\"; }
        }
        main Town;";

    #[test]
    fn a_composite_is_measured_and_named() {
        let system = crate::gal::read("town.gal", PAIRS, &[]).expect("a model").system;
        let index = |name: &str| system.types.iter().position(|kind| kind.name() == name);
        let at = |name: &str| index(name).expect("a type");
        assert_eq!(system.main, at("Town"));
        assert_eq!([system.sizes()[system.main], system.sizes()[at("Crossing")]], [6, 4]);
        assert_eq!(system.instance_counts()[system.main], 5);
        assert_eq!(system.levels(), 3);
        assert!(system.has_programs());
        // A type that nobody has an instance of does not occur, if it is kept at all.
        assert!(index("Unused").is_none_or(|unused| !system.occurring()[unused]));
        let (town, light) = (system.main_type(), &system.types[at("Light")]);
        // Time elapses in the whole only: what calls itself so inside of it waits to be called.
        assert_eq!((town.own_events(true), town.own_events(false)), (vec![0], vec![]));
        assert_eq!((light.own_events(true), light.own_events(false)), (vec![0, 1], vec![0]));
        assert_eq!(light.event_names().collect::<Vec<_>>(), ["swap", "tick", "wait"]);
        assert_eq!((light.variable_names(), town.variable_count()), (vec!["red", "green"], 0));
        assert_eq!(system.types_on(&[0, 1]), Some(vec![at("Town"), at("Crossing"), at("Light")]));
        assert_eq!(system.types_on(&[1, 0]), None);
        let [crossing, _] = town.instances() else { panic!("two instances") };
        assert_eq!(crossing.prefix("up:"), "up:c:");
    }
}
