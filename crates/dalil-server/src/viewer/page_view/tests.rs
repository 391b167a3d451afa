use askama::Template as _;
use dalil::sandbox::{QuotedArea, QuotedPage};
use dalil_phrasebook::Phrase;
use dalil_service::document_view::{
    DocumentRendering, RenderedPart, RenderedRow, RenderedTable, TextMark, TextRun,
};

use super::super::documents::DocumentViewPart;
use super::super::highlight::HighlightSegment;
use super::super::tests::page;
use super::{PageView, PageViewContent, QuotedWords, ViewExtent};

const EVIL: &str = "\"><script>'&";

/// The page of a view in which every text is hostile.
fn rendered(content: PageViewContent, extent: ViewExtent) -> String {
    let quoted = QuotedWords { words: EVIL.to_owned(), differing: "'&".to_owned(), offset: None };
    let view = PageView {
        document_id: EVIL.to_owned(),
        filename: EVIL.to_owned(),
        title: None,
        page: Some((2, 3)),
        content,
        quoted,
        extent,
        is_marked: false,
    };
    DocumentViewPart { page: page(), view: view.settled() }.render().expect("a page")
}

fn pieces() -> Vec<HighlightSegment> {
    let piece = |is_hit| HighlightSegment { text: EVIL.to_owned(), is_hit, is_first: is_hit };
    vec![piece(false), piece(true)]
}

#[test]
fn every_text_of_a_view_is_escaped() {
    let area = |left, differs| QuotedArea { edges: [left, 100.25, 200.0, 112.0], differs };
    let drawn = QuotedPage {
        page: 2,
        pages: 3,
        width: 595.3,
        height: 841.9,
        areas: vec![area(71.0, false), area(80.0, true)],
        title: EVIL.to_owned(),
    };
    let run = |mark| TextRun { text: EVIL.to_owned(), mark, is_first: false };
    let runs = || vec![run(TextMark::Plain), run(TextMark::Quoted), run(TextMark::Differs)];
    // The words are found once, and marked in several runs; the first of them is where links lead.
    let first = || {
        let mut runs = runs();
        runs[1].is_first = true;
        runs
    };
    let row = RenderedRow { number: Some(4), is_header: true, cells: vec![runs()] };
    let table = RenderedTable { caption: Some(EVIL.to_owned()), rows: vec![row] };
    let parts = vec![
        RenderedPart::Heading(1, first()),
        RenderedPart::Paragraph(runs()),
        RenderedPart::List(vec![runs()]),
        RenderedPart::Quote(runs()),
        RenderedPart::Code(runs()),
        RenderedPart::Table(table),
    ];
    let rendering =
        DocumentRendering { title: Some(EVIL.to_owned()), parts, is_found: true, is_cut: true };
    let contents = [
        PageViewContent::Drawn(drawn, pieces()),
        PageViewContent::Rendered(rendering),
        PageViewContent::Text(pieces(), Some(Phrase::verbatim(EVIL))),
    ];
    for content in contents {
        let html = rendered(content, ViewExtent::Around);
        assert!(!html.contains("<script") && !html.contains("'&"), "{html}");
        assert!(!html.contains("style="), "the policy allows no inline style: {html}");
        assert_eq!(html.matches("id=\"hit\"").count(), 1, "{html}");
    }
}

#[test]
fn boxes_are_in_points_of_the_page() {
    let area = QuotedArea { edges: [71.04, 100.25, 200.0, 112.0], differs: false };
    let view = PageView {
        document_id: "doc".to_owned(),
        filename: "a.pdf".to_owned(),
        title: None,
        page: None,
        content: PageViewContent::Text(Vec::new(), None),
        quoted: QuotedWords::default(),
        extent: ViewExtent::Whole,
        is_marked: false,
    };
    assert_eq!(view.place(&area), ["71.0", "100.2", "129.0", "11.8"]);
    assert_eq!((view.heading(), view.level(&1), view.level(&9)), ("h2", 3, 6));
}
