//! The protocol over standard input and output: one message on each line.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use dalil_evidence::apikey::ApiKeyScope;
use dalil_phrasebook::Language;
use dalil_proof::record::Actor;
use dalil_store::Tenant;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::door::{McpDoor, MessageOrigin};
use crate::app::App;
use crate::caller::{Caller, LocalCaller};
use crate::routes::RouteTable;

/// An agent that runs this program.
#[derive(Clone, Debug)]
pub struct LocalAgent {
    /// Whose evidence it is about.
    pub tenant: Tenant,
    /// Its name.
    pub name: String,
    /// The language of the answers to it.
    pub language: Language,
}

/// Answers messages until there are no more; answers come as they are ready.
///
/// An agent views and records. Nothing that it sends here makes it a person.
///
/// # Errors
/// An answer that could not be written.
pub async fn serve(
    app: App,
    agent: LocalAgent,
    mut messages: mpsc::Receiver<Vec<u8>>,
    mut write: impl FnMut(&str) -> io::Result<()>,
) -> io::Result<()> {
    let router = RouteTable::new().router(&app).map_err(io::Error::other)?;
    let door = McpDoor::new(router);
    let LocalAgent { tenant, name, language } = agent;
    let caller = Caller {
        tenant,
        actor: Actor::Agent(name),
        scopes: BTreeSet::from([ApiKeyScope::View, ApiKeyScope::Record]),
        ends: None,
        credential: "stdio".to_owned(),
        key: None,
    };
    let origin = Arc::new(MessageOrigin::local(LocalCaller(caller), language));
    let mut open = JoinSet::new();
    loop {
        let answer = tokio::select! {
            message = messages.recv(), if open.len() < MAX_OPEN_MESSAGES => {
                let Some(message) = message else { break };
                let (door, origin) = (door.clone(), Arc::clone(&origin));
                open.spawn(async move { door.answer(&message, &origin).await });
                continue;
            }
            Some(answer) = open.join_next() => answer,
        };
        told(answer, &mut write)?;
    }
    // Requests that came before the end are answered.
    while let Some(answer) = open.join_next().await {
        told(answer, &mut write)?;
    }
    drop((door, origin));
    app.jobs.ended().await;
    app.close().await.map_err(io::Error::other)
}

fn told(
    answer: Result<Option<super::envelope::RpcAnswer>, tokio::task::JoinError>,
    write: &mut impl FnMut(&str) -> io::Result<()>,
) -> io::Result<()> {
    match answer.map_err(io::Error::other)? {
        Some(answer) => write(&answer.body().to_string()),
        None => Ok(()),
    }
}

/// An agent that asks more at once waits for the first answers.
const MAX_OPEN_MESSAGES: usize = 16;
