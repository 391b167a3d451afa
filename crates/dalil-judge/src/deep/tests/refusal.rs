//! Refusals of files that are no base, adapter or model, with what was expected instead.

use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;
use crate::deep::gguf::GgufFile;

/// Makes a base other than it should be, with an adapter that names it, and imports it.
#[track_caller]
fn check_base(spoil: impl FnOnce(&mut SampleGguf), expected: &str) {
    let mut base = SampleGguf::new();
    spoil(&mut base);
    let base = base.bytes();
    let adapter = DeepAdapter::parse(&SampleAdapter::of(&base).bytes()).unwrap();
    let made = import(&base, &adapter, &mut Vec::new(), &|_, _| ());
    assert_eq!(made.unwrap_err().to_string(), expected);
}

#[test]
fn a_base_that_is_another_model_is_refused() {
    check_base(|base| base.version = 2, "base: expected GGUF version 3, found 2");
    check_base(
        |base| base.texts[0].1 = "llama",
        "`general.architecture`: expected `qwen2`, found `llama`",
    );
    check_base(
        |base| base.texts[2].1 = "qwen3",
        "`tokenizer.ggml.pre`: expected `qwen2`, found `qwen3`",
    );
    check_base(|base| base.floats[0].1 = 1e4, "rotary base: expected 1000000, found 10000");
    check_base(|base| base.floats[1].1 = 1e-5, "epsilon: expected 0.000001, found 0.00001");
    check_base(
        |base| base.numbers[0].1 = 3,
        "adapter: expected 3 layers, rows of 256, found 2 layers",
    );
    check_base(|base| base.numbers[0].1 = 0, "`qwen2.block_count`: expected 1 to 128, found 0");
    check_base(
        |base| base.tensors.retain(|tensor| tensor.name != "output_norm.weight"),
        "`output_norm.weight`: expected a tensor of [256], found none",
    );
    check_base(
        |base| {
            *base =
                base.clone().spoil("blk.1.ffn_up.weight", |tensor| tensor.sides = vec![512, 256]);
        },
        "`blk.1.ffn_up.weight`: expected [512, 256], found [256, 512]",
    );
    check_base(
        |base| *base = base.clone().spoil("blk.0.attn_q.weight", |tensor| tensor.kind = 2),
        "`blk.0.attn_q.weight`: expected F32, F16, Q4_K or Q6_K, found kind 2",
    );
    check_base(
        |base| {
            *base = base.clone().spoil("blk.0.attn_q.weight", |tensor| tensor.sides = vec![1; 5]);
        },
        "`blk.0.attn_q.weight`: expected at most 4 sides, found 5",
    );
    check_base(
        |base| base.tensors[3].name = base.tensors[4].name.clone(),
        "`blk.0.attn_q.bias`: expected one tensor of a name, found two",
    );
}

#[test]
fn a_base_with_another_digest_is_refused() {
    let base = SampleGguf::new().bytes();
    let adapter = DeepAdapter::parse(&SampleAdapter::of(&base).bytes()).unwrap();
    let mut other = base.clone();
    *other.last_mut().unwrap() ^= 1;
    let made = import(&other, &adapter, &mut Vec::new(), &|_, _| ());
    assert_eq!(
        made.unwrap_err().to_string(),
        format!(
            "base: expected the file with digest {}, found {}",
            Digest::of(&base),
            Digest::of(&other)
        ),
    );
}

#[test]
fn a_writer_that_fails_is_told() {
    let base = SampleGguf::new().bytes();
    let adapter = DeepAdapter::parse(&SampleAdapter::of(&base).bytes()).unwrap();
    let mut room = [0; 1000];
    let made = import(&base, &adapter, &mut room.as_mut_slice(), &|_, _| ());
    assert!(made.unwrap_err().to_string().starts_with("expected to write the model, found"));
}

#[test]
fn a_base_that_is_cut_anywhere_is_no_gguf() {
    let base = SampleGguf::new().bytes();
    let tensors = base.len() - 1;
    for length in (0..6000).chain([tensors, tensors / 2, tensors / 3]) {
        assert!(GgufFile::parse(&base[..length]).is_err(), "{length} bytes");
    }
}

static BASE: LazyLock<Vec<u8>> = LazyLock::new(|| SampleGguf::new().bytes());

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn no_bytes_bring_the_reader_of_a_base_down(place in 0_usize..9000, byte: u8, more: u8) {
        let mut base = BASE.clone();
        base[place] = byte;
        base[place + 7] = more;
        drop(GgufFile::parse(&base));
    }
}

