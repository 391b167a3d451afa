//! The check of an answer that is still being written, over a connection that speaks both ways.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use crate::server::{ALL, Answer, QUICK, Server, folder, key, write};

/// A client that writes an answer and reads the events about it.
struct AnswerWriter {
    stream: TcpStream,
    reply: BufReader<TcpStream>,
    /// Bytes of events that are not complete.
    text: String,
}

impl AnswerWriter {
    /// Begins to write: the head is sent, and nothing is read.
    fn begin(server: &Server, key: &str, head: &Value) -> Self {
        let at = server.base.trim_start_matches("http://");
        let stream = TcpStream::connect(at).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let reply = BufReader::new(stream.try_clone().unwrap());
        let mut writer = Self { stream, reply, text: String::new() };
        let request = format!(
            "POST /api/v1/check/stream HTTP/1.1\r\nhost: {at}\r\nauthorization: Bearer {key}\r\n\
             content-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\n\r\n"
        );
        writer.stream.write_all(request.as_bytes()).unwrap();
        writer.line(head);
        writer
    }

    /// Reads the head of the reply.
    #[track_caller]
    fn accepted(mut self) -> Self {
        let mut line = String::new();
        self.reply.read_line(&mut line).unwrap();
        assert_eq!(line.trim(), "HTTP/1.1 200 OK");
        while line.trim() != "" {
            line.clear();
            self.reply.read_line(&mut line).unwrap();
        }
        self
    }

    fn line(&mut self, line: &Value) {
        let line = format!("{line}\n");
        write!(self.stream, "{:x}\r\n{line}\r\n", line.len()).unwrap();
    }

    fn write(&mut self, text: &str) {
        self.line(&json!({"text": text}));
    }

    fn end(&mut self) {
        self.stream.write_all(b"0\r\n\r\n").unwrap();
    }

    /// The next event: its name and its data.
    #[track_caller]
    fn event(&mut self) -> (String, Value) {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let event = parsed(event);
                self.text = rest.to_owned();
                match event {
                    Some(event) => return event,
                    None => continue,
                }
            }
            let mut size = String::new();
            self.reply.read_line(&mut size).unwrap();
            let size = usize::from_str_radix(size.trim(), 16).unwrap();
            assert_ne!(size, 0, "the events are over");
            let mut piece = vec![0; size + 2];
            self.reply.read_exact(&mut piece).unwrap();
            self.text.push_str(std::str::from_utf8(&piece[..size]).unwrap());
        }
    }
}

/// An event of a stream; none where it is a comment that keeps the connection alive.
fn parsed(event: &str) -> Option<(String, Value)> {
    let name = event.lines().find_map(|line| line.strip_prefix("event: "))?;
    let data = event.lines().find_map(|line| line.strip_prefix("data: "))?;
    Some((name.to_owned(), serde_json::from_str(data).unwrap()))
}

/// All events of a body that was sent at once.
fn at_once(server: &Server, key: &str, lines: &[Value], headers: &[(&str, &str)]) -> Answer {
    let body: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let kind = ("content-type", "application/x-ndjson");
    let headers: Vec<(&str, &str)> = headers.iter().copied().chain([kind]).collect();
    server.ask_with(("POST", "/api/v1/check/stream"), key, &headers, Some(body.as_bytes()))
}

fn events(answer: &Answer) -> Vec<(String, Value)> {
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("content-type"), "text/event-stream");
    answer.text().split_terminator("\n\n").filter_map(parsed).collect()
}

const ANSWER: &str = "Permanent employees receive 15 days of paid annual leave. Requests are \
                      submitted 3 weeks in advance [1]. Employees may work from the moon.\n\n[1] HR\n";

fn chunks() -> Value {
    json!([
        {"id": "kb-42#3", "text": "All permanent employees receive 15 days of paid annual leave per calendar year.",
         "title": "HR leave policy", "uri": "kb://hr/leave", "page": 12, "metadata": {"score": 0.91}},
        {"id": "kb-42#4", "text": "Leave requests must be submitted 2 weeks in advance."},
    ])
}

