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
        // A caller with the fields has passed this check.
        visitor.check_csrf_token(fields.one("csrf"))?;
        Ok(fields)
    }

    /// The first value of a field, unless it is empty.
    pub(super) fn one(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// The text of a field. An empty field and a missing one are the same.
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
    form_urlencoded::parse(body).into_owned().collect()
}

/// The most bytes of a form without files.
const MAX_FORM_BYTES: u64 = 64 << 10;
