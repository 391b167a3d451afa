//! The viewer under attack: its memory, its timeouts, its log, and its refusals.

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::server::{ALL, Answer, Server, dalil, folder, key, seal};

const MIB: usize = 1 << 20;
const LIMITS: &str = r#"{"limits":{"rate":100000,"burst":100000,"upload":67108864,"memory":16777216,
        "anonymous_upload":67108864,"anonymous_memory":16777216,"seconds":2}}"#;
const FORM: &str = "application/x-www-form-urlencoded";
pub(crate) const PARTS: &str = "multipart/form-data; boundary=edge";

/// The cookie of a visit and the mark of its forms.
pub(crate) fn visit(server: &Server) -> (String, String) {
    let page = server.ask("GET", "/signin", "", None);
    let cookie = page.header("set-cookie").split(';').next().unwrap().to_owned();
    let mark = page.text().split("name=\"csrf\" value=\"").nth(1).unwrap().to_owned();
    (cookie, mark.split('"').next().unwrap().to_owned())
}

pub(crate) fn post(
    server: &Server,
    path: &str,
    cookie: &str,
    (kind, body): (&str, &[u8]),
) -> Answer {
    let headers = [("cookie", cookie), ("content-type", kind), ("accept-language", "ar")];
    server.ask_with(("POST", path), "", &headers, Some(body))
}

/// Signs a user in, and returns the cookie.
pub(crate) fn sign_in(server: &Server, key: &str) -> String {
    let (cookie, mark) = visit(server);
    let form = format!("csrf={mark}&credential={key}&back=/packs");
    let still = ureq::Agent::config_builder().max_redirects(0).build().new_agent();
    let to = still.post(format!("{}/signin", server.base)).header("cookie", &cookie);
    let sent = to.header("content-type", FORM).send(form.as_bytes()).unwrap();
    let signed = crate::server::answer(sent);
    assert_eq!(signed.status, 303, "{}", signed.text());
    signed.header("set-cookie").split(';').next().unwrap().to_owned()
}

/// Sends a form, and follows nothing.
pub(crate) fn post_still(server: &Server, path: &str, cookie: &str, form: &[u8]) -> Answer {
    let still = ureq::Agent::config_builder().max_redirects(0).http_status_as_error(false);
    let still = still.build().new_agent();
    let to = still.post(format!("{}{path}", server.base)).header("cookie", cookie);
    crate::server::answer(to.header("content-type", FORM).send(form).unwrap())
}

/// A pack that names no model and no confidence.
pub(crate) const BARE_PACK: &[u8] = br#"{"decision": {"decision_id": "dec-1", "tenant_id": "acme",
        "entity_id": "case-1", "agent_name": "leave_agent", "approval_class": "A0",
        "reversibility_class": "R0", "sensitivity_class": "S0",
        "created_at": "2026-03-14T12:00:00Z", "evidence": [{"source": "hr.policy",
            "uri": "lake://hr", "excerpt": "15 days", "retrieved_at": "2026-03-14T12:00:00Z",
            "confidence": 0.9}]},
        "pack_id": "pack_00000000000000b1", "created_at": "2026-03-14T12:30:00Z"}"#;

/// A form with a mark and a file.
pub(crate) fn parts(mark: &str, file: &[u8]) -> Vec<u8> {
    let head = "--edge\r\ncontent-disposition: form-data; name=";
    let mut form =
        format!("{head}\"csrf\"\r\n\r\n{mark}\r\n{head}\"file\"; filename=\"a.md\"\r\n\r\n");
    form =
        if mark.is_empty() { format!("{head}\"file\"; filename=\"a.md\"\r\n\r\n") } else { form };
    [form.as_bytes(), file, b"\r\n--edge--\r\n"].concat()
}

/// An Arabic page with a title and the name of the request.
#[track_caller]
fn is_page(answer: &Answer, status: u16, title: &str) {
    let text = answer.text();
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (status, "text/html; charset=utf-8")
    );
    assert!(text.contains("<html lang=\"ar\""), "{text}");
    assert!(text.contains(&format!("<h1>{title}</h1>")), "{text}");
    assert!(text.contains(answer.header("x-request-id")), "{text}");
    assert!(answer.header("x-request-id").starts_with("req_"));
    assert!(answer.header("content-security-policy").contains("script-src 'self'"));
}

/// A request whose body stays away after a part of it.
pub(crate) fn begun(server: &Server, head: &str, part: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(server.base.trim_start_matches("http://")).unwrap();
    let rest = "host: a\r\naccept-language: ar\r\nconnection: close\r\n";
    stream.write_all(format!("{head}\r\n{rest}\r\n").as_bytes()).unwrap();
    stream.write_all(part).unwrap();
    stream
}

