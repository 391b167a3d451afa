//! An answer checked while it is being written: each claim is printed when it is judged.

use std::io::{self, Read};
use std::path::Path;

use dalil::check::growing::{ClaimUpdate, GrowingAnswer};
use dalil::check::{CheckContext, CheckOutcome};
use dalil::corpus::Corpus;
use dalil::panel::JudgeBackend;
use dalil_phrasebook::{Language, ledger_view};
use dalil_proof::fault::quote;

use super::MAX_ANSWER_BYTES;
use crate::error::CliError;
use crate::reply::ReplyWriter;

/// Reads an answer to its end, and reports its claims on the way.
pub(super) fn check(
    input: &mut dyn Read,
    (corpus, panel): (&Corpus, &JudgeBackend<'_>),
    setup: &CheckContext,
    reply: &ReplyWriter,
) -> Result<(String, CheckOutcome), CliError> {
    let mut growing = GrowingAnswer::new();
    // Bytes of a character that has not come whole.
    let mut open: Vec<u8> = Vec::new();
    let mut piece = [0; MAX_PIECE_BYTES];
    loop {
        let count = match input.read(&mut piece) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(CliError::Read { path: Path::new("-").to_owned(), error }),
        };
        open.extend_from_slice(piece.get(..count).unwrap_or_default());
        if growing.push(&whole_characters(&mut open)?) {
            tell(&growing.look(corpus, panel, setup)?, setup, reply);
        }
        let found = growing.text().len() + open.len();
        if found > MAX_ANSWER_BYTES {
            let (path, limit) = (Path::new("-").to_owned(), MAX_ANSWER_BYTES);
            return Err(CliError::LongAnswer { path, limit, found });
        }
    }
    if !open.is_empty() {
        return Err(not_text());
    }
    growing.end();
    tell(&growing.look(corpus, panel, setup)?, setup, reply);
    let text = growing.text().to_owned();
    Ok((text, growing.finish(corpus, panel, setup)?))
}

/// Takes the text at the beginning of some bytes, and leaves the possible beginning of a character.
fn whole_characters(bytes: &mut Vec<u8>) -> Result<String, CliError> {
    let valid = match std::str::from_utf8(bytes) {
        Ok(text) => text.len(),
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        Err(_) => return Err(not_text()),
    };
    let rest = bytes.split_off(valid);
    String::from_utf8(std::mem::replace(bytes, rest)).map_err(|_| not_text())
}

fn not_text() -> CliError {
    CliError::NotText { path: Path::new("-").to_owned() }
}

fn tell(updates: &[ClaimUpdate], setup: &CheckContext, reply: &ReplyWriter) {
    let language = setup.options.language.unwrap_or(Language::English);
    for update in updates {
        match update {
            ClaimUpdate::Judged(one) => {
                let verdict = one.verdict.label().into_text(language);
                reply.note(&format!("{} {verdict}: {}", one.claim_id, quote(&one.claim_text)));
            }
            ClaimUpdate::Withdrawn { claim_id } => {
                reply.note(&ledger_view::claim_withdrawn(claim_id).into_text(language));
            }
        }
    }
}

/// A model writes a few characters at a time.
const MAX_PIECE_BYTES: usize = 4096;
