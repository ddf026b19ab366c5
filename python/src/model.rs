//! Models as Python values.

use crate::answer::Answer;
use crate::error::{MandalaError, raised};
use crate::space::{Space, dictionary, keys};
use crate::work::{Wishes, run, wishes};
use mandala::classic::{Classic, Shape, Size};
use mandala::{Format, Picture, Question, Reach, Reader, Walk};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::OnceLock;

/// A picture with more nodes than this is not shown by itself.
const MOST_NODES: usize = 300;
/// Nor are more states than this.
const MOST_STATES: usize = 60;

/// A model: a net, a coloured net, a program or a composite.
#[pyclass(frozen, module = "pymandala._native")]
pub struct Model {
    model: mandala::Model,
    /// What walks through its states, with the names of variables as Python has them, once somebody walked.
    walk: OnceLock<(Walk, Vec<Py<PyString>>)>,
}

impl From<mandala::Model> for Model {
    fn from(model: mandala::Model) -> Model {
        Model { model, walk: OnceLock::new() }
    }
}

fn reader(format: Option<&str>, constants: Option<Vec<(String, i32)>>) -> PyResult<Reader> {
    let mut reader = Reader::new();
    if let Some(format) = format {
        reader = reader.format(Format::from_str(format).map_err(MandalaError::new_err)?);
    }
    Ok(constants.unwrap_or_default().into_iter().fold(reader, |reader, (name, value)| reader.define(name, value)))
}

/// Reads a model from a file.
#[pyfunction]
pub fn read(
    py: Python<'_>, path: PathBuf, format: Option<&str>, constants: Option<Vec<(String, i32)>>,
) -> PyResult<Model> {
    let reader = reader(format, constants)?;
    run(py, Wishes::default(), |_| reader.read(path)).map(Model::from)
}

/// Reads a model from a text.
#[pyfunction]
pub fn parse(
    py: Python<'_>, text: String, format: Option<&str>, constants: Option<Vec<(String, i32)>>,
) -> PyResult<Model> {
    let reader = reader(format, constants)?;
    run(py, Wishes::default(), |_| reader.parse(&text)).map(Model::from)
}

