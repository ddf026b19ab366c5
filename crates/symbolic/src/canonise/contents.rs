//! Diagram variables that symmetries map to each other.

use mandala_group::Permutation;
use mandala_model::net::Net;
use rustc_hash::FxHashSet;

use super::reduction::Reduction;
use crate::layout::{Content, Follower};
use crate::variables::{Grouping, contents};
use mandala_analysis::structure::Structure;

/// The variables of a net such that every one of some symmetries, which leave the initial marking alone, maps variables
/// to variables. A unit, or a group of places that follow from one number, is kept with all of its images if these do not
/// overlap, and what they say is as true of the images: their places are permuted, and nothing else changes. One that
/// reaches from one block of the reduction to another is not kept: blocks could not follow each other. Variables, and the
/// places of a unit, are listed by rank.
pub fn symmetric_contents(
    net: &Net, structure: &Structure, symmetries: &[Permutation], reduction: &Reduction,
) -> Vec<Content> {
    let ranks = &reduction.ranks;
    let block = |variable: u32| reduction.blocks[variable as usize];
    let mut groups: Vec<Content> = contents(net, structure, Grouping::Proven);
    groups.retain(|content| {
        let variables = content.variables();
        variables.len() > 1 && variables.iter().all(|&variable| block(variable) == block(variables[0]))
    });
    groups.sort_by_key(|content| std::cmp::Reverse(content.variables().len()));
    let mut free = vec![true; net.places.len()];
    let mut chosen = Vec::new();
    for group in groups {
        if let Some(images) = disjoint_images(group, symmetries, &free) {
            for content in &images {
                content.variables().iter().for_each(|&place| free[place as usize] = false);
            }
            chosen.extend(images);
        }
    }
    let singles = (0..net.places.len() as u32).filter(|&place| free[place as usize]);
    chosen.extend(singles.map(Content::single));
    for content in &mut chosen {
        match content {
            Content::Unit { places, .. } => places.sort_by_key(|&place| ranks[place as usize]),
            Content::Number(followers) => {
                followers.sort_by_key(|follower| (follower.factor < 0, ranks[follower.variable as usize]));
                lead_by_first(followers);
            }
        }
    }
    chosen.sort_by_key(|content| content.variables().into_iter().map(|place| ranks[place as usize]).min());
    chosen
}

/// All images of a group of places, if they are free and do not overlap.
fn disjoint_images(group: Content, symmetries: &[Permutation], free: &[bool]) -> Option<Vec<Content>> {
    let mut images = vec![group];
    let mut known: FxHashSet<Vec<u32>> = images.iter().map(sorted).collect();
    let mut taken = vec![false; free.len()];
    let mut at = 0;
    while at < images.len() {
        for place in images[at].variables() {
            if !free[place as usize] || std::mem::replace(&mut taken[place as usize], true) {
                return None;
            }
        }
        for symmetry in symmetries {
            let image = image(&images[at], symmetry);
            if known.insert(sorted(&image)) {
                images.push(image);
            }
        }
        at += 1;
    }
    Some(images)
}

fn sorted(content: &Content) -> Vec<u32> {
    let mut variables = content.variables();
    variables.sort_unstable();
    variables
}

fn image(content: &Content, symmetry: &Permutation) -> Content {
    let of = |variable: u32| symmetry.image(variable);
    match content {
        Content::Unit { places, promised } => {
            Content::Unit { places: places.iter().map(|&place| of(place)).collect(), promised: *promised }
        }
        Content::Number(followers) => Content::Number(
            followers.iter().map(|follower| Follower { variable: of(follower.variable), ..*follower }).collect(),
        ),
    }
}

/// Makes the number that of the first follower.
fn lead_by_first(followers: &mut [Follower]) {
    let Some(&Follower { factor, offset, .. }) = followers.first() else { return };
    for follower in followers {
        // number' = factor * number + offset, so number = factor * (number' - offset).
        let own = follower.factor * factor;
        *follower = Follower { factor: own, offset: follower.offset - own * offset, ..*follower };
    }
}
