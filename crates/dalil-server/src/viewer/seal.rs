//! Cookies that only this server can open, and marks that only it can make.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::hmac;

/// Seals with a secret that every server of one store has.
pub(crate) struct CookieCipher {
    seal: Option<LessSafeKey>,
    mark: hmac::Key,
}

impl CookieCipher {
    /// Takes 32 secret bytes.
    pub(crate) fn new(secret: &[u8; 32]) -> Self {
        let root = hmac::Key::new(hmac::HMAC_SHA256, secret);
        // A key for each purpose: a key that signs tokens must not also encrypt.
        let seal = hmac::sign(&root, b"dalil-viewer/1 seal");
        let mark = hmac::sign(&root, b"dalil-viewer/1 mark");
        Self {
            seal: UnboundKey::new(&AES_256_GCM, seal.as_ref()).ok().map(LessSafeKey::new),
            mark: hmac::Key::new(hmac::HMAC_SHA256, mark.as_ref()),
        }
    }

    /// Encrypts a text for one purpose, so that no one else can read or change it.
    pub(super) fn seal(&self, purpose: &str, text: &str) -> Option<String> {
        let mut nonce = [0; NONCE_LEN];
        // Random: several servers seal with this key and share no counter.
        getrandom::fill(&mut nonce).ok()?;
        let mut bytes = text.as_bytes().to_vec();
        let aad = Aad::from(purpose.as_bytes());
        let key = self.seal.as_ref()?;
        key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), aad, &mut bytes).ok()?;
        Some(BASE64_URL_SAFE_NO_PAD.encode([nonce.as_slice(), &bytes].concat()))
    }

    /// The text, if it was sealed here for this purpose.
    pub(super) fn open(&self, purpose: &str, sealed: &str) -> Option<String> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(sealed).ok()?;
        let (nonce, rest) = bytes.split_first_chunk::<NONCE_LEN>()?;
        let mut rest = rest.to_vec();
        let nonce = Nonce::assume_unique_for_key(*nonce);
        let aad = Aad::from(purpose.as_bytes());
        let text = self.seal.as_ref()?.open_in_place(nonce, aad, &mut rest).ok()?;
        String::from_utf8(text.to_vec()).ok()
    }

    /// The mark of a visit, which its forms carry.
    pub(super) fn csrf_token(&self, visit: &str) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(hmac::sign(&self.mark, visit.as_bytes()))
    }

    /// Whether a form carries the mark of a visit, compared in constant time.
    pub(super) fn is_csrf_token(&self, visit: &str, mark: &str) -> bool {
        let mark = BASE64_URL_SAFE_NO_PAD.decode(mark);
        mark.is_ok_and(|mark| hmac::verify(&self.mark, visit.as_bytes(), &mark).is_ok())
    }
}
