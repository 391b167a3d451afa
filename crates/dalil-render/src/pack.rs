//! A pack for people, as Markdown. Text from the pack cannot change its structure.

use dalil_evidence::approval::{ApprovalVote, VoteOutcome};
use dalil_evidence::decision::DecisionWords;
use dalil_evidence::decision_class::{
    ApprovalClass, DecisionClasses, ReversibilityClass, SensitivityClass,
};
use dalil_evidence::ledger::markdown::{escaped, escaped_line};
use dalil_evidence::ledger::verdict::Verdict;
use dalil_evidence::pack::tool::{self, ToolCall};
use dalil_evidence::pack::{PackContent, PackFlag, PackFlagState, PackSource, PackStatus};
use dalil_evidence::policy::PackRequirement;
use dalil_phrasebook::Language;
use dalil_proof::json::Json;

use crate::footer::shown;

#[cfg(test)]
mod tests;

/// The pack as a Markdown document, in one language. The same pack gives the same text.
pub fn markdown(pack: &PackContent, language: Language) -> String {
    let memo = &pack.memo;
    let (title, summary, body) = match language {
        Language::English => (&memo.title_en, &memo.executive_summary_en, &memo.body_en),
        Language::Arabic => (&memo.title_ar, &memo.executive_summary_ar, &memo.body_ar),
    };
    let mut parts = vec![format!("# {}", escaped(title)), facts(pack, language)];
    if pack.words != DecisionWords::default() {
        parts.push(heading(language, "What was decided", "ما تقرر"));
        parts.push(decided(&pack.words, language));
    }
    parts.extend([
        heading(language, "Executive summary", "الملخص التنفيذي"),
        paragraphs(summary),
        heading(language, "Memo", "المذكرة"),
        paragraphs(body),
        heading(language, "Why a pack", "سبب إعداد الملف"),
        list(reasons(pack, language).into_iter()),
        heading(language, "Sources", "المصادر"),
    ]);
    if pack.sources.is_empty() {
        parts.push(none(language));
    }
    parts.extend(pack.sources.iter().enumerate().map(|(n, one)| source(n + 1, one, language)));
    parts.push(heading(language, "Tool calls", "استدعاءات الأدوات"));
    if pack.tool_calls.is_empty() {
        parts.push(none(language));
    }
    parts.extend(pack.tool_calls.iter().enumerate().map(|(n, one)| call(n + 1, one, language)));
    if let Some(ledger) = &pack.ledger {
        parts.push(heading(language, "Claims", "الادعاءات"));
        parts.push(claims(ledger, language));
    }
    parts.push(heading(language, "Findings", "الملاحظات"));
    parts.push(findings(&pack.findings, language));
    parts.push(heading(language, "Review", "المراجعة"));
    parts.push(review(pack, language));
    parts.join("\n\n") + "\n"
}

fn heading(language: Language, english: &str, arabic: &str) -> String {
    format!("## {}", language.pick(english, arabic))
}

fn none(language: Language) -> String {
    language.pick("None.", "لا يوجد.").to_owned()
}

fn list(items: impl Iterator<Item = String>) -> String {
    items.map(|item| format!("- {item}")).collect::<Vec<_>>().join("\n")
}

/// The paragraphs of a text, each on a line of its own.
fn paragraphs(text: &str) -> String {
    text.split("\n\n").map(escaped_line).collect::<Vec<_>>().join("\n\n")
}

/// What was decided, in the words of the agent.
fn decided(words: &DecisionWords, language: Language) -> String {
    let DecisionWords { objective, recommendation, rationale, options_considered } = words;
    let mut lines = Vec::new();
    lines.extend(objective.iter().map(|text| item(language, "Objective", "الهدف", &escaped(text))));
    let recommended = recommendation.iter();
    lines.extend(recommended.map(|one| item(language, "Recommendation", "التوصية", &value(one))));
    lines.extend(
        rationale.iter().map(|text| item(language, "Rationale", "المبررات", &escaped(text))),
    );
    let options = options_considered.iter();
    lines.extend(options.map(|one| item(language, "Option considered", "خيار مدروس", &value(one))));
    lines.join("\n")
}

