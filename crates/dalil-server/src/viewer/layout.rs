//! The layout that every page shares, and the formatting of values.

use std::borrow::Cow;
use std::fmt;

use askama::Template;
use axum::http::header::{CONTENT_LANGUAGE, CONTENT_TYPE, LOCATION};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use dalil_evidence::anchor::Anchor;
use dalil_evidence::approval::VoteOutcome;
use dalil_evidence::ledger::ClaimFinding;
use dalil_evidence::ledger::citation::CitationResolution;
use dalil_evidence::ledger::confidence::ConfidenceBand;
use dalil_evidence::ledger::issue::ClaimIssue;
use dalil_evidence::ledger::question_reply::QuestionReplyAction;
use dalil_evidence::ledger::request::EvidenceDocument;
use dalil_evidence::ledger::review::ClaimReviewAction;
use dalil_evidence::ledger::risk::LedgerRisk;
use dalil_evidence::ledger::summary::NO_SHARE_LABEL;
use dalil_evidence::pack::PackFlag;
use dalil_evidence::pack::tool::ToolCall;
use dalil_phrasebook::viewer::ViewerTexts;
use dalil_phrasebook::{Phrase, document_note, ledger, ledger_view, proof_check};
use dalil_proof::canon;
use dalil_proof::report::part_name;
use dalil_proof::score::Score;
use dalil_proof::time::Time;
use dalil_render::markup::without_markup;
use dalil_service::export::ExportFormat;
use serde::Serialize;

use super::ability::PageAbilities;
use super::timeline::subject_kind;
use super::visitor::WebVisitor;
use super::word_diff;
use crate::percent::seg;
use crate::permission::Permission;

/// The frame of a page.
pub(super) struct PageLayout {
    pub(super) w: &'static ViewerTexts,
    pub(super) theme: Option<&'static str>,
    /// The place of the navigation that the page belongs to.
    pub(super) here: &'static str,
    /// The mark that forms carry.
    pub(super) csrf: String,
    /// The name of the signed-in user.
    pub(super) who: Option<String>,
    /// The path and the query of the page.
    pub(super) address: String,
    pub(super) title: String,
    pub(super) notice: Option<PageNotice>,
    pub(super) abilities: PageAbilities,
    pub(super) now: Option<Time>,
    /// The search text.
    pub(super) sought: String,
}

/// A notice above a page.
pub(super) struct PageNotice {
    pub(super) tone: &'static str,
    pub(super) text: String,
}

impl PageNotice {
    pub(super) fn icon(&self) -> &'static str {
        match self.tone {
            "good" => "pass",
            "bad" => "fail",
            _ => "info",
        }
    }
}

impl PageLayout {
    pub(super) fn new(visitor: &WebVisitor, here: &'static str, title: impl Into<String>) -> Self {
        Self {
            w: visitor.w,
            theme: visitor.theme,
            here,
            csrf: visitor.csrf_token(),
            who: visitor.session.as_ref().map(|session| session.who.clone()),
            address: visitor.address.clone(),
            title: title.into(),
            notice: None,
            abilities: visitor.abilities.get().cloned().unwrap_or_default(),
            // Without a clock times are written out.
            now: visitor.view.app.now().ok(),
            sought: String::new(),
        }
    }

    /// Whether the visitor may check answers and add documents.
    pub(super) fn may_record(&self) -> bool {
        self.abilities.has(Permission::Record)
    }

    /// Whether the visitor may review packs and give approvals.
    pub(super) fn may_review(&self) -> bool {
        self.abilities.has(Permission::Review)
    }

    /// Whether the visitor may ask for exports.
    pub(super) fn may_export(&self) -> bool {
        self.abilities.has(Permission::Export)
    }

    fn may_administer(&self) -> bool {
        self.abilities.has(Permission::Administer)
    }

    /// The page with a notice above it.
    pub(super) fn saying(self, tone: &'static str, text: impl Into<String>) -> Self {
        Self { notice: Some(PageNotice { tone, text: text.into() }), ..self }
    }

    /// The page with a search text.
    pub(super) fn looking_for(self, sought: String) -> Self {
        Self { sought, ..self }
    }

