//! The array of a `TJ` operator: strings of codes, and numbers that move the pen between them.
//!
//! The parser makes an object of each, which for words that are set letter by letter costs more
//! than all that is done with them. An array that holds anything unusual is left to the parser.

#[cfg(test)]
mod tests;

/// The parts of one array.
#[derive(Debug, Default)]
pub(super) struct ShownParts {
    /// The codes of all strings, one after the other.
    codes: Vec<u8>,
    parts: Vec<ShownPart>,
}

/// A part of an array.
#[derive(Clone, Copy, Debug)]
enum ShownPart {
    /// A string, which ends at this byte of all codes.
    Codes {
        end: usize,
    },
    Number(f64),
}

/// A part as it is used.
#[derive(Debug)]
pub(super) enum TextOperand<'c> {
    Codes(&'c [u8]),
    Number(f64),
}

impl ShownParts {
    /// Reads what is inside of the brackets of an array. `None` if the parser has to.
    pub(super) fn read(&mut self, array: &[u8]) -> Option<()> {
        self.codes.clear();
        self.parts.clear();
        let mut rest = array;
        while let Some((first, after)) = rest.split_first() {
            rest = match first {
                b' ' | b'\n' | b'\r' | b'\t' => after,
                b'(' => self.literal(after)?,
                b'<' => self.hexadecimal(after)?,
                _ => self.number(rest)?,
            };
        }
        Some(())
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = TextOperand<'_>> {
        let mut start = 0;
        self.parts.iter().map(move |part| match *part {
            ShownPart::Number(number) => TextOperand::Number(number),
            ShownPart::Codes { end } => {
                let codes = self.codes.get(start..end).unwrap_or_default();
                start = end;
                TextOperand::Codes(codes)
            }
        })
    }

    fn end_string(&mut self) {
        self.parts.push(ShownPart::Codes { end: self.codes.len() });
    }

    /// A string in brackets (PDF 32000, 7.3.4.2).
    fn literal<'a>(&mut self, mut rest: &'a [u8]) -> Option<&'a [u8]> {
        let mut depth = 0_usize;
        loop {
            let (&byte, after) = rest.split_first()?;
            rest = after;
            match byte {
                b'\\' => {
                    rest = self.escaped(rest)?;
                    continue;
                }
                b')' if depth == 0 => break,
                b')' => depth -= 1,
                b'(' => depth += 1,
                b'\r' | b'\n' => return None,
                _ => {}
            }
            self.codes.push(byte);
        }
        self.end_string();
        Some(rest)
    }

    fn escaped<'a>(&mut self, rest: &'a [u8]) -> Option<&'a [u8]> {
        let (&byte, after) = rest.split_first()?;
        let code = match byte {
            b'0'..=b'7' => {
                let digits = rest.iter().take(3).take_while(|byte| matches!(byte, b'0'..=b'7'));
                let (count, value) = digits.fold((0, 0_u16), |(count, value), digit| {
                    (count + 1, value << 3 | u16::from(digit & 7))
                });
                self.codes.push(u8::try_from(value).ok()?);
                return rest.get(count..);
            }
            b'\r' | b'\n' => return None,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'b' => 0x08,
            b'f' => 0x0C,
            other => other,
        };
        self.codes.push(code);
        Some(after)
    }

    /// A string of hexadecimal digits; a last one without a second stands for two with a zero.
    fn hexadecimal<'a>(&mut self, mut rest: &'a [u8]) -> Option<&'a [u8]> {
        loop {
            let (&high, after) = rest.split_first()?;
            rest = after;
            if high == b'>' {
                break;
            }
            let (&low, after) = rest.split_first()?;
            let ends = low == b'>';
            self.codes.push(digit(high)? << 4 | if ends { 0 } else { digit(low)? });
            rest = after;
            if ends {
                break;
            }
        }
        self.end_string();
        Some(rest)
    }

    /// A number with a sign and a point, computed as the parser does.
    fn number<'a>(&mut self, rest: &'a [u8]) -> Option<&'a [u8]> {
        let digits = rest.strip_prefix(b"-").unwrap_or(rest);
        let (mut value, mut count, mut shift) = (0_u64, 0, None);
        let mut after = digits;
        while let Some((&byte, behind)) = after.split_first() {
            match (byte, &mut shift) {
                (b'0'..=b'9', shift) => {
                    value = value.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
                    count += 1;
                    if let Some(shift) = shift {
                        *shift += 1;
                    }
                }
                (b'.', None) => shift = Some(0),
                (b' ' | b'\n' | b'\r' | b'\t' | b'(' | b'<', _) => break,
                _ => return None,
            }
            after = behind;
        }
        if !(1..=MAX_NUMBER_DIGITS).contains(&count) {
            return None;
        }
        #[expect(clippy::cast_precision_loss, reason = "the parser rounds in the same way")]
        let value = value as f64 / POWERS_OF_TEN.get(shift.unwrap_or(0))?;
        self.parts.push(ShownPart::Number(if digits.len() < rest.len() { -value } else { value }));
        Some(after)
    }
}

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

/// More digits may not fit into a `u64`.
const MAX_NUMBER_DIGITS: usize = 18;
const POWERS_OF_TEN: [f64; MAX_NUMBER_DIGITS + 1] = [
    1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18,
];
