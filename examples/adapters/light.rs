//! The smart light as a program, with adapters for virtual and for real time in JSON lines.
//! It needs nothing but the compiler: `rustc --edition 2024 light.rs`.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Time is counted in ticks, of which a unit has so many.
const TICKS: i64 = 5040;

/// Reacts one time unit after a touch. `due` is when it will react, if it will.
#[derive(Default)]
struct Light {
    level: usize,
    next: usize,
    changed: i64,
    due: Option<i64>,
}

const NAMES: [&str; 3] = ["off", "dim", "bright"];

impl Light {
    fn touch(&mut self, now: i64) {
        if self.due.is_none() {
            let patience = if self.level == 0 { 20 } else { 4 } * TICKS;
            let late = now - self.changed >= patience;
            self.next = if late { [2, 0, 0] } else { [1, 2, 1] }[self.level];
            self.due = Some(now + TICKS);
        }
    }

    fn react(&mut self) -> &'static str {
        (self.level, self.changed) = (self.next, self.due.take().unwrap_or(0));
        NAMES[self.level]
    }
}

/// The text between what begins a message and what ends it. The tester always writes it in this way.
fn between<'l>(line: &'l str, begin: &str, end: &str) -> Option<&'l str> {
    line.strip_prefix(begin)?.strip_suffix(end)
}

/// Ticks of a time like `3` or `3/2`.
fn ticks(text: &str) -> i64 {
    let (p, q) = text.split_once('/').unwrap_or((text, "1"));
    p.parse::<i64>().unwrap() * TICKS / q.parse::<i64>().unwrap()
}

// Virtual time begins.
fn virtually(lines: &Receiver<String>) {
    let (mut light, mut now) = (Light::default(), 0);
    while let Ok(line) = lines.recv() {
        if line.starts_with("{\"reset\"") {
            (light, now) = (Light::default(), 0);
            println!("{{\"ready\":true}}");
        } else if line.starts_with("{\"input\"") {
            light.touch(now);
        } else if let Some(text) = between(&line, "{\"advance\":\"", "\"}") {
            let until = now + ticks(text);
            if let Some(due) = light.due.filter(|due| *due <= until) {
                let (output, after) = (light.react(), due - now);
                println!("{{\"output\":\"{output}\",\"after\":\"{after}/{TICKS}\"}}");
                now = due;
            } else {
                println!("{{\"advanced\":\"{text}\"}}");
                now = until;
            }
        }
    }
}
// Virtual time ends.

// Real time begins.
fn really(lines: &Receiver<String>, unit: i64) {
    let (mut light, mut start) = (Light::default(), Instant::now());
    loop {
        let due = light.due.map(|due| Duration::from_nanos((due * unit / TICKS) as u64));
        let left = due.map(|due| (start + due).saturating_duration_since(Instant::now()));
        match lines.recv_timeout(left.unwrap_or(Duration::MAX)) {
            Err(RecvTimeoutError::Timeout) => println!("{{\"output\":\"{}\"}}", light.react()),
            Err(RecvTimeoutError::Disconnected) => return,
            Ok(line) if line.starts_with("{\"reset\"") => {
                (light, start) = (Light::default(), Instant::now());
                println!("{{\"ready\":true}}");
            }
            Ok(line) if line.starts_with("{\"input\"") => {
                light.touch(start.elapsed().as_nanos() as i64 * TICKS / unit);
            }
            Ok(_) => {}
        }
    }
}
// Real time ends.

fn main() {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lines().map_while(Result::ok) {
            if line.starts_with("{\"bye\"") || sender.send(line).is_err() {
                return;
            }
        }
    });
    let Ok(hello) = lines.recv() else { return };
    println!("{{\"hello\":{{\"inputs\":[\"touch\"],\"outputs\":[\"dim\",\"bright\",\"off\"]}}}}");
    match hello.split_once("\"unit_ns\":") {
        None => virtually(&lines),
        Some((_, unit)) => really(&lines, unit.trim_end_matches('}').parse().unwrap()),
    }
}
