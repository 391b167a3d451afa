use super::*;

#[test]
fn what_was_read_stands_until_the_table_is_written_to_or_another_server_may_have() {
    let at = Instant::now();
    let kept = |turn| TableCacheEntry { turn, at, value: () };
    let stands = |kept: TableCacheEntry<()>, turn, millis| {
        kept.stands(turn, at + Duration::from_millis(millis))
    };
    let day = 86_400_000;
    assert!(stands(kept(TableVersion::Sole(1)), TableVersion::Sole(1), day));
    assert!(!stands(kept(TableVersion::Sole(1)), TableVersion::Sole(2), 0));
    assert!(stands(kept(TableVersion::Shared(1)), TableVersion::Shared(1), 999));
    assert!(!stands(kept(TableVersion::Shared(1)), TableVersion::Shared(1), 1000));
    assert!(!stands(kept(TableVersion::Shared(1)), TableVersion::Shared(2), 0));
    let seen = |row| TableVersion::Seen(Some(row), None);
    assert!(stands(kept(seen(1)), seen(1), day));
    assert!(!stands(kept(seen(1)), seen(2), 0));
    assert!(!stands(kept(seen(1)), TableVersion::Seen(Some(1), Some(2)), 0));
}

#[test]
fn all_is_forgotten_when_there_is_too_much_and_what_is_large_is_not_kept() {
    let fresh = TableCache::<String>::exact(EvidenceTable::Ledgers, 160, String::len);
    let sums = || {
        let all = fresh.lock();
        (all.by_name.len(), all.weight)
    };
    let put = |name: &str, size: usize| {
        let value = "x".repeat(size);
        let kept = TableCacheEntry { turn: TableVersion::Sole(1), at: Instant::now(), value };
        fresh.keep(("acme".to_owned(), name.to_owned()), Some(kept));
        sums()
    };
    assert_eq!(put("a", 10), (1, 10));
    assert_eq!(put("a", 4), (1, 4));
    assert_eq!(put("large", 11), (1, 4));
    let many: Vec<_> = (0..16).map(|n| put(&n.to_string(), 10)).collect();
    assert_eq!((many[14], many[15]), ((16, 154), (1, 10)));
    fresh.keep(("acme".to_owned(), "15".to_owned()), None);
    assert_eq!(sums(), (0, 0));
}
