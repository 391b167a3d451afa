use super::super::tests::page;
use super::*;

/// The page of a list with items that the reader may not see.
fn rendered(next: Option<&str>) -> String {
    let (page, next) = (page(), next.map(str::to_owned));
    let list = ExportListPage { page, requests: Vec::new(), more: None, exports: Vec::new(), next };
    list.render().unwrap()
}

#[test]
fn a_page_without_a_visible_export_still_leads_to_the_next() {
    let link = "href=\"/exports?cursor=YmFjazo3\"";
    let (some, last) = (rendered(Some("YmFjazo3")), rendered(None));
    assert_eq!((some.contains(link), some.contains("sheet empty")), (true, false), "{some}");
    assert_eq!((last.contains(link), last.contains("sheet empty")), (false, true), "{last}");
}
