use super::{denial, frames};
use crate::rule::frame_words::FrameSort;
use crate::rule::text::AnalyzedText;
use crate::rule::{RuleEffect, compare, effect};

/// The first frame of a text, and the words that it reaches.
fn framed(text: &str) -> Option<(FrameSort, String)> {
    let read = AnalyzedText::of(text);
    let frame = frames(&read).into_iter().next()?;
    Some((frame.sort, text.get(read.span(frame.scope))?.to_owned()))
}

#[test]
fn a_frame_reaches_what_it_takes_back() {
    let reaches = |text: &str, sort: FrameSort, scope: &str| {
        assert_eq!(framed(text), Some((sort, scope.to_owned())), "{text}");
    };
    reaches("It is untrue that the lift stops here.", FrameSort::Denied, "the lift stops here.");
    reaches("The claim that rent is due in May is false.", FrameSort::Denied, "rent is due in May");
    reaches(
        "Rent was due in May; this was abolished.",
        FrameSort::Repealed,
        "Rent was due in May;",
    );
    reaches("Rent is due in May. This was repealed.", FrameSort::Repealed, "Rent is due in May.");
    reaches("Staff asked for tea; the owner refused.", FrameSort::Rejected, "Staff asked for tea");
    reaches("~~Tea is free.~~", FrameSort::Struck, "Tea is free.");
    reaches("DRAFT: tea is free.", FrameSort::Draft, "tea is free.");
    reaches("تنفي الجمعية أن الشاي مجاني.", FrameSort::Denied, "الشاي مجاني.");
    reaches("القول بأن الشاي مجاني غير صحيح.", FrameSort::Denied, "الشاي مجاني");
}

#[test]
fn ordinary_text_has_no_frame() {
    for text in [
        "The Board may reject an application.",
        "The registrar may refuse to issue a permit.",
        "Tea is free, whether or not it was ordered.",
        "The clerk prepares a draft of the plan.",
        "Rejected goods are returned.",
        "Whether hot or cold, tea is free.",
        "The buyer must reject the goods within five days.",
        "The Seller warrants that the goods are new.",
        "A refused parcel goes back to the sender.",
        "If the licence was revoked, the fee is returned.",
        "للمجلس أن يرفض الطلب الناقص.",
        "تُعد اللجنة مسودة الخطة.",
        "إذا رُفض الطلب أعيد الرسم.",
    ] {
        assert_eq!(framed(text), None, "{text}");
    }
}

#[test]
fn a_claim_that_denies_is_turned_over() {
    let claim = "It is false that the gate closes at noon.";
    assert!(denial(&AnalyzedText::of(claim)).is_some());
    let contradicts =
        |evidence: &str| matches!(effect(&compare(claim, evidence)), RuleEffect::Contradicts(_));
    let confirms =
        |evidence: &str| matches!(effect(&compare(claim, evidence)), RuleEffect::Confirms(_));
    assert!(contradicts("The gate closes at noon."));
    assert!(confirms("The gate closes at 4 pm."));
    assert!(confirms("It is not true that the gate closes at noon."));
    assert!(!confirms("Tea is free.") && !contradicts("Tea is free."));
}

#[test]
fn the_words_of_a_frame_are_the_pair() {
    let (claim, evidence) =
        ("Tea is free for guests.", "The owner denies that tea is free for guests.");
    let words = compare(claim, evidence).first().unwrap().words().unwrap();
    assert_eq!(claim.get(words.claim), Some("Tea is free for guests."));
    assert_eq!(evidence.get(words.evidence), Some("denies that"));
}

#[test]
fn values_within_a_frame_neither_agree_nor_conflict() {
    let other =
        compare("The deposit is 500 riyals.", "It is untrue that the deposit is 300 riyals.");
    assert!(!matches!(effect(&other), RuleEffect::Contradicts(_)), "{other:?}");
    let same =
        compare("The deposit is 500 riyals.", "The clerk asked whether the deposit is 500 riyals.");
    assert!(matches!(effect(&same), RuleEffect::Withholds(_)), "{same:?}");
}
