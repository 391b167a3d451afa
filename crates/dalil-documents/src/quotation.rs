//! Finding quoted words on a page: the question, the answer, and both as bytes.
//!
//! The answer comes from a process that a file may control, so it is validated when it is read.

#[cfg(test)]
mod tests;

/// Words that are looked for on a page of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageQuotation {
    /// The page that they begin on by the evidence, from 1.
    pub page: u32,
    /// The words; white space between them does not count.
    pub words: String,
    /// The words among them that differ from a claim; empty where none do.
    pub differing: String,
}

/// A page, and where the words stand on it.
#[derive(Clone, Debug, PartialEq)]
pub struct QuotedPage {
    /// The page that has the words, from 1: the one that was asked for, or the one after it.
    pub page: u32,
    /// How many pages there are.
    pub pages: u32,
    /// How wide the page is, in points.
    pub width: f32,
    /// How high it is.
    pub height: f32,
    /// The areas of the words, in reading order; none where the page does not have them.
    pub areas: Vec<QuotedArea>,
    /// The title that the document gives itself; empty where it gives none.
    pub title: String,
}

/// A part of a line that is quoted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuotedArea {
    /// The left, top, right and bottom edges, in points from the top left corner of the page.
    pub edges: [f32; 4],
    /// Whether it differs from the claim.
    pub differs: bool,
}

impl PageQuotation {
    /// The question as bytes: a line for each of its parts.
    pub fn to_bytes(&self) -> Vec<u8> {
        let line = |text: &str| text.split_whitespace().collect::<Vec<&str>>().join(" ");
        format!("{}\n{}\n{}", self.page, line(&self.differing), line(&self.words)).into_bytes()
    }

    /// The question in these bytes; nothing if they are none.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut lines = std::str::from_utf8(bytes).ok()?.splitn(3, '\n');
        let page = lines.next()?.parse().ok()?;
        let differing = lines.next()?.to_owned();
        Some(Self { page, words: lines.next()?.to_owned(), differing })
    }
}

impl QuotedPage {
    /// The answer as bytes: the page, the title, and a line for each area.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { page, pages, width, height, areas, title } = self;
        let mut text = format!("{page} {pages} {width} {height}\n{}\n", title.replace('\n', " "));
        for QuotedArea { edges: [left, top, right, bottom], differs } in areas {
            let kind = if *differs { 'd' } else { 'q' };
            text.push_str(&format!("{left} {top} {right} {bottom} {kind}\n"));
        }
        text.into_bytes()
    }

    /// The answer in these bytes; nothing unless every number is one of a page.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut lines = std::str::from_utf8(bytes).ok()?.split_terminator('\n');
        let mut head = lines.next()?.split(' ');
        let (page, pages) = (head.next()?.parse().ok()?, head.next()?.parse().ok()?);
        let side = |text: &str| text.parse().ok().filter(|side| is_page_side(*side));
        let (width, height) = (side(head.next()?)?, side(head.next()?)?);
        let title = lines.next()?.to_owned();
        let is_sound = head.next().is_none()
            && (1..=pages).contains(&page)
            && title.chars().count() <= MAX_TITLE_CHARS;
        let mut areas = Vec::new();
        for line in lines {
            let area = area(line).filter(|area| is_on_page(area.edges, width, height))?;
            areas.push(area);
        }
        (is_sound && areas.len() <= MAX_AREAS).then_some(Self {
            page,
            pages,
            width,
            height,
            areas,
            title,
        })
    }
}

fn area(line: &str) -> Option<QuotedArea> {
    let mut words = line.split(' ');
    let mut edge = || words.next()?.parse().ok();
    let edges = [edge()?, edge()?, edge()?, edge()?];
    let differs = match (words.next()?, words.next()) {
        ("d", None) => true,
        ("q", None) => false,
        _ => return None,
    };
    Some(QuotedArea { edges, differs })
}

/// Whether a side of a page is one that can be shown.
pub(crate) fn is_page_side(side: f32) -> bool {
    (MIN_PAGE_SIDE_POINTS..=MAX_PAGE_SIDE_POINTS).contains(&side)
}

fn is_on_page([left, top, right, bottom]: [f32; 4], width: f32, height: f32) -> bool {
    // Comparisons with NaN are false, so that none passes.
    0.0 <= left && left < right && right <= width && 0.0 <= top && top < bottom && bottom <= height
}

/// How many areas an answer has at most: a quotation of more lines is not looked at line by line.
pub(crate) const MAX_AREAS: usize = 200;
/// How long a title is at most; longer ones are cut.
pub(crate) const MAX_TITLE_CHARS: usize = 200;
/// The smallest and the largest side of a page: 3 and 14,400 points by the format
/// (PDF 32000, annex C).
pub(crate) const MIN_PAGE_SIDE_POINTS: f32 = 3.0;
pub(crate) const MAX_PAGE_SIDE_POINTS: f32 = 14_400.0;
