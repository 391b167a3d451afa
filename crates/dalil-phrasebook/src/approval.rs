//! Who approves, and who is still missing.

use crate::phrase::phrases;

phrases! {
    a_department_head()
        en "a department head"
        ar "رئيس إدارة"
    a_department_head_and_legal_or_finance()
        en "a department head, and legal or finance"
        ar "رئيس إدارة مع الشؤون القانونية أو المالية"
    a_department_head_or_legal_or_finance()
        en "a department head, or legal or finance"
        ar "رئيس إدارة أو الشؤون القانونية أو المالية"
    a_manager_or_above()
        en "a manager or above"
        ar "مدير فأعلى"
    a_reviewer()
        en "a reviewer"
        ar "مراجِع"
    an_admin()
        en "an admin"
        ar "مسؤول"
    an_executive_or_a_member_of_the_board()
        en "an executive or a member of the board"
        ar "عضو من الإدارة التنفيذية أو مجلس الإدارة"
    and_also(first, second)
        en "{first}; {second}"
        ar "{first}; {second}"
    anybody_who_may_review()
        en "anybody who may review"
        ar "أي شخص له حق المراجعة"
    board()
        en "board"
        ar "مجلس الإدارة"
    department_head()
        en "department head"
        ar "رئيس إدارة"
    executive()
        en "executive"
        ar "الإدارة التنفيذية"
    finance()
        en "finance"
        ar "الشؤون المالية"
    legal()
        en "legal"
        ar "الشؤون القانونية"
    legal_or_finance()
        en "legal or finance"
        ar "الشؤون القانونية أو المالية"
    manager()
        en "manager"
        ar "مدير"
    no_title()
        en "no title"
        ar "بلا صفة"
    two_of_the_executives_or_the_board()
        en "two of the executives or the board"
        ar "اثنان من الإدارة التنفيذية أو مجلس الإدارة"
}
