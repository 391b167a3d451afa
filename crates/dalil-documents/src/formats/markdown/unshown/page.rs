//! The HTML page that a browser gets for Markdown, with the source range of each part.
//!
//! An element, a comment or an open quotation mark of HTML does not end where a block of Markdown
//! does, so that only the page as a whole shows which text is visible. The rules are
//! those of `CommonMark`.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{Alignment, CodeBlockKind, CowStr, Event, Tag, TagEnd};

/// HTML for Markdown.
#[derive(Debug, Default)]
pub(super) struct MarkdownPage {
    pub(super) html: String,
    /// The parts of the page, in order.
    pieces: Vec<PagePiece>,
    /// Pictures that are open: their content is no markup.
    pictures: usize,
    table: PageTable,
}

/// The table that is being written.
#[derive(Debug, Default)]
struct PageTable {
    alignments: Vec<Alignment>,
    column: usize,
    is_head: bool,
}

#[derive(Debug)]
struct PagePiece {
    /// Where it begins in the page.
    at: usize,
    /// Its source in the Markdown.
    source: Range<usize>,
    kind: PieceKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PieceKind {
    /// HTML of the author, byte for byte.
    Raw,
    /// Words, byte for byte.
    Words,
    /// Words that HTML writes otherwise.
    EscapedWords,
    /// HTML made from Markdown.
    Made,
}

impl MarkdownPage {
    /// Whether the author wrote HTML.
    pub(super) fn has_raw(&self) -> bool {
        self.pieces.iter().any(|piece| piece.kind == PieceKind::Raw)
    }

    /// Writes an event of the Markdown as HTML.
    pub(super) fn write(&mut self, text: &str, event: &Event<'_>, range: &Range<usize>) {
        match event {
            Event::Start(Tag::Image { dest_url, title, .. }) => {
                self.pictures += 1;
                let html =
                    format!("<img src=\"{}\" alt=\"\"{} />", escaped(dest_url), titled(title));
                self.made(&html, range.start);
            }
            Event::End(TagEnd::Image) => self.pictures = self.pictures.saturating_sub(1),
            Event::Start(tag) => {
                let html = self.start_tag(tag);
                self.made(&html, range.start);
            }
            Event::End(tag) => {
                let html = self.end_tag(*tag);
                self.made(&html, range.end);
            }
            Event::Html(html) | Event::InlineHtml(html) if self.pictures == 0 => {
                self.raw(text, html, range);
            }
            Event::Code(words) => {
                self.made("<code>", range.start);
                self.words(text, words, range);
                self.made("</code>", range.end);
            }
            Event::Text(words)
            | Event::Html(words)
            | Event::InlineHtml(words)
            | Event::InlineMath(words)
            | Event::DisplayMath(words) => self.words(text, words, range),
            Event::SoftBreak => self.made("\n", range.start),
            Event::HardBreak => self.made("<br />\n", range.start),
            Event::Rule => self.made("<hr />\n", range.start),
            Event::FootnoteReference(name) => {
                let html = format!(
                    "<sup class=\"footnote-reference\"><a href=\"#{0}\">{0}</a></sup>",
                    escaped(name)
                );
                self.made(&html, range.start);
            }
            Event::TaskListMarker(_) => {
                self.made("<input disabled=\"\" type=\"checkbox\"/>\n", range.start);
            }
        }
    }

