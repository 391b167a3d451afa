//! Every text of the viewer that is not a word of a published format.

macro_rules! words {
    ($($name:ident: $english:literal, $arabic:literal;)*) => {
        /// The texts of one language.
        #[derive(Debug)]
        pub(crate) struct ViewerTexts {
            $(pub(crate) $name: &'static str,)*
        }

        /// English.
        pub(super) const ENGLISH: ViewerTexts = ViewerTexts { $($name: $english,)* };
        /// Arabic.
        pub(super) const ARABIC: ViewerTexts = ViewerTexts { $($name: $arabic,)* };
        /// Every pair, for tests.
        #[cfg(test)]
        pub(super) const PAIRS: &[(&str, &str, &str)] =
            &[$((stringify!($name), $english, $arabic),)*];
    };
}

words! {
    // The frame.
    lang: "en", "ar";
    dir: "ltr", "rtl";
    app: "Dalil", "دليل";
    tagline: "Evidence for AI answers and decisions", "أدلة إجابات الذكاء الاصطناعي وقراراته";
    skip: "Skip to content", "انتقل إلى المحتوى";
    navigation: "Main", "التصفح الرئيسي";
    other_language: "العربية", "English";
    other_lang: "ar", "en";
    theme: "Colours", "الألوان";
    theme_auto: "As the device", "حسب الجهاز";
    theme_light: "Light", "فاتح";
    theme_dark: "Dark", "داكن";
    apply: "Apply", "تطبيق";
    signed_in_as: "Signed in as", "تم الدخول باسم";
    sign_out: "Sign out", "تسجيل الخروج";
    back: "Back", "رجوع";
    next_page: "Next", "التالي";
    none: "None", "لا يوجد";
    at: "When", "الوقت";
    who: "Who", "المنفِّذ";
    what: "What", "الإجراء";
    subject: "About", "الموضوع";
    digest: "Digest", "البصمة الرقمية";
    record: "Record", "القيد";
    download: "Download", "تنزيل";
    copied: "Copied.", "تم النسخ.";
    copy: "Copy", "نسخ";
    opens_new: "Made at", "تاريخ الإعداد";

    // Errors.
    error_title: "That did not work", "تعذّر تنفيذ الطلب";
    error_found: "What was found", "الأسباب";
    error_where: "Where", "الموضع";
    error_hint: "Hint", "إرشاد";
    error_request: "Request ID", "رقم الطلب";
    error_form: "The form is too old or came from another page. Open the page again and send it once more.", "انتهت صلاحية النموذج أو ورد من صفحة أخرى. أعد فتح الصفحة ثم أرسله مجدداً.";
    error_page: "There is no such page.", "لا توجد صفحة بهذا العنوان.";

    // Signing in.
    sign_in: "Sign in", "تسجيل الدخول";
    sign_in_lead: "Sign in with an API key, or with an access token of your identity provider.", "سجّل الدخول بمفتاح واجهة البرمجة، أو برمز وصول من جهة إثبات الهوية لديكم.";
    credential: "API key or access token", "مفتاح واجهة البرمجة أو رمز الوصول";
    credential_hint: "It begins with dalil_. Whoever runs the server gives you one.", "يبدأ بالبادئة dalil_، ويزوّدك به مشغّل الخادم.";
    credential_bad: "This key or token opens nothing: it is mistyped, has ended or was revoked.", "هذا المفتاح أو الرمز غير صالح: إما أنه مكتوب خطأً، أو انتهت مدته، أو أُلغي.";
    verify_without: "Have a file to verify? No account is needed.", "هل لديك ملف للتحقق منه؟ لا يلزم حساب.";

    // Sessions.
    sessions: "Sessions", "الجلسات";
    sessions_lead: "Questions, the answers that were given, and whether the documents bear them out.", "الأسئلة وما قُدّم لها من إجابات، ومدى تأييد الوثائق لها.";
    sessions_none: "No answer has been checked yet.", "لم تُفحص أي إجابة بعد.";
    sessions_none_do: "Upload the documents, then paste a question and its answer.", "حمّل الوثائق، ثم ألصق السؤال وإجابته.";
    session: "Session", "الجلسة";
    session_new: "Check an answer", "فحص إجابة";
    question: "Question", "السؤال";
    answer: "Answer", "الإجابة";
    answer_hint: "Paste it as the model gave it. Markdown and citations such as [cite:b8b859ac] are understood.", "ألصق الإجابة كما وردت من النموذج. تُقرأ صيغة Markdown والاستشهادات مثل [cite:b8b859ac].";
    against: "Against which documents", "الوثائق التي يُفحص عليها";
    against_hint: "Choose none to use all of them.", "إن لم تختر شيئاً استُخدمت جميع الوثائق.";
    add_documents: "Add documents", "إضافة وثائق";
    add_documents_hint: "PDF, Word, Excel, HTML, e-mail, Markdown, CSV or text.", "ملفات PDF أو Word أو Excel أو HTML أو بريد إلكتروني أو Markdown أو CSV أو نص.";
    check: "Check", "فحص";
    check_again: "Check again", "إعادة الفحص";
    checking: "The answer is being checked", "جارٍ فحص الإجابة";
    checking_wait: "This page follows the work by itself.", "تُحدَّث هذه الصفحة تلقائياً.";
    check_failed: "The check could not be finished", "تعذّر إكمال الفحص";
    reading_documents: "Reading documents", "قراءة الوثائق";
    judging_claims: "Judging claims", "الحكم على الادعاءات";
    progress: "Progress", "مدى التقدم";
    not_checked: "Not checked yet", "لم تُفحص بعد";

    // Ledgers.
    ledger: "Evidence ledger", "سجل الأدلة";
    claims: "Claims", "الادعاءات";
    claim: "Claim", "الادعاء";
    kind: "Type", "النوع";
    importance: "Importance", "الأهمية";
    verdict: "Verdict", "الحكم";
    source: "Source", "المصدر";
    coverage: "Evidence coverage", "تغطية الأدلة";
    unsupported: "Without evidence", "بلا دليل";
    confidence: "Confidence", "درجة الثقة";
    filter: "Filter", "تصفية";
    filter_all: "All", "الكل";
    filter_text: "Words in the claim", "كلمات في نص الادعاء";
    filter_none: "No claim matches the filter.", "لا يوجد ادعاء يطابق التصفية.";
    filter_shown: "claims shown", "من الادعاءات معروضة";
    details: "Evidence and notes", "الدليل والملاحظات";
    expand_all: "Open all", "فتح الكل";
    collapse_all: "Close all", "إغلاق الكل";
    snippet: "Evidence snippet", "نص الدليل";
    other_evidence: "Other evidence", "دليل آخر";
    not_both: "Cannot both be true", "لا يصحان معاً";
    in_claim: "the claim says", "في الادعاء";
    in_evidence: "the evidence says", "وفي الدليل";
    not_read: "Not read, or not visible to a reader of the document", "ما تعذّرت قراءته، أو لا يراه قارئ الوثيقة";
    notes: "Judge’s notes", "ملاحظات الحَكَم";
    view_in_document: "View in document", "عرض في الوثيقة";
    copy_citation: "Copy citation", "نسخ الاستشهاد";
    anchors: "Citation anchors", "علامات الاستشهاد";
    page: "Page", "الصفحة";
    section: "Section", "القسم";
    partial_match: "partial match", "تطابق جزئي";
    no_claims: "The answer has no claim that can be checked.", "لا يوجد في الإجابة ادعاء يمكن التحقق منه.";
    risks: "Risk flags", "مؤشرات الخطر";
    affected: "Claims concerned", "الادعاءات المعنية";
    questions: "Follow-up questions", "أسئلة المتابعة";
    judged_by: "Judged by", "الحَكَم";
    ledgers_before: "Earlier ledgers", "السجلات السابقة";
    export_ledger: "Export the ledger", "تصدير السجل";
    export_now: "Export", "تصدير";
    export_ask: "Ask for approval", "طلب الاعتماد";
    export_lead: "Others approve it first, each signed in as themselves; then you fetch it from this page. An approval counts once and for 48 hours.", "يعتمده آخرون أولاً، كلٌّ بدخوله الخاص، ثم تنزّله من هذه الصفحة. ويُحتسب الاعتماد مرة واحدة ولمدة 48 ساعة.";
    format: "Format", "الصيغة";
    approver: "Approved by", "المعتمِد";
    reason: "Reason", "السبب";
    reason_hint: "Every export is recorded with its reason.", "يُقيَّد كل تصدير مع سببه.";

    // Documents.
    documents: "Documents", "الوثائق";
    documents_lead: "What answers are checked against: kept whole, named by the digest of their bytes.", "ما تُفحص الإجابات عليه: محفوظ كاملاً، ومعرَّف ببصمة محتواه.";
    documents_none: "There are no documents yet.", "لا توجد وثائق بعد.";
    documents_none_do: "Upload the policies, contracts or reports that answers should rest on.", "حمّل السياسات أو العقود أو التقارير التي ينبغي أن تستند إليها الإجابات.";
    document: "Document", "الوثيقة";
    upload: "Upload", "تحميل";
    upload_unread: "Kept, but nothing in it could be read.", "حُفظت الوثيقة، غير أنه تعذّرت قراءة محتواها.";
    media_type: "Kind of file", "نوع الملف";
    size: "Size", "الحجم";
    pages: "Pages", "الصفحات";
    dated: "Dated", "تاريخ الوثيقة";
    retrieved: "Retrieved", "تاريخ الاسترجاع";
    original: "Original file", "الملف الأصلي";
    text_as_read: "Text as it was read", "النص كما قُرئ";
    page_previous: "Previous page", "الصفحة السابقة";
    page_next: "Next page", "الصفحة التالية";
    evidence_for: "Evidence for the claim", "الدليل على الادعاء";
    not_on_page: "The words are not on this page as they were quoted.", "لم ترد الكلمات في هذه الصفحة كما اقتُبست.";
    back_to_ledger: "Back to the ledger", "العودة إلى السجل";

    // Packs.
    packs: "Packs", "حزم الأدلة";
    packs_lead: "The sealed evidence of decisions: what was decided, on what basis, and by whom.", "الأدلة المختومة للقرارات: ما تقرر، وعلى أي أساس، ومن قرره.";
    packs_none: "No pack has been sealed yet.", "لم تُختم أي حزمة بعد.";
    packs_none_do: "Agents and programs seal packs over the API, and people with dalil pack seal.", "تختم الأنظمة الحزم عبر واجهة البرمجة، ويختمها الأشخاص بالأمر dalil pack seal.";
    pack: "Pack", "حزمة الأدلة";
    decision: "Decision", "القرار";
    version: "Version", "الإصدار";
    status: "Status", "الحالة";
    superseded_by: "A later version follows:", "يليه إصدار أحدث:";
    approval_class: "Approval", "فئة الاعتماد";
    reversibility_class: "Reversibility", "إمكانية التراجع";
    sensitivity_class: "Sensitivity", "الحساسية";
    requirement: "Pack", "إعداد الحزمة";
    agent: "Agent", "الوكيل الآلي";
    model: "Model", "النموذج";
    entity: "Concerns", "الجهة المعنية";
    retain_until: "Kept until", "يُحفظ حتى";
    decided: "What was decided", "ما تقرر";
    objective: "Objective", "الهدف";
    recommendation: "Recommendation", "التوصية";
    rationale: "Rationale", "المبررات";
    options_considered: "Options considered", "البدائل التي نُظر فيها";
    decided_at: "Decided at", "تاريخ القرار";
    pack_reasons: "Why there is a pack", "أسباب إعداد الحزمة";
    freshness_window: "Freshness window, in hours", "نافذة الحداثة بالساعات";
    trace: "Trace", "معرّف التتبع";
    prompts: "Prompt templates", "قوالب التوجيه";
    weigh: "To weigh before deciding", "ما ينبغي النظر فيه قبل البت";
    weigh_contradicted: "Contradicted claims", "ادعاءات مناقَضة";
    weigh_calls: "Tool calls that failed or did something else", "استدعاءات أخفقت أو نفّذت غير ما قُصد";
    weigh_stale: "Stale sources", "مصادر متقادمة";
    claims_supported: "Every claim is supported.", "لكل ادعاء سند.";
    inputs: "Inputs", "المدخلات";
    outputs: "Outputs", "المخرجات";
    memo: "Memo", "المذكرة";
    memo_english: "English", "النص الإنجليزي";
    memo_arabic: "Arabic", "النص العربي";
    sources: "Sources", "المصادر";
    stale: "Stale: retrieved longer before the decision than the window allows", "متقادم: استُرجع قبل القرار بمدة تتجاوز نافذة الحداثة";
    tool_calls: "Tool calls", "استدعاءات الأدوات";
    intended: "Intended", "الإجراء المقصود";
    actual: "Actual", "الإجراء المنفَّذ";
    outcome: "Outcome", "النتيجة";
    side_effects: "Side effects", "الآثار الجانبية";
    contradiction: "Contradiction: what was done is not what was intended", "تعارض: ما نُفّذ ليس ما قُصد";
    differs: "Differs in", "موضع الاختلاف";
    findings: "Findings", "الملاحظات";
    findings_none: "Nothing that a reviewer must acknowledge.", "لا توجد ملاحظات تستلزم إقرار المراجِع.";
    versions: "Versions", "الإصدارات";
    this_version: "this version", "هذا الإصدار";
    compare: "What changed", "ما تغيّر";
    compare_none: "Nothing changed.", "لم يتغيّر شيء.";
    before: "Before", "قبل";
    after: "After", "بعد";
    review: "Review", "المراجعة";
    review_lead: "A review is a record, and the last approval seals a version that follows. This one stays as it is.", "تُقيَّد المراجعة، ويُختم بالاعتماد الأخير إصدار تالٍ. أما هذا الإصدار فيبقى على حاله.";
    acknowledge: "I have seen this finding", "اطّلعت على هذه الملاحظة";
    record_review: "Record the review", "تسجيل المراجعة";
    reviewed: "The review is recorded.", "سُجّلت المراجعة.";
    reviewed_sealed: "The review is recorded, and the version that it makes is sealed.", "سُجّلت المراجعة، وخُتم الإصدار الناتج عنها.";
    reviewer: "Reviewer", "المراجِع";
    still_missing: "Still to approve", "بانتظار اعتماد";
    needed: "Approvals needed", "الاعتمادات المطلوبة";
    said_so_far: "Said so far", "ما قيل حتى الآن";
    nobody_yet: "Nobody yet", "لا أحد بعد";
    until: "Until", "حتى";
    requests: "Asked of approvers", "طلبات الاعتماد";
    asked_by: "Asked by", "طلبه";
    approve: "Approve", "اعتماد";
    asked_done: "The request is recorded. Approvers see it here and under Exports.", "سُجّل الطلب، ويراه المعتمِدون هنا وفي صفحة التصدير.";
    approved_done: "Your approval is recorded.", "سُجّل اعتمادك.";
    approved_by: "Approved by", "اعتمده";
    verification: "Verification", "التحقق";
    verification_lead: "Each part that was checked just now, with the keys that this server knows. Whoever receives the pack checks it with their own.", "كل جزء جرى التحقق منه الآن بالمفاتيح المعروفة لهذا الخادم. ويتحقق المستلم من الحزمة بما لديه من مفاتيح.";
    part: "Part", "الجزء";
    finding: "Finding", "النتيجة";
    whole_ledger: "Whole ledger (JSON)", "السجل كاملًا (JSON)";
    sealed_file: "Sealed file (JSON)", "الملف المختوم (JSON)";
    export_pack: "Export the pack", "تصدير الحزمة";

    // The trail.
    trail: "Trail", "مسار التدقيق";
    trail_lead: "Everything that happened, in order, under one signed tree. Nothing in it is changed or removed.", "كل ما جرى بالترتيب تحت شجرة موقَّعة واحدة، لا يُعدَّل منها شيء ولا يُحذف.";
    trail_none: "The trail has no records.", "لا توجد قيود في المسار.";
    records: "Records", "القيود";
    checkpoint: "Checkpoint", "نقطة التحقق";
    checkpoint_lead: "A signed statement of how many records there are and of the root over them. Keep one elsewhere: it shows if the trail is ever shortened.", "بيان موقَّع بعدد القيود وبالجذر الذي يجمعها. احفظ نسخة منه في مكان آخر، فهي تكشف أي اقتطاع من المسار.";
    trust_file: "Trust file for verifiers", "ملف الثقة للمتحقِّقين";
    receipt: "Receipt", "إيصال الإثبات";
    receipt_lead: "Proof that this record is under the checkpoint. It can be verified offline.", "إثبات أن هذا القيد مشمول بنقطة التحقق، ويمكن التحقق منه دون اتصال.";
    payload: "Payload", "المحتوى";
    payload_none: "The record has no payload.", "ليس للقيد محتوى.";
    erased_by: "erased by record", "مُحي بموجب القيد";
    leaf: "Leaf hash", "بصمة القيد";
    from_record: "From record", "من القيد";
    withheld: "Withheld", "المحجوب";
    records_from: "Show from record", "العرض من القيد";
    show: "Show", "عرض";

    // Obligations.
    obligations: "Obligations", "الالتزامات";
    obligations_lead: "Contract obligations with their evidence and everything that happened to them.", "التزامات العقود مع أدلتها وكل ما طرأ عليها.";
    obligations_none: "No obligation has been recorded yet.", "لم يُقيَّد أي التزام بعد.";
    obligations_none_do: "Record them over the API, or with dalil record package.", "تُقيَّد عبر واجهة البرمجة، أو بالأمر dalil record package.";
    obligation: "Obligation", "الالتزام";
    clause: "Source clause", "نص البند";
    obligation_proof: "How it was verified", "كيف جرى التحقق منه";
    result: "Result", "النتيجة";
    extraction_model: "Found by", "استخرجه";
    verification_model: "Checked by", "تحقّق منه";
    amendments: "Amendments", "التعديلات";
    obligation_note: "Note", "ملاحظة";
    history: "History", "التسلسل الزمني";

    // Exports.
    exports: "Exports", "التصدير";
    exports_lead: "What left the system: who let it, why, and the digest of the bytes.", "ما خرج من النظام: من أجازه، ولماذا، وبصمة محتواه.";
    exports_none: "Nothing has left the system.", "لم يخرج من النظام شيء.";
    exports_none_do: "Export a ledger from its session, or a pack from its page.", "صدّر سجلاً من صفحة جلسته، أو حزمة من صفحتها.";

    // Verifying.
    verify_short: "Verify", "التحقق";
    verify: "Verify a file", "التحقق من ملف";
    verify_lead: "Drop a sealed pack, its PDF or archive, a receipt, a checkpoint or a trail export. Nothing is kept.", "ضع هنا حزمة أدلة مختومة أو نسختها PDF أو أرشيفها، أو إيصال إثبات أو نقطة تحقق أو تصديراً للمسار. ولا يُحفظ منه شيء.";
    verify_file: "File to verify", "الملف المطلوب التحقق منه";
    verify_trust: "Trust file (optional)", "ملف الثقة (اختياري)";
    verify_trust_hint: "What you believe beforehand: origin, keys, witnesses. Without it nothing can pass; what is checked is still shown.", "ما تثق به مسبقاً: المنشأ والمفاتيح والشهود. وبدونه لا يكتمل التحقق، غير أن ما أمكن فحصه يُعرض.";
    verify_do: "Verify", "تحقّق";
    verify_of: "Verification of", "نتيجة التحقق من";
    verify_pass: "Every part that was checked passes.", "جميع الأجزاء التي فُحصت سليمة.";
    verify_fail: "At least one part does not hold. Do not rely on this file.", "جزء واحد على الأقل غير سليم. لا تعتمد على هذا الملف.";
    verify_incomplete: "Nothing that was checked is wrong, but not everything could be checked.", "لم يظهر خلل فيما فُحص، غير أن بعض الأجزاء تعذّر التحقق منها.";
    drop_here: "Choose a file, or drop it here", "اختر ملفاً أو أفلته هنا";

    // Settings.
    settings: "Settings", "الإعدادات";
    members: "Members", "الأعضاء";
    members_lead: "Who may look, review, export and administer.", "من يحق له الاطلاع والمراجعة والتصدير والإدارة.";
    members_none: "There are no members yet. The first admin can be added by anybody who holds an administrator’s key.", "لا يوجد أعضاء بعد. ويمكن لحامل مفتاح الإدارة إضافة أول مسؤول.";
    name: "Name", "الاسم";
    role: "Role", "الدور";
    titles: "Titles", "الصفات";
    titles_hint: "A title says what the member may approve.", "تحدد الصفة ما يحق للعضو اعتماده.";
    add_member: "Add a member", "إضافة عضو";
    remove: "Remove", "إزالة";
    member_added: "The member is added.", "أُضيف العضو.";
    member_removed: "The member is removed.", "أُزيل العضو.";
    api_keys: "API keys", "مفاتيح واجهة البرمجة";
    api_keys_lead: "What programs and people sign in with. A key is shown once.", "ما يدخل به الأشخاص والأنظمة. ويُعرض المفتاح مرة واحدة فقط.";
    acts_as: "Acts as", "يعمل باسم";
    acts_as_hint: "agent:NAME, or person:NAME with your own name", "agent:NAME، أو person:NAME باسمك أنت";
    scopes: "May be used to", "نطاق الاستخدام";
    ends: "Ends", "الانتهاء";
    make_key: "Make a key", "إنشاء مفتاح";
    key_made: "Copy the key now. It is not shown again.", "انسخ المفتاح الآن، فلن يُعرض ثانيةً.";
    revoke: "Revoke", "إلغاء";
    key_revoked: "The key is revoked.", "أُلغي المفتاح.";
}
