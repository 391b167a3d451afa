//! Envelopes read byte by byte, in the one order that canonical JSON gives them.
//!
//! Most envelopes have no escape in any string. Those are canonical if they are
//! read here, which is several times quicker than to write them again and to
//! compare. Everything else, and every fault, is left to the full reader.

use std::collections::BTreeMap;

use super::{Actor, Commitment, Lineage, RecordEnvelope, RecordKind};
use crate::canon_scan::{CanonicalScanner, UnexpectedBytes};
use crate::id::is_given;
use crate::time::Time;

/// The envelope in these bytes, if they are its canonical form without an escape.
pub(super) fn envelope(bytes: &[u8]) -> Option<RecordEnvelope> {
    let mut scan = CanonicalScanner::new(bytes);
    let envelope = read(&mut scan).ok()?;
    scan.end().is_ok().then_some(envelope)
}

fn read(scan: &mut CanonicalScanner<'_>) -> Result<RecordEnvelope, UnexpectedBytes> {
    // RFC 8785 sorts members by name, so each field can be expected in its place.
    scan.literal("{\"actor\":{")?;
    let actor = actor(scan)?;
    scan.literal(",\"at\":\"")?;
    let wrong = scan.expected("a time");
    let at = Time::from_spelling(scan.string("a time")?).ok_or(wrong)?;
    scan.literal(",\"commitments\":{")?;
    let commitments = commitments(scan)?;
    scan.literal(",\"id\":\"")?;
    let id = scan.text("an id")?.parse().map_err(|_| scan.expected("an id"))?;
    scan.literal(",\"lineage\":{")?;
    let lineage = lineage(scan)?;
    scan.literal(",\"subject\":\"")?;
    let subject = given(scan)?;
    scan.literal(",\"type\":\"")?;
    let word = scan.text("a kind")?;
    // The list of kinds is in the order of its words.
    let kind = RecordKind::WORDS.binary_search_by_key(&word, |(word, _)| *word);
    let kind = kind.ok().and_then(|n| RecordKind::WORDS.get(n)).map(|(_, kind)| *kind);
    let kind = kind.ok_or_else(|| scan.expected("a kind"))?;
    scan.literal(",\"v\":1}")?;
    Ok(RecordEnvelope { kind, id, at, actor, subject, lineage, commitments })
}

fn actor(scan: &mut CanonicalScanner<'_>) -> Result<Actor, UnexpectedBytes> {
    if scan.skip("\"kind\":\"system\"}") {
        return Ok(Actor::System);
    }
    scan.literal("\"id\":\"")?;
    let id = given(scan)?;
    if scan.skip(",\"kind\":\"agent\"}") {
        return Ok(Actor::Agent(id));
    }
    scan.literal(",\"kind\":\"person\"}")?;
    Ok(Actor::Person(id))
}

fn commitments(
    scan: &mut CanonicalScanner<'_>,
) -> Result<BTreeMap<String, Commitment>, UnexpectedBytes> {
    let mut commitments = BTreeMap::new();
    if scan.skip("}") {
        return Ok(commitments);
    }
    let mut last = "";
    loop {
        scan.literal("\"")?;
        let name = scan.text("a name")?;
        // Names are ASCII, whose canonical order is that of the bytes.
        if !Commitment::is_name(name) || name <= last {
            return Err(scan.expected("a name"));
        }
        scan.literal(":\"sha256:")?;
        commitments.insert(name.to_owned(), Commitment(scan.hex("a digest")?));
        last = name;
        if scan.skip("}") {
            return Ok(commitments);
        }
        scan.literal(",")?;
    }
}

fn lineage(scan: &mut CanonicalScanner<'_>) -> Result<Lineage, UnexpectedBytes> {
    if scan.skip("\"sequence\":0}") {
        return Ok(Lineage::First);
    }
    scan.literal("\"previous\":\"sha256:")?;
    let previous = scan.hex("a digest")?;
    scan.literal(",\"sequence\":")?;
    let sequence = scan.whole("a sequence")?;
    scan.literal("}")?;
    // Sequence 0 has no `previous`, and was read above.
    if sequence == 0 {
        return Err(scan.expected("a sequence of at least 1"));
    }
    Ok(Lineage::Next { sequence, previous })
}

fn given(scan: &mut CanonicalScanner<'_>) -> Result<String, UnexpectedBytes> {
    let text = scan.text("an id")?;
    if is_given(text) { Ok(text.to_owned()) } else { Err(scan.expected("an id")) }
}