#[track_caller]
fn check_adapter(spoil: impl FnOnce(SampleAdapter) -> SampleAdapter, expected: &str) {
    let base = SampleGguf::new().bytes();
    let made = DeepAdapter::parse(&spoil(SampleAdapter::of(&base)).bytes());
    let message = match made {
        Ok(adapter) => match import(&base, &adapter, &mut Vec::new(), &|_, _| ()) {
            Ok(_) => "imported".to_owned(),
            Err(failure) => failure.to_string(),
        },
        Err(damaged) => damaged.to_string(),
    };
    assert_eq!(message, expected);
}

#[test]
fn an_adapter_that_is_none_is_refused() {
    check_adapter(|adapter| adapter, "imported");
    check_adapter(
        |adapter| adapter.metadata("format", "dalil-deep-adapter/2"),
        "`format`: expected `dalil-deep-adapter/1`, found `dalil-deep-adapter/2`",
    );
    check_adapter(
        |adapter| adapter.metadata("template", "1"),
        "`template`: expected `2`, found `1`",
    );
    check_adapter(|adapter| adapter.metadata("rank", "0"), "`rank`: expected 1 to 256, found `0`");
    check_adapter(
        |adapter| adapter.metadata("rank", "5"),
        "`layer.0.query.a`: expected I8 [5, 256], found I8 [4, 256]",
    );
    check_adapter(
        |adapter| adapter.metadata("base", "x"),
        "header: expected `sha256:` and 64 lower-case hex digits, found `x`",
    );
    check_adapter(
        |adapter| adapter.without("layer.1.up.b"),
        "`layer.1.up.b`: expected I8 [1, 4], found none",
    );
    check_adapter(
        |adapter| adapter.without("head.weight"),
        "`head.weight`: expected 3 to 8 rows, found []",
    );
    check_adapter(
        |mut adapter| {
            adapter
                .tensors
                .iter_mut()
                .filter(|tensor| tensor.0.starts_with("layer.1"))
                .for_each(|tensor| tensor.0 = tensor.0.replace("layer.1", "layer.2"));
            adapter
        },
        "weights: expected no other tensor, found `layer.2.attention.a`",
    );
}

#[test]
fn a_file_that_was_cut_is_refused() {
    let file = file();
    let lengths = (0..200).chain([1000, 5000, file.len() / 2, file.len() - 33, file.len() - 1]);
    for length in lengths {
        assert!(DeepModel::read(aligned(&file[..length])).is_err(), "{length} bytes");
    }
    let longer = [file.as_slice(), &[0]].concat();
    assert!(DeepModel::read(aligned(&longer)).is_err());
}

#[test]
fn a_file_with_a_changed_byte_is_refused() {
    let mut file = file();
    for place in (0..file.len()).step_by(file.len() / 60).chain([file.len() - 1]) {
        file[place] ^= 4;
        let message = DeepModel::read(aligned(&file)).unwrap_err().to_string();
        assert!(message.contains("it was cut or changed"), "byte {place}: {message}");
        file[place] ^= 4;
    }
    DeepModel::read(aligned(&file)).unwrap();
}

/// Changes a part of the header to one of the same length, and the digest with it.
#[track_caller]
fn check_file(part: &str, other: &str, expected: &str) {
    let mut file = file();
    assert_eq!(part.len(), other.len());
    let place = file.windows(part.len()).position(|window| window == part.as_bytes()).unwrap();
    file[place..place + part.len()].copy_from_slice(other.as_bytes());
    let end = file.len() - 32;
    let digest = Digest::of(&file[..end]);
    file[end..].copy_from_slice(digest.as_bytes());
    assert_eq!(DeepModel::read(aligned(&file)).unwrap_err().to_string(), expected);
}

#[test]
fn a_file_that_says_something_else_is_refused() {
    check_file(
        "dalil-deep/1",
        "dalil-deep/2",
        "`format`: expected `dalil-deep/1`, found `dalil-deep/2`",
    );
    check_file(r#""template":"2""#, r#""template":"3""#, "`template`: expected `2`, found `3`");
    check_file(
        r#""layers":"2""#,
        r#""layers":"1""#,
        "weights: expected no other tensor, found `layer.1.attention.offset`",
    );
    check_file(
        r#""answers":"4""#,
        r#""answers":"5""#,
        "`head.weight`: expected F32 [5, 256], found F32 [4, 256]",
    );
    check_file(r#""answers":"4""#, r#""answers":"0""#, "`answers`: expected 1 to 8, found `0`");
}

#[test]
fn a_weight_of_minus_128_is_refused() {
    let mut file = file();
    let header = 8 + usize::try_from(u64::from_le_bytes(*file.first_chunk().unwrap())).unwrap();
    assert_eq!(header % 64, 0);
    file[header + 100] = 128;
    let end = file.len() - 32;
    let digest = Digest::of(&file[..end]);
    file[end..].copy_from_slice(digest.as_bytes());
    assert_eq!(
        DeepModel::read(aligned(&file)).unwrap_err().to_string(),
        "`layer.0.mix`: expected weights from -127 to 127, found -128",
    );
}
