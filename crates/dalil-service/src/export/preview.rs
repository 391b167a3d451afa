//! A preview of the file that an export of a pack would be, before its approval.
//!
//! A preview is no evidence: signatures, receipts and the bytes of pages stay inside. Nothing is
//! recorded, since nothing leaves. The pages and the archive include every version and documents:
//! the caller must be allowed to see those too.

use dalil_phrasebook::Language;
use dalil_proof::canon;
use dalil_proof::time::Time;
use dalil_render::zip;
use dalil_store::{Error, Tenant};

use super::format::{ExportFormat, ExportSubject, no_form};
use super::{ExportRequest, rendered};
use crate::approval::ApprovalBasis;
use crate::operation::OperationFailure;
use crate::pack;

#[cfg(test)]
mod tests;

/// The content of a file, for display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExportPreview {
    /// Pages, as PDF: to be drawn, and not to be given away.
    Pages(Vec<u8>),
    /// A text for people.
    Text(String),
    /// The pack for programs, without its signature and proof: canonical JSON.
    Content(Vec<u8>),
    /// The names of the files in an archive, and how many bytes each has.
    Files(Vec<(String, usize)>),
}

/// A look at a pack in a form and a language.
///
/// # Errors
/// There is no such pack, it is damaged, or packs do not have the form.
pub async fn preview(
    tenant: &Tenant,
    pack_id: &str,
    (format, language): (ExportFormat, Language),
    (verify_url, at): (Option<String>, Time),
) -> Result<ExportPreview, OperationFailure> {
    let subject = ExportSubject::Pack(pack_id.to_owned());
    subject.has(format)?;
    if matches!(format, ExportFormat::Json | ExportFormat::Sealed | ExportFormat::InToto) {
        let draft = pack::content(tenant, &pack::find(tenant, pack_id).await?).await?;
        return Ok(ExportPreview::Content(canon::bytes(&draft)?));
    }
    let (approved, reason) = (ApprovalBasis::Given, String::new());
    let export = ExportRequest { subject, format, language, approved, reason, verify_url };
    let (_, bytes) = rendered(tenant, &export, at).await?;
    match format {
        #[cfg(feature = "pdf")]
        ExportFormat::Pdf => Ok(ExportPreview::Pages(bytes)),
        ExportFormat::Archive => {
            let files = zip::read(&bytes).map_err(|error| {
                Error::damaged("look into an archive", "the bytes that were made")
                    .saw("an archive", error.why.message().english().to_owned())
            })?;
            let sizes = files.iter().map(|(name, bytes)| (name.clone(), bytes.len()));
            Ok(ExportPreview::Files(sizes.collect()))
        }
        ExportFormat::Markdown => {
            Ok(ExportPreview::Text(String::from_utf8_lossy(&bytes).into_owned()))
        }
        ExportFormat::Json
        | ExportFormat::Sealed
        | ExportFormat::InToto
        | ExportFormat::Sarif
        | ExportFormat::Junit
        | ExportFormat::Ledger => Err(no_form(&export.subject).into()),
    }
}
