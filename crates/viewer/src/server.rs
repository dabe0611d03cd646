//! The server: one thread listens, and each request is answered by a thread of its own.

use std::io::{self, Write};
use std::net::{TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tioga::{Cancel, Failure};
use tioga_base::Diagnostic;
use tioga_views::campaign::CampaignPlan;

use crate::answer::{Answer, Refused};
use crate::api::Api;
use crate::assets;
use crate::caches::Caches;
use crate::campaign::Campaign;
use crate::guard::Guard;
use crate::http::{self, Request};
use crate::live;
use crate::ticket::{Tickets, same_user};
use crate::workspace::{Kind, Workspace};

/// How often the end is looked for while no request comes.
const GLANCE: Duration = Duration::from_millis(50);

/// How many connections there are at the same time, pages that watch a journal included.
const CONNECTIONS: usize = 256;

/// The path of tickets.
const OPEN: &str = "/open/";

/// How long a campaign may take to stop when the server ends.
const STOPPING: Duration = Duration::from_millis(300);

/// What a studio is for.
#[derive(Debug)]
pub struct StudioOptions {
    /// The files that are shown.
    pub workspace: Workspace,
    /// The campaign that may be started.
    pub campaign: Option<CampaignPlan>,
    /// The system that runs are shrunk against, as `--sut` names it.
    pub sut: Option<String>,
    /// The port; any that is free if it is 0.
    pub port: u16,
    /// How long the work for a request may take.
    pub limit: Duration,
}

/// Where the page is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    /// The port.
    pub port: u16,
    /// The secret part of the address.
    pub token: String,
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "http://127.0.0.1:{}/{}/", self.port, self.token)
    }
}

/// A studio that listens.
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
    stopped: Cancel,
}

struct Shared {
    api: Api,
    guard: Guard,
    tickets: Tickets,
    under_way: AtomicUsize,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("port", &self.shared.guard.port).finish_non_exhaustive()
    }
}

impl Server {
    /// Begins to listen on the loopback interface. `stopped` ends it.
    ///
    /// # Errors
    /// If the port is taken.
    pub fn new(options: StudioOptions, stopped: Cancel) -> Result<Self, Failure> {
        let StudioOptions { workspace, campaign, sut, port, limit } = options;
        let refused = |error: &io::Error| -> Failure {
            let message = match error.kind() {
                io::ErrorKind::AddrInUse => format!("port {port} is taken by another program"),
                io::ErrorKind::PermissionDenied => format!("no permission to use port {port}"),
                _ => format!("cannot listen on port {port}: {error}"),
            };
            let help = "without `--port`, a free one is chosen";
            Diagnostic::global("cannot-listen", message).help(help).into()
        };
        let socket = TcpListener::bind(("127.0.0.1", port)).map_err(|error| refused(&error))?;
        let port = socket.local_addr().map_err(|error| refused(&error))?.port();
        let guard = Guard::new(port).map_err(|error| unguarded(&error))?;
        let caches = Caches::default();
        let campaign = Campaign::new(campaign);
        let api = Api { workspace, caches, campaign, sut, limit, stopped: stopped.clone() };
        let tickets = Tickets::default();
        let shared = Shared { api, guard, tickets, under_way: AtomicUsize::new(0) };
        Ok(Self { listener: socket, shared: Arc::new(shared), stopped })
    }

    /// Where the page is.
    pub fn address(&self) -> Address {
        let Guard { token, port } = self.shared.guard.clone();
        Address { port, token }
    }

    /// An address for the command line of a browser, which other users can read. It leads to the page once, and only a
    /// program of the same user where the system tells users apart.
    ///
    /// # Errors
    /// If the operating system has no random numbers.
    pub fn ticket(&self) -> Result<String, Failure> {
        let ticket = self.shared.tickets.make().map_err(|error| unguarded(&error))?;
        Ok(format!("http://127.0.0.1:{}{OPEN}{ticket}", self.shared.guard.port))
    }

    /// Answers requests until it is stopped.
    pub fn serve(self) {
        // Who waits for a connection hears of the end by one.
        let (stopped, port) = (self.stopped.clone(), self.shared.guard.port);
        let waker = std::thread::spawn(move || {
            while !stopped.is_cancelled() {
                std::thread::sleep(GLANCE);
            }
            let _ = TcpStream::connect(("127.0.0.1", port));
        });
        for stream in self.listener.incoming() {
            if self.stopped.is_cancelled() {
                break;
            }
            let Ok(stream) = stream else {
                std::thread::sleep(GLANCE);
                continue;
            };
            let shared = self.shared.clone();
            if shared.under_way.fetch_add(1, Ordering::Relaxed) >= CONNECTIONS {
                shared.under_way.fetch_sub(1, Ordering::Relaxed);
                // Whoever listens must not wait for a client.
                let mut stream = stream;
                let _ = http::write_head(&mut stream, 503, &[]);
                continue;
            }
            std::thread::spawn(move || {
                shared.serve(stream);
                shared.under_way.fetch_sub(1, Ordering::Relaxed);
            });
        }
        let _ = waker.join();
        // The runs under way end; those that ended are in the journal.
        self.shared.api.campaign.stop();
        let mut left = STOPPING;
        while self.shared.api.campaign.is_running() && !left.is_zero() {
            std::thread::sleep(GLANCE);
            left = left.saturating_sub(GLANCE);
        }
    }
}

