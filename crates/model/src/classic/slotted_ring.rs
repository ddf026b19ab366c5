//! The slotted ring protocol: nodes of eight places A to H, marked C and E.

use super::{Classic, Shape, states, write_opening};
use std::io::{self, Write};

/// What a node does by itself: name, from where, to where.
const LOCALS: [(&str, &[char], &[char]); 6] = [
    ("other", &['A'], &['D']),
    ("owner", &['A'], &['B']),
    ("write", &['B'], &['D']),
    ("go", &['B'], &['H']),
    ("get", &['F', 'H'], &['C', 'E']),
    ("use", &['D', 'F'], &['C', 'G']),
];

fn opening(out: &mut dyn Write, title: &str, n: u64, shape: Shape) -> io::Result<()> {
    let first =
        format!("The slotted ring protocol, {n} nodes. Slots, free or used, go round a ring; a node that has got");
    let title =
        [first.as_str(), "one from its left neighbour uses it, empties it or lets it pass, and gives one on.", title];
    let count = states::slotted_ring(n).sentence();
    let formula = "In general 2^N times the N-th central Delannoy number.";
    write_opening(out, &title, (Classic::SlottedRing, &n, shape), &[&count, formula])
}

/// A ring of nodes: an instance for each.
pub(super) fn ring(n: u64, out: &mut dyn Write) -> io::Result<()> {
    opening(out, "Here each node is an instance of one net.", n, Shape::Ring)?;
    writeln!(out, "$N = {n};\ntypedef position = 0 .. ($N - 1);\n\nnet Node {{")?;
    writeln!(out, "    place A; place B; place C = 1; place D; place E = 1; place F; place G; place H;")?;
    for (name, from, to) in LOCALS {
        write!(out, "    transition {name} {{")?;
        from.iter().try_for_each(|place| write!(out, " take {place};"))?;
        to.iter().try_for_each(|place| write!(out, " put {place};"))?;
        writeln!(out, " }}")?;
    }
    out.write_all(
        br#"    // A slot goes to the right neighbour,
    transition giveFree label "giveFree" { take E; put F; }
    transition giveUsed label "giveUsed" { take G; put F; }
    // or comes from the left one.
    transition gotFree label "gotFree" { take C; put B; }
    transition gotUsed label "gotUsed" { take C; put A; }
}

composite Ring {
    Node [$N] node;
    synchronization free (position $i) {
        node[$i]."giveFree";
        node[($i + 1) % $N]."gotFree";
    }
    synchronization used (position $i) {
        node[$i]."giveUsed";
        node[($i + 1) % $N]."gotUsed";
    }
}

main Ring;
"#,
    )
}

/// One net.
pub(super) fn flat(n: u64, out: &mut dyn Write) -> io::Result<()> {
    opening(out, "Here all nodes are in one net.", n, Shape::Flat)?;
    writeln!(out, "net Ring {{")?;
    for i in 0..n {
        write!(out, "    place A_{i}; place B_{i}; place C_{i} = 1; place D_{i}; ")?;
        writeln!(out, "place E_{i} = 1; place F_{i}; place G_{i}; place H_{i};")?;
    }
    for i in 0..n {
        let next = (i + 1) % n;
        for (name, from, to) in LOCALS {
            write!(out, "    transition {name}_{i} {{")?;
            from.iter().try_for_each(|place| write!(out, " take {place}_{i};"))?;
            to.iter().try_for_each(|place| write!(out, " put {place}_{i};"))?;
            writeln!(out, " }}")?;
        }
        writeln!(out, "    transition free_{i} {{ take E_{i}; take C_{next}; put F_{i}; put B_{next}; }}")?;
        writeln!(out, "    transition used_{i} {{ take G_{i}; take C_{next}; put F_{i}; put A_{next}; }}")?;
    }
    writeln!(out, "}}\n\nmain Ring;")
}
