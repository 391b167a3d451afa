use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dalil_proof::record::lineage;
use dalil_proof::report::CheckStatus;
use dalil_proof::tree::MerkleTree;
use dalil_proof::tree::proof::consistency;
use futures_util::future::join_all;

use super::tile_frontier::TileFrontier;
use super::*;
use crate::fixture::{Home, acme, at, draft, entry, tenant, trust};
use crate::{ErrorKind, Store};

#[test]
fn an_edge_has_the_root_of_the_tree_and_completes_its_tiles() {
    let (mut edge, mut tree, mut completed) =
        (TileFrontier::default(), MerkleTree::default(), Vec::new());
    assert_eq!(edge.head(), tree.head());
    for n in 0..70_000_u64 {
        let leaf = Digest::of(&n.to_be_bytes());
        tree.push(leaf);
        edge.push(leaf, &mut completed);
        if n < 1000 || n % 997 == 0 {
            assert_eq!(edge.head(), tree.head(), "at {n}");
        }
    }
    assert_eq!(edge.head(), tree.head());
    let names: Vec<(usize, u64)> = completed.iter().map(|tile| (tile.level, tile.number)).collect();
    let mut expected: Vec<(usize, u64)> = (0..273).map(|n| (0, n)).collect();
    expected.insert(256, (1, 0));
    assert_eq!(names, expected);
}

