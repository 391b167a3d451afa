//! Sources of a pack: documents, excerpts, origins and times.

use std::sync::LazyLock;

use dalil_phrasebook::{bound, expected, found, hint};
use dalil_proof::decode::{self, JsonFields, JsonReader};
use dalil_proof::digest::Digest;
use dalil_proof::fault::Fault;
use dalil_proof::json::Json;
use dalil_proof::score::Score;
use dalil_proof::time::Time;
use serde::Serialize;

use crate::decision_class::DecisionClasses;
use crate::name::NameLook;

/// Something that was consulted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PackSource {
    /// The name of the system or site.
    pub source: String,
    /// Where it can be found again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    /// Its internal name, when it has no URI.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The exact words, at most 2000 characters.
    pub excerpt: String,
    /// The digest of the whole that the words are from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<Digest>,
    /// When it was retrieved.
    pub retrieved_at: Time,
    /// How reliable it is.
    pub confidence: Score,
    /// Whether it was older than the freshness window when the decision was made.
    pub stale: bool,
}

impl PackSource {
    /// Reads a piece of a decision's evidence.
    pub(super) fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        let mut fields = reader.object()?;
        let source = Self::fields(reader, &mut fields);
        fields.done()?;
        source
    }

    /// Reads a source of a pack.
    pub(super) fn read_marked(reader: JsonReader<'_, '_>) -> Option<Self> {
        let mut fields = reader.object()?;
        let source = Self::fields(reader, &mut fields);
        let stale = fields.required("stale", decode::flag);
        fields.done()?;
        Some(Self { stale: stale?, ..source? })
    }

    fn fields(reader: JsonReader<'_, '_>, fields: &mut JsonFields<'_, '_>) -> Option<Self> {
        let source = fields.required("source", decode::label);
        let uri = fields.optional("uri", decode::place);
        let reference = fields.optional("reference", decode::place);
        let excerpt = fields.required("excerpt", excerpt);
        let content_hash = fields.optional("content_hash", digest);
        let retrieved_at = fields.required("retrieved_at", decode::time);
        let confidence = fields.required("confidence", decode::score);
        let (uri, reference) = (uri?, reference?);
        if uri.is_none() && reference.is_none() {
            let path = reader.member("uri");
            return reader.push(
                Fault::new(
                    "source_location",
                    path,
                    expected::a_uri_or_a_reference(),
                    found::neither(),
                )
                .hint(hint::say_where_a_reader_can_find_the_whole()),
            );
        }
        Some(Self {
            source: source?,
            uri,
            reference,
            excerpt: excerpt?,
            content_hash: content_hash?,
            retrieved_at: retrieved_at?,
            confidence: confidence?,
            stale: false,
        })
    }

    /// Whether this is not a source but something that the model itself wrote.
    fn is_own_prose(&self, authors: &[NameLook<'_>]) -> bool {
        let own = |name: &str| {
            let mut words = name.split(|ch: char| !ch.is_alphanumeric()).filter(|w| !w.is_empty());
            // `gpt4o` and `llm2` are read as the word before the digits.
            let is = |word: Option<&str>, own: &[NameLook<'_>]| {
                let word = word.and_then(|word| word.split(char::is_numeric).next());
                word.is_some_and(|word| is_any(own, word))
            };
            let (first, second) = (words.next(), words.next());
            let names = &*MODEL_NAMES;
            is(first, &names.sources)
                || is(first, &names.ambiguous)
                    && (second.is_none()
                        || is(second, &names.sources)
                        || is(second, &names.outputs))
                || is_any(authors, name)
        };
        own(&self.source) || self.uri.as_deref().is_some_and(|uri| own(scheme(uri)))
    }
}

/// Refuses a decision that needs evidence and has none but its own word.
///
/// `reader` is at the object that names the agent and the model; `field` is the name of that
/// object's sources.
pub(super) fn enough(
    reader: JsonReader<'_, '_>,
    field: &str,
    classes: DecisionClasses,
    sources: &[PackSource],
) -> Option<()> {
    if sources.is_empty() && classes.high_stakes() {
        let DecisionClasses { approval, reversibility, sensitivity } = classes;
        let expected = expected::evidence_for_high_stakes(
            format_args!("{approval:?}"),
            format_args!("{reversibility:?}"),
            format_args!("{sensitivity:?}"),
        );
        return reader.push(
            Fault::new("evidence_required", reader.member(field), expected, found::none())
                .hint(hint::add_at_least_one_source_that_was_consulted()),
        );
    }
    // One source from outside is enough; prose of the model may be beside it.
    let authors = authors(reader);
    if !sources.is_empty() && sources.iter().all(|source| source.is_own_prose(&authors)) {
        return reader.push(
            Fault::new(
                "own_prose",
                reader.member(field),
                expected::a_source_outside_the_model(),
                found::only_the_models_own_prose(),
            )
            .hint(hint::cite_what_the_model_read_not_what_it_said()),
        );
    }
    Some(())
}

