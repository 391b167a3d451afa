use std::path::PathBuf;

use super::*;
use crate::route_list::methods_of;

/// The document changes only in review, as clients rely on it: `DALIL_BLESS=1` writes it again.
#[test]
fn the_document_is_pinned() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../suite/openapi.json");
    let document = RouteTable::new().document().to_pretty_json().unwrap() + "\n";
    if std::env::var_os("DALIL_BLESS").is_some() {
        let mut file = std::fs::File::create(&path).unwrap();
        std::io::Write::write_all(&mut file, document.as_bytes()).unwrap();
    }
    let pinned = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(pinned == document, "suite/openapi.json is not what the routes say");
}

#[test]
fn every_route_has_one_rule_and_one_operation() {
    let table = RouteTable::new();
    let routes = table.routes.clone();
    let document = table.document();
    for route in &routes {
        let same =
            routes.iter().filter(|one| (one.method, &one.path) == (route.method, &route.path));
        assert_eq!(same.count(), 1, "{route:?}");
        let secured = document.paths.paths.get(&route.path).is_some_and(|item| {
            let operations = [&item.get, &item.post, &item.put, &item.delete, &item.patch];
            let named = methods_of(item).zip(operations.into_iter().flatten());
            named
                .filter(|(name, _)| *name == route.method)
                .any(|(_, one)| one.security.as_ref().is_some_and(|needed| !needed.is_empty()))
        });
        assert_eq!(secured, route.need != Permission::Open, "{route:?}");
    }
    let operations: usize =
        document.paths.paths.values().map(|item| methods_of(item).count()).sum();
    assert_eq!(operations, routes.len());
}
