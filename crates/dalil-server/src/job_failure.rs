//! Why a job failed: recorded in every language, since it is not known yet who will read it, and
//! shown in the requested one.

use std::collections::BTreeMap;

use dalil_phrasebook::Language;
use dalil_proof::fault::Fault;
use dalil_proof::json::Json;
use dalil_service::job::{Job, JobFailure};
use serde::Serialize;

#[cfg(test)]
mod tests;

/// A failure as the record of a job's end has it.
#[derive(Debug, Serialize)]
pub(crate) struct RecordedJobFailure {
    /// The faults, in English.
    #[serde(flatten)]
    failure: JobFailure,
    /// Their texts in the other languages, by tag, in the same order.
    translations: BTreeMap<&'static str, Vec<FaultTranslation>>,
}

/// The text of a fault in one language.
#[derive(Debug, Serialize)]
struct FaultTranslation {
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

impl RecordedJobFailure {
    pub(crate) fn new(refused: Vec<Fault>) -> Self {
        let others = Language::WIRE_NAMES.map(|(_, language)| language).into_iter();
        let others = others.filter(|language| *language != Language::English);
        let translated = |language: Language| {
            let texts: Vec<_> = refused.iter().map(|fault| translation(fault, language)).collect();
            (language.tag(), texts)
        };
        let translations = others.map(translated).collect();
        Self { failure: JobFailure { refused }, translations }
    }
}

fn translation(fault: &Fault, language: Language) -> FaultTranslation {
    let hint = fault.hint.as_ref().map(|hint| hint.text(language).to_owned());
    FaultTranslation { message: fault.message.text(language).to_owned(), hint }
}

/// A job in the language of its reader. One that failed before failures were translated is in
/// English.
pub(crate) fn localized(job: Job, language: Language) -> Job {
    let result = job.result.map(|result| match result {
        Json::Object(mut members) => {
            let recorded = members.iter().position(|(name, _)| name == TRANSLATIONS_FIELD);
            if let Some((_, translations)) = recorded.map(|at| members.remove(at)) {
                let refused = members.iter_mut().find(|(name, _)| name == "refused");
                if let (Some((_, Json::List(faults))), Some(Json::List(texts))) =
                    (refused, translations.get(language.tag()))
                {
                    faults.iter_mut().zip(texts).for_each(|(fault, text)| translate(fault, text));
                }
            }
            Json::Object(members)
        }
        other => other,
    });
    Job { result, ..job }
}

/// Puts the texts of a translation in the place of those of a fault.
fn translate(fault: &mut Json<'static>, texts: &Json<'static>) {
    let Json::Object(fields) = fault else { return };
    for (name, value) in fields {
        if let Some(text) = texts.get(name) {
            *value = text.clone();
        }
    }
}

/// The field of [`RecordedJobFailure`] that no reply has.
const TRANSLATIONS_FIELD: &str = "translations";
