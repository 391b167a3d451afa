//! Reviews: what members say about a pack, and the version that the last one makes.

use dalil_core::access::{self, Action, Member, Members, same_name};
use dalil_core::approval::{self, Need, Outcome, Standing, State, Vote};
use dalil_core::canon;
use dalil_core::class::Approval;
use dalil_core::digest::hex;
use dalil_core::fault::{Fault, quote};
use dalil_core::id::PackId;
use dalil_core::json::Json;
use dalil_core::pack::{self, Acknowledgement, Draft as Pack, Review, Sealed};
use dalil_core::policy::{self, Situation};
use dalil_core::read::{self, Reader};
use dalil_core::record::{Actor, Kind};
use dalil_core::time::Time;
use dalil_store::{Draft, Table, Tenant};
use serde::Serialize;

use super::super::decision::{once, stated};
use super::super::line::{equal, row};
use super::super::member::{permitted, replay};
use super::super::{Deed, Failure, answered, append_seen, bytes, held_bytes, looking, word};
use super::{content, find, free, proved, random, sealed};

/// A review, as a request.
struct Asked {
    pack_id: PackId,
    new_pack_id: Option<PackId>,
    reviewer_id: String,
    outcome: Outcome,
    reason: Option<String>,
    acknowledged: Vec<Acknowledgement>,
}

/// What came of a review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Reviewed {
    /// The last approval that was needed: the version that it makes, as a stranger verifies it.
    Resolved(Sealed),
    /// Any other: how the pack stands.
    Waiting(Waiting),
}

/// A pack that is not approved, or not yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Waiting {
    /// The pack.
    pub pack_id: PackId,
    /// How its approval stands.
    #[serde(flatten)]
    pub standing: Standing,
}

/// How the review of a version stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stands {
    /// The pack, and how its approval stands.
    #[serde(flatten)]
    pub waiting: Waiting,
    /// What was said about this version, in order of time.
    pub said: Vec<Vote>,
    /// Until when somebody may still say something.
    pub review_until: Option<Time>,
}

/// How the review of a version stands: who approved so far, who must still, and until when.
///
/// # Errors
/// There is no pack of that name, or it is not what it was.
pub async fn standing(tenant: &Tenant, pack_id: &str) -> Result<Stands, Failure> {
    let pack = content(tenant, &find(tenant, pack_id).await?).await?;
    let said = votes(tenant, &pack.pack_id, u64::MAX).await?;
    let standing = approval::standing(need(tenant, &pack).await?, &said);
    let last = pack.created_at.millis().saturating_add(pack::REVIEW_HOURS * 60 * 60 * 1000);
    let waiting = Waiting { pack_id: pack.pack_id.clone(), standing };
    Ok(Stands { waiting, said, review_until: Time::from_millis(last) })
}

/// Who a review is by, as its request says.
pub fn reviewer(request: &[u8]) -> Option<String> {
    match Json::parse(request).ok()?.get("reviewer_id") {
        Some(Json::Text(name)) => Some(name.to_string()),
        _ => None,
    }
}

