//! How much, how many or how late a value may be: the first half of a fault.

use crate::phrase::phrases;

phrases! {
    a_file_with_at_least_one_byte()
        en "a file with at least one byte"
        ar "ملف فيه بايت واحد على الأقل"
    a_history_of_at_most_bytes(most)
        en "a history of at most {most} bytes"
        ar "تاريخ لا يزيد على {most} بايت"
    a_ledger_of_at_most_claims(most)
        en "a ledger of at most {most} claims"
        ar "سجل ادعاءات لا تزيد ادعاءاته على {most}"
    a_number()
        en "a number"
        ar "عدد"
    a_number_that_a_double_holds()
        en "a number that a double holds as it is written"
        ar "عدد تسعه الدقة المضاعفة كما كُتب"
    a_tile_that_is_filled_so_far()
        en "a tile that the trail has filled so far"
        ar "بلاطة ملأها المسار حتى الآن"
    a_time_after(at)
        en "a time after {at}"
        ar "وقت بعد {at}"
    a_time_after_and_up_to(from, to)
        en "a time after {from} and up to {to}"
        ar "وقت بعد {from} وحتى {to}"
    a_time_at_or_after_when_the_old_version_was_made(made)
        en "a time at or after {made}, when the old version was made"
        ar "وقت لا يسبق {made}، حين حُرر الإصدار السابق"
    a_time_at_or_before_created_at()
        en "a time at or before `created_at`"
        ar "وقت لا يلي `created_at`"
    a_whole_number()
        en "a whole number"
        ar "عدد صحيح"
    a_whole_number_from_to(least, most)
        en "a whole number from {least} to {most}"
        ar "عدد صحيح من {least} إلى {most}"
    an_answer_of_at_most_bytes(most)
        en "an answer of at most {most} bytes"
        ar "إجابة لا تزيد على {most} بايت"
    an_end_at_or_after_the_start(start)
        en "an end at or after the start, {start}"
        ar "نهاية لا تسبق البداية {start}"
    an_index_below(size)
        en "an index below {size}"
        ar "رقم دون {size}"
    an_integer_from_to(most)
        en "an integer from -{most} to {most}"
        ar "عدد صحيح من -{most} إلى {most}"
    an_offset_from(start)
        en "an offset from {start}"
        ar "موضع لا يسبق {start}"
    an_offset_from_where_the_claim_starts(first)
        en "an offset from {first}, where the claim starts"
        ar "موضع لا يسبق {first}، حيث يبدأ الادعاء"
    at_least_16_bytes()
        en "at least 16 bytes"
        ar "16 بايت على الأقل"
    at_least_one_document()
        en "at least one document"
        ar "وثيقة واحدة على الأقل"
    at_least_one_scope()
        en "at least one scope"
        ar "نطاق واحد على الأقل"
    at_least_one_signature()
        en "at least one signature"
        ar "توقيع واحد على الأقل"
    at_most(most)
        en "at most {most}"
        ar "قيمة لا تزيد على {most}"
    at_most_10_000_claims()
        en "at most 10,000 claims"
        ar "ادعاءات لا تزيد على 10,000"
    at_most_64_digests()
        en "at most 64 digests"
        ar "بصمات لا تزيد على 64"
    at_most_bytes(most)
        en "at most {most} bytes"
        ar "ما لا يزيد على {most} بايت"
    at_most_bytes_as_canonical_json(most)
        en "at most {most} bytes as canonical JSON"
        ar "{most} بايت على الأكثر بصيغة JSON المعتمدة"
    at_most_characters(most)
        en "at most {most} characters"
        ar "نص لا تزيد أحرفه على {most}"
    at_most_items(most)
        en "at most {most} items"
        ar "عناصر لا تزيد على {most}"
    at_most_rules(most)
        en "at most {most} rules"
        ar "قواعد لا تزيد على {most}"
    at_most_the_size(size)
        en "at most the size {size}"
        ar "ما لا يزيد على الحجم {size}"
    at_most_values(most)
        en "at most {most} values"
        ar "قيم لا تزيد على {most}"
    at_most_words(limit)
        en "at most {limit} words"
        ar "كلمات لا تزيد على {limit}"
    freshness_window(short)
        en "the `{short}` of `freshness_window_hours`"
        ar "القيمة `{short}` في `freshness_window_hours`"
    from_one_to(most)
        en "1 to {most}"
        ar "قيمة من 1 إلى {most}"
    one_subject()
        en "one subject"
        ar "موضوع واحد"
    one_to_characters(most)
        en "1 to {most} characters"
        ar "نص من حرف واحد إلى {most}"
    one_to_chunks(most)
        en "1 to {most} chunks"
        ar "من 1 إلى {most} من المقاطع"
    rules_times_bytes(most)
        en "rules whose number times the bytes of the request is at most {most}"
        ar "قواعد لا يزيد حاصل ضرب عددها في عدد بايتات الطلب على {most}"
    score()
        en "a number from 0 to 1"
        ar "عدد من 0 إلى 1"
    start_not_after_end()
        en "`start` not after `end`"
        ar "ألا يلي `start` قيمةَ `end`"
    two_sizes_in_order_from_1_to(size)
        en "two sizes in order, from 1 to {size}"
        ar "حجمان مرتبان، من 1 إلى {size}"
    zero_to(most)
        en "0 to {most}"
        ar "من 0 إلى {most}"
}
