//! Tools for agents: their descriptions, and errors about messages.

use crate::phrase::phrases;

phrases! {
    another_version()
        en "This server does not speak that version of the protocol."
        ar "لا يدعم هذا الخادم ذلك الإصدار من البروتوكول."
    build_bundle()
        en "Builds what a model may see before it answers: passages, query results and documents, bounded, masked and with every cut recorded. Cite its items as [cite:ANCHOR] and check the answer with `bundle_id`."
        ar "يُعدّ ما يُسمح للنموذج بالاطلاع عليه قبل أن يجيب: مقاطع ونتائج استعلامات ووثائق، محدودة ومُقنَّعة ويُسجَّل كل ما اقتُطع منها. استشهد بعناصرها بالصيغة [cite:ANCHOR] وتحقق من الإجابة باستخدام `bundle_id`."
    build_bundle_title()
        en "Build an evidence bundle"
        ar "إعداد حزمة أدلة"
    check_answer()
        en "Checks every claim of an answer against the passages it was written from and returns the ledger: supported, weak, contradicted or not found, with the words each verdict rests on. Give one of `chunks`, `bundle_id` and `documents`. Call it before you send an answer, and correct what is contradicted or not found."
        ar "يتحقق من كل ادعاء في الإجابة مقابل المقاطع التي كُتبت منها ويعيد السجل: مؤيَّد أو ضعيف أو مناقَض أو غير موجود، مع النص الذي يستند إليه كل حكم. قدّم واحدًا من `chunks` و`bundle_id` و`documents`. استدعه قبل إرسال الإجابة، وصحّح ما كان مناقَضًا أو غير موجود."
    check_answer_title()
        en "Check an answer"
        ar "التحقق من إجابة"
    find_sources()
        en "Chooses the documents to show beside an answer from the candidates and chunks of a retriever, each once, in order, with the metadata that is safe to show."
        ar "يختار الوثائق التي تُعرض بجانب الإجابة من بين نتائج الاسترجاع، كل وثيقة مرة واحدة وبالترتيب، مع البيانات الوصفية الآمنة للعرض."
    find_sources_title()
        en "Find the sources to show"
        ar "اختيار المصادر المعروضة"
    headers_say_otherwise()
        en "The headers of the request say something else than the message."
        ar "ترويسات الطلب تخالف ما في الرسالة."
    message_without_id()
        en "The id of a request is a string or a number."
        ar "معرّف الطلب نص أو رقم."
    message_without_method()
        en "A message names its method."
        ar "تذكر الرسالة اسم الطريقة المطلوبة."
    no_json()
        en "The message is not JSON."
        ar "الرسالة ليست بصيغة JSON."
    no_method(name)
        en "This server has no method {name}."
        ar "لا توجد في هذا الخادم طريقة باسم {name}."
    no_resource(uri)
        en "No resource has the address {uri}."
        ar "لا يوجد مورد بالعنوان {uri}."
    no_tool(name)
        en "This server has no tool {name}."
        ar "لا توجد في هذا الخادم أداة باسم {name}."
    one_message()
        en "A message is one JSON object; batches are not taken."
        ar "الرسالة كائن JSON واحد؛ ولا تُقبل الدفعات."
    record_decision()
        en "Records a decision before it is carried out: what was decided, why, on which evidence, and with which classes. The reply says who must approve and whether an evidence pack is required. Do not act while approval is outstanding."
        ar "يسجّل القرار قبل تنفيذه: ما تقرر، ولماذا، وبناءً على أي أدلة، وبأي تصنيفات. يذكر الرد مَن يجب أن يوافق وهل تلزم حزمة أدلة. لا تنفّذ ما دامت الموافقة معلّقة."
    record_decision_title()
        en "Record a decision"
        ar "تسجيل قرار"
    record_tool_call()
        en "Records a tool call of yours: `phase` `intended` before you make it, with what you mean to do, and `reported` after it, with what came of it."
        ar "يسجّل استدعاءك لأداة: `phase` بقيمة `intended` قبل الاستدعاء مع ما تنوي فعله، و`reported` بعده مع ما نتج عنه."
    record_tool_call_title()
        en "Record a tool call, before and after it"
        ar "تسجيل استدعاء أداة قبله وبعده"
    verify_evidence()
        en "Verifies a pack, a ledger, a receipt, a checkpoint, a trail export, a PDF or an archive against the keys of this tenant, and reports every check: pass, fail or incomplete."
        ar "يتحقق من حزمة أو سجل أو إيصال أو نقطة تحقق أو تصدير سجل أو ملف PDF أو أرشيف بمفاتيح هذا المستأجر، ويذكر نتيجة كل فحص: نجاح أو فشل أو عدم اكتمال."
    verify_evidence_title()
        en "Verify evidence"
        ar "التحقق من دليل"
}
