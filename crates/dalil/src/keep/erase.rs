//! Erasing: payloads, rows and objects go; the records stay and say so.

use std::collections::BTreeSet;
use std::fmt;

use dalil_core::access::Action;
use dalil_core::canon;
use dalil_core::digest::Digest;
use dalil_core::erasure::{self, FIELD, LegalBasis, Request, Target, may_erase};
use dalil_core::fault::Fault;
use dalil_core::hold::Scope;
use dalil_core::record::Kind;
use dalil_core::time::Time;
use dalil_store::lake::{Erasure, Listed};
use dalil_store::trail::{Held, State, Stored};
use dalil_store::{Draft, Entry, Error, Row, Table, Tenant, Unless, Value};
use serde::Serialize;

use super::approval::{self, Approved, Asked};
use super::line::{row, whole};
use super::member::approved;
use super::{Ack, Deed, Failure, answered, bytes, held_bytes, hold, one, word};

/// What an erasure did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Erased {
    /// Where its own record stands; none for a rehearsal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<Ack>,
    /// The records whose payloads went.
    pub erased: Vec<u64>,
}

/// What an erasure did to the lake. No record keeps it: a digest tells of what it is of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Released {
    /// Objects that went, or in a rehearsal would go if no other record needs them.
    pub gone: Vec<Digest>,
    /// Objects of the erased records that stay: another record needs them, or a bucket locks them.
    pub kept: Vec<Digest>,
}

/// Which records to erase, and whether to do it.
#[derive(Clone, Debug)]
pub struct Order {
    /// Which records.
    pub scope: Scope,
    /// On which basis.
    pub legal_basis: LegalBasis,
    /// On whose word.
    pub approved: Approved,
    /// Only these of the scope; empty for all that may be erased.
    pub records: Vec<u64>,
    /// Decide, and do nothing.
    pub rehearse: bool,
}

/// What a key stands for.
#[derive(Serialize)]
struct Named<'o> {
    #[serde(flatten)]
    request: Request,
    records: &'o [u64],
    rehearse: bool,
}

/// Erases what the rules allow, all of it or nothing.
///
/// The record, its rows and the deletion of payloads and rows are one
/// transaction. Objects of the lake go after it; if the program ends in
/// between, a second try under the same key finishes, or `fsck --sweep`.
///
/// # Errors
/// Every record that is in the way: a hold, the retention time, a kind that stays.
pub async fn erase(
    tenant: &Tenant,
    order: &Order,
    deed: &Deed,
) -> Result<(Erased, Released), Failure> {
    let (request, records) = (order.request(&order.approved.names().join(", ")), &order.records);
    let named = Named { request, records, rehearse: order.rehearse };
    let key = deed.named("erase", &canon::bytes(&named)?)?;
    if let Some(acks) = answered(tenant, key.as_ref()).await? {
        return again(tenant, one(acks)?).await;
    }
    let (holds, since) = hold::replay(tenant).await?;
    let (targets, objects, packs) = targets(tenant, order, since).await?;
    if targets.is_empty() {
        let found = "none that is there and may go";
        return Err(Fault::new("scope", "scope", "a record with a payload", found).into());
    }
    erasure::decide(&order.request(NOBODY), &targets, &holds, deed.at)?;
    let (approver, used) = approvals(tenant, order, deed).await?;
    let request = order.request(&approver);
    let erasure = erasure::decide(&request, &targets, &holds, deed.at)?;
    let erased = erasure.erased().to_vec();
    let subject = subject(&order.scope);
    if let Approved::Named(names) = &order.approved {
        for name in names {
            approved(tenant, name, Action::Administer, &subject, deed).await?;
        }
    }
    if order.rehearse {
        let gone = objects.into_iter().collect();
        return Ok((Erased { record: None, erased }, Released { gone, kept: Vec::new() }));
    }
    let field = erasure.bytes();
    let mut rows = rows(&request, &erased, deed)?;
    rows.extend(packs);
    let draft = deed.draft(Kind::PayloadErased, &subject, vec![bytes(FIELD, field)], rows);
    let drafts = std::iter::once(draft).chain(used).collect();
    let unless = Unless::Kinds { since, kinds: CHANGES };
    let placed = tenant.append_unless(Entry { drafts, key }, unless).await?;
    let record = one(placed.into_iter().map(Ack::from).collect())?;
    let permit = Erasure::recorded(tenant.name(), record.index);
    let objects: Vec<Digest> = objects.into_iter().collect();
    let gone = tenant.release(&objects, &permit).await?;
    let kept = objects.into_iter().filter(|object| !gone.contains(object)).collect();
    Ok((Erased { record: Some(record), erased }, Released { gone, kept }))
}