    /// The page with a notice about the form that was just sent, if the address names one.
    pub(super) fn done(self, done: Option<&str>) -> Self {
        let w = self.w;
        let text = match done {
            Some("reviewed") => w.reviewed,
            Some("sealed") => w.reviewed_sealed,
            Some("asked") => w.asked_done,
            Some("approved") => w.approved_done,
            Some("added") => w.member_added,
            Some("removed") => w.member_removed,
            Some("revoked") => w.key_revoked,
            Some("withdrawn") => w.invitation_withdrawn_done,
            Some("said") => w.claim_said,
            Some("replied") => w.question_replied,
            _ => return self,
        };
        self.saying("good", text)
    }

    /// The places that can be gone to.
    pub(super) fn places(&self) -> Vec<(&'static str, &'static str)> {
        let w = self.w;
        if self.who.is_none() {
            return vec![("verify", w.verify_short), ("signin", w.sign_in)];
        }
        let mut places = vec![
            ("sessions", w.sessions),
            ("documents", w.documents),
            ("packs", w.packs),
            ("obligations", w.obligations),
            ("trail", w.trail),
            ("exports", w.exports),
            ("verify", w.verify_short),
        ];
        if self.may_administer() {
            places.push(("settings", w.settings));
        }
        places
    }

    pub(super) fn themes(&self) -> [(&'static str, &'static str); 3] {
        let w = self.w;
        [("auto", w.theme_auto), ("light", w.theme_light), ("dark", w.theme_dark)]
    }

    pub(super) fn seg(&self, text: &str) -> String {
        seg(text)
    }

    /// An icon of our own, without meaning for screen readers. HTML.
    pub(super) fn icon(&self, name: &str) -> String {
        symbol(name, "icon")
    }

    /// The picture of a value. HTML.
    pub(super) fn icon_of(&self, value: &impl Serialize) -> String {
        symbol(&word(value), "icon")
    }

    /// A picture that points along the line of the text. HTML.
    pub(super) fn turned(&self, name: &str) -> String {
        symbol(name, "icon turns")
    }

    /// A word of the published formats, in its colour. HTML.
    pub(super) fn badge(&self, value: &(impl Serialize + ?Sized)) -> String {
        let word = word(value);
        let word = word.as_str();
        let label = escaped(&self.w.of(word));
        // The word becomes a class in HTML and part of an address, and may come from evidence.
        if !is_plain(word) {
            return format!("<span class=\"badge\">{label}</span>");
        }
        let sign = if ICON_WORDS.contains(&word) { symbol(word, "icon") } else { String::new() };
        format!("<span class=\"badge {word}\">{sign}{label}</span>")
    }

    /// The label of a value of the published formats.
    pub(super) fn term(&self, value: &impl Serialize) -> String {
        self.w.of(&word(value)).into_owned()
    }

    /// The word that the published formats have for a value.
    pub(super) fn word(&self, value: &impl Serialize) -> String {
        word(value)
    }

    /// A time, to the minute. HTML.
    pub(super) fn time(&self, time: &(impl fmt::Display + ?Sized)) -> String {
        let time = time.to_string();
        let time = time.as_str();
        let minute = minute(time);
        format!(
            "<time datetime=\"{}\"><bdi dir=\"ltr\">{}</bdi></time>",
            escaped(time),
            escaped(&minute)
        )
    }

    /// How long ago something was, with the time to be read when asked for. HTML.
    pub(super) fn ago(&self, time: &(impl fmt::Display + ?Sized)) -> String {
        let text = time.to_string();
        let then = text.parse::<Time>().ok();
        let millis = self.now.zip(then).map(|(now, then)| now.millis() - then.millis());
        let Some(millis) = millis.filter(|millis| *millis < WEEK_MILLIS) else {
            return self.time(time);
        };
        let said = self.phrase(&elapsed(millis / 60_000));
        let (iso, minute) = (escaped(&text), escaped(&minute(&text)));
        format!("<time datetime=\"{iso}\" title=\"{minute} UTC\">{}</time>", escaped(&said))
    }

    /// A phrase in the language of the page.
    pub(super) fn say(&self, phrase: &Phrase) -> String {
        self.phrase(phrase)
    }

    /// A note about a document, in the language of the page.
    pub(super) fn noted(&self, note: &str) -> String {
        self.phrase(&document_note::told(note))
    }

