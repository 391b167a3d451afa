//! Forms that people send: fields of text, and files.

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};

use super::View;
use super::visit::Visitor;
use super::wrong::Wrong;
use crate::ask::whole;

mod upload;

pub(super) use upload::{File, Upload};

/// The fields of a form, in their order.
pub(super) struct Fields(Vec<(String, String)>);

/// The body of a form without files.
pub(super) struct Form(pub(super) Bytes);

impl FromRequest<View> for Form {
    type Rejection = Wrong;

    async fn from_request(request: Request, view: &View) -> Result<Self, Wrong> {
        let (parts, body) = request.into_parts();
        Ok(Self(whole(&view.app, &parts.headers, body, MOST).await?))
    }
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

/// The most bytes of a form without files.
const MOST: u64 = 64 << 10;
