//! A pack as an in-toto statement, for tools that take attestations.
//!
//! The subject is the digest of the pack's bytes; the predicate is the pack with its own
//! seal. Tools for in-toto check the envelope and read the predicate; `dalil verify` checks
//! the pack inside as if it had come in its sealed file.

use dalil_phrasebook::{Phrase, bound, expected, found, pack_check, proof_check};
use dalil_proof::canon;
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::digest::{Digest, hex};
use dalil_proof::dsse::{self, DsseEnvelope, DsseSignature};
use dalil_proof::fault::{Fault, Refused, quoted};
use dalil_proof::json::Json;
use dalil_proof::key::{PublicKey, SecretKey};
use dalil_proof::keyring::SigningTime;
use dalil_proof::report::VerificationReport;
use dalil_proof::time::Time;
use dalil_proof::trust::Trust;
use serde::Serialize;

use crate::pack::seal::SealedPack;

#[cfg(test)]
mod tests;

/// The statement of a sealed pack's content, before it is signed.
#[derive(Clone, Debug)]
pub struct PackAttestation {
    payload: Vec<u8>,
}

#[derive(Serialize)]
struct StatementBody<'s> {
    #[serde(rename = "_type")]
    statement_type: &'static str,
    predicate: PredicateBody<'s>,
    #[serde(rename = "predicateType")]
    predicate_type: &'static str,
    subject: [SubjectBody<'s>; 1],
}

#[derive(Serialize)]
struct PredicateBody<'s> {
    made_at: Time,
    pack: &'s Json<'s>,
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    salt: Option<&'s str>,
    signatures: &'s [DsseSignature],
}

#[derive(Serialize)]
struct SubjectBody<'s> {
    digest: SubjectDigest,
    name: &'s str,
}

#[derive(Serialize)]
struct SubjectDigest {
    sha256: String,
}

impl PackAttestation {
    /// The statement of a sealed pack.
    ///
    /// # Errors
    /// The payload of the pack is no JSON object with a `pack_id`: it was never sealed here.
    pub fn of(sealed: &SealedPack, made_at: Time) -> Result<Self, Refused> {
        let payload = &sealed.envelope.payload;
        let pack = Json::parse(payload)?;
        let name = decode::value(&pack, pack_id)?;
        let statement = StatementBody {
            statement_type: STATEMENT_TYPE,
            predicate: PredicateBody {
                made_at,
                pack: &pack,
                receipt: sealed.receipt.as_deref(),
                salt: sealed.salt.as_deref(),
                signatures: &sealed.envelope.signatures,
            },
            predicate_type: PACK_PREDICATE_TYPE,
            subject: [SubjectBody { digest: SubjectDigest::of(payload), name }],
        };
        let payload = canon::bytes(&statement).map_err(|_| not_canonical())?;
        Ok(Self { payload })
    }

    /// Signs the statement with a key of the trail.
    #[must_use]
    pub fn sign(self, key: &SecretKey) -> DsseEnvelope {
        DsseEnvelope::sign(IN_TOTO_PAYLOAD_TYPE, self.payload, key)
    }
}

/// A statement that nothing vouches for, without the pack in it.
#[derive(Clone, Debug)]
pub(super) struct UnverifiedAttestation {
    envelope: DsseEnvelope,
    made_at: Time,
    subject: String,
    digest: String,
}

/// The content of a statement, unverified.
pub(super) struct AttestedPack {
    pub(super) attestation: UnverifiedAttestation,
    /// The canonical bytes of the pack and who signed them.
    pub(super) seal: (Vec<u8>, Vec<DsseSignature>),
    pub(super) receipt: Option<String>,
    pub(super) salt: Option<[u8; 32]>,
}

/// Whether JSON is the envelope of an in-toto statement.
pub(super) fn is_attestation(json: &Json<'_>) -> bool {
    matches!(json.get("payloadType"), Some(Json::Text(own)) if own == IN_TOTO_PAYLOAD_TYPE)
}

/// Reads the envelope of a statement about a pack.
pub(super) fn read(json: &Json<'_>) -> Result<AttestedPack, Refused> {
    let envelope = decode::value(json, |reader| DsseEnvelope::read(reader, IN_TOTO_PAYLOAD_TYPE))?;
    let statement = Json::parse(&envelope.payload)?;
    // Signed bytes have one spelling here, so that a statement has one digest.
    if canon::bytes(&statement).ok().as_ref() != Some(&envelope.payload) {
        return Err(not_canonical().into());
    }
    decode::value(&statement, |reader| {
        let mut fields = reader.object()?;
        let kind = fields.required("_type", |kind| kind.choice(&[(STATEMENT_TYPE, ())]));
        let predicate = fields.required("predicate", predicate);
        let about =
            fields.required("predicateType", |about| about.choice(&[(PACK_PREDICATE_TYPE, ())]));
        let subject = fields.required("subject", subject);
        fields.done()?;
        kind?;
        about?;
        let (subject, digest) = subject?;
        let PredicateParts { made_at, seal, receipt, salt } = predicate?;
        let attestation =
            UnverifiedAttestation { envelope: envelope.clone(), made_at, subject, digest };
        Some(AttestedPack { attestation, seal, receipt, salt })
    })
}

