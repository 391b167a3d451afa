use super::UnshownMarkup;
use crate::document::{DocumentFormat, HiddenText};

/// The words that a reader sees of Markdown.
fn seen(text: &str) -> String {
    let unshown = UnshownMarkup::of_document(text, DocumentFormat::Markdown, [].into_iter());
    let mut parts = [unshown.comments.clone(), unshown.marks()].concat();
    parts.extend(unshown.hidden.iter().map(|(range, _)| range.clone()));
    let mut kept: Vec<u8> = text.bytes().collect();
    for part in parts {
        kept[part].fill(b' ');
    }
    words(&String::from_utf8(kept).unwrap())
}

fn words(text: &str) -> String {
    let words = text.split(|ch: char| !ch.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// Checks rows of Markdown and of the text that a browser shows of it.
#[track_caller]
fn check(rows: &[(&str, &str)]) {
    for (text, expected) in rows {
        assert_eq!(seen(text), *expected, "{text}");
    }
}

#[test]
fn an_element_hides_until_a_browser_ends_it() {
    check(&[
        ("<li hidden>\n\nDues.\n\n</li>\n\nOpen.", "Open"),
        ("<li hidden>\n\nDues.\n\n<li>\n\nOpen.", "Open"),
        ("<li hidden>\n\nDues.\n\n- Dues.", ""),
        ("<dd hidden>\n\nDues.\n\n<dt>\n\nOpen.", "Open"),
        ("<table><tr><td hidden>\n\nDues.\n\n</td><td>\n\nOpen.", "Open"),
        ("<table><tr hidden><td>\n\nDues.\n\n<tr><td>\n\nOpen.", "Open"),
        ("<td hidden>\n\nOpen.", "Open"),
        ("<p hidden>Dues.\n\nOpen.", "Open"),
        ("<p hidden>\n\n<b>Open.</b>", "Open"),
        ("<p hidden>Dues.\n<i>Dues.\n\n</i>Open.", "Open"),
        ("<h2 hidden>Dues.\n\n# Open", "Open"),
        ("<h2 hidden>Dues.</h3>\n\nOpen", "Open"),
        ("Fee <span hidden>Dues\n\nOpen.", "Fee Open"),
        // Formatting continues in the next paragraph, and a form ends alone.
        ("Fee <b hidden>Dues\n\nDues.\n\n</b>\n\nOpen.", "Fee Open"),
        ("<form><div hidden></form>\n\nDues.\n\n</div>\n\nOpen.", "Open"),
        ("<form hidden>\n\nDues.\n\n<form>\n\nDues.\n\n</form>\n\nOpen.", "Open"),
        ("<div><b hidden><div><div><div><div><div><div><div><div><div></b>\n\nDues.", ""),
        ("<div><b hidden><div></b>\n\nOpen.", "Open"),
        ("<table><b hidden></table>\n\nDues.", ""),
        ("<div hidden><span></div>\n\nOpen.", "Open"),
        ("<div><span hidden><div></span>\n\nDues.", ""),
        ("<div hidden></p></section>\n\nDues.", ""),
        ("<div hidden><table><tr><td></div>\n\nDues.", ""),
        ("<div hidden><object></div>\n\nDues.", ""),
        ("<button hidden><p>Dues.\n\nDues.\n\n</button>\n\nOpen.", "Open"),
        ("<table><colgroup><div hidden></colgroup>\n\nDues.", ""),
        ("<body hidden>\n\nDues.", ""),
        ("Dues.\n\n<body hidden>\n", ""),
        ("<div hidden>\n\nDues.\n\n</body>\n\nDues.", ""),
    ]);
}

#[test]
fn containers_of_markdown_end_what_is_open_in_them() {
    check(&[
        ("> <div hidden>\n\nOpen.", "Open"),
        ("- <div hidden>\n\nOpen.", "Open"),
        ("- <div hidden>\n\n  Dues.\n- Open.", "Open"),
        ("> <div hidden>\n>\n> Dues.\n\nOpen.", "Open"),
        ("1. a\n   - <section hidden>\n\n     Dues.\n2. Open.", "1 a 2 Open"),
        ("| a | b |\n|---|---|\n| <i hidden>Dues | Open |", "a b Open"),
        // An end tag of the author may have ended the container already.
        ("> </blockquote><div hidden>\n\nDues.", ""),
        ("- </li></ul><div hidden>\n\nDues.", ""),
        ("<div hidden>\n\n> </div>\n\nOpen.", "Open"),
        ("<blockquote><div hidden>\n\n> Dues.\n\nDues.\n\n</blockquote>\n\nOpen.", "Open"),
        ("<div hidden>\n\n![</div>](x) Dues.", ""),
        ("Title <i hidden>Dues\n===\n\nDues.", "Title"),
        ("[^1]: <div hidden>\n\nOpen.[^1]", "1 Open 1"),
    ]);
}

#[test]
fn what_a_browser_takes_for_a_tag_or_a_comment_is_not_shown() {
    check(&[
        ("Open <?php Dues ?> here", "Open here"),
        ("Open <!A Dues> here", "Open here"),
        ("Open <![CDATA[ Dues ]]> here", "Open here"),
        ("<div>\n</ Dues>\nOpen.\n</div>", "Open"),
        ("Open </ words> here", "Open words here"),
        ("<!DOCTYPE Dues>\n\nOpen.", "Open"),
        ("<div>\n<!-- Dues\n\nDues.\n\n</div>\n\nDues.", ""),
        ("<div><!-- Dues\n\nDues -->\n\nDues.\n\n<div>-->\n\nOpen.", "Open"),
        ("<!-->\n\nOpen.", "Open"),
        ("<!--->Open.\n", "Open"),
        ("<!-- Dues --!>\n\nOpen.", "Open"),
        // A quotation mark that is open at the end of its block is open in the next.
        ("<div title=\"Dues\n\nDues.\n\n\">\n\nOpen.", ""),
        ("<div title=\"Dues\n\nDues.\n\n<div \">\n\nOpen.", "Open"),
        ("<div title='Dues\n\nDues.\n\nDues' > Dues", ""),
        ("<div title=\"a\" hidden\n\n<b>Dues</b>\n", ""),
        ("<div\n\nOpen.", "Open"),
        ("<div\n\n> Open.\n\nOpen.\n\n</div>\n", "Open Open"),
        ("<div hidden=\"\n\nDues.\n\n\">\n\nDues.", ""),
        ("<div data-a='\"' hidden>\n\nDues.\n\n</div data-b=\"\n\nDues \">Dues", ""),
    ]);
}

#[test]
fn elements_hide_their_text_by_what_they_are() {
    check(&[
        ("<template>\n\nDues.\n\n</template>\n\nOpen.", "Open"),
        ("<script>Dues\n\n<div hidden>\n</script>\n\nOpen.", "Open"),
        ("<script><!--<script></script>\n\nDues.\n\n--></script>\n\nOpen.", "Open"),
        ("<style>\n\nDues\n\n</style>\n\nOpen.", "Open"),
        ("<title>Dues</title>\n\nOpen.", "Open"),
        ("<textarea><div hidden></textarea>\n\nOpen.", "div hidden Open"),
        ("<noscript>\n\nDues.\n\n</noscript>\n\nOpen.", "Open"),
        ("<svg>Dues</svg>\n\nOpen.", "Open"),
        ("<svg><text>Dues\n\nOpen.", "Open"),
        ("<svg><style><div hidden></style></svg>\n\nDues.", ""),
        ("<svg><![CDATA[></svg>Dues]]></svg>\n\nOpen.", "Open"),
        ("<svg><desc></svg>\n\nOpen.", "Open"),
        ("<svg><desc><div></svg>\n\nDues.", ""),
        ("<svg/>\n\nOpen.", "Open"),
        ("<select><option>A<option>Dues</select>\n\nOpen.", "A Open"),
        ("<iframe>Dues</iframe>\n\nOpen.", "Open"),
        ("<details>\n<summary>Open</summary>\n\nDues.\n\n</details>\n\nOpen.", "Open Open"),
        ("<details>\n<div><summary>Dues</summary></div>\n\n</details>\n\nOpen.", "Open"),
        ("<details><summary>Open</summary><summary>Dues</summary></details>\n", "Open"),
        ("<details open>\n\nOpen.\n\n</details>", "Open"),
        ("<dialog>\n\nDues.\n\n</dialog>\n\nOpen.", "Open"),
        ("<div hidden=until-found>\n\nDues.\n\n</div>\n\nOpen.", "Open"),
        ("<div popover>\n\nDues.\n\n</div>\n\nOpen.", "Open"),
        ("<div style=\"display:none\">\n\nDues.\n\n</div>\n\nOpen.", "Open"),
        ("<div style=\"display&#58;none\">\n\nDues.\n\n</div>\n\nOpen.", "Open"),
        ("<span style='color:white'>Dues</span> Open.", "Open"),
        ("<font color=white>Dues\n\nDues</font>\n\nOpen.", "Open"),
        ("<div style='background:#024'><p style='color:#fff'>Open.</p></div>", "Open"),
        ("<frameset>\n\nDues.", ""),
        ("&lt;div hidden&gt;\n\nOpen.", "lt div hidden gt Open"),
        ("    <div hidden>\n\nOpen.", "div hidden Open"),
        ("\\<div hidden>\n\nOpen.", "div hidden Open"),
        ("Open\r\n\r\n<div hidden>\r\n\r\nDues.\r\n\r\n</div>\r\n\r\nOpen.\r\n", "Open Open"),
    ]);
}

#[test]
fn rules_of_sheets_hide_as_they_do_in_a_page() {
    check(&[
        ("<style>p { color: white }</style>\n\nDues.\n\n# Open", "Open"),
        ("Dues.\n\n# Open\n\n<style>p { color: #fff }</style>\n", "Open"),
        (
            "<style>.a { display: none }</style>\n\n<div class=a>\n\nDues.\n\n</div>\n\nOpen.",
            "Open",
        ),
        ("<style>.a i { color: white }</style>\n\n<b class=a>A <i>Dues\n\nDues</i> Open", "A Open"),
        (
            "<style>.a .b { font-size: 0 }</style>\n\n<p class=b>Open <a class=b>Open</a></p>",
            "Open Open",
        ),
        ("<style>li + .b { color: white }</style>\n\n<p class=b>Open</p>", "Open"),
        ("<style>ul + .b { font-size: 0 }</style>\n\n- Open\n\n<p class=b>Dues</p>", "Open"),
        ("<style>@media print { p { display: none } }</style>\n\nOpen.", "Open"),
        ("`<style>p { color: white }</style>`\n\nOpen.", "style p color white style Open"),
    ]);
}

#[test]
fn colours_of_the_page_are_behind_all_of_it() {
    check(&[
        ("<body style='color:white'>\n\nDues.\n\n<p style='color:black'>Open.</p>", "Open"),
        ("Dues.\n\n<body text=white>\n", ""),
        ("<html style='color:white'>\n\nDues.\n\n<p style='background:#024'>Open.</p>", "Open"),
        (
            "<body style='color:white;background:#024'>\n\nOpen <b style='color:#024'>Dues</b>",
            "Open",
        ),
        ("<body bgcolor=#002244>\n\nOpen <font color=#024>Dues</font>", "Open"),
        (
            "<style>body { color: white }</style>\n\nDues.\n\n<p style='color:black'>Open.</p>",
            "Open",
        ),
        ("<style>body { color: white; background: #024 }</style>\n\nOpen.", "Open"),
        ("<style>.a p { color: white }</style>\n\nDues.\n\n<body class=a>\n", ""),
        // Of two tags, the first sets the style; a class may take back what a rule hides.
        ("<body style='color:white'>\n\nDues.\n\n<body style='color:black' id=b>\n", ""),
        (
            "<style>body { display: none } .a { display: block }</style>\n\n<body class=a>\n\nOpen.",
            "Open",
        ),
        ("<style>body { display: none }</style>\n\nDues.", ""),
        ("<!-- <body text=white> -->\n\nOpen.", "Open"),
    ]);
}

#[test]
fn definitions_and_titles_are_not_shown() {
    check(&[
        ("[a] Open.\n\n[a]: /b \"Dues are waived.\"\n\nOpen.", "a Open Open"),
        ("[a]: #\n\n[a]: # (Dues are waived.)\n\nOpen.", "Open"),
        ("[a]:\n  /b\n  'Dues are\n  waived.'\n\nOpen.", "Open"),
        ("- Open.\n\n  [a]: /b \"Dues\"\n- Open.", "Open Open"),
        ("> [a]: /b \"Dues\"\n> Open.", "Open"),
        ("[Dues are waived]: #\n", ""),
        ("Open [b](c \"Dues\") Open.", "Open b Open"),
        ("Open ![b](c \"Dues\") Open.", "Open b Open"),
        ("Open [b][Dues are] Open.\n\n[Dues are]: x", "Open b Open"),
        ("```js Dues\nOpen\n```", "Open"),
        ("| a |\n|---|\n| b | Dues |", "a b"),
    ]);
}

#[test]
fn reasons_are_told_apart() {
    let reasons = |text: &str| -> Vec<HiddenText> {
        let unshown = UnshownMarkup::of_document(text, DocumentFormat::Markdown, [].into_iter());
        unshown.hidden.into_iter().map(|(_, reason)| reason).collect()
    };
    assert_eq!(
        reasons("<details>\n\na\n\n</details>\n\n<p style='font-size:0'>b</p>\n"),
        [HiddenText::ClosedSection, HiddenText::TinySize]
    );
    assert_eq!(
        reasons("<font color=#fff>a</font> b <b hidden>c"),
        [HiddenText::BackgroundColour, HiddenText::MarkedHidden]
    );
}

#[test]
fn a_hostile_text_takes_time_that_grows_with_it() {
    let pairs = |open: &str, close: &str| [open.repeat(200_000), close.repeat(200_000)].concat();
    for text in [
        pairs("![", "](x)"),
        pairs("[", "](x)"),
        pairs("<b>", "</i>"),
        pairs("<div>\n\n", "</span>\n\n"),
        "<p><b class=a><i class=b><u>x\n\n".repeat(50_000),
        (0..50_000).map(|nth| format!("<font color=#{nth:06}>x\n\n")).collect(),
        pairs("<table><tr><td>", "</b>"),
        "<select><svg><desc>".repeat(50_000),
        "[a]: b \"c\n".repeat(50_000),
        "<div title=\"\n\n".repeat(100_000),
        format!("<style>{}</style>", ".a .b { color: red }".repeat(20_000))
            + &"<div class='a b'>".repeat(50_000),
        (0..50_000).map(|nth| format!("<body a{nth}=b>x\n\n")).collect(),
    ] {
        // Minutes, if it cost the square of its length.
        drop(seen(&text));
    }
}