    /// A digest, short, with all of it to be read when asked for. HTML.
    pub(super) fn digest(&self, digest: &(impl fmt::Display + ?Sized)) -> String {
        let digest = digest.to_string();
        let hex = digest.strip_prefix("sha256:").unwrap_or(&digest);
        let short: String = hex.chars().take(12).collect();
        let (digest, short) = (escaped(&digest), escaped(&short));
        format!("<bdi class=\"mono\" title=\"{digest}\">{short}…</bdi>")
    }

    pub(super) fn percent(&self, score: &Score) -> String {
        percent(score.value())
    }

    /// A share of claims, or a dash where there are none.
    #[expect(clippy::ref_option, reason = "templates pass fields by reference")]
    pub(super) fn coverage(&self, share: &Option<Score>) -> String {
        self.share(&share.map(Score::value))
    }

    /// A share, or a dash where there is none.
    #[expect(clippy::ref_option, reason = "templates pass fields by reference")]
    pub(super) fn share(&self, share: &Option<f64>) -> String {
        share.map_or_else(|| NO_SHARE_LABEL.to_owned(), percent)
    }

    /// The word of a band of confidence.
    pub(super) fn band(&self, band: &ConfidenceBand) -> String {
        self.phrase(&band.label())
    }

    /// A finding of a claim, in words.
    pub(super) fn told(&self, issue: &ClaimIssue) -> String {
        self.phrase(&issue.phrase())
    }

    /// A phrase, in the language of the page.
    fn phrase(&self, phrase: &Phrase) -> String {
        phrase.text(self.w.language()).to_owned()
    }

    pub(super) fn bytes(&self, size: &u64) -> String {
        match *size {
            size @ 0..1024 => format!("{size} B"),
            size @ 1024..1_048_576 => format!("{} kB", size.div_ceil(1024)),
            size => format!("{} MB", size.div_ceil(1 << 20)),
        }
    }

