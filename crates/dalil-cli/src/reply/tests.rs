//! Replies: what a terminal is not made to do.

use super::visible;

#[test]
fn foreign_text_cannot_steer_a_terminal() {
    assert_eq!(
        visible("a\tb\r\n\u{1b}[2J\u{202e}c\u{2066}"),
        "a\tb\\u{d}\n\\u{1b}[2J\\u{202e}c\\u{2066}"
    );
    assert_eq!(visible("مرحبا\u{200f}!"), "مرحبا\u{200f}!");
}
