//! Notes about unreadable and hidden parts of documents.
//!
//! Ledgers store these notes in English, as text; [`told`] translates such a text.

use crate::language::Language;
use crate::phrase::{Phrase, known_phrases};
use crate::{document_place, page_refusal};

/// A note about a document as a ledger has it, in every language. A text that is no note of this
/// program is the same in each.
pub fn told(note: &str) -> Phrase {
    known(note, MAX_NESTED_NOTES).unwrap_or_else(|| Phrase::verbatim(note))
}

fn known(note: &str, levels: usize) -> Option<Phrase> {
    let levels = levels.checked_sub(1)?;
    let placed = note.split_once(": ").and_then(|(place, rest)| {
        let message = known(rest, levels)?;
        let known_place = of_templates(document_place::TEMPLATES, place, levels);
        Some(message.about(known_place.unwrap_or_else(|| Phrase::verbatim(place))))
    });
    let of = |templates| of_templates(templates, note, levels);
    placed.or_else(|| of(TEMPLATES)).or_else(|| of(page_refusal::TEMPLATES))
}

fn of_templates(templates: &[(&str, &str)], text: &str, levels: usize) -> Option<Phrase> {
    templates.iter().find_map(|(english, arabic)| {
        let values = arguments(english, text)?;
        Some(Phrase::filled(text.to_owned(), filled(arabic, &values, levels)?))
    })
}

/// The values of a template's arguments in a text, each with its name; none where the text is of
/// another template.
fn arguments<'t>(template: &'t str, text: &'t str) -> Option<Vec<(&'t str, &'t str)>> {
    let mut parts = template.split('{');
    let mut rest = text.strip_prefix(parts.next()?)?;
    let mut values = Vec::new();
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        let (name, behind) = part.split_once('}')?;
        let (value, after) = match parts.peek() {
            Some(_) => rest.split_once(behind)?,
            None => (rest.strip_suffix(behind)?, ""),
        };
        values.push((name, value));
        rest = after;
    }
    rest.is_empty().then_some(values)
}

/// A template in Arabic with its arguments, of which notes are in Arabic too.
fn filled(template: &str, values: &[(&str, &str)], levels: usize) -> Option<String> {
    let mut parts = template.split('{');
    let mut text = parts.next()?.to_owned();
    for part in parts {
        let (name, behind) = part.split_once('}')?;
        let (_, value) = values.iter().find(|(known, _)| *known == name)?;
        match known(value, levels) {
            Some(note) => text.push_str(note.text(Language::Arabic)),
            None => text.push_str(value),
        }
        text.push_str(behind);
    }
    Some(text)
}

