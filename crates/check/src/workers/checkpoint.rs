//! Checkpoints: what a worker knows, in files, from which a run goes on.
//!
//! Every so many levels each worker writes the states that it found since the last time, and what it has counted, into a file of
//! its own, with a checksum. A run that begins with such files goes on from the last level that all workers of that run have
//! written, with as many workers as it likes: states are sent to their owners as if they had just been found. It writes files
//! of a new generation, and removes the older ones once all workers have written some.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// Where checkpoints are written, and how often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoints {
    /// The folder: each process has one of its own in it.
    pub folder: PathBuf,
    /// One every so many levels.
    pub every: u64,
}

/// The first word of a file.
const MAGIC: u64 = 0x6d61_6e64_616c_6b01;
/// So many words at the beginning of a file say what is in it.
const HEAD: usize = 10;
/// Words are read and written by so many.
const CHUNK: usize = 1 << 16;

/// What a file is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Title {
    /// How often the run has begun anew from files.
    pub(super) generation: u64,
    /// How many workers there were.
    pub(super) peers: u64,
    /// Which of them wrote it.
    pub(super) worker: u64,
    /// The levels of its states: from this one
    pub(super) first: u64,
    /// to this one. Those before it have been expanded.
    pub(super) level: u64,
}

/// A file that was looked at, and found to be whole.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) path: PathBuf,
    pub(super) title: Title,
    /// How many words a state has.
    pub(super) width: usize,
    /// What else is known.
    pub(super) notes: Vec<u64>,
    /// How many states each level has.
    pub(super) counts: Vec<u64>,
}

/// The folder of a process.
pub(super) fn folder(checkpoints: &Checkpoints, process: usize) -> PathBuf {
    checkpoints.folder.join(format!("process-{process}"))
}

fn path(folder: &Path, title: &Title) -> PathBuf {
    let Title { generation, worker, level, .. } = title;
    folder.join(format!("generation-{generation:04}-worker-{worker:04}-level-{level:08}.states"))
}

/// Adds words up, so that a change of any is noticed.
#[derive(Clone, Copy)]
struct Checksum(u64);

impl Checksum {
    fn add(&mut self, words: &[u64]) {
        for word in words {
            self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }
}

struct Sink {
    file: BufWriter<File>,
    checksum: Checksum,
}

impl Sink {
    fn put(&mut self, words: &[u64]) -> io::Result<()> {
        self.checksum.add(words);
        words.iter().try_for_each(|word| self.file.write_all(&word.to_le_bytes()))
    }
}

/// Writes a file: all of it, or nothing that would be taken for it. `tick` is called now and then.
#[expect(clippy::too_many_arguments, reason = "a file has so many parts")]
pub(super) fn write(
    folder: &Path, fingerprint: u64, title: &Title, width: usize, notes: &[u64], counts: &[u64],
    states: &mut dyn Iterator<Item = io::Result<Vec<u64>>>, tick: &mut dyn FnMut(),
) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let path = path(folder, title);
    let unfinished = path.with_extension("unfinished");
    let result = (|| {
        let mut sink = Sink { file: BufWriter::new(File::create(&unfinished)?), checksum: Checksum(fingerprint) };
        let Title { generation, peers, worker, first, level } = *title;
        let lengths = [notes.len() as u64, counts.len() as u64];
        sink.put(&[MAGIC, fingerprint, generation, peers, worker, first, level, width as u64, lengths[0], lengths[1]])?;
        sink.put(notes)?;
        sink.put(counts)?;
        for words in states {
            sink.put(&words?)?;
            tick();
        }
        let checksum = sink.checksum.0;
        sink.file.write_all(&checksum.to_le_bytes())?;
        let file = sink.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        fs::rename(&unfinished, &path)
    })();
    if result.is_err() {
        // There may be no room for a better ending.
        let _ = fs::remove_file(&unfinished);
    }
    result
}

/// All files of all processes that this one can see and that are whole. Others are passed over, and named.
pub(super) fn inventory(checkpoints: &Checkpoints, fingerprint: u64) -> (Vec<Segment>, Vec<String>) {
    let (mut whole, mut broken) = (Vec::new(), Vec::new());
    let folders = fs::read_dir(&checkpoints.folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let files = folders.flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
    let mut files: Vec<PathBuf> = files.map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "states"));
    files.sort();
    for path in files {
        match examine(&path, fingerprint) {
            Ok(segment) => whole.push(segment),
            Err(reason) => broken.push(format!("{}: {reason}", path.display())),
        }
    }
    (whole, broken)
}

