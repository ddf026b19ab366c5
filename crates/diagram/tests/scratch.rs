#![allow(missing_docs)]
mod common;
use common::*;
use common::generate::*;
#[test]
fn survey() {
    std::panic::set_hook(Box::new(|_| {}));
    let mut failures = 0;
    for seed in 0..12000u64 {
        let mut rng = Rng::new(seed);
        let shape = any_shape(&mut rng);
        let set = shape.set(&mut rng, 2);
        let depth = (seed % 3) as usize;
        let closure = seed % 2 == 0;
        let terms: Vec<Term> = if closure { (0..=rng.below(3)).map(|_| bounded(&mut rng, &shape, depth)).collect() } else { vec![any_term(&mut rng, &shape, depth + 1)] };
        let case = Case { set, terms };
        let period = [1, 1, 2, 3][(seed / 6 % 4) as usize];
        let check = if closure { check_closure } else { check_apply };
        let r = std::panic::catch_unwind(|| case.must(&format!("{seed} {closure} {period}"), |case| check(&mut Setup { period: Some(period) }.store(), case)));
        if let Err(e) = r {
            failures += 1;
            let m = e.downcast_ref::<String>().unwrap();
            let end = m.find("\nfirst:").unwrap();
            let m: String = m[..end].split_whitespace().collect::<Vec<_>>().join(" ");
            eprintln!("-- {m}");
            if failures > 14 { break; }
        }
    }
    eprintln!("{failures} failures");
}
