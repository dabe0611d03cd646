//! How much memory and processor time this process takes, and how much memory it may take: what was asked for,
//! or what the operating system would end it for.

use std::time::Duration;

/// The most memory this process may take.
#[derive(Clone, Copy, Debug, Default)]
pub struct MemoryLimit {
    /// Of memory in use, in bytes.
    resident: Option<u64>,
    /// Of addresses, in bytes: an allocation beyond the limit of the operating system would be the end. A
    /// table that grows needs as much again, and more, before the old one is given back.
    addresses: Option<u64>,
    /// What the program takes by itself.
    own: u64,
}

/// What does not matter, in bytes.
const LITTLE: u64 = 16 << 20;

impl MemoryLimit {
    /// So much, and not more than the operating system allows, with a margin for what is under way.
    pub fn of(asked: Option<u64>) -> Self {
        let resident = asked.into_iter().chain(group_limit().map(margin)).min();
        let own = in_use().map_or(0, |(_, resident)| resident);
        Self { resident, addresses: address_limit().map(|limit| limit / 5 * 2), own }
    }

    /// Whether the process takes as much as it may.
    pub fn is_reached(self) -> bool {
        self.exceeds(|_| 0)
    }

    /// Whether it takes so much more that it cannot be waited for. A limit below what the program takes by
    /// itself leaves it time to stop.
    pub fn is_exceeded(self) -> bool {
        self.exceeds(|most| self.tolerance(most))
    }

    fn tolerance(self, most: u64) -> u64 {
        (most / 10).max(LITTLE.max(self.own))
    }

    fn exceeds(self, by: impl Fn(u64) -> u64) -> bool {
        if self.resident.is_none() && self.addresses.is_none() {
            return false;
        }
        in_use().is_some_and(|used| self.is_beyond(used, by))
    }

    fn is_beyond(self, (addresses, resident): (u64, u64), by: impl Fn(u64) -> u64) -> bool {
        let beyond = |used: u64, most: u64| used > most.saturating_add(by(most));
        self.resident.is_some_and(|most| beyond(resident, most))
            || self.addresses.is_some_and(|most| beyond(addresses, most))
    }
}

/// Nine tenths.
fn margin(limit: u64) -> u64 {
    limit / 10 * 9
}

/// The addresses and the memory that this process uses, in bytes, where the operating system tells.
fn in_use() -> Option<(u64, u64)> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kib = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    };
    Some((kib("VmSize:")? * 1024, kib("VmRSS:")? * 1024))
}

/// The limit of addresses that `ulimit -v` sets.
fn address_limit() -> Option<u64> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The limit of the container that this process runs in.
fn group_limit() -> Option<u64> {
    std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok()?.trim().parse().ok()
}

/// How long processors have worked for this process, where the operating system tells.
pub fn processor_time() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields = stat.rsplit_once(") ")?.1;
    let ticks = |position: usize| fields.split(' ').nth(position)?.parse::<u64>().ok();
    Some(Duration::from_millis((ticks(11)? + ticks(12)?) * 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_reached_before_it_is_exceeded() {
        let limit = MemoryLimit { resident: Some(100), addresses: Some(1 << 40), own: 0 };
        let (is_reached, is_exceeded) = (
            |used| limit.is_beyond(used, |_| 0),
            |used| limit.is_beyond(used, |most| limit.tolerance(most)),
        );
        assert!(!is_reached((0, 100)) && is_reached((0, 101)));
        assert!(!is_exceeded((0, LITTLE + 100)) && is_exceeded((0, LITTLE + 101)));
        let tenth = (1 << 40) / 10;
        assert!(!is_reached((1 << 40, 0)) && is_reached(((1 << 40) + 1, 0)));
        assert!(!is_exceeded(((1 << 40) + tenth, 0)) && is_exceeded(((1 << 40) + tenth + 1, 0)));
        // What the process takes is read: more than a byte, and less than all there can be.
        let one = MemoryLimit { resident: Some(1), addresses: None, own: 0 };
        let far = MemoryLimit { resident: Some(u64::MAX / 2), addresses: None, own: 0 };
        assert!(one.is_reached() && !far.is_reached() && !MemoryLimit::default().is_exceeded());
    }

    #[test]
    fn work_takes_processor_time() {
        let before = processor_time().unwrap();
        let mut sum = 0_u64;
        while processor_time().unwrap() == before {
            sum = sum.wrapping_add(sum.rotate_left(7) ^ 1);
        }
        assert!(processor_time().unwrap() > before, "{sum}");
    }
}
