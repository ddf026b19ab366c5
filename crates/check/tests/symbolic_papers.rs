//! The numbers of symbolic markings that the thesis (table 5.1) and the SRS paper (section 7) print, those of GreatSPN, and the
//! orbits of nets of the contest; and how many ordinary markings these stand for.

use crate::common::shared;
use mandala_analysis::coloured::partition::{Initial, Source};
use mandala_check::explicit::Ended;
use mandala_check::limits::{Limits, Progress};
use mandala_check::markings::{Counted, count};
use mandala_group::UBig;
use mandala_model::coloured::{ColouredNet, greatspn, pnml, sn};
use mandala_symbolic::marking::SymbolicNet;
use std::path::PathBuf;

pub(crate) fn model(name: &str, defines: &[(&str, i32)]) -> ColouredNet {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    let text = std::fs::read_to_string(path).expect("a model");
    let defines: Vec<(String, i32)> = defines.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    sn::read(name, &text, &defines).unwrap_or_else(|problems| panic!("{problems}")).net
}

fn counted(net: &ColouredNet, source: Source) -> Counted {
    let symbolic = SymbolicNet::new(net, source, Initial::Matters, &[]).unwrap_or_else(|error| panic!("{error}"));
    let counted = count(&symbolic, 2, &Limits::default(), &Progress::default());
    assert_eq!(counted.ended, Ended::Complete);
    counted
}

/// Symbolic markings, and ordinary ones.
fn numbers(name: &str, defines: &[(&str, i32)]) -> (u64, UBig) {
    let counted = counted(&model(name, defines), Source::Found);
    (counted.markings, counted.ordinary.and_then(|count| count.exact().cloned()).expect("a number"))
}

fn binomial(things: u64, chosen: u64) -> UBig {
    (0..chosen).fold(UBig::ONE, |number, taken| number * UBig::from(things - taken) / UBig::from(taken + 1))
}

/// The markings of the sale store: people wait, are inside, or are out with no gift, with one or with two. (The thesis counts
/// two gifts in either order, and so has more.)
pub(crate) fn sale_store(people: u64, gifts: u64) -> UBig {
    let mut sum = UBig::ZERO;
    for one in 0..=people {
        for two in (0..=people - one).filter(|two| one + 2 * two <= gifts) {
            let mut ways = binomial(people, one) * binomial(people - one, two);
            ways *= UBig::from(3_u32).pow((people - one - two) as usize);
            for taken in 0..one {
                ways *= UBig::from(gifts - taken);
            }
            for pair in 0..two {
                ways *= binomial(gifts - one - 2 * pair, 2);
            }
            sum += ways;
        }
    }
    sum
}

#[test]
fn the_sale_store_of_the_thesis() {
    let rows = "5 6 116, 5 7 120, 5 8 124, 5 9 125, 5 10 126, 5 50 126, 6 6 180, 6 7 190, 6 8 200, 6 9 204, 6 10 208, \
                6 11 209, 6 12 210, 6 50 210, 7 6 260, 7 7 280, 7 8 300, 7 9 310, 7 10 320, 7 14 330, 7 100 330, \
                8 6 356, 8 7 390, 8 8 425, 8 9 445, 8 10 465, 8 16 495, 8 100 495, 20 40 10626, 5 1000000 126";
    for row in rows.split(", ") {
        let numbers_of: Vec<u64> = row.split(' ').map(|word| word.parse().expect("a number")).collect();
        let [people, gifts, markings] = numbers_of[..] else { panic!("{row}") };
        let found = numbers("sale-store.sn", &[("P", people as i32), ("G", gifts as i32)]);
        assert_eq!(found, (markings, sale_store(people, gifts)), "{row}");
    }
}

