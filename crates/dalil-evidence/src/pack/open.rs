//! Opening a pack: everything that can be checked about it, offline.

use dalil_phrasebook::{Phrase, expected, found, pack_check, proof_check};
use dalil_proof::canon;
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::digest::Digest;
use dalil_proof::dsse::{self, DsseEnvelope};
use dalil_proof::fault::{Fault, Refused, quote, quoted};
use dalil_proof::json::Json;
use dalil_proof::key::PublicKey;
use dalil_proof::keyring::SigningTime;
use dalil_proof::receipt::Receipt;
use dalil_proof::record::RecordKind;
use dalil_proof::report::{CheckStatus, VerificationReport};
use dalil_proof::time::Time;
use dalil_proof::trust::Trust;
use dalil_proof::trust::seen::PART_CONSISTENCY;

use crate::ledger::Ledger;
use crate::pack::draft::{Pack, PackDraft};
use crate::pack::in_toto::{self, AttestedPack, UnverifiedAttestation};
use crate::pack::seal::{PACK_FIELD, PACK_PAYLOAD_TYPE};

#[cfg(test)]
mod tests;

/// A pack that nothing vouches for. Open it before you believe a word of it.
#[derive(Clone, Debug)]
pub struct UnverifiedPack {
    /// The bytes of the pack.
    payload: Vec<u8>,
    /// The envelope that they came in; a pack that was never sealed has none.
    envelope: Option<DsseEnvelope>,
    /// The receipt of its record.
    receipt: Option<String>,
    /// The salt of that record's commitment.
    salt: Option<[u8; 32]>,
    /// The in-toto statement that it came in.
    attestation: Option<UnverifiedAttestation>,
}

impl UnverifiedPack {
    /// Parses a sealed pack, a bare envelope, an in-toto statement about a pack, or a pack that was
    /// never sealed.
    ///
    /// # Errors
    /// Every fault of the envelope. [`Self::open`] checks its content.
    pub fn parse(bytes: &[u8]) -> Result<Self, Refused> {
        let json = Json::parse(bytes)?;
        // Each form has a field that the others do not have; envelopes differ in their type.
        if json.get("envelope").is_some() {
            decode::value(&json, sealed)
        } else if in_toto::is_attestation(&json) {
            Ok(Self::from_attestation(in_toto::read(&json)?))
        } else if json.get("payloadType").is_some() {
            let envelope =
                decode::value(&json, |reader| DsseEnvelope::read(reader, PACK_PAYLOAD_TYPE))?;
            Ok(Self::from_envelope(envelope))
        } else if json.get("pack_id").is_some() {
            // Without a signature there are no bytes to keep: any spelling will do.
            let payload = canon::bytes(&json).map_err(|_| not_a_pack())?;
            Ok(Self { payload, envelope: None, receipt: None, salt: None, attestation: None })
        } else {
            Err(not_a_pack().into())
        }
    }

    /// Checks every part of the pack.
    ///
    /// # Errors
    /// The report, when a part does not hold or could not be checked.
    pub fn open(
        self,
        trust: &Trust,
        now: Time,
    ) -> Result<(Pack, VerificationReport), VerificationReport> {
        let mut report = VerificationReport::default();
        let draft = self.check(trust, now, &mut report);
        match draft {
            // No other place makes a `Pack`, so every `Pack` passed every check.
            Some(draft) if report.verdict() == CheckStatus::Pass => Ok((Pack(draft), report)),
            Some(_) | None => Err(report),
        }
    }

    /// Checks every part of the pack, and returns its content even if it is not verified.
    pub(crate) fn examine(
        &self,
        trust: &Trust,
        now: Time,
    ) -> (Option<PackDraft>, VerificationReport) {
        let mut report = VerificationReport::default();
        let draft = self.check(trust, now, &mut report);
        (draft, report)
    }

    /// The trail that it claims to be under, unverified: that of its receipt, or without
    /// one the name of the key that claims to have sealed it.
    pub fn unverified_origin(&self) -> Option<String> {
        let checkpoint = self.unverified_receipt().and_then(|one| one.unverified_checkpoint());
        let signer = || {
            let signature = self.envelope.as_ref()?.signatures.first()?;
            Some(signature.keyid.rsplit_once('+')?.0.to_owned())
        };
        checkpoint.map(|checkpoint| checkpoint.origin().to_owned()).or_else(signer)
    }