fn examine(path: &Path, fingerprint: u64) -> Result<Segment, String> {
    let words = |error: io::Error| error.to_string();
    let length = fs::metadata(path).map_err(words)?.len() / 8;
    let mut source = Source::open(path, 0).map_err(words)?;
    let head = source.take(HEAD).map_err(words)?;
    if head[0] != MAGIC {
        return Err("it is no checkpoint".to_owned());
    }
    if head[1] != fingerprint {
        return Err("it is of another model, other questions or another version".to_owned());
    }
    let title = Title { generation: head[2], peers: head[3], worker: head[4], first: head[5], level: head[6] };
    if head[8].saturating_add(head[9]) > length {
        return Err("it is cut short".to_owned());
    }
    let notes = source.take(head[8] as usize).map_err(words)?;
    let counts = source.take(head[9] as usize).map_err(words)?;
    let states: u64 = counts.iter().fold(0, |sum, count| sum.saturating_add(*count));
    let left = states.saturating_mul(head[7]);
    if left.saturating_add((HEAD + notes.len() + counts.len() + 1) as u64) != length {
        return Err("it is cut short".to_owned());
    }
    let mut checksum = Checksum(fingerprint);
    [&head, &notes, &counts].into_iter().for_each(|words| checksum.add(words));
    let mut left = left as usize;
    while left > 0 {
        let chunk = source.take(left.min(CHUNK)).map_err(words)?;
        checksum.add(&chunk);
        left -= chunk.len();
    }
    if source.take(1).map_err(words)?[0] != checksum.0 {
        return Err("its checksum is wrong".to_owned());
    }
    Ok(Segment { path: path.to_owned(), title, width: head[7] as usize, notes, counts })
}

/// Words of a file, one after the other.
struct Source(BufReader<File>);

impl Source {
    fn open(path: &Path, skip: usize) -> io::Result<Source> {
        let mut source = Source(BufReader::with_capacity(1 << 20, File::open(path)?));
        io::Seek::seek(&mut source.0, io::SeekFrom::Start(8 * skip as u64))?;
        Ok(source)
    }

    fn take(&mut self, count: usize) -> io::Result<Vec<u64>> {
        let mut bytes = vec![0; 8 * count];
        self.0.read_exact(&mut bytes)?;
        Ok(bytes.chunks_exact(8).map(|word| word.try_into().map_or(0, u64::from_le_bytes)).collect())
    }
}

/// The states that a worker of an earlier run has written, level by level.
pub(super) struct Chain {
    segments: Vec<Segment>,
    source: Option<Source>,
    /// The next level, and where it is: in which segment, and which of its levels.
    place: (usize, usize),
}

impl Chain {
    /// The segments that lead from the first level to this one, if they are all there.
    pub(super) fn of(segments: &[Segment], generation: u64, worker: u64, level: u64) -> Option<Chain> {
        let mut chain = Vec::new();
        let mut next = 0;
        while next <= level {
            let fits = |one: &&Segment| {
                let Title { generation: of, worker: by, first, level: last, .. } = one.title;
                (of, by, first) == (generation, worker, next) && last <= level
            };
            let segment = segments.iter().filter(fits).max_by_key(|segment| segment.title.level)?;
            next = segment.title.level + 1;
            chain.push(segment.clone());
        }
        Some(Chain { segments: chain, source: None, place: (0, 0) })
    }

    /// What was known when the last of them was written.
    pub(super) fn notes(&self) -> &[u64] {
        self.segments.last().map_or(&[], |segment| &segment.notes)
    }

    /// Calls somebody with the words of the states of the next level, some at a time.
    pub(super) fn next_level<E: From<io::Error>>(
        &mut self, mut each: impl FnMut(&[u64]) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(segment) = self.segments.get(self.place.0) else { return Ok(()) };
        let source = match &mut self.source {
            Some(source) => source,
            none => none.insert(Source::open(&segment.path, HEAD + segment.notes.len() + segment.counts.len())?),
        };
        let mut left = segment.counts.get(self.place.1).copied().unwrap_or(0) as usize * segment.width;
        let chunk = CHUNK / segment.width.max(1) * segment.width.max(1);
        while left > 0 {
            let words = source.take(left.min(chunk))?;
            each(&words)?;
            left -= words.len();
        }
        self.place.1 += 1;
        if self.place.1 >= segment.counts.len() {
            self.place = (self.place.0 + 1, 0);
            self.source = None;
        }
        Ok(())
    }
}

/// Removes the files of a process that are of earlier generations.
pub(super) fn remove_before(folder: &Path, generation: u64) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix("generation-")?.get(..4)?.parse::<u64>().ok());
        if number.is_some_and(|number| number < generation) {
            // What is left behind is passed over the next time.
            let _ = fs::remove_file(entry.path());
        }
    }
}
