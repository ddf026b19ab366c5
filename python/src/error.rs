//! Errors as exceptions that show the place.

use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::PyDict;

create_exception!(pymandala, MandalaError, PyException, "Why there is no model, no answer or no picture.");
create_exception!(pymandala, ReadError, MandalaError, "A file or a formula that cannot be read.");

/// An error of the front door as an exception: its text shows the place; its attributes are for programs.
pub fn raised(error: &mandala::Error) -> PyErr {
    let is_text = matches!(error.kind(), mandala::ErrorKind::Text | mandala::ErrorKind::File);
    let text = error.to_string();
    let raised = if is_text { ReadError::new_err(text) } else { MandalaError::new_err(text) };
    Python::attach(|py| {
        // Without its attributes it is the same exception.
        let _ = describe(py, &raised, error);
    });
    raised
}

fn describe(py: Python<'_>, raised: &PyErr, error: &mandala::Error) -> PyResult<()> {
    let value = raised.value(py);
    value.setattr("message", error.message())?;
    value.setattr("help", error.help())?;
    value.setattr("kind", format!("{:?}", error.kind()))?;
    let mut problems = Vec::new();
    if let Some(unreadable) = error.unreadable() {
        for problem in &unreadable.problems {
            let before = unreadable.source.get(..problem.span.start as usize).unwrap_or_default();
            let line = 1 + before.matches('\n').count();
            let column = 1 + before.rsplit('\n').next().unwrap_or_default().chars().count();
            let entry = PyDict::new(py);
            entry.set_item("file", &unreadable.file)?;
            entry.set_item("line", line)?;
            entry.set_item("column", column)?;
            entry.set_item("message", &problem.message)?;
            entry.set_item("help", &problem.help)?;
            problems.push(entry);
        }
    }
    value.setattr("problems", problems)
}
