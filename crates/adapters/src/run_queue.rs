//! How long threads waited for a processor though they had something to do.
//!
//! Linux counts this for every thread (`schedstat`: time spent running, time spent waiting to run). The
//! count covers both waits, the one after waking and the one after an interruption in the middle of
//! the work, and it is exact, so nothing has to be guessed from how others fare. It grows when a thread
//! gets a processor at last; a thread that still waits is seen by its state.
//!
//! Elsewhere nothing is known, and everything here is empty.

use std::time::Duration;

/// The threads of a process group.
#[derive(Debug)]
pub(super) struct Group {
    inner: linux::Group,
}

/// The calling thread.
#[derive(Debug)]
pub(super) struct OwnThread {
    inner: linux::Thread,
}

impl Group {
    /// The group with this number; nothing if waits are not counted here.
    pub fn new(number: u32) -> Option<Self> {
        linux::Group::new(number).map(|inner| Self { inner })
    }

    /// Looks for processes that joined the group.
    pub fn find_members(&mut self) {
        self.inner.find_members();
    }

    /// How long its threads waited since this was asked last, all together.
    pub fn waited(&mut self) -> Duration {
        self.inner.waited()
    }

    /// Whether one of its threads has something to do, and neither ran nor stopped waiting since this
    /// was asked last.
    pub fn is_waiting(&mut self) -> bool {
        self.inner.is_waiting()
    }
}

impl OwnThread {
    /// The calling thread; nothing if waits are not counted here.
    pub fn new() -> Option<Self> {
        linux::Thread::own().map(|inner| Self { inner })
    }