    fn start_tag(&mut self, tag: &Tag<'_>) -> Cow<'static, str> {
        match tag {
            Tag::Paragraph => "<p>".into(),
            Tag::Heading { level, .. } => format!("<{level}>").into(),
            Tag::BlockQuote(_) => "<blockquote>\n".into(),
            Tag::CodeBlock(CodeBlockKind::Fenced(info)) if !info.is_empty() => {
                let language = info.split(' ').next().unwrap_or(info);
                format!("<pre><code class=\"language-{}\">", escaped(language)).into()
            }
            Tag::CodeBlock(_) => "<pre><code>".into(),
            Tag::List(Some(start)) if *start != 1 => format!("<ol start=\"{start}\">\n").into(),
            Tag::List(Some(_)) => "<ol>\n".into(),
            Tag::List(None) => "<ul>\n".into(),
            Tag::Item => "<li>".into(),
            Tag::FootnoteDefinition(name) => {
                format!("<div class=\"footnote-definition\" id=\"{}\">", escaped(name)).into()
            }
            Tag::Table(alignments) => {
                self.table.alignments.clone_from(alignments);
                "<table>".into()
            }
            Tag::TableHead => {
                (self.table.is_head, self.table.column) = (true, 0);
                "<thead><tr>".into()
            }
            Tag::TableRow => {
                self.table.column = 0;
                "<tr>".into()
            }
            Tag::TableCell => self.table.cell().into(),
            Tag::Emphasis => "<em>".into(),
            Tag::Strong => "<strong>".into(),
            Tag::Strikethrough => "<del>".into(),
            Tag::Superscript => "<sup>".into(),
            Tag::Subscript => "<sub>".into(),
            Tag::DefinitionList => "<dl>\n".into(),
            Tag::DefinitionListTitle => "<dt>".into(),
            Tag::DefinitionListDefinition => "<dd>".into(),
            Tag::Link { dest_url, title, .. } => {
                format!("<a href=\"{}\"{}>", escaped(dest_url), titled(title)).into()
            }
            Tag::HtmlBlock | Tag::Image { .. } | Tag::MetadataBlock(_) => "".into(),
        }
    }

    fn end_tag(&mut self, tag: TagEnd) -> Cow<'static, str> {
        match tag {
            TagEnd::Paragraph => "</p>\n".into(),
            TagEnd::Heading(level) => format!("</{level}>\n").into(),
            TagEnd::BlockQuote(_) => "</blockquote>\n".into(),
            TagEnd::CodeBlock => "</code></pre>\n".into(),
            TagEnd::HtmlBlock => "\n".into(),
            TagEnd::List(true) => "</ol>\n".into(),
            TagEnd::List(false) => "</ul>\n".into(),
            TagEnd::Item => "</li>\n".into(),
            TagEnd::FootnoteDefinition => "</div>\n".into(),
            TagEnd::Table => "</tbody></table>\n".into(),
            TagEnd::TableHead => {
                self.table.is_head = false;
                "</tr></thead><tbody>\n".into()
            }
            TagEnd::TableRow => "</tr>\n".into(),
            TagEnd::TableCell => if self.table.is_head { "</th>" } else { "</td>" }.into(),
            TagEnd::Emphasis => "</em>".into(),
            TagEnd::Strong => "</strong>".into(),
            TagEnd::Strikethrough => "</del>".into(),
            TagEnd::Superscript => "</sup>".into(),
            TagEnd::Subscript => "</sub>".into(),
            TagEnd::DefinitionList => "</dl>\n".into(),
            TagEnd::DefinitionListTitle => "</dt>\n".into(),
            TagEnd::DefinitionListDefinition => "</dd>\n".into(),
            TagEnd::Link => "</a>".into(),
            TagEnd::Image | TagEnd::MetadataBlock(_) => "".into(),
        }
    }

    fn made(&mut self, html: &str, at: usize) {
        self.push(html, &(at..at), PieceKind::Made);
    }

    /// HTML as the author wrote it. Line ends may be written otherwise in the text.
    fn raw(&mut self, text: &str, html: &str, range: &Range<usize>) {
        let source = text.get(range.clone()).unwrap_or_default();
        let same = source.bytes().zip(html.bytes()).take_while(|(one, other)| one == other).count();
        let same = html.floor_char_boundary(same);
        let (first, last) = html.split_at_checked(same).unwrap_or((html, ""));
        self.push(first, &(range.start..range.start + same), PieceKind::Raw);
        self.push(last, &(range.start + same..range.end), PieceKind::Made);
    }

