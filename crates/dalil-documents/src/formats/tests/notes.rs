//! Notes about documents, in both languages.

use std::fs;
use std::path::Path;

use dalil_phrasebook::{Language, document_note};
use expect_test::expect;

use crate::document::HiddenText;
use crate::formats::read;

fn arabic(note: &str) -> String {
    document_note::told(note).into_text(Language::Arabic).into_owned()
}

/// All notes about the files of the tests, and every reason for which text is hidden.
#[test]
fn every_note_is_told_in_arabic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let mut notes = Vec::new();
    for folder in [folder.clone(), folder.join("pdf")] {
        for file in fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            let Some(document) = fs::read(&file).ok().and_then(|bytes| read(&bytes, &name).ok())
            else {
                continue;
            };
            notes.extend(document.problems.iter().map(ToString::to_string));
        }
    }
    notes.sort();
    notes.dedup();
    notes.extend(HiddenText::ALL.map(|reason| reason.to_string()));
    let told: Vec<String> = notes.iter().map(|note| arabic(note)).collect();
    expect![[r#"
        لم يُقرأ المرفق `plan.pdf`
        المتوقع UTF-8، والموجود بايتات أخرى؛ وقد قُرئت على أنها windows-1256
        حروف تخفيها الصفحة تُركت: 7
        حروف تخفيها الصفحة تُركت: 8
        الصفحة 2: 26 من حروفها لا تُرى؛ وقد قُرئت مع ذلك
        الصفحة 3: لا نص فيها؛ وقد تكون مسحاً ضوئياً
        أجزاء لا يراها القارئ: 1، والسبب: هو إدراج لم يقبله أحد
        أجزاء لا يراها القارئ: 1، والسبب: حروفه أصغر من أن تُقرأ
        أجزاء لا يراها القارئ: 1، والسبب: الملف يعدّه مخفياً
        أجزاء لا يراها القارئ: 3، والسبب: تُعرض على القارئ صيغة أخرى منه
        الورقة `Secret`: لم تُقرأ ورقة مخفية
        محذوفات متعقَّبة تُركت: 1
        الملف يعدّه مخفياً
        لونه لون خلفيته
        حروفه أصغر من أن تُقرأ
        هو خارج ما تعرضه الصفحة
        رُسم فوقه شيء
        هو شفاف تماماً
        الصفحة تعرض حروفاً غير التي في الملف
        هو إدراج لم يقبله أحد
        هو في جزء من الصفحة مغلق في البداية
        تُعرض على القارئ صيغة أخرى منه
        بين حروفه رموز لا تُرى"#]]
    .assert_eq(&told.join("\n"));
    for note in &notes {
        let phrase = document_note::told(note);
        assert_eq!(phrase.english(), note);
        assert_ne!(phrase.text(Language::Arabic), note);
    }
}

#[test]
fn a_note_keeps_its_place_and_the_words_of_the_file() {
    for (note, expected) in [
        ("page 3: it has no text", "الصفحة 3: لا نص فيها"),
        ("chunk a-1: row 2: it has no text", "المقطع a-1: الصف 2: لا نص فيها"),
        ("sheet `a: b`: a hidden sheet was not read", "الورقة `a: b`: لم تُقرأ ورقة مخفية"),
        (
            "footnotes: expected markup to its end, found `<` at byte 7",
            "footnotes: المتوقع ترميز حتى نهايته، والموجود `<` عند البايت 7",
        ),
        ("attachment `x was not read` was not read", "لم يُقرأ المرفق `x was not read`"),
        (
            "`a.txt` is a message, whatever its name says",
            "صيغة `a.txt` هي رسالة، أياً كان ما يقوله اسمه",
        ),
        (
            "expected a PDF with pages, found none that could be read",
            "المتوقع ملف PDF فيه صفحات، ولم توجد صفحة يمكن قراءتها",
        ),
        ("page 2 has no text", "page 2 has no text"),
        ("page 2: a note of somebody else", "page 2: a note of somebody else"),
        (
            "a.pdf: chunk x: page 1: parts that a reader does not see: 2, because it is fully transparent",
            "a.pdf: المقطع x: الصفحة 1: أجزاء لا يراها القارئ: 2، والسبب: هو شفاف تماماً",
        ),
        ("", ""),
    ] {
        assert_eq!(arabic(note), expected);
    }
    let hostile = "page 1: ".repeat(100_000);
    assert_eq!(document_note::told(&hostile).english(), hostile);
}
