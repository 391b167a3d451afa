//! The settings: from a JSON file, from the environment, from flags.
//!
//! Parsing a file returns every fault at once; a setting that it does not name has its value
//! from [`ServeConfig::usual`]. Secrets are in files of their own, which the settings name.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use dalil_evidence::page_url;
use dalil_phrasebook::{error, expected, found};
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::{Fault, Refused};
use dalil_proof::time::Time;

#[cfg(test)]
mod tests;

/// How a server is set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServeConfig {
    /// Where it listens.
    pub listen: SocketAddr,
    /// The address that people and links use, without a slash at the end.
    pub public_url: Option<String>,
    /// The tenants whose trails are public logs.
    pub public_trails: Vec<String>,
    /// Limits on sizes, rates and times.
    pub limits: ServerLimits,
    /// The judge of answers.
    pub judge: JudgeConfig,
    /// The issuer of tokens, if there is one.
    pub oidc: Option<OidcConfig>,
    /// The server that authorises callers instead of the members' roles.
    pub openfga: Option<OpenFgaConfig>,
    /// The certificate and the key, if connections are encrypted here.
    pub tls: Option<TlsConfig>,
    /// A file whose first line opens `/metrics` from other machines.
    pub metrics_key_file: Option<PathBuf>,
    /// The time-stamping authority, if there is one.
    pub timestamps: Option<TimestampConfig>,
    /// Where traces are sent: the URL of an OTLP collector, up to `/v1/traces`.
    pub otlp: Option<String>,
    /// How many seconds a link to an export leads somewhere.
    pub link_seconds: u64,
    /// How many seconds a stop waits for running requests.
    pub stop_seconds: u64,
}

/// How much a server takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerLimits {
    /// The most bytes of a JSON body.
    pub body: u64,
    /// The most bytes of a document or of a file that is to be verified.
    pub upload: u64,
    /// The same for an anonymous client.
    pub anonymous_upload: u64,
    /// The most seconds that a request may take, without the time to send its reply.
    pub seconds: u64,
    /// How many requests a second each credential may make.
    pub rate: u64,
    /// How many more than that at once.
    pub burst: u64,
    /// How many connections at a time.
    pub connections: u64,
    /// How many of them from one address; of IPv6 the first 64 bits count.
    pub connections_per_address: u64,
    /// How many answers are checked at a time.
    pub checks: u64,
    /// How many archives and PDFs of members are verified at a time.
    pub verifications: u64,
    /// How many threads judge one answer.
    pub threads: u64,
    /// How many bytes of bodies and files are held in memory at a time.
    pub memory: u64,
    /// The same for anonymous callers, apart from the members'.
    pub anonymous_memory: u64,
    /// How many files are read at a time, each in a process of its own.
    pub readers: u64,
    /// The memory of each of these processes, and of each that verifies a file, in bytes.
    pub reader_memory: u64,
}

/// The judge of answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JudgeConfig {
    /// The models of this machine: `auto`, `fast` or `deep`.
    Models {
        /// Which of them.
        choice: ModelChoice,
        /// The file of the deep model; by default where `dalil model import` writes it.
        file: Option<PathBuf>,
    },
    /// A model behind an endpoint.
    Endpoint(JudgeEndpoint),
}

/// Which model judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelChoice {
    /// The fast one, and the deep one where that is not sure and the file is there.
    Auto,
    /// The fast one.
    Fast,
    /// The deep one, for every claim.
    Deep,
}

/// An OpenAI-compatible endpoint that judges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgeEndpoint {
    /// Its address, up to `/chat/completions`.
    pub url: String,
    /// The model.
    pub model: String,
    /// A file whose first line is its key.
    pub key_file: Option<PathBuf>,
    /// Whether it gets claims and passages masked.
    pub mask: bool,
}

/// The issuer of tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OidcConfig {
    /// The issuer, as its tokens name it; its keys are looked up there and nowhere else.
    pub issuer: String,
    /// The audience that tokens must have.
    pub audience: String,
    /// The claim that names the tenant.
    pub tenant_claim: String,
    /// The claim that names the person.
    pub name_claim: String,
    /// The scopes that a token may have at most.
    pub scopes: Option<Vec<String>>,
    /// How people sign in to the viewer there, if they do.
    pub signin: Option<OidcSignInConfig>,
}

/// How people sign in at the provider: the viewer as a client of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OidcSignInConfig {
    /// The id of the viewer at the provider.
    pub client_id: String,
    /// A file whose first line is the secret of the client; a public client has none.
    pub client_secret_file: Option<PathBuf>,
    /// The requested scopes, `openid` among them; more may bring the claims of tenant and name.
    pub scope: String,
}

