//! Antonyms: words of which at most one can be true of the same thing.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::stem;
use super::word::{WordToken, fold, spellings};

/// Whether two words are opposites, by their forms or their stems.
pub(super) fn opposed(a: &WordToken, b: &WordToken) -> bool {
    let groups = |word: &WordToken| -> Vec<(usize, bool)> {
        let stem = stem::stem(&word.form);
        let forms = spellings(&word.form).into_iter().chain([stem.as_str()]);
        forms.filter_map(|form| ANTONYMS.get(form)).flatten().copied().collect()
    };
    let other = groups(b);
    groups(a).iter().any(|&(group, side)| other.contains(&(group, !side)))
}

/// Each line is two groups of words: any of the first is denied by any of the second.
const ANTONYM_GROUPS: &[(&str, &str)] = &[
    ("before prior earlier", "after later following"),
    ("first initial", "last final second third"),
    (
        "more higher greater above increase increased rise rose rises grew raised",
        "less fewer lower below decrease decreased fall fell falls reduced reduction declined cut lowered",
    ),
    ("longer", "shorter"),
    ("maximum most highest largest", "minimum least lowest smallest"),
    ("include includes included including", "exclude excludes excluded excluding except"),
    (
        "accept accepted accepts approve approved adopted agreed carried",
        "reject rejected rejects refuse refused declined denied turned",
    ),
    ("allowed permitted may can", "forbidden prohibited banned barred cannot"),
    ("must required mandatory compulsory obliged", "optional voluntary may need"),
    ("paid compensated", "unpaid free"),
    ("free", "charged charge fee cost costs pay"),
    ("buyer purchaser customer client", "seller vendor supplier provider"),
    ("employer company", "employee worker staff"),
    ("landlord lessor", "tenant lessee"),
    ("licensor", "licensee"),
    ("discloser", "recipient"),
    ("lender", "borrower"),
    ("debtor", "creditor"),
    ("plaintiff claimant", "defendant respondent"),
    (
        "start starts begin begins commences opens open opened",
        "end ends expires close closes closed finish stops",
    ),
    ("internal inside indoors", "external outside outdoors"),
    ("public", "private confidential"),
    ("permanent", "temporary"),
    ("always every each all", "never none no some only sometimes"),
    ("all every entire whole full fully both", "part partly partial half some only one none"),
    ("automatic automatically", "manual manually request"),
    ("written writing", "oral verbal orally verbally"),
    ("monthly", "weekly daily quarterly annually yearly annual"),
    ("weekly", "daily quarterly annually yearly annual"),
    ("daily", "quarterly annually yearly annual"),
    ("quarterly", "annually yearly annual"),
    ("hours hour", "days day weeks months"),
    ("working business", "calendar"),
    ("days day", "weeks week months month years year"),
    ("months month", "years year weeks week"),
    ("once", "twice"),
    ("jointly joint", "separately several alone solely"),
    ("exclusive exclusively sole", "nonexclusive non-exclusive shared"),
    ("new", "old existing former"),
    (
        "keep keeps kept retain retains remain remains stays stand",
        "lose loses lost delete deleted destroyed removed returned withdrawn abolished",
    ),
    ("gross", "net"),
    ("north northern", "south southern"),
    ("east eastern", "west western"),
    ("left", "right"),
    ("upper top", "lower bottom"),
    ("import imports", "export exports"),
    ("profit surplus", "loss deficit"),
    ("valid", "invalid void"),
    ("liable responsible", "exempt released"),
    ("success passed pass", "failure failed fail"),
    ("enabled on", "disabled off"),
    ("present", "absent"),
    ("male men man", "female women woman"),
    ("adult adults", "child children minors"),
    ("majority", "unanimous unanimously minority"),
    ("monday", "tuesday wednesday thursday friday saturday sunday"),
    ("tuesday", "wednesday thursday friday saturday sunday"),
    ("wednesday", "thursday friday saturday sunday"),
    ("thursday", "friday saturday sunday"),
    ("friday", "saturday sunday"),
    ("saturday", "sunday"),
    ("same", "different other"),
    ("fixed", "variable"),
    ("direct directly", "indirect indirectly"),
    ("separate separately", "together combined"),
    ("rigid hard", "soft flexible"),
    ("قبل", "بعد"),
    ("أول الأولى الأول", "آخر الأخيرة الثاني الثانية الثالث الثالثة"),
    (
        "أكثر أعلى أكبر يزيد تزيد زاد ارتفع ارتفاع زيادة",
        "أقل أدنى أصغر يقل تقل نقص انخفض انخفاض خفض تراجع",
    ),
    ("أقصى الأقصى أعلى", "أدنى الأدنى أقل"),
    ("يشمل تشمل يدخل", "يستثنى تستثنى باستثناء عدا يخرج"),
    ("قبول يقبل قبل وافق أقر", "رفض يرفض رفضت مرفوض"),
    ("يجوز يمكن مسموح يسمح يحق", "يحظر ممنوع محظور يمنع"),
    ("يجب يلزم إلزامي إلزامية يتعين", "اختياري اختيارية يجوز"),
    ("مجانا مجاني مجانية", "رسم رسوم مقابل مدفوع"),
    ("المشتري العميل المستهلك", "البائع المورد المزود المتجر"),
    ("المؤجر", "المستأجر"),
    ("الدائن المقرض", "المدين المقترض"),
    ("المدعي", "المدعى"),
    ("يبدأ تبدأ يفتح مفتوح", "ينتهي تنتهي يغلق مغلق تغلق"),
    ("داخل داخلي داخلية", "خارج خارجي خارجية"),
    ("دائم دائمة", "مؤقت مؤقتة"),
    ("كل جميع كافة كامل كاملا كاملة", "بعض نصف جزء فقط وحده"),
    ("شهريا شهري شهرية", "سنويا سنوي سنوية أسبوعيا يوميا"),
    ("أسبوعيا", "يوميا سنويا"),
    ("يوم أيام يوما", "شهر أشهر أسبوع أسابيع سنة سنوات ساعة"),
    ("ساعة ساعات", "يوم أيام دقيقة"),
    ("شهر أشهر", "سنة سنوات أسبوع"),
    ("عمل", "تقويمي تقويمية"),
    ("كتابة كتابي خطي خطيا كتابيا", "شفهي شفهيا شفاهة"),
    ("تلقائيا تلقائي", "بطلب طلب يدويا"),
    ("جديد جديدة", "قديم قديمة سابق سابقة قائم"),
    ("يبقى تبقى يحتفظ يستمر", "يحذف تحذف يعاد تعاد يرد ترد يسقط ألغي"),
    ("إجمالي", "صافي"),
    ("الرجال رجل ذكر", "النساء امرأة أنثى"),
    ("الأحد", "الإثنين الثلاثاء الأربعاء الخميس الجمعة السبت"),
    ("الخميس", "الجمعة السبت"),
    ("الجمعة", "السبت"),
    ("مرة", "مرتين مرتان مرات"),
    ("ثابت ثابتة", "متغير متغيرة"),
    ("واحد واحدة", "اثنان اثنين اثنتين ثلاثة"),
];

static ANTONYMS: LazyLock<BTreeMap<String, Vec<(usize, bool)>>> = LazyLock::new(|| {
    let mut table: BTreeMap<String, Vec<(usize, bool)>> = BTreeMap::new();
    for (group, &(first, second)) in ANTONYM_GROUPS.iter().enumerate() {
        for (words, side) in [(first, true), (second, false)] {
            for word in words.split_whitespace().map(fold) {
                table.entry(word).or_default().push((group, side));
            }
        }
    }
    table
});
