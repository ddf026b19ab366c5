//! A thread that keeps a state space, so that those who ask it need not.
//!
//! A state space borrows the system that it is of. Whoever wants to own both gives the system to a thread, which
//! explores it and then does what it is asked on what was found, until nobody can ask any more.

use super::answers::Asker;
use super::in_time::Watch;
use super::stack::STACK_BYTES;
use super::summary::{Explored, with_states};
use crate::error::{Error, ErrorKind};
use crate::options::Options;
use mandala_model::system::System;
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

/// What the thread is asked to do.
type Task = Box<dyn FnOnce(&mut Asker<'_>) + Send>;

/// A thread with a state space.
pub(crate) struct Worker {
    tasks: Option<Sender<Task>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Explores the system that somebody has in a thread of its own.
    pub fn explore<O: Send + 'static>(
        owner: O, system: fn(&O) -> Result<&System, Error>, options: Options,
    ) -> Result<(Explored, Worker), Error> {
        let (tell, told) = mpsc::channel::<Result<Explored, Error>>();
        let (tasks, to_do) = mpsc::channel::<Task>();
        let watch = Watch::begin(&options);
        let options = watch.options.clone();
        let work = move || {
            // Whoever wanted to know may be gone: then there is nothing to do either.
            let done = system(&owner).and_then(|system| {
                with_states(&options, system, |explored, asker| {
                    let _ = tell.send(Ok(explored));
                    to_do.iter().for_each(|task| task(asker));
                })
            });
            if let Err(error) = done {
                let _ = tell.send(Err(error));
            }
        };
        let thread = thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn(work)
            .map_err(|error| Error::new(ErrorKind::Other, format!("cannot start a thread: {error}")))?;
        let mut worker = Worker { tasks: Some(tasks), thread: Some(thread) };
        match watch.wait_for(&told) {
            Ok(Some(explored)) => explored.map(|explored| (explored, worker)),
            Err(reason) => {
                // It is left behind, and ends when it looks at its limits the next time.
                drop(worker.thread.take());
                Err(Error::new(ErrorKind::Other, reason.to_string()).stopped_by(Some(reason)))
            }
            Ok(None) => {
                worker.finish();
                Err(Error::new(ErrorKind::Other, "the exploration has no result"))
            }
        }
    }

    /// Does something with the state space, and waits for it.
    pub fn ask<T: Send + 'static>(&mut self, question: impl FnOnce(&mut Asker<'_>) -> T + Send + 'static) -> T {
        let (tell, told) = mpsc::channel();
        let task: Task = Box::new(move |asker| drop(tell.send(question(asker))));
        let sent = self.tasks.as_ref().map(|tasks| tasks.send(task));
        match told.recv() {
            Ok(answer) => answer,
            Err(_) => {
                drop(sent);
                self.finish();
                unreachable!("a thread that ends without a panic has done all its tasks")
            }
        }
    }

    /// Waits for the end of the thread; if it panicked, so does this.
    fn finish(&mut self) {
        drop(self.tasks.take());
        if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join) {
            std::panic::resume_unwind(panic);
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.tasks.take());
        if let Some(thread) = self.thread.take() {
            // Whoever asked last has heard of a panic.
            let _ = thread.join();
        }
    }
}
