//! Sources: whole events for whole requests, and the laws they keep.

use std::borrow::Cow;

use dalil_proof::canon;
use dalil_proof::json::Json;
use expect_test::{Expect, expect};
use proptest::prelude::{Just, Strategy, any, proptest};
use proptest::{collection, option, prop_assert, prop_assert_eq};
use unicode_segmentation::UnicodeSegmentation as _;

use super::event::SourcesEvent;
use super::request::SourcesRequest;
use super::snippet::cut;
use super::{CandidateChunk, OwnerName, SortOrder, SourceCandidate, SourceOptions, select};

fn answer(request: &str) -> String {
    let json = Json::parse(request.as_bytes()).unwrap();
    match SourcesRequest::read(&json) {
        Ok(request) => {
            String::from_utf8(canon::bytes(&SourcesEvent::of(&request)).unwrap()).unwrap()
        }
        Err(refused) => refused.to_string(),
    }
}

#[track_caller]
fn check(request: &str, expected: &Expect) {
    expected.assert_eq(&answer(request));
}

/// The ids of the sources for candidates under options.
#[track_caller]
fn ids(candidates: &str, options: &str, expected: &[&str]) {
    let text = format!(r#"{{"candidates":[{candidates}],"options":{{{options}}}}}"#);
    let json = Json::parse(text.as_bytes()).unwrap();
    let request = SourcesRequest::read(&json).unwrap();
    let event = SourcesEvent::of(&request);
    let found: Vec<&str> = event.payload.sources.iter().map(|one| one.source_id).collect();
    assert_eq!(found, expected);
}

#[test]
fn ties_break_on_rank_and_then_on_id() {
    ids(
        r#"{"item_id":"d","score":1},{"item_id":"b","score":1},
           {"item_id":"c","score":1,"rank_vec":9},{"item_id":"a","score":1,"rank_text":2,"rank_vec":12}"#,
        "",
        &["a", "c", "b", "d"],
    );
}

#[test]
fn rank_takes_the_smaller_of_both_and_zero_is_a_rank() {
    ids(
        r#"{"item_id":"none","score":99},{"item_id":"three","rank_text":8,"rank_vec":3},
           {"item_id":"zero","rank_text":0},{"item_id":"three-better","rank_text":3,"score":1}"#,
        r#""order_by":"rank""#,
        &["zero", "three-better", "three", "none"],
    );
}

#[test]
fn six_sources_are_shown_unless_the_options_say_otherwise() {
    let candidates =
        ["a", "b", "c", "d", "e", "f", "g"].map(|id| format!(r#"{{"item_id":"{id}"}}"#));
    let candidates = candidates.join(",");
    ids(&candidates, "", &["a", "b", "c", "d", "e", "f"]);
    ids(&candidates, r#""max_sources":7"#, &["a", "b", "c", "d", "e", "f", "g"]);
}

#[test]
fn of_repeated_ids_the_first_in_order_stays() {
    check(
        r#"{"candidates":[{"item_id":"a","score":1,"title":"worse"},{"item_id":"a","score":2,"title":"better"},
            {"item_id":"b","score":0.5}],"options":{"debug":true,"max_sources":1}}"#,
        &expect![[
            r#"{"debug":{"candidates":3,"chunks":0,"ignored_fields":{"candidates":{},"evidence_chunks":{}},"kept":1,"left_out":[{"index":0,"item_id":"a","reason":"duplicate"},{"index":2,"item_id":"b","reason":"limit"}],"problems":[],"shortened":[],"unmatched_chunks":0,"withheld_metadata":[]},"payload":{"sources":[{"kind":"doc","metadata":{},"rank":1,"score":2,"snippet":null,"snippet_from":"unknown","source_id":"a","title":"better","url":null}]},"type":"rag.sources"}"#
        ]],
    );
}

#[test]
fn not_a_number_sorts_last_and_shows_no_score() {
    let candidate = |item_id, score| SourceCandidate {
        item_id,
        kind: "doc",
        source_ref: None,
        title: None,
        summary: None,
        snippet: None,
        score,
        rank: None,
        metadata: &[],
    };
    let candidates =
        [candidate("nan", f64::NAN), candidate("low", f64::NEG_INFINITY), candidate("one", 1.0)];
    let sources = select(&candidates, &[], &SourceOptions::CONTRACT_DEFAULTS).sources;
    let shown: Vec<_> = sources.iter().map(|one| (one.source_id, one.score)).collect();
    assert_eq!(shown, [("one", Some(1.0)), ("low", None), ("nan", None)]);
}

#[test]
fn blank_chunks_are_passed_over() {
    check(
        r#"{"candidates":[{"item_id":"a","summary":" ","snippet":"preview"}],
            "evidence_chunks":[{"item_id":"a","text":" \n\t","score":9}]}"#,
        &expect![[
            r#"{"payload":{"sources":[{"kind":"doc","metadata":{},"rank":1,"score":0,"snippet":"preview","snippet_from":"doc","source_id":"a","title":null,"url":null}]},"type":"rag.sources"}"#
        ]],
    );
}

#[test]
fn several_snippets_with_anchors_and_places() {
    check(
        r#"{"candidates":[{"item_id":"a"}],"options":{"max_snippets":2,"anchors":true,"max_snippet_chars":7},
            "evidence_chunks":[{"item_id":"a","chunk_id":"c1","text":"low","score":0.1},
              {"item_id":"a","chunk_id":"c2","text":"أفضل النصوص هنا","score":0.9,"start_idx":100,"heading_path":["الفصل"]},
              {"item_id":"a","chunk_id":"c3","text":"middle","score":0.5,"offsets":[7,13]}]}"#,
        &expect![[
            r#"{"payload":{"sources":[{"anchor":"34d1f4b6","kind":"doc","metadata":{},"rank":1,"score":0,"snippet":"أفضل","snippet_from":"chunk","snippets":[{"anchor":"34d1f4b6","chunk_id":"c2","heading_path":["الفصل"],"snippet_from":"chunk","span":{"end":104,"start":100},"text":"أفضل"},{"anchor":"a4888af4","chunk_id":"c3","snippet_from":"chunk","span":{"end":13,"start":7},"text":"middle"}],"source_id":"a","span":{"end":104,"start":100},"title":null,"url":null}]},"type":"rag.sources"}"#
        ]],
    );
}

