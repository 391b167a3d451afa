//! A version that was erased keeps its number and its place.

use dalil_proof::erasure::LegalBasis;
use dalil_proof::hold::RecordScope;
use dalil_proof::id::PackId;
use dalil_proof::report::CheckStatus;
use dalil_store::{EvidenceTable, Tenant};
use expect_test::expect;
use serde_json::json;

use super::{bytes, check, request, said_by, with};
use crate::approval::ApprovalBasis;
use crate::archive::archive;
use crate::decision;
use crate::erase::{ErasureOrder, erase};
use crate::fixture::{
    at, context_at, house, keyed, one, person, said, seal_recorded, table, trust, why,
};
use crate::index::{self, ListRange};
use crate::pack::{
    self, AssembleRequest, assemble, erased_decision, options, review, show, versions,
};

async fn forget(tenant: &Tenant, pack_id: &str, second: i64) {
    let scope = RecordScope::Subject(pack_id.to_owned());
    let (legal_basis, approved) = (LegalBasis::DataSubjectRequest, ApprovalBasis::by("dpo-1"));
    let order = ErasureOrder { scope, legal_basis, approved, records: Vec::new(), rehearse: false };
    erase(tenant, &order, &keyed(second, pack_id)).await.unwrap();
}

/// The request as a version after another.
fn version(pack_id: &str, supersedes: Option<&str>, version: u64) -> Vec<u8> {
    let fields = [
        ("pack_id", json!(pack_id)),
        ("supersedes", json!(supersedes)),
        ("version", json!(version)),
    ];
    with(&fields)
}

const FIRST: &str = "pack_00000000000000b1";
const SECOND: &str = "pack_00000000000000b2";
const THIRD: &str = "pack_00000000000000b3";

