//! Counting the colours of classes: symbolic markings against orbits by brute force, what they stand for against all markings.

use crate::common::random::factor;
use crate::common::symmetric_nets::RandomNet;
use mandala_check::options::{Options, QuotientChoice};
use mandala_check::quotient::counted::{count, explore_counted};
use mandala_model::coloured::counting::CannotCount;
use mandala_model::coloured::unfold::Limits;
use mandala_model::coloured::{ColouredNet, sn};
use mandala_model::system::Type;
use std::path::Path;

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

fn model(name: &str, defines: &[(&str, i32)]) -> ColouredNet {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    let text = std::fs::read_to_string(path).expect("a model of the repository");
    let defines: Vec<(String, i32)> = defines.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    sn::read(name, &text, &defines).expect("a model").net
}

#[test]
fn counts_are_those_of_orbits() {
    let (mut compared, mut programs, mut refused) = (0, 0, 0);
    for seed in 0..3000 * factor() {
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
    assert!(compared > 1000 && programs > 20, "{compared} compared, {programs} as programs, {refused} refused");
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
