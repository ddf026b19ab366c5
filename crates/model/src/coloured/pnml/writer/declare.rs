//! What is declared in a written file, and under which ids.

use super::NotWritable;
use crate::coloured::{Class, ClassOrder, ColouredNet, Names, Sort};
use crate::pnml::escape::escaped;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::fmt::Write;

/// How many colours are listed at most.
const MOST_LISTED: u64 = 1_000_000;

/// The ids of everything that terms name.
pub(super) struct Declared {
    classes: Vec<ClassIds>,
    /// The sorts of places: an id, and of which classes they are products.
    products: Vec<(String, Vec<u32>)>,
    /// Of each place the number of its sort.
    places: Vec<usize>,
    /// Each variable: its id, its name, its class.
    all_variables: Vec<(String, String, u32)>,
    /// Of each transition the ids of its variables.
    pub variables: Vec<Vec<String>>,
}

/// The ids of a class.
struct ClassIds {
    id: String,
    /// Of each colour; none if the class is written as a range.
    colours: Vec<String>,
    /// Of each partition, with how many subclasses it has.
    partitions: Vec<(String, usize)>,
    /// Of each subclass.
    subclasses: Vec<String>,
}

/// Ids that are given.
struct Ids(FxHashSet<String>);

impl Ids {
    /// An id like a name that nothing has yet.
    fn fresh(&mut self, name: &str) -> String {
        let mut id = name.to_owned();
        let mut number = 1;
        while id.is_empty() || !self.0.insert(id.clone()) {
            number += 1;
            id = format!("{name}_{number}");
        }
        id
    }
}

impl Declared {
    /// Gives ids to what a net has.
    pub fn new(net: &ColouredNet) -> Result<Declared, NotWritable> {
        let nodes = net.places.iter().map(|place| &place.name);
        let nodes = nodes.chain(net.transitions.iter().map(|transition| &transition.name));
        let mut ids = Ids(nodes.cloned().collect());
        let mut ranges = FxHashSet::default();
        let mut classes = Vec::new();
        for class in &net.classes {
            classes.push(ClassIds::new(class, &mut ids, &mut ranges)?);
        }
        let mut declared = Declared {
            classes,
            products: Vec::new(),
            places: Vec::new(),
            all_variables: Vec::new(),
            variables: Vec::new(),
        };
        declared.declare_places(net, &mut ids)?;
        declared.declare_variables(net, &mut ids)?;
        Ok(declared)
    }

    fn declare_places(&mut self, net: &ColouredNet, ids: &mut Ids) -> Result<(), NotWritable> {
        let mut known: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
        for place in &net.places {
            let mut classes = Vec::with_capacity(place.domain.len());
            for sort in &place.domain {
                match sort {
                    Sort::Colour(class) if (*class as usize) < net.classes.len() => classes.push(*class),
                    Sort::Colour(_) => return Err(NotWritable::Malformed { at: place.name.clone() }),
                    Sort::Bag(_) => return Err(NotWritable::Bags { at: place.name.clone() }),
                }
            }
            let products = &mut self.products;
            let index = *known.entry(classes.clone()).or_insert_with(|| {
                let id = match classes.as_slice() {
                    [] => ids.fresh("dot"),
                    [class] => self.classes[*class as usize].id.clone(),
                    _ => {
                        let names: Vec<&str> =
                            classes.iter().map(|&class| net.classes[class as usize].name.as_str()).collect();
                        ids.fresh(&names.join("_"))
                    }
                };
                products.push((id, classes));
                products.len() - 1
            });
            self.places.push(index);
        }
        Ok(())
    }

    /// Declares variables in an order that agrees with that of each transition, as far as there is one.
    fn declare_variables(&mut self, net: &ColouredNet, ids: &mut Ids) -> Result<(), NotWritable> {
        // A variable is told by its name, its class, and how many of this kind its transition has before it.
        let mut known: FxHashMap<(&str, u32, usize), usize> = FxHashMap::default();
        let mut used: Vec<Vec<usize>> = Vec::new();
        for transition in &net.transitions {
            let mut numbers: Vec<usize> = Vec::new();
            let mut before: FxHashMap<(&str, u32), usize> = FxHashMap::default();
            for variable in &transition.variables {
                let Sort::Colour(class) = variable.sort else {
                    return Err(NotWritable::Bags { at: transition.name.clone() });
                };
                if class as usize >= net.classes.len() {
                    return Err(NotWritable::Malformed { at: transition.name.clone() });
                }
                let times = before.entry((&variable.name, class)).or_default();
                let next = known.len();
                numbers.push(*known.entry((&variable.name, class, *times)).or_insert(next));
                *times += 1;
            }
            used.push(numbers);
        }
        let mut all: Vec<(&str, u32)> = vec![("", 0); known.len()];
        known.iter().for_each(|(&(name, class, _), &number)| all[number] = (name, class));
        let mut given = vec![String::new(); all.len()];
        for number in in_agreed_order(all.len(), &used) {
            let (name, class) = all[number];
            given[number] = ids.fresh(name);
            self.all_variables.push((given[number].clone(), name.to_owned(), class));
        }
        self.variables = used.iter().map(|one| one.iter().map(|&number| given[number].clone()).collect()).collect();
        Ok(())
    }

