//! Rows of a data set: many checked answers, each with its ledger or why it has none.

use dalil_phrasebook::{expected, found, ledger_check};
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::{Fault, Refused};
use dalil_proof::json::{Json, integer};

use super::Ledger;
use super::verify::{alone, is_ledger};

#[cfg(test)]
mod tests;

/// An answer of a data set, and what came of its check.
#[derive(Clone, Debug, PartialEq)]
pub struct DatasetRow {
    /// What names the answer.
    pub name: String,
    /// The question, where it is known.
    pub question: Option<String>,
    /// The answer, where it is known.
    pub answer: Option<String>,
    /// What came of the check.
    pub outcome: DatasetOutcome,
}

/// What came of the check of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum DatasetOutcome {
    /// Its ledger.
    Checked(Box<Ledger>),
    /// Why there is none.
    Unchecked(String),
}

impl DatasetRow {
    /// The rows of a JSON value: a row, a ledger by itself, or the ledgers that `dalil check` gives
    /// for several answers. `name` is for a ledger that does not name its answer.
    ///
    /// # Errors
    /// Every fault in it; a ledger that contradicts its own claims.
    pub fn parse_all(json: &Json<'_>, name: &str) -> Result<Vec<Self>, Refused> {
        decode::value(json, |reader| {
            if json.get(LEDGERS_FIELD).is_some() {
                let mut fields = reader.object()?;
                fields.ignored(&["overview"]);
                let rows = fields.required(LEDGERS_FIELD, |list| list.list(|one| bare(one, name)));
                fields.done()?;
                return rows;
            }
            let row = if is_ledger(json) { bare(reader, name) } else { row(reader) };
            row.map(|row| vec![row])
        })
    }
}

/// A ledger by itself; among others it has the name of its answer beside it.
fn bare(reader: JsonReader<'_, '_>, name: &str) -> Option<DatasetRow> {
    let name = match reader.json.get(ANSWER_FIELD) {
        Some(Json::Text(answer)) => &**answer,
        _ => name,
    };
    let ledger = ledger(reader)?;
    Some(DatasetRow {
        name: name.to_owned(),
        question: None,
        answer: None,
        outcome: DatasetOutcome::Checked(Box::new(ledger)),
    })
}

/// A row of a table. Columns that are not named here are the author's own.
fn row(reader: JsonReader<'_, '_>) -> Option<DatasetRow> {
    let mut fields = reader.object()?;
    let name = fields.required("id", row_name);
    let question = fields.optional("question", decode::owned);
    let answer = fields.optional(ANSWER_FIELD, decode::owned);
    let ledger = fields.optional("ledger", stated_ledger);
    let error = fields.optional("error", decode::filled);
    let (name, question, answer) = (name?, question?, answer?);
    let outcome = match (ledger?, error?) {
        (Some(ledger), None) => DatasetOutcome::Checked(Box::new(ledger)),
        (None, Some(error)) => DatasetOutcome::Unchecked(error),
        (ledger, _) => {
            let found = if ledger.is_some() { found::both() } else { found::neither() };
            let expected = expected::a_ledger_or_why_there_is_none();
            return reader.push(Fault::new("choice", reader.path(), expected, found));
        }
    };
    if let (Some(answer), DatasetOutcome::Checked(ledger)) = (&answer, &outcome) {
        has_claims(answer, ledger, reader)?;
    }
    Some(DatasetRow { name, question, answer, outcome })
}

/// The name of a row in a table: a text, or a whole number.
fn row_name(reader: JsonReader<'_, '_>) -> Option<String> {
    match reader.json {
        Json::Number(number) if integer(*number).is_some() => Some(number.to_string()),
        _ => decode::filled(reader),
    }
}

/// A ledger, or its JSON as a text, as a column of a table has it.
fn stated_ledger(reader: JsonReader<'_, '_>) -> Option<Ledger> {
    let Json::Text(text) = reader.json else { return ledger(reader) };
    let read = Json::parse(text.as_bytes()).and_then(|json| Ledger::of(&json));
    read.map_err(|refused| push_all(refused, reader)).ok()
}

fn ledger(reader: JsonReader<'_, '_>) -> Option<Ledger> {
    if is_ledger(reader.json) && reader.json.get("id").is_none() {
        let message = ledger_check::export_without_id_parts();
        return reader.push(Fault::with_message("ledger", reader.path(), message));
    }
    let own = alone(reader.json).0;
    let own = match own {
        Json::Object(members) => {
            Json::Object(members.into_iter().filter(|(name, _)| name != ANSWER_FIELD).collect())
        }
        other => other,
    };
    Ledger::of(&own).map_err(|refused| push_all(refused, reader)).ok()
}

/// Pushes the faults of a part, whose paths begin at that part.
fn push_all(refused: Refused, reader: JsonReader<'_, '_>) {
    let parent = reader.path();
    for mut fault in refused.refused {
        fault.path = match (parent.as_str(), fault.path.as_str()) {
            (ROOT_PATH, _) => fault.path,
            (_, ROOT_PATH) => parent.clone(),
            (_, path) if path.starts_with('[') => format!("{parent}{path}"),
            (_, path) => format!("{parent}.{path}"),
        };
        reader.push::<()>(fault);
    }
}

/// The claims of another answer would be shown at the wrong words of this one.
fn has_claims(answer: &str, ledger: &Ledger, reader: JsonReader<'_, '_>) -> Option<()> {
    let ends = ledger.content.entries.iter().filter_map(|entry| entry.finding.end_offset);
    let (end, length) = (ends.max().unwrap_or(0), answer.chars().count());
    if usize::try_from(end).is_ok_and(|end| end <= length) {
        return Some(());
    }
    let expected = expected::the_answer_of_the_claims(end);
    reader.push(Fault::new("range", reader.member(ANSWER_FIELD), expected, length))
}

const LEDGERS_FIELD: &str = "ledgers";
const ANSWER_FIELD: &str = "answer";
/// How a path names the whole of an input.
const ROOT_PATH: &str = "$";
