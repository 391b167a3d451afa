//! The same sources in the shapes of others: parts of the AI SDK, citations of Anthropic and OpenAI.

use std::collections::HashMap;

use dalil_proof::digest::Digest;
use dalil_proof::json::{Json, integer};
use serde::Serialize;

use super::candidate::CandidateChunk;
use super::event::SourcesEvent;
use super::request::SourcesRequest;
use super::{CitationSource, SnippetSpan};
use crate::anchor::{self, AnchorIndex, citations, text_digest};
use crate::char_offset::CharOffsetIndex;

#[cfg(test)]
mod tests;

/// A source part of the AI SDK's messages and streams.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum AiSdkSourcePart<'a> {
    /// Something on the web.
    SourceUrl {
        /// The source.
        source_id: &'a str,
        /// Where it is.
        url: &'a str,
        /// Its title.
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<&'a str>,
    },
    /// A document.
    SourceDocument {
        /// The source.
        source_id: &'a str,
        /// Its IANA media type.
        media_type: &'a str,
        /// Its title, or its id where it has none.
        title: &'a str,
        /// Its file name.
        #[serde(skip_serializing_if = "Option::is_none")]
        filename: Option<&'a str>,
    },
}

/// A citation in a text block of Anthropic's messages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AnthropicCitation<'a> {
    /// Characters of a document.
    CharLocation {
        /// The words.
        cited_text: &'a str,
        /// The source's place, from 0.
        document_index: usize,
        /// Its title.
        document_title: Option<&'a str>,
        /// The first character.
        start_char_index: u64,
        /// The first character after it.
        end_char_index: u64,
    },
    /// A page of a document.
    PageLocation {
        /// The words.
        cited_text: &'a str,
        /// The source's place, from 0.
        document_index: usize,
        /// Its title.
        document_title: Option<&'a str>,
        /// The first page, from 1.
        start_page_number: u64,
        /// The first page after it.
        end_page_number: u64,
    },
    /// A search result.
    SearchResultLocation {
        /// The words.
        cited_text: &'a str,
        /// The source's place, from 0.
        search_result_index: usize,
        /// Where it is, or its id where that is not known.
        source: &'a str,
        /// Its title.
        title: Option<&'a str>,
        /// The first content block.
        start_block_index: usize,
        /// The first content block after it.
        end_block_index: usize,
    },
}

/// An annotation of a text in OpenAI's responses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum OpenAiAnnotation<'a> {
    /// Something on the web.
    UrlCitation {
        /// Where the citation begins in the answer, in characters.
        start_index: usize,
        /// Where it ends.
        end_index: usize,
        /// Where the source is.
        url: &'a str,
        /// Its title, or its address where it has none.
        title: &'a str,
    },
    /// A file.
    FileCitation {
        /// The source.
        file_id: &'a str,
        /// Its file name.
        filename: &'a str,
        /// The place of the citation in the answer, in characters.
        index: usize,
    },
}

/// The sources as parts of the AI SDK: addresses on the web as such, everything else as documents.
pub fn parts<'a>(event: &SourcesEvent<'a>) -> Vec<AiSdkSourcePart<'a>> {
    event.payload.sources.iter().map(part).collect()
}

/// The snippets as Anthropic's citations. A source without a snippet cites nothing and has none.
pub fn anthropic<'a>(event: &SourcesEvent<'a>) -> Vec<AnthropicCitation<'a>> {
    event.payload.sources.iter().enumerate().filter_map(|(n, one)| citation(n, one)).collect()
}

/// The sources as OpenAI's annotations.
///
/// With an answer: one for each of its citations that names a chunk of a source, at its place.
/// Without: one for each source, at 0, since there is no text to have a place in.
pub fn openai<'a>(
    request: &SourcesRequest<'a>,
    event: &SourcesEvent<'a>,
) -> Vec<OpenAiAnnotation<'a>> {
    let sources = &event.payload.sources;
    match request.answer {
        Some(answer) => in_answer(answer, &request.input.chunks, sources),
        None => sources.iter().map(|source| annotation(source, 0, 0)).collect(),
    }
}

