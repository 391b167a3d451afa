//! Authorisation: the scopes of a credential, and the permissions of its owner.
//!
//! The members of the tenant decide, by their roles; or an OpenFGA server does,
//! by its own model. If that server cannot be asked, access is denied.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use dalil_evidence::access::{AccessAction, Member, MemberRole};
use dalil_evidence::name::is_confusable_with;
use dalil_evidence::name::is_spelling;
use dalil_phrasebook::{expected, found, precondition};
use dalil_proof::fault::{Fault, quote, quoted};
use dalil_proof::record::Actor;
use dalil_proof::time::Time;
use dalil_service::member;
use dalil_store::catalog::MemberRow;
use dalil_store::{EvidenceTable, Tenant};

use self::openfga::OpenFgaClient;
use crate::access_denial::{AUTHORIZATION_FAULT_PATH, AccessDenial};
use crate::caller::{AuthFailure, Caller};
use crate::config::ServeConfig;
use crate::oidc::OidcProvider;
use crate::oidc::code_flow::ProviderPerson;
use crate::permission::Permission;
use crate::problem::ApiProblem;
use crate::table_cache::TableCache;
use crate::tenant_directory::TenantDirectory;

mod openfga;

/// The authorities that decide on access and that authenticate.
#[derive(Debug)]
pub(crate) struct Authority {
    oidc: Option<OidcProvider>,
    openfga: Option<OpenFgaClient>,
    /// The members of tenants as they were last read, and the first record not looked at.
    members: Mutex<HashMap<String, MemberSnapshot>>,
    /// The same, while no lookup of records is needed.
    fresh: TableCache<Arc<[Member]>>,
}

/// The first record that was not looked at, and the members up to there.
type MemberSnapshot = (u64, Arc<[Member]>);

impl Authority {
    pub(crate) fn new(config: &ServeConfig) -> Result<Self, io::Error> {
        let openfga = config.openfga.as_ref().map(OpenFgaClient::new).transpose()?;
        let oidc = config.oidc.clone().map(OidcProvider::new).transpose()?;
        let fresh = TableCache::of(EvidenceTable::Members);
        Ok(Self { oidc, openfga, members: Mutex::default(), fresh })
    }

    /// Authenticates the caller with a token of the identity provider.
    pub(crate) async fn by_token(
        &self,
        tenants: &TenantDirectory,
        now: Time,
        token: &str,
    ) -> Result<Caller, AuthFailure> {
        match &self.oidc {
            Some(oidc) => oidc.identify(tenants, now, token).await,
            None => Err(AuthFailure::Unknown),
        }
    }

    /// The identity provider, if people sign in there by redirect.
    pub(crate) fn signin_provider(&self) -> Option<&OidcProvider> {
        self.oidc.as_ref().filter(|oidc| oidc.signin().is_some())
    }

    /// A person whom the identity provider named at their sign-in.
    pub(crate) async fn by_signin(
        &self,
        tenants: &TenantDirectory,
        person: &ProviderPerson,
        ends: Time,
    ) -> Result<Caller, AuthFailure> {
        let provider = self.signin_provider().ok_or(AuthFailure::Unknown)?;
        let tenant = tenants.find(&person.tenant).await.ok_or(AuthFailure::Unknown)?;
        Ok(provider.caller(tenant, person.name.clone(), ends))
    }

    /// Fetches the keys of the identity provider, so that a wrong or absent one is reported at
    /// startup.
    ///
    /// # Errors
    /// It gives none; the fetch is repeated with the next token.
    pub(crate) async fn fetch_keys(&self, now: Time) -> Result<(), ApiProblem> {
        match &self.oidc {
            Some(oidc) => oidc.fetch_keys(now).await,
            None => Ok(()),
        }
    }

    /// Passes a permitted caller.
    pub(crate) async fn may(&self, caller: &Caller, need: Permission) -> Result<(), AccessDenial> {
        // The scope first: it needs no query, and the role of the owner cannot permit an operation
        // outside of the credential's scopes.
        let Some(scope) = need.scope() else { return Ok(()) };
        if !caller.scopes.contains(&scope) {
            let words: Vec<&str> = caller.scopes.iter().map(|scope| scope.as_str()).collect();
            let expected = precondition::a_credential_with_the_scope(scope.as_str());
            let found = found::credential_with_scopes(words.join("`, `"));
            return Err(AccessDenial::Refused(Fault::new(
                "scope",
                AUTHORIZATION_FAULT_PATH,
                expected,
                found,
            )));
        }
        self.refuse_confusable_name(caller).await?;
        refuse_agent(caller, need)?;
        if let Some(openfga) = &self.openfga {
            // A reader of one pack need not see the rest of the tenant: `may_view_pack` is asked.
            if need == Permission::ViewPack {
                return Ok(());
            }
            let object = format!("tenant:{}", caller.tenant.name());
            return openfga.ask(caller, &format!("can_{}", scope.as_str()), object, None).await;
        }
        self.as_member(caller, need).await
    }

