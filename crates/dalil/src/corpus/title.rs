//! The titles of documents.

use dalil_documents::document::{BlockKind, ParsedDocument};

/// The title that a document gives itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DocumentTitle {
    /// What names the document.
    pub(crate) id: String,
    /// In small letters, with single spaces.
    pub(crate) title: String,
}

/// Returns the title of a document, or its first heading; in small letters, single spaces.
pub(super) fn title(document: &ParsedDocument) -> Option<String> {
    let heading = || {
        let is_heading = |kind: BlockKind| matches!(kind, BlockKind::Heading(_));
        let block = document.blocks.iter().find(|block| is_heading(block.kind))?;
        document.text.get(block.start..block.end)
    };
    let title = document.title.as_deref().or_else(heading)?;
    let title = title.trim_start_matches(['#', ' ']);
    Some(title.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase())
}
