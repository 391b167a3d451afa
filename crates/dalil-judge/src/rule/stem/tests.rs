use super::key;
use crate::rule::word::words;

/// Words of which all have one key.
fn meet(text: &str) {
    let keys: Vec<Option<String>> = words(text).iter().map(key).collect();
    assert!(keys.iter().all(|key| key.is_some() && *key == keys[0]), "{text}: {keys:?}");
}

#[test]
fn forms_of_a_word_meet() {
    meet("submit submits submitted submitting");
    meet("carry carried carryover");
    meet("approve approval approved");
    meet("إجازة الإجازات إجازاتهم والإجازة بالإجازة");
    meet("طلب الطلبات طلبه");
    meet("موظف الموظفون للموظفين");
    meet("وثيقة الوثيقة والوثيقة");
}

#[test]
fn small_words_have_no_key() {
    for word in words("the of must not days على التي يجب 15 ,") {
        assert_eq!(key(&word), None, "{word:?}");
    }
}

#[test]
fn an_opposite_shares_its_key_with_another_sign() {
    let signed = |text: &str| {
        let key = key(&words(text)[0]).unwrap();
        let (root, positive) = super::signed(&key);
        (root.to_owned(), positive)
    };
    for (word, opposite) in
        [("paid", "unpaid"), ("increase", "fall"), ("ارتفع", "انخفض"), ("فائض", "عجز")]
    {
        let ((a, plain), (b, other)) = (signed(word), signed(opposite));
        assert_eq!((a, plain, other), (b, true, false), "{word} {opposite}");
    }
}
