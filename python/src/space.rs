//! State spaces and sets of states as Python values.

use crate::answer::Answer;
use crate::error::{MandalaError, raised};
use crate::work::{Wishes, run};
use mandala::{Count, Counted, Reason, States, Variables};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::{PyBytes, PyDict, PyInt, PyString};
use std::sync::{Arc, Mutex, PoisonError};

/// The names of variables, as Python has them: made once, shared by all dictionaries.
pub fn keys(py: Python<'_>, variables: &Variables) -> Vec<Py<PyString>> {
    variables.names().iter().map(|name| PyString::intern(py, name).unbind()).collect()
}

/// A state as a dictionary.
pub fn dictionary<'py>(py: Python<'py>, keys: &[Py<PyString>], values: &[i32]) -> PyResult<Bound<'py, PyDict>> {
    let state = PyDict::new(py);
    for (key, &value) in keys.iter().zip(values) {
        state.set_item(key.bind(py), value)?;
    }
    Ok(state)
}

/// A number of states as a number of Python.
fn number<'py>(py: Python<'py>, count: &Count) -> PyResult<Bound<'py, PyAny>> {
    if let Some(small) = count.to_u64() {
        return Ok(small.into_pyobject(py)?.into_any());
    }
    match count.exact() {
        Some(exact) => {
            let bytes = PyBytes::new(py, &exact.to_le_bytes());
            py.get_type::<PyInt>().call_method1("from_bytes", (bytes, "little"))
        }
        None => {
            let text = format!("{count} is a number of too many digits to write down; `count_text` has it");
            Err(PyOverflowError::new_err(text))
        }
    }
}

/// The states of a model, as many as were found.
#[pyclass(frozen, module = "pymandala._native")]
pub struct Space {
    space: mandala::Space,
    /// The names of variables; an error where states are too large to be written down.
    names: Result<Arc<Vec<Py<PyString>>>, String>,
}

impl Space {
    /// A space of the front door.
    pub fn new(py: Python<'_>, space: mandala::Space) -> PyResult<Space> {
        let names = py.detach(|| space.variables());
        let names = names.map(|variables| Arc::new(keys(py, &variables))).map_err(|error| error.to_string());
        Ok(Space { space, names })
    }

    fn names(&self) -> PyResult<&Arc<Vec<Py<PyString>>>> {
        self.names.as_ref().map_err(|error| MandalaError::new_err(error.clone()))
    }

    fn set(&self, set: mandala::StateSet) -> PyResult<StateSet> {
        Ok(StateSet { set, names: Arc::clone(self.names()?) })
    }
}

#[pymethods]
impl Space {
    #[getter]
    fn count<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.space.count() {
            Counted::Exactly(count) | Counted::AtLeast(count) => number(py, &count),
            Counted::Infinitely => Ok(f64::INFINITY.into_pyobject(py)?.into_any()),
            Counted::Unknown => Ok(py.None().into_bound(py)),
        }
    }

    #[getter]
    fn count_text(&self) -> String {
        self.space.count().to_string()
    }

    #[getter]
    fn complete(&self) -> bool {
        self.space.is_complete()
    }

    #[getter]
    fn stopped(&self) -> Option<&'static str> {
        Some(match self.space.stopped()? {
            Reason::Time(_) => "time",
            Reason::Memory => "memory",
            Reason::Cancelled => "interrupt",
        })
    }

    #[getter]
    fn representatives<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.space.representatives().map(|count| number(py, &count)).transpose()
    }

    #[getter]
    fn symmetries(&self) -> Vec<String> {
        self.space.quotient().map(|quotient| quotient.words()).unwrap_or_default()
    }

    #[getter]
    fn nodes(&self) -> Option<usize> {
        self.space.nodes()
    }

    #[getter]
    fn seconds(&self) -> f64 {
        self.space.time().as_secs_f64()
    }

    fn check(&self, py: Python<'_>, formula: String) -> PyResult<Answer> {
        let space = self.space.clone();
        run(py, Wishes::default(), move |_| space.check(&formula)).map(Answer::new)
    }

    fn all(&self, py: Python<'_>) -> PyResult<StateSet> {
        let set = py.detach(|| self.space.all()).map_err(|error| raised(&error))?;
        self.set(set)
    }

    fn where_(&self, py: Python<'_>, formula: String) -> PyResult<StateSet> {
        let space = self.space.clone();
        let set = run(py, Wishes::default(), move |_| space.where_(&formula))?;
        self.set(set)
    }

    fn diagram_svg(&self, py: Python<'_>, most: usize) -> PyResult<String> {
        py.detach(|| Ok(self.space.picture(most)?.svg())).map_err(|error: mandala::Error| raised(&error))
    }

    fn diagram_dot(&self, py: Python<'_>, most: usize) -> PyResult<String> {
        py.detach(|| Ok(self.space.picture(most)?.dot())).map_err(|error: mandala::Error| raised(&error))
    }
}

