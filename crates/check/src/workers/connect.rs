//! How processes find each other, and what is known of those that are lost.
//!
//! Each process listens on its own address, and on no other; it connects to those before it in the list and waits for those after
//! it. All of them must be about the same thing: the same version, model, questions and number of workers. After that timely has
//! the connections.
//!
//! timely stops the thread of a connection with a panic when the other side is gone, and tells nobody. Here a connection notes
//! that somebody is lost, and its thread rests; workers see it within moments and end with an error.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use timely::communication::allocator::zero_copy::stream::Stream;

use crate::limits::Limits;

/// The processes of a run: one address for each, and which of them this one is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    /// One `address:port` for each process.
    pub addresses: Vec<String>,
    /// The number of this process; the first is 0.
    pub process: usize,
    /// How long to wait for the others at the beginning.
    pub patience: Duration,
}

/// A process of which nothing is heard for so long is lost.
const SILENCE: Duration = Duration::from_secs(30);
/// How long processes wait for each other when all is said.
pub(super) const TO_PART: Duration = Duration::from_secs(2);
/// How long to wait between attempts to reach somebody.
const PAUSE: Duration = Duration::from_millis(10);
/// How long an attempt may take.
const ATTEMPT: Duration = Duration::from_secs(2);
/// What a process of this program says first.
const MAGIC: u64 = 0x6d61_6e64_616c_6101;

/// What went wrong between processes, and with the workers of this one.
#[derive(Debug, Default)]
pub(super) struct Faults {
    others: bool,
    lost: AtomicBool,
    finishing: AtomicBool,
    reason: Mutex<Option<String>>,
}

impl Faults {
    /// Nothing is wrong yet; `others` if there are other processes.
    pub(super) fn none(others: bool) -> Faults {
        Faults { others, ..Faults::default() }
    }

    /// Whether there are other processes.
    pub(super) fn has_others(&self) -> bool {
        self.others
    }

    /// Whether one of them, or a worker of this one, is lost.
    pub(super) fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// Somebody is lost, and why; the first reason counts.
    pub(super) fn lose(&self, reason: impl FnOnce() -> String) {
        let mut known = self.reason.lock().unwrap_or_else(PoisonError::into_inner);
        known.get_or_insert_with(reason);
        self.lost.store(true, Ordering::Relaxed);
    }

    /// Why somebody is lost.
    pub(super) fn reason(&self) -> String {
        let known = self.reason.lock().unwrap_or_else(PoisonError::into_inner);
        known.clone().unwrap_or_else(|| "a worker is lost".to_owned())
    }

    /// All have done their work: from here on connections end, and that is as it should be.
    pub(super) fn finish(&self) {
        self.finishing.store(true, Ordering::Relaxed);
    }

    fn is_finishing(&self) -> bool {
        self.finishing.load(Ordering::Relaxed)
    }
}

/// A connection to another process.
pub(super) struct Link {
    stream: TcpStream,
    name: Arc<str>,
    faults: Arc<Faults>,
    /// How many bytes that are 0 were read last.
    zeros: usize,
}

/// Timely ends what it sends with so many bytes that are 0.
const LAST_WORDS: usize = 48;

impl Link {
    fn lose(&self, what: &str) {
        self.faults.lose(|| format!("{} is lost: {what}", self.name));
    }

    fn note(&mut self, bytes: &[u8]) {
        let zeros = bytes.iter().rev().take(LAST_WORDS).take_while(|byte| **byte == 0).count();
        self.zeros = if zeros == bytes.len() { self.zeros + zeros } else { zeros };
    }

    /// Whether the other side has said its last words, and this one has, or is about to: it may take a moment until what was said
    /// before them is heard.
    fn is_over(&self) -> bool {
        if self.zeros < LAST_WORDS {
            return false;
        }
        let end = Instant::now() + TO_PART;
        while !self.faults.is_finishing() && Instant::now() < end {
            std::thread::sleep(PAUSE);
        }
        self.faults.is_finishing()
    }
}

impl Read for Link {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(buffer) {
                Ok(length) if length > 0 => {
                    self.note(&buffer[..length]);
                    return Ok(length);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Ok(_) if self.is_over() => return Ok(0),
                // Who is lost at the very end has said before what he knows.
                _ if self.faults.is_finishing() => {}
                Ok(_) => self.lose("it has closed the connection"),
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    self.lose(&format!("nothing was heard of it for {} s", SILENCE.as_secs()));
                }
                Err(error) => self.lose(&error.to_string()),
            }
            // timely would panic. This thread ends with the process, for which nobody waits.
            loop {
                std::thread::park_timeout(Duration::from_secs(3600));
            }
        }
    }
}