fn high(server: &Server) -> usize {
    let text = std::fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<usize>().unwrap() * 1024
}

#[test]
fn forms_of_the_viewer_take_no_more_memory_than_there_is_room() {
    let dir = folder("viewer-room");
    let key = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, &LIMITS.replace("\"seconds\":2", "\"seconds\":60"));
    let (cookie, mark) = visit(&server);
    let form = |more: usize| format!("csrf={mark}&x={}", "x".repeat(more));
    let large = post(&server, "/signin", &cookie, (FORM, form(64 << 10).as_bytes()));
    is_page(&large, 413, "أكبر من الحد");
    let fits = post(&server, "/signin", &cookie, (FORM, form(63 << 10).as_bytes()));
    assert_eq!(fits.status, 200, "{}", fits.text());

    // A file without a mark is refused before it comes; one with it is verified while there is room.
    let unmarked = parts("", b"");
    let unmarked = unmarked.strip_suffix(b"\r\n--edge--\r\n").unwrap();
    let head =
        format!("POST /verify HTTP/1.1\r\ncontent-type: {PARTS}\r\ncontent-length: {}", 8 * MIB);
    let mut reply = String::new();
    begun(&server, &head, unmarked).read_to_string(&mut reply).unwrap();
    assert!(reply.starts_with("HTTP/1.1 403 "), "{reply}");
    assert_eq!(post(&server, "/verify", &cookie, (PARTS, &parts(&mark, b"x"))).status, 200);
    let before = high(&server);
    let file = vec![b'x'; 59 * MIB];
    let full = post(&server, "/verify", &cookie, (PARTS, &parts(&mark, &file)));
    is_page(&full, 503, "غير متاح حالياً");
    assert_eq!(full.header("retry-after"), "1");
    // A header of a part that never ends takes room, too.
    let endless = [b"--edge\r\na: ", file.as_slice()].concat();
    is_page(&post(&server, "/verify", &cookie, (PARTS, &endless)), 503, "غير متاح حالياً");
    let held: Vec<TcpStream> = (0..20)
        .map(|_| {
            let length = 59 * MIB;
            let head = format!("POST /signin HTTP/1.1\r\ncontent-length: {length}");
            begun(&server, &head, b"csrf=")
        })
        .collect();
    let grown = (high(&server) - before) / MIB;
    assert!(grown <= 64, "the server took {grown} MiB more");
    drop(held);

    // Documents go through to the disk, whatever room their reading takes.
    let form = format!("csrf={mark}&credential={key}&back=/documents");
    let still = ureq::Agent::config_builder().max_redirects(0).build().new_agent();
    let send = |path: &str, cookie: &str, kind: &str, body: &[u8]| {
        let to = still.post(format!("{}{path}", server.base)).header("cookie", cookie);
        crate::server::answer(to.header("content-type", kind).send(body).unwrap())
    };
    let entered = send("/signin", &cookie, FORM, form.as_bytes());
    let cookie = entered.header("set-cookie").split(';').next().unwrap().to_owned();
    let page = server.ask_with(("GET", "/documents"), "", &[("cookie", &cookie)], None).text();
    let mark = page.split("name=\"csrf\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let text = "Employees receive 30 days of leave.\n\n".repeat(7 * MIB / 37);
    let kept = send("/documents", &cookie, PARTS, &parts(mark, text.as_bytes()));
    assert_eq!(kept.status, 303, "{}", kept.text());
    assert!(kept.header("location").starts_with("/documents/doc_"), "{kept:?}");
}

