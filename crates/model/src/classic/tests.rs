use super::{Besides, Classic, GenerateError, Shape, Size, generate, generate_with, orbits, states};

fn text(classic: Classic, size: &str, shape: Option<Shape>) -> Result<String, GenerateError> {
    let mut out = Vec::new();
    generate(classic, &size.parse()?, shape, &mut out)?;
    Ok(String::from_utf8(out).expect("only text is written"))
}

fn message(classic: Classic, size: &str, shape: Shape) -> String {
    text(classic, size, Some(shape)).expect_err("refused").to_string()
}

#[test]
fn numbers_of_states_are_the_known_ones() {
    assert_eq!(states::philosophers(2).exact, Some(18));
    assert_eq!(states::philosophers(5).exact, Some(1364));
    assert_eq!(states::philosophers(100).sentence(), "States: about 4.969e62.");
    assert_eq!(states::contest_philosophers(5).exact, Some(243));
    assert_eq!(states::contest_philosophers(1000).sentence(), "States: about 1.322e477.");
    assert_eq!(states::kanban(2).exact, Some(4600));
    assert_eq!(states::kanban(5).exact, Some(2_546_432));
    assert_eq!(states::slotted_ring(5).exact, Some(53856));
    assert_eq!(states::slotted_ring(10).exact, Some(8_097_453 << 10));
    assert_eq!(states::fms(2).and_then(|states| states.exact), Some(3444));
    assert_eq!(states::fms(10).and_then(|states| states.exact), Some(2_501_413_200));
}

/// Those of table 3.1 of the thesis, and of section 7 of the SRS paper.
#[test]
fn numbers_of_the_papers_on_symmetry() {
    for (clients, number) in [(5, 805_284), (6, 11_368_449), (7, 157_169_826)] {
        assert_eq!(states::client_server(clients, 7).exact, Some(number));
    }
    let known =
        [(2, 2, 12), (5, 2, 82), (10, 2, 476), (20, 2, 3201), (5, 7, 142), (6, 6, 281), (8, 8, 964), (9, 9, 1698)];
    for (clients, servers, number) in known {
        assert_eq!(orbits::client_server(clients, servers), Some(number));
    }
    assert_eq!(states::sale_store(5, 5).exact, Some(71_238));
    assert_eq!(states::sale_store(10, 5).exact, Some(184_554_369));
    assert_eq!(states::sale_store(15, 5).exact, Some(207_629_747_172));
    for (people, number) in [(5, 106), (10, 496), (15, 1186), (20, 2176), (30, 5056), (40, 9136)] {
        assert_eq!(orbits::sale_store(people, 5), Some(number));
    }
    assert_eq!((orbits::sale_store(5, 10), orbits::sale_store(20, 40)), (Some(126), Some(10_626)));
    assert_eq!(states::peterson(7).exact, Some(692_777));
    assert_eq!(states::peterson(12).exact, Some(1_621_534_833_097));
    assert_eq!((orbits::peterson(7), orbits::peterson(12)), (Some(320), Some(15_360)));
    assert_eq!((orbits::database(300), orbits::database(700)), (Some(45_151), Some(245_351)));
    assert_eq!(orbits::token_ring(4), Some(6 + 24));
}

#[test]
fn logarithms_agree_with_exact_numbers() {
    let all = |n| {
        let (philosophers, contest) = (states::philosophers(n), states::contest_philosophers(n));
        let fms = states::fms(n).expect("small");
        let sums = [states::client_server(n, 7), states::sale_store(n, 5), states::peterson(n), states::token_ring(n)];
        let before = [philosophers, contest, states::kanban(n), states::slotted_ring(n), fms, states::database(n)];
        before.into_iter().chain(sums)
    };
    for n in [2, 3, 10, 20, 30] {
        // Those of thirty processes are too many for 128 bits.
        for states in all(n).filter(|states| n < 30 || states.exact.is_some()) {
            let exact = states.exact.expect("small") as f64;
            // Philosophers leave out the vanishing term of the Lucas number.
            assert!((states.logarithm - exact.log10()).abs() < 2e-3, "{n}: {exact}");
        }
    }
}

