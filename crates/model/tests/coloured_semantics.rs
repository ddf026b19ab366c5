//! What coloured nets mean, by hand and on random nets.

#[path = "common/random_coloured.rs"]
mod random_coloured;

use mandala_model::coloured::property::{Atom, Count, Event, Firing};
use mandala_model::coloured::semantics::{Marking, Semantics};
use mandala_model::coloured::{
    Arc, Bag, BagExpression, Cardinality, Class, ClassOrder, ColouredNet, Colours, Element, Guard, Names, Place, Sort,
    Subclass, Term, Tokens, Transition, Value, Variable,
};
use mandala_model::expression::{Comparison, Integer};
use mandala_model::property::Formula;
use mandala_model::semantics::{Cause, TransitionSystem};
use random_coloured::Bags;
use std::collections::BTreeSet;

fn class(name: &str, count: u32, order: ClassOrder) -> Class {
    let names = Names::Numbered { prefix: String::new(), first: 1, count };
    Class { name: name.into(), names, order, subclasses: Vec::new() }
}

fn place(name: &str, domain: &[Sort], initial: Tokens) -> Place {
    Place { name: name.into(), domain: domain.to_vec(), initial }
}

fn all(class: u32) -> BagExpression {
    BagExpression::All(Colours { class, subclass: None })
}

fn one(term: Term) -> BagExpression {
    BagExpression::One(term)
}

fn variable(name: &str, sort: Sort) -> Variable {
    Variable { name: name.into(), sort, unique: false }
}

fn x(variable: u32) -> Term {
    Term::Variable(variable)
}

/// The tokens of one component with these colours.
fn each(bag: BagExpression) -> Tokens {
    Tokens::Tuple(vec![Element::Each(bag)])
}

fn arc(place: u32, tokens: Tokens) -> Arc {
    Arc { place, tokens }
}

/// All markings that are reached, up to a limit, and how many steps there are from these.
fn explore(semantics: &Semantics<'_>, limit: usize) -> Result<(BTreeSet<Marking>, usize), Cause> {
    let initial = semantics.initial_marking()?;
    let mut seen = BTreeSet::from([initial.clone()]);
    let mut open = vec![initial];
    let mut steps = 0;
    while let Some(marking) = open.pop() {
        for (_, after) in semantics.steps(&marking)? {
            steps += 1;
            // A net with very many steps is not looked at to its end.
            if seen.len() < limit && steps < 5000 && seen.insert(after.clone()) {
                open.push(after);
            }
        }
    }
    Ok((seen, steps))
}

fn counted(net: &ColouredNet) -> (usize, usize) {
    let (markings, steps) = explore(&Semantics::new(net).unwrap(), 100_000).unwrap();
    (markings.len(), steps)
}

/// Philosophers who take the fork on their left, then the one on their right, and put both back.
fn philosophers(count: u32) -> ColouredNet {
    let colour = Sort::Colour(0);
    let left = || each(one(x(0)));
    let right = || each(one(x(0).shifted(1)));
    let both = Tokens::Sum(vec![left(), right()]);
    let moves = |name: &str, takes: Vec<Arc>, puts: Vec<Arc>| Transition {
        name: name.into(),
        variables: vec![variable("p", colour)],
        takes,
        puts,
        ..Transition::default()
    };
    ColouredNet {
        name: "philosophers".into(),
        classes: vec![class("Philosopher", count, ClassOrder::Circular)],
        places: vec![
            place("Think", &[colour], each(all(0))),
            place("Fork", &[colour], each(all(0))),
            place("Left", &[colour], Tokens::none()),
            place("Eat", &[colour], Tokens::none()),
        ],
        transitions: vec![
            moves("take", vec![arc(0, left()), arc(1, left())], vec![arc(2, left())]),
            moves("eat", vec![arc(2, left()), arc(1, right())], vec![arc(3, left())]),
            moves("leave", vec![arc(3, left())], vec![arc(0, left()), arc(1, both)]),
        ],
    }
}

