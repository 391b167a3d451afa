use super::*;

#[test]
fn any_buffer_begins_at_a_line() {
    for length in [0, 1, 63, 64, 65, 4096, 1 << 20] {
        let mut bytes = AlignedBytes::zeroed(length).unwrap();
        assert_eq!(bytes.as_slice().as_ptr().addr() % CACHE_LINE_BYTES, 0);
        assert_eq!(bytes.as_slice(), vec![0; length]);
        bytes.as_mut_slice().fill(7);
        assert_eq!(bytes.as_slice(), vec![7; length]);
    }
}

#[test]
fn more_than_can_be_addressed_is_none() {
    assert!(AlignedBytes::zeroed(usize::MAX).is_none());
}