/// The result of `dalil check` for an answer at a time.
fn checked(dir: &Path, answer: &str, at: &Value) -> Value {
    let (text, set) = (dir.join("answer.md"), dir.join("retrieved.json"));
    write(&text, answer);
    write(&set, &json!({"chunks": chunks()}).to_string());
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_dalil"));
    command.arg("check").arg(text).arg("--chunks").arg(set).args(["--no-index", "--judge", "fast"]);
    command.args(["--question", "How many days?", "--session", "ses-1", "--format", "ledger"]);
    let told = command.arg("--at").arg(at.as_str().unwrap()).output().unwrap();
    serde_json::from_slice(&told.stdout).unwrap()
}

const FAST: &str = r#"{"limits":{"rate":100000,"burst":100000},"judge":{"mode":"fast"}}"#;

#[test]
fn claims_are_told_while_an_answer_is_written_and_the_ledger_is_that_of_the_whole() {
    let dir = folder("streaming");
    let admin = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, FAST);
    let head = json!({"question": "How many days?", "session_id": "ses-1", "chunks": chunks()});
    let mut writer = AnswerWriter::begin(&server, &admin, &head).accepted();

    let (first, rest) = ANSWER.split_at(ANSWER.find(" are submitted").unwrap());
    writer.write(first);
    // Only now is the next piece written: the claim was judged before the answer was whole.
    let (name, claim) = writer.event();
    assert_eq!(name, "claim");
    assert_eq!(
        [&claim["claim_id"], &claim["verdict"], &claim["evidence_chunk_ids"][0]],
        ["clm_001", "supported", "kb-42#3"]
    );
    assert_eq!(server.ask("GET", "/api/v1/sessions", &admin, None).is(200)["items"], json!([]));
    for piece in rest.split_inclusive(' ') {
        writer.write(piece);
    }
    writer.end();
    let mut claims = vec![claim];
    let ledger = loop {
        match writer.event() {
            (name, claim) if name == "claim" => {
                claims.retain(|known| known["claim_id"] != claim["claim_id"]);
                claims.push(claim);
            }
            (name, ledger) if name == "ledger" => break ledger,
            (name, job) => assert_eq!((name.as_str(), &job["subject"]), ("job", &json!("ses-1"))),
        }
    };

    // The events about the claims match the ledger.
    let mut entries = ledger["ledger"]["entries"].clone();
    for entry in entries.as_array_mut().unwrap() {
        entry.as_object_mut().unwrap().remove("id");
    }
    claims.sort_by_key(|claim| claim["claim_id"].to_string());
    assert_eq!(json!(claims), entries);
    let verdicts: Vec<&Value> = claims.iter().map(|claim| &claim["verdict"]).collect();
    assert_eq!(verdicts, ["supported", "contradicted", "not_found"]);
    // And the ledger is the one of the whole answer, to the last byte.
    let whole = checked(server.dir(), ANSWER, &ledger["ledger"]["created_at"]);
    assert_eq!(ledger["ledger"].to_string(), whole.to_string());
    let kept = server.ask("GET", "/api/v1/sessions/ses-1/ledger", &admin, None).is(200);
    assert_eq!(kept, ledger);
}

#[test]
fn pieces_that_come_at_once_give_the_same() {
    let dir = folder("streaming-once");
    let admin = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, FAST);
    let head = json!({"question": "How many days?", "session_id": "ses-1", "chunks": chunks()});
    let lines = |pieces: &[&str]| -> Vec<Value> {
        let pieces = pieces.iter().map(|text| json!({"text": text}));
        std::iter::once(head.clone()).chain(pieces).collect()
    };
    let named = [("idempotency-key", "stream-1")];
    let told = events(&at_once(&server, &admin, &lines(&[ANSWER]), &named));
    let names: Vec<&str> = told.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["claim", "claim", "claim", "job", "ledger"]);
    let ledger = &told[4].1["ledger"];
    let whole = checked(server.dir(), ANSWER, &ledger["created_at"]);
    assert_eq!(ledger.to_string(), whole.to_string());

    // A retry under the same key, in other pieces, is the same request.
    let (one, two) = ANSWER.split_at(70);
    let again = events(&at_once(&server, &admin, &lines(&[one, "", two]), &named));
    assert_eq!(again.last(), told.last());
    let jobs = server.ask("GET", "/api/v1/jobs", &admin, None).is(200);
    assert_eq!(jobs["items"].as_array().unwrap().len(), 1);
}

