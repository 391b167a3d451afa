//! How a store is set up: whether it can be reached, written, and trusted to keep.

use std::fmt;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use dalil_proof::time::Time;
use dalil_store::lake::{BucketProtection, ErasureAuthorization, Lake};
use dalil_store::{Store, StoreOptions, StorePlace, Vault};
use serde::Serialize;

/// The parts to examine.
#[derive(Debug)]
pub struct DoctorTarget<'h> {
    /// Where the store is.
    pub place: &'h StorePlace,
    /// The vault, or why it does not open.
    pub vault: Result<Vault, String>,
    /// The time.
    pub now: Time,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DoctorCheck {
    /// Its name.
    pub part: &'static str,
    /// Its state.
    pub mark: DoctorStatus,
    /// The result.
    pub message: String,
    /// The action to take, when there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<&'static str>,
}

/// The state of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DoctorStatus {
    /// As it should be.
    Ok,
    /// It works, but not as it should.
    Warn,
    /// It prevents operation.
    Fail,
}

/// Looks at everything that can be looked at.
pub async fn examine(health: DoctorTarget<'_>) -> Vec<DoctorCheck> {
    let DoctorTarget { place, vault, now } = health;
    let mut checks = DoctorCheckList::default();
    if let StorePlace::File { dir } = place {
        folder(dir, &mut checks);
    }
    match &vault {
        Ok(_) => checks.ok("identity", "opens"),
        Err(error) => checks.fail("identity", error, Some("without it nothing can be signed")),
    }
    // Any key does: the store is opened to read, and nothing is opened or signed with it.
    let vault = vault.unwrap_or_else(|_| Vault::of([0; 32]));
    match Store::open(place, vault, StoreOptions::reading(now)).await {
        Ok(store) => {
            checks.ok("store", &format!("`{place}` opens, of this version"));
            settings(&store, &mut checks).await;
            clock(&store, now, &mut checks).await;
        }
        Err(error) => checks.fail("store", &error.to_string(), None),
    }
    lake(place, &mut checks).await;
    checks.0
}

/// The folder: whose it is, and how much room it has.
fn folder(dir: &Path, checks: &mut DoctorCheckList) {
    let metadata = match fs::metadata(dir) {
        Ok(metadata) => metadata,
        Err(error) => {
            let hint = "`dalil tenant create` makes the store";
            return checks.fail("folder", &format!("`{}`: {error}", dir.display()), Some(hint));
        }
    };
    // The folder has the identity, which opens the signing keys.
    let mode = metadata.permissions().mode() & 0o777;
    if mode & 0o077 == 0 {
        checks.ok("folder", &format!("for its owner only, mode {mode:o}"));
    } else {
        let hint = "`chmod 700` it: others can read evidence or make files there";
        checks.warn("folder", &format!("open to others, mode {mode:o}"), Some(hint));
    }
    match rustix::fs::access(dir, rustix::fs::Access::WRITE_OK) {
        Ok(()) => checks.ok("permission", "it can be written"),
        Err(error) => checks.fail("permission", &error.to_string(), Some("look at the owner")),
    }
    if let Ok(room) = rustix::fs::statvfs(dir) {
        // `f_bavail`, not `f_bfree`: the reserve for root is of no use here.
        let free = room.f_bavail.saturating_mul(room.f_frsize) >> 20;
        let message = format!("{free} MiB free");
        match free {
            0..64 => checks.fail("disk", &message, Some("appends will fail soon; make room")),
            64..1024 => checks.warn("disk", &message, Some("make room before it is full")),
            1024.. => checks.ok("disk", &message),
        }
    }
}

/// The commit settings of the database.
async fn settings(store: &Store, checks: &mut DoctorCheckList) {
    let settings = match store.settings().await {
        Ok(settings) => settings,
        Err(error) => return checks.fail("settings", &error.to_string(), None),
    };
    for (name, value, expected) in settings {
        let message = format!("{name} = {value}");
        if expected.is_empty() || expected.contains(&value.as_str()) {
            checks.ok("settings", &message);
        } else {
            let hint = "a commit may be lost with the power: set it to the safe value";
            checks.fail("settings", &message, Some(hint));
        }
    }
}

