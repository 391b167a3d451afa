//! Resolves the status of an obligation after its amendments.

use std::collections::{BTreeMap, BTreeSet};

use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::Refused;
use dalil_proof::json::Json;
use serde::Serialize;

use super::history::{self, AmendmentAction};
use super::{ObligationStatus, given};

/// The status of every obligation of a request.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ResolvedObligations<'j> {
    /// The listed obligations in their order, each once, then the others by id.
    pub resolved: Vec<ObligationResolution<'j>>,
}

/// The status of one obligation, and the amendments that led to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ObligationResolution<'j> {
    /// The obligation.
    pub obligation_id: &'j str,
    /// Its status.
    pub status: ObligationStatus,
    /// The amendments that were walked, oldest first.
    pub amendment_history: Vec<&'j Json<'j>>,
    /// How many were left because an earlier one had deleted the obligation.
    pub unwalked: usize,
}

/// Resolves a request: `{"chains":{obligation_id:[amendment…]},"obligation_ids"?:[…]}`.
///
/// A listed obligation without a chain is not linked to a contract, and so unresolved.
///
/// # Errors
/// Every fault in the request.
pub fn resolve<'j>(request: &'j Json<'j>) -> Result<ResolvedObligations<'j>, Refused> {
    decode::value(request, ObligationResolveRequest::read).map(ObligationResolveRequest::resolve)
}

struct ObligationResolveRequest<'j> {
    listed: Vec<&'j str>,
    chains: BTreeMap<&'j str, Vec<(AmendmentAction, &'j Json<'j>)>>,
}

impl<'j> ObligationResolveRequest<'j> {
    fn read(reader: JsonReader<'_, 'j>) -> Option<Self> {
        let mut fields = reader.object()?;
        let chains =
            fields.required("chains", |map| map.members(|_, chain| history::read_actions(chain)));
        let listed = fields.or("obligation_ids", Vec::new(), |list| list.list(given));
        fields.done()?;
        Some(Self { listed: listed?, chains: chains?.into_iter().collect() })
    }

    fn resolve(mut self) -> ResolvedObligations<'j> {
        let mut resolved = Vec::new();
        let mut listed = BTreeSet::new();
        // Each id once: its first mention takes the chain out of the map.
        self.listed.retain(|id| listed.insert(*id));
        for obligation_id in self.listed {
            resolved.push(match self.chains.remove(obligation_id) {
                Some(chain) => walk(obligation_id, chain),
                None => ObligationResolution {
                    obligation_id,
                    status: ObligationStatus::Unresolved,
                    amendment_history: Vec::new(),
                    unwalked: 0,
                },
            });
        }
        resolved.extend(self.chains.into_iter().map(|(id, chain)| walk(id, chain)));
        ResolvedObligations { resolved }
    }
}

/// Walks the amendments in order; nothing after a deletion can matter.
fn walk<'j>(
    obligation_id: &'j str,
    chain: Vec<(AmendmentAction, &'j Json<'j>)>,
) -> ObligationResolution<'j> {
    let whole = chain.len();
    let mut status = ObligationStatus::Active;
    let mut amendment_history = Vec::with_capacity(whole);
    for (action, entry) in chain {
        amendment_history.push(entry);
        match action {
            AmendmentAction::Replace => status = ObligationStatus::Superseded,
            AmendmentAction::Modify | AmendmentAction::Unchanged => {}
            AmendmentAction::Delete => {
                status = ObligationStatus::Terminated;
                break;
            }
        }
    }
    let unwalked = whole - amendment_history.len();
    ObligationResolution { obligation_id, status, amendment_history, unwalked }
}
