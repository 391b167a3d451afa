//! Ledgers that were closed read back as they were.

#[cfg(test)]
mod tests {
    use dalil_evidence::ledger::request::LedgerRequest;
    use dalil_evidence::ledger::{Ledger, check};
    use dalil_proof::canon;

    /// Every request of the vectors that makes a ledger.
    fn requests() -> Vec<LedgerRequest> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec/vectors/ledger");
        let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        let request = |path| {
            let vector: serde_json::Value =
                serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
            LedgerRequest::read(vector["input"].to_string().as_bytes()).ok()
        };
        files.filter_map(request).collect()
    }

    #[test]
    fn a_ledger_reads_back_as_it_was_closed() {
        let requests = requests();
        assert!(requests.len() > 20, "{}", requests.len());
        for request in requests {
            let ledger = check(&request).unwrap();
            assert_eq!(Ledger::parse(&canon::bytes(&ledger).unwrap()).unwrap(), ledger);
        }
    }

    #[test]
    fn a_ledger_that_states_otherwise_what_follows_is_refused() {
        let ledger = requests().into_iter().map(|request| check(&request).unwrap());
        let ledger = ledger.max_by_key(|ledger| ledger.content.entries.len()).unwrap();
        let text = String::from_utf8(canon::bytes(&ledger).unwrap()).unwrap();
        let total = format!(r#""total_claims":{}"#, ledger.content.entries.len());
        let id = format!(r#""id":"{}""#, ledger.id);
        for (from, to) in [(total.as_str(), r#""total_claims":99"#), (&id, r#""id":"x""#)] {
            assert!(text.contains(from), "{from}");
            assert_eq!(
                Ledger::parse(text.replace(from, to).as_bytes()).unwrap_err().to_string(),
                "`$`: expected sums and ids that follow from its claims, found others"
            );
        }
        assert!(Ledger::parse(br#"{"entries":[{"claim_id":1}]}"#).is_err());
    }
}
