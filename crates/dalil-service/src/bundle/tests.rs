use dalil::bundle::{ChunkSelection, documents};
use dalil_evidence::bundle::{BuiltBundle, BundleRequest, FetchedArtifacts, build};
use dalil_proof::digest::Digest;
use dalil_store::EvidenceTable;
use expect_test::{Expect, expect};

use super::{BundleInputs, ModelRun, run, save, show, uses, whole_artifact};
use crate::fixture::{context_at, keyed, one, said, size, table, two, why};
use crate::scratch::TestCorpusFolder;

fn check(actual: &str, expect: &Expect) {
    expect.assert_eq(&format!("{actual}\n"));
}

/// A bundle of an inline text and a text of a lake, both too long for it.
fn built() -> (BuiltBundle, FetchedArtifacts) {
    let long = "y".repeat(150);
    let request = format!(
        r#"{{"job_input":{{"extra_params":{{"evidence":[{{"text":"{long}","source_uri":"note:1"}}]}}}},
        "evidence_refs":{{"lake_text":["docs/bio.md"]}},"policy":{{"max_item_bytes":100}},
        "created_utc":"2026-03-14T15:00:00Z"}}"#
    );
    let request = BundleRequest::parse(request.as_bytes()).unwrap();
    let uri = "docs/bio.md".parse().unwrap();
    let artifacts = FetchedArtifacts::from([(uri, Ok(b"A short biography.".to_vec()))]);
    (build(request, &artifacts, None).unwrap(), artifacts)
}

fn fed(run_id: &str, model: &str) -> ModelRun {
    ModelRun { run_id: run_id.to_owned(), model: model.to_owned(), status: "started".to_owned() }
}

