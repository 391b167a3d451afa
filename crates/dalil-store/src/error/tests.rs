use super::*;

#[test]
fn an_error_says_what_where_expected_found_and_a_hint() {
    let error = Error::refused("open the store", "`file:data`")
        .saw("a store of version 1", "one of version 2")
        .hint("use a newer dalil");
    let text = "cannot open the store: `file:data`: expected a store of version 1, \
                found one of version 2\nhint: use a newer dalil";
    assert_eq!(error.to_string(), text);
    assert_eq!(error.kind, ErrorKind::Refused);
}
