//! OpenFGA by URL: asked instead of the members; only an explicit yes is a yes.

use std::fmt;
use std::io;

use dalil_phrasebook::precondition;
use dalil_proof::fault::{Fault, quote, quoted};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use serde_json::Value;

use crate::access_denial::{AUTHORIZATION_FAULT_PATH, AccessDenial};
use crate::caller::Caller;
use crate::config::{self, first_line};
use crate::http_client::agent;

/// A server that decides.
#[derive(Clone)]
pub(crate) struct OpenFgaClient {
    check: String,
    model: Option<String>,
    token: Option<String>,
    agent: ureq::Agent,
}

#[derive(Serialize)]
struct OpenFgaCheckRequest {
    tuple_key: OpenFgaTupleKey,
    /// Tuples that hold for this question alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    contextual_tuples: Option<OpenFgaTupleKeys>,
    #[serde(skip_serializing_if = "Option::is_none")]
    authorization_model_id: Option<String>,
}

#[derive(Serialize)]
struct OpenFgaTupleKeys {
    tuple_keys: [OpenFgaTupleKey; 1],
}

#[derive(Serialize)]
struct OpenFgaTupleKey {
    user: String,
    relation: String,
    object: String,
}

impl OpenFgaClient {
    pub(crate) fn new(config: &config::OpenFgaConfig) -> Result<Self, io::Error> {
        let token = config.token_file.as_deref();
        let token = token.map(|file| first_line("token_file", file)).transpose()?;
        let check = format!("{}/stores/{}/check", config.url, config.store_id);
        Ok(Self { check, model: config.model_id.clone(), token, agent: agent() })
    }

    /// Asks whether a caller has a relation to an object, which is this tenant's if one is named.
    pub(crate) async fn ask(
        &self,
        caller: &Caller,
        relation: &str,
        object: String,
        owner: Option<String>,
    ) -> Result<(), AccessDenial> {
        let user = format!("{}:{}", caller.user(), plain(caller.name()));
        let owned = owner.map(|user| OpenFgaTupleKeys {
            tuple_keys: [OpenFgaTupleKey {
                user,
                relation: "tenant".to_owned(),
                object: object.clone(),
            }],
        });
        let question = OpenFgaCheckRequest {
            tuple_key: OpenFgaTupleKey {
                user,
                relation: relation.to_owned(),
                object: object.clone(),
            },
            contextual_tuples: owned,
            authorization_model_id: self.model.clone(),
        };
        let own = self.clone();
        let asked = tokio::task::spawn_blocking(move || own.post(&question)).await;
        match asked.ok().flatten() {
            Some(true) => Ok(()),
            Some(false) => {
                let expected = precondition::somebody_with_on(relation, quote(&object));
                let fault = Fault::new(
                    "relation",
                    AUTHORIZATION_FAULT_PATH,
                    expected,
                    quoted(caller.name()),
                );
                Err(AccessDenial::Refused(fault))
            }
            // Silence is no yes: 503 and no access, and no record of a refusal, as none was
            // decided.
            None => Err(AccessDenial::unavailable()),
        }
    }

    fn post(&self, question: &OpenFgaCheckRequest) -> Option<bool> {
        let body = serde_json::to_vec(question).ok()?;
        let mut request = self.agent.post(&self.check).header("content-type", "application/json");
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let mut reply = request.send(&body[..]).ok()?;
        let text = reply.body_mut().with_config().limit(MAX_REPLY_BYTES).read_to_string().ok()?;
        let reply: Value = serde_json::from_str(&text).ok()?;
        // Anything but a boolean is no answer.
        reply.get("allowed").and_then(Value::as_bool)
    }
}

impl fmt::Debug for OpenFgaClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Openfga").field("check", &self.check).finish_non_exhaustive()
    }
}

/// A name without the signs that OpenFGA gives a meaning.
fn plain(name: &str) -> String {
    utf8_percent_encode(name, ENCODED_IN_NAME).to_string()
}

/// `:` ends the type, `#` begins a relation and `*` means every user; the characters removed here
/// mean nothing.
const ENCODED_IN_NAME: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'@').remove(b'|');
const MAX_REPLY_BYTES: u64 = 1 << 20;
