//! What is approved: said exactly, so that an approval fits nothing else.

use dalil_core::access::{self, Action, Member, Members, same_name};
use dalil_core::approval::{self, Need};
use dalil_core::canon;
use dalil_core::class::{Approval as Class, Sensitivity};
use dalil_core::digest::Digest;
use dalil_core::erasure::LegalBasis;
use dalil_core::fault::{Fault, quote};
use dalil_core::hold::Scope;
use dalil_core::json::MAX_INTEGER;
use dalil_core::ledger::request::Language;
use dalil_core::read::{self, Fields, Reader};
use dalil_store::Tenant;
use serde::Serialize;

use super::super::export::{Format, Subject};
use super::super::{Failure, erase, pack, session};

/// What somebody wants to do, as a request says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// To export a pack or a ledger.
    Export {
        /// What leaves.
        subject: Subject,
        /// In which form.
        format: Format,
        /// In which language, where the form has one.
        language: Language,
        /// Why.
        reason: String,
        /// The digest of what was looked at, if the request holds it to that.
        content: Option<Digest>,
    },
    /// To export the trail.
    Trail {
        /// From this record on.
        from: u64,
        /// Without these fields.
        withhold: Vec<String>,
        /// Why.
        reason: String,
    },
    /// To erase payloads.
    Erase {
        /// Which.
        scope: Scope,
        /// On which basis.
        legal_basis: LegalBasis,
        /// Only these records; empty for all that may be erased.
        records: Vec<u64>,
    },
}

/// What is approved. Two are the same if their canonical JSON is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum Matter {
    /// That a pack leaves.
    ExportPack(Leaving),
    /// That the ledger of a session leaves.
    ExportLedger(Leaving),
    /// That the trail leaves.
    ExportTrail {
        /// From this record on.
        from: u64,
        /// Why.
        reason: String,
        /// Without these fields, in order.
        withhold: Vec<String>,
    },
    /// That payloads are destroyed.
    Erase {
        /// On which basis.
        legal_basis: LegalBasis,
        /// Only these records, in order; empty for all of the scope that may be erased.
        records: Vec<u64>,
        /// Which.
        scope: Scope,
    },
}

/// A pack or a ledger that leaves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Leaving {
    /// The digest of its canonical JSON: another ledger of the session is another matter.
    content: Digest,
    format: Format,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'static str>,
    object: String,
    reason: String,
}

impl Matter {
    /// The word for what is to be done.
    pub const fn action(&self) -> &'static str {
        match self {
            Self::ExportPack(_) => "export_pack",
            Self::ExportLedger(_) => "export_ledger",
            Self::ExportTrail { .. } => "export_trail",
            Self::Erase { .. } => "erase",
        }
    }

    /// Its canonical JSON.
    pub(super) fn bytes(&self) -> Result<Vec<u8>, Failure> {
        Ok(canon::bytes(self)?)
    }

    /// What it is found by.
    pub(super) fn digest(&self) -> Result<String, Failure> {
        Ok(canon::digest(self)?.to_string())
    }
}

/// Who may do something, and whose approval it needs.
pub(in super::super) struct Terms {
    /// What the records of it are about.
    pub(in super::super) subject: String,
    /// What the role of an approver must allow.
    pub(in super::super) role: Action,
    /// Whose approval, and how many.
    pub(in super::super) need: Need,
    /// What the role of whoever does it must allow.
    pub(super) doer: Action,
    /// The agent whose work it is.
    pub(super) agent: Option<String>,
}

impl Terms {
    /// Refuses a member who may not approve it.
    pub(super) fn may_approve<'m>(
        &self,
        members: &'m Members,
        name: &str,
    ) -> Result<&'m Member, Fault> {
        let agent = self.agent.as_deref();
        if agent.is_some_and(|agent| same_name(agent, name)) {
            let expected = "somebody who is not the agent";
            return Err(Fault::new("self_approval", "actor", expected, quote(name)));
        }
        let member = access::allow(members, name, self.role, "actor")?;
        approval::allow(self.need.class, &member.name, &member.titles, "actor")?;
        Ok(member)
    }

    /// Who approves it, as a person reads it.
    pub(super) const fn wanted(&self) -> &'static str {
        match self.role {
            Action::Administer => "an admin",
            Action::View | Action::Review | Action::Export => approval::wanted(self.need.class),
        }
    }
}

