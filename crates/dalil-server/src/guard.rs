//! The guard of every route: authentication, rate and permission.

use std::collections::BTreeSet;

use axum::Extension;
use axum::extract::{FromRequestParts as _, MatchedPath, Request};
use axum::http::{HeaderMap, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use dalil_proof::fault::Fault;
use dalil_proof::id::{PackId, is_given};
use dalil_service::access;
use dalil_service::pack::PackVersionSummary;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};

use crate::access_denial::AccessDenial;
use crate::app::App;
use crate::authentication::identify;
use crate::caller::{AuthFailure, Caller, LocalCaller};
use crate::peer::PeerAddress;
use crate::permission::Permission;
use crate::problem::{ApiProblem, ProblemKind};
use crate::request_owner::RequestOwner;
use crate::telemetry::CallerIdentity;

#[cfg(test)]
mod tests;

/// Lets a request through that may go on, and records one that may not.
pub(crate) async fn guard(need: Permission, request: Request, next: Next) -> Response {
    if need == Permission::Open {
        return next.run(request).await;
    }
    match let_in(need, request).await {
        Ok(request) => {
            // The layers outside see only the response, so the log's part travels there.
            let seen = request.extensions().get::<Caller>().map(CallerIdentity::of);
            let mut response = next.run(request).await;
            if let Some(seen) = seen {
                response.extensions_mut().insert(seen);
            }
            response
        }
        Err(problem) => problem.into_response(),
    }
}

async fn let_in(need: Permission, request: Request) -> Result<Request, ApiProblem> {
    let (mut parts, body) = request.into_parts();
    let app = Extension::<App>::from_request_parts(&mut parts, &()).await;
    let Ok(Extension(app)) = app else { return Err(ApiProblem::new(ProblemKind::Internal)) };
    let asked = asked(&parts.method, parts.uri.path(), parts.extensions.get::<MatchedPath>());
    let peer = parts.extensions.get::<PeerAddress>().copied();
    let caller = match parts.extensions.remove::<LocalCaller>() {
        Some(LocalCaller(caller)) => allow(&app, caller, (need, &asked)).await?,
        None => admit(&app, &parts.headers, peer, (need, &asked)).await?,
    };
    parts.extensions.insert(RequestOwner::Member(caller.credential.clone()));
    parts.extensions.insert(caller);
    Ok(Request::from_parts(parts, body))
}

/// Authenticates a caller, applies their rate and permissions, and records a refusal: for a route
/// of the API and for a screen of the viewer alike.
pub(crate) async fn admit(
    app: &App,
    headers: &HeaderMap,
    peer: Option<PeerAddress>,
    (need, asked): (Permission, &str),
) -> Result<Caller, ApiProblem> {
    let caller = match identify(app, headers).await {
        Ok(caller) => caller,
        Err(stranger) => return Err(turned_away(app, stranger, peer, (need, asked)).await),
    };
    allow(app, caller, (need, asked)).await
}

/// Applies the rate and the permissions of an authenticated caller; a refusal is recorded.
pub(crate) async fn allow(
    app: &App,
    caller: Caller,
    (need, asked): (Permission, &str),
) -> Result<Caller, ApiProblem> {
    // Before the authority is asked, which may be a server of its own.
    limited(app, &caller.credential)?;
    match app.authority.may(&caller, need).await {
        Ok(()) => Ok(caller),
        Err(AccessDenial::Failed(problem)) => Err(problem),
        Err(AccessDenial::Refused(fault)) => Err(refuse(app, &caller, (need, asked), fault).await),
    }
}

/// The name of a request in a record of its refusal: the very path, where it fits into a name, and
/// otherwise the route.
pub(crate) fn asked(method: &Method, path: &str, route: Option<&MatchedPath>) -> String {
    let asked = format!("{method} {path}");
    if is_given(&asked) {
        return asked;
    }
    format!("{method} {}", route.map_or("", MatchedPath::as_str))
}

/// Takes one request of a credential, or of an address that has none.
pub(crate) fn limited(app: &App, who: &str) -> Result<(), ApiProblem> {
    app.rates.take(who, app.now()?).map_err(|seconds| {
        app.metrics.limited.add();
        ApiProblem { retry_after: Some(seconds), ..ApiProblem::new(ProblemKind::TooMany) }
    })
}

async fn turned_away(
    app: &App,
    stranger: AuthFailure,
    peer: Option<PeerAddress>,
    about: (Permission, &str),
) -> ApiProblem {
    app.metrics.unauthenticated.add();
    // Guessing is slow: failures count against the rate of the address.
    if let Err(problem) = limited(app, &PeerAddress::name(peer)) {
        return problem;
    }
    match stranger {
        AuthFailure::Unknown => ApiProblem::new(ProblemKind::Unauthenticated),
        AuthFailure::Failed(problem) => problem,
        AuthFailure::Ended(caller, fault) => {
            let recorded = refuse(app, &caller, about, fault).await;
            match recorded.kind {
                // To the caller an ended credential is as good as none: 401, whatever was recorded.
                ProblemKind::Forbidden => ApiProblem::new(ProblemKind::Unauthenticated),
                _ => recorded,
            }
        }
    }
}