/// An OpenFGA server that decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenFgaConfig {
    /// Its address.
    pub url: String,
    /// The store.
    pub store_id: String,
    /// The model; the newest when none is named.
    pub model_id: Option<String>,
    /// A file whose first line is its token.
    pub token_file: Option<PathBuf>,
}

/// The authorities that stamp checkpoints, and how often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimestampConfig {
    /// The authorities, each of which stamps.
    pub authorities: Vec<TimestampAuthorityConfig>,
    /// How many seconds there are from one round to the next.
    pub seconds: u64,
}

/// A time-stamping authority (RFC 3161).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimestampAuthorityConfig {
    /// Its address.
    pub url: String,
    /// Its name, under which trust files name it.
    pub name: String,
    /// Its certificate, or those that its own leads to, in PEM or DER.
    pub certificate_file: PathBuf,
}

/// A certificate and its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsConfig {
    /// The certificate and those that vouch for it, in PEM.
    pub certificate: PathBuf,
    /// Its private key, in PEM.
    pub key: PathBuf,
}

impl ServeConfig {
    /// The page that verifies, where the public address is known.
    pub(crate) fn verify_url(&self) -> Option<String> {
        self.public_url.as_deref().map(verify_page)
    }

    /// Defaults for one machine and few people.
    pub fn usual() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8700)),
            public_url: None,
            public_trails: Vec::new(),
            limits: ServerLimits {
                body: 16 << 20,
                upload: 256 << 20,
                anonymous_upload: 16 << 20,
                seconds: 60,
                rate: 200,
                burst: 400,
                connections: 1024,
                connections_per_address: 256,
                checks: 1,
                verifications: 1,
                threads: 2,
                memory: 1 << 30,
                anonymous_memory: 64 << 20,
                readers: 2,
                reader_memory: 1 << 30,
            },
            judge: JudgeConfig::Models { choice: ModelChoice::Auto, file: None },
            oidc: None,
            openfga: None,
            tls: None,
            metrics_key_file: None,
            timestamps: None,
            otlp: None,
            link_seconds: 900,
            stop_seconds: 30,
        }
    }

    /// Looks at the files that it names.
    ///
    /// # Errors
    /// One that cannot be read, a certificate whose time is over at `now`, or a key that is
    /// another certificate's.
    pub fn examine(&self, now: Time) -> Result<(), std::io::Error> {
        // `doctor` builds the server's parts, and drops them.
        if let Some(tls) = &self.tls {
            crate::tls::acceptor(tls, now)?;
        }
        if let Some(timestamps) = &self.timestamps {
            crate::timestamping::endpoints(timestamps)?;
        }
        crate::authority::Authority::new(self).map(|_| ())
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Every fault in it, and every name that is not known.
    pub fn parse(text: &[u8]) -> Result<Self, Refused> {
        decode::request(text, config)
    }
}

fn config(reader: JsonReader<'_, '_>) -> Option<ServeConfig> {
    let usual = ServeConfig::usual();
    let mut fields = reader.object()?;
    let listen =
        fields.or("listen", usual.listen, |at| at.parsed("address", expected::listen_address()));
    let public_url = fields.optional("public_url", public_url);
    let public_trails =
        fields.or("public_trails", usual.public_trails, |names| names.list(decode::filled));
    let limits = fields.or("limits", usual.limits, limits);
    let judge = fields.or("judge", usual.judge, judge);
    let oidc = fields.optional("oidc", oidc);
    let openfga = fields.optional("openfga", openfga);
    let tls = fields.optional("tls", tls);
    let metrics_key_file =
        fields.optional("metrics_key_file", |file| decode::filled(file).map(PathBuf::from));
    let timestamps = fields.optional("timestamps", timestamps);
    let otlp = fields.optional("otlp", url);
    let link_seconds = fields.or("link_seconds", usual.link_seconds, |at| at.whole(1..=86_400));
    let stop_seconds = fields.or("stop_seconds", usual.stop_seconds, |at| at.whole(1..=3600));
    fields.done()?;
    let (public_url, oidc) = (public_url?, oidc?);
    // The provider redirects people to it. An address from a request could be an attacker's.
    if public_url.is_none() && oidc.as_ref().is_some_and(|oidc: &OidcConfig| oidc.signin.is_some())
    {
        let expected = expected::the_address_of_the_viewer_for_signing_in();
        let fault = Fault::new("public_url", reader.member("public_url"), expected, found::none());
        return reader.push(fault);
    }
    Some(ServeConfig {
        listen: listen?,
        public_url,
        public_trails: public_trails?,
        limits: limits?,
        judge: judge?,
        oidc,
        openfga: openfga?,
        tls: tls?,
        metrics_key_file: metrics_key_file?,
        timestamps: timestamps?,
        otlp: otlp?,
        link_seconds: link_seconds?,
        stop_seconds: stop_seconds?,
    })
}