    /// The receipt's text, which nothing vouches for before the pack is opened.
    pub(crate) fn receipt_text(&self) -> Option<&str> {
        self.receipt.as_deref()
    }

    /// The receipt, which nothing vouches for before the pack is opened.
    pub fn unverified_receipt(&self) -> Option<Receipt> {
        self.receipt.as_ref().and_then(|text| Receipt::parse(text.as_bytes()).ok())
    }

    /// The content of the pack, unverified before the pack is opened.
    ///
    /// # Errors
    /// Every fault of the payload and every rule that it breaks.
    pub fn unverified_draft(&self) -> Result<PackDraft, Refused> {
        PackDraft::parse(&self.payload)
    }

    /// The bytes of the pack.
    pub fn payload(&self) -> &[u8] {
        &self.payload
    }

    /// The keys that claim to have signed the pack.
    pub fn unverified_keys(&self) -> impl Iterator<Item = &str> {
        let signatures = self.envelope.iter().flat_map(|envelope| &envelope.signatures);
        signatures.map(|signature| signature.keyid.as_str())
    }

    fn from_envelope(envelope: DsseEnvelope) -> Self {
        let payload = envelope.payload.clone();
        Self { payload, envelope: Some(envelope), receipt: None, salt: None, attestation: None }
    }

    /// The pack of a statement, as if it had come in its sealed file.
    fn from_attestation(attested: AttestedPack) -> Self {
        let AttestedPack { attestation, seal: (payload, signatures), receipt, salt } = attested;
        let envelope = DsseEnvelope { payload_type: PACK_PAYLOAD_TYPE, payload, signatures };
        let attestation = Some(attestation);
        Self { receipt, salt, attestation, ..Self::from_envelope(envelope) }
    }

    fn check(
        &self,
        trust: &Trust,
        now: Time,
        report: &mut VerificationReport,
    ) -> Option<PackDraft> {
        let draft = content(&self.payload, report);
        if let Some(envelope) = &self.envelope {
            canonical(envelope, report);
        }
        if let Some(draft) = &draft {
            ledger(draft, report);
            time(draft, trust, now, report);
        }
        let receipt = self.receipt(report);
        let inclusion = receipt.as_ref().map(|receipt| receipt.verify(trust, now));
        let included = inclusion.as_ref().is_some_and(is_included);
        let seen =
            receipt.as_ref().filter(|_| included).and_then(|receipt| receipt.seen(trust, now));
        self.signature(trust, draft.as_ref(), seen, report);
        if let (Some(receipt), Some(inclusion)) = (&receipt, inclusion) {
            // The first finding is the `format` of the receipt; `format` here is that of the pack.
            report.findings.extend(inclusion.findings.into_iter().skip(1));
            self.commitment(receipt, draft.as_ref(), report);
        }
        if let Some(attestation) = &self.attestation {
            attestation.check(&self.payload, trust, now, report);
        }
        draft
    }

    fn receipt(&self, report: &mut VerificationReport) -> Option<Receipt> {
        let Some(text) = &self.receipt else {
            let message = pack_check::no_receipt();
            report.incomplete(PART_INCLUSION, message);
            return None;
        };
        match Receipt::parse(text.as_bytes()) {
            Ok(receipt) => Some(receipt),
            Err(error) => {
                report.fail(PART_RECEIPT, &error);
                None
            }
        }
    }

    fn signature(
        &self,
        trust: &Trust,
        draft: Option<&PackDraft>,
        seen: Option<Time>,
        report: &mut VerificationReport,
    ) {
        let Some(envelope) = &self.envelope else {
            let message = pack_check::pack_without_seal();
            return report.incomplete(PART_SIGNATURE, message);
        };
        let keys = trust.keyring.keys();
        if keys.is_empty() {
            let names = envelope.signatures.iter().map(|signature| quoted(&signature.keyid));
            let message = pack_check::no_trusted_key(Phrase::fold(names, proof_check::list));
            return report.incomplete(PART_SIGNATURE, message);
        }
        // Only trusted keys are tried: a `keyid` names a key and makes none trusted.
        let signers: Vec<&PublicKey> =
            keys.iter().filter(|key| envelope.is_signed_by(key)).collect();
        if signers.is_empty() {
            let message = pack_check::no_trusted_signature();
            return report.fail(PART_SIGNATURE, message);
        }
        let names = signers.iter().map(|key| quoted(&dsse::keyid(key)));
        let names = Phrase::fold(names, proof_check::and);
        report.pass(PART_SIGNATURE, pack_check::signed_by(names));
        let Some(draft) = draft else {
            let message = pack_check::pack_unreadable_time_unknown();
            return report.incomplete(PART_PACK_KEY, message);
        };
        // The date in the pack can count for a retired key; for a revoked one only `seen` does.
        let signed = SigningTime { claimed: Some(draft.created_at), seen };
        if let Some((verdict, message)) = trust.keyring.best_seal_standing(signers, signed) {
            report.add(PART_PACK_KEY, verdict, message);
        }
    }

