//! What is said in an answer without being a claim.

use super::plain::words;
use super::verb;
use crate::sentence::is_digit;

/// Why words of an answer are no claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It asks.
    Question,
    /// It greets, thanks or takes leave.
    Greeting,
    /// It says that no answer can be given.
    Refusal,
    /// It offers help or sends the reader elsewhere.
    Offer,
    /// It speaks about the answer.
    Remark,
    /// It says no more than that something is uncertain.
    Hedge,
    /// It names where the answer is from.
    Source,
    /// It is a heading.
    Heading,
    /// It opens a list, a table or a quotation; the claims there are read with it.
    Opening,
    /// It names what the words after it are about; they are read with it.
    Label,
    /// It is the first row of a table; the other rows are read with it.
    Header,
    /// It joins two claims.
    Connective,
    /// It states nothing by itself.
    Fragment,
    /// It is code.
    Code,
    /// It is markup.
    Markup,
}

/// Why a sentence is no claim, by its words; `folded` is the sentence in folded form.
pub(super) fn why(folded: &str) -> Option<Why> {
    let text = folded.trim_start_matches(|ch: char| !ch.is_alphanumeric());
    let count = words(text).take(LONG + 1).count();
    let figures = text.contains(is_digit);
    let bare = text.trim_end_matches(|ch: char| !ch.is_alphanumeric());
    let starts = |phrases: &[&str]| phrases.iter().any(|phrase| begins(text, phrase));
    let has = |phrases: &[&str]| phrases.iter().any(|phrase| text.contains(phrase));
    if folded.trim_end_matches(['"', '”', '»', ')', '*', ' ']).ends_with(['?', '؟']) {
        Some(Why::Question)
    } else if starts(REFUSALS) || has(REFUSED) {
        Some(Why::Refusal)
    } else if OPINIONS.contains(&bare) {
        Some(Why::Fragment)
    } else if starts(SOURCES) {
        Some(Why::Source)
    } else if figures {
        None
    } else if starts(GREETINGS) && (count <= 8 || starts(THANKS)) {
        Some(Why::Greeting)
    } else if starts(OFFERS) || has(OFFERED) {
        Some(Why::Offer)
    } else if starts(HEDGES) && count <= LONG {
        Some(Why::Hedge)
    } else if starts(REMARKS) || REMARK_WHOLE.contains(&bare) || has(REMARKED) {
        Some(Why::Remark)
    } else {
        None
    }
}

/// Whether words are too few to state anything: no verb, no figure, no stop, at most five.
pub(super) fn is_fragment(folded: &str) -> bool {
    let few = if folded.ends_with(['.', '!', '۔']) { 2 } else { 5 };
    !folded.contains(is_digit)
        && words(folded).take(few + 1).count() <= few
        && !folded.contains(": ")
        && !verb::perhaps(folded)
}

/// Whether a statement is made with reserve: `probably`, `ربما`.
pub(super) fn is_hedged(folded: &str) -> bool {
    HEDGING.iter().any(|phrase| {
        folded.match_indices(phrase).any(|(at, _)| {
            let before = folded.get(..at).and_then(|text| text.chars().next_back());
            let after = folded.get(at + phrase.len()..).and_then(|text| text.chars().next());
            !before.is_some_and(|ch| ch.is_alphanumeric() && ch != 'و')
                && !after.is_some_and(char::is_alphanumeric)
        })
    })
}

/// Whether a text begins with these whole words.
fn begins(text: &str, phrase: &str) -> bool {
    text.strip_prefix(phrase)
        .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric) || phrase.ends_with(' '))
}

/// Every phrase that sentences are compared with.
#[cfg(test)]
pub(super) fn phrases() -> impl Iterator<Item = &'static &'static str> {
    [REFUSALS, REFUSED, OPINIONS, SOURCES, GREETINGS, THANKS, OFFERS, OFFERED, HEDGES, REMARKS]
        .into_iter()
        .chain([REMARKED, REMARK_WHOLE, HEDGING])
        .flatten()
}