/// A set of states.
#[pyclass(frozen, module = "pymandala._native")]
pub struct StateSet {
    set: mandala::StateSet,
    names: Arc<Vec<Py<PyString>>>,
}

impl StateSet {
    fn of(&self, set: Result<mandala::StateSet, mandala::Error>) -> PyResult<StateSet> {
        Ok(StateSet { set: set.map_err(|error| raised(&error))?, names: Arc::clone(&self.names) })
    }

    fn values(&self, state: &Bound<'_, PyDict>) -> PyResult<Option<Vec<i32>>> {
        if state.len() != self.names.len() {
            return Ok(None);
        }
        let mut values = Vec::with_capacity(self.names.len());
        for key in self.names.iter() {
            match state.get_item(key)?.map(|value| value.extract::<i32>()) {
                Some(Ok(value)) => values.push(value),
                Some(Err(_)) | None => return Ok(None),
            }
        }
        Ok(Some(values))
    }
}

#[pymethods]
impl StateSet {
    #[getter]
    fn count<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let count = py.detach(|| self.set.count());
        number(py, &count)
    }

    #[getter]
    fn count_text(&self, py: Python<'_>) -> String {
        py.detach(|| self.set.count()).to_string()
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let count = py.detach(|| self.set.count());
        let small = count.to_u64().and_then(|count| usize::try_from(count).ok()).filter(|&n| n <= isize::MAX as usize);
        small.ok_or_else(|| PyOverflowError::new_err(format!("{count} states are too many for len(); use `.count`")))
    }

    fn __bool__(&self) -> bool {
        !self.set.is_empty()
    }

    fn __or__(&self, py: Python<'_>, other: &StateSet) -> PyResult<StateSet> {
        self.of(py.detach(|| self.set.union(&other.set)))
    }

    fn __and__(&self, py: Python<'_>, other: &StateSet) -> PyResult<StateSet> {
        self.of(py.detach(|| self.set.intersection(&other.set)))
    }

    fn __sub__(&self, py: Python<'_>, other: &StateSet) -> PyResult<StateSet> {
        self.of(py.detach(|| self.set.difference(&other.set)))
    }

    fn __contains__(&self, py: Python<'_>, state: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(state) = state.cast::<PyDict>() else { return Ok(false) };
        let Some(values) = self.values(state)? else { return Ok(false) };
        let contains = py.detach(|| {
            let state = self.set.space().variables()?.state_of(values)?;
            self.set.contains(&state)
        });
        contains.map_err(|error| raised(&error))
    }

    fn __richcmp__(&self, py: Python<'_>, other: &StateSet, how: CompareOp) -> PyResult<bool> {
        let within = |one: &mandala::StateSet, other: &mandala::StateSet| {
            let rest = py.detach(|| one.difference(other)).map_err(|error| raised(&error))?;
            Ok(rest.is_empty())
        };
        match how {
            CompareOp::Eq => Ok(self.set == other.set),
            CompareOp::Ne => Ok(self.set != other.set),
            CompareOp::Le => within(&self.set, &other.set),
            CompareOp::Ge => within(&other.set, &self.set),
            CompareOp::Lt => Ok(self.set != other.set && within(&self.set, &other.set)?),
            CompareOp::Gt => Ok(self.set != other.set && within(&other.set, &self.set)?),
        }
    }

    fn __iter__(&self) -> StateIterator {
        StateIterator { states: Mutex::new(self.set.iter()), names: Arc::clone(&self.names) }
    }

    fn sample<'py>(&self, py: Python<'py>, how_many: usize, seed: u64) -> PyResult<Vec<Bound<'py, PyDict>>> {
        if how_many > 1_000_000 {
            return Err(PyValueError::new_err("at most a million states are drawn at a time"));
        }
        let states = py.detach(|| self.set.sample(how_many, seed)).map_err(|error| raised(&error))?;
        states.iter().map(|state| dictionary(py, &self.names, state.values())).collect()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<StateSet: {} states>", self.count_text(py))
    }
}

/// The states of a set, one after the other.
#[pyclass(frozen, module = "pymandala._native")]
pub struct StateIterator {
    states: Mutex<States>,
    names: Arc<Vec<Py<PyString>>>,
}

#[pymethods]
impl StateIterator {
    fn __iter__(own: PyRef<'_, Self>) -> PyRef<'_, Self> {
        own
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        // Most often the next state was fetched before; else somebody else may have to work for it.
        let ready = self.states.try_lock().ok().and_then(|mut states| states.fetched_values());
        let values = match ready {
            Some(values) => Some(values),
            None => py.detach(|| self.states.lock().unwrap_or_else(PoisonError::into_inner).next_values()),
        };
        values.map(|values| dictionary(py, &self.names, &values)).transpose()
    }
}
