//! A prompt reads back.

use proptest::prelude::*;
use serde_json::json;

use super::built;
use crate::bundle::prompt::render;

/// Reads a prompt back: the ids, kinds and contents.
fn parse(mut prompt: &str) -> Option<Vec<(String, String, String)>> {
    let mut items = Vec::new();
    while !prompt.is_empty() {
        let (header, rest) = prompt.split_once('\n')?;
        let mut words = header.strip_prefix("--- ")?.split(' ');
        let (mark, id, kind) = (words.next()?, words.next()?, words.next()?);
        let (content, rest) = rest.split_once(&format!("\n--- {mark} end\n"))?;
        items.push((id.to_owned(), kind.to_owned(), content.to_owned()));
        prompt = rest;
    }
    Some(items)
}

proptest! {
    #[test]
    fn a_prompt_reads_back_whatever_the_contents(
        texts in prop::collection::vec("(?s)(.|\n--- |end\n|[0-9a-f]{16}){0,20}", 0..6),
        echo in any::<prop::sample::Index>(),
    ) {
        // One content quotes the prompt that the others make, mark and all.
        let evidence = |texts: &[String]| {
            let texts: Vec<_> = texts.iter().map(|text| json!({"text": text})).collect();
            built(&json!({"job_input": {"extra_params": {"evidence": texts}}}), &[]).bundle
        };
        let mut texts = texts;
        let forged = render(&evidence(&texts));
        texts.insert(echo.index(texts.len() + 1), forged);
        let bundle = evidence(&texts);
        let expected: Vec<_> = bundle
            .items
            .iter()
            .map(|item| {
                let kind = item.head.evidence_type.as_str().to_owned();
                (item.head.evidence_id.clone(), kind, item.content.clone())
            })
            .collect();
        prop_assert_eq!(parse(&render(&bundle)), Some(expected));
    }
}