#[test]
fn pages_have_a_time_limit_a_line_in_the_log_and_figures() {
    let dir = folder("viewer-watch");
    let key = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, LIMITS);
    let (cookie, mark) = visit(&server);
    let mut reply = String::new();
    let head = "POST /signin HTTP/1.1\r\ncontent-length: 100";
    begun(&server, head, b"csrf=").read_to_string(&mut reply).unwrap();
    assert!(reply.starts_with("HTTP/1.1 504 "), "{reply}");
    assert!(reply.contains("<h1>انتهت المهلة</h1>"), "{reply}");

    let form = format!("csrf={mark}&credential={key}&back=/sessions");
    let still = ureq::Agent::config_builder().max_redirects(0).build().new_agent();
    let entered = still.post(format!("{}/signin", server.base)).header("cookie", &cookie);
    let entered = entered.header("content-type", FORM).send(form.as_bytes());
    let entered = crate::server::answer(entered.unwrap());
    assert_eq!(entered.status, 303);
    let cookie = entered.header("set-cookie").split(';').next().unwrap().to_owned();
    let html = [("cookie", cookie.as_str()), ("accept", "text/html")];
    let ask = |path: &str| server.ask_with(("GET", path), "", &html, None);
    let seen = ask("/sessions");
    assert_eq!(seen.status, 200);
    let nowhere = ask("/nowhere");
    assert_eq!((nowhere.status, ask("/assets/dalil.css").status), (404, 200));
    let figures = server.ask("GET", "/metrics", "", None).text();
    let log = server.log();
    let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let lines: Vec<Value> = lines.filter(|line| line["event"] == "request").collect();
    let text = |line: &Value, name: &str| line[name].as_str().unwrap_or("-").to_owned();
    let told: Vec<String> = lines
        .iter()
        .map(|line| {
            let named = ["method", "route", "tenant", "credential"].map(|name| text(line, name));
            let known = if named[3] == "-" { "nobody" } else { "somebody" };
            format!("{} {} {} {} {known}", named[0], named[1], line["status"], named[2])
        })
        .take(6)
        .collect();
    let expected = [
        "GET /signin 200 - nobody",
        "POST /signin 504 - nobody",
        "POST /signin 303 acme somebody",
        "GET /sessions 200 acme somebody",
        "GET unknown 404 - nobody",
        "GET /assets/{name} 200 - nobody",
    ];
    assert_eq!(told, expected, "{log}");
    for (line, answer) in [(3, &seen), (4, &nowhere)] {
        assert_eq!(text(&lines[line], "request_id"), answer.header("x-request-id"));
    }
    for counted in [
        "dalil_http_requests_total{method=\"POST\",route=\"/signin\",status=\"504\"} 1\n",
        "dalil_http_requests_total{method=\"GET\",route=\"/sessions\",status=\"200\"} 1\n",
    ] {
        assert!(figures.contains(counted), "{figures}");
    }
    assert!(!figures.contains("/api/v1/"), "{figures}");
}

#[test]
fn whatever_a_visitor_sends_is_answered_by_a_page_in_their_language() {
    let dir = folder("viewer-pages");
    let server = Server::start(dir, LIMITS);
    let arabic = [("accept-language", "ar")];
    for (method, path, status, title) in [
        ("GET", "/trail/abc", 400, "طلب غير سليم"),
        ("GET", "/sessions/%ff", 400, "طلب غير سليم"),
        ("GET", "/exports?done=a&done=b", 400, "طلب غير سليم"),
        ("POST", "/documents", 400, "طلب غير سليم"),
        ("PUT", "/signin", 405, "الطريقة غير مسموحة"),
    ] {
        let body = (method != "GET").then_some(b"{}".as_slice());
        let answer = server.ask_with((method, path), "", &arabic, body);
        is_page(&answer, status, title);
        if status == 405 {
            assert_eq!(answer.header("allow"), "GET,HEAD,POST");
        }
    }
}

#[test]
fn a_pack_that_names_no_model_and_no_confidence_has_a_page() {
    let dir = folder("viewer-bare-pack");
    let key = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, LIMITS);
    seal(&server, &key, BARE_PACK);
    let cookie = sign_in(&server, &key);
    let headers = [("cookie", cookie.as_str()), ("accept-language", "en")];
    let page = server.ask_with(("GET", "/packs/pack_00000000000000b1"), "", &headers, None);
    assert_eq!(page.status, 200, "{}", page.text());
    assert!(page.text().contains("leave_agent"), "{}", page.text());
    assert!(!page.text().contains("<dt>Model</dt>"), "{}", page.text());
}

#[test]
fn a_call_says_where_it_differs_and_that_nobody_said_what_it_changed() {
    let dir = folder("viewer-call");
    let key = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, LIMITS);
    let mut pack: Value = serde_json::from_slice(BARE_PACK).unwrap();
    pack["tool_calls"] = json!([{"tool_name": "hr.write", "outcome": "succeeded",
        "intended_action": "write leave", "actual_action": "nothing"}]);
    seal(&server, &key, pack.to_string().as_bytes());
    let cookie = sign_in(&server, &key);
    for (language, texts) in [
        (
            "en",
            [
                "<bdi>the whole action</bdi>",
                "<dt>Side effects</dt><dd dir=\"auto\">Not stated</dd>",
            ],
        ),
        ("ar", ["<bdi>الإجراء كله</bdi>", "<dt>الآثار الجانبية</dt><dd dir=\"auto\">لم تُذكر</dd>"]),
    ] {
        let headers = [("cookie", cookie.as_str()), ("accept-language", language)];
        let page = server.ask_with(("GET", "/packs/pack_00000000000000b1"), "", &headers, None);
        for text in texts {
            assert!(page.text().contains(text), "{text} in {}", page.text());
        }
    }
}

