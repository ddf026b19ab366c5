//! The dining philosophers of the Model Checking Contest.
//!
//! A philosopher thinks, takes one of his forks and then the other (he caught the left one first, or the right one), and
//! eats; the end puts both back. The names are those of the contest.
//!
//! The table can be turned, which leaves as many orbits as there are necklaces of N beads in three colours (51 for 5); it
//! can also be reflected, if left and right change places (30 for 5).

use super::{Classic, Shape, states, write_opening};
use std::io::{self, Write};

fn opening(out: &mut dyn Write, title: &str, n: u64, shape: Shape) -> io::Result<()> {
    let first =
        format!("The dining philosophers of the Model Checking Contest, {n} of them. Each thinks, takes the fork to");
    let title = [first.as_str(), "his left and the one to his right in any order, and eats until the end.", title];
    let count = states::contest_philosophers(n).sentence();
    write_opening(out, &title, (Classic::ContestPhilosophers, &n, shape), &[&count, "In general 3^N."])
}

/// A ring of philosophers: an instance for each, with the fork to his right.
pub(super) fn ring(n: u64, out: &mut dyn Write) -> io::Result<()> {
    opening(
        out,
        "Here each is an instance of one net, with the fork to his right; they sit in a ring.",
        n,
        Shape::Ring,
    )?;
    writeln!(out, "$N = {n};\ntypedef seat = 0 .. ($N - 1);\n")?;
    out.write_all(
        br#"net Philosopher {
    place Think = 1;
    place Catch1;
    place Catch2;
    place Eat;
    place Fork = 1;
    transition FF1b { take Think; take Fork; put Catch2; }
    transition FF2a { take Catch1; take Fork; put Eat; }
    // What needs the fork to the left, which the left neighbour has.
    transition FF1a label "takeLeft" { take Think; put Catch1; }
    transition FF2b label "takeLeft" { take Catch2; put Eat; }
    transition End label "end" { take Eat; put Think; put Fork; }
    // What the right neighbour does with the fork here.
    transition lend label "lend" { take Fork; }
    transition return label "return" { put Fork; }
}

composite Table {
    Philosopher [$N] at;
    synchronization takeLeft (seat $i) {
        at[$i]."takeLeft";
        at[($i + $N - 1) % $N]."lend";
    }
    synchronization end (seat $i) {
        at[$i]."end";
        at[($i + $N - 1) % $N]."return";
    }
}

main Table;
"#,
    )
}

/// One net, as in the contest.
pub(super) fn flat(n: u64, out: &mut dyn Write) -> io::Result<()> {
    opening(out, "Here all are in one net.", n, Shape::Flat)?;
    writeln!(out, "net Philosophers {{")?;
    for i in 1..=n {
        write!(out, "    place Think_{i} = 1; place Catch1_{i}; place Catch2_{i}; ")?;
        writeln!(out, "place Eat_{i}; place Fork_{i} = 1;")?;
    }
    for i in 1..=n {
        let left = if i == 1 { n } else { i - 1 };
        writeln!(out, "    transition FF1a_{i} {{ take Think_{i}; take Fork_{left}; put Catch1_{i}; }}")?;
        writeln!(out, "    transition FF1b_{i} {{ take Think_{i}; take Fork_{i}; put Catch2_{i}; }}")?;
        writeln!(out, "    transition FF2a_{i} {{ take Catch1_{i}; take Fork_{i}; put Eat_{i}; }}")?;
        writeln!(out, "    transition FF2b_{i} {{ take Catch2_{i}; take Fork_{left}; put Eat_{i}; }}")?;
        write!(out, "    transition End_{i} {{ take Eat_{i}; put Think_{i}; ")?;
        writeln!(out, "put Fork_{i}; put Fork_{left}; }}")?;
    }
    writeln!(out, "}}\n\nmain Philosophers;")
}