    /// The short name of a kind of file.
    pub(super) fn media<'m>(&self, media_type: &'m str) -> &'m str {
        let found = MEDIA_TYPE_NAMES.iter().find(|(known, _)| media_type.starts_with(known));
        found.map_or(media_type, |(_, name)| name)
    }

    pub(super) fn format_name(&self, format: &impl Serialize) -> &'static str {
        match word(format).as_str() {
            "json" => "JSON",
            "sealed" => self.w.sealed_file,
            "in-toto" => "in-toto",
            "pdf" => "PDF",
            "archive" => "ZIP (BagIt)",
            "markdown" => "Markdown",
            "sarif" => "SARIF",
            "junit" => "JUnit",
            "ledger" => self.w.whole_ledger,
            _ => "–",
        }
    }

    /// The display name of a part of a verification.
    pub(super) fn part(&self, part: &str) -> String {
        self.phrase(&part_name(part))
    }

    /// The text of a flag of a pack.
    pub(super) fn found(&self, finding: &PackFlag) -> String {
        self.phrase(&finding.message)
    }

    /// A sentence of a report: names between backticks and times keep their own direction. HTML.
    pub(super) fn said(&self, sentence: &str) -> String {
        // With a backtick that has no partner the parts would be marked the wrong way round.
        if !sentence.matches('`').count().is_multiple_of(2) {
            return words(sentence);
        }
        let pieces = sentence.split('`').enumerate();
        pieces.map(|(at, piece)| if at % 2 == 1 { name(piece) } else { words(piece) }).collect()
    }

    /// A value of JSON as text: a text itself, the fields of an object a line each.
    pub(super) fn json(&self, value: &impl Serialize) -> String {
        // Canonical first: it writes a whole number without a fraction.
        let value = canon::bytes(value).ok().and_then(|json| serde_json::from_slice(&json).ok());
        let value: serde_json::Value = value.unwrap_or(serde_json::Value::Null);
        match &value {
            serde_json::Value::String(text) => text.clone(),
            serde_json::Value::Null => "–".to_owned(),
            serde_json::Value::Object(fields) if !fields.is_empty() => {
                let lines = fields.iter().map(|(name, value)| format!("{name}: {value}"));
                lines.collect::<Vec<_>>().join("\n")
            }
            other => other.to_string(),
        }
    }

    /// The intended and the actual action of a call, with the words that differ marked where that
    /// is a contradiction. HTML.
    pub(super) fn actions(&self, call: &ToolCall) -> (String, String) {
        let (intended, actual) = (self.json(&call.intended_action), self.json(&call.actual_action));
        match call.contradiction_flag {
            true => word_diff::beside(&intended, &actual),
            false => (escaped(&intended), escaped(&actual)),
        }
    }

    /// The text of a memo, whose citations are numbers that lead to the sources. HTML.
    pub(super) fn memo(&self, text: &str, sources: &[String]) -> String {
        let (before, rest) = text.split_once("[cite:").map_or((text, None), |(a, b)| (a, Some(b)));
        let mut html = escaped(before);
        for piece in rest.into_iter().flat_map(|rest| rest.split("[cite:")) {
            let cited = piece.split_once(']').filter(|(anchor, _)| {
                anchor.len() >= 8 && anchor.bytes().all(|byte| byte.is_ascii_hexdigit())
            });
            match cited {
                Some((anchor, rest)) => {
                    let short = anchor.get(..8).unwrap_or(anchor);
                    let number = sources.iter().position(|source| source == short);
                    let label = number
                        .map_or_else(|| format!("[cite:{anchor}]"), |at| (at + 1).to_string());
                    let link = format!(
                        "<a class=\"cite\" href=\"#cite-{short}\" title=\"[cite:{anchor}]\">{label}</a>"
                    );
                    html.push_str(&format!("{link}{}", escaped(rest)));
                }
                None => html.push_str(&format!("[cite:{}", escaped(piece))),
            }
        }
        html
    }

    /// Phrases of a rule, in a line.
    pub(super) fn phrases(&self, all: &[Phrase]) -> String {
        self.in_a_line(all.iter().cloned())
    }

    /// Words of the published formats, in a line.
    pub(super) fn terms<'t, T: Serialize + 't>(
        &self,
        values: impl IntoIterator<Item = &'t T>,
    ) -> String {
        self.in_a_line(values.into_iter().map(|value| Phrase::verbatim(self.term(value))))
    }

    fn in_a_line(&self, all: impl Iterator<Item = Phrase>) -> String {
        let mut all = all.peekable();
        if all.peek().is_none() {
            return "–".to_owned();
        }
        self.phrase(&Phrase::fold(all, proof_check::list_of_lists))
    }

    pub(super) fn numbers(&self, numbers: &[u64]) -> String {
        numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
    }

    pub(super) fn lines(&self, lines: &[String]) -> String {
        lines.join("; ")
    }

    /// Where the actions of a call differ, in a line.
    pub(super) fn action_places(&self, paths: &[String]) -> String {
        let places = paths.iter().map(|path| dalil_render::pack::place(path));
        self.phrase(&Phrase::fold(places, proof_check::list))
    }

    /// The side effects of a tool call: "none" differs from "not stated".
    pub(super) fn side_effects(&self, effects: Option<&[String]>) -> String {
        match effects {
            None => self.w.side_effects_unsaid.to_owned(),
            Some([]) => self.w.none.to_owned(),
            Some(effects) => effects.join("; "),
        }
    }

    /// Where evidence is, in a line.
    pub(super) fn cited(&self, source: &EvidenceDocument) -> String {
        let name = Phrase::verbatim(format_args!("— {}", source.filename));
        let page = source.page_number.map(ledger::page);
        let section = source.heading_path.as_ref().and_then(|path| path.last());
        let places = [page, section.map(ledger::isolated_section)];
        let parts = std::iter::once(name).chain(places.into_iter().flatten());
        self.phrase(&Phrase::fold(parts, proof_check::list))
    }

    /// Whether the store has a page for it: the application, not the store, names retrieved chunks.
    pub(super) fn has_page(&self, source: &EvidenceDocument) -> bool {
        is_stored(&source.id)
    }

    /// Whether the store has a page for a document of a ledger.
    pub(super) fn is_kept(&self, document_id: &str) -> bool {
        is_stored(document_id)
    }

    /// The name of a file without its ending and its language, as a title.
    pub(super) fn stem<'f>(&self, filename: &'f str) -> &'f str {
        let stem = filename.rsplit_once('.').map_or(filename, |(stem, _)| stem);
        let stem = stem.strip_suffix(".en").or_else(|| stem.strip_suffix(".ar")).unwrap_or(stem);
        if stem.is_empty() { filename } else { stem }
    }

    /// The heading right above some words.
    pub(super) fn last_heading<'d>(&self, source: &'d EvidenceDocument) -> Option<&'d str> {
        source.heading_path.as_ref().and_then(|path| path.last()).map(String::as_str)
    }

    /// A score in hundredths, as a length.
    pub(super) fn hundredths(&self, score: &Score) -> String {
        format!("{:.0}", score.value() * 100.0)
    }

    /// The page of a record's subject, where there is one.
    pub(super) fn subject_address(&self, kind: &str, subject: &str) -> Option<String> {
        let place = match subject_kind(kind, subject).as_str() {
            "claim" | "ledger" | "question" | "session" => "sessions",
            "document" => "documents",
            "obligation" => "obligations",
            "pack" => "packs",
            _ => return None,
        };
        Some(format!("/{place}/{}", seg(subject)))
    }

    /// The name of an actor for readers: a person by name alone, an agent as one.
    pub(super) fn actor<'a>(&self, actor: &'a str) -> Cow<'a, str> {
        match actor.split_once(':') {
            Some(("person", name)) => Cow::Borrowed(name),
            Some(("agent", name)) => Cow::Owned(self.w.agent_named(name)),
            _ if actor == "system" => Cow::Borrowed(self.w.system),
            _ => Cow::Borrowed(actor),
        }
    }

    /// The hour and the minute of a time.
    pub(super) fn clock<'t>(&self, time: &'t str) -> &'t str {
        time.get(11..16).unwrap_or(time)
    }

    /// The label of the button that records an outcome.
    pub(super) fn do_outcome(&self, outcome: &VoteOutcome) -> &'static str {
        match outcome {
            VoteOutcome::Approved => self.w.approve,
            VoteOutcome::Escalated => self.w.escalate,
            VoteOutcome::Rejected => self.w.reject,
        }
    }

    /// A person's action on a claim, in words.
    pub(super) fn said_of_claim(&self, action: &ClaimReviewAction) -> String {
        self.w.of(&format!("claim_{}", word(action))).into_owned()
    }

    /// A person's action on a question, in words.
    pub(super) fn said_of_question(&self, action: &QuestionReplyAction) -> String {
        self.w.of(&format!("question_{}", word(action))).into_owned()
    }

    /// A part of an answer between its claims: without signs of Markdown, with short citations. HTML.
    pub(super) fn passage(&self, text: &str) -> String {
        let plain = without_markup(text);
        let mut pieces = plain.split("[cite:");
        let mut html = escaped(pieces.next().unwrap_or(""));
        for piece in pieces {
            match piece.split_once(']').filter(|(anchor, _)| anchor.parse::<Anchor>().is_ok()) {
                Some((anchor, rest)) => {
                    let short: String = anchor.chars().take(4).collect();
                    let (anchor, short) = (escaped(anchor), escaped(&short));
                    let chip =
                        format!("<sup class=\"cite\" title=\"[cite:{anchor}]\">{short}</sup>");
                    html.push_str(&format!("{chip}{}", escaped(rest)));
                }
                None => html.push_str(&format!("[cite:{}", escaped(piece))),
            }
        }
        html
    }

    /// The name of a chunk for readers: its anchor, or the name that an application gave it.
    pub(super) fn chunk_name(&self, id: &str) -> String {
        if id.parse::<Anchor>().is_ok() { format!("[cite:{id}]") } else { id.to_owned() }
    }

    /// The text that is copied to cite a claim's evidence.
    pub(super) fn citation(&self, entry: &ClaimFinding) -> String {
        let mut text = format!("“{}”", entry.evidence_snippet);
        if let Some(source) = &entry.source_document {
            text.push_str(&format!(" {}", self.cited(source)));
        }
        for id in &entry.evidence_chunk_ids {
            text.push_str(&format!(" {}", self.chunk_name(id)));
        }
        text
    }

    /// The description of a risk.
    pub(super) fn described(
        &self,
        risk: &LedgerRisk,
        citations: Option<&[CitationResolution]>,
    ) -> String {
        risk.described(citations.unwrap_or_default(), self.w.language()).into_owned()
    }

    /// The action against a risk.
    pub(super) fn mitigation(&self, risk: &LedgerRisk) -> String {
        let key = format!("{}!", word(&risk.kind));
        match self.w.of(&key) {
            same if same == key => self.phrase(&risk.mitigation),
            said => said.into_owned(),
        }
    }

    /// The forms that a ledger can leave in.
    pub(super) fn ledger_formats(&self) -> Vec<&'static str> {
        offered(&["pdf", "json", "ledger", "markdown", "sarif", "junit"])
    }

    /// The forms that a pack can leave in.
    pub(super) fn pack_formats(&self) -> Vec<&'static str> {
        offered(&["pdf", "sealed", "archive", "in-toto", "json", "markdown"])
    }

    pub(super) fn session_export(&self, session_id: &str) -> String {
        format!("/sessions/{}/export", seg(session_id))
    }

    pub(super) fn pack_export(&self, pack_id: &str) -> String {
        format!("/packs/{}/export", seg(pack_id))
    }
}

