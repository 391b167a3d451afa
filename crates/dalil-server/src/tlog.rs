//! Trails as public logs: the paths of C2SP `tlog-tiles`, for clients and witnesses of any log.
//!
//! ```text
//! /tlog/TENANT/checkpoint   /tlog/TENANT/tile/L/N[.p/W]   /tlog/TENANT/tile/entries/N[.p/W]
//! ```
//!
//! A trail that the settings call public is open to everyone; any other needs the permission to
//! view. Entries are records: actor, action, subject and salted commitments, never a payload.

use axum::Router;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use dalil_phrasebook::{Phrase, bound, expected, precondition};
use dalil_proof::fault::{Fault, quoted};
use dalil_store::Tenant;

use crate::app::App;
use crate::guard;
use crate::peer::PeerAddress;
use crate::permission::Permission;
use crate::problem::{ApiProblem, ProblemKind};
use crate::{reply, telemetry};
use tile_path::{TileKind, TilePath};

mod tile_path;

/// Adds the paths of every trail.
pub(crate) fn router(app: &App, api: Router) -> Router {
    let tiles = Router::new()
        .route("/tlog/{tenant}/checkpoint", get(checkpoint))
        .route("/tlog/{tenant}/tile/{*path}", get(tile))
        .layer(from_fn_with_state(app.clone(), telemetry::watch))
        .with_state(app.clone());
    api.merge(tiles)
}

/// The newest signed checkpoint.
async fn checkpoint(
    State(app): State<App>,
    Path(name): Path<String>,
    reader: TileReader,
) -> Result<Response, ApiProblem> {
    let tenant = reader.opened(&app, &name).await?;
    Ok(reply::text(&reader.headers, tenant.checkpoint().await?.to_string()))
}

/// A tile of hashes, or the entries under one.
async fn tile(
    State(app): State<App>,
    Path((name, path)): Path<(String, String)>,
    reader: TileReader,
) -> Result<Response, ApiProblem> {
    let tenant = reader.opened(&app, &name).await?;
    let wanted = TilePath::parse(&path)
        .ok_or_else(|| nowhere("path", expected::the_path_of_a_tile(), &path))?;
    let bytes = match wanted.kind {
        TileKind::Hashes { level } => hashes(&tenant, level, &wanted).await?,
        TileKind::Entries => entries(&tenant, &wanted).await?,
    };
    let missing = || nowhere("path", bound::a_tile_that_is_filled_so_far(), &path);
    let bytes = bytes.ok_or_else(missing)?;
    let mut response = bytes.into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    // The content of a tile never changes.
    let keep = if TileReader::is_public(&app, &name) { PUBLIC } else { PRIVATE };
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(keep));
    Ok(response)
}

async fn hashes(
    tenant: &Tenant,
    level: usize,
    wanted: &TilePath,
) -> Result<Option<Vec<u8>>, ApiProblem> {
    let hashes = tenant.tile_hashes(level, wanted.number).await?;
    let hashes = hashes.and_then(|hashes| hashes.get(..wanted.width).map(<[_]>::to_vec));
    Ok(hashes.map(|hashes| hashes.iter().flat_map(|hash| *hash.as_bytes()).collect()))
}

/// Each entry behind its length in two bytes; all of them, or nothing.
async fn entries(tenant: &Tenant, wanted: &TilePath) -> Result<Option<Vec<u8>>, ApiProblem> {
    let Some(range) = wanted.leaves() else { return Ok(None) };
    let records = tenant.records(range).await?;
    if records.len() != wanted.width {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    for stored in &records {
        let record = stored.record.bytes();
        // A record has at most 4,095 bytes.
        let Ok(length) = u16::try_from(record.len()) else { return Ok(None) };
        bytes.extend(length.to_be_bytes());
        bytes.extend(record);
    }
    Ok(Some(bytes))
}

/// The reader of a trail, before their permission is checked.
struct TileReader {
    asked: String,
    headers: HeaderMap,
    peer: Option<PeerAddress>,
}

impl<S: Sync> FromRequestParts<S> for TileReader {
    type Rejection = ApiProblem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiProblem> {
        let asked = guard::asked(&parts.method, parts.uri.path(), parts.extensions.get());
        let peer = parts.extensions.get::<PeerAddress>().copied();
        Ok(Self { asked, headers: parts.headers.clone(), peer })
    }
}

impl TileReader {
    /// Whether the trail of a tenant is public.
    fn is_public(app: &App, name: &str) -> bool {
        app.config.public_trails.iter().any(|open| open == name)
    }

    /// The tenant whose trail they read, if they may.
    async fn opened(&self, app: &App, name: &str) -> Result<Tenant, ApiProblem> {
        let none = || nowhere("tenant", precondition::a_trail_that_is_read_here(), name);
        if Self::is_public(app, name) {
            guard::limited(app, &PeerAddress::name(self.peer))?;
            return app.tenants.find(name).await.ok_or_else(none);
        }
        let need = (Permission::View, self.asked.as_str());
        let caller = guard::admit(app, &self.headers, self.peer, need).await?;
        // A caller does not learn whether another tenant exists.
        if caller.tenant.name() == name { Ok(caller.tenant) } else { Err(none()) }
    }
}

fn nowhere(path: &'static str, expected: Phrase, found: &str) -> ApiProblem {
    ApiProblem::fault(ProblemKind::NotFound, Fault::new("not_found", path, expected, quoted(found)))
}

const PUBLIC: &str = "public, max-age=31536000, immutable";
const PRIVATE: &str = "private, max-age=31536000, immutable";
