//! LTL on folded products, against the full product: random symmetric systems, and formulas that treat processes unequally.

use crate::common::formulas::temporal;
use crate::common::random::{Random, factor};
use crate::quotients::systems;
use crate::renaming::programs;
use mandala_analysis::symmetry::{Part, SymmetryGroup};
use mandala_check::answer::Verdict;
use mandala_check::claim::Forbidden;
use mandala_check::explicit::ltl;
use mandala_check::limits::{Limits, Progress};
use mandala_check::options::Options;
use mandala_check::partial_symmetry::{Bounds, Said, Way, check, check_on_diagrams, parts};
use mandala_check::run::{FiniteRuns, replay};
use mandala_model::expression::{Comparison, Integer};
use mandala_model::property::{Atom, Formula, Quantifier, Question};
use mandala_model::semantics::Semantics;
use mandala_model::system::{Location, System};

const WAYS: [Way; 3] = [Way::Group, Way::Consistent, Way::Product];

/// A system and its symmetries.
type Symmetric<'s> = (&'s System, Option<&'s SymmetryGroup>);

/// How many states the full product and each of the others have, over all comparisons.
#[derive(Default)]
struct Total {
    full: u64,
    ways: [u64; 3],
    holds: usize,
    fails: usize,
}

impl Total {
    /// Compares all ways with the full product.
    fn compare(&mut self, what: &str, (system, group): Symmetric<'_>, formula: &Formula, finite_runs: FiniteRuns) {
        let semantics = Semantics::new(system).unwrap();
        let (limits, progress) = (Limits::default(), Progress::default());
        let full = ltl::check(&semantics, formula, finite_runs, &limits, &progress);
        if full.answer.verdict.is_unknown() {
            return;
        }
        let is_true = full.answer.verdict == Verdict::Holds;
        *(if is_true { &mut self.holds } else { &mut self.fails }) += 1;
        self.full += if is_true { states(&full) } else { 0 };
        let bounds = Bounds { finite_runs, limits: &limits, most_product_states: None, progress: &progress };
        let forbidden = Forbidden::against(formula).unwrap();
        for (place, way) in WAYS.into_iter().enumerate() {
            for said in [Said::Holds(formula), Said::NoneOf(&forbidden)] {
                let (checked, _) = check(system, group, said, way, &bounds);
                assert_eq!(checked.answer.verdict, full.answer.verdict, "{what}, {way:?}: {formula:?}");
                if is_true {
                    self.ways[place] += if matches!(said, Said::Holds(_)) { states(&checked) } else { 0 };
                    continue;
                }
                // Checked by the definition of the logic before it is returned.
                let found = checked.answer.trace.expect("a run").unwrap_or_else(|why| panic!("{what}, {way:?}: {why}"));
                replay(&semantics, &found.trace).unwrap();
            }
        }
    }
}

/// Compares diagrams, and the parts of a conjunction, with the full product.
fn compare_diagrams(what: &str, system: &System, group: &SymmetryGroup, formula: &Formula, finite_runs: FiniteRuns) {
    let semantics = Semantics::new(system).unwrap();
    let (limits, progress) = (Limits::default(), Progress::default());
    let full = |formula: &Formula| ltl::check(&semantics, formula, finite_runs, &limits, &progress).answer.verdict;
    let expected = full(formula);
    let options = Options { finite_runs, ..Options::default() };
    for way in WAYS {
        let found = check_on_diagrams(system, group, Said::Holds(formula), way, &options);
        let (answer, _) = found.unwrap_or_else(|stopped| panic!("{what}: {stopped}"));
        assert_eq!(answer.verdict, expected, "{what}, {way:?} on diagrams: {formula:?}");
        let bounds = Bounds { finite_runs, limits: &limits, most_product_states: None, progress: &progress };
        let (one_by_one, _) = check(system, Some(group), Said::Holds(formula), way, &bounds);
        if expected == Verdict::Holds && group.shape.parts.iter().all(|part| matches!(part, Part::Full { .. })) {
            // Where parts of a group meet, diagrams may leave several states of an orbit.
            let count = answer.product_states.as_ref().and_then(|count| count.to_u64()).unwrap();
            assert!(count >= states(&one_by_one), "{what}, {way:?}: {count} on diagrams");
        }
    }
    let by_parts = parts(system, || Some(group), formula).iter().all(|part| full(&part.formula) == Verdict::Holds);
    assert_eq!(Verdict::of(by_parts), expected, "{what}, part by part: {formula:?}");
}

