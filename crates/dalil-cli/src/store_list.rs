//! Lists of the contents of a store: lines for people, JSON for programs.

use std::fmt;

use dalil_proof::json::MAX_INTEGER;
use dalil_render::ledger::cell::width;
use dalil_render::plain_table;
use dalil_service::index::ListRange;
use serde::Serialize;

use crate::error::CliError;
use crate::reply::ReplyWriter;
use crate::store_args::{ListFormatArgs, StoreArgs};

#[cfg(test)]
mod tests;

/// Which part of a list is shown, and how.
#[derive(Debug, clap::Args)]
pub(crate) struct StoreListArgs {
    /// The maximum number of entries, the newest first
    #[arg(long, value_name = "COUNT", default_value_t = DEFAULT_LISTED)]
    limit: u32,

    #[command(flatten)]
    form: ListFormatArgs,

    #[command(flatten)]
    pub(crate) keeping: StoreArgs,
}

impl StoreListArgs {
    /// The newest ones.
    pub(crate) fn range(&self) -> ListRange {
        ListRange { from: MAX_INTEGER, limit: self.limit, newest: true }
    }

    /// Replies with the items, a line for each.
    pub(crate) fn show<T: Serialize, const N: usize>(
        &self,
        reply: &ReplyWriter,
        items: Vec<T>,
        table: ListColumns<T, N>,
    ) -> Result<(), CliError> {
        let columns = reply.columns().unwrap_or(usize::MAX);
        self.form.show(reply, &StoreList { items, table, columns })
    }
}

/// The heading of a list, and the cells of one of its items; the last one may be cut.
pub(crate) struct ListColumns<T, const N: usize> {
    pub(crate) heading: [&'static str; N],
    pub(crate) cells: fn(&T) -> [String; N],
}

#[derive(Serialize)]
#[serde(transparent)]
struct StoreList<T, const N: usize> {
    items: Vec<T>,
    #[serde(skip)]
    table: ListColumns<T, N>,
    #[serde(skip)]
    columns: usize,
}

impl<T, const N: usize> fmt::Display for StoreList<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.items.iter().map(self.table.cells);
        for line in plain_table::lines(self.table.heading, rows) {
            writeln!(f, "{}", cut(&line, self.columns))?;
        }
        Ok(())
    }
}

/// Cuts a line to some columns; a sign marks the cut.
fn cut(line: &str, columns: usize) -> String {
    if width(line) <= columns {
        return line.to_owned();
    }
    let mut kept = String::new();
    for ch in line.chars() {
        if width(&kept) + width(&ch.to_string()) >= columns {
            break;
        }
        kept.push(ch);
    }
    format!("{}…", kept.trim_end())
}

/// A time to the minute.
pub(crate) fn minute(time: &str) -> String {
    time.get(..16).unwrap_or(time).replace('T', " ")
}

/// How many are shown by default: a screen.
const DEFAULT_LISTED: u32 = 20;