/// Whether time runs on.
async fn clock(store: &Store, now: Time, checks: &mut DoctorCheckList) {
    let names = match store.tenants().await {
        Ok(names) => names,
        Err(error) => return checks.fail("tenants", &error.to_string(), None),
    };
    checks.ok("tenants", &names.len().to_string());
    for name in names {
        let newest = async {
            let tenant = store.tenant(&name).await?;
            let size = tenant.head().await?.size;
            tenant.record(size.saturating_sub(1)).await
        };
        match newest.await {
            // Records of one subject must not go back in time: until then appends are refused.
            Ok(Some(newest)) if newest.record.envelope().at > now => {
                let at = newest.record.envelope().at;
                let hint = "set the clock: records of one subject are in the order of time";
                let message = format!("{now} is before the newest record of `{name}`, {at}");
                checks.warn("clock", &message, Some(hint));
            }
            Ok(_) => checks.ok("clock", &format!("after the newest record of `{name}`")),
            Err(error) => checks.fail("trail", &error.to_string(), Some("run `dalil fsck`")),
        }
    }
}

/// Puts an object, reads it and takes it away again.
async fn lake(place: &StorePlace, checks: &mut DoctorCheckList) {
    let lake = match Lake::open(&place.lake()).await {
        Ok(lake) => lake,
        Err(error) => return checks.fail("lake", &error.to_string(), None),
    };
    match lake.guards().await {
        Ok(guards) => guards.iter().for_each(|guards| bucket(guards, checks)),
        Err(error) => checks.fail("bucket", &error.to_string(), None),
    }
    let probe = async {
        let lake = lake.tenant(LAKE_PROBE)?;
        let digest = lake.put(LAKE_PROBE.as_bytes().to_vec()).await?;
        lake.get(&digest).await?;
        // No erasure was recorded. The permit is for the name of the probe, which is no tenant.
        lake.delete(&digest, &ErasureAuthorization::recorded(LAKE_PROBE, 0)).await
    };
    match probe.await {
        Ok(_) => checks.ok("lake", &format!("`{}` can be written and read", place.lake())),
        Err(error) => checks.fail("lake", &error.to_string(), None),
    }
}

/// The bucket's support for locks and versions.
fn bucket(guards: &BucketProtection, checks: &mut DoctorCheckList) {
    let BucketProtection { object_lock, retention, versioning } = guards;
    let all = retention.as_deref().unwrap_or("none");
    let message = format!("object lock {object_lock}, default retention {all}");
    if object_lock == BucketProtection::ENABLED {
        checks.ok("bucket", &message);
    } else {
        let hint = "packs are kept for seven years by the trail alone; a bucket made with object \
                    lock keeps them from everybody";
        checks.warn("bucket", &message, Some(hint));
    }
    // An erasure of personal data must be able to delete an object.
    if retention.is_some() {
        let hint = "an erasure cannot take away what is locked: the object stays until then";
        checks.warn("bucket", "every object is locked, not packs alone", Some(hint));
    }
    let message = format!("versioning {versioning}");
    if versioning == BucketProtection::ENABLED {
        checks.ok("bucket", &message);
    } else {
        let hint = "what somebody deletes or overwrites is gone: keep versions, or back it up";
        checks.warn("bucket", &message, Some(hint));
    }
}

#[derive(Default)]
struct DoctorCheckList(Vec<DoctorCheck>);

impl DoctorCheckList {
    fn ok(&mut self, part: &'static str, message: &str) {
        self.add(part, DoctorStatus::Ok, message, None);
    }

    fn warn(&mut self, part: &'static str, message: &str, hint: Option<&'static str>) {
        self.add(part, DoctorStatus::Warn, message, hint);
    }

    fn fail(&mut self, part: &'static str, message: &str, hint: Option<&'static str>) {
        self.add(part, DoctorStatus::Fail, message, hint);
    }

    fn add(
        &mut self,
        part: &'static str,
        mark: DoctorStatus,
        message: &str,
        hint: Option<&'static str>,
    ) {
        self.0.push(DoctorCheck { part, mark, message: message.to_owned(), hint });
    }
}

impl fmt::Display for DoctorCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { part, mark, message, hint } = self;
        let mark = match mark {
            DoctorStatus::Ok => "ok",
            DoctorStatus::Warn => "warn",
            DoctorStatus::Fail => "fail",
        };
        write!(f, "{mark:<4} {part}: {message}")?;
        hint.map_or(Ok(()), |hint| write!(f, "\n     hint: {hint}"))
    }
}

/// No tenant's name in earnest, and the bytes of the object.
const LAKE_PROBE: &str = "doctor";
