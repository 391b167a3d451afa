use super::without_markup;

#[test]
fn signs_of_markdown_are_left_out_and_words_stay() {
    assert_eq!(
        without_markup("# 1 Term\n<!-- page 9 -->\n- **Two** weeks\n#9 is no heading\n2 * 3"),
        "1 Term\n• Two weeks\n#9 is no heading\n2 * 3"
    );
}
