use expect_test::expect;

use super::{MAX_PAGE_URL_BYTES, check, check_plain};

#[test]
fn an_address_says_where_a_page_is_and_no_more() {
    let longest = format!("https://{}", "a".repeat(MAX_PAGE_URL_BYTES - 8));
    for url in ["https://dalil.example", "http://[::1]:8700/verify", &longest] {
        assert_eq!(check(url, "url"), Ok(()), "{url}");
    }
    let longer = longest + "a";
    let refused = [
        "",
        "https://",
        "https:///",
        "https://:8700",
        "https://\\dalil.example",
        "ftp://dalil.example",
        "javascript:alert(1)",
        "https://دليل.example",
        "https://dalil.example/a b",
        "https://dalil.example/\u{202e}",
        "https://amal:s3cret@dalil.example",
        "https://dalil.example?key=s3cret",
        "https://dalil.example/#s3cret",
        &longer,
    ];
    let told = refused.map(|url| check(url, "url").unwrap_err().to_string());
    let told = told.join("\n");
    let (rule, rest) = told.split_once(", found ").unwrap();
    expect!["`url`: expected an `http` or `https` URL with a host, of at most 256 printable ASCII characters, without user, query and fragment"].assert_eq(rule);
    let found = rest.replace(&format!("\n{rule}, found "), "\n");
    expect![[r#"
        ``
        `https://`
        `https:///`
        `https://:8700`
        `https://\dalil.example`
        `ftp://dalil.example`
        `javascript:alert(1)`
        `https://دليل.example`
        `https://dalil.example/a b`
        `https://dalil.example/\u{202e}`
        something else
        something else
        something else
        `https://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…`"#]]
    .assert_eq(&found);
}

#[test]
fn an_address_that_is_not_printed_may_be_longer() {
    let long = format!("https://dalil.example/{}", "a".repeat(MAX_PAGE_URL_BYTES));
    assert!(check(&long, "url").is_err());
    assert_eq!(check_plain(&long, "url"), Ok(()));
    let told = ["https:///", "https://a@b.example"]
        .map(|url| check_plain(url, "url").unwrap_err().to_string());
    expect![[r#"
        `url`: expected an `http` or `https` URL with a host, of printable ASCII characters, without user, query and fragment, found `https:///`
        `url`: expected an `http` or `https` URL with a host, of printable ASCII characters, without user, query and fragment, found something else"#]]
    .assert_eq(&told.join("\n"));
}
