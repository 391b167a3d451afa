//! Taking values from bytes that may be anything.

use std::ops::Range;

use super::DocumentDecodeError;
use crate::document::{
    BlockKind, BlockLocation, DocumentBlock, DocumentTable, HiddenText, TableCell, TableRow,
};

/// The unread rest of some bytes.
#[derive(Debug)]
pub(super) struct DocumentDecoder<'b> {
    left: &'b [u8],
    /// How many headings may still be copied, so that few bytes cannot ask for many.
    copies: usize,
}

impl<'b> DocumentDecoder<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { left: bytes, copies: MAX_HEADING_COPY_BYTES }
    }

    /// The next byte, which stays.
    pub(super) fn peek(&self) -> Option<u8> {
        self.left.first().copied()
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        let (first, left) = self.left.split_first()?;
        self.left = left;
        Some(*first)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, left) = self.left.split_first_chunk::<N>()?;
        self.left = left;
        Some(*first)
    }

    pub(super) fn number(&mut self) -> Option<usize> {
        let mut number = 0_u64;
        // Nine groups of seven bits: a tenth would not fit.
        for shift in (0..=56).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return usize::try_from(number).ok();
            }
        }
        None
    }

    fn small(&mut self) -> Option<u32> {
        self.number().and_then(|number| u32::try_from(number).ok())
    }

    pub(super) fn text(&mut self) -> Option<&'b str> {
        let length = self.number()?;
        let (text, left) = self.left.split_at_checked(length)?;
        self.left = left;
        std::str::from_utf8(text).ok()
    }

    /// A text that may be absent.
    pub(super) fn option(&mut self) -> Result<Option<String>, DocumentDecodeError> {
        match self.byte() {
            Some(0) => Ok(None),
            Some(1) => self.text().map(|text| Some(text.to_owned())).ok_or(DocumentDecodeError),
            Some(_) | None => Err(DocumentDecodeError),
        }
    }

    /// A block, after the one before it.
    pub(super) fn block(&mut self, before: Option<&DocumentBlock>) -> Option<DocumentBlock> {
        let kind = match (self.byte()?, self.byte()?) {
            (0, level) => BlockKind::Heading(level),
            (1, 0) => BlockKind::Paragraph,
            (2, 0) => BlockKind::Item,
            (3, 0) => BlockKind::Row,
            (4, 0) => BlockKind::Quote,
            (5, 0) => BlockKind::Code,
            _ => return None,
        };
        // A distance from the block before cannot be negative: blocks are in order and apart.
        let start = before.map_or(0, |block| block.end).checked_add(self.number()?)?;
        let end = start.checked_add(self.number()?)?;
        let page = Some(self.small()?).filter(|page| *page > 0);
        let above = before.map_or(&[][..], |block| &block.headings);
        let headings = self.headings(above)?;
        let place = self.place()?;
        let lead = self.number()?.checked_sub(1);
        let hidden = match self.number()?.checked_sub(1) {
            Some(reason) => Some(*HiddenText::ALL.get(reason)?),
            None => None,
        };
        let row = match self.byte()? {
            0 => None,
            1 => Some(self.row()?),
            _ => return None,
        };
        Some(DocumentBlock { kind, start, end, page, headings, place, lead, row, hidden })
    }

    fn row(&mut self) -> Option<TableRow> {
        let table = self.number()?;
        let is_header = match self.byte()? {
            0 => false,
            1 => true,
            _ => return None,
        };
        let mut cells = Vec::new();
        for _ in 0..self.number()? {
            let (column, start) = (self.number()?, self.number()?);
            cells.push(TableCell { column, start, end: start.checked_add(self.number()?)? });
        }
        Some(TableRow { table, is_header, cells })
    }

    pub(super) fn tables(&mut self) -> Option<Vec<DocumentTable>> {
        let mut tables = Vec::new();
        for _ in 0..self.number()? {
            let mut columns = Vec::new();
            for _ in 0..self.number()? {
                columns.push(self.text()?.to_owned());
            }
            tables.push(DocumentTable { columns, caption: self.option().ok()? });
        }
        Some(tables)
    }

    /// Parts of a text, in order and apart.
    pub(super) fn parts(&mut self, text: &str) -> Option<Vec<Range<usize>>> {
        let mut parts = Vec::new();
        let mut at = 0_usize;
        for _ in 0..self.number()? {
            let start = at.checked_add(self.number()?)?;
            at = start.checked_add(self.number()?)?;
            text.get(start..at)?;
            parts.push(start..at);
        }
        Some(parts)
    }

    fn headings(&mut self, above: &[String]) -> Option<Vec<String>> {
        let shared = above.get(..self.number()?)?;
        let bytes: usize = shared.iter().map(String::len).sum();
        self.copies = self.copies.checked_sub(bytes)?;
        let mut headings = shared.to_vec();
        for _ in 0..self.number()? {
            headings.push(self.text()?.to_owned());
        }
        (headings.len() <= MAX_HEADING_DEPTH).then_some(headings)
    }

    fn place(&mut self) -> Option<BlockLocation> {
        match self.byte()? {
            0 => {
                let start = self.number()?;
                Some(BlockLocation::Bytes { start, end: start.checked_add(self.number()?)? })
            }
            1 => {
                let mut edges = [0.0; 4];
                for edge in &mut edges {
                    *edge = f32::from_le_bytes(self.array()?);
                }
                Some(BlockLocation::Area { edges })
            }
            2 => Some(BlockLocation::Paragraph(self.small()?)),
            3 => Some(BlockLocation::Row { sheet: self.small()?, row: self.small()? }),
            4 => {
                let part = self.small()?;
                let start = self.number()?;
                Some(BlockLocation::Part { part, start, end: start.checked_add(self.number()?)? })
            }
            _ => None,
        }
    }
}

/// A path has as many headings as a format has levels, and a document some hundred bytes of them
/// to a block.
const MAX_HEADING_DEPTH: usize = 64;
const MAX_HEADING_COPY_BYTES: usize = 512 << 20;
