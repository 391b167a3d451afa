//! Shortlists: with a part of a corpus, a claim has the candidates of the whole.

use std::sync::Arc;

use dalil_documents::{formats, split};
use dalil_proof::digest::Digest;

use super::super::{DocumentName, DocumentOutline, IndexPassage, IndexSegment, PostingWriter};
use super::*;
use crate::index::read_postings;

/// The data of a corpus in a database, and the corpus itself.
struct Both {
    whole: CorpusIndex,
    outlines: Arc<[DocumentOutline]>,
    postings: TermPostings,
}

fn both(files: &[(String, String)]) -> Both {
    let (mut names, mut segments) = (Vec::new(), Vec::new());
    for (name, text) in files {
        let document = formats::read(text.as_bytes(), name).unwrap();
        let chunks = split::chunks(&document);
        let passages = IndexPassage::all(&document, &chunks);
        names.push(DocumentName::of(name, &document));
        segments.push(IndexSegment::of_passages(Digest::of(name.as_bytes()), &passages));
    }
    let mut writer = PostingWriter::default();
    for (place, segment) in (0..).zip(&segments) {
        writer.add(place, segment);
    }
    let mut postings = TermPostings::new();
    for (term, list) in writer.into_lists() {
        let known = postings.entry(term).or_default();
        read_postings(&list.bytes, list.chunks, known).unwrap();
        assert_eq!(known.len(), list.chunks as usize);
    }
    let outlined = names.iter().cloned().zip(&segments);
    let outlines = outlined.map(|(name, segment)| DocumentOutline::of(name, segment)).collect();
    Both { whole: CorpusIndex::of(segments).with_names(names), outlines, postings }
}

/// Policies in both languages, of which a few are about each thing.
fn policies() -> Vec<(String, String)> {
    let things = ["leave", "travel", "training", "housing", "overtime"];
    let arabic = ["الإجازة", "السفر", "التدريب", "السكن", "العمل الإضافي"];
    let english = (0..60).map(|n| {
        let (thing, days) = (things[n % 5], 3 + n);
        let text = format!(
            "# Policy {n} of {thing}\n\nThe {thing} of grade {n} is {days} days a year.\n\n\
             Requests are sent to the manager in writing.\n\nThe allowance is {} riyals.",
            1_000 + 10 * n
        );
        (format!("policy-{n}.md"), text)
    });
    let other = (0..30).map(|n| {
        let (thing, days) = (arabic[n % 5], 3 + n);
        let text = format!("# سياسة {thing} رقم {n}\n\nمدة {thing} للدرجة {n} هي {days} يوما.\n");
        (format!("سياسة-{n}.md"), text)
    });
    english.chain(other).collect()
}

#[test]
fn a_part_of_a_corpus_gives_the_candidates_of_the_whole() {
    let Both { whole, outlines, postings } = both(&policies());
    let holding: BTreeMap<TermHash, u64> =
        postings.iter().map(|(term, list)| (*term, list.len() as u64)).collect();
    let part_of = |segments| CorpusIndex::part(Arc::clone(&outlines), holding.clone(), segments);
    let outlined = part_of(Vec::new());
    let named = vec!["Policy 7 of training".to_owned()];
    // Not a sentence of every policy: of equals, those come first whose neighbours are nearer.
    for (statement, context, named) in [
        ("The travel of grade 41 is 44 days a year.", None, &[][..]),
        ("The allowance is 1,230 riyals.", Some("Housing"), &[]),
        ("The training of grade 7 is 10 days a year.", None, &named),
        ("مدة السكن للدرجة 13 هي 16 يوما.", None, &[]),
    ] {
        let search = ClaimSearch { statement, context, named };
        let vector = search.vector();
        let mut documents = outlined.named_anywhere(named, 8);
        for list in outlined.shortlists(&search, &postings) {
            let near = near(&whole, &vector, &list);
            assert!(list.best_by_terms(24).len() <= 24);
            documents.extend(list.best(&near, 24).into_iter().map(|one| one.segment));
        }
        documents.sort_unstable();
        documents.dedup();
        assert!(documents.len() < whole.segments().len(), "{statement}: all documents");
        let fetched = documents.iter().map(|place| (*place, whole.segments()[*place].clone()));
        let part = part_of(fetched.collect());
        let of_part = part.candidates(&search, 12).into_iter();
        let of_part: Vec<_> =
            of_part.map(|one| RankedChunk { segment: documents[one.segment], ..one }).collect();
        assert_eq!(of_part, whole.candidates(&search, 12), "{statement}");
        let here = part.named(named).into_iter().map(|place| documents[place]).collect::<Vec<_>>();
        assert_eq!(here, whole.named(named), "{statement}");
        let query =
            |index| super::super::WeightedQuery::of(statement, index).overlap("10 days a year");
        assert_eq!(query(&part).to_bits(), query(&whole).to_bits(), "{statement}");
    }
}

/// Every vector of a script is known here; a database knows the nearest, and those of the chunks that
/// hold most terms.
fn near(whole: &CorpusIndex, vector: &EmbeddingVector, list: &Shortlist) -> Vec<NearChunk> {
    let mut near = Vec::new();
    for (document, segment) in (0..).zip(whole.segments()) {
        let vectors = (0..).zip(segment.chunk_vectors());
        let own = vectors.filter(|(_, (is_arabic, _))| *is_arabic == list.is_arabic());
        near.extend(own.map(|(chunk, (_, other))| NearChunk {
            document,
            chunk,
            product: dot(vector, other),
        }));
    }
    near
}

fn dot(a: &[i8], b: &[i8]) -> f64 {
    f64::from(a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum::<i32>())
}

#[test]
fn a_document_is_found_by_its_vector_where_no_word_meets() {
    let garden =
        ("garden.md".to_owned(), "# Garden\n\nThe gardener waters the orchids.\n".to_owned());
    let Both { whole, outlines, postings } = both(&[policies(), vec![garden]].concat());
    let search =
        ClaimSearch { statement: "Flowers were irrigated at dawn.", ..ClaimSearch::default() };
    assert!(search.terms().iter().all(|term| !postings.contains_key(term)));
    let index = CorpusIndex::part(outlines, BTreeMap::new(), Vec::new());
    let lists = index.shortlists(&search, &TermPostings::new()).into_iter();
    let near = |list: &Shortlist| near(&whole, &search.vector(), list);
    let best: Vec<RankedChunk> = lists.flat_map(|list| list.best(&near(&list), 24)).collect();
    let first = whole.candidates(&search, 1)[0];
    assert_eq!(first.segment, 90);
    assert!(best.iter().any(|one| (one.segment, one.chunk) == (first.segment, first.chunk)));
}
