//! Two hundred documents take no more memory than thirty. In a process of its own, since others press too.
#![cfg(feature = "pdf")]

use std::fs;

use dalil_evidence::ledger;
use dalil_evidence::ledger::request::LedgerRequest;
use dalil_phrasebook::Language;
use dalil_render::pdf::{self, PrintoutAnswer};

#[test]
fn memory_does_not_grow() {
    let request = include_bytes!("../../../examples/requests/ledger.json");
    let ledger = ledger::check(&LedgerRequest::read(request).unwrap()).unwrap();
    let press = |times: usize| {
        for _ in 0..times {
            pdf::ledger(&ledger, &PrintoutAnswer::default(), Language::Arabic).unwrap();
        }
        // The memory of this process, in KiB.
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap()
    };
    let (few, many) = (press(30), press(170));
    assert!(many < few + 16 * 1024, "{few} KiB after 30 documents, {many} KiB after 200");
}
