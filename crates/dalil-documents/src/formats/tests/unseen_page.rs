//! Text of a page that a reader does not see, and text that only looks as if: what a browser
//! shows of each was looked at in Chromium.

use super::read;
use super::unseen::{Fate, fate};
use crate::document::HiddenText;

const MARKED: Fate = Fate::Marked(HiddenText::MarkedHidden);
const ALIKE: Fate = Fate::Marked(HiddenText::BackgroundColour);
const CLEAR: Fate = Fate::Marked(HiddenText::FullTransparency);
const TINY: Fate = Fate::Marked(HiddenText::TinySize);
const OUTSIDE: Fate = Fate::Marked(HiddenText::OutsidePage);
const COVERED: Fate = Fate::Marked(HiddenText::CoveredByShape);
const CLOSED: Fate = Fate::Marked(HiddenText::ClosedSection);

/// What becomes of the words about dues on a page of today with this sheet and this body.
fn page(sheet: &str, body: &str) -> Fate {
    let text = format!(
        "<!DOCTYPE html><html><head><title>t</title><style>{sheet}</style></head><body><p>Open.</p>{body}<p>End.</body></html>"
    );
    fate(&read(text.as_bytes(), "a.html").unwrap())
}

/// Checks rules for an element with an id, classes and attributes inside of another.
#[track_caller]
fn check_rules(rows: &[(&str, Fate)]) {
    let body =
        "<div class='w outer'><p class='q r' id=k lang=en data-x='a b'>Dues are waived.</p></div>";
    for (rule, expected) in rows {
        assert_eq!(page(rule, body), *expected, "{rule}");
    }
}

#[track_caller]
fn check_styles(rows: &[(&str, Fate)]) {
    for (style, expected) in rows {
        let body = format!("<p style=\"{style}\">Dues are waived.</p>");
        assert_eq!(page("", &body), *expected, "{style}");
    }
}

#[test]
fn selectors_are_those_of_a_browser() {
    check_rules(&[
        (".w > :only-child {display:none}", MARKED),
        (".w:nth-child(2) {display:none}", MARKED),
        (".w:nth-child(1 of div) {display:none}", MARKED),
        ("div:last-of-type {display:none}", MARKED),
        (".w:nth-last-child(2) {display:none}", MARKED),
        (".w:has(> .q) {display:none}", MARKED),
        ("p:has(+ .w) + .w {display:none}", MARKED),
        ("p ~ .w:not(:empty) {display:none}", MARKED),
        ("[data-x='A B' i] {display:none}", MARKED),
        (":lang(en):defined:dir(ltr) {display:none}", MARKED),
        (".\\71 {display:none}", MARKED),
        ("@scope (.w) {:scope {display:none}}", MARKED),
        (".w:nth-child(5) {display:none}", Fate::Shown),
        (".w + .q {display:none}", Fate::Shown),
        ("body > .q {display:none}", Fate::Shown),
        ("p:has(img) {display:none}", Fate::Shown),
        ("[data-x='A B'] {display:none}", Fate::Shown),
        (".Q {display:none}", Fate::Shown),
        (".q, :frob(x) {display:none}", Fate::Shown),
        (".q, p::-moz-frob {display:none}", Fate::Shown),
        ("@scope (body) to (.w) {.q {display:none}}", Fate::Shown),
    ]);
    // In pages of the last century case does not count.
    let quirky = "<style>.Q{display:none}</style><p>Open.<p class=q>Dues are waived.";
    assert_eq!(fate(&read(quirky.as_bytes(), "a.html").unwrap()), MARKED);
}

