use expect_test::expect;

use super::*;

#[test]
fn what_is_not_named_is_as_usual() {
    assert_eq!(Config::parse(b"{}").unwrap(), Config::usual());
    let config = Config::parse(br#"{"listen":"[::1]:9","limits":{"rate":7}}"#).unwrap();
    let limits = Limits { rate: 7, ..Config::usual().limits };
    let listen = "[::1]:9".parse().unwrap();
    assert_eq!(config, Config { listen, limits, ..Config::usual() });
}

#[test]
fn every_fault_is_said_at_once() {
    let text = br#"{"listen":"here","public_url":"ftp://a","limits":{"rate":0,"more":1},
        "oidc":{"issuer":"https://a@b"},"openfga":{"url":"https://fga","store_id":"../x"},
        "tls":{},"other":true}"#;
    expect![[r#"
        `listen`: expected an address such as `[::1]:8700`, found `here`
        `public_url`: expected an `http` or `https` URL without user, query and fragment, found `ftp://a`
        `limits.rate`: expected a whole number from 1 to 1000000, found `0`
        `limits.more`: expected only memory, reader_memory, body, upload, seconds, rate, burst, connections, checks, threads, readers, found a field it does not know
        hint: remove the field or correct its name
        `oidc.issuer`: expected an `http` or `https` URL without user, query and fragment, found `https://a@b`
        `oidc.audience`: expected a value, found nothing
        `openfga.store_id`: expected letters, digits, `-` and `_`, found `../x`
        `tls.certificate`: expected a value, found nothing
        `tls.key`: expected a value, found nothing
        `other`: expected only listen, public_url, limits, oidc, openfga, tls, otlp, link_seconds, stop_seconds, found a field it does not know
        hint: remove the field or correct its name"#]]
    .assert_eq(&Config::parse(text).unwrap_err().to_string());
}
