//! Ports that only one test uses.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU16, Ordering};

/// A port that is free and stays so: it is below those that the operating system hands out.
pub fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    // Other processes of this test begin elsewhere.
    let first = 20_000 + u16::try_from(std::process::id() % 100).unwrap_or(0) * 100;
    let ports = std::iter::repeat_with(|| first + NEXT.fetch_add(1, Ordering::Relaxed));
    ports
        .take(1000)
        .find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok())
        .expect("a port is free")
}
