//! Clauses, looked for in the contracts that the store has.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use dalil_evidence::obligation::package::ObligationPackage;
use dalil_proof::digest::Digest;
use dalil_store::Tenant;

use crate::document::{KeptText, kept_text, kept_text_of_id};
use crate::operation::OperationFailure;

/// The obligations whose clause no reader sees in the text of their document, as far as the store has it:
/// by the digest that the request gives, or under the id that the store gave it.
pub(super) async fn not_in_documents<'p>(
    tenant: &Tenant,
    package: &'p ObligationPackage<'_>,
) -> Result<BTreeSet<&'p str>, OperationFailure> {
    let digests: BTreeMap<&str, Digest> = package
        .terms
        .iter()
        .filter_map(|terms| Some((terms.obligation_id, terms.content_hash?)))
        .collect();
    let mut texts: BTreeMap<&str, Option<KeptText>> = BTreeMap::new();
    let mut absent = BTreeSet::new();
    for evidence in &package.records {
        let text = match texts.entry(evidence.doc_id) {
            Entry::Occupied(text) => text.into_mut(),
            Entry::Vacant(entry) => entry.insert(match digests.get(evidence.obligation_id) {
                Some(digest) => kept_text(tenant, digest).await?,
                // Ids of others cost no query.
                None if is_stored_id(evidence.doc_id) => {
                    kept_text_of_id(tenant, evidence.doc_id).await?
                }
                None => None,
            }),
        };
        if text.as_ref().is_some_and(|text| !text.shows_words(evidence.source_clause)) {
            absent.insert(evidence.obligation_id);
        }
    }
    Ok(absent)
}

/// Whether a document of a store may be called so: `doc_` and 16 hex digits.
fn is_stored_id(id: &str) -> bool {
    let digits = id.strip_prefix("doc_").filter(|digits| digits.len() == 16);
    digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}
