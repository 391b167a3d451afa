//! Progress: a bar on standard error for work that takes more than a second.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::env;
use crate::reply::ReplyWriter;

/// A bar, drawn on a terminal whose user has not asked for quiet.
#[derive(Debug)]
pub(crate) struct ProgressBar {
    began: Option<Instant>,
    drawn: AtomicBool,
}

impl ProgressBar {
    pub(crate) fn new(reply: &ReplyWriter) -> Self {
        let wanted = !reply.is_quiet() && io::stderr().is_terminal();
        Self { began: wanted.then(env::moment), drawn: AtomicBool::new(false) }
    }

    /// Shows the progress of the work, once it has taken a second.
    pub(crate) fn step(&self, doing: &str, done: usize, all: usize) {
        if self.began.is_some_and(|began| began.elapsed() >= MIN_WAIT_BEFORE_BAR) {
            self.drawn.store(true, Ordering::Relaxed);
            draw(&format!("\r{}\u{1b}[K", bar(doing, done, all)));
        }
    }

    /// Clears the bar.
    pub(crate) fn end(&self) {
        if self.drawn.swap(false, Ordering::Relaxed) {
            draw("\r\u{1b}[K");
        }
    }
}

/// `reading ████████░░░░░░░░ 12/24`.
fn bar(doing: &str, done: usize, all: usize) -> String {
    let filled = (done.min(all) * BAR_COLUMNS).checked_div(all).unwrap_or(BAR_COLUMNS);
    format!("{doing} {}{} {done}/{all}", "█".repeat(filled), "░".repeat(BAR_COLUMNS - filled))
}

/// Draws on standard error; if that is closed, nothing happens.
fn draw(text: &str) {
    let mut error = io::stderr().lock();
    drop(error.write_all(text.as_bytes()).and_then(|()| error.flush()));
}

const MIN_WAIT_BEFORE_BAR: Duration = Duration::from_secs(1);
const BAR_COLUMNS: usize = 24;

#[cfg(test)]
mod tests {
    use super::bar;

    #[test]
    fn a_bar_fills_from_left_to_right() {
        assert_eq!(bar("reading", 0, 4), "reading ░░░░░░░░░░░░░░░░░░░░░░░░ 0/4");
        assert_eq!(bar("reading", 1, 4), "reading ██████░░░░░░░░░░░░░░░░░░ 1/4");
        assert_eq!(bar("judging", 0, 0), "judging ████████████████████████ 0/0");
    }
}
