//! The store that `dalil serve --demo` opens on: the example corpus, checked and sealed.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use dalil::corpus::{Corpus, CorpusCache};
use dalil::judges::{JudgeMode, JudgeModels, Judges};
use dalil::sandbox::{ProgramCommand, SandboxLimits, SandboxReader};
use dalil_evidence::access::{Member, MemberRole, MemberTitle};
use dalil_evidence::apikey::{ApiKeyScope, Pepper};
use dalil_evidence::ledger::request::AnswerSession;
use dalil_proof::canon;
use dalil_proof::json::Json;
use dalil_proof::record::Actor;
use dalil_proof::time::Time;
use dalil_service::check::{self, CheckRequest, CheckTools, CheckWork};
use dalil_service::{
    RequestContext, apikey, decision, document, member, obligation, pack, session, tenant,
};
use dalil_store::{Store, StoreOptions, StorePlace, Tenant, TimeSource, Vault};

use super::ServedStore;
use crate::command::demo::file;
use crate::env;
use crate::error::CliError;

/// Makes the store in an empty folder.
pub(super) async fn make(folder: &Path, program: ProgramCommand) -> Result<ServedStore, CliError> {
    let no_folder = |error| CliError::NoFolder { path: folder.to_owned(), error };
    fs::create_dir_all(folder).map_err(no_folder)?;
    let identity = folder.join("identity");
    let place = StorePlace::File { dir: folder.join("store") };
    let now = env::now()?;
    let store =
        Store::open(&place, Vault::create(&identity, None)?, StoreOptions::writing(now)).await?;
    // The store took the first one; the server needs a vault of its own for its secrets.
    let vault = Vault::load(&identity, None)?;
    let time_source = TimeSource::Clock;
    let request_context = RequestContext { at: now, time_source, actor: Actor::System, key: None };
    // The example's pack is of yesterday, and nothing is older than its trail.
    let begun = Time::from_millis(now.millis() - WEEK_MILLIS).unwrap_or(now);
    let begun =
        RequestContext { at: begun, time_source: TimeSource::Stated, ..request_context.clone() };
    tenant::create(&store, DEMO_TENANT, DEMO_ORIGIN, &begun).await?;
    let own = store.tenant(DEMO_TENANT).await?;
    let tools = CheckTools {
        judges: Judges { models: JudgeModels::open(None)?, mode: JudgeMode::Fast },
        reader: SandboxReader::new(program, SandboxLimits::usual()),
        cache: CorpusCache::none(),
        threads: env::threads(),
    };
    documents(&own, folder, &tools, &request_context).await?;
    sessions(&own, Arc::new(tools), &request_context).await?;
    obligation::package(&own, file::PACKAGE_REQUEST, &request_context).await?;
    obligation::status(&own, file::STATUS_REQUEST, &request_context).await?;
    sealed(&own, &request_context).await?;
    let people = people(&own, &Pepper::new(*vault.derive("apikey")), &request_context).await?;
    Ok(ServedStore { store, vault, people })
}

/// Takes in the corpus, under the names of its files.
async fn documents(
    tenant: &Tenant,
    folder: &Path,
    tools: &CheckTools,
    request_context: &RequestContext,
) -> Result<(), CliError> {
    let corpus = folder.join("corpus");
    for (name, bytes) in file::CORPUS {
        let path = corpus.join(name);
        let failed = |error| CliError::NoFolder { path: path.clone(), error };
        fs::create_dir_all(path.parent().unwrap_or(&corpus)).map_err(failed)?;
        fs::File::create(&path).and_then(|mut file| file.write_all(bytes)).map_err(failed)?;
    }
    let corpus = Corpus::open(&[corpus], &[], &tools.reader, &tools.cache, &|_| ())?;
    document::add(tenant, &corpus, request_context).await?;
    Ok(())
}

