//! From which checkpoint a run goes on.

use mandala_model::semantics::Semantics;
use timely::worker::Worker;

use super::Job;
use super::checkpoint::{Chain, Title};
use super::explorer::Resumed;
use super::machine::Packing;
use super::post::{Lost, gather_once};
use super::words::{Reader, Writer};

/// Of which run, level and worker a file is: its generation, level, number of workers, and who wrote it.
type Origin = (u64, u64, u64, u64);
/// A file, the process that can read it, and how its states are packed.
type Readable = (Origin, usize, Vec<u64>);

/// What there is to go on from.
pub(super) struct Found {
    /// The last generation of which there are files; 0 if there are none.
    pub(super) generation: u64,
    /// How its states are packed, if there is something to go on from.
    pub(super) packing: Option<Packing>,
    /// What this worker reads.
    pub(super) resumed: Option<Resumed>,
}

/// Finds the last level that all workers of an earlier run have written, in files that any of the processes can read. Of those
/// that several can read, the first reads it.
pub(super) fn find(job: &Job, semantics: &Semantics<'_>, worker: &mut Worker) -> Result<Found, Lost> {
    let nothing = Found { generation: 0, packing: None, resumed: None };
    if job.crew.checkpoints.is_none() {
        return Ok(nothing);
    }
    let (index, workers) = (worker.index(), job.crew.workers);
    let mut words = Writer::default();
    if index % workers == 0 {
        for segment in &job.segments {
            let Title { generation, peers, worker, level, .. } = segment.title;
            [generation, peers, worker, level].into_iter().for_each(|number| words.number(number));
            words.numbers(&Reader::new(&segment.notes).numbers());
        }
    }
    let all = gather_once(worker, &job.faults, words.done())?;
    let mut files: Vec<Readable> = Vec::new();
    for (from, words) in all.iter().enumerate() {
        let mut reader = Reader::new(words);
        while !reader.is_done() {
            let (generation, peers, worker, level) =
                (reader.number(), reader.number(), reader.number(), reader.number());
            files.push(((generation, level, peers, worker), from / workers, reader.numbers()));
        }
    }
    files.sort();
    let Some(generation) = files.last().map(|file| file.0.0) else { return Ok(nothing) };
    let nothing = Found { generation, ..nothing };
    // Those of one level of one generation follow each other.
    let alike = |a: &Readable, b: &Readable| same_level(&a.0, &b.0) && a.2 == b.2;
    for group in files.chunk_by(alike).rev() {
        let &((generation, level, peers, _), _, _) = &group[0];
        let reader_of = |worker: u64| group.iter().find(|file| file.0.3 == worker).map(|file| file.1);
        let Some(readers) = (0..peers).map(reader_of).collect::<Option<Vec<usize>>>() else { continue };
        let Some(packing) = job.packing.with_words(&group[0].2, semantics, job.leaders.as_deref()) else { continue };
        let is_mine =
            |(worker, reader): &(usize, &usize)| **reader == index / workers && worker % workers == index % workers;
        let mine: Vec<u64> = readers.iter().enumerate().filter(is_mine).map(|(worker, _)| worker as u64).collect();
        let chains: Option<Vec<Chain>> =
            mine.iter().map(|&worker| Chain::of(&job.segments, generation, worker, level)).collect();
        // Somebody may lack a part of what came before.
        let lacks = gather_once(worker, &job.faults, vec![u64::from(chains.is_none())])?;
        if let (Some(chains), false) = (chains, lacks.iter().any(|words| words.first() != Some(&0))) {
            return Ok(Found { packing: Some(packing), resumed: Some(Resumed { level, chains }), ..nothing });
        }
    }
    Ok(nothing)
}

fn same_level(a: &Origin, b: &Origin) -> bool {
    (a.0, a.1, a.2) == (b.0, b.1, b.2)
}
