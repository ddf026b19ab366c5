//! How many states the classic models have up to symmetry, by formula: orbits of the group of all that may be exchanged.
//!
//! `None` where a number does not fit into 128 bits.

/// The number as a sentence for people.
pub(super) fn sentence(orbits: Option<u128>, when: &str) -> Option<String> {
    orbits.map(|orbits| format!("Orbits: {orbits}, where {when}."))
}

/// Clients and servers: k clients are with servers, the others idle or answered. A server with whom there is somebody
/// is free or busy, so that these are the partitions of k into at most as many parts as there are servers, in two colours.
pub(super) fn client_server(clients: u64, servers: u64) -> Option<u128> {
    let (clients, servers) = (usize::try_from(clients).ok()?, usize::try_from(servers).ok()?);
    // By number of parts, then by their sum.
    let mut partitions = vec![vec![0u128; clients + 1]; servers + 1];
    partitions[0][0] = 1;
    for part in (1..=clients).flat_map(|part| [part, part]) {
        for parts in 1..=servers {
            for sum in part..=clients {
                partitions[parts][sum] = partitions[parts][sum].checked_add(partitions[parts - 1][sum - part])?;
            }
        }
    }
    let ways = partitions.iter().flat_map(|row| row.iter().enumerate());
    total(ways.map(|(sum, ways)| ways.checked_mul((clients - sum) as u128 + 1)))
}

/// The sale store: how many people have one gift, how many two, and where the others are: waiting, inside or out.
pub(super) fn sale_store(people: u64, gifts: u64) -> Option<u128> {
    let with_two = 0..=people.min(gifts / 2);
    let ways = with_two.flat_map(|two| (0..=(people - two).min(gifts - 2 * two)).map(move |one| people - two - one));
    total(ways.map(|others| (u128::from(others) + 1).checked_mul(u128::from(others) + 2).map(|double| double / 2)))
}

/// Peterson: how many processes there are at each level.
pub(super) fn peterson(n: u64) -> Option<u128> {
    let power = 2u128.checked_pow(u32::try_from(n.checked_sub(2)?).ok()?)?;
    power.checked_mul(u128::from(n) + 3)
}

/// The token ring: without a token, the necklaces of who wants to send; with one, what there is seen from it.
pub(super) fn token_ring(n: u64) -> Option<u128> {
    let power = |exponent: u64| 2u128.checked_pow(u32::try_from(exponent).ok()?);
    let necklaces = total((0..n).map(|turn| power(greatest_divisor(n, turn))))?.checked_div(u128::from(n))?;
    total([necklaces, power(n)?, power(n.checked_sub(1)?)?].map(Some).into_iter())
}

/// The distributed database: nothing happens, or each site but one has its message sent, received or acknowledged.
pub(super) fn database(n: u64) -> Option<u128> {
    u128::from(n).checked_mul(u128::from(n) + 1).map(|double| double / 2 + 1)
}

/// The sum, if it and all its terms are small enough.
fn total(mut terms: impl Iterator<Item = Option<u128>>) -> Option<u128> {
    terms.try_fold(0u128, |sum, term| sum.checked_add(term?))
}

/// The greatest common divisor.
fn greatest_divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}