    /// The id of the sort of a place.
    pub fn sort_of_place(&self, place: usize) -> &str {
        &self.products[self.places[place]].0
    }

    /// The id of a class.
    pub fn class(&self, class: u32) -> &str {
        &self.classes[class as usize].id
    }

    /// The id of a subclass.
    pub fn subclass(&self, class: u32, subclass: u32) -> Option<&str> {
        self.classes.get(class as usize)?.subclasses.get(subclass as usize).map(String::as_str)
    }

    /// The id of the partition that a subclass is in.
    pub fn partition(&self, class: u32, subclass: u32) -> Option<&str> {
        let mut end = 0;
        let partitions = &self.classes.get(class as usize)?.partitions;
        partitions.iter().find_map(|(id, length)| {
            end += length;
            ((subclass as usize) < end).then_some(id.as_str())
        })
    }

    /// A constant as an element.
    pub fn constant(&self, net: &ColouredNet, class: u32, colour: u32) -> Option<String> {
        let of = net.classes.get(class as usize).filter(|class| colour < class.len())?;
        let ids = &self.classes[class as usize];
        if let Some(id) = ids.colours.get(colour as usize) {
            return Some(format!("<useroperator declaration=\"{}\"/>", escaped(id)));
        }
        let Names::Numbered { first, count, .. } = of.names else { return None };
        let (value, end) = (first + i64::from(colour), first + i64::from(count) - 1);
        Some(format!(
            "<finiteintrangeconstant value=\"{value}\"><finiteintrange start=\"{first}\" end=\"{end}\"/></finiteintrangeconstant>"
        ))
    }

    /// Writes all declarations.
    pub fn write(&self, out: &mut String, net: &ColouredNet) {
        out.push_str("    <declaration><structure><declarations>\n");
        for (class, ids) in net.classes.iter().zip(&self.classes) {
            write_class(out, class, ids);
        }
        for (id, classes) in &self.products {
            let id = escaped(id);
            match classes.as_slice() {
                [] => {
                    let _ = writeln!(out, "      <namedsort id=\"{id}\" name=\"dot\"><dot/></namedsort>");
                }
                [_] => {}
                _ => {
                    let _ = write!(out, "      <namedsort id=\"{id}\" name=\"{id}\"><productsort>");
                    for &class in classes {
                        let _ = write!(out, "<usersort declaration=\"{}\"/>", escaped(self.class(class)));
                    }
                    out.push_str("</productsort></namedsort>\n");
                }
            }
        }
        for (class, ids) in net.classes.iter().zip(0..) {
            self.write_partitions(out, net, class, ids);
        }
        for (id, name, class) in &self.all_variables {
            let (id, name, class) = (escaped(id), escaped(name), escaped(self.class(*class)));
            let _ = write!(out, "      <variabledecl id=\"{id}\" name=\"{name}\">");
            let _ = writeln!(out, "<usersort declaration=\"{class}\"/></variabledecl>");
        }
        out.push_str("    </declarations></structure></declaration>\n");
    }

    fn write_partitions(&self, out: &mut String, net: &ColouredNet, class: &Class, index: u32) {
        let ids = &self.classes[index as usize];
        let mut subclasses = class.subclasses.iter().zip(&ids.subclasses);
        for (id, length) in &ids.partitions {
            let id = escaped(id);
            let _ = write!(out, "      <partition id=\"{id}\" name=\"{id}\">");
            let _ = write!(out, "<usersort declaration=\"{}\"/>", escaped(&ids.id));
            for (subclass, id) in subclasses.by_ref().take(*length) {
                let (id, name) = (escaped(id), escaped(&subclass.name));
                let _ = write!(out, "<partitionelement id=\"{id}\" name=\"{name}\">");
                subclass.colours().for_each(|colour| out.extend(self.constant(net, index, colour)));
                out.push_str("</partitionelement>");
            }
            out.push_str("</partition>\n");
        }
    }
}

