//! Drafting a memo: what the records of a decision say, put into words in both languages.
//!
//! Each language has its own templates; neither is a translation of the other.
//! A draft quotes nothing: it names the decision by its id, sources by anchor,
//! and everything else by number, so that no personal data gets into it.

use dalil_proof::json::Json;
use dalil_proof::score::Score;
use dalil_proof::time::Time;

use self::count::{CALL_NOUN, CLAIM_NOUN, GrammaticalCase, SOURCE_NOUN, digits, english};
use crate::anchor::{self, AnchorIndex};
use crate::decision_class::{ApprovalClass, DecisionClasses};
use crate::mask;
use crate::pack::draft::HOUR_MILLIS;
use crate::pack::memo::Memo;
use crate::pack::source::PackSource;
use crate::pack::source::top_three;
use crate::pack::tool::{ToolCall, ToolCallOutcome};
use crate::policy::{self, PackRequirement};

mod action;
mod count;
#[cfg(test)]
mod tests;

/// What a memo is drafted from.
#[derive(Clone, Copy, Debug)]
pub(in crate::pack) struct MemoFacts<'f> {
    /// The decision.
    pub(in crate::pack) decision_id: &'f str,
    /// Its type of action, when it names one.
    pub(in crate::pack) action_type: Option<&'f str>,
    /// Its classes.
    pub(in crate::pack) classes: DecisionClasses,
    /// How sure it is of itself, when it says so.
    pub(in crate::pack) confidence: Option<Score>,
    /// When it was made.
    pub(in crate::pack) decided_at: Time,
    /// How many hours before that a source may have been retrieved.
    pub(in crate::pack) fresh_hours: u64,
    /// Everything that was consulted.
    pub(in crate::pack) sources: &'f [PackSource],
    /// Every call of a tool.
    pub(in crate::pack) calls: &'f [ToolCall],
    /// The ledger of the answer that it rests on.
    pub(in crate::pack) ledger: Option<&'f Json<'static>>,
}

/// Drafts a memo that keeps every rule of memos.
pub(in crate::pack) fn memo(facts: &MemoFacts<'_>) -> Memo {
    let memo = with_id(facts, Some(facts.decision_id).filter(|id| is_plain(id)));
    // What is no personal data by itself can look like it beside other words.
    if is_clean(&memo) { memo } else { with_id(facts, None) }
}

fn with_id(facts: &MemoFacts<'_>, id: Option<&str>) -> Memo {
    let told = MemoFigures::of(facts, id);
    Memo {
        title_ar: told.title_ar(),
        title_en: told.title_en(),
        body_ar: told.body_ar(),
        body_en: told.body_en(),
        executive_summary_ar: told.summary_ar(),
        executive_summary_en: told.summary_en(),
        translated_from: None,
    }
}

/// Whether an id can stand in a memo: short, one word, and nobody's number or address.
fn is_plain(id: &str) -> bool {
    let plain = |ch: char| ch.is_ascii_alphanumeric() || matches!(ch, '-' | '_' | '.' | ':' | '/');
    let part = |part: &str| {
        part.len() < MIN_PERSONAL_NUMBER_DIGITS || !part.bytes().all(|byte| byte.is_ascii_digit())
    };
    id.len() <= MAX_SHOWN_ID_BYTES
        && id.chars().all(plain)
        && id.split(|ch: char| !ch.is_ascii_digit()).all(part)
        && mask::find(id, &[]).is_empty()
}

fn is_clean(memo: &Memo) -> bool {
    let Memo { title_ar, title_en, body_ar, body_en, .. } = memo;
    let texts = [title_ar, title_en, body_ar, body_en];
    let summaries = [&memo.executive_summary_ar, &memo.executive_summary_en];
    let clean = |text: &String| super::personal_data(text).is_empty();
    texts.into_iter().chain(summaries).all(clean)
}

/// What the templates say, counted.
struct MemoFigures<'f> {
    facts: &'f MemoFacts<'f>,
    id: Option<&'f str>,
    /// The anchors of the sources that must be cited, best first, with their places.
    top: Vec<(usize, String)>,
    stale: usize,
    contradicted: usize,
    failed: usize,
    blocked: usize,
    unreported: usize,
    claims: Option<ClaimCounts>,
}

/// The claims of a ledger: all of them, then by verdict.
#[derive(Clone, Copy)]
struct ClaimCounts {
    total: usize,
    supported: usize,
    weak: usize,
    contradicted: usize,
    not_found: usize,
}

