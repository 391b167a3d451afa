//! Pages of documents: who may see one, the marks on it, and the text that is shown without a
//! picture.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::server::{ALL, Answer, Server, folder, key};
use crate::viewer::sign_in;
use crate::way::ended;

const LIMITS: &str = r#"{"limits":{"rate":100000,"burst":100000}}"#;
const ENGLISH: &[u8] = include_bytes!("../../../dalil-documents/tests/files/pdf/typst_en.pdf");

/// Stores a document, and returns its id.
fn keep(server: &Server, key: &str, name: &str, bytes: &[u8]) -> String {
    let kind = [("content-type", "application/octet-stream")];
    let path = format!("/api/v1/documents?filename={name}");
    let kept = server.ask_with(("POST", &path), key, &kind, Some(bytes)).is(201);
    kept["document_id"].as_str().unwrap().to_owned()
}

/// Checks an answer against a document, and returns the first of its claims.
fn checked(server: &Server, key: &str, document: &str, (session, answer): (&str, &str)) -> String {
    let opening = json!({"session_id": session, "query": "How many days?", "answer": answer});
    let post = |path: &str, body: &Value| {
        server.ask("POST", path, key, Some(body.to_string().as_bytes())).json()
    };
    post("/api/v1/sessions", &opening);
    let at = format!("/api/v1/sessions/{session}");
    let job = post(&format!("{at}/check"), &json!({"documents": [document], "language": "en"}));
    ended(server, key, job["job_id"].as_str().unwrap());
    let ledger = server.ask("GET", &at, key, None).is(200)["ledger"].clone();
    ledger["entries"][0]["claim_id"].as_str().unwrap().to_owned()
}

fn look(server: &Server, cookie: &str, path: &str, more: &[(&str, &str)]) -> Answer {
    let headers = [&[("cookie", cookie), ("accept-language", "en")], more].concat();
    server.ask_with(("GET", path), "", &headers, None)
}

#[track_caller]
fn check(answer: &Answer, expected: &Expect) {
    assert_eq!((answer.status, answer.header("content-type")), (200, "text/html; charset=utf-8"));
    // The id of a document is made of its bytes, and stays.
    let text = answer.text();
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    expected.assert_eq(&format!("{}\n", lines.join("\n")));
}