fn timestamps(reader: JsonReader<'_, '_>) -> Option<TimestampConfig> {
    let mut fields = reader.object()?;
    let authorities = fields.required("authorities", |list| list.list(timestamp_authority));
    let seconds =
        fields.or("seconds", USUAL_TIMESTAMP_SECONDS, |seconds| seconds.whole(1..=86_400));
    fields.done()?;
    let (authorities, seconds) = (authorities?, seconds?);
    let names = authorities.iter().map(|one| one.name.as_str()).collect::<BTreeSet<_>>();
    // The second one of a name would find every checkpoint stamped already.
    if names.len() != authorities.len() {
        let (path, why) = (reader.member("authorities"), error::timestamp_authority_twice());
        return reader.push(Fault::with_message("timestamp_authorities", path, why));
    }
    Some(TimestampConfig { authorities, seconds })
}

fn timestamp_authority(reader: JsonReader<'_, '_>) -> Option<TimestampAuthorityConfig> {
    let mut fields = reader.object()?;
    // As it is: to some authorities, a path without its last `/` is another one.
    let url = fields.required("url", whole_url);
    let name = fields.required("name", decode::filled);
    let certificate_file =
        fields.required("certificate_file", |file| decode::filled(file).map(PathBuf::from));
    fields.done()?;
    let (url, name, certificate_file) = (url?, name?, certificate_file?);
    Some(TimestampAuthorityConfig { url, name, certificate_file })
}

fn limits(reader: JsonReader<'_, '_>) -> Option<ServerLimits> {
    let usual = ServeConfig::usual().limits;
    let mut fields = reader.object()?;
    let mut from = |name, usual, least, most| {
        let range = least..=most;
        fields.or(name, usual, |value| value.whole(range))
    };
    let memory = from("memory", usual.memory, 1 << 20, 1 << 40);
    let anonymous_memory = from("anonymous_memory", usual.anonymous_memory, 1 << 20, 1 << 40);
    let reader_memory = from("reader_memory", usual.reader_memory, 64 << 20, 1 << 40);
    let mut whole = |name, usual, most| from(name, usual, 1, most);
    let body = whole("body", usual.body, 1 << 30);
    let upload = whole("upload", usual.upload, 1 << 30);
    let anonymous_upload = whole("anonymous_upload", usual.anonymous_upload, 1 << 30);
    let seconds = whole("seconds", usual.seconds, 3600);
    let rate = whole("rate", usual.rate, 1_000_000);
    let burst = whole("burst", usual.burst, 1_000_000);
    let connections = whole("connections", usual.connections, 100_000);
    let connections_per_address =
        whole("connections_per_address", usual.connections_per_address, 100_000);
    let checks = whole("checks", usual.checks, 64);
    let verifications = whole("verifications", usual.verifications, 64);
    let threads = whole("threads", usual.threads, 256);
    let readers = whole("readers", usual.readers, 64);
    fields.done()?;
    Some(ServerLimits {
        body: body?,
        upload: upload?,
        anonymous_upload: anonymous_upload?,
        seconds: seconds?,
        rate: rate?,
        burst: burst?,
        connections: connections?,
        connections_per_address: connections_per_address?,
        checks: checks?,
        verifications: verifications?,
        threads: threads?,
        memory: memory?,
        anonymous_memory: anonymous_memory?,
        readers: readers?,
        reader_memory: reader_memory?,
    })
}

fn judge(reader: JsonReader<'_, '_>) -> Option<JudgeConfig> {
    let mut fields = reader.object()?;
    let choice = fields.optional("mode", |word| word.choice(MODEL_CHOICES));
    let file = fields.optional("model_file", |file| decode::filled(file).map(PathBuf::from));
    let endpoint = fields.optional("endpoint", endpoint);
    fields.done()?;
    match (choice?, file?, endpoint?) {
        (None, None, Some(endpoint)) => Some(JudgeConfig::Endpoint(endpoint)),
        (choice, file, None) => {
            Some(JudgeConfig::Models { choice: choice.unwrap_or(ModelChoice::Auto), file })
        }
        // Which of the two would judge must not be left to the order of the fields.
        _ => {
            let expected = expected::an_endpoint_or_a_mode_and_a_model_file();
            reader.push(Fault::new("judge", reader.path(), expected, found::both()))
        }
    }
}

fn endpoint(reader: JsonReader<'_, '_>) -> Option<JudgeEndpoint> {
    let mut fields = reader.object()?;
    let url = fields.required("url", url);
    let model = fields.required("model", decode::filled);
    let key_file = fields.optional("key_file", |file| decode::filled(file).map(PathBuf::from));
    let mask = fields.or("mask", false, decode::flag);
    fields.done()?;
    Some(JudgeEndpoint { url: url?, model: model?, key_file: key_file?, mask: mask? })
}

