//! Small random nets with queues, and composites of them.

use super::random::{Random, Taste, composite, net, program};
use mandala_model::net::queue::{Move, QueueNet};
use mandala_model::system::{System, Type};

/// A random net some of whose places are queues.
pub fn queue_net(random: &mut Random, taste: Taste) -> QueueNet {
    let mut net = net(random, taste);
    let mut queues: Vec<(u32, Vec<String>)> = Vec::new();
    for place in 0..net.places.len() {
        if random.percent(40) || (place + 1 == net.places.len() && queues.is_empty()) {
            let letters = 1 + random.below(3);
            queues.push((place as u32, (0..letters).map(|letter| format!("l{letter}")).collect()));
            net.places[place].capacity = Some(random.between(1, 3));
        }
    }
    for initial in &mut net.initial {
        for (place, tokens) in net.places.iter().zip(&mut initial.marking) {
            *tokens = (*tokens).min(place.capacity.unwrap_or(i32::MAX));
        }
    }
    let moves = net.transitions.iter_mut().map(|transition| {
        let mut moves = Vec::new();
        for effect in &mut transition.effects {
            let Ok(queue) = queues.binary_search_by_key(&effect.place, |queue| queue.0) else { continue };
            let letters = queues[queue].1.len();
            let letter = |random: &mut Random| 1 + random.below(letters) as u32;
            let take = effect.take as usize;
            let looks = if random.percent(20) { (effect.read as usize).max(take) } else { take };
            let mut front = Vec::new();
            for at in 0..looks {
                // What is only looked at has letters all the way, as it is written.
                front.push((looks > take || at >= take || random.percent(70)).then(|| letter(random)));
            }
            if looks > take {
                effect.read = effect.read.max(looks as i32);
            }
            let put = (0..effect.put).map(|_| letter(random)).collect();
            moves.push(Move { queue: queue as u32, front, take: take as u32, put });
        }
        moves.retain(|one| *one != Move { queue: one.queue, ..Move::default() });
        moves
    });
    let moves = moves.collect();
    let mut made = QueueNet::new(net, queues, moves);
    for initial in &mut made.net.initial {
        for queue in &made.queues {
            let length = initial.marking[queue.place as usize] as usize;
            for cell in queue.range().take(length) {
                initial.marking[cell] = random.between(1, queue.letters.len() as i32);
            }
        }
    }
    made
}

/// A random net with queues.
pub fn flat(seed: u64) -> System {
    let mut random = Random::new(seed);
    let made = queue_net(&mut random, Taste { labelled: 0, more: 1 });
    let begins = (0..made.net.initial.len()).collect();
    System { name: "queues".into(), types: vec![Type::Queues(made)], main: 0, begins }
}

/// A random composite of nets with queues, and others.
pub fn nested(seed: u64) -> System {
    let mut random = Random::new(seed);
    let taste = Taste { labelled: 60, more: 0 };
    let mut types = vec![Type::Queues(queue_net(&mut random, taste))];
    match random.below(3) {
        0 => types.insert(0, Type::Net(net(&mut random, taste))),
        1 => types.insert(0, Type::Program(program(&mut random, taste))),
        _ => {}
    }
    if random.percent(40) {
        let inner = composite(&mut random, &types, 60);
        types.push(Type::Composite(inner));
    }
    let main = composite(&mut random, &types, 20);
    let begins = (0..main.initial.len()).collect();
    types.push(Type::Composite(main));
    System { name: "nested".into(), main: types.len() - 1, types, begins }
}
