//! Postings as bytes: written ones are read back, all other bytes are refused.

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
    read_postings(&list.bytes, list.chunks, &mut read).unwrap();
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
    assert_eq!(list.chunks, 1);
    for end in 0..list.bytes.len() {
        assert_eq!(read_postings(&list.bytes[..end], 1, &mut Vec::new()), None, "{end}");
    }
    for bytes in [&[0xff; 9][..], &[0, 0], &[0x80, 0x80, 0x80, 0x80, 0x80, 1, 0, 1, 4]] {
        assert_eq!(read_postings(bytes, 1, &mut Vec::new()), None, "{bytes:?}");
    }
    // Places beyond the largest number.
    let far = [0xff, 0xff, 0xff, 0xff, 0x0f, 0, 1, 4, 1, 0, 1, 4];
    assert_eq!(read_postings(&far, 2, &mut Vec::new()), None);
}

#[test]
fn more_or_fewer_postings_than_are_stated_are_refused() {
    let mut writer = PostingWriter::default();
    writer.add(0, &segment(&["notice", "notice", "notice"]));
    let (_, list) = writer.into_lists().next().unwrap();
    let read = |chunks: u32| {
        let mut read = Vec::new();
        read_postings(&list.bytes, chunks, &mut read).map(|()| read.len())
    };
    assert_eq!([0, 2, 3, 4, u32::MAX].map(read), [None, None, Some(3), None, None]);
}

#[test]
fn no_posting_is_longer_than_the_limit() {
    let length = |number: u64| {
        let mut bytes = Vec::new();
        put(&mut bytes, number);
        bytes.len()
    };
    let (place, kind) = (u64::from(u32::MAX), u64::from(u32::MAX) << 2 | 3);
    assert_eq!(2 * length(place) + 1 + length(kind), MAX_POSTING_BYTES);
}