/// A hedge with more words says something beside.
const LONG: usize = 12;

// Every phrase below is in folded form: lower case, bare alef, no marks.

const REFUSALS: &[&str] = &[
    "i cannot",
    "i can't",
    "i can not",
    "i could not",
    "i couldn't",
    "i am unable",
    "i'm unable",
    "i am not able",
    "i'm not able",
    "i was unable",
    "i was not able",
    "i wasn't able",
    "i do not have",
    "i don't have",
    "i did not find",
    "i didn't find",
    "i found no",
    "i have no information",
    "i am sorry",
    "i'm sorry",
    "sorry",
    "i apologize",
    "my apologies",
    "unfortunately, i",
    "as an ai",
    "we could not find",
    "no information",
    "no relevant information",
    "there is no information",
    "there is not enough information",
    "لا تتوفر لدي",
    "لا يتوفر لدي",
    "لا املك",
    "لم اجد",
    "لم اتمكن",
    "لا استطيع",
    "لا يمكنني",
    "عذرا",
    "اسف",
    "للاسف لا",
    "للاسف، لا",
    "نعتذر",
    "اعتذر",
    "لا توجد معلومات",
    "ليس لدي",
    "للاسف لم اجد",
    "للاسف، لم اجد",
];

const REFUSED: &[&str] = &[
    "no mention of",
    "documents do not",
    "documents don't",
    "document does not contain",
    "context does not",
    "context doesn't",
    "sources do not",
    "provided text does not",
    "excerpts do not",
    "provided information does not",
    "not mentioned in the provided",
    "not mentioned in the documents",
    "not specified in the provided",
    "not specified in the documents",
    "not available in the provided",
    "not found in the provided",
    "not covered in the provided",
    "i could not find",
    "i couldn't find",
    "لا تحتوي الوثائق",
    "لا تذكر الوثائق",
    "لا تتضمن المستندات",
    "لا تحتوي المستندات",
];

/// Answers that say yes or no to the question and nothing else.
const OPINIONS: &[&str] = &[
    "yes",
    "no",
    "correct",
    "true",
    "false",
    "not exactly",
    "that's right",
    "that is correct",
    "exactly",
    "نعم",
    "لا",
    "صحيح",
    "غير صحيح",
    "بلي",
];

const SOURCES: &[&str] = &[
    "source:",
    "sources:",
    "reference:",
    "references:",
    "citation:",
    "citations:",
    "see also:",
    "المصدر:",
    "المصادر:",
    "المرجع:",
    "المراجع:",
    "انظر ايضا:",
    "source document:",
];

const GREETINGS: &[&str] = &[
    "hello",
    "hi",
    "hey",
    "dear",
    "good morning",
    "good afternoon",
    "good evening",
    "welcome",
    "thank you",
    "thanks",
    "you're welcome",
    "you are welcome",
    "best regards",
    "kind regards",
    "regards",
    "sincerely",
    "best wishes",
    "good luck",
    "have a",
    "مرحبا",
    "اهلا",
    "السلام عليكم",
    "وعليكم السلام",
    "صباح الخير",
    "مساء الخير",
    "شكرا",
    "تحياتي",
    "مع تحياتي",
    "مع خالص",
    "بالتوفيق",
];

/// Greetings of any length.
const THANKS: &[&str] = &["thank you for", "thanks for", "شكرا علي", "شكرا لك", "شكرا لسؤالك"];

const OFFERS: &[&str] = &[
    "let me know",
    "please let",
    "feel free",
    "please feel free",
    "i hope",
    "hope this",
    "i'm happy to",
    "i am happy to",
    "i'd be happy",
    "i would be happy",
    "happy to",
    "i can help",
    "i can also",
    "if you have any",
    "if you have more",
    "if you have further",
    "if you need",
    "if you would like",
    "if you'd like",
    "if you want",
    "please contact",
    "please consult",
    "please refer",
    "see http",
    "visit http",
    "لا تتردد",
    "اخبرني",
    "يسعدني",
    "اذا كان لديك",
    "اذا كانت لديك",
    "اذا كنت بحاجه",
    "اذا كنت ترغب",
    "ارجو ان",
    "امل ان",
    "اذا كنت بحاجة",
    "اذا احتجت",
];

