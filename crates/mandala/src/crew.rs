//! Who explores states one by one: threads of this process, and other processes; and how it went.

use crate::error::{Error, ErrorKind};
use mandala_check::workers;
pub use mandala_check::workers::Share;
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Who explores states one by one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crew {
    /// How many workers each process has; as many as there are processors if this is not said.
    pub workers: Option<usize>,
    /// The processes, if there are others.
    pub hosts: Option<Hosts>,
    /// Where checkpoints are written, and read at the beginning.
    pub checkpoints: Option<Checkpoints>,
}

/// The processes of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    /// One `address:port` for each process.
    pub addresses: Vec<String>,
    /// The number of this process; the first is 0.
    pub process: usize,
    /// How long to wait for the others at the beginning.
    pub patience: Duration,
}

/// Where checkpoints are written, and how often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoints {
    /// The folder: each process has one of its own in it.
    pub folder: PathBuf,
    /// One every so many levels.
    pub every: u64,
}

/// How long to wait for other processes if nothing is said.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The most workers of a process.
const MOST_WORKERS: usize = 256;

impl Hosts {
    /// The addresses in a text, one on each line or separated by commas. Empty lines do not count.
    pub fn addresses(text: &str) -> Result<Vec<String>, Error> {
        let error = |text: String| Error::new(ErrorKind::Hosts, text);
        let lines = text.split([',', '\n']).map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let addresses: Vec<String> = lines.map(str::to_owned).collect();
        for (number, address) in addresses.iter().enumerate() {
            let port = address.rsplit_once(':').and_then(|(host, port)| {
                let is_address = address.parse::<SocketAddr>().is_ok() || !(host.is_empty() || host.contains(':'));
                port.parse::<u16>().ok().filter(|port| *port > 0 && is_address)
            });
            if port.is_none() {
                return Err(error(format!("`{address}` is no address with a port, as in `10.0.0.1:2101`")));
            }
            if addresses[..number].contains(address) {
                return Err(error(format!("`{address}` is there twice: each process has an address of its own")));
            }
        }
        if addresses.is_empty() {
            return Err(error("the list of hosts is empty".to_owned()));
        }
        Ok(addresses)
    }
}

impl Crew {
    /// Whether others take part, or files: what cannot be done so is refused then.
    pub(crate) fn is_demanding(&self) -> bool {
        self.hosts.is_some() || self.checkpoints.is_some()
    }

    /// Whether nobody says how many workers there are, and no others take part.
    pub(crate) fn is_free(&self) -> bool {
        self.workers.is_none() && !self.is_demanding()
    }

    /// How many workers this process has.
    pub(crate) fn workers_here(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        self.workers.unwrap_or_else(processors).clamp(1, MOST_WORKERS)
    }

    /// The same for the engine.
    pub(crate) fn for_engine(&self) -> Result<workers::Crew, Error> {
        let workers = self.workers_here();
        let hosts = self.hosts.as_ref().map(|hosts| workers::Hosts {
            addresses: hosts.addresses.clone(),
            process: hosts.process,
            patience: hosts.patience,
        });
        if let Some(hosts) = &hosts
            && hosts.process >= hosts.addresses.len()
        {
            let (process, count) = (hosts.process, hosts.addresses.len());
            return Err(Error::new(
                ErrorKind::Hosts,
                format!("there is no process {process}: the list has {count} hosts, from 0"),
            ));
        }
        let kept = self.checkpoints.as_ref();
        let checkpoints =
            kept.map(|kept| workers::Checkpoints { folder: kept.folder.clone(), every: kept.every.max(1) });
        Ok(workers::Crew { workers, hosts, checkpoints, alone_while: None })
    }
}

/// How an exploration by several workers went. Displayed, it is a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Work {
    /// How many levels there are, the initial states included.
    pub levels: u64,
    /// How many bits a state has.
    pub bits: u32,
    /// How many bytes a packed state has.
    pub bytes_of_state: u64,
    /// What each worker had to do.
    pub shares: Vec<Share>,
    /// How often everything began anew, because a value had no room.
    pub restarts: u32,
    /// The level from which it went on, if it began with a checkpoint.
    pub resumed: Option<u64>,
    /// Files of checkpoints that were passed over, and why.
    pub passed_over: Vec<String>,
    /// How long it took.
    pub time: Duration,
}

impl Work {
    pub(crate) fn of(report: workers::Report) -> Work {
        let workers::Report { levels, bits, bytes_of_state, shares, restarts, resumed, passed_over, time } = report;
        Work { levels, bits, bytes_of_state, shares, restarts, resumed, passed_over, time }
    }

    fn states(&self) -> u64 {
        self.shares.iter().map(|share| share.states).sum()
    }

    /// States in a second, of all workers.
    pub fn states_per_second(&self) -> f64 {
        self.states() as f64 / self.time.as_secs_f64().max(1e-9)
    }

    /// Bytes in use for each state.
    pub fn bytes_per_state(&self) -> f64 {
        self.shares.iter().map(|share| share.bytes).sum::<u64>() as f64 / (self.states() as f64).max(1.0)
    }

    /// Bytes of states that were sent from worker to worker.
    pub fn sent(&self) -> u64 {
        self.shares.iter().map(|share| share.sent).sum()
    }

    /// How many letters they were in.
    pub fn letters(&self) -> u64 {
        self.shares.iter().map(|share| share.letters).sum()
    }

    /// The states of the worker that has the most, by the average.
    pub fn balance(&self) -> f64 {
        let most = self.shares.iter().map(|share| share.states).max().unwrap_or(0);
        most as f64 * self.shares.len() as f64 / (self.states() as f64).max(1.0)
    }

    /// Which part of the time workers could do nothing but wait.
    pub fn waiting(&self) -> f64 {
        let waited: f64 = self.shares.iter().map(|share| share.waiting.as_secs_f64()).sum();
        waited / (self.time.as_secs_f64() * self.shares.len() as f64).max(1e-9)
    }
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let workers = self.shares.len();
        write!(f, "{workers} worker{}, {} levels", if workers == 1 { "" } else { "s" }, self.levels)?;
        write!(f, ", {:.0} states/s", self.states_per_second())?;
        write!(f, ", {:.1} bytes per state ({} packed)", self.bytes_per_state(), self.bytes_of_state)?;
        if workers > 1 {
            write!(f, ", {:.1} MB sent in {} letters", self.sent() as f64 / 1e6, self.letters())?;
            write!(f, ", balance {:.2}, waiting {:.0} %", self.balance(), 100.0 * self.waiting())?;
        }
        if let Some(level) = self.resumed {
            write!(f, ", went on from level {level}")?;
        }
        Ok(())
    }
}
