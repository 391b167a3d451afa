//! Replies: characters that must not reach a terminal.

use super::visible;

#[test]
fn foreign_text_cannot_steer_a_terminal() {
    assert_eq!(
        visible("a\tb\r\n\r\u{1b}[2J\u{9b}\u{202e}c\u{2066}"),
        "a\tb\n\\u{d}\\u{1b}[2J\\u{9b}\\u{202e}c\\u{2066}"
    );
    assert_eq!(visible("مرحبا\u{200f}!"), "مرحبا\u{200f}!");
}