/// The store of the thesis: people enter through an airlock, one or two at a time, and buy at most two gifts.
fn sale_store(people: u32, gifts: u32) -> ColouredNet {
    let (person, gift) = (Sort::Colour(0), Sort::Colour(1));
    let card = |variable| Cardinality::Of(BagExpression::Variable(variable));
    let limited =
        |comparison, variable, number| Guard::Cardinality(comparison, card(variable), Cardinality::Constant(number));
    ColouredNet {
        name: "store".into(),
        classes: vec![class("People", people, ClassOrder::Unordered), class("Gift", gifts, ClassOrder::Unordered)],
        places: vec![
            place("waiting", &[person], each(all(0))),
            place("inside", &[person], Tokens::none()),
            place("warehouse", &[gift], each(all(1))),
            place("out", &[person, Sort::Bag(1)], Tokens::none()),
        ],
        transitions: vec![
            Transition {
                name: "airlock".into(),
                variables: vec![Variable { name: "BP".into(), sort: Sort::Bag(0), unique: true }],
                guard: Guard::And(vec![limited(Comparison::Less, 0, 3), limited(Comparison::Greater, 0, 0)]),
                takes: vec![arc(0, each(BagExpression::Variable(0)))],
                puts: vec![arc(1, each(BagExpression::Variable(0)))],
                ..Transition::default()
            },
            Transition {
                name: "shopping".into(),
                variables: vec![variable("p", person), variable("BG", Sort::Bag(1))],
                guard: limited(Comparison::Less, 1, 3),
                takes: vec![arc(1, each(one(x(0)))), arc(2, each(BagExpression::Variable(1)))],
                puts: vec![arc(
                    3,
                    Tokens::Tuple(vec![Element::Each(one(x(0))), Element::Whole(BagExpression::Variable(1))]),
                )],
                ..Transition::default()
            },
        ],
    }
}

#[test]
fn philosophers_at_their_table() {
    // By hand, for two: all think; one has one fork (2), both have (1), one eats (2).
    assert_eq!(counted(&philosophers(2)).0, 6);
    // A philosopher with the left fork excludes that the left neighbour eats, and so on: the transfer matrix of the ring
    // (thinking, left, eating) has the trace 1, 6, 14, 34, 82.
    let states: Vec<usize> = (2..6).map(|count| counted(&philosophers(count)).0).collect();
    assert_eq!(states, [6, 14, 34, 82]);
}

#[test]
fn a_marking_and_an_event_in_words() {
    let net = philosophers(3);
    let semantics = Semantics::new(&net).unwrap();
    let initial = semantics.initial_marking().unwrap();
    assert_eq!(semantics.show(&initial), "Think(1): 1, Think(2): 1, Think(3): 1, Fork(1): 1, Fork(2): 1, Fork(3): 1");
    let (event, after) = semantics.steps(&initial).unwrap().remove(2);
    assert_eq!(semantics.name(&event), "take(p=3)");
    assert_eq!(semantics.show(&after), "Think(1): 1, Think(2): 1, Fork(1): 1, Fork(2): 1, Left(3): 1");
    assert_eq!(semantics.show(&Marking::empty(&net)), "without tokens");
    let store = sale_store(1, 2);
    let semantics = Semantics::new(&store).unwrap();
    let marking = semantics.steps(&semantics.initial_marking().unwrap()).unwrap().remove(0).1;
    let steps = semantics.steps(&marking).unwrap();
    let names: Vec<String> = steps.iter().map(|(event, _)| semantics.name(event)).collect();
    assert_eq!(
        names,
        ["shopping(p=1, BG={})", "shopping(p=1, BG={1})", "shopping(p=1, BG={2})", "shopping(p=1, BG={1, 2})"]
    );
    assert_eq!(semantics.show(&steps[3].1), "out(1, {1, 2}): 1");
}

#[test]
fn the_store_of_the_thesis() {
    // Each person waits, is inside, or is out with none, one or two of the gifts that nobody else has.
    fn ways(people: u64, gifts: u64) -> u64 {
        let Some(others) = people.checked_sub(1) else { return 1 };
        let pairs = gifts * gifts.saturating_sub(1) / 2;
        let with = |taken: u64| if gifts >= taken { ways(others, gifts - taken) } else { 0 };
        2 * ways(others, gifts) + with(0) + gifts * with(1) + pairs * with(2)
    }
    for (people, gifts) in [(1, 0), (1, 2), (2, 1), (2, 3), (3, 2)] {
        let (states, _) = counted(&sale_store(people, gifts));
        assert_eq!(states as u64, ways(u64::from(people), u64::from(gifts)), "{people} people, {gifts} gifts");
    }
    // One person: into the airlock, and then four ways to shop.
    assert_eq!(counted(&sale_store(1, 2)), (6, 5));
}