/// Records that a caller was refused; without the record there is no answer but `busy`.
pub(crate) async fn refuse(
    app: &App,
    caller: &Caller,
    (need, route): (Permission, &str),
    fault: Fault,
) -> ApiProblem {
    app.metrics.refused.add();
    // Repeated refusals must not fill the disk.
    let is_recorded = match app.now() {
        Ok(now) => app.refusal_rates.take(&caller.credential, now).is_ok(),
        Err(problem) => return problem,
    };
    if !is_recorded {
        app.metrics.unrecorded_refusals.add();
        return ApiProblem::fault(ProblemKind::Forbidden, fault);
    }
    let request_context = match app.request_context(caller) {
        // Without the caller's key: it names the request that was refused and may be used again.
        Ok(request_context) => dalil_service::RequestContext { key: None, ..request_context },
        Err(problem) => return problem,
    };
    let action = need.scope().map_or("open", dalil_evidence::apikey::ApiKeyScope::as_str);
    match access::refused(&caller.tenant, route, action, &fault, &request_context).await {
        Ok(_) => ApiProblem::fault(ProblemKind::Forbidden, fault),
        Err(failure) => failure.into(),
    }
}

/// The items of a list without those about packs that a caller may not see. None was asked for by
/// name, so nothing is recorded. `name` gives the subject of an item, a pack or something else.
pub(crate) async fn without_hidden_packs<T>(
    app: &App,
    caller: &Caller,
    items: Vec<T>,
    name: fn(&T) -> &str,
) -> Result<Vec<T>, ApiProblem> {
    let names = items.iter().map(name).filter(|name| is_pack(name)).map(str::to_owned).collect();
    let hidden = hidden_packs(app, caller, names).await?;
    Ok(items.into_iter().filter(|one| !hidden.contains(name(one))).collect())
}

/// Versions of packs without those that a caller may not see, and without their names in the
/// versions before and after them.
pub(crate) async fn without_hidden_versions(
    app: &App,
    caller: &Caller,
    versions: Vec<PackVersionSummary>,
) -> Result<Vec<PackVersionSummary>, ApiProblem> {
    let names = versions.iter().flat_map(|one| {
        let PackVersionSummary { pack_id, supersedes, superseded_by, .. } = one;
        [Some(pack_id), supersedes.as_ref(), superseded_by.as_ref()]
    });
    let names = names.flatten().cloned().collect();
    Ok(seen_versions(versions, &hidden_packs(app, caller, names).await?))
}

/// A version that a caller may see, without the names of hidden ones before and after it.
pub(crate) async fn without_hidden_neighbours(
    app: &App,
    caller: &Caller,
    version: PackVersionSummary,
) -> Result<PackVersionSummary, ApiProblem> {
    let names = [&version.supersedes, &version.superseded_by].into_iter().flatten();
    let names = names.cloned().collect();
    Ok(seen_version(version, &hidden_packs(app, caller, names).await?))
}

fn seen_versions(
    versions: Vec<PackVersionSummary>,
    hidden: &BTreeSet<String>,
) -> Vec<PackVersionSummary> {
    let seen = versions.into_iter().filter(|one| !hidden.contains(&one.pack_id));
    seen.map(|one| seen_version(one, hidden)).collect()
}

fn seen_version(version: PackVersionSummary, hidden: &BTreeSet<String>) -> PackVersionSummary {
    let is_seen = |name: &String| !hidden.contains(name);
    PackVersionSummary {
        supersedes: version.supersedes.filter(is_seen),
        superseded_by: version.superseded_by.filter(is_seen),
        ..version
    }
}

/// Those of some packs that a caller may not see.
async fn hidden_packs(
    app: &App,
    caller: &Caller,
    names: BTreeSet<String>,
) -> Result<BTreeSet<String>, ApiProblem> {
    // Each pack once, and some at a time: a page of a list has up to a thousand.
    let questions: Vec<_> = names.into_iter().map(|name| if_hidden(app, caller, name)).collect();
    let hidden = stream::iter(questions).buffer_unordered(MAX_QUESTIONS_AT_ONCE);
    let hidden: Vec<Option<String>> = hidden.try_collect().await?;
    Ok(hidden.into_iter().flatten().collect())
}

/// Gives the name of a pack back if a caller may not see it.
async fn if_hidden(
    app: &App,
    caller: &Caller,
    pack_id: String,
) -> Result<Option<String>, ApiProblem> {
    match app.authority.may_view_pack(caller, &pack_id).await {
        Ok(()) => Ok(None),
        Err(AccessDenial::Failed(problem)) => Err(problem),
        Err(AccessDenial::Refused(_)) => Ok(Some(pack_id)),
    }
}

/// Lets a caller see records about a subject, unless that is a pack that they may not see.
pub(crate) async fn view_if_pack(app: &App, caller: &Caller, name: &str) -> Result<(), ApiProblem> {
    if is_pack(name) { view_pack(app, caller, name).await } else { Ok(()) }
}

fn is_pack(name: &str) -> bool {
    name.parse::<PackId>().is_ok()
}

/// Lets a caller see one pack, or records that they may not: `can_view_evidence_pack`.
pub(crate) async fn view_pack(app: &App, caller: &Caller, pack_id: &str) -> Result<(), ApiProblem> {
    match app.authority.may_view_pack(caller, pack_id).await {
        Ok(()) => Ok(()),
        Err(AccessDenial::Failed(problem)) => Err(problem),
        Err(AccessDenial::Refused(fault)) => {
            Err(refuse(app, caller, (Permission::View, pack_id), fault).await)
        }
    }
}

/// How many questions of one page wait for OpenFGA together; those of other requests are asked in
/// between. Chosen, not measured.
const MAX_QUESTIONS_AT_ONCE: usize = 8;