#[test]
fn offsets_are_a_pair_or_an_object() {
    for offsets in ["[7,13]", r#"{"start":7,"end":13}"#] {
        let request = format!(
            r#"{{"candidates":[{{"item_id":"a"}}],"options":{{"anchors":true}},
                "evidence_chunks":[{{"item_id":"a","text":"middle","offsets":{offsets}}}]}}"#
        );
        assert!(answer(&request).contains(r#""span":{"end":13,"start":7}"#), "{offsets}");
    }
}

#[test]
fn metadata_without_filters_is_small_scalars_that_are_no_secrets() {
    let long = "x".repeat(257);
    let fits = "ش".repeat(256);
    let request = format!(
        r#"{{"candidates":[{{"item_id":"a","metadata":{{"n":1,"t":"x","b":true,"z":null,"fits":"{fits}",
            "long":"{long}","list":[1],"object":{{}},"API-Key":"k","db_password":"p","accessToken":"t","كلمة المرور":"س"}}}}],
            "options":{{"debug":true}}}}"#
    );
    let shown = answer(&request);
    let withheld = r#""withheld_metadata":[{"keys":["long","list","object","API-Key","db_password","accessToken","كلمة المرور"],"source_id":"a"}]"#;
    assert!(shown.contains(withheld), "{shown}");
    assert!(
        shown.contains(&format!(
            r#""metadata":{{"b":true,"fits":"{fits}","n":1,"t":"x","z":null}}"#
        ))
    );
}

#[test]
fn a_filter_that_excludes_shows_no_secret() {
    check(
        r#"{"candidates":[{"item_id":"a","metadata":{"token":"t","list":[1],"y":2,"z":1}}],
            "options":{"exclude_metadata_keys":["z"]}}"#,
        &expect![[
            r#"{"payload":{"sources":[{"kind":"doc","metadata":{"y":2},"rank":1,"score":0,"snippet":null,"snippet_from":"unknown","source_id":"a","title":null,"url":null}]},"type":"rag.sources"}"#
        ]],
    );
}