#[test]
fn the_cascade_is_that_of_a_browser() {
    check_rules(&[
        ("#k {display:none} .q {display:block}", MARKED),
        ("#k {display:block} .q {display:none !important}", MARKED),
        (".q {display:none} #k {display:block}", Fate::Shown),
        (".q {display:block !important} #k {display:none}", Fate::Shown),
        ("@layer a {.q {display:none}}", MARKED),
        ("@layer a {.q {display:none}} .q {display:block}", Fate::Shown),
        ("@layer a, b; @layer b {.q {display:none}} @layer a {.q {display:block}}", MARKED),
        ("@layer a {.q {display:none!important}} .q {display:block!important}", MARKED),
        ("@layer a {.q {display:block}} .q {display:none; display:revert-layer}", Fate::Shown),
        (".w p {display:none} .q.r {display:revert}", Fate::Shown),
        (".q {opacity:0} #k {all:unset}", Fate::Shown),
        (".q {display:none; display:blok}", MARKED),
        (".q {display:none; display:block}", Fate::Shown),
        ("@import 'data:text/css,.q%7Bdisplay:none%7D';", MARKED),
        ("p {margin:0} @import 'data:text/css,.q%7Bdisplay:none%7D';", Fate::Shown),
        (":root {--x:none} .w {--x:block} .q {display:var(--x)}", Fate::Shown),
        (":root {--X:none; --x:block} .q {display:var(--X)}", MARKED),
        (".q {--a:var(--b); --b:var(--a); display:var(--a)}", Fate::Shown),
        (".z::before {content:'/*'} .q {display:none}", MARKED),
        ("@keyframes z {to {opacity:0}} .q {animation:z 0s forwards}", CLEAR),
        ("@keyframes -z {to {opacity:0}} .q {animation:-1s -z 0s forwards}", CLEAR),
        (
            "@keyframes z {from {opacity:0} to {opacity:1}} .q {opacity:0; animation:z 1s forwards}",
            Fate::Shown,
        ),
    ]);
    let important = "<p class=q style='display:block'>Dues are waived.</p>";
    assert_eq!(page(".q {display:none !important}", important), MARKED);
}

#[test]
fn conditions_hold_as_in_a_window_on_a_light_screen() {
    check_rules(&[
        ("@media (min-width:100px) {.q {display:none}}", MARKED),
        ("@media (100px <= width <= 5000px) {.q {display:none}}", MARKED),
        ("@media (max-width:300px) {.q {display:none}}", Fate::Shown),
        ("@media (prefers-color-scheme:dark) {.q {display:none}}", Fate::Shown),
        ("@media not screen {.q {display:none}}", Fate::Shown),
        ("@media (frob:1) {.q {display:none}}", Fate::Shown),
        ("@supports (display:grid) {.q {display:none}}", MARKED),
        ("@supports not (display:grid) {.q {display:none}}", Fate::Shown),
        ("@supports selector(:has(a)) {.q {display:none}}", MARKED),
        (".w {container-type:inline-size} @container (min-width:1px) {.q {display:none}}", MARKED),
        ("@container (min-width:1px) {.q {display:none}}", Fate::Shown),
        ("@starting-style {.q {opacity:0}}", Fate::Shown),
    ]);
}

#[test]
fn what_is_taken_over_can_be_taken_back() {
    check_rules(&[
        (".w {visibility:hidden} .q {visibility:visible}", Fate::Shown),
        (".w {font-size:0} .q {font-size:16px}", Fate::Shown),
        (".w {text-indent:-9999px}", OUTSIDE),
        (".w {text-indent:-9999px} .q {text-indent:0}", Fate::Shown),
        (".w {opacity:.15} .q {opacity:.15}", CLEAR),
        (".w {transform:scale(.2)} .q {transform:scale(.2)}", TINY),
        (".w {height:0; overflow:hidden}", OUTSIDE),
        (".w {display:flex} .q {width:0; overflow:hidden}", OUTSIDE),
        (".w {display:flex} .q {width:0; flex:1; overflow:hidden}", Fate::Shown),
        (".w {display:flex} .q {width:0; flex:0 0 auto; overflow:hidden}", OUTSIDE),
        (".w {display:flex; width:0} .q {width:0; flex:1; overflow:hidden}", OUTSIDE),
        (".w {display:grid} .q {width:0; flex:1; overflow:hidden}", OUTSIDE),
        (".w {display:flex; flex-flow:column} .q {width:0; flex:1; overflow:hidden}", OUTSIDE),
        (
            ".w {display:flex; flex-flow:column; height:9em} .q {height:0; flex:1; overflow:hidden}",
            Fate::Shown,
        ),
        (".w {height:0; overflow:hidden} .q {position:absolute; top:60px}", Fate::Shown),
        (".w {color:#fff} .q {color:initial}", Fate::Shown),
        (".w {color:#fff} .q {color:inherit}", ALIKE),
        (
            ".w {position:relative; overflow:hidden; height:40px} .q {position:absolute; left:100%}",
            OUTSIDE,
        ),
        ("body {overflow-x:hidden} .q {transform:translateX(100%)}", OUTSIDE),
        ("body {overflow-x:hidden} .q {position:relative; left:1280px}", OUTSIDE),
        ("body {overflow:hidden} .q {position:relative; top:900px}", OUTSIDE),
        // A page is scrolled down.
        ("body {overflow-x:hidden} .q {position:relative; top:900px}", Fate::Shown),
        ("body {overflow-x:hidden} .q {margin-top:9em; transform:translateY(-100%)}", Fate::Shown),
        (".w {background:#eee} .q {position:relative; z-index:-1}", COVERED),
        (".w {background:#eee; isolation:isolate} .q {position:relative; z-index:-1}", Fate::Shown),
        (":root {color-scheme:dark} .q {color:#fff}", Fate::Shown),
    ]);
    let link = "<div class=w><a href=x>Dues are waived.</a></div>";
    assert_eq!(page(".w {color:#fff}", link), Fate::Shown);
    let over = |cover: &str| {
        page(
            "",
            &format!(
                "<div style='position:relative'><p>Dues are waived.</p><div style='position:absolute;inset:0;{cover}'></div></div>"
            ),
        )
    };
    assert_eq!(over("background:#fff"), COVERED);
    assert_eq!(over("background:rgba(0,0,0,.1)"), Fate::Shown);
}