fn in_answer<'a>(
    answer: &'a str,
    chunks: &[CandidateChunk<'a>],
    sources: &[CitationSource<'a>],
) -> Vec<OpenAiAnnotation<'a>> {
    let by_id: HashMap<&str, &CitationSource<'a>> =
        sources.iter().map(|source| (source.source_id, source)).collect();
    // Equal words in two documents have one digest: the better source is used for it.
    let mut by_digest: HashMap<Digest, &CitationSource<'a>> = HashMap::new();
    for chunk in chunks {
        if let Some(source) = by_id.get(chunk.item_id.as_str()) {
            let holder = by_digest.entry(text_digest(chunk.text)).or_insert(source);
            if source.rank < holder.rank {
                *holder = source;
            }
        }
    }
    // All chunks, also those of no source: an anchor that names two of them names nothing.
    let known = AnchorIndex::new(chunks.iter().map(|chunk| text_digest(chunk.text)));
    let positions = CharOffsetIndex::of(answer);
    let place = |citation: anchor::Citation| {
        let source = by_digest.get(&known.resolve(&citation.anchor).ok()?)?;
        let (start, end) = (positions.at(citation.start), positions.at(citation.end));
        Some(annotation(source, start, end))
    };
    citations(answer).into_iter().filter_map(place).collect()
}

fn part<'a>(source: &CitationSource<'a>) -> AiSdkSourcePart<'a> {
    let CitationSource { source_id, title, url, .. } = *source;
    match url.filter(|url| is_web(url)) {
        Some(url) => AiSdkSourcePart::SourceUrl { source_id, url, title },
        None => AiSdkSourcePart::SourceDocument {
            source_id,
            media_type: media_type(source),
            title: title.unwrap_or(source_id),
            filename: url.and_then(filename),
        },
    }
}

fn citation<'a>(n: usize, source: &CitationSource<'a>) -> Option<AnthropicCitation<'a>> {
    let CitationSource { source_id, title, url, place, .. } = *source;
    let cited_text = source.snippet?;
    let page = source.metadata.get("page_number").and_then(whole);
    Some(match (place, page) {
        (Some(SnippetSpan { start, end }), _) => AnthropicCitation::CharLocation {
            cited_text,
            document_index: n,
            document_title: title,
            start_char_index: start,
            end_char_index: end,
        },
        (None, Some(page)) => AnthropicCitation::PageLocation {
            cited_text,
            document_index: n,
            document_title: title,
            start_page_number: page,
            end_page_number: page + 1,
        },
        (None, None) => AnthropicCitation::SearchResultLocation {
            cited_text,
            search_result_index: n,
            source: url.unwrap_or(source_id),
            title,
            start_block_index: 0,
            end_block_index: 1,
        },
    })
}

fn annotation<'a>(source: &CitationSource<'a>, start: usize, end: usize) -> OpenAiAnnotation<'a> {
    let CitationSource { source_id, title, url, .. } = *source;
    match url.filter(|url| is_web(url)) {
        Some(url) => OpenAiAnnotation::UrlCitation {
            start_index: start,
            end_index: end,
            url,
            title: title.unwrap_or(url),
        },
        None => OpenAiAnnotation::FileCitation {
            file_id: source_id,
            filename: url.and_then(filename).or(title).unwrap_or(source_id),
            index: start,
        },
    }
}

fn is_web(url: &str) -> bool {
    let scheme = url.split_once("://").map(|(scheme, _)| scheme);
    scheme.is_some_and(|one| ["http", "https"].iter().any(|web| one.eq_ignore_ascii_case(web)))
}

/// The last part of a path.
fn filename(url: &str) -> Option<&str> {
    url.rsplit(['/', '\\']).next().filter(|name| !name.is_empty())
}

fn whole(value: &Json<'_>) -> Option<u64> {
    match value {
        Json::Number(value) => integer(*value).and_then(|whole| u64::try_from(whole).ok()),
        _ => None,
    }
}

/// The media type that the metadata gives, or else the one that the file's name suggests.
fn media_type<'a>(source: &CitationSource<'a>) -> &'a str {
    let given = |key: &str| {
        let mut pairs = source.metadata.0.iter();
        pairs.find_map(|(name, value)| match value {
            Json::Text(text) if *name == key => Some(text.as_ref()),
            _ => None,
        })
    };
    let names = [source.url, source.title].into_iter().flatten();
    let mut endings = names.filter_map(|name| name.rsplit_once('.').map(|(_, ending)| ending));
    let by_ending = |ending: &str| {
        let known = MEDIA_TYPES.iter().find(|(one, _)| one.eq_ignore_ascii_case(ending));
        known.map(|(_, media_type)| *media_type)
    };
    given("media_type")
        .or_else(|| given("mime_type"))
        .or_else(|| endings.find_map(by_ending))
        .unwrap_or("application/octet-stream")
}

const MEDIA_TYPES: [(&str, &str); 11] = [
    ("pdf", "application/pdf"),
    ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("html", "text/html"),
    ("htm", "text/html"),
    ("md", "text/markdown"),
    ("txt", "text/plain"),
    ("csv", "text/csv"),
    ("json", "application/json"),
    ("xml", "application/xml"),
    ("eml", "message/rfc822"),
];
