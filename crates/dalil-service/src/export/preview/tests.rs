use dalil_phrasebook::Language;
use expect_test::expect;

use super::{ExportPreview, preview};
use crate::export::ExportFormat;
use crate::fixture::{at, context_at, one, seal_recorded, size, why};

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
        preview(&acme, "pack_00000000000000b1", form, (None, at(9))).await
    };
    let mut contents = Vec::new();
    for format in [ExportFormat::Json, ExportFormat::Sealed, ExportFormat::InToto] {
        let ExportPreview::Content(json) = look(format).await.unwrap() else {
            panic!("expected the content");
        };
        let json = String::from_utf8(json).unwrap();
        assert!(json.contains("15 days") && !json.contains("\"sig\""), "{json}");
        contents.push(json);
    }
    assert!(contents.windows(2).all(|two| two[0] == two[1]), "the same of every such form");
    let ExportPreview::Text(text) = look(ExportFormat::Markdown).await.unwrap() else {
        panic!("expected a text");
    };
    assert!(text.contains("15 days"), "{text}");
    let ExportPreview::Files(files) = look(ExportFormat::Archive).await.unwrap() else {
        panic!("expected files");
    };
    let pack = files.iter().find(|(name, _)| name == "data/pack.json").unwrap();
    assert!(pack.1 > 1_000, "{files:?}");
    expect![[r#"`format`: expected"#]].assert_eq(
        why(look(ExportFormat::Sarif).await).split_inclusive("expected").next().unwrap(),
    );
    assert_eq!(size(&acme).await, before, "a look is no record");
}