#[test]
fn a_successor_beyond_the_end() {
    let colour = Sort::Colour(0);
    let step = Transition {
        name: "step".into(),
        variables: vec![variable("x", colour)],
        takes: vec![arc(0, each(one(x(0))))],
        puts: vec![arc(0, each(one(x(0).shifted(1))))],
        ..Transition::default()
    };
    let first = each(one(Term::Constant { class: 0, colour: 0 }));
    let mut net = ColouredNet {
        name: "line".into(),
        classes: vec![class("C", 4, ClassOrder::Linear)],
        places: vec![place("p", &[colour], first)],
        transitions: vec![step],
    };
    assert_eq!(counted(&net), (4, 3));
    net.classes[0].order = ClassOrder::Circular;
    assert_eq!(counted(&net), (4, 4));
    // A term without a value is enough, wherever it is: here in a part of the guard that would not matter.
    let beyond = Guard::Compare(Comparison::Equal, x(0).shifted(2), x(0));
    net.classes[0].order = ClassOrder::Linear;
    net.transitions[0].guard = Guard::Or(vec![Guard::Constant(true), beyond]);
    assert_eq!(counted(&net), (3, 2));
}

#[test]
fn inhibitor_arcs_look_at_every_colour() {
    let colour = Sort::Colour(0);
    let mut fill = Transition {
        name: "fill".into(),
        variables: vec![variable("x", colour)],
        puts: vec![arc(0, each(one(x(0))))],
        inhibitors: vec![arc(0, each(BagExpression::Times(2, Box::new(one(x(0))))))],
        ..Transition::default()
    };
    let mut net = ColouredNet {
        name: "fill".into(),
        classes: vec![class("C", 2, ClassOrder::Unordered)],
        places: vec![place("p", &[colour], Tokens::none())],
        transitions: vec![fill.clone()],
    };
    // At most two of each colour.
    assert_eq!(counted(&net), (9, 12));
    // Fewer than two of every colour.
    fill.inhibitors = vec![arc(0, each(BagExpression::Times(2, Box::new(all(0)))))];
    net.transitions = vec![fill];
    assert_eq!(counted(&net), (8, 8));
}

#[test]
fn only_the_highest_priority_fires() {
    let moves = |name: &str, from: u32, to: u32, priority: u32| Transition {
        name: name.into(),
        takes: vec![arc(from, Tokens::neutral())],
        puts: vec![arc(to, Tokens::neutral())],
        priority,
        ..Transition::default()
    };
    let two = Tokens::Times(2, Box::new(Tokens::neutral()));
    let mut net = ColouredNet {
        name: "urgent".into(),
        places: vec![place("a", &[], two), place("b", &[], Tokens::none()), place("c", &[], Tokens::none())],
        transitions: vec![moves("ab", 0, 1, 0), moves("bc", 1, 2, 0)],
        ..ColouredNet::default()
    };
    assert_eq!(counted(&net), (6, 6));
    net.transitions[1].priority = 1;
    assert_eq!(counted(&net), (5, 4));
    let semantics = Semantics::new(&net).unwrap();
    let marking = semantics.steps(&semantics.initial_marking().unwrap()).unwrap().remove(0).1;
    let state = marking.to_numbers().unwrap();
    let firing = |transition| Firing { transition, pattern: Vec::new() };
    assert_eq!(semantics.can_fire(&firing(0), &state), Ok(false));
    assert_eq!(semantics.can_fire(&firing(1), &state), Ok(true));
}

