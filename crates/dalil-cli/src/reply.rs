//! The only place that writes: replies on standard output, failures on standard error.

use std::fmt;
use std::io::{self, IsTerminal as _, Write};

use dalil_proof::canon;
use dalil_proof::fault::steers;
use serde::Serialize;
use serde::ser::Error as _;

use crate::error::CliError;

mod output;
#[cfg(test)]
mod tests;

pub(crate) use self::output::{ExportContent, ExportTarget};

/// Where answers go, and in which form.
#[derive(Debug)]
pub(crate) struct ReplyWriter {
    form: JsonStyle,
    paint: ColourMode,
    json: bool,
    quiet: bool,
}

/// Whether words may be coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColourMode {
    /// A terminal whose user has not asked for no colour.
    Coloured,
    /// Everything else.
    Plain,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum JsonStyle {
    /// One line of RFC 8785 canonical JSON.
    Canonical,
    /// The same value, indented for a person.
    Indented,
}

impl ReplyWriter {
    /// Replies to the terminal or pipe that this program was started on.
    pub(crate) fn to_terminal(json: bool, quiet: bool) -> Self {
        let terminal = io::stdout().is_terminal();
        let form = if terminal && !json { JsonStyle::Indented } else { JsonStyle::Canonical };
        // https://no-color.org: set and not empty.
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let paint = if terminal && !refused { ColourMode::Coloured } else { ColourMode::Plain };
        Self { form, paint, json, quiet }
    }

    /// Whether JSON was asked for where people would get text.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Whether the reader is a person who has not asked for JSON.
    pub(crate) fn is_to_a_person(&self) -> bool {
        self.form == JsonStyle::Indented
    }

    /// How wide the terminal is; nothing where a program reads the reply.
    pub(crate) fn columns(&self) -> Option<usize> {
        if self.form != JsonStyle::Indented {
            return None;
        }
        let (terminal_size::Width(columns), _) = terminal_size::terminal_size_of(io::stdout())?;
        Some(usize::from(columns))
    }

    /// Whether only errors go to standard error.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Whether words may be coloured.
    pub(crate) fn paint(&self) -> ColourMode {
        self.paint
    }

    /// Replies to a person with text where a program gets JSON.
    pub(crate) fn told(&self, value: &(impl Serialize + fmt::Display)) -> Result<(), CliError> {
        match self.form {
            JsonStyle::Canonical => self.value(value),
            JsonStyle::Indented => self.view(&value.to_string()),
        }
    }

    /// Ends an export and reports what left: on standard error where the file itself is the reply.
    pub(crate) fn exported(
        &self,
        out: ExportTarget,
        made: &(impl Serialize + fmt::Display),
    ) -> Result<(), CliError> {
        let beside = out.is_standard();
        out.finish()?;
        if beside {
            self.note(made.to_string().trim_end());
            return Ok(());
        }
        self.told(made)
    }

    /// Replies with a value as JSON and a line end.
    pub(crate) fn value(&self, value: &impl Serialize) -> Result<(), CliError> {
        let mut bytes = match self.form {
            JsonStyle::Canonical => canon::bytes(value)?,
            JsonStyle::Indented => {
                let json = serde_json::to_string_pretty(value);
                // JSON need not escape bidirectional controls, which a terminal would obey.
                escaped(&json.map_err(canon::NotCanonical::custom)?).into_bytes()
            }
        };
        bytes.push(b'\n');
        self.bytes(&bytes)
    }

    /// Replies with text for people: characters that could steer a terminal are made visible, on a
    /// pipe too, since a terminal may be behind it.
    pub(crate) fn view(&self, text: &str) -> Result<(), CliError> {
        self.bytes(visible(text).as_bytes())
    }

    /// Replies with text for a model or a verifier: on a pipe to the last byte as digests name it; on a
    /// terminal as a view.
    pub(crate) fn prompt(&self, text: &str) -> Result<(), CliError> {
        if io::stdout().is_terminal() { self.view(text) } else { self.bytes(text.as_bytes()) }
    }

    /// Replies with a file that no terminal can show.
    pub(crate) fn file(&self, bytes: &[u8]) -> Result<(), CliError> {
        if io::stdout().is_terminal() { Err(CliError::Terminal) } else { self.bytes(bytes) }
    }

    /// Replies with bytes as they are.
    #[expect(clippy::unused_self, reason = "to hold a reply is the permission to write")]
    pub(crate) fn bytes(&self, bytes: &[u8]) -> Result<(), CliError> {
        let mut out = io::stdout().lock();
        out.write_all(bytes).and_then(|()| out.flush()).map_err(CliError::Write)
    }

    /// Writes a note to standard error, unless `--quiet` was given.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            say(text);
        }
    }

    /// Writes why the answer is no to standard error, quiet or not.
    #[expect(clippy::unused_self, reason = "to hold a reply is the permission to write")]
    pub(crate) fn warn(&self, text: &str) {
        say(text);
    }

    /// Writes the error and returns its exit code.
    ///
    /// A refusal is data as well: it goes to standard output as
    /// `{"refused":[…]}`, so that a program can act on every fault.
    pub(crate) fn failure(&self, failure: &CliError) -> u8 {
        let exit = failure.exit_code();
        if failure.is_unread() {
            return exit;
        }
        if let CliError::Refused(refused) = failure {
            for fault in &refused.refused {
                say(&format!("error: {fault}"));
            }
            return self.value(refused).map_or_else(|failure| failure.exit_code(), |()| exit);
        }
        say(&format!("error: {failure}"));
        if let Some(hint) = failure.hint() {
            say(&format!("hint: {hint}"));
        }
        exit
    }
}

/// Text in which every character that steers a terminal is spelled out, but for line ends and tabs.
pub(crate) fn visible(text: &str) -> String {
    // A lone carriage return lets a text overwrite its own line; before a line end it is harmless.
    spelled(&text.replace("\r\n", "\n"), |ch| ch.escape_unicode().to_string())
}

/// The same JSON, in which a string holds nothing that a terminal would obey.
fn escaped(json: &str) -> String {
    // Every character that steers is below U+10000, so four digits are enough.
    spelled(json, |ch| format!("\\u{:04x}", u32::from(ch)))
}

fn spelled(text: &str, spell: fn(char) -> String) -> String {
    let mut shown = String::with_capacity(text.len());
    for ch in text.chars() {
        if steers(ch) && !matches!(ch, '\n' | '\t') {
            shown.push_str(&spell(ch));
        } else {
            shown.push(ch);
        }
    }
    shown
}

/// Writes a line to standard error; if that is closed, the line is dropped.
fn say(text: &str) {
    drop(writeln!(io::stderr().lock(), "{}", visible(text)));
}
