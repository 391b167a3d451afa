//! Texts and numbers of a fixed form, and free JSON.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

/// A SHA-256 digest: `sha256:` and 64 lower-case hex digits.
#[derive(Serialize, ToSchema)]
#[schema(as = Digest, pattern = "^sha256:[0-9a-f]{64}$",
    example = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")]
pub(crate) struct DigestText(String);

/// A time of RFC 3339. It is read with any offset, and written in UTC with milliseconds.
#[derive(Serialize, ToSchema)]
#[schema(as = Time, format = DateTime, example = "2026-01-03T12:30:00.000Z")]
pub(crate) struct TimeText(String);

/// A UUID, made from a digest.
#[derive(Serialize, ToSchema)]
#[schema(as = Uuid, format = "uuid", example = "3f2504e0-4f89-8d3a-9a0c-0305e82c3301")]
pub(crate) struct UuidText(String);

/// A number from 0 to 1.
#[derive(Serialize, ToSchema)]
#[schema(as = Score, minimum = 0, maximum = 1, example = 0.9)]
pub(crate) struct ScoreNumber(f64);

/// A language.
#[derive(Serialize, ToSchema)]
#[schema(as = LanguageCode, rename_all = "lowercase")]
pub(crate) enum LanguageCode {
    /// English.
    En,
    /// Arabic.
    Ar,
}

/// An object whose names and values are the caller's own.
#[derive(Serialize, ToSchema)]
#[schema(as = FreeObject)]
pub(crate) struct FreeObjectBody {
    /// The caller's own fields.
    #[serde(flatten)]
    members: BTreeMap<String, serde_json::Value>,
}

/// Any JSON value.
#[derive(Serialize, ToSchema)]
#[schema(as = FreeValue)]
pub(crate) struct FreeValueBody(serde_json::Value);

/// A text that is not blank, or an object of the caller's own.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = TextOrObject)]
pub(crate) enum TextOrObjectBody {
    /// A text.
    Text(String),
    /// An object.
    Object(FreeObjectBody),
}

/// The position of an appended record.
#[derive(Serialize, ToSchema)]
#[schema(as = RecordAck)]
pub(crate) struct RecordAckBody {
    /// Its index in the trail, from 0.
    index: u64,
    /// Its id.
    id: String,
    /// Its leaf hash.
    leaf: DigestText,
}

/// The bytes of a file.
#[derive(Serialize, ToSchema)]
#[schema(as = FileBytes, value_type = String, format = Binary)]
pub(crate) struct FileBytes(Vec<u8>);
