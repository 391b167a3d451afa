//! Verifying: anybody may, and what was checked is shown part by part.

use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::response::Response;
use bytes::Bytes;
use dalil::judges::JudgeModels;
use dalil::verify::{self, VerifyTools};
use dalil_core::keyring::Keyring;
use dalil_core::ledger::request::Language;
use dalil_core::trust::Trust;
use dalil_core::witness::WitnessPolicy;
use serde::Deserialize;

use super::error::PageError;
use super::form::{UploadForm, UploadedFile};
use super::layout::{PageLayout, shown};
use super::web_session::WebVisitor;
use super::words::ViewerTexts;
use crate::language::ReplyLanguage;
use crate::problem;

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
    pub(super) async fn own(visitor: &WebVisitor, bytes: String) -> Result<Self, PageError> {
        let trust = visitor.text(TRUST_PATH).await?;
        let trust = Trust::parse(trust.as_bytes()).map_err(|_| PageError::Internal)?;
        Self::made(visitor, bytes.into(), Some(trust), None).await
    }

    /// What is found in a file by somebody who trusts this, or nobody.
    async fn made(
        visitor: &WebVisitor,
        bytes: Bytes,
        trust: Option<Trust>,
        models: Option<JudgeModels>,
    ) -> Result<Self, PageError> {
        let app = &visitor.view.app;
        let (now, tools) = (app.now().map_err(|_| PageError::Internal)?, Arc::clone(&app.tools));
        let language = match visitor.language {
            ReplyLanguage::English => Language::English,
            ReplyLanguage::Arabic => Language::Arabic,
        };
        // Files are large and judging is slow: one after another, as checks are.
        let _turn = app.checks.acquire().await.map_err(|_| PageError::Internal)?;
        let found = tokio::task::spawn_blocking(move || {
            let (reader, threads) = (&tools.reader, tools.threads);
            let tools = VerifyTools { reader, models: models.as_ref(), threads };
            let trust = trust.or_else(|| nobody(&bytes, &tools))?;
            let report = verify::file(&bytes, &trust, now, &tools);
            serde_json::to_vec(&report.localized(language)).ok()
        });
        let found = found.await.ok().flatten().ok_or(PageError::Internal)?;
        serde_json::from_slice(&found).map_err(|_| PageError::Internal)
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
    let page = PageLayout::new(&visitor, "verify", visitor.w.verify);
    shown(&VerifyPage { page, filename: String::new(), report: None })
}

/// Verifies a file, which is not kept.
pub(super) async fn file(
    Extension(visitor): Extension<WebVisitor>,
    form: UploadForm,
) -> Result<Response, PageError> {
    let (_, files) = form.held(&visitor).await?;
    let find = |field: &str| files.iter().find(|file: &&UploadedFile| file.field == field);
    let Some(file) = find("file") else { return Ok(ask(Extension(visitor)).await) };
    let trust = find("trust").map(|trust| Trust::parse(&trust.bytes)).transpose();
    let trust = trust.map_err(problem::ApiProblem::from)?;
    // Anybody may verify here, and the deep judge takes minutes: its ledgers are judged again by
    // `dalil verify`.
    let models = Some(JudgeModels::when_needed(None));
    let report = VerificationReportView::made(&visitor, file.bytes.clone(), trust, models).await?;
    let page = PageLayout::new(&visitor, "verify", visitor.w.verify);
    Ok(shown(&VerifyPage { page, filename: file.filename.clone(), report: Some(report) }))
}

/// Trust in nobody: nothing passes, and every other fault is still found.
fn nobody(file: &[u8], tools: &VerifyTools<'_>) -> Option<Trust> {
    let keyring = Keyring::new(Vec::new(), &[]).ok()?;
    let witnesses = WitnessPolicy::new(Vec::new(), 0).ok()?;
    // The file's own word: who trusts nobody expects no origin that the file could miss.
    let origin = verify::unverified_origin(file, tools).unwrap_or_default();
    Some(Trust { origin, keyring, witnesses, seen: Vec::new() })
}

/// The keys and heads that a verifier would be given.
pub(super) const TRUST_PATH: &str = "/api/v1/keys/trust";
