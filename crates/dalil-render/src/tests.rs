//! Answers and ledgers that the tests of every view share.

use dalil_evidence::ledger::request::LedgerRequest;
use dalil_evidence::ledger::{self, Ledger};

use crate::AnswerLedger;

/// A named answer and the request of its ledger.
pub(crate) struct Case {
    name: &'static str,
    answer: &'static str,
    request: &'static str,
}

impl Case {
    pub(crate) fn ledger(&self) -> Ledger {
        ledger::check(&LedgerRequest::read(self.request.as_bytes()).unwrap()).unwrap()
    }
}

pub(crate) fn checked<'l>(cases: &[&Case], ledgers: &'l [Ledger]) -> Vec<AnswerLedger<'l>> {
    let pairs = cases.iter().zip(ledgers);
    pairs
        .map(|(case, ledger)| AnswerLedger { name: case.name, text: case.answer, ledger })
        .collect()
}

pub(crate) const ENGLISH: Case = Case {
    name: "answers/leave <1>.md",
    answer: "Leave is 15 days.\nIt carries over. It is paid. It is 20 days for shift staff.",
    request: r#"{
        "session": {"id": "s"}, "created_at": "2026-03-15T09:30:00Z",
        "claims": [
            {"claim_id": "c1", "claim_text": "Leave is 15 days", "claim_type": "numeric", "importance": "critical", "start_offset": 0, "end_offset": 16, "matches": [
                {"chunk_id": "00f66349", "document": {"id": "hr", "filename": "hr.pdf", "page_number": 12}, "similarity": 0.93, "support": "full", "contradicts": false, "snippet": "15 days of leave"}]},
            {"claim_id": "c2", "claim_text": "It carries over", "claim_type": "policy", "importance": "material", "start_offset": 18, "end_offset": 33, "matches": [
                {"chunk_id": "059c84cd", "document": {"id": "hr", "filename": "hr.pdf", "page_number": 15}, "similarity": 0.7, "support": "partial", "contradicts": false, "snippet": "may be carried over"}]},
            {"claim_id": "c3", "claim_text": "It is paid", "claim_type": "fact", "importance": "minor", "start_offset": 35, "end_offset": 45, "matches": []},
            {"claim_id": "c4", "claim_text": "It is 20 days for shift staff", "claim_type": "numeric", "importance": "critical", "start_offset": 47, "end_offset": 76, "matches": [
                {"chunk_id": "00f66349", "document": {"id": "hr", "filename": "hr.pdf", "page_number": 12}, "similarity": 0.9, "support": "none", "contradicts": true, "snippet": "15 days & no more", "reason": {"claim_words": "20 days", "evidence_words": "15 days"}}]}
        ]}"#,
};

pub(crate) const ARABIC: Case = Case {
    name: "إجابة.md",
    answer: "الحد الأقصى ٥ أيام.",
    request: r#"{
        "session": {"id": "s"}, "created_at": "2026-03-15T09:30:00Z",
        "claims": [{"claim_id": "c1", "claim_text": "الحد الأقصى ٥ أيام", "claim_type": "numeric", "importance": "critical", "start_offset": 0, "end_offset": 18}]}"#,
};

pub(crate) const JUDGED: Case = Case {
    name: "answer.md",
    answer: "Leave is 15 days.",
    request: r#"{
        "session": {"id": "s"}, "created_at": "2026-03-15T09:30:00Z",
        "judge": {"engine": "dalil-engine 0.1.0", "model": "dalil-judge/2\u001b[31m", "model_sha256": "sha256:abababababababababababababababababababababababababababababababab"},
        "documents": [
            {"id": "a", "filename": "a.md", "sha256": "sha256:abababababababababababababababababababababababababababababababab", "chunks": 41},
            {"id": "b", "filename": "b.pdf", "sha256": "sha256:abababababababababababababababababababababababababababababababab", "chunks": 0, "problems": ["page 1 has no text"]}],
        "claims": [{"claim_id": "c1", "claim_text": "Leave is 15 days", "claim_type": "numeric", "importance": "critical"}]}"#,
};
