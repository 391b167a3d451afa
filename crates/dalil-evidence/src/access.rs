//! Access: the permissions of a tenant's members.
//!
//! A member has one role, which decides the permitted actions, and titles,
//! which decide what the member may approve. Everything that serves evidence asks here.

use std::collections::{BTreeMap, BTreeSet};

use dalil_phrasebook::{Phrase, approval, error, expected, found, hint};
use dalil_proof::canon;
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::{Fault, Refused, quote, quoted};
use serde::Serialize;

use crate::name;

#[cfg(test)]
mod tests;

/// The role of a member, from the least: each role includes the permissions of the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MemberRole {
    /// Look.
    Viewer,
    /// Look, review packs and let them be exported.
    Approver,
    /// All of that, and say who the members are.
    Admin,
}

/// An action on a tenant's evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AccessAction {
    /// Look at it.
    View,
    /// Approve, escalate or reject a pack.
    Review,
    /// Let it leave the system.
    Export,
    /// Change who the members are.
    Administer,
}

impl MemberRole {
    /// Every role with the word it is written as.
    pub const WIRE_NAMES: &[(&'static str, Self)] =
        &[("viewer", Self::Viewer), ("approver", Self::Approver), ("admin", Self::Admin)];

    /// Whether a member of this role may do it.
    pub fn may(self, action: AccessAction) -> bool {
        let least = match action {
            AccessAction::View => Self::Viewer,
            AccessAction::Review | AccessAction::Export => Self::Approver,
            AccessAction::Administer => Self::Admin,
        };
        self >= least
    }

    /// The word it is written as.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Approver => "approver",
            Self::Admin => "admin",
        }
    }
}

/// The title of a member, which decides what the member may approve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MemberTitle {
    /// A manager.
    Manager,
    /// The head of a department.
    DepartmentHead,
    /// Of the legal department.
    Legal,
    /// Of the finance department.
    Finance,
    /// An executive.
    Executive,
    /// A member of the board.
    Board,
}

impl MemberTitle {
    /// Every title with the word it is written as.
    pub const WIRE_NAMES: &[(&'static str, Self)] = &[
        ("manager", Self::Manager),
        ("department_head", Self::DepartmentHead),
        ("legal", Self::Legal),
        ("finance", Self::Finance),
        ("executive", Self::Executive),
        ("board", Self::Board),
    ];

    /// The word it is written as.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Manager => "manager",
            Self::DepartmentHead => "department_head",
            Self::Legal => "legal",
            Self::Finance => "finance",
            Self::Executive => "executive",
            Self::Board => "board",
        }
    }

    /// Its label.
    pub const fn label(self) -> Phrase {
        match self {
            Self::Manager => approval::manager(),
            Self::DepartmentHead => approval::department_head(),
            Self::Legal => approval::legal(),
            Self::Finance => approval::finance(),
            Self::Executive => approval::executive(),
            Self::Board => approval::board(),
        }
    }

    pub(crate) fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        reader.choice(Self::WIRE_NAMES)
    }
}

/// A member of a tenant: the field [`MEMBER_FIELD`] of the records that add and remove it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Member {
    /// The member's name: a given id.
    pub name: String,
    /// The role, which decides the permitted actions.
    pub role: MemberRole,
    /// The titles, which decide what the member may approve.
    pub titles: BTreeSet<MemberTitle>,
}

/// The name of the field that `member.added` and `member.removed` commit to.
pub const MEMBER_FIELD: &str = "member";

impl Member {
    /// Reads the canonical bytes of the field.
    ///
    /// # Errors
    /// Every fault in them; another spelling.
    pub fn parse(bytes: &[u8]) -> Result<Self, Refused> {
        let member = decode::request(bytes, Self::read)?;
        // Commitments are over bytes, so a member has one spelling. A duplicate title
        // is lost in the set, and so differs here as well.
        if member.bytes()? == bytes {
            return Ok(member);
        }
        Err(Fault::new("canonical", "$", expected::canonical_json(), found::another_spelling())
            .into())
    }

    /// The canonical bytes of the field.
    ///
    /// # Errors
    /// A name that the format does not have; a viewer with a title.
    pub fn bytes(&self) -> Result<Vec<u8>, Refused> {
        let bytes = canon::bytes(self)?;
        // The fields are public, so a value may break the rules: the reader of the format decides.
        decode::request(&bytes, Self::read).map(|_| bytes)
    }