/// Records what a member says about a pack, and seals the version that the last
/// approval makes.
///
/// `{"pack_id","reviewer_id","outcome"?:"approved"|"escalated"|"rejected","reason"?,
/// "acknowledged"?:[{"rule","path"}],"new_pack_id"?}`. The old version stays as it is.
///
/// # Errors
/// Every fault in the request; a reviewer who is the agent, no member, or without the
/// role or title; more than 48 hours; a finding that was not acknowledged; a second
/// word of the same reviewer; a pack that is not there, resolved, rejected, or not the
/// newest version.
pub async fn review(tenant: &Tenant, request: &[u8], deed: &Deed) -> Result<Reviewed, Failure> {
    let json = Json::parse(request)?;
    let said = canon::bytes(&json)?;
    let key = deed.named("pack review", &said)?;
    let asked = read::value(&json, asked)?;
    let kinds = &[
        Kind::PackSealed,
        Kind::PackReviewed,
        Kind::PayloadErased,
        Kind::MemberAdded,
        Kind::MemberRemoved,
    ];
    let acks = looking(tenant, kinds, async |look| {
        if let Some(acks) = answered(tenant, key.as_ref()).await? {
            return Ok(acks);
        }
        let drafts = drafts(tenant, &asked, said.clone(), deed).await?;
        append_seen(tenant, drafts, key.clone(), look).await
    });
    match acks.await?.as_slice() {
        [_, version] => Ok(Reviewed::Resolved(proved(tenant, version.index).await?)),
        acks => {
            let until = acks.last().map_or(0, |ack| ack.index);
            let votes = votes(tenant, &asked.pack_id, until).await?;
            let pack = content(tenant, &find(tenant, asked.pack_id.as_str()).await?).await?;
            let standing = approval::standing(need(tenant, &pack).await?, &votes);
            Ok(Reviewed::Waiting(Waiting { pack_id: asked.pack_id, standing }))
        }
    }
}

/// The record of a review, and that of the version if it makes one.
async fn drafts(
    tenant: &Tenant,
    asked: &Asked,
    said: Vec<u8>,
    deed: &Deed,
) -> Result<Vec<Draft>, Failure> {
    let old = newest(tenant, &asked.pack_id).await?;
    let mut votes = votes(tenant, &asked.pack_id, u64::MAX).await?;
    let need = need(tenant, &old).await?;
    open(asked, &votes, &approval::standing(need, &votes))?;
    let class = approval::standing(need, &votes).need.class;
    let vote = vote(tenant, asked, (class, &old.agent_name), deed).await?;
    // Every other rule, also for a review that resolves nothing.
    let alone = version(tenant, asked, &old, &vote, deed).await?;
    votes.push(vote.clone());
    let mut drafts = vec![record(asked, &vote, said, deed)?];
    let is_last = approval::standing(need, &votes).state == State::Approved;
    if asked.outcome == Outcome::Approved && is_last {
        let review = Review { approvals: votes, ..alone };
        drafts.push(sealed(tenant, &pack::review(&old, &review)?, deed).await?);
    }
    Ok(drafts)
}

/// The pack of that name, if it is the newest version and nobody has resolved it.
async fn newest(tenant: &Tenant, pack_id: &PackId) -> Result<Pack, Failure> {
    let line = find(tenant, pack_id.as_str()).await?;
    let newest = super::newest(tenant, &line.owned("decision_id")).await?;
    if let Some(newest) = newest.filter(|newest| newest.pack_id != pack_id.as_str()) {
        let gone = if newest.line.is_some() { "" } else { ", which was erased" };
        let expected = format!("{}, the newest version{gone}", quote(&newest.pack_id));
        let fault = Fault::new("superseded", "pack_id", expected, quote(pack_id.as_str()));
        let hint = "`dalil pack assemble` makes the version that follows";
        return Err(if newest.line.is_some() { fault } else { fault.hint(hint) }.into());
    }
    if line.text("status") == Some("resolved") {
        let expected = "a pack that waits for its review";
        let found = format!("{}, which is resolved", quote(pack_id.as_str()));
        return Err(Fault::new("resolved", "pack_id", expected, found).into());
    }
    content(tenant, &line).await
}

/// Refuses a word about a pack that was rejected, and a second word of the same person.
fn open(asked: &Asked, votes: &[Vote], standing: &Standing) -> Result<(), Failure> {
    if standing.state == State::Rejected {
        let found = format!("{}, which was rejected", quote(asked.pack_id.as_str()));
        let fault = Fault::new("rejected", "pack_id", "a pack that nobody rejected", found);
        return Err(fault.hint("`dalil pack assemble` makes the version that follows").into());
    }
    let own = votes.iter().any(|vote| same_name(&vote.approver, &asked.reviewer_id));
    if own && asked.outcome != Outcome::Rejected {
        let found = format!("{}, who has reviewed it", quote(&asked.reviewer_id));
        let expected = "another reviewer: each counts once";
        return Err(Fault::new("same_reviewer", REVIEWER, expected, found).into());
    }
    Ok(())
}

