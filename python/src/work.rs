//! Long work: without the lock of the interpreter, ended by Ctrl-C, and with progress.

use crate::error::raised;
use mandala::{Cancel, Error, Options, Order, Strategy, Symmetry};
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How often signals are looked at while the engine works.
const PERIOD: Duration = Duration::from_millis(50);
/// How often progress is told.
const TELL_EVERY: Duration = Duration::from_millis(200);
/// No time is longer.
const LONGEST: f64 = 1e9;

/// What a query is told, as Python writes it.
#[derive(Default)]
pub struct Wishes {
    /// How the work is done.
    pub options: Options,
    /// Who is told how far it is.
    pub progress: Option<Py<PyAny>>,
}

/// The options of a query from the keyword arguments that all queries share.
pub fn wishes(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Wishes> {
    let mut wishes = Wishes::default();
    let Some(keywords) = keywords else { return Ok(wishes) };
    for (name, value) in keywords {
        let name: String = name.extract()?;
        if value.is_none() {
            continue;
        }
        let options = &mut wishes.options;
        match name.as_str() {
            "symmetry" => options.symmetry = symmetry(&value)?,
            "timeout" => options.timeout = Some(seconds(&value)?),
            "memory" => {
                options.memory = Some(match value.extract::<u64>() {
                    Ok(bytes) => bytes.into(),
                    Err(_) => value.extract::<String>()?.as_str().into(),
                });
            }
            "strategy" => options.strategy = strategy(&value.extract::<String>()?)?,
            "order" => options.order = order(&value)?,
            "progress" => wishes.progress = Some(value.unbind()),
            _ => {
                let known = "symmetry, timeout, memory, strategy, order, progress";
                let text = format!("`{name}` is no option of a query; there are {known}");
                return Err(pyo3::exceptions::PyTypeError::new_err(text));
            }
        }
    }
    Ok(wishes)
}

fn symmetry(value: &Bound<'_, PyAny>) -> PyResult<Symmetry> {
    if let Ok(wanted) = value.extract::<bool>() {
        return Ok(if wanted { Symmetry::Auto } else { Symmetry::Off });
    }
    Ok(match value.extract::<String>()?.as_str() {
        "off" => Symmetry::Off,
        "auto" => Symmetry::Auto,
        "explore" => Symmetry::Explore,
        "select" => Symmetry::Select,
        "list" => Symmetry::List,
        other => {
            let text = format!("`{other}`: symmetry is `auto`, `explore`, `select`, `list` or `off`");
            return Err(PyValueError::new_err(text));
        }
    })
}

fn strategy(text: &str) -> PyResult<Strategy> {
    Ok(match text {
        "saturation" => Strategy::Saturation,
        "chaining" => Strategy::Chaining,
        "breadth-first" => Strategy::BreadthFirst,
        "explicit" => Strategy::Explicit,
        other => {
            let text = format!("`{other}`: a strategy is `saturation`, `chaining`, `breadth-first` or `explicit`");
            return Err(PyValueError::new_err(text));
        }
    })
}

fn order(value: &Bound<'_, PyAny>) -> PyResult<Order> {
    match value.extract::<String>() {
        Ok(text) => Ok(Order::from(text.as_str())),
        Err(_) => Ok(Order::Names(value.extract()?)),
    }
}

fn seconds(value: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let seconds: f64 = match value.call_method0("total_seconds") {
        Ok(seconds) => seconds.extract()?,
        Err(_) => value.extract()?,
    };
    if !(0.0..LONGEST).contains(&seconds) {
        return Err(PyValueError::new_err(format!("{seconds} seconds is no time")));
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// Does work without the lock of the interpreter. Ctrl-C stops it, and becomes a `KeyboardInterrupt`; who wants to know
/// how far it is, is told now and then.
pub fn run<T: Send>(
    py: Python<'_>, wishes: Wishes, work: impl FnOnce(&Options) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let Wishes { options, progress } = wishes;
    let cancel = options.cancel.clone();
    py.detach(|| {
        std::thread::scope(|scope| {
            let (tell, told) = channel();
            let options = &options;
            scope.spawn(move || drop(tell.send(work(options))));
            let start = Instant::now();
            let mut spoken = start;
            let mut interrupted: Option<PyErr> = None;
            loop {
                match told.recv_timeout(PERIOD) {
                    Ok(result) => return interrupted.map_or_else(|| result.map_err(|error| raised(&error)), Err),
                    Err(RecvTimeoutError::Disconnected) => {
                        // The thread panicked; the scope passes that on.
                        return Err(PyKeyboardInterrupt::new_err("the work was ended"));
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
                if interrupted.is_some() {
                    continue;
                }
                let is_time = spoken.elapsed() >= TELL_EVERY;
                let heard = Python::attach(|py| {
                    py.check_signals()?;
                    match &progress {
                        Some(listener) if is_time => tell_progress(py, listener, options, start),
                        _ => Ok(()),
                    }
                });
                if is_time {
                    spoken = Instant::now();
                }
                if let Err(error) = heard {
                    stop(&cancel);
                    interrupted = Some(error);
                }
            }
        })
    })
}

fn stop(cancel: &Cancel) {
    cancel.cancel();
}

fn tell_progress(py: Python<'_>, listener: &Py<PyAny>, options: &Options, start: Instant) -> PyResult<()> {
    let told = PyDict::new(py);
    told.set_item("states", options.progress.states())?;
    told.set_item("nodes", options.progress.nodes())?;
    told.set_item("bytes", options.progress.bytes())?;
    told.set_item("seconds", start.elapsed().as_secs_f64())?;
    listener.call1(py, (told,))?;
    Ok(())
}
