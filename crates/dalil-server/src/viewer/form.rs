//! Forms that people send: fields of text, and files.

use axum::body::Bytes;
use axum::extract::Multipart;
use axum::extract::multipart::MultipartError;
use axum::http::StatusCode;

use super::visit::Visitor;
use super::wrong::{Problem, Wrong};

/// The fields of a form, in their order.
pub(super) struct Fields(Vec<(String, String)>);

/// A file of a form.
pub(super) struct File {
    /// The field it is in.
    pub(super) field: String,
    pub(super) filename: String,
    pub(super) bytes: Bytes,
}

impl Fields {
    /// Reads a form without files, which must carry the mark of the visit.
    pub(super) fn read(visitor: &Visitor, body: &[u8]) -> Result<Self, Wrong> {
        let fields = Self(pairs(body));
        visitor.marked(fields.one("csrf"))?;
        Ok(fields)
    }

    /// The first value of a field, unless it is empty.
    pub(super) fn one(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// Every value of a field that is not empty.
    pub(super) fn all<'f>(&'f self, name: &str) -> impl Iterator<Item = &'f str> {
        let name = name.to_owned();
        let named = move |(known, value): &&(String, String)| *known == name && !value.is_empty();
        self.0.iter().filter(named).map(|(_, value)| value.as_str())
    }
}

/// Reads a form with files; the mark comes before the first of them.
pub(super) async fn multipart(
    visitor: &Visitor,
    mut form: Multipart,
) -> Result<(Fields, Vec<File>), Wrong> {
    let (mut fields, mut files) = (Fields(Vec::new()), Vec::new());
    while let Some(part) = form.next_field().await.map_err(|error| broken(&error))? {
        let field = part.name().unwrap_or_default().to_owned();
        if let Some(filename) = part.file_name().map(str::to_owned) {
            visitor.marked(fields.one("csrf"))?;
            let bytes = part.bytes().await.map_err(|error| broken(&error))?;
            // A browser sends a file without a name when none was chosen.
            if !filename.is_empty() {
                files.push(File { field, filename, bytes });
            }
        } else {
            let text = part.text().await.map_err(|error| broken(&error))?;
            fields.0.push((field, text));
        }
    }
    visitor.marked(fields.one("csrf"))?;
    Ok((fields, files))
}

fn broken(error: &MultipartError) -> Wrong {
    let status = error.status();
    match status {
        StatusCode::PAYLOAD_TOO_LARGE => Wrong::Problem(Box::new(Problem::plain(status.as_u16()))),
        _ => Wrong::Form,
    }
}

/// The pairs of `application/x-www-form-urlencoded`.
pub(super) fn pairs(body: &[u8]) -> Vec<(String, String)> {
    let parts = body.split(|byte| *byte == b'&').filter(|part| !part.is_empty());
    let pair = |part: &[u8]| {
        let at = part.iter().position(|byte| *byte == b'=');
        let (name, value) = part.split_at(at.unwrap_or(part.len()));
        (decoded(name), decoded(value.get(1..).unwrap_or_default()))
    };
    parts.map(pair).collect()
}

fn decoded(text: &[u8]) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, tail)) = rest.split_first() {
        rest = tail;
        let hex = |byte: &u8| char::from(*byte).to_digit(16);
        match (first, tail) {
            (b'+', _) => bytes.push(b' '),
            (b'%', [high, low, after @ ..]) => match hex(high).zip(hex(low)) {
                Some((high, low)) => {
                    bytes.push(u8::try_from(high * 16 + low).unwrap_or(b'?'));
                    rest = after;
                }
                None => bytes.push(b'%'),
            },
            (other, _) => bytes.push(*other),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
