//! Answers and traces as Python values.

use mandala::{Step, Trace, Verdict};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

/// An answer to a question, as the engine gives it.
#[pyclass(frozen, module = "pymandala._native")]
pub struct Answer {
    answer: mandala::Answer,
}

impl Answer {
    /// An answer of the front door.
    pub fn new(answer: mandala::Answer) -> Answer {
        Answer { answer }
    }
}

#[pymethods]
impl Answer {
    #[getter]
    fn name(&self) -> &str {
        self.answer.question.name()
    }

    #[getter]
    fn kind(&self) -> &'static str {
        self.answer.question.kind().name()
    }

    #[getter]
    fn holds(&self) -> Option<bool> {
        self.answer.holds()
    }

    #[getter]
    fn verdict(&self) -> String {
        self.answer.verdict_in_words()
    }

    #[getter]
    fn value(&self) -> Option<(i64, i64)> {
        match self.answer.verdict {
            Verdict::Bounds { least, greatest } => Some((least, greatest)),
            _ => None,
        }
    }

    #[getter]
    fn reason(&self) -> Option<&str> {
        match &self.answer.verdict {
            Verdict::Unknown(reason) => Some(reason),
            _ => None,
        }
    }

    #[getter]
    fn answered_on(&self) -> Option<&str> {
        self.answer.answered_on.as_deref()
    }

    #[getter]
    fn seconds(&self) -> f64 {
        self.answer.time.as_secs_f64()
    }

    #[getter]
    fn explanation(&self) -> String {
        self.answer.explanation()
    }

    #[getter]
    fn why_no_trace(&self) -> Option<&str> {
        self.answer.trace.as_ref()?.as_ref().err().map(String::as_str)
    }

    /// The trace as a dictionary of plain values; nothing if there is none.
    fn trace_data<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.answer.trace().map(|trace| trace_data(py, trace)).transpose()
    }

    /// The trace as a picture.
    fn trace_svg(&self) -> Option<String> {
        self.answer.trace().map(Trace::svg)
    }

    fn __str__(&self) -> String {
        self.answer.to_string()
    }
}

/// A trace as a dictionary of plain values.
fn trace_data<'py>(py: Python<'py>, trace: &Trace) -> PyResult<Bound<'py, PyDict>> {
    let keys: Vec<Bound<'py, PyString>> = trace.initial.iter().map(|(name, _)| PyString::new(py, name)).collect();
    let state = PyDict::new(py);
    for (key, (_, value)) in keys.iter().zip(&trace.initial) {
        state.set_item(key, value.number)?;
    }
    let data = PyDict::new(py);
    data.set_item("initial", state.copy()?)?;
    data.set_item("shortest", trace.shortest)?;
    data.set_item("repeats", trace.repeats)?;
    let steps = PyList::empty(py);
    for step in &trace.steps {
        let changes = PyDict::new(py);
        for change in &step.changes {
            let key = keys.get(change.index).cloned().unwrap_or_else(|| PyString::new(py, &change.variable));
            changes.set_item(&key, (change.before.number, change.after.number))?;
            state.set_item(&key, change.after.number)?;
        }
        steps.append((&step.transition, changes, state.copy()?, &step.instances, &step.mishap))?;
    }
    data.set_item("steps", steps)?;
    let words = std::iter::once(trace.start_in_words()).chain(trace.steps.iter().map(Step::in_words));
    data.set_item("words", words.collect::<Vec<String>>())?;
    Ok(data)
}
