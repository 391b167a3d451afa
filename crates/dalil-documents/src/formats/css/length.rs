//! Lengths of style sheets in pixels, with what is computed of several.

use super::syntax;

/// What relative lengths are relative to.
#[derive(Clone, Copy, Debug)]
pub(super) struct LengthBasis {
    /// The size of the letters, in pixels.
    pub(super) font: f32,
    /// What a hundred percent are, where it is known.
    pub(super) whole: Option<f32>,
}

impl LengthBasis {
    pub(super) const PAGE: Self = Self { font: USUAL_FONT_PIXELS, whole: None };

    pub(super) fn of(self, whole: f32) -> Self {
        Self { whole: Some(whole), ..self }
    }

    /// A length in pixels.
    pub(super) fn pixels(self, value: &str) -> Option<f32> {
        Calculation { rest: value.trim(), basis: self, depth: 0 }.whole()
    }

    fn unit(self, unit: &str) -> Option<f32> {
        Some(match unit {
            "" | "px" => 1.0,
            "pt" => 4.0 / 3.0,
            "pc" => 16.0,
            "in" => 96.0,
            "cm" => 37.8,
            "mm" => 3.78,
            "q" => 0.945,
            "em" => self.font,
            "rem" | "ric" => USUAL_FONT_PIXELS,
            "ch" | "ex" | "cap" => self.font / 2.0,
            "ic" => self.font,
            "lh" => self.font * 1.2,
            "rlh" => USUAL_FONT_PIXELS * 1.2,
            "%" => self.whole? / 100.0,
            "cqw" | "cqi" | "cqmax" => WINDOW_WIDTH / 100.0,
            "cqh" | "cqb" | "cqmin" => WINDOW_HEIGHT / 100.0,
            // Angles, in degrees.
            "deg" => 1.0,
            "turn" => 360.0,
            "rad" => 57.295_78,
            "grad" => 0.9,
            _ => match unit.strip_prefix(['s', 'l', 'd']).unwrap_or(unit) {
                "vw" | "vi" | "vmax" => WINDOW_WIDTH / 100.0,
                "vh" | "vb" | "vmin" => WINDOW_HEIGHT / 100.0,
                _ => return None,
            },
        })
    }
}

/// A share of one: `0.5` or `50%`.
pub(super) fn share(value: &str) -> Option<f32> {
    LengthBasis::PAGE.of(1.0).pixels(value)
}

/// A calculation that is being read.
struct Calculation<'t> {
    rest: &'t str,
    basis: LengthBasis,
    depth: usize,
}

impl Calculation<'_> {
    fn whole(mut self) -> Option<f32> {
        let found = self.term()?;
        self.rest.trim().is_empty().then_some(found).filter(|found| !found.is_nan())
    }

    fn sum(&mut self) -> Option<f32> {
        let mut found = self.product()?;
        loop {
            self.rest = self.rest.trim_start();
            if let Some(rest) = self.rest.strip_prefix('+') {
                self.rest = rest;
                found += self.product()?;
            } else if let Some(rest) = self.rest.strip_prefix('-') {
                self.rest = rest;
                found -= self.product()?;
            } else {
                return Some(found);
            }
        }
    }

    fn product(&mut self) -> Option<f32> {
        let mut found = self.term()?;
        loop {
            self.rest = self.rest.trim_start();
            if let Some(rest) = self.rest.strip_prefix('*') {
                self.rest = rest;
                found *= self.term()?;
            } else if let Some(rest) = self.rest.strip_prefix('/') {
                self.rest = rest;
                found /= self.term()?;
            } else {
                return Some(found);
            }
        }
    }

    /// A number with its unit, or a function.
    fn term(&mut self) -> Option<f32> {
        self.rest = self.rest.trim_start();
        // A search for the parenthesis itself would go through the whole sum, for each term of it.
        let name_end = self.rest.find(|ch: char| !(ch.is_ascii_alphabetic() || ch == '-'));
        if let Some(open) = name_end.filter(|end| self.rest.as_bytes().get(*end) == Some(&b'(')) {
            let (name, inside) = self.rest.split_at_checked(open)?;
            let (inside, after) = syntax::enclosed(inside.get(1..)?);
            self.rest = after;
            return self.function(name, inside);
        }
        let end = number_end(self.rest);
        let (digits, after) = self.rest.split_at_checked(end)?;
        let number: f32 = digits.parse().ok()?;
        let end = after.find(|ch: char| !(ch.is_ascii_alphabetic() || ch == '%'));
        let (unit, after) = after.split_at_checked(end.unwrap_or(after.len()))?;
        self.rest = after;
        Some(number * self.basis.unit(unit)?)
    }

    fn function(&self, name: &str, inside: &str) -> Option<f32> {
        if self.depth >= MAX_CALCULATION_DEPTH {
            return None;
        }
        let inner = |text| {
            let mut inner = Calculation { rest: text, basis: self.basis, depth: self.depth + 1 };
            inner.sum().filter(|_| inner.rest.trim().is_empty())
        };
        let parts: Option<Vec<f32>> = syntax::split(inside, b',').into_iter().map(inner).collect();
        let parts = parts?;
        match (name, parts.as_slice()) {
            ("" | "calc" | "-webkit-calc", [one]) => Some(*one),
            ("min", [..]) => parts.iter().copied().reduce(f32::min),
            ("max", [..]) => parts.iter().copied().reduce(f32::max),
            ("clamp", [least, one, most]) => Some(one.min(*most).max(*least)),
            ("abs", [one]) => Some(one.abs()),
            ("sign", [one]) => Some(one.signum()),
            _ => None,
        }
    }
}

/// Where the number ends that a text begins with.
fn number_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        bytes.iter().skip(from).take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count()
    };
    let sign = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let end = sign + digits(sign);
    // `1e-9px` is a number with an exponent, and `1em` is none.
    let is_exponent = bytes.get(end).is_some_and(|byte| byte.eq_ignore_ascii_case(&b'e'));
    let signed = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
    let exponent = digits(end + 1 + signed);
    if is_exponent && exponent > 0 { end + 1 + signed + exponent } else { end }
}

/// The size of letters where nothing says another.
pub(super) const USUAL_FONT_PIXELS: f32 = 16.0;
/// A window on a screen; there is no layout, and pages are hidden alike in most windows.
pub(super) const WINDOW_WIDTH: f32 = 1280.0;
pub(super) const WINDOW_HEIGHT: f32 = 800.0;
/// Functions within functions.
const MAX_CALCULATION_DEPTH: usize = 16;
