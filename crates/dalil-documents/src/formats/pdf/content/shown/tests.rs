use hayro_syntax::object::{Array, FromBytes as _, Object};

use super::{ShownParts, TextOperand};

/// What the parser makes of an array, for comparison.
fn parsed(array: &str) -> Vec<String> {
    let array = Array::from_bytes(array.as_bytes()).unwrap_or_default();
    let parts = array.iter::<Object<'_>>().map(|part| match part {
        Object::Number(number) => format!("{:?}", number.as_f64()),
        Object::String(codes) => format!("{:?}", codes.as_bytes()),
        _ => "other".to_owned(),
    });
    parts.collect()
}

fn read(array: &str) -> Option<Vec<String>> {
    let mut parts = ShownParts::default();
    parts.read(array.as_bytes().get(1..array.len() - 1)?)?;
    let texts = parts.iter().map(|part| match part {
        TextOperand::Number(number) => format!("{number:?}"),
        TextOperand::Codes(codes) => format!("{codes:?}"),
    });
    Some(texts.collect())
}

#[test]
fn arrays_are_read_as_the_parser_reads_them() {
    for array in [
        "[]",
        "[(A)-266.81018(B) 25 .5 -7. 0.000000000001\n(C)]",
        r"[(\000\003\053\1018\0)-6.924637(a\(b\)\\(c(d))e\n\r\t\b\f\q)()]",
        "[<0102aB>0<1>12<>-9<0a0>]",
        "[123456789012345678 -0.12345678901234567]",
        "[(]) 1 (>)<3c3E>]",
    ] {
        assert_eq!(read(array), Some(parsed(array)), "{array}");
    }
}

#[test]
fn unusual_arrays_are_left_to_the_parser() {
    for array in [
        "[1 0 R]",
        "[/Name]",
        "[(a) % note\n(b)]",
        "[[(a)]]",
        "[<</A 1>>]",
        "[<01 02>]",
        "[(a\nb)]",
        r"[(\777)]",
        "[+5]",
        "[--5]",
        "[.]",
        "[1234567890123456789]",
        "[5a]",
        "[(a]",
        "[<0]",
    ] {
        assert_eq!(read(array), None, "{array}");
    }
}
