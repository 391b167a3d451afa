//! The path of a tile: `L/N[.p/W]` or `entries/N[.p/W]`, as C2SP `tlog-tiles` writes it.

use std::fmt;
use std::ops::Range;

#[cfg(test)]
mod tests;

/// The kind of a tile's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TileKind {
    /// Hashes of subtrees of a level.
    Hashes {
        /// The level, from the leaves up.
        level: usize,
    },
    /// The leaves themselves.
    Entries,
}

/// Which tile is asked for, and how much of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TilePath {
    pub(super) kind: TileKind,
    /// Which one of its level.
    pub(super) number: u64,
    /// How many of its 256 hashes or entries, from the first on.
    pub(super) width: usize,
}

impl TilePath {
    /// Reads a path; only the spelling of the specification is one.
    pub(super) fn parse(path: &str) -> Option<Self> {
        let (kind, rest) = path.split_once('/')?;
        let kind = match kind {
            "entries" => TileKind::Entries,
            level => {
                TileKind::Hashes { level: level.parse::<usize>().ok().filter(|level| *level < 64)? }
            }
        };
        let (number, width) = match rest.split_once(".p/") {
            Some((number, width)) => {
                (number, width.parse::<usize>().ok().filter(|width| *width < FULL)?)
            }
            None => (rest, FULL),
        };
        let digits: String = number.split('/').map(|group| group.trim_start_matches('x')).collect();
        let parsed = Self { kind, number: digits.parse().ok()?, width };
        // Another spelling of a path would be cached twice, and never compared.
        (width > 0 && parsed.to_string() == path).then_some(parsed)
    }

    /// The places of its leaves, if it is a tile of entries.
    pub(super) fn leaves(&self) -> Option<Range<u64>> {
        let start = self.number.checked_mul(FULL as u64)?;
        Some(start..start.checked_add(self.width as u64)?)
    }
}

impl fmt::Display for TilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            TileKind::Hashes { level } => write!(f, "{level}/")?,
            TileKind::Entries => f.write_str("entries/")?,
        }
        let mut groups = vec![self.number % 1000];
        let mut rest = self.number / 1000;
        while rest > 0 {
            groups.push(rest % 1000);
            rest /= 1000;
        }
        let (last, above) = (groups.first().copied().unwrap_or(0), groups.get(1..).unwrap_or(&[]));
        above.iter().rev().try_for_each(|group| write!(f, "x{group:03}/"))?;
        write!(f, "{last:03}")?;
        if self.width < FULL { write!(f, ".p/{}", self.width) } else { Ok(()) }
    }
}

/// How many hashes or entries a full tile has.
const FULL: usize = 256;
