//! The product over HTTP: routes, who may use them, and nothing else.
//!
//! ```text
//! connection ─▶ telemetry (log, metrics, limits) ─▶ guard (caller, permission) ─▶ api ─▶ a service verb
//!                                                                                  └─▶ reply or problem
//! ```
//!
//! A request becomes one verb of `dalil_service`; its result becomes the
//! reply, and its refusal a problem (RFC 9457). No rule about evidence
//! lives here. The tenant comes from the credential, never from the request.
//!
//! In reading order: [`config`] has the settings; [`app`] the state that requests share;
//! [`routes`] every route with its permission; `guard` identifies the caller (`authentication`,
//! `oidc`) and checks the permission (`authority`); `api` has a module for each noun; `viewer` is
//! the API in a browser; [`listen`] accepts connections and stops gracefully.

mod access_denial;
mod api;
pub mod app;
mod append_pool;
mod authentication;
mod authority;
mod cached_ledger;
mod caller;
mod clock;
pub mod config;
mod documented_query;
mod extract;
mod guard;
mod http_client;
mod http_method;
mod job;
mod job_failure;
mod job_registry;
mod language;
mod ledger_head;
mod line_body;
pub mod listen;
mod log;
pub mod mcp;
mod memory_budget;
mod metrics;
mod oidc;
mod open_streams;
mod page;
mod page_pictures;
mod peer;
mod percent;
mod permission;
mod problem;
mod rate;
mod reply;
mod request_owner;
mod route_list;
pub mod routes;
mod scratch_folder;
pub mod shutdown;
mod table_cache;
mod telemetry;
mod tenant_directory;
mod timestamping;
mod tlog;
mod tls;
mod trace;
mod turn_queue;
mod verification;
mod viewer;
mod write_health;

pub use dalil_service::scratch_dir::ScratchDir;

pub use app::{App, ServerSetup};
pub use config::ServeConfig;
pub use listen::serve;
pub use shutdown::{ShutdownSignal, signals};