/// The sources that a memo must cite: the three relied on most, by place in the list.
pub(super) fn top_three(confidences: impl IntoIterator<Item = Score>) -> Vec<usize> {
    let mut order: Vec<(usize, Score)> = confidences.into_iter().enumerate().collect();
    // Stable, so that of equal confidences the earlier source is taken.
    order.sort_by(|(_, one), (_, other)| other.cmp(one));
    order.into_iter().take(3).map(|(place, _)| place).collect()
}

/// Whether a reader could take a name for one of these.
fn is_any(own: &[NameLook<'_>], name: &str) -> bool {
    let name = NameLook::of(name);
    own.iter().any(|own| own.is_confusable_with(&name))
}

/// The names of models, as they look.
struct ModelNameLooks {
    sources: Vec<NameLook<'static>>,
    ambiguous: Vec<NameLook<'static>>,
    outputs: Vec<NameLook<'static>>,
}

/// Made once: a pack compares its sources with all of them.
static MODEL_NAMES: LazyLock<ModelNameLooks> = LazyLock::new(|| {
    let looks = |names: &[&'static str]| names.iter().map(|name| NameLook::of(name)).collect();
    ModelNameLooks {
        sources: looks(&MODEL_SOURCE_NAMES),
        ambiguous: looks(&AMBIGUOUS_MODEL_NAMES),
        outputs: looks(&MODEL_OUTPUT_NAMES),
    }
});

/// Who may not be a source: the agent, the model and its version.
fn authors<'j>(reader: JsonReader<'_, 'j>) -> Vec<NameLook<'j>> {
    let name = |field| match reader.json.get(field) {
        Some(Json::Text(name)) => Some(NameLook::of(name)),
        _ => None,
    };
    ["agent_name", "model", "model_version"].into_iter().filter_map(name).collect()
}

/// The words themselves: some, and not too many.
fn excerpt(reader: JsonReader<'_, '_>) -> Option<String> {
    let text = decode::filled(reader)?;
    // A character has at most four bytes, so most texts need no counting.
    let length = if text.len() <= MAX_EXCERPT_CHARS { 0 } else { text.chars().count() };
    if length > MAX_EXCERPT_CHARS {
        return reader.push(
            Fault::new(
                "excerpt_length",
                reader.path(),
                bound::at_most_characters(MAX_EXCERPT_CHARS),
                length,
            )
            .hint(hint::quote_the_words_that_matter()),
        );
    }
    Some(text)
}

/// A digest, with or without its `sha256:`.
fn digest(reader: JsonReader<'_, '_>) -> Option<Digest> {
    match reader.json {
        Json::Text(text) => Digest::from_hex(text).ok().or_else(|| decode::digest(reader)),
        _ => decode::digest(reader),
    }
}

fn scheme(uri: &str) -> &str {
    uri.split_once(':').map_or("", |(scheme, _)| scheme)
}

const MAX_EXCERPT_CHARS: usize = 2000;
/// The names of a source that is the model itself: words for models, and the families and makers of
/// those in use.
const MODEL_SOURCE_NAMES: [&str; 24] = [
    "llm",
    "model",
    "assistant",
    "agent",
    "completion",
    "generation",
    "reasoner",
    "gpt",
    "chatgpt",
    "chatbot",
    "copilot",
    "anthropic",
    "openai",
    "claude",
    "gemini",
    "gemma",
    "llama",
    "mistral",
    "mixtral",
    "deepseek",
    "qwen",
    "grok",
    "المساعد",
    "اصطناعي",
];
/// Words that other sources begin with too, such as forms: they count alone or before a word of
/// the model.
const AMBIGUOUS_MODEL_NAMES: [&str; 5] = ["ai", "نموذج", "النموذج", "ذكاء", "الذكاء"];
/// The names of such a source for its output, or for its kind of model.
const MODEL_OUTPUT_NAMES: [&str; 13] = [
    "answer",
    "chat",
    "generated",
    "output",
    "response",
    "summary",
    "إجابة",
    "رد",
    "ملخص",
    "لغوي",
    "اللغوي",
    "الاصطناعي",
    "الذكاء",
];
