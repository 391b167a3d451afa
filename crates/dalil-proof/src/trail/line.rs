//! A record's line: the envelope, its index, and the state of its payload.

use std::borrow::Cow;
use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dalil_phrasebook::{Phrase, error};

use crate::canon_scan::{CanonicalScanner, UnexpectedBytes};
use crate::digest::{Digest, hex};
use crate::fault::{Fault, Refused};
use crate::record::{Commitment, Record};

/// One record of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrailLine<'l> {
    /// The record.
    pub record: Record,
    /// Its place in the trail.
    pub index: u64,
    /// What became of the fields that it commits to.
    pub payload: RecordPayload<'l>,
}

/// What became of the fields of a payload, by name.
pub type RecordPayload<'l> = BTreeMap<&'l str, PayloadField<'l>>;

/// What became of one field of a payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PayloadField<'l> {
    /// It is here.
    Present {
        /// The salt of its commitment.
        salt: [u8; 32],
        /// Its bytes.
        bytes: Cow<'l, [u8]>,
    },
    /// It is an object of the lake.
    Lake {
        /// The salt of its commitment.
        salt: [u8; 32],
        /// The object, by digest; the commitment is to the digest's text.
        object: Digest,
    },
    /// It was destroyed.
    Erased {
        /// The index of the record that did it.
        by: u64,
    },
    /// It was left out of the export.
    Withheld,
}

impl PayloadField<'_> {
    /// Whether the payload here opens the commitment; `None` when there is none.
    pub fn opens(&self, commitment: &Commitment, name: &str) -> Option<bool> {
        match self {
            Self::Present { salt, bytes } => Some(commitment.opens(name, salt, bytes)),
            Self::Lake { salt, object } => {
                Some(commitment.opens(name, salt, object.to_string().as_bytes()))
            }
            Self::Erased { .. } | Self::Withheld => None,
        }
    }
}

impl<'l> TrailLine<'l> {
    /// Reads the line, its line end included, in its one spelling.
    ///
    /// # Errors
    /// The first rule of the format that the bytes break; every fault of the record.
    pub fn parse(line: &'l [u8]) -> Result<Self, NotALine> {
        if line.len() > MAX_LINE_BYTES {
            return Err(NotALine::Size);
        }
        let mut scan = CanonicalScanner::new(line);
        scan.literal("{\"envelope\":")?;
        // In an envelope, only `at` and `id` follow a closing brace.
        let envelope = scan.object(",\"index\":")?;
        let index = scan.whole("an index")?;
        scan.literal(",\"payload\":{")?;
        let mut payload = BTreeMap::new();
        if !scan.skip("}") {
            loop {
                let (name, field) = named(&mut scan)?;
                // Ascending names are both canonical and different ones.
                if payload.last_key_value().is_some_and(|(last, _)| *last >= name) {
                    return Err(scan.expected("names in ascending order").into());
                }
                payload.insert(name, field);
                if scan.skip("}") {
                    break;
                }
                scan.literal(",")?;
            }
        }
        scan.literal("}")?;
        scan.line_end()?;
        Ok(Self { record: Record::parse(envelope)?, index, payload })
    }

    /// A field that is here and opens its commitment.
    pub fn shown(&self, name: &str) -> Option<&PayloadField<'l>> {
        let commitment = self.record.envelope().commitments.get(name)?;
        let field = self.payload.get(name)?;
        // Bytes that do not open their commitment are not of this record, and must not be read.
        field.opens(commitment, name)?.then_some(field)
    }

    /// Appends the line, its line end included.
    pub fn write(&self, out: &mut Vec<u8>) {
        write(&self.record, self.index, &self.payload, out);
    }
}

/// Appends the line of a record, its line end included.
pub fn write(record: &Record, index: u64, payload: &RecordPayload<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"envelope\":");
    out.extend_from_slice(record.bytes());
    out.extend_from_slice(format!(",\"index\":{index},\"payload\":{{").as_bytes());
    // Names have only `a-z 0-9 _ .`, so nothing here needs an escape.
    for (n, (name, field)) in payload.iter().enumerate() {
        let comma = if n > 0 { "," } else { "" };
        out.extend_from_slice(format!("{comma}\"{name}\":").as_bytes());
        out.extend_from_slice(spelled(field).as_bytes());
    }
    out.extend_from_slice(b"}}\n");
}