fn states(checked: &ltl::Checked) -> u64 {
    checked.answer.product_states.as_ref().and_then(|count| count.to_u64()).unwrap()
}

fn compare(comparison: Comparison, variable: u32, value: i32) -> Formula {
    let location = Location { path: Vec::new(), index: variable };
    Formula::Atom(Atom::Compare(comparison, Integer::Variable(location), Integer::Constant(value)))
}

/// The same formula for each two of some processes, in one order only.
fn for_pairs(seed: u64, count: usize, leaf: &dyn Fn(&mut Random, [usize; 2]) -> Formula) -> Formula {
    let mut random = Random::new(seed);
    let (depth, is_all, most) = (1 + random.below(3), random.percent(60), 1 + random.below(4));
    let pairs = (0..count).flat_map(|one| (one + 1..count).map(move |other| [one, other]));
    let pattern = |pair: [usize; 2]| {
        let mut random = Random::new(seed + 1);
        temporal(&mut random, &[Quantifier::None], &|random| leaf(random, pair), depth)
    };
    let parts: Vec<Formula> = pairs.take(most).map(pattern).collect();
    if is_all { Formula::And(parts) } else { Formula::Or(parts) }
}

#[test]
fn verdicts_on_nets_are_those_of_the_full_product() {
    let mut total = Total::default();
    let mut on_diagrams = 0;
    for (seed, _, system) in systems(0..45 * factor()) {
        let Some(group) = SymmetryGroup::find(&system, false, &[]) else { continue };
        let keeping = SymmetryGroup::find(&system, true, &[]).filter(|_| seed % 3 == 0);
        let mut full = group.shape.parts.iter().filter_map(|part| match part {
            Part::Full { blocks } => Some(blocks.clone()),
            _ => None,
        });
        let places = group.points.variables();
        // Places one by one where there are no blocks.
        let blocks = full.next_back().unwrap_or_else(|| (0..places as u32).map(|place| vec![place]).collect());
        for more in 0..12 {
            let leaf = |random: &mut Random, pair: [usize; 2]| {
                let block = &blocks[*random.choose(&pair)];
                match random.below(8) {
                    0 => compare(Comparison::GreaterOrEqual, random.below(places) as u32, 1),
                    1 => Formula::Deadlock,
                    2 => Formula::And(pair.iter().map(|&one| compare(Comparison::Equal, blocks[one][0], 0)).collect()),
                    _ => compare(Comparison::GreaterOrEqual, *random.choose(block), 1),
                }
            };
            let formula = for_pairs(100 * seed + more, blocks.len(), &leaf);
            let finite_runs = if more % 3 == 2 { FiniteRuns::Ignore } else { FiniteRuns::Stutter };
            total.compare(&format!("net {seed}"), (&system, Some(&group)), &formula, finite_runs);
            if let Some(keeping) = &keeping {
                compare_diagrams(&format!("net {seed}"), &system, keeping, &formula, finite_runs);
                on_diagrams += 1;
            }
        }
    }
    let [group, consistent, product] = total.ways;
    assert!(on_diagrams > 150, "{on_diagrams}");
    assert!(total.holds > 300 && total.fails > 300, "{}, {}", total.holds, total.fails);
    assert!(product < consistent && consistent < group && group < total.full, "{:?} of {}", total.ways, total.full);
}

#[test]
fn verdicts_on_programs_that_store_processes_are_those_of_the_full_product() {
    let mut total = Total::default();
    for (number, (text, system)) in programs(0..160 * factor()).enumerate() {
        let group = SymmetryGroup::find(&system, false, &[]);
        let variables = system.main_type().variable_count();
        let count = (variables - 6) / 2;
        for more in 0..6 {
            let leaf = |random: &mut Random, pair: [usize; 2]| {
                let (one, other) = (*random.choose(&pair), *random.choose(&pair));
                match random.below(6) {
                    0 => compare(Comparison::Equal, 2 * count as u32, one as i32),
                    1 => compare(Comparison::Equal, (count + one) as u32, other as i32),
                    2 => compare(Comparison::NotEqual, 2 * count as u32, -1),
                    _ => compare(Comparison::Equal, one as u32, random.below(3) as i32),
                }
            };
            let formula = for_pairs(10 * number as u64 + more, count, &leaf);
            total.compare(&text, (&system, group.as_ref()), &formula, FiniteRuns::Stutter);
        }
    }
    let [group, consistent, product] = total.ways;
    assert!(total.holds > 80 && total.fails > 80, "{}, {}", total.holds, total.fails);
    assert!(product <= consistent && consistent < group && group <= total.full, "{:?} of {}", total.ways, total.full);
}