#[test]
fn a_page_is_drawn_for_its_tenant_alone_with_the_words_boxed() {
    let dir = folder("page-view");
    let own = key(&dir, "acme", "person:amal", &ALL);
    let other = key(&dir, "zenith", "person:amal", &ALL);
    let server = Server::start(dir, LIMITS);
    let id = keep(&server, &own, "leave.pdf", ENGLISH);
    let answer = "Every employee is entitled to 25 days of paid leave per year.";
    let claim = checked(&server, &own, &id, ("ses-1", answer));
    let (cookie, stranger) = (sign_in(&server, &own), sign_in(&server, &other));
    let view = format!("/documents/{id}/view?page=1&session=ses-1&claim={claim}");
    check(
        &look(&server, &cookie, &view, &[]),
        &expect![[r#"
            <figure class="view" aria-labelledby="view-title">
              <figcaption><h3 id="view-title"><bdi>leave.pdf</bdi> · Page <bdi class="num">1</bdi> <span class="quiet">/ <bdi class="num">1</bdi></span></h3>
                </figcaption>
              <div class="frame" tabindex="0" role="group" aria-labelledby="view-title" dir="ltr" data-frame>
                <div class="drawn">
                  <img src="/documents/doc_148eadee8085d86e/page/1.png" width="595" height="842" loading="lazy" decoding="async" alt="Picture of page 1, leave.pdf. Marked on it: Every employee is entitled to 15 days of paid leave per year.">
                  <svg viewBox="0 0 595.2756 841.8898" preserveAspectRatio="none" aria-hidden="true"><rect id="hit" class="quoted" x="70.9" y="215.0" width="295.6" height="11.2" rx="1"/><rect class="differs" x="217.7" y="215.0" width="39.1" height="11.2" rx="1"/></svg>
                </div>
              </div>
              <details class="as-text"><summary>Text of this page, as it was read</summary><div class="page-text" dir="auto">Annual Leave Policy

            1. Purpose

            This policy sets out how annual leave is granted to all employees of the Authority. It applies to permanent and temporary staff, and it takes effect on 1 January 2026. Offices outside the capital follow the same rules unless their director has decided otherwise in writing.

            2. Entitlement

            <mark>Every employee is entitled to <mark class="differs">15 days</mark> of paid leave per year.</mark> Employees with more than five years of service are entitled to 22.5 days. Leave that is not taken may be carried forward, but not more than 10 days (two working weeks) and not later than 31 March of the following year.

            Unused leave beyond that limit is forfeited, except where the employee was prevented from taking it by illness, official duty or another reason that the director finds sufficient. A fee of $1,250.75 applies to late administrative filings.

            3. Requests

            • Requests are submitted at least 14 days in advance.
            • The manager replies within 3 working days.
            • Urgent requests may be approved by telephone (+971 4 555 0199).

            A well-known difficulty is the classification of half days. The office counts a half day as four hours; efficient offices finish the workflow in five minutes.

            Grade | Days | Notice
            Junior | 15 | 14 days
            Senior | 22.5 | 30 days
            Director | 30 | 60 days in writing</div></details>
            </figure>
        "#]],
    );
    let arabic = look(&server, &format!("{cookie}; dalil_language=ar"), &view, &[]).text();
    assert!(arabic.contains("صورة الصفحة 1"), "{arabic}");

    let picture = format!("/documents/{id}/page/1.png");
    let drawn = look(&server, &cookie, &picture, &[]);
    assert_eq!((drawn.status, drawn.header("content-type")), (200, "image/png"));
    assert_eq!(drawn.header("cache-control"), "private, no-cache");
    assert_eq!(drawn.header("x-content-type-options"), "nosniff");
    assert!(drawn.header("content-security-policy").starts_with("default-src 'none'"));
    assert!(drawn.body.starts_with(b"\x89PNG"));
    let again = look(&server, &cookie, &picture, &[("if-none-match", drawn.header("etag"))]);
    assert_eq!((again.status, again.body.len()), (304, 0));

    // Of another tenant, and without signing in: as if it were not there, or a way to sign in.
    for path in [&picture, &view, &format!("/documents/{id}")] {
        assert_eq!(look(&server, &stranger, path, &[]).status, 404, "{path}");
        let away = look(&server, "", path, &[]);
        assert!(!away.body.starts_with(b"\x89PNG") && !away.text().contains("15 days"), "{path}");
    }
    let pictures = ["2.png", "0.png", "01.png", "+1.png", "1.PNG", "1", "x.png", "99999999999.png"];
    for name in pictures {
        let path = format!("/documents/{id}/page/{name}");
        assert_eq!(look(&server, &cookie, &path, &[]).status, 404, "{path}");
    }
    assert_eq!(
        look(&server, &cookie, "/documents/doc_0000000000000000/page/1.png", &[]).status,
        404
    );
}

#[test]
fn a_page_that_cannot_be_drawn_is_text_with_the_reason() {
    let dir = folder("page-undrawn");
    let own = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, LIMITS);
    let image = "<< /Type /XObject /Subtype /Image /Width 60000 /Height 60000 /BitsPerComponent 8 \
        /ColorSpace /DeviceRGB /Length 1 >>\nstream\n0\nendstream";
    let text = "BT /F 12 Tf 72 700 Td (Every employee has 15 days of leave.) Tj ET q 9 0 0 9 0 0 cm /X Do Q";
    let file = format!(
        "%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n\
         2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 612 792] >>\nendobj\n\
         3 0 obj\n<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> \
         /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>\nendobj\n\
         4 0 obj\n<< /Length {} >>\nstream\n{text}\nendstream\nendobj\n\
         5 0 obj\n{image}\nendobj\ntrailer\n<< /Root 1 0 R >>\n",
        text.len()
    );
    let id = keep(&server, &own, "hostile.pdf", file.as_bytes());
    let cookie = sign_in(&server, &own);
    check(
        &look(&server, &cookie, &format!("/documents/{id}/view"), &[]),
        &expect![[r#"
            <figure class="view" aria-labelledby="view-title">
              <figcaption><h3 id="view-title"><bdi>hostile.pdf</bdi> · Page <bdi class="num">1</bdi> <span class="quiet">/ <bdi class="num">1</bdi></span></h3>
                </figcaption>
              <p class="notice fair"><svg class="icon" aria-hidden="true"><use href="/assets/icons.svg#warning"/></svg> <span>This page could not be drawn, so its text is shown: <bdi>expected images of at most 100000000 pixels, found one of 3600000000</bdi></span></p>
              <div class="page-text" dir="auto">Every employee has 15 days of leave.</div>
            </figure>
        "#]],
    );
    let arabic = [("cookie", cookie.as_str()), ("accept-language", "ar")];
    let told = server.ask_with(("GET", &format!("/documents/{id}/view")), "", &arabic, None).text();
    let why = "تعذّر رسم هذه الصفحة، ولذلك يُعرض نصها: <bdi>المتوقع صور لا تزيد على 100000000 بكسل، \
        والموجود صورة من 3600000000</bdi>";
    assert!(told.contains(why), "{told}");
    assert_eq!(look(&server, &cookie, &format!("/documents/{id}/page/1.png"), &[]).status, 404);
}

#[test]
fn markdown_and_sheets_are_shown_as_they_look() {
    let dir = folder("page-rendered");
    let own = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, LIMITS);
    let policy = "# Leave policy\n\n## 1 Term\n\nPermanent employees have **15 days** of paid leave \
        a year & <b>more</b>.\n\n- once\n\n| Grade | Days |\n|---|---|\n| A | 15 |\n";
    let id = keep(&server, &own, "leave.md", policy.as_bytes());
    let answer = "Permanent employees have 25 days of paid leave a year.";
    let claim = checked(&server, &own, &id, ("ses-1", answer));
    let cookie = sign_in(&server, &own);
    let view = format!("/documents/{id}/view?session=ses-1&claim={claim}&passage=0");
    check(
        &look(&server, &cookie, &view, &[]),
        &expect![[r#"
            <figure class="view" aria-labelledby="view-title">
              <figcaption><h3 id="view-title"><bdi>Leave policy</bdi></h3>
                </figcaption>
              <div class="frame rendered" tabindex="0" role="group" aria-labelledby="view-title" data-frame>
                <h4 dir="auto">Leave policy</h4>
                <h5 dir="auto">1 Term</h5>
                <p dir="auto"><mark id="hit">Permanent employees have <mark class="differs">15 days</mark> of paid leave a year &amp; &lt;b&gt;more&lt;/b&gt;.</mark></p>
                <ul><li dir="auto">• once</li></ul>
                <table><tr><th dir="auto" scope="col">Grade</th><th dir="auto" scope="col">Days</th></tr><tr><td dir="auto">A</td><td dir="auto">15</td></tr></table>
              </div>

            </figure>
        "#]],
    );
    let sheet = include_bytes!("../../../dalil-documents/tests/files/rates.xlsx");
    let id = keep(&server, &own, "rates.xlsx", sheet);
    check(
        &look(&server, &cookie, &format!("/documents/{id}/view"), &[]),
        &expect![[r#"
            <figure class="view" aria-labelledby="view-title">
              <figcaption><h3 id="view-title"><bdi>Rates</bdi></h3>
                </figcaption>
              <div class="frame rendered" tabindex="0" role="group" aria-labelledby="view-title" data-frame>
                <h4 dir="auto">Rates</h4>
                <table><caption dir="auto">Rates</caption><tr><th class="num quiet" scope="row">1</th><td dir="auto">Item</td><td dir="auto">Rate</td><td dir="auto">Share</td><td dir="auto">From</td></tr><tr><th class="num quiet" scope="row">2</th><td dir="auto">Item: Crane hour</td><td dir="auto">Rate: 1,250.50 SAR</td><td dir="auto">Share: 15.0%</td><td dir="auto">From: 2026-01-01</td></tr><tr><th class="num quiet" scope="row">3</th><td dir="auto">Item: ساعة رافعة</td><td dir="auto">Rate: 990</td><td dir="auto">Share: 7.5%</td><td dir="auto">From: 2026-02-01</td></tr></table>
                <h4 dir="auto">ملاحظات</h4>
                <table><caption dir="auto">ملاحظات</caption><tr><th class="num quiet" scope="row">1</th><td dir="auto">تسري الأسعار حتى نهاية السنة.</td></tr></table>
              </div>

            </figure>
        "#]],
    );
    let page = look(&server, &cookie, &format!("/documents/{id}"), &[]);
    assert!(page.text().contains("<caption dir=\"auto\">"), "{}", page.text());
}

/// However long a document is, its page is not.
#[test]
fn a_page_of_a_long_document_has_less_than_300_kb() {
    let dir = folder("page-long");
    let own = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, LIMITS);
    let text: String = (0..20_000).map(|n| format!("- <{n}> & \"so on\"\n")).collect();
    let id = keep(&server, &own, "long.md", text.as_bytes());
    let cookie = sign_in(&server, &own);
    let page = look(&server, &cookie, &format!("/documents/{id}"), &[]);
    assert!(page.body.len() < 300_000, "{} bytes", page.body.len());
    assert!(page.text().contains("This is a part of the document"), "{}", page.body.len());
}
