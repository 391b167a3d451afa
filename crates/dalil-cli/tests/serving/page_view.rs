//! Documents for the eye: who sees a page, what is marked on it, and what is shown instead of one.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::server::{ALL, Answer, Server, folder, key};
use crate::viewer::sign_in;
use crate::way::ended;

const LIMITS: &str = r#"{"limits":{"rate":100000,"burst":100000}}"#;
const ENGLISH: &[u8] = include_bytes!("../../../dalil-documents/tests/files/pdf/typst_en.pdf");

/// Keeps a document, and says what names it.
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
    expected.assert_eq(&answer.text());
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
    check(&look(&server, &cookie, &view, &[]), &expect![[""]]);
    let arabic = look(&server, &cookie, &view, &[("cookie", "lang=ar")]).text();
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
    check(&look(&server, &cookie, &format!("/documents/{id}/view"), &[]), &expect![[""]]);
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
    check(&look(&server, &cookie, &view, &[]), &expect![[""]]);
    let sheet = include_bytes!("../../../dalil-documents/tests/files/rates.xlsx");
    let id = keep(&server, &own, "rates.xlsx", sheet);
    check(&look(&server, &cookie, &format!("/documents/{id}/view"), &[]), &expect![[""]]);
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
