//! Lists of approval requests and approvals, with their state.

use dalil_evidence::access::MemberTitle;
use dalil_evidence::{approval, decision_class};
use dalil_phrasebook::{Phrase, precondition};
use dalil_proof::decode;
use dalil_proof::json::Json;
use dalil_proof::time::Time;
use dalil_store::catalog::MatterRow;
use dalil_store::{Error, IndexedRow, Tenant};
use serde::Serialize;

use super::action::{asked, resolve};
use super::matter::{CHANGE_ASKED, CHANGE_GIVEN, ObjectMatters, has_ended, is};
use super::usable::{UsableApproval, standing, usable};
use crate::list_range::ListRange;
use crate::member::replay;
use crate::operation::{OperationFailure, none};

/// The state of a request or an approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ApprovalLifecycle {
    /// Others must still approve it.
    Waiting,
    /// It may be done.
    Approved,
    /// It was done.
    Used,
    /// Its time is over.
    Expired,
    /// It is not there any more, or is another; or the approver may not approve any more.
    Void,
}

/// Who approved something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ApproverSummary {
    /// The member.
    pub name: String,
    /// The member's titles.
    pub titles: Vec<&'static str>,
    /// When.
    pub at: String,
    /// Until when it counts.
    pub expires_at: String,
}

/// A request for approval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ApprovalRequestSummary {
    /// Its name.
    pub request_id: String,
    /// Its object: a pack, a session, the trail or a scope.
    pub object: String,
    /// What exactly is asked for: the body of an approval of it.
    pub matter: Json<'static>,
    /// Who asked.
    pub asked_by: String,
    /// When.
    pub asked_at: String,
    /// Until when it can be approved.
    pub expires_at: String,
    /// Its state.
    pub state: ApprovalLifecycle,
    /// The class of the approval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval_class: Option<decision_class::ApprovalClass>,
    /// How many must approve.
    pub required_approvers: u8,
    /// The approvers that count; of a used approval, those that counted.
    pub approved_by: Vec<ApproverSummary>,
    /// Who must still approve.
    pub missing: Vec<Phrase>,
    /// Its record.
    pub index: u64,
}

/// A member's approval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ApprovalSummary {
    /// Its name.
    pub approval_id: String,
    /// Its object: a pack, a session, the trail or a scope.
    pub object: String,
    /// What exactly was approved.
    pub matter: Json<'static>,
    /// Who approved.
    pub approver: String,
    /// With which titles.
    pub titles: String,
    /// With which credential: its name, which is no secret.
    pub credential: String,
    /// When.
    pub given_at: String,
    /// Until when it counts.
    pub expires_at: String,
    /// Its state.
    pub state: ApprovalLifecycle,
    /// The record of its use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub used_by: Option<u64>,
    /// Its record.
    pub index: u64,
}

/// The requests for approval.
///
/// # Errors
/// The store cannot be read.
pub async fn requests(
    tenant: &Tenant,
    part: ListRange,
    now: Time,
) -> Result<Vec<ApprovalRequestSummary>, OperationFailure> {
    let mut all = Vec::new();
    for line in tenant.select(&part.of(MatterRow::query().change(CHANGE_ASKED))).await? {
        all.push(request(tenant, &line, now).await?);
    }
    Ok(all)
}

/// The requests about one object.
///
/// # Errors
/// The store cannot be read.
pub async fn about(
    tenant: &Tenant,
    object: &str,
    now: Time,
) -> Result<Vec<ApprovalRequestSummary>, OperationFailure> {
    let mut all = Vec::new();
    for line in tenant.select(&MatterRow::query().object(object)).await? {
        if is(&line, CHANGE_ASKED) {
            all.push(request(tenant, &line, now).await?);
        }
    }
    Ok(all)
}

/// The approvals.
///
/// # Errors
/// The store cannot be read.
pub async fn approvals(
    tenant: &Tenant,
    part: ListRange,
    now: Time,
) -> Result<Vec<ApprovalSummary>, OperationFailure> {
    let mut all = Vec::new();
    for line in tenant.select(&part.of(MatterRow::query().change(CHANGE_GIVEN))).await? {
        all.push(approval(tenant, &line, now).await?);
    }
    Ok(all)
}

/// The request of a record.
pub(super) async fn request_at(
    tenant: &Tenant,
    index: u64,
    now: Time,
) -> Result<ApprovalRequestSummary, OperationFailure> {
    request(tenant, &at(tenant, index, CHANGE_ASKED).await?, now).await
}

/// The approval of a record.
pub(super) async fn approval_at(
    tenant: &Tenant,
    index: u64,
    now: Time,
) -> Result<ApprovalSummary, OperationFailure> {
    approval(tenant, &at(tenant, index, CHANGE_GIVEN).await?, now).await
}

async fn at(
    tenant: &Tenant,
    index: u64,
    change: &str,
) -> Result<IndexedRow<MatterRow>, OperationFailure> {
    let own = MatterRow::query().change(change).starting_at(index).at_most(1);
    let found = tenant.select(&own).await?.into_iter().find(|line| line.index == index);
    found.ok_or_else(|| {
        none(precondition::an_approval_of_this_tenant(), "index", &index.to_string())
    })
}

