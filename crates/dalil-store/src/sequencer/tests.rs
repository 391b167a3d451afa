use dalil_proof::keyring::redating::{KeyRedating, RedatedChange};
use dalil_proof::keyring::{KeyChangeKind, KeyHistoryEntry};
use dalil_proof::record::{Actor, RecordKind};
use dalil_proof::time::Time;
use futures_util::future::{join, join_all};

use crate::catalog::{EvidenceRow, KeyRow, fetch};
use crate::fixture::{Home, acme, at, draft, entry};
use crate::fsck::{FsckOptions, FsckStatus};
use crate::{
    AppendCondition, AppendEntry, ErrorKind, EvidenceTable, FieldContent, NewRecordField,
    RecordTime, Store, StoreOptions, TableVersion, TimeSource, Vault,
};

mod objects;

#[tokio::test]
async fn an_entry_that_cannot_be_costs_the_others_in_its_group_nothing() {
    for home in Home::each().await {
        let store = home.open().await;
        let acme = acme(&store).await;
        let first = acme.append(entry("a", 1)).await.unwrap();
        let mut twice = entry("b", 1);
        twice.drafts[0].id = Some(first[0].id.clone());
        let mut bad = entry("b", 1);
        bad.drafts.push(draft(" a subject", 1));
        let entries = [entry("b", 1), twice, entry("b", 1), bad, entry("c", 1)];
        let answers = join_all(entries.map(|entry| acme.append(entry))).await;
        let said: Vec<Result<u64, String>> = answers
            .into_iter()
            .map(|answer| {
                answer.map(|placed| placed[0].index).map_err(|error| error.found.to_string())
            })
            .collect();
        let subject = "`subject`: expected 1 to 200 characters without controls or outer spaces, \
                       found ` a subject`";
        assert_eq!(
            said,
            [
                Ok(3),
                Err("one that is in the trail".to_owned()),
                Ok(4),
                Err(subject.to_owned()),
                Ok(5)
            ]
        );
        assert_eq!(acme.head().await.unwrap().size, 6);
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn entries_about_new_subjects_share_a_group_and_each_subject_is_new_once() {
    for home in Home::each().await {
        let store = home.open().await;
        let acme = acme(&store).await;
        let known = acme.append(entry("known", 1)).await.unwrap()[0].index;
        let say = |subject: &str, since| {
            let unless = AppendCondition::Subject { since, subject: subject.to_owned() };
            acme.append_unless(entry(subject, 1), unless)
        };
        let cases =
            [("a", 0), ("b", 0), ("a", 0), ("known", known), ("known", known + 1), ("c", 0)];
        let answers = join_all(cases.map(|(subject, since)| say(subject, since))).await;
        let said: Vec<Result<u64, bool>> = answers
            .into_iter()
            .map(|answer| answer.map(|placed| placed[0].index).map_err(|error| error.is_outdated()))
            .collect();
        assert_eq!(said, [Ok(3), Ok(4), Err(true), Err(true), Ok(5), Ok(6)]);
        // Another subject's records do not matter, a later one of the own does.
        assert!(say("known", 6).await.is_ok());
        assert!(say("known", 7).await.unwrap_err().is_outdated());
        store.close().await.unwrap();
    }
}

/// Each has an earlier clock than the one before it, as processes on several machines may.
#[tokio::test]
async fn changes_of_keys_at_once_are_never_refused_for_their_time() {
    for home in Home::each().await {
        let store = home.open().await;
        let acme = acme(&store).await;
        let clock = |second| RecordTime { at: at(second), source: TimeSource::Clock };
        let changes = (0..12).map(|n| {
            let name = format!("dalil.example/key-{n}");
            let (acme, when) = (acme.clone(), clock(50 - n));
            async move { acme.add_key(&name, when, Actor::System).await.map(drop) }
        });
        assert_eq!(join_all(changes).await, vec![Ok(()); 12]);
        let keys = acme.select(&KeyRow::query()).await.unwrap();
        let ids: Vec<String> = keys.iter().skip(1).map(|key| key.row.key_id.clone()).collect();
        let changes =
            ids.iter().zip(0..).map(|(id, n)| acme.retire_key(id, clock(40 - n), Actor::System));
        assert!(join_all(changes).await.iter().all(Result::is_ok));
        let keys = acme.select(&KeyRow::query()).await.unwrap();
        let times: Vec<Time> = keys.iter().map(|key| key.row.at).collect();
        assert!(times.is_sorted(), "{times:?}");
        assert_eq!(times.len(), 25);
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn an_entry_may_depend_on_a_subject_and_on_kinds() {
    for home in Home::each().await {
        let store = home.open().await;
        let acme = acme(&store).await;
        acme.append(entry("a", 1)).await.unwrap();
        let say = |subject_since, kinds_since| {
            let kinds: &[RecordKind] = &[RecordKind::RunRecorded];
            let unless = vec![
                AppendCondition::Subject { since: subject_since, subject: "b".to_owned() },
                AppendCondition::Kinds { since: kinds_since, kinds },
            ];
            acme.append_unless_any(entry("b", 1), unless)
        };
        assert!(say(3, 2).await.unwrap_err().is_outdated());
        assert_eq!(say(3, 3).await.unwrap()[0].index, 3);
        assert!(say(3, 4).await.unwrap_err().is_outdated());
        assert_eq!(say(4, 4).await.unwrap()[0].index, 4);
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn a_table_has_another_turn_before_a_write_to_it_is_acknowledged() {
    for home in Home::each().await {
        let store = home.open().await;
        let acme = acme(&store).await;
        let turns =
            || [EvidenceTable::Runs, EvidenceTable::Members].map(|table| acme.table_version(table));
        let before = turns();
        acme.append(entry("a", 1)).await.unwrap();
        let after = turns();
        assert_eq!((before[0] == after[0], before[1] == after[1]), (false, true));
        let is_sole = matches!(after[0], TableVersion::Sole(_));
        assert_eq!(is_sole, home.is_folder());
        // Asked anew, it is the same for another process that serves the same database.
        let other = home.open_beside().await;
        let tenant = match &other {
            Some(other) => other.tenant("acme").await.unwrap(),
            None => acme.clone(),
        };
        let now = async || tenant.current_table_version(EvidenceTable::Runs).await.unwrap();
        let first = now().await;
        assert_eq!(first, now().await);
        acme.append(entry("a", 2)).await.unwrap();
        let second = now().await;
        acme.append(crate::fixture::erasing(&[2])).await.unwrap();
        let third = now().await;
        assert_eq!((first == second, second == third), (false, false));
        if let Some(other) = other {
            assert_eq!(third, TableVersion::Seen(Some(3), Some(4)));
            other.close().await.unwrap();
        }
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn a_full_queue_tells_the_caller() {
    for home in Home::each().await {
        let options = StoreOptions { queue: 3, ..StoreOptions::writing(at(0)) };
        let store = Store::open(&home.place, Vault::of([7; 32]), options).await.unwrap();
        let acme = acme(&store).await;
        let answers = join_all((0..8).map(|_| acme.append(entry("a", 1)))).await;
        let busy: Vec<_> = answers.into_iter().filter_map(Result::err).collect();
        assert_eq!(busy.len(), 5);
        assert_eq!(busy[0].kind, ErrorKind::Busy);
        assert_eq!(&*busy[0].expected, "fewer than 3 entries waiting");
        assert_eq!(acme.head().await.unwrap().size, 5);
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn closing_finishes_what_waits_and_refuses_what_comes() {
    for home in Home::each().await {
        let store = home.open().await;
        let acme = acme(&store).await;
        let appends = join_all((0..20).map(|_| acme.append(entry("a", 1))));
        let (answers, closed) = join(appends, store.close()).await;
        closed.unwrap();
        assert!(answers.iter().all(Result::is_ok), "{answers:?}");
        let error = acme.append(entry("a", 1)).await.unwrap_err();
        assert_eq!((error.kind, error.found.as_ref()), (ErrorKind::Unavailable, "a closed one"));

        let store = home.open().await;
        assert_eq!(store.tenant("acme").await.unwrap().head().await.unwrap().size, 22);
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn a_lost_connection_is_made_again_and_nothing_is_twice() {
    let Some(home) = Home::postgres().await else { return };
    let store = home.open().await;
    let acme = acme(&store).await;
    let mut stranger = home.stranger().await;
    for n in 1..=20 {
        let cut = fetch(
            &mut stranger,
            "SELECT pg_terminate_backend(pid)::int FROM pg_stat_activity \
             WHERE datname = current_database() AND pid <> pg_backend_pid()",
            &[],
        );
        let (placed, cut) = join(acme.append(entry("a", n)), cut).await;
        cut.unwrap();
        assert_eq!(placed.unwrap()[0].index, u64::try_from(n).unwrap() + 1);
    }
    assert_eq!(acme.history("a").await.unwrap().len(), 20);
    store.close().await.unwrap();
}

#[tokio::test]
async fn two_processes_on_one_server_take_turns() {
    let Some(home) = Home::postgres().await else { return };
    let (one, two) = (home.open().await, home.open().await);
    let first = acme(&one).await;
    let second = two.tenant("acme").await.unwrap();
    let appends = (0..200).map(|n| if n % 3 == 0 { &first } else { &second });
    let answers = join_all(appends.map(|tenant| tenant.append(entry("a", 1)))).await;
    let mut indices: Vec<u64> =
        answers.into_iter().map(|placed| placed.unwrap()[0].index).collect();
    indices.sort_unstable();
    assert_eq!(indices, (2..202).collect::<Vec<u64>>());
    assert_eq!(first.head().await.unwrap(), second.head().await.unwrap());
    for index in [0, 100, 201] {
        first.receipt(index).await.unwrap();
        second.receipt(index).await.unwrap();
    }
    one.close().await.unwrap();
    two.close().await.unwrap();
}

#[tokio::test]
async fn drafts_that_cannot_be_are_refused_before_they_wait() {
    let home = Home::folder();
    let store = home.open().await;
    let acme = acme(&store).await;
    let field = |name: &str| NewRecordField {
        name: name.to_owned(),
        content: FieldContent::Bytes(Vec::new()),
    };
    let cases = [
        (vec![field("a"), field("a")], "`s`, field `a`"),
        (vec![field("rows")], "`s`, field `rows`"),
    ];
    for (fields, place) in cases {
        let mut draft = draft("s", 1);
        draft.fields = fields;
        let error = acme.append(AppendEntry { drafts: vec![draft], key: None }).await.unwrap_err();
        assert_eq!((error.kind, error.place.as_ref()), (ErrorKind::Refused, place));
    }
    let mut odd = draft("s", 1);
    let EvidenceRow::Runs(run) = &mut odd.rows[0] else { panic!("a run") };
    run.model.push('\0');
    let error = acme.append(AppendEntry { drafts: vec![odd], key: None }).await.unwrap_err();
    let text =
        "cannot append a record: `runs.model`: expected text without U+0000, found text with it";
    assert_eq!(error.to_string(), text);
    let error = acme.append(AppendEntry { drafts: Vec::new(), key: None }).await.unwrap_err();
    assert_eq!(&*error.expected, "1 to 10000 records in an entry");
    store.close().await.unwrap();
}

#[tokio::test]
async fn keys_are_added_retired_and_revoked_and_one_is_always_left() {
    for home in Home::each().await {
        let store = home.open().await;
        let acme = acme(&store).await;
        let system = || Actor::System;
        let key = |n: usize| {
            let acme = acme.clone();
            async move {
                let keys = acme.select(&KeyRow::query()).await.unwrap();
                keys[n].row.key_id.clone()
            }
        };
        let first = key(0).await;
        let error = acme.retire_key(&first, stated(1), system()).await.unwrap_err();
        assert_eq!(&*error.found, "none");
        acme.add_key("dalil.example/acme-2", stated(1), system()).await.unwrap();
        let signed = |note: dalil_proof::note::UnverifiedNote| {
            note.signatures().iter().map(|line| line.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(signed(acme.checkpoint().await.unwrap()).len(), 2);
        acme.revoke_key(&first, stated(2), system()).await.unwrap();
        assert_eq!(signed(acme.checkpoint().await.unwrap()), ["dalil.example/acme-2"]);
        let error = acme.revoke_key(&first, stated(3), system()).await.unwrap_err();
        assert_eq!(&*error.expected, "a key in use");
        store.close().await.unwrap();

        let store = home.open().await;
        let acme = store.tenant("acme").await.unwrap();
        acme.append(entry("a", 4)).await.unwrap();
        assert_eq!(signed(acme.checkpoint().await.unwrap()), ["dalil.example/acme-2"]);
        store.close().await.unwrap();
    }
}

fn stated(second: i64) -> RecordTime {
    RecordTime { at: at(second), source: TimeSource::Stated }
}

fn clock(subject: &str, second: i64) -> AppendEntry {
    let mut entry = entry(subject, second);
    entry.drafts[0].when.source = TimeSource::Clock;
    entry
}

/// Clocks differ, and the sequencer orders: a time that no caller stated is never a reason to
/// refuse a record.
#[tokio::test]
async fn records_get_their_time_where_they_get_their_place() {
    for home in Home::each().await {
        let store = home.open().await;
        let acme = acme(&store).await;
        acme.append(clock("a", 5)).await.unwrap();
        acme.append(clock("a", 3)).await.unwrap();
        acme.append(clock("b", -9)).await.unwrap();
        let appends = (0..40).map(|n| acme.append(clock("c", 40 - n)));
        for answer in join_all(appends).await {
            answer.unwrap();
        }
        let times = |records: Vec<crate::StoredRecord>| -> Vec<Time> {
            records.iter().map(|stored| stored.record.envelope().at).collect()
        };
        assert_eq!(times(acme.history("a").await.unwrap()), [at(5), at(5)]);
        assert_eq!(times(acme.history("b").await.unwrap()), [at(0)]);
        assert!(times(acme.history("c").await.unwrap()).is_sorted());
        let error = acme.append(entry("d", -1)).await.unwrap_err();
        let text = "cannot append a record: subject `d`: expected a time not before \
                    2026-01-03T00:26:40.000Z, found 2026-01-03T00:26:39.000Z\n\
                    hint: nothing of a trail is older than the trail";
        assert_eq!(error.to_string(), text);
        store.close().await.unwrap();
    }
}

/// A history of keys that runs back could never be verified again.
#[tokio::test]
async fn keys_are_changed_in_order_of_time() {
    for home in Home::each().await {
        let store = home.open().await;
        let acme = acme(&store).await;
        acme.add_key("dalil.example/acme-2", stated(9), Actor::System).await.unwrap();
        let error =
            acme.add_key("dalil.example/acme-3", stated(8), Actor::System).await.unwrap_err();
        let text = "cannot change a key: `keys`: expected a time not before \
                    2026-01-03T00:26:49.000Z, when keys were changed last, found \
                    2026-01-03T00:26:48.000Z\nhint: leave the time out: the store's clock has it";
        assert_eq!(error.to_string(), text);
        let clock = RecordTime { source: TimeSource::Clock, ..stated(1) };
        acme.add_key("dalil.example/acme-4", clock, Actor::System).await.unwrap();
        let keys = acme.select(&KeyRow::query()).await.unwrap();
        assert_eq!(keys[2].row.at, at(9));
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn dates_of_keys_that_cannot_be_are_corrected_once_and_keys_change_again() {
    for home in Home::each().await {
        let store = home.open().await;
        let acme = acme(&store).await;
        // As a clock that was wrong for a day left it: the next change cannot be dated before it.
        acme.add_key("dalil.example/acme-2", stated(90_000), Actor::System).await.unwrap();
        let clock = RecordTime { source: TimeSource::Clock, ..stated(8) };
        acme.add_key("dalil.example/acme-3", clock, Actor::System).await.unwrap();
        let history = acme.key_history().await.unwrap();
        assert_eq!(
            history.iter().map(|one| one.at).collect::<Vec<_>>(),
            [at(0), at(90_000), at(90_000)]
        );
        let change = |line: usize, second| RedatedChange {
            at: at(second),
            change: KeyChangeKind::Added,
            key: history[line].key.clone(),
        };
        let redate = async |changes: Vec<RedatedChange>| {
            let redating = KeyRedating { changes, reason: "The clock was wrong.".to_owned() };
            let made = acme.redate_keys(&redating, stated(10), Actor::System).await;
            made.map(|placed| placed.index).map_err(|error| error.found.to_string())
        };
        let refused = |why: &str| Err(why.to_owned());
        assert_eq!(redate(vec![change(0, 1)]).await, refused("a date that needs no correction"));
        assert_eq!(redate(vec![change(1, 11)]).await, refused("a corrected date in the future"));
        let backwards = vec![change(1, 7), change(2, 6)];
        let order =
            "expected a possible key history, found at line 3 a time before the line above it";
        assert_eq!(redate(backwards).await, refused(order));
        assert_eq!(redate(vec![change(1, 7), change(2, 8)]).await, Ok(4));
        assert_eq!(redate(vec![change(1, 7)]).await, refused("a date that was corrected before"));
        let told = acme.key_history().await.unwrap();
        let times: Vec<Time> = told.iter().map(KeyHistoryEntry::time).collect();
        assert_eq!(times, [at(0), at(7), at(8)]);
        acme.add_key("dalil.example/acme-4", stated(12), Actor::System).await.unwrap();
        store.close().await.unwrap();
        // The sequencer reads the same state when the store is opened again.
        let store = home.open().await;
        let acme = store.tenant("acme").await.unwrap();
        acme.add_key("dalil.example/acme-5", stated(12), Actor::System).await.unwrap();
        let error = acme.add_key("dalil.example/acme-6", stated(11), Actor::System).await;
        error.unwrap_err();
        let mut said = Vec::new();
        let options = FsckOptions { sweep: false, secrets: true };
        let verdict = store.fsck(options, &mut |one| said.push(one)).await.unwrap();
        assert_eq!(verdict, FsckStatus::Pass, "{said:?}");
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn an_entry_that_comes_before_its_tenant_is_refused_and_the_tenant_is_made() {
    for home in Home::each().await {
        let store = home.open().await;
        let early = store.handle("acme".into(), "dalil.example/acme".into());
        // Both wait when the sequencer takes its group: the entry first.
        let (refused, made) = join(early.append(entry("a", 1)), acme(&store)).await;
        assert_eq!(&*refused.unwrap_err().expected, "a tenant of that name");
        assert_eq!(made.head().await.unwrap().size, 2);
        made.append(entry("a", 1)).await.unwrap();
        store.close().await.unwrap();
    }
}
