use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::RowsById;

proptest! {
    #[test]
    fn every_id_is_found_in_any_order_and_the_rest_is_unused(
        rows in prop::collection::btree_map("[a-d]{1,2}", any::<u8>(), 0..12),
        asked in prop::collection::vec("[a-d]{1,2}", 0..40),
    ) {
        let rows: BTreeMap<&str, u8> = rows.iter().map(|(id, row)| (id.as_str(), *row)).collect();
        let mut table = RowsById::new(rows.clone().into_iter().rev().collect());
        for id in &asked {
            prop_assert_eq!(table.find(id), rows.get(id.as_str()));
        }
        let asked: BTreeSet<&str> = asked.iter().map(String::as_str).collect();
        let expected: Vec<&str> = rows.into_keys().filter(|id| !asked.contains(id)).collect();
        prop_assert_eq!(table.unused().collect::<Vec<_>>(), expected);
    }
}
