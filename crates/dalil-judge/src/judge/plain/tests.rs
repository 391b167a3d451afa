use super::plain;

#[test]
fn marks_go_and_words_stay() {
    for (marked, expected) in [
        ("plain words", "plain words"),
        ("", ""),
        ("**bold** and *leaning* and `code`", "bold and leaning and code"),
        ("see [the policy](http://a.b/c) now", "see the policy now"),
        ("a [broken](link and more", "a broken(link and more"),
        ("### 3.1 Entitlement", "3.1 Entitlement"),
        ("> quoted", "quoted"),
        ("- item one", "item one"),
        ("> - # deep", "deep"),
        ("-5 degrees", "-5 degrees"),
        ("| a | b |", "a , b ,"),
        ("snake_case stays and _leaning_ goes", "snake_case stays and leaning goes"),
        ("before <!-- page 3 --> after", "before  after"),
        ("an open <!-- comment", "an open "),
        ("5 < 6", "5 < 6"),
        ("**١٥ يوماً**", "١٥ يوماً"),
    ] {
        assert_eq!(plain(marked), expected, "{marked}");
    }
}