/// Ordinary markings as the table prints them, with two digits. Three rows are others there: 5 and 7 rounds 2,749,248 up, and
/// for 6 and 50 (1.0e19) and 7 and 9 (3.2e9) the closed form says what is found here.
#[test]
fn the_sale_store_without_bags() {
    let rows = "5 6 6.7e5, 5 7 2.7e6, 5 8 1.1e7, 5 9 4.2e7, 5 10 1.5e8, 5 50 4.2e16, 6 6 4.1e6, 6 7 2.0e7, 6 8 9.2e7, \
        6 9 4.2e8, 6 10 1.9e9, 6 11 7.8e9, 6 12 3.1e10, 6 50 6.8e19, 7 6 2.3e7, 7 7 1.2e8, 7 8 6.7e8, 7 9 3.5e9, \
        7 10 1.8e10, 7 14 8.3e12, 7 100 4.2e27, 8 6 1.2e8, 8 7 7.1e8, 8 8 4.3e9, 8 9 2.5e10, 8 10 1.5e11, 8 16 2.9e15, \
        8 100 3.1e31";
    for row in rows.split(", ") {
        let mut words = row.split_whitespace();
        let (people, gifts) = (words.next().unwrap().parse().unwrap(), words.next().unwrap().parse().unwrap());
        let constants = [("P", people), ("G", gifts)];
        let (markings, ordinary) = numbers("sale-store-without-bags.sn", &constants);
        assert_eq!(markings, numbers("sale-store.sn", &constants).0, "{row}");
        let rounded = format!("{:.1e}", ordinary.to_string().parse::<f64>().unwrap());
        assert_eq!(Some(rounded.as_str()), words.next(), "{row}");
    }
}

#[test]
fn the_models_of_the_srs_paper() {
    for (clients, servers, markings) in
        [(5, 2, 82), (10, 2, 476), (20, 2, 3201), (6, 6, 281), (8, 8, 964), (9, 9, 1698)]
    {
        let found = numbers("client-server.sn", &[("C", clients), ("S", servers)]);
        assert_eq!(found.0, markings, "{clients} {servers}");
        if (clients, servers) == (5, 2) {
            assert_eq!(found.1, UBig::from(4864_u32));
        }
    }
    for sites in [2, 5, 40, 100] {
        let (markings, ordinary) = numbers("database.sn", &[("N", sites)]);
        let sites = sites as u64;
        assert_eq!(markings, 1 + sites * (sites + 1) / 2);
        assert_eq!(ordinary, UBig::ONE + UBig::from(sites) * UBig::from(3_u32).pow(sites as usize - 1));
    }
    for (processes, ordinary) in [(3_u64, Some(55_u64)), (7, Some(692_777)), (9, None)] {
        let found = numbers("peterson.sn", &[("N", processes as i32)]);
        assert_eq!(found.0, (processes + 3) << (processes - 2));
        assert!(ordinary.is_none_or(|ordinary| found.1 == UBig::from(ordinary)), "{found:?}");
    }
    for processes in [4_u64, 40, 60] {
        let found = numbers("waves.sn", &[("N", processes as i32)]);
        assert_eq!(found.0, (7 * processes * processes + processes) / 2);
    }
}

/// Places over C x C are graphs: as many symbolic markings as graphs up to isomorphism, which stand for all graphs.
#[test]
fn graphs_up_to_isomorphism() {
    let net = |vertices: u32, put: &str| {
        let text = format!(
            "net Graphs {{
                class C = c{{1..{vertices}}};
                place edge : C * C;
                transition add (C x, C y) [x != y] {{ inhibit edge<x, y>; put edge{put}; }}
            }}"
        );
        sn::read("graphs.sn", &text, &[]).unwrap_or_else(|problems| panic!("{problems}")).net
    };
    let directed = [(2, 3_u64), (3, 16), (4, 218), (5, 9608)].map(|(n, graphs)| (n, "<x, y>", graphs, n * (n - 1)));
    let undirected = [(4, 11_u64), (5, 34), (6, 156), (7, 1044)];
    let undirected = undirected.map(|(n, graphs)| (n, "<x, y> + <y, x>", graphs, n * (n - 1) / 2));
    for (vertices, put, graphs, edges) in directed.into_iter().chain(undirected) {
        let found = counted(&net(vertices, put), Source::Found);
        let ordinary = found.ordinary.and_then(|count| count.to_u64());
        assert_eq!((found.markings, ordinary), (graphs, Some(1 << edges)), "{vertices} {put}");
    }
}

