//! As much of HTTP as a page of our own needs: one request per connection, everything limited.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// The most bytes of a request before its body.
const MOST_HEAD: u64 = 16 << 10;
/// The most bytes of a body: a state of a hundred thousand variables fits.
pub const MOST_BODY: usize = 2 << 20;
/// How long a request may take to arrive, and an answer to leave.
const PATIENCE: Duration = Duration::from_secs(10);

/// A request.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// `GET`, `POST` or another.
    pub method: String,
    /// What is asked for.
    pub path: String,
    /// The names of headers, in small letters, with their values.
    pub headers: Vec<(String, String)>,
    /// What was sent.
    pub body: Vec<u8>,
}

impl Request {
    /// The value of a header that is there once.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(one, _)| one == name).map(|(_, value)| value.as_str());
        let first = found.next();
        if found.next().is_some() { None } else { first }
    }
}

/// An answer.
#[derive(Debug, PartialEq, Eq)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The kind of content.
    pub kind: &'static str,
    /// Further headers.
    pub headers: Vec<(&'static str, String)>,
    /// The content.
    pub body: Vec<u8>,
}

impl Response {
    /// A refusal, with the reason.
    pub fn refused(status: u16, reason: &str) -> Response {
        Response {
            status,
            kind: "text/plain; charset=utf-8",
            headers: Vec::new(),
            body: format!("{reason}\n").into_bytes(),
        }
    }

    /// Something in JSON.
    pub fn json(status: u16, value: &serde_json::Value) -> Response {
        Response { status, kind: "application/json", headers: Vec::new(), body: value.to_string().into_bytes() }
    }
}

/// Reads a request; what to answer if it is none, or too large. `Err` if nobody is there any more.
pub fn read(stream: &TcpStream) -> io::Result<Result<Request, Response>> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    parse(stream)
}

/// A request from some bytes.
fn parse(stream: impl Read) -> io::Result<Result<Request, Response>> {
    let refused = |status, reason| Ok(Err(Response::refused(status, reason)));
    let mut reader = BufReader::new(stream);
    let mut head = (&mut reader).take(MOST_HEAD);
    let mut line = String::new();
    let mut request = Request::default();
    if read_line(&mut head, &mut line)?.is_none() {
        return refused(431, "the request is too large");
    }
    let mut words = line.split(' ');
    let (Some(method), Some(path), Some(version), None) = (words.next(), words.next(), words.next(), words.next())
    else {
        return refused(400, "this is no request");
    };
    if !version.starts_with("HTTP/1.") {
        return refused(505, "this is another version of HTTP");
    }
    (request.method, request.path) = (method.to_owned(), path.to_owned());
    loop {
        if read_line(&mut head, &mut line)?.is_none() {
            return refused(431, "the request is too large");
        }
        if line.is_empty() {
            break;
        }
        let Some((name, value)) = line.split_once(':') else { return refused(400, "this is no header") };
        request.headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    if request.headers.iter().any(|(name, _)| name == "transfer-encoding") {
        return refused(411, "say how long the body is");
    }
    let length = match request.headers.iter().filter(|(name, _)| name == "content-length").collect::<Vec<_>>()[..] {
        [] => 0,
        [(_, length)] => match length.parse::<usize>() {
            Ok(length) => length,
            Err(_) => return refused(400, "this is no length"),
        },
        _ => return refused(400, "there are two lengths"),
    };
    if length > MOST_BODY {
        return refused(413, "the body is too large");
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    request.body = body;
    Ok(Ok(request))
}

/// A line without its end; nothing if it is too long.
fn read_line(reader: &mut impl BufRead, line: &mut String) -> io::Result<Option<()>> {
    line.clear();
    let mut bytes = Vec::new();
    reader.read_until(b'\n', &mut bytes)?;
    if bytes.pop() != Some(b'\n') {
        return Ok(None);
    }
    if bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    line.push_str(&String::from_utf8_lossy(&bytes));
    Ok(Some(()))
}

/// Sends an answer.
pub fn write(mut stream: &TcpStream, response: &Response) -> io::Result<()> {
    let reason = match response.status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        411 => "Length Required",
        413 => "Content Too Large",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Error",
    };
    let mut head = format!("HTTP/1.1 {} {reason}\r\n", response.status);
    head.push_str(&format!("Content-Type: {}\r\nContent-Length: {}\r\n", response.kind, response.body.len()));
    head.push_str("Connection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n");
    head.push_str(
        "Referrer-Policy: no-referrer\r\nX-Frame-Options: DENY\r\nCross-Origin-Resource-Policy: same-origin\r\n",
    );
    for (name, value) in &response.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes())?;
    stream.write_all(&response.body)?;
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Request, u16> {
        match parse(text.as_bytes()) {
            Ok(Ok(request)) => Ok(request),
            Ok(Err(response)) => Err(response.status),
            Err(_) => Err(0),
        }
    }

    #[test]
    fn requests_are_read() {
        let request = parsed("POST /a HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\n\r\n{}xx").expect("a request");
        assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/a"));
        assert_eq!((request.header("host"), request.body.as_slice()), (Some("here"), &b"{}"[..]));
    }

    #[test]
    fn what_is_none_or_too_large_is_refused() {
        assert_eq!(parsed("GET /\r\n\r\n"), Err(400));
        assert_eq!(parsed("GET / SPDY/3\r\n\r\n"), Err(505));
        assert_eq!(parsed("GET / HTTP/1.1\r\nContent-Length: 104857600\r\n\r\n"), Err(413));
        assert_eq!(parsed("GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"), Err(400));
        assert_eq!(parsed("GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"), Err(400));
        assert_eq!(parsed("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"), Err(411));
        assert_eq!(parsed("GET / HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc"), Err(0), "it never arrives");
        assert_eq!(parsed(&format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(20_000))), Err(431));
        assert_eq!(parsed(&format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(20_000))), Err(431));
        let twice = parsed("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n").expect("a request");
        assert_eq!(twice.header("host"), None);
    }
}
