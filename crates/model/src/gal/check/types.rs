//! How types use each other: uses name types that exist, and no type contains itself.

use super::super::circle;
use super::super::declared::{Body, Declared, Unique};
use super::super::ledger::{Ledger, complaint};
use super::super::syntax::{CompositeMember, CompositeType, TypeUse};
use crate::text::{Problem, Span};

pub(super) fn check(declared: &Declared<'_>, ledger: &mut Ledger) {
    let mut steps: Vec<Vec<(usize, Span)>> = Vec::with_capacity(declared.types.len());
    for of in &declared.types {
        if ledger.is_exhausted() {
            return;
        }
        let mut uses = Vec::new();
        if let Body::Composite(body) = of.body {
            templates(body, declared, ledger);
            for member in &body.members {
                if let CompositeMember::Instance(instance) = member {
                    type_use(&instance.type_use, Some(body), declared, &mut uses, ledger);
                    bindings(instance, body, declared, ledger);
                }
            }
        }
        steps.push(uses);
    }
    if let Some(main) = declared.main {
        type_use(&main.type_use, None, declared, &mut Vec::new(), ledger);
    }
    let name = |at: usize| declared.types.get(at).map_or(String::new(), |of| format!("`{}`", of.body.name().text));
    for (circle, span) in circle::find(&steps) {
        let way = circle::words(&circle, name);
        let problem = Problem::new(span, "a type contains itself")
            .label("this instance closes the circle")
            .help(format!("the instances go {way}; a type has a finite number of instances, so this cannot be"));
        ledger.report(problem);
    }
}

fn templates<'a>(body: &'a CompositeType, declared: &Declared<'_>, ledger: &mut Ledger) {
    let mut names = Unique::<'a>::default();
    for template in &body.templates {
        names.add(&template.name, "template", ledger);
        for interface in &template.interfaces {
            if !declared.interfaces.contains_key(interface.text.as_str()) {
                let names = declared.interfaces.keys().copied();
                ledger.report(complaint::unknown(interface.span(), "interface", &interface.text, names));
            }
        }
    }
}

/// A use of a type; the declared types in it are added to `uses`.
fn type_use(
    one: &TypeUse, inside: Option<&CompositeType>, declared: &Declared<'_>, uses: &mut Vec<(usize, Span)>,
    ledger: &mut Ledger,
) {
    for argument in &one.arguments {
        type_use(argument, inside, declared, uses, ledger);
    }
    let name = one.name.text.as_str();
    let templates = inside.map_or(&[][..], |body| &body.templates);
    if templates.iter().any(|template| template.name.text == name) {
        return;
    }
    match declared.type_names.get(name) {
        Some(&index) => {
            uses.push((index, one.name.span()));
            if let Some(problem) = declared.types.get(index).and_then(|of| of.misused(one)) {
                ledger.report(problem);
            }
        }
        None => {
            let open = templates.iter().map(|template| template.name.text.as_str());
            let names: Vec<&str> = declared.type_names.keys().copied().chain(open).collect();
            ledger.report(complaint::unknown(one.name.span(), "type", name, names.into_iter()));
        }
    }
}

/// The parameters that an instance gives values to exist in its type.
fn bindings(
    instance: &super::super::syntax::InstanceDeclaration, inside: &CompositeType, declared: &Declared<'_>,
    ledger: &mut Ledger,
) {
    let name = instance.type_use.name.text.as_str();
    let open = inside.templates.iter().any(|template| template.name.text == name);
    let Some(of) = declared.type_names.get(name).filter(|_| !open).and_then(|&index| declared.types.get(index)) else {
        return;
    };
    let parameters = of.body.parameters();
    let mut names = Unique::default();
    for binding in &instance.bindings {
        names.add(&binding.name, "parameter", ledger);
        if !parameters.iter().any(|parameter| parameter.name.text == binding.name.text) {
            let names = parameters.iter().map(|parameter| parameter.name.text.as_str());
            ledger.report(complaint::missing(binding.name.span(), name, "parameter", &binding.name.text, names));
        }
    }
}