#[test]
fn enormous_sizes_do_not_overflow_the_formulas() {
    let most = super::MOST_TOKENS;
    assert!(states::kanban(most).logarithm.is_finite());
    assert!(states::fms(100_000).expect("counted").logarithm.is_finite());
    assert!(states::slotted_ring(super::LONGEST_RING).logarithm.is_finite());
    assert!(states::fms(most).is_none());
    assert!(states::client_server(super::MOST_CLIENTS, super::MOST_SERVERS).logarithm.is_finite());
    assert!(states::sale_store(super::MOST_PEOPLE, super::MOST_GIFTS).logarithm.is_finite());
    assert!(states::peterson(super::MOST_PROCESSES).logarithm.is_finite());
    assert!(states::token_ring(super::LARGEST_FLAT).logarithm.is_finite());
    assert!(states::database(super::MOST_SITES).logarithm.is_finite());
    assert!(orbits::client_server(super::MOST_CLIENTS, super::MOST_SERVERS).is_none());
    assert!(orbits::sale_store(super::MOST_PEOPLE, super::MOST_GIFTS).is_some());
    assert!(orbits::token_ring(super::LARGEST_FLAT).is_none());
}

#[test]
fn sizes_are_read_to_the_last_digit() {
    let size = |text: &str| text.parse::<Size>().expect("a size");
    assert_eq!(size("0").digits(), &[] as &[bool]);
    assert_eq!(size("6").digits(), &[false, true, true]);
    assert_eq!(size("0006").digits(), size("6").digits());
    assert_eq!(size("18446744073709551615").to_u64(), Some(u64::MAX));
    assert_eq!(size("18446744073709551616").to_u64(), None);
    assert_eq!(size("18446744073709551616").digits(), size("2^64").digits());
    assert_eq!(size("1267650600228229401496703205376").digits(), size("2^100").digits());
    assert_eq!(Size::from(1000).digits(), size("1000").digits());
    assert_eq!(Size::from(0).digits(), size("0").digits());
    // 10^k is 2^k times an odd number, of 1 + floor(k log2(10)) binary digits.
    let power = size(&format!("1{}", "0".repeat(5000)));
    assert_eq!(power.digits().len(), 16610);
    assert_eq!(power.digits().iter().position(|&digit| digit), Some(5000));
}

#[test]
fn what_is_not_a_size_is_refused() {
    let message = |text: &str| text.parse::<Size>().expect_err("refused").to_string();
    let form = "; a size is written as `100` or `2^20000`";
    assert_eq!(message("many"), format!("`many` is not a size: it is not a number{form}"));
    assert_eq!(message("-3"), format!("`-3` is not a size: it is negative{form}"));
    assert_eq!(message(""), format!("`` is not a size: it is not a number{form}"));
    assert_eq!(message("10^3"), format!("`10^3` is not a size: only powers of 2 can be written as powers{form}"));
    assert_eq!(message("2^x"), format!("`2^x` is not a size: the exponent is not a number{form}"));
    for text in ["2^100001", "2^99999999999999999999999999"] {
        assert!(message(text).contains("the greatest power of two is 2^100000"), "{text}");
    }
    let long = message(&"9".repeat(30_001));
    assert!(long.len() < 200 && long.contains("it has 30001 digits, and at most 30000 are read"), "{long}");
}

#[test]
fn names_come_back_or_are_suggested() {
    for classic in Classic::ALL {
        assert_eq!(classic.name().parse::<Classic>().expect("its own name"), classic);
    }
    for shape in Shape::ALL {
        assert_eq!(shape.name().parse::<Shape>().expect("its own name"), shape);
    }
    let message = |name: &str| name.parse::<Classic>().expect_err("unknown").to_string();
    let all = "there are philosophers, kanban, slotted-ring, fms, contest-philosophers, \
               client-server, salestore, peterson, token-ring, database";
    assert_eq!(
        message("philosofers"),
        format!("there is no classic model called `philosofers`; did you mean `philosophers`? ({all})")
    );
    assert!(message("slotted_ring").contains("did you mean `slotted-ring`?"));
    assert!(message("Kanban").contains("did you mean `kanban`?"));
    assert!(message("philo").contains("did you mean `philosophers`?"));
    assert_eq!(message("elevator"), format!("there is no classic model called `elevator`; {all}"));
    assert_eq!(
        "folded".parse::<Shape>().expect_err("unknown").to_string(),
        "there is no shape called `folded`; did you mean `fold`? (there are flat, ring, fold, coloured)"
    );
}