/// Two nets whose places have nearly all pairs: matchings, of which what is missing in `free` says the same as `matched`; and
/// graphs with few edges, all others of which are somewhere else.
#[test]
fn pairs_of_nearly_all() {
    let text = "net matchings { class C = c{1..9}; class D = d{1..9}; place free : C * D = <all, all>; place matched : C * D;
        transition match (C x, D u) { take free<x, u>; put matched<x, u>; inhibit matched<x, all>; inhibit matched<all, u>; }
    }";
    let net = sn::read("matchings.sn", text, &[]).unwrap().net;
    let found = counted(&net, Source::Found);
    let factorial = |n: u64| (1..=n).fold(UBig::ONE, |product, factor| product * UBig::from(factor));
    let matchings = (0..=9).map(|size| binomial(9, size) * binomial(9, size) * factorial(size));
    assert_eq!(found.markings, 10);
    assert_eq!(found.ordinary.unwrap().exact(), Some(&matchings.fold(UBig::ZERO, |sum, ways| sum + ways)));

    let text =
        "net graphs { class C = c{1..9}; place absent : C * C = <all, all>; place present : C * C; place left = 3;
        transition add (C x, C y) [x != y] { take left; take absent<x, y> + <y, x>; put present<x, y> + <y, x>; }
    }";
    let net = sn::read("graphs.sn", text, &[]).unwrap().net;
    let found = counted(&net, Source::Found);
    // Graphs with 0, 1, 2 and 3 edges: 1, 1, 2 and 5 up to isomorphism.
    assert_eq!(found.markings, 1 + 1 + 2 + 5);
    let graphs = (0..=3).map(|edges| binomial(36, edges)).fold(UBig::ZERO, |sum, ways| sum + ways);
    assert_eq!(found.ordinary.unwrap().exact(), Some(&graphs));
}

#[test]
fn the_nets_of_greatspn() {
    let Some(folder) = shared::models() else { return };
    let file = |name: &str| std::fs::read_to_string(folder.join("swn").join(name)).expect("a file");
    let read = |name: &str, definitions: &str| {
        let def = format!("{name}.def");
        let net = greatspn::read_net(name, &file(&format!("{name}.net")), Some((&def, definitions)));
        net.unwrap_or_else(|problems| panic!("{problems}")).net
    };
    assert_eq!(counted(&read("simple", &file("simple.def")), Source::Found).markings, 11);
    let rows = [(3, 26, 91), (4, 45, 364), (5, 71, 1429), (6, 105, 5554), (8, 201, 83_032), (10, 341, 1_245_406)];
    for (processors, markings, ordinary) in rows {
        let definitions = file("WCSsym.def").replace("{@PR@}", &format!("pr{{1-{processors}}}"));
        let found = counted(&read("WCSsym", &definitions), Source::Found);
        assert_eq!(found.markings, markings, "{processors}");
        assert_eq!(found.ordinary.and_then(|count| count.to_u64()), Some(ordinary), "{processors}");
    }
    let waves = read("DCSWave", &file("DCSWave.def"));
    let declared = counted(&waves, Source::Declared);
    assert_eq!((declared.markings, declared.ordinary.unwrap().to_u64()), (5579, Some(3_617_111)));
    let found = counted(&waves, Source::Found);
    assert_eq!((found.markings, found.ordinary.unwrap().to_u64()), (461, Some(3_617_111)));
}

#[test]
fn the_orbits_of_nets_of_the_contest() {
    let Some(folder) = shared::models() else { return };
    let expected = shared::expected("expected-srg.csv");
    let mut compared = 0;
    for (name, figures) in expected.iter().filter(|(name, _)| name.contains("-COL-")) {
        let figure = |examination: &str, formula: &str| -> Option<u64> {
            figures.get(&(examination.to_owned(), formula.to_owned()))?.parse().ok()
        };
        let path = folder.join("mcc-col").join(name).join("model.pnml");
        let (Some(states), Some(orbits), Ok(text)) =
            (figure("RG", "MARKINGS"), figure("ORBITS", "SYMBOLIC_MARKINGS"), std::fs::read_to_string(path))
        else {
            continue;
        };
        if orbits > 20_000 {
            continue;
        }
        let net = pnml::read(name, &text).unwrap_or_else(|problems| panic!("{problems}"));
        let found = counted(&net, Source::Found);
        println!("{name:28} {states:8} {orbits:8} {:8}", found.markings);
        assert_eq!(found.ordinary.and_then(|count| count.to_u64()), Some(states), "{name}");
        assert_eq!(found.markings, orbits, "{name}");
        compared += 1;
    }
    assert!(compared >= 15, "{compared}");
}
