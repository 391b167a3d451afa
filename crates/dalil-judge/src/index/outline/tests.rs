//! Outlines as bytes: written ones are read back, all other bytes are refused.

use dalil_documents::formats;
use dalil_proof::digest::Digest;

use super::*;

fn outline(name: &str, texts: &[&str]) -> DocumentOutline {
    let document = formats::read(texts.join("\n\n").as_bytes(), name).unwrap();
    let segment = IndexSegment::of(Digest::of(b""), texts);
    DocumentOutline::of(DocumentName::of(name, &document), &segment)
}

#[test]
fn what_is_written_is_read() {
    for (name, texts, script) in [
        ("leave.md", &["Annual leave is paid.", "Notice: 30 days."][..], Some(TextScript::Other)),
        ("قطر.txt", &["الإجازة السنوية مدفوعة.", "Notice", "مدة الإشعار"], Some(TextScript::Arabic)),
        ("both.txt", &["Notice", "الإشعار"], None),
        ("empty.txt", &[], None),
    ] {
        let made = outline(name, texts);
        assert_eq!(DocumentOutline::from_bytes(&made.to_bytes()), Ok(made.clone()), "{name}");
        assert_eq!(made.script(), script, "{name}");
    }
}

#[test]
fn other_bytes_are_refused() {
    let bytes = outline("leave policy.md", &["Annual leave is paid."]).to_bytes();
    let refused =
        |bytes: &[u8]| DocumentOutline::from_bytes(bytes) == Err(SegmentDecodeError::Bytes);
    for end in (0..bytes.len()).filter(|end| end % 8 != 0 || *end < 32) {
        assert!(refused(&bytes[..end]), "{end}");
    }
    let mut twice = bytes.clone();
    twice.extend_from_slice(&bytes[bytes.len() - 8..]);
    assert!(refused(&twice), "a word twice");
    assert!(refused(&[u8::MAX; 32]), "sums that would overflow");
}
