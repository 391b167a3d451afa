//! Verifying: anybody may, and what was checked is shown part by part.

use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::response::Response;
use bytes::Bytes;
use dalil::judges::JudgeModels;
use dalil::verify::{self, Tools};
use dalil_core::keyring::Keyring;
use dalil_core::ledger::request::Language as Said;
use dalil_core::trust::Trust;
use dalil_core::witness::Policy;
use serde::Deserialize;

use super::form::{File, Upload};
use super::frame::{Page, shown};
use super::visit::Visitor;
use super::words::Words;
use super::wrong::Wrong;
use crate::language::Language;
use crate::problem;

/// What a verification found.
#[derive(Deserialize)]
pub(super) struct Report {
    pub(super) verdict: String,
    pub(super) findings: Vec<Finding>,
}

#[derive(Deserialize)]
pub(super) struct Finding {
    pub(super) part: String,
    pub(super) verdict: String,
    pub(super) message: String,
}

impl Report {
    /// What is found with the keys that this server knows of the tenant.
    pub(super) async fn own(visitor: &Visitor, bytes: String) -> Result<Self, Wrong> {
        let trust = visitor.text(TRUST).await?;
        let trust = Trust::parse(trust.as_bytes()).map_err(|_| Wrong::Internal)?;
        Self::made(visitor, bytes.into(), Some(trust), None).await
    }

    /// What is found in a file by somebody who trusts this, or nobody.
    async fn made(
        visitor: &Visitor,
        bytes: Bytes,
        trust: Option<Trust>,
        models: Option<JudgeModels>,
    ) -> Result<Self, Wrong> {
        let app = &visitor.view.app;
        let (now, tools) = (app.now().map_err(|_| Wrong::Internal)?, Arc::clone(&app.tools));
        let language = match visitor.language {
            Language::English => Said::English,
            Language::Arabic => Said::Arabic,
        };
        // Files are large and judging is slow: one after another, as checks are.
        let _turn = app.checks.acquire().await.map_err(|_| Wrong::Internal)?;
        let found = tokio::task::spawn_blocking(move || {
            let (reader, threads) = (&tools.reader, tools.threads);
            let tools = Tools { reader, models: models.as_ref(), threads };
            let trust = trust.or_else(|| nobody(&bytes, &tools))?;
            let report = verify::file(&bytes, &trust, now, &tools);
            serde_json::to_vec(&report.told(language)).ok()
        });
        let found = found.await.ok().flatten().ok_or(Wrong::Internal)?;
        serde_json::from_slice(&found).map_err(|_| Wrong::Internal)
    }

    pub(super) fn tone(&self) -> &'static str {
        match self.verdict.as_str() {
            "pass" => "good",
            "fail" => "bad",
            _ => "fair",
        }
    }

    pub(super) fn sentence(&self, w: &'static Words) -> &'static str {
        match self.verdict.as_str() {
            "pass" => w.verify_pass,
            "fail" => w.verify_fail,
            _ => w.verify_incomplete,
        }
    }
}

#[derive(Template)]
#[template(path = "verify.html")]
struct Shown {
    page: Page,
    filename: String,
    report: Option<Report>,
}

pub(super) async fn ask(Extension(visitor): Extension<Visitor>) -> Response {
    let page = Page::new(&visitor, "verify", visitor.w.verify);
    shown(&Shown { page, filename: String::new(), report: None })
}

/// Verifies a file, which is not kept.
pub(super) async fn file(
    Extension(visitor): Extension<Visitor>,
    form: Upload,
) -> Result<Response, Wrong> {
    let (_, files) = form.held(&visitor).await?;
    let find = |field: &str| files.iter().find(|file: &&File| file.field == field);
    let Some(file) = find("file") else { return Ok(ask(Extension(visitor)).await) };
    let trust = find("trust").map(|trust| Trust::parse(&trust.bytes)).transpose();
    let trust = trust.map_err(problem::Problem::from)?;
    // Anybody may verify here, and the deep judge takes minutes: its ledgers are judged again by
    // `dalil verify`.
    let models = Some(JudgeModels::when_needed(None));
    let report = Report::made(&visitor, file.bytes.clone(), trust, models).await?;
    let page = Page::new(&visitor, "verify", visitor.w.verify);
    Ok(shown(&Shown { page, filename: file.filename.clone(), report: Some(report) }))
}

/// Trust in nobody: nothing passes, and every other fault is still found.
fn nobody(file: &[u8], tools: &Tools<'_>) -> Option<Trust> {
    let keyring = Keyring::new(Vec::new(), &[]).ok()?;
    let witnesses = Policy::new(Vec::new(), 0).ok()?;
    let origin = verify::unverified_origin(file, tools).unwrap_or_default();
    Some(Trust { origin, keyring, witnesses, seen: Vec::new() })
}

/// The keys and heads that a verifier would be given.
pub(super) const TRUST: &str = "/api/v1/keys/trust";
