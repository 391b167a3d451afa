use super::{PageQuotation, QuotedArea, QuotedPage};

#[test]
fn a_question_is_read_as_it_was_written() {
    let words = "one\n two\u{a0}three".to_owned();
    let wanted = PageQuotation { page: 7, words, differing: "two\n".to_owned() };
    assert_eq!(wanted.to_bytes(), "7\ntwo\none two three".as_bytes());
    let read = PageQuotation::from_bytes(&wanted.to_bytes()).unwrap();
    assert_eq!(
        (read.page, read.words.as_str(), read.differing.as_str()),
        (7, "one two three", "two")
    );
    for other in ["", "7", "7\ntwo", "seven\ntwo\none", "-1\n\n"] {
        assert_eq!(PageQuotation::from_bytes(other.as_bytes()), None, "{other:?}");
    }
}

#[test]
fn an_answer_is_read_as_it_was_written() {
    let area = |edges, differs| QuotedArea { edges, differs };
    let page = QuotedPage {
        page: 2,
        pages: 3,
        width: 595.3,
        height: 841.9,
        areas: vec![
            area([71.0, 100.5, 200.1, 112.0], false),
            area([80.0, 100.5, 90.0, 112.0], true),
        ],
        title: "Leave\npolicy".to_owned(),
    };
    let text = "2 3 595.3 841.9\nLeave policy\n71 100.5 200.1 112 q\n80 100.5 90 112 d\n";
    assert_eq!(String::from_utf8(page.to_bytes()).unwrap(), text);
    let read = QuotedPage::from_bytes(text.as_bytes()).unwrap();
    assert_eq!(read, QuotedPage { title: "Leave policy".to_owned(), ..page });
}

/// The process that answers may be controlled by the file that it reads.
#[test]
fn an_answer_that_no_page_can_give_is_refused() {
    let many = format!("1 1 595 842\n\n{}", "1 1 2 2 q\n".repeat(201));
    let title = format!("1 1 595 842\n{}\n", "a".repeat(201));
    let answers = [
        "",
        "1 1 595 842",
        "0 1 595 842\n\n",
        "2 1 595 842\n\n",
        "1 1 595 842 9\n\n",
        "1 1 NaN 842\n\n",
        "1 1 595 inf\n\n",
        "1 1 595 15000\n\n",
        "1 1 595 842\n\n1 1 2 2\n",
        "1 1 595 842\n\n1 1 2 2 x\n",
        "1 1 595 842\n\n1 1 2 2 q q\n",
        "1 1 595 842\n\n2 1 1 2 q\n",
        "1 1 595 842\n\n-1 1 2 2 q\n",
        "1 1 595 842\n\n1 1 596 2 q\n",
        "1 1 595 842\n\n1 NaN 2 2 q\n",
        "1 1 595 842\n\n1 1 2 inf q\n",
        many.as_str(),
        title.as_str(),
    ];
    for answer in answers {
        assert_eq!(QuotedPage::from_bytes(answer.as_bytes()), None, "{answer:?}");
    }
    assert_eq!(QuotedPage::from_bytes(b"1 1 595 842\n\xff\n"), None);
}
