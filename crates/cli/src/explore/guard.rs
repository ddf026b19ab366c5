//! Who may ask: the page that was opened, and nobody else.
//!
//! Any page that a browser shows can send requests to the loopback address. Three things keep others out: a random token in
//! the address; the header `Host`, which is another one if a foreign name was made to point here; and `Origin`, which says
//! from which page a request comes.

use super::http::{Request, Response};
use std::hash::{BuildHasher, RandomState};

/// What lets requests in.
#[derive(Clone, Debug)]
pub struct Guard {
    token: String,
    port: u16,
}

impl Guard {
    /// With a new token.
    pub fn new(port: u16) -> Guard {
        Guard { token: token(), port }
    }

    /// Where the page is.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// What a request asks for behind the token; a refusal if it may not.
    pub fn admit<'r>(&self, request: &'r Request) -> Result<&'r str, Response> {
        let refused = |reason: &str| Err(Response::refused(403, reason));
        let names = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        match request.header("host") {
            Some(host) if names.iter().any(|name| name == host) => {}
            _ => return refused("this is not the host that you think it is"),
        }
        let has_origin = request.headers.iter().any(|(name, _)| name == "origin");
        let is_own = |origin: &str| names.iter().any(|name| format!("http://{name}") == origin);
        if has_origin && !request.header("origin").is_some_and(is_own) {
            return refused("requests come from the page of this server only");
        }
        if matches!(request.header("sec-fetch-site"), Some("cross-site" | "same-site")) {
            return refused("requests come from the page of this server only");
        }
        let mut parts = request.path.splitn(3, '/');
        let (_, token, rest) = (parts.next(), parts.next().unwrap_or_default(), parts.next());
        match rest {
            Some(rest) if is_same(token, &self.token) => Ok(rest),
            _ => refused("the address has no token, or an old one: `mandala explore` prints it"),
        }
    }
}

/// Compares without telling by the time it takes how much is right.
fn is_same(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().zip(other.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

/// 128 random bits: from the system, or else from what the standard library seeds its hash tables with.
fn token() -> String {
    use std::io::Read;
    let mut bytes = [0u8; 16];
    let from_system = std::fs::File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes));
    if from_system.is_err() {
        for (index, half) in bytes.chunks_mut(8).enumerate() {
            half.copy_from_slice(&RandomState::new().hash_one(index).to_le_bytes());
        }
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asks(guard: &Guard, path: &str, headers: &[(&str, &str)]) -> bool {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let request = Request { method: "GET".to_owned(), path: path.to_owned(), headers, body: Vec::new() };
        guard.admit(&request).is_ok()
    }

    #[test]
    fn only_the_page_is_let_in() {
        let guard = Guard::new(8000);
        let path = format!("/{}/api/model", guard.token);
        assert_eq!(guard.token.len(), 32);
        assert_ne!(guard.token, Guard::new(8000).token);
        assert!(asks(&guard, &path, &[("host", "127.0.0.1:8000")]));
        assert!(asks(&guard, &path, &[("host", "localhost:8000"), ("origin", "http://localhost:8000")]));
        assert!(!asks(&guard, &path, &[]));
        assert!(!asks(&guard, &path, &[("host", "evil.example")]));
        assert!(!asks(&guard, &path, &[("host", "127.0.0.1:8001")]));
        assert!(!asks(&guard, &path, &[("host", "127.0.0.1:8000"), ("host", "127.0.0.1:8000")]));
        assert!(!asks(&guard, &path, &[("host", "127.0.0.1:8000"), ("origin", "http://evil.example")]));
        assert!(!asks(&guard, &path, &[("host", "127.0.0.1:8000"), ("origin", "null")]));
        assert!(!asks(&guard, &path, &[("host", "127.0.0.1:8000"), ("sec-fetch-site", "cross-site")]));
        for path in ["/", "/api/model", "/0123/api/model", &format!("/{}", guard.token), &path[..20]] {
            assert!(!asks(&guard, path, &[("host", "127.0.0.1:8000")]), "{path}");
        }
    }
}
