//! Answers and failures, and the exit codes they become.

use std::io;
use std::path::PathBuf;

use dalil::corpus::shown_path;
use dalil_evidence::mask::MaskKey;
use dalil_proof::canon::NotCanonical;
use dalil_proof::fault::Refused;
use dalil_proof::report::CheckStatus;
#[cfg(feature = "pdf")]
use dalil_render::pdf::PressError;
use dalil_store::ErrorKind;
use thiserror::Error;

/// The outcome of a command that ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommandOutcome {
    /// Yes: done, sound, verified.
    Holds,
    /// No: a gate or a check was not passed.
    DoesNotHold,
    /// Nothing is wrong, but not everything could be checked.
    Incomplete,
}

impl CommandOutcome {
    /// The worse of two: a no stays one, with or without parts that could not be checked.
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Holds, other) => other,
            (one, Self::Holds) => one,
            (Self::Incomplete, Self::Incomplete) => Self::Incomplete,
            (Self::DoesNotHold, _) | (_, Self::DoesNotHold) => Self::DoesNotHold,
        }
    }
}

impl From<CheckStatus> for CommandOutcome {
    fn from(verdict: CheckStatus) -> Self {
        match verdict {
            CheckStatus::Pass => Self::Holds,
            CheckStatus::Fail => Self::DoesNotHold,
            CheckStatus::Incomplete => Self::Incomplete,
        }
    }
}

impl From<CommandOutcome> for u8 {
    fn from(answer: CommandOutcome) -> Self {
        match answer {
            CommandOutcome::Holds => EXIT_HOLDS,
            CommandOutcome::DoesNotHold => EXIT_DOES_NOT_HOLD,
            CommandOutcome::Incomplete => EXIT_COULD_NOT_RUN,
        }
    }
}

