use std::borrow::Cow;

use expect_test::{Expect, expect};

use super::{ZipFiles, read, write};

fn files() -> ZipFiles<'static> {
    let file = |name: &str, text: &'static str| (name.to_owned(), Cow::Borrowed(text.as_bytes()));
    [file("a.txt", "one\n"), file("data/b.txt", ""), file("data/c.txt", "three")].into()
}

fn sound() -> Vec<u8> {
    write(&files()).unwrap()
}

/// Reads an archive after a change, and compares why it is none.
#[track_caller]
fn check(change: impl FnOnce(&mut Vec<u8>), expected: &Expect) {
    let mut bytes = sound();
    change(&mut bytes);
    let why = read(&bytes).map_or_else(|error| error.to_string(), |_| "an archive".to_owned());
    expected.assert_eq(&why);
}

/// Puts bytes in place of others everywhere, so that both headers agree.
fn replace(bytes: &mut Vec<u8>, old: &[u8], new: &[u8]) {
    let mut at = 0;
    while let Some(found) = bytes[at..].windows(old.len()).position(|part| part == old) {
        bytes.splice(at + found..at + found + old.len(), new.iter().copied());
        at += found + new.len();
    }
}

#[test]
fn what_is_written_is_read_and_has_one_spelling() {
    let bytes = sound();
    assert_eq!(read(&bytes).unwrap(), files());
    assert_eq!(write(&read(&bytes).unwrap()).unwrap(), bytes);
    assert_eq!(read(&write(&ZipFiles::new()).unwrap()).unwrap(), ZipFiles::new());
}

#[test]
fn every_byte_and_every_cut_is_told() {
    let bytes = sound();
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << bit;
            assert!(read(&changed).is_err(), "byte {at}, bit {bit}");
        }
        assert!(read(&bytes[..at]).is_err(), "cut at {at}");
    }
}

#[test]
fn names_that_lead_elsewhere_are_refused() {
    for (name, expected) in [
        (
            "../xx",
            expect!["at byte 0: expected a plain name in a folder of the archive, found `../xx`"],
        ),
        (
            "/a.tx",
            expect!["at byte 0: expected a plain name in a folder of the archive, found `/a.tx`"],
        ),
        (
            "A.txt",
            expect!["at byte 0: expected a plain name in a folder of the archive, found `A.txt`"],
        ),
        (
            "a\\txt",
            expect![[
                r#"at byte 0: expected a plain name in a folder of the archive, found `a\txt`"#
            ]],
        ),
        (
            "c:txt",
            expect!["at byte 0: expected a plain name in a folder of the archive, found `c:txt`"],
        ),
        (
            "a//tx",
            expect!["at byte 0: expected a plain name in a folder of the archive, found `a//tx`"],
        ),
        (
            "atxt/",
            expect!["at byte 0: expected a plain name in a folder of the archive, found `atxt/`"],
        ),
        (
            "./txt",
            expect!["at byte 0: expected a plain name in a folder of the archive, found `./txt`"],
        ),
        (
            "a\0txt",
            expect![[
                r#"at byte 0: expected a plain name in a folder of the archive, found `a\u{0}txt`"#
            ]],
        ),
    ] {
        check(|bytes| replace(bytes, b"a.txt", name.as_bytes()), &expected);
        assert!(write(&[(name.to_owned(), Cow::Borrowed(&b"x"[..]))].into()).is_err());
    }
}

#[test]
fn a_name_that_is_there_twice_or_out_of_order_is_refused() {
    check(
        |bytes| replace(bytes, b"data/c.txt", b"data/b.txt"),
        &expect!["at byte 79: expected each name once, in ascending order, found `data/b.txt`"],
    );
    check(
        |bytes| replace(bytes, b"data/c.txt", b"data/a.txt"),
        &expect!["at byte 79: expected each name once, in ascending order, found `data/a.txt`"],
    );
}

#[test]
fn what_would_have_to_be_unpacked_or_opened_is_refused() {
    check(
        |bytes| bytes[8] = 8,
        &expect!["at byte 0: expected a file that is stored as it is, found a packed one"],
    );
    check(
        |bytes| bytes[6] = 1,
        &expect!["at byte 0: expected a file that is not encrypted, found one that is"],
    );
    check(
        |bytes| bytes[6] = 8,
        &expect!["at byte 0: expected the one header that `a.txt` can have, found another"],
    );
    check(
        |bytes| bytes[18..26].fill(0xff),
        &expect!["at byte 0: expected sizes of a plain ZIP, found a promise of larger ones"],
    );
    check(|bytes| bytes[28] = 4, &expect!["at byte 0: expected no extra field, found one"]);
    check(
        |bytes| bytes[10] = 1,
        &expect!["at byte 0: expected the time that every file of an archive has, found another"],
    );
    check(
        |bytes| bytes[4] = 20,
        &expect!["at byte 0: expected the one header that `a.txt` can have, found another"],
    );
    check(
        |bytes| bytes[22..26].copy_from_slice(&[0xff, 0xff, 0xff, 0x7f]),
        &expect!["at byte 0: expected more bytes, found the end"],
    );
}

#[test]
fn bytes_before_between_and_after_are_refused() {
    check(|bytes| bytes.push(0), &expect!["at byte 309: expected the end, found more bytes"]);
    check(
        |bytes| bytes.insert(0, 0),
        &expect!["at byte 0: expected the directory of the files before it, found another"],
    );
    check(
        |bytes| bytes.insert(39, 0),
        &expect!["at byte 39: expected the directory of the files before it, found another"],
    );
    check(
        |bytes| bytes.truncate(bytes.len() - 1),
        &expect!["at byte 308: expected more bytes, found the end"],
    );
    check(|bytes| bytes.truncate(60), &expect!["at byte 39: expected more bytes, found the end"]);
    check(
        |bytes| *bytes = b"PK\x05\x06".to_vec(),
        &expect!["at byte 4: expected more bytes, found the end"],
    );
}

#[test]
fn a_directory_that_says_something_else_is_refused() {
    let central = |bytes: &[u8]| bytes.windows(4).position(|part| part == b"PK\x01\x02").unwrap();
    // Another offset: one entry would lie over another.
    check(
        |bytes| {
            let at = central(bytes);
            bytes[at + 42] = 1;
        },
        &expect!["at byte 166: expected the directory of the files before it, found another"],
    );
    // The attributes of a symbolic link.
    check(
        |bytes| {
            let at = central(bytes);
            bytes[at + 41] = 0xa1;
        },
        &expect!["at byte 165: expected the directory of the files before it, found another"],
    );
    // An entry that only the directory has.
    check(
        |bytes| {
            let at = central(bytes);
            let one = bytes[at..at + 51].to_vec();
            bytes.splice(at..at, one);
        },
        &expect!["at byte 191: expected the directory of the files before it, found another"],
    );
    // A comment at the end.
    check(
        |bytes| {
            let at = bytes.len() - 2;
            bytes[at] = 1;
            bytes.push(b'!');
        },
        &expect!["at byte 307: expected the directory of the files before it, found another"],
    );
}
