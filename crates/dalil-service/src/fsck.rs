//! Checking a whole store, even one that does not open.

use dalil_store::fsck::{FsckEvent, FsckFinding, FsckListener, FsckOptions, FsckStatus};
use dalil_store::{Error, ErrorKind, Store};

use crate::operation::OperationFailure;

/// Checks a store that was opened, or reports why it could not be.
///
/// A store that is too damaged to open is a finding; one that does not answer is an error.
///
/// # Errors
/// The catalog or the lake does not answer.
pub async fn fsck(
    opened: Result<Store, Error>,
    options: FsckOptions,
    tell: FsckListener<'_>,
) -> Result<FsckStatus, OperationFailure> {
    let store = match opened {
        Ok(store) => store,
        // The question is whether the store is sound: damage is an answer, not a failure to answer.
        Err(error) if error.kind == ErrorKind::Damaged => {
            let (part, verdict, message) = ("database", FsckStatus::Fail, error.to_string());
            tell(FsckEvent::Finding(FsckFinding {
                part,
                verdict,
                tenant: None,
                index: None,
                message,
            }));
            return Ok(verdict);
        }
        Err(error) => return Err(error.into()),
    };
    let verdict = store.fsck(options, tell).await?;
    store.close().await?;
    Ok(verdict)
}
