//! Tickets: the command line of a browser is visible to every user of the machine, so it must not have the token. It has
//! a ticket, which is exchanged for the address with the token: once, soon, and only by a program of the same user.

use std::net::{SocketAddr, SocketAddrV4, TcpStream};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::guard::{random, same};

/// How long a ticket is valid; a browser may take long to start.
const LIFE: Duration = Duration::from_secs(120);

/// Where Linux says which user a connection belongs to.
const CONNECTIONS: &str = "/proc/net/tcp";

/// The ticket of a studio, if one was made.
#[derive(Debug, Default)]
pub struct Tickets(Mutex<Option<Ticket>>);

#[derive(Debug)]
struct Ticket {
    text: String,
    made: Instant,
    used: bool,
}

impl Tickets {
    /// Makes a ticket, which replaces the one before.
    ///
    /// # Errors
    /// If the operating system has no random numbers.
    pub fn make(&self) -> Result<String, getrandom::Error> {
        let text = random()?;
        let ticket = Ticket { text: text.clone(), made: Instant::now(), used: false };
        *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(ticket);
        Ok(text)
    }

    /// Uses a ticket at a moment, for a program that is known to be of the same user or of another one.
    ///
    /// # Errors
    /// Why it is not valid, in words for the person at the browser.
    pub fn exchange(
        &self,
        given: &str,
        now: Instant,
        same_user: Option<bool>,
    ) -> Result<(), &'static str> {
        let mut ticket = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let Some(ticket) = ticket.as_mut().filter(|ticket| same(&ticket.text, given)) else {
            return Err("This is not an address of the studio. Open the one in the terminal.");
        };
        if same_user == Some(false) {
            return Err("The studio belongs to another user of this machine.");
        }
        if ticket.used {
            return Err(
                "This address opens the studio once, and it was used before. To open another page, use the \
                 address in the terminal. If no page of the studio was opened for you, another program has opened it: \
                 end the studio with Ctrl-C and start it again by `tioga studio --no-open`.",
            );
        }
        if now.saturating_duration_since(ticket.made) > LIFE {
            return Err("This address is no longer valid. Open the one in the terminal.");
        }
        ticket.used = true;
        Ok(())
    }
}

/// Whether the program at the other end of a connection belongs to the user of this one; nothing if the system does not
/// say.
pub fn same_user(stream: &TcpStream) -> Option<bool> {
    let (SocketAddr::V4(own), SocketAddr::V4(other)) =
        (stream.local_addr().ok()?, stream.peer_addr().ok()?)
    else {
        return None;
    };
    let table = std::fs::read_to_string(CONNECTIONS).ok()?;
    Some(user(&table, other, own)? == user(&table, own, other)?)
}

/// The user of the end of a connection that has this local address.
fn user(table: &str, local: SocketAddrV4, remote: SocketAddrV4) -> Option<&str> {
    // The address as the machine has it in memory, and the port as a number.
    let shown = |address: SocketAddrV4| {
        let number = u32::from_ne_bytes(address.ip().octets());
        format!("{number:08X}:{:04X}", address.port())
    };
    let (local, remote) = (shown(local), shown(remote));
    table.lines().find_map(|line| {
        let mut words = line.split_whitespace().skip(1);
        let ends = words.next()? == local && words.next()? == remote;
        ends.then(|| words.nth(4))?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_exchanged_once() {
        let (tickets, now) = (Tickets::default(), Instant::now());
        assert!(tickets.exchange("", now, None).is_err());
        let ticket = tickets.make().unwrap();
        assert!(tickets.exchange(&ticket[1..], now, None).is_err());
        assert_eq!(tickets.exchange(&ticket, now, Some(true)), Ok(()));
        let again = tickets.exchange(&ticket, now, Some(true)).unwrap_err();
        assert!(again.contains("was used before"), "{again}");
    }

    #[test]
    fn a_ticket_is_not_for_others_nor_for_ever() {
        let tickets = Tickets::default();
        let ticket = tickets.make().unwrap();
        let now = Instant::now();
        let other = tickets.exchange(&ticket, now, Some(false)).unwrap_err();
        assert!(other.contains("another user"), "{other}");
        let late = tickets.exchange(&ticket, now + LIFE + LIFE, None).unwrap_err();
        assert!(late.contains("no longer valid"), "{late}");
        // Neither of them used it up.
        assert_eq!(tickets.exchange(&ticket, now, None), Ok(()));
    }

    #[test]
    fn the_user_of_an_end_is_found_by_both_addresses() {
        let own: SocketAddrV4 = "127.0.0.1:8080".parse().unwrap();
        let other: SocketAddrV4 = "127.0.0.1:40000".parse().unwrap();
        let loopback = format!("{:08X}", u32::from_ne_bytes([127, 0, 0, 1]));
        let row = |local: &str, remote: &str, user: u32| {
            let (local, remote) = (local.replace('L', &loopback), remote.replace('L', &loopback));
            format!(
                "   0: {local} {remote} 01 00000000:00000000 00:00000000 00000000  {user}  0 17 1\n"
            )
        };
        let table = String::from("  sl  local_address rem_address   st tx_queue rx_queue\n")
            + &row("L:1F90", "00000000:0000", 7)
            + &row("L:9C40", "L:1F91", 8)
            + &row("L:9C40", "L:1F90", 1001)
            + &row("L:1F90", "L:9C40", 1000);
        assert_eq!(user(&table, other, own), Some("1001"));
        assert_eq!(user(&table, own, other), Some("1000"));
        assert_eq!(user(&table, own, own), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn both_ends_of_a_connection_of_this_process_have_one_user() {
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let _client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (served, _) = listener.accept().unwrap();
        assert_eq!(same_user(&served), Some(true));
    }
}
