//! The studio: HTTP on the loopback interface, a documented JSON API over the views of `tioga-views`, and the page.
//!
//! A request is answered only if its address has the token, its host is this server and its origin, if it has one, is
//! this page. Files are read only if they are among those that were given. No request starts a process: a campaign runs
//! against the system that was named when the program started. `docs/studio-api.md` describes the API.

mod answer;
mod api;
mod assets;
mod caches;
mod campaign;
mod deadline;
mod guard;
mod http;
mod live;
mod server;
mod ticket;
mod workspace;

pub use server::{Address, Server, StudioOptions};
pub use workspace::Workspace;