#[test]
fn a_disputed_obligation_says_so_and_who_checked_it() {
    let dir = folder("viewer-obligation");
    let key = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, LIMITS);
    let package = json!({
        "obligations": [
            {"obligation_id": "ob-penalty", "doc_id": "d", "source_page": 7,
             "source_clause": "The Vendor shall pay a penalty.", "extraction_model": "extractor-2"},
            {"obligation_id": "ob-plain", "doc_id": "d", "source_clause": "The Vendor shall report.",
             "extraction_model": "extractor-2"},
            {"obligation_id": "ob-lost", "doc_id": "none", "source_clause": "c",
             "extraction_model": "extractor-2"}],
        "documents": {"d": {"filename": "agreement.pdf"}},
        "verifications": {
            "ob-penalty": {"verification_model": "checker-9", "result": "DISPUTED", "confidence": 0.4},
            "ob-plain": {"verification_model": "checker-9", "verified": true}},
    });
    let body = package.to_string();
    server.ask("POST", "/api/v1/obligations", &key, Some(body.as_bytes())).is(201);
    let cookie = sign_in(&server, &key);
    let page = |id: &str, language: &str| {
        let headers = [("cookie", cookie.as_str()), ("accept-language", language)];
        server.ask_with(("GET", &format!("/obligations/{id}")), "", &headers, None).text()
    };
    let (english, arabic) = (page("ob-penalty", "en"), page("ob-penalty", "ar"));
    for said in [
        "<footer>agreement.pdf, Page 7</footer>",
        "<dt>Result</dt><dd dir=\"auto\">Disputed</dd>",
        "<dt>Confidence</dt><dd dir=\"auto\">40%</dd>",
        "<dt>Found by</dt><dd dir=\"auto\">extractor-2</dd>",
        "<dt>Checked by</dt><dd dir=\"auto\">checker-9</dd>",
    ] {
        assert!(english.contains(said), "{said}: {english}");
    }
    assert!(arabic.contains("<dt>النتيجة</dt><dd dir=\"auto\">محل خلاف</dd>"), "{arabic}");
    // A confidence that no record gives is distinguished from one that is 0.
    let plain = page("ob-plain", "en");
    assert!(plain.contains("Nobody gave a confidence; 0 stands in"), "{plain}");
    assert!(!english.contains("Nobody gave a confidence"), "{english}");
    // The log and the figures count the skipped ones, and name none.
    let line = r#""event":"obligations","message":"2 recorded, 1 skipped: evidence_missing_document 1, evidence_missing_verification 0; records "#;
    assert!(server.log().contains(line), "{}", server.log());
    assert!(!server.log().contains("ob-lost"), "{}", server.log());
    let figures = server.ask("GET", "/metrics", "", None).text();
    for line in ["dalil_obligations_recorded_total 2\n", "dalil_obligations_skipped_total 1\n"] {
        assert!(figures.contains(line), "{figures}");
    }
}

/// A pack with a decision in words, a call that failed and a source that is stale.
const TOLD_PACK: &[u8] = br#"{"decision": {"decision_id": "dec-2", "tenant_id": "acme",
        "entity_id": "case-1", "agent_name": "leave_agent", "approval_class": "A0",
        "reversibility_class": "R0", "sensitivity_class": "S0",
        "objective": "Answer the request for leave", "rationale": "The policy allows it",
        "recommendation": {"grant_days": 15}, "options_considered": ["Refuse", {"grant_days": 10}],
        "data_freshness_window_hours": 1,
        "created_at": "2026-03-14T12:00:00Z", "evidence": [{"source": "hr.policy",
            "reference": "HR-7", "excerpt": "15 days", "retrieved_at": "2026-03-12T12:00:00Z",
            "confidence": 0.9}]},
        "tool_calls": [{"tool_name": "hr.write", "intended_action": "write leave",
            "actual_action": "write leave", "inputs": {"days": 15}, "outputs": {},
            "side_effects": [], "outcome": "failed", "verification_status": "pending"}],
        "pack_id": "pack_00000000000000b2", "created_at": "2026-03-14T12:30:00Z"}"#;

#[test]
fn the_page_of_a_pack_shows_what_a_reviewer_decides_on() {
    let dir = folder("viewer-told-pack");
    let key = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, LIMITS);
    seal(&server, &key, TOLD_PACK);
    let cookie = sign_in(&server, &key);
    let page = |language: &str| {
        let headers = [("cookie", cookie.as_str()), ("accept-language", language)];
        server.ask_with(("GET", "/packs/pack_00000000000000b2"), "", &headers, None).text()
    };
    let (english, arabic) = (page("en"), page("ar"));
    for said in [
        "<dt>Objective</dt><dd class=\"lines\" dir=\"auto\">Answer the request for leave</dd>",
        "<dt>Recommendation</dt><dd class=\"lines\" dir=\"auto\">grant_days: 15</dd>",
        "<dt>Rationale</dt><dd class=\"lines\" dir=\"auto\">The policy allows it</dd>",
        "<li class=\"lines\" dir=\"auto\">Refuse</li>",
        "Needs your attention <bdi class=\"num\">(2)</bdi>",
        "<a href=\"#call-0\"><bdi class=\"mono\">hr.write</bdi></a>",
        "Stale</span> <a href=\"#cite-",
        "<dt>Inputs</dt><dd class=\"lines\" dir=\"auto\">days: 15</dd>",
        "<bdi>HR-7</bdi>",
    ] {
        assert!(english.contains(said), "{said}: {english}");
    }
    // A citation of the memo leads to the source that carries its anchor.
    let cited = english.split("href=\"#cite-").nth(1).and_then(|rest| rest.get(..8)).unwrap();
    assert!(english.contains(&format!("id=\"cite-{cited}\"")), "{english}");
    assert!(arabic.contains("<h2 id=\"decided-title\">ما تقرر</h2>"), "{arabic}");
}