    /// How long it waited since this was asked last.
    pub fn waited(&mut self) -> Duration {
        self.inner.waited()
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::BTreeMap;
    use std::fs::{File, read_dir, read_to_string};
    use std::os::unix::fs::FileExt;
    use std::path::Path;
    use std::time::Duration;

    /// A thread whose waits are counted.
    #[derive(Debug)]
    pub struct Thread {
        file: File,
        /// For how many nanoseconds it ran and waited, when this was read last.
        counted: (u64, u64),
    }

    impl Thread {
        /// The thread whose counts this file has.
        fn at(path: &Path) -> Option<Self> {
            let file = File::open(path).ok()?;
            let counted = counts(&file)?;
            Some(Self { file, counted })
        }

        pub fn own() -> Option<Self> {
            Self::at(Path::new("/proc/thread-self/schedstat"))
        }

        pub fn waited(&mut self) -> Duration {
            // A thread that is gone waits no more.
            let Some(counted) = counts(&self.file) else { return Duration::ZERO };
            let more = counted.1.saturating_sub(self.counted.1);
            self.counted = counted;
            Duration::from_nanos(more)
        }
    }

    /// The first two numbers of a file.
    fn counts(file: &File) -> Option<(u64, u64)> {
        let mut text = [0; 64];
        let length = file.read_at(&mut text, 0).ok()?;
        let mut numbers = std::str::from_utf8(&text[..length]).ok()?.split_ascii_whitespace();
        Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
    }

    #[derive(Debug)]
    pub struct Group {
        number: u32,
        /// The threads by process and thread, both as they are called in `/proc`.
        members: BTreeMap<u32, BTreeMap<u32, Thread>>,
        /// What the threads had counted that had something to do when that was asked last.
        ready: BTreeMap<u32, (u64, u64)>,
    }

    impl Group {
        pub fn new(number: u32) -> Option<Self> {
            Thread::at(Path::new(&format!("/proc/{number}/schedstat")))?;
            let mut group = Self { number, members: BTreeMap::new(), ready: BTreeMap::new() };
            group.find_members();
            Some(group)
        }

        pub fn find_members(&mut self) {
            self.members.retain(|process, _| Path::new(&format!("/proc/{process}")).exists());
            self.members.entry(self.number).or_default();
            for process in numbers("/proc") {
                let own = || group_of(&read_to_string(format!("/proc/{process}/stat")).ok()?);
                if !self.members.contains_key(&process) && own() == Some(self.number) {
                    self.members.insert(process, BTreeMap::new());
                }
            }
            self.waited();
        }

        pub fn waited(&mut self) -> Duration {
            let mut total = Duration::ZERO;
            for (process, threads) in &mut self.members {
                let tasks = format!("/proc/{process}/task");
                let present = numbers(&tasks);
                threads.retain(|thread, _| present.contains(thread));
                for thread in present {
                    let known = threads.get_mut(&thread);
                    total += match known {
                        Some(known) => known.waited(),
                        None => {
                            let path = format!("{tasks}/{thread}/schedstat");
                            let Some(new) = Thread::at(Path::new(&path)) else { continue };
                            // All it ever waited may have been since the last time.
                            let waited = Duration::from_nanos(new.counted.1);
                            threads.insert(thread, new);
                            waited
                        }
                    };
                }
            }
            total
        }

        pub fn is_waiting(&mut self) -> bool {
            let mut ready = BTreeMap::new();
            for (process, threads) in &self.members {
                for (number, thread) in threads {
                    let path = format!("/proc/{process}/task/{number}/stat");
                    let stat = read_to_string(path).unwrap_or_default();
                    if state_of(&stat) == Some('R')
                        && let Some(counted) = counts(&thread.file)
                    {
                        ready.insert(*number, counted);
                    }
                }
            }
            let waits = ready.iter().any(|(number, counted)| {
                self.ready.get(number).is_none_or(|before| before == counted)
            });
            self.ready = if waits { ready } else { BTreeMap::new() };
            waits
        }
    }

    /// The entries of a directory whose names are numbers, in order.
    fn numbers(directory: &str) -> Vec<u32> {
        let entries = read_dir(directory).into_iter().flatten().flatten();
        let mut numbers: Vec<u32> =
            entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
        numbers.sort_unstable();
        numbers
    }

    /// The fields after the name, which is in parentheses and may contain anything.
    fn fields(stat: &str) -> Option<impl Iterator<Item = &str>> {
        Some(stat.rsplit_once(')')?.1.split_ascii_whitespace())
    }

    fn state_of(stat: &str) -> Option<char> {
        fields(stat)?.next()?.chars().next()
    }

    fn group_of(stat: &str) -> Option<u32> {
        fields(stat)?.nth(2)?.parse().ok()
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn state_and_group_are_found_whatever_the_name() {
            let stat = "7 (a ) R 1 (b) S 5 42 42 0 -1";
            assert_eq!((state_of(stat), group_of(stat)), (Some('S'), Some(42)));
            assert_eq!((state_of(""), group_of("1 (x) R")), (None, None));
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod linux {
    use std::time::Duration;

    #[derive(Debug)]
    pub enum Thread {}

    impl Thread {
        pub fn own() -> Option<Self> {
            None
        }

        pub fn waited(&mut self) -> Duration {
            match *self {}
        }
    }

    #[derive(Debug)]
    pub enum Group {}

    impl Group {
        pub fn new(_number: u32) -> Option<Self> {
            None
        }

        pub fn find_members(&mut self) {}

        pub fn waited(&mut self) -> Duration {
            match *self {}
        }

        pub fn is_waiting(&mut self) -> bool {
            match *self {}
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::process::CommandExt;
    use std::process::Command;
    use std::time::Instant;

    use super::*;

    #[test]
    fn a_group_that_sleeps_waits_for_nothing() {
        let mut child = Command::new("sleep").arg("1000").process_group(0).spawn().unwrap();
        let group = Group::new(child.id());
        // Not every kernel counts; then there is nothing to test.
        if let Some(mut group) = group {
            // It takes a moment until it sleeps, and longer on a busy machine.
            let deadline = Instant::now() + Duration::from_secs(600);
            let mut calm = 0;
            while calm < 10 && Instant::now() < deadline {
                std::thread::sleep(Duration::from_millis(1));
                let waits = group.is_waiting() || group.waited() > Duration::ZERO;
                calm = if waits { 0 } else { calm + 1 };
            }
            assert_eq!(calm, 10);
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn no_thread_waits_longer_than_time_passes() {
        let (before, Some(mut own)) = (Instant::now(), OwnThread::new()) else { return };
        std::thread::sleep(Duration::from_millis(20));
        assert!(own.waited() <= before.elapsed());
    }
}
