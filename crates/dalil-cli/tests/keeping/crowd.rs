//! Many writers at the same moment: none is refused for a time that it did not state.

use std::io::Write as _;
use std::process::Child;

use serde_json::{Value, json};

use crate::home::Home;
use crate::scenario::pack;

/// Starts the program with something on its standard input.
fn begin(home: &Home, args: &[&str], input: &Value) -> Child {
    let mut child = home.command(args).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.to_string().as_bytes()).unwrap();
    child
}

/// The messages of the programs that did not succeed.
fn failures(children: Vec<Child>) -> Vec<String> {
    let ended = children.into_iter().map(|child| child.wait_with_output().unwrap());
    let failed = ended.filter(|output| !output.status.success());
    failed.map(|output| String::from_utf8_lossy(&output.stderr).into_owned()).collect()
}

#[test]
fn sixty_four_processes_append_to_one_obligation() {
    let Some(home) = Home::postgres("crowd-appends") else { return };
    home.tenant("acme");
    let append = ["record", "append", "-", "--tenant", "acme"];
    let change = |n: usize| {
        json!({"obligation_id": "ob-1", "old_status": "ACTIVE", "new_status": "ACTIVE",
            "reason": format!("review {n}")})
    };
    let children = (0..64).map(|n| begin(&home, &append, &change(n))).collect();
    assert_eq!(failures(children), [""; 0]);
    let history = home.dalil(&["record", "history", "ob-1", "--tenant", "acme"], b"").done();
    assert_eq!(history["records"].as_array().map(Vec::len), Some(64), "{history}");
    home.sound();
}

#[test]
fn twelve_pairs_of_reviewers_at_once() {
    let Some(home) = Home::postgres("crowd-reviews") else { return };
    let create = ["tenant", "create", "acme", "--origin", "dalil.example/acme"];
    home.dalil(&[&create[..], &["--at", "2026-03-01T00:00:00Z"]].concat(), b"").done();
    let own = ["--tenant", "acme"];
    for (name, title) in [("finance_director", "finance"), ("head", "department_head")] {
        let add = ["member", "add", name, "--role", "approver", "--title", title];
        home.dalil(&[&add[..], &own[..]].concat(), b"").done();
    }
    // A review is possible for 48 hours, so the packs are of now.
    let decisions: Vec<String> = (0..12).map(|n| format!("dec-{n}")).collect();
    let packs: Vec<String> = (0..12).map(|n| format!("pack_00000000000000{n:02x}")).collect();
    for (decision_id, pack_id) in decisions.iter().zip(&packs) {
        let mut decision = pack()["decision"].take();
        decision["decision_id"] = json!(decision_id);
        let decision = decision.to_string();
        let record = [&["decision", "record", "-"], &own[..]].concat();
        home.dalil(&record, decision.as_bytes()).done();
        let assemble = ["pack", "assemble", "--decision", decision_id, "--pack-id", pack_id];
        home.dalil(&[&assemble[..], &own[..]].concat(), b"").done();
    }
    let review = [&["pack", "review", "-"], &own[..]].concat();
    let both = packs.iter().flat_map(|pack_id| {
        ["finance_director", "head"].map(|name| {
            let said = json!({"pack_id": pack_id, "reviewer_id": name, "reason": "read it",
                "acknowledged": [{"rule": "stale_source", "path": "sources[3]"}]});
            begin(&home, &review, &said)
        })
    });
    assert_eq!(failures(both.collect()), [""; 0]);
    for pack_id in &packs {
        let versions = home.dalil(&[&["pack", "versions", pack_id], &own[..]].concat(), b"").done();
        let last = versions.as_array().and_then(|all| all.last()).unwrap();
        assert_eq!(last["status"], "resolved", "{versions}");
    }
    home.sound();
}
