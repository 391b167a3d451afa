use std::borrow::Cow;
use std::fs;
use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dalil_evidence::archive::ArchiveFiles;
use dalil_phrasebook::Language;
use dalil_proof::digest::Digest;
use dalil_proof::report::{CheckStatus, VerificationReport};
use dalil_render::zip;
use expect_test::{Expect, expect};

use super::{VerifyScope, VerifyTools, file, unverified_origin};
use crate::sandbox::{SandboxLimits, SandboxReader};

mod sample;
mod scope;

use sample::{DOCUMENT, Sample, SampleChange, time, trust};

fn reader() -> SandboxReader {
    SandboxReader::new(PathBuf::from("/nonexistent/dalil"), SandboxLimits::usual())
}

fn verify(bytes: &[u8]) -> VerificationReport {
    let tools =
        VerifyTools { reader: &reader(), models: None, threads: 1, scope: VerifyScope::WHOLE };
    file(bytes, &trust(), time("2026-02-01T00:00:00Z"), &tools)
}

fn zipped(files: &ArchiveFiles<'_>) -> Vec<u8> {
    zip::write(files).unwrap()
}

/// The findings that do not pass.
#[track_caller]
fn check(files: &ArchiveFiles<'_>, expected: &Expect) {
    let report = verify(&zipped(files));
    let bad = report.findings.iter().filter(|finding| finding.verdict != CheckStatus::Pass);
    let lines = bad.map(|one| format!("{} {}: {}\n", one.verdict, one.part, one.message.english()));
    expected.assert_eq(&lines.collect::<String>());
}

/// Writes the bag anew, like an attacker who changes a file in it.
fn rebag(files: &mut ArchiveFiles<'_>) {
    let lines = |files: &ArchiveFiles<'_>, payload: bool| -> String {
        let covers =
            |name: &str| name.starts_with("data/") == payload && name != "tagmanifest-sha256.txt";
        let listed = files.iter().filter(|(name, _)| covers(name));
        listed.map(|(name, bytes)| format!("{}  {name}\n", Digest::of(bytes).hex())).collect()
    };
    let payload = files.iter().filter(|(name, _)| name.starts_with("data/"));
    let (bytes, count) = payload.fold((0, 0), |(sum, n), (_, file)| (sum + file.len(), n + 1));
    let info = format!(
        "Bagging-Date: 2026-01-03\nExternal-Identifier: pack_00000000000000b2\n\
         Payload-Oxum: {bytes}.{count}\n"
    );
    put(files, "bag-info.txt", info.into_bytes());
    let manifest = lines(files, true);
    put(files, "manifest-sha256.txt", manifest.into_bytes());
    let tags = lines(files, false);
    put(files, "tagmanifest-sha256.txt", tags.into_bytes());
}

fn put(files: &mut ArchiveFiles<'_>, name: &str, bytes: Vec<u8>) {
    files.insert(name.to_owned(), Cow::Owned(bytes));
}

