//! Parties: who has a duty or a right, where the two sides of a contract are named.

use std::ops::Range;
use std::sync::LazyLock;

use super::finding::{RuleFinding, RuleKind, RuleOutcome};
use super::text::{AlignmentFit, AnalyzedText};
use super::word::{PhraseTable, WordToken};

#[cfg(test)]
mod tests;

/// Where the claim gives one party an act that a sentence of the evidence gives the other.
pub(super) fn findings(
    claim: &AnalyzedText<'_>,
    evidence: &AnalyzedText<'_>,
    sentence: usize,
    fit: AlignmentFit,
) -> Vec<RuleFinding> {
    let found: Vec<PartyAct> = acts(evidence)
        .into_iter()
        .filter(|act| evidence.sentence(act.party.start) == sentence)
        .collect();
    let find = |said: &PartyAct| {
        let same = |other: &&PartyAct| other.key == said.key;
        // An act that the evidence gives to this party too is no conflict.
        if found.iter().any(|other| other.key == said.key && other.side.agrees(said.side)) {
            return None;
        }
        let other = found.iter().filter(same).find(|other| other.side.opposes(said.side))?;
        let span = claim.span(said.party.clone());
        let base = RuleFinding::new(RuleKind::Party, RuleOutcome::Conflicts, claim, span);
        let met = base.met(RuleOutcome::Conflicts, evidence, evidence.span(other.party.clone()));
        let rest = AlignmentFit {
            total: fit.total.saturating_sub(said.party.len()).max(1),
            around: fit.around.saturating_sub(other.party.len()),
            ..fit
        };
        Some(RuleFinding { is_tight: rest.mirrors(), ..met })
    };
    acts(claim).iter().filter_map(find).take(1).collect()
}