const OFFERED: &[&str] = &[
    "don't hesitate",
    "do not hesitate",
    "let me know if",
    "feel free to ask",
    "for more information",
    "for further information",
    "for more details",
    "for further assistance",
    "لا تتردد في",
    "لمزيد من المعلومات",
];

const HEDGES: &[&str] = &[
    "i'm not sure",
    "i am not sure",
    "i'm not certain",
    "i am not certain",
    "i don't know",
    "i do not know",
    "it is unclear",
    "it's unclear",
    "it is not clear",
    "it's not clear",
    "it depends",
    "that depends",
    "i may be wrong",
    "i might be wrong",
    "لست متاكدا",
    "لا اعرف",
    "لا اعلم",
    "غير واضح",
    "ليس من الواضح",
    "قد اكون مخطئا",
];

const REMARKS: &[&str] = &[
    "here is",
    "here's",
    "here are",
    "here you go",
    "below is",
    "below are",
    "the following is",
    "the following are",
    "let me explain",
    "let me break",
    "let me summarize",
    "let's",
    "i understand",
    "i will",
    "i'll",
    "i have summarized",
    "i've summarized",
    "sure!",
    "sure,",
    "certainly!",
    "of course!",
    "absolutely!",
    "great question",
    "good question",
    "this answer is based",
    "this response is based",
    "this summary is based",
    "the above",
    "as requested",
    "you asked",
    "your question",
    "this information is based",
    "these are the key",
    "اليك",
    "اليكم",
    "فيما يلي",
    "بالتاكيد!",
    "بالطبع!",
    "سؤال جيد",
    "سؤال ممتاز",
    "بناء علي سؤالك",
    "دعني",
    "ساوضح",
    "ساشرح",
    "تستند هذه الاجابه",
    "تستند هذه الاجابة",
    "هذه الاجابة مبنية",
    "يرجي ملاحظه ان هذا",
];

const REMARKED: &[&str] = &[
    "table below",
    "here's what",
    "here is what",
    "، اليك",
    "، فيما يلي",
    "following table",
    "الجدول التالي",
    "الجدول ادناه",
    "based on your question",
    "answer your question",
    "let me explain",
    "الاجابة عن سؤالك",
];

/// Whole sentences that say nothing.
const REMARK_WHOLE: &[&str] = &[
    "sure",
    "certainly",
    "of course",
    "absolutely",
    "in summary",
    "in conclusion",
    "in short",
    "to summarize",
    "to sum up",
    "summary",
    "conclusion",
    "overall",
    "note",
    "please note",
    "important",
    "short answer",
    "answer",
    "in other words",
    "for example",
    "key points",
    "based on the documents",
    "based on the provided documents",
    "according to the documents",
    "based on the provided context",
    "additionally",
    "however",
    "بالتاكيد",
    "بالطبع",
    "باختصار",
    "الخلاصة",
    "خلاصة",
    "ملخص",
    "ملاحظة",
    "وفقا للوثائق",
    "بناء علي الوثائق",
    "الاجابة",
    "علي سبيل المثال",
    "بناء علي المستندات",
];

const HEDGING: &[&str] = &[
    "probably",
    "perhaps",
    "maybe",
    "possibly",
    "presumably",
    "likely",
    "it seems",
    "it appears",
    "seems to",
    "appears to",
    "i think",
    "i believe",
    "might",
    "as far as i know",
    "to my knowledge",
    "in my opinion",
    "ربما",
    "يبدو",
    "علي الارجح",
    "من المحتمل",
    "من المرجح",
    "اعتقد",
    "اظن",
    "قد يكون",
    "قد تكون",
    "لعل",
];
