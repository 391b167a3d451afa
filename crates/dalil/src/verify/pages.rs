//! Checks that the pages of a PDF agree with its attachments: renders them again and compares.

#[cfg(feature = "pdf")]
use dalil_phrasebook::Phrase;
use dalil_phrasebook::file_check;
#[cfg(feature = "pdf")]
use dalil_proof::report::CheckStatus;
use dalil_proof::report::VerificationReport;

use crate::sandbox::PdfAttachments;

/// Presses the attachments again, if this program can, and compares every byte.
#[cfg(feature = "pdf")]
pub(super) fn check(bytes: &[u8], found: &PdfAttachments, report: &mut VerificationReport) {
    use dalil_proof::fault::quote;
    use dalil_render::pdf::PRESS_VERSION;

    // The pages of evidence that fails need no check.
    if report.verdict() == CheckStatus::Fail {
        let message = file_check::pages_not_compared_attachments_fail();
        return report.incomplete(PAGES_PART, message);
    }
    let (claims, most) = (claims(found), dalil_render::pdf::MAX_PDF_CLAIMS);
    if claims > most {
        let message = file_check::pages_not_compared_many_claims(claims, most);
        return report.incomplete(PAGES_PART, message);
    }
    match pressed(found) {
        Ok((again, unsigned)) if again == bytes => {
            let message = file_check::pages_same_bytes();
            report.pass(PAGES_PART, message);
            let UnsignedPages { told, is_open, has_answer, reviews } = unsigned;
            if is_open {
                let message = file_check::sealed_before_resolved();
                report.incomplete(HISTORY_PART, message);
            }
            if told > 0 {
                let message = file_check::history_not_signed(told);
                report.incomplete(HISTORY_PART, message);
            }
            // The maker of the pages can put other words under the colours of a verdict.
            if has_answer {
                report.incomplete(ANSWER_PART, file_check::answer_not_signed());
            }
            if reviews > 0 {
                report.incomplete(ANSWER_PART, file_check::reviews_not_signed(reviews));
            }
        }
        // A forger of pages can name another version: that is `incomplete`, never a pass.
        Ok(_) if found.creator != PRESS_VERSION => {
            let press = quote(&found.creator);
            let message = file_check::pages_of_another_press(press, PRESS_VERSION);
            report.incomplete(PAGES_PART, message);
        }
        Ok(_) => {
            let message = file_check::pages_differ();
            report.fail(PAGES_PART, message);
        }
        Err(message) => report.fail(PAGES_PART, message),
    }
}

/// How much of the pages no signature covers.
#[cfg(feature = "pdf")]
#[derive(Default)]
struct UnsignedPages {
    /// Reviews, reasons and versions that only the history has.
    told: usize,
    /// Whether the review is not under the seal.
    is_open: bool,
    /// Whether the pages show a question or an answer, which no ledger has.
    has_answer: bool,
    /// Reviews of claims that changed the answer's state.
    reviews: usize,
}

/// How many claims an attached ledger has; a pack's are counted when it is pressed.
#[cfg(feature = "pdf")]
fn claims(found: &PdfAttachments) -> usize {
    use dalil_proof::json::Json;

    let ledger = found.files.iter().find(|file| file.name == dalil_render::pdf::LEDGER_ATTACHMENT);
    let ledger = ledger.and_then(|file| Json::parse(&file.bytes).ok());
    match ledger.as_ref().and_then(|ledger| ledger.get("entries")) {
        Some(Json::List(entries)) => entries.len(),
        _ => 0,
    }
}