#[test]
fn what_is_wrong_is_a_problem_before_the_first_event_or_the_last_event() {
    let dir = folder("streaming-bad");
    let admin = key(&dir, "acme", "person:amal", &ALL);
    let viewer = key(&dir, "acme", "person:sami", &["view"]);
    let other = key(&dir, "zenith", "person:amal", &ALL);
    let config =
        r#"{"limits":{"rate":100000,"burst":100000,"body":200000},"judge":{"mode":"fast"}}"#;
    let server = Server::start(dir, config);
    let faults = |problem: &Value| -> Vec<String> {
        let text = |fault: &Value, name: &str| fault[name].as_str().unwrap().to_owned();
        let faults = problem["faults"].as_array().into_iter().flatten();
        faults.map(|one| format!("{} {}", text(one, "rule"), text(one, "path"))).collect()
    };
    let refused = |lines: &[Value], status: u16| -> Vec<String> {
        faults(&at_once(&server, &admin, lines, &[]).is(status))
    };
    let head = json!({"session_id": "ses-1", "chunks": chunks()});
    let text = |text: &str| json!({"text": text});
    assert_eq!(refused(&[], 422), ["json $"]);
    let wrong = json!({"answer": "A.", "language": "fr", "chunks": [{"id": "a"}]});
    let told = ["choice language", "missing_field chunks[0].text", "unknown_field answer"];
    assert_eq!(refused(&[wrong], 422), told);
    assert_eq!(refused(&[json!({"bundle_id": "none"})], 404), ["not_found bundle_id"]);
    assert_eq!(refused(&[json!({"documents": ["doc_0"]})], 404), ["not_found document_id"]);
    let json = [("content-type", "application/json")];
    let at = ("POST", "/api/v1/check/stream");
    server.ask_with(at, &admin, &json, Some(head.to_string().as_bytes())).is(415);
    at_once(&server, &viewer, &[head.clone(), text("A.")], &[]).is(403);

    let last = |key: &str, lines: &[Value], arabic: bool| -> (u64, Vec<String>, Value) {
        let language = [("accept-language", if arabic { "ar" } else { "en" })];
        let (name, problem) = events(&at_once(&server, key, lines, &language)).pop().unwrap();
        assert_eq!(name, "problem", "{problem}");
        (problem["status"].as_u64().unwrap(), faults(&problem), problem["detail"].clone())
    };
    let (status, told, _) = last(&admin, std::slice::from_ref(&head), false);
    assert_eq!((status, told), (422, vec!["empty answer".to_owned()]));
    let lines = [head.clone(), text("Leave is paid. "), json!({"delta": "It is long."})];
    let (status, told, _) = last(&admin, &lines, false);
    let expected = ["missing_field pieces[1].text", "unknown_field pieces[1].delta"];
    assert_eq!((status, told), (422, expected.map(str::to_owned).to_vec()));
    let (_, _, said) = last(&admin, &[head.clone(), json!({"text": 7})], true);
    assert_eq!(said, "`pieces[0].text`: المتوقع نص، والموجود `7`");
    // A body without a stated length is refused at the byte that is too many.
    let mut writer = AnswerWriter::begin(&server, &admin, &head).accepted();
    let piece = text(&"leave ".repeat(200));
    for _ in 0..=200_000 / piece.to_string().len() {
        writer.line(&piece);
    }
    let (name, problem) = writer.event();
    assert_eq!((name.as_str(), &problem["status"]), ("problem", &json!(413)), "{problem}");
    // Nothing of all this was kept.
    assert_eq!(server.ask("GET", "/api/v1/sessions", &admin, None).is(200)["items"], json!([]));

    // Two answers cannot have one name; another tenant's session is another.
    for key in [&admin, &other] {
        let told = events(&at_once(&server, key, &[head.clone(), text("Leave is paid.")], &[]));
        assert_eq!(told.last().unwrap().0, "ledger");
    }
    let (status, told, _) = last(&admin, &[head, text("Leave is long.")], false);
    assert_eq!((status, told), (409, vec!["other_answer session".to_owned()]));
}