fn oidc(reader: JsonReader<'_, '_>) -> Option<OidcConfig> {
    let mut fields = reader.object()?;
    // Its slash at the end, or none, is taken from its own document.
    let issuer = fields.required("issuer", url);
    let audience = fields.required("audience", decode::filled);
    let tenant_claim = fields.or("tenant_claim", "dalil_tenant".to_owned(), decode::filled);
    let name_claim = fields.or("name_claim", "sub".to_owned(), decode::filled);
    let scopes = fields.optional("scopes", |list| list.list(decode::filled));
    let signin = fields.optional("signin", oidc_signin);
    fields.done()?;
    Some(OidcConfig {
        issuer: issuer?,
        audience: audience?,
        tenant_claim: tenant_claim?,
        name_claim: name_claim?,
        scopes: scopes?,
        signin: signin?,
    })
}

fn oidc_signin(reader: JsonReader<'_, '_>) -> Option<OidcSignInConfig> {
    let mut fields = reader.object()?;
    let client_id = fields.required("client_id", decode::filled);
    let client_secret_file =
        fields.optional("client_secret_file", |file| decode::filled(file).map(PathBuf::from));
    let scope = fields.or("scope", "openid".to_owned(), |scope| {
        let text = decode::filled(scope)?;
        // OpenID Connect Core 1.0, section 3.1.2.1: without it there is no ID token.
        let is_known = text.split(' ').any(|word| word == "openid");
        if is_known { Some(text) } else { scope.refuse("scope", expected::a_scope_with_openid()) }
    });
    fields.done()?;
    Some(OidcSignInConfig {
        client_id: client_id?,
        client_secret_file: client_secret_file?,
        scope: scope?,
    })
}

fn openfga(reader: JsonReader<'_, '_>) -> Option<OpenFgaConfig> {
    let mut fields = reader.object()?;
    let url = fields.required("url", url);
    let store_id = fields.required("store_id", plain);
    let model_id = fields.optional("model_id", plain);
    let token_file = fields.optional("token_file", |file| decode::filled(file).map(PathBuf::from));
    fields.done()?;
    Some(OpenFgaConfig {
        url: url?,
        store_id: store_id?,
        model_id: model_id?,
        token_file: token_file?,
    })
}

fn tls(reader: JsonReader<'_, '_>) -> Option<TlsConfig> {
    let mut fields = reader.object()?;
    let certificate = fields.required("certificate", decode::filled);
    let key = fields.required("key", decode::filled);
    fields.done()?;
    Some(TlsConfig { certificate: certificate?.into(), key: key?.into() })
}

/// An address: `https`, or `http` for this machine and for tests behind it.
fn url(reader: JsonReader<'_, '_>) -> Option<String> {
    whole_url(reader).map(|url| url.trim_end_matches('/').to_owned())
}

/// The same with the `/` at its end, if it has one.
fn whole_url(reader: JsonReader<'_, '_>) -> Option<String> {
    let text = decode::filled(reader)?;
    match page_url::check_plain(&text, &reader.path()) {
        Ok(()) => Some(text),
        Err(fault) => reader.push(fault),
    }
}

/// The address of the server. It has a limit, with room for the path of the page that verifies:
/// PDFs name that.
fn public_url(reader: JsonReader<'_, '_>) -> Option<String> {
    let text = decode::filled(reader)?;
    let url = text.trim_end_matches('/');
    match page_url::check(&text, &reader.path())
        .and_then(|()| page_url::check(&verify_page(url), &reader.path()))
    {
        Ok(()) => Some(url.to_owned()),
        Err(fault) => reader.push(fault),
    }
}

fn verify_page(public_url: &str) -> String {
    format!("{public_url}/verify")
}

/// Letters, digits, `-` and `_`: a part of a path.
fn plain(reader: JsonReader<'_, '_>) -> Option<String> {
    let text = decode::filled(reader)?;
    if text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')) {
        return Some(text);
    }
    reader.refuse("name", expected::letters_digits_dash())
}

/// The secret in the first line of a file that a setting names.
pub(crate) fn first_line(setting: &str, file: &Path) -> Result<String, std::io::Error> {
    let text = std::fs::read_to_string(file)?;
    let line = text.lines().next().map(str::trim).filter(|line| !line.is_empty());
    let expected = format!("expected a secret in the first line of `{setting}`");
    line.map(str::to_owned).ok_or_else(|| std::io::Error::other(expected))
}

const MODEL_CHOICES: &[(&str, ModelChoice)] =
    &[("auto", ModelChoice::Auto), ("fast", ModelChoice::Fast), ("deep", ModelChoice::Deep)];
/// An hour: the time within which a thief of a revoked key could sign unnoticed.
const USUAL_TIMESTAMP_SECONDS: u64 = 3600;
