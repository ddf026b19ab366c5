//! An experiment.
use mandala_check::space::*;
use mandala_model::net::*;
use mandala_model::system::*;
use mandala_symbolic::encode::{Encoded, Layouts};
use mandala_symbolic::plan::{Hierarchy, Plans};
use mandala_symbolic::structure::Structure;
use mandala_symbolic::symmetry::contents::symmetric_contents;
use mandala_symbolic::symmetry::leader::Leaders;
use mandala_symbolic::symmetry::reduction::Reduction;
use mandala_symbolic::symmetry::shape::{Part, Shape};
use std::time::Instant;

fn clients(c: usize, s: usize) -> (System, Shape) {
    let mut places = Vec::new();
    let mut marking = Vec::new();
    let mut place = |name: String, tokens: i32| {
        places.push(Place { name, capacity: None });
        marking.push(tokens);
        places.len() as u32 - 1
    };
    let idle: Vec<u32> = (0..c).map(|i| place(format!("idle_{i}"), 1)).collect();
    let answer: Vec<u32> = (0..c).map(|i| place(format!("answer_{i}"), 0)).collect();
    let free: Vec<u32> = (0..s).map(|i| place(format!("free_{i}"), 1)).collect();
    let request: Vec<Vec<u32>> = (0..c).map(|i| (0..s).map(|j| place(format!("req_{i}_{j}"), 0)).collect()).collect();
    let busy: Vec<Vec<u32>> = (0..c).map(|i| (0..s).map(|j| place(format!("busy_{i}_{j}"), 0)).collect()).collect();
    let mut transitions = Vec::new();
    let mut t = |name: String, take: &[u32], put: &[u32]| {
        let mut effects: Vec<Effect> = take.iter().map(|&p| Effect { take: 1, ..Effect::on(p) }).collect();
        effects.extend(put.iter().map(|&p| Effect { put: 1, ..Effect::on(p) }));
        effects.sort_by_key(|e| e.place);
        transitions.push(Transition { name, label: None, effects });
    };
    for i in 0..c {
        for j in 0..s {
            t(format!("send_{i}_{j}"), &[idle[i]], &[request[i][j]]);
            t(format!("take_{i}_{j}"), &[request[i][j], free[j]], &[busy[i][j]]);
            t(format!("done_{i}_{j}"), &[busy[i][j]], &[free[j], answer[i]]);
        }
        t(format!("back_{i}"), &[answer[i]], &[idle[i]]);
    }
    let net = Net { name: "cs".into(), places, transitions, initial: vec![Initial { name: String::new(), marking }], units: None };
    let shape = Shape {
        parts: vec![
            Part::Full { blocks: (0..c).map(|i| [vec![idle[i], answer[i]], request[i].clone(), busy[i].clone()].concat()).collect() },
            Part::Full {
                blocks: (0..s)
                    .map(|j| {
                        let mut b = vec![free[j]];
                        b.extend((0..c).map(|i| request[i][j]));
                        b.extend((0..c).map(|i| busy[i][j]));
                        b
                    })
                    .collect(),
            },
        ],
    };
    (System { name: "cs".into(), types: vec![Type::Net(net)], main: 0, begins: vec![0] }, shape)
}

fn main() {
    let args: Vec<usize> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    let (system, shape) = clients(args[0], args[1]);
    let Type::Net(net) = &system.types[0] else { panic!() };
    let n = net.places.len();
    let structure = Structure::new(net);
    let reduction = Reduction::new(&shape, n);
    let gens: Vec<Vec<u32>> = shape.parts.iter().flat_map(|p| p.generators(n)).collect();
    let contents = symmetric_contents(net, &structure, &gens, &reduction.ranks);
    println!("{} places, {} variables", n, contents.len());
    let plans = Plans::of_contents(net, &structure, contents);
    for flat in [false, true] {
        let plans = if flat { Plans::new(net, &structure, mandala_symbolic::variables::Grouping::Places) } else { plans.clone() };
        let mut by_rank: Vec<u32> = (0..n as u32).collect();
        by_rank.sort_by_key(|&p| reduction.ranks[p as usize]);
        let mut orders = vec![("ranks".to_string(), plans.order_of_places(&by_rank))];
        orders.extend(plans.candidates.iter().take(2).map(|c| (c.heuristic.to_string(), c.order.clone())));
        for (name, order) in orders {
            let layout = plans.layout(&order, Hierarchy::Off);
            let start = Instant::now();
            let layouts = Layouts { elementary: [(0, layout.clone())].into_iter().collect(), ..Layouts::default() };
            let mut e = Encoded::new(&system, mandala_diagram::Store::new(), layouts).unwrap();
            let (i, r) = (e.initial.clone(), e.relation.clone());
            let all = e.store.reachable(&i, &r, mandala_diagram::Strategy::Saturation).unwrap();
            let t1 = start.elapsed();
            let canon = reduction.on(&mut e.store, &layout).unwrap();
            let lead = canon.leading(&mut e.store, &all).unwrap();
            println!(
                "flat {flat} {name}: {} states {} nodes {:?}; {} leaders {} nodes {:?}",
                e.store.count(&all), e.store.size(&all).nodes, t1, e.store.count(&lead), e.store.size(&lead).nodes, start.elapsed()
            );
            if args.len() > 2 {
                let start = Instant::now();
                let leaders = Leaders::new(&shape, n).unwrap();
                let sizes = e.sizes();
                let mut seen = std::collections::BTreeSet::new();
                let mut sum = dashu_int::UBig::ZERO;
                for state in e.store.states(&lead) {
                    let l = leaders.leader(&e.decode(&state, &sizes)).unwrap();
                    if seen.insert(l.state) {
                        sum += l.orbit;
                    }
                }
                println!("  exact {} orbits of {} states {:?}", seen.len(), sum, start.elapsed());
            }
            if args.len() > 3 {
                let start = Instant::now();
                let mut set = canon.canonise(&mut e.store, &i).unwrap();
                let sum = e.store.sum(&r);
                let mut new = set.clone();
                let mut rounds = 0;
                while !new.is_empty() {
                    let next = e.store.apply(&sum, &new).unwrap();
                    let next = canon.canonise(&mut e.store, &next).unwrap();
                    new = e.store.difference(&next, &set).unwrap();
                    set = e.store.union(&set, &new).unwrap();
                    rounds += 1;
                }
                println!("  explore {} in {rounds} rounds {:?}", e.store.count(&set), start.elapsed());
            }
        }
    }
}
