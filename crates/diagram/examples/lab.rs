#[path = "../models/mod.rs"]
mod models;
use mandala_diagram::*;
fn main() -> Result<(), Error> {
    let args: Vec<String> = std::env::args().collect();
    let n: u32 = args[2].parse().unwrap();
    let mut store = Store::new();
    let s = &mut store;
    let start = std::time::Instant::now();
    let m = match args[1].as_str() {
        "phil" => models::philosophers::ring(s, n)?,
        "philflat" => models::philosophers::flat(s, n)?,
        "fold" => models::philosophers::folded(s, n)?,
        "kanban" => models::kanban::hierarchical(s, n as i32)?,
        "kanbanflat" => models::kanban::flat(s, n as i32)?,
        "ring" => models::slotted_ring::hierarchical(s, n)?,
        "ringflat" => models::slotted_ring::flat(s, n)?,
        "fms" => models::fms::hierarchical(s, n as i32)?,
        _ => panic!(),
    };
    let t1 = start.elapsed();
    let c = store.closure(&m.transitions);
    let r = store.apply(&c, &m.initial)?;
    let t2 = start.elapsed();
    let count = store.count_to(&r, Exactness { max_bits: 1 << 13 });
    println!("{} {} states {count} build {:?} close {:?} count {:?} size {:?}", args[1], n, t1, t2 - t1, start.elapsed() - t2, store.size(&r));
    let st = store.statistics();
    println!("  peak {} made {} gc {} bytes {} peakbytes {} nodebytes {} terms {}", st.peak_nodes, st.made_nodes, st.collections, st.bytes, st.peak_bytes, st.node_bytes, st.terms);
    for c in st.caches { print!("  {} {}/{} {}K", c.operation, c.hits, c.misses, c.bytes >> 10); }
    println!();
    Ok(())
}