    /// Checks that the record under the receipt is about these very bytes.
    fn commitment(
        &self,
        receipt: &Receipt,
        draft: Option<&PackDraft>,
        report: &mut VerificationReport,
    ) {
        let Ok(record) = receipt.unverified_record() else { return };
        let envelope = record.envelope();
        if envelope.kind != RecordKind::PackSealed {
            let kind = envelope.kind;
            let message = pack_check::record_of_another_kind(kind);
            return report.fail(PART_COMMITMENT, message);
        }
        if draft.is_some_and(|draft| draft.pack_id.as_str() != envelope.subject) {
            let found = quoted(&envelope.subject);
            let message = pack_check::record_about_another(found);
            return report.fail(PART_COMMITMENT, message);
        }
        if let Some(made) = draft.map(|draft| draft.created_at).filter(|made| *made > envelope.at) {
            let at = envelope.at;
            let message = pack_check::record_before_the_pack(made, at);
            return report.fail(PART_COMMITMENT, message);
        }
        // A commitment is salted: without the salt it neither proves nor refutes these bytes.
        match (envelope.commitments.get(PACK_FIELD), &self.salt) {
            (None, _) => {
                let message = pack_check::no_commitment();
                report.fail(PART_COMMITMENT, message);
            }
            (Some(_), None) => {
                let message = pack_check::no_salt();
                report.incomplete(PART_COMMITMENT, message);
            }
            (Some(commitment), Some(salt)) => {
                if commitment.opens(PACK_FIELD, salt, &self.payload) {
                    let message = pack_check::record_commits_to_these_bytes();
                    report.pass(PART_COMMITMENT, message);
                } else {
                    let message = pack_check::commitment_to_other_bytes();
                    report.fail(PART_COMMITMENT, message);
                }
            }
        }
    }
}

/// Whether a receipt proves its record. A head of another size that nothing relates to its
/// checkpoint takes no proof away.
fn is_included(receipt: &VerificationReport) -> bool {
    receipt.findings.iter().all(|one| match one.verdict {
        CheckStatus::Pass => true,
        CheckStatus::Incomplete => one.part == PART_CONSISTENCY,
        CheckStatus::Fail => false,
    })
}

/// Checks that the signed bytes are canonical.
fn canonical(envelope: &DsseEnvelope, report: &mut VerificationReport) {
    let bytes = Json::parse(&envelope.payload).ok().and_then(|json| canon::bytes(&json).ok());
    if bytes.as_ref() == Some(&envelope.payload) {
        report.pass(PART_CANONICAL, pack_check::canonical_bytes());
    } else {
        let message = pack_check::not_canonical();
        report.fail(PART_CANONICAL, message);
    }
}

/// Checks the content: every rule, and every computed field.
fn content(payload: &[u8], report: &mut VerificationReport) -> Option<PackDraft> {
    let json = match Json::parse(payload) {
        Ok(json) => json,
        Err(refused) => {
            report.refused(PART_FORMAT, &refused);
            return None;
        }
    };
    report.pass(PART_FORMAT, pack_check::a_pack());
    let draft = match PackDraft::from_json(&json) {
        Ok(draft) => draft,
        Err(refused) => {
            report.refused(PART_RULES, &refused);
            return None;
        }
    };
    report.pass(PART_RULES, pack_check::every_rule_holds());
    let wrong = untrue(payload, &json, &draft);
    if wrong.is_empty() {
        let message = pack_check::computed_fields_follow();
        report.pass(PART_COMPUTED, message);
    }
    for name in wrong {
        let name = quote(&name);
        let message = pack_check::computed_field_differs(name);
        report.fail(PART_COMPUTED, message);
    }
    Some(draft)
}