/// Seals a pack that was made a moment ago, whose review is open.
fn seal_fresh(server: &Server, admin: &str) -> &'static str {
    let newest = server.ask("GET", "/api/v1/trail/records?order=newest&limit=1", admin, None);
    let now = newest.is(200)["items"][0]["at"].clone();
    let mut pack: Value = serde_json::from_slice(BARE_PACK).unwrap();
    pack["created_at"] = now.clone();
    pack["decision"]["created_at"] = now.clone();
    pack["decision"]["evidence"][0]["retrieved_at"] = now;
    seal(server, admin, pack.to_string().as_bytes());
    "pack_00000000000000b1"
}

#[test]
fn a_review_is_offered_for_48_hours_and_then_the_pages_say_that_it_is_over() {
    let dir = folder("viewer-overdue");
    let admin = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, LIMITS);
    let fresh = seal_fresh(&server, &admin);
    // Of March, and so months old.
    seal(&server, &admin, TOLD_PACK);
    let cookie = sign_in(&server, &admin);
    let page = |path: &str, language: &str| {
        let headers = [("cookie", cookie.as_str()), ("accept-language", language)];
        let page = server.ask_with(("GET", path), "", &headers, None);
        assert_eq!(page.status, 200, "{}", page.text());
        page.text()
    };
    let home = page("/", "en");
    let waits = |pack: &str| home.contains(&format!("<a href=\"/packs/{pack}\">"));
    assert_eq!((waits(fresh), waits("pack_00000000000000b2")), (true, false), "{home}");
    let over = "Packs whose review was not finished within 48 hours, and that must be assembled \
        again: 1</a>";
    assert!(home.contains(over), "{home}");
    assert!(page("/", "ar").contains("حزم لم تكتمل مراجعتها خلال 48 ساعة"));
    let form = |pack: &str| format!("action=\"/packs/{pack}/review\"");
    assert!(page(&format!("/packs/{fresh}"), "en").contains(&form(fresh)));
    let late = page("/packs/pack_00000000000000b2", "en");
    assert!(!late.contains(&form("pack_00000000000000b2")), "{late}");
    let why = "The time for a review has passed: <span dir=\"auto\">expected a review within 48 \
        hours, until 2026-03-16T12:30:00.000Z, found ";
    assert!(late.contains(why), "{late}");
    assert!(late.contains("assemble the pack again: a version that was not reviewed"), "{late}");
    assert!(page("/packs/pack_00000000000000b2", "ar").contains("انقضى وقت المراجعة:"));
}

#[test]
fn a_rejected_pack_says_so_and_why_in_the_list_and_on_its_page() {
    let dir = folder("viewer-rejected");
    let admin = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, LIMITS);
    let pack = seal_fresh(&server, &admin);
    let cookie = sign_in(&server, &admin);
    let pages = |language: &str| {
        let headers = [("cookie", cookie.as_str()), ("accept-language", language)];
        ["/packs".to_owned(), format!("/packs/{pack}")]
            .map(|path| server.ask_with(("GET", &path), "", &headers, None).text())
    };
    for page in pages("en") {
        assert!(
            page.contains("<span class=\"badge unresolved\">Waiting for review</span>"),
            "{page}"
        );
    }
    let no = br#"{"outcome":"rejected","reason":"The price is wrong."}"#;
    server.ask("POST", &format!("/api/v1/packs/{pack}/review"), &admin, Some(no)).is(201);
    let rejected = [("en", "Rejected"), ("ar", "مرفوض")];
    for (language, word) in rejected {
        let badge = format!("<span class=\"badge rejected\">{word}</span>");
        let [list, page] = pages(language);
        assert!(list.contains(&badge) && !list.contains("badge unresolved"), "{list}");
        // No approval is missing any more, even those that were when it was rejected.
        assert!(page.contains(&badge) && !page.contains("badge unresolved"), "{page}");
        assert!(
            page.contains("The price is wrong.") && !page.contains("id=\"standing\""),
            "{page}"
        );
    }
    let told = |path: &str| server.ask("GET", path, &admin, None).is(200);
    for version in [
        &told(&format!("/api/v1/packs/{pack}")),
        &told(&format!("/api/v1/packs/{pack}/versions"))["items"][0],
        &told("/api/v1/packs")["items"][0],
    ] {
        let told = [&version["status"], &version["state"]];
        assert_eq!(told, [&json!("unresolved"), &json!("rejected")], "{version}");
    }
}

