//! Files that are attached to a PDF: those of its name tree of embedded files.

use hayro_syntax::Pdf;
use hayro_syntax::object::dict::keys::{EF, EMBEDDED_FILES, F, KIDS, LANG, NAMES, UF};
use hayro_syntax::object::{Array, Dict, Object, Stream};

use super::super::format::UnreadableFile;
use super::{refusal, text, unpack};

/// A file that is attached to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PdfAttachment {
    /// Its file name.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// The attachments of a PDF, and its metadata.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PdfAttachments {
    /// The files, in the order of its name tree.
    pub files: Vec<PdfAttachment>,
    /// The program that made its content.
    pub creator: String,
    /// The language of its text.
    pub language: String,
}

/// Reads the attachments of a PDF.
pub(in crate::formats) fn read(bytes: &[u8]) -> Result<PdfAttachments, UnreadableFile> {
    let pdf = Pdf::new(bytes.to_vec()).map_err(refusal)?;
    let root: Option<Dict<'_>> = pdf.xref().get(pdf.xref().root_id());
    let string = |string: hayro_syntax::object::String<'_>| text::decode(&string);
    let language = root.as_ref().and_then(|root| root.get(LANG)).map(string).unwrap_or_default();
    let creator = pdf.metadata().creator.as_deref().map(text::decode).unwrap_or_default();
    let tree = root.and_then(|root| root.get::<Dict<'_>>(NAMES)?.get::<Dict<'_>>(EMBEDDED_FILES));
    let mut found = AttachmentWalk { files: Vec::new(), nodes: 0, room: MAX_ATTACHED_BYTES };
    if let Some(tree) = tree {
        found.node(&tree, 0)?;
    }
    Ok(PdfAttachments { files: found.files, creator, language })
}

struct AttachmentWalk {
    files: Vec<PdfAttachment>,
    nodes: usize,
    room: usize,
}

impl AttachmentWalk {
    /// Walks a node of the tree; one that names itself below comes to its end too.
    fn node(&mut self, node: &Dict<'_>, depth: usize) -> Result<(), UnreadableFile> {
        self.nodes += 1;
        if self.nodes > MAX_NAME_TREE_NODES || depth > MAX_NAME_TREE_DEPTH {
            return Err(UnreadableFile::new(
                "expected a tree of attached files, found one without an end",
                None,
            ));
        }
        if let Some(names) = node.get::<Array<'_>>(NAMES) {
            // Keys and files alternate. The key is passed over, as the file has a name of its own.
            for file in names.iter::<Object<'_>>().filter_map(Object::into_dict) {
                self.file(&file)?;
            }
        }
        for kid in node.get::<Array<'_>>(KIDS).iter().flat_map(|kids| kids.iter::<Dict<'_>>()) {
            self.node(&kid, depth + 1)?;
        }
        Ok(())
    }

    fn file(&mut self, file: &Dict<'_>) -> Result<(), UnreadableFile> {
        let name = file.get::<hayro_syntax::object::String<'_>>(UF);
        let name = name.or_else(|| file.get(F)).map(|name| text::decode(&name));
        let held = file.get::<Dict<'_>>(EF);
        let stream = held.and_then(|held| held.get::<Stream<'_>>(F).or_else(|| held.get(UF)));
        let (Some(name), Some(stream)) = (name, stream) else { return Ok(()) };
        let bytes = unpack::stream(&stream, self.room).map_err(|_| {
            UnreadableFile::new(
                format!(
                    "expected attached files of at most {MAX_ATTACHED_BYTES} bytes, found others"
                ),
                None,
            )
        })?;
        self.room = self.room.saturating_sub(bytes.len());
        self.files.push(PdfAttachment { name, bytes: bytes.into_owned() });
        Ok(())
    }
}

/// The most that all attached files may hold.
const MAX_ATTACHED_BYTES: usize = 64 << 20;
const MAX_NAME_TREE_NODES: usize = 1000;
const MAX_NAME_TREE_DEPTH: usize = 16;
