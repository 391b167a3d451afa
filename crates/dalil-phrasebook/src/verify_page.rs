//! The texts of the page that verifies a file without a server.

use crate::phrase::catalogue;

catalogue! {
    /// The texts of the page.
    VerifyPageTexts
    lang en "en" ar "ar"
    dir en "ltr" ar "rtl"
    title en "Verify a file" ar "التحقق من ملف"
    lead en "Choose a sealed pack, its PDF or archive, a receipt, a checkpoint or a trail export. It is checked on this page and sent nowhere." ar "اختر حزمة أدلة مختومة أو نسختها PDF أو أرشيفها، أو إيصال إثبات أو نقطة تحقق أو مستخرجاً من المسار. يجري التحقق في هذه الصفحة، ولا يُرسل الملف إلى أي جهة."
    file en "File to verify" ar "الملف المطلوب التحقق منه"
    trust en "Trust file, or a verifier key (optional)" ar "ملف الثقة أو مفتاح المتحقِّق (اختياري)"
    trust_hint en "What you trust beforehand, from another source than the file. Without it nothing can pass, but every check is still shown." ar "ما تثق به مسبقاً من غير الملف نفسه. وبدونه لا يكتمل التحقق، غير أن ما أمكن فحصه يُعرض."
    key en "Verifier key" ar "مفتاح المتحقِّق"
    verify en "Verify" ar "تحقّق"
    part en "Part" ar "الجزء"
    verdict en "Verdict" ar "النتيجة"
    why en "Why" ar "السبب"
    pass en "Every part that was checked passes." ar "جميع الأجزاء التي فُحصت سليمة."
    fail en "At least one part does not hold. Do not rely on this file." ar "جزء واحد على الأقل غير سليم. لا تعتمد على هذا الملف."
    incomplete en "Nothing that was checked is wrong, but not everything could be checked." ar "لم يظهر خلل فيما فُحص، غير أن بعض الأجزاء تعذّر التحقق منها."
    refused en "The trust that was given cannot be used:" ar "تعذّر استخدام ما قُدّم للثقة:"
    gave_up en "The verifier gave up on this file: it is damaged or hostile, or larger than the memory of this page." ar "تعذّر على المتحقِّق إتمام هذا الملف: فهو تالف أو معادٍ، أو أكبر من ذاكرة هذه الصفحة."
    other_language en "العربية" ar "English"
}
