//! `--format pdf`: the same bytes wherever and however the program is run.

use std::path::Path;
use std::process::{Command, Output};

use expect_test::expect;
use serde_json::json;

use crate::run;

fn dalil(folder: &Path, environment: &[(&str, &str)], args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dalil"));
    command.args(args).env("XDG_DATA_HOME", "/nowhere").envs(environment.iter().copied());
    command.current_dir(folder).output().unwrap()
}

/// The pages, which must be the same under every number of threads, locale, zone and folder.
#[track_caller]
fn pages(folder: &Path, args: &[&str]) -> Vec<u8> {
    let usual = dalil(folder, &[], args);
    assert_eq!(
        (usual.status.code(), String::from_utf8_lossy(&usual.stderr).as_ref()),
        (Some(0), "")
    );
    assert_eq!(usual.stdout.get(..8), Some(b"%PDF-1.7".as_slice()));
    let others = [
        [("RAYON_NUM_THREADS", "1"), ("LC_ALL", "ar_KW.UTF-8"), ("TZ", "Asia/Kuwait")],
        [("RAYON_NUM_THREADS", "7"), ("LC_ALL", "C"), ("SOURCE_DATE_EPOCH", "0")],
    ];
    for environment in others {
        assert!(dalil(folder, &environment, args).stdout == usual.stdout, "{environment:?}");
    }
    usual.stdout
}

