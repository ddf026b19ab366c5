//! A homomorphism of one's own: a queue as a variable that repeats, with a marker at its end
//! (SDD paper, 2.1).
//!
//! The queue `1, 2` is the sequence `q = 1; q = 2; q = END`. Queues of different lengths go together
//! in one diagram because all of them go on with `q` until the marker.

use std::io::Write;

use mandala_diagram::{Answer, Error, Inductive, Store, Strategy, Variable};

const QUEUE: Variable = 7;
const END: i32 = -1;

/// Puts a message at the end of a queue that has room for it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Put {
    message: i32,
    room: u32,
}

impl Inductive for Put {
    fn skips(&self, variable: Variable) -> bool {
        variable != QUEUE
    }

    fn at_value(&self, store: &mut Store, _: Variable, value: i32) -> Result<Answer, Error> {
        if self.room == 0 {
            return Ok(Answer::Drop);
        }
        if value == END {
            // The marker becomes the message, and a new marker follows.
            let end = store.state(&[(QUEUE, END)])?;
            return Ok(Answer::to(self.message, store.prepend(&end)));
        }
        Ok(Answer::Keep(store.inductive(Put { room: self.room - 1, ..self.clone() })))
    }
}

/// Takes the first message of a queue.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Take(i32);

impl Inductive for Take {
    fn skips(&self, variable: Variable) -> bool {
        variable != QUEUE
    }

    fn at_value(&self, store: &mut Store, _: Variable, value: i32) -> Result<Answer, Error> {
        // The assignment disappears: what is below it is the whole result.
        Ok(if value == self.0 { Answer::Whole(store.identity()) } else { Answer::Drop })
    }
}

fn main() -> Result<(), Error> {
    let mut store = Store::new();
    let empty = store.state(&[(0, 0), (QUEUE, END)])?;
    let mut transitions = Vec::new();
    for message in 1..=3 {
        transitions.push(store.inductive(Put { message, room: 4 }));
        transitions.push(store.inductive(Take(message)));
    }
    let states = store.reachable(&empty, &transitions, Strategy::Saturation)?;
    assert_eq!(store.count(&states), 121, "1 + 3 + 9 + 27 + 81");
    let mut text = format!("{} contents of a queue of at most four messages of three kinds\n", store.count(&states));
    for state in store.states(&states).take(8) {
        text += &format!("  {state}\n");
    }
    // Whoever reads the output may have seen enough of it.
    let _ = std::io::stdout().write_all(text.as_bytes());
    Ok(())
}
