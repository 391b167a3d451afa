//! Where things are kept: the options that every command over a store shares.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{ArgGroup, ValueEnum};
use dalil_phrasebook::{found, hint, precondition};
use dalil_proof::fault::{Fault, Refused};
use dalil_proof::id::is_given;
use dalil_proof::record::Actor;
use dalil_proof::time::{MAX_CLOCK_SKEW_MILLIS, Time};
use dalil_service::RequestContext;
use dalil_store::{Error, Passphrase, Store, StoreOptions, StorePlace, Tenant, TimeSource, Vault};
use serde::Serialize;
use tokio::runtime::Runtime;

use crate::env::{self, setting};
use crate::error::CliError;
use crate::input;
use crate::reply::ReplyWriter;

/// Which store, whose part of it, and who acts.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Store")]
pub(crate) struct StoreArgs {
    #[command(flatten)]
    beside: LakelessStoreArgs,

    /// The object storage of a PostgreSQL store: `s3://BUCKET/PREFIX` or `file:DIR`
    ///
    /// Without it, `DALIL_LAKE` from the environment. A `file:` store has its own.
    #[arg(long, value_name = "URL")]
    lake: Option<String>,
}

/// Which store, whose part of it, and who acts, for a command that has a `--lake` of its own.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Store")]
pub(crate) struct LakelessStoreArgs {
    /// The store: `file:DIR` or `postgres://…`
    ///
    /// Without it, `DALIL_STORE` from the environment; without that, `file:./dalil-data`.
    #[arg(long, value_name = "URL")]
    store: Option<String>,

    /// The tenant; optional if the store has only one
    ///
    /// Without it, `DALIL_TENANT` from the environment.
    #[arg(long, value_name = "NAME")]
    tenant: Option<String>,

    /// The identity that opens the signing keys
    ///
    /// Without it, `DALIL_IDENTITY` from the environment; without that, `identity` in the folder
    /// of the store.
    #[arg(long, value_name = "FILE")]
    identity: Option<PathBuf>,

    /// A file whose first line is the passphrase of the identity
    ///
    /// Without it, `DALIL_PASSPHRASE` from the environment; an identity can also have none.
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,

    /// The actor: `person:NAME`, `agent:NAME` or `system`; names are opaque
    ///
    /// Without it, `person:` and the user's name in the environment.
    #[arg(long, value_name = "WHO", value_parser = actor)]
    actor: Option<Actor>,

    /// The time of the record; by default now
    #[arg(long, value_name = "TIME", value_parser = Time::from_str)]
    at: Option<Time>,

    /// The idempotency key of the request: a repeated request gets the first reply
    #[arg(long, value_name = "NAME")]
    key: Option<String>,
}

/// The access that a command needs to a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StoreAccess {
    /// Append; there may be no other writer of a folder.
    Write,
    /// Only look.
    Read,
}

impl StoreArgs {
    /// Opens the store and the tenant that is meant.
    pub(crate) async fn open(&self, access: StoreAccess) -> Result<(Store, Tenant), CliError> {
        let store = self.store(access).await?;
        let tenant = self.tenant(&store).await?;
        Ok((store, tenant))
    }

    /// Does something that leaves a record, and waits until the store is closed again.
    pub(crate) fn write<T>(
        &self,
        work: impl AsyncFnOnce(&Tenant) -> Result<T, dalil_service::OperationFailure>,
    ) -> Result<T, CliError> {
        block_on(async {
            let (store, tenant) = self.open(StoreAccess::Write).await?;
            // The failure is returned after the store is closed, so that its lock is free again.
            let done = work(&tenant).await;
            store.close().await?;
            Ok(done?)
        })
    }

    /// Does something that only reads.
    pub(crate) fn read<T>(
        &self,
        work: impl AsyncFnOnce(&Tenant) -> Result<T, dalil_service::OperationFailure>,
    ) -> Result<T, CliError> {
        block_on(async {
            let (_store, tenant) = self.open(StoreAccess::Read).await?;
            Ok(work(&tenant).await?)
        })
    }

