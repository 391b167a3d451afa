//! The page of an invitation, and its acceptance.
//!
//! Opening the link does not use it: mail scanners open links, too. Pressing the button makes the
//! person a member, creates a key, and signs them in with it.

use askama::Template;
use axum::Extension;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::http::header::SET_COOKIE;
use axum::response::Response;
use dalil_evidence::invitation::InvitationToken;
use dalil_phrasebook::viewer::ViewerTexts;
use dalil_proof::record::Actor;
use dalil_service::RequestContext;
use dalil_service::invitation::{self, StoredInvitation};
use dalil_store::{Tenant, TimeSource};
use serde::Deserialize;

use super::error::PageError;
use super::form::{FormBody, FormFields};
use super::layout::{PageLayout, see, shown};
use super::signin::{SessionStart, begin};
use super::state::ViewerState;
use super::visitor::{WebCredential, WebVisitor};
use crate::guard::limited;
use crate::permission::Permission;
use crate::problem::{ApiProblem, ProblemKind};

#[derive(Template)]
#[template(path = "invitation.html")]
struct InvitationPage {
    page: PageLayout,
    tenant: String,
    invitation: StoredInvitation,
    token: String,
}

#[derive(Template)]
#[template(path = "invitation-closed.html")]
struct ClosedInvitationPage {
    page: PageLayout,
    why: &'static str,
}

#[derive(Template)]
#[template(path = "welcome.html")]
struct WelcomePage {
    page: PageLayout,
    /// The key that was signed in with, for its owner to keep.
    key: String,
}

/// The text of an invitation.
#[derive(Deserialize)]
pub(super) struct InvitationQuery {
    #[serde(default)]
    token: String,
}

/// Shows an invitation.
pub(super) async fn show(
    State(view): State<ViewerState>,
    Extension(visitor): Extension<WebVisitor>,
    Query(query): Query<InvitationQuery>,
) -> Result<Response, PageError> {
    // Guessing is slow.
    limited(&view.app, &visitor.network())?;
    let now = view.app.now()?;
    let Some((tenant, token)) = of_text(&view, &query.token).await else {
        return Ok(closed(&visitor, visitor.w.invitation_unknown, ProblemKind::NotFound));
    };
    match invitation::look(&tenant, &token, now).await.map_err(ApiProblem::from) {
        Ok(invitation) => {
            let page = PageLayout::new(&visitor, "signin", visitor.w.invitation);
            let tenant = tenant.name().to_owned();
            Ok(shown(&InvitationPage { page, tenant, invitation, token: query.token }))
        }
        Err(problem) => refused(&visitor, problem),
    }
}

/// Uses an invitation, and signs its person in.
pub(super) async fn accept(
    State(view): State<ViewerState>,
    Extension(visitor): Extension<WebVisitor>,
    headers: HeaderMap,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    let fields = FormFields::read(&visitor, &body)?;
    let app = &view.app;
    limited(app, &visitor.network())?;
    let Some((tenant, token)) = of_text(&view, fields.text("token")).await else {
        return Ok(closed(&visitor, visitor.w.invitation_unknown, ProblemKind::NotFound));
    };
    // The actor is the person in the invitation, as its record states.
    let (at, time_source) = (app.now()?, TimeSource::Clock);
    let request_context = RequestContext { at, time_source, actor: Actor::System, key: None };
    let own = app.clone();
    let use_it =
        async move || invitation::accept(&tenant, &token, &own.pepper, &request_context).await;
    let key = match app.verbs.run(use_it).await {
        Ok(issued) => issued.api_key,
        Err(problem) => return refused(&visitor, problem),
    };
    match begin(&visitor, &headers, WebCredential::Bearer(key)).await? {
        SessionStart::Admitted(cookie) | SessionStart::Refused(cookie) => {
            let mut response = see("/welcome");
            response.headers_mut().append(SET_COOKIE, cookie);
            Ok(response)
        }
        SessionStart::Unknown => Err(PageError::impossible("viewer: a new key opens nothing")),
    }
}

/// Shows a new member the key that they signed in with, to keep for the next time.
pub(super) async fn welcome(
    Extension(visitor): Extension<WebVisitor>,
) -> Result<Response, PageError> {
    visitor.admit(Permission::View).await?;
    let session = visitor.signed_in()?;
    let age = visitor.view.app.now()?.millis().saturating_sub(session.begun);
    match &session.credential {
        WebCredential::Bearer(key) if age < MAX_WELCOME_MS => {
            let page = PageLayout::new(&visitor, "", visitor.w.welcome);
            Ok(shown(&WelcomePage { page, key: key.clone() }))
        }
        WebCredential::Bearer(_) | WebCredential::Provider(_) => Ok(see("/")),
    }
}

/// The tenant and the token that a text names.
async fn of_text(view: &ViewerState, text: &str) -> Option<(Tenant, InvitationToken)> {
    let token = InvitationToken::parse(text.trim())?;
    Some((view.app.tenants.find(token.tenant()).await?, token))
}

/// The page that explains why an invitation opens nothing.
fn refused(visitor: &WebVisitor, problem: ApiProblem) -> Result<Response, PageError> {
    let w: &'static ViewerTexts = visitor.w;
    let rule = problem.faults.first().map(|fault| fault.rule);
    let (why, kind) = match rule {
        Some("not_found") => (w.invitation_unknown, ProblemKind::NotFound),
        Some("used") => (w.invitation_used, ProblemKind::Gone),
        Some("withdrawn" | "inviter") => (w.invitation_withdrawn, ProblemKind::Gone),
        Some("expired") => (w.invitation_expired, ProblemKind::Gone),
        Some("taken") => (w.invitation_taken, ProblemKind::Conflict),
        _ => return Err(problem.into()),
    };
    Ok(closed(visitor, why, kind))
}

fn closed(visitor: &WebVisitor, why: &'static str, kind: ProblemKind) -> Response {
    let page = PageLayout::new(visitor, "signin", visitor.w.invitation_closed);
    let mut response = shown(&ClosedInvitationPage { page, why });
    *response.status_mut() = kind.status();
    response
}

/// How long after signing in the key is shown: time to find where it is kept.
const MAX_WELCOME_MS: i64 = 10 * 60 * 1000;
