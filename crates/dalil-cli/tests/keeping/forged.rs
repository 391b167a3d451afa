//! Evidence files with random changes: none of them passes.

use std::collections::BTreeMap;
use std::fs;
use std::thread;

use dalil_proof::digest::Digest;
use serde_json::{Value, json};

use crate::home::{Dice, Home, count, tell};

const POLICY: &[u8] =
    b"# Leave\n\nAll permanent employees shall receive 15 days of paid annual leave.\n";

/// How many changed files are tried, unless `DALIL_MUTATED_FILES` sets another number.
const MUTATED_FILES: u64 = 300;
/// Each kind of file, and how many of a hundred changed files are of it. The pages of a PDF are
/// pressed again when its attachments hold, which takes longest.
const KINDS: [(&str, u64); 6] = [
    ("pack.json", 30),
    ("receipt.tlog-proof", 20),
    ("checkpoint.txt", 18),
    ("trail.jsonl", 20),
    ("pack.zip", 10),
    ("pack.pdf", 2),
];

/// A store with one reviewed pack, and a file of each kind that leaves it.
fn home() -> Home {
    let home = Home::folder("forged");
    let done = |args: &[&str], input: &[u8]| {
        let output = home.dalil(args, input);
        assert_eq!(output.exit, 0, "{args:?}: {output:?}");
        output.stdout
    };
    let create = ["tenant", "create", "acme", "--origin", "dalil.example/acme"];
    done(&[&create[..], &["--admin", "amal", "--title", "manager"]].concat(), b"");
    home.put("policy.md", POLICY);
    done(&["document", "add", "policy.md"], b"");
    let decision = json!({
        "decision_id": "dec-1", "tenant_id": "acme", "entity_id": "case-1",
        "agent_name": "leave_agent", "confidence": 0.9,
        "approval_class": "A1", "reversibility_class": "R1", "sensitivity_class": "S1",
        "evidence": [{
            "source": "hr.policy", "uri": "lake://hr/policy.md",
            "excerpt": "All permanent employees shall receive 15 days of paid annual leave.",
            "content_hash": Digest::of(POLICY).to_string(),
            "retrieved_at": "2026-01-03T10:00:00Z", "confidence": 0.9}],
        "created_at": "2026-01-03T12:00:00Z"});
    done(&["decision", "record", "-"], decision.to_string().as_bytes());
    let (first, second) = ("pack_0000000000000001", "pack_0000000000000002");
    done(&["pack", "assemble", "--decision", "dec-1", "--pack-id", first], b"");
    let review = json!({"pack_id": first, "reviewer_id": "amal", "reason": "read",
        "new_pack_id": second});
    done(&["pack", "review", "-", "--actor", "person:amal"], review.to_string().as_bytes());
    let leave = ["--approver", "amal", "--reason", "for the auditor", "--actor", "system"];
    for (format, out) in [("sealed", "pack.json"), ("archive", "pack.zip"), ("pdf", "pack.pdf")] {
        let export = ["export", "pack", second, "--format", format, "--out", out];
        done(&[&export[..], &leave].concat(), b"");
    }
    done(&[&["trail", "export", "--out", "trail.jsonl"], &leave[..]].concat(), b"");
    home.put("receipt.tlog-proof", done(&["trail", "prove", "4"], b"").as_bytes());
    home.put("checkpoint.txt", done(&["trail", "checkpoint"], b"").as_bytes());
    home.put("trust.json", done(&["keys", "trust"], b"").as_bytes());
    home
}

/// The bytes with one change of some kind, or with three.
fn changed(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let kind = dice.below(8);
    let times = if dice.below(5) == 0 { 3 } else { 1 };
    for _ in 0..times {
        change(&mut bytes, kind, dice);
    }
    bytes
}

