//! Access control: only the page itself may ask, by an address that no other page knows.

use crate::answer::Refused;

/// How many random bytes a token has.
const TOKEN_BYTES: usize = 16;

/// What a request must have to be answered.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The secret part of the address.
    pub token: String,
    /// The port of this server.
    pub port: u16,
}

impl Guard {
    /// A guard with a new token.
    ///
    /// # Errors
    /// If the operating system has no random numbers.
    pub fn new(port: u16) -> Result<Self, getrandom::Error> {
        Ok(Self { token: random()?, port })
    }

    /// Whether a request may be answered. A page of another site may reach this server under a name of its own, which
    /// its host then has; and it may send requests, which then have its origin.
    ///
    /// # Errors
    /// If host or origin are others.
    pub fn admit(&self, host: Option<&str>, origin: Option<&str>) -> Result<(), Refused> {
        let names = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        if !host.is_some_and(|host| names.iter().any(|name| name == host)) {
            return Err(Refused::new(403, "the host of the request is not this server"));
        }
        let own = |origin: &str| names.iter().any(|name| origin == format!("http://{name}"));
        if origin.is_some_and(|origin| !own(origin)) {
            return Err(Refused::new(403, "the origin of the request is another page"));
        }
        Ok(())
    }

    /// The path behind the token.
    ///
    /// # Errors
    /// If the token is missing or wrong.
    pub fn path<'u>(&self, url: &'u str) -> Result<&'u str, Refused> {
        let behind = url.strip_prefix('/').and_then(|rest| rest.split_once('/'));
        match behind {
            Some((token, path)) if same(&self.token, token) => Ok(path),
            _ => Err(Refused::new(
                403,
                "the address has no valid token; use the one that was printed",
            )),
        }
    }
}

/// A random text that cannot be guessed.
///
/// # Errors
/// If the operating system has no random numbers.
pub fn random() -> Result<String, getrandom::Error> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Compares all bytes of a secret, so that the time says nothing about it.
pub fn same(secret: &str, given: &str) -> bool {
    let pairs = secret.bytes().zip(given.bytes());
    let differ = pairs.fold(0, |differ, (own, other)| differ | (own ^ other));
    given.len() == secret.len() && differ == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_and_new() {
        let [one, other] = [1, 1].map(|port| Guard::new(port).unwrap().token);
        assert_eq!(one.len(), 32);
        assert_ne!(one, other);
    }

    #[test]
    fn only_the_whole_token_is_one() {
        let guard = Guard { token: "abcd".to_owned(), port: 80 };
        assert_eq!(guard.path("/abcd/api/files").unwrap(), "api/files");
        for url in ["/", "/abcd", "/abc/api", "/abce/", "/abcde/", "abcd/"] {
            assert!(guard.path(url).is_err(), "{url}");
        }
    }
}
