//! As much of HTTP/1.1 as a page on the same machine needs: one request for each connection, and limits on everything a
//! client sends, so that no program can make the studio hang or exhaust memory.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// The most bytes before the body of a request.
const HEAD: usize = 64 << 10;

/// The most bytes of a body.
const BODY: usize = 16 << 20;

/// How long a client may take to send its request, and to take a part of the answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long what a client still sends is read after a refusal, so that it gets the answer.
const AFTERMATH: Duration = Duration::from_millis(200);

/// A request whose body was not read yet.
#[derive(Debug)]
pub struct Request {
    /// The method.
    pub method: String,
    /// What is asked for: the path with its query.
    pub target: String,
    headers: Vec<(String, String)>,
    stream: TcpStream,
    /// What came of the body together with the head.
    rest: Vec<u8>,
    deadline: Instant,
}

/// Why there is no request or no body: a status of HTTP and a sentence.
pub type Malformed = (u16, &'static str);

impl Request {
    /// Reads the head of a request.
    ///
    /// # Errors
    /// The connection, if there is something to answer, with what is wrong.
    pub fn read(mut stream: TcpStream) -> Result<Self, Option<(TcpStream, Malformed)>> {
        let deadline = Instant::now() + PATIENCE;
        let patient = stream.set_write_timeout(Some(PATIENCE));
        if patient.and_then(|()| stream.set_nodelay(true)).is_err() {
            return Err(None);
        }
        let mut bytes = Vec::new();
        let end = loop {
            let seen = bytes.len().saturating_sub(3);
            match more(&mut stream, &mut bytes, deadline) {
                Ok(0) => return Err(None),
                Ok(_) => {}
                Err(_) => return Err(Some((stream, (408, "the request took too long")))),
            }
            if let Some(end) = bytes[seen..].windows(4).position(|four| four == b"\r\n\r\n") {
                break seen + end;
            }
            if bytes.len() > HEAD {
                return Err(Some((stream, (431, "the head of the request is too large"))));
            }
        };
        let rest = bytes.split_off(end + 4);
        bytes.truncate(end);
        match parsed(&bytes) {
            Some((method, target, headers)) => {
                Ok(Self { method, target, headers, stream, rest, deadline })
            }
            None => Err(Some((stream, (400, "this is no request of HTTP")))),
        }
    }

    /// The value of a header, if there is one; several with this name count as none.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut all = self.headers.iter().filter(|(own, _)| own.eq_ignore_ascii_case(name));
        let first = all.next();
        first.filter(|_| all.next().is_none()).map(|(_, value)| value.as_str())
    }

    /// Whether there is a header of this name.
    pub fn has(&self, name: &str) -> bool {
        self.headers.iter().any(|(own, _)| own.eq_ignore_ascii_case(name))
    }

    /// Reads the body.
    ///
    /// # Errors
    /// If its length is not given, it is too large, or it does not come.
    pub fn body(&mut self) -> Result<Vec<u8>, Malformed> {
        if self.has("Transfer-Encoding") {
            return Err((411, "the length of the request must be given"));
        }
        let length = match self.header("Content-Length") {
            Some(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok(),
            None if !self.has("Content-Length") => Some(0),
            _ => None,
        };
        let length: u64 = length.ok_or((400, "the length of the request is not understood"))?;
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        if length > BODY {
            return Err((413, "the request is too large"));
        }
        let mut body = std::mem::take(&mut self.rest);
        while body.len() < length {
            match more(&mut self.stream, &mut body, self.deadline) {
                Ok(0) => return Err((400, "the request ends too early")),
                Ok(_) => {}
                Err(_) => return Err((408, "the request took too long")),
            }
        }
        body.truncate(length);
        Ok(body)
    }

    /// The connection, to see who is at its other end.
    pub fn stream(&self) -> &TcpStream {
        &self.stream
    }

    /// The connection, for an answer.
    pub fn into_stream(self) -> TcpStream {
        self.stream
    }
}

/// Reads what comes next, but not after the deadline.
fn more(stream: &mut TcpStream, bytes: &mut Vec<u8>, deadline: Instant) -> io::Result<usize> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(io::ErrorKind::TimedOut.into());
    }
    stream.set_read_timeout(Some(left))?;
    let mut part = [0; 16 << 10];
    let count = stream.read(&mut part)?;
    bytes.extend_from_slice(&part[..count]);
    Ok(count)
}

/// What stands before the body of a request: method, target and headers.
type Head = (String, String, Vec<(String, String)>);

/// Takes a head apart.
fn parsed(head: &[u8]) -> Option<Head> {
    let text = std::str::from_utf8(head).ok()?;
    let mut lines = text.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let (method, target, version) = (first.next()?, first.next()?, first.next()?);
    let known = first.next().is_none() && ["HTTP/1.1", "HTTP/1.0"].contains(&version);
    if !known || method.is_empty() || !target.starts_with('/') {
        return None;
    }
    let header = |line: &str| {
        let (name, value) = line.split_once(':')?;
        let token = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic());
        token.then(|| (name.to_owned(), value.trim().to_owned()))
    };
    let headers = lines.map(header).collect::<Option<Vec<_>>>()?;
    Some((method.to_owned(), target.to_owned(), headers))
}

/// Writes the head of an answer.
///
/// # Errors
/// If the client is gone.
pub fn write_head(
    stream: &mut TcpStream,
    status: u16,
    headers: &[(&str, String)],
) -> io::Result<()> {
    let mut head = format!("HTTP/1.1 {status} {}\r\n", reason(status));
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("Connection: close\r\n\r\n");
    stream.write_all(head.as_bytes())
}

/// Ends a connection after its answer.
pub fn close(mut stream: TcpStream) {
    // What was not read would make the system throw the answer away.
    let deadline = Instant::now() + AFTERMATH;
    let ended = stream.flush().and_then(|()| stream.shutdown(Shutdown::Write));
    let mut unread = Vec::new();
    while ended.is_ok() && matches!(more(&mut stream, &mut unread, deadline), Ok(1..)) {
        unread.clear();
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        303 => "See Other",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        409 => "Conflict",
        411 => "Length Required",
        413 => "Content Too Large",
        422 => "Unprocessable Content",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_taken_apart_or_refused() {
        let (method, target, headers) =
            parsed(b"POST /a/b?c HTTP/1.1\r\nHost: x:1\r\nOrigin:  y ").unwrap();
        assert_eq!((method.as_str(), target.as_str()), ("POST", "/a/b?c"));
        assert_eq!(headers[1], ("Origin".to_owned(), "y".to_owned()));
        for wrong in [
            &b""[..],
            b"GET",
            b"GET / HTTP/2",
            b"GET  / HTTP/1.1",
            b"GET http://x/ HTTP/1.1",
            b"GET / HTTP/1.1\r\nno colon",
            b"GET / HTTP/1.1\r\nHo st: x",
            b"GET /\xff HTTP/1.1",
        ] {
            assert!(parsed(wrong).is_none(), "{}", String::from_utf8_lossy(wrong));
        }
    }
}
