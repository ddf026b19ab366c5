//! Names that tell things apart.

use rustc_hash::{FxHashMap, FxHashSet};

/// What things are called that have an id and a name each: by the name, if no other has it, and by the id otherwise.
pub(super) fn distinct(given: Vec<(String, Option<String>)>) -> Vec<String> {
    let mut times: FxHashMap<&str, u32> = FxHashMap::default();
    for name in given.iter().filter_map(|(_, name)| name.as_deref()) {
        *times.entry(name).or_default() += 1;
    }
    let is_its_own: Vec<bool> = given
        .iter()
        .map(|(_, name)| name.as_deref().is_some_and(|name| !name.is_empty() && times[name] == 1))
        .collect();
    let mut taken = FxHashSet::default();
    let chosen = given.into_iter().zip(is_its_own);
    let chosen = chosen.map(|((id, name), is_its_own)| if is_its_own { name.unwrap_or(id) } else { id });
    chosen.map(|name| free(name, &mut taken)).collect()
}

/// A name that is not taken yet, which it is then.
pub(super) fn free(mut name: String, taken: &mut FxHashSet<String>) -> String {
    while !taken.insert(name.clone()) {
        name.push('\'');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_used_where_they_are_unique() {
        let given = |pairs: &[(&str, &str)]| {
            distinct(pairs.iter().map(|(id, name)| (id.to_string(), Some(name.to_string()))).collect())
        };
        assert_eq!(given(&[("i1", "a"), ("i2", "b")]), ["a", "b"]);
        assert_eq!(given(&[("i1", "a"), ("i2", "a"), ("i3", "b")]), ["i1", "i2", "b"]);
        assert_eq!(given(&[("a", ""), ("b", "a")]), ["a", "a'"]);
    }
}
