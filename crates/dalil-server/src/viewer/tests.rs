use dalil_phrasebook::viewer::ViewerTexts;
use dalil_phrasebook::{Language, viewer_term};
use dalil_proof::record::RecordKind;
use serde_json::Value;

use super::ability::PageAbilities;
use super::form::pairs;
use super::layout::PageLayout;
use super::seal::CookieCipher;

#[test]
fn a_sealed_text_is_opened_by_the_same_secret_and_by_no_other() {
    let (own, other) = (CookieCipher::new(&[1; 32]), CookieCipher::new(&[2; 32]));
    let sealed = own.seal("session", "visit\n1\nkey\nAmal").expect("randomness");
    assert_eq!(own.open("session", &sealed).as_deref(), Some("visit\n1\nkey\nAmal"));
    assert_eq!(other.open("session", &sealed), None);
    assert_eq!(own.open("signin", &sealed), None, "a text is for one purpose");
    for at in 0..sealed.len() {
        let mut changed = sealed.clone().into_bytes();
        changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
        let changed = String::from_utf8(changed).expect("ASCII");
        assert_eq!(own.open("session", &changed), None, "byte {at}");
    }
    assert_eq!((own.open("session", ""), own.open("session", "not base64!")), (None, None));
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
fn a_time_is_told_by_its_distance_for_a_week() {
    let cases = [
        ("2026-03-15T09:29:31.000Z", ">just now<"),
        ("2026-03-15T09:29:00.000Z", ">1 min ago<"),
        ("2026-03-15T08:30:00.000Z", ">1 h ago<"),
        ("2026-03-12T09:30:00.000Z", ">3 d ago<"),
        ("2026-03-08T09:30:00.000Z", ">2026-03-08 09:30<"),
        ("no time", ">no time<"),
    ];
    for (time, expected) in cases {
        assert!(page().ago(time).contains(expected), "{time}: {}", page().ago(time));
    }
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
    let shown = |json: &str| page().json(&serde_json::from_str::<Value>(json).expect("JSON"));
    assert_eq!(
        shown(r#"{"state":"draft","days":20,"to":{"a":[1]}}"#),
        "days: 20\nstate: \"draft\"\nto: {\"a\":[1]}"
    );
    assert_eq!(shown("{}"), "{}");
    assert_eq!(shown(r#""read""#), "read");
    assert_eq!(shown("null"), "–");
}

const STYLE: &str = include_str!("../../assets/dalil.css");

/// Green, amber, red or gray, of six hex digits.
fn hue(colour: &str) -> &'static str {
    let part = |at: usize| {
        let digits = colour.get(at..at + 2).expect("six digits");
        i32::from_str_radix(digits, 16).expect("hex digits")
    };
    let (red, green, blue) = (part(0), part(2), part(4));
    if red.max(green).max(blue) - red.min(green).min(blue) < 24 {
        "gray"
    } else if green > red {
        "green"
    } else if green - blue > 24 {
        "amber"
    } else {
        "red"
    }
}

/// The values of a colour of the style sheet, by day and by night.
fn hues(name: &str) -> [&'static str; 2] {
    let start = format!("--{name}: light-dark(#");
    let found = STYLE.lines().find_map(|line| line.trim().strip_prefix(start.as_str()));
    let (light, dark) = found.and_then(|rest| rest.split_once(", #")).expect(name);
    [light, dark].map(hue)
}

#[test]
fn verdicts_and_bands_have_the_colours_of_the_contract() {
    let colours = ["good", "fair", "bad", "none"].map(hues);
    assert_eq!(colours, [["green"; 2], ["amber"; 2], ["red"; 2], ["gray"; 2]]);
    let badge = |verdict: &str| -> Option<&'static str> {
        let class = format!(".badge.{verdict},");
        let mut rules = STYLE.lines().filter(|line| line.starts_with(".badge."));
        let (_, rule) = rules.find(|line| line.contains(&class))?.split_once('{')?;
        Some(rule)
    };
    assert_eq!(
        ["supported", "weak", "contradicted", "not_found"].map(badge),
        [
            Some(" color: var(--good); background: var(--good-paper); }"),
            Some(" color: var(--fair); background: var(--fair-paper); }"),
            Some(" color: var(--bad); background: var(--bad-paper); }"),
            None,
        ]
    );
    // Without a rule of its own, a badge is gray.
    assert!(STYLE.contains("\n  color: var(--none); background: var(--none-paper); border:"));
    let bands: Vec<&str> = STYLE.lines().filter(|line| line.starts_with(".band.")).collect();
    assert_eq!(
        bands,
        [
            ".band.high { color: var(--good-paper); background: var(--good); }",
            ".band.good { color: var(--good); background: var(--good-paper); border-color: var(--good); }",
            ".band.moderate { color: var(--fair-paper); background: var(--fair); }",
            ".band.low { color: var(--fair); background: var(--fair-paper); border-color: var(--fair); }",
            ".band.very_low { color: inherit; background: transparent; border-color: currentColor; }",
        ]
    );
}

pub(super) fn page() -> PageLayout {
    PageLayout {
        w: ViewerTexts::in_language(Language::English),
        theme: None,
        here: "",
        csrf: String::new(),
        who: None,
        address: "/".to_owned(),
        title: String::new(),
        notice: None,
        abilities: PageAbilities::default(),
        now: "2026-03-15T09:30:00Z".parse().ok(),
        sought: String::new(),
    }
}

#[test]
fn every_kind_of_record_has_a_name() {
    let words = RecordKind::WORDS.iter().map(|(word, _)| *word);
    let without: Vec<&str> = words.filter(|word| viewer_term::term(word).is_none()).collect();
    assert_eq!(without, [""; 0]);
}
