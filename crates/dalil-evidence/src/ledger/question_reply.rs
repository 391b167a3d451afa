//! Replies to the follow-up questions of a ledger, and whom people forward the questions to.
//!
//! A ledger never changes. A reply is a record of its own, which names the ledger and repeats the
//! question, so that it can be understood without the ledger and applies to no other check.

use dalil_phrasebook::{Phrase, expected, found, ledger_view};
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::{Fault, Refused, quoted};
use dalil_proof::time::Time;
use serde::Serialize;

use crate::approval;

#[cfg(test)]
mod tests;

/// A person's action on a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionReplyAction {
    /// Answers it.
    Answered,
    /// Another person is asked to answer it.
    SentOn,
}

impl QuestionReplyAction {
    /// Every action with the word it is written as.
    pub const WIRE_NAMES: &[(&'static str, Self)] =
        &[("answered", Self::Answered), ("sent_on", Self::SentOn)];
}

/// One person's reply to one question: the commitment of a `question.replied` record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct QuestionReply {
    /// The ledger that asks it.
    pub ledger_id: String,
    /// The question.
    pub question: String,
    /// The action.
    pub action: QuestionReplyAction,
    /// Who.
    pub replied_by: String,
    /// When.
    pub at: Time,
    /// Who is asked to answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent_to: Option<String>,
    /// The answer; of a question that is sent on, words to whom it is sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
}

impl QuestionReply {
    /// Parses the committed bytes of a record.
    ///
    /// # Errors
    /// Every fault in them.
    pub fn parse(bytes: &[u8]) -> Result<Self, Refused> {
        decode::request(bytes, |reader| {
            let mut fields = reader.object()?;
            let order = QuestionReplyOrder::members(&mut fields);
            let replied_by = fields.required("replied_by", decode::label);
            let at = fields.required("at", decode::time);
            fields.done()?;
            let QuestionReplyOrder { ledger_id, question, action, sent_to, words } =
                order?.whole(reader)?;
            let (replied_by, at) = (replied_by?, at?);
            Some(Self { ledger_id, question, action, replied_by, at, sent_to, words })
        })
    }
}

/// A request to record a reply to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionReplyOrder {
    /// The ledger that the person looked at.
    pub ledger_id: String,
    /// The question, as the ledger has it.
    pub question: String,
    /// The action.
    pub action: QuestionReplyAction,
    /// Who is asked to answer.
    pub sent_to: Option<String>,
    /// The answer, or words to whom it is sent.
    pub words: Option<String>,
}

impl QuestionReplyOrder {
    /// Reads `{"ledger_id","question","action","sent_to"?,"words"?}`.
    ///
    /// # Errors
    /// Every fault in it: an answer without words, an addressee without a question to forward.
    pub fn parse(bytes: &[u8]) -> Result<Self, Refused> {
        decode::request(bytes, |reader| {
            let mut fields = reader.object()?;
            let order = Self::members(&mut fields);
            fields.done()?;
            order?.whole(reader)
        })
    }

    fn members(fields: &mut decode::JsonFields<'_, '_>) -> Option<Self> {
        let ledger_id = fields.required("ledger_id", decode::label);
        // As long as the claim that it is about, and so without a limit of its own.
        let question = fields.required("question", decode::filled);
        let action = fields.required("action", |word| word.choice(QuestionReplyAction::WIRE_NAMES));
        let sent_to = fields.optional("sent_to", decode::label);
        let words = fields.optional("words", approval::reason);
        let (ledger_id, question, action) = (ledger_id?, question?, action?);
        Some(Self { ledger_id, question, action, sent_to: sent_to?, words: words? })
    }

    /// The order, if it has the fields of its action and no field of the other one.
    fn whole(self, reader: JsonReader<'_, '_>) -> Option<Self> {
        let refuse = |name: &'static str, expected: Phrase, found: Phrase| {
            reader.push::<()>(Fault::new(name, reader.member(name), expected, found))
        };
        match (self.action, &self.sent_to) {
            (QuestionReplyAction::SentOn, None) => {
                refuse("sent_to", expected::who_is_asked_to_answer(), found::nobody())?;
            }
            (QuestionReplyAction::Answered, Some(name)) => {
                refuse("sent_to", expected::nobody_unless_sent_on(), quoted(name))?;
            }
            _ => {}
        }
        if self.action == QuestionReplyAction::Answered && self.words.is_none() {
            refuse("words", expected::words_that_others_can_follow(), found::none())?;
        }
        Some(self)
    }
}

/// The state of a question: by the last reply to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionState {
    /// No reply yet.
    Open,
    /// Another person is asked to answer it.
    SentOn,
    /// It was answered.
    Answered,
}

/// A question of a ledger, and the replies to it in order of time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct QuestionThread {
    /// The question.
    pub question: String,
    /// Its state.
    pub state: QuestionState,
    /// The replies.
    pub replies: Vec<QuestionReply>,
}

impl QuestionThread {
    /// Every question of a ledger with its replies; `replies` are in order of time, and those to
    /// other ledgers do not count.
    pub fn all(questions: &[String], ledger_id: &str, replies: &[QuestionReply]) -> Vec<Self> {
        let thread = |question: &String| {
            let own =
                |one: &&QuestionReply| one.ledger_id == ledger_id && one.question == *question;
            let replies: Vec<QuestionReply> = replies.iter().filter(own).cloned().collect();
            let state = match replies.last().map(|last| last.action) {
                None => QuestionState::Open,
                Some(QuestionReplyAction::Answered) => QuestionState::Answered,
                Some(QuestionReplyAction::SentOn) => QuestionState::SentOn,
            };
            Self { question: question.clone(), state, replies }
        };
        questions.iter().map(thread).collect()
    }

    /// Whether it was answered.
    pub fn is_answered(&self) -> bool {
        self.state == QuestionState::Answered
    }

    /// Who is asked to answer it.
    pub fn sent_to(&self) -> Option<&str> {
        match self.state {
            QuestionState::SentOn => self.replies.last()?.sent_to.as_deref(),
            QuestionState::Open | QuestionState::Answered => None,
        }
    }
}

/// The number of questions of a ledger in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct QuestionCounts {
    /// Without a reply.
    pub open: usize,
    /// Forwarded to another person.
    pub sent_on: usize,
    /// These were answered.
    pub answered: usize,
}

impl QuestionCounts {
    /// Counts the questions of a ledger.
    pub fn of(threads: &[QuestionThread]) -> Self {
        let count = |state| threads.iter().filter(|one| one.state == state).count();
        Self {
            open: count(QuestionState::Open),
            sent_on: count(QuestionState::SentOn),
            answered: count(QuestionState::Answered),
        }
    }

    /// In a few words.
    pub fn phrase(self) -> Phrase {
        let all = self.open + self.sent_on + self.answered;
        ledger_view::questions_answered(self.answered, all)
    }
}
