//! Why a decision needs a pack, or none.

use crate::phrase::phrases;

phrases! {
    a_manager_may_want_to_audit_it()
        en "approval class A1: a manager may want to audit it"
        ar "القرار فوق المعتاد وقد يُطلب تدقيقه"
    approval_class(class)
        en "approval class {class} makes a pack mandatory"
        ar "فئة الاعتماد {class} توجب حزمة الأدلة"
    is_more_than_routine(classes)
        en "{classes} is more than routine"
        ar "القرار فوق المعتاد وقد يُطلب تدقيقه", omits classes
    is_routine(classes)
        en "{classes} is routine"
        ar "القرار معتاد", omits classes
    low_confidence(confidence, least)
        en "confidence {confidence} is below {least} on a high-stakes decision"
        ar "درجة الثقة دون الحد المطلوب لقرار عالي الأثر", omits confidence, least
    reversibility_class(class)
        en "reversibility class {class} makes a pack mandatory"
        ar "فئة إمكان التراجع {class} توجب حزمة الأدلة"
    sensitivity_class(class)
        en "sensitivity class {class} makes a pack mandatory"
        ar "فئة الحساسية {class} توجب حزمة الأدلة"
}