/// Who approved, and the record that it was used.
async fn approvals(
    tenant: &Tenant,
    order: &Order,
    deed: &Deed,
) -> Result<(String, Option<Draft>), Failure> {
    let Order { scope, legal_basis, records, .. } = order;
    match &order.approved {
        Approved::Named(names) => Ok((names.join(", "), None)),
        // Nothing goes, so nobody has approved it.
        Approved::Given if order.rehearse => Ok((NOBODY.to_owned(), None)),
        Approved::Given => {
            let (scope, records) = (scope.clone(), records.clone());
            let asked = Asked::Erase { scope, legal_basis: *legal_basis, records };
            let (matter, terms) = approval::resolve(tenant, &asked).await?;
            let all = approval::found(tenant, &matter, &terms, deed).await?;
            let names: Vec<&str> = all.iter().map(|one| one.vote.approver.as_str()).collect();
            Ok((names.join(", "), approval::used(&matter, &terms, &all, deed)?))
        }
    }
}

impl Order {
    fn request(&self, approver: &str) -> Request {
        let (scope, legal_basis) = (self.scope.clone(), self.legal_basis);
        Request { scope, legal_basis, approver: approver.to_owned() }
    }
}

/// The first answer, from the erasure's own record, and what was left of it to do.
async fn again(tenant: &Tenant, record: Ack) -> Result<(Erased, Released), Failure> {
    let stored = tenant.record(record.index).await?;
    let field = stored.as_ref().and_then(|stored| held_bytes(stored, FIELD));
    let erased = erasure::Erasure::parse(field.unwrap_or_default())?.erased().to_vec();
    let mut unneeded = Vec::new();
    let mut listing = tenant.lake()?.list();
    while let Some(listed) = listing.next().await? {
        if let Listed::Object { digest, .. } = listed {
            unneeded.push(digest);
        }
    }
    let permit = Erasure::recorded(tenant.name(), record.index);
    let gone = tenant.release(&unneeded, &permit).await?;
    Ok((Erased { record: Some(record), erased }, Released { gone, kept: Vec::new() }))
}

/// The records that are meant, the objects that they need, and what stays of packs among them:
/// which versions they are, so that no other gets their numbers.
async fn targets(
    tenant: &Tenant,
    order: &Order,
    size: u64,
) -> Result<(Vec<Target>, BTreeSet<Digest>, Vec<Row>), Failure> {
    let (mut targets, mut objects, mut packs) = (Vec::new(), BTreeSet::new(), Vec::new());
    let mut take = |stored: &Stored| {
        if !is_meant(order, stored) {
            return;
        }
        let envelope = stored.record.envelope();
        objects.extend(stored.fields.iter().filter_map(|field| match &field.state {
            State::Present(_, Held::Lake(digest)) => Some(*digest),
            _ => None,
        }));
        targets.push(Target {
            index: stored.index,
            kind: envelope.kind,
            subject: envelope.subject.clone(),
            at: envelope.at,
            erased_by: erased_by(stored),
        });
    };
    match &order.scope {
        Scope::Subject(subject) => tenant.history(subject).await?.iter().for_each(&mut take),
        Scope::All | Scope::Kind(_) => {
            let mut next = 0;
            while next < size {
                let page = tenant.records(next..size).await?;
                let Some(last) = page.last() else { break };
                next = last.index + 1;
                page.iter().for_each(&mut take);
            }
        }
    }
    for target in &targets {
        let range = target.index..target.index + 1;
        for (_, rows) in tenant.rows(range).await? {
            objects.extend(rows.iter().filter_map(artifact));
            packs.extend(rows.iter().filter_map(|row| version(row, target.at)));
        }
    }
    Ok((targets, objects, packs))
}