#[test]
fn a_page_of_which_nothing_is_seen_is_shown_by_its_script() {
    let words = "<p class=q>Dues are waived.</p>";
    let scripted = format!("<script></script>{words}");
    for (sheet, body, expected) in [
        ("html {display:none}", &*scripted, Fate::Shown),
        ("html {visibility:hidden; opacity:0}", &*scripted, Fate::Shown),
        ("body {visibility:hidden !important}", &*scripted, Fate::Shown),
        ("body {opacity:0} .q {display:none}", &*scripted, MARKED),
        (
            "body {visibility:hidden} p {visibility:visible} .q {visibility:inherit}",
            &*scripted,
            MARKED,
        ),
        ("body {opacity:0} .q {color:white}", &*scripted, ALIKE),
        ("div {display:none}", "<script></script><div>Dues are waived.</div>", MARKED),
        ("html {display:none}", words, MARKED),
    ] {
        assert_eq!(page(sheet, body), expected, "{sheet}");
    }
}

#[test]
fn values_are_computed() {
    check_styles(&[
        ("opacity:calc(0)", CLEAR),
        ("font-size:clamp(0px,0px,1px)", TINY),
        ("color:oklch(100% 0 0)", ALIKE),
        ("color:color-mix(in srgb, white, white)", ALIKE),
        ("color:rebeccapurple;background:#639", ALIKE),
        ("background:currentColor", ALIKE),
        ("color:#123456;background:linear-gradient(#123456,#123456)", ALIKE),
        ("color:white;text-shadow:0 0 3px black", Fate::Shown),
        ("color:transparent;-webkit-text-stroke:1px black", Fate::Shown),
        ("color:white;mix-blend-mode:difference", ALIKE),
        ("mix-blend-mode:screen", Fate::Shown),
        ("filter:invert(1)", ALIKE),
        ("transform:rotateX(90deg)", TINY),
        ("transform:rotateY(180deg);backface-visibility:hidden", MARKED),
        ("clip-path:polygon(0 0,100% 0,50% 0)", OUTSIDE),
        ("clip-path:polygon(0 0,100% 0,100% 100%,0 100%)", Fate::Shown),
        ("letter-spacing:-1em", TINY),
        ("-webkit-text-security:disc", Fate::Marked(HiddenText::OtherLetters)),
        ("contain:strict", OUTSIDE),
        ("line-height:0;overflow:hidden", OUTSIDE),
        ("height:0;min-height:40px;overflow:hidden", Fate::Shown),
        ("height:0;padding-bottom:60px;overflow:hidden", Fate::Shown),
        ("height:0;padding-bottom:56.25%;overflow:hidden", Fate::Shown),
        ("width:1px;min-width:100%;overflow:hidden", Fate::Shown),
        ("margin-left:-9999px;padding-left:9999px", Fate::Shown),
        // Nothing is moved that is not positioned, and no clip holds for it.
        ("left:-9999px", Fate::Shown),
        ("clip:rect(0,0,0,0)", Fate::Shown),
        ("position:absolute;clip:rect(0,0,0,0)", OUTSIDE),
        ("display:contents;opacity:0", Fate::Shown),
    ]);
    // Words within a line have no size and are not moved.
    for style in ["transform:scale(0)", "height:0;overflow:hidden", "margin-top:-9999px"] {
        let body = format!("<span style='{style}'>Dues are waived.</span>");
        assert_eq!(page("", &body), Fate::Shown, "{style}");
    }
}

