//! The orbits of nets that unfold coloured ones: as many states as are known, and no more orbits than the colours show.
//!
//! The unfolded net may have more symmetries than its colours, and then there are fewer orbits.

use crate::common::shared;
use mandala_check::options::Options;
use mandala_check::options::QuotientChoice;
use mandala_check::quotient;
use mandala_model::net::pnml;
use mandala_model::system::{System, Type};
use std::time::Instant;

#[test]
fn no_more_orbits_than_colours_show() {
    let Some(folder) = shared::models() else { return };
    let expected = shared::expected("expected-srg.csv");
    let figure = |model: &str, examination: &str, formula: &str| -> Option<u64> {
        expected.get(model)?.get(&(examination.to_owned(), formula.to_owned()))?.parse().ok()
    };
    let mut compared = 0;
    println!("{:28} {:>8} {:>8} {:>8} {:>8}  symmetries", "net", "states", "colours", "orbits", "seconds");
    for model in expected.keys().filter(|name| name.contains("-COL-")) {
        let (Some(states), Some(most)) =
            (figure(model, "RG", "MARKINGS"), figure(model, "ORBITS", "SYMBOLIC_MARKINGS"))
        else {
            continue;
        };
        let name = model.replace("-COL-", "-PT-");
        let Ok(text) = std::fs::read_to_string(folder.join("mcc-pt").join(&name).join("model.pnml")) else { continue };
        let net = pnml::read(&name, &text).unwrap_or_else(|problem| panic!("{name}: {problem:?}"));
        let system = System { name: name.clone(), types: vec![Type::Net(net)], main: 0, begins: vec![0] };
        let start = Instant::now();
        let options = Options { quotient: QuotientChoice::Automatic, ..Options::default() };
        let space = quotient::explore(&system, &options, &[]).ok().unwrap_or_else(|| panic!("{name} has few states"));
        let (orbits, concrete, order) = match space.quotient() {
            None => (space.count(), Some(space.count()), "1".to_owned()),
            Some(quotient) => {
                let left = space.encoded().store.count(&quotient.representatives);
                (left, quotient.concrete.clone(), quotient.group.order.to_string())
            }
        };
        let orbits = orbits.to_u64().unwrap();
        let seconds = start.elapsed().as_secs_f64();
        let order = if order.len() > 12 { format!("about 10^{}", order.len() - 1) } else { order };
        println!("{name:28} {states:8} {most:8} {orbits:8} {seconds:8.2}  {order}");
        // With symmetries that move the initial state, representatives do not say how many states there are.
        let concrete =
            concrete.or_else(|| Some(mandala_check::explore::explore(&system, &Options::default()).ok()?.count()));
        assert_eq!(concrete.and_then(|count| count.to_u64()), Some(states), "{name}");
        assert!(orbits <= most, "{name}: {orbits} orbits, and the colours show {most}");
        compared += 1;
    }
    assert!(compared >= 14, "{compared} nets");
}
