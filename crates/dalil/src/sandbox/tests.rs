use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::time::Duration;

use dalil_documents::page_refusal::PageRefusal;
use dalil_phrasebook::Language;
use expect_test::expect;

use super::{FileReadCause, SandboxExit};

#[test]
fn why_a_page_is_not_drawn_is_said_in_both_languages() {
    let exit = |raw: i32| SandboxExit::of(Some(ExitStatus::from_raw(raw)), 512 << 20);
    let causes = [
        FileReadCause::Unreadable(PageRefusal::Damaged.into()),
        FileReadCause::Ended(exit(6)),
        FileReadCause::Ended(exit(9)),
        FileReadCause::Ended(exit(0)),
        FileReadCause::Slow(Duration::from_secs(2)),
        FileReadCause::Garbage,
    ];
    let mut told = String::new();
    for cause in causes {
        let phrase = cause.phrase();
        assert_eq!(phrase.english(), cause.to_string());
        told += &format!("{cause}\n  {}\n", phrase.text(Language::Arabic));
    }
    expect![[r#"
        expected a page that can be drawn, found one that is damaged
          المتوقع صفحة يمكن رسمها، والموجود صفحة تالفة
        expected its reader to finish, found that it ran out of its 512 MiB of memory
          المتوقع أن يُتم القارئ عمله، والموجود أنه نفدت ذاكرته البالغة 512 MiB
        expected its reader to finish, found that it was stopped by signal 9
          المتوقع أن يُتم القارئ عمله، والموجود أنه أوقفته الإشارة 9
        expected its reader to finish, found that it left without an answer
          المتوقع أن يُتم القارئ عمله، والموجود أنه انصرف بلا رد
        expected to read it within 2s, found no end
          المتوقع أن يُقرأ خلال 2s، ولم تنته قراءته
        expected a document from its reader, found other bytes
          المتوقع وثيقة من قارئه، والموجود بيانات أخرى
    "#]]
    .assert_eq(&told);
}
