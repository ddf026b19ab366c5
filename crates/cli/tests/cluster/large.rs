//! More states than fit into the memory of most: as much as 4 GB hold. It takes minutes, and is run by hand:
//! `cargo test --release -p mandala-cli --test cluster -- --ignored --nocapture hundred`.

use crate::common::{end_within, folder, mandala, number_after, text};
use std::time::Duration;

/// Counters that count up by themselves, each with a place that follows: eight of them have 10^8 states of 20 bits each, which
/// are 24 bytes.
fn counters(count: usize, most: usize) -> String {
    let mut text = "net Counters {\n".to_owned();
    for counter in 0..count {
        text += &format!("place free{counter} = {most}; place x{counter}; place y{counter};\n");
        text += &format!("transition up{counter} {{ take free{counter}; put x{counter}; put 6000 y{counter}; }}\n");
    }
    text + "}\nmain Counters;\n"
}

#[test]
#[ignore = "takes minutes and 4 GB"]
fn a_hundred_million_states() {
    let file = folder("large").join("counters.gal");
    std::fs::write(&file, counters(8, 9)).expect("a file");
    let file = file.to_str().expect("text");
    let arguments = ["states", file, "--strategy", "explicit", "--workers", "2", "--memory", "4G", "--json"];
    let output = end_within(mandala(&arguments).spawn().expect("it starts"), Duration::from_secs(3600));
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{printed}{}", text(&output.stderr));
    assert_eq!(number_after(&printed, "\"states\""), "100000000");
    assert_eq!(number_after(&printed, "\"state_bytes\""), "24");
    let peak = number_after(&printed, "\"peak_memory_bytes\"").parse::<u64>().expect("a number");
    assert!(peak < 4 << 30, "{peak}");
    println!("{printed}");
}