/// The table of what a pack is about.
fn facts(pack: &PackContent, language: Language) -> String {
    let status = match pack.status {
        // The status only says whether somebody reviewed it; a rejection is what a reader must see.
        _ if pack.approvals.iter().any(|vote| vote.outcome == VoteOutcome::Rejected) => {
            language.pick("rejected", "مرفوض")
        }
        PackStatus::Unresolved => language.pick("unresolved", "بانتظار المراجعة"),
        PackStatus::Resolved => language.pick("resolved", "تمت مراجعته"),
    };
    let requirement = match pack.requirement {
        PackRequirement::Mandatory => language.pick("mandatory", "إلزامي"),
        PackRequirement::Recommended => language.pick("recommended", "مستحسن"),
        PackRequirement::Skip => language.pick("not needed", "غير لازم"),
    };
    let classes = &pack.classes;
    let classes =
        format!("{:?} {:?} {:?}", classes.approval, classes.reversibility, classes.sensitivity);
    let said = |text: Option<&String>| text.map_or_else(|| "-".to_owned(), |text| escaped(text));
    let confidence = pack.confidence.map(|score| format!("{}%", score.percent()));
    let rows = [
        ("Pack", "حزمة الأدلة", format!("{} ({})", pack.pack_id, pack.version)),
        ("Supersedes", "يحل محل", said(pack.supersedes.as_ref().map(ToString::to_string).as_ref())),
        ("Status", "الحالة", status.to_owned()),
        ("Decision", "القرار", escaped(pack.decision_id.as_str())),
        ("Digest of the decision", "بصمة القرار", pack.decision_hash.to_string()),
        ("Decided at", "تاريخ القرار", pack.decided_at.to_string()),
        ("Entity", "الجهة", escaped(&pack.entity_id)),
        ("Tenant", "المستأجر", escaped(pack.tenant_id.as_str())),
        ("Agent", "الوكيل", escaped(&pack.agent_name)),
        ("Model", "النموذج", said(pack.model.as_ref())),
        ("Confidence", "درجة الثقة", said(confidence.as_ref())),
        ("Classes", "التصنيف", classes),
        ("Evidence pack", "حزمة الأدلة", requirement.to_owned()),
        ("Made at", "تاريخ الإعداد", pack.created_at.to_string()),
    ];
    let row = |(english, arabic, value): (&str, &str, String)| {
        format!("| {} | {value} |", language.pick(english, arabic))
    };
    let head = ["| | |".to_owned(), "|---|---|".to_owned()];
    head.into_iter().chain(rows.into_iter().map(row)).collect::<Vec<_>>().join("\n")
}

fn source(number: usize, source: &PackSource, language: Language) -> String {
    let place = source.uri.as_ref().or(source.reference.as_ref());
    let mut lines = vec![
        format!("### {number}. {}", escaped(&source.source)),
        String::new(),
        format!("> {}", escaped_line(&source.excerpt)),
        String::new(),
        item(language, "Where", "الموضع", &escaped(place.map_or("-", String::as_str))),
        item(language, "Retrieved at", "تاريخ الاسترجاع", &source.retrieved_at.to_string()),
        item(language, "Confidence", "درجة الثقة", &format!("{}%", source.confidence.percent())),
    ];
    let digest = source.content_hash.map_or_else(|| "-".to_owned(), |digest| digest.to_string());
    lines.push(item(language, "Digest of the whole", "بصمة الأصل", &digest));
    if source.stale {
        let stale = language
            .pick("**Stale: older than the freshness window.**", "**متقادم: تجاوز مدة الصلاحية.**");
        lines.push(format!("- {stale}"));
    }
    lines.join("\n")
}

