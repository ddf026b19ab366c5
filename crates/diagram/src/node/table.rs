//! The flat storage of nodes and the unique table over it.

use super::{Arc, Kind, Node, TOP};

/// Twelve bytes per node. `meta` holds the number of arcs, whether ⊤ is reachable, and the kind.
#[derive(Clone, Copy)]
pub(super) struct Header {
    pub(super) variable: u32,
    pub(super) first: u32,
    pub(super) meta: u32,
}

const KIND_BITS: u32 = 2;
const UNDEFINED: u32 = 1 << KIND_BITS;
const COUNT_SHIFT: u32 = KIND_BITS + 1;
/// The most arcs that a node can have.
pub(crate) const MAX_ARCS: usize = (u32::MAX >> COUNT_SHIFT) as usize;
/// The variable of terminals and of ranges nodes.
pub(crate) const NO_VARIABLE: u32 = u32::MAX;
/// The end of the list of free ids.
pub(super) const NO_FREE: u32 = u32::MAX;

impl Header {
    pub(super) fn new(kind: Kind, variable: u32, first: usize, count: usize, undefined: bool) -> Header {
        let undefined = if undefined { UNDEFINED } else { 0 };
        Header { variable, first: first as u32, meta: (count as u32) << COUNT_SHIFT | undefined | kind as u32 }
    }

    #[inline(always)]
    pub(super) fn kind(self) -> Kind {
        match self.meta & 3 {
            0 => Kind::Data,
            1 => Kind::Set,
            2 => Kind::Ranges,
            _ => Kind::None,
        }
    }

    #[inline(always)]
    pub(super) fn count(self) -> usize {
        (self.meta >> COUNT_SHIFT) as usize
    }
}

/// All nodes of a store.
pub(crate) struct Nodes {
    pub(super) headers: Vec<Header>,
    pub(super) arcs: Vec<Arc>,
    /// Open addressing with linear probing; 0 is an empty slot. Any length: a hash is scaled to it.
    pub(super) table: Vec<u32>,
    pub(super) free: u32,
    /// Ids in use, terminals included.
    pub(super) used: usize,
    pub(super) made: u64,
    pub(super) peak: usize,
    /// Whether ⊤ was ever handed out: until then no new node needs to look at its children for it.
    top_is_used: bool,
}

/// How much [`Nodes::grow`] would allocate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Growth {
    headers: usize,
    arcs: usize,
    table: usize,
    /// The bytes in use while growing, above those in use now.
    pub(crate) bytes: usize,
}

#[inline(always)]
fn hash(kind: Kind, variable: u32, arcs: &[Arc]) -> u64 {
    const K: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut h = (u64::from(variable) << 2 | kind as u64).wrapping_mul(K);
    for arc in arcs {
        let word = u64::from(arc.label) << 32 | u64::from(arc.child.0);
        h = (h.rotate_left(23) ^ word).wrapping_mul(K);
    }
    h ^ h >> 29
}

impl Nodes {
    pub(crate) fn new() -> Nodes {
        let none = Header::new(Kind::None, NO_VARIABLE, 0, 0, false);
        let mut headers = Vec::with_capacity(1 << 10);
        headers.extend([none, none, Header::new(Kind::None, NO_VARIABLE, 0, 0, true)]);
        Nodes {
            headers,
            arcs: Vec::with_capacity(1 << 12),
            table: vec![0; 1 << 11],
            free: NO_FREE,
            used: 3,
            made: 0,
            peak: 3,
            top_is_used: false,
        }
    }

    #[inline(always)]
    pub(crate) fn variable(&self, node: Node) -> u32 {
        self.headers[node.index()].variable
    }

    #[inline(always)]
    pub(crate) fn kind(&self, node: Node) -> Kind {
        self.headers[node.index()].kind()
    }

    /// Whether ⊤ is reachable from the node, through children or labels.
    #[inline(always)]
    pub(crate) fn is_undefined(&self, node: Node) -> bool {
        self.top_is_used && self.headers[node.index()].meta & UNDEFINED != 0
    }

    /// The number of arcs (or ranges).
    #[inline(always)]
    pub(crate) fn arc_count(&self, node: Node) -> usize {
        self.headers[node.index()].count()
    }

    /// One arc. Only valid until the next collection: read it again by index after anything that
    /// makes nodes.
    #[inline(always)]
    pub(crate) fn arc(&self, node: Node, index: usize) -> Arc {
        self.arcs[self.headers[node.index()].first as usize + index]
    }

    /// All arcs.
    #[inline(always)]
    pub(crate) fn arcs(&self, node: Node) -> &[Arc] {
        let header = self.headers[node.index()];
        let first = header.first as usize;
        &self.arcs[first..first + header.count()]
    }