    fn words(&mut self, text: &str, words: &CowStr<'_>, range: &Range<usize>) {
        let html = escaped(words);
        let is_same = text.get(range.clone()) == Some(&*html);
        let kind = if is_same { PieceKind::Words } else { PieceKind::EscapedWords };
        self.push(&html, range, kind);
    }

    /// Adds a piece. A browser reads no carriage return, so that places would not count it.
    fn push(&mut self, html: &str, source: &Range<usize>, kind: PieceKind) {
        let is_same = matches!(kind, PieceKind::Raw | PieceKind::Words);
        let mut start = source.start;
        for line in html.split_inclusive('\r') {
            let end = if is_same { start + line.len() } else { source.end };
            let shown = line.strip_suffix('\r').unwrap_or(line);
            if !shown.is_empty() {
                self.pieces.push(PagePiece { at: self.html.len(), source: start..end, kind });
                self.html.push_str(shown);
            }
            start = if is_same { end } else { start };
        }
    }

    /// Where something that begins here in the page begins in the Markdown.
    pub(super) fn source_start(&self, at: usize) -> usize {
        self.piece(at).map_or(0, |piece| match piece.kind {
            PieceKind::Raw | PieceKind::Words => piece.source.start + (at - piece.at),
            PieceKind::EscapedWords | PieceKind::Made => piece.source.start,
        })
    }

    /// Where something that ends here in the page ends in the Markdown.
    pub(super) fn source_end(&self, at: usize) -> usize {
        self.piece(at.saturating_sub(1)).map_or(0, |piece| match piece.kind {
            PieceKind::Raw | PieceKind::Words => piece.source.start + (at - piece.at),
            PieceKind::EscapedWords | PieceKind::Made => piece.source.end,
        })
    }

    fn piece(&self, at: usize) -> Option<&PagePiece> {
        let after = self.pieces.partition_point(|piece| piece.at <= at);
        self.pieces.get(after.checked_sub(1)?)
    }

    /// Whether a part of the page has HTML of the author.
    pub(super) fn is_raw(&self, part: &Range<usize>) -> bool {
        self.touched(part).any(|piece| piece.kind == PieceKind::Raw)
    }

    /// Whether a part of the page has words of the Markdown.
    pub(super) fn has_words(&self, part: &Range<usize>) -> bool {
        let is_words = |kind| matches!(kind, PieceKind::Words | PieceKind::EscapedWords);
        self.touched(part).any(|piece| is_words(piece.kind))
    }

    fn touched(&self, part: &Range<usize>) -> impl Iterator<Item = &PagePiece> {
        let (start, end) = (part.start, part.end);
        let first = self.pieces.partition_point(|piece| piece.at <= start).saturating_sub(1);
        self.pieces.iter().skip(first).take_while(move |piece| piece.at < end)
    }
}

impl PageTable {
    fn cell(&mut self) -> String {
        let name = if self.is_head { "th" } else { "td" };
        let alignment = self.alignments.get(self.column);
        self.column += 1;
        match alignment {
            Some(Alignment::Left) => format!("<{name} style=\"text-align: left\">"),
            Some(Alignment::Center) => format!("<{name} style=\"text-align: center\">"),
            Some(Alignment::Right) => format!("<{name} style=\"text-align: right\">"),
            Some(Alignment::None) | None => format!("<{name}>"),
        }
    }
}

fn titled(title: &str) -> String {
    if title.is_empty() { String::new() } else { format!(" title=\"{}\"", escaped(title)) }
}

fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"']) {
        return Cow::Borrowed(text);
    }
    let mut html = String::with_capacity(text.len() + 16);
    for ch in text.chars() {
        match ch {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            other => html.push(other),
        }
    }
    Cow::Owned(html)
}