impl<'f> MemoFigures<'f> {
    fn of(facts: &'f MemoFacts<'f>, id: Option<&'f str>) -> Self {
        let digests: Vec<_> =
            facts.sources.iter().map(|source| anchor::text_digest(&source.excerpt)).collect();
        let known = AnchorIndex::new(digests.iter().copied());
        let places = top_three(facts.sources.iter().map(|source| source.confidence));
        let cited = |place: usize| {
            let digest = digests.get(place)?;
            Some((place, format!("[cite:{}]", known.shortest(digest))))
        };
        let ended = |outcome| facts.calls.iter().filter(|call| call.outcome == outcome).count();
        let window =
            i64::try_from(facts.fresh_hours).unwrap_or(i64::MAX).saturating_mul(HOUR_MILLIS);
        let age = |source: &&PackSource| facts.decided_at.millis() - source.retrieved_at.millis();
        // What never reported back differs from what was
        // intended as well; it is counted as unreported.
        let differs = |call: &&ToolCall| call.contradiction_flag && call.outcome.is_some();
        Self {
            facts,
            id,
            top: places.into_iter().filter_map(cited).collect(),
            stale: facts.sources.iter().filter(|source| age(source) > window).count(),
            contradicted: facts.calls.iter().filter(differs).count(),
            failed: ended(Some(ToolCallOutcome::Failed)),
            blocked: ended(Some(ToolCallOutcome::Blocked)),
            unreported: ended(None),
            claims: facts.ledger.map(ClaimCounts::of),
        }
    }

    /// The citations of the top sources, as one text.
    fn cited(&self) -> String {
        self.top.iter().map(|(_, cite)| cite.as_str()).collect::<Vec<_>>().join(" ")
    }

    fn confidence(&self, place: usize) -> u16 {
        self.facts.sources.get(place).map_or(0, |source| source.confidence.percent())
    }

    fn classes(&self, and: &str) -> String {
        let DecisionClasses { approval, reversibility, sensitivity } = self.facts.classes;
        format!("{approval:?}{and}{reversibility:?}{and}{sensitivity:?}")
    }

    fn requirement(&self) -> PackRequirement {
        policy::requirement(self.facts.classes, self.facts.confidence).0
    }
}

// English.
impl MemoFigures<'_> {
    fn title_en(&self) -> String {
        let action = action::label(self.facts.action_type).0;
        match self.id {
            Some(id) => format!("Decision {id}: {action}"),
            None => format!("Decision: {action}"),
        }
    }

    fn summary_en(&self) -> String {
        let action = action::label(self.facts.action_type).0;
        let (count, cited) = (self.facts.sources.len(), self.cited());
        let basis = match count {
            0 => "It names no source.".to_owned(),
            _ => format!("It rests on {} {cited}.", english(count, "source", "sources")),
        };
        let need = match self.requirement() {
            PackRequirement::Mandatory => "an evidence pack is mandatory",
            PackRequirement::Recommended => "an evidence pack is recommended",
            PackRequirement::Skip => "no evidence pack is required",
        };
        [
            format!("This decision concerns {action} and is submitted for approval."),
            basis,
            format!("It is classed {}: {need}.", self.classes(" ")),
            self.confidence_en(),
            self.calls_en(),
            self.claims_en(),
            self.approval_en(),
        ]
        .into_iter()
        .filter(|sentence| !sentence.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
    }

    fn body_en(&self) -> String {
        let id = self.id.map_or_else(String::new, |id| format!(" {id}"));
        let action = action::label(self.facts.action_type).0;
        let decision = format!(
            "Decision. Decision{id} concerns {action}. It is classed {}. {}",
            self.classes(" "),
            self.confidence_en(),
        );
        let relied = |(place, cite): &(usize, String)| {
            format!("Source {} {cite} has a confidence of {}%.", place + 1, self.confidence(*place))
        };
        let mut basis: Vec<String> = self.top.iter().map(relied).collect();
        // The top sources are among the sources, so this cannot go below zero.
        let further = self.facts.sources.len() - self.top.len();
        match (self.top.len(), further) {
            (0, _) => basis.push("No source is named.".to_owned()),
            (_, 0) => {}
            _ => basis.push(format!(
                "{} can be found in the pack.",
                english(further, "further source", "further sources")
            )),
        }
        if self.stale > 0 {
            let (count, hours) =
                (english(self.stale, "source was", "sources were"), self.facts.fresh_hours);
            basis.push(format!("{count} older than {hours} h when the decision was made."));
        }
        let calls = format!("Actions taken. {}", self.calls_en());
        let claims = match self.claims {
            Some(_) => format!("Claims checked. {}", self.claims_en()),
            None => "Claims checked. The decision names no ledger.".to_owned(),
        };
        let approver = format!(
            "For the approver. {} This memo was drafted from the records of the decision and \
             quotes none of them; the exact words are in the sources that it cites.",
            self.approval_en()
        );
        [
            decision.trim_end().to_owned(),
            format!("Basis. {}", basis.join(" ")),
            calls,
            claims,
            approver,
        ]
        .join("\n\n")
    }

    fn confidence_en(&self) -> String {
        match self.facts.confidence {
            Some(score) => format!("The agent states a confidence of {}%.", score.percent()),
            None => "The agent states no confidence.".to_owned(),
        }
    }

    fn calls_en(&self) -> String {
        let total = self.facts.calls.len();
        if total == 0 {
            return "No tool was used.".to_owned();
        }
        let parts = [
            (self.contradicted, "did something other than announced"),
            (self.failed, "failed"),
            (self.blocked, "blocked"),
            (self.unreported, "never reported back"),
        ];
        let odd = parts.iter().filter(|(count, _)| *count > 0);
        let odd = odd.map(|(count, what)| format!("{count} {what}")).collect::<Vec<_>>();
        let calls = english(total, "tool call is", "tool calls are");
        if odd.is_empty() {
            return format!("{calls} on record, all as announced.");
        }
        format!("{calls} on record: {}.", odd.join(", "))
    }

    fn claims_en(&self) -> String {
        let Some(ClaimCounts { total, supported, weak, contradicted, not_found }) = self.claims
        else {
            return String::new();
        };
        let claims = english(total, "claim", "claims");
        format!(
            "The evidence ledger counts {claims}: {supported} supported, {weak} weak, \
             {contradicted} contradicted, {not_found} not found."
        )
    }

    fn approval_en(&self) -> String {
        let who = match self.facts.classes.approval {
            ApprovalClass::A0 => "a reviewer",
            ApprovalClass::A1 => "a manager",
            ApprovalClass::A2 => "a department head, and legal or finance",
            ApprovalClass::A3 => "two of the executives or the board",
        };
        format!("Review is due within 48 hours, by {who}.")
    }
}

