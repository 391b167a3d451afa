//! The exact action that is approved, so that an approval fits no other.

use dalil_evidence::access::{self, AccessAction, Member, TenantMembers};
use dalil_evidence::approval::{self, ApprovalQuorum};
use dalil_evidence::decision_class::SensitivityClass;
use dalil_evidence::name::is_confusable_with;
use dalil_phrasebook::{Language, Phrase, found, hint, precondition};
use dalil_proof::canon;
use dalil_proof::decode::{self, JsonFields, JsonReader};
use dalil_proof::digest::Digest;
use dalil_proof::erasure::LegalBasis;
use dalil_proof::fault::{Fault, quoted};
use dalil_proof::hold::RecordScope;
use dalil_proof::json::MAX_INTEGER;
use dalil_store::Tenant;
use serde::Serialize;

use crate::erase::scope;
use crate::export::format::{ExportFormat, ExportSubject};
use crate::operation::OperationFailure;
use crate::{pack, session};

/// The requested action, as a request describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApprovalRequest {
    /// To export a pack or a ledger.
    Export {
        /// What leaves.
        subject: ExportSubject,
        /// In which form.
        format: ExportFormat,
        /// In which language, where the form has one.
        language: Language,
        /// Why.
        reason: String,
        /// The expected digest of the object, if the request has one.
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
        scope: RecordScope,
        /// On which basis.
        legal_basis: LegalBasis,
        /// Only these records; empty for all that may be erased.
        records: Vec<u64>,
    },
}

/// The exact action to approve. Two are equal if their canonical JSON is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum ApprovableAction {
    /// That a pack leaves.
    ExportPack(ApprovableExport),
    /// That the ledger of a session leaves.
    ExportLedger(ApprovableExport),
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
        scope: RecordScope,
    },
}

/// A pack or a ledger that leaves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ApprovableExport {
    /// The digest of its canonical JSON: another ledger of the session is another matter.
    content: Digest,
    format: ExportFormat,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'static str>,
    object: String,
    reason: String,
}

impl ApprovableAction {
    /// The name of the action.
    pub const fn action(&self) -> &'static str {
        match self {
            Self::ExportPack(_) => "export_pack",
            Self::ExportLedger(_) => "export_ledger",
            Self::ExportTrail { .. } => "export_trail",
            Self::Erase { .. } => "erase",
        }
    }

    /// Its canonical JSON.
    pub(super) fn bytes(&self) -> Result<Vec<u8>, OperationFailure> {
        Ok(canon::bytes(self)?)
    }

    /// The digest by which it is found.
    pub(super) fn digest(&self) -> Result<String, OperationFailure> {
        Ok(canon::digest(self)?.to_string())
    }
}

/// Who may do something, and whose approval it needs.
pub(crate) struct ApprovalRequirement {
    /// The subject of its records.
    pub(crate) subject: String,
    /// The permission that an approver's role needs.
    pub(crate) role: AccessAction,
    /// Whose approval, and how many.
    pub(crate) need: ApprovalQuorum,
    /// The permission that the performer's role needs.
    pub(super) doer: AccessAction,
    /// The agent whose work it is.
    pub(super) agent: Option<String>,
}

impl ApprovalRequirement {
    /// Refuses a member who may not approve it.
    pub(super) fn may_approve<'m>(
        &self,
        members: &'m TenantMembers,
        name: &str,
    ) -> Result<&'m Member, Fault> {
        let agent = self.agent.as_deref();
        // An agent may have an account of a person with a name that looks the same.
        if agent.is_some_and(|agent| is_confusable_with(agent, name)) {
            let expected = precondition::somebody_who_is_not_the_agent();
            return Err(Fault::new("self_approval", "actor", expected, quoted(name)));
        }
        let member = access::allow(members, name, self.role, "actor")?;
        approval::allow(self.need.class, &member.name, &member.titles, "actor")?;
        Ok(member)
    }

    /// Who approves it, as a person reads it.
    pub(super) const fn wanted(&self) -> Phrase {
        match self.role {
            AccessAction::Administer => dalil_phrasebook::approval::an_admin(),
            AccessAction::View | AccessAction::Review | AccessAction::Export => {
                approval::wanted(self.need.class)
            }
        }
    }
}