fn gal(text: &str) -> System {
    mandala_model::gal::read("test.gal", text, &[]).unwrap_or_else(|_| panic!("unreadable: {text}")).system
}

fn ltl_of(system: &System, text: &str) -> Formula {
    match mandala_model::gal::formula(system, text).unwrap_or_else(|_| panic!("unreadable: {text}")).question {
        Question::Ltl(formula) => formula,
        other => panic!("{other:?}"),
    }
}

/// Processes are idle, request or are inside, one at most.
fn critical_section(count: usize) -> System {
    let list = |one: &dyn Fn(usize) -> String, by: &str| (1..=count).map(one).collect::<Vec<_>>().join(by);
    let variables = list(&|i| format!("int r{i} = 0; int c{i} = 0;"), " ");
    let free = list(&|i| format!("c{i} == 0"), " && ");
    let transitions = |i: usize| {
        format!(
            "transition ask{i} [r{i} == 0 && c{i} == 0] {{ r{i} = 1; }}
             transition enter{i} [r{i} == 1 && {free}] {{ r{i} = 0; c{i} = 1; }}
             transition leave{i} [c{i} == 1] {{ c{i} = 0; }}"
        )
    };
    gal(&format!("gal section {{ {variables} {} }} main section;", list(&transitions, "\n")))
}

#[test]
fn the_critical_section_has_as_many_states_as_computed_by_hand() {
    for (count, expected) in [(5, [262, 262, 182, 119]), (8, [4836, 4836, 1644, 1293])] {
        let system = critical_section(count);
        let pairs = (1..=count).flat_map(|i| (i + 1..=count).map(move |j| (i, j)));
        let part = |(i, j)| format!("G((r{i} == 1 && c{j} == 1) -> (r{i} == 1 U (r{i} == 1 && c{j} == 0)))");
        let formula = ltl_of(&system, &pairs.map(part).collect::<Vec<_>>().join(" && "));
        let group = SymmetryGroup::find(&system, false, &[]);
        let mut total = Total::default();
        total.compare("critical section", (&system, group.as_ref()), &formula, FiniteRuns::Stutter);
        let [group, consistent, product] = total.ways;
        assert_eq!([total.full, group, consistent, product], expected);
        let keeping = SymmetryGroup::find(&system, true, &[]).unwrap();
        for (way, expected) in WAYS.into_iter().zip(&expected[1..]) {
            let found = check_on_diagrams(&system, &keeping, Said::Holds(&formula), way, &Options::default());
            let (answer, _) = found.unwrap_or_else(|stopped| panic!("{stopped}"));
            assert_eq!(answer.verdict, Verdict::Holds);
            assert_eq!(answer.product_states.and_then(|count| count.to_u64()), Some(*expected));
        }
        // All pairs are mapped to each other.
        assert_eq!(parts(&system, || Some(&keeping), &formula).len(), 1);
    }
}

#[test]
fn marks_are_not_exchanged_with_processes() {
    // The step from one state to its image and back: folded, it would be a loop with one of two marks.
    let system = gal("gal two { int a1 = 1; int a2 = 0;
        transition there [a1 == 1 && a2 == 0] { a1 = 0; a2 = 1; }
        transition back [a2 == 1 && a1 == 0] { a2 = 0; a1 = 1; } } main two;");
    let group = SymmetryGroup::find(&system, false, &[]);
    assert!(group.is_some());
    let formula = ltl_of(&system, "!((G F a1 == 1) && (G F a2 == 1))");
    let mut total = Total::default();
    total.compare("two marks", (&system, group.as_ref()), &formula, FiniteRuns::Stutter);
    assert_eq!(total.fails, 1);
}
