//! Messages: sender, recipients, time and body.
//!
//! A plain body is preferred to the same in HTML, if it is the same. A message inside a message is
//! read too, to a small depth. Attachments are not opened; each is a problem.

use std::ops::Range;

use dalil_evidence::ledger::request::DocumentDate;
use dalil_phrasebook::{document_note, document_place};
use dalil_proof::fault::quote;
use mail_parser::{
    Address, DateTime, Message, MessageParser, MessagePart, MimeHeaders as _, PartType,
};

use super::format::UnreadableFile;
use super::outline::DocumentBuilder;
use super::text::{PlainTextPiece, pieces};
use super::{DocumentDraft, html, unseen};
use crate::document::{BlockKind, BlockLocation, HiddenText};

pub(super) fn read(bytes: &[u8]) -> Result<DocumentDraft, UnreadableFile> {
    // `mail-parser` recurses into messages, so hostile nesting is refused before it parses.
    let nested = count(bytes, b"message/") + count(bytes, b"multipart/digest");
    if nested > MAX_NESTED_MESSAGES {
        let found =
            format!("expected at most {MAX_NESTED_MESSAGES} messages inside one, found {nested}");
        return Err(UnreadableFile::new(found, None));
    }
    let Some(message) = MessageParser::default().parse(bytes) else {
        return Err(UnreadableFile::new("expected a message, found no header", None));
    };
    let mut letter = EmlReader::default();
    letter.write(&message, 0);
    let title = message.subject().map(str::to_owned);
    let date = message.date().and_then(moment);
    Ok(DocumentDraft { title, date, ..DocumentDraft::written(letter.sheet) })
}

#[derive(Debug, Default)]
struct EmlReader {
    sheet: DocumentBuilder,
    part: u32,
}

impl EmlReader {
    fn write(&mut self, message: &Message<'_>, depth: u8) {
        let head = head(message);
        self.part += 1;
        let place = BlockLocation::Part { part: self.part, start: 0, end: head.len() };
        self.sheet.push(BlockKind::Paragraph, &head, place);
        self.bodies(message);
        for part in &message.parts {
            self.beside(message, part, depth);
        }
    }

    /// A plain body with the same words as the page beside it is read in its place. If the
    /// words differ, a mail program shows the page: the page is read, and the rest is marked as
    /// hidden.
    fn bodies(&mut self, message: &Message<'_>) {
        let parts = |ids: &[u32]| ids.iter().filter_map(|id| message.part(*id)).collect::<Vec<_>>();
        let (plain, shown) = (parts(&message.text_body), parts(&message.html_body));
        let page: String = shown.iter().filter_map(|part| visible(part)).collect();
        // A hostile message shows a person one text and gives a program another.
        let other = |part: &&MessagePart<'_>| {
            let PartType::Text(text) = &part.body else { return false };
            pieces(text).iter().any(|piece| !is_in(piece, text, &page))
        };
        let differs = !page.is_empty() && plain.iter().any(other);
        for part in if differs { &shown } else { &plain } {
            self.body(part);
        }
        for part in plain.iter().filter(|_| differs) {
            let PartType::Text(text) = &part.body else { continue };
            self.part += 1;
            let number = self.part;
            for piece in pieces(text).into_iter().filter(|piece| !is_in(piece, text, &page)) {
                let PlainTextPiece::Block(_, Range { start, end }) = piece else { continue };
                let words = text.get(start..end).unwrap_or_default().replace("\r\n", "\n");
                let place = BlockLocation::Part { part: number, start, end };
                let block = self.sheet.push(BlockKind::Paragraph, &words, place);
                block
                    .into_iter()
                    .for_each(|block| block.hidden = Some(HiddenText::UnshownAlternative));
            }
        }
    }

    fn body(&mut self, part: &MessagePart<'_>) {
        self.part += 1;
        let number = self.part;
        if part.is_encoding_problem {
            let place = document_place::part(number);
            self.sheet.problem(Some(&place), &document_note::encoding_damaged());
        }
        let place = |start, end| BlockLocation::Part { part: number, start, end };
        match &part.body {
            PartType::Text(text) => self.plain(text, &place),
            PartType::Html(page) => {
                html::write(page, &mut self.sheet, &mut |at| at, &place);
            }
            PartType::Binary(_)
            | PartType::InlineBinary(_)
            | PartType::Message(_)
            | PartType::Multipart(_) => {}
        }
    }

    fn plain(&mut self, text: &str, place: &dyn Fn(usize, usize) -> BlockLocation) {
        // Mail programs show the text as it is: a reader sees as much of it as of a text file.
        let mut end = 0;
        let mut is_far = false;
        for piece in pieces(text) {
            let PlainTextPiece::Block(kind, range) = piece else { continue };
            let words = text.get(range.clone()).unwrap_or_default();
            // Lines of an earlier message begin so (RFC 3676, 4.5).
            let kind = if words.starts_with('>') { BlockKind::Quote } else { kind };
            let gap = text.get(end..range.start).unwrap_or_default();
            is_far |= end > 0 && gap.matches('\n').count() > unseen::MAX_BLANK_LINES;
            end = range.end;
            let reason = if unseen::is_steered(words) {
                Some(HiddenText::InvisibleCharacters)
            } else {
                (is_far || unseen::is_beside(words)).then_some(HiddenText::OutsidePage)
            };
            // Lines end with both signs on the wire; the place counts them, the text has one.
            let words = words.replace("\r\n", "\n");
            let block = self.sheet.push(kind, &words, place(range.start, range.end));
            block.into_iter().for_each(|block| block.hidden = reason);
        }
    }

    /// Reads a part of a message beside its body.
    fn beside(&mut self, message: &Message<'_>, part: &MessagePart<'_>, depth: u8) {
        match &part.body {
            PartType::Message(inner) if depth < MAX_MESSAGE_DEPTH => self.write(inner, depth + 1),
            PartType::Message(_) => {
                self.sheet.problem(None, &document_note::message_not_read());
            }
            PartType::Binary(_) | PartType::InlineBinary(_) => self.unread(part),
            PartType::Text(_) | PartType::Html(_) => {
                // By address, not by value: an attachment may have the same words as the body.
                let shown = |ids: &[u32]| {
                    ids.iter()
                        .filter_map(|id| message.part(*id))
                        .any(|body| std::ptr::eq(body, part))
                };
                if !shown(&message.text_body) && !shown(&message.html_body) {
                    self.unread(part);
                }
            }
            PartType::Multipart(_) => {}
        }
    }

    fn unread(&mut self, part: &MessagePart<'_>) {
        let name = part.attachment_name().unwrap_or("without a name");
        self.sheet.problem(None, &document_note::attachment_not_read(quote(name)));
    }
}