/// Resolves a request: the exact action, and the approvals that it needs.
///
/// # Errors
/// The object does not exist, has no such form, or has changed since the request.
pub(crate) async fn resolve(
    tenant: &Tenant,
    asked: &ApprovalRequest,
) -> Result<(ApprovableAction, ApprovalRequirement), OperationFailure> {
    match asked {
        ApprovalRequest::Export { subject, format, language, reason, content } => {
            subject.has(*format)?;
            let (found, need, agent) = looked(tenant, subject).await?;
            // The approver's bytes and those of the export must be the same.
            if let Some(content) = content.filter(|content| *content != found) {
                let fault = Fault::new(
                    "changed",
                    "content",
                    found::value(found),
                    Phrase::verbatim(content),
                );
                return Err(fault
                    .hint(hint::it_is_not_what_was_asked_for_any_more_ask_again())
                    .into());
            }
            // A form without a language must be one matter, whatever language the request names.
            let language = format.has_language().then(|| language.tag());
            let (object, reason) = (subject.id().to_owned(), reason.clone());
            let leaving =
                ApprovableExport { content: found, format: *format, language, object, reason };
            let matter = match subject {
                ExportSubject::Pack(_) => ApprovableAction::ExportPack(leaving),
                ExportSubject::Ledger(_) => ApprovableAction::ExportLedger(leaving),
            };
            let terms =
                ApprovalRequirement { need, agent, ..ApprovalRequirement::leaving(subject.id()) };
            Ok((matter, terms))
        }
        ApprovalRequest::Trail { from, withhold, reason } => {
            let mut withhold = withhold.clone();
            // Equal sets must have equal canonical bytes, or an approval would not be found again.
            withhold.sort();
            withhold.dedup();
            let matter =
                ApprovableAction::ExportTrail { from: *from, reason: reason.clone(), withhold };
            Ok((matter, ApprovalRequirement::leaving(tenant.origin())))
        }
        ApprovalRequest::Erase { scope, legal_basis, records } => {
            let mut records = records.clone();
            records.sort_unstable();
            records.dedup();
            let subject = scope::lineage(scope);
            let matter = ApprovableAction::Erase {
                legal_basis: *legal_basis,
                records,
                scope: scope.clone(),
            };
            let (role, doer) = (AccessAction::Administer, AccessAction::Administer);
            let need = approval::ERASURE_NEED;
            Ok((
                matter,
                ApprovalRequirement { role, doer, need, ..ApprovalRequirement::leaving(&subject) },
            ))
        }
    }
}

impl ApprovalRequirement {
    fn leaving(subject: &str) -> Self {
        Self {
            subject: subject.to_owned(),
            role: AccessAction::Export,
            need: approval::export_need(SensitivityClass::S2),
            doer: AccessAction::View,
            agent: None,
        }
    }
}

/// The digest of a pack or a ledger, who must approve that it leaves, and the agent whose work it
/// is.
async fn looked(
    tenant: &Tenant,
    subject: &ExportSubject,
) -> Result<(Digest, ApprovalQuorum, Option<String>), OperationFailure> {
    match subject {
        ExportSubject::Pack(id) => {
            let pack = pack::content(tenant, &pack::find(tenant, id).await?).await?;
            let agent = Some(pack.agent_name.clone());
            let need = approval::export_need(pack.classes.sensitivity);
            Ok((canon::digest(&pack)?, need, agent))
        }
        ExportSubject::Ledger(id) => {
            let (_, ledger, _) = session::closed(tenant, id).await?;
            Ok((canon::digest(&ledger)?, approval::LEDGER_EXPORT_NEED, None))
        }
    }
}

/// Parses the requested action.
///
/// `{"action":"export_pack"|"export_ledger","object","format","language"?,"reason","content"?}`,
/// `{"action":"export_trail","from"?,"withhold"?,"reason"}` or
/// `{"action":"erase","scope","legal_basis","records"?}`.
pub fn asked(reader: JsonReader<'_, '_>) -> Option<ApprovalRequest> {
    let mut fields = reader.object()?;
    let action = fields.required("action", |word| word.choice(ACTION_NAMES))?;
    let asked = match action {
        ApprovableActionKind::Pack => export(&mut fields, ExportSubject::Pack),
        ApprovableActionKind::Ledger => export(&mut fields, ExportSubject::Ledger),
        ApprovableActionKind::Trail => {
            let from = fields.or("from", 0, |at| at.whole(0..=MAX_INTEGER));
            let withhold = fields.or("withhold", Vec::new(), |list| list.list(decode::filled));
            let reason = fields.required("reason", decode::place);
            from.zip(withhold)
                .zip(reason)
                .map(|((from, withhold), reason)| ApprovalRequest::Trail { from, withhold, reason })
        }
        ApprovableActionKind::Erase => {
            let scope =
                fields.required("scope", |scope| scope.parsed("scope", RecordScope::EXPECTED));
            let basis = fields.required("legal_basis", |word| word.choice(LegalBasis::WIRE_NAMES));
            let index = |index: JsonReader<'_, '_>| index.whole(0..=MAX_INTEGER);
            let records = fields.or("records", Vec::new(), |list| list.list(index));
            scope.zip(basis).zip(records).map(|((scope, legal_basis), records)| {
                ApprovalRequest::Erase { scope, legal_basis, records }
            })
        }
    };
    fields.done()?;
    asked
}

fn export(
    fields: &mut JsonFields<'_, '_>,
    subject: fn(String) -> ExportSubject,
) -> Option<ApprovalRequest> {
    let object = fields.required("object", decode::label);
    let format = fields.required("format", |word| word.choice(ExportFormat::WIRE_NAMES));
    let language = fields.or("language", Language::English, |word| word.choice(LANGUAGE_CODES));
    let reason = fields.required("reason", decode::place);
    let content = fields.optional("content", decode::digest);
    Some(ApprovalRequest::Export {
        subject: subject(object?),
        format: format?,
        language: language?,
        reason: reason?,
        content: content?,
    })
}

#[derive(Clone, Copy)]
enum ApprovableActionKind {
    Pack,
    Ledger,
    Trail,
    Erase,
}

const ACTION_NAMES: &[(&str, ApprovableActionKind)] = &[
    ("export_pack", ApprovableActionKind::Pack),
    ("export_ledger", ApprovableActionKind::Ledger),
    ("export_trail", ApprovableActionKind::Trail),
    ("erase", ApprovableActionKind::Erase),
];
const LANGUAGE_CODES: &[(&str, Language)] = &[("en", Language::English), ("ar", Language::Arabic)];
