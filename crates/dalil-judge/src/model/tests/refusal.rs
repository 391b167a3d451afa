//! Files that are no model, and the errors about them.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::sample::{Sample, VOCABULARY};
use crate::model::FastModel;

#[track_caller]
fn check(weights: &[u8], vocabulary: &str, expected: &Expect) {
    let said = match FastModel::parse(weights, vocabulary) {
        Ok(_) => "a model".to_owned(),
        Err(damaged) => damaged.to_string(),
    };
    expected.assert_eq(&said);
}

#[track_caller]
fn check_sample(sample: &Sample, expected: &Expect) {
    check(&sample.bytes(), VOCABULARY, expected);
}

#[track_caller]
fn check_header(change: impl FnOnce(String) -> String, expected: &Expect) {
    let sample = Sample::new();
    check(&sample.with_header(&change(sample.header())), VOCABULARY, expected);
}

#[test]
fn the_sample_is_a_model() {
    check_sample(&Sample::new(), &expect!["a model"]);
}

#[test]
fn bytes_without_a_header_are_refused() {
    check(
        b"",
        VOCABULARY,
        &expect!["weights: expected a header and its length in 8 bytes, found 0 bytes"],
    );
    check(
        b"1234567",
        VOCABULARY,
        &expect!["weights: expected a header and its length in 8 bytes, found 7 bytes"],
    );
    check(
        &[255; 64],
        VOCABULARY,
        &expect!["weights: expected a header of at most 1048576 bytes, found 18446744073709551615"],
    );
    check(
        &[9, 0, 0, 0, 0, 0, 0, 0, b'{', b'}'],
        VOCABULARY,
        &expect!["weights: expected a header and its length in 8 bytes, found 10 bytes"],
    );
    check(
        &[2, 0, 0, 0, 0, 0, 0, 0, b'[', b']'],
        VOCABULARY,
        &expect!["header: expected a JSON object, found an array"],
    );
    check(
        &[1, 0, 0, 0, 0, 0, 0, 0, b'{'],
        VOCABULARY,
        &expect![
            "header: expected a JSON object, found a fault at `$`: expected one JSON value, found the end of the text at line 1 column 1"
        ],
    );
}

#[test]
fn a_file_that_is_cut_or_continued_is_refused() {
    let bytes = Sample::new().bytes();
    check(
        &bytes[..bytes.len() - 1],
        VOCABULARY,
        &expect!["`head.bias`: expected bytes of the file, found 125744..125760 of 125759 bytes"],
    );
    check(
        &[bytes, vec![0]].concat(),
        VOCABULARY,
        &expect!["weights: expected 125760 bytes after the header, found 125761"],
    );
}

