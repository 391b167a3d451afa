use dalil_phrasebook::Language;
use dalil_proof::canon;
use dalil_proof::erasure::LegalBasis;
use dalil_proof::hold::RecordScope;
use dalil_render::zip;
use expect_test::expect;

use super::{ExportPreview, preview};
use crate::approval::ApprovalBasis;
use crate::archive::archive;
use crate::erase::{ErasureOrder, erase};
use crate::export::{ExportFormat, newest_erasure};
use crate::fixture::{at, context_at, house, keyed, one, seal_recorded, size, two, why};
use crate::pack::show;

const PACK_ID: &str = "pack_00000000000000b1";
const REQUEST: &str = r#"{"decision":{"decision_id":"dec-1","tenant_id":"acme","entity_id":"case-1",
    "agent_name":"leave_agent","approval_class":"A0","reversibility_class":"R0",
    "sensitivity_class":"S1","evidence":[{"source":"hr.policy","uri":"lake://hr",
    "excerpt":"15 days","retrieved_at":"2026-03-14T12:00:00Z","confidence":0.9}],
    "created_at":"2026-03-14T12:00:00Z"},
    "pack_id":"pack_00000000000000b1","created_at":"2026-03-14T12:30:00Z"}"#;

#[tokio::test]
async fn a_look_shows_what_would_leave_and_gives_no_evidence_away() {
    let (_home, acme) = one("preview").await;
    seal_recorded(&acme, REQUEST.as_bytes(), &context_at(1)).await.unwrap();
    let before = size(&acme).await;
    let look = async |format| {
        let form = (format, Language::English);
        preview(&acme, PACK_ID, form, (None, at(9))).await
    };
    let draft = show(&acme, PACK_ID).await.unwrap().pack;
    // The same for each of these formats: without signatures and proofs.
    let content = ExportPreview::Content(canon::bytes(&draft).unwrap());
    for format in [ExportFormat::Json, ExportFormat::Sealed, ExportFormat::InToto] {
        assert_eq!(look(format).await.unwrap(), content);
    }
    let text = dalil_render::pack::markdown(&draft, Language::English);
    assert!(text.contains("15 days"), "{text}");
    assert_eq!(look(ExportFormat::Markdown).await.unwrap(), ExportPreview::Text(text));
    let made = archive(&acme, PACK_ID).await.unwrap();
    let files = zip::read(&made.bytes).unwrap();
    assert!(files.contains_key("data/pack.json"), "{:?}", files.keys());
    let sizes = files.iter().map(|(name, bytes)| (name.clone(), bytes.len())).collect();
    assert_eq!(look(ExportFormat::Archive).await.unwrap(), ExportPreview::Files(sizes));
    for format in [ExportFormat::Sarif, ExportFormat::Junit, ExportFormat::Ledger] {
        expect![[r#"`format`: expected `json`, `sealed`, `in-toto`, `markdown`, `pdf` or `archive`, found a form of ledgers"#]].assert_eq(&why(look(format).await));
    }
    assert_eq!(size(&acme).await, before, "a look is no record");
}

#[tokio::test]
async fn the_newest_erasure_of_a_tenant_is_known() {
    let (_home, acme, zenith) = two("preview-erasure").await;
    house(&acme).await;
    seal_recorded(&acme, REQUEST.as_bytes(), &context_at(1)).await.unwrap();
    assert_eq!(newest_erasure(&acme).await.unwrap(), None);
    let scope = RecordScope::Subject(PACK_ID.to_owned());
    let (legal_basis, approved) = (LegalBasis::DataSubjectRequest, ApprovalBasis::by("dpo-1"));
    let order = ErasureOrder { scope, legal_basis, approved, records: Vec::new(), rehearse: false };
    erase(&acme, &order, &keyed(2, "erasure")).await.unwrap();
    assert_eq!(newest_erasure(&acme).await.unwrap(), Some(size(&acme).await - 1));
    assert_eq!(newest_erasure(&zenith).await.unwrap(), None);
}
