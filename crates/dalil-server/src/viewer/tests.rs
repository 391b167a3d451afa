use super::CookieCipher;
use super::form::pairs;
use super::layout::PageLayout;
use super::words::ViewerTexts;
use crate::language::ReplyLanguage;

#[test]
fn a_sealed_text_is_opened_by_the_same_secret_and_by_no_other() {
    let (own, other) = (CookieCipher::new(&[1; 32]), CookieCipher::new(&[2; 32]));
    let sealed = own.seal("visit\n1\nkey\nAmal").expect("randomness");
    assert_eq!(own.open(&sealed).as_deref(), Some("visit\n1\nkey\nAmal"));
    assert_eq!(other.open(&sealed), None);
    for at in 0..sealed.len() {
        let mut changed = sealed.clone().into_bytes();
        changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
        let changed = String::from_utf8(changed).expect("ASCII");
        assert_eq!(own.open(&changed), None, "byte {at}");
    }
    assert_eq!((own.open(""), own.open("not base64!")), (None, None));
}

#[test]
fn a_form_is_marked_by_its_visit_alone() {
    let sealer = CookieCipher::new(&[1; 32]);
    let mark = sealer.csrf_token("visit");
    assert!(sealer.is_csrf_token("visit", &mark));
    for (visit, mark) in [("other", mark.as_str()), ("visit", ""), ("visit", "AAAA")] {
        assert!(!sealer.is_csrf_token(visit, mark));
    }
}

#[test]
fn fields_of_a_form_are_decoded() {
    let fields = pairs(b"a=1+2&b=%D8%AF%D9%84%D9%8A%D9%84&&c&d=%zz%4&e=x=y");
    let expected = [("a", "1 2"), ("b", "دليل"), ("c", ""), ("d", "%zz%4"), ("e", "x=y")];
    assert_eq!(fields, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
}

#[test]
fn what_a_page_writes_itself_is_escaped() {
    let page = page();
    let evil = "\"><script>'&";
    assert_eq!(page.icon(evil), "");
    assert_eq!(page.badge(evil), "<span class=\"badge\">&#34;&gt;&lt;script&gt;&#39;&amp;</span>");
    assert_eq!(
        page.time(evil),
        "<time datetime=\"&#34;&gt;&lt;script&gt;&#39;&amp;\">\
         <bdi dir=\"ltr\">&#34;&gt;&lt;script&gt;&#39;&amp;</bdi></time>"
    );
    assert_eq!(
        page.digest(evil),
        "<bdi class=\"mono\" title=\"&#34;&gt;&lt;script&gt;&#39;&amp;\">&#34;&gt;&lt;script&gt;&#39;&amp;…</bdi>"
    );
    assert_eq!(page.seg("a/../ب?&#"), "a%2F..%2F%D8%A8%3F%26%23");
    assert_eq!(
        page.badge("weak"),
        "<span class=\"badge weak\"><svg class=\"icon\" aria-hidden=\"true\">\
         <use href=\"/assets/icons.svg#weak\"/></svg>Weak</span>"
    );
    assert_eq!(page.time("2026-03-15T09:30:00.000Z").matches("2026-03-15 09:30<").count(), 1);
}

#[test]
fn a_sentence_of_a_report_keeps_names_and_times_whole() {
    let said = |sentence: &str| page().said(sentence);
    assert_eq!(
        said("`rec_1`، من نوع `pack<b>` بتاريخ 2026-11-15T18:25:38.982Z، 3 قيود"),
        "<bdi class=\"mono\">rec_1</bdi>، من نوع <bdi class=\"mono\">pack&lt;b&gt;</bdi> بتاريخ \
         <bdi dir=\"ltr\">2026-11-15T18:25:38.982Z</bdi>، 3 قيود"
    );
    assert_eq!(said("one ` of <two>"), "one ` of &lt;two&gt;");
    assert_eq!(said(""), "");
}

#[test]
fn fields_of_an_object_stand_a_line_each() {
    let shown = |json: &str| page().json(&serde_json::from_str(json).expect("JSON"));
    assert_eq!(
        shown(r#"{"state":"draft","days":20,"to":{"a":[1]}}"#),
        "days: 20\nstate: \"draft\"\nto: {\"a\":[1]}"
    );
    assert_eq!(shown("{}"), "{}");
    assert_eq!(shown(r#""read""#), "read");
    assert_eq!(shown("null"), "–");
}

fn page() -> PageLayout {
    PageLayout {
        w: ViewerTexts::of_language(ReplyLanguage::English),
        theme: None,
        here: "",
        csrf: String::new(),
        who: None,
        address: "/".to_owned(),
        title: String::new(),
        notice: None,
    }
}