/// Why a command has no answer.
#[derive(Debug, Error)]
pub enum CliError {
    /// The input was read and breaks rules.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// A file could not be read.
    #[error("expected a readable file, found {}: {error}", shown_path(path))]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// An input is larger than anything a request can need.
    #[error("expected at most {limit} bytes, found more in `{path}`")]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The limit.
        limit: u64,
    },
    /// A key for masks is too short to be one.
    #[error("expected a key of {}, found {found} bytes in `{path}`", MaskKey::EXPECTED.english())]
    ShortKey {
        /// The file.
        path: PathBuf,
        /// How many bytes it has.
        found: usize,
    },
    /// There is no lake where one was named.
    #[error("expected a folder that is a lake, found {}: {error}", shown_path(path))]
    NoLake {
        /// The folder.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// There is no folder to write to, and none could be made.
    #[error("expected a folder to write to, found {}: {error}", shown_path(path))]
    NoFolder {
        /// The folder.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// A text could not be kept in the lake.
    #[error("expected to keep `{path}` in the lake, found {error}")]
    NotKept {
        /// Where in the lake.
        path: String,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// A connection without a name. Its text may hold a password.
    #[cfg(feature = "live-sql")]
    #[error("expected `NAME=URL` for a connection, found something else")]
    NoConnection,
    /// A connection without an address. Its text may hold a password.
    #[cfg(feature = "live-sql")]
    #[error("connection `{name}`: {error}")]
    Address {
        /// The connection.
        name: String,
        /// Why the address is invalid.
        #[source]
        error: dalil::query::NoAddress,
    },
    /// Live queries could not be run at all.
    #[cfg(feature = "live-sql")]
    #[error("expected to run live queries, found {0}")]
    Live(#[source] io::Error),
    /// The address of a corpus in a database is invalid. It may hold a password.
    #[cfg(feature = "live-sql")]
    #[error(transparent)]
    CorpusAddress(#[from] dalil::database_corpus::NoCorpusAddress),
    /// A corpus in a database could not be used.
    #[cfg(feature = "live-sql")]
    #[error(transparent)]
    DatabaseCorpus(#[from] dalil::database_corpus::DatabaseCorpusFailure),
    /// A corpus in a database was given beside something else.
    #[cfg(feature = "live-sql")]
    #[error("expected files and folders, or one corpus in a database, found several things")]
    ManyCorpora,
    /// An option needs the files, and the corpus is in a database.
    #[cfg(feature = "live-sql")]
    #[error("expected files or folders with `{option}`, found a corpus in a database")]
    NotHere {
        /// The option.
        option: &'static str,
    },
    /// A claim was asked for that the ledger does not have.
    #[error("expected the number of a claim from 1 to {claims}, found `{number}`")]
    NoSuchClaim {
        /// The number.
        number: usize,
        /// How many claims there are.
        claims: usize,
    },
    /// Something was given that only a statement of completeness is compared with.
    #[error("expected a statement of completeness for `{option}`, found another file")]
    NoStatement {
        /// The option that was given.
        option: &'static str,
    },
    /// Claims were asked for in full in a form that has none.
    #[error("expected `--format table` with `--expand`, found another format")]
    ExpandedFormat,
    /// Pages were asked for of several answers at once.
    #[cfg(feature = "pdf")]
    #[error("expected one answer for `--format pdf`, found {found}")]
    OnePdf {
        /// How many there are.
        found: usize,
    },
    /// There are no pages: too much for a PDF, or a fault of this program.
    #[cfg(feature = "pdf")]
    #[error(transparent)]
    Unpressed(#[from] PressError),
    /// A file was about to be written to a terminal.
    #[error("expected a file or a pipe for what no terminal can show, found a terminal")]
    Terminal,
    /// There is no file to write to.
    #[error("expected a file to write to, found {}: {error}", shown_path(path))]
    NoFile {
        /// Where it was to be.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// A trust file was to be written where something else goes.
    #[error("expected a file of its own for the trust file, found `{path}`")]
    SharedFile {
        /// Where it was to be.
        path: PathBuf,
    },
    /// This program cannot be found, to start it again.
    #[error("expected to find this program itself, found {0}")]
    Itself(#[source] io::Error),
    /// An answer is not text.
    #[error("expected an answer in UTF-8, found other bytes in `{path}`")]
    NotText {
        /// The file.
        path: PathBuf,
    },
    /// An answer is longer than one that is checked.
    #[error("expected an answer of at most {limit} bytes, found {found} in `{path}`")]
    LongAnswer {
        /// The file.
        path: PathBuf,
        /// The limit.
        limit: usize,
        /// How long it is.
        found: usize,
    },
    /// There are no documents.
    #[error(transparent)]
    Corpus(#[from] dalil::corpus::CorpusFailure),
    /// An answer could not be checked.
    #[error(transparent)]
    Check(#[from] dalil::check::CheckFailure),
    /// A labelled set could not be read.
    #[error(transparent)]
    Set(#[from] dalil::eval::EvalSetFailure),
    /// The model in this program is damaged: a fault of this program.
    #[error(transparent)]
    Model(#[from] dalil::ModelFileError),
    /// There is no deep model, or none could be made.
    #[error(transparent)]
    Models(#[from] dalil::model_file::ModelFailure),
    /// The judge's address is invalid. It may hold a password, so it is not shown.
    #[error(
        "expected `fast`, `deep`, `auto` or an `http` or `https` address without user, query and \
         fragment, found another address"
    )]
    JudgeAddress,
    /// The actor must be an agent, and is a person or missing.
    #[cfg(feature = "serve")]
    #[error("expected an agent to act for, found none")]
    NoAgent,
    /// An answer is to be judged while it is written, and is not standard input.
    #[error("expected `-` as the only answer with `--stream`, found another")]
    StreamedAnswer,
    /// The address of an external judge without the name of a model.
    #[error("expected the name of the model at the judge's address, found none")]
    NoJudgeModel,
    /// The environment names no folder for data.
    #[error("expected a folder for data in `XDG_DATA_HOME` or `HOME`, found none")]
    NoDataFolder,
    /// The store did not do it; the message has its own hint.
    #[error(transparent)]
    Store(#[from] dalil_store::Error),
    /// The system gives no threads to wait on a store with.
    #[error("expected threads to work with, found {0}")]
    Runtime(#[source] io::Error),
    /// The server could not begin, or could not end as it should.
    #[cfg(feature = "serve")]
    #[error("cannot serve: {0}")]
    Serve(#[source] io::Error),
    /// The environment names no address to listen on.
    #[cfg(feature = "serve")]
    #[error("expected an address such as `127.0.0.1:8700` in `DALIL_LISTEN`, found another text")]
    Listen,
    /// The system's clock is wrong beyond use.
    #[error("expected a clock between the years 1970 and 9999, found another")]
    Clock,
    /// The built-in example does not work: a fault of this program.
    #[error("the example does not work: {0}")]
    Example(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The reply could not be written.
    #[error("expected to write the reply, found {0}")]
    Write(#[source] io::Error),
    /// A value of ours has no canonical form: a fault of this program.
    #[error(transparent)]
    NotCanonical(#[from] NotCanonical),
    /// A page of ours could not be written: a fault of this program.
    #[error(transparent)]
    UnwrittenPage(#[from] dalil_render::dataset_report::UnwrittenPage),
}

impl From<dalil_service::OperationFailure> for CliError {
    fn from(failure: dalil_service::OperationFailure) -> Self {
        match failure {
            dalil_service::OperationFailure::Refused(refused) => Self::Refused(refused),
            dalil_service::OperationFailure::Store(error) => Self::Store(error),
            dalil_service::OperationFailure::NotCanonical(error) => Self::NotCanonical(error),
            #[cfg(feature = "pdf")]
            dalil_service::OperationFailure::Unpressed(error) => Self::Unpressed(error),
        }
    }
}

impl CliError {
    /// The next step, when the message alone does not give it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Refused(_)
            | Self::Write(_)
            | Self::Itself(_)
            | Self::NoFolder { .. }
            | Self::Store(_)
            | Self::Runtime(_) => None,
            #[cfg(feature = "serve")]
            Self::Listen => None,
            #[cfg(feature = "pdf")]
            Self::OnePdf { .. } => Some("give the answers one by one"),
            #[cfg(feature = "pdf")]
            Self::Unpressed(PressError::TooManyClaims { .. } | PressError::LongAnswer { .. }) => {
                Some("the other forms take as much as there is: `--format markdown`")
            }
            #[cfg(feature = "pdf")]
            Self::Unpressed(_) => Some(HINT_REPORT_BUG),
            Self::Terminal => Some("write it to a file: `> FILE`"),
            Self::NoFile { .. } => Some(HINT_OUTPUT_FILE),
            Self::SharedFile { .. } => Some(HINT_OTHER_FILE),
            #[cfg(feature = "serve")]
            Self::Serve(_) => Some("`dalil doctor` looks at the store and the configuration"),
            Self::NoStatement { .. } => Some(HINT_STATEMENT),
            Self::ExpandedFormat => Some("leave `--format` out: the other forms have every claim"),
            Self::NoSuchClaim { .. } => Some("`--expand all` shows every claim"),
            Self::Read { .. } => Some("give the path of a file, or `-` for standard input"),
            Self::TooLarge { .. } => Some("split the request"),
            Self::ShortKey { .. } => Some("write random bytes to a file: 32 of them are plenty"),
            Self::NoLake { .. } => Some("give the path of an existing folder to `--lake`"),
            Self::NotKept { .. } => Some(HINT_LAKE),
            #[cfg(feature = "live-sql")]
            Self::NoConnection => Some("a name has letters, digits and `_`, a letter first"),
            #[cfg(feature = "live-sql")]
            Self::Address { .. } => Some(HINT_URL_SIGNS),
            #[cfg(feature = "live-sql")]
            Self::Live(_) => Some("the bundle was not built; try again"),
            #[cfg(feature = "live-sql")]
            Self::DatabaseCorpus(failure) => failure.hint(),
            #[cfg(feature = "live-sql")]
            Self::CorpusAddress(_) => Some("in names, `/` is written `%2F` and `#` `%23`"),
            #[cfg(feature = "live-sql")]
            Self::ManyCorpora => Some("check against one after the other"),
            #[cfg(feature = "live-sql")]
            Self::NotHere { .. } => Some("leave the option out, or give the documents themselves"),
            Self::NotText { .. } => Some("save the answer as UTF-8 text"),
            Self::Corpus(dalil::corpus::CorpusFailure::Unread(_)) => {
                Some("`dalil read FILE` says why a document cannot be read")
            }
            Self::Corpus(_) => Some("give files or folders to `--against`"),
            Self::LongAnswer { .. } => Some(HINT_SPLIT_ANSWER),
            Self::Check(dalil::check::CheckFailure::TooManyClaims { .. }) => {
                Some(HINT_SPLIT_ANSWER)
            }
            Self::Check(_) => Some("look at the endpoint and the key of the judge"),
            Self::Set(_) => Some("a set is a file of JSON lines, plain or gzipped"),
            Self::Models(dalil::model_file::ModelFailure::Shipped(_)) => Some(HINT_REPORT_BUG),
            Self::Models(_) => Some("`dalil model import BASE.gguf` makes the model anew"),
            Self::JudgeAddress => Some("give the key of the endpoint in `DALIL_JUDGE_KEY`"),
            #[cfg(feature = "serve")]
            Self::NoAgent => Some("name it: `--actor agent:NAME`"),
            Self::StreamedAnswer => Some("pipe the answer in: `… | dalil check - --stream`"),
            Self::NoJudgeModel => Some("name it: `--judge-model NAME`"),
            Self::NoDataFolder => Some("name the file: `--out FILE`, or the path to show"),
            Self::Clock => Some("set the clock, or give the time with `--at`"),
            Self::Example(_) | Self::NotCanonical(_) | Self::UnwrittenPage(_) | Self::Model(_) => {
                Some(HINT_REPORT_BUG)
            }
        }
    }

    /// Whether the reader of the output is gone, as after `| head`: no error to report, but no
    /// answer either.
    pub(crate) fn is_unread(&self) -> bool {
        matches!(self, Self::Write(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Refused(_) => EXIT_REFUSED,
            // The store refused the request by a rule, as a reader does; nothing failed to run.
            Self::Store(error)
                if matches!(error.kind, ErrorKind::Refused | ErrorKind::Outdated) =>
            {
                EXIT_REFUSED
            }
            #[cfg(feature = "live-sql")]
            Self::NoConnection
            | Self::Address { .. }
            | Self::Live(_)
            | Self::CorpusAddress(_)
            | Self::DatabaseCorpus(_)
            | Self::ManyCorpora
            | Self::NotHere { .. } => EXIT_COULD_NOT_RUN,
            #[cfg(feature = "pdf")]
            Self::OnePdf { .. } | Self::Unpressed(_) => EXIT_COULD_NOT_RUN,
            Self::Read { .. }
            | Self::ExpandedFormat
            | Self::Terminal
            | Self::NoFile { .. }
            | Self::SharedFile { .. }
            | Self::TooLarge { .. }
            | Self::ShortKey { .. }
            | Self::NoLake { .. }
            | Self::NoFolder { .. }
            | Self::NotKept { .. }
            | Self::NoSuchClaim { .. }
            | Self::NoStatement { .. }
            | Self::NotText { .. }
            | Self::LongAnswer { .. }
            | Self::Corpus(_)
            | Self::Check(_)
            | Self::Set(_)
            | Self::Model(_)
            | Self::Models(_)
            | Self::JudgeAddress
            | Self::StreamedAnswer
            | Self::NoJudgeModel
            | Self::NoDataFolder
            | Self::Example(_)
            | Self::Itself(_)
            | Self::Store(_)
            | Self::Runtime(_)
            | Self::Clock
            | Self::Write(_)
            | Self::NotCanonical(_)
            | Self::UnwrittenPage(_) => EXIT_COULD_NOT_RUN,
            #[cfg(feature = "serve")]
            Self::Serve(_) | Self::Listen | Self::NoAgent => EXIT_COULD_NOT_RUN,
        }
    }
}

/// Prints a message of the argument parser: help and version on standard
/// output with success, mistakes on standard error.
pub(crate) fn usage(error: &clap::Error) -> u8 {
    let printed = error.print();
    if error.use_stderr() || printed.is_err() { EXIT_COULD_NOT_RUN } else { EXIT_HOLDS }
}

const HINT_LAKE: &str = "the bundle was not given out; free the lake and try again";
const HINT_OTHER_FILE: &str = "name another file, and hand it over by another way than the export";
const HINT_OUTPUT_FILE: &str = "name a file in a folder that is there, or `-` for standard output";
const HINT_STATEMENT: &str = "leave it out, or give what `dalil record missing --sign` made";
#[cfg(feature = "live-sql")]
const HINT_URL_SIGNS: &str =
    "signs in a password that a URL gives a meaning are written `%2F` and the like";
const HINT_REPORT_BUG: &str = "this is a fault of dalil: please report it with the input";
const HINT_SPLIT_ANSWER: &str = "check it in parts: `dalil check` takes several answers";
const EXIT_HOLDS: u8 = 0;
const EXIT_DOES_NOT_HOLD: u8 = 1;
const EXIT_REFUSED: u8 = 1;
const EXIT_COULD_NOT_RUN: u8 = 2;
