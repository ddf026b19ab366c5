//! Ordered partitions of vertices, which are split and put together again.
//!
//! The vertices stand in a row, those of a cell next to each other. A cell is named by where it starts. Splitting a cell
//! leaves its first part with the old name; undoing merges cells with the one before them, last split first.

/// An ordered partition of the vertices into cells.
#[derive(Clone)]
pub(super) struct Partition {
    /// The vertices, cell by cell.
    row: Vec<u32>,
    /// Where each vertex stands in the row.
    position: Vec<u32>,
    /// The cell of each vertex.
    cell: Vec<u32>,
    /// How many vertices each cell has; by cell.
    length: Vec<u32>,
    /// The cells that were split off, in order.
    splits: Vec<u32>,
    cells: usize,
    /// Vertices that have come to another cell, or to be alone or no longer alone, since somebody last looked.
    changed: Vec<u32>,
}

impl Partition {
    /// The vertices by their colours.
    pub fn by_colour(colours: &[u32]) -> Partition {
        let mut row: Vec<u32> = (0..colours.len() as u32).collect();
        row.sort_by_key(|&vertex| colours[vertex as usize]);
        let mut result = Partition {
            position: vec![0; row.len()],
            cell: vec![0; row.len()],
            length: vec![0; row.len()],
            splits: Vec::new(),
            cells: 0,
            changed: Vec::new(),
            row,
        };
        let mut start = 0;
        for index in 0..result.row.len() {
            let vertex = result.row[index] as usize;
            if index == 0 || colours[vertex] != colours[result.row[index - 1] as usize] {
                start = index;
                result.cells += 1;
            }
            result.position[vertex] = index as u32;
            result.cell[vertex] = start as u32;
            result.length[start] += 1;
        }
        result
    }

    /// The cells, in order.
    pub fn starts(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.row.len() as u32).filter(|&start| self.length(start) > 0)
    }

    pub fn is_discrete(&self) -> bool {
        self.cells == self.row.len()
    }

    pub fn cell(&self, vertex: u32) -> u32 {
        self.cell[vertex as usize]
    }

    /// How many vertices a cell has; 0 if no cell starts there.
    pub fn length(&self, start: u32) -> u32 {
        self.length[start as usize]
    }

    /// The vertices of a cell.
    pub fn members(&self, start: u32) -> &[u32] {
        &self.row[start as usize..(start + self.length(start)) as usize]
    }

    /// The vertex at a place of the row.
    pub fn at(&self, position: u32) -> u32 {
        self.row[position as usize]
    }

    /// The first cell of two and more vertices that starts at a place or after it.
    pub fn first_open(&self, from: u32) -> Option<u32> {
        let mut start = from as usize;
        while start < self.row.len() && self.length[start] == 1 {
            start += 1;
        }
        (start < self.row.len()).then_some(start as u32)
    }

    /// Moves a vertex to the place of its cell that is so far from the cell's end, 1 for the last.
    pub fn move_to_back(&mut self, vertex: u32, from_end: u32) {
        let start = self.cell(vertex);
        let (from, to) = (self.position[vertex as usize], start + self.length(start) - from_end);
        let other = self.row[to as usize];
        self.row.swap(from as usize, to as usize);
        self.position[vertex as usize] = to;
        self.position[other as usize] = from;
    }

    /// Whether a vertex is among the last ones of its cell.
    pub fn is_at_back(&self, vertex: u32, count: u32) -> bool {
        let start = self.cell(vertex);
        self.position[vertex as usize] + count >= start + self.length(start)
    }

    /// Sorts the last vertices of a cell.
    pub fn sort_back(&mut self, start: u32, count: u32, key: impl Fn(u32) -> u64) {
        let end = start + self.length(start);
        self.row[(end - count) as usize..end as usize].sort_unstable_by_key(|&vertex| key(vertex));
        for index in end - count..end {
            self.position[self.row[index as usize] as usize] = index;
        }
    }

    /// Makes a cell of the last vertices of a cell, fewer than all: its name.
    pub fn split(&mut self, start: u32, count: u32) -> u32 {
        let rest = self.length(start) - count;
        let new = start + rest;
        self.length[start as usize] = rest;
        self.length[new as usize] = count;
        for index in new..new + count {
            let vertex = self.row[index as usize];
            self.cell[vertex as usize] = new;
            self.changed.push(vertex);
        }
        if rest == 1 {
            self.changed.push(self.row[start as usize]);
        }
        self.cells += 1;
        self.splits.push(new);
        new
    }

    /// Makes a cell of one vertex: its name.
    pub fn individualise(&mut self, vertex: u32) -> u32 {
        self.move_to_back(vertex, 1);
        self.split(self.cell(vertex), 1)
    }

    /// How many splits there were.
    pub fn depth(&self) -> usize {
        self.splits.len()
    }

    /// Undoes all splits but the first ones.
    pub fn undo(&mut self, depth: usize) {
        while self.splits.len() > depth
            && let Some(start) = self.splits.pop()
        {
            let before = self.cell(self.row[start as usize - 1]);
            let count = self.length(start);
            if self.length(before) == 1 {
                self.changed.push(self.row[before as usize]);
            }
            self.length[start as usize] = 0;
            self.length[before as usize] += count;
            for index in start..start + count {
                let vertex = self.row[index as usize];
                self.cell[vertex as usize] = before;
                self.changed.push(vertex);
            }
            self.cells -= 1;
        }
    }

    /// The vertices that have changed since this was last asked; perhaps several times each.
    pub fn take_changed(&mut self, into: &mut Vec<u32>) {
        into.append(&mut self.changed);
    }
}