#[test]
fn the_keys_of_ones_own_trail_say_nothing_about_a_file_of_another() {
    let dir = folder("viewer-foreign");
    let own = key(&dir, "acme", "person:amal", &ALL);
    let other = key(&dir, "zenith", "person:amal", &ALL);
    let server = Server::start(dir, LIMITS);
    let receipt = |key: &str| server.ask("GET", "/api/v1/trail/records/0/receipt", key, None).body;
    let cookie = sign_in(&server, &own);
    let headers = [("cookie", cookie.as_str()), ("accept-language", "en")];
    let form = server.ask_with(("GET", "/verify"), "", &headers, None).text();
    let mark = form.split("name=\"csrf\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let told = |file: &[u8]| {
        let page = post(&server, "/verify", &cookie, (PARTS, &parts(mark, file))).text();
        let tone =
            page.split("<div class=\"notice ").nth(1).and_then(|rest| rest.split('"').next());
        let kind = [("content-type", "application/octet-stream")];
        let over_http =
            server.ask_with(("POST", "/api/v1/verify"), &own, &kind, Some(file)).is(200);
        format!("{} {}", tone.unwrap_or("none"), over_http["verdict"])
    };
    let (mine, foreign) = (receipt(&own), receipt(&other));
    let forged = String::from_utf8(mine.clone()).unwrap().replacen("index 0", "index 1", 1);
    assert_eq!(told(&mine), "good \"pass\"");
    assert_eq!(told(&foreign), "fair \"incomplete\"");
    assert_eq!(told(forged.as_bytes()), "bad \"fail\"");
}

#[test]
fn who_acted_is_named_in_the_language_of_the_page() {
    let dir = folder("viewer-actors");
    let own = key(&dir, "acme", "person:amal", &ALL);
    let clerk = key(&dir, "acme", "agent:clerk", &["record"]);
    let server = Server::start(dir, LIMITS);
    let answer = br#"{"session_id":"ses-1","answer":"Employees receive 15 days."}"#;
    server.ask("POST", "/api/v1/sessions", &clerk, Some(answer)).is(201);
    let cookie = sign_in(&server, &own);
    let named = |language: &str| -> BTreeSet<String> {
        let headers = [("cookie", cookie.as_str()), ("accept-language", language)];
        let page = server.ask_with(("GET", "/trail"), "", &headers, None).text();
        let chosen = page.split("<select id=\"who\"").nth(1).unwrap();
        let options = chosen.split("</select>").next().unwrap().split("</option>");
        let name = |option: &str| option.rsplit_once('>').map(|(_, name)| name.to_owned());
        options.filter_map(name).filter(|name| !name.is_empty()).collect()
    };
    let members = ["amal", "local", "noura", "sami"].map(str::to_owned);
    let all = |names: [&str; 3]| -> BTreeSet<String> {
        names.map(str::to_owned).into_iter().chain(members.clone()).collect()
    };
    assert_eq!(named("en"), all(["All", "Agent clerk", "The system"]));
    assert_eq!(named("ar"), all(["الكل", "الوكيل الآلي clerk", "النظام"]));
}

#[test]
fn a_key_that_may_not_view_verifies_as_a_stranger_does() {
    let dir = folder("viewer-narrow");
    let own = key(&dir, "acme", "person:amal", &ALL);
    let narrow = key(&dir, "acme", "person:amal", &["record"]);
    let server = Server::start(dir, LIMITS);
    let file = server.ask("GET", "/api/v1/trail/records/0/receipt", &own, None).body;
    let told = |cookie: &str| {
        let headers = [("cookie", cookie), ("accept-language", "en")];
        let form = server.ask_with(("GET", "/verify"), "", &headers, None).text();
        let mark = form.split("name=\"csrf\" value=\"").nth(1).unwrap().split('"').next().unwrap();
        let page = post(&server, "/verify", cookie, (PARTS, &parts(mark, &file)));
        let text = page.text();
        let tone =
            text.split("<div class=\"notice ").nth(1).and_then(|rest| rest.split('"').next());
        let offers_own = form.contains("data-trust=\"/trail/trust\"");
        (page.status, tone.unwrap_or("none").to_owned(), offers_own)
    };
    let (stranger, _) = visit(&server);
    assert_eq!(told(&stranger), (200, "fair".to_owned(), false));
    assert_eq!(told(&sign_in(&server, &narrow)), (200, "fair".to_owned(), false));
    assert_eq!(told(&sign_in(&server, &own)), (200, "good".to_owned(), true));
    // No one was refused it, so no record states so.
    let audit = server.ask("GET", "/api/v1/audit?kind=access.refused", &own, None).is(200);
    let items = audit["items"].as_array().unwrap();
    assert!(items.iter().all(|item| item["subject"] != "POST /verify"), "{audit}");
}

