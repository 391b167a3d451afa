use super::*;

#[test]
fn a_text_of_a_page_has_the_same_parts_in_every_language() {
    let parts = |text: &'static str| {
        let mut parts: Vec<&str> =
            text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)).collect();
        parts.sort_unstable();
        parts
    };
    for (name, english, arabic) in PageTexts::PAIRS {
        assert_eq!(parts(english), parts(arabic), "{name}");
    }
}
