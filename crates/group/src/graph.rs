//! Graphs with colours on vertices and on directed edges.

/// A directed graph with a colour for each vertex and for each edge. Several edges may lead from one vertex to another.
///
/// Each edge is kept at both of its ends: a *label* tells its colour and its direction as seen from there.
#[derive(Clone, Debug)]
pub struct ColouredGraph {
    colours: Vec<u32>,
    /// Where the edges of each vertex begin, and at last where those of the last vertex end.
    first: Vec<u32>,
    /// The other end and the label of each edge, in ascending order at each vertex.
    edges: Vec<(u32, u32)>,
    /// How many labels there are.
    labels: u32,
}

impl ColouredGraph {
    /// A graph, given the colour of each vertex, and source, target and colour of each edge. Nothing if an edge names a
    /// vertex that is not there, or if there are more than 2³¹ edges.
    pub fn new(colours: Vec<u32>, edges: &[(u32, u32, u32)]) -> Option<ColouredGraph> {
        let is_vertex = |vertex: u32| (vertex as usize) < colours.len();
        if edges.len() >= 1 << 31 || !edges.iter().all(|&(source, target, _)| is_vertex(source) && is_vertex(target)) {
            return None;
        }
        let mut edge_colours: Vec<u32> = edges.iter().map(|&(.., colour)| colour).collect();
        edge_colours.sort_unstable();
        edge_colours.dedup();

        let mut first = vec![0u32; colours.len() + 1];
        for &(source, target, _) in edges {
            first[source as usize + 1] += 1;
            first[target as usize + 1] += 1;
        }
        for vertex in 0..colours.len() {
            first[vertex + 1] += first[vertex];
        }
        let mut next = first.clone();
        let mut ends = vec![(0, 0); 2 * edges.len()];
        let mut put = |vertex: u32, end: (u32, u32)| {
            ends[next[vertex as usize] as usize] = end;
            next[vertex as usize] += 1;
        };
        for &(source, target, colour) in edges {
            let colour = edge_colours.partition_point(|&other| other < colour) as u32;
            put(source, (target, 2 * colour));
            put(target, (source, 2 * colour + 1));
        }
        for vertex in 0..colours.len() {
            ends[first[vertex] as usize..first[vertex + 1] as usize].sort_unstable();
        }
        Some(ColouredGraph { colours, first, edges: ends, labels: 2 * edge_colours.len() as u32 })
    }

    /// The number of vertices.
    pub fn vertices(&self) -> usize {
        self.colours.len()
    }

    /// The colour of each vertex.
    pub fn colours(&self) -> &[u32] {
        &self.colours
    }

    /// The edges at a vertex, each with the vertex at its other end and its label, in ascending order.
    pub(crate) fn edges(&self, vertex: u32) -> &[(u32, u32)] {
        let vertex = vertex as usize;
        &self.edges[self.first[vertex] as usize..self.first[vertex + 1] as usize]
    }

    /// How many labels there are; labels are below this number.
    pub(crate) fn labels(&self) -> u32 {
        self.labels
    }

    /// Whether a permutation of the vertices keeps the colours and maps the edges to the edges.
    ///
    /// Only what is moved is looked at: an edge between two vertices that stay is its own image.
    pub fn is_automorphism(&self, permutation: &crate::Permutation) -> bool {
        let mut images = Vec::new();
        permutation.moves().iter().all(|&(vertex, image)| {
            if vertex.max(image) as usize >= self.vertices()
                || self.colours[vertex as usize] != self.colours[image as usize]
                || self.edges(vertex).len() != self.edges(image).len()
            {
                return false;
            }
            images.clear();
            images.extend(self.edges(vertex).iter().map(|&(other, label)| (permutation.image(other), label)));
            images.sort_unstable();
            images == self.edges(image)
        })
    }
}