    /// The child of a data node's value.
    pub(crate) fn child(&self, node: Node, value: i32) -> Option<Node> {
        let arcs = self.arcs(node);
        arcs.binary_search_by_key(&value, |arc| arc.value()).ok().map(|at| arcs[at].child)
    }

    /// Whether both are data nodes of the same variable none of whose values coincide because their
    /// ranges do not meet. Cheaper than a look at a cache.
    #[inline(always)]
    pub(crate) fn ranges_apart(&self, a: Node, b: Node) -> bool {
        let (ha, hb) = (self.headers[a.index()], self.headers[b.index()]);
        if (ha.meta | hb.meta) & 3 != Kind::Data as u32 || ha.variable != hb.variable {
            return false;
        }
        let (fa, fb) = (ha.first as usize, hb.first as usize);
        let (la, lb) = (fa + ha.count() - 1, fb + hb.count() - 1);
        self.arcs[la].value() < self.arcs[fb].value() || self.arcs[lb].value() < self.arcs[fa].value()
    }

    /// Whether one more node with this many arcs fits without allocating.
    #[inline(always)]
    pub(crate) fn has_room(&self, arcs: usize) -> bool {
        self.arcs.len() + arcs <= self.arcs.capacity()
            && (self.free != NO_FREE || self.headers.len() < self.headers.capacity())
            && self.used * 4 < self.table.len() * 3
    }

    #[inline(always)]
    fn slot(&self, hash: u64) -> usize {
        (((hash >> 32) * self.table.len() as u64) >> 32) as usize
    }

    /// The node with these arcs, if there is one already.
    #[inline(always)]
    pub(crate) fn find(&self, kind: Kind, variable: u32, arcs: &[Arc]) -> Result<Node, u64> {
        let hash = hash(kind, variable, arcs);
        let meta = (arcs.len() as u32) << COUNT_SHIFT | kind as u32;
        let mut slot = self.slot(hash);
        loop {
            let id = self.table[slot];
            if id == 0 {
                return Err(hash);
            }
            let header = self.headers[id as usize];
            if header.variable == variable && header.meta & !UNDEFINED == meta {
                let first = header.first as usize;
                if self.arcs[first..first + arcs.len()] == *arcs {
                    return Ok(Node(id));
                }
            }
            slot += 1;
            if slot == self.table.len() {
                slot = 0;
            }
        }
    }

    /// Adds the node that [`Nodes::find`] did not find. There must be room.
    pub(crate) fn add(&mut self, kind: Kind, variable: u32, arcs: &[Arc], hash: u64) -> Node {
        debug_assert!(self.has_room(arcs.len()));
        self.check_invariants(kind, arcs);
        let undefined = self.reaches_top(kind, arcs);
        let header = Header::new(kind, variable, self.arcs.len(), arcs.len(), undefined);
        self.arcs.extend_from_slice(arcs);
        let id = if self.free == NO_FREE {
            self.headers.push(header);
            (self.headers.len() - 1) as u32
        } else {
            let id = self.free;
            self.free = self.headers[id as usize].first;
            self.headers[id as usize] = header;
            id
        };
        self.used += 1;
        self.made += 1;
        self.peak = self.peak.max(self.used);
        self.place(id, hash);
        Node(id)
    }

    fn place(&mut self, id: u32, hash: u64) {
        let mut slot = self.slot(hash);
        while self.table[slot] != 0 {
            slot += 1;
            if slot == self.table.len() {
                slot = 0;
            }
        }
        self.table[slot] = id;
    }

    /// Says that ⊤ is about to become part of nodes.
    pub(crate) fn use_top(&mut self) {
        self.top_is_used = true;
    }

    fn reaches_top(&self, kind: Kind, arcs: &[Arc]) -> bool {
        self.top_is_used && kind != Kind::Ranges && arcs.iter().any(|arc| self.is_undefined(arc.child))
    }

    fn check_invariants(&self, kind: Kind, arcs: &[Arc]) {
        debug_assert!(!arcs.is_empty() && arcs.len() <= MAX_ARCS);
        match kind {
            Kind::Data => {
                debug_assert!(arcs.is_sorted_by(|a, b| a.value() < b.value()));
                debug_assert!(arcs.iter().all(|arc| self.is_diagram(arc.child)));
            }
            Kind::Set => {
                debug_assert!(arcs.is_sorted_by(|a, b| a.label < b.label));
                debug_assert!(arcs.iter().all(|arc| {
                    let label = arc.set_label();
                    self.is_diagram(arc.child) && label.0 != 0 && self.is_in_use(label) && !self.is_undefined(label)
                }));
                debug_assert!((1..arcs.len()).all(|i| arcs[..i].iter().all(|a| a.child != arcs[i].child)));
            }
            Kind::Ranges => debug_assert!({
                let ends = |arc: &Arc| arc.ends();
                arcs.iter().map(ends).all(|(low, high)| low <= high)
                    && arcs.is_sorted_by(|a, b| i64::from(a.ends().1) + 1 < i64::from(b.ends().0))
            }),
            Kind::None => unreachable!("terminals are not made"),
        }
    }