/// The files below a folder.
fn files(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found
}

#[test]
fn a_list_of_answers_reads_each_ledger_once() {
    let dir = folder("viewer-session-list");
    let own = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, LIMITS);
    let post = |path: &str, body: &Value, status: u16| {
        server.ask("POST", path, &own, Some(body.to_string().as_bytes())).is(status)
    };
    let markdown = [("content-type", "text/markdown")];
    let policy = b"# Leave\n\nEmployees receive 15 days of paid annual leave.\n";
    let upload = ("POST", "/api/v1/documents?filename=leave.md");
    server.ask_with(upload, &own, &markdown, Some(policy)).is(201);
    let check = |name: &str, days: u32| {
        let answer = format!("Employees receive {days} days of paid annual leave.");
        post("/api/v1/sessions", &json!({"session_id": name, "answer": answer}), 201);
        let job = post(&format!("/api/v1/sessions/{name}/check"), &json!({}), 202);
        crate::way::ended(&server, &own, job["job_id"].as_str().unwrap());
    };
    check("ses-right", 15);
    check("ses-wrong", 20);
    let cookie = sign_in(&server, &own);
    let headers = [("cookie", cookie.as_str()), ("accept-language", "en")];
    let list = || {
        let page = server.ask_with(("GET", "/sessions"), "", &headers, None);
        assert_eq!(page.status, 200, "{}", page.text());
        let text = page.text();
        let states =
            text.split("<span class=\"state ").skip(1).filter_map(|rest| rest.split('<').next());
        states.map(str::to_owned).collect::<Vec<String>>()
    };
    let first = list();
    let expected = [
        "fair\">1 claim needs a person",
        "good\">Ready to rely on: every claim is supported or was resolved by a person",
    ];
    assert_eq!(first.len(), 2, "{first:?}");
    assert!(expected.iter().all(|one| first.iter().any(|told| told == one)), "{first:?}");
    // No ledger is left in the lake: reading one again would fail.
    let objects = files(&server.dir().join("dalil-data/lake")).into_iter().filter(|file| {
        let bytes = std::fs::read(file).unwrap_or_default();
        bytes.starts_with(b"{") && bytes.windows(9).any(|part| part == b"\"entries\"")
    });
    let objects: Vec<_> = objects.collect();
    assert_eq!(objects.len(), 2, "{:?}", files(server.dir()));
    for ledger in &objects {
        std::fs::remove_file(ledger).unwrap();
    }
    assert_eq!(list(), first);
    let page = server.ask_with(("GET", "/sessions/ses-right"), "", &headers, None);
    assert_ne!(page.status, 200, "the page of the session itself reads the ledger");
}

/// Behind a proxy that encrypts, the cookie has another name, under which it is taken back.
#[test]
fn the_session_of_a_revoked_key_ends_behind_a_proxy_too() {
    let dir = folder("viewer-proxied");
    let admin = key(&dir, "acme", "person:amal", &ALL);
    let own = key(&dir, "acme", "person:noura", &ALL);
    let server = Server::start(dir, LIMITS);
    let still = ureq::Agent::config_builder().max_redirects(0).http_status_as_error(false);
    let still = still.build().new_agent();
    let ask = |path: &str, cookie: &str, form: Option<&str>| {
        let address = format!("{}{path}", server.base);
        let headers = [("x-forwarded-proto", "https"), ("cookie", cookie), ("content-type", FORM)];
        crate::server::answer(match form {
            Some(form) => {
                let to = headers.iter().fold(still.post(address), |to, (n, v)| to.header(*n, *v));
                to.send(form.as_bytes()).unwrap()
            }
            None => {
                let to = headers.iter().fold(still.get(address), |to, (n, v)| to.header(*n, *v));
                to.call().unwrap()
            }
        })
    };
    let cookie = |answer: &Answer| {
        let set = answer.header("set-cookie").split(';').next().unwrap().to_owned();
        assert!(set.starts_with("__Host-dalil_session="), "{}: {set}", answer.status);
        set
    };
    let page = ask("/signin", "", None);
    let mark = page.text().split("name=\"csrf\" value=\"").nth(1).unwrap().to_owned();
    let mark = mark.split('"').next().unwrap();
    let form = format!("csrf={mark}&credential={own}&back=/packs");
    let signed = cookie(&ask("/signin", &cookie(&page), Some(&form)));
    assert_eq!(ask("/packs", &signed, None).status, 200);
    let gone = format!("/api/v1/api-keys/{}", own.split('_').nth(2).unwrap());
    assert_eq!(server.ask("DELETE", &gone, &admin, None).status, 200);
    let out = ask("/packs", &signed, None);
    assert_eq!((out.status, out.header("location")), (303, "/signin?back=%2Fpacks"));
    assert_ne!(cookie(&out), signed);
}

