//! Records of refused access.

use dalil_proof::canon;
use dalil_proof::fault::Fault;
use dalil_proof::record::RecordKind;
use dalil_store::Tenant;
use serde::Serialize;

use crate::operation::{OperationFailure, RecordAck, RequestContext, append, bytes, one};

/// The payload of an `access.refused` record.
#[derive(Serialize)]
struct AccessRefusedPayload<'r> {
    action: &'r str,
    message: &'r str,
    rule: &'r str,
}

/// Records that an actor was refused an action on a subject.
///
/// # Errors
/// The store does not take it.
pub async fn refused(
    tenant: &Tenant,
    subject: &str,
    action: &str,
    fault: &Fault,
    context: &RequestContext,
) -> Result<RecordAck, OperationFailure> {
    let refusal =
        AccessRefusedPayload { action, message: fault.message.english(), rule: fault.rule };
    let fields = vec![bytes("refusal", canon::bytes(&refusal)?)];
    let drafts = vec![context.draft(RecordKind::AccessRefused, subject, fields, Vec::new())];
    one(append(tenant, drafts, None).await?)
}
