//! Symbolic markings as tensors: against orbits by brute force, and against the table of the SRS paper.

use crate::common::random::factor;
use crate::common::symmetric_nets::{RandomNet, model};
use mandala_check::limits::Limits;
use mandala_check::tensors::explore;
use mandala_model::coloured::sn;

#[test]
fn words_are_orbits() {
    let (mut unique, mut others, mut more) = (0, 0, 0);
    for seed in 0..700 * factor() {
        let random = RandomNet::new(seed, seed % 3 == 0);
        let Some(markings) = random.markings(200) else { continue };
        let Ok(found) = explore(&random.net, &Limits::default()) else { continue };
        let (words, orbits) = (found.count.to_u64().unwrap(), random.orbits(&markings) as u64);
        // At least one word for each orbit, and no more words than markings.
        assert!(orbits <= words && words <= markings.len() as u64, "seed {seed}: {words}\n{}", random.text);
        if found.is_unique {
            assert_eq!(words, orbits, "seed {seed}\n{}", random.text);
            let ordinary = found.ordinary.and_then(|count| count.to_u64());
            assert_eq!(ordinary, Some(markings.len() as u64), "seed {seed}\n{}", random.text);
            unique += 1;
        } else {
            others += 1;
            more += u32::from(words > orbits);
        }
    }
    println!("{unique} unique; {others} others, {more} of them with more words than orbits");
    assert!(unique > 50 && others > 20, "{unique} unique, {others} others");
}

#[test]
fn the_table_of_the_paper() {
    let count = |net| explore(&net, &Limits::default()).unwrap().count.to_u64();
    for n in 2..6_i32 {
        let expected = (n as u64 + 3) << (n - 2);
        assert_eq!(count(model("peterson.sn", &[("N", n)])), Some(expected), "Peterson {n}");
    }
    for n in 2..9_i32 {
        let expected = 1 + n as u64 * (n as u64 + 1) / 2;
        assert_eq!(count(model("database.sn", &[("N", n)])), Some(expected), "database {n}");
    }
    let waves = include_str!("../../symbolic/examples/waves.sn");
    for n in 3..9_i32 {
        let net = sn::read("waves.sn", waves, &[("N".to_owned(), n)]).unwrap().net;
        let expected = (7 * n as u64 * n as u64 + n as u64) / 2;
        assert_eq!(count(net), Some(expected), "waves {n}");
    }
    // 1 + N 3^(N - 1) ordinary markings.
    let database = explore(&model("database.sn", &[("N", 6)]), &Limits::default()).unwrap();
    assert_eq!(database.ordinary.and_then(|count| count.to_u64()), database.is_unique.then_some(1 + 6 * 243));
    for (clients, servers, expected) in [(3, 2, 26), (5, 2, 82), (4, 4, 68)] {
        let net = model("client-server.sn", &[("C", clients), ("S", servers)]);
        assert_eq!(count(net), Some(expected), "{clients} clients and {servers} servers");
    }
}

#[test]
fn what_tensors_cannot_do_is_said() {
    let refused = |net| explore(&net, &Limits::default()).unwrap_err().to_string();
    assert_eq!(refused(model("sale-store.sn", &[])), "tensors have no bags in tokens or variables");
    assert_eq!(refused(model("critical-section-waves.sn", &[])), "`lead` has a priority, and tensors know none");
    assert_eq!(
        refused(model("philosophers.sn", &[])),
        "no class has colours that may be exchanged; `Seat`: its order is used"
    );
}