/// Whether a record was asked for. Named ones always are, so that what is in
/// their way shows; of a scope, those that can be erased at all.
fn is_meant(order: &Order, stored: &Stored) -> bool {
    let envelope = stored.record.envelope();
    if !order.records.is_empty() {
        return order.records.contains(&stored.index);
    }
    order.scope.covers(envelope.kind, &envelope.subject)
        && may_erase(envelope.kind)
        && !envelope.commitments.is_empty()
        && erased_by(stored).is_none()
}

fn erased_by(stored: &Stored) -> Option<u64> {
    stored.fields.iter().find_map(|field| match field.state {
        State::Erased { by } => Some(by),
        State::Present(..) | State::Missing | State::Altered => None,
    })
}

fn artifact(row: &Row) -> Option<Digest> {
    match (row.table, row.values.first()) {
        (Table::Artifacts, Some(Value::Text(digest))) => digest.parse().ok(),
        _ => None,
    }
}

/// Which version of which decision's pack a row is about.
fn version(of: &Row, sealed_at: Time) -> Option<Row> {
    match (of.table, of.values.as_slice()) {
        (Table::EvidencePacks, [pack_id, decision_id, version, ..]) => {
            let values = [pack_id.clone(), decision_id.clone(), version.clone()];
            let sealed_at = Value::from(sealed_at.to_string());
            Some(Row { table: Table::ErasedPacks, values: [&values[..], &[sealed_at]].concat() })
        }
        _ => None,
    }
}

fn rows(request: &Request, erased: &[u64], deed: &Deed) -> Result<Vec<Row>, Failure> {
    let basis = word(&request.legal_basis)?;
    let line = |index: &u64| {
        let scope = request.scope.to_string();
        let approver = request.approver.as_str();
        let at = deed.at.to_string();
        let values =
            [whole(*index), scope.into(), basis.as_str().into(), approver.into(), at.into()];
        row(Table::Erasures, values)
    };
    if erased.len() > MOST {
        return Err(Error::refused("erase", "the scope")
            .saw(format!("at most {MOST} records"), erased.len())
            .hint("name fewer with `--record`, and repeat")
            .into());
    }
    Ok(erased.iter().map(line).collect())
}

/// Erasures of one scope are one lineage.
pub(super) fn subject(scope: &Scope) -> String {
    match scope {
        Scope::All => "all".to_owned(),
        Scope::Kind(kind) => kind.to_string(),
        Scope::Subject(subject) => subject.clone(),
    }
}

impl fmt::Display for Erased {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { record, erased } = self;
        match record {
            Some(Ack { index, .. }) => write!(f, "record {index}: ")?,
            None => write!(f, "nothing was done: ")?,
        }
        writeln!(f, "{} payloads", erased.len())
    }
}

impl fmt::Display for Released {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (gone, kept) = (self.gone.len(), self.kept.len());
        write!(f, "{gone} objects of the lake; {kept} stay, needed by other records or locked")
    }
}

/// What would change which payloads may go.
const CHANGES: &[Kind] = &[
    Kind::ApikeyRevoked,
    Kind::ApprovalUsed,
    Kind::HoldLifted,
    Kind::HoldPlaced,
    Kind::MemberAdded,
    Kind::MemberRemoved,
    Kind::PayloadErased,
];
/// Who approves what is not done.
const NOBODY: &str = "nobody";
/// One erasure is one transaction.
const MOST: usize = 10_000;
