use dalil_phrasebook::Language;
use expect_test::{Expect, expect};

use super::*;
use crate::route_list::operations_of;
use crate::routes::RouteTable;

/// Checks a query against the document's parameters for a path.
#[track_caller]
fn check((method, path): (Method, &str), query: &str, language: Language, expected: &Expect) {
    let document = RouteTable::new().document();
    let documented = DocumentedQuery::of(operations_of(&document.paths.paths[path]));
    let told = match documented.check(&method, Some(query)) {
        Ok(()) => "taken".to_owned(),
        Err(problem) => {
            assert_eq!(problem.kind, ProblemKind::Malformed);
            let lines = problem.faults.iter().map(|fault| {
                format!("{} {}: {}", fault.rule, fault.path, fault.message.text(language))
            });
            lines.collect::<Vec<_>>().join("\n")
        }
    };
    expected.assert_eq(&told);
}

const SESSIONS: (Method, &str) = (Method::GET, "/api/v1/sessions");

#[test]
fn what_is_documented_is_taken() {
    let taken = expect!["taken"];
    check(SESSIONS, "", Language::English, &taken);
    check(SESSIONS, "limit=5&order=newest&cursor=", Language::English, &taken);
    check((Method::HEAD, "/api/v1/sessions"), "limit=5", Language::English, &taken);
    check(SESSIONS, "limit=1000", Language::English, &taken);
    check((Method::GET, "/api/v1/trail/consistency"), "old=1", Language::English, &taken);
}

#[test]
fn every_fault_of_a_query_is_said_whole() {
    check(
        SESSIONS,
        "from=1&limit=x&order=best&cursor=a&cursor=b&a%60b=",
        Language::English,
        &expect![[r"
            unknown_parameter query: expected only the parameters `limit`, `cursor`, `order`, found `from`
            unknown_parameter query: expected only the parameters `limit`, `cursor`, `order`, found `a\u{60}b`
            type limit: expected a whole number from 1 to 1000, found `x`
            duplicate cursor: expected one value, found 2
            choice order: expected one of `oldest`, `newest`, found `best`"]],
    );
    check(
        (Method::GET, "/api/v1/trail/consistency"),
        "new=99999999999999999999",
        Language::English,
        &expect![[r"
            missing_parameter old: expected a value, found nothing
            type new: expected a whole number from 1 to 9223372036854775807, found `99999999999999999999`"]],
    );
    check(
        SESSIONS,
        "limit=4294967296",
        Language::English,
        &expect!["type limit: expected a whole number from 1 to 1000, found `4294967296`"],
    );
    check(
        SESSIONS,
        "limit=1001&seen=1&order=best",
        Language::English,
        &expect![[r"
            unknown_parameter query: expected only the parameters `limit`, `cursor`, `order`, found `seen`
            range limit: expected a whole number from 1 to 1000, found `1001`
            choice order: expected one of `oldest`, `newest`, found `best`"]],
    );
    check(
        (Method::GET, "/api/v1/trail/consistency"),
        "old=0",
        Language::English,
        &expect!["range old: expected a whole number from 1 to 9223372036854775807, found `0`"],
    );
}

#[test]
fn a_route_without_parameters_takes_none() {
    let tenant = (Method::GET, "/api/v1/tenant");
    check(
        tenant.clone(),
        "seen=false",
        Language::English,
        &expect!["unknown_parameter query: expected no parameters, found `seen`"],
    );
    check(
        tenant,
        "seen=false",
        Language::Arabic,
        &expect!["unknown_parameter query: المتوقع بلا معاملات، والموجود `seen`"],
    );
}