fn call(number: usize, call: &ToolCall, language: Language) -> String {
    let outcome = match call.outcome {
        Some(tool::ToolCallOutcome::Succeeded) => language.pick("succeeded", "نجح"),
        Some(tool::ToolCallOutcome::Failed) => language.pick("failed", "أخفق"),
        Some(tool::ToolCallOutcome::Blocked) => language.pick("blocked", "مُنع"),
        None => language.pick("not reported", "لم ترد نتيجته"),
    };
    let mut lines = vec![
        format!("### {number}. {}", escaped(&call.tool_name)),
        String::new(),
        item(language, "Intended", "المعلن", &value(&call.intended_action)),
        item(language, "Actual", "الفعلي", &actual(call, language)),
        item(language, "Outcome", "النتيجة", outcome),
    ];
    if call.contradiction_flag {
        let label = language.pick("Contradiction at", "تناقض في");
        let places: Vec<String> =
            call.contradictions.iter().map(|path| place(path, language)).collect();
        let comma = language.pick(", ", "، ");
        lines.push(format!("- **⚠ {label}:** {}", escaped(&places.join(comma))));
    }
    for effect in &call.side_effects {
        lines.push(item(language, "Side effect", "أثر", &escaped(effect)));
    }
    lines.join("\n")
}

/// Where two actions differ, for people.
pub(crate) fn place(path: &str, language: Language) -> String {
    match path {
        "$" => language.pick("the whole action", "الإجراء كله").to_owned(),
        path => path.to_owned(),
    }
}

/// What a call did; the words for one that never reported back are the program's own.
fn actual(call: &ToolCall, language: Language) -> String {
    match (&call.actual_action, language) {
        (Json::Text(text), Language::Arabic) if is_unreported(call, text) => {
            UNREPORTED_CALL_AR.to_owned()
        }
        (action, _) => value(action),
    }
}

/// Whether a call never reported back.
pub(crate) fn is_unreported(call: &ToolCall, actual: &str) -> bool {
    call.outcome.is_none() && actual == tool::UNREPORTED_ACTION
}

/// What is said of such a call in Arabic.
pub(crate) const UNREPORTED_CALL_AR: &str = "لم يرد عنه شيء";

/// A text as it is; anything else as JSON.
fn value(json: &Json<'_>) -> String {
    match json {
        Json::Text(text) => escaped(text),
        other => {
            // What has no canonical form, which nothing in a pack is, is told by why it has none.
            let said =
                dalil_proof::canon::bytes(other).unwrap_or_else(|error| error.to_string().into());
            escaped(&String::from_utf8_lossy(&said))
        }
    }
}

fn item(language: Language, english: &str, arabic: &str, text: &str) -> String {
    format!("- **{}:** {text}", language.pick(english, arabic))
}

/// The claims of a ledger, each with its verdict.
fn claims(ledger: &Json<'_>, language: Language) -> String {
    let entries = match ledger.get("entries") {
        Some(Json::List(entries)) => entries.as_slice(),
        _ => &[],
    };
    let text = |entry: &Json<'_>, name: &str| match entry.get(name) {
        Some(Json::Text(text)) => shown(text),
        _ => String::new(),
    };
    let row = |entry: &Json<'_>| {
        let verdict = match text(entry, "verdict").as_str() {
            "supported" => Verdict::Supported,
            "weak" => Verdict::Weak,
            "contradicted" => Verdict::Contradicted,
            // A word that is not known must not read as support.
            _ => Verdict::NotFound,
        };
        let (sign, label) = (verdict.sign(), verdict.label_in(language));
        format!("| {} | {sign} {label} |", escaped(&text(entry, "claim_text")))
    };
    let titles = language.pick("| Claim | Verdict |", "| الادعاء | الحكم |").to_owned();
    let head = [titles, "|---|---|".to_owned()];
    head.into_iter().chain(entries.iter().map(row)).collect::<Vec<_>>().join("\n")
}

