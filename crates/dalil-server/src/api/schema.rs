//! The JSON of requests and replies: a type for each body, by noun.
//!
//! The service verbs read and write types of their own crates, which do not depend on
//! OpenAPI. The types here describe the same JSON for the document, under the same names, and
//! tests validate every request and reply of a running server against them. A field that may be
//! absent and is never `null` is an `Option` with `nullable = false`; one that is always there and
//! may be `null` is `required`. Unknown fields of a request are refused.
#![expect(dead_code, reason = "they describe JSON; no value of them is made")]

pub(crate) mod apikey;
pub(crate) mod approval;
pub(crate) mod bundle;
pub(crate) mod bundle_item;
pub(crate) mod bundle_request;
pub(crate) mod check;
pub(crate) mod claim_review;
pub(crate) mod decision;
pub(crate) mod document;
pub(crate) mod export;
pub(crate) mod hold;
pub(crate) mod invitation;
pub(crate) mod job;
pub(crate) mod key;
pub(crate) mod ledger;
pub(crate) mod ledger_account;
pub(crate) mod member;
pub(crate) mod obligation;
pub(crate) mod obligation_request;
pub(crate) mod pack;
pub(crate) mod pack_review;
pub(crate) mod question_reply;
pub(crate) mod scalar;
pub(crate) mod server;
pub(crate) mod session;
pub(crate) mod source;
pub(crate) mod tool_call;
pub(crate) mod trail;
pub(crate) mod verification;