// Arabic, in the register of business in the Gulf.
impl MemoFigures<'_> {
    fn title_ar(&self) -> String {
        let action = action::label(self.facts.action_type).1;
        match self.id {
            Some(id) => format!("مذكرة بشأن القرار {id}: {action}"),
            None => format!("مذكرة بشأن القرار: {action}"),
        }
    }

    fn summary_ar(&self) -> String {
        let action = action::label(self.facts.action_type).1;
        let cited = self.cited();
        let basis = match self.facts.sources.len() {
            0 => "ولم يُذكر له أي مصدر.".to_owned(),
            count => format!(
                "ويستند إلى {} {cited}.",
                SOURCE_NOUN.counted(count, GrammaticalCase::Genitive)
            ),
        };
        let need = match self.requirement() {
            PackRequirement::Mandatory => "وتلزم له حزمة أدلة",
            PackRequirement::Recommended => "وتُستحسن له حزمة أدلة",
            PackRequirement::Skip => "ولا تلزم له حزمة أدلة",
        };
        [
            format!("نرفع لاعتمادكم القرار الآتي، وموضوعه: {action}."),
            basis,
            format!("وقد صُنّف القرار {}، {need}.", self.classes(" و")),
            self.confidence_ar(),
            self.calls_ar(),
            self.claims_ar(),
            self.approval_ar(),
        ]
        .into_iter()
        .filter(|sentence| !sentence.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
    }

    fn body_ar(&self) -> String {
        let id = self.id.map_or_else(String::new, |id| format!(" {id}"));
        let action = action::label(self.facts.action_type).1;
        let decision = format!(
            "أولًا: القرار. موضوع القرار{id}: {action}، وتصنيفه {}. {}",
            self.classes(" و"),
            self.confidence_ar(),
        );
        let relied = |(place, cite): &(usize, String)| {
            let (n, score) = (digits(place + 1), digits(self.confidence(*place)));
            format!("المصدر رقم {n} {cite} ودرجة الثقة به {score}٪.")
        };
        let mut basis: Vec<String> = self.top.iter().map(relied).collect();
        let further = self.facts.sources.len() - self.top.len();
        match (self.top.len(), further) {
            (0, _) => basis.push("لم يُذكر أي مصدر.".to_owned()),
            (_, 0) => {}
            _ => basis.push(format!(
                "وفي حزمة الأدلة إضافةً إلى ما سبق {}.",
                SOURCE_NOUN.counted(further, GrammaticalCase::Nominative)
            )),
        }
        if self.stale > 0 {
            let count = SOURCE_NOUN.counted(self.stale, GrammaticalCase::Nominative);
            basis.push(format!("وما تجاوز منها مدة الصلاحية عند اتخاذ القرار: {count}."));
        }
        let calls = format!("ثالثًا: الإجراءات المنفذة. {}", opening(&self.calls_ar()));
        let claims = match self.claims {
            Some(_) => format!("رابعًا: الادعاءات المدققة. {}", opening(&self.claims_ar())),
            None => "رابعًا: الادعاءات المدققة. لم يُربط القرار بسجل أدلة.".to_owned(),
        };
        let approver = format!(
            "خامسًا: المطلوب من جهة الاعتماد. {} وقد أُعدت هذه المذكرة آليًا من سجلات القرار دون \
             اقتباس منها، والنصوص الحرفية محفوظة في المصادر المشار إليها.",
            opening(&self.approval_ar())
        );
        let basis = format!("ثانيًا: الأسانيد. {}", basis.join(" "));
        [decision, basis, calls, claims, approver].join("\n\n")
    }

    fn confidence_ar(&self) -> String {
        match self.facts.confidence {
            Some(score) => {
                format!("وتبلغ درجة الثقة المعلنة {}٪.", digits(score.percent()))
            }
            None => "ولم تُعلن درجة للثقة.".to_owned(),
        }
    }

    fn calls_ar(&self) -> String {
        let total = self.facts.calls.len();
        if total == 0 {
            return "ولم تُستخدم أي أداة.".to_owned();
        }
        let parts = [
            (self.contradicted, "ما خالف المعلن"),
            (self.failed, "ما تعذر تنفيذه"),
            (self.blocked, "ما مُنع تنفيذه"),
            (self.unreported, "ما لم ترد نتيجته"),
        ];
        let odd = parts.iter().filter(|(count, _)| *count > 0);
        let odd = odd.map(|(count, what)| {
            format!("{what}: {}", CALL_NOUN.counted(*count, GrammaticalCase::Nominative))
        });
        let odd = odd.collect::<Vec<_>>();
        let calls = CALL_NOUN.counted(total, GrammaticalCase::Nominative);
        if odd.is_empty() {
            return format!("وفي السجل من استخدام الأدوات {calls}، وكلها وفق المعلن.");
        }
        format!("وفي السجل من استخدام الأدوات {calls}؛ {}.", odd.join("، و"))
    }

    fn claims_ar(&self) -> String {
        let Some(ClaimCounts { total, supported, weak, contradicted, not_found }) = self.claims
        else {
            return String::new();
        };
        let claims = match total {
            0 => "ويخلو سجل الأدلة من الادعاءات.".to_owned(),
            _ => format!(
                "ويضم سجل الأدلة {}:",
                CLAIM_NOUN.counted(total, GrammaticalCase::Accusative)
            ),
        };
        if total == 0 {
            return claims;
        }
        let [supported, weak, contradicted, not_found] =
            [supported, weak, contradicted, not_found].map(digits);
        format!(
            "{claims} المؤيَّد منها {supported}، والضعيف {weak}، والمناقَض {contradicted}، وما لا دليل عليه {not_found}."
        )
    }

    fn approval_ar(&self) -> String {
        let who = match self.facts.classes.approval {
            ApprovalClass::A0 => "من أحد المراجعين المخولين",
            ApprovalClass::A1 => "من المدير المسؤول",
            ApprovalClass::A2 => "من رئيس الإدارة المعنية، ومن الشؤون القانونية أو المالية",
            ApprovalClass::A3 => "من اثنين من الإدارة التنفيذية أو مجلس الإدارة",
        };
        format!("ويلزم اعتماده خلال ٤٨ ساعة {who}.")
    }
}

/// A sentence that opens a paragraph is not joined to one before it.
fn opening(sentence: &str) -> &str {
    sentence.strip_prefix('و').unwrap_or(sentence)
}

impl ClaimCounts {
    fn of(ledger: &Json<'_>) -> Self {
        let entries = match ledger.get("entries") {
            Some(Json::List(entries)) => entries.as_slice(),
            _ => &[],
        };
        let count = |word: &str| {
            let is = |entry: &&Json<'_>| matches!(entry.get("verdict"), Some(Json::Text(verdict)) if verdict == word);
            entries.iter().filter(is).count()
        };
        Self {
            total: entries.len(),
            supported: count("supported"),
            weak: count("weak"),
            contradicted: count("contradicted"),
            not_found: count("not_found"),
        }
    }
}

/// An id with as many digits in a row could be somebody's number.
const MIN_PERSONAL_NUMBER_DIGITS: usize = 8;
/// An id that is longer is left out.
const MAX_SHOWN_ID_BYTES: usize = 60;
