//! Members of a tenant: who may view, review, export and administer.

use std::fmt;

use dalil_core::access::{self, Action, FIELD, Member, Members, NotAMember};
use dalil_core::fault::{Fault, quote};
use dalil_core::record::{Actor, Kind};
use dalil_store::{Entry, Error, Select, Table, Tenant, Unless, Value};
use serde::Serialize;

use super::line::row;
use super::{Ack, Deed, Failure, bytes, held_bytes, one, text, word};

#[cfg(test)]
mod tests;

/// The members of a tenant, by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// The members.
    pub members: Vec<Member>,
}

/// The members of a tenant.
///
/// # Errors
/// The store cannot be read, or a record about a member is not what it was.
pub async fn list(tenant: &Tenant) -> Result<Listed, Failure> {
    Ok(Listed { members: replay(tenant).await?.0.iter().cloned().collect() })
}

/// Adds a member. Until there is an admin anybody may; then only an admin.
///
/// # Errors
/// A member of that name; a viewer with a title; somebody who is no admin.
pub async fn add(tenant: &Tenant, member: &Member, deed: &Deed) -> Result<Ack, Failure> {
    let (mut members, since) = replay(tenant).await?;
    administers(tenant, &members, deed).await?;
    // Read as a record is, so that nothing gets in that could not be read back.
    member.bytes()?;
    members.add(member.clone()).map_err(|error| refused(&error))?;
    change(tenant, member, (Kind::MemberAdded, "added"), since, deed).await
}

/// Removes a member; what the member approved stays approved.
///
/// # Errors
/// Nobody of that name; the last admin; somebody who is no admin.
pub async fn remove(tenant: &Tenant, name: &str, deed: &Deed) -> Result<Ack, Failure> {
    let (mut members, since) = replay(tenant).await?;
    administers(tenant, &members, deed).await?;
    let member = members.remove(name).map_err(|error| refused(&error))?;
    change(tenant, &member, (Kind::MemberRemoved, "removed"), since, deed).await
}

async fn administers(tenant: &Tenant, members: &Members, deed: &Deed) -> Result<(), Failure> {
    match &deed.actor {
        // Whoever runs the system can write to the store by other ways as well.
        Actor::System => Ok(()),
        _ if !members.has_admin() => Ok(()),
        Actor::Person(name) => {
            let allowed = access::allow(members, name, Action::Administer, "actor");
            permitted(tenant, allowed.map(|_| ()), Action::Administer, MEMBERS, deed).await
        }
        Actor::Agent(name) => {
            let fault = Fault::new("role", "actor", "a person who is admin", quote(name));
            permitted(tenant, Err(fault), Action::Administer, MEMBERS, deed).await
        }
    }
}

async fn change(
    tenant: &Tenant,
    member: &Member,
    (kind, word): (Kind, &str),
    since: u64,
    deed: &Deed,
) -> Result<Ack, Failure> {
    let field = member.bytes()?;
    let values = [
        member.name.as_str().into(),
        member.role.as_str().into(),
        text(&member.titles)?.into(),
        word.into(),
        deed.at.to_string().into(),
    ];
    let rows = vec![row(Table::Members, values)];
    let key = deed.named(kind.as_str(), &field)?;
    let drafts = vec![deed.draft(kind, &member.name, vec![bytes(FIELD, field)], rows)];
    let unless = Unless::Kinds { since, kinds: CHANGES };
    let placed = tenant.append_unless(Entry { drafts, key }, unless).await?;
    one(placed.into_iter().map(Ack::from).collect())
}

/// The members as the records tell them, and the size of the trail before they were read.
pub(super) async fn replay(tenant: &Tenant) -> Result<(Members, u64), Failure> {
    let since = tenant.head().await?.size;
    let mut members = Members::default();
    for row in tenant.select(&Select::all(Table::Members)).await? {
        let Some(Value::Int(index)) = row.first() else { continue };
        let index = u64::try_from(*index).unwrap_or_default();
        let damaged = |found: String| {
            Error::damaged("read a member", format!("tenant `{}`, record {index}", tenant.name()))
                .saw("a member that can follow those before", found)
                .hint("`dalil fsck` says what else is not as it was")
        };
        let stored = tenant.record(index).await?.ok_or_else(|| damaged("none".to_owned()))?;
        let field = held_bytes(&stored, FIELD).ok_or_else(|| damaged("no field".to_owned()))?;
        let member = Member::parse(field).map_err(|error| damaged(error.to_string()))?;
        let followed = match stored.record.envelope().kind {
            Kind::MemberRemoved => members.remove(&member.name).map(|_| ()),
            _ => members.add(member),
        };
        followed.map_err(|error| damaged(error.to_string()))?;
    }
    Ok((members, since))
}

/// Lets somebody go on who may, and records that somebody may not.
pub(super) async fn permitted<T>(
    tenant: &Tenant,
    allowed: Result<T, Fault>,
    action: Action,
    subject: &str,
    deed: &Deed,
) -> Result<T, Failure> {
    let fault = match allowed {
        Ok(allowed) => return Ok(allowed),
        Err(fault) => fault,
    };
    super::access::refused(tenant, subject, &word(&action)?, &fault, deed).await?;
    Err(fault.into())
}

/// Refuses, once a tenant has an admin, an agent, an approver who is no member that may, and one
/// who approves what they do themselves.
pub(super) async fn approved(
    tenant: &Tenant,
    approver: &str,
    action: Action,
    subject: &str,
    deed: &Deed,
) -> Result<(), Failure> {
    let (members, _) = replay(tenant).await?;
    if !members.has_admin() {
        return Ok(());
    }
    let allowed = match &deed.actor {
        Actor::Agent(name) => Err(Fault::new("role", "actor", "a person", quote(name))),
        Actor::Person(name) if access::same_name(name, approver) => {
            let expected = "somebody else than who does it";
            Err(Fault::new("self_approval", "approver", expected, quote(approver)))
        }
        Actor::Person(_) | Actor::System => {
            access::allow(&members, approver, action, "approver").map(|_| ())
        }
    };
    permitted(tenant, allowed, action, subject, deed).await
}

fn refused(error: &NotAMember) -> Failure {
    let rule = match error {
        NotAMember::Taken(_) => "taken",
        NotAMember::Unknown(_) => "not_a_member",
        NotAMember::LastAdmin(_) => "last_admin",
    };
    Fault { rule, path: "name".to_owned(), message: error.to_string(), hint: None }.into()
}

impl fmt::Display for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.members.iter().map(|Member { name, role, titles }| {
            let titles = titles.iter().map(|title| title.as_str()).collect::<Vec<_>>();
            [name.clone(), role.as_str().to_owned(), titles.join(", ")]
        });
        super::table::write(f, ["member", "role", "titles"], rows)
    }
}

/// What would change who the members are.
pub(super) const CHANGES: &[Kind] = &[Kind::MemberAdded, Kind::MemberRemoved];
/// What a refusal to change the members is about.
const MEMBERS: &str = "members";
