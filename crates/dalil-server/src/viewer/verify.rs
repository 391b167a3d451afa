//! Verifying: anybody may, and what was checked is shown part by part.

use askama::Template;
use axum::Extension;
use axum::response::Response;
use bytes::Bytes;
use dalil_phrasebook::viewer::ViewerTexts;
use dalil_proof::canon;
use dalil_service::keys;
use serde::Deserialize;

use super::error::PageError;
use super::form::{UploadForm, UploadedFile};
use super::layout::{PageLayout, shown};
use super::visitor::WebVisitor;
use crate::permission::Permission;
use crate::request_owner::RequestOwner;
use crate::verification::VerificationRequest;

/// What a verification found.
#[derive(Deserialize)]
pub(super) struct VerificationReportView {
    pub(super) verdict: String,
    pub(super) findings: Vec<VerificationCheckView>,
}

#[derive(Deserialize)]
pub(super) struct VerificationCheckView {
    pub(super) part: String,
    pub(super) verdict: String,
    pub(super) message: String,
}

impl VerificationReportView {
    /// What is found with the keys that this server knows of the tenant.
    pub(super) async fn own(visitor: &WebVisitor, bytes: Bytes) -> Result<Self, PageError> {
        let caller = visitor.admit(Permission::View).await?;
        let trust = canon::bytes(&keys::trust(&caller.tenant, None).await?)?;
        let owner = RequestOwner::Member(caller.credential);
        Self::made(visitor, bytes, Some(trust.into()), owner).await
    }

    /// What is found in a file by somebody who trusts this, or nobody.
    async fn made(
        visitor: &WebVisitor,
        bytes: Bytes,
        trust: Option<Bytes>,
        owner: RequestOwner,
    ) -> Result<Self, PageError> {
        let language = visitor.language;
        let request = VerificationRequest { bytes, trust, language, owner };
        let found = visitor.view.app.verifications.verify(request).await?;
        let unread = |_| PageError::impossible("viewer: a report of our own cannot be read");
        serde_json::from_value(found).map_err(unread)
    }

    pub(super) fn tone(&self) -> &'static str {
        match self.verdict.as_str() {
            "pass" => "good",
            "fail" => "bad",
            _ => "fair",
        }
    }

    pub(super) fn sentence(&self, w: &'static ViewerTexts) -> &'static str {
        match self.verdict.as_str() {
            "pass" => w.verify_pass,
            "fail" => w.verify_fail,
            _ => w.verify_incomplete,
        }
    }
}

#[derive(Template)]
#[template(path = "verify.html")]
struct VerifyPage {
    page: PageLayout,
    filename: String,
    report: Option<VerificationReportView>,
}

pub(super) async fn ask(Extension(visitor): Extension<WebVisitor>) -> Response {
    // Anybody may verify; whoever is signed in is offered what they may do, as on every page.
    if let Ok(caller) = visitor.who().await {
        drop(visitor.note_abilities(&caller).await);
    }
    let page = PageLayout::new(&visitor, "verify", visitor.w.verify);
    shown(&VerifyPage { page, filename: String::new(), report: None })
}

/// Verifies a file, which is not kept.
pub(super) async fn file(
    Extension(visitor): Extension<WebVisitor>,
    form: UploadForm,
) -> Result<Response, PageError> {
    // A cookie outlives its credential: whoever has none that opens something is a stranger.
    let owner = match visitor.who().await {
        Ok(caller) => RequestOwner::Member(caller.credential),
        Err(_) => {
            visitor.view.app.take_anonymous_turn(&visitor.network())?;
            RequestOwner::Stranger(visitor.network())
        }
    };
    let (_, files) = form.held(&visitor).await?;
    let find = |field: &str| files.iter().find(|file: &&UploadedFile| file.field == field);
    let Some(file) = find("file") else { return Ok(ask(Extension(visitor)).await) };
    let trust = find("trust").map(|trust| trust.bytes.clone());
    let report = VerificationReportView::made(&visitor, file.bytes.clone(), trust, owner).await?;
    let page = PageLayout::new(&visitor, "verify", visitor.w.verify);
    Ok(shown(&VerifyPage { page, filename: file.filename.clone(), report: Some(report) }))
}