#[test]
fn a_whole_archive_passes_and_everything_that_was_looked_at_is_said() {
    let bytes = zipped(&Sample::new().files());
    expect![[r#"
        PASS
        PASS       format: an archive of 21 files
        PASS       bag: a bag that says what is in it
        PASS       manifest: `manifest-sha256.txt` lists 17 files with their digests
        PASS       manifest: `tagmanifest-sha256.txt` lists 3 files with their digests
        PASS       format: a pack
        PASS       rules: every rule of a pack holds
        PASS       computed: every computed field is what follows from the rest
        PASS       canonical: the bytes are canonical JSON
        PASS       time: made at 2026-01-03T13:00:00.000Z
        PASS       signature: signed by `dalil.example/tenant-1+c039b92c`
        PASS       pack key: `dalil.example/tenant-1` is in use
        PASS       record: `rec_0000000000000006`, `pack.sealed` of 2026-01-03T13:01:00.000Z
        PASS       checkpoint: of `dalil.example/tenant-1` at size 7
        PASS       inclusion: record 6 is under the root
        PASS       checkpoint signature: signed by `dalil.example/tenant-1`
        PASS       key status: `dalil.example/tenant-1` is in use
        PASS       commitment: the record commits to these bytes
        PASS       versions: 2, each after the one before, and each on record
        PASS       decision: `dec_1`, as it was recorded
        PASS       review: reviewed, the last by `hr_director`
        PASS       calls: 1, as they were recorded
        PASS       records: 7 records in their canonical form
        PASS       receipts: 7 records are under the root of the checkpoint
        PASS       lineage: 5 subjects, unbroken
        PASS       payloads: 7 PRESENT (0 in the lake), 0 ERASED, 0 WITHHELD, 0 MISSING, 0 ALTERED
        PASS       objects: 1 attached, each as its digest says
        PASS       checkpoint: every receipt is under the same one
        PASS       consistency: adds to the export of size 3 before it
        PASS       key history: 1 changes, as the records tell them
        PASS       report: says what was found when it was made
        PASS       excerpts: 1, each in the document that it is from
    "#]]
    .assert_eq(&verify(&bytes).to_string());
    let tools =
        VerifyTools { reader: &reader(), models: None, threads: 1, scope: VerifyScope::WHOLE };
    assert_eq!(unverified_origin(&bytes, &tools).as_deref(), Some("dalil.example/tenant-1"));
    assert_eq!(zipped(&Sample::new().files()), bytes);
}

#[test]
fn every_message_is_said_in_arabic_too() {
    let mut files = Sample::new().files();
    expect![[r#"
        صحيح
        صحيح       الصيغة: أرشيف من 21 ملفًا، كلها معروفة
        صحيح       الحقيبة: حقيبة تبيّن ما فيها
        صحيح       البيان: يذكر `manifest-sha256.txt` من الملفات 17 مع بصماتها
        صحيح       البيان: يذكر `tagmanifest-sha256.txt` من الملفات 3 مع بصماتها
        صحيح       الصيغة: حزمة
        صحيح       القواعد: كل قواعد الحزمة مستوفاة
        صحيح       المحسوب: كل حقل محسوب يوافق ما يترتب على غيره
        صحيح       الصيغة المعتمدة: البايتات بصيغة JSON المعتمدة
        صحيح       الوقت: حُررت في 2026-01-03T13:00:00.000Z
        صحيح       التوقيع: وقّعها `dalil.example/tenant-1+c039b92c`
        صحيح       مفتاح الحزمة: `dalil.example/tenant-1` قيد الاستعمال
        صحيح       القيد: `rec_0000000000000006`، من نوع `pack.sealed` بتاريخ 2026-01-03T13:01:00.000Z
        صحيح       نقطة التحقق: للمسار `dalil.example/tenant-1` عند الحجم 7
        صحيح       الشمول: القيد 6 مشمول بجذر الشجرة
        صحيح       توقيع نقطة التحقق: وقّعه `dalil.example/tenant-1`
        صحيح       حال المفتاح: `dalil.example/tenant-1` قيد الاستعمال
        صحيح       الالتزام: القيد ملتزم بهذه البايتات
        صحيح       الإصدارات: عددها 2، كل منها بعد سابقه، ولكل منها قيد
        صحيح       القرار: `dec_1`، كما قُيّد
        صحيح       المراجعة: تمت المراجعة، وآخر المراجعين `hr_director`
        صحيح       الاستدعاءات: عددها 1، كما قُيّدت
        صحيح       القيود: 7 من القيود بصيغتها المعتمدة
        صحيح       الإيصالات: 7 من القيود مشمولة بجذر نقطة التحقق
        صحيح       التسلسل: عدد الموضوعات 5، متصلة بلا انقطاع
        صحيح       المحتويات: 7 حاضر (0 منها في المخزن)، 0 ممحو، 0 محجوب، 0 مفقود، 0 محرّف
        صحيح       الأجسام: المرفق 1، كل منها كما تبيّن بصمته
        صحيح       نقطة التحقق: كل الإيصالات تحت نقطة تحقق واحدة
        صحيح       الاتساق: يزيد على المستخرج السابق بحجم 3
        صحيح       تاريخ المفاتيح: عدد التغييرات 1، كما ترويها القيود
        صحيح       التقرير: يقول ما وُجد عند إعداده
        صحيح       المقتطفات: عددها 1، كل منها في الوثيقة المأخوذ منها
    "#]].assert_eq(&verify(&zipped(&files)).localized(Language::Arabic).to_string());
    files.remove("data/keys.json");
    put(&mut files, "data/more.txt", Vec::new());
    for report in [verify(&zipped(&files)), verify(b"PK"), verify(b"hello"), verify(b"{}")] {
        for finding in report.findings {
            let arabic = finding.message.text(Language::Arabic);
            let is_arabic = arabic.contains(|ch| ('\u{600}'..='\u{6ff}').contains(&ch));
            assert!(is_arabic && !arabic.contains("expected"), "{arabic}");
        }
    }
}

#[test]
fn the_vectors_are_the_samples() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec/vectors/archive");
    for (name, change) in [
        ("archive", SampleChange::None),
        ("review-rejected", SampleChange::Rejected),
        ("ledger-other", SampleChange::LedgerOther),
        ("call-otherwise", SampleChange::CallOtherwise),
        ("call-unreported", SampleChange::CallUnreported),
        ("call-twice", SampleChange::CallTwice),
        ("call-agent-other", SampleChange::CallAgentOther),
    ] {
        let path = format!("{folder}/{name}.json");
        let mut json: serde_json::Value =
            serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let bytes = STANDARD.encode(zipped(&Sample::with(change).files()));
        if std::env::var_os("DALIL_BLESS").is_some() {
            json["input_base64"] = bytes.clone().into();
            let written = serde_json::to_string_pretty(&json).unwrap() + "\n";
            let file = fs::File::create(path);
            file.and_then(|mut file| std::io::Write::write_all(&mut file, written.as_bytes()))
                .unwrap();
        }
        assert_eq!(json["input_base64"].as_str().unwrap(), bytes, "{name}");
    }
}

#[test]
fn what_the_records_say_of_a_pack_holds_against_it() {
    let check = |change: SampleChange, expected: &Expect| {
        check(&Sample::with(change).files(), expected);
    };
    check(
        SampleChange::Rejected,
        &expect![[r#"
        FAIL review: this version was rejected by `hr_director` at 2026-01-03T13:00:00.000Z, record 5
    "#]],
    );
    check(
        SampleChange::LedgerOther,
        &expect![[r#"
        INCOMPLETE ledger: what other programs take of a ledger: its ids and bands cannot be computed again
        INCOMPLETE versions: version 1, ledger: what other programs take of a ledger: its ids and bands cannot be computed again
        FAIL ledger: expected a ledger of the session `ses_1` that was recorded, found another
        INCOMPLETE verdicts: the ledger names no judge
    "#]],
    );
    check(
        SampleChange::CallOtherwise,
        &expect![[r#"
        FAIL calls: `call-1`: expected `outcome` as it was recorded, found another
    "#]],
    );
    check(
        SampleChange::CallUnreported,
        &expect![[r#"
        FAIL calls: `call-1`: expected `actual_action` as it was recorded, found another
    "#]],
    );
    check(
        SampleChange::CallUnrecorded,
        &expect![[r#"
            INCOMPLETE calls: `call-1`: expected a record of this call, found none
        "#]],
    );
    check(
        SampleChange::CallTwice,
        &expect![[r#"
            FAIL calls: expected the call `call-1` once, found 2
        "#]],
    );
    check(
        SampleChange::CallLeftOut,
        &expect![[r#"
            FAIL calls: expected the call `call-1`, found none
        "#]],
    );
    check(
        SampleChange::CallAgentOther,
        &expect![[r#"
            FAIL calls: `call-1`: expected `agent_name` as it was recorded, found another
        "#]],
    );
    check(
        SampleChange::CallWithheld,
        &expect![[r#"
        INCOMPLETE calls: `call-1`: what record 3 says of it is not shown
        INCOMPLETE payloads: 6 PRESENT (0 in the lake), 0 ERASED, 1 WITHHELD, 0 MISSING, 0 ALTERED
    "#]],
    );
}

#[test]
fn a_flipped_byte_anywhere_in_the_file_fails() {
    let bytes = zipped(&Sample::new().files());
    for at in 0..bytes.len() {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1 << (at % 8);
        let told = zip::read(&bytes).is_err() || verify(&bytes).verdict() == CheckStatus::Fail;
        assert!(told, "byte {at}");
    }
}

#[test]
fn a_changed_file_does_not_pass_although_the_bag_is_written_anew() {
    let sound = Sample::new().files();
    for (name, bytes) in &sound {
        for at in (0..bytes.len()).step_by(bytes.len().div_ceil(23)) {
            let mut files = sound.clone();
            let mut changed = bytes.to_vec();
            changed[at] ^= 1;
            put(&mut files, name, changed);
            if name.starts_with("data/") {
                rebag(&mut files);
            }
            let report = verify(&zipped(&files));
            assert_ne!(report.verdict(), CheckStatus::Pass, "`{name}`, byte {at}");
        }
    }
}

#[test]
fn a_file_that_is_gone_is_missed() {
    let sound = Sample::new().files();
    let mut told = String::new();
    for name in sound.keys() {
        let mut files = sound.clone();
        files.remove(name);
        if name.starts_with("data/") {
            rebag(&mut files);
        }
        let report = verify(&zipped(&files));
        let worst = report.findings.iter().find(|one| one.verdict == report.verdict()).unwrap();
        told += &format!("{name}: {} {}: {}\n", worst.verdict, worst.part, worst.message.english());
    }
    expect![[r#"
        bag-info.txt: FAIL format: expected a file `bag-info.txt`, found none
        bagit.txt: FAIL format: expected a file `bagit.txt`, found none
        data/checkpoint.txt: FAIL format: expected a file `data/checkpoint.txt`, found none
        data/keys.json: FAIL format: expected a file `data/keys.json`, found none
        data/objects/db1d02e97e99631d3d01c325ba7fb9aae9463c304eb0108b3ef76a7b4d32adc9: FAIL report: expected what follows from the evidence, found another
        data/pack.json: FAIL format: expected a file `data/pack.json`, found none
        data/previous.json: FAIL report: expected what follows from the evidence, found another
        data/receipts/0000000000000000.txt: FAIL receipts: record 0: expected a receipt, found none
        data/receipts/0000000000000001.txt: FAIL receipts: record 1: expected a receipt, found none
        data/receipts/0000000000000002.txt: FAIL receipts: record 2: expected a receipt, found none
        data/receipts/0000000000000003.txt: FAIL receipts: record 3: expected a receipt, found none
        data/receipts/0000000000000004.txt: FAIL receipts: record 4: expected a receipt, found none
        data/receipts/0000000000000005.txt: FAIL receipts: record 5: expected a receipt, found none
        data/receipts/0000000000000006.txt: FAIL receipts: record 6: expected a receipt, found none
        data/records.jsonl: FAIL format: expected a file `data/records.jsonl`, found none
        data/report.ar.txt: FAIL format: expected a file `data/report.ar.txt`, found none
        data/report.en.txt: FAIL format: expected a file `data/report.en.txt`, found none
        data/report.json: FAIL format: expected a file `data/report.json`, found none
        data/versions/00000001.json: FAIL versions: expected version 1 after the one before it, found `pack_00000000000000b2`, version 2
        manifest-sha256.txt: FAIL format: expected a file `manifest-sha256.txt`, found none
        tagmanifest-sha256.txt: FAIL format: expected a file `tagmanifest-sha256.txt`, found none
    "#]].assert_eq(&told);
}

#[test]
fn a_file_that_does_not_belong_is_refused() {
    let sound = Sample::new().files();
    let with = |name: &str, bytes: &[u8]| {
        let mut files = sound.clone();
        put(&mut files, name, bytes.to_vec());
        rebag(&mut files);
        files
    };
    check(
        &with("data/more.txt", b"x"),
        &expect![[r#"
        FAIL format: expected no file `data/more.txt`, found one
    "#]],
    );
    check(
        &with("data/receipts/7.txt", b"x"),
        &expect![[r#"
        FAIL format: expected no file `data/receipts/7.txt`, found one
    "#]],
    );
    check(
        &with("data/receipts/0000000000000009.txt", b"x"),
        &expect![[r#"
        FAIL receipts: expected one receipt for each record, found 1 more
        FAIL report: expected what follows from the evidence, found another
    "#]],
    );
    check(
        &with("data/versions/00000002.json", &sound["data/pack.json"]),
        &expect![[r#"
        FAIL versions: expected version 3 after the one before it, found `pack_00000000000000b2`, version 2
        FAIL report: expected what follows from the evidence, found another
    "#]],
    );
    let object = format!("data/objects/{}", Digest::of(b"x").hex());
    check(
        &with(&object, b"x"),
        &expect![[r#"
        FAIL objects: expected only objects that the pack or a record names, found `sha256:2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881`
        FAIL report: expected what follows from the evidence, found another
    "#]],
    );
    check(
        &with(&object, b"y"),
        &expect![[r#"
        FAIL objects: expected an object with digest `sha256:2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881`, found `sha256:a1fce4363854ff888cff4b8e7875d600c2682390412a8cf79b37d0b11148b0fa`
        FAIL report: expected what follows from the evidence, found another
    "#]],
    );
}

#[test]
fn swapped_files_are_told() {
    let swapped = |one: &str, other: &str| {
        let mut files = Sample::new().files();
        let (first, second) = (files[one].clone(), files[other].clone());
        files.insert(one.to_owned(), second);
        files.insert(other.to_owned(), first);
        rebag(&mut files);
        files
    };
    check(
        &swapped("data/receipts/0000000000000001.txt", "data/receipts/0000000000000002.txt"),
        &expect![[r#"
            FAIL receipts: record 1: expected its receipt under the archive's checkpoint, found another
            FAIL receipts: record 2: expected its receipt under the archive's checkpoint, found another
            FAIL report: expected what follows from the evidence, found another
        "#]],
    );
    check(
        &swapped("data/pack.json", "data/versions/00000001.json"),
        &expect![[r#"
            FAIL bag: expected `bag-info.txt` as it follows from the rest, found another
            FAIL versions: expected version 1 after the one before it, found `pack_00000000000000b2`, version 2
            FAIL versions: expected version 2 after the one before it, found `pack_00000000000000b1`, version 1
            INCOMPLETE review: nobody has resolved this version in these records; what was said later cannot be told from this file
            FAIL report: expected what follows from the evidence, found another
        "#]],
    );
}

#[test]
fn an_excerpt_is_looked_for_in_its_document() {
    let mut files = Sample::new().files();
    let name = format!("data/objects/{}", Digest::of(DOCUMENT.as_bytes()).hex());
    files.remove(&name);
    rebag(&mut files);
    check(
        &files,
        &expect![[r#"
        FAIL report: expected what follows from the evidence, found another
        INCOMPLETE excerpts: source 1, `hr.policy`: its document is not attached
    "#]],
    );
    check(
        &Sample::with(SampleChange::ExcerptInComment).files(),
        &expect![[r#"
        FAIL excerpts: source 1, `hr.policy`: expected the excerpt in its document, found it nowhere
    "#]],
    );
}

#[test]
fn a_report_of_another_program_is_not_compared() {
    let mut files = Sample::new().files();
    let report = String::from_utf8(files["data/report.json"].to_vec()).unwrap();
    put(&mut files, "data/report.json", report.replace("dalil-core ", "other ").into_bytes());
    rebag(&mut files);
    check(
        &files,
        &expect![[r#"
        INCOMPLETE report: made by `other 0.1.0`, whose words this version cannot compare
    "#]],
    );
}