/// The version that a review makes, with every rule checked over it.
async fn version(
    tenant: &Tenant,
    asked: &Asked,
    old: &Pack,
    vote: &Vote,
    deed: &Deed,
) -> Result<Review, Failure> {
    let pack_id = match &asked.new_pack_id {
        Some(id) => id.clone(),
        None => PackId::from_random(random()?),
    };
    free(tenant, &pack_id, "new_pack_id").await?;
    // Who says no need not say that everything was seen.
    let open = old.findings.iter().filter(|finding| finding.state == pack::State::Open);
    let seen = match asked.outcome {
        Outcome::Approved => asked.acknowledged.clone(),
        Outcome::Escalated | Outcome::Rejected => open
            .map(|one| Acknowledgement { rule: one.rule.to_owned(), path: one.path.clone() })
            .collect(),
    };
    let review = Review {
        pack_id,
        reviewer_id: vote.approver.clone(),
        reviewed_at: deed.at,
        acknowledged: seen,
        approvals: Vec::new(),
    };
    pack::review(old, &review)?;
    Ok(review)
}

/// What the reviewer says about what the agent decided, under the name that the member has, if
/// the reviewer may.
async fn vote(
    tenant: &Tenant,
    asked: &Asked,
    (class, agent): (Approval, &str),
    deed: &Deed,
) -> Result<Vote, Failure> {
    let Asked { pack_id, reviewer_id, outcome, .. } = asked;
    let (members, _) = replay(tenant).await?;
    let allowed = match &deed.actor {
        Actor::Agent(name) => Err(Fault::new("role", "actor", "a person", quote(name))
            .hint("an agent records what it did; people review it")),
        Actor::Person(name) if !same_name(name, reviewer_id) => {
            let expected = format!("{}, who does this", quote(name));
            Err(Fault::new("other_reviewer", REVIEWER, expected, quote(reviewer_id))
                .hint("each reviewer speaks for nobody else"))
        }
        Actor::Person(_) | Actor::System => entitled(&members, asked, class, agent),
    };
    let member = permitted(tenant, allowed, Action::Review, pack_id.as_str(), deed).await?;
    let (approver, titles) = (member.name.clone(), member.titles.clone());
    Ok(Vote { approver, outcome: *outcome, titles, at: deed.at })
}

/// The member who reviews: not the agent, with the role and, to approve, a title that counts.
fn entitled<'m>(
    members: &'m Members,
    asked: &Asked,
    class: Approval,
    agent: &str,
) -> Result<&'m Member, Fault> {
    let other = |name: &str| pack::independence(name, agent, REVIEWER).map_or(Ok(()), Err);
    other(&asked.reviewer_id)?;
    let member = access::allow(members, &asked.reviewer_id, Action::Review, REVIEWER)?;
    other(&member.name)?;
    if asked.outcome == Outcome::Approved {
        approval::allow(class, &member.name, &member.titles, REVIEWER)?;
    }
    Ok(member)
}

/// The record of what a member said.
fn record(asked: &Asked, vote: &Vote, said: Vec<u8>, deed: &Deed) -> Result<Draft, Failure> {
    let titles = vote.titles.iter().map(|title| title.as_str()).collect::<Vec<_>>().join(", ");
    let approval = [
        format!("rev_{}", hex(&random::<8>()?)).into(),
        asked.pack_id.as_str().into(),
        vote.approver.as_str().into(),
        titles.into(),
        word(&vote.outcome)?.into(),
        asked.reason.clone().into(),
        deed.at.to_string().into(),
    ];
    let fields = vec![bytes("review", said), bytes(VOTE, canon::bytes(vote)?)];
    let rows = vec![row(Table::Approvals, approval)];
    Ok(deed.draft(Kind::PackReviewed, asked.pack_id.as_str(), fields, rows))
}