/// Checks the example answers.
async fn sessions(
    tenant: &Tenant,
    tools: Arc<CheckTools>,
    request_context: &RequestContext,
) -> Result<(), CliError> {
    for (id, query, answer) in file::SESSION_ANSWERS {
        let (id, query) = (id.to_owned(), Some(query.to_owned()));
        let opened = AnswerSession { id: id.clone(), query, mode: Some("answer".to_owned()) };
        session::open(tenant, &opened, answer, request_context).await?;
        let tools = Arc::clone(&tools);
        let work = CheckWork { tools, progress: Arc::new(|_| ()), judged: Arc::default() };
        check::check(tenant, &id, &CheckRequest::default(), work, request_context).await?;
    }
    Ok(())
}

/// Seals the example pack, as if its decision had been made yesterday.
async fn sealed(tenant: &Tenant, request_context: &RequestContext) -> Result<(), CliError> {
    let request = String::from_utf8_lossy(file::PACK_REQUEST);
    // A review is possible for 48 hours only, so the dates of the example must be recent.
    let request = request
        .replace("2026-03-15", &day(request_context.at, 1))
        .replace("2026-03-13", &day(request_context.at, 3));
    let decision = Json::parse(request.as_bytes())?;
    if let Some(decision) = decision.get("decision") {
        decision::record(tenant, &canon::bytes(decision)?, request_context).await?;
    }
    pack::seal(tenant, request.as_bytes(), request_context).await?;
    Ok(())
}

/// The date `ago` days before now.
fn day(now: Time, ago: i64) -> String {
    let then = Time::from_millis(now.millis() - ago * 86_400_000).unwrap_or(now).to_string();
    then.get(..10).unwrap_or(&then).to_owned()
}

/// The people of the house, and a key for each.
async fn people(
    tenant: &Tenant,
    pepper: &Pepper,
    request_context: &RequestContext,
) -> Result<Vec<(&'static str, String)>, CliError> {
    let all = [
        ("amal", MemberRole::Admin, Some(MemberTitle::DepartmentHead)),
        ("faisal", MemberRole::Approver, Some(MemberTitle::Finance)),
        ("noura", MemberRole::Approver, Some(MemberTitle::Manager)),
        ("sami", MemberRole::Viewer, None),
    ];
    for (name, role, title) in all {
        let titles = title.into_iter().collect();
        member::add(tenant, &Member { name: name.to_owned(), role, titles }, request_context)
            .await?;
    }
    let mut keys = Vec::new();
    let every: BTreeSet<ApiKeyScope> =
        ApiKeyScope::WIRE_NAMES.iter().map(|(_, scope)| *scope).collect();
    let some = BTreeSet::from([ApiKeyScope::View, ApiKeyScope::Review, ApiKeyScope::Export]);
    let least = BTreeSet::from([ApiKeyScope::View, ApiKeyScope::Export]);
    let keyed = [
        ("amal", AMAL_LABEL, every),
        ("faisal", FAISAL_LABEL, some.clone()),
        ("sami", SAMI_LABEL, least),
        ("noura", NOURA_LABEL, some),
    ];
    for (name, who, scopes) in keyed {
        let actor = Actor::Person(name.to_owned());
        let made = apikey::add(
            tenant,
            &apikey::NewApiKey { actor, scopes, expires_at: None },
            pepper,
            request_context,
        )
        .await?;
        keys.push((who, made.api_key));
    }
    Ok(keys)
}

/// The tenant that the example pack belongs to.
const DEMO_TENANT: &str = "barzamar";
const DEMO_ORIGIN: &str = "demo.dalil.example/barzamar";
const AMAL_LABEL: &str = "amal, head of department and admin";
const FAISAL_LABEL: &str = "faisal, of finance";
const NOURA_LABEL: &str = "noura, manager";
const SAMI_LABEL: &str = "sami, who may look, and export what others approve";
const WEEK_MILLIS: i64 = 7 * 24 * 3_600_000;
