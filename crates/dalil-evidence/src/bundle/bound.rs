//! Bounding: the longest prefix of whole characters, and the items that fit.

use serde::Serialize;

/// How an item was bounded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ItemBounding {
    /// Whether anything was left out of the item.
    pub applied: bool,
    /// How long the content is, in bytes.
    pub bounded_size: usize,
    /// The part that was left out, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// How long the text was, in bytes.
    pub original_size: usize,
    /// Where the text was cut, when it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncation_point: Option<usize>,
}

impl ItemBounding {
    /// Bounds a text that stays `bounded_size` long; `shortened` describes the parts that its
    /// extraction had left out already.
    pub(super) fn of(
        original_size: usize,
        bounded_size: usize,
        limit: usize,
        shortened: Option<String>,
    ) -> Self {
        let cut = bounded_size < original_size;
        let truncated = cut.then(|| format!("Truncated to {limit} byte limit"));
        let notes: Vec<String> = truncated.into_iter().chain(shortened).collect();
        Self {
            applied: !notes.is_empty(),
            original_size,
            bounded_size,
            truncation_point: cut.then_some(bounded_size),
            note: (!notes.is_empty()).then(|| notes.join("; ")),
        }
    }
}

/// The longest prefix of whole characters within `limit` bytes, and the record of it.
pub fn item(text: &str, limit: usize) -> (&str, ItemBounding) {
    let content = prefix(text, limit);
    (content, ItemBounding::of(text.len(), content.len(), limit, None))
}

/// The longest prefix of whole characters within `limit` bytes.
pub(super) fn prefix(text: &str, limit: usize) -> &str {
    // A limit behind the text gives its length, and a boundary always slices.
    text.get(..text.floor_char_boundary(limit)).unwrap_or(text)
}

/// The effect of the limits of the whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BundleBounding {
    /// Whether any item was cut.
    pub applied: bool,
    /// How many items were offered.
    pub original_count: usize,
    /// How many were kept.
    pub final_count: usize,
    /// How many were cut.
    pub items_dropped: usize,
    /// How many bytes were kept.
    pub total_bytes: usize,
    /// How many could have been.
    pub max_total_bytes: usize,
    /// The same in words, when any item was cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A limit of the whole bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BundleLimit {
    /// Too many items before it.
    MaxItems,
    /// No room for its bytes.
    MaxTotalBytes,
}

/// Decides for each size, in order, whether its item is kept: at most the first `max_items`, and of
/// these each that still fits.
pub fn choose(
    sizes: &[usize],
    max_items: usize,
    max_total_bytes: usize,
) -> (Vec<Result<(), BundleLimit>>, BundleBounding) {
    let mut total_bytes = 0_usize;
    let mut fates = Vec::with_capacity(sizes.len());
    for (n, size) in sizes.iter().enumerate() {
        // By place and not by the number kept: an item too large for the bytes left takes its
        // place.
        let fate = if n >= max_items {
            Err(BundleLimit::MaxItems)
        } else if total_bytes.saturating_add(*size) > max_total_bytes {
            Err(BundleLimit::MaxTotalBytes)
        } else {
            total_bytes += size;
            Ok(())
        };
        fates.push(fate);
    }
    let dropped = fates.iter().filter(|fate| fate.is_err()).count();
    let bounding = BundleBounding {
        applied: dropped > 0,
        original_count: sizes.len(),
        final_count: sizes.len() - dropped,
        items_dropped: dropped,
        total_bytes,
        max_total_bytes,
        note: (dropped > 0).then(|| format!("Dropped {dropped} items to meet bundle limits")),
    };
    (fates, bounding)
}