/// The PDF that the attachments give, and how much of it no signature covers.
#[cfg(feature = "pdf")]
fn pressed(found: &PdfAttachments) -> Result<(Vec<u8>, UnsignedPages), Phrase> {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use dalil_evidence::ledger::Ledger;
    use dalil_phrasebook::Language;
    use dalil_render::pdf::{
        self, ANSWER_ATTACHMENT, HISTORY_ATTACHMENT, LEDGER_ATTACHMENT, PACK_ATTACHMENT,
        PackPrintout, PrintoutAnswer,
    };

    let refused =
        || file_check::nothing_to_press(PACK_ATTACHMENT, HISTORY_ATTACHMENT, LEDGER_ATTACHMENT);
    let named = |name: &str| {
        // Two attachments of one name are refused: which of them a viewer opens is not defined.
        let mut all = found.files.iter().filter(|file| file.name == name);
        all.next().filter(|_| all.next().is_none()).map(|file| file.bytes.as_slice())
    };
    // A wrong language gives other bytes, so a bad value cannot make forged pages pass.
    let language = Language::WIRE_NAMES.into_iter().find(|(word, _)| *word == found.language);
    let language = language.map_or(Language::English, |(_, language)| language);
    // The typesetter is third-party code; one that panics has made no pages, and that is all.
    let (pressed, told) =
        match (named(PACK_ATTACHMENT), named(HISTORY_ATTACHMENT), named(LEDGER_ATTACHMENT)) {
            (Some(pack), Some(history), None) => {
                let sheet = PackPrintout::read(pack, history).map_err(|_| refused())?;
                (catch_unwind(AssertUnwindSafe(|| pdf::pack(&sheet, language))), told(&sheet))
            }
            (None, None, Some(ledger)) => {
                let ledger = Ledger::parse(ledger).map_err(|_| refused())?;
                let about = match named(ANSWER_ATTACHMENT) {
                    Some(text) => PrintoutAnswer::parse(text).map_err(|_| refused())?,
                    None => PrintoutAnswer::default(),
                };
                let press = || pdf::ledger(&ledger, &about, language);
                let pressed = catch_unwind(AssertUnwindSafe(press));
                let has_answer = about.question.is_some() || about.answer.is_some();
                let reviews = about.reviews.len();
                (pressed, UnsignedPages { has_answer, reviews, ..UnsignedPages::default() })
            }
            _ => return Err(refused()),
        };
    let pressed = pressed.map_err(|_| refused())?.map_err(|_| refused())?;
    Ok((pressed, told))
}

/// How much of the pages is from the history and not from the sealed pack.
#[cfg(feature = "pdf")]
fn told(sheet: &dalil_render::pdf::PackPrintout) -> UnsignedPages {
    use dalil_evidence::approval::ApprovalVote;
    use dalil_evidence::pack::PackStatus;

    let draft = sheet.draft();
    // The seal covers the votes of this version, without their reasons.
    let approvals = sheet.history().approvals.iter().filter(|one| {
        let is_same = |vote: &&ApprovalVote| vote.approver == one.approver && vote.at == one.at;
        let sealed = draft.approvals.iter().find(is_same);
        // The pages show the sealed fields; they take from the history only a reason that is not
        // sealed.
        sealed.is_none_or(|vote| vote.reason.is_none() && one.reason.is_some())
    });
    let versions = sheet.history().versions.iter().filter(|one| {
        let is_before = Some(&one.pack_id) == draft.supersedes.as_ref();
        one.pack_id != draft.pack_id && !(is_before && one.is_only_named())
    });
    let told = approvals.count() + versions.count();
    let is_open = draft.status == PackStatus::Unresolved;
    UnsignedPages { told, is_open, ..UnsignedPages::default() }
}

/// Reports that this program was built without a press.
#[cfg(not(feature = "pdf"))]
pub(super) fn check(_: &[u8], _: &PdfAttachments, report: &mut VerificationReport) {
    let message = file_check::built_without_press();
    report.incomplete(PAGES_PART, message);
}

const PAGES_PART: &str = "pages";
#[cfg(feature = "pdf")]
const ANSWER_PART: &str = "answer";
#[cfg(feature = "pdf")]
const HISTORY_PART: &str = "history";
