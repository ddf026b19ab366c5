use mandala_check::space::*;
use mandala_model::system::{System, Type};
use std::time::{Duration, Instant};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (folder, csv, seconds) = (&args[1], &args[2], args[3].parse::<u64>().unwrap());
    let filter = args.get(4).cloned().unwrap_or_default();
    let (part, parts): (usize, usize) = args.get(5).map_or((0, 1), |s| {
        let (a, b) = s.split_once('/').unwrap();
        (a.parse().unwrap(), b.parse().unwrap())
    });
    let expected: std::collections::HashMap<String, String> = std::fs::read_to_string(csv)
        .unwrap()
        .lines()
        .filter_map(|l| {
            let f: Vec<&str> = l.split(',').collect();
            (f[2] == "STATES").then(|| (f[0].to_string(), f[3].to_string()))
        })
        .collect();
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .filter(|n| n.contains(&filter))
        .collect();
    names.sort();
    let (mut right, mut all) = (0, 0);
    for (i, name) in names.iter().enumerate() {
        if i % parts != part {
            continue;
        }
        all += 1;
        let file = format!("{folder}/{name}/model.pnml");
        let t = Instant::now();
        let net = mandala_model::net::pnml::read(&file, &std::fs::read_to_string(&file).unwrap()).unwrap();
        let (p, tr) = (net.places.len(), net.transitions.len());
        let system = System { name: net.name.clone(), types: vec![Type::Net(net)], main: 0, begins: vec![0] };
        let options = Options {
            memory: Some(3 << 30),
            deadline: Some(Instant::now() + Duration::from_secs(seconds)),
            ..Options::default()
        };
        let result = explore(&system, &options);
        let want = expected.get(name).cloned().unwrap_or("?".into());
        let (verdict, text) = match &result {
            Ok(space) => {
                let count = space.encoded.store.count(&space.states);
                let ok = format!("{count:#}") == want;
                (
                    if ok {
                        right += 1;
                        "right"
                    } else if want == "?" {
                        "new"
                    } else {
                        "WRONG"
                    },
                    format!(
                        "{count} vars {} order {} nodes {} peak {}",
                        space.layout.variables,
                        space.layout.order,
                        space.encoded.store.size(&space.states).nodes,
                        space.peak_nodes
                    ),
                )
            }
            Err(Stopped::Unbounded(_)) => (
                if want == "+inf" {
                    right += 1;
                    "right"
                } else {
                    "WRONG"
                },
                "unbounded".into(),
            ),
            Err(e) => ("-", format!("{e} want {:.2e}", want.parse::<f64>().unwrap_or(f64::NAN))),
        };
        println!("{verdict:6} {name:40} {p:5} {tr:5} {:7.2}s {text}", t.elapsed().as_secs_f64());
    }
    println!("{right} of {all}");
}
