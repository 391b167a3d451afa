//! What was asked for and given, and how it stands.

use dalil_core::json::Json;
use dalil_core::read;
use dalil_core::time::Time;
use dalil_core::{approval, class};
use dalil_store::{Select, Table, Tenant};
use serde::Serialize;

use super::super::index::Part;
use super::super::line::{Line, equal, lines};
use super::super::member::replay;
use super::super::{Failure, none};
use super::usable::{Usable, standing, usable};
use super::{ASKED, GIVEN, asked, has_ended, is, resolve, use_of, used_since};

/// How something stands that was asked for or given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
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
pub struct Approver {
    /// The member.
    pub name: String,
    /// The member's titles.
    pub titles: Vec<&'static str>,
    /// When.
    pub at: String,
    /// Until when it counts.
    pub expires_at: String,
}

/// What somebody asked others to approve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Request {
    /// Its name.
    pub request_id: String,
    /// What it is about: a pack, a session, the trail or a scope.
    pub object: String,
    /// What exactly is asked for: the body of an approval of it.
    pub matter: Json<'static>,
    /// Who asked.
    pub asked_by: String,
    /// When.
    pub asked_at: String,
    /// Until when it can be approved.
    pub expires_at: String,
    /// How it stands.
    pub state: State,
    /// The class of the approval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval_class: Option<class::Approval>,
    /// How many must approve.
    pub required_approvers: u8,
    /// Who has, and counts.
    pub approved_by: Vec<Approver>,
    /// Who must still approve.
    pub missing: Vec<String>,
    /// Its record.
    pub index: u64,
}

/// What a member approved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Approval {
    /// Its name.
    pub approval_id: String,
    /// What it is about: a pack, a session, the trail or a scope.
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
    /// How it stands.
    pub state: State,
    /// The record of its use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub used_by: Option<u64>,
    /// Its record.
    pub index: u64,
}

/// What was asked for.
///
/// # Errors
/// The store cannot be read.
pub async fn requests(tenant: &Tenant, part: Part, now: Time) -> Result<Vec<Request>, Failure> {
    let select = part.of(Select::equal(Table::Matters, "change", ASKED));
    let mut all = Vec::new();
    for line in lines(tenant, &select).await? {
        all.push(request(tenant, &line, now).await?);
    }
    Ok(all)
}

/// What was asked for about one thing.
///
/// # Errors
/// The store cannot be read.
pub async fn about(tenant: &Tenant, object: &str, now: Time) -> Result<Vec<Request>, Failure> {
    let mut all = Vec::new();
    for line in equal(tenant, Table::Matters, "object", object).await? {
        if is(&line, ASKED) {
            all.push(request(tenant, &line, now).await?);
        }
    }
    Ok(all)
}

/// What was approved.
///
/// # Errors
/// The store cannot be read.
pub async fn approvals(tenant: &Tenant, part: Part, now: Time) -> Result<Vec<Approval>, Failure> {
    let select = part.of(Select::equal(Table::Matters, "change", GIVEN));
    let mut all = Vec::new();
    for line in lines(tenant, &select).await? {
        all.push(approval(tenant, &line, now).await?);
    }
    Ok(all)
}

/// The request of a record.
pub(super) async fn request_at(tenant: &Tenant, index: u64, now: Time) -> Result<Request, Failure> {
    request(tenant, &at(tenant, index, ASKED).await?, now).await
}

/// The approval of a record.
pub(super) async fn approval_at(
    tenant: &Tenant,
    index: u64,
    now: Time,
) -> Result<Approval, Failure> {
    approval(tenant, &at(tenant, index, GIVEN).await?, now).await
}

async fn at(tenant: &Tenant, index: u64, change: &str) -> Result<Line, Failure> {
    let select = Select {
        from: index,
        limit: 1,
        ..Select::equal(Table::Matters, "change", change.to_owned())
    };
    let found = lines(tenant, &select).await?.into_iter().next();
    let missing = || none("an approval of this tenant", "index", &index.to_string());
    found.filter(|line| line.index() == index).ok_or_else(missing)
}

async fn request(tenant: &Tenant, line: &Line, now: Time) -> Result<Request, Failure> {
    let said = line.owned("said");
    let known = equal(tenant, Table::Matters, "matter", &line.owned("matter")).await?;
    let mut request = Request {
        request_id: line.owned("approval_id"),
        object: line.owned("object"),
        matter: Json::parse(said.as_bytes())?.into_owned(),
        asked_by: line.owned("who"),
        asked_at: line.owned("at"),
        expires_at: line.owned("expires_at"),
        state: State::Void,
        approval_class: None,
        required_approvers: 0,
        approved_by: Vec::new(),
        missing: Vec::new(),
        index: line.index(),
    };
    let resolved = match read::request(said.as_bytes(), asked) {
        Ok(asked) => resolve(tenant, &asked).await,
        Err(refused) => Err(refused.into()),
    };
    let (matter, terms) = match resolved {
        Ok(resolved) => resolved,
        Err(Failure::Refused(_)) => return Ok(request),
        Err(failure) => return Err(failure),
    };
    if matter.digest()? != line.owned("matter") {
        return Ok(request);
    }
    let (members, _) = replay(tenant).await?;
    let doer = dalil_core::record::Actor::Person(request.asked_by.clone());
    let all = usable(tenant, (&members, &terms), &known, Some(&doer), now).await?;
    let standing = standing(&terms, &all);
    request.approval_class = Some(standing.need.class);
    request.required_approvers = standing.need.approvers;
    request.approved_by = all.iter().map(approver).collect();
    request.missing = standing.missing;
    request.state = match standing.state {
        _ if used_since(&known, line.index()).is_some() => State::Used,
        approval::State::Approved => State::Approved,
        _ if has_ended(line, now) => State::Expired,
        approval::State::Waiting | approval::State::Rejected => State::Waiting,
    };
    Ok(request)
}

fn approver(one: &Usable) -> Approver {
    Approver {
        name: one.vote.approver.clone(),
        titles: one.vote.titles.iter().map(|title| title.as_str()).collect(),
        at: one.vote.at.to_string(),
        expires_at: one.expires_at.clone(),
    }
}

async fn approval(tenant: &Tenant, line: &Line, now: Time) -> Result<Approval, Failure> {
    let said = line.owned("said");
    let known = equal(tenant, Table::Matters, "matter", &line.owned("matter")).await?;
    let used_by = use_of(&known, line);
    let state = match used_by {
        Some(_) => State::Used,
        None if has_ended(line, now) => State::Expired,
        None => {
            let one = std::slice::from_ref(line);
            match read::request(said.as_bytes(), asked) {
                Ok(asked) => match resolve(tenant, &asked).await {
                    Ok((_, terms)) => {
                        let (members, _) = replay(tenant).await?;
                        let all = usable(tenant, (&members, &terms), one, None, now).await?;
                        if all.is_empty() { State::Void } else { State::Approved }
                    }
                    Err(Failure::Refused(_)) => State::Void,
                    Err(failure) => return Err(failure),
                },
                Err(_) => State::Void,
            }
        }
    };
    Ok(Approval {
        approval_id: line.owned("approval_id"),
        object: line.owned("object"),
        matter: Json::parse(said.as_bytes())?.into_owned(),
        approver: line.owned("who"),
        titles: line.owned("titles"),
        credential: line.owned("credential"),
        given_at: line.owned("at"),
        expires_at: line.owned("expires_at"),
        state,
        used_by,
        index: line.index(),
    })
}
