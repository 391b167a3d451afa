use super::names;

#[test]
fn a_title_names_another_whole() {
    for (own, other, expected) in [
        ("amendment 1 to services agreement 31", "services agreement 31", true),
        ("amendment 1 to services agreement 31", "services agreement 3", false),
        ("services agreement 31, as amended", "services agreement 31", false),
        ("amendment to the agreement", "agreement", false),
        ("amendment 2 to amendment 1", "amendment 1", false),
        ("الملحق الأول لعقد الصيانة", "عقد الصيانة", true),
    ] {
        assert_eq!(names(own, other), expected, "{own} | {other}");
    }
}
