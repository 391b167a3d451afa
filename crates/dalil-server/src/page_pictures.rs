//! A cache for pictures of document pages.
//!
//! It is in memory only, by the digest of the document, or of the name of a preview: a caller must
//! be permitted to see that first. An erasure clears it.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use axum::body::Bytes;
use dalil_phrasebook::Phrase;
use dalil_proof::digest::Digest;

#[cfg(test)]
mod tests;

/// A page that was drawn, in PNG, or why it could not be.
pub(crate) type PagePicture = Result<Bytes, Phrase>;

/// Pages that were drawn lately.
#[derive(Default)]
pub(crate) struct PagePictures(Mutex<KeptPictures>);

#[derive(Default)]
struct KeptPictures {
    pictures: HashMap<(Digest, u32), PagePicture>,
    /// The oldest first.
    order: VecDeque<(Digest, u32)>,
    bytes: usize,
}

impl PagePictures {
    /// A page of a document, if it was drawn lately.
    pub(crate) fn get(&self, document: &Digest, page: u32) -> Option<PagePicture> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.pictures.get(&(*document, page)).cloned()
    }

    /// Keeps a page, and forgets the oldest ones that there is no room for.
    pub(crate) fn put(&self, document: &Digest, page: u32, picture: PagePicture) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (*document, page);
        kept.bytes += size(&picture);
        match kept.pictures.insert(key, picture) {
            // Two requests drew the same page.
            Some(before) => kept.bytes -= size(&before),
            None => kept.order.push_back(key),
        }
        while kept.bytes > MAX_PICTURE_BYTES
            && let Some(oldest) = kept.order.pop_front()
        {
            let gone = kept.pictures.remove(&oldest);
            kept.bytes -= gone.as_ref().map_or(0, size);
        }
    }

    /// Forgets all of them.
    pub(crate) fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = KeptPictures::default();
    }
}

/// How many bytes a picture takes, in about; a reason is short, and counts so that there is an end
/// to reasons.
fn size(picture: &PagePicture) -> usize {
    MIN_ENTRY_BYTES + picture.as_ref().map_or_else(|why| why.english().len(), Bytes::len)
}

/// How many bytes of pictures are remembered: a hundred pages of text or so.
const MAX_PICTURE_BYTES: usize = 32 << 20;
/// How many bytes an entry takes beside its picture.
const MIN_ENTRY_BYTES: usize = 200;
