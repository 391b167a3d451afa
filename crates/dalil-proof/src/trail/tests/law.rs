use proptest::prelude::*;

use super::super::*;
use super::sample::{Sample, present};
use crate::digest::Digest;
use crate::record::RecordKind;
use crate::report::CheckStatus;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Every written export is read back, is counted correctly, and never fails.
    #[test]
    fn random_exports_are_read_as_they_were_written(
        records in prop::collection::vec((0_u8..4, prop::collection::vec((0_u8..3, prop::collection::vec(any::<u8>(), 0..40)), 0..4)), 0..20),
        from in any::<prop::sample::Index>(),
    ) {
        let mut sample = Sample::empty();
        for (subject, fields) in &records {
            let fields: Vec<_> = ["a", "b.c", "index", "z_1"].into_iter().zip(fields).map(|(name, field)| (name, made(field))).collect();
            sample.add(RecordKind::ToolReported, &format!("subject-{subject}"), &fields);
        }
        let first = from.index(records.len() + 1);
        let bytes = sample.bytes(first);
        let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
        prop_assert_eq!(lines.len(), records.len() - first + 2);
        prop_assert_eq!(TrailHeader::parse(lines[0]).unwrap(), sample.header(first));
        for (n, (record, payload)) in sample.records.iter().enumerate().skip(first) {
            let line = TrailLine::parse(lines[n - first + 1]).unwrap();
            prop_assert_eq!((&line.record, line.index, &line.payload), (record, n as u64, payload));
        }
        let outcome = sample.verify(&bytes);
        prop_assert_eq!(outcome.counts, counted(&sample.records[first..]));
        let whole = first == 0 && outcome.counts.withheld == 0;
        let verdict = outcome.report.verdict();
        prop_assert!(verdict == CheckStatus::Pass || !whole && verdict == CheckStatus::Incomplete, "{}", outcome.report);
    }

    /// The scanner reads a line if and only if it is in the canonical form of its content.
    #[test]
    fn a_line_has_one_spelling(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let bytes = Sample::new().bytes(0);
        for line in bytes.split_inclusive(|byte| *byte == b'\n').filter(|line| line.starts_with(b"{\"envelope")) {
            let mut spoilt = line.to_vec();
            let n = at.index(line.len());
            spoilt[n] = byte;
            if let Ok(read) = TrailLine::parse(&spoilt) {
                let mut again = Vec::new();
                read.write(&mut again);
                prop_assert_eq!(again, spoilt);
            }
        }
    }
}

fn made((sort, bytes): &(u8, Vec<u8>)) -> PayloadField<'static> {
    match sort {
        0 => present(bytes.clone()),
        1 => PayloadField::Lake { salt: [4; 32], object: Digest::of(bytes) },
        _ => PayloadField::Withheld,
    }
}

fn counted(records: &[(crate::record::Record, RecordPayload<'_>)]) -> PayloadCounts {
    let mut counts = PayloadCounts::default();
    for field in records.iter().flat_map(|(_, payload)| payload.values()) {
        match field {
            PayloadField::Present { .. } => counts.present += 1,
            PayloadField::Lake { .. } => {
                counts.present += 1;
                counts.lake += 1;
            }
            PayloadField::Erased { .. } => counts.erased += 1,
            PayloadField::Withheld => counts.withheld += 1,
        }
    }
    counts
}
