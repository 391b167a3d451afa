//! SPDX licence expressions, as `Cargo.toml` has them.
//!
//! The crate `spdx` parses more (`+`, references, every licence's name); packages use only
//! `AND`, `OR`, `WITH` and brackets.

use std::fmt;

#[cfg(test)]
mod tests;

/// Licences joined by `AND` and `OR`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LicenceExpression {
    /// One licence, with its exception where it has one.
    One(String),
    /// All of these hold.
    All(Vec<Self>),
    /// The user of the package takes one of these.
    Any(Vec<Self>),
}

impl LicenceExpression {
    /// Reads an expression; `/`, which cargo took before SPDX, is `OR`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        if text.len() > MAX_EXPRESSION_BYTES {
            return Err(format!("{} bytes, at most {MAX_EXPRESSION_BYTES}", text.len()));
        }
        let spaced = text.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
        let mut words = LicenceWords(spaced.split_whitespace().rev().collect());
        let expression = words.any()?;
        match words.0.pop() {
            None => Ok(expression),
            Some(word) => Err(format!("`{word}` where `AND`, `OR` or the end belongs")),
        }
    }

    /// Whether a user who accepts only these licences may use the package.
    pub(crate) fn is_met_by(&self, allowed: &[&str]) -> bool {
        match self {
            Self::One(licence) => allowed.contains(&licence.as_str()),
            Self::All(parts) => parts.iter().all(|part| part.is_met_by(allowed)),
            Self::Any(parts) => parts.iter().any(|part| part.is_met_by(allowed)),
        }
    }
}

/// The expression as SPDX spells it, with no more brackets than it needs.
impl fmt::Display for LicenceExpression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (parts, between) = match self {
            Self::One(licence) => return f.write_str(licence),
            Self::All(parts) => (parts, " AND "),
            Self::Any(parts) => (parts, " OR "),
        };
        for (n, part) in parts.iter().enumerate() {
            f.write_str(if n == 0 { "" } else { between })?;
            match (self, part) {
                (Self::All(_), Self::Any(_)) => write!(f, "({part})")?,
                _ => write!(f, "{part}")?,
            }
        }
        Ok(())
    }
}

/// The words that are not read yet, the next one last.
struct LicenceWords<'t>(Vec<&'t str>);

impl LicenceWords<'_> {
    fn any(&mut self) -> Result<LicenceExpression, String> {
        let mut parts = vec![self.all()?];
        while self.takes("OR") {
            parts.push(self.all()?);
        }
        Ok(joined(parts, LicenceExpression::Any))
    }

    /// `AND` binds before `OR`.
    fn all(&mut self) -> Result<LicenceExpression, String> {
        let mut parts = vec![self.one()?];
        while self.takes("AND") {
            parts.push(self.one()?);
        }
        Ok(joined(parts, LicenceExpression::All))
    }

    fn one(&mut self) -> Result<LicenceExpression, String> {
        if self.takes("(") {
            let inner = self.any()?;
            return if self.takes(")") { Ok(inner) } else { Err("no `)`".to_owned()) };
        }
        let licence = self.word()?;
        if self.takes("WITH") {
            return Ok(LicenceExpression::One(format!("{licence} WITH {}", self.word()?)));
        }
        Ok(LicenceExpression::One(licence))
    }

    fn word(&mut self) -> Result<String, String> {
        match self.0.pop() {
            Some("AND" | "OR" | "WITH" | ")") | None => Err("no licence where one belongs".into()),
            Some(word) => Ok(word.to_owned()),
        }
    }

    fn takes(&mut self, word: &str) -> bool {
        let is_next = self.0.last() == Some(&word);
        if is_next {
            self.0.pop();
        }
        is_next
    }
}

fn joined(
    mut parts: Vec<LicenceExpression>,
    join: fn(Vec<LicenceExpression>) -> LicenceExpression,
) -> LicenceExpression {
    if parts.len() == 1 { parts.swap_remove(0) } else { join(parts) }
}

/// The longest one in use has 144 bytes; the bound keeps brackets from filling the stack.
const MAX_EXPRESSION_BYTES: usize = 1_000;