    /// Whether the id names a diagram that is not empty.
    fn is_diagram(&self, node: Node) -> bool {
        node.0 != 0 && self.is_in_use(node) && self.kind(node) != Kind::Ranges
    }

    /// Whether the id names a node.
    pub(crate) fn is_in_use(&self, node: Node) -> bool {
        node.is_terminal() || node.index() < self.headers.len() && self.kind(node) != Kind::None
    }

    /// How far to grow so that a node with this many arcs fits.
    pub(crate) fn growth(&self, arcs: usize) -> Growth {
        // Doubling while small; by an eighth when large, so that little stands empty.
        let more = |length: usize| length + if length < 1 << 13 { length } else { length / 8 };
        let mut growth = Growth { headers: 0, arcs: 0, table: 0, bytes: 0 };
        if self.arcs.len() + arcs > self.arcs.capacity() {
            growth.arcs = more(self.arcs.capacity()).max(self.arcs.len() + arcs);
            growth.bytes += (growth.arcs - self.arcs.capacity()) * size_of::<Arc>();
        }
        if self.free == NO_FREE && self.headers.len() == self.headers.capacity() {
            growth.headers = more(self.headers.capacity());
            growth.bytes += (growth.headers - self.headers.capacity()) * size_of::<Header>();
        }
        if self.used * 4 >= self.table.len() * 3 {
            growth.table = self.table.len() + self.table.len() / if self.table.len() < 1 << 15 { 1 } else { 2 };
            growth.bytes += growth.table * 4;
        }
        growth
    }

    /// Allocates. `Err` if the system has no memory or the ids are used up.
    pub(crate) fn grow(&mut self, growth: Growth) -> Result<(), ()> {
        const MOST: usize = u32::MAX as usize;
        if growth.arcs > MOST || growth.headers > MOST {
            return Err(());
        }
        let failed = |_| ();
        if growth.arcs > 0 {
            self.arcs.try_reserve_exact(growth.arcs - self.arcs.len()).map_err(failed)?;
        }
        if growth.headers > 0 {
            self.headers.try_reserve_exact(growth.headers - self.headers.len()).map_err(failed)?;
        }
        if growth.table > 0 {
            let mut table = Vec::new();
            table.try_reserve_exact(growth.table).map_err(failed)?;
            table.resize(growth.table, 0);
            self.table = table;
            self.fill_table();
        }
        Ok(())
    }

    /// Gives back what is far more than the nodes in use need, after a sweep.
    pub(crate) fn shrink(&mut self) {
        let last = self.headers.iter().rposition(|header| header.kind() != Kind::None).unwrap_or(0);
        self.headers.truncate(last.max(TOP.index()) + 1);
        self.free = NO_FREE;
        for id in (TOP.index() + 1..self.headers.len()).rev() {
            if self.headers[id].kind() == Kind::None {
                self.headers[id].first = self.free;
                self.free = id as u32;
            }
        }
        self.headers.shrink_to((self.headers.len() + self.headers.len() / 4).max(1 << 10));
        self.arcs.shrink_to((self.arcs.len() + self.arcs.len() / 4).max(1 << 12));
        let wanted = (self.used * 2).max(1 << 11);
        if wanted < self.table.len() {
            self.table = vec![0; wanted];
            self.fill_table();
        }
    }

    /// Puts all nodes into an empty table.
    pub(super) fn fill_table(&mut self) {
        for id in TOP.0 + 1..self.headers.len() as u32 {
            let header = self.headers[id as usize];
            if header.kind() != Kind::None {
                let hash = hash(header.kind(), header.variable, self.arcs(Node(id)));
                self.place(id, hash);
            }
        }
    }

    /// Nodes in use, terminals included.
    pub(crate) fn used(&self) -> usize {
        self.used
    }

    /// Nodes ever made.
    pub(crate) fn made(&self) -> u64 {
        self.made
    }

    /// The most nodes that were in use at a time.
    pub(crate) fn peak(&self) -> usize {
        self.peak
    }

    /// One above the largest id that may be in use.
    pub(crate) fn id_bound(&self) -> usize {
        self.headers.len()
    }

    /// Arcs stored, including those of dead nodes that are not collected yet.
    pub(crate) fn stored_arcs(&self) -> usize {
        self.arcs.len()
    }

    /// Bytes allocated.
    pub(crate) fn bytes(&self) -> usize {
        self.headers.capacity() * size_of::<Header>()
            + self.arcs.capacity() * size_of::<Arc>()
            + self.table.capacity() * 4
    }
}
