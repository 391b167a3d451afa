//! `dalil sources`: retrieval results in, the items beside an answer out.

use std::path::PathBuf;

use clap::ValueEnum;
use dalil_evidence::citation_source::event::SourcesEvent;
use dalil_evidence::citation_source::request::SourcesRequest;
use dalil_evidence::citation_source::wire;
use dalil_proof::json::Json;

use crate::error::{CliError, CommandOutcome};
use crate::input;
use crate::reply::ReplyWriter;

/// Choose the sources to show beside an answer
///
/// Reads `{"candidates": […], "evidence_chunks"?: […], "options"?: {…}, "answer"?: "…"}` and prints
/// the `rag.sources` event. Unusable candidates and chunks are skipped; `options.debug` adds the
/// reasons. See spec/sources.md.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The request, a file or `-` for standard input
    request: PathBuf,

    /// The output format
    #[arg(long, value_enum, default_value_t = SourcesOutputFormat::Event)]
    format: SourcesOutputFormat,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SourcesOutputFormat {
    /// The `rag.sources` event
    Event,
    /// Source parts of the Vercel AI SDK
    AiSdk,
    /// Citations as in Anthropic's messages
    Anthropic,
    /// Annotations as in OpenAI's responses
    Openai,
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    let bytes = input::bytes(&args.request)?;
    let json = Json::parse(&bytes)?;
    let request = SourcesRequest::read(&json)?;
    let event = SourcesEvent::of(&request);
    match args.format {
        SourcesOutputFormat::Event => reply.value(&event)?,
        SourcesOutputFormat::AiSdk => reply.value(&wire::parts(&event))?,
        SourcesOutputFormat::Anthropic => reply.value(&wire::anthropic(&event))?,
        SourcesOutputFormat::Openai => reply.value(&wire::openai(&request, &event))?,
    }
    let input = &request.input;
    if !input.problems.is_empty() {
        let candidates = counted(input.unusable_candidates.len(), "candidate");
        let chunks = counted(input.unusable_chunks, "chunk");
        reply.note(&format!("note: {candidates} and {chunks} cannot be used"));
        if !request.options.debug {
            reply.note("hint: set `options.debug` to see what is wrong");
        }
    }
    Ok(CommandOutcome::Holds)
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
