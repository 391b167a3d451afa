use super::*;

#[test]
fn scopes_are_written_as_they_are_read_and_cover_what_they_say() {
    let covered = |text: &str| {
        let scope: RecordScope = text.parse().unwrap();
        assert_eq!(scope.to_string(), text);
        let records = [
            (RecordKind::PackSealed, "pack-1"),
            (RecordKind::PackSealed, "a:b"),
            (RecordKind::ToolIntended, "pack-1"),
        ];
        records.map(|(kind, subject)| scope.covers(kind, subject))
    };
    assert_eq!(covered("all"), [true, true, true]);
    assert_eq!(covered("kind:pack.sealed"), [true, true, false]);
    assert_eq!(covered("subject:pack-1"), [true, false, true]);
    assert_eq!(covered("subject:a:b"), [false, true, false]);
    for wrong in ["", "All", "kind:", "kind:pack", "subject:", "subject: x", "other:x"] {
        assert_eq!(wrong.parse::<RecordScope>(), Err(NotAScope), "{wrong}");
    }
}

#[test]
fn a_hold_has_one_spelling() {
    let text = br#"{"hold_id":"hold-1","reason":"dispute","scope":"all"}"#;
    let hold = Hold::parse(text).unwrap();
    assert_eq!(hold.bytes().unwrap(), text);
    let refused = |text: &str| Hold::parse(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(
        refused(r#"{"reason":"dispute","hold_id":"hold-1","scope":"all"}"#),
        "`$`: expected canonical JSON, found another spelling"
    );
    assert_eq!(
        refused(r#"{"hold_id":" x","reason":" ","scope":"some"}"#),
        "`hold_id`: expected 1 to 200 characters without controls or outer spaces, found ` x`\n\
         `reason`: expected some text, found ` `\n\
         `scope`: expected `all`, `kind:` and a kind of record, or `subject:` and an id, found `some`"
    );
    let blank = Hold { reason: String::new(), ..hold };
    assert_eq!(blank.bytes().unwrap_err().to_string(), "`reason`: expected some text, found ``");
}

#[test]
fn a_hold_is_placed_once_and_lifted_once() {
    let hold = Hold { hold_id: "h".to_owned(), reason: "r".to_owned(), scope: RecordScope::All };
    let mut holds = HoldSet::default();
    holds.place(hold.clone()).unwrap();
    let twice = holds.place(hold.clone()).unwrap_err();
    assert_eq!(twice.to_string(), "expected the id of a hold that is not in place, found `h`");
    assert_eq!(holds.lift("h"), Ok(hold));
    let unknown = holds.lift("h").unwrap_err();
    assert_eq!(unknown.to_string(), "expected the id of a hold that is in place, found `h`");
    assert_eq!(holds.iter().count(), 0);
}

#[test]
fn a_hold_that_was_widened_covers_more_until_it_is_lifted() {
    let hold = |hold_id: &str, subject: &str| Hold {
        hold_id: hold_id.to_owned(),
        reason: "lawsuit".to_owned(),
        scope: RecordScope::Subject(subject.to_owned()),
    };
    let subjects = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let covering = |holds: &HoldSet| {
        ["pack-2", "pack-1", "dec-1", "doc-1", "doc-2"].map(|subject| {
            let found = holds.covering(RecordKind::PackSealed, subject);
            found.map(|hold| hold.hold_id.as_str()).collect::<String>()
        })
    };
    let mut holds = HoldSet::default();
    holds.place(hold("a", "pack-2")).unwrap();
    holds.place(hold("b", "dec-1")).unwrap();
    holds.widen("a", subjects(&["pack-1", "dec-1"]));
    holds.widen("a", subjects(&["doc-1"]));
    // A hold that is not in place covers nothing.
    holds.widen("c", subjects(&["doc-2"]));
    assert_eq!(covering(&holds), ["a", "a", "ab", "a", ""]);
    holds.lift("a").unwrap();
    assert_eq!(covering(&holds), ["", "", "b", "", ""]);
    // Placed anew, it covers its own scope and nothing of before.
    holds.place(hold("a", "pack-2")).unwrap();
    holds.place(hold("c", "pack-9")).unwrap();
    assert_eq!(covering(&holds), ["a", "", "b", "", ""]);
}