#[test]
fn every_field_of_the_contract_is_read() {
    check(
        r#"{"candidates":[{"item_id":"a","kind":"jobs","source":"kb","source_ref":"https://e/1","title":"T","summary":"S",
             "metadata":{},"score":0.5,"score_text":0.1,"score_vec":0.2,"rank_text":1,"rank_vec":null,"snippet":"N","snippet_from":"doc"}],
            "evidence_chunks":[{"item_id":"a","chunk_id":null,"text":"words","start_idx":0,"end_idx":5,"token_count":2,"score":0.3,
             "score_text":null,"score_vec":0.1,"heading_path":["H"],"anchors":{"page":1}}]}"#,
        &expect![[
            r#"{"payload":{"sources":[{"kind":"jobs","metadata":{},"rank":1,"score":0.5,"snippet":"words","snippet_from":"chunk","source_id":"a","title":"T","url":"https://e/1"}]},"type":"rag.sources"}"#
        ]],
    );
}

#[test]
fn candidates_and_chunks_that_cannot_be_used_are_passed_over_and_debug_says_why() {
    check(
        r#"{"candidates":[{"title":7},{"item_id":"a"},{"item_id":"a"},7,{"item_id":"b"}],"options":{"debug":true,"max_sources":1},
            "evidence_chunks":[{"item_id":"a","text":"t","offsets":[5,2]},{"item_id":"a","text":"words"},{"item_id":"z","text":"u"}]}"#,
        &expect![[
            r#"{"debug":{"candidates":5,"chunks":3,"ignored_fields":{"candidates":{},"evidence_chunks":{}},"kept":1,"left_out":[{"index":0,"reason":"invalid_input"},{"index":2,"item_id":"a","reason":"duplicate"},{"index":3,"reason":"invalid_input"},{"index":4,"item_id":"b","reason":"limit"}],"problems":[{"message":"expected a value, found nothing","path":"candidates[0].item_id","rule":"missing_field"},{"message":"expected a string, found `7`","path":"candidates[0].title","rule":"type"},{"message":"expected an object, found `7`","path":"candidates[3]","rule":"type"},{"message":"expected an end at or after the start, 5, found an object","path":"evidence_chunks[0]","rule":"range"}],"shortened":[],"unmatched_chunks":2,"withheld_metadata":[]},"payload":{"sources":[{"kind":"doc","metadata":{},"rank":1,"score":0,"snippet":"words","snippet_from":"chunk","source_id":"a","title":null,"url":null}]},"type":"rag.sources"}"#
        ]],
    );
}

