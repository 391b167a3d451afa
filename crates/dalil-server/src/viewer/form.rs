//! Forms that people send: fields of text, and files.

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};

use super::error::PageError;
use super::state::ViewerState;
use super::visitor::WebVisitor;
use crate::extract::read_body;
use crate::request_owner::RequestOwner;

mod upload;

pub(super) use upload::{UploadForm, UploadedFile};

/// The fields of a form, in their order.
pub(super) struct FormFields(Vec<(String, String)>);

/// The body of a form without files.
pub(super) struct FormBody(pub(super) Bytes);

impl FromRequest<ViewerState> for FormBody {
    type Rejection = PageError;

    async fn from_request(request: Request, view: &ViewerState) -> Result<Self, PageError> {
        let (parts, body) = request.into_parts();
        let held = view.app.room.hold_form(&RequestOwner::of(&parts.extensions));
        Ok(Self(read_body(held, &parts.headers, body, MAX_FORM_BYTES).await?))
    }
}

impl FormFields {
    /// Reads a form without files, which must carry the mark of the visit.
    pub(super) fn read(visitor: &WebVisitor, body: &[u8]) -> Result<Self, PageError> {
        let fields = Self(pairs(body));
        // Whoever has the fields has passed this check.
        visitor.check_csrf_token(fields.one("csrf"))?;
        Ok(fields)
    }

    /// The first value of a field, unless it is empty.
    pub(super) fn one(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// The text of a field. One that was left empty and one that is not there say the same.
    pub(super) fn text(&self, name: &str) -> &str {
        self.one(name).unwrap_or("")
    }

    /// Every value of a field that is not empty.
    pub(super) fn all<'f>(&'f self, name: &str) -> impl Iterator<Item = &'f str> {
        let name = name.to_owned();
        let named = move |(known, value): &&(String, String)| *known == name && !value.is_empty();
        self.0.iter().filter(named).map(|(_, value)| value.as_str())
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
                // A sign that encodes nothing stands for itself, as the URL standard reads forms.
                None => bytes.push(b'%'),
            },
            (other, _) => bytes.push(*other),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The most bytes of a form without files.
const MAX_FORM_BYTES: u64 = 64 << 10;
