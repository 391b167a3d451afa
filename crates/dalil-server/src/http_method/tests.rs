use super::*;

#[test]
fn a_method_that_somebody_invented_has_no_name_of_its_own() {
    for name in ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"] {
        assert_eq!(method_name(&name.parse().unwrap()), name);
    }
    for name in ["FOOBAR", "get", "PROPFIND"] {
        assert_eq!(method_name(&name.parse().unwrap()), "_OTHER", "{name}");
    }
}