/// Writes a classic model of some size, as GAL.
#[pyfunction]
pub fn generate(name: &str, size: &str, shape: Option<&str>) -> PyResult<String> {
    let classic = Classic::from_str(name).map_err(|error| MandalaError::new_err(error.to_string()))?;
    let size = Size::from_str(size).map_err(|error| MandalaError::new_err(error.to_string()))?;
    let shape = shape.map(Shape::from_str).transpose().map_err(|error| MandalaError::new_err(error.to_string()))?;
    let mut text = Vec::new();
    mandala::classic::generate(classic, &size, shape, &mut text)
        .map_err(|error| MandalaError::new_err(error.to_string()))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

impl Model {
    fn walk(&self, py: Python<'_>) -> PyResult<&(Walk, Vec<Py<PyString>>)> {
        if self.walk.get().is_none() {
            let model = self.model.clone();
            let walk = run(py, Wishes::default(), move |_| model.walk())?;
            let keys = keys(py, walk.variables());
            // If another thread was faster, it is the same.
            let _ = self.walk.set((walk, keys));
        }
        self.walk.get().ok_or_else(|| MandalaError::new_err("there is nothing to walk through"))
    }

    fn state(&self, py: Python<'_>, state: &Bound<'_, PyDict>) -> PyResult<mandala::State> {
        let (walk, keys) = self.walk(py)?;
        let mut values = Vec::with_capacity(keys.len());
        for key in keys {
            match state.get_item(key)? {
                Some(value) => values.push(value.extract::<i32>()?),
                None => return Err(MandalaError::new_err(format!("the state has no value for `{}`", key.bind(py)))),
            }
        }
        if state.len() != keys.len() {
            for name in state.keys() {
                let name: String = name.extract()?;
                if walk.variables().index_of(&name).is_none() {
                    let error = walk.variables().state([(name.as_str(), 0)]).err();
                    return Err(error.map_or_else(|| MandalaError::new_err(name), |error| raised(&error)));
                }
            }
        }
        walk.variables().state_of(values).map_err(|error| raised(&error))
    }

    /// The picture that says most of the model.
    fn drawn(&self, py: Python<'_>, what: &str) -> PyResult<Picture> {
        let model = self.model.clone();
        match what {
            "net" => run(py, Wishes::default(), move |_| model.picture()),
            "hierarchy" => run(py, Wishes::default(), move |_| model.hierarchy()),
            "states" => {
                let (walk, _) = self.walk(py)?;
                run(py, Wishes::default(), |_| {
                    Ok(walk.graph(&walk.initial_states()?, Reach::default())?.picture(walk.model().name()))
                })
            }
            other => {
                Err(MandalaError::new_err(format!("`{other}`: there are pictures of `net`, `hierarchy` and `states`")))
            }
        }
    }
}

#[pymethods]
impl Model {
    #[getter]
    fn name(&self) -> &str {
        self.model.name()
    }

    #[getter]
    fn kind(&self) -> &'static str {
        match self.model.shape() {
            mandala::Shape::ColouredNet => "coloured net",
            mandala::Shape::Net => "net",
            mandala::Shape::Program => "program",
            mandala::Shape::Composite => "composite",
        }
    }

    #[getter]
    fn properties(&self) -> Vec<&str> {
        self.model.property_names()
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.model.notes().to_vec()
    }

    #[getter]
    fn variables(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.walk(py)?.0.variables().names().to_vec())
    }

    fn value_names(&self, py: Python<'_>, variable: &str) -> PyResult<Vec<String>> {
        let variables = self.walk(py)?.0.variables();
        let index = variables.index_of(variable);
        let index = index.ok_or_else(|| MandalaError::new_err(format!("there is no variable `{variable}`")))?;
        Ok(variables.value_names(index).to_vec())
    }

    #[pyo3(signature = (**options))]
    fn states(&self, py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Space> {
        let model = self.model.clone();
        let space = run(py, wishes(options)?, move |options| model.states().options(options).run())?;
        Space::new(py, space)
    }

    #[pyo3(signature = (formula, **options))]
    fn check(&self, py: Python<'_>, formula: String, options: Option<&Bound<'_, PyDict>>) -> PyResult<Answer> {
        let model = self.model.clone();
        let answer = run(py, wishes(options)?, move |options| {
            model.prepare(options)?;
            model.check(&formula)?.options(options).run()
        })?;
        Ok(Answer::new(answer))
    }

    #[pyo3(signature = (names, **options))]
    fn check_properties(
        &self, py: Python<'_>, names: Option<Vec<String>>, options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<Answer>> {
        let model = self.model.clone();
        let answers = run(py, wishes(options)?, move |options| {
            model.prepare(options)?;
            let all = model.properties()?;
            let asked = match names {
                Some(names) => names.iter().map(|name| Question::find(name, &all)).collect::<Result<_, _>>()?,
                None => all,
            };
            if asked.is_empty() { Ok(Vec::new()) } else { Ok(model.ask(asked).options(options).run()?.answers) }
        })?;
        Ok(answers.into_iter().map(Answer::new).collect())
    }

    fn initial_states<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let (walk, keys) = self.walk(py)?;
        let states = run(py, Wishes::default(), |_| walk.initial_states())?;
        states.iter().map(|state| dictionary(py, keys, state.values())).collect()
    }

    /// What can happen in a state: names, states afterwards, changes.
    #[allow(clippy::type_complexity, reason = "the Python layer makes named tuples of it")]
    fn successors<'py>(
        &self, py: Python<'py>, state: &Bound<'py, PyDict>,
    ) -> PyResult<Vec<(String, Bound<'py, PyDict>, Bound<'py, PyDict>)>> {
        let state = self.state(py, state)?;
        let (walk, keys) = self.walk(py)?;
        let moves = py.detach(|| walk.moves(&state)).map_err(|error| raised(&error))?;
        let mut all = Vec::with_capacity(moves.len());
        for one in moves {
            let changes = PyDict::new(py);
            for change in &one.step.changes {
                changes.set_item(&keys[change.index], (change.before.number, change.after.number))?;
            }
            all.push((one.step.transition, dictionary(py, keys, one.state.values())?, changes));
        }
        Ok(all)
    }

    fn holds_in(&self, py: Python<'_>, formula: &str, state: &Bound<'_, PyDict>) -> PyResult<bool> {
        let state = self.state(py, state)?;
        let (walk, _) = self.walk(py)?;
        py.detach(|| walk.holds(formula, &state)).map_err(|error| raised(&error))
    }

    fn svg(&self, py: Python<'_>, what: &str) -> PyResult<String> {
        let picture = self.drawn(py, what)?;
        Ok(py.detach(|| picture.svg()))
    }

    fn dot(&self, py: Python<'_>, what: &str) -> PyResult<String> {
        Ok(self.drawn(py, what)?.dot())
    }

    /// All states as a picture, if there are at most so many.
    fn states_svg(&self, py: Python<'_>, most: usize) -> PyResult<Option<String>> {
        let (walk, _) = self.walk(py)?;
        run(py, Wishes::default(), |_| {
            let graph = walk.graph(&walk.initial_states()?, Reach { states: most, ..Reach::default() })?;
            Ok(graph.is_complete().then(|| graph.picture(walk.model().name()).svg()))
        })
    }

    /// The picture that a notebook shows, if it is small enough.
    fn notebook_svg(&self, py: Python<'_>) -> Option<String> {
        let what = match self.model.shape() {
            mandala::Shape::Composite => "hierarchy",
            mandala::Shape::Program => return self.states_svg(py, MOST_STATES).ok().flatten(),
            mandala::Shape::Net | mandala::Shape::ColouredNet => "net",
        };
        let picture = self.drawn(py, what).ok().filter(|picture| picture.nodes() <= MOST_NODES)?;
        Some(py.detach(|| picture.svg()))
    }

    fn to_gal(&self, py: Python<'_>) -> PyResult<String> {
        let model = self.model.clone();
        run(py, Wishes::default(), move |_| model.to_gal())
    }

    fn to_pnml(&self, py: Python<'_>) -> PyResult<String> {
        let model = self.model.clone();
        run(py, Wishes::default(), move |_| model.to_pnml())
    }

    fn flatten(&self, py: Python<'_>) -> PyResult<Model> {
        let model = self.model.clone();
        run(py, Wishes::default(), move |_| Ok(model.flatten()?.0)).map(Model::from)
    }
}