/// Looks at what is asked for: what exactly it is, and what it needs.
///
/// # Errors
/// It is not there, has no such form, or is not any more what the request names.
pub(in super::super) async fn resolve(
    tenant: &Tenant,
    asked: &Asked,
) -> Result<(Matter, Terms), Failure> {
    match asked {
        Asked::Export { subject, format, language, reason, content } => {
            subject.has(*format)?;
            let (found, sensitivity, agent) = looked(tenant, subject).await?;
            if let Some(content) = content.filter(|content| *content != found) {
                let fault = Fault::new("changed", "content", format!("`{found}`"), content);
                return Err(fault.hint("it is not what was asked for any more: ask again").into());
            }
            let language = format.has_language().then(|| language.pick("en", "ar"));
            let (object, reason) = (subject.id().to_owned(), reason.clone());
            let leaving = Leaving { content: found, format: *format, language, object, reason };
            let matter = match subject {
                Subject::Pack(_) => Matter::ExportPack(leaving),
                Subject::Ledger(_) => Matter::ExportLedger(leaving),
            };
            let need = approval::export_need(sensitivity);
            let terms = Terms { need, agent, ..Terms::leaving(subject.id()) };
            Ok((matter, terms))
        }
        Asked::Trail { from, withhold, reason } => {
            let mut withhold = withhold.clone();
            withhold.sort();
            withhold.dedup();
            let matter = Matter::ExportTrail { from: *from, reason: reason.clone(), withhold };
            Ok((matter, Terms::leaving(tenant.origin())))
        }
        Asked::Erase { scope, legal_basis, records } => {
            let mut records = records.clone();
            records.sort_unstable();
            records.dedup();
            let subject = erase::subject(scope);
            let matter = Matter::Erase { legal_basis: *legal_basis, records, scope: scope.clone() };
            let (role, doer) = (Action::Administer, Action::Administer);
            let need = Need::of(Class::A0, 0);
            Ok((matter, Terms { role, doer, need, ..Terms::leaving(&subject) }))
        }
    }
}

impl Terms {
    fn leaving(subject: &str) -> Self {
        Self {
            subject: subject.to_owned(),
            role: Action::Export,
            need: approval::export_need(Sensitivity::S2),
            doer: Action::View,
            agent: None,
        }
    }
}

/// The digest of a pack or a ledger, how sensitive it is, and the agent whose work it is.
async fn looked(
    tenant: &Tenant,
    subject: &Subject,
) -> Result<(Digest, Sensitivity, Option<String>), Failure> {
    match subject {
        Subject::Pack(id) => {
            let pack = pack::content(tenant, &pack::find(tenant, id).await?).await?;
            let agent = Some(pack.agent_name.clone());
            Ok((canon::digest(&pack)?, pack.classes.sensitivity, agent))
        }
        Subject::Ledger(id) => {
            let (_, ledger, _) = session::closed(tenant, id).await?;
            Ok((canon::digest(&ledger)?, Sensitivity::S2, None))
        }
    }
}

/// Reads what somebody wants to do.
///
/// `{"action":"export_pack"|"export_ledger","object","format","language"?,"reason","content"?}`,
/// `{"action":"export_trail","from"?,"withhold"?,"reason"}` or
/// `{"action":"erase","scope","legal_basis","records"?}`.
pub fn asked(reader: Reader<'_, '_>) -> Option<Asked> {
    let mut fields = reader.object()?;
    let action = fields.required("action", |word| word.choice(ACTIONS))?;
    let asked = match action {
        Word::Pack => export(&mut fields, Subject::Pack),
        Word::Ledger => export(&mut fields, Subject::Ledger),
        Word::Trail => {
            let from = fields.or("from", 0, |at| at.whole(0..=MAX_INTEGER));
            let withhold = fields.or("withhold", Vec::new(), |list| list.list(read::filled));
            let reason = fields.required("reason", read::place);
            from.zip(withhold).zip(reason).map(|((from, withhold), reason)| Asked::Trail {
                from,
                withhold,
                reason,
            })
        }
        Word::Erase => {
            let scope = fields.required("scope", |scope| scope.parsed("scope", Scope::EXPECTED));
            let basis = fields.required("legal_basis", |word| word.choice(LegalBasis::WORDS));
            let index = |index: Reader<'_, '_>| index.whole(0..=MAX_INTEGER);
            let records = fields.or("records", Vec::new(), |list| list.list(index));
            scope.zip(basis).zip(records).map(|((scope, legal_basis), records)| Asked::Erase {
                scope,
                legal_basis,
                records,
            })
        }
    };
    fields.done()?;
    asked
}

fn export(fields: &mut Fields<'_, '_>, subject: fn(String) -> Subject) -> Option<Asked> {
    let object = fields.required("object", read::label);
    let format = fields.required("format", |word| word.choice(Format::WORDS));
    let language = fields.or("language", Language::English, |word| word.choice(LANGUAGES));
    let reason = fields.required("reason", read::place);
    let content = fields.optional("content", read::digest);
    Some(Asked::Export {
        subject: subject(object?),
        format: format?,
        language: language?,
        reason: reason?,
        content: content?,
    })
}

#[derive(Clone, Copy)]
enum Word {
    Pack,
    Ledger,
    Trail,
    Erase,
}

const ACTIONS: &[(&str, Word)] = &[
    ("export_pack", Word::Pack),
    ("export_ledger", Word::Ledger),
    ("export_trail", Word::Trail),
    ("erase", Word::Erase),
];
const LANGUAGES: &[(&str, Language)] = &[("en", Language::English), ("ar", Language::Arabic)];