/// The letters and digits that a page shows.
fn visible(part: &MessagePart<'_>) -> Option<String> {
    let PartType::Html(page) = &part.body else { return None };
    let mut sheet = DocumentBuilder::default();
    html::write(page, &mut sheet, &mut |at| at, &|start, end| BlockLocation::Bytes { start, end });
    let seen = sheet.blocks.iter().filter(|block| block.hidden.is_none());
    Some(
        seen.map(|block| solid(sheet.text.get(block.start..block.end).unwrap_or_default()))
            .collect(),
    )
}

/// Whether a page shows the words of a plain text; addresses of links are no words.
fn is_in(piece: &PlainTextPiece, text: &str, page: &str) -> bool {
    let PlainTextPiece::Block(_, range) = piece else { return true };
    let words = text.get(range.clone()).unwrap_or_default();
    let linked = |word: &&str| !word.contains("://") && !word.contains('@');
    // Compared without spaces and signs: a page breaks its lines in other places.
    let parts: Vec<&str> = words.split_whitespace().filter(linked).collect();
    page.contains(&solid(&parts.concat()))
}

fn solid(text: &str) -> String {
    text.chars().filter(|ch| ch.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The fields that a person sees above a message.
fn head(message: &Message<'_>) -> String {
    let mut head = String::new();
    let people = [("From", message.from()), ("To", message.to()), ("Cc", message.cc())];
    for (field, address) in people {
        if let Some(names) = address.map(names).filter(|names| !names.is_empty()) {
            head.extend([field, ": ", &names, "\n"]);
        }
    }
    if let Some(date) = message.date().filter(|date| date.is_valid()) {
        head.extend(["Date: ", &date.to_rfc3339(), "\n"]);
    }
    if let Some(subject) = message.subject() {
        head.extend(["Subject: ", &super::outline::folded(subject), "\n"]);
    }
    head.trim_end().to_owned()
}

fn names(address: &Address<'_>) -> String {
    let one = |address: &mail_parser::Addr<'_>| match (address.name(), address.address()) {
        (Some(name), Some(address)) => format!("{name} <{address}>"),
        (Some(only), None) | (None, Some(only)) => only.to_owned(),
        (None, None) => String::new(),
    };
    let all: Vec<String> = address.iter().map(one).filter(|one| !one.is_empty()).collect();
    super::outline::folded(&all.join(", "))
}

fn moment(date: &DateTime) -> Option<DocumentDate> {
    date.is_valid().then(|| super::date(&date.to_rfc3339())).flatten()
}

/// How often a word occurs, in either case.
fn count(bytes: &[u8], word: &[u8]) -> usize {
    bytes.windows(word.len()).filter(|window| window.eq_ignore_ascii_case(word)).count()
}

/// A parser that nests by recursion reads this many without trouble.
const MAX_NESTED_MESSAGES: usize = 100;
const MAX_MESSAGE_DEPTH: u8 = 3;
