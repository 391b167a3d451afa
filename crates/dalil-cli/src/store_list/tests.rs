use super::{ListColumns, StoreList};

#[test]
fn lines_stand_in_columns_and_end_at_the_edge() {
    let table = ListColumns {
        heading: ["session", "question"],
        cells: |one: &(&str, &str)| [one.0.to_owned(), one.1.to_owned()],
    };
    let items = vec![
        ("ses_1", "How much leave?"),
        ("ses_leave", "كم مدة الإجازة السنوية؟"),
        ("ses_2", "So?\nses_3  And then?"),
    ];
    let shown = StoreList { items, table, columns: 24 }.to_string();
    assert_eq!(
        shown,
        "session    question\nses_1      How much lea…\nses_leave  كم مدة الإجا…\nses_2      So? ses_3 An…\n"
    );
}
