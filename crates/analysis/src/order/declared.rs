//! The order in which the model declares its variables: often its author's idea of what belongs together.

use super::{Connections, Order};

/// As declared, the first variable on top.
pub fn declared(connections: &Connections) -> Order {
    (0u32..).take(connections.variables).collect()
}

/// As declared, the first variable at the bottom.
pub fn reversed(connections: &Connections) -> Order {
    let mut order = declared(connections);
    order.reverse();
    order
}
