//! The input of the pages of a pack.

use dalil_evidence::pack::{PackDraft, UnverifiedPack};
use dalil_phrasebook::{expected, found, hint};
use dalil_proof::digest::Digest;
use dalil_proof::fault::{Fault, Refused};
use dalil_proof::receipt::Receipt;

use super::attachment::canonical;
use super::history::PrintoutHistory;

/// A sealed file and its history, both as they will be attached.
///
/// Invariant: both are canonical JSON, and the history agrees with the pack about this pack
/// and the version before it.
#[derive(Clone, Debug)]
pub struct PackPrintout {
    sealed: Vec<u8>,
    history: Vec<u8>,
    told: PrintoutHistory,
    draft: PackDraft,
    digest: Digest,
    keys: Vec<String>,
    receipt: Option<Receipt>,
}

impl PackPrintout {
    /// Takes the bytes of a sealed file and of its history.
    ///
    /// # Errors
    /// A file that is not sealed or not canonical, every rule that its pack
    /// breaks, and a history that is too large, not canonical or not about this pack.
    pub fn read(sealed: &[u8], history: &[u8]) -> Result<Self, Refused> {
        PrintoutHistory::fits(history)?;
        canonical(sealed, super::PACK_ATTACHMENT)?;
        canonical(history, super::HISTORY_ATTACHMENT)?;
        let pack = UnverifiedPack::parse(sealed)?;
        let draft = pack.unverified_draft()?;
        let keys: Vec<String> = pack.unverified_keys().map(str::to_owned).collect();
        // A pack without a seal is read as well, and its pages would look like sealed ones.
        if keys.is_empty() {
            let expected = expected::a_sealed_pack();
            let fault =
                Fault::new("not_sealed", "$", expected, found::a_pack_that_nobody_has_signed());
            return Err(fault.hint(hint::seal_it_first_with_dalil_pack_seal()).into());
        }
        let told = PrintoutHistory::parse(history)?;
        told.is_about(&draft)?;
        Ok(Self {
            sealed: sealed.to_vec(),
            history: history.to_vec(),
            told,
            digest: Digest::of(pack.payload()),
            keys,
            receipt: pack.unverified_receipt(),
            draft,
        })
    }

    /// The sealed file, as it is attached.
    pub fn sealed(&self) -> &[u8] {
        &self.sealed
    }

    /// The history, as it is attached.
    pub fn history_bytes(&self) -> &[u8] {
        &self.history
    }

    /// The history.
    pub fn history(&self) -> &PrintoutHistory {
        &self.told
    }

    /// The content of the pack, unverified.
    pub fn draft(&self) -> &PackDraft {
        &self.draft
    }

    /// The digest of the pack's bytes, which the QR code ends with.
    pub fn digest(&self) -> &Digest {
        &self.digest
    }

    /// The keys that are named as its signers, unverified.
    pub fn keys(&self) -> &[String] {
        &self.keys
    }

    /// The receipt, which nothing here vouches for.
    pub fn receipt(&self) -> Option<&Receipt> {
        self.receipt.as_ref()
    }
}