fn write_class(out: &mut String, class: &Class, ids: &ClassIds) {
    let _ = write!(out, "      <namedsort id=\"{}\" name=\"{}\">", escaped(&ids.id), escaped(&class.name));
    match &class.names {
        Names::Numbered { first, count, .. } if ids.colours.is_empty() => {
            let end = first + i64::from(*count) - 1;
            let _ = write!(out, "<finiteintrange start=\"{first}\" end=\"{end}\"/>");
        }
        _ => {
            let kind = if class.order == ClassOrder::Circular { "cyclicenumeration" } else { "finiteenumeration" };
            let _ = write!(out, "<{kind}>");
            for (id, colour) in ids.colours.iter().zip(0..) {
                let name = escaped(&class.name_of(colour));
                let _ = write!(out, "<feconstant id=\"{}\" name=\"{name}\"/>", escaped(id));
            }
            let _ = write!(out, "</{kind}>");
        }
    }
    out.push_str("</namedsort>\n");
}

impl ClassIds {
    fn new(class: &Class, ids: &mut Ids, ranges: &mut FxHashSet<(i64, u32)>) -> Result<ClassIds, NotWritable> {
        let id = ids.fresh(&class.name);
        // Ranges of the same bounds would be read as one class.
        let is_range = match &class.names {
            Names::Numbered { prefix, first, count } => {
                prefix.is_empty() && class.order == ClassOrder::Linear && ranges.insert((*first, *count))
            }
            Names::Listed(_) => false,
        };
        let is_listed = !is_range || !class.subclasses.is_empty();
        if class.is_empty() || (is_listed && u64::from(class.len()) > MOST_LISTED) {
            return Err(NotWritable::Colours { class: class.name.clone() });
        }
        let colours = if is_range { 0 } else { class.len() };
        let colours = (0..colours).map(|colour| ids.fresh(&class.name_of(colour))).collect();
        let partitions = partitions(class)?;
        let partitions = partitions.into_iter().map(|length| (ids.fresh(&format!("{}_partition", class.name)), length));
        let partitions = partitions.collect();
        let subclasses = class.subclasses.iter().map(|subclass| ids.fresh(&subclass.name)).collect();
        Ok(ClassIds { id, colours, partitions, subclasses })
    }
}

/// How many subclasses in a row make a partition, each time.
fn partitions(class: &Class) -> Result<Vec<usize>, NotWritable> {
    let not_partitions = || NotWritable::Subclasses { class: class.name.clone() };
    let mut lengths: Vec<usize> = Vec::new();
    let mut length = 0;
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    let mut total = 0_u64;
    for subclass in &class.subclasses {
        let size: u64 = subclass.ranges.iter().map(|&(first, end)| u64::from(end.saturating_sub(first))).sum();
        match lengths.last_mut() {
            // A set without colours goes with those before it.
            Some(last) if size == 0 && length == 0 => {
                *last += 1;
                continue;
            }
            _ => length += 1,
        }
        total += size;
        ranges.extend(&subclass.ranges);
        if total >= u64::from(class.len()) {
            ranges.sort_unstable();
            let mut end = 0;
            for (first, after) in ranges.drain(..) {
                if first != end {
                    return Err(not_partitions());
                }
                end = after;
            }
            if end != class.len() {
                return Err(not_partitions());
            }
            lengths.push(std::mem::take(&mut length));
            total = 0;
        }
    }
    if length > 0 { Err(not_partitions()) } else { Ok(lengths) }
}

/// Numbers below a length, in an order in which some lists have them, as far as these agree.
fn in_agreed_order(length: usize, lists: &[Vec<usize>]) -> Vec<usize> {
    let mut after: Vec<FxHashSet<usize>> = vec![FxHashSet::default(); length];
    let mut waits_for = vec![0_usize; length];
    for pair in lists.iter().flat_map(|list| list.windows(2)) {
        if after[pair[0]].insert(pair[1]) {
            waits_for[pair[1]] += 1;
        }
    }
    let mut waiting: BTreeSet<usize> = (0..length).collect();
    let mut ready: BTreeSet<usize> = (0..length).filter(|&number| waits_for[number] == 0).collect();
    let mut order = Vec::with_capacity(length);
    // Where lists disagree, the first one that is left goes on.
    while let Some(next) = ready.pop_first().or_else(|| waiting.first().copied()) {
        if !waiting.remove(&next) {
            continue;
        }
        order.push(next);
        for &number in &after[next] {
            waits_for[number] = waits_for[number].saturating_sub(1);
            if waits_for[number] == 0 {
                ready.insert(number);
            }
        }
    }
    order
}
