//! Search over everything that has a name: answers, documents, packs and obligations.

use askama::Template;
use axum::Extension;
use axum::extract::Query;
use axum::response::Response;
use dalil_service::index::{self, ListRange};
use dalil_service::{document, pack, session};
use serde::Deserialize;

use super::error::PageError;
use super::layout::{PageLayout, shown};
use super::visitor::WebVisitor;
use crate::caller::Caller;
use crate::guard;
use crate::page::MAX_RECORD_INDEX;
use crate::percent::seg;
use crate::permission::Permission;

/// The query of a search.
#[derive(Deserialize)]
pub(super) struct SearchQuery {
    #[serde(default)]
    q: String,
}

/// Something that was found.
struct SearchHit {
    icon: &'static str,
    title: String,
    address: String,
    at: String,
}

#[derive(Template)]
#[template(path = "search.html")]
struct SearchPage {
    page: PageLayout,
    hits: Vec<SearchHit>,
}

/// Finds items with every word that was typed, among the newest of each kind.
pub(super) async fn find(
    Extension(visitor): Extension<WebVisitor>,
    Query(SearchQuery { q }): Query<SearchQuery>,
) -> Result<Response, PageError> {
    let caller = visitor.admit(Permission::View).await?;
    let words: Vec<String> = q.split_whitespace().map(str::to_lowercase).collect();
    let mut hits = match words.is_empty() {
        true => Vec::new(),
        false => everything(&visitor, &caller).await?,
    };
    hits.retain(|hit| {
        let title = hit.title.to_lowercase();
        words.iter().all(|word| title.contains(word))
    });
    hits.truncate(MAX_HITS);
    let page = PageLayout::new(&visitor, "", visitor.w.search).looking_for(q);
    Ok(shown(&SearchPage { page, hits }))
}

async fn everything(visitor: &WebVisitor, caller: &Caller) -> Result<Vec<SearchHit>, PageError> {
    let tenant = &caller.tenant;
    let newest = |limit| ListRange { from: MAX_RECORD_INDEX, limit, newest: true };
    let hit =
        |icon, title: String, address: String, at: String| SearchHit { icon, title, address, at };
    let mut hits = Vec::new();
    for one in session::list(tenant, newest(MAX_LOOKED_AT)).await? {
        let address = format!("/sessions/{}", seg(&one.session_id));
        let title = one.query.unwrap_or(one.session_id);
        hits.push(hit("session", title, address, one.created_at));
    }
    for one in document::page(tenant, newest(MAX_LOOKED_AT)).await? {
        let address = format!("/documents/{}", seg(&one.document_id));
        hits.push(hit("document", one.filename, address, one.retrieved_at));
    }
    // A title is in the pack itself, which is read whole.
    let packs = index::packs(tenant, newest(MAX_PACKS)).await?;
    let app = &visitor.view.app;
    for one in guard::without_hidden_packs(app, caller, packs, |one| &one.pack_id).await? {
        let pack = pack::show(tenant, &one.pack_id).await?.pack;
        let title = pack.memo.texts(visitor.language).title.to_owned();
        let address = format!("/packs/{}", seg(&one.pack_id));
        hits.push(hit("pack", title, address, one.created_at));
    }
    for one in index::obligations(tenant, newest(MAX_LOOKED_AT)).await? {
        let address = format!("/obligations/{}", seg(&one.obligation_id));
        let is_known = hits.iter().any(|hit: &SearchHit| hit.address == address);
        if !is_known {
            let contract = one.doc_filename.map(|name| format!(" · {name}"));
            let title = format!("{}{}", one.obligation_id, contract.unwrap_or_default());
            let at = one.recorded_at.unwrap_or_default();
            hits.push(hit("obligation", title, address, at));
        }
    }
    Ok(hits)
}

/// How many of each kind are looked at.
const MAX_LOOKED_AT: u32 = 1000;
const MAX_PACKS: u32 = 100;
/// How many are shown.
const MAX_HITS: usize = 50;