#[test]
fn sizes_and_shapes_that_make_no_sense_are_refused() {
    assert_eq!(
        message(Classic::Kanban, "5", Shape::Fold),
        "kanban does not come in the shape `fold`: it has `flat` and `ring` (only philosophers fold)"
    );
    assert_eq!(
        message(Classic::Philosophers, "1", Shape::Fold),
        "philosophers of size 1 makes no sense: who sits in a ring needs a neighbour; the least size is 2"
    );
    assert_eq!(
        message(Classic::Fms, "0", Shape::Ring),
        "fms of size 0 makes no sense: nothing would move without parts of each kind; the least size is 1"
    );
    assert_eq!(
        message(Classic::Philosophers, "2^20000", Shape::Flat),
        "2^20000 philosophers are too many for the shape `flat`: the limit is 100000; any number of them can be \
         written with `--shape fold`"
    );
    assert_eq!(
        message(Classic::SlottedRing, "1000001", Shape::Ring),
        "1000001 nodes are too many for the shape `ring`: the limit is 1000000"
    );
    assert_eq!(
        message(Classic::Kanban, "2^31", Shape::Flat),
        "2^31 kanban cards a cell are too many for the shape `flat`: the limit is 1000000000 (a place counts its \
         tokens with 32 bits)"
    );
}

#[test]
fn a_file_opens_with_what_it_is() {
    let ring = text(Classic::Philosophers, "100", None).expect("written");
    for part in ["mandala generate philosophers 100 --shape ring", "States: about 4.969e62.", "$N = 100;"] {
        assert!(ring.contains(part), "{part} in\n{ring}");
    }
    for classic in Classic::ALL {
        for &shape in classic.shapes() {
            let text = text(classic, "7", Some(shape)).expect("written");
            let command = text.lines().find_map(|line| line.strip_prefix("//     mandala ")).expect("the command");
            assert!(text.starts_with("// ") && command.starts_with(&format!("generate {classic} 7 ")), "{text}");
            assert!(command.ends_with(&format!(" --shape {shape}")), "{text}");
            assert!(text.lines().all(|line| line.len() <= 120 && !line.ends_with(' ')), "{text}");
        }
    }
}

#[test]
fn servers_and_gifts_are_for_models_that_have_them() {
    let message = |classic, besides| {
        let refused = generate_with(classic, &Size::from(3), besides, None, &mut Vec::new());
        refused.expect_err("refused").to_string()
    };
    let servers = |number| Besides { servers: Some(number), ..Besides::default() };
    let gifts = |number| Besides { gifts: Some(number), ..Besides::default() };
    assert_eq!(message(Classic::Kanban, servers(3)), "kanban has no servers: `--servers` is for client-server");
    assert_eq!(message(Classic::ClientServer, gifts(3)), "client-server has no gifts: `--gifts` is for salestore");
    assert_eq!(message(Classic::ClientServer, servers(0)), "client-server has from 1 to 200 servers, and not 0");
    assert_eq!(message(Classic::SaleStore, gifts(61)), "salestore has from 0 to 60 gifts, and not 61");
    assert_eq!(
        text(Classic::Peterson, "1", None).expect_err("refused").to_string(),
        "peterson of size 1 makes no sense: who is alone need not exclude others; the least size is 2"
    );
    assert_eq!(
        text(Classic::Database, "4", Some(Shape::Ring)).expect_err("refused").to_string(),
        "database does not come in the shape `ring`: it has `flat` and `coloured`"
    );
    // The largest of each are written within reason.
    for (classic, besides) in [
        (Classic::ClientServer, servers(super::MOST_SERVERS)),
        (Classic::SaleStore, gifts(super::MOST_GIFTS)),
        (Classic::Peterson, Besides::default()),
        (Classic::Database, Besides::default()),
    ] {
        let greatest = classic.greatest(Shape::Flat).expect("a limit");
        let mut out = Vec::new();
        generate_with(classic, &Size::from(greatest), besides, None, &mut out).expect("written");
        assert!((10_000_000..60_000_000).contains(&out.len()), "{classic}: {} bytes", out.len());
    }
}

#[test]
fn the_fold_is_short() {
    let levels = |size: &str| text(Classic::Philosophers, size, Some(Shape::Fold)).expect("written");
    let text = levels("2^20000");
    assert!(text.len() < 20_000 * 250, "{} bytes", text.len());
    assert_eq!(text.matches("\ncomposite G").count(), 20_000);
    // 11 is 1 + 2 + 8.
    let text = levels("11");
    assert!(text.contains("composite R1 {G0 a;G1 b;") && text.contains("composite R3 {R1 a;G3 b;"), "{text}");
    assert!(!text.contains("R2") && text.contains("R3 all;"), "{text}");
}

#[test]
fn an_output_that_fails_is_an_error() {
    let refused = generate(Classic::Kanban, &Size::from(3), None, &mut [0u8; 10].as_mut_slice());
    assert!(matches!(refused, Err(GenerateError::Write(_))), "{refused:?}");
}
