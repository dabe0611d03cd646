//! The server: one thread listens, and each request is answered by a thread of its own.

use std::io::{self, Read, Write};
use std::net::TcpListener;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tiny_http::{Header, Method, Request, Response, StatusCode};
use tioga::{Cancel, Failure};
use tioga_base::Diagnostic;
use tioga_views::campaign::CampaignPlan;

use crate::answer::{Answer, Refused};
use crate::api::Api;
use crate::assets;
use crate::caches::Caches;
use crate::campaign::Campaign;
use crate::guard::Guard;
use crate::live;
use crate::workspace::{Kind, Workspace};

/// How often the end is looked for while no request comes.
const GLANCE: Duration = Duration::from_millis(50);

/// How many requests are answered at the same time, pages that watch a journal included.
const REQUESTS: usize = 64;

/// The largest request, in bytes.
const LARGEST: u64 = 16 << 20;

/// How long a campaign may take to stop when the server ends.
const STOPPING: Duration = Duration::from_millis(300);

/// What a studio is for.
#[derive(Debug)]
pub struct StudioOptions {
    /// The files that are shown.
    pub workspace: Workspace,
    /// The campaign that may be started.
    pub campaign: Option<CampaignPlan>,
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
    listener: tiny_http::Server,
    shared: Arc<Shared>,
    stopped: Cancel,
}

struct Shared {
    api: Api,
    guard: Guard,
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
        let StudioOptions { workspace, campaign, port, limit } = options;
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
        let listener = tiny_http::Server::from_listener(socket, None)
            .map_err(|error| refused(&io::Error::other(error.to_string())))?;
        let guard = Guard::new(port).map_err(|error| {
            Failure::internal(Diagnostic::global("no-token", format!("no random numbers: {error}")))
        })?;
        let caches = Caches::default();
        let campaign = Campaign::new(campaign);
        let api = Api { workspace, caches, campaign, limit, stopped: stopped.clone() };
        let shared = Shared { api, guard, under_way: AtomicUsize::new(0) };
        Ok(Self { listener, shared: Arc::new(shared), stopped })
    }

    /// Where the page is.
    pub fn address(&self) -> Address {
        let Guard { token, port } = self.shared.guard.clone();
        Address { port, token }
    }

    /// Answers requests until it is stopped.
    pub fn serve(self) {
        while !self.stopped.is_cancelled() {
            let Ok(Some(request)) = self.listener.recv_timeout(GLANCE) else { continue };
            let shared = self.shared.clone();
            if shared.under_way.fetch_add(1, Ordering::Relaxed) >= REQUESTS {
                shared.under_way.fetch_sub(1, Ordering::Relaxed);
                reply(request, Refused::new(503, "too many requests at the same time").into(), "");
                continue;
            }
            std::thread::spawn(move || {
                shared.handle(request);
                shared.under_way.fetch_sub(1, Ordering::Relaxed);
            });
        }
        // The runs under way end; those that ended are in the journal.
        self.shared.api.campaign.stop();
        let mut left = STOPPING;
        while self.shared.api.campaign.is_running() && !left.is_zero() {
            std::thread::sleep(GLANCE);
            left = left.saturating_sub(GLANCE);
        }
    }
}

impl Shared {
    fn handle(&self, mut request: Request) {
        let header = |name: &'static str| {
            let found = request.headers().iter().find(|header| header.field.equiv(name));
            found.map(|header| header.value.as_str().to_owned())
        };
        let (host, origin) = (header("Host"), header("Origin"));
        let url = request.url().to_owned();
        let admitted = self.guard.admit(host.as_deref(), origin.as_deref());
        let path = match admitted.and_then(|()| self.guard.path(&url)) {
            Ok(path) => path,
            Err(refused) => return reply(request, refused.into(), ""),
        };
        let Ok(nonce) = Guard::new(0).map(|guard| guard.token) else { return };
        if let Some(file) = path.strip_prefix("api/live?name=") {
            return self.live(file, request);
        }
        let answer = match (request.method(), path.strip_prefix("api/")) {
            (Method::Get | Method::Head, None) => match assets::file(path, &nonce) {
                Some(file) => file,
                None => Refused::new(404, "there is no such page").into(),
            },
            (Method::Post, Some(path)) => {
                let mut body = Vec::new();
                let read = request.as_reader().take(LARGEST + 1).read_to_end(&mut body);
                match read {
                    Err(error) => {
                        Refused::new(400, format!("the request cannot be read: {error}")).into()
                    }
                    Ok(length) if length as u64 > LARGEST => {
                        Refused::new(413, "the request is too large").into()
                    }
                    Ok(_) => self.answered(path, &body),
                }
            }
            _ => Refused::new(405, "the API is asked with POST and JSON").into(),
        };
        reply(request, answer, &nonce);
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
            Err(refused) => return reply(request, refused.into(), ""),
        };
        // Events must reach the page at once, so they are written without the buffers of a response.
        let mut page = request.into_writer();
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n\
                    X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n";
        let begun = page.write_all(head.as_bytes()).and_then(|()| page.flush());
        // A page that was closed needs no events.
        let _ = begun.and_then(|()| live::tell(&path, page, &self.api.stopped));
    }
}

/// Sends an answer; a page that is gone needs none.
fn reply(request: Request, answer: Answer, nonce: &str) {
    let headers = [
        ("Content-Type", answer.kind.to_owned()),
        ("Content-Security-Policy", assets::policy(nonce)),
        ("X-Content-Type-Options", "nosniff".to_owned()),
        ("X-Frame-Options", "DENY".to_owned()),
        ("Referrer-Policy", "no-referrer".to_owned()),
        ("Cross-Origin-Opener-Policy", "same-origin".to_owned()),
        ("Cross-Origin-Resource-Policy", "same-origin".to_owned()),
        ("Cache-Control", "no-store".to_owned()),
    ];
    let headers =
        headers.iter().filter_map(|(name, value)| Header::from_bytes(*name, value.as_bytes()).ok());
    let length = answer.body.len();
    let response = Response::new(
        StatusCode(answer.status),
        headers.collect(),
        io::Cursor::new(answer.body),
        Some(length),
        None,
    );
    let _ = request.respond(response.with_chunked_threshold(usize::MAX));
}