#[test]
fn what_is_no_list_gives_no_sources() {
    let nothing = expect![[r#"{"payload":{"sources":[]},"type":"rag.sources"}"#]];
    check(r#"{"candidates":[7]}"#, &nothing);
    check(r#"{"candidates":"none"}"#, &nothing);
    check(r#"{"candidates":null}"#, &nothing);
    check(r#"{"candidates":[{"item_id":"a"}],"evidence_chunks":{}}"#, &nothing);
}

#[test]
fn fields_of_the_retriever_are_counted_and_not_read() {
    check(
        r#"{"candidates":[{"item_id":"a","page_content":"x","summary":"S"},{"item_id":"b","page_content":1}],
            "evidence_chunks":[{"item_id":"a","text":"t","page":3}],"options":{"debug":true}}"#,
        &expect![[
            r#"{"debug":{"candidates":2,"chunks":1,"ignored_fields":{"candidates":{"page_content":2},"evidence_chunks":{"page":1}},"kept":2,"left_out":[],"problems":[],"shortened":[],"unmatched_chunks":0,"withheld_metadata":[]},"payload":{"sources":[{"kind":"doc","metadata":{},"rank":1,"score":0,"snippet":"t","snippet_from":"chunk","source_id":"a","title":null,"url":null},{"kind":"doc","metadata":{},"rank":2,"score":0,"snippet":null,"snippet_from":"unknown","source_id":"b","title":null,"url":null}]},"type":"rag.sources"}"#
        ]],
    );
}

#[test]
fn what_is_included_by_name_is_no_content() {
    let shown = |value: &str| {
        let request = format!(
            r#"{{"candidates":[{{"item_id":"a","metadata":{{"k":{value}}}}}],"options":{{"include_metadata_keys":["k"]}}}}"#
        );
        answer(&request).contains(r#""metadata":{"k":"#)
    };
    assert!(shown(&format!(r#""{}""#, "ش".repeat(4095))));
    assert!(!shown(&format!(r#""{}""#, "ش".repeat(4096))));
    assert!(shown(&format!("[{}1]", "1,".repeat(4094))));
    assert!(!shown(&format!("[{}1]", "1,".repeat(4095))));
    assert!(shown(&format!(r#"{{"{}":1}}"#, "n".repeat(4094))));
    assert!(!shown(&format!(r#"{{"{}":1}}"#, "n".repeat(4095))));
}

#[test]
fn a_name_or_an_address_that_is_content_cannot_be_used() {
    for field in ["item_id", "kind", "title", "source_ref"] {
        let candidate = |length| {
            let value = "ش".repeat(length);
            match field {
                "item_id" => format!(r#"{{"item_id":"{value}"}}"#),
                _ => format!(r#"{{"item_id":"a","{field}":"{value}"}}"#),
            }
        };
        let request = format!(
            r#"{{"candidates":[{},{}],"options":{{"debug":true}}}}"#,
            candidate(4096),
            candidate(4097)
        );
        let reply = answer(&request);
        let problem = format!(
            r#""problems":[{{"message":"expected at most 4096 characters, found 4097","path":"candidates[1].{field}","rule":"length"}}]"#
        );
        assert!(reply.contains(&problem), "{field}: {reply}");
        assert!(reply.contains(r#""kept":1,"left_out":[{"index":1,"reason":"invalid_input"}]"#));
    }
}

#[test]
fn a_request_of_another_format_is_refused_with_every_fault() {
    check(
        r#"{"candidates":[{"item_id":1,"colour":"red"}],"evidence_chunks":[{"text":2}],"limit":3,
            "options":{"max_sources":-1,"order_by":"best","envelope":{"seq":1.5}}}"#,
        &expect![[r#"
            `options.max_sources`: expected a whole number from 0 to 9007199254740991, found `-1`
            `options.order_by`: expected one of `score`, `rank`, `input`, found `best`
            `options.envelope.protocol_version`: expected a value, found nothing
            `options.envelope.request_id`: expected a value, found nothing
            `options.envelope.seq`: expected a whole number from 0 to 9007199254740991, found `1.5`
            `options.envelope.ts`: expected a value, found nothing
            `limit`: expected only candidates, evidence_chunks, options, answer, found a field it does not know
            hint: remove the field or correct its name
            `candidates[0].item_id`: expected a string, found `1`
            `evidence_chunks[0].item_id`: expected a value, found nothing
            `evidence_chunks[0].text`: expected a string, found `2`"#]],
    );
    check("{}", &expect!["`candidates`: expected a value, found nothing"]);
}

#[track_caller]
fn cuts(text: &str, max: usize, expected: Option<&str>) {
    assert_eq!(cut(text, max), expected);
}

#[test]
fn snippets_are_cut_on_words_where_one_is_near() {
    cuts("exact", 5, Some("exact"));
    cuts("one two three", 8, Some("one two"));
    cuts("one two three", 7, Some("one two"));
    cuts(&"x".repeat(30), 25, Some(&"x".repeat(25)));
    let far = format!("word {}", "x".repeat(30));
    cuts(&far, 30, far.get(..30));
    let near = format!("w {}", "x".repeat(30));
    cuts(&near, 21, Some("w"));
    cuts(&near, 22, near.get(..22));
    cuts("لا يجوز ترحيل الإجازة", 12, Some("لا يجوز"));
    cuts("abc", 0, None);
}

#[test]
fn snippets_are_never_cut_inside_a_grapheme() {
    cuts("e\u{301}x", 1, None);
    cuts("ae\u{301}x", 2, Some("a"));
    cuts("👩‍👩‍👧x", 3, None);
    cuts("a\r\nb", 2, Some("a"));
}

proptest! {
    #[test]
    fn a_cut_is_a_prefix_of_whole_graphemes_within_its_limit(text in "(\\PC|[ \r\n\u{301}\u{200d}👩ا]){0,60}", max in 0_usize..50) {
        let kept = cut(&text, max).unwrap_or_default();
        prop_assert!(text.starts_with(kept));
        prop_assert!(kept.chars().count() <= max);
        let whole = text.grapheme_indices(true).any(|(at, _)| at == kept.len());
        prop_assert!(whole || kept.len() == text.len());
    }

    #[test]
    fn kept_and_left_out_are_all_that_was_offered(input in input(), max_sources in 0_usize..8) {
        let (candidates, chunks) = borrowed(&input);
        let options = SourceOptions { debug: true, max_sources, ..SourceOptions::CONTRACT_DEFAULTS };
        let selection = select(&candidates, &chunks, &options);
        let account = selection.debug.unwrap();
        prop_assert_eq!(account.candidates, candidates.len());
        prop_assert_eq!(account.kept, selection.sources.len());
        prop_assert_eq!(account.kept + account.left_out.len(), account.candidates);
    }

    #[test]
    fn the_order_of_candidates_does_not_matter((input, shuffled) in permuted()) {
        for order_by in [SortOrder::Score, SortOrder::Rank] {
            let options = SourceOptions { order_by, anchors: true, max_snippets: Some(2), ..SourceOptions::CONTRACT_DEFAULTS };
            let (candidates, chunks) = borrowed(&input);
            let (others, _) = borrowed(&shuffled);
            prop_assert_eq!(
                select(&candidates, &chunks, &options).sources,
                select(&others, &chunks, &options).sources
            );
        }
    }

    #[test]
    fn any_bytes_are_answered_or_refused(bytes in collection::vec(any::<u8>(), 0..200)) {
        if let Ok(json) = Json::parse(&bytes) {
            let answered = SourcesRequest::read(&json).map(|request| canon::bytes(&SourcesEvent::of(&request)).unwrap());
            prop_assert!(answered.is_ok_and(|bytes| !bytes.is_empty()) || SourcesRequest::read(&json).is_err());
        }
    }
}

type Found = (String, f64, Option<u64>);
type Piece = (usize, String, f64);
type Retrieved = (Vec<Found>, Vec<Piece>);

fn input() -> impl Strategy<Value = Retrieved> {
    let score = proptest::prop_oneof![Just(0.5), -1.0..1.0_f64, Just(f64::NAN)];
    let found = ("[a-e]", score, option::of(0_u64..4));
    let piece = (0_usize..6, "[a-zا-ي ]{0,20}", 0.0..1.0_f64);
    (collection::vec(found, 0..12), collection::vec(piece, 0..12))
}

/// Candidates with different ids, so that no two are equal in everything, and a shuffle of them.
fn permuted() -> impl Strategy<Value = (Retrieved, Retrieved)> {
    input()
        .prop_map(|(mut found, pieces)| {
            for (n, (id, score, _)) in found.iter_mut().enumerate() {
                *id = format!("{id}{n}");
                *score = if score.is_nan() { 0.0 } else { *score };
            }
            (found, pieces)
        })
        .prop_flat_map(|(found, pieces)| {
            let shuffled = Just(found.clone()).prop_shuffle();
            (Just((found, pieces.clone())), (shuffled, Just(pieces)))
        })
}

fn borrowed((found, pieces): &Retrieved) -> (Vec<SourceCandidate<'_>>, Vec<CandidateChunk<'_>>) {
    const NONE: &[(Cow<'_, str>, Json<'_>)] = &[];
    const IDS: [&str; 6] = ["a", "b0", "c1", "d", "e2", "z"];
    let candidates = found.iter().map(|(item_id, score, rank)| SourceCandidate {
        item_id,
        kind: "doc",
        source_ref: None,
        title: None,
        summary: Some("summary"),
        snippet: None,
        score: *score,
        rank: *rank,
        metadata: NONE,
    });
    let chunks = pieces.iter().map(|(item, text, score)| CandidateChunk {
        item_id: OwnerName::new(IDS[*item]),
        chunk_id: None,
        text,
        score: *score,
        heading_path: Vec::new(),
        start: None,
    });
    (candidates.collect(), chunks.collect())
}
