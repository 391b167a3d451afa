//! Rows about what was asked for, given and used.

use dalil_proof::record::Actor;
use dalil_proof::time::Time;
use dalil_store::IndexedRow;
use dalil_store::catalog::MatterRow;

pub(super) fn has_ended(line: &IndexedRow<MatterRow>, now: Time) -> bool {
    // Without an end it is over, so a damaged row approves nothing.
    line.row.expires_at.is_none_or(|end| end <= now)
}

/// The record that used an approval.
pub(super) fn use_of(
    known: &[IndexedRow<MatterRow>],
    given: &IndexedRow<MatterRow>,
) -> Option<u64> {
    let id = &given.row.approval_id;
    let used = known.iter().find(|line| is(line, CHANGE_USED) && line.row.approval_id == *id);
    used.map(|line| line.index)
}

/// The first use of any approval of the matter after a record.
pub(super) fn used_since(known: &[IndexedRow<MatterRow>], index: u64) -> Option<u64> {
    let used = known.iter().find(|line| is(line, CHANGE_USED) && line.index > index);
    used.map(|line| line.index)
}

pub(super) fn is(line: &IndexedRow<MatterRow>, change: &str) -> bool {
    line.row.change == change
}

pub(super) fn name(actor: &Actor) -> &str {
    match actor {
        Actor::Agent(name) | Actor::Person(name) => name,
        Actor::System => "system",
    }
}

pub(super) const CHANGE_ASKED: &str = "asked";
pub(super) const CHANGE_GIVEN: &str = "given";
pub(super) const CHANGE_USED: &str = "used";
