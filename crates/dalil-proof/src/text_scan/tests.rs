//! Scanning by words and blocks agrees with a loop over bytes.

use super::{is_plain_key, must_escape, plain_length};

#[test]
fn every_byte_is_found_at_every_place() {
    for length in 0..100 {
        for byte in 0..=u8::MAX {
            for at in 0..length {
                let mut text = vec![b'a'; length];
                text[at] = byte;
                let expected = if must_escape(byte) { at } else { length };
                assert_eq!(plain_length(&text), expected, "byte {byte} at {at} of {length}");
            }
        }
    }
}

#[test]
fn the_first_of_several_is_found_among_bytes_that_borrow() {
    // Subtraction borrows from the next byte: bytes after a find must not hide or make one.
    for first in [0x00, 0x1f, 0x20, 0x21, 0x22, 0x23, 0x5b, 0x5c, 0x5d, 0x7f, 0x80, 0xff] {
        for second in 0..=u8::MAX {
            for at in 0..15 {
                let mut text = [0xd9; 16];
                (text[at], text[at + 1]) = (first, second);
                let expected = text.iter().position(|byte| must_escape(*byte)).unwrap_or(16);
                assert_eq!(plain_length(&text), expected, "{first} and {second} at {at}");
            }
        }
    }
}

#[test]
fn a_key_is_plain_without_escapes_and_other_scripts_wherever_they_stand() {
    for length in 0..40 {
        for byte in 0..=u8::MAX {
            for at in 0..length {
                let mut key = vec![b'a'; length];
                key[at] = byte;
                let expected = byte.is_ascii() && byte != b'\\';
                assert_eq!(is_plain_key(&key), expected, "byte {byte} at {at} of {length}");
            }
        }
        assert!(is_plain_key(&vec![b'a'; length]));
    }
}