fn spelled(field: &PayloadField<'_>) -> String {
    match field {
        PayloadField::Present { salt, bytes } => {
            let (bytes, salt) = (STANDARD.encode(bytes), hex(salt));
            format!("{{\"bytes\":\"{bytes}\",\"salt\":\"{salt}\",\"state\":\"present\"}}")
        }
        PayloadField::Lake { salt, object } => {
            let salt = hex(salt);
            format!("{{\"salt\":\"{salt}\",\"sha256\":\"{object}\",\"state\":\"lake\"}}")
        }
        PayloadField::Erased { by } => format!("{{\"by\":{by},\"state\":\"erased\"}}"),
        PayloadField::Withheld => "{\"state\":\"withheld\"}".to_owned(),
    }
}

fn named<'l>(scan: &mut CanonicalScanner<'l>) -> Result<(&'l str, PayloadField<'l>), NotALine> {
    scan.literal("\"")?;
    let wrong = scan.expected(EXPECTED_FIELD_NAME);
    let name = scan.text(EXPECTED_FIELD_NAME)?;
    if !Commitment::is_name(name) {
        return Err(wrong.into());
    }
    scan.literal(":{")?;
    Ok((name, field(scan)?))
}

fn field<'l>(scan: &mut CanonicalScanner<'l>) -> Result<PayloadField<'l>, NotALine> {
    if scan.skip("\"bytes\":\"") {
        let wrong = scan.expected("canonical base64");
        let bytes = STANDARD.decode(scan.string("canonical base64")?).map_err(|_| wrong)?;
        scan.literal(",\"salt\":\"")?;
        let salt = *scan.hex(EXPECTED_SALT)?.as_bytes();
        scan.literal(",\"state\":\"present\"}")?;
        return Ok(PayloadField::Present { salt, bytes: Cow::Owned(bytes) });
    }
    if scan.skip("\"salt\":\"") {
        let salt = *scan.hex(EXPECTED_SALT)?.as_bytes();
        scan.literal(",\"sha256\":\"sha256:")?;
        let object = scan.hex("64 lower-case hex digits")?;
        scan.literal(",\"state\":\"lake\"}")?;
        return Ok(PayloadField::Lake { salt, object });
    }
    if scan.skip("\"by\":") {
        let by = scan.whole("an index")?;
        scan.literal(",\"state\":\"erased\"}")?;
        return Ok(PayloadField::Erased { by });
    }
    scan.literal("\"state\":\"withheld\"}")?;
    Ok(PayloadField::Withheld)
}

/// Why bytes are not a record's line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotALine {
    /// Longer than any line may be.
    Size,
    /// Another shape or spelling.
    Shape(UnexpectedBytes),
    /// The envelope is no record.
    Record(Refused),
}

impl NotALine {
    /// Why, as a person reads it.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Size => error::long_line(MAX_LINE_BYTES),
            Self::Shape(error) => error.phrase(),
            Self::Record(refused) => error::bad_envelope(first_fault(refused)),
        }
    }
}

dalil_phrasebook::spoken_error!(NotALine);

impl From<UnexpectedBytes> for NotALine {
    fn from(error: UnexpectedBytes) -> Self {
        Self::Shape(error)
    }
}

impl From<Refused> for NotALine {
    fn from(error: Refused) -> Self {
        Self::Record(error)
    }
}

fn first_fault(refused: &Refused) -> Phrase {
    let fault = refused.refused.first();
    fault.map_or_else(|| Phrase::verbatim(refused), Fault::phrase)
}

const EXPECTED_FIELD_NAME: &str = "a name of 1 to 64 lower-case letters, digits, `_` and `.`";
const EXPECTED_SALT: &str = "a salt of 64 lower-case hex digits";

/// The most that one line may take, its line end included; larger fields belong in the lake.
pub const MAX_LINE_BYTES: usize = 1 << 24;
