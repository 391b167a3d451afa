//! A database with a bucket answers exactly as a folder does, to the last byte.

use std::collections::BTreeMap;

use crate::home::{Home, given};
use crate::scenario::Told;

#[test]
fn a_database_with_a_bucket_answers_as_a_folder_does() {
    let one = Home::folder("agree/folder");
    let told = Told::all(&one);
    let (Some(mut other), Some(bucket)) =
        (Home::postgres("agree/database"), given("DALIL_TEST_S3"))
    else {
        return;
    };
    let (place, query) = bucket.split_once('?').unwrap();
    let made = std::fs::metadata(&other.dir).unwrap().modified().unwrap();
    let since = made.duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos();
    other.lake = Some(format!("{place}/agree-{since}?{query}"));
    let mut names = Names::default();
    let told_other = Told::all(&other);
    for ((asked, one), (asked_other, other)) in told.said.iter().zip(&told_other.said) {
        names.agree(asked, asked, asked_other);
        names.agree(asked, &own(&one.stdout), &own(&other.stdout));
        names.agree(asked, &one.stderr, &other.stderr);
    }
    assert_eq!(told.said.len(), told_other.said.len());
}

/// The random word of one store, and its counterpart in the other.
#[derive(Default)]
struct Names {
    there: BTreeMap<String, String>,
    back: BTreeMap<String, String>,
}

impl Names {
    /// Checks that two texts agree, apart from words that were drawn: ids, salts, keys, digests.
    ///
    /// A word of one has the same counterpart in every place.
    #[track_caller]
    fn agree(&mut self, asked: &str, one: &str, other: &str) {
        let (words, others) = (words(one), words(other));
        for (word, counterpart) in words.iter().zip(&others) {
            let there = self.there.entry((*word).to_owned()).or_insert((*counterpart).to_owned());
            let back = self.back.entry((*counterpart).to_owned()).or_insert((*word).to_owned());
            assert_eq!(
                (there.as_str(), back.as_str()),
                (*counterpart, *word),
                "{asked}\n{one}\n{other}"
            );
            assert!(
                word == counterpart || is_drawn(word, counterpart),
                "{asked}: {word} {counterpart}\n{one}\n{other}"
            );
        }
        assert_eq!(words.len(), others.len(), "{asked}\n{one}\n{other}");
    }
}

/// Whether two words can be random: as long as each other, and long.
fn is_drawn(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.len() >= 8
}

/// Words of letters, digits and the signs of base64, and everything between them.
fn words(text: &str) -> Vec<&str> {
    let is_sign = |letter: char| !(letter.is_ascii_alphanumeric() || "+/=".contains(letter));
    text.split_inclusive(is_sign).collect()
}

/// A reply without the fields that depend on the engine.
fn own(reply: &str) -> String {
    let Ok(mut json) = serde_json::from_str::<serde_json::Value>(reply) else {
        return reply.to_owned();
    };
    if let Some(findings) = json.get_mut("findings").and_then(|findings| findings.as_array_mut()) {
        findings.retain(|finding| finding["part"] != "database" && finding["part"] != "schema");
    }
    json.to_string()
}
