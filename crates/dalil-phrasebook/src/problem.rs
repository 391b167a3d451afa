//! Problem types of HTTP: a title and a sentence for each.

use crate::phrase::phrases;

phrases! {
    malformed_title()
        en "Malformed request"
        ar "طلب غير سليم"
    malformed()
        en "The request does not have the documented form."
        ar "الطلب ليس بالصيغة الموثقة."
    unauthenticated_title()
        en "Not authenticated"
        ar "لم تثبت الهوية"
    unauthenticated()
        en "The request has no valid bearer credential."
        ar "ليس في الطلب بيان اعتماد صالح."
    forbidden_title()
        en "Not allowed"
        ar "غير مسموح"
    forbidden()
        en "You may not do this."
        ar "ليست لك صلاحية هذا الإجراء."
    not_found_title()
        en "Not found"
        ar "غير موجود"
    not_found()
        en "Nothing has this address or id."
        ar "لا يوجد شيء بهذا العنوان أو المعرّف."
    method_title()
        en "Method not allowed"
        ar "الطريقة غير مسموحة"
    method()
        en "This address has other methods; the header `Allow` names them."
        ar "لهذا العنوان طرق أخرى مذكورة في `Allow`."
    not_acceptable_title()
        en "Not acceptable"
        ar "صيغة غير متاحة"
    not_acceptable()
        en "The reply is not available in a form that `Accept` names."
        ar "لا يتاح الرد بالصيغة المطلوبة في `Accept`."
    conflict_title()
        en "Conflict"
        ar "تعارض"
    conflict()
        en "The request conflicts with the current state."
        ar "يتعارض الطلب مع الحالة القائمة."
    gone_title()
        en "Erased"
        ar "تم محوه"
    gone()
        en "This was erased; a record says when and why."
        ar "مُحي هذا الشيء بموجب سجل يذكر التاريخ والسبب."
    too_large_title()
        en "Too large"
        ar "أكبر من الحد"
    too_large()
        en "The body is larger than the limit."
        ar "المحتوى أكبر من الحد."
    media_type_title()
        en "Unsupported media type"
        ar "نوع غير مدعوم"
    media_type()
        en "The `Content-Type` is not the documented one."
        ar "نوع المحتوى غير النوع الموثق."
    refused_title()
        en "Refused"
        ar "مرفوض"
    refused()
        en "The request breaks the rules listed."
        ar "في الطلب المخالفات المذكورة."
    too_many_title()
        en "Too many requests"
        ar "طلبات كثيرة"
    too_many()
        en "There were more requests than the limit allows; try again later."
        ar "عدد الطلبات أكثر من الحد، حاول لاحقًا."
    internal_title()
        en "Internal error"
        ar "خطأ داخلي"
    internal()
        en "The request failed; the log of the server says why."
        ar "لم يُنفذ الطلب، والسبب في سجل الخادم."
    busy_title()
        en "Not available"
        ar "غير متاح حالياً"
    busy()
        en "The server is busy; try again."
        ar "الخادم مشغول، حاول مرة أخرى."
    timeout_title()
        en "Out of time"
        ar "انتهت المهلة"
    timeout()
        en "The request took longer than the limit."
        ar "استغرق الطلب وقتًا أطول من المهلة."
    store_refuses(expected, found)
        en "expected {expected}, found {found}"
        ar "الطلب لا يوافق ما في المستودع", omits expected, found
}