fn unguarded(error: &getrandom::Error) -> Failure {
    Failure::internal(Diagnostic::global("no-token", format!("no random numbers: {error}")))
}

impl Shared {
    fn serve(&self, stream: TcpStream) {
        match Request::read(stream) {
            Ok(request) => self.handle(request),
            Err(None) => {}
            Err(Some((stream, (status, message)))) => {
                reply(stream, Refused::new(status, message).into(), "", false);
            }
        }
    }

    fn handle(&self, mut request: Request) {
        let (host, origin) = (request.header("Host"), request.header("Origin"));
        // An origin that is there twice is not ours.
        let origin = origin.or(request.has("Origin").then_some("several"));
        let admitted = self.guard.admit(host, origin);
        let url = request.target.clone();
        if let (Ok(()), "GET", Some(ticket)) =
            (&admitted, request.method.as_str(), url.strip_prefix(OPEN))
        {
            return self.exchange(ticket, request);
        }
        let path = match admitted.and_then(|()| self.guard.path(&url)) {
            Ok(path) => path,
            Err(refused) => return reply(request.into_stream(), refused.into(), "", false),
        };
        let Ok(nonce) = Guard::new(0).map(|guard| guard.token) else { return };
        if let Some(file) = path.strip_prefix("api/live?name=") {
            return self.live(file, request);
        }
        let answer = match (request.method.as_str(), path.strip_prefix("api/")) {
            ("GET" | "HEAD", None) => match assets::file(path, &nonce) {
                Some(file) => file,
                None => Refused::new(404, "there is no such page").into(),
            },
            ("POST", Some(path)) => match request.body() {
                Ok(body) => self.answered(path, &body),
                Err((status, message)) => Refused::new(status, message).into(),
            },
            _ => Refused::new(405, "the API is asked with POST and JSON").into(),
        };
        let bare = request.method == "HEAD";
        reply(request.into_stream(), answer, &nonce, bare);
    }

    /// Leads a browser with a ticket to the page, or says why not.
    fn exchange(&self, ticket: &str, request: Request) {
        let same_user = same_user(request.stream());
        let exchanged = self.tickets.exchange(ticket, Instant::now(), same_user);
        let mut stream = request.into_stream();
        match exchanged {
            Ok(()) => {
                let Guard { token, port } = self.guard.clone();
                let headers = [
                    ("Location", Address { port, token }.to_string()),
                    ("Content-Length", "0".to_owned()),
                    ("Referrer-Policy", "no-referrer".to_owned()),
                    ("Cache-Control", "no-store".to_owned()),
                ];
                if http::write_head(&mut stream, 303, &headers).is_ok() {
                    http::close(stream);
                }
            }
            Err(reason) => {
                let text = Answer::file("text/plain; charset=utf-8", reason);
                reply(stream, Answer { status: 403, ..text }, "", false);
            }
        }
    }

    /// The answer of the API; a mistake of ours is told, and the server goes on.
    fn answered(&self, path: &str, body: &[u8]) -> Answer {
        let answered = catch_unwind(AssertUnwindSafe(|| self.api.answer(path, body)));
        match answered {
            Ok(Ok(value)) => Answer::json(&value),
            Ok(Err(refused)) => refused.into(),
            Err(_) => Refused::new(500, "an error in tioga itself; please report it").into(),
        }
    }

    fn live(&self, name: &str, request: Request) {
        let kinds = [Kind::Journal, Kind::Mutation];
        let path = live::decoded(name)
            .ok_or_else(|| Refused::new(400, "the name is not understood"))
            .and_then(|name| self.api.workspace.path(&name, &kinds));
        let path = match path {
            Ok(path) => path,
            Err(refused) => return reply(request.into_stream(), refused.into(), "", false),
        };
        // Events must reach the page at once, so they are written as they come.
        let mut page = request.into_stream();
        let headers = [
            ("Content-Type", "text/event-stream".to_owned()),
            ("Cache-Control", "no-store".to_owned()),
            ("X-Content-Type-Options", "nosniff".to_owned()),
        ];
        let begun = http::write_head(&mut page, 200, &headers);
        // A page that was closed needs no events.
        let _ = begun.and_then(|()| live::tell(&path, page, &self.api.stopped));
    }
}

/// Sends an answer; a page that is gone needs none. A bare one has no body.
fn reply(mut stream: TcpStream, answer: Answer, nonce: &str, bare: bool) {
    let headers = [
        ("Content-Type", answer.kind.to_owned()),
        ("Content-Length", answer.body.len().to_string()),
        ("Content-Security-Policy", assets::policy(nonce)),
        ("X-Content-Type-Options", "nosniff".to_owned()),
        ("X-Frame-Options", "DENY".to_owned()),
        ("Referrer-Policy", "no-referrer".to_owned()),
        ("Cross-Origin-Opener-Policy", "same-origin".to_owned()),
        ("Cross-Origin-Resource-Policy", "same-origin".to_owned()),
        ("Cache-Control", "no-store".to_owned()),
    ];
    let body = if bare { &[][..] } else { &answer.body };
    let sent = http::write_head(&mut stream, answer.status, &headers)
        .and_then(|()| stream.write_all(body));
    if sent.is_ok() {
        http::close(stream);
    }
}
