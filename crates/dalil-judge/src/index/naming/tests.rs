//! Naming: the document that is meant.

use dalil_documents::formats;

use super::*;

fn names() -> Vec<DocumentName> {
    let files = [
        ("hr/travel_policy.md", "# Travel policy\n\nStaff fly economy."),
        (
            "kuwait-labour-law-6-2010.txt",
            "Law No. 6 of 2010 concerning labour in the private sector",
        ),
        ("قطر.txt", "قانون العمل القطري رقم ١٤ لسنة ٢٠٠٤"),
        ("minutes.txt", "Minutes of the meeting"),
    ];
    let name = |(file, text): (&str, &str)| {
        DocumentName::of(file, &formats::read(text.as_bytes(), file).unwrap())
    };
    files.map(name).into()
}

#[track_caller]
fn prefers(named: &[&str], expected: Option<usize>) {
    let named: Vec<String> = named.iter().map(|words| (*words).to_owned()).collect();
    let names = names();
    let found = preferences(&names.iter().collect::<Vec<_>>(), &named);
    let best = (0..found.len()).max_by(|a, b| found[*a].total_cmp(&found[*b]).then(b.cmp(a)));
    assert_eq!(best.filter(|at| found[*at] > 0.0), expected, "{found:?}");
}

#[test]
fn a_document_is_named_in_either_language() {
    prefers(&["the Travel Policy"], Some(0));
    prefers(&["Kuwaiti labour law"], Some(1));
    prefers(&["قانون العمل الكويتي"], Some(1));
    prefers(&["Qatar's Law No. 14 of 2004"], Some(2));
    prefers(&["minutes.txt"], Some(3));
    prefers(&["somebody else"], None);
    prefers(&[], None);
}

#[test]
fn the_nearest_name_wins() {
    prefers(&["القانون القطري", "قانون العمل الكويتي"], Some(2));
    prefers(&["nothing known", "Travel Policy"], Some(0));
}
