//! Why a page of a document is not drawn.

use crate::phrase::known_phrases;

known_phrases! {
    damaged()
        en "expected a page that can be drawn, found one that is damaged"
        ar "المتوقع صفحة يمكن رسمها، والموجود صفحة تالفة"
    endless()
        en "expected a page that can be drawn, found one that draws without an end"
        ar "المتوقع صفحة يمكن رسمها، والموجود صفحة لا نهاية لرسمها"
    large_image(most, pixels)
        en "expected images of at most {most} pixels, found one of {pixels}"
        ar "المتوقع صور لا تزيد على {most} بكسل، والموجود صورة من {pixels}"
    missing(pages, page)
        en "expected a page from 1 to {pages}, found {page}"
        ar "المتوقع صفحة من 1 إلى {pages}، والموجود {page}"
    needs_password()
        en "expected a PDF that opens without a password, found one that needs it"
        ar "المتوقع ملف PDF يُفتح بلا كلمة مرور، والموجود ملف لا يُفتح إلا بها"
    no_pages()
        en "expected a PDF with pages, found none that could be read"
        ar "المتوقع ملف PDF فيه صفحات، ولم توجد صفحة يمكن قراءتها"
    outsized(least, most, width, height)
        en "expected a page of {least} to {most} points, found one of {width} × {height}"
        ar "المتوقع صفحة من {least} إلى {most} نقطة، والموجود صفحة من {width} × {height}"
    parser_gave_up()
        en "expected a sound file, found one that its parser gave up on"
        ar "المتوقع ملف سليم، والموجود ملف عجز عنه قارئه"
    reader_ended(how)
        en "expected its reader to finish, found that it {how}"
        ar "المتوقع أن يُتم القارئ عمله، والموجود أنه {how}"
    reader_failed(mebibytes)
        en "failed; it may have run out of its {mebibytes} MiB of memory"
        ar "أخفق، وقد تكون نفدت ذاكرته البالغة {mebibytes} MiB"
    reader_left()
        en "left without an answer"
        ar "انصرف بلا رد"
    reader_lost()
        en "was lost"
        ar "فُقد"
    reader_out_of_memory(mebibytes)
        en "ran out of its {mebibytes} MiB of memory"
        ar "نفدت ذاكرته البالغة {mebibytes} MiB"
    reader_out_of_time()
        en "ran out of its processor time"
        ar "نفد وقته من المعالج"
    reader_slow(limit)
        en "expected to read it within {limit}, found no end"
        ar "المتوقع أن يُقرأ خلال {limit}، ولم تنته قراءته"
    reader_stopped(signal)
        en "was stopped by signal {signal}"
        ar "أوقفته الإشارة {signal}"
    reader_wrote_other_bytes()
        en "expected a document from its reader, found other bytes"
        ar "المتوقع وثيقة من قارئه، والموجود بيانات أخرى"
    too_narrow(width, height)
        en "expected a page that can be shown, found one of {width} × {height} points"
        ar "المتوقع صفحة يمكن عرضها، والموجود صفحة من {width} × {height} نقطة"
    unknown_encryption()
        en "expected a PDF with a known encryption, found an unknown or a broken one"
        ar "المتوقع ملف PDF تشفيره معروف، والموجود تشفير مجهول أو معطوب"
}