struct PredicateParts {
    made_at: Time,
    seal: (Vec<u8>, Vec<DsseSignature>),
    receipt: Option<String>,
    salt: Option<[u8; 32]>,
}

fn predicate(reader: JsonReader<'_, '_>) -> Option<PredicateParts> {
    let mut fields = reader.object()?;
    let made_at = fields.required("made_at", decode::time);
    let pack = fields.required("pack", |pack| {
        decode::object(pack)?;
        // A value that was parsed from JSON has a canonical form.
        canon::bytes(pack.json).ok()
    });
    let receipt = fields.optional("receipt", decode::filled);
    let salt = fields.optional("salt", super::open::salt);
    let signatures = fields.required("signatures", dsse::read_signatures);
    fields.done()?;
    let seal = (pack?, signatures?);
    Some(PredicateParts { made_at: made_at?, seal, receipt: receipt?, salt: salt? })
}

/// The one subject of a statement: its name and the hex digits of its digest.
fn subject(reader: JsonReader<'_, '_>) -> Option<(String, String)> {
    let mut subjects = reader.list(|one| {
        let mut fields = one.object()?;
        let digest = fields.required("digest", |digest| {
            let mut fields = digest.object()?;
            let digits = fields.required("sha256", |digits| {
                let text = decode::text(digits)?;
                let is_digest = Digest::from_hex(text).is_ok();
                if is_digest {
                    Some(text.to_owned())
                } else {
                    digits.refuse("digest", expected::hex_digits_of_a_digest())
                }
            });
            fields.done()?;
            digits
        });
        let name = fields.required("name", decode::label);
        fields.done()?;
        Some((name?, digest?))
    })?;
    match (subjects.pop(), subjects.len()) {
        (Some(only), 0) => Some(only),
        (last, others) => {
            let count = others + usize::from(last.is_some());
            reader.push(Fault::new("range", reader.path(), bound::one_subject(), count))
        }
    }
}

impl UnverifiedAttestation {
    /// Checks that the statement is about these bytes, and that a key of the trail signed it.
    pub(super) fn check(
        &self,
        payload: &[u8],
        trust: &Trust,
        now: Time,
        report: &mut VerificationReport,
    ) {
        let name = Json::parse(payload).ok();
        let name = name.as_ref().and_then(|pack| decode::value(pack, pack_id).ok());
        if self.digest == SubjectDigest::of(payload).sha256 && Some(self.subject.as_str()) == name {
            report.pass(PART_STATEMENT, pack_check::statement_about_this_pack(self.made_at));
        } else {
            report.fail(PART_STATEMENT, pack_check::statement_about_another());
        }
        if self.made_at > now {
            let message = pack_check::made_in_the_future(self.made_at, now);
            report.incomplete(PART_STATEMENT, message);
        }
        self.signature(trust, report);
    }

    fn signature(&self, trust: &Trust, report: &mut VerificationReport) {
        let keys = trust.keyring.keys();
        if keys.is_empty() {
            let names = self.envelope.signatures.iter().map(|one| quoted(&one.keyid));
            let message = pack_check::no_trusted_key(Phrase::fold(names, proof_check::list));
            return report.incomplete(PART_STATEMENT_SIGNATURE, message);
        }
        let signers: Vec<&PublicKey> =
            keys.iter().filter(|key| self.envelope.is_signed_by(key)).collect();
        if signers.is_empty() {
            let message = pack_check::no_trusted_signature();
            return report.fail(PART_STATEMENT_SIGNATURE, message);
        }
        let names = signers.iter().map(|key| quoted(&dsse::keyid(key)));
        let names = Phrase::fold(names, proof_check::and);
        report.pass(PART_STATEMENT_SIGNATURE, pack_check::signed_by(names));
        // The receipt of the pack is older than the statement, so no trusted party has seen this
        // one.
        let signed = SigningTime { claimed: Some(self.made_at), seen: None };
        if let Some((verdict, message)) = trust.keyring.best_seal_standing(signers, signed) {
            report.add(PART_STATEMENT_KEY, verdict, message);
        }
    }
}

impl SubjectDigest {
    fn of(payload: &[u8]) -> Self {
        Self { sha256: hex(Digest::of(payload).as_bytes()) }
    }
}

fn pack_id<'j>(reader: JsonReader<'_, 'j>) -> Option<&'j str> {
    // The rules of a pack are looked at when it is opened; here only its name is needed.
    reader.object()?.required("pack_id", decode::text)
}

fn not_canonical() -> Fault {
    Fault::new("canonical", "$", expected::a_canonical_form(), found::something_else())
}

/// The media type of an in-toto statement in an envelope.
const IN_TOTO_PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";
const STATEMENT_TYPE: &str = "https://in-toto.io/Statement/v1";
/// The type of a predicate that is a pack: spec/in-toto.md.
pub const PACK_PREDICATE_TYPE: &str = "https://github.com/dalil/dalil/spec/in-toto/pack/v1";
const PART_STATEMENT: &str = "statement";
const PART_STATEMENT_SIGNATURE: &str = "statement signature";
const PART_STATEMENT_KEY: &str = "statement key";
