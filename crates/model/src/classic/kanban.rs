//! Kanban: four cells, each with N cards over kanban, machine, rework and out.
//!
//! The kanban comes first in the order of places: then a diagram has five nodes a card, and N² otherwise.

use super::{Classic, Shape, states, write_opening};
use std::io::{self, Write};

fn opening(out: &mut dyn Write, title: &str, n: u64, shape: Shape) -> io::Result<()> {
    let first =
        format!("Kanban: four cells, each with {n} cards. Work enters cell 1; what comes out of it starts cells 2 and");
    let second = "3 together; what comes out of both starts cell 4. A cell with no card on its board takes no work.";
    let count = states::kanban(n).sentence();
    let formula = "In general C(N+3, 3)^2 (N+1) (N+2) (N+3) (3 N^2 + 12 N + 10) / 60.";
    write_opening(out, &[&first, second, title], (Classic::Kanban, &n, shape), &[&count, formula])?;
    writeln!(out, "$N = {n};\n")
}

/// An instance a cell.
pub(super) fn ring(n: u64, out: &mut dyn Write) -> io::Result<()> {
    opening(out, "Here each cell is an instance of one net.", n, Shape::Ring)?;
    out.write_all(
        br#"net Cell {
    place kanban = $N;
    place machine;
    place rework;
    place out;
    transition start label "start" { take kanban; put machine; }
    transition bad { take machine; put rework; }
    transition again { take rework; put machine; }
    transition good { take machine; put out; }
    transition end label "end" { take out; put kanban; }
}

composite Line {
    Cell cell1;
    Cell cell2;
    Cell cell3;
    Cell cell4;
    synchronization enter { cell1."start"; }
    synchronization split { cell1."end"; cell2."start"; cell3."start"; }
    synchronization join { cell2."end"; cell3."end"; cell4."start"; }
    synchronization leave { cell4."end"; }
}

main Line;
"#,
    )
}

/// One net.
pub(super) fn flat(n: u64, out: &mut dyn Write) -> io::Result<()> {
    opening(out, "Here all cells are in one net.", n, Shape::Flat)?;
    writeln!(out, "net Kanban {{")?;
    for cell in 1..=4 {
        writeln!(out, "    place kanban{cell} = $N; place machine{cell}; place rework{cell}; place out{cell};")?;
    }
    for cell in 1..=4 {
        writeln!(out, "    transition bad{cell} {{ take machine{cell}; put rework{cell}; }}")?;
        writeln!(out, "    transition again{cell} {{ take rework{cell}; put machine{cell}; }}")?;
        writeln!(out, "    transition good{cell} {{ take machine{cell}; put out{cell}; }}")?;
    }
    out.write_all(
        br#"    transition enter { take kanban1; put machine1; }
    transition split { take out1; take kanban2; take kanban3; put kanban1; put machine2; put machine3; }
    transition join { take out2; take out3; take kanban4; put kanban2; put kanban3; put machine4; }
    transition leave { take out4; put kanban4; }
}

main Kanban;
"#,
    )
}
