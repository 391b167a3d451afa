//! Frames between a reader and its child: a kind, a length, and the bytes.

use std::io::{self, Read, Write};

/// The content of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SandboxFrameKind {
    /// The name of a file.
    Name,
    /// The name of a file whose attachments are wanted.
    Holder,
    /// The number of a page of which a picture is wanted.
    Page,
    /// Words that are looked for on a page.
    Quotation,
    /// The bytes of a file.
    Bytes,
    /// A document.
    Document,
    /// The end of the attachments, which came before it as names and bytes.
    Attached,
    /// A picture, in PNG.
    Picture,
    /// The places of words on a page.
    Quoted,
    /// Why there is none.
    Unreadable,
}

pub(crate) fn write(out: &mut impl Write, kind: SandboxFrameKind, bytes: &[u8]) -> io::Result<()> {
    let mut head = [0; 9];
    let (first, length) = head.split_at_mut(1);
    first.fill(kind.code());
    length.copy_from_slice(&(bytes.len() as u64).to_le_bytes());
    out.write_all(&head)?;
    out.write_all(bytes)?;
    out.flush()
}

/// The next frame; nothing at a clean end.
pub(crate) fn read(input: &mut impl Read) -> io::Result<Option<(SandboxFrameKind, Vec<u8>)>> {
    let mut first = [0; 1];
    // Only an end before the first byte of a frame is a clean one.
    if input.read(&mut first)? == 0 {
        return Ok(None);
    }
    let [code] = first;
    let wrong = || io::Error::from(io::ErrorKind::InvalidData);
    let kind = FRAME_KINDS.get(usize::from(code)).copied().ok_or_else(wrong)?;
    let mut length = [0; 8];
    input.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    if length > MAX_FRAME_BYTES {
        return Err(wrong());
    }
    // No memory is reserved for the length that is claimed: it grows with the bytes that come.
    let mut bytes = Vec::new();
    let taken = input.take(length).read_to_end(&mut bytes)?;
    if taken as u64 == length { Ok(Some((kind, bytes))) } else { Err(wrong()) }
}

impl SandboxFrameKind {
    /// The byte that it is written as: its place in [`FRAME_KINDS`].
    const fn code(self) -> u8 {
        match self {
            Self::Name => 0,
            Self::Holder => 1,
            Self::Page => 2,
            Self::Quotation => 3,
            Self::Bytes => 4,
            Self::Document => 5,
            Self::Attached => 6,
            Self::Picture => 7,
            Self::Quoted => 8,
            Self::Unreadable => 9,
        }
    }
}

const FRAME_KINDS: [SandboxFrameKind; 10] = [
    SandboxFrameKind::Name,
    SandboxFrameKind::Holder,
    SandboxFrameKind::Page,
    SandboxFrameKind::Quotation,
    SandboxFrameKind::Bytes,
    SandboxFrameKind::Document,
    SandboxFrameKind::Attached,
    SandboxFrameKind::Picture,
    SandboxFrameKind::Quoted,
    SandboxFrameKind::Unreadable,
];
/// No file that is read, and no document, is larger.
const MAX_FRAME_BYTES: u64 = 512 << 20;
