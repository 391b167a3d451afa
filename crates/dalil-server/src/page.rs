//! Pagination of lists: a cursor marks the start of the next page.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use dalil_phrasebook::{Phrase, bound, expected};
use dalil_proof::fault::{Fault, quoted};
use dalil_service::index::ListRange;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::problem::{ApiProblem, ProblemKind};

/// Which part of a list is wanted.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PageQuery {
    /// The maximum number of items.
    #[param(minimum = 1, maximum = 1000, default = 50)]
    pub(crate) limit: Option<u32>,
    /// The `next_cursor` of the previous page, in the same order.
    pub(crate) cursor: Option<String>,
    /// Whether the oldest or the newest come first.
    #[param(inline)]
    pub(crate) order: Option<ListOrder>,
}

/// Which items come first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ListOrder {
    /// The oldest: the order in which things were recorded.
    #[default]
    Oldest,
    /// The newest.
    Newest,
}

/// A part of a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct CursorPage<T> {
    /// The items.
    pub(crate) items: Vec<T>,
    /// Where the next part begins; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next_cursor: Option<String>,
}

impl PageQuery {
    /// The range that is read: one item more than a page shows whether there is a next page.
    pub(crate) fn place(&self) -> Result<ListRange, ApiProblem> {
        let limit = self.limit.unwrap_or(DEFAULT_PAGE_ITEMS);
        if limit == 0 || limit > MAX_PAGE_ITEMS {
            let fault = Fault::new(
                "range",
                "limit",
                bound::from_one_to(MAX_PAGE_ITEMS),
                Phrase::verbatim(limit),
            );
            return Err(ApiProblem::fault(ProblemKind::Malformed, fault));
        }
        let newest = self.order == Some(ListOrder::Newest);
        let part =
            ListRange { from: if newest { MAX_RECORD_INDEX } else { 0 }, limit: limit + 1, newest };
        let Some(cursor) = &self.cursor else { return Ok(part) };
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(cursor).ok();
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        // A cursor names its order: in the other one it would skip or repeat items.
        let from = text.and_then(|text| text.strip_prefix(word(newest))?.parse().ok());
        match from {
            Some(from) => Ok(ListRange { from, ..part }),
            None => {
                let expected = expected::the_next_cursor_of_the_page_before_of_the_same_order();
                let fault = Fault::new("cursor", "cursor", expected, quoted(cursor));
                Err(ApiProblem::fault(ProblemKind::Malformed, fault))
            }
        }
    }
}

impl<T> CursorPage<T> {
    /// The requested page of a list.
    pub(crate) async fn list<E: Into<ApiProblem>>(
        wanted: &PageQuery,
        list: impl AsyncFnOnce(ListRange) -> Result<Vec<T>, E>,
        index: impl Fn(&T) -> u64,
    ) -> Result<Self, ApiProblem> {
        let part = wanted.place()?;
        Ok(Self::of(list(part).await.map_err(Into::into)?, part, index))
    }

    /// The items of a part without the last, where the next page begins if there is one.
    pub(crate) fn of(mut items: Vec<T>, part: ListRange, index: impl Fn(&T) -> u64) -> Self {
        let limit = usize::try_from(part.limit.saturating_sub(1)).unwrap_or(usize::MAX);
        let next = items.get(limit).map(index);
        items.truncate(limit);
        Self { items, next_cursor: next.map(|from| cursor(from, part.newest)) }
    }
}

/// The cursor that begins at a record.
pub(crate) fn cursor(from: u64, newest: bool) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(format!("{}{from}", word(newest)))
}

const fn word(newest: bool) -> &'static str {
    if newest { "back:" } else { "from:" }
}

/// The largest index of a record.
pub(crate) const MAX_RECORD_INDEX: u64 = i64::MAX.unsigned_abs();

const DEFAULT_PAGE_ITEMS: u32 = 50;
const MAX_PAGE_ITEMS: u32 = 1000;
