//! The product over HTTP: routes, who may use them, and nothing else.
//!
//! ```text
//! connection ─▶ watch (log, metrics, limits) ─▶ guard (who, may they) ─▶ api ─▶ a verb of `dalil`
//!                                                                          └─▶ reply or problem
//! ```
//!
//! A request becomes one verb of `dalil::operations`; what the verb gives is the
//! reply, and what it refuses is a problem (RFC 9457). No rule about evidence
//! lives here. The tenant comes from the credential, never from the request.
//!
//! In reading order: [`config`] is what can be set; [`app`] is what requests
//! share; [`routes`] is every route with what it needs; `guard` asks who calls
//! (`caller`, `oidc`) and whether they may (`authority`); `api` has a module for
//! each noun; `viewer` is the API in a browser; [`listen`] accepts connections and stops gracefully.

mod api;
pub mod app;
mod append_pool;
mod authority;
mod caller;
pub mod config;
mod extract;
mod guard;
mod job;
mod language;
pub mod listen;
mod log;
mod memory_budget;
mod metrics;
mod oidc;
mod page;
mod problem;
mod rate;
mod reply;
mod request_owner;
pub mod routes;
mod table_cache;
mod telemetry;
mod tls;
mod trace;
mod turn_queue;
mod verification;
mod viewer;
mod write_health;

pub use app::{App, ServerSetup};
pub use config::ServeConfig;
pub use dalil::scratch_dir::ScratchDir;
pub use listen::{ShutdownSignal, serve, signals};
