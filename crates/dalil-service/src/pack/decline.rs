//! Members who will not decide about a version, and why.
//!
//! A member who declines has no vote: nothing is counted, nothing is sealed, and the others decide
//! as if the member had not been asked. The record names the member who stood aside.

use std::collections::BTreeSet;

use dalil_evidence::access::{Member, MemberTitle};
use dalil_evidence::approval;
use dalil_evidence::pack::FlagAcknowledgement;
use dalil_phrasebook::{expected, found, precondition};
use dalil_proof::canon;
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::{Fault, Refused, quote, quoted};
use dalil_proof::id::PackId;
use dalil_proof::record::RecordKind;
use dalil_proof::time::Time;
use dalil_store::{NewRecord, Tenant};
use serde::Serialize;

use super::review_request::{PackReviewRequest, REQUEST_FIELD, reviews};
use crate::operation::{OperationFailure, RequestContext, bytes, held_bytes};

/// A member who will not decide about a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeclinedReview {
    /// Who.
    pub reviewer: String,
    /// The titles that the member had.
    pub titles: BTreeSet<MemberTitle>,
    /// When.
    pub at: Time,
    /// Why, in the member's own words.
    pub reason: String,
}

impl DeclinedReview {
    /// The member stands aside, if there is a reason, and no field that only a vote uses.
    pub(super) fn by(
        member: &Member,
        at: Time,
        asked: &PackReviewRequest,
    ) -> Result<Self, Refused> {
        let mut faults = Vec::new();
        if asked.reason.is_none() {
            let expected = expected::why_the_member_declines();
            faults.push(Fault::new("reason", "reason", expected, found::nothing()));
        }
        // Refused, not ignored: the record has the request, and would say what did not happen.
        let unused = |path, found| {
            Fault::new("declined", path, expected::nothing_from_a_member_who_declines(), found)
        };
        if let Some(FlagAcknowledgement { rule, path }) = asked.acknowledged.first() {
            let found = found::finding_at(quote(rule), quote(path));
            faults.push(unused("acknowledged", found));
        }
        if let Some(pack_id) = &asked.new_pack_id {
            faults.push(unused("new_pack_id", quoted(pack_id.as_str())));
        }
        match asked.reason.clone().filter(|_| faults.is_empty()) {
            Some(reason) => {
                let (reviewer, titles) = (member.name.clone(), member.titles.clone());
                Ok(Self { reviewer, titles, at, reason })
            }
            None => Err(Refused { refused: faults }),
        }
    }

    /// The record of it, with the request.
    pub(super) fn record(
        &self,
        pack_id: &PackId,
        said: Vec<u8>,
        context: &RequestContext,
    ) -> Result<NewRecord, OperationFailure> {
        let fields = vec![bytes(REQUEST_FIELD, said), bytes(DECLINED_FIELD, canon::bytes(self)?)];
        // Without a row: the table has the votes.
        Ok(context.draft(RecordKind::PackReviewed, pack_id.as_str(), fields, Vec::new()))
    }

    /// Refuses a vote of a member who declined.
    pub(super) fn refused(name: &str) -> Fault {
        let found = found::who_has_declined(quote(name));
        let expected = precondition::another_reviewer_each_counts_once();
        Fault::new("same_reviewer", "reviewer_id", expected, found)
    }

    fn parse(bytes: &[u8]) -> Result<Self, Refused> {
        decode::request(bytes, Self::read)
    }

    fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        let mut fields = reader.object()?;
        let reviewer = fields.required("reviewer", decode::label);
        let title = |title: JsonReader<'_, '_>| title.choice(MemberTitle::WIRE_NAMES);
        let titles = fields.required("titles", |list| list.list(title));
        let at = fields.required("at", decode::time);
        let reason = fields.required("reason", approval::reason);
        fields.done()?;
        let titles = titles?.into_iter().collect();
        Some(Self { reviewer: reviewer?, titles, at: at?, reason: reason? })
    }
}

/// The members who declined to decide about a version, in order of time.
///
/// # Errors
/// A record of it is damaged.
pub async fn declined(
    tenant: &Tenant,
    pack_id: &PackId,
) -> Result<Vec<DeclinedReview>, OperationFailure> {
    let mut all = Vec::new();
    for stored in reviews(tenant, pack_id).await? {
        // One that was erased counts no more.
        if let Some(bytes) = held_bytes(&stored, DECLINED_FIELD) {
            all.push(DeclinedReview::parse(bytes)?);
        }
    }
    Ok(all)
}

/// The field of a `pack.reviewed` record that has who declined, in the place of a vote.
const DECLINED_FIELD: &str = "declined";
