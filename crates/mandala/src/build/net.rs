//! Nets in code.

use super::{check_names, index_of, wrong};
use crate::error::Error;
use crate::model::Model;
use mandala_model::net::{self, Effect, Initial, Place};
use mandala_model::system::{System, Type};

/// A net in the making: places and transitions by name. See [the module](super) for an example.
#[derive(Clone, Debug, Default)]
pub struct Net {
    name: String,
    places: Vec<Place>,
    marking: Vec<i32>,
    transitions: Vec<Transition>,
}

/// A transition in the making: what it needs of places and does to them.
#[derive(Clone, Debug)]
#[must_use = "it is part of a net when that is told"]
pub struct Transition {
    name: String,
    arcs: Vec<(String, Arc)>,
    priority: u32,
}

#[derive(Clone, Copy, Debug)]
enum Arc {
    Take(i32),
    Put(i32),
    Read(i32),
    Inhibit(i32),
    Reset,
}

impl Net {
    /// A net without places.
    pub fn new(name: impl Into<String>) -> Net {
        Net { name: name.into(), ..Net::default() }
    }

    /// Adds a place with some tokens.
    pub fn place(&mut self, name: impl Into<String>, tokens: i32) -> &mut Net {
        self.places.push(Place { name: name.into(), capacity: None });
        self.marking.push(tokens);
        self
    }

    /// Adds a place with some tokens that never holds more than its capacity.
    pub fn place_with_capacity(&mut self, name: impl Into<String>, tokens: i32, capacity: i32) -> &mut Net {
        self.place(name, tokens);
        if let Some(place) = self.places.last_mut() {
            place.capacity = Some(capacity);
        }
        self
    }

    /// Adds a transition.
    pub fn transition(&mut self, transition: Transition) -> &mut Net {
        self.transitions.push(transition);
        self
    }

    /// The model. An error if names are there twice or missing, or numbers make no sense.
    pub fn build(&self) -> Result<Model, Error> {
        check_names(self.places.iter().map(|place| place.name.as_str()), "place")?;
        check_names(self.transitions.iter().map(|transition| transition.name.as_str()), "transition")?;
        for (place, &tokens) in self.places.iter().zip(&self.marking) {
            let most = place.capacity.unwrap_or(i32::MAX);
            if tokens < 0 || tokens > most {
                let limit = place.capacity.map_or(String::new(), |most| format!(" and at most {most}"));
                return Err(wrong(format!("place `{}` begins with {tokens} tokens; 0 or more{limit}", place.name)));
            }
        }
        let names: Vec<String> = self.places.iter().map(|place| place.name.clone()).collect();
        let transitions = self.transitions.iter().map(|one| one.build(&names)).collect::<Result<_, Error>>()?;
        let net = net::Net {
            name: self.name.clone(),
            places: self.places.clone(),
            transitions,
            initial: vec![Initial { name: String::new(), marking: self.marking.clone() }],
            ..net::Net::default()
        };
        let system = System { name: self.name.clone(), types: vec![Type::Net(net)], main: 0, begins: vec![0] };
        Ok(Model::of_system(system))
    }
}

impl Transition {
    /// A transition that can always fire and does nothing.
    pub fn new(name: impl Into<String>) -> Transition {
        Transition { name: name.into(), arcs: Vec::new(), priority: 0 }
    }

    fn arc(mut self, place: impl Into<String>, arc: Arc) -> Transition {
        self.arcs.push((place.into(), arc));
        self
    }

    /// Takes tokens from a place, which must hold so many. Arcs of the same place add up.
    pub fn take(self, place: impl Into<String>, tokens: i32) -> Transition {
        self.arc(place, Arc::Take(tokens))
    }

    /// Puts tokens into a place. Arcs to the same place add up.
    pub fn put(self, place: impl Into<String>, tokens: i32) -> Transition {
        self.arc(place, Arc::Put(tokens))
    }

    /// Fires only if a place holds at least so many tokens, and leaves them there.
    pub fn read(self, place: impl Into<String>, tokens: i32) -> Transition {
        self.arc(place, Arc::Read(tokens))
    }

    /// Fires only if a place holds fewer tokens than this.
    pub fn inhibit(self, place: impl Into<String>, tokens: i32) -> Transition {
        self.arc(place, Arc::Inhibit(tokens))
    }

    /// Empties a place before tokens are put.
    pub fn reset(self, place: impl Into<String>) -> Transition {
        self.arc(place, Arc::Reset)
    }

    /// Gives it a priority: where several transitions may fire, only those of the highest priority do. 0 if nothing is said.
    pub fn priority(self, priority: u32) -> Transition {
        Transition { priority, ..self }
    }

    fn build(&self, places: &[String]) -> Result<net::Transition, Error> {
        let mut effects: Vec<Effect> = Vec::new();
        for (place, arc) in &self.arcs {
            let in_transition = |error: Error| error.within(&format!("transition `{}`", self.name));
            let index = index_of(places, place, "place").map_err(in_transition)? as u32;
            let at = effects.binary_search_by_key(&index, |effect| effect.place).unwrap_or_else(|at| {
                effects.insert(at, Effect::on(index));
                at
            });
            let effect = &mut effects[at];
            let weight = match *arc {
                Arc::Take(weight) | Arc::Put(weight) | Arc::Read(weight) | Arc::Inhibit(weight) => weight,
                Arc::Reset => 1,
            };
            let too_many = || wrong(format!("transition `{}` moves too many tokens of `{place}`", self.name));
            if weight < 1 {
                let text = format!("transition `{}` has an arc of weight {weight} at `{place}`", self.name);
                return Err(wrong(format!("{text}; weights are 1 or more")));
            }
            match arc {
                Arc::Take(_) => effect.take = effect.take.checked_add(weight).ok_or_else(too_many)?,
                Arc::Put(_) => effect.put = effect.put.checked_add(weight).ok_or_else(too_many)?,
                Arc::Read(_) => effect.read = effect.read.max(weight),
                Arc::Inhibit(_) => effect.below = Some(effect.below.map_or(weight, |below| below.min(weight))),
                Arc::Reset => effect.reset = true,
            }
        }
        Ok(net::Transition { name: self.name.clone(), label: None, effects, priority: self.priority })
    }
}
