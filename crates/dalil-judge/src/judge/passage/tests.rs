use dalil_documents::formats;
use dalil_documents::split;
use expect_test::{Expect, expect};

use super::{DeepPassage, LineRole, PassageLimits, passages};
use crate::judge::{ChunkRef, IndexedDocument};

/// The passages around the chunks that hold some words, as the model reads them.
#[track_caller]
fn check(name: &str, text: &str, words: &[&str], expected: &Expect) {
    let document = formats::read(text.as_bytes(), name).unwrap();
    let chunks = split::chunks(&document);
    let at = |words: &&str| {
        let holds = |chunk: &split::DocumentChunk| {
            document.text.get(chunk.start..chunk.end).is_some_and(|text| text.contains(*words))
        };
        ChunkRef { source: 0, chunk: chunks.iter().position(holds).unwrap() }
    };
    let sources = [IndexedDocument { name, document: &document, chunks: &chunks }];
    let made = passages(&sources, words.iter().map(at), PassageLimits { passages: 3, units: 1300 });
    let shown: Vec<String> = made.iter().map(DeepPassage::text).collect();
    expected.assert_eq(&shown.join("\n====\n"));
}

#[test]
fn a_sentence_is_read_under_its_title_and_headings() {
    check(
        "travel-policy.md",
        "# Travel policy\n\nFor everybody.\n\n## Hotels\n\nBook early. Rooms cost 90 euros at most.\n\n## Meals\n\nMeals are free.\n",
        &["90 euros"],
        &expect![[r#"
            Travel policy > Hotels
            Book early.
            Rooms cost 90 euros at most."#]],
    );
}

#[test]
fn an_item_is_read_with_the_lead_of_its_list() {
    check(
        "penalties.md",
        "# Penalties\n\nA fine of 500 is due from whoever:\n\n- parks here\n- shouts at night\n",
        &["shouts"],
        &expect![[r#"
            Penalties
            A fine of 500 is due from whoever:
            - parks here
            - shouts at night"#]],
    );
}

#[test]
fn a_row_is_read_with_its_columns_and_few_neighbours() {
    check(
        "towns.csv",
        "Town,People\nAra,10\nBel,20\nCor,30\nDun,40\nEre,50\nFol,60\n",
        &["Dun"],
        &expect![[r#"
            towns
            Town: Bel | People: 20
            Town: Cor | People: 30
            Town: Dun | People: 40
            Town: Ere | People: 50
            Town: Fol | People: 60"#]],
    );
}

#[test]
fn chunks_of_one_passage_give_one_passage_and_a_heading_gives_what_follows_it() {
    check(
        "rules.txt",
        "RULES\n\nDogs stay out.\n\nCats may enter.\n",
        &["Dogs", "Cats"],
        &expect![[r#"
            rules
            RULES
            Dogs stay out.
            Cats may enter."#]],
    );
}

#[test]
fn one_line_is_read_with_the_lead_and_nothing_else() {
    let text = "# Fees\n\nNobody pays for:\n\n- water\n- air\n";
    let document = formats::read(text.as_bytes(), "fees.md").unwrap();
    let chunks = split::chunks(&document);
    let sources = [IndexedDocument { name: "fees.md", document: &document, chunks: &chunks }];
    let made = passages(
        &sources,
        [ChunkRef { source: 0, chunk: chunks.len() - 1 }],
        PassageLimits { passages: 1, units: 1300 },
    );
    let passage = made.first().unwrap();
    let last = passage.lines.iter().rposition(|line| line.role == LineRole::Evidence).unwrap();
    expect![[r#"
        Fees
        Nobody pays for:
        - air"#]]
    .assert_eq(&passage.text_of(last));
}