/// What was said about a pack, up to a record.
async fn votes(tenant: &Tenant, pack_id: &PackId, until: u64) -> Result<Vec<Vote>, Failure> {
    let mut votes = Vec::new();
    for line in equal(tenant, Table::Approvals, "pack_id", pack_id.as_str()).await? {
        let stored = tenant.record(line.index()).await?;
        let vote = stored.as_ref().and_then(|stored| held_bytes(stored, VOTE));
        if let (true, Some(vote)) = (line.index() <= until, vote) {
            votes.push(Vote::parse(vote)?);
        }
    }
    Ok(votes)
}

/// Whose approval a pack needs: what its class asks for, or any rule over the decision
/// that was recorded, whichever is more.
async fn need(tenant: &Tenant, pack: &Pack) -> Result<Need, Failure> {
    let routes = policy::routes(&Situation {
        action_type: None,
        classes: pack.classes,
        has_evidence: !pack.sources.is_empty(),
        has_pdpl_check: true,
        high_stakes: pack.classes.high_stakes(),
        confidence: pack.confidence,
    });
    let mut required = routes.iter().map(|route| route.approvers).max().unwrap_or_default();
    let known = equal(tenant, Table::Decisions, "decision_id", pack.decision_id.as_str()).await?;
    if known.is_empty()
        && let Some(index) = once(tenant, pack.decision_id.as_str(), Kind::DecisionRecorded).await?
    {
        let found = format!("record {index}, which was erased");
        let expected = "the decision, which says whose approval it needs";
        return Err(Fault::new("erased", "decision_id", expected, found).into());
    }
    if !known.is_empty() {
        let decision = stated(tenant, pack.decision_id.as_str()).await?;
        let assessment = policy::assess(&canon::bytes(&decision)?)?;
        required = required.max(assessment.required_approvers);
    }
    Ok(Need::of(pack.classes.approval, required))
}

/// Why somebody said so, in no more than pages have room for.
fn reason(reader: Reader<'_, '_>) -> Option<String> {
    let text = read::filled(reader)?;
    let length = text.chars().count();
    if length > MAX_REASON {
        let expected = format!("at most {MAX_REASON} characters");
        return reader.push(Fault::new("length", reader.path(), expected, length));
    }
    Some(text)
}

fn asked(reader: Reader<'_, '_>) -> Option<Asked> {
    let id = |id: Reader<'_, '_>| id.parsed("id", PackId::EXPECTED);
    let mut fields = reader.object()?;
    let pack_id = fields.required("pack_id", id);
    let reviewer_id = fields.required("reviewer_id", read::label);
    let outcome = fields.or("outcome", Outcome::Approved, |outcome| outcome.choice(Outcome::WORDS));
    let reason = fields.optional("reason", reason);
    let acknowledged = fields.or("acknowledged", Vec::new(), |list| list.list(acknowledgement));
    let new_pack_id = fields.optional("new_pack_id", id);
    fields.done()?;
    Some(Asked {
        pack_id: pack_id?,
        new_pack_id: new_pack_id?,
        reviewer_id: reviewer_id?,
        outcome: outcome?,
        reason: reason?,
        acknowledged: acknowledged?,
    })
}

fn acknowledgement(reader: Reader<'_, '_>) -> Option<Acknowledgement> {
    let mut fields = reader.object()?;
    let rule = fields.required("rule", read::filled);
    let path = fields.required("path", read::filled);
    fields.done()?;
    Some(Acknowledgement { rule: rule?, path: path? })
}

/// The name of what a `pack.reviewed` record commits to beside the request.
const VOTE: &str = "vote";
const REVIEWER: &str = "reviewer_id";

/// How long the reason of a review may be.
const MAX_REASON: usize = 2000;
