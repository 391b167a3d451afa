use super::*;

/// Checks the refusal of a judge that cannot be one.
#[track_caller]
fn check(judge: &str, expected: &str) {
    let settings = |judge| JudgeSettings {
        judge: Some(judge),
        model: Some("m".to_owned()),
        masking: JudgeMasking::Masked,
        file: None,
        replies: PathBuf::new(),
    };
    let choice = JudgeChoice::required(judge).map_err(CliError::from);
    let told = match choice.and_then(|choice| settings(choice).open()) {
        Ok(_) => "opened".to_owned(),
        Err(CliError::Refused(refused)) => {
            refused.refused.iter().map(|fault| fault.message.english()).collect()
        }
        Err(error) => error.to_string(),
    };
    assert_eq!(told, expected);
}

#[test]
fn a_judge_that_is_no_address_is_told_and_an_address_is_not() {
    check("slow", "expected `fast`, `deep`, `auto` or an address, found `slow`");
    for judge in ["ftp://user:secret@host/v1", "user:secret@host", "host/v1?key=secret"] {
        check(judge, "expected `fast`, `deep`, `auto` or an address, found something else");
    }
    for judge in ["https://user:secret@host/v1", "https://host/v1?key=secret"] {
        check(
            judge,
            "expected `fast`, `deep`, `auto` or an `http` or `https` address without user, query \
             and fragment, found another address",
        );
    }
    check("https://host/v1", "opened");
}
