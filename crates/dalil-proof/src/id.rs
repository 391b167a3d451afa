//! Identifiers: typed, ordered, checked at construction.
//!
//! Three sorts, from one macro. *Event* ids are `prefix_` and 16 lower-case hex
//! digits from injected randomness. *Given* ids come from other systems and are
//! kept as they are, within limits. Derived things are named by a [`Uuid`] made
//! from their digest.

use std::fmt;

use dalil_phrasebook::{Phrase, expected};
use serde::{Serialize, Serializer};
use thiserror::Error;

use crate::digest::{Digest, hex};

#[cfg(test)]
mod tests;

/// Text that is not an identifier of the kind it was given for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected {}", .0.english())]
pub struct NotAnId(pub Phrase);

macro_rules! id_type {
    ($(#[$doc:meta])* event $name:ident, $prefix:literal, $expected:expr) => {
        id_type!(@type $(#[$doc])* $name, $expected);

        impl $name {
            /// Names a thing with injected randomness.
            pub fn from_random(random: [u8; 8]) -> Self {
                Self(format!(concat!($prefix, "_{}"), hex(&random)))
            }

            fn fits(text: &str) -> bool {
                text.strip_prefix(concat!($prefix, "_")).is_some_and(|digits| {
                    digits.len() == 16
                        && digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
                })
            }
        }
    };
    ($(#[$doc:meta])* given $name:ident) => {
        id_type!(@type $(#[$doc])* $name, EXPECTED_GIVEN_ID);

        impl $name {
            fn fits(text: &str) -> bool {
                is_given(text)
            }
        }
    };
    (@type $(#[$doc:meta])* $name:ident, $expected:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        pub struct $name(String);

        impl $name {
            /// What such an identifier looks like, for messages.
            pub const EXPECTED: Phrase = $expected;

            /// The identifier as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::str::FromStr for $name {
            type Err = NotAnId;

            fn from_str(text: &str) -> Result<Self, NotAnId> {
                Self::fits(text).then(|| Self(text.to_owned())).ok_or(NotAnId(Self::EXPECTED))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

/// The form of a given id, for messages.
pub const EXPECTED_GIVEN_ID: Phrase = expected::given_id();

/// Whether text can be the id that another system gave something.
pub fn is_given(text: &str) -> bool {
    // Nearly every id is short ASCII, which needs no decoding.
    let plain = text.len() <= 200 && text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let readable = || !text.contains(char::is_control) && text.chars().count() <= 200;
    !text.is_empty() && text.trim() == text && (plain || readable())
}

id_type! {
    /// Names a pack, one version of it.
    event PackId, "pack", expected::pack_id()
}
id_type! {
    /// Names a record in a trail.
    event RecordId, "rec", expected::record_id()
}
id_type! {
    /// Names a decision, as the agent that made it does.
    given DecisionId
}
id_type! {
    /// Names a tenant.
    given TenantId
}

/// A version-8 UUID: the name of something derived, made from its digest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uuid([u8; 16]);

impl Uuid {
    /// Takes the first 16 bytes of a digest and marks version 8 and the RFC 9562 variant.
    pub fn from_digest(digest: &Digest) -> Self {
        let mut bytes = [0; 16];
        for (to, from) in bytes.iter_mut().zip(digest.as_bytes()) {
            *to = *from;
        }
        // Octets 6 and 8 (RFC 9562, section 5.8). The other 122 bits are the digest's.
        let [.., version, _, variant, _, _, _, _, _, _, _] = &mut bytes;
        *version = *version & 0x0f | 0x80;
        *variant = *variant & 0x3f | 0x80;
        Self(bytes)
    }
}

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, byte) in self.0.iter().enumerate() {
            f.write_str(if matches!(n, 4 | 6 | 8 | 10) { "-" } else { "" })?;
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Uuid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
