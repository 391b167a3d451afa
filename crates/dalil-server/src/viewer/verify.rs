//! Verification for everyone, with the result of each check.
//!
//! If the program has the verifier for browsers, the browser verifies and the file is
//! not sent. The server verifies uploads from browsers without scripts, and because it
//! also judges again and compares pages.

use askama::Template;
use axum::Extension;
use axum::http::HeaderValue;
use axum::http::header::CONTENT_SECURITY_POLICY;
use axum::response::Response;
use bytes::Bytes;
use dalil::verify::VerifierTrust;
use dalil_phrasebook::verify_page::VerifyPageTexts;
use dalil_phrasebook::viewer::ViewerTexts;
use dalil_proof::canon;
use dalil_service::keys;
use serde::Deserialize;

use super::asset;
use super::error::PageError;
use super::form::{UploadForm, UploadedFile};
use super::layout::{PageLayout, shown};
use super::visitor::WebVisitor;
use crate::access_denial::AccessDenial;
use crate::caller::Caller;
use crate::extract::too_large;
use crate::guard::limited;
use crate::permission::Permission;
use crate::request_owner::RequestOwner;
use crate::verification::VerificationRequest;

/// The result of a verification.
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
    /// Verifies a file that the tenant has stored, with this server's keys of the tenant.
    /// A file of another trail was changed, and fails.
    pub(super) async fn stored(visitor: &WebVisitor, bytes: Bytes) -> Result<Self, PageError> {
        Self::with_own_keys(visitor, bytes, VerifierTrust::Chosen).await
    }

    /// Verifies an uploaded file, with the same keys, which do not apply to a
    /// file of another trail.
    async fn uploaded(visitor: &WebVisitor, bytes: Bytes) -> Result<Self, PageError> {
        Self::with_own_keys(visitor, bytes, VerifierTrust::Own).await
    }

    async fn with_own_keys(
        visitor: &WebVisitor,
        bytes: Bytes,
        trust: fn(Bytes) -> VerifierTrust<Bytes>,
    ) -> Result<Self, PageError> {
        let caller = visitor.admit(Permission::View).await?;
        let keys = canon::bytes(&keys::trust(&caller.tenant, None).await?)?;
        let owner = RequestOwner::Member(caller.credential);
        Self::made(visitor, bytes, trust(keys.into()), owner).await
    }

    /// Verifies a file with these trusted keys, or with none.
    async fn made(
        visitor: &WebVisitor,
        bytes: Bytes,
        trust: VerifierTrust<Bytes>,
        owner: RequestOwner,
    ) -> Result<Self, PageError> {
        let language = visitor.language;
        let request = VerificationRequest { bytes, trust, language, owner };
        let found = visitor.view.app.verifications.verify(request).await?;
        let unread = |_| PageError::impossible("viewer: a report of our own cannot be read");
        serde_json::from_value(found).map_err(unread)
    }

    pub(super) fn tone(&self) -> &'static str {
        tone(&self.verdict)
    }

    pub(super) fn sentence(&self, w: &'static ViewerTexts) -> &'static str {
        sentence(&self.verdict, w)
    }
}

fn tone(verdict: &str) -> &'static str {
    match verdict {
        "pass" => "good",
        "fail" => "bad",
        _ => "fair",
    }
}