#[test]
fn formulas_about_a_marking() {
    let net = sale_store(2, 2);
    let semantics = Semantics::new(&net).unwrap();
    let initial = semantics.initial_states().unwrap().remove(0);
    let count = |place, pattern: &[Option<Value>]| Integer::Variable(Count { place, pattern: pattern.to_vec() });
    let is =
        |of: Integer<Count>, number| Formula::Atom(Atom::Compare(Comparison::Equal, of, Integer::Constant(number)));
    let holds = |formula| semantics.evaluate(&formula, &initial);
    assert_eq!(holds(is(count(0, &[]), 2)), Ok(true));
    assert_eq!(holds(is(count(0, &[Some(Value::Colour(1))]), 1)), Ok(true));
    assert_eq!(holds(is(count(0, &[None]), 2)), Ok(true));
    let fires = |transition, pattern: &[Option<Value>]| {
        Formula::Atom(Atom::Fireable(vec![Firing { transition, pattern: pattern.to_vec() }]))
    };
    let both = Value::Bag([0, 1].into_iter().collect());
    assert_eq!(holds(fires(0, &[Some(both)])), Ok(true));
    assert_eq!(holds(fires(0, &[Some(Value::Bag(Default::default()))])), Ok(false));
    assert_eq!(holds(fires(1, &[])), Ok(false));
    assert_eq!(holds(Formula::Deadlock), Ok(false));
    assert_eq!(semantics.measure(&Integer::Sum(vec![count(0, &[]), count(2, &[])]), &initial), Ok(4));
    assert_eq!((semantics.most_in_place(&initial), semantics.tokens(&initial)), (Some(1), 4));
    assert_eq!(holds(is(count(9, &[]), 2)).unwrap_err().cause, Cause::Unknown);
    assert_eq!(holds(is(count(0, &[None, None]), 2)).unwrap_err().cause, Cause::Unknown);
    assert_eq!(holds(fires(7, &[])).unwrap_err().cause, Cause::Unknown);
    assert_eq!(semantics.measure(&count(0, &[]), &vec![1, 2]).unwrap_err().cause, Cause::NotAMarking);
}

#[test]
fn a_bag_that_nothing_bounds_is_refused() {
    let mut net = sale_store(2, 2);
    net.transitions[1].guard = Guard::default();
    assert!(Semantics::new(&net).is_ok());
    net.transitions[1].takes.pop();
    let refused = Semantics::new(&net).unwrap_err();
    assert_eq!((refused.transition.as_str(), refused.variable.as_str()), ("shopping", "BG"));
    let expected = "nothing bounds the bag `BG` of the transition `shopping`: limit how much is in it in the guard, take its \
                    colours from a place, or let it be unique";
    assert_eq!(refused.to_string(), expected);
    net.transitions[1].variables[1].unique = true;
    assert!(Semantics::new(&net).is_ok());
    net.transitions[1].variables[1].unique = false;
    let bag = || BagExpression::Variable(1);
    let (card, two) = (Cardinality::Of(bag()), Cardinality::Constant(2));
    let below = Guard::Cardinality(Comparison::Less, card.clone(), two.clone());
    let above = Guard::Cardinality(Comparison::Greater, card, two);
    let bounded = |guard| {
        let mut net = net.clone();
        net.transitions[1].guard = guard;
        Semantics::new(&net).is_ok()
    };
    assert!(bounded(Guard::Not(Box::new(above.clone()))));
    assert!(!bounded(Guard::Not(Box::new(below.clone()))));
    assert!(!bounded(Guard::Or(vec![below.clone(), above.clone()])));
    assert!(bounded(Guard::And(vec![above, below])));
    assert!(bounded(Guard::Included(bag(), all(1))));
    assert!(!bounded(Guard::Included(all(1), bag())));
    assert!(bounded(Guard::SameBag(BagExpression::Sum(vec![one(x(0)), one(x(0))]), bag())));
}

