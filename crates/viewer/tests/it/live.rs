//! A journal while it is written.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use tioga_testkit::folder;

use crate::client::Studio;
use crate::made;

#[test]
fn a_page_hears_when_a_journal_grows() {
    let place = folder("live");
    let path = made::journal(&place, "model:@smart-light", 1);
    let studio = Studio::of_folder(&place);
    let mut stream = TcpStream::connect(("127.0.0.1", studio.address.port)).unwrap();
    let request = format!(
        "GET {} HTTP/1.1\r\n{}\r\n",
        studio.path("api/live?name=light.journal"),
        studio.host()
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    assert_eq!(lines.next().unwrap(), "HTTP/1.1 200 OK");
    let mut next = || lines.find(|line| line.starts_with("data: ")).unwrap();
    let length = std::fs::metadata(&path).unwrap().len();
    assert_eq!(next(), format!("data: {{\"length\":{length}}}"));
    std::fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"more").unwrap();
    assert_eq!(next(), format!("data: {{\"length\":{}}}", length + 4));
    // The page is closed without a word, and the studio goes on.
    drop(lines);
    assert_eq!(studio.get("").status, 200);
    assert_eq!(studio.get("api/live?name=..%2Fother.journal").status, 404);
    studio.stop();
}