#[test]
fn a_pack_waits_for_nobody_whose_key_may_not_review() {
    let dir = folder("viewer-home-scope");
    let admin = key(&dir, "acme", "person:amal", &ALL);
    let looks = key(&dir, "acme", "person:amal", &["view"]);
    let server = Server::start(dir, LIMITS);
    let fresh = seal_fresh(&server, &admin);
    let home = |key: &str| {
        let cookie = sign_in(&server, key);
        let headers = [("cookie", cookie.as_str()), ("accept-language", "en")];
        server.ask_with(("GET", "/"), "", &headers, None).text()
    };
    let (reviews, looks) = (home(&admin), home(&looks));
    assert!(reviews.contains(&format!("<a href=\"/packs/{fresh}\">")), "{reviews}");
    assert!(!looks.contains(fresh), "{looks}");
    assert!(looks.contains("Nothing waits for you."), "{looks}");
}

#[test]
fn the_page_of_an_open_pack_whose_decision_was_erased_shows_what_remains() {
    let dir = folder("viewer-erased-decision");
    let dana =
        ["member", "add", "dana", "--role", "admin", "--tenant", "acme", "--actor", "system"];
    dalil(&dir, &dana);
    let admin = key(&dir, "acme", "person:amal", &ALL);
    let dana = key(&dir, "acme", "person:dana", &ALL);
    let server = Server::start(dir, LIMITS);
    seal(&server, &admin, TOLD_PACK);
    let page = |language: &str| {
        let cookie = sign_in(&server, &admin);
        let headers = [("cookie", cookie.as_str()), ("accept-language", language)];
        server.ask_with(("GET", "/packs/pack_00000000000000b2"), "", &headers, None)
    };
    let (erased, review) =
        ("The decision that this pack is about was erased.", "<h2 id=\"review-title\">");
    let before = page("en").text();
    assert!(!before.contains(erased) && before.contains(review), "{before}");

    let order = json!({"scope": "subject:dec-2", "legal_basis": "court_order"});
    let mut matter = order.clone();
    matter["action"] = json!("erase");
    let post = |key: &str, path: &str, body: &Value, status: u16| {
        server.ask("POST", path, key, Some(body.to_string().as_bytes())).is(status);
    };
    post(&dana, "/api/v1/approvals", &matter, 201);
    post(&admin, "/api/v1/erasures", &order, 200);
    let after = page("en");
    let text = after.text();
    assert_eq!(after.status, 200, "{text}");
    for said in [
        erased,
        "It says whose approval is needed, so the pack cannot be reviewed.",
        "<dt>Rationale</dt><dd class=\"lines\" dir=\"auto\">The policy allows it</dd>",
        "<bdi>HR-7</bdi>",
        "<h2 id=\"versions-title\">",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(!text.contains(review), "{text}");
    assert!(page("ar").text().contains("مُحي القرار الذي تتعلق به هذه الحزمة"));
    let standing = server.ask("GET", "/api/v1/packs/pack_00000000000000b2/standing", &admin, None);
    let told = standing.is(410);
    let why = "expected the decision, which says whose approval it needs, found record";
    assert!(told["detail"].as_str().is_some_and(|detail| detail.contains(why)), "{told}");
}

#[test]
fn completeness_is_signed_over_the_api() {
    let dir = folder("api-completeness");
    let key = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, LIMITS);
    let asked = br#"{"expected_obligation_ids":["ob-1"]}"#;
    let signed = server.ask("POST", "/api/v1/obligations/completeness", &key, Some(asked)).is(200);
    assert_eq!(signed["payloadType"], "application/vnd.dalil.completeness+json");
    let body = signed.to_string();
    let report = server.ask("POST", "/api/v1/verify", &key, Some(body.as_bytes())).is(200);
    let found = report["findings"].as_array().unwrap().iter();
    let found = found.map(|one| format!("{}: {}", one["part"], one["verdict"]).replace('"', ""));
    assert_eq!(
        found.collect::<Vec<_>>().join(", "),
        "format: pass, signature: pass, statement key: pass, checkpoint: pass, \
         checkpoint signature: pass, key status: pass, expected: incomplete, \
         completeness: incomplete"
    );
}