#[test]
fn metadata_says_what_a_model_is() {
    check_sample(
        &Sample::new().metadata("format", "dalil-judge/1"),
        &expect!["`format`: expected `dalil-judge/2`, found `dalil-judge/1`"],
    );
    check_sample(
        &Sample::new().without_metadata("format"),
        &expect!["header: expected `format` in `__metadata__`, found none"],
    );
    check_sample(
        &Sample::new().metadata("hidden", "96"),
        &expect!["`hidden`: expected 32 for each of 2 heads, found 96"],
    );
    check_sample(
        &Sample::new().metadata("hidden", "0"),
        &expect!["`hidden`: expected 1 to 4096, found `0`"],
    );
    check_sample(
        &Sample::new().metadata("heads", "-2"),
        &expect!["`heads`: expected 1 to 4096, found `-2`"],
    );
    check_sample(
        &Sample::new().metadata("layers", "99999999999999999999"),
        &expect!["`layers`: expected 1 to 4096, found `99999999999999999999`"],
    );
    check_sample(
        &Sample::new().metadata("layers", "+2"),
        &expect!["`layers`: expected 1 to 4096, found `+2`"],
    );
    check_sample(
        &Sample::new().metadata("layers", "3"),
        &expect!["`layer.2.query.weight`: expected I8 [64, 64], found none"],
    );
    check_sample(
        &Sample::new().metadata("layers", "1"),
        &expect!["weights: expected no other tensor, found `layer.1.attention.bias`"],
    );
    check_header(
        |header| header.replace(r#""seed": "1""#, r#""seed": 1"#),
        &expect!["`seed`: expected a string, found `1`"],
    );
    check_header(
        |header| header.replace(r#""seed": "1""#, r#""seed": "1", "seed": "2""#),
        &expect![
            "header: expected a JSON object, found a fault at `__metadata__.seed`: expected each key once, found it again"
        ],
    );
}

#[test]
fn a_tensor_has_its_shape_and_numbers() {
    check_sample(
        &Sample::new().without("layer.1.up.scale"),
        &expect!["`layer.1.up.scale`: expected F32 [256], found none"],
    );
    check_sample(
        &Sample::new().without("embeddings.position"),
        &expect!["`embeddings.position`: expected from 4 to 4096 rows, found 0"],
    );
    let turned = Sample::new().spoil("layer.0.up.weight", |tensor| tensor.shape = vec![64, 256]);
    check_sample(
        &turned,
        &expect!["`layer.0.up.weight`: expected I8 [256, 64], found I8 [64, 256]"],
    );
    let floats = Sample::new().spoil("layer.0.up.weight", |tensor| {
        (tensor.numbers, tensor.shape) = ("F32", vec![64, 64]);
    });
    check_sample(
        &floats,
        &expect!["`layer.0.up.weight`: expected I8 [256, 64], found F32 [64, 64]"],
    );
    let halves = Sample::new().spoil("head.bias", |tensor| tensor.numbers = "F16");
    check_sample(&halves, &expect!["`head.bias`: expected `dtype` I8 or F32, found `F16`"]);
    let more =
        Sample::new().spoil("head.bias", |tensor| tensor.name = "head\u{202e}.bias".to_owned());
    check_sample(&more, &expect!["`head.bias`: expected F32 [4], found none"]);
    let other = Sample::new().spoil("embeddings.type", |tensor| {
        tensor.shape = vec![usize::MAX >> 12, 1 << 40];
    });
    check_sample(
        &other,
        &expect![
            "`embeddings.type`: expected bytes for F32 [4503599627370495, 1099511627776], found 512 bytes"
        ],
    );
}

#[test]
fn numbers_are_finite_and_opposites_exist() {
    let spoilt = Sample::new().spoil("layer.0.key.scale", |tensor| {
        tensor.bytes[..4].copy_from_slice(&f32::NAN.to_le_bytes());
    });
    check_sample(&spoilt, &expect!["`layer.0.key.scale`: expected finite numbers, found NaN"]);
    let spoilt = Sample::new().spoil("head.weight", |tensor| {
        tensor.bytes[..4].copy_from_slice(&f32::INFINITY.to_le_bytes());
    });
    check_sample(&spoilt, &expect!["`head.weight`: expected finite numbers, found inf"]);
    let spoilt = Sample::new().spoil("layer.1.down.weight", |tensor| tensor.bytes[5] = 128);
    check_sample(
        &spoilt,
        &expect!["`layer.1.down`: expected weights from -127 to 127, found -128"],
    );
}

#[test]
fn no_byte_belongs_to_two_tensors_or_to_none() {
    let first = r#""data_offsets":[0,768]"#;
    check_header(
        |header| header.replace(first, r#""data_offsets":[768,0]"#),
        &expect!["`embeddings.word`: expected bytes of the file, found 768..0 of 125760 bytes"],
    );
    check_header(
        |header| header.replace(first, r#""data_offsets":[1,769]"#),
        &expect!["`embeddings.word`: expected bytes from 0 on, found from 1"],
    );
    check_header(
        |header| header.replace(first, r#""data_offsets":[0,1e15]"#),
        &expect![
            "`embeddings.word`: expected bytes of the file, found 0..1000000000000000 of 125760 bytes"
        ],
    );
    check_header(
        |header| header.replace(first, r#""data_offsets":[0]"#),
        &expect!["`embeddings.word`: expected `data_offsets`, start and end, found none"],
    );
    check_header(
        |header| header.replace(first, r#""data_offsets":[-1,768]"#),
        &expect!["`embeddings.word`: expected `data_offsets`, start and end, found none"],
    );
    check_header(
        |header| header.replace(first, r#""data_offsets":[0.5,768]"#),
        &expect!["`embeddings.word`: expected `data_offsets`, start and end, found none"],
    );
    check_header(
        |header| header.replacen(r#""shape":[12, 64]"#, r#""shape":12"#, 1),
        &expect!["`embeddings.word`: expected `shape`, a list of sizes, found none"],
    );
    check_header(
        |header| header.replacen("head.weight", "head.bias", 1),
        &expect![
            "header: expected a JSON object, found a fault at `[`head.bias`]`: expected each key once, found it again"
        ],
    );
}

#[test]
fn a_vocabulary_has_its_marks_and_each_piece_once() {
    let weights = Sample::new().bytes();
    check(
        &weights,
        "",
        &expect!["vocabulary: expected a different piece on each line, found `` again on line 1"],
    );
    check(
        &weights,
        &VOCABULARY.replace("[SEP]", "[sep]"),
        &expect!["vocabulary: expected a line `[SEP]`, found none"],
    );
    check(
        &weights,
        &VOCABULARY.replace("15", "day"),
        &expect![
            "vocabulary: expected a different piece on each line, found `day` again on line 9"
        ],
    );
    check(
        &weights,
        &VOCABULARY.replace("15", ""),
        &expect!["vocabulary: expected a different piece on each line, found `` again on line 8"],
    );
    check(
        &weights,
        &VOCABULARY.replace("15\n", ""),
        &expect!["`embeddings.word`: expected I8 [11, 64], found I8 [12, 64]"],
    );
}

proptest! {
    #[test]
    fn any_bytes_are_refused_or_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = FastModel::parse(&bytes, VOCABULARY).is_ok();
    }

    #[test]
    fn a_changed_header_is_refused_or_read(place in 0_usize..4000, byte: u8) {
        let mut bytes = Sample::new().bytes();
        bytes[place] = byte;
        let _ = FastModel::parse(&bytes, VOCABULARY).is_ok();
    }
}