fn sentence(verdict: &str, w: &'static ViewerTexts) -> &'static str {
    match verdict {
        "pass" => w.verify_pass,
        "fail" => w.verify_fail,
        _ => w.verify_incomplete,
    }
}

#[derive(Template)]
#[template(path = "verify.html")]
struct VerifyPage {
    page: PageLayout,
    filename: String,
    report: Option<VerificationReportView>,
    /// The texts for verification in the browser.
    local: Option<&'static VerifyPageTexts>,
    /// Whether the keys of the visitor's own trail are believed when no trust file is given.
    trusts_own: bool,
}

impl VerifyPage {
    fn answer(
        visitor: &WebVisitor,
        found: Option<(String, VerificationReportView)>,
        trusts_own: bool,
    ) -> Response {
        let page = PageLayout::new(visitor, "verify", visitor.w.verify);
        let local = asset::has_verifier();
        let texts = VerifyPageTexts::in_language(visitor.language);
        let (filename, report) = found.map_or((String::new(), None), |(n, r)| (n, Some(r)));
        let texts = local.then_some(texts);
        let mut response = shown(&Self { page, filename, report, local: texts, trusts_own });
        if local {
            let policy = HeaderValue::from_static(VERIFIER_CSP_DIRECTIVES);
            response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
        }
        response
    }

    /// Each verdict with its colour and its meaning, for the script to choose from.
    fn verdicts(&self) -> [(&'static str, &'static str, &'static str); 3] {
        ["pass", "fail", "incomplete"].map(|word| (word, tone(word), sentence(word, self.page.w)))
    }
}

/// As for every page, and WebAssembly of our own may be compiled. No text becomes a script by this.
const VERIFIER_CSP_DIRECTIVES: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; \
    frame-ancestors 'none'";

pub(super) async fn ask(Extension(visitor): Extension<WebVisitor>) -> Response {
    // Verification is open to everyone; a signed-in person gets the usual navigation.
    let trusts_own = match visitor.who().await {
        Ok(caller) => {
            drop(visitor.note_abilities(&caller).await);
            may_view(&visitor, &caller).await.is_ok_and(|may| may)
        }
        Err(_) => false,
    };
    VerifyPage::answer(&visitor, None, trusts_own)
}

/// Whether a person may see the keys of the trail. This is no attempt to see them, so a refusal is
/// not recorded.
async fn may_view(visitor: &WebVisitor, caller: &Caller) -> Result<bool, PageError> {
    match visitor.view.app.authority.may(caller, Permission::View).await {
        Ok(()) => Ok(true),
        Err(AccessDenial::Refused(_)) => Ok(false),
        Err(AccessDenial::Failed(problem)) => Err(problem.into()),
    }
}

/// Verifies a file, which is not kept.
pub(super) async fn file(
    Extension(visitor): Extension<WebVisitor>,
    form: UploadForm,
) -> Result<Response, PageError> {
    // A cookie outlives its credential: without a valid credential the visitor is anonymous.
    let caller = visitor.who().await.ok();
    let owner = match &caller {
        Some(caller) => RequestOwner::Member(caller.credential.clone()),
        None => {
            visitor.view.app.take_anonymous_turn(&visitor.network())?;
            RequestOwner::Stranger(visitor.network())
        }
    };
    let (_, files) = form.held(&visitor).await?;
    let find = |field: &str| files.iter().find(|file: &&UploadedFile| file.field == field);
    let Some(file) = find("file") else { return Ok(ask(Extension(visitor)).await) };
    let trust = find("trust").map(|trust| trust.bytes.clone());
    if trust.as_ref().is_some_and(|trust| trust.len() > MAX_TRUST_BYTES) {
        return Err(too_large(MAX_TRUST_BYTES as u64).into());
    }
    // A person who may view knows the keys of their own trail already. With another credential
    // the file is verified without keys, as for an anonymous visitor.
    let is_own = match &caller {
        Some(caller) => may_view(&visitor, caller).await?,
        None => false,
    };
    let report = match trust {
        None if is_own => VerificationReportView::uploaded(&visitor, file.bytes.clone()).await?,
        trust => {
            // Strangers have had their turn; this is that of a member.
            if let RequestOwner::Member(credential) = &owner {
                limited(&visitor.view.app, credential)?;
            }
            let trust = trust.map_or(VerifierTrust::Nobody, VerifierTrust::Chosen);
            VerificationReportView::made(&visitor, file.bytes.clone(), trust, owner).await?
        }
    };
    let found = Some((file.filename.clone(), report));
    Ok(VerifyPage::answer(&visitor, found, is_own))
}

/// Room for some five thousand changes of keys. A stranger may send a trust file, and every key in
/// it is computed with.
const MAX_TRUST_BYTES: usize = 1 << 20;
