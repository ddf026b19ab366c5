//! Circles in what leads to what.

use crate::text::Span;

/// Where a search stands: something, and which of the things it leads to comes next.
struct Visit {
    at: usize,
    next: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    Open,
    Done,
}

/// Circles that have nothing in common, each with the place of the step that closes it; at least one if there are any.
/// `steps` says for each thing what it leads to, and where. Nothing here is recursive: a way may be as long as it likes.
pub(super) fn find(steps: &[Vec<(usize, Span)>]) -> Vec<(Vec<usize>, Span)> {
    let mut marks = vec![Mark::New; steps.len()];
    (0..steps.len()).filter_map(|start| from(start, steps, &mut marks)).collect()
}

fn from(start: usize, steps: &[Vec<(usize, Span)>], marks: &mut [Mark]) -> Option<(Vec<usize>, Span)> {
    if marks[start] != Mark::New {
        return None;
    }
    let mut way = vec![Visit { at: start, next: 0 }];
    marks[start] = Mark::Open;
    while let Some(visit) = way.last_mut() {
        let Some(&(to, span)) = steps[visit.at].get(visit.next) else {
            marks[visit.at] = Mark::Done;
            way.pop();
            continue;
        };
        visit.next += 1;
        match marks[to] {
            Mark::Done => {}
            Mark::New => {
                marks[to] = Mark::Open;
                way.push(Visit { at: to, next: 0 });
            }
            Mark::Open => {
                way.iter().for_each(|visit| marks[visit.at] = Mark::Done);
                return Some((way.iter().map(|visit| visit.at).skip_while(|&at| at != to).collect(), span));
            }
        }
    }
    None
}

/// A circle in words: `a -> b -> a`.
pub(super) fn words(circle: &[usize], name: impl Fn(usize) -> String) -> String {
    let mut words: Vec<String> = circle.iter().take(8).map(|&at| name(at)).collect();
    if circle.len() > 8 {
        words.push("...".to_string());
    }
    words.extend(circle.first().map(|&first| name(first)));
    words.join(" -> ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_is_found_wherever_it_begins() {
        let to = |targets: &[usize]| targets.iter().map(|&to| (to, Span::default())).collect::<Vec<_>>();
        let circles =
            |steps: &[Vec<(usize, Span)>]| find(steps).into_iter().map(|(circle, _)| circle).collect::<Vec<_>>();
        assert!(circles(&[to(&[1, 2]), to(&[2]), to(&[])]).is_empty());
        assert_eq!(circles(&[to(&[1]), to(&[2]), to(&[1])]), [vec![1, 2]]);
        assert_eq!(circles(&[to(&[0])]), [vec![0]]);
        assert_eq!(circles(&[to(&[0]), to(&[0, 2]), to(&[1])]), [vec![0], vec![1, 2]]);
        let long: Vec<_> = (0..200_000).map(|i| to(&[(i + 1) % 200_000])).collect();
        assert_eq!(find(&long).first().map(|(circle, _)| circle.len()), Some(200_000));
    }
}