fn change(bytes: &mut Vec<u8>, kind: u64, dice: &mut Dice) {
    let below = |dice: &mut Dice, limit: usize| {
        usize::try_from(dice.below(u64::try_from(limit.max(1)).unwrap())).unwrap()
    };
    if bytes.is_empty() {
        bytes.push(b'x');
    }
    let at = below(dice, bytes.len());
    let one_of = |dice: &mut Dice, all: &[u8]| all[below(dice, all.len())];
    match kind {
        0 => bytes[at] ^= 1 << dice.below(8),
        1 => {
            bytes.remove(at);
        }
        2 => bytes.insert(at, one_of(dice, b" \n\t0a\"{}[],\\\x00\xff+/=")),
        3 => bytes[at] = one_of(dice, b"0123456789abcdefABCDEF+/ \n\""),
        4 | 5 => {
            let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
            let (one, other) = (below(dice, lines.len()), below(dice, lines.len()));
            match (kind, dice.below(2)) {
                (4, _) => lines.swap(one, other),
                (_, 0) => {
                    lines.remove(one);
                }
                _ => lines.insert(one, lines[one]),
            }
            *bytes = lines.join(&b'\n');
        }
        6 => bytes.truncate(at),
        _ => bytes.extend_from_within(..at),
    }
}

/// Whether a changed file has the same content: white space around JSON has no meaning, and neither
/// has a repeated signature line (C2SP `signed-note`).
fn says_the_same(changed: &[u8], sound: &[u8]) -> bool {
    let parsed = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).ok();
    let is_same_json = || parsed(sound).is_some_and(|value| parsed(changed) == Some(value));
    let once = |bytes: &[u8]| {
        let mut lines: Vec<Vec<u8>> = Vec::new();
        for line in bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec) {
            let is_again = line.starts_with("— ".as_bytes()) && lines.contains(&line);
            lines.extend((!is_again).then_some(line));
        }
        lines
    };
    changed == sound || is_same_json() || once(changed) == once(sound)
}

/// Changes one file so often; gives how often each exit code came.
fn forged(home: &Home, name: &str, seed: u64, files: u64) -> BTreeMap<i32, u64> {
    let verify = |bytes: &[u8]| home.dalil(&["verify", "-", "--trust", "trust.json"], bytes);
    let sound = fs::read(home.dir.join(name)).unwrap();
    let honest = verify(&sound);
    assert_eq!(honest.exit, 0, "{name}: {honest:?}");
    let (mut dice, mut exits) = (Dice(seed), BTreeMap::new());
    let mut tried = 0;
    while tried < files {
        let forged = changed(&sound, &mut dice);
        if says_the_same(&forged, &sound) {
            continue;
        }
        tried += 1;
        let output = verify(&forged);
        if !matches!(output.exit, 1 | 2) {
            home.put("passed", &forged);
            panic!("{name}, {tried} of seed {seed}, kept in `passed`: {output:?}");
        }
        *exits.entry(output.exit).or_default() += 1;
    }
    exits
}

#[test]
fn no_changed_file_of_evidence_passes() {
    let home = home();
    let all = count("DALIL_MUTATED_FILES", MUTATED_FILES);
    // Each half of the files of a kind has a seed of its own, and the halves run beside each other.
    let shares: Vec<_> = thread::scope(|scope| {
        let halves = [0, 1].map(|half| {
            let home = &home;
            scope.spawn(move || {
                let share = |(name, share): &(&'static str, u64)| {
                    let files = (all * share / 100 + half) / 2;
                    (*name, forged(home, name, half, files))
                };
                KINDS.iter().map(share).collect::<Vec<_>>()
            })
        });
        halves.into_iter().flat_map(|half| half.join().unwrap()).collect()
    });
    for (name, _) in KINDS {
        let mut exits: BTreeMap<i32, u64> = BTreeMap::new();
        for (_, share) in shares.iter().filter(|(own, _)| *own == name) {
            for (exit, files) in share {
                *exits.entry(*exit).or_default() += files;
            }
        }
        let (failed, incomplete) = (exits.get(&1).unwrap_or(&0), exits.get(&2).unwrap_or(&0));
        tell(&format!("{name}: {failed} changed files fail, {incomplete} are incomplete, 0 pass"));
    }
}
