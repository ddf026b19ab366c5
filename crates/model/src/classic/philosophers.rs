//! Dining philosophers: each with the fork to his right.
//!
//! A philosopher is idle, then waits for both forks, takes them in any order, and eats, which puts both back. In all
//! shapes the fork, which the neighbour needs, is the last place of a philosopher and so next to the neighbour.

use super::{Classic, Shape, Size, states, write_opening};
use std::fmt;
use std::io::{self, Write};

const LUCAS: &str = "The number of states is the Lucas number of 3 N.";

fn opening(
    out: &mut dyn Write, title: &[&str], size: &dyn fmt::Display, shape: Shape, number: Option<u64>,
) -> io::Result<()> {
    let first =
        format!("Dining philosophers, {size} of them. Each is idle, then waits for the fork to his left and for");
    let second = "the one to his right, takes them in any order, and eats, which puts both back.";
    let title: Vec<&str> = [first.as_str(), second].into_iter().chain(title.iter().copied()).collect();
    let count = number.map(|number| states::philosophers(number).sentence());
    let states: Vec<&str> = count.as_deref().into_iter().chain([LUCAS]).collect();
    write_opening(out, &title, (Classic::Philosophers, size, shape), &states)
}

/// A philosopher with the fork to his right, and what they do without their neighbours.
const OWN: &str = "    place idle = 1;
    place waitLeft;
    place waitRight;
    place hasLeft;
    place hasRight;
    place fork = 1;
    transition hungry { take idle; put waitLeft; put waitRight; }
    transition takeRight { take fork; take waitRight; put hasRight; }";

/// A ring of philosophers: an instance for each.
pub(super) fn ring(n: u64, out: &mut dyn Write) -> io::Result<()> {
    let title = "Here each is an instance of one net, with the fork to his right; they sit in a ring.";
    opening(out, &[title], &n, Shape::Ring, Some(n))?;
    writeln!(out, "$N = {n};\ntypedef seat = 0 .. ($N - 1);\n")?;
    writeln!(out, "net Philosopher {{\n{OWN}")?;
    out.write_all(
        br#"    // What needs the fork to the left, which the left neighbour has.
    transition takeLeft label "takeLeft" { take waitLeft; put hasLeft; }
    transition eat label "eat" { take hasLeft; take hasRight; put idle; put fork; }
    // What the right neighbour does with the fork here.
    transition lend label "lend" { take fork; }
    transition return label "return" { put fork; }
}

composite Table {
    Philosopher [$N] at;
    synchronization takeLeft (seat $i) {
        at[$i]."takeLeft";
        at[($i + $N - 1) % $N]."lend";
    }
    synchronization eat (seat $i) {
        at[$i]."eat";
        at[($i + $N - 1) % $N]."return";
    }
}

main Table;
"#,
    )
}

/// One net.
pub(super) fn flat(n: u64, out: &mut dyn Write) -> io::Result<()> {
    opening(out, &["Here all are in one net."], &n, Shape::Flat, Some(n))?;
    writeln!(out, "net Philosophers {{")?;
    for i in 0..n {
        write!(out, "    place idle_{i} = 1; place waitLeft_{i}; place waitRight_{i}; ")?;
        writeln!(out, "place hasLeft_{i}; place hasRight_{i}; place fork_{i} = 1;")?;
    }
    for i in 0..n {
        let left = (i + n - 1) % n;
        writeln!(out, "    transition hungry_{i} {{ take idle_{i}; put waitLeft_{i}; put waitRight_{i}; }}")?;
        writeln!(out, "    transition takeRight_{i} {{ take fork_{i}; take waitRight_{i}; put hasRight_{i}; }}")?;
        writeln!(out, "    transition takeLeft_{i} {{ take fork_{left}; take waitLeft_{i}; put hasLeft_{i}; }}")?;
        write!(out, "    transition eat_{i} {{ take hasLeft_{i}; take hasRight_{i}; ")?;
        writeln!(out, "put idle_{i}; put fork_{i}; put fork_{left}; }}")?;
    }
    writeln!(out, "}}\n\nmain Philosophers;")
}

/// Recursive folding: groups of groups, by the binary digits of the size (SDD paper, 8.1).
///
/// `G5` is 2^5 philosophers side by side, two groups `G4`. `R5` is as many as the binary digits up to 2^5 say: `R` of
/// the digits below, then a `G5`. A level is kept short in text, for there may be 100,000.
pub(super) fn fold(size: &Size, out: &mut dyn Write) -> io::Result<()> {
    let title = [
        "Here they are folded: G1 is two philosophers side by side, G2 is two G1, and so on: G5 is 2^5 of them. A size",
        "that is no power of two is put together by its binary digits: R5 is as many as the digits up to 2^5 say.",
        "A philosopher and a group look the same to their neighbours, who call",
        "    \"t\": the first philosopher takes the fork to his left, which is outside;",
        "    \"e\": he eats and puts that fork back;",
        "    \"g\": the last fork is got by the right neighbour; \"p\": it is put back.",
    ];
    opening(out, &title, size, Shape::Fold, size.to_u64())?;
    writeln!(out, "net G0 {{\n{OWN}")?;
    out.write_all(
        br#"    transition takeLeft label "t" { take waitLeft; put hasLeft; }
    transition eat label "e" { take hasLeft; take hasRight; put idle; put fork; }
    transition lend label "g" { take fork; }
    transition return label "p" { put fork; }
}

"#,
    )?;
    let mut whole: Option<(char, usize)> = None;
    for (level, &digit) in size.digits().iter().enumerate() {
        if level > 0 {
            group(out, ('G', level), ('G', level - 1), ('G', level - 1))?;
        }
        if digit {
            whole = Some(match whole {
                None => ('G', level),
                Some(below) => {
                    group(out, ('R', level), below, ('G', level))?;
                    ('R', level)
                }
            });
        }
    }
    let (kind, level) = whole.unwrap_or(('G', 0));
    writeln!(out, "\n// The two ends come together.\ncomposite Table {{\n    {kind}{level} all;")?;
    writeln!(out, "    synchronization takeLeft {{ all.\"t\"; all.\"g\"; }}")?;
    writeln!(out, "    synchronization eat {{ all.\"e\"; all.\"p\"; }}\n}}\n\nmain Table;")
}

/// Two groups side by side, `a` to the left of `b`.
fn group(out: &mut dyn Write, this: (char, usize), a: (char, usize), b: (char, usize)) -> io::Result<()> {
    writeln!(out, "composite {}{} {{{}{} a;{}{} b;", this.0, this.1, a.0, a.1, b.0, b.1)?;
    out.write_all(
        br#"synchronization t label "t"{a."t";}
synchronization e label "e"{a."e";}
synchronization g label "g"{b."g";}
synchronization p label "p"{b."p";}
synchronization l{a."g";b."t";}
synchronization r{a."p";b."e";}}
"#,
    )
}