known_phrases! {
    attachment_not_read(name)
        en "attachment {name} was not read"
        ar "لم يُقرأ المرفق {name}"
    blocks_joined(most, more)
        en "expected at most {most} blocks, found {more} more; they are one"
        ar "المتوقع ما لا يزيد على {most} من الفقرات، والموجود {more} زيادة عليها؛ وقد جُمعت في واحدة"
    bytes_not_utf8(count)
        en "expected UTF-8, found {count} bytes that are not; replaced"
        ar "المتوقع UTF-8، والموجود {count} من البايتات ليست منه؛ وقد استُبدلت"
    bytes_read_as(encoding)
        en "expected UTF-8, found other bytes; read as {encoding}"
        ar "المتوقع UTF-8، والموجود بايتات أخرى؛ وقد قُرئت على أنها {encoding}"
    bytes_replaced()
        en "some bytes are not characters; replaced"
        ar "بعض البايتات ليست حروفاً؛ وقد استُبدلت"
    cells_left_out(most, rows)
        en "expected at most {most} cells in a row, found more in {rows} rows; the rest was left out"
        ar "المتوقع ما لا يزيد على {most} من الخلايا في الصف، والموجود أكثر في {rows} من الصفوف؛ وقد تُرك الباقي"
    comments_not_read()
        en "comments in the margin were not read"
        ar "لم تُقرأ التعليقات التي في الهامش"
    deletions_left_out(count)
        en "tracked deletions left out: {count}"
        ar "محذوفات متعقَّبة تُركت: {count}"
    encoding_damaged()
        en "its encoding is damaged; some of it may be wrong"
        ar "ترميزه تالف؛ وقد يكون بعضه خطأ"
    format_chunks()
        en "a chunk set"
        ar "مجموعة مقاطع"
    format_docx()
        en "Word text"
        ar "نص Word"
    format_eml()
        en "a message"
        ar "رسالة"
    format_text()
        en "text"
        ar "نص"
    format_xlsx()
        en "an Excel workbook"
        ar "مصنف Excel"
    halves_replaced()
        en "expected UTF-16, found halves of characters; replaced"
        ar "المتوقع UTF-16، والموجود أنصاف حروف؛ وقد استُبدلت"
    hidden_background_colour()
        en "it has the colour of its background"
        ar "لونه لون خلفيته"
    hidden_closed_section()
        en "it is in a part of the page that is closed at first"
        ar "هو في جزء من الصفحة مغلق في البداية"
    hidden_covered()
        en "something is drawn over it"
        ar "رُسم فوقه شيء"
    hidden_insertion()
        en "it is an insertion that nobody has accepted"
        ar "هو إدراج لم يقبله أحد"
    hidden_invisible_characters()
        en "invisible characters stand between its letters"
        ar "بين حروفه رموز لا تُرى"
    hidden_letters_left_out(count)
        en "letters that the page hides left out: {count}"
        ar "حروف تخفيها الصفحة تُركت: {count}"
    hidden_marked()
        en "the file marks it as hidden"
        ar "الملف يعدّه مخفياً"
    hidden_other_letters()
        en "the page shows other letters than the file says"
        ar "الصفحة تعرض حروفاً غير التي في الملف"
    hidden_outside_page()
        en "it stands outside of what the page shows"
        ar "هو خارج ما تعرضه الصفحة"
    hidden_parts(count, reason)
        en "parts that a reader does not see: {count}, because {reason}"
        ar "أجزاء لا يراها القارئ: {count}، والسبب: {reason}"
    hidden_parts_not_read(count)
        en "parts of blocks that a reader does not see: {count}; they are not read"
        ar "أجزاء من فقرات لا يراها القارئ: {count}؛ ولم تُقرأ"
    hidden_sheet_not_read()
        en "a hidden sheet was not read"
        ar "لم تُقرأ ورقة مخفية"
    hidden_text_left_out(count)
        en "characters of hidden text left out: {count}"
        ar "حروف من نص مخفي تُركت: {count}"
    hidden_tiny()
        en "its letters are too small to be read"
        ar "حروفه أصغر من أن تُقرأ"
    hidden_transparent()
        en "it is fully transparent"
        ar "هو شفاف تماماً"
    hidden_unshown_version()
        en "a reader is shown another version of it"
        ar "تُعرض على القارئ صيغة أخرى منه"
    markup_broken(why, at)
        en "expected markup to its end, found {why} at byte {at}"
        ar "المتوقع ترميز حتى نهايته، والموجود {why} عند البايت {at}"
    message_not_read()
        en "a message inside messages was not read"
        ar "لم تُقرأ رسالة داخل رسائل"
    misnamed(name, format)
        en "{name} is {format}, whatever its name says"
        ar "صيغة {name} هي {format}، أياً كان ما يقوله اسمه"
    more_problems(count)
        en "{count} more problems"
        ar "{count} من المشكلات الأخرى"
    no_text()
        en "it has no text"
        ar "لا نص فيها"
    no_text_maybe_scan()
        en "it has no text; it may be a scan"
        ar "لا نص فيها؛ وقد تكون مسحاً ضوئياً"
    page_cut()
        en "it draws more than is read; the rest of it is missing"
        ar "ترسم أكثر مما يُقرأ؛ وباقيها ناقص"
    page_not_unpacked()
        en "some of its contents could not be unpacked"
        ar "تعذّر فك بعض محتواها"
    pages_not_read(most, more)
        en "expected at most {most} pages, found {more} more; they are not read"
        ar "المتوقع ما لا يزيد على {most} من الصفحات، والموجود {more} زيادة عليها؛ ولم تُقرأ"
    quotation_open()
        en "expected a closing quotation mark, found the end; the rest is one row"
        ar "المتوقع علامة اقتباس تُغلق، والموجود النهاية؛ وقد عُدّ الباقي صفاً واحداً"
    rest_not_read(error)
        en "the rest was not read: {error}"
        ar "لم يُقرأ الباقي: {error}"
    shapes_without_letters(count)
        en "{count} of its characters are shapes whose letters the file does not give"
        ar "{count} من رموزها أشكال لا يذكر الملف حروفها"
    symbols_left_out(count)
        en "symbols of picture fonts left out: {count}"
        ar "رموز من خطوط مصوّرة تُركت: {count}"
    text_left_out(most)
        en "expected at most {most} bytes of text, found more; the rest was left out"
        ar "المتوقع ما لا يزيد على {most} من بايتات النص، والموجود أكثر؛ وقد تُرك الباقي"
    unseen_characters(count)
        en "{count} of its characters cannot be seen; they are read all the same"
        ar "{count} من حروفها لا تُرى؛ وقد قُرئت مع ذلك"
}

/// A reason in a note at a place in a chunk; a hostile text may have any number of colons.
const MAX_NESTED_NOTES: usize = 5;
