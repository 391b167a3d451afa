use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dalil::corpus::CorpusCache;
use dalil::judges::{JudgeMode, JudgeModels, Judges};
use dalil::sandbox::{SandboxLimits, SandboxReader};
use dalil_evidence::ledger::request::AnswerSession;
use dalil_proof::erasure::LegalBasis;
use dalil_proof::hold::RecordScope;
use dalil_store::{EvidenceTable, Tenant};
use tokio::runtime::Handle;

use super::{CheckRequest, CheckStep, CheckTools, CheckWork, check};
use crate::approval::ApprovalBasis;
use crate::erase::{ErasureOrder, erase};
use crate::fixture::{context_at, one, person, table, why};
use crate::operation::OperationFailure;
use crate::scratch::TestCorpusFolder;
use crate::{document, session};

fn tools(cache: PathBuf) -> Arc<CheckTools> {
    Arc::new(CheckTools {
        judges: Judges { models: JudgeModels::open(None).unwrap(), mode: JudgeMode::Fast },
        reader: SandboxReader::new(PathBuf::from("/nonexistent/dalil"), SandboxLimits::usual()),
        cache: CorpusCache::at(cache),
        threads: 1,
    })
}

async fn erase_subject(tenant: &Tenant, subject: &str) {
    let order = ErasureOrder {
        scope: RecordScope::Subject(subject.to_owned()),
        legal_basis: LegalBasis::DataSubjectRequest,
        approved: ApprovalBasis::by("ada"),
        records: Vec::new(),
        rehearse: false,
    };
    erase(tenant, &order, &person(5, "ada")).await.unwrap();
}

/// Two documents and a session; the result of a check when a subject is erased while claims are
/// judged, and the names of the files that the cache has then.
async fn erased_during(
    name: &str,
    request: &CheckRequest,
    subject: &'static str,
) -> (Result<String, OperationFailure>, Vec<String>, String) {
    let (_home, acme) = one(name).await;
    let files: [(&str, &[u8]); 2] = [
        ("docs/patient.md", b"# Patient\n\nNoura receives 15 days of leave.\n"),
        ("docs/policy.md", b"# Leave\n\nEmployees receive 30 days of leave.\n"),
    ];
    let scratch = TestCorpusFolder::with(name, &files);
    document::add(&acme, &scratch.corpus("docs"), &context_at(1)).await.unwrap();
    let asked = AnswerSession { id: "ses-1".to_owned(), query: None, mode: None };
    session::open(&acme, &asked, "Noura receives 15 days of leave.", &context_at(2)).await.unwrap();
    let (tools, is_erased) = (tools(scratch.path("cache")), AtomicBool::new(false));
    let (own, runtime) = (acme.clone(), Handle::current());
    let progress = move |step: CheckStep| {
        let is_judged = matches!(step, CheckStep::Judging(..));
        if is_judged && !is_erased.swap(true, Ordering::Relaxed) {
            runtime.block_on(erase_subject(&own, subject));
        }
    };
    let work = CheckWork { tools, progress: Arc::new(progress), judged: Arc::default() };
    let closed = check(&acme, "ses-1", request, work, &context_at(9)).await;
    let closed = closed.map(|closed| closed.session_id);
    let kept = names(&scratch.path("cache"));
    (closed, kept, table(&acme, EvidenceTable::EvidenceLedger).await)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_does_not_bring_back_a_document_that_is_erased_while_it_runs() {
    // The patient's document, by its id.
    let request = CheckRequest { documents: vec![PATIENT.to_owned()], language: None };
    let (closed, kept, ledger) = erased_during("check-erased", &request, PATIENT).await;
    let expected = format!("`document_id`: expected a document of this tenant, found `{PATIENT}`");
    assert_eq!((why(closed), kept, ledger.as_str()), (expected, Vec::new(), ""));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_is_done_again_without_a_document_that_was_erased() {
    let (closed, kept, ledger) =
        erased_during("check-again", &CheckRequest::default(), PATIENT).await;
    assert_eq!(closed.unwrap(), "ses-1");
    assert_eq!(kept.len(), 1, "the other document, read again");
    assert!(!ledger.is_empty() && !ledger.contains("# Patient"), "{ledger}");
    assert!(!ledger.contains("Noura receives 15 days of leave."), "{ledger}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_erasure_of_something_else_does_not_disturb_a_check() {
    let (closed, kept, ledger) = erased_during(
        "check-other",
        &CheckRequest { documents: vec![PATIENT.to_owned()], language: None },
        POLICY,
    )
    .await;
    assert_eq!((closed.unwrap().as_str(), kept.len()), ("ses-1", 1));
    assert!(ledger.contains("Noura receives 15 days of leave."), "{ledger}");
}

const PATIENT: &str = "doc_18c378e69cba4f8f";
const POLICY: &str = "doc_34986cfbcb5ee711";
