//! Pages of lists: a cursor says where the next one begins.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use dalil_core::fault::{Fault, quote};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::problem::{Kind, Problem};

/// Which part of a list is wanted.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// How many items at most.
    #[param(minimum = 1, maximum = 1000, default = 50)]
    pub(crate) limit: Option<u32>,
    /// The `next_cursor` of the page before.
    pub(crate) cursor: Option<String>,
}

/// A part of a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Page<T> {
    /// The items.
    pub(crate) items: Vec<T>,
    /// Where the next part begins; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next_cursor: Option<String>,
}

impl Wanted {
    /// How many items, and the record to begin at.
    pub(crate) fn place(&self) -> Result<(u32, u64), Problem> {
        let limit = self.limit.unwrap_or(USUAL);
        if limit == 0 || limit > MOST {
            let fault = Fault::new("range", "limit", format!("1 to {MOST}"), limit);
            return Err(Problem::fault(Kind::Malformed, fault));
        }
        let Some(cursor) = &self.cursor else { return Ok((limit, 0)) };
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(cursor).ok();
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        let from = text.and_then(|text| text.strip_prefix("from:").and_then(|at| at.parse().ok()));
        match from {
            Some(from) => Ok((limit, from)),
            None => {
                let expected = "the `next_cursor` of the page before";
                let fault = Fault::new("cursor", "cursor", expected, quote(cursor));
                Err(Problem::fault(Kind::Malformed, fault))
            }
        }
    }
}

impl<T> Page<T> {
    /// The first `limit` of the items, which are one more if there is a next page.
    pub(crate) fn of(mut items: Vec<T>, limit: u32, index: impl Fn(&T) -> u64) -> Self {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let next = items.get(limit).map(index);
        items.truncate(limit);
        Self { items, next_cursor: next.map(cursor) }
    }
}

/// The cursor that begins at a record.
pub(crate) fn cursor(from: u64) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(format!("from:{from}"))
}

const USUAL: u32 = 50;
const MOST: u32 = 1000;