/// A party of the claim whose other side alone the evidence names; or two parties in another order.
pub(super) fn swapped(texts: [&AnalyzedText<'_>; 2]) -> Option<[Range<usize>; 2]> {
    let [claim, evidence] = texts;
    let (said, found) = (PARTY_NAMES.all(&claim.words), PARTY_NAMES.all(&evidence.words));
    let range = |&(at, length, _): &(usize, usize, PartySide)| at..at + length;
    let (first, other) = (said.first()?, found.first()?);
    if first.2.opposes(other.2) {
        return Some([range(first), range(other)]);
    }
    let lone = said.iter().find(|one| !found.iter().any(|other| other.2 == one.2))?;
    let rival = found.iter().find(|other| other.2.opposes(lone.2))?;
    Some([range(lone), range(rival)])
}

/// An act that one party does, must or may do.
#[derive(Debug)]
struct PartyAct {
    /// The words that name the party.
    party: Range<usize>,
    side: PartySide,
    /// The key of the act.
    key: String,
}

/// One side of a pair, by the number of the pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PartySide(u8, bool);

impl PartySide {
    fn opposes(self, other: Self) -> bool {
        self.0 == other.0 && self.1 != other.1
    }

    fn agrees(self, other: Self) -> bool {
        self == other
    }
}

fn acts(text: &AnalyzedText<'_>) -> Vec<PartyAct> {
    let words = &text.words;
    let act = |(at, length, side): (usize, usize, PartySide)| {
        let end = at + length;
        if words.get(at).is_some_and(WordToken::arabic) {
            arabic(text, at, end, side)
        } else {
            english(text, at, end, side)
        }
    };
    PARTY_NAMES.all(words).into_iter().filter_map(act).collect()
}

/// `the Provider shall indemnify`: the party, a word of force, and the act.
fn english(text: &AnalyzedText<'_>, at: usize, end: usize, side: PartySide) -> Option<PartyAct> {
    let form = |at: usize| text.words.get(at).map_or("", |word| word.form.as_str());
    let mut next = end;
    while [",", "also", "only", "alone", "itself"].contains(&form(next)) {
        next += 1;
    }
    let begins = |at: usize| {
        let article = at.checked_sub(1).map_or("", form);
        let article = usize::from(["the", "a", "an", "each", "any"].contains(&article));
        let link = at.checked_sub(1 + article);
        // "the Customer and the Provider shall": an act of both is neither's alone.
        let joint = link.and_then(|link| link.checked_sub(1)).is_some_and(|other| {
            ["and", "or"].contains(&link.map_or("", form))
                && PARTY_NAMES.at(&text.words, other).is_some()
        });
        !OBLIQUE_MARKERS.contains(&link.map_or("", form)) && !joint
    };
    if !begins(at) || !DUTY_VERBS_EN.contains(&form(next)) {
        return None;
    }
    let reach = next + 1..next + 1 + MAX_ACT_REACH_WORDS;
    let verb = text.terms.iter().find(|term| reach.contains(&term.at))?;
    // A verb in the next clause may have another subject.
    let clause = |at: usize| text.clauses.get(at);
    (clause(verb.at) == clause(next)).then(|| PartyAct {
        party: at..end,
        side,
        key: verb.key.clone(),
    })
}

/// `يلتزم المورد بتسليم`, `على الطرف الأول سداد`: a word of force, the party, and the act.
fn arabic(text: &AnalyzedText<'_>, at: usize, end: usize, side: PartySide) -> Option<PartyAct> {
    let form = |at: usize| text.words.get(at).map_or("", |word| word.form.as_str());
    let before = at.checked_sub(1).map_or("", form);
    let before = before.strip_prefix(['و', 'ف']).unwrap_or(before);
    let second = at.checked_sub(2).map_or("", form);
    let led =
        DUTY_VERBS_AR.contains(&before) || (before == "علي" && ["يجب", "يتعين"].contains(&second));
    let granted = form(at).starts_with("لل") && ["يجوز", "يحق"].contains(&before);
    if !led && !granted {
        return None;
    }
    let verb =
        text.terms.iter().find(|term| (end..end + MAX_ACT_REACH_WORDS).contains(&term.at))?;
    Some(PartyAct { party: at..end, side, key: verb.key.clone() })
}

/// How many words after its force an act may stand.
const MAX_ACT_REACH_WORDS: usize = 3;

/// Words after which a party is not who acts.
const OBLIQUE_MARKERS: &[&str] =
    &["to", "of", "by", "from", "with", "for", "against", "on", "upon", "that", "than"];

const DUTY_VERBS_EN: &[&str] = &[
    "shall",
    "must",
    "may",
    "will",
    "can",
    "should",
    "agrees",
    "undertakes",
    "is",
    "bears",
    "owns",
    "pays",
    "retains",
    "keeps",
    "warrants",
    "has",
];

const DUTY_VERBS_AR: &[&str] = &[
    "يلتزم",
    "تلتزم",
    "يتعهد",
    "تتعهد",
    "علي",
    "يتحمل",
    "تتحمل",
    "يدفع",
    "تدفع",
    "يقدم",
    "تقدم",
    "يضمن",
    "تضمن",
    "يسدد",
    "تسدد",
];

static PARTY_NAMES: LazyLock<PhraseTable<PartySide>> = LazyLock::new(|| {
    PhraseTable::of(&[
        ("customer|client|buyer|purchaser|المشتري|للمشتري|العميل|للعميل", PartySide(0, true)),
        (
            "provider|vendor|supplier|seller|المورد|للمورد|البائع|للبائع|مقدم الخدمة|لمقدم الخدمة",
            PartySide(0, false),
        ),
        ("discloser|disclosing party|المفصح|الطرف المفصح", PartySide(1, true)),
        ("recipient|receiving party|المتلقي|الطرف المتلقي", PartySide(1, false)),
        ("employer|company|صاحب العمل|لصاحب العمل", PartySide(2, true)),
        ("employee|worker|العامل|للعامل|الموظف|للموظف", PartySide(2, false)),
        ("landlord|lessor|المؤجر|للمؤجر", PartySide(3, true)),
        ("tenant|lessee|المستأجر|للمستأجر", PartySide(3, false)),
        ("licensor|المرخص|للمرخص", PartySide(4, true)),
        ("licensee|المرخص له|للمرخص له", PartySide(4, false)),
        ("lender|creditor|المقرض|للمقرض|الدائن|للدائن", PartySide(5, true)),
        ("borrower|debtor|المقترض|للمقترض|المدين|للمدين", PartySide(5, false)),
        ("first party|الطرف الأول|للطرف الأول", PartySide(6, true)),
        ("second party|الطرف الثاني|للطرف الثاني", PartySide(6, false)),
        ("contractor|المقاول|للمقاول", PartySide(7, true)),
        ("employer of the works|owner|المالك|للمالك", PartySide(7, false)),
        ("franchisor", PartySide(8, true)),
        ("franchisee", PartySide(8, false)),
        ("controller|المتحكم", PartySide(9, true)),
        ("processor|المعالج", PartySide(9, false)),
        ("insurer|المؤمن", PartySide(10, true)),
        ("insured|policyholder|المؤمن له", PartySide(10, false)),
    ])
});