/// Whether an id is one that the store gives to documents.
pub(super) fn is_stored(document_id: &str) -> bool {
    let digits = document_id.strip_prefix("doc_").map(str::as_bytes);
    digits.is_some_and(|digits| digits.len() == 16 && digits.iter().all(u8::is_ascii_hexdigit))
}

fn percent(share: f64) -> String {
    format!("{:.0}%", share * 100.0)
}

/// A time to the minute.
fn minute(time: &str) -> String {
    time.get(..16).unwrap_or(time).replace('T', " ")
}

/// How long ago an event was that is this many minutes old.
fn elapsed(minutes: i64) -> Phrase {
    match minutes {
        ..1 => ledger_view::just_now(),
        1..60 => ledger_view::minutes_ago(minutes),
        60..1_440 => ledger_view::hours_ago(minutes / 60),
        _ => ledger_view::days_ago(minutes / 1_440),
    }
}

/// The word of the published formats for a value; empty for a value that is not a word.
pub(super) fn word(value: &(impl Serialize + ?Sized)) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

/// A template as a page.
pub(super) fn shown(template: &impl Template) -> Response {
    match template.render() {
        Ok(html) => {
            let mut response = html.into_response();
            let headers = response.headers_mut();
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
            headers.remove(CONTENT_LANGUAGE);
            response
        }
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// The way to another page, after a form.
pub(super) fn see(address: &str) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    if let Ok(address) = HeaderValue::from_str(address) {
        response.headers_mut().insert(LOCATION, address);
    }
    response
}

/// A text, escaped for HTML.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for ch in text.chars() {
        match ch {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&#34;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

/// A name as it is written, whatever the direction around it. HTML.
fn name(text: &str) -> String {
    format!("<bdi class=\"mono\">{}</bdi>", escaped(text))
}

/// Words of a sentence. A number with more to it, such as a time, is read from left to right. HTML.
fn words(text: &str) -> String {
    let pieces = text.split_inclusive(' ').map(|word| {
        let (word, space) = word.strip_suffix(' ').map_or((word, ""), |word| (word, " "));
        if word.starts_with(|ch: char| ch.is_ascii_digit()) && word.contains(['-', ':', '/']) {
            let end = word.trim_end_matches([',', ';', '.', '،', '؛', ')']);
            let (own, rest) = word.split_at(end.len());
            return format!("<bdi dir=\"ltr\">{}</bdi>{}{space}", escaped(own), escaped(rest));
        }
        format!("{}{space}", escaped(word))
    });
    pieces.collect()
}

/// The forms of a list that this program was built with.
fn offered(formats: &[&'static str]) -> Vec<&'static str> {
    let is_built = |format: &&str| ExportFormat::WIRE_NAMES.iter().any(|(word, _)| word == format);
    formats.iter().copied().filter(is_built).collect()
}

fn symbol(name: &str, class: &str) -> String {
    if !is_plain(name) {
        return String::new();
    }
    format!(
        "<svg class=\"{class}\" aria-hidden=\"true\"><use href=\"/assets/icons.svg#{name}\"/></svg>"
    )
}

fn is_plain(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// After a week a date is clearer than a number of days.
const WEEK_MILLIS: i64 = 7 * 24 * 60 * 60 * 1000;

/// The words that have a picture.
const ICON_WORDS: [&str; 7] =
    ["supported", "weak", "contradicted", "not_found", "pass", "fail", "incomplete"];

const MEDIA_TYPE_NAMES: [(&str, &str); 8] = [
    ("application/pdf", "PDF"),
    ("application/vnd.openxmlformats-officedocument.wordprocessingml", "Word"),
    ("application/vnd.openxmlformats-officedocument.spreadsheetml", "Excel"),
    ("text/html", "HTML"),
    ("text/markdown", "Markdown"),
    ("text/csv", "CSV"),
    ("text/plain", "Text"),
    ("message/rfc822", "E-mail"),
];
