//! Connects the door to a tester: JSON lines on standard input and output, in virtual or real time. The tester spells
//! its messages in one way, so no JSON library is needed.

mod door;

use std::sync::mpsc::{channel, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use door::{Door, SECOND};

/// Ticks of a time such as `3` or `3/2`; nothing if it is no whole number of ticks.
fn ticks(text: &str) -> Option<i64> {
    let (p, q) = text.split_once('/').unwrap_or((text, "1"));
    let (p, q) = (p.parse::<i64>().ok()? * SECOND, q.parse::<i64>().ok()?);
    (p % q == 0).then_some(p / q)
}

/// The tester says how much time passes.
fn virtual_time(lines: &Receiver<String>) {
    let (mut door, mut now) = (Door::default(), 0);
    while let Ok(line) = lines.recv() {
        let advance = line.strip_prefix("{\"advance\":\"").and_then(|rest| rest.strip_suffix("\"}"));
        if line.starts_with("{\"reset\"") {
            (door, now) = (Door::default(), 0);
            println!("{{\"ready\":true}}");
        } else if line.starts_with("{\"input\"") {
            door.motion(now);
        } else if let Some(text) = advance {
            let Some(delay) = ticks(text) else {
                println!("{{\"error\":\"this time is too fine\"}}");
                continue;
            };
            if let Some(due) = door.due.filter(|due| *due <= now + delay) {
                let after = due - now;
                now = due;
                println!("{{\"output\":\"{}\",\"after\":\"{after}/{SECOND}\"}}", door.act());
            } else {
                now += delay;
                println!("{{\"advanced\":\"{text}\"}}");
            }
        }
    }
}

/// The clock of the machine runs; a time unit of the model takes `unit` nanoseconds.
fn real_time(lines: &Receiver<String>, unit: i64) {
    let (mut door, mut start) = (Door::default(), Instant::now());
    loop {
        let due = door.due.map(|due| Duration::from_nanos((due * unit / SECOND) as u64));
        let wait = due.map(|due| (start + due).saturating_duration_since(Instant::now()));
        match lines.recv_timeout(wait.unwrap_or(Duration::from_secs(3600))) {
            Err(RecvTimeoutError::Timeout) if door.due.is_none() => {}
            Err(RecvTimeoutError::Timeout) => println!("{{\"output\":\"{}\"}}", door.act()),
            Err(RecvTimeoutError::Disconnected) => return,
            Ok(line) if line.starts_with("{\"reset\"") => {
                (door, start) = (Door::default(), Instant::now());
                println!("{{\"ready\":true}}");
            }
            Ok(line) if line.starts_with("{\"input\"") => {
                door.motion(start.elapsed().as_nanos() as i64 * SECOND / unit);
            }
            Ok(_) => {}
        }
    }
}

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
    println!("{{\"hello\":{{\"inputs\":[\"motion\"],\"outputs\":[\"open\",\"close\"]}}}}");
    match hello.split_once("\"unit_ns\":") {
        None => virtual_time(&lines),
        Some((_, unit)) => real_time(&lines, unit.trim_end_matches('}').parse().unwrap_or(1)),
    }
}