#[test]
fn bags_are_taken_whole_or_in_parts() {
    // A box holds a bag of colours: `split` takes a part of it out, which is then a box of its own.
    let bag = Sort::Bag(0);
    let whole = |bag| Tokens::Tuple(vec![Element::Whole(bag)]);
    let (part, rest) = (BagExpression::Variable(0), BagExpression::Variable(1));
    let together = BagExpression::Sum(vec![part.clone(), rest.clone()]);
    let something = |bag: &BagExpression| {
        Guard::Cardinality(Comparison::Greater, Cardinality::Of(bag.clone()), Cardinality::Constant(0))
    };
    let split = Transition {
        name: "split".into(),
        variables: vec![variable("P", bag), variable("R", bag)],
        guard: Guard::And(vec![something(&part), something(&rest)]),
        takes: vec![arc(0, whole(together))],
        puts: vec![arc(0, Tokens::Sum(vec![whole(part), whole(rest)]))],
        ..Transition::default()
    };
    let colours = |list: &[u32]| {
        BagExpression::Sum(list.iter().map(|&colour| one(Term::Constant { class: 0, colour })).collect())
    };
    let net = |initial: &[u32]| ColouredNet {
        name: "boxes".into(),
        classes: vec![class("C", 4, ClassOrder::Unordered)],
        places: vec![place("box", &[bag], whole(colours(initial)))],
        transitions: vec![split.clone()],
    };
    // The ways to divide a set into sets are the Bell numbers; one colour n times, the partitions of n.
    assert_eq!(counted(&net(&[0, 1, 2])).0, 5);
    assert_eq!(counted(&net(&[0, 1, 2, 3])).0, 15);
    assert_eq!(counted(&net(&[2, 2, 2, 2])).0, 5);
    // {0, 0, 1}: four of its own.
    assert_eq!(counted(&net(&[0, 0, 1])).0, 4);
}

#[test]
fn subclasses_and_conditions_on_arcs() {
    let colour = Sort::Colour(0);
    let mut of = class("C", 4, ClassOrder::Unordered);
    of.subclasses = vec![Subclass::new("Even", vec![1, 3])];
    let even = Colours { class: 0, subclass: Some(0) };
    // An even token becomes all even ones; others vanish.
    let t = Transition {
        name: "t".into(),
        variables: vec![variable("x", colour)],
        takes: vec![arc(0, each(one(x(0))))],
        puts: vec![arc(1, Tokens::When(Box::new(Guard::Member(x(0), even)), Box::new(each(BagExpression::All(even)))))],
        ..Transition::default()
    };
    let net = ColouredNet {
        name: "even".into(),
        classes: vec![of],
        places: vec![place("p", &[colour], each(all(0))), place("q", &[colour], Tokens::none())],
        transitions: vec![t],
    };
    let semantics = Semantics::new(&net).unwrap();
    let (markings, _) = explore(&semantics, 1000).unwrap();
    assert_eq!(markings.len(), 16);
    let last = markings.iter().find(|marking| marking.places[0].is_empty()).unwrap();
    assert_eq!(semantics.show(last), "q(2): 2, q(4): 2");
}

#[test]
fn too_many_tokens_are_an_error() {
    let double = Transition {
        name: "double".into(),
        takes: vec![arc(0, Tokens::neutral())],
        puts: vec![arc(0, Tokens::Times(2_000_000_000, Box::new(Tokens::neutral())))],
        ..Transition::default()
    };
    let net = ColouredNet {
        name: "many".into(),
        places: vec![place("p", &[], Tokens::neutral())],
        transitions: vec![double],
        ..ColouredNet::default()
    };
    let semantics = Semantics::new(&net).unwrap();
    let first = semantics.initial_states().unwrap().remove(0);
    let second = semantics.successors(&first).unwrap().remove(0).state;
    let error = semantics.successors(&second).unwrap_err();
    assert_eq!(error.cause, Cause::Overflow { place: "p".into() });
    assert_eq!(error.transition.as_deref(), Some("double"));
}

/// The random nets are what they should be: most can be explored, and they do something.
#[test]
fn random_nets_are_small_and_do_something() {
    for bags in [Bags::Without, Bags::With] {
        let (mut complete, mut moving, mut refused) = (0, 0, 0);
        for seed in 0..400 {
            let net = random_coloured::net(seed, bags);
            assert_eq!(net, random_coloured::net(seed, bags));
            let Ok(semantics) = Semantics::new(&net) else {
                refused += 1;
                continue;
            };
            let Ok((markings, _)) = explore(&semantics, 150) else { continue };
            for marking in &markings {
                let numbers = marking.to_numbers().unwrap();
                assert_eq!(Marking::from_numbers(&net, &numbers).as_ref(), Some(marking));
            }
            complete += u32::from(markings.len() < 150);
            moving += u32::from(markings.len() > 2);
        }
        println!("{bags:?}: complete {complete}, with more than two markings {moving}, refused {refused}");
        assert!(complete > 250 && moving > 120 && refused < 60, "{complete} {moving} {refused}");
    }
}

