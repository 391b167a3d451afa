//! Sign-in links, which `dalil serve --demo` prints for each of its people.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use dalil_proof::digest::Digest;

/// The links of a server while it runs: the credential of each one, by the digest of its ticket, so
/// that looking one up reveals nothing about the others.
#[derive(Default)]
pub(crate) struct SignInLinks(Mutex<HashMap<Digest, String>>);

impl SignInLinks {
    /// The path that signs in with a credential; none on a machine without randomness.
    pub(crate) fn add(&self, credential: &str) -> Option<String> {
        let mut ticket = [0; TICKET_BYTES];
        getrandom::fill(&mut ticket).ok()?;
        let ticket = BASE64_URL_SAFE_NO_PAD.encode(ticket);
        let mut links = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        links.insert(Digest::of(ticket.as_bytes()), credential.to_owned());
        Some(format!("/signin?ticket={ticket}"))
    }

    /// The credential of a ticket.
    pub(super) fn credential(&self, ticket: &str) -> Option<String> {
        let links = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        links.get(&Digest::of(ticket.as_bytes())).cloned()
    }
}

/// How many bytes a ticket has: 128 bits, which cannot be guessed.
const TICKET_BYTES: usize = 16;

#[cfg(test)]
mod tests {
    use super::SignInLinks;

    #[test]
    fn a_link_opens_what_it_was_made_for() {
        let links = SignInLinks::default();
        let (amal, sami) = (links.add("key of amal"), links.add("key of sami"));
        let ticket = |path: Option<String>| {
            path.and_then(|path| Some(path.strip_prefix("/signin?ticket=")?.to_owned()))
                .expect("randomness")
        };
        assert_eq!(links.credential(&ticket(amal)).as_deref(), Some("key of amal"));
        assert_eq!(links.credential(&ticket(sami)).as_deref(), Some("key of sami"));
        assert_eq!(links.credential(""), None);
        assert_eq!(links.credential("AAAAAAAAAAAAAAAAAAAAAA"), None);
    }
}
