//! Digests: known values and the one accepted spelling.

use super::{Digest, DigestHasher, NotADigest};

const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

#[test]
fn known_values() {
    assert_eq!(Digest::of(b"").hex(), EMPTY);
    assert_eq!(Digest::of(b"").to_string(), format!("sha256:{EMPTY}"));
    assert_eq!(Digest::of_parts([b"ab".as_slice(), b"", b"c"]), Digest::of(b"abc"));
}

#[test]
fn only_the_canonical_spelling_is_read() {
    assert_eq!(format!("sha256:{EMPTY}").parse(), Ok(Digest::of(b"")));
    let short = EMPTY.get(1..).unwrap();
    for wrong in [
        EMPTY.to_owned(),
        format!("SHA256:{EMPTY}"),
        format!("sha256:{}", EMPTY.to_uppercase()),
        format!("sha256:{short}"),
        format!("sha256:{EMPTY}0"),
        format!("sha256:{short}g"),
        format!("sha256:{}é", EMPTY.get(2..).unwrap()),
    ] {
        assert_eq!(wrong.parse::<Digest>(), Err(NotADigest), "{wrong}");
    }
}

#[test]
fn a_running_digest_is_that_of_all_its_bytes() {
    let mut running = DigestHasher::default();
    running.update(b"a");
    running.update(b"");
    running.update(b"bc");
    assert_eq!(running.digest(), Digest::of(b"abc"));
}