impl Write for Link {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.stream.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                if !self.faults.is_finishing() {
                    self.lose(&error.to_string());
                }
                // What is sent to somebody who is lost is lost.
                Ok(bytes.len())
            }
            sent => sent,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Link {
    fn try_clone(&self) -> io::Result<Link> {
        Ok(Link {
            stream: self.stream.try_clone()?,
            name: Arc::clone(&self.name),
            faults: Arc::clone(&self.faults),
            zeros: self.zeros,
        })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // The other side may be gone already.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}

/// Connects to all other processes: one connection for each, and none to this one. As long as the listener is kept, another run
/// with the same address is refused.
pub(super) fn connect(
    hosts: &Hosts, fingerprint: u64, limits: &Limits, faults: &Arc<Faults>,
) -> Result<(Vec<Option<Link>>, TcpListener), String> {
    let own = hosts.addresses.get(hosts.process).ok_or("there is no such process in the list of hosts")?;
    let listener = TcpListener::bind(own).map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => format!("cannot listen on {own}: it is in use, perhaps by another run"),
        _ => format!("cannot listen on {own}: {error}"),
    })?;
    listener.set_nonblocking(true).map_err(|error| error.to_string())?;
    let greeting = Greeting { process: hosts.process, processes: hosts.addresses.len(), fingerprint };
    let mut streams: Vec<Option<TcpStream>> = hosts.addresses.iter().map(|_| None).collect();
    let start = Instant::now();
    let is_missing = |index: usize, streams: &[Option<TcpStream>]| index != hosts.process && streams[index].is_none();
    while let Some(missing) = (0..streams.len()).find(|&index| is_missing(index, &streams)) {
        if start.elapsed() > hosts.patience {
            let address = &hosts.addresses[missing];
            return Err(format!("process {missing} ({address}) did not come up within {} s", hosts.patience.as_secs()));
        }
        if let Err(error) = limits.check() {
            return Err(format!("process {missing} ({}) has not come up: {error}", hosts.addresses[missing]));
        }
        let mut is_idle = true;
        let before = streams.iter_mut().zip(&hosts.addresses).enumerate().take(hosts.process);
        for (index, (place, address)) in before.filter(|(_, (place, _))| place.is_none()) {
            if let Some(mut stream) = attempt(address)
                && let Some(other) = greeting.exchange(&mut stream)
            {
                greeting.agrees(&other, Some(index), address)?;
                *place = Some(stream);
                is_idle = false;
            }
        }
        if let Ok((mut stream, from)) = listener.accept()
            && stream.set_nonblocking(false).is_ok()
            && let Some(other) = greeting.exchange(&mut stream)
        {
            greeting.agrees(&other, None, &from.to_string())?;
            if streams[other.process].is_some() {
                return Err(format!("process {} is there twice", other.process));
            }
            streams[other.process] = Some(stream);
            is_idle = false;
        }
        if is_idle {
            std::thread::sleep(PAUSE);
        }
    }
    let link = |(index, stream): (usize, Option<TcpStream>)| {
        let Some(stream) = stream else { return Ok(None) };
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(SILENCE))?;
        stream.set_write_timeout(Some(SILENCE))?;
        let name = format!("process {index} ({})", hosts.addresses[index]).into();
        Ok(Some(Link { stream, name, faults: Arc::clone(faults), zeros: 0 }))
    };
    let links: io::Result<Vec<Option<Link>>> = streams.into_iter().enumerate().map(link).collect();
    links.map(|links| (links, listener)).map_err(|error| error.to_string())
}

/// One attempt to reach somebody.
fn attempt(address: &str) -> Option<TcpStream> {
    let address = address.to_socket_addrs().ok()?.next()?;
    TcpStream::connect_timeout(&address, ATTEMPT).ok()
}

/// What processes say to each other first.
#[derive(Clone, Copy, Debug)]
struct Greeting {
    process: usize,
    processes: usize,
    fingerprint: u64,
}

impl Greeting {
    /// Says it, and hears that of the other side; nothing if that is nobody of us.
    fn exchange(&self, stream: &mut TcpStream) -> Option<Greeting> {
        stream.set_read_timeout(Some(ATTEMPT)).ok()?;
        let words = [MAGIC, self.process as u64, self.processes as u64, self.fingerprint];
        stream.write_all(&words.map(u64::to_le_bytes).concat()).ok()?;
        let mut bytes = [0; 32];
        stream.read_exact(&mut bytes).ok()?;
        let mut words = bytes.chunks_exact(8).map(|word| word.try_into().map_or(0, u64::from_le_bytes));
        let mut next = || words.next().unwrap_or(0);
        (next() == MAGIC).then(|| Greeting {
            process: next() as usize,
            processes: next() as usize,
            fingerprint: next(),
        })
    }

    /// Whether the other side works on the same thing.
    fn agrees(&self, other: &Greeting, expected: Option<usize>, from: &str) -> Result<(), String> {
        let is_expected = match expected {
            Some(index) => other.process == index,
            None => other.process > self.process && other.process < self.processes,
        };
        if other.processes != self.processes || !is_expected {
            return Err(format!(
                "{from} is process {} of {}: its list of hosts is another",
                other.process, other.processes
            ));
        }
        if other.fingerprint != self.fingerprint {
            return Err(format!(
                "process {} ({from}) does something else: all need the same version, model, questions and options",
                other.process
            ));
        }
        Ok(())
    }
}
