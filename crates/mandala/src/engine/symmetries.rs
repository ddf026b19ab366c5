//! The symmetries of a system, found and declared.

use super::summary::group;
use crate::symmetry::{Declared, Group, Standing};
use mandala_analysis::symmetry::{SymmetryGroup, instances};
use mandala_check::quotient::declared::{self, Kept, Source, Verified};
use mandala_model::system::{System, Type};

/// The symmetries that are found.
pub(crate) fn symmetries(system: &System) -> Option<Group> {
    let known = known_symmetries(system)?;
    Some(group(instances::describe(system, &known.shape, &known.points, &known.names), &known))
}

/// The same, as the engines know them.
pub(crate) fn known_symmetries(system: &System) -> Option<SymmetryGroup> {
    let known = |initial| declared::known(system, Source::Found, Kept { initial, questions: false }, &[]);
    let is_program = matches!(system.main_type(), Type::Program(_));
    // A program often begins with the number of some process in a variable.
    known(true).or_else(|| is_program.then(|| known(false))?)
}

/// The symmetries that are declared, and whether they are some.
pub(crate) fn declared_symmetries(system: &System) -> Vec<Declared> {
    let standing = |verified| match verified {
        Verified::Yes => Standing::Verified,
        Verified::No(broken) => Standing::Refuted(broken.to_string()),
        Verified::Unknown => Standing::Unknown,
    };
    let declared = declared::verify(system).into_iter();
    declared.map(|(name, verified)| Declared { name, standing: standing(verified) }).collect()
}
