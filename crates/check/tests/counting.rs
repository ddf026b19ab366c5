//! Counting the colours of classes: symbolic markings against orbits by brute force, what they stand for against all markings.

use crate::common::random::factor;
use crate::common::symmetric_nets::{RandomNet, model};
use mandala_check::options::{Options, QuotientChoice};
use mandala_check::quotient::counted::{count, explore_counted};
use mandala_model::coloured::counting::CannotCount;
use mandala_model::coloured::unfold::Limits;
use mandala_model::coloured::{ColouredNet, sn};
use mandala_model::system::Type;

fn options() -> Options {
    Options { quotient: QuotientChoice::Automatic, ..Options::default() }
}

/// Symbolic markings and ordinary markings.
fn counts(net: &ColouredNet) -> Result<(String, Option<String>), CannotCount> {
    let counted = count(net, &Limits::default())?;
    let space = explore_counted(&counted, &options()).unwrap_or_else(|stopped| panic!("{stopped}"));
    assert!(space.is_canonical);
    Ok((format!("{:#}", space.symbolic), space.ordinary.map(|count| format!("{count:#}"))))
}

#[test]
fn counts_are_those_of_orbits() {
    let (mut compared, mut programs, mut refused) = (0, 0, 0);
    for seed in 0..900 * factor() {
        let random = RandomNet::new(seed, false);
        let Some(markings) = random.markings(400) else { continue };
        let counted = match count(&random.net, &Limits::default()) {
            Ok(counted) => counted,
            Err(_) => {
                refused += 1;
                continue;
            }
        };
        programs += u32::from(matches!(counted.system.types[0], Type::Program(_)));
        let space = explore_counted(&counted, &options())
            .unwrap_or_else(|stopped| panic!("seed {seed}: {stopped}\n{}", random.text));
        let orbits = random.orbits(&markings);
        assert!(space.is_canonical, "seed {seed}\n{}", random.text);
        assert_eq!(space.symbolic.to_u64(), Some(orbits as u64), "seed {seed}\n{}", random.text);
        let ordinary = space.ordinary.and_then(|count| count.to_u64());
        assert_eq!(ordinary, Some(markings.len() as u64), "seed {seed}\n{}", random.text);
        compared += 1;
    }
    println!("{compared} compared, {programs} of them as programs, {refused} refused");
    assert!(compared > 400 && programs > 20, "{compared} compared, {programs} as programs, {refused} refused");
}

#[test]
fn clients_and_servers() {
    for (clients, servers, symbolic) in [(5, 2, "82"), (10, 2, "476"), (20, 2, "3201"), (6, 6, "281"), (9, 9, "1698")] {
        let net = model("client-server.sn", &[("C", clients), ("S", servers)]);
        let (found, ordinary) = counts(&net).unwrap();
        assert_eq!(found, symbolic);
        if (clients, servers) == (5, 2) {
            assert_eq!(ordinary.as_deref(), Some("4864"));
        }
    }
}

#[test]
fn the_papers_models() {
    for n in 2..11_i32 {
        let (symbolic, _) = counts(&model("peterson.sn", &[("N", n)])).unwrap();
        assert_eq!(symbolic, ((n as u64 + 3) << (n - 2)).to_string(), "Peterson {n}");
    }
    let waves = include_str!("../../symbolic/examples/waves.sn");
    for n in [3, 5, 40] {
        let net = sn::read("waves.sn", waves, &[("N".to_owned(), n)]).unwrap().net;
        let (symbolic, _) = counts(&net).unwrap();
        assert_eq!(symbolic, ((7 * n as u64 * n as u64 + n as u64) / 2).to_string(), "waves {n}");
    }
    assert_eq!(counts(&model("critical-section-waves.sn", &[])).unwrap().1.as_deref(), Some("512"));
}

#[test]
fn large_classes_make_no_difference() {
    let text = "net lights {
        class Light = l{1..100000};
        place on : Light;
        place off : Light = <all>;
        place fuse = 1;
        transition switch (Light x) { take off<x>; put on<x>; inhibit on<all>; }
        transition blow { take fuse; take off<all>; put on<all>; }
    }";
    let net = sn::read("lights.sn", text, &[]).unwrap().net;
    assert_eq!(counts(&net).unwrap(), ("3".to_owned(), Some("100002".to_owned())));
}

#[test]
fn what_cannot_be_counted_is_said() {
    let refused = |net: &ColouredNet| counts(net).unwrap_err().to_string();
    assert_eq!(
        refused(&model("database.sn", &[])),
        "no class can be counted; `Site`: the tokens of `unused` have several of its colours"
    );
    assert_eq!(refused(&model("philosophers.sn", &[])), "no class can be counted; `Seat`: its order is used");
    let more = "net more { class C = c{1..3}; place p : C = <all>; transition more (C x) { read p<x>; put p<x>; } }";
    let refusal = refused(&sn::read("more.sn", more, &[]).unwrap().net);
    assert!(refusal.starts_with("the colours of `C` cannot be counted"), "{refusal}");
    let text = "net both { class C = c{1..3}; place p : C = <all>; place q : C; place r = 1;
        transition sweep priority 1 { take r; take p<all>; put q<all>; }
        transition one (C x) { take p<x>; put q<x>; } }";
    let refusal = refused(&sn::read("both.sn", text, &[]).unwrap().net);
    assert!(refusal.starts_with("`sweep` changes all colours of a class at once"), "{refusal}");
}