    pub(crate) fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        let mut fields = reader.object()?;
        let name = fields.required("name", name::read);
        let role = fields.required("role", |role| role.choice(MemberRole::WIRE_NAMES));
        let titles = fields.required("titles", |list| list.list(MemberTitle::read));
        fields.done()?;
        let member = Self { name: name?, role: role?, titles: titles?.into_iter().collect() };
        if !member.role.may(AccessAction::Review) && !member.titles.is_empty() {
            let expected = expected::no_title_a_viewer_approves_nothing();
            let path = reader.member("titles");
            return reader.push(Fault::new("title", path, expected, words(&member.titles)));
        }
        Some(member)
    }
}

/// The members of a tenant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TenantMembers {
    known: BTreeMap<String, Member>,
}

impl TenantMembers {
    /// Adds a member.
    ///
    /// # Errors
    /// A member has that name, or one that a reader could take for it.
    pub fn add(&mut self, member: Member) -> Result<(), MembershipError> {
        // The map compares names by their bytes; a look-alike must not become a second person.
        if let Some(known) =
            self.iter().find(|one| name::is_confusable_with(&one.name, &member.name))
        {
            let (name, known) = (quote(&member.name), quote(&known.name));
            let taken =
                if name == known { name } else { format!("{name}, which reads as {known}") };
            return Err(MembershipError::Taken(taken));
        }
        self.known.insert(member.name.clone(), member);
        Ok(())
    }

    /// Removes a member.
    ///
    /// # Errors
    /// No member has that name; the last admin: without one, any holder of a key could do anything.
    pub fn remove(&mut self, name: &str) -> Result<Member, MembershipError> {
        let Some(member) = self.named(name).cloned() else {
            return Err(MembershipError::Unknown(quote(name)));
        };
        let admins = self.iter().filter(|one| one.role == MemberRole::Admin).count();
        if member.role == MemberRole::Admin && admins == 1 {
            return Err(MembershipError::LastAdmin(quote(&member.name)));
        }
        // By the name that it was added under: `name` may be another spelling.
        self.known.remove(&member.name);
        Ok(member)
    }

    /// The member of a name, in any case and with any punctuation; one that only
    /// looks like it is a stranger's.
    pub fn named(&self, name: &str) -> Option<&Member> {
        self.known.get(name).or_else(|| self.iter().find(|one| name::is_spelling(&one.name, name)))
    }

    /// Whether there is an admin: until then, every writer can add members.
    pub fn has_admin(&self) -> bool {
        self.iter().any(|one| one.role.may(AccessAction::Administer))
    }

    /// The members, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Member> {
        self.known.values()
    }
}

/// Why the members were not changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MembershipError {
    /// The name is a member's.
    Taken(String),
    /// No member has this name.
    Unknown(String),
    /// At least one admin must remain.
    LastAdmin(String),
}

impl MembershipError {
    /// Why, as a person reads it.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Taken(name) => error::member_already(name),
            Self::Unknown(name) => error::not_a_member(name),
            Self::LastAdmin(name) => error::last_admin(name),
        }
    }
}

dalil_phrasebook::spoken_error!(MembershipError);

/// Refuses a non-member, or a member whose role does not allow it.
///
/// # Errors
/// `not_a_member` or `role`, at `path`.
pub fn allow<'m>(
    members: &'m TenantMembers,
    name: &str,
    action: AccessAction,
    path: &str,
) -> Result<&'m Member, Fault> {
    let Some(member) = members.named(name) else {
        return Err(Fault::new(
            "not_a_member",
            path,
            expected::a_member_of_the_tenant(),
            quoted(name),
        )
        .hint(hint::add_a_member()));
    };
    if member.role.may(action) {
        return Ok(member);
    }
    // The roles are listed in ascending order, so the first that may is the least.
    let least = MemberRole::WIRE_NAMES
        .iter()
        .find(|(_, role)| role.may(action))
        .map_or("", |(word, _)| word);
    let found = found::member_with_role(quote(&member.name), member.role.as_str());
    Err(Fault::new("role", path, expected::the_role_or_above(least), found))
}

/// Titles as a person reads them.
pub(crate) fn words(titles: &BTreeSet<MemberTitle>) -> Phrase {
    if titles.is_empty() {
        return approval::no_title();
    }
    Phrase::verbatim(titles.iter().map(|title| title.as_str()).collect::<Vec<_>>().join(", "))
}
