use super::super::write::closing;
use super::sample::Sample;
use crate::digest::Digest;
use crate::report::CheckStatus;

/// Every byte: the closing line covers the bytes that no signature covers.
#[test]
fn a_file_with_one_bit_flipped_never_passes() {
    let sample = Sample::new();
    let bytes = sample.bytes(0);
    assert_eq!(sample.verify(&bytes).report.verdict(), CheckStatus::Pass);
    for n in 0..bytes.len() {
        let mut spoilt = bytes.clone();
        spoilt[n] ^= 1 << (n % 8);
        let verdict = sample.verify(&spoilt).report.verdict();
        assert_eq!(verdict, CheckStatus::Fail, "byte {n}");
    }
}

/// The closing line is written anew, like an attacker would: the other checks cover everything
/// else.
#[test]
fn a_file_with_one_bit_flipped_and_closed_anew_never_passes() {
    let sample = Sample::new();
    let bytes = sample.bytes(0);
    let end = bytes.windows(7).position(|window| window == b"{\"end\":").unwrap();
    for n in 0..end {
        let mut spoilt = bytes[..end].to_vec();
        spoilt[n] ^= 1 << (n % 5);
        let line = closing(5, Digest::of(&spoilt));
        spoilt.extend(line.as_bytes());
        let verdict = sample.verify(&spoilt).report.verdict();
        assert_ne!(verdict, CheckStatus::Pass, "byte {n}");
    }
}

/// Every part that is cut off the end shows.
#[test]
fn a_file_that_is_cut_never_passes() {
    let sample = Sample::new();
    let bytes = sample.bytes(0);
    for end in 0..bytes.len() {
        let verdict = sample.verify(&bytes[..end]).report.verdict();
        assert_eq!(verdict, CheckStatus::Fail, "cut at {end}");
    }
}
