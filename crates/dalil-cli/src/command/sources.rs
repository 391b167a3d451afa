//! `dalil sources`: retrieval results in, the items beside an answer out.

use std::path::PathBuf;

use clap::ValueEnum;
use dalil_core::json::Json;
use dalil_core::source::event::Event;
use dalil_core::source::request::{Input, Request};
use dalil_core::source::wire;

use crate::failure::{Answer, Failure};
use crate::input;
use crate::reply::Reply;

/// Choose the sources to show beside an answer
///
/// Reads `{"candidates": […], "evidence_chunks"?: […], "options"?: {…}, "answer"?: "…"}` and
/// prints the `rag.sources` event. Candidates or chunks that cannot be used give an event without
/// sources; `options.debug` makes it say why. See spec/sources.md.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The request, a file or `-` for standard input
    request: PathBuf,

    /// The shape of the reply
    #[arg(long, value_enum, default_value_t = Format::Event)]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// The `rag.sources` event
    Event,
    /// Source parts of the Vercel AI SDK
    AiSdk,
    /// Citations as in Anthropic's messages
    Anthropic,
    /// Annotations as in OpenAI's responses
    Openai,
}

pub(crate) fn run(args: &Args, reply: &Reply) -> Result<Answer, Failure> {
    let bytes = input::bytes(&args.request)?;
    let json = Json::parse(&bytes)?;
    let request = Request::read(&json)?;
    let event = Event::of(&request);
    match args.format {
        Format::Event => reply.value(&event)?,
        Format::AiSdk => reply.value(&wire::parts(&event))?,
        Format::Anthropic => reply.value(&wire::anthropic(&event))?,
        Format::Openai => reply.value(&wire::openai(&request, &event))?,
    }
    if let Input::Faulty { problems, .. } = &request.input {
        reply.note(&format!(
            "note: no sources, since {} in the candidates or chunks",
            counted(problems.len())
        ));
        if !request.options.debug {
            reply.note("hint: set `options.debug` to see what is wrong");
        }
    }
    Ok(Answer::Holds)
}

fn counted(problems: usize) -> String {
    match problems {
        1 => "there is 1 problem".to_owned(),
        n => format!("there are {n} problems"),
    }
}
