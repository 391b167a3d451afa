//! Results of verifying a completeness statement.

use crate::phrase::phrases;

phrases! {
    export_gives_the_root(size)
        en "the export holds, and gives the root at size {size}"
        ar "المستخرج صحيح، ويعطي الجذر عند الحجم {size}"
    export_of_another_part(size)
        en "expected an export from record 0 to size {size} or beyond, found another part"
        ar "المتوقع مستخرج من القيد 0 إلى الحجم {size} أو بعده، والموجود جزء آخر"
    ids_of_the_list(count, digest)
        en "the {count} ids of the list, by their digest `{digest}`"
        ar "معرفات القائمة وعددها {count}، ببصمتها `{digest}`"
    made_in_the_future(made_at, now)
        en "made at {made_at}, later than now, {now}"
        ar "حُرر في {made_at}، بعد وقت التحقق {now}"
    no_export_to_look_in()
        en "not looked for: no trail export was given to look in"
        ar "لم يُبحث عنها: لم يُعطَ مستخرج من المسار للبحث فيه"
    no_list_to_compare_with()
        en "no list of expected obligations was given to compare with"
        ar "لم تُعطَ قائمة بالالتزامات المتوقعة للمقارنة بها"
    no_trusted_key()
        en "no trusted key to check it with"
        ar "لا مفتاح موثوق للتحقق به"
    no_trusted_signature()
        en "expected a signature by a trusted key over these bytes, found none"
        ar "المتوقع توقيع بمفتاح موثوق على هذه البايتات، ولا يوجد"
    not_compared_without_root()
        en "not compared, as the export does not give the root of the statement"
        ar "لم تُقارن، لأن المستخرج لا يعطي جذر البيان"
    obligations_as_the_trail_says(found, missing)
        en "{found} obligations have evidence and {missing} have none, as the trail says"
        ar "{found} من الالتزامات لها أدلة و{missing} بلا أدلة، كما في المسار"
    root_differs(expected, size, found)
        en "expected root `{expected}` at size {size}, found `{found}`"
        ar "الجذر المتوقع `{expected}` عند الحجم {size}، والموجود `{found}`"
    signed_by(names)
        en "signed by {names}"
        ar "وقّعه {names}"
    statement_about_other_ids()
        en "expected a statement about the ids of the list, found one about others"
        ar "المتوقع بيان عن معرفات القائمة، والموجود عن غيرها"
    statement_and_trail_differ(id, stated, found)
        en "{id}: the statement says {stated}, the trail {found}"
        ar "{id}: في البيان {stated}، وفي المسار {found}"
    statement_of_evidence(found, count)
        en "a statement that {found} of {count} obligations have evidence"
        ar "بيان بأن {found} من {count} من الالتزامات لها أدلة"
}
