//! A bundle as text for a prompt: each item between two lines that its content cannot forge.
//!
//! ```text
//! --- 5c4b… inline:0 inline_text cite:9b21c67b
//! the content, as it is
//! --- 5c4b… end
//! ```
//!
//! The mark after the dashes is made from the digests of all contents, and
//! occurs in none of them. `cite:` and the anchor of the item, in square brackets, is how an answer
//! cites it, so that each citation can be checked. There are no instructions: the author of
//! the prompt writes those.

use dalil_proof::digest::Digest;

use crate::bundle::Bundle;
use crate::bundle::item::BundleItem;

/// The items of a bundle, each between its lines.
pub fn render(bundle: &Bundle) -> String {
    let mark = mark(&bundle.items);
    let around = mark.len() * 2 + 80;
    let size = bundle.items.iter().map(|item| item.content.len() + around).sum();
    let mut prompt = String::with_capacity(size);
    for BundleItem { anchor, head, content } in &bundle.items {
        let kind = head.evidence_type.as_str();
        let parts = [
            "--- ",
            &mark,
            " ",
            &head.evidence_id,
            " ",
            kind,
            " cite:",
            anchor.as_str(),
            "\n",
            content,
            "\n--- ",
            &mark,
            " end\n",
        ];
        parts.into_iter().for_each(|part| prompt.push_str(part));
    }
    prompt
}

/// A mark that occurs in no content: a prefix of a digest, longer if need be,
/// of another digest if even that is not enough.
fn mark(items: &[BundleItem]) -> String {
    // A content that holds the mark would have to hold a part of a digest that depends on it. An
    // attacker can write one only by chance, and the search below rules that out.
    let mut digest =
        Digest::of_parts(items.iter().map(|item| item.head.content_sha256.as_bytes().as_slice()));
    loop {
        let hex = digest.hex();
        let free = (MIN_BOUNDARY_DIGITS..=hex.len())
            .step_by(8)
            .filter_map(|length| hex.get(..length))
            .find(|mark| !items.iter().any(|item| item.content.contains(mark)));
        if let Some(mark) = free {
            return mark.to_owned();
        }
        // Contents are finite, so some digest in this sequence occurs in none of them.
        digest = Digest::of(digest.as_bytes());
    }
}

const MIN_BOUNDARY_DIGITS: usize = 16;
