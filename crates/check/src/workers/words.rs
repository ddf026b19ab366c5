//! Numbers and lists of numbers as words, to be sent and to be kept in files.

/// Writes words.
#[derive(Default)]
pub(super) struct Writer(Vec<u64>);

impl Writer {
    pub(super) fn number(&mut self, number: u64) {
        self.0.push(number);
    }

    pub(super) fn numbers(&mut self, numbers: &[u64]) {
        self.number(numbers.len() as u64);
        self.0.extend_from_slice(numbers);
    }

    /// The values of a state, if there is one.
    pub(super) fn values(&mut self, values: Option<&[i32]>) {
        self.number(values.map_or(0, |values| values.len() as u64 + 1));
        self.0.extend(values.unwrap_or_default().iter().map(|&value| u64::from(value as u32)));
    }

    pub(super) fn text(&mut self, text: &str) {
        self.numbers(&text.bytes().map(u64::from).collect::<Vec<_>>());
    }

    pub(super) fn done(self) -> Vec<u64> {
        self.0
    }
}

/// Reads what a [`Writer`] has written; what is missing is 0.
pub(super) struct Reader<'w>(std::slice::Iter<'w, u64>);

impl<'w> Reader<'w> {
    pub(super) fn new(words: &'w [u64]) -> Reader<'w> {
        Reader(words.iter())
    }

    pub(super) fn number(&mut self) -> u64 {
        self.0.next().copied().unwrap_or(0)
    }

    pub(super) fn numbers(&mut self) -> Vec<u64> {
        let length = self.number() as usize;
        self.0.by_ref().take(length).copied().collect()
    }

    pub(super) fn values(&mut self) -> Option<Vec<i32>> {
        let length = self.number().checked_sub(1)? as usize;
        Some(self.0.by_ref().take(length).map(|&word| word as u32 as i32).collect())
    }

    pub(super) fn text(&mut self) -> String {
        let bytes: Vec<u8> = self.numbers().into_iter().map(|byte| byte as u8).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Whether there is nothing left.
    pub(super) fn is_done(&self) -> bool {
        self.0.as_slice().is_empty()
    }
}
