//! Deletes objects of the lake, but never one that a record needs.
//!
//! An object is put before the record that needs it, and an erasure may take it
//! away in between. So objects are deleted only here, under the tenant's lock, after a query
//! that no record needs them; and for a tenant that has erased, the objects of its
//! entries are looked up under the same lock, before the entry is committed. If one is
//! gone, its writer gets a conflict, and puts it again.

use std::collections::BTreeSet;

use dalil_proof::digest::Digest;
use sqlx::AnyConnection;

use super::Sequencer;
use super::message::{AppendJob, ObjectRelease};
use super::tenant_state::lock;
use crate::catalog::{CatalogFailure, EvidenceRow, SqlValue, fetch, is_lost, run};
use crate::error::{Error, ErrorKind};
use crate::store::context::StoreContext;
use crate::trail::entry::FieldContent;

impl Sequencer {
    /// Deletes the objects that no record needs, and answers with those that went.
    pub(super) async fn release(&mut self, release: ObjectRelease) {
        let mut gone = self.let_go(&release).await;
        // A second try is safe: deleted objects stay deleted, and needed ones are looked up anew.
        if matches!(&gone, Err(CatalogFailure::Sql(error)) if is_lost(error)) {
            gone = self.let_go(&release).await;
        }
        let gone = gone.map_err(|failure| self.failed(failure));
        // A caller that went away needs no answer; the rest is swept another time.
        drop(release.reply.send(gone));
    }

    async fn let_go(&mut self, release: &ObjectRelease) -> Result<Vec<Digest>, CatalogFailure> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.shared.catalog.writer().await?,
        };
        run(&mut connection, self.shared.catalog.engine.begin()).await?;
        let gone = unneeded(&self.shared, &mut connection, release).await;
        // Nothing was written: the transaction is there for its lock.
        if run(&mut connection, "ROLLBACK").await.is_ok() {
            self.connection = Some(connection);
        }
        gone
    }
}

/// Takes away those of the objects that no record needs; gives them.
async fn unneeded(
    shared: &StoreContext,
    connection: &mut AnyConnection,
    release: &ObjectRelease,
) -> Result<Vec<Digest>, CatalogFailure> {
    let ObjectRelease { tenant, objects, erasure, reply: _ } = release;
    // Under the lock no entry of the tenant is between its look at the lake and its commit.
    lock(shared.catalog.engine, connection, tenant).await?;
    let lake = shared.lake.tenant(tenant)?;
    let mut gone = Vec::new();
    for object in objects {
        if needs(connection, tenant, object).await? {
            continue;
        }
        match lake.delete(object, erasure).await {
            Ok(_) => gone.push(*object),
            // A server that locks an object keeps it; the others need not wait for it.
            Err(error) if error.kind == ErrorKind::Refused => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(gone)
}

/// Why an entry cannot be committed: an object of it went after it was put.
pub(super) async fn lacks(
    shared: &StoreContext,
    connection: &mut AnyConnection,
    job: &AppendJob,
) -> Result<Option<Error>, CatalogFailure> {
    let objects = objects(job);
    // Objects go only after an erasure was committed, so a tenant without one saves the look.
    // An erasure in this very group is not in the table, and has released nothing either.
    let erased = "SELECT idx FROM erasures WHERE tenant = $1 LIMIT 1";
    if objects.is_empty()
        || fetch(connection, erased, &[SqlValue::from(&*job.tenant)]).await?.is_empty()
    {
        return Ok(None);
    }
    let lake = shared.lake.tenant(&job.tenant)?;
    for object in objects {
        match lake.has(&object).await {
            Ok(true) => {}
            Ok(false) => {
                let place = format!("tenant `{}`, object `{object}`", job.tenant);
                return Ok(Some(
                    Error::outdated("append a record", place)
                        .saw("the lake as it was when the object was put", "a change to it since")
                        .hint("put the object again and repeat the request"),
                ));
            }
            Err(error) => return Ok(Some(error)),
        }
    }
    Ok(None)
}

/// The objects that the records of an entry need.
fn objects(job: &AppendJob) -> BTreeSet<Digest> {
    let fields = job.drafts.iter().flat_map(|draft| &draft.payloads);
    let fields = fields.filter_map(|payload| match payload.content {
        Some(FieldContent::Lake(digest)) => Some(digest),
        Some(FieldContent::Bytes(_)) | None => None,
    });
    let rows = job.drafts.iter().flat_map(|draft| &draft.rows);
    fields.chain(rows.filter_map(EvidenceRow::object)).collect()
}

/// Whether a record that is not erased needs an object.
async fn needs(
    connection: &mut AnyConnection,
    tenant: &str,
    object: &Digest,
) -> Result<bool, CatalogFailure> {
    let bound = [SqlValue::from(tenant), SqlValue::from(object.to_string())];
    for table in ["payloads", "artifacts"] {
        let sql = format!("SELECT sha256 FROM {table} WHERE tenant = $1 AND sha256 = $2 LIMIT 1");
        if !fetch(connection, &sql, &bound).await?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}
