//! Flags of a pack: facts that its reader should know, though they break no rule.

use crate::phrase::phrases;

phrases! {
    contradicted_call()
        en "the call is said to be verified, but its actions differ"
        ar "وُصف الاستدعاء بأنه متحقَّق منه، غير أن الإجراء المنفَّذ يخالف الإجراء المقصود"
    default_tenant()
        en "the decision names no tenant of its own"
        ar "لم يذكر القرار الجهة المالكة، فنُسب إلى الجهة الافتراضية"
    late_source()
        en "the source was retrieved after the decision"
        ar "استُرجع المصدر بعد صدور القرار"
    no_content_hash()
        en "the whole that the excerpt is from has no digest"
        ar "لا توجد بصمة رقمية للوثيقة الكاملة التي أُخذ منها المقتطف"
    no_outcome()
        en "how the call ended is not said"
        ar "لم تُذكر نتيجة الاستدعاء"
    no_side_effects()
        en "what the call changed is not said"
        ar "لم يُذكر ما غيّره الاستدعاء"
    no_sources()
        en "the decision names no source"
        ar "لا يستند القرار إلى أي مصدر"
    stale_source(hours)
        en "the source was retrieved more than {hours} hours before the decision"
        ar "استُرجع المصدر قبل القرار بمدة تتجاوز نافذة الحداثة المقررة", omits hours
}
