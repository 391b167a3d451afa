//! Rows about requested, given and used approvals.

use dalil_evidence::name::is_confusable_with;
use dalil_proof::record::Actor;
use dalil_proof::time::Time;
use dalil_store::catalog::MatterRow;
use dalil_store::{IndexedRow, Tenant};
use serde_json::Value;

use crate::operation::OperationFailure;

/// Everything that was asked for, given and used about one object, seen from one of its matters.
pub(super) struct ObjectMatters {
    lines: Vec<IndexedRow<MatterRow>>,
    digest: String,
    /// The matter itself, as JSON without its reason and its language.
    action: Option<Value>,
}

impl ObjectMatters {
    /// Reads the records about an object, for the matter with this digest and content.
    pub(super) async fn of(
        tenant: &Tenant,
        object: &str,
        (digest, said): (String, &[u8]),
    ) -> Result<Self, OperationFailure> {
        let lines = tenant.select(&MatterRow::query().object(object)).await?;
        Ok(Self { lines, digest, action: action(said) })
    }

    /// The lines of the matter itself, in order.
    pub(super) fn same(&self) -> impl DoubleEndedIterator<Item = &IndexedRow<MatterRow>> {
        self.lines.iter().filter(|line| line.row.matter == self.digest)
    }

    /// The record in which a person of this name asked for it.
    ///
    /// A person who asked for exactly this does not approve it, however long ago that was and
    /// whatever became of it. Nor does one with an open request for the same action in other words:
    /// two people would otherwise ask for each other's request with another reason.
    pub(super) fn asked_by(&self, name: &str, now: Time) -> Option<u64> {
        // Confusable, not equal: another spelling of one's own name is no second person.
        let asked = |line: &&IndexedRow<MatterRow>| {
            is(line, CHANGE_ASKED) && is_confusable_with(&line.row.who, name)
        };
        let same = |line: &&IndexedRow<MatterRow>| {
            let open = !has_ended(line, now) && self.used_since(line).is_none();
            let said = || line.row.said.as_deref().and_then(|said| action(said.as_bytes()));
            line.row.matter == self.digest || open && self.action.is_some() && said() == self.action
        };
        self.lines.iter().filter(asked).find(same).map(|line| line.index)
    }

    /// The record that used an approval.
    pub(super) fn use_of(&self, given: &IndexedRow<MatterRow>) -> Option<u64> {
        use_of(&self.lines, given)
    }

    /// The first use of any approval of the matter of a line, after it.
    pub(super) fn used_since(&self, line: &IndexedRow<MatterRow>) -> Option<u64> {
        let used = |other: &&IndexedRow<MatterRow>| {
            is(other, CHANGE_USED)
                && other.row.matter == line.row.matter
                && other.index > line.index
        };
        self.lines.iter().find(used).map(|other| other.index)
    }
}

/// The action of a matter, without its reason and its language.
fn action(said: &[u8]) -> Option<Value> {
    let mut matter: Value = serde_json::from_slice(said).ok()?;
    let fields = matter.as_object_mut()?;
    fields.remove("reason");
    fields.remove("language");
    Some(matter)
}

pub(super) fn has_ended(line: &IndexedRow<MatterRow>, now: Time) -> bool {
    // Without an end it is over, so a damaged row approves nothing.
    line.row.expires_at.is_none_or(|end| end <= now)
}

fn use_of(known: &[IndexedRow<MatterRow>], given: &IndexedRow<MatterRow>) -> Option<u64> {
    let id = &given.row.approval_id;
    let used = known.iter().find(|line| is(line, CHANGE_USED) && line.row.approval_id == *id);
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