/// Bindings by definition: every colour, and every bag of at most so many colours, with no thought for what can be.
#[test]
fn all_bindings_are_found() {
    const MOST: u64 = 3;
    let within =
        |event: &Event| event.binding.iter().all(|value| !matches!(value, Value::Bag(bag) if bag.cardinality() > MOST));
    for bags in [Bags::Without, Bags::With] {
        let mut compared = 0;
        for seed in 0..300 {
            let net = random_coloured::net(seed, bags);
            let Ok(semantics) = Semantics::new(&net) else { continue };
            let Ok((markings, _)) = explore(&semantics, 10) else { continue };
            for marking in markings {
                let Ok(steps) = semantics.steps(&marking) else { continue };
                let mut events: BTreeSet<Event> = steps.into_iter().map(|(event, _)| event).collect();
                let Some(expected) = by_definition(&net, &marking, MOST) else { continue };
                events.retain(within);
                assert_eq!(events, expected, "{seed}");
                compared += 1;
            }
        }
        assert!(compared > 600, "{compared}");
    }
}

/// All values of a sort, if that are not too many.
fn values(net: &ColouredNet, variable: &Variable, most: u64) -> Vec<Value> {
    let length = net.classes[variable.sort.class() as usize].len();
    match variable.sort {
        Sort::Colour(_) => (0..length).map(Value::Colour).collect(),
        Sort::Bag(_) => {
            let mut bags: BTreeSet<Vec<u32>> = BTreeSet::from([Vec::new()]);
            for _ in 0..most {
                let longer = bags.iter().flat_map(|bag| (0..length).map(|colour| [bag.as_slice(), &[colour]].concat()));
                let longer: Vec<Vec<u32>> = longer.collect();
                bags.extend(longer.into_iter().map(|mut bag| {
                    bag.sort_unstable();
                    bag
                }));
            }
            let bags = bags.into_iter().map(|bag| bag.into_iter().collect::<Bag<u32>>());
            bags.filter(|bag| !variable.unique || bag.is_set()).map(Value::Bag).collect()
        }
    }
}

fn by_definition(net: &ColouredNet, marking: &Marking, most: u64) -> Option<BTreeSet<Event>> {
    use mandala_model::coloured::evaluate::Evaluator;
    let mut enabled = BTreeSet::new();
    for (index, transition) in net.transitions.iter().enumerate() {
        let mut bindings: Vec<Vec<Value>> = vec![Vec::new()];
        for variable in &transition.variables {
            let values = values(net, variable, most);
            let longer = |binding: &Vec<Value>| {
                let binding = binding.clone();
                values.clone().into_iter().map(move |value| [binding.as_slice(), &[value]].concat())
            };
            bindings = bindings.iter().flat_map(longer).collect();
            if bindings.len() > 20_000 {
                return None;
            }
        }
        for binding in bindings {
            let evaluator = Evaluator::new(net, &transition.variables, &binding);
            let arcs = |arcs: &[Arc]| -> Option<Vec<_>> {
                arcs.iter().map(|arc| Some((arc.place as usize, evaluator.tokens(&arc.tokens).ok()?))).collect()
            };
            let (Some(takes), Some(_), Some(inhibitors)) =
                (arcs(&transition.takes), arcs(&transition.puts), arcs(&transition.inhibitors))
            else {
                continue;
            };
            let fires = evaluator.guard(&transition.guard) == Ok(true)
                && takes.iter().all(|(place, tokens)| tokens.is_included_in(&marking.places[*place]))
                && inhibitors.iter().all(|(place, tokens)| {
                    tokens.iter().all(|(token, least)| marking.places[*place].count(&token) < least)
                });
            if fires {
                enabled.insert(Event { transition: index as u32, binding });
            }
        }
    }
    let priority = |event: &Event| net.transitions[event.transition as usize].priority;
    let highest = enabled.iter().map(priority).max();
    Some(enabled.into_iter().filter(|event| Some(priority(event)) == highest).collect())
}