#[test]
fn elements_of_a_page_are_those_of_a_browser() {
    let words = "Dues are waived.";
    for (body, expected) in [
        (format!("<p hidden style='display:block'>{words}</p>"), Fate::Shown),
        (format!("<b hidden>x<p>{words}</b></p>"), Fate::LeftOut),
        (format!("<progress>{words}</progress>"), MARKED),
        (format!("<math><mphantom><mtext>{words}</mtext></mphantom></math>"), MARKED),
        (format!("<select><option>a<option selected>{words}</select>"), Fate::Shown),
        (format!("<details><summary>a</summary><summary>{words}</summary></details>"), CLOSED),
        (format!("<div><template shadowrootmode=open>a</template>{words}</div>"), MARKED),
        (
            format!("<div><template shadowrootmode=open><slot></slot></template>{words}</div>"),
            Fate::Shown,
        ),
        (format!("<template><style>p{{display:none}}</style></template><p>{words}"), Fate::Shown),
        (format!("<!-- <style>p{{display:none}}</style> --><p>{words}"), Fate::Shown),
        (
            format!(
                "<link rel=stylesheet href='data:text/css,.q%7Bdisplay:none%7D'><p class=q>{words}"
            ),
            MARKED,
        ),
        (format!("<table><td background=x.png><font color=white>{words}</table>"), Fate::Shown),
        (format!("<div background=x.png bgcolor=black><font color=white>{words}</div>"), ALIKE),
        // Only an address can be a sheet, and only a sheet has rules.
        (format!("<link rel=stylesheet href='.q{{display:none}}'><p class=q>{words}"), Fate::Shown),
        (
            format!(
                "<style>.q{{display:none}}</style><style>data:text/css,.q{{display:block!important}}</style><p class=q>{words}"
            ),
            MARKED,
        ),
    ] {
        assert_eq!(page("", &body), expected, "{body}");
    }
}

#[test]
fn plain_bodies_of_messages_hide_as_text_does() {
    let message = |body: &str| {
        let text = format!("From: a@b.example\r\nContent-Type: text/plain\r\n\r\nOpen.{body}\r\n");
        fate(&read(text.as_bytes(), "a.eml").unwrap())
    };
    assert_eq!(message(&format!("{}Dues are waived.", "\r\n".repeat(2000))), OUTSIDE);
    assert_eq!(message(&format!("{}Dues are waived.", " ".repeat(600))), OUTSIDE);
    let steered = Fate::Marked(HiddenText::InvisibleCharacters);
    assert_eq!(message("\r\n\r\n\u{1B}[8mDues are waived."), steered);
    assert_eq!(message("\r\n\r\nDues are waived."), Fate::Shown);
}

#[test]
fn footnotes_that_nothing_refers_to_are_not_shown() {
    let markdown = |text: &str| fate(&read(text.as_bytes(), "a.md").unwrap());
    assert_eq!(markdown("Open.\n\n[^1]: Dues are waived.\n"), MARKED);
    assert_eq!(markdown("Open.[^1]\n\n[^1]: Dues are waived.\n"), Fate::Shown);
}

#[test]
fn a_hostile_sheet_takes_time_that_grows_with_it() {
    let many = |one: &str, count: usize| one.repeat(count);
    for (sheet, body) in [
        (many(".a .b {color:red}", 20_000), many("<div class='a b'>", 20_000)),
        (many(":has(.z) {color:red}", 500), many("<p>x", 20_000)),
        (many("* * * * .z * {color:red}", 100), many("<b><i><u>x", 5_000)),
        (format!("{}{}", many(".a{&.b&{", 5_000), "color:red"), many("<p class='a b'>x", 5_000)),
        (many(":is(", 50_000), String::new()),
        (many("@media (", 50_000), String::new()),
        (
            format!(
                ":root{{{}}}",
                (0..9)
                    .map(|nth| format!("--a{nth}:{};", format!("var(--a{})", nth + 1).repeat(200)))
                    .collect::<String>()
            ),
            many("<p style='color:var(--a0)'>x", 2_000),
        ),
        (String::new(), many("<p style='width:calc((((((((((1px))))))))))'>x", 20_000)),
        (String::new(), many("<div><p><b><font color=#123>", 50_000)),
        (
            String::new(),
            format!("<details>{}{}", many("<b></b>", 50_000), many("<summary></summary>", 50_000)),
        ),
        (
            String::new(),
            many("<p><template shadowrootmode=open></template></p>", 30_000)
                + &many("<slot></slot>", 50_000),
        ),
        (many("url[", 200_000), String::new()),
        (
            many(".z .y {color:red}", 5_000),
            format!("<div class='{}'>", many("y ", 50_000)) + &many("<p>x", 5_000),
        ),
        (format!("*{{{}}}", many("top:1px;", 399)), many("<p>x", 20_000)),
        (String::new(), format!("<p style='left:calc(1px{})'>x", many("+1px", 200_000))),
        // Memory: what is long is shared by the elements that have it, or counted.
        (String::new(), format!("<p><b title='{}'>", many("x", 100_000)) + &many("<p>x", 50_000)),
        (format!(":root{{--a:{}}}", many("x", 100_000)), many("<i style='--b:1'>x</i>", 10_000)),
        (format!("p{{foo:{}}}", many("x", 100_000)), many("<p>x", 50_000)),
    ] {
        // Minutes, if it cost the square of its length.
        assert_eq!(page(&sheet, &format!("{body}<p>Dues.")), Fate::LeftOut);
    }
}

