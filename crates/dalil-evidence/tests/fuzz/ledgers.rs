//! Ledgers: every view of one is made, and none carries characters that a terminal obeys.

use dalil_evidence::ledger;
use dalil_evidence::ledger::export::LedgerExport;
use dalil_evidence::ledger::request::LedgerRequest;
use dalil_phrasebook::Language;
use dalil_proof::canon;
use dalil_render::ledger::expanded::expanded;
use dalil_render::ledger::markdown::markdown;
use dalil_render::ledger::table::table;

use crate::bound::fuzz;
use crate::corpus::{examples, inputs};
use crate::requests::{WORDS, lawful, obeyed};

#[test]
fn ledgers() {
    let corpus = [examples("examples/requests", "ledger"), inputs("ledger", &["ledger"])];
    fuzz(&corpus.concat(), &WORDS, |bytes| {
        let request = LedgerRequest::read(bytes);
        if let Ok(request) = &request {
            let ledger = ledger::check(request).unwrap();
            canon::bytes(&LedgerExport::of(&ledger)).unwrap();
            let views = [
                table(&ledger, Language::English),
                expanded(&ledger, 1, Language::Arabic).unwrap_or_default(),
            ];
            assert!(!views.iter().any(|view| view.contains(obeyed)), "a terminal would obey");
            drop(markdown(&ledger, &request.session, Language::Arabic));
        }
        lawful(&request.map(|request| ledger::check(&request).unwrap()));
    });
}