fn findings(findings: &[PackFlag], language: Language) -> String {
    if findings.is_empty() {
        return none(language);
    }
    list(findings.iter().map(|finding| {
        let state = match finding.state {
            PackFlagState::Note => language.pick("note", "للعلم"),
            PackFlagState::Open => language.pick("open", "مفتوحة"),
            PackFlagState::Acknowledged => language.pick("acknowledged", "أُقرّ بها"),
        };
        let message = match language {
            Language::English => finding.message.as_str(),
            Language::Arabic => finding_in_arabic(finding.rule).unwrap_or(&finding.message),
        };
        format!("{} ({state}): {}", escaped(&finding.path), escaped(message))
    }))
}

/// Why there is a pack, in a language.
fn reasons(pack: &PackContent, language: Language) -> Vec<String> {
    let DecisionClasses { approval, reversibility, sensitivity } = pack.classes;
    let arabic = [
        (approval >= ApprovalClass::A2, format!("فئة الاعتماد {approval:?} توجب حزمة الأدلة")),
        (
            reversibility == ReversibilityClass::R3,
            "فئة إمكان التراجع R3 توجب حزمة الأدلة".to_owned(),
        ),
        (sensitivity == SensitivityClass::S3, "فئة الحساسية S3 توجب حزمة الأدلة".to_owned()),
    ];
    match language {
        Language::English => pack.reasons.iter().map(|reason| escaped_line(reason)).collect(),
        Language::Arabic => {
            let mut reasons: Vec<String> =
                arabic.into_iter().filter(|(holds, _)| *holds).map(|(_, reason)| reason).collect();
            // At most one reason follows from no single class, and the requirement tells which.
            if pack.reasons.len() > reasons.len() {
                reasons.push(match pack.requirement {
                    PackRequirement::Mandatory => {
                        "درجة الثقة دون الحد المطلوب لقرار عالي الأثر".to_owned()
                    }
                    PackRequirement::Recommended => "القرار فوق المعتاد وقد يُطلب تدقيقه".to_owned(),
                    PackRequirement::Skip => "القرار معتاد".to_owned(),
                });
            }
            reasons
        }
    }
}

/// What a finding of a rule says, in Arabic.
pub fn finding_in_arabic(rule: &str) -> Option<&'static str> {
    let found = match rule {
        "default_tenant" => "لم يذكر القرار الجهة المالكة، فنُسب إلى الجهة الافتراضية",
        "no_sources" => "لا يستند القرار إلى أي مصدر",
        "stale_source" => "استُرجع المصدر قبل القرار بمدة تتجاوز نافذة الحداثة المقررة",
        "late_source" => "استُرجع المصدر بعد صدور القرار",
        "no_content_hash" => "لا توجد بصمة رقمية للوثيقة الكاملة التي أُخذ منها المقتطف",
        "no_outcome" => "لم تُذكر نتيجة الاستدعاء",
        "contradicted_call" => {
            "وُصف الاستدعاء بأنه متحقَّق منه، غير أن الإجراء المنفَّذ يخالف الإجراء المقصود"
        }
        _ => return None,
    };
    Some(found)
}

fn review(pack: &PackContent, language: Language) -> String {
    let vote = |vote: &ApprovalVote| {
        let outcome = match vote.outcome {
            VoteOutcome::Approved => language.pick("approved", "اعتمد"),
            VoteOutcome::Escalated => language.pick("escalated", "رفع إلى جهة أعلى"),
            VoteOutcome::Rejected => language.pick("rejected", "رفض"),
        };
        let comma = language.pick(", ", "، ");
        let titles = vote.titles.iter().map(|title| title.in_language(language));
        let titles = titles.collect::<Vec<_>>().join(comma);
        format!("{} ({titles}): {outcome}{comma}{}", escaped(&vote.approver), vote.at)
    };
    match (&pack.reviewer_id, pack.reviewed_at) {
        _ if !pack.approvals.is_empty() => list(pack.approvals.iter().map(vote)),
        (Some(reviewer), Some(at)) => {
            format!("- {}{}{at}", escaped(reviewer), language.pick(", ", "، "))
        }
        _ => language
            .pick("Nobody has reviewed this version.", "لم يُراجع هذا الإصدار بعد.")
            .to_owned(),
    }
}