/// The fields that a pack states otherwise than they follow from the rest, in order.
fn untrue(payload: &[u8], stated: &Json<'_>, draft: &PackDraft) -> Vec<String> {
    let bytes = canon::bytes(draft);
    let bytes = bytes.as_deref();
    if bytes.is_ok_and(|bytes| bytes == payload) {
        return Vec::new();
    }
    let follows = bytes.ok().and_then(|bytes| Json::parse(bytes).ok()).unwrap_or(Json::Null);
    let mut wrong = Vec::new();
    // Both sides, since a field may be stated that does not follow, or follow
    // and not be stated. Digests leave out spelling, which is another part.
    for json in [stated, &follows] {
        let Json::Object(members) = json else { continue };
        let differs = |name: &str| digest(stated.get(name)) != digest(follows.get(name));
        wrong.extend(members.iter().map(|(name, _)| name.to_string()).filter(|name| differs(name)));
    }
    wrong.sort_unstable();
    wrong.dedup();
    wrong
}

fn digest(json: Option<&Json<'_>>) -> Option<Digest> {
    json.and_then(|json| canon::digest(json).ok())
}

/// Checks the ledger of a pack as a ledger by itself is checked.
fn ledger(draft: &PackDraft, report: &mut VerificationReport) {
    let Some(ledger) = &draft.ledger else { return };
    if ledger.get("id").is_none() {
        let message = pack_check::ledger_export();
        return report.incomplete(PART_LEDGER, message);
    }
    match Ledger::of(ledger) {
        Ok(_) => {
            let message = pack_check::ledger_sums_follow();
            report.pass(PART_LEDGER, message);
        }
        Err(refused) => report.refused(PART_LEDGER, &refused),
    }
}

fn time(draft: &PackDraft, trust: &Trust, now: Time, report: &mut VerificationReport) {
    let made = draft.created_at;
    // A review is recorded in the trail, and nothing in there is older than its first key.
    let said = draft.approvals.iter().map(|vote| vote.at).chain(draft.reviewed_at).min();
    let early = said.zip(trust.keyring.begins()).filter(|(said, begins)| said < begins);
    if let Some((said, begins)) = early {
        report.fail(PART_TIME, pack_check::reviewed_before_any_key(said, begins));
    } else if made > now {
        let message = pack_check::made_in_the_future(made, now);
        report.incomplete(PART_TIME, message);
    } else {
        report.pass(PART_TIME, pack_check::made_at(made));
    }
}

fn sealed(reader: JsonReader<'_, '_>) -> Option<UnverifiedPack> {
    let mut fields = reader.object()?;
    let envelope =
        fields.required("envelope", |inner| DsseEnvelope::read(inner, PACK_PAYLOAD_TYPE));
    let receipt = fields.optional("receipt", decode::filled);
    let salt = fields.optional("salt", salt);
    fields.done()?;
    let pack = UnverifiedPack::from_envelope(envelope?);
    Some(UnverifiedPack { receipt: receipt?, salt: salt?, ..pack })
}

/// The salt of a commitment, in hex.
pub(super) fn salt(reader: JsonReader<'_, '_>) -> Option<[u8; 32]> {
    let text = decode::text(reader)?;
    // A salt has as many bytes as a digest, and the same spelling.
    let digits = Digest::from_hex(text).map(|digest| *digest.as_bytes());
    digits.ok().or_else(|| reader.refuse("salt", expected::salt_digits()))
}

fn not_a_pack() -> Fault {
    let expected = expected::a_sealed_pack_a_dsse_envelope_a_pack_or_a_ledger();
    Fault::new("format", "$", expected, found::another_json_value())
}

const PART_FORMAT: &str = "format";
const PART_CANONICAL: &str = "canonical";
const PART_RULES: &str = "rules";
const PART_COMPUTED: &str = "computed";
const PART_LEDGER: &str = "ledger";
const PART_TIME: &str = "time";
const PART_SIGNATURE: &str = "signature";
const PART_PACK_KEY: &str = "pack key";
const PART_RECEIPT: &str = "receipt";
const PART_INCLUSION: &str = "inclusion";
const PART_COMMITMENT: &str = "commitment";