    /// Opens a store that is there.
    pub(crate) async fn store(&self, access: StoreAccess) -> Result<Store, CliError> {
        let (place, now) = (self.place()?, env::now()?);
        // SQLite would make an empty file for a path that was mistyped.
        if let StorePlace::File { dir } = &place
            && !dir.join(CATALOG_FILE).exists()
        {
            return Err(Error::unavailable("open the store", format!("`{place}`"))
                .saw("a store", "none")
                .hint("`dalil tenant create` makes one")
                .into());
        }
        match access {
            // Nothing is signed, so no key is needed.
            StoreAccess::Read => {
                Ok(Store::open(&place, Vault::of([0; 32]), StoreOptions::reading(now)).await?)
            }
            StoreAccess::Write => {
                Ok(Store::open(&place, self.vault(&place)?, StoreOptions::writing(now)).await?)
            }
        }
    }

    /// Opens a store, and makes it with its identity if it is not there.
    pub(crate) async fn make(&self) -> Result<Store, CliError> {
        let place = self.place()?;
        let path = self.identity(&place)?;
        let is_new = match &place {
            StorePlace::File { dir } => !dir.join(CATALOG_FILE).exists(),
            // Whether a database has tables is not known before it is opened.
            StorePlace::Postgres { .. } => true,
        };
        let vault = if is_new && !path.exists() {
            if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                // The identity opens the signing keys, so no other user may read the folder.
                let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
                made.map_err(|error| CliError::NoFolder { path: folder.to_owned(), error })?;
            }
            Vault::create(&path, self.passphrase()?.as_ref())?
        } else {
            self.vault(&place)?
        };
        Ok(Store::open(&place, vault, StoreOptions::writing(env::now()?)).await?)
    }

    /// Where the store is.
    pub(crate) fn place(&self) -> Result<StorePlace, CliError> {
        let store = self.beside.store.clone().or_else(|| setting("DALIL_STORE"));
        let lake = self.lake.clone().or_else(|| setting("DALIL_LAKE"));
        Ok(StorePlace::parse(store.as_deref().unwrap_or("file:./dalil-data"), lake.as_deref())?)
    }

    /// The vault, which opens the signing keys.
    pub(crate) fn vault(&self, place: &StorePlace) -> Result<Vault, CliError> {
        Ok(Vault::load(&self.identity(place)?, self.passphrase()?.as_ref())?)
    }

    /// The file of the identity.
    pub(crate) fn identity(&self, place: &StorePlace) -> Result<PathBuf, CliError> {
        let named =
            self.beside.identity.clone().or_else(|| setting("DALIL_IDENTITY").map(PathBuf::from));
        match (named, place) {
            (Some(path), _) => Ok(path),
            (None, StorePlace::File { dir }) => Ok(dir.join("identity")),
            (None, StorePlace::Postgres { .. }) => {
                Err(Error::refused("open the signing keys", "the identity")
                    .saw("a file", "none")
                    .hint("give `--identity FILE`; PostgreSQL has no folder to keep it in")
                    .into())
            }
        }
    }

    fn passphrase(&self) -> Result<Option<Passphrase>, CliError> {
        let text = match &self.beside.passphrase_file {
            Some(path) => {
                let bytes = input::bytes(path)?;
                let text = String::from_utf8(bytes);
                let text = text.map_err(|_| CliError::NotText { path: path.clone() })?;
                // Editors end a file with a line end, which is no part of a passphrase.
                Some(text.lines().next().unwrap_or("").to_owned())
            }
            None => setting("DALIL_PASSPHRASE"),
        };
        Ok(text.map(Passphrase::new).transpose()?)
    }

    /// The tenant that is meant: the one that was named, or the only one.
    pub(crate) async fn tenant(&self, store: &Store) -> Result<Tenant, CliError> {
        if let Some(name) = self.beside.tenant.clone().or_else(|| setting("DALIL_TENANT")) {
            return Ok(store.tenant(&name).await?);
        }
        let names = store.tenants().await?;
        match names.as_slice() {
            [only] => Ok(store.tenant(only).await?),
            [] => Err(Error::refused("find a tenant", format!("`{}`", self.place()?))
                .saw("a tenant", "none")
                .hint("`dalil tenant create` makes one")
                .into()),
            _ => Err(Error::refused("find a tenant", format!("`{}`", self.place()?))
                .saw("`--tenant NAME`", format!("{} tenants to choose from", names.len()))
                .hint(format!("name one of {}", names.join(", ")))
                .into()),
        }
    }

    /// The actor, the time and the idempotency key of the command.
    pub(crate) fn request_context(&self) -> Result<RequestContext, CliError> {
        self.request_context_of(None)
    }

    /// The same, by `who` unless another is given.
    pub(crate) fn request_context_of(
        &self,
        who: Option<String>,
    ) -> Result<RequestContext, CliError> {
        let user = || setting("USER").filter(|name| is_given(name));
        let person = || Actor::Person(who.or_else(user).unwrap_or_else(|| "local".to_owned()));
        let actor = self.beside.actor.clone().unwrap_or_else(person);
        let key = self.beside.key.clone();
        let Some(at) = self.beside.at else {
            return Ok(RequestContext {
                at: env::now()?,
                time_source: TimeSource::Clock,
                actor,
                key,
            });
        };
        let now = env::now()?;
        if at.millis() - now.millis() > MAX_CLOCK_SKEW_MILLIS {
            let expected = precondition::a_time_that_is_past_or_within_a_minute_of(now);
            let fault = Fault::new("future", "--at", expected, found::value(at));
            return Err(Refused::from(
                fault.hint(hint::a_record_of_the_future_would_hold_up_all_that_follow()),
            )
            .into());
        }
        Ok(RequestContext { at, time_source: TimeSource::Stated, actor, key })
    }

    /// The time that was given, or the system's.
    pub(crate) fn now(&self) -> Result<Time, CliError> {
        self.beside.at.map_or_else(env::now, Ok)
    }
}