#[test]
fn a_ledger_has_pages_in_both_languages() {
    let request = "examples/requests/ledger.json";
    let english = pages(&run::root(), &["ledger", request, "--format", "pdf"]);
    let arabic = pages(&run::root(), &["ledger", request, "--format", "pdf", "--lang", "ar"]);
    assert_ne!(english, arabic);
    let folder = run::folder("pages/ledger");
    let ledger = dalil(&run::root(), &[], &["ledger", request]).stdout;
    let verify = |bytes: &[u8]| {
        run::put(&folder.join("file"), bytes);
        let made = dalil(&folder, &[], &["verify", "file", "--at", "2026-04-01T00:00:00Z"]);
        format!("{:?} {}", made.status.code(), String::from_utf8_lossy(&made.stdout))
    };
    let told = expect![[r#"
        Some(2) {"findings":[{"message":"2, `ledger.json` among them","part":"attachments","verdict":"pass"},{"message":"a ledger","part":"format","verdict":"pass"},{"message":"every sum, band and id is what follows from the claims","part":"computed","verdict":"pass"},{"message":"made at 2026-03-15T09:30:00.000Z","part":"time","verdict":"pass"},{"message":"a ledger is not signed; a pack that holds it is","part":"signature","verdict":"incomplete"},{"message":"pressed again from the attachments: the same bytes","part":"pages","verdict":"pass"},{"message":"the question and the answer on the pages are told by whoever made them, and are in no signature; the ledger has the claims","part":"answer","verdict":"incomplete"}],"verdict":"incomplete"}
    "#]];
    told.assert_eq(&verify(&english));
    told.assert_eq(&verify(&arabic));
    expect![[r#"
        Some(2) {"findings":[{"message":"a ledger","part":"format","verdict":"pass"},{"message":"every sum, band and id is what follows from the claims","part":"computed","verdict":"pass"},{"message":"made at 2026-03-15T09:30:00.000Z","part":"time","verdict":"pass"},{"message":"a ledger is not signed; a pack that holds it is","part":"signature","verdict":"incomplete"}],"verdict":"incomplete"}
    "#]].assert_eq(&verify(&ledger));
    let changed =
        String::from_utf8(ledger).unwrap().replacen("\"total_claims\":", "\"total_claims\":1", 1);
    expect![[r#"
        Some(1) {"findings":[{"message":"`$`: expected sums and ids that follow from its claims, found others","part":"computed","verdict":"fail"},{"message":"a ledger is not signed; a pack that holds it is","part":"signature","verdict":"incomplete"}],"verdict":"fail"}
    "#]].assert_eq(&verify(changed.as_bytes()));
    for at in [20, english.len() / 3, english.len() / 2, english.len() - 40] {
        let mut changed = english.clone();
        changed[at] ^= 1;
        let told = verify(&changed);
        assert!(told.starts_with("Some(1)"), "{at}: {told}");
    }
}

#[test]
fn one_answer_has_pages_and_several_are_refused() {
    let folder = run::folder("pages/check");
    run::put(&folder.join("docs/policy.md"), b"Leave is 15 days.");
    run::put(&folder.join("a.md"), b"Leave is 15 days.");
    run::put(&folder.join("b.md"), b"Leave is 20 days.");
    let check = |answers: &[&'static str]| {
        let rest =
            ["--against", "docs", "--no-index", "--at", "2026-01-03T14:30:00Z", "--format", "pdf"];
        [&["check"], answers, &rest].concat()
    };
    pages(&folder, &check(&["a.md"]));
    let both = dalil(&folder, &[], &check(&["a.md", "b.md"]));
    assert_eq!((both.status.code(), both.stdout.as_slice()), (Some(2), [].as_slice()));
    expect![[r#"
        error: expected one answer for `--format pdf`, found 2
        hint: give the answers one by one
    "#]]
    .assert_eq(&String::from_utf8_lossy(&both.stderr));
}

#[test]
fn a_pack_leaves_as_pages() {
    let folder = run::folder("pages/pack");
    let environment = [("DALIL_STORE", "file:./data"), ("DALIL_TENANT", "acme")];
    let tenant = ["tenant", "create", "acme", "--origin", "dalil.example/acme"];
    let begun = ["--at", "2026-01-01T00:00:00Z"];
    let made = dalil(&folder, &environment, &[&tenant[..], &begun].concat());
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let request = json!({
      "decision": {
        "decision_id": "dec-1", "tenant_id": "acme", "entity_id": "case-1", "agent_name": "leave_agent",
        "approval_class": "A2", "reversibility_class": "R1", "sensitivity_class": "S1", "confidence": 0.9,
        "evidence": [{
          "source": "hr.policy", "uri": "lake://hr/leave.pdf",
          "excerpt": "All permanent employees shall receive 15 days of paid annual leave.",
          "retrieved_at": "2026-01-03T10:00:00.000Z", "confidence": 0.9}],
        "created_at": "2026-01-03T12:00:00Z"},
      "memo": {
        "title_ar": "إجازة", "title_en": "Leave",
        "body_ar": "خمسة عشر يومًا [cite:b8b859ac].", "body_en": "Fifteen days [cite:b8b859ac].",
        "executive_summary_ar": "موافقة [cite:b8b859ac]", "executive_summary_en": "Approve [cite:b8b859ac]"},
      "pack_id": "pack_00000000000000b1", "created_at": "2026-01-03T12:30:00Z"
    });
    run::put(&folder.join("request.json"), request.to_string().as_bytes());
    run::put(&folder.join("decision.json"), request["decision"].to_string().as_bytes());
    let at = ["--at", "2026-01-03T13:00:00Z"];
    let record = [&["decision", "record", "decision.json"], &at[..]].concat();
    assert!(dalil(&folder, &environment, &record).status.success());
    let sealed = dalil(
        &folder,
        &environment,
        &["pack", "seal", "request.json", "--at", "2026-01-03T13:00:00Z"],
    );
    assert!(sealed.status.success(), "{}", String::from_utf8_lossy(&sealed.stderr));
    let manager = ["the_manager", "--role", "approver", "--title", "manager"];
    for member in [&manager[..], &["the_clerk", "--role", "viewer"]] {
        let added = dalil(&folder, &environment, &[&["member", "add"], member].concat());
        assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
    }
    let exported = |language, at| {
        let approved = ["--approver", "the_manager", "--reason", "for the board"];
        let form = ["--format", "pdf", "--lang", language, "--out", "out.pdf", "--at", at];
        let pack = ["export", "pack", "pack_00000000000000b1", "--actor", "person:the_clerk"];
        let made = dalil(&folder, &environment, &[&pack[..], &form, &approved].concat());
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        std::fs::read(folder.join("out.pdf")).unwrap()
    };
    let first = "2026-01-03T14:00:00Z";
    let (english, arabic) = (exported("en", first), exported("ar", first));
    assert_ne!(english, arabic);
    let trust = dalil(&folder, &environment, &["keys", "trust"]);
    run::put(&folder.join("trust.json"), &trust.stdout);
    verified(&folder, &english);
    verified(&folder, &arabic);

    // The reviews on the pages are in no signature.
    let counsel = ["member", "add", "the_counsel", "--role", "approver", "--title", "legal"];
    let counsel = [&counsel[..], &["--at", "2026-01-04T08:00:00Z"]].concat();
    assert!(dalil(&folder, &environment, &counsel).status.success());
    let review = json!({"pack_id": "pack_00000000000000b1", "reviewer_id": "the_counsel",
        "reason": "As the contract says"});
    run::put(&folder.join("review.json"), review.to_string().as_bytes());
    let said = ["pack", "review", "review.json", "--actor", "person:the_counsel"];
    let said =
        dalil(&folder, &environment, &[&said[..], &["--at", "2026-01-04T09:00:00Z"]].concat());
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    run::put(&folder.join("pages.pdf"), &exported("en", "2026-01-05T09:00:00Z"));
    let at = ["--trust", "trust.json", "--at", "2026-02-01T00:00:00Z"];
    let told = dalil(&folder, &[], &[&["verify", "pages.pdf"][..], &at].concat());
    let shown = String::from_utf8_lossy(&told.stdout);
    let history = r#"{"message":"1 reviews, reasons or versions are told by whoever made the pages, and are in no signature; the archive or the trail proves them","part":"history","verdict":"incomplete"}"#;
    assert!(told.status.code() == Some(2) && shown.contains(history), "{shown}");
}

/// Checks that pages verify as pressed, and fail with any other byte.
#[track_caller]
fn verified(folder: &Path, file: &[u8]) {
    let verify = |bytes: &[u8]| {
        run::put(&folder.join("pages.pdf"), bytes);
        let at = "2026-02-01T00:00:00Z";
        dalil(folder, &[], &["verify", "pages.pdf", "--trust", "trust.json", "--at", at])
    };
    let sound = verify(file);
    let told = String::from_utf8_lossy(&sound.stdout);
    let pages = r#"{"message":"pressed again from the attachments: the same bytes","part":"pages","verdict":"pass"}"#;
    let open = r#"{"message":"this version was sealed before anybody resolved it; whether somebody approved or rejected it since cannot be told from this file","part":"history","verdict":"incomplete"}"#;
    let said = told.contains(pages) && told.contains(open);
    assert!(sound.status.code() == Some(2) && said, "{told}");
    for at in [20, file.len() / 3, file.len() / 2, file.len() - 40] {
        let mut changed = file.to_vec();
        changed[at] ^= 1;
        let told = verify(&changed);
        assert_eq!(told.status.code(), Some(1), "{at}: {}", String::from_utf8_lossy(&told.stdout));
    }
}
