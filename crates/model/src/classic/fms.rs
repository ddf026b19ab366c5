//! The flexible manufacturing system.
//!
//! Inside a kind of part, the place that joins comes first in the order, then the way of the part, then the free servers
//! of its machine.

use super::{Classic, Shape, states, write_opening};
use std::io::{self, Write};

fn opening(out: &mut dyn Write, title: &str, n: u64, shape: Shape) -> io::Result<()> {
    let first = format!(
        "A flexible manufacturing system with {n} parts of each kind. Parts P1 and P2 are worked on by machine"
    );
    let lines = [
        first.as_str(),
        "M1 (three servers) and M2 (one), then shipped and replaced, or kept for a partner. Two partners join into P12,",
        "which goes through M3 (two servers), is shipped, and is replaced by one part of each. Parts P3 begin only while",
        "M2 is free.",
        title,
    ];
    let count = states::fms(n).map_or("The states have not been counted.".to_owned(), |states| states.sentence());
    write_opening(out, &lines, (Classic::Fms, &n, shape), &[&count])?;
    writeln!(out, "$N = {n};\n")
}

/// An instance a kind of parts.
pub(super) fn ring(n: u64, out: &mut dyn Write) -> io::Result<()> {
    opening(out, "Here each kind of parts, with its machine, is an instance of a net.", n, Shape::Ring)?;
    out.write_all(
        br#"net Part ($SERVERS = 1) {
    place partner;
    place part = $N;
    place waiting;
    place working;
    place done;
    place shipped;
    place free = $SERVERS;
    transition arrive { take part; put waiting; }
    transition begin { take waiting; take free; put working; }
    transition finish { take working; put free; put done; }
    transition ship { take done; put shipped; }
    transition replace { take shipped; put part; }
    transition keep { take done; put partner; }
    transition join label "join" { take partner; }
    transition comeBack label "comeBack" { put part; }
    transition whileFree label "whileFree" { read free; }
}

net Pair {
    place shipped;
    place joined;
    place waiting;
    place working;
    place free = 2;
    transition arrive { take joined; put waiting; }
    transition begin { take waiting; take free; put working; }
    transition finish { take working; put free; put shipped; }
    transition join label "join" { put joined; }
    transition replace label "replace" { take shipped; }
}

net Third {
    place part = $N;
    place working;
    place shipped;
    transition finish { take working; put shipped; }
    transition replace { take shipped; put part; }
    transition begin label "begin" { take part; put working; }
}

composite System {
    Part p1 ($SERVERS = 3);
    Pair p12;
    Part p2 ($SERVERS = 1);
    Third p3;
    synchronization join { p1."join"; p2."join"; p12."join"; }
    synchronization replace { p12."replace"; p1."comeBack"; p2."comeBack"; }
    synchronization begin3 { p3."begin"; p2."whileFree"; }
}

main System;
"#,
    )
}

/// One net.
pub(super) fn flat(n: u64, out: &mut dyn Write) -> io::Result<()> {
    opening(out, "Here all are in one net.", n, Shape::Flat)?;
    writeln!(out, "net System {{")?;
    part_places(1, 3, out)?;
    writeln!(out, "    place shipped12; place joined12; place waiting12; place working12; place free12 = 2;")?;
    part_places(2, 1, out)?;
    writeln!(out, "    place part3 = $N; place working3; place shipped3;")?;
    part_transitions(1, out)?;
    out.write_all(
        br#"    transition arrive12 { take joined12; put waiting12; }
    transition begin12 { take waiting12; take free12; put working12; }
    transition finish12 { take working12; put free12; put shipped12; }
"#,
    )?;
    part_transitions(2, out)?;
    out.write_all(
        br#"    transition finish3 { take working3; put shipped3; }
    transition replace3 { take shipped3; put part3; }
    transition join { take partner1; take partner2; put joined12; }
    transition replace { take shipped12; put part1; put part2; }
    transition begin3 { take part3; read free2; put working3; }
}

main System;
"#,
    )
}

fn part_places(kind: u32, servers: u32, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "    place partner{kind}; place part{kind} = $N; place waiting{kind}; place working{kind}; ")?;
    writeln!(out, "place done{kind}; place shipped{kind}; place free{kind} = {servers};")
}

fn part_transitions(kind: u32, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "    transition arrive{kind} {{ take part{kind}; put waiting{kind}; }}")?;
    writeln!(out, "    transition begin{kind} {{ take waiting{kind}; take free{kind}; put working{kind}; }}")?;
    writeln!(out, "    transition finish{kind} {{ take working{kind}; put free{kind}; put done{kind}; }}")?;
    writeln!(out, "    transition ship{kind} {{ take done{kind}; put shipped{kind}; }}")?;
    writeln!(out, "    transition replace{kind} {{ take shipped{kind}; put part{kind}; }}")?;
    writeln!(out, "    transition keep{kind} {{ take done{kind}; put partner{kind}; }}")
}