#[tokio::test]
async fn a_bundle_is_kept_with_everything_that_it_was_made_of() {
    let (_home, acme) = one("bundle").await;
    let (built, artifacts) = built();
    let run = fed("run-1", "model-1");
    let making =
        BundleInputs { built: &built, artifacts: &artifacts, corpus: None, run: Some(&run) };
    let saved = save(&acme, making, &keyed(1, "k")).await.unwrap();
    check(
        &said(&saved),
        &expect![[r#"
            {"bundle_id":"a785c49e-07cd-8500-b599-249ff3eedc34","bundle_sha256":"sha256:a785c49e07cd65003599249ff3eedc34c5feafca22ab6fd9b13c4878ba05e9a9","id":"rec_…","index":2,"is_new":true,"lake_uri":"sha256/5a9a3dae683cbce2499372edd6d56502f752e8ba3b5cc6a8ddc692fb7a6242be","leaf":"sha256:…","run":{"id":"rec_…","index":3,"leaf":"sha256:…"}}
        "#]],
    );
    for (name, expect) in [
        (
            EvidenceTable::EvidenceBundle,
            expect![[r#"
                [2,0,"a785c49e-07cd-8500-b599-249ff3eedc34","sha256:a785c49e07cd65003599249ff3eedc34c5feafca22ab6fd9b13c4878ba05e9a9","sha256/5a9a3dae683cbce2499372edd6d56502f752e8ba3b5cc6a8ddc692fb7a6242be",2,118,"{\"chunk_overlap\":200,\"chunk_size\":5000,\"enable_redaction\":false,\"max_item_bytes\":100,\"max_items\":50,\"max_sql_cols\":20,\"max_sql_rows\":100,\"max_total_bytes\":100000,\"sampling_strategy\":\"first_last\",\"version\":\"1.0\"}","2026-03-14T15:00:00.000Z"]

            "#]],
        ),
        (
            EvidenceTable::EvidenceItem,
            expect![[r#"
            [2,1,"a785c49e-07cd-8500-b599-249ff3eedc34","inline:0","inline_text","56846f2db153afa893bd18d0c0bf6e026d9cd3fa0bfa941976b17ff14d3e217a",100,"note:1"]
            [2,2,"a785c49e-07cd-8500-b599-249ff3eedc34","lake:29a413fa311a:0","lake_text","3b255f0058a3475a73f1d82c846f0f9799d9ba720f11d879259310c3464b89b0",18,"docs/bio.md"]

        "#]],
        ),
        (
            EvidenceTable::Runs,
            expect![[r#"
            [3,0,"run-1","model-1","started","2026-03-14T14:53:21.000Z"]

        "#]],
        ),
        (
            EvidenceTable::RunEvidence,
            expect![[r#"
            [3,1,"run-1","a785c49e-07cd-8500-b599-249ff3eedc34","2026-03-14T14:53:21.000Z"]

        "#]],
        ),
        (
            EvidenceTable::Artifacts,
            expect![[r#"
                [2,3,"sha256:3b255f0058a3475a73f1d82c846f0f9799d9ba720f11d879259310c3464b89b0",18,"application/octet-stream","source"]
                [2,4,"sha256:5a9a3dae683cbce2499372edd6d56502f752e8ba3b5cc6a8ddc692fb7a6242be",1718,"application/json","bundle"]
                [2,5,"sha256:cf04b783091a7d6cf2f10b6d70de6cbee41d1ef847aa1df813e613bef060eaaa",150,"text/plain; charset=utf-8","whole"]

            "#]],
        ),
    ] {
        check(&table(&acme, name).await, &expect);
    }
    let again = save(&acme, making, &keyed(2, "k")).await.unwrap();
    assert_eq!((again, size(&acme).await), (saved, 4));
    let lake = acme.lake().unwrap();
    assert_eq!(lake.get(&Digest::of(b"A short biography.")).await.unwrap(), b"A short biography.");
}

#[tokio::test]
async fn a_run_is_listed_once_and_what_a_bundle_was_made_of_is_found() {
    let (_home, acme, zenith) = two("whole").await;
    let (built, artifacts) = built();
    let making = BundleInputs { built: &built, artifacts: &artifacts, corpus: None, run: None };
    let (one, two) = (fed("run-1", "model-1"), fed("run-2", "model-2"));
    for (run, second) in [(&one, 1), (&two, 2), (&one, 3)] {
        save(&acme, BundleInputs { run: Some(run), ..making }, &context_at(second)).await.unwrap();
    }
    let digest = Digest::of(b"A short biography.");
    let found = uses(&acme, "docs/bio.md").await.unwrap();
    let runs: Vec<&str> = found.runs.iter().map(|run| run.run_id.as_str()).collect();
    assert_eq!(runs, ["run-1", "run-2"]);
    check(
        &said(&super::runs(&acme).await.unwrap()),
        &expect![[r#"
            [{"created_utc":"2026-03-14T14:53:21.000Z","model":"model-1","run_id":"run-1","status":"started"},{"created_utc":"2026-03-14T14:53:22.000Z","model":"model-2","run_id":"run-2","status":"started"}]
        "#]],
    );
    let whole = whole_artifact(&acme, &digest.to_string()).await.unwrap();
    assert_eq!((whole.sha256, whole.size), (digest, 18));
    check(
        &why(whole_artifact(&zenith, &digest.hex()).await),
        &expect![[r#"
            `artifact`: expected an artifact of this tenant, found `3b255f0058a3475a73f1d82c846f0f9799d9ba720f11d879259310c3464b…`
        "#]],
    );
}

#[tokio::test]
async fn runs_and_what_they_used_are_found_both_ways() {
    let (_home, acme, zenith) = two("uses").await;
    let (built, artifacts) = built();
    let making = BundleInputs { built: &built, artifacts: &artifacts, corpus: None, run: None };
    let (one, two) = (fed("run-1", "model-1"), fed("run-2", "model-2"));
    save(&acme, BundleInputs { run: Some(&one), ..making }, &context_at(1)).await.unwrap();
    let second =
        save(&acme, BundleInputs { run: Some(&two), ..making }, &context_at(2)).await.unwrap();
    check(
        &said(&second),
        &expect![[r#"
            {"bundle_id":"a785c49e-07cd-8500-b599-249ff3eedc34","bundle_sha256":"sha256:a785c49e07cd65003599249ff3eedc34c5feafca22ab6fd9b13c4878ba05e9a9","id":"rec_…","index":2,"is_new":false,"lake_uri":"sha256/5a9a3dae683cbce2499372edd6d56502f752e8ba3b5cc6a8ddc692fb7a6242be","leaf":"sha256:…","run":{"id":"rec_…","index":4,"leaf":"sha256:…"}}
        "#]],
    );
    check(
        &said(&show(&acme, "run-2").await.unwrap()),
        &expect![[r#"
            {"bundles":[{"bundle_id":"a785c49e-07cd-8500-b599-249ff3eedc34","bundle_sha256":"sha256:a785c49e07cd65003599249ff3eedc34c5feafca22ab6fd9b13c4878ba05e9a9","created_utc":"2026-03-14T15:00:00.000Z","index":2,"item_count":2,"lake_uri":"sha256/5a9a3dae683cbce2499372edd6d56502f752e8ba3b5cc6a8ddc692fb7a6242be","total_bytes":118}],"created_utc":"2026-03-14T14:53:22.000Z","model":"model-2","run_id":"run-2","status":"started"}
        "#]],
    );
    let digest = Digest::of(b"A short biography.");
    let item = &built.bundle.items[1].head;
    let asked = [
        digest.to_string(),
        digest.hex(),
        format!("sha256/{}", digest.hex()),
        "docs/bio.md".to_owned(),
        item.evidence_id.clone(),
    ];
    for name in &asked {
        let found = uses(&acme, name).await.unwrap();
        let runs: Vec<&str> = found.runs.iter().map(|run| run.run_id.as_str()).collect();
        assert_eq!((runs, found.bundles.len()), (vec!["run-1", "run-2"], 1), "{name}");
        assert_eq!(said(&uses(&zenith, name).await.unwrap().bundles), "[]");
    }
    check(
        &said(&uses(&acme, "docs/bio.md").await.unwrap()),
        &expect![[r#"
        {"artifact":"docs/bio.md","bundles":[{"bundle_id":"a785c49e-07cd-8500-b599-249ff3eedc34","evidence_ids":["lake:29a413fa311a:0"]}],"runs":[{"bundle_id":"a785c49e-07cd-8500-b599-249ff3eedc34","created_utc":"2026-03-14T14:53:21.000Z","model":"model-1","run_id":"run-1"},{"bundle_id":"a785c49e-07cd-8500-b599-249ff3eedc34","created_utc":"2026-03-14T14:53:22.000Z","model":"model-2","run_id":"run-2"}]}
    "#]],
    );
    check(
        &said(&uses(&acme, "docs/none.md").await.unwrap()),
        &expect![[r#"
        {"artifact":"docs/none.md","bundles":[],"runs":[]}
    "#]],
    );
    check(
        &why(show(&acme, "run-9").await),
        &expect![[r#"
        `run`: expected a run of this tenant, found `run-9`
    "#]],
    );
    check(
        &why(show(&zenith, "run-1").await),
        &expect![[r#"
        `run`: expected a run of this tenant, found `run-1`
    "#]],
    );
}

#[tokio::test]
async fn a_bundle_is_recorded_once_and_a_run_has_one_model() {
    let (_home, acme, zenith) = two("runs").await;
    let (built, artifacts) = built();
    let making = BundleInputs { built: &built, artifacts: &artifacts, corpus: None, run: None };
    let first = save(&acme, making, &context_at(1)).await.unwrap();
    let again = save(&acme, making, &context_at(2)).await.unwrap();
    assert_eq!((again.ack, again.is_new, size(&acme).await), (first.ack, false, 3));
    let bundles = [built.bundle.bundle_id.to_string()];
    run(&acme, &fed("run-1", "model-1"), &bundles, &context_at(3)).await.unwrap();
    let done = ModelRun { status: "done".to_owned(), ..fed("run-1", "model-1") };
    run(&acme, &done, &[], &context_at(4)).await.unwrap();
    check(
        &said(&show(&acme, "run-1").await.unwrap()),
        &expect![[r#"
            {"bundles":[{"bundle_id":"a785c49e-07cd-8500-b599-249ff3eedc34","bundle_sha256":"sha256:a785c49e07cd65003599249ff3eedc34c5feafca22ab6fd9b13c4878ba05e9a9","created_utc":"2026-03-14T15:00:00.000Z","index":2,"item_count":2,"lake_uri":"sha256/5a9a3dae683cbce2499372edd6d56502f752e8ba3b5cc6a8ddc692fb7a6242be","total_bytes":118}],"created_utc":"2026-03-14T14:53:23.000Z","model":"model-1","run_id":"run-1","status":"done"}
        "#]],
    );
    check(
        &why(run(&acme, &fed("run-1", "model-2"), &[], &context_at(5)).await),
        &expect![[r#"
        `model`: expected `model-1`, the model of run `run-1`, found `model-2`
    "#]],
    );
    check(
        &why(run(&zenith, &fed("run-1", "m"), &bundles, &context_at(5)).await),
        &expect![[r#"
        `bundle`: expected a bundle of this tenant, found `a785c49e-07cd-8500-b599-249ff3eedc34`
    "#]],
    );
    assert_eq!((size(&acme).await, size(&zenith).await), (5, 2));
}

#[tokio::test]
async fn runs_are_found_by_the_documents_of_their_bundles() {
    let (_home, acme) = one("chunks").await;
    let words = b"All employees receive 15 days.";
    let scratch = TestCorpusFolder::with("keep-chunks", &[("policy.md", words)]);
    let corpus = scratch.corpus("policy.md");
    let request = BundleRequest::parse(br#"{"created_utc":"2026-03-14T15:00:00Z"}"#).unwrap();
    let request = request.with(documents(&corpus, &ChunkSelection::All));
    let built = build(request, &FetchedArtifacts::new(), None).unwrap();
    let run = fed("run-1", "model-1");
    let artifacts = FetchedArtifacts::new();
    let making = BundleInputs {
        built: &built,
        artifacts: &artifacts,
        corpus: Some(&corpus),
        run: Some(&run),
    };
    let saved = save(&acme, making, &context_at(1)).await.unwrap();
    check(
        &said(&saved.documents),
        &expect![[r#"
        [{"chunks":1,"document_id":"doc_cfe7659475fc50d2","filename":"policy.md","index":2,"is_new":true,"sha256":"sha256:cfe7659475fc50d2e55bb392997f255abe1dd68dfa073c90aa7f556bec988506"}]
    "#]],
    );
    let found = uses(&acme, &Digest::of(words).to_string()).await.unwrap();
    assert_eq!((found.runs.len(), size(&acme).await), (1, 5));
}
