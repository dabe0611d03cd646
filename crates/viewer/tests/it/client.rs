//! A studio that listens, and a client that speaks plain HTTP to it.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;

use serde_json::{Value, json};
use tioga::{Cancel, OpenOptions};
use tioga_viewer::{Address, Server, StudioOptions, Workspace};
use tioga_views::campaign::CampaignPlan;

/// A studio that listens as long as this is kept.
pub struct Studio {
    pub address: Address,
    /// The address that a browser is opened with.
    pub ticket: String,
    stopped: Cancel,
    thread: Option<std::thread::JoinHandle<()>>,
}

/// What came back.
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {:.300}", self.body))
    }
}

impl Studio {
    /// A studio of a file, a folder or an example.
    pub fn of(given: &str) -> Self {
        Self::with(given, None)
    }

    pub fn with(given: &str, campaign: Option<CampaignPlan>) -> Self {
        Self::made(given, campaign, None)
    }

    /// A studio of a folder with a system from the command line.
    pub fn with_system(folder: &Path, sut: &str) -> Self {
        Self::made(folder.to_str().unwrap(), None, Some(sut.to_owned()))
    }

    fn made(given: &str, campaign: Option<CampaignPlan>, sut: Option<String>) -> Self {
        let workspace =
            Workspace::new(given, OpenOptions { closed: true, ..OpenOptions::default() }).unwrap();
        let workspace = match &campaign {
            Some(plan) => workspace.and(&plan.journal),
            None => workspace,
        };
        let stopped = Cancel::new();
        let limit = tioga_testkit::HANGING;
        let options = StudioOptions { workspace, campaign, sut, port: 0, limit };
        let server = Server::new(options, stopped.clone()).unwrap();
        let (address, ticket) = (server.address(), server.ticket().unwrap());
        let thread = Some(std::thread::spawn(move || server.serve()));
        Self { address, ticket, stopped, thread }
    }

    pub fn of_folder(folder: &Path) -> Self {
        Self::of(folder.to_str().unwrap())
    }

    /// Sends a request as it is, and reads everything that comes back.
    pub fn send(&self, request: &str) -> Reply {
        let mut stream = TcpStream::connect(("127.0.0.1", self.address.port)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut all = String::new();
        stream.read_to_string(&mut all).unwrap();
        let (head, body) =
            all.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no reply: {all:?}"));
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Reply { status, head: head.to_owned(), body: body.to_owned() }
    }

    /// A request with these lines in its head.
    pub fn request(&self, method: &str, path: &str, head: &str, body: &str) -> Reply {
        let length = body.len();
        self.send(&format!(
            "{method} {path} HTTP/1.1\r\n{head}Connection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        ))
    }

    pub fn host(&self) -> String {
        format!("Host: 127.0.0.1:{}\r\n", self.address.port)
    }

    pub fn path(&self, path: &str) -> String {
        format!("/{}/{path}", self.address.token)
    }

    pub fn get(&self, path: &str) -> Reply {
        self.request("GET", &self.path(path), &self.host(), "")
    }

    pub fn post(&self, path: &str, body: &Value) -> Reply {
        self.request("POST", &self.path(&format!("api/{path}")), &self.host(), &body.to_string())
    }

    /// The answer of the API, which has to be one.
    pub fn ask(&self, path: &str, body: &Value) -> Value {
        let reply = self.post(path, body);
        assert_eq!(reply.status, 200, "{path} {body}: {:.300}", reply.body);
        reply.json()
    }

    /// Why the API refuses something.
    pub fn refusal(&self, path: &str, body: &Value) -> (u16, String) {
        let reply = self.post(path, body);
        let message = reply.json()["error"]["message"].as_str().unwrap().to_owned();
        (reply.status, message)
    }

    pub fn stop(mut self) {
        self.stopped.cancel();
        self.thread.take().unwrap().join().unwrap();
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        self.stopped.cancel();
    }
}

/// A model by its name.
pub fn named(name: &str) -> Value {
    json!({ "name": name })
}
