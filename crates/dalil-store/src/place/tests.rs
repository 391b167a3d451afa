use expect_test::{Expect, expect};

use super::{LakePlace, StorePlace, server_label};

/// Reads a place and compares all that it prints, or the whole refusal.
#[track_caller]
fn check(store: &str, lake: Option<&str>, expected: &Expect) {
    let said = match StorePlace::parse(store, lake) {
        Ok(place) => format!("{place:?}\nlake {}", place.lake()),
        Err(error) => format!("{:?}: {error}", error.kind),
    };
    expected.assert_eq(&said);
}

#[track_caller]
fn check_lake(lake: &str, expected: &Expect) {
    let said = match LakePlace::parse(lake) {
        Ok(place) => format!("{place:?}\n{place}"),
        Err(error) => format!("{:?}: {error}", error.kind),
    };
    expected.assert_eq(&said);
}

#[test]
fn a_folder_has_its_lake_inside() {
    check(
        "file:./dalil-data",
        None,
        &expect![[r#"
        file:./dalil-data
        lake file:./dalil-data/lake"#]],
    );
    check(
        "file:/srv/dalil",
        None,
        &expect![[r#"
        file:/srv/dalil
        lake file:/srv/dalil/lake"#]],
    );
    check(
        "file:///srv/dalil",
        None,
        &expect![[r#"
        file:/srv/dalil
        lake file:/srv/dalil/lake"#]],
    );
    check(
        "file:a b?c#d",
        None,
        &expect![[r#"
        file:a b?c#d
        lake file:a b?c#d/lake"#]],
    );
}

#[test]
fn a_folder_is_refused_with_a_reason() {
    check(
        "file:",
        None,
        &expect![[r#"
        Refused: cannot read where the store is: `file:`: expected `file:` and the path of a folder, found no path
        hint: write `file:./dalil-data`, or `file:/srv/dalil` for a whole path"#]],
    );
    check(
        "file://host/share",
        None,
        &expect![[r#"
        Refused: cannot read where the store is: `file:…`: expected `file:` and the path of a folder, found the name of a host
        hint: write `file:./dalil-data`, or `file:/srv/dalil` for a whole path"#]],
    );
    check(
        "file:a\u{1b}[2J",
        None,
        &expect![[r#"
        Refused: cannot read where the store is: `file:a\u{1b}[2J`: expected `file:` and the path of a folder, found a control character
        hint: write `file:./dalil-data`, or `file:/srv/dalil` for a whole path"#]],
    );
    check(
        "file:./dalil-data",
        Some("s3://bucket"),
        &expect![[r#"
        Refused: cannot read where the store is: the lake: expected no lake beside `file:`, which has its own inside, found a lake
        hint: leave the lake out, or keep the catalog in `postgres://…`"#]],
    );
}

#[test]
fn a_server_needs_a_lake() {
    let s3 = "s3://evidence/dalil/prod?endpoint=https://s3.example.org:9000&region=eu-central-1";
    check(
        "postgres://dalil:hunter2@db.example.org:5433/trail",
        Some(s3),
        &expect![[r#"
        postgres://dalil@db.example.org:5433/trail with s3://evidence/dalil/prod at https://s3.example.org:9000
        lake s3://evidence/dalil/prod at https://s3.example.org:9000"#]],
    );
    check(
        "postgresql://db.example.org/trail?password=hunter2",
        Some("file:lake"),
        &expect![[r#"
        postgres://db.example.org/trail with file:lake
        lake file:lake"#]],
    );
    check(
        "postgres:///trail?host=/var/run/postgresql",
        Some("file:lake"),
        &expect![[r#"
        postgres:///trail with file:lake
        lake file:lake"#]],
    );
    check(
        "postgres://dalil:hunter2@db.example.org/trail",
        None,
        &expect![[r#"
        Refused: cannot read where the store is: the lake: expected `s3://BUCKET/PREFIX?endpoint=URL&region=NAME` or `file:DIR`, found none
        hint: PostgreSQL keeps records; say where the objects go"#]],
    );
}

#[test]
fn no_refusal_of_a_server_shows_its_password() {
    let lake = Some("file:lake");
    check(
        "postgres://dalil:hunter2@db.example.org:port/trail",
        lake,
        &expect![[r#"
        Refused: cannot read where the store is: the address of PostgreSQL: expected `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, found an address with invalid port number
        hint: write `%40` for `@`, `%3A` for `:` and `%2F` for `/` inside a password"#]],
    );
    check(
        "postgres://dalil:hunter2@/trail",
        lake,
        &expect![[r#"
        Refused: cannot read where the store is: the address of PostgreSQL: expected `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, found an address with empty host
        hint: write `%40` for `@`, `%3A` for `:` and `%2F` for `/` inside a password"#]],
    );
    check(
        "postgres://dalil:hunter2@db.example.org",
        lake,
        &expect![[r#"
        Refused: cannot read where the store is: the address of PostgreSQL: expected `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, found no name of a database
        hint: write `%40` for `@`, `%3A` for `:` and `%2F` for `/` inside a password"#]],
    );
    check(
        "postgres://dalil:hunter2@db.example.org/a/b",
        lake,
        &expect![[r#"
        Refused: cannot read where the store is: the address of PostgreSQL: expected `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, found more than one name of a database
        hint: write `%40` for `@`, `%3A` for `:` and `%2F` for `/` inside a password"#]],
    );
    check(
        "postgres://dalil:hunter2@db.example.org/a#b",
        lake,
        &expect![[r#"
        Refused: cannot read where the store is: the address of PostgreSQL: expected `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, found a part after `#`
        hint: write `%40` for `@`, `%3A` for `:` and `%2F` for `/` inside a password"#]],
    );
    check(
        "postgres:dalil:hunter2@db.example.org/a",
        lake,
        &expect![[r#"
        Refused: cannot read where the store is: the address of PostgreSQL: expected `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, found no `//` after `postgres:`
        hint: write `%40` for `@`, `%3A` for `:` and `%2F` for `/` inside a password"#]],
    );
    check(
        "mysql://dalil:hunter2@db.example.org/trail",
        lake,
        &expect![[r#"
        Refused: cannot read where the store is: the store: expected `file:DIR` or `postgres://USER@HOST/DATABASE`, found a place that begins `mysql:`
        hint: for a folder write `file:./dalil-data`"#]],
    );
    check(
        "dalil:hunter2@db.example.org/trail",
        lake,
        &expect![[r#"
        Refused: cannot read where the store is: the store: expected `file:DIR` or `postgres://USER@HOST/DATABASE`, found a place that begins `dalil:`
        hint: for a folder write `file:./dalil-data`"#]],
    );
}

#[test]
fn sqlite_and_postgresql_are_the_only_engines() {
    check(
        "mssql://sa:hunter2@db.example.org/trail",
        Some("file:lake"),
        &expect![[r#"
        Refused: cannot read where the store is: the store: expected `file:DIR` or `postgres://USER@HOST/DATABASE`, found a place that begins `mssql:`
        hint: for a folder write `file:./dalil-data`"#]],
    );
}

#[test]
fn an_address_in_another_form_shows_no_password() {
    let lake = Some("file:lake");
    check(
        "host=db.example.org user=dalil password=hunter2",
        lake,
        &expect![[r#"
        Refused: cannot read where the store is: the store: expected `file:DIR` or `postgres://USER@HOST/DATABASE`, found a text without `file:`, `postgres:` or `s3:`
        hint: for a folder write `file:./dalil-data`"#]],
    );
    check(
        "file://dalil:hunter2@host/share",
        None,
        &expect![[r#"
        Refused: cannot read where the store is: `file:…`: expected `file:` and the path of a folder, found the name of a host
        hint: write `file:./dalil-data`, or `file:/srv/dalil` for a whole path"#]],
    );
    check(
        "file:postgres://dalil:hunter2@db.example.org/trail",
        None,
        &expect![[r#"
        Refused: cannot read where the store is: `file:…`: expected `file:` and the path of a folder, found the address of a server
        hint: write `file:./dalil-data`, or `file:/srv/dalil` for a whole path"#]],
    );
    // The password is `12/hunter2`, and was not encoded.
    check(
        "postgres://dalil:12/hunter2@db.example.org",
        lake,
        &expect![[r#"
        Refused: cannot read where the store is: the address of PostgreSQL: expected `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, found an `@` in the name of a database
        hint: write `%40` for `@`, `%3A` for `:` and `%2F` for `/` inside a password"#]],
    );
    check(
        "postgres://dalil%3Ahunter2@db.example.org/trail",
        lake,
        &expect![[r#"
        postgres://db.example.org/trail with file:lake
        lake file:lake"#]],
    );
}

#[test]
fn a_store_is_named_without_user_and_parameters() {
    for (address, label) in [
        (
            "postgres://dalil:hunter2@db.example.org:5433/trail",
            "postgres://db.example.org:5433/trail",
        ),
        ("postgres://db/trail?password=hunt@er2", "postgres://db/trail"),
        ("postgresql://u@db/trail?password=h%40nter2&user=x@y", "postgres://db/trail"),
        ("postgres:///trail?host=/run/postgresql&password=a@b/c", "postgres:///trail"),
    ] {
        assert_eq!(server_label(address), label, "{address}");
    }
}

#[test]
fn a_store_without_a_scheme_is_refused_with_the_one_it_needs() {
    check(
        "",
        None,
        &expect![[r#"
        Refused: cannot read where the store is: the store: expected `file:DIR` or `postgres://USER@HOST/DATABASE`, found nothing
        hint: for a folder write `file:./dalil-data`"#]],
    );
    check(
        "./dalil-data",
        None,
        &expect![[r#"
        Refused: cannot read where the store is: the store: expected `file:DIR` or `postgres://USER@HOST/DATABASE`, found a text without `file:`, `postgres:` or `s3:`
        hint: for a folder write `file:./dalil-data`"#]],
    );
    check(
        "s3://bucket",
        None,
        &expect![[r#"
        Refused: cannot read where the store is: the store: expected `file:DIR` or `postgres://USER@HOST/DATABASE`, found a place that begins `s3:`
        hint: for a folder write `file:./dalil-data`"#]],
    );
}

#[test]
fn a_bucket_is_read_whole() {
    check_lake(
        "s3://evidence",
        &expect![[r#"
        Bucket(BucketPlace { bucket: "evidence", prefix: "", endpoint: None, region: None })
        s3://evidence"#]],
    );
    check_lake(
        "s3://evidence/",
        &expect![[r#"
        Bucket(BucketPlace { bucket: "evidence", prefix: "", endpoint: None, region: None })
        s3://evidence"#]],
    );
    check_lake(
        "s3://evidence/a/b_c.d/",
        &expect![[r#"
        Bucket(BucketPlace { bucket: "evidence", prefix: "a/b_c.d", endpoint: None, region: None })
        s3://evidence/a/b_c.d"#]],
    );
    check_lake(
        "s3://evidence/a?region=us-east-1&endpoint=http://127.0.0.1:8333/",
        &expect![[r#"
        Bucket(BucketPlace { bucket: "evidence", prefix: "a", endpoint: Some("http://127.0.0.1:8333"), region: Some("us-east-1") })
        s3://evidence/a at http://127.0.0.1:8333"#]],
    );
}

#[test]
fn a_bucket_is_refused_with_a_reason() {
    check_lake(
        "s3:evidence",
        &expect![
            "Refused: cannot read where the lake is: the address of the bucket: expected `s3://`, a bucket and a prefix, found no `//` after `s3:`"
        ],
    );
    check_lake(
        "s3://ab",
        &expect![
            "Refused: cannot read where the lake is: the address of the bucket: expected a bucket of 3 to 63 letters a–z, digits, `-` and `.`, found `ab`"
        ],
    );
    check_lake(
        "s3://Evidence",
        &expect![
            "Refused: cannot read where the lake is: the address of the bucket: expected a bucket of 3 to 63 letters a–z, digits, `-` and `.`, found `Evidence`"
        ],
    );
    check_lake(
        "s3://evi..dence",
        &expect![
            "Refused: cannot read where the lake is: the address of the bucket: expected a bucket of 3 to 63 letters a–z, digits, `-` and `.`, found `evi..dence`"
        ],
    );
    check_lake(
        "s3://evidence/a//b",
        &expect![
            "Refused: cannot read where the lake is: the address of the bucket: expected a prefix of names from letters, digits, `-`, `_` and `.`, 256 bytes at most, found `a//b`"
        ],
    );
    check_lake(
        "s3://evidence/a/%2e%2e/b",
        &expect![
            "Refused: cannot read where the lake is: the address of the bucket: expected a prefix of names from letters, digits, `-`, `_` and `.`, 256 bytes at most, found `a/%2e%2e/b`"
        ],
    );
    check_lake(
        "s3://evidence/ü",
        &expect![
            "Refused: cannot read where the lake is: the address of the bucket: expected a prefix of names from letters, digits, `-`, `_` and `.`, 256 bytes at most, found `ü`"
        ],
    );
}

#[test]
fn a_bucket_has_no_credentials_and_two_parameters() {
    check_lake(
        "s3://key:secret@evidence/a",
        &expect![[r#"
        Refused: cannot read where the lake is: the address of the bucket: expected no credentials in the address, found a user before `@`
        hint: credentials are read from `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`"#]],
    );
    check_lake(
        "s3://evidence:9000/a",
        &expect![[r#"
        Refused: cannot read where the lake is: the address of the bucket: expected a bucket, a prefix and parameters, found a port, or a part after `#`
        hint: the port belongs to the server: `?endpoint=http://HOST:PORT`"#]],
    );
    check_lake(
        "s3://evidence/a?secret=b",
        &expect![[r#"
        Refused: cannot read where the lake is: the address of the bucket: expected the parameters `endpoint` and `region`, found `secret`
        hint: credentials are read from `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`"#]],
    );
    check_lake(
        "s3://evidence/a?region=a&region=b",
        &expect![
            "Refused: cannot read where the lake is: the address of the bucket: expected each parameter once, found `region` twice"
        ],
    );
    check_lake(
        "s3://evidence/a?region=A",
        &expect![
            "Refused: cannot read where the lake is: the address of the bucket: expected a region such as `eu-central-1`, found `A`"
        ],
    );
    check_lake(
        "s3://evidence/a?endpoint=s3.example.org",
        &expect![[r#"
            Refused: cannot read where the lake is: the address of the bucket: expected an endpoint such as `https://s3.example.org:9000`, found an endpoint that is none, or has a user, a path or parameters
            hint: give the server alone; credentials are read from `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`"#]],
    );
    check_lake(
        "s3://evidence/a?endpoint=https://key:secret@s3.example.org",
        &expect![[r#"
            Refused: cannot read where the lake is: the address of the bucket: expected an endpoint such as `https://s3.example.org:9000`, found an endpoint that is none, or has a user, a path or parameters
            hint: give the server alone; credentials are read from `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`"#]],
    );
    check_lake(
        "gs://evidence/a",
        &expect![[r#"
        Refused: cannot read where the lake is: the lake: expected `s3://BUCKET/PREFIX?endpoint=URL&region=NAME` or `file:DIR`, found a place that begins `gs:`
        hint: for a folder write `file:./dalil-data`"#]],
    );
    check_lake(
        "lake",
        &expect![[r#"
        Refused: cannot read where the lake is: the lake: expected `s3://BUCKET/PREFIX?endpoint=URL&region=NAME` or `file:DIR`, found a text without `file:`, `postgres:` or `s3:`
        hint: for a folder write `file:lake`"#]],
    );
}
