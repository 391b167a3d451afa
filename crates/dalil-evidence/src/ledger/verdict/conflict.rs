//! Documents that disagree about a claim: whose word counts.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::{RelevantMatch, Stance};
use crate::ledger::request::document::DocumentDate;

/// How a verdict was found where one document supports what another contradicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConflictRuling {
    /// By the document that the answer cites or names.
    Named,
    /// By the later document, which amends the other.
    Amended,
    /// By none: the contradiction remains.
    Open,
}

impl ConflictRuling {
    /// The published words.
    pub const WIRE_NAMES: [(&'static str, Self); 3] =
        [("named", Self::Named), ("amended", Self::Amended), ("open", Self::Open)];
}

/// The documents that the verdict follows from: all of them, unless they disagree.
#[derive(Debug)]
pub(super) struct PrevailingDocuments<'m> {
    /// Their ids; nothing where documents do not disagree.
    ids: Option<HashSet<&'m str>>,
    /// How they were chosen.
    pub(super) ruling: Option<ConflictRuling>,
}

impl<'m> PrevailingDocuments<'m> {
    pub(super) fn among(all: &[RelevantMatch<'m>]) -> Self {
        let sides: Vec<RelevantMatch<'m>> =
            all.iter().filter(|one| one.takes_a_side()).copied().collect();
        if !disagree(&sides) {
            return Self { ids: None, ruling: None };
        }
        // An answer that names its documents is held against those alone.
        let named: HashSet<&str> =
            sides.iter().filter(|one| one.found.named).map(RelevantMatch::document).collect();
        let base = if named.is_empty() { sides } else { of(&sides, |id| named.contains(id)) };
        let amended = amended(&base);
        let current = of(&base, |id| !amended.contains(id));
        // Documents that amend each other settle nothing.
        let current = if current.is_empty() { base.clone() } else { current };
        let ruling = match (disagree(&base), disagree(&current)) {
            (false, _) => ConflictRuling::Named,
            (true, false) => ConflictRuling::Amended,
            (true, true) => ConflictRuling::Open,
        };
        let ids = current.iter().map(RelevantMatch::document).collect();
        Self { ids: Some(ids), ruling: Some(ruling) }
    }

    pub(super) fn include(&self, one: &RelevantMatch<'_>) -> bool {
        self.ids.as_ref().is_none_or(|ids| ids.contains(one.document()))
    }
}

/// The matches of some documents.
fn of<'m>(sides: &[RelevantMatch<'m>], keep: impl Fn(&str) -> bool) -> Vec<RelevantMatch<'m>> {
    sides.iter().filter(|one| keep(one.document())).copied().collect()
}

/// Whether one document supports what another contradicts; one that does both is not two.
fn disagree(sides: &[RelevantMatch<'_>]) -> bool {
    let ids = |keep: fn(Stance) -> bool| -> HashSet<&str> {
        sides.iter().filter(|one| keep(one.stance)).map(RelevantMatch::document).collect()
    };
    let (supporting, against) = (ids(Stance::is_for), ids(|one| one == Stance::Contradicts));
    let one_does_both = supporting.len() == 1 && supporting == against;
    !supporting.is_empty() && !against.is_empty() && !one_does_both
}

/// The documents that another of these claims to amend, unless dates show that the other is the
/// earlier.
fn amended<'m>(sides: &[RelevantMatch<'m>]) -> HashSet<&'m str> {
    let mut dates: HashMap<&str, &DocumentDate> = HashMap::new();
    for one in sides {
        if let Some(date) = &one.found.document.date {
            dates.entry(one.document()).or_insert(date);
        }
    }
    // A document is believed to amend another unless the dates of both refute it.
    let is_earlier = |new: &str, old: &str| match (dates.get(new), dates.get(old)) {
        (Some(new), Some(old)) => new.is_before(old),
        _ => false,
    };
    let mut amended = HashSet::new();
    for one in sides {
        let id = one.document();
        let older = one.found.amends.iter().map(String::as_str);
        // A document that names itself would silence its own passages.
        amended.extend(older.filter(|old| *old != id && !is_earlier(id, old)));
    }
    amended
}
