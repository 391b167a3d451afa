//! Why bytes are not the evidence that they are given for, and why a change is not made.

use crate::phrase::phrases;

phrases! {
    a_change_that_was_made_before()
        en "a change that was made before"
        ar "تغيير جرى من قبل"
    a_change_that_was_not_recorded_before()
        en "a change that was not recorded before"
        ar "تغيير لم يُقيَّد من قبل"
    a_change_to_a_key_that_was_revoked_before()
        en "a change to a key that was revoked before"
        ar "تغيير في مفتاح أُلغي من قبل"
    a_corrected_date_in_the_future()
        en "a corrected date in the future"
        ar "تاريخ مصحَّح في المستقبل"
    a_date_that_needs_no_correction()
        en "a date that needs no correction"
        ar "تاريخ لا يحتاج إلى تصحيح"
    a_date_that_was_corrected_before()
        en "a date that was corrected before"
        ar "تاريخ صُحِّح من قبل"
    a_key_that_was_never_added()
        en "a key that was never added"
        ar "مفتاح لم يُضف قط"
    a_later_time_in_place_of_one_that_was_possible()
        en "a later time in place of one that was possible"
        ar "وقت متأخر بدل وقت كان ممكنًا"
    a_time_before_the_line_above_it()
        en "a time before the line above it"
        ar "وقت يسبق السطر الذي فوقه"
    ambiguous_anchor(anchor, candidates)
        en "expected an anchor of one chunk, found `{anchor}`, which names {candidates}"
        ar "المتوقع علامة مقطع واحد، والموجود `{anchor}`، ويدل على {candidates}"
    another_form_of_key(expected)
        en "expected {expected}, found another form"
        ar "المتوقع {expected}، والموجود صيغة أخرى"
    bad_envelope(fault)
        en "in the envelope: {fault}"
        ar "في الظرف، {fault}"
    bad_key_history(line, why)
        en "expected a possible key history, found at line {line} {why}"
        ar "المتوقع تاريخ مفاتيح ممكن، والموجود في السطر {line}: {why}"
    certificate_not_for_timestamps()
        en "expected a certificate for time stamping alone, found another"
        ar "المتوقع شهادة للختم الزمني وحده، والموجود غيرها"
    certificate_not_trusted()
        en "its certificate leads to none that is trusted"
        ar "شهادتها لا تؤدي إلى شهادة موثوقة"
    certificate_not_valid_then()
        en "expected certificates that were valid when it was stamped, found one that was not"
        ar "المتوقع شهادات سارية وقت الختم، والموجود شهادة غير سارية"
    checkpoint_of_another_trail(expected, found)
        en "expected a checkpoint of {expected}, found one of {found}"
        ar "المتوقع نقطة تحقق للمسار {expected}، والموجود للمسار {found}"
    control_character()
        en "expected no control characters but line ends, found one"
        ar "المتوقع نص بلا محارف تحكم غير نهايات الأسطر، والموجود محرف منها"
    cosigner_key()
        en "a key that signs cosignatures only"
        ar "مفتاح لا يوقّع إلا توقيع الشهود"
    early_cosignature()
        en "expected a time after 1970, found an earlier one"
        ar "المتوقع وقت بعد 1970، والموجود وقت أسبق"
    forged_cosignature(name)
        en "expected a cosignature by the witness {name}, found bytes that it did not sign"
        ar "المتوقع توقيع الشاهد {name}، والموجود بايتات لم يوقّعها"
    forged_signature(name)
        en "expected a signature by the key {name}, found bytes that it did not sign"
        ar "المتوقع توقيع المفتاح {name}، والموجود بايتات لم يوقّعها"
    hold_in_place(id)
        en "expected the id of a hold that is not in place, found {id}"
        ar "المتوقع معرّف حجز غير قائم، والموجود {id}"
    in_the_checkpoint(why)
        en "in the checkpoint: {why}"
        ar "في نقطة التحقق: {why}"
    index_beyond_size(size, index)
        en "expected an index below the size {size}, found {index}"
        ar "المتوقع رقم قيد دون الحجم {size}، والموجود {index}"
    invalid_sampling(word)
        en "Invalid sampling_strategy: {word}"
        ar "قيمة sampling_strategy غير صالحة: {word}"
    key_hash()
        en "expected the hash of the key's own name and bytes, found another"
        ar "المتوقع بصمة اسم المفتاح وبايتاته، والموجود غيرها"
    key_name()
        en "expected a name of 1 to 200 bytes without spaces, controls or `+`, found another"
        ar "المتوقع اسم من بايت إلى 200 بلا فراغات ولا محارف تحكم ولا `+`، والموجود غيره"
    key_point()
        en "expected the canonical bytes of an Ed25519 point, found others"
        ar "المتوقع البايتات المعتمدة لنقطة Ed25519، والموجود غيرها"
    key_type()
        en "expected an Ed25519 key or an Ed25519 cosigner key, found another type"
        ar "المتوقع مفتاح Ed25519 أو مفتاح شاهد Ed25519، والموجود نوع آخر"
    last_admin(name)
        en "{name} is the last admin"
        ar "{name} آخر مسؤول"
    long_line(most)
        en "expected at most {most} bytes, found more"
        ar "المتوقع سطر ضمن الحد، والموجود أطول منه", omits most
    long_note(most)
        en "expected at most {most} bytes, found more"
        ar "المتوقع مذكرة ضمن الحد، والموجود أكبر منه", omits most
    long_receipt(most)
        en "expected at most {most} bytes, found more"
        ar "المتوقع إيصال ضمن الحد، والموجود أكبر منه", omits most
    many_signatures(most)
        en "expected at most {most} signatures, found more"
        ar "المتوقع تواقيع ضمن الحد، والموجود أكثر", omits most
    member_already(name)
        en "{name} is a member already"
        ar "{name} عضو من قبل"
    no_blank_line_before_checkpoint()
        en "expected a blank line before the checkpoint, found none"
        ar "المتوقع سطر فارغ قبل نقطة التحقق، ولا يوجد"
    no_blank_line_before_signatures()
        en "expected a blank line before the signatures, found none"
        ar "المتوقع سطر فارغ قبل التواقيع، ولا يوجد"
    no_known_signature()
        en "expected a signature by a known key, found none"
        ar "المتوقع توقيع بمفتاح معروف، ولا يوجد"
    no_line_end()
        en "expected a text that ends with a line end, found one that does not"
        ar "المتوقع نص ينتهي بنهاية سطر، والموجود لا ينتهي بها"
    no_signature_line()
        en "expected one or more whole signature lines, found none or part of one"
        ar "المتوقع سطر توقيع كامل أو أكثر، ولا يوجد كاملًا"
    no_such_hold(id)
        en "expected the id of a hold that is in place, found {id}"
        ar "المتوقع معرّف حجز قائم، والموجود {id}"
    not_a_certificate()
        en "expected one or more X.509 certificates with an RSA, P-256 or P-384 key, found none or another"
        ar "المتوقع شهادة X.509 واحدة أو أكثر بمفتاح RSA أو P-256 أو P-384، والموجود لا شيء أو غيرها"
    not_a_checkpoint()
        en "expected an origin, a size and a base64 root on one line each, found another text"
        ar "المتوقع اسم المسار والحجم والجذر، كل في سطر، والموجود نص آخر"
    not_a_cosigner_key()
        en "expected a cosigner key, found a plain one"
        ar "المتوقع مفتاح شاهد، والموجود مفتاح عادي"
    not_a_member(name)
        en "{name} is not a member"
        ar "{name} ليس عضوًا"
    not_a_signature_line()
        en "expected a signature line of dash, key name and canonical base64, found another line"
        ar "المتوقع سطر توقيع من شرطة واسم مفتاح وbase64، والموجود سطر آخر"
    not_a_timestamp_reply()
        en "expected the reply of a time-stamping authority (RFC 3161), found other bytes"
        ar "المتوقع رد جهة ختم زمني (RFC 3161)، والموجود بايتات أخرى"
    not_a_timestamp_token(most)
        en "expected a time-stamp token (RFC 3161) of at most {most} bytes, found other bytes"
        ar "المتوقع رمز ختم زمني (RFC 3161) لا يتجاوز {most} بايت، والموجود بايتات أخرى"
    not_utf_8()
        en "expected UTF-8 text, found other bytes"
        ar "المتوقع نص UTF-8، والموجود بايتات أخرى"
    own_witness(name)
        en "expected witnesses other than the trail, found {name}, which has a key of the trail"
        ar "المتوقع شهود غير المسار، والموجود {name}، وله مفتاح من مفاتيح المسار"
    plain_witness_key()
        en "expected cosigner keys, found a plain one"
        ar "المتوقع مفاتيح شهود، والموجود مفتاح عادي"
    policy_at_least(field, least)
        en "{field} must be at least {least}"
        ar "لا يقل {field} عن {least}"
    policy_at_least_bytes(field, least)
        en "{field} must be at least {least} bytes"
        ar "لا يقل {field} عن {least} بايت"
    policy_at_least_if_specified(field, least)
        en "{field} must be at least {least} if specified"
        ar "لا يقل {field} إن ذُكر عن {least}"
    policy_exceeds(field, other)
        en "{field} cannot exceed {other}"
        ar "لا يتجاوز {field} قيمة {other}"
    policy_less_than(field, other)
        en "{field} must be less than {other}"
        ar "لا بد أن يقل {field} عن {other}"
    policy_non_negative(field)
        en "{field} must be non-negative"
        ar "لا يكون {field} سالبًا"
    proof_length(found)
        en "expected a proof as long as the tree needs, found one of {found} hashes"
        ar "المتوقع برهان بطول ما تحتاجه الشجرة، والموجود من {found} بصمة"
    proof_old_root(expected, found)
        en "expected the proof to lead to the earlier root `{expected}`, found `{found}`"
        ar "المتوقع أن يفضي البرهان إلى الجذر السابق `{expected}`، والموجود `{found}`"
    proof_root(expected, found)
        en "expected the proof to lead to root `{expected}`, found `{found}`"
        ar "المتوقع أن يفضي البرهان إلى الجذر `{expected}`، والموجود `{found}`"
    quorum_beyond_witnesses(witnesses, quorum)
        en "expected a quorum of at most {witnesses} witnesses, found {quorum}"
        ar "المتوقع نصاب لا يزيد على {witnesses} من الشهود، والموجود {quorum}"
    receipt_extra()
        en "expected `extra` and the record in canonical base64 on the second line, found another"
        ar "المتوقع `extra` والقيد في السطر الثاني، والموجود غيره"
    receipt_index()
        en "expected `index` and a decimal number without leading zeros, found another line"
        ar "المتوقع `index` ورقم بلا أصفار قبله، والموجود غيره"
    receipt_path(most)
        en "expected at most {most} lines of one base64 hash each, found others"
        ar "المتوقع أسطر في كل منها بصمة واحدة ضمن الحد، والموجود غيرها", omits most
    receipt_version(line)
        en "expected the first line `{line}`, found another"
        ar "السطر الأول غير سطر صيغة الإيصال", omits line
    sizes_out_of_order(new, old)
        en "expected an earlier size of at most {new}, found {old}"
        ar "المتوقع حجم سابق لا يزيد على {new}، والموجود {old}"
    timestamp_algorithm()
        en "it is signed by an algorithm that is not known here"
        ar "موقَّع بخوارزمية غير معروفة هنا"
    timestamp_attributes()
        en "expected signed attributes that fit the token and name its certificate, found others"
        ar "المتوقع سمات موقعة تطابق الرمز وتسمّي شهادته، والموجود غيرها"
    timestamp_authority_twice()
        en "expected each time-stamping authority once, found a name twice"
        ar "المتوقع ورود كل جهة ختم زمني مرة واحدة، والموجود اسم مكرر"
    timestamp_extension()
        en "it has a critical extension that is not known here"
        ar "فيه امتداد حرج غير معروف هنا"
    timestamp_of_another_checkpoint()
        en "expected a time stamp of this checkpoint, found one of something else"
        ar "المتوقع ختم زمني لنقطة التحقق هذه، والموجود ختم لشيء آخر"
    timestamp_of_another_query()
        en "expected the answer to this query, found a token with another nonce or none"
        ar "المتوقع رد على هذا الطلب، والموجود رمز برقم آخر أو بلا رقم"
    timestamp_refused(why)
        en "expected a time stamp, found a refusal with status {why}"
        ar "المتوقع ختم زمني، والموجود رفض بالحالة {why}"
    timestamp_signature()
        en "expected the signature of the authority, found another"
        ar "المتوقع توقيع الجهة، والموجود غيره"
    unexpected_bytes(expected, at)
        en "expected {expected} at byte {at}, found something else"
        ar "عند البايت {at}: الموجود غير ما تقتضيه الصيغة", omits expected
    unknown_anchor(anchor)
        en "expected an anchor of a known chunk, found `{anchor}`, which names none"
        ar "المتوقع علامة مقطع معروف، والموجود `{anchor}`، ولا يدل على مقطع"
    weak_key()
        en "expected an Ed25519 key of full order, found a weak one"
        ar "المتوقع مفتاح Ed25519 تام الرتبة، والموجود مفتاح ضعيف"
    witness_key_twice()
        en "expected each witness key once, found one twice"
        ar "المتوقع كل مفتاح شاهد مرة واحدة، والموجود مفتاح مرتين"
}