#[tokio::test]
async fn a_record_is_read_back_with_its_payload_and_proved() {
    for home in Home::each().await {
        let store = home.open().await;
        assert_eq!(store.tenants().await.unwrap(), Vec::<String>::new());
        let acme = acme(&store).await;
        let placed = acme.append(entry("run-1", 1)).await.unwrap();
        assert_eq!(placed[0].index, 2);

        let stored = acme.record(2).await.unwrap().unwrap();
        assert_eq!((stored.index, stored.record.leaf()), (2, placed[0].leaf));
        assert_eq!(stored.record.envelope().id, placed[0].id);
        let states: Vec<(&str, bool)> = stored
            .fields
            .iter()
            .map(|field| {
                let held = match &field.state {
                    StoredFieldState::Present(_, StoredPayload::Bytes(bytes)) => {
                        bytes == b"run-1 at 1"
                    }
                    StoredFieldState::Present(_, StoredPayload::Rows) => true,
                    _ => false,
                };
                (field.name.as_str(), held)
            })
            .collect();
        assert_eq!(states, [("rows", true), ("run", true)]);
        assert_eq!(acme.rows(0..9).await.unwrap()[2], (2, draft("run-1", 1).rows));
        assert_eq!(acme.record(3).await.unwrap(), None);

        let receipt = acme.receipt(2).await.unwrap();
        let report = receipt.verify(&trust(&acme).await, at(9));
        assert_eq!(report.verdict(), CheckStatus::Pass, "{report:?}");
        assert_eq!(acme.checkpoint().await.unwrap().unverified_text().lines().nth(1), Some("3"));
        let error = acme.receipt(3).await.unwrap_err();
        let text = "cannot prove a record: tenant `acme`: expected an index below 3, found 3";
        assert_eq!(error.to_string(), text);
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn every_proof_of_every_size_holds() {
    for home in Home::each().await {
        let store = home.open().await;
        let acme = acme(&store).await;
        let mut tree = MerkleTree::default();
        for size in [255, 256, 257] {
            grow(&acme, &mut tree, size).await;
            assert_eq!(tree_of(&acme).await.head(), tree.head());
            assert_eq!(acme.head().await.unwrap(), tree.head());
            for index in 0..size {
                prove(&acme, &tree, index).await;
            }
            for old in 0..=size {
                let proof = acme.consistency(old, size).await.unwrap();
                assert_eq!(Some(&proof), tree.consistency(old, size).as_ref());
            }
        }
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn a_trail_with_two_levels_of_tiles_is_proved_before_and_after_reopening() {
    for home in Home::each().await {
        let store = home.open().await;
        let acme = acme(&store).await;
        let mut tree = MerkleTree::default();
        grow(&acme, &mut tree, 70_000).await;
        check_large(&acme, &tree).await;
        store.close().await.unwrap();

        let store = home.open().await;
        let acme = store.tenant("acme").await.unwrap();
        check_large(&acme, &tree).await;
        tree.push(acme.append(entry("after", 70_001)).await.unwrap()[0].leaf);
        assert_eq!(acme.head().await.unwrap(), tree.head());
        store.close().await.unwrap();
    }
}

async fn check_large(tenant: &Tenant, tree: &MerkleTree) {
    assert_eq!(tenant.head().await.unwrap(), tree.head());
    for index in (0..70_000).step_by(4999).chain([0, 255, 256, 65_535, 65_536, 69_999]) {
        prove(tenant, tree, index).await;
    }
    for (old, new) in [(0, 70_000), (1, 70_000), (256, 65_536), (65_537, 70_000), (300, 69_000)] {
        let proof = tenant.consistency(old, new).await.unwrap();
        assert_eq!(Some(&proof), tree.consistency(old, new).as_ref());
        let heads = (tree.head_at(old).unwrap(), tree.head_at(new).unwrap());
        consistency(&heads.0, &heads.1, &proof).unwrap();
        assert_eq!(tenant.head_at(new).await.unwrap(), heads.1);
    }
}

/// Appends until the trail has `size` records, thousands at a time, and follows with a tree.
async fn grow(tenant: &Tenant, tree: &mut MerkleTree, size: u64) {
    if tree.size() == 0 {
        *tree = tree_of(tenant).await;
    }
    while tree.size() < size {
        let (now, more) = (tree.size(), (size - tree.size()).min(5000));
        let second = |n: u64| i64::try_from(n).unwrap();
        let plain =
            |n: u64| NewRecord { fields: Vec::new(), rows: Vec::new(), ..draft("run", second(n)) };
        let drafts = (now..now + more).map(plain).collect();
        let placed = tenant.append(AppendEntry { drafts, key: None }).await.unwrap();
        tree.extend(placed.iter().map(|placed| placed.leaf));
    }
}

/// The tree over the envelopes as they are stored.
async fn tree_of(tenant: &Tenant) -> MerkleTree {
    let mut tree = MerkleTree::default();
    loop {
        let page = tenant.records(tree.size()..u64::MAX).await.unwrap();
        if page.is_empty() {
            return tree;
        }
        tree.extend(page.iter().map(|stored| stored.record.leaf()));
    }
}

async fn prove(tenant: &Tenant, tree: &MerkleTree, index: u64) {
    let receipt = tenant.receipt(index).await.unwrap();
    let head = *receipt.unverified_checkpoint().unwrap().head();
    let text = receipt.to_string();
    let path = text.lines().skip(3).take_while(|line| !line.is_empty()).map(hash);
    let expected = tree.inclusion(index, head.size).unwrap();
    assert_eq!(path.collect::<Vec<_>>(), expected);
    assert_eq!(Some(head), tree.head_at(head.size));
}

fn hash(line: &str) -> Digest {
    Digest::from_bytes(STANDARD.decode(line).unwrap().try_into().unwrap())
}

#[tokio::test]
async fn records_of_one_subject_follow_each_other_within_a_group() {
    for home in Home::each().await {
        let store = home.open().await;
        let acme = acme(&store).await;
        let appends = (0..40).map(|n| acme.append(entry(["a", "b"][n % 2], 1)));
        for answer in join_all(appends).await {
            answer.unwrap();
        }
        // One group: the first checkpoint is the tenant's own, the second holds all.
        let history = acme.history("a").await.unwrap();
        assert_eq!(history.len(), 20);
        let records: Vec<Record> =
            acme.records(0..99).await.unwrap().into_iter().map(|s| s.record).collect();
        assert_eq!(lineage::check(&records).verdict(), CheckStatus::Pass);

        let error = acme.append(entry("a", 0)).await.unwrap_err();
        let text = "cannot append a record: subject `a`: expected a time not before \
                    2026-01-03T00:26:41.000Z, found 2026-01-03T00:26:40.000Z\n\
                    hint: records of one subject are in the order of time";
        assert_eq!(error.to_string(), text);
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn records_are_found_without_their_payloads_and_by_subject_and_kind() {
    for home in Home::each().await {
        let store = home.open().await;
        let acme = acme(&store).await;
        let mut session = draft("a", 2);
        session.kind = RecordKind::SessionOpened;
        session.rows = Vec::new();
        for drafts in [vec![draft("a", 1)], vec![draft("b", 1)], vec![session], vec![draft("a", 3)]]
        {
            acme.append(AppendEntry { drafts, key: None }).await.unwrap();
        }
        let all = acme.records(0..99).await.unwrap();
        let bare: Vec<(u64, Record)> =
            all.iter().map(|stored| (stored.index, stored.record.clone())).collect();
        assert_eq!(bare.len(), 6);
        assert_eq!(acme.bare_records(0..99).await.unwrap(), bare);
        assert_eq!(acme.bare_records(3..5).await.unwrap(), bare[3..5].to_vec());
        for indices in [vec![0, 3, 5], vec![2, 3], vec![]] {
            let own = all.iter().filter(|stored| indices.contains(&stored.index)).cloned();
            let records = acme.records_at(&indices).await.unwrap();
            assert_eq!(records, own.collect::<Vec<_>>(), "{indices:?}");
            let rows = acme.rows(0..99).await.unwrap();
            let own = rows.into_iter().filter(|(index, _)| indices.contains(index));
            let rows = acme.rows_at(&indices).await.unwrap();
            assert_eq!(rows, own.collect::<Vec<_>>(), "{indices:?}");
        }
        for (subject, kind, expected) in [
            ("a", RecordKind::RunRecorded, vec![all[2].clone(), all[5].clone()]),
            ("a", RecordKind::SessionOpened, vec![all[4].clone()]),
            ("b", RecordKind::SessionOpened, Vec::new()),
        ] {
            assert_eq!(acme.history_of_kind(subject, kind).await.unwrap(), expected);
        }
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn a_retry_gives_the_first_answer_and_another_request_is_refused() {
    for home in Home::each().await {
        let store = home.open().await;
        let acme = acme(&store).await;
        let keyed = |request: &[u8], second| AppendEntry {
            drafts: vec![draft("a", second), draft("b", second)],
            key: Some(IdempotencyKey::new("key-1", request).unwrap()),
        };
        let both = join_all([acme.append(keyed(b"one", 1)), acme.append(keyed(b"one", 1))]).await;
        let first = both[0].clone().unwrap();
        assert_eq!(both[1].clone().unwrap(), first);
        assert_eq!(acme.append(keyed(b"one", 2)).await.unwrap(), first);
        assert_eq!(acme.head().await.unwrap().size, 4);
        let error = acme.append(keyed(b"two", 3)).await.unwrap_err();
        let text = "cannot append a record: idempotency key `key-1`: expected the request that \
                    the key stands for, found another one\nhint: a new request needs a new key";
        assert_eq!((error.kind, error.to_string().as_str()), (ErrorKind::Refused, text));
        store.close().await.unwrap();

        let store = home.open().await;
        let again = store.tenant("acme").await.unwrap();
        assert_eq!(again.append(keyed(b"one", 4)).await.unwrap(), first);
        store.close().await.unwrap();
    }
}

/// A quorum of witnesses must not be missed for a time stamp.
#[tokio::test]
async fn the_most_cosigned_checkpoint_is_preferred_then_the_most_stamped_then_the_first() {
    for home in Home::each().await {
        let store = home.open().await;
        let tenant = acme(&store).await;
        let first = tenant.head().await.unwrap().size;
        assert_eq!(tenant.most_cosigned(0).await.unwrap(), None);
        let mut best = Vec::new();
        for second in 1..=3 {
            tenant.append(entry("ob-1", second)).await.unwrap();
        }
        let stamp = async |size: u64, line: &str| {
            tenant.timestamped(entry("ob-2", 9), (size, line), Vec::new()).await.unwrap();
            tenant.most_cosigned(0).await.unwrap()
        };
        best.push(stamp(first + 2, "\u{2014} tsa.example b").await);
        best.push(stamp(first + 1, "\u{2014} tsa.example a").await);
        best.push(stamp(first + 2, "\u{2014} other.example c").await);
        tenant.cosigned(entry("ob-2", 9), first + 3, "\u{2014} w.example d").await.unwrap();
        best.push(tenant.most_cosigned(0).await.unwrap());
        best.push(tenant.most_cosigned(first + 2).await.unwrap());
        let found: Vec<_> = best.into_iter().map(|size| size.unwrap() - first).collect();
        assert_eq!(found, [2, 1, 2, 3, 3]);
        let newest = async |name: &str| tenant.newest_timestamped(name).await.unwrap();
        assert_eq!(newest("tsa.example").await, first + 2);
        assert_eq!((newest("other.example").await, newest("tsa").await), (first + 2, 0));
        assert_eq!(tenant.latest_time(first..first + 2).await.unwrap(), Some(at(2)));
        assert_eq!(tenant.latest_time(0..0).await.unwrap(), None);
        let kind = RecordKind::CheckpointTimestamped;
        let size = tenant.head().await.unwrap().size;
        let others = async |from: u64| tenant.has_others_since(from, kind).await.unwrap();
        assert_eq!((others(0).await, others(size).await), (true, false));
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn two_tenants_have_their_own_trails() {
    for home in Home::each().await {
        let store = home.open().await;
        let (one, two) = (acme(&store).await, tenant(&store, "beta").await);
        let appends =
            (0..10).map(|n| if n % 2 == 0 { &one } else { &two }).map(|t| t.append(entry("s", 1)));
        for answer in join_all(appends).await {
            answer.unwrap();
        }
        assert_eq!(store.tenants().await.unwrap(), ["acme", "beta"]);
        for (own, other) in [(&one, &two), (&two, &one)] {
            assert_eq!(own.head().await.unwrap().size, 7);
            assert_eq!(own.history("s").await.unwrap().len(), 5);
            let report = own.receipt(6).await.unwrap().verify(&trust(other).await, at(9));
            assert_eq!(report.verdict(), CheckStatus::Fail);
        }
        assert_ne!(one.head().await.unwrap(), two.head().await.unwrap());
        let same = NewTenantOf("acme");
        assert_eq!(
            same.refused(&store).await,
            "cannot make a tenant: tenant `acme`: expected a name that is new, found a tenant of that name"
        );
        assert_eq!(
            NewTenantOf("../x").refused(&store).await,
            "cannot make a tenant: name: expected 1 to 63 lower-case letters, digits and `-`, found \"../x\""
        );
        let error = store.tenant("gamma").await.unwrap_err();
        assert_eq!((error.kind, error.found.as_ref()), (ErrorKind::Refused, "`gamma`"));
        store.close().await.unwrap();
    }
}

struct NewTenantOf(&'static str);

impl NewTenantOf {
    async fn refused(&self, store: &Store) -> String {
        let actor = dalil_proof::record::Actor::System;
        let new = crate::NewTenant { name: self.0, origin: "dalil.example/x", at: at(1), actor };
        store.create_tenant(new).await.unwrap_err().to_string()
    }
}
