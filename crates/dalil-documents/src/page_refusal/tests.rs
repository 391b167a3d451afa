use dalil_phrasebook::Language;
use expect_test::expect;

use super::PageRefusal;

const ALL: [PageRefusal; 10] = [
    PageRefusal::Missing { pages: 1, page: 2 },
    PageRefusal::NeedsPassword,
    PageRefusal::UnknownEncryption,
    PageRefusal::NoPages,
    PageRefusal::Outsized(2.0, 20_000.0),
    PageRefusal::TooNarrow(14_400.0, 4.4),
    PageRefusal::Endless,
    PageRefusal::LargeImage { most: 100_000_000, pixels: 400_000_000 },
    PageRefusal::Damaged,
    PageRefusal::ParserGaveUp,
];

#[test]
fn a_refusal_goes_to_another_process_and_is_told_in_both_languages() {
    let mut told = String::new();
    for refusal in ALL {
        let line = refusal.to_line();
        assert_eq!(PageRefusal::from_line(&line), Some(refusal), "{line}");
        let phrase = refusal.phrase();
        told += &format!("{line}\n  {refusal}\n  {}\n", phrase.text(Language::Arabic));
    }
    expect![[r#"
        missing 1 2
          expected a page from 1 to 1, found 2
          المتوقع صفحة من 1 إلى 1، والموجود 2
        needs_password
          expected a PDF that opens without a password, found one that needs it
          المتوقع ملف PDF يُفتح بلا كلمة مرور، والموجود ملف لا يُفتح إلا بها
        unknown_encryption
          expected a PDF with a known encryption, found an unknown or a broken one
          المتوقع ملف PDF تشفيره معروف، والموجود تشفير مجهول أو معطوب
        no_pages
          expected a PDF with pages, found none that could be read
          المتوقع ملف PDF فيه صفحات، ولم توجد صفحة يمكن قراءتها
        outsized 2 20000
          expected a page of 3 to 14400 points, found one of 2 × 20000
          المتوقع صفحة من 3 إلى 14400 نقطة، والموجود صفحة من 2 × 20000
        too_narrow 14400 4.4
          expected a page that can be shown, found one of 14400 × 4 points
          المتوقع صفحة يمكن عرضها، والموجود صفحة من 14400 × 4 نقطة
        endless
          expected a page that can be drawn, found one that draws without an end
          المتوقع صفحة يمكن رسمها، والموجود صفحة لا نهاية لرسمها
        large_image 100000000 400000000
          expected images of at most 100000000 pixels, found one of 400000000
          المتوقع صور لا تزيد على 100000000 بكسل، والموجود صورة من 400000000
        damaged
          expected a page that can be drawn, found one that is damaged
          المتوقع صفحة يمكن رسمها، والموجود صفحة تالفة
        parser_gave_up
          expected a sound file, found one that its parser gave up on
          المتوقع ملف سليم، والموجود ملف عجز عنه قارئه
    "#]]
    .assert_eq(&told);
}

#[test]
fn what_a_process_says_otherwise_is_no_refusal() {
    for line in ["", "missing 1", "missing 1 -2", "damaged ", "outsized 1 wide", "<b>damaged</b>"] {
        assert_eq!(PageRefusal::from_line(line), None, "{line}");
    }
}