#[test]
fn a_caller_who_leaves_before_the_end_leaves_nothing_and_frees_its_place() {
    let dir = folder("streaming-left");
    let admin = key(&dir, "acme", "person:amal", &ALL);
    let other = key(&dir, "zenith", "person:amal", &ALL);
    let server = Server::start(dir, FAST);
    let head = json!({"session_id": "ses-1", "chunks": chunks()});
    let mut open: Vec<AnswerWriter> = Vec::new();
    for _ in 0..16 {
        let mut writer = AnswerWriter::begin(&server, &admin, &head).accepted();
        writer.write("Permanent employees receive 15 days of paid annual leave. Requests ");
        assert_eq!(writer.event().0, "claim");
        open.push(writer);
    }
    let busy = at_once(&server, &admin, std::slice::from_ref(&head), &[]);
    assert_eq!((busy.status, busy.header("retry-after")), (503, "1"));
    // Another caller has places of their own.
    let mut writer = AnswerWriter::begin(&server, &other, &head).accepted();
    writer.write("Leave is paid. It is long.");
    writer.end();

    drop(open);
    let told = (0..100).find_map(|_| {
        sleep(Duration::from_millis(100));
        let answer = at_once(&server, &admin, &[head.clone(), json!({"text": "A."})], &[]);
        (answer.status == 200).then(|| events(&answer))
    });
    assert_eq!(told.unwrap().last().unwrap().0, "ledger");
    let jobs = server.ask("GET", "/api/v1/jobs", &admin, None).is(200);
    assert_eq!(jobs["items"].as_array().unwrap().len(), 1);
}

#[test]
fn tenants_that_write_at_the_same_time_see_their_own_documents() {
    let dir = folder("streaming-two");
    let keys = ["acme", "zenith"].map(|tenant| key(&dir, tenant, "person:amal", &ALL));
    let server = Server::start(dir, QUICK);
    let upload = |key: &str, text: &str| -> Value {
        let at = ("POST", "/api/v1/documents?filename=leave.md");
        let kind = [("content-type", "application/octet-stream")];
        server.ask_with(at, key, &kind, Some(text.as_bytes())).is(201)["document_id"].clone()
    };
    let policies = ["Leave is 15 days per year.\n", "Leave is 30 days per year.\n"];
    let documents = [upload(&keys[0], policies[0]), upload(&keys[1], policies[1])];
    let borrowed = json!({"documents": [documents[1]]});
    at_once(&server, &keys[0], &[borrowed], &[]).is(404);
    let mut writers = [0, 1].map(|n| {
        let head = json!({"session_id": "ses-1", "documents": [documents[n]]});
        AnswerWriter::begin(&server, &keys[n], &head).accepted()
    });
    for writer in &mut writers {
        writer.write("Leave is 15 days per year. Parking ");
    }
    let told = writers.each_mut().map(|writer| writer.event().1);
    for (n, (claim, policy)) in told.iter().zip(policies).enumerate() {
        assert_eq!(claim["verdict"], ["supported", "contradicted"][n], "{claim}");
        assert_eq!(claim["evidence_snippet"], policy.trim());
    }
    // A caller that hangs up after the end is not waited for: its answer is checked.
    let [mut stays, mut leaves] = writers;
    for writer in [&mut stays, &mut leaves] {
        writer.write("is free.");
        writer.end();
    }
    while leaves.event().0 != "job" {}
    drop(leaves);
    while stays.event().0 != "ledger" {}
    let found = (0..100).any(|_| {
        sleep(Duration::from_millis(100));
        server.ask("GET", "/api/v1/sessions/ses-1/ledger", &keys[1], None).status == 200
    });
    assert!(found, "the ledger was not closed");
}