#[tokio::test]
async fn the_number_of_an_erased_version_is_not_used_again() {
    let (_home, acme) = one("erased-number").await;
    house(&acme).await;
    seal_recorded(&acme, &bytes(&request()), &context_at(1)).await.unwrap();
    seal_recorded(&acme, &version(SECOND, Some(FIRST), 2), &context_at(2)).await.unwrap();
    forget(&acme, SECOND, 3).await;
    check(
        &table(&acme, EvidenceTable::ErasedPacks).await,
        &expect![[r#"
            [12,1,"pack_00000000000000b2","dec-1",2,"2026-03-14T14:53:22.000Z"]

        "#]],
    );
    // The first is not the newest again: it was superseded, and stays so.
    let again = seal_recorded(&acme, &version(THIRD, Some(FIRST), 2), &context_at(4)).await;
    check(
        &why(again),
        &expect![[r#"
        `supersedes`: expected `pack_00000000000000b2`, the newest pack of this decision, which was erased, found `pack_00000000000000b1`
        hint: an edit is a version that names the one before
    "#]],
    );
    let again = seal_recorded(&acme, &version(THIRD, Some(SECOND), 2), &context_at(4)).await;
    check(
        &why(again),
        &expect![[r#"
        `version`: expected `3`, the version that follows, found `2`
    "#]],
    );
    let again = review(&acme, &said_by("the_legal", "approved"), &person(4, "the_legal")).await;
    check(
        &why(again),
        &expect![[r#"
        `pack_id`: expected `pack_00000000000000b2`, the newest version, which was erased, found `pack_00000000000000b1`
        hint: `dalil pack assemble` makes the version that follows
    "#]],
    );
    seal_recorded(&acme, &version(THIRD, Some(SECOND), 3), &context_at(4)).await.unwrap();
    check(
        &said(&versions(&acme, "dec-1").await.unwrap()),
        &expect![[r#"
            [{"created_at":"2026-03-14T12:30:00.000Z","decision_id":"dec-1","index":10,"pack_id":"pack_00000000000000b1","retain_until":"2033-03-14T12:30:00.000Z","sha256":"sha256:dd6f893992f343a9a7e70147f4db80165b807fc91d305f8a48329bd7511875cd","state":"superseded","status":"unresolved","superseded_by":"pack_00000000000000b2","version":1},{"created_at":"2026-03-14T12:30:00.000Z","decision_id":"dec-1","index":13,"pack_id":"pack_00000000000000b3","retain_until":"2033-03-14T12:30:00.000Z","sha256":"sha256:eb5e93b1e817758126cbaca72323d7fa85c4cee163d53f671f183dcec61dc607","state":"unresolved","status":"unresolved","supersedes":"pack_00000000000000b2","version":3}]
        "#]],
    );
    let made = archive(&acme, THIRD).await.unwrap();
    let files = dalil_render::zip::read(&made.bytes).unwrap();
    let report = dalil_evidence::archive::verify(&files, &trust(&acme).await, at(9)).report;
    let versions = report.findings.iter().filter(|one| one.part == "versions");
    let versions: Vec<String> =
        versions.map(|one| format!("{} {}", one.verdict, one.message.english())).collect();
    check(
        &versions.join("\n"),
        &expect![[r#"
            INCOMPLETE version 2, `pack_00000000000000b2`: ERASED by record 12
        "#]],
    );
    assert_ne!(report.verdict(), CheckStatus::Fail, "{report}");
}

#[tokio::test]
async fn a_pack_that_is_assembled_after_an_erasure_follows_what_was_erased() {
    let (_home, acme) = one("erased-assembled").await;
    let request = request();
    decision::record(&acme, &bytes(&request["decision"]), &context_at(1)).await.unwrap();
    let order = |id: &str| AssembleRequest {
        decision_id: "dec-1".to_owned(),
        memo: Some(bytes(&request["memo"])),
        pack_id: Some(id.parse::<PackId>().unwrap()),
    };
    assemble(&acme, &order(FIRST), &context_at(2)).await.unwrap();
    // All there was.
    forget(&acme, FIRST, 3).await;
    assemble(&acme, &order(SECOND), &context_at(4)).await.unwrap();
    check(
        &said(&versions(&acme, "dec-1").await.unwrap()),
        &expect![[r#"
        [{"created_at":"2026-03-14T14:53:24.000Z","decision_id":"dec-1","index":5,"pack_id":"pack_00000000000000b2","retain_until":"2033-03-14T14:53:24.000Z","sha256":"sha256:2cfdf418bd172ae25d4d0f3e23d29de2140e4ca9035079bb8d480668bf9468e2","state":"unresolved","status":"unresolved","supersedes":"pack_00000000000000b1","version":2}]
    "#]],
    );
}

#[tokio::test]
async fn the_versions_of_a_pack_that_was_erased_whole_are_not_there() {
    let (_home, acme) = one("erased-whole").await;
    seal_recorded(&acme, &bytes(&request()), &context_at(1)).await.unwrap();
    forget(&acme, FIRST, 2).await;
    let told = [why(versions(&acme, FIRST).await), why(versions(&acme, "dec-1").await)];
    check(
        &told.join("\n"),
        &expect![[r#"
            `pack_id`: expected a pack of this tenant, found `pack_00000000000000b1`
            `pack_id`: expected a pack of this tenant, found `dec-1`
        "#]],
    );
}

#[tokio::test]
async fn a_version_after_an_erased_one_is_held_to_the_last_that_is_left() {
    let (_home, acme) = one("erased-before").await;
    seal_recorded(&acme, &bytes(&request()), &context_at(1)).await.unwrap();
    seal_recorded(&acme, &version(SECOND, Some(FIRST), 2), &context_at(2)).await.unwrap();
    forget(&acme, SECOND, 3).await;
    let early = with(&[
        ("pack_id", json!(THIRD)),
        ("supersedes", json!(SECOND)),
        ("version", json!(3)),
        ("created_at", json!("2026-03-14T12:15:00Z")),
    ]);
    check(
        &why(seal_recorded(&acme, &early, &context_at(4)).await),
        &expect![[r#"
            `created_at`: expected a time at or after 2026-03-14T12:30:00.000Z, when the old version was made, found `2026-03-14T12:15:00.000Z`
        "#]],
    );
}

#[tokio::test]
async fn packs_of_several_decisions_stand_in_a_list_as_they_stand_alone() {
    let (_home, acme) = one("erased-listed").await;
    seal_recorded(&acme, &bytes(&request()), &context_at(1)).await.unwrap();
    seal_recorded(&acme, &version(SECOND, Some(FIRST), 2), &context_at(2)).await.unwrap();
    let mut other = request();
    other["decision"]["decision_id"] = json!("dec-2");
    other["pack_id"] = json!(THIRD);
    seal_recorded(&acme, &bytes(&other), &context_at(3)).await.unwrap();
    forget(&acme, SECOND, 4).await;
    let part = ListRange { from: 0, limit: 100, newest: false };
    let listed = index::packs(&acme, part).await.unwrap();
    let alone = [versions(&acme, "dec-1").await.unwrap(), versions(&acme, "dec-2").await.unwrap()];
    assert_eq!(listed, alone.concat());
    let stands = listed.iter().map(|one| format!("{} {:?}", one.pack_id, one.state));
    check(
        &stands.collect::<Vec<_>>().join("\n"),
        &expect![[r#"
            pack_00000000000000b1 Superseded
            pack_00000000000000b3 Unresolved
        "#]],
    );
}

#[tokio::test]
async fn without_its_decision_nobody_knows_whose_approval_a_pack_needs() {
    let (_home, acme) = one("erased-decision").await;
    house(&acme).await;
    let request = request();
    decision::record(&acme, &bytes(&request["decision"]), &context_at(1)).await.unwrap();
    let order = AssembleRequest {
        decision_id: "dec-1".to_owned(),
        memo: Some(bytes(&request["memo"])),
        pack_id: Some(FIRST.parse::<PackId>().unwrap()),
    };
    assemble(&acme, &order, &context_at(2)).await.unwrap();
    let pack = show(&acme, FIRST).await.unwrap().pack;
    assert_eq!(erased_decision(&acme, &pack).await.unwrap(), None);
    forget(&acme, "dec-1", 3).await;
    assert_eq!(show(&acme, FIRST).await.unwrap().pack, pack, "what the pack says is left");
    assert_eq!(erased_decision(&acme, &pack).await.unwrap(), Some(9));
    assert_eq!(pack::said(&acme, &pack).await.unwrap(), []);
    let said = review(&acme, &said_by("the_legal", "approved"), &person(4, "the_legal")).await;
    check(
        &why(said),
        &expect![[r#"
            `decision_id`: expected the decision, which says whose approval it needs, found record 9, which was erased
        "#]],
    );
    // A reader of the pack gets the error; a page that lists open packs must not fail for it.
    let options = options(&acme, FIRST, "the_legal", at(9)).await.unwrap();
    assert_eq!(options.outcomes, []);
    let expected = "`decision_id`: expected the decision, which says whose approval it needs, found record 9, which was erased";
    assert_eq!(options.obstacle.unwrap().to_string(), expected);
}
