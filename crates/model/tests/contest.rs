//! Property files of the Model Checking Contest: the shared ones and bad ones.
use mandala_model::{net::pnml, property::{contest, Question}, system::{System, Type}};
use std::path::Path;
#[test]
fn shared() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/mcc-pt");
    for entry in std::fs::read_dir(folder).unwrap() {
        let folder = entry.unwrap().path();
        let Ok(text) = std::fs::read_to_string(folder.join("model.pnml")) else { continue };
        let net = pnml::read("m", &text).unwrap();
        let system = System { name: net.name.clone(), types: vec![Type::Net(net)], main: 0, begins: vec![0] };
        for name in ["ReachabilityCardinality", "ReachabilityFireability", "UpperBounds", "CTLCardinality", "CTLFireability", "LTLCardinality", "LTLFireability"] {
            let Ok(text) = std::fs::read_to_string(folder.join(format!("{name}.xml"))) else { continue };
            let properties = contest::read(name, &text, &system).unwrap();
            assert_eq!(properties.len(), 16);
            let kinds: Vec<_> = properties.iter().map(|p| match p.question { Question::Reachable(_) => "R", Question::Invariant(_) => "I", Question::Ctl(_) => "C", Question::Ltl(_) => "L", Question::Bounds(_) => "B", _ => "?" }).collect();
            println!("{} {name} {}", folder.file_name().unwrap().display(), kinds.concat());
        }
    }
}