/// How a list is shown.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct ListFormatArgs {
    /// As a table or as JSON; by default a table on a terminal and JSON elsewhere
    #[arg(long)]
    format: Option<ListFormat>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ListFormat {
    Table,
    Json,
}

impl ListFormatArgs {
    /// Replies with a value in the form that was asked for.
    pub(crate) fn show(
        self,
        reply: &ReplyWriter,
        value: &(impl Serialize + std::fmt::Display),
    ) -> Result<(), CliError> {
        match self.format {
            None => reply.told(value),
            Some(ListFormat::Table) => reply.view(&value.to_string()),
            Some(ListFormat::Json) => reply.value(value),
        }
    }
}

impl LakelessStoreArgs {
    /// The same, with the lake that the environment names.
    pub(crate) fn with_env_lake(&self) -> StoreArgs {
        StoreArgs { beside: self.clone(), lake: None }
    }
}

/// The options of a store, for a command that needs one only to save; `more` are its own.
pub(crate) fn to_save<const N: usize>(more: [&'static str; N]) -> ArgGroup {
    let group = ArgGroup::new("to_save").multiple(true).requires("save").args(more);
    group.args(["store", "tenant", "identity", "passphrase_file", "actor", "key"])
}

/// Does the work of one command.
pub(crate) fn block_on<T>(work: impl Future<Output = Result<T, CliError>>) -> Result<T, CliError> {
    Runtime::new().map_err(CliError::Runtime)?.block_on(work)
}

fn actor(text: &str) -> Result<Actor, String> {
    match text.split_once(':') {
        None if text == "system" => Ok(Actor::System),
        Some(("person", name)) if is_given(name) => Ok(Actor::Person(name.to_owned())),
        Some(("agent", name)) if is_given(name) => Ok(Actor::Agent(name.to_owned())),
        Some(_) | None => Err("expected `person:NAME`, `agent:NAME` or `system`".to_owned()),
    }
}

/// The value of a word.
pub(crate) fn parse_word<T: Copy>(text: &str, words: &[(&str, T)]) -> Result<T, String> {
    let known = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
    let all = || words.iter().map(|(word, _)| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    known.ok_or_else(|| format!("expected one of {}", all()))
}

const CATALOG_FILE: &str = "catalog.sqlite";
