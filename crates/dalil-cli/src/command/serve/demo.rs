//! The store that `dalil serve --demo` opens on: the example corpus, checked and sealed.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dalil::corpus::{Cache, Corpus};
use dalil::judges::{JudgeMode, JudgeModels, Judges};
use dalil::keep::check::{self, Order, Step, Tools};
use dalil::keep::{Deed, apikey, document, member, obligation, pack, session, tenant};
use dalil::reader::{Limits, Reader};
use dalil::store::{Options, Place, Store, Tenant, Vault};
use dalil_core::access::{Member, Role, Title};
use dalil_core::apikey::{Pepper, Scope};
use dalil_core::ledger::request::Session;
use dalil_core::record::Actor;
use dalil_core::time::Time;

use super::Opened;
use crate::command::demo::file;
use crate::failure::Failure;
use crate::surroundings;

/// Makes the store in an empty folder.
pub(super) async fn make(folder: &Path, program: PathBuf) -> Result<Opened, Failure> {
    let no_folder = |error| Failure::NoFolder { path: folder.to_owned(), error };
    fs::create_dir_all(folder).map_err(no_folder)?;
    let identity = folder.join("identity");
    let place = Place::File { dir: folder.join("store") };
    let now = surroundings::now()?;
    let store = Store::open(&place, Vault::create(&identity, None)?, Options::writing(now)).await?;
    let vault = Vault::load(&identity, None)?;
    let deed = Deed { at: now, actor: Actor::System, key: None };
    tenant::create(&store, TENANT, ORIGIN, &deed).await?;
    let own = store.tenant(TENANT).await?;
    let tools = Tools {
        judges: Judges { models: JudgeModels::open(None)?, mode: JudgeMode::Fast },
        reader: Reader::new(program, Limits::usual()),
        cache: Cache::none(),
        threads: surroundings::threads(),
    };
    documents(&own, folder, &tools, &deed).await?;
    sessions(&own, Arc::new(tools), &deed).await?;
    obligation::package(&own, file::RECORDS, &deed).await?;
    obligation::status(&own, file::STATUS, &deed).await?;
    sealed(&own, &deed).await?;
    let people = people(&own, &Pepper::new(*vault.derive("apikey")), &deed).await?;
    Ok(Opened { store, vault, people })
}

/// Takes in the corpus, under the names of its files.
async fn documents(
    tenant: &Tenant,
    folder: &Path,
    tools: &Tools,
    deed: &Deed,
) -> Result<(), Failure> {
    let corpus = folder.join("corpus");
    for (name, bytes) in file::CORPUS {
        let path = corpus.join(name);
        let failed = |error| Failure::NoFolder { path: path.clone(), error };
        fs::create_dir_all(path.parent().unwrap_or(&corpus)).map_err(failed)?;
        fs::File::create(&path).and_then(|mut file| file.write_all(bytes)).map_err(failed)?;
    }
    let corpus = Corpus::open(&[corpus], &[], &tools.reader, &tools.cache, &|_| ())?;
    document::add(tenant, &corpus, deed).await?;
    Ok(())
}

/// Checks the example answers.
async fn sessions(tenant: &Tenant, tools: Arc<Tools>, deed: &Deed) -> Result<(), Failure> {
    for (id, query, answer) in file::ANSWERS {
        let (id, query) = (id.to_owned(), Some(query.to_owned()));
        let opened = Session { id: id.clone(), query, mode: Some("answer".to_owned()) };
        session::open(tenant, &opened, answer, deed).await?;
        let silent: Arc<dyn Fn(Step) + Send + Sync> = Arc::new(|_| ());
        let with = (Arc::clone(&tools), silent);
        check::check(tenant, &id, &Order::default(), with, deed).await?;
    }
    Ok(())
}

/// Seals the example pack, as if its decision had been made yesterday.
async fn sealed(tenant: &Tenant, deed: &Deed) -> Result<(), Failure> {
    let request = String::from_utf8_lossy(file::PACK);
    let request =
        request.replace("2026-03-15", &day(deed.at, 1)).replace("2026-03-13", &day(deed.at, 3));
    pack::seal(tenant, request.as_bytes(), deed).await?;
    Ok(())
}

/// The date so many days ago.
fn day(now: Time, ago: i64) -> String {
    let then = Time::from_millis(now.millis() - ago * 86_400_000).unwrap_or(now).to_string();
    then.get(..10).unwrap_or(&then).to_owned()
}

/// The people of the house, and keys for three of them.
async fn people(
    tenant: &Tenant,
    pepper: &Pepper,
    deed: &Deed,
) -> Result<Vec<(&'static str, String)>, Failure> {
    let all = [
        ("amal", Role::Admin, Some(Title::DepartmentHead)),
        ("faisal", Role::Approver, Some(Title::Finance)),
        ("noura", Role::Approver, Some(Title::Manager)),
        ("sami", Role::Viewer, None),
    ];
    for (name, role, title) in all {
        let titles = title.into_iter().collect();
        member::add(tenant, &Member { name: name.to_owned(), role, titles }, deed).await?;
    }
    let mut keys = Vec::new();
    let every: BTreeSet<Scope> = Scope::WORDS.iter().map(|(_, scope)| *scope).collect();
    let some = BTreeSet::from([Scope::View, Scope::Review, Scope::Export]);
    let least = BTreeSet::from([Scope::View, Scope::Export]);
    let keyed = [("amal", AMAL, every), ("faisal", FAISAL, some), ("sami", SAMI, least)];
    for (name, who, scopes) in keyed {
        let actor = Actor::Person(name.to_owned());
        let made =
            apikey::add(tenant, &apikey::Order { actor, scopes, expires_at: None }, pepper, deed)
                .await?;
        keys.push((who, made.api_key));
    }
    Ok(keys)
}

/// The tenant that the example pack belongs to.
const TENANT: &str = "barzamar";
const ORIGIN: &str = "demo.dalil.example/barzamar";
const AMAL: &str = "amal, head of department and admin";
const FAISAL: &str = "faisal, of finance";
const SAMI: &str = "sami, who may look, and export what others approve";
