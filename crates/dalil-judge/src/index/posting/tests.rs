//! Postings as bytes: what is written is read, and nothing else.

use dalil_proof::digest::Digest;

use super::super::term::terms;
use super::*;

fn segment(texts: &[&str]) -> IndexSegment {
    IndexSegment::of(Digest::of(b""), texts)
}

#[test]
fn what_is_written_is_read() {
    let long = "notice ".repeat(300);
    let mut writer = PostingWriter::default();
    let english = segment(&["Notice: 30 days.", "Leave.", &long]);
    let arabic = segment(&["الإشعار notice مدته ثلاثون يوما"]);
    writer.add(3, &english);
    writer.add(4, &segment(&[]));
    writer.add(900, &arabic);
    let notice = terms("notice")[0];
    let lists: Vec<_> = writer.into_lists().collect();
    let (_, list) = lists.iter().find(|(term, _)| *term == notice).unwrap();
    let mut read = Vec::new();
    read_postings(&list.bytes, &mut read).unwrap();
    let plain = |document, chunk, times, length, script| ChunkPosting {
        document,
        chunk,
        times,
        length,
        script,
        is_heading: false,
    };
    assert_eq!(list.chunks, 3);
    assert_eq!(
        read,
        [
            plain(3, 0, 1.0, english.length(0), TextScript::Other),
            plain(3, 2, 127.0, 300, TextScript::Other),
            plain(900, 0, 1.0, arabic.length(0), TextScript::Arabic),
        ]
    );
}

#[test]
fn other_bytes_are_refused() {
    let mut writer = PostingWriter::default();
    writer.add(3, &segment(&["Notice is 30 days."]));
    let (_, list) = writer.into_lists().next().unwrap();
    for end in 1..list.bytes.len() {
        assert_eq!(read_postings(&list.bytes[..end], &mut Vec::new()), None, "{end}");
    }
    for bytes in [&[0xff; 9][..], &[0, 0], &[0x80, 0x80, 0x80, 0x80, 0x80, 1, 0, 1, 4]] {
        assert_eq!(read_postings(bytes, &mut Vec::new()), None, "{bytes:?}");
    }
    // Places beyond the largest number.
    let far = [0xff, 0xff, 0xff, 0xff, 0x0f, 0, 1, 4, 1, 0, 1, 4];
    assert_eq!(read_postings(&far, &mut Vec::new()), None);
}