#[test]
fn a_page_that_asks_too_much_hides_no_more_than_its_own_classes() {
    let sheet = format!(
        "{} [hidden] {{display:none}} .gone {{display:none}}",
        "* * .z {color:red}".repeat(2_000) + &"* * p {color:red}".repeat(2_000)
    );
    let rows = "<div><p>x</p></div>".repeat(20_000);
    assert_eq!(page(&sheet, &format!("{rows}<p>Dues are waived.</p>")), Fate::Shown);
    assert_eq!(page(&sheet, &format!("{rows}<p class=gone>Dues are waived.</p>")), MARKED);
}

#[test]
fn nothing_hides_behind_more_than_is_read() {
    let many = |one: fn(usize) -> String, count: usize| (0..count).map(one).collect::<String>();
    let styled = |style: &str| page("", &format!("<p style='{style}'>Dues are waived.</p>"));
    assert_eq!(
        styled(&format!("{}display:none", many(|_| "top:1px;".into(), 1_100))),
        Fate::LeftOut
    );
    assert_eq!(
        styled(&format!("display:none;{}", many(|_| "top:1px;".into(), 1_100))),
        Fate::LeftOut
    );
    // All that a browser computed for an element is no more than is read.
    assert_eq!(styled(&many(|_| "top:1px;".into(), 600)), Fate::Shown);
    let colours = many(|n| format!("--a{n}:red;"), 1_100);
    assert_eq!(styled(&format!("{colours}top:1px")), Fate::Shown);
    assert_eq!(page(&format!(".x{{{colours}}}"), "<p class=x>Dues are waived.</p>"), Fate::Shown);
    assert_eq!(
        page(&format!(".x{{{colours}display:none}}"), "<p class=x>Dues are waived.</p>"),
        MARKED
    );
    let classes = |count| many(|n| format!(" c{n}"), count);
    let classed = |count| {
        let body = format!("<p class='{} gone'>Dues are waived.</p>", classes(count));
        page(".gone{display:none}", &body)
    };
    assert_eq!((classed(500), classed(1_100)), (MARKED, Fate::LeftOut));
    let body = format!("<p class='{}'>Dues are waived.</p>", classes(1_000));
    assert_eq!(page("", &body), Fate::Shown);
    let attributes = |count| many(|n| format!(" data-a{n}"), count);
    let body = format!("<p{} style='display:none'>Dues are waived.</p>", attributes(300));
    assert_eq!(page("", &body), Fate::LeftOut);
    // An element that a paragraph opens again is as it was.
    let again = |count| {
        format!("<p><b{} style='display:none'>x</p><p>Dues are waived.</p>", attributes(count))
    };
    assert_eq!((page("", &again(10)), page("", &again(300))), (Fate::LeftOut, Fate::LeftOut));
    let body = format!("<p{}>Dues are waived.</p>", attributes(200));
    assert_eq!(page("", &body), Fate::Shown);
    let rules = many(|n| format!("b.c{n}{{top:0}}"), 60_000);
    let body = "<p class=gone>Dues are waived.</p>";
    assert_eq!(page(&format!("{rules}.gone{{display:none}}"), body), MARKED);
    assert_eq!(page(&format!("{rules}.gone{{color:red}}"), body), Fate::Shown);
}