async fn request(
    tenant: &Tenant,
    line: &IndexedRow<MatterRow>,
    now: Time,
) -> Result<ApprovalRequestSummary, OperationFailure> {
    let row = &line.row;
    let said = stated(line, row.said.as_ref(), "what it is about")?;
    let known =
        ObjectMatters::of(tenant, &row.object, (row.matter.clone(), said.as_bytes())).await?;
    let mut request = ApprovalRequestSummary {
        request_id: row.approval_id.clone(),
        object: row.object.clone(),
        matter: Json::parse(said.as_bytes())?.into_owned(),
        asked_by: row.who.clone(),
        asked_at: row.at.to_string(),
        expires_at: stated(line, row.expires_at.as_ref(), END)?.to_string(),
        state: ApprovalLifecycle::Void,
        approval_class: None,
        required_approvers: 0,
        approved_by: Vec::new(),
        missing: Vec::new(),
        index: line.index,
    };
    let resolved = match decode::request(said.as_bytes(), asked) {
        Ok(asked) => resolve(tenant, &asked).await,
        Err(refused) => Err(refused.into()),
    };
    let (matter, terms) = match resolved {
        Ok(resolved) => resolved,
        // If the object is gone or has changed, that is a state and no failure.
        Err(OperationFailure::Refused(_)) => return Ok(request),
        Err(failure) => return Err(failure),
    };
    // The stored matter is the one that approvals are found by; another digest is another matter.
    if matter.digest()? != row.matter {
        return Ok(request);
    }
    let (members, _) = replay(tenant).await?;
    let doer = dalil_proof::record::Actor::Person(request.asked_by.clone());
    let all = usable(tenant, (&members, &terms), &known, Some(&doer), now).await?;
    let standing = standing(&terms, &all);
    request.approval_class = Some(standing.need.class);
    request.required_approvers = standing.need.approvers;
    request.approved_by = all.iter().map(approver).collect();
    request.missing = standing.missing;
    let used = known.used_since(line);
    if used.is_some() {
        // Used approvals count no more; their givers are shown.
        let given = known.same().filter(|one| is(one, CHANGE_GIVEN) && known.use_of(one) == used);
        request.approved_by = given.map(used_approver).collect::<Result<_, _>>()?;
        request.missing = Vec::new();
    }
    request.state = match standing.state {
        // In this order: a used approval stays `used`, and an approval outlives its request.
        _ if used.is_some() => ApprovalLifecycle::Used,
        approval::ApprovalState::Approved => ApprovalLifecycle::Approved,
        _ if has_ended(line, now) => ApprovalLifecycle::Expired,
        approval::ApprovalState::Waiting | approval::ApprovalState::Rejected => {
            ApprovalLifecycle::Waiting
        }
    };
    Ok(request)
}

fn approver(one: &UsableApproval) -> ApproverSummary {
    ApproverSummary {
        name: one.vote.approver.clone(),
        titles: one.vote.titles.iter().map(|title| title.as_str()).collect(),
        at: one.vote.at.to_string(),
        expires_at: one.expires_at.to_string(),
    }
}

/// Who gave an approval that was used, with the titles of then.
fn used_approver(line: &IndexedRow<MatterRow>) -> Result<ApproverSummary, Error> {
    let MatterRow { who, titles, at, expires_at, .. } = &line.row;
    let named = |title: &str| titles.iter().any(|all| all.split(", ").any(|one| one == title));
    let all = MemberTitle::WIRE_NAMES.iter().map(|(word, _)| *word);
    Ok(ApproverSummary {
        name: who.clone(),
        titles: all.filter(|title| named(title)).collect(),
        at: at.to_string(),
        expires_at: stated(line, expires_at.as_ref(), END)?.to_string(),
    })
}

/// What everything that was asked for or given states; only the use of an approval does not.
fn stated<'m, T>(
    line: &IndexedRow<MatterRow>,
    value: Option<&'m T>,
    expected: &str,
) -> Result<&'m T, Error> {
    value.ok_or_else(|| {
        Error::damaged("read an approval", format!("record {}", line.index))
            .saw(expected, "nothing")
            .hint("`dalil fsck` says what else is not as it was")
    })
}

async fn approval(
    tenant: &Tenant,
    line: &IndexedRow<MatterRow>,
    now: Time,
) -> Result<ApprovalSummary, OperationFailure> {
    let row = &line.row;
    let said = stated(line, row.said.as_ref(), "what it is about")?;
    let known =
        ObjectMatters::of(tenant, &row.object, (row.matter.clone(), said.as_bytes())).await?;
    let used_by = known.use_of(line);
    let state = match used_by {
        Some(_) => ApprovalLifecycle::Used,
        None if has_ended(line, now) => ApprovalLifecycle::Expired,
        None => match decode::request(said.as_bytes(), asked) {
            Ok(asked) => match resolve(tenant, &asked).await {
                Ok((_, terms)) => {
                    let (members, _) = replay(tenant).await?;
                    let all = usable(tenant, (&members, &terms), &known, None, now).await?;
                    if all.iter().any(|one| one.approval_id == row.approval_id) {
                        ApprovalLifecycle::Approved
                    } else {
                        ApprovalLifecycle::Void
                    }
                }
                Err(OperationFailure::Refused(_)) => ApprovalLifecycle::Void,
                Err(failure) => return Err(failure),
            },
            Err(_) => ApprovalLifecycle::Void,
        },
    };
    Ok(ApprovalSummary {
        approval_id: row.approval_id.clone(),
        object: row.object.clone(),
        matter: Json::parse(said.as_bytes())?.into_owned(),
        approver: row.who.clone(),
        titles: stated(line, row.titles.as_ref(), "the titles of the approver")?.clone(),
        credential: stated(line, row.credential.as_ref(), "a credential")?.clone(),
        given_at: row.at.to_string(),
        expires_at: stated(line, row.expires_at.as_ref(), END)?.to_string(),
        state,
        used_by,
        index: line.index,
    })
}

/// What approvals and requests for them have.
const END: &str = "when it ends";