    /// Refuses a token whose subject is confusable with a member that it does not name: names of an
    /// identity provider are exact.
    async fn refuse_confusable_name(&self, caller: &Caller) -> Result<(), AccessDenial> {
        if caller.is_key() {
            return Ok(());
        }
        let (name, members) = (caller.name(), self.members(&caller.tenant).await?);
        // A member may have a name that reads as another's; the exact one is meant then.
        let is_exact = members.iter().any(|one| one.name == name);
        match members.iter().find(|one| !is_exact && is_confusable_with(&one.name, name)) {
            None => Ok(()),
            Some(other) => {
                let found = found::name_that_reads_as(quote(name), quote(&other.name));
                let expected = precondition::the_exact_name_of_a_member();
                Err(AccessDenial::Refused(Fault::new(
                    "not_a_member",
                    AUTHORIZATION_FAULT_PATH,
                    expected,
                    found,
                )))
            }
        }
    }

    /// Checks a member's role against the permission that a route needs.
    async fn as_member(&self, caller: &Caller, need: Permission) -> Result<(), AccessDenial> {
        let Some(action) = need.action() else { return Ok(()) };
        // Members are people: an agent has the permissions of its key, and never those of a person
        // of its name.
        if matches!(caller.actor, Actor::Agent(_)) {
            return Ok(());
        }
        let members = self.members(&caller.tenant).await?;
        // Until there is an admin, the scopes of a key are the only permissions.
        let governed = members.iter().any(|one| one.role.may(AccessAction::Administer));
        if !governed && caller.is_key() {
            return Ok(());
        }
        // Another spelling of the same name is the same person; a look-alike is not, and is granted
        // nothing (`dalil_evidence::name`).
        let Some(own) = members.iter().find(|one| is_spelling(&one.name, caller.name())) else {
            let found = quoted(caller.name());
            let fault = Fault::new(
                "not_a_member",
                AUTHORIZATION_FAULT_PATH,
                expected::a_member_of_the_tenant(),
                found,
            );
            return Err(AccessDenial::Refused(fault));
        };
        if own.role.may(action) {
            return Ok(());
        }
        let least = MemberRole::WIRE_NAMES.iter().find(|(_, role)| role.may(action));
        let expected = expected::the_role_or_above(least.map_or("", |(word, _)| word));
        let found = found::member_with_role(quote(&own.name), own.role.as_str());
        Err(AccessDenial::Refused(Fault::new("role", AUTHORIZATION_FAULT_PATH, expected, found)))
    }

    /// Lets a caller view one pack: `can_view_evidence_pack(user, pack)`.
    ///
    /// The members of its tenant may view every pack of it; a pack of another tenant does not
    /// exist.
    pub(crate) async fn may_view_pack(
        &self,
        caller: &Caller,
        pack_id: &str,
    ) -> Result<(), AccessDenial> {
        let Some(openfga) = &self.openfga else { return Ok(()) };
        // A pack is looked for among those of the caller's tenant and nowhere else, so whose it is
        // need not be written to OpenFGA.
        let owner = Some(format!("tenant:{}", caller.tenant.name()));
        let object = format!("pack:{pack_id}");
        openfga.ask(caller, "can_view_evidence_pack", object, owner).await
    }

    fn known(&self, tenant: &str) -> Option<MemberSnapshot> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner).get(tenant).cloned()
    }

    /// The members of a tenant.
    async fn members(&self, tenant: &Tenant) -> Result<Arc<[Member]>, ApiProblem> {
        let read = async { self.read_members(tenant).await.map(Some) };
        let members = self.fresh.get(tenant, "", read).await?;
        members.ok_or_else(|| ApiProblem::caused(&"authority: members were read and are not there"))
    }

    /// The members of a tenant, read again when a record about one came in.
    async fn read_members(&self, tenant: &Tenant) -> Result<Arc<[Member]>, ApiProblem> {
        let known = self.known(tenant.name());
        let from = known.as_ref().map_or(0, |(from, _)| *from);
        // One lookup, mostly empty. The members are read whole only when a row was added.
        let newer = tenant.select(&MemberRow::query().starting_at(from)).await?;
        let last = newer.last().map(|newer| newer.index);
        match (known, last) {
            (Some((_, members)), None) => Ok(members),
            (_, last) => {
                let members: Arc<[Member]> = member::list(tenant).await?.members.into();
                let next = (last.map_or(0, |last| last + 1), Arc::clone(&members));
                let mut all = self.members.lock().unwrap_or_else(PoisonError::into_inner);
                all.insert(tenant.name().to_owned(), next);
                Ok(members)
            }
        }
    }
}

/// Refuses an agent the permissions that need a person: to review, to export evidence, to
/// administer.
fn refuse_agent(caller: &Caller, need: Permission) -> Result<(), AccessDenial> {
    let is_for_people = match need {
        Permission::Open | Permission::View | Permission::ViewPack | Permission::Record => false,
        Permission::Review | Permission::Export | Permission::Administer => true,
    };
    match &caller.actor {
        Actor::Agent(name) if is_for_people => {
            let found = found::the_agent(quote(name));
            let fault = Fault::new("role", AUTHORIZATION_FAULT_PATH, expected::a_person(), found);
            Err(AccessDenial::Refused(fault))
        }
        Actor::Agent(_) | Actor::Person(_) | Actor::System => Ok(()),
    }
}
