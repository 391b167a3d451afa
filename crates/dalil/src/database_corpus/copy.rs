//! Rows on their way into a table: PostgreSQL's binary form of `COPY`.
//!
//! By hand: the driver has the statement and not the form of its rows. Text would need
//! escapes and twice the bytes.

use sqlx::postgres::PgConnection;

/// A value of a row.
pub(super) enum CopyCell<'c> {
    Null,
    Bool(bool),
    Int(i32),
    Long(i64),
    Bytes(&'c [u8]),
    Text(&'c str),
    /// A vector of halves: whole numbers, which halves hold exactly.
    Halves(&'c [i8]),
}

/// Rows that are sent to a table, some at a time.
pub(super) struct CopyRows {
    table: String,
    rows: Vec<u8>,
}

impl CopyRows {
    /// No rows yet, for the columns of a table: `schema.table (a, b)`.
    pub(super) fn to(table: String) -> Self {
        Self { table, rows: Vec::new() }
    }

    /// Adds a row.
    pub(super) fn add(&mut self, cells: &[CopyCell<'_>]) {
        let rows = &mut self.rows;
        rows.extend(i16::try_from(cells.len()).unwrap_or(i16::MAX).to_be_bytes());
        for cell in cells {
            match cell {
                CopyCell::Null => rows.extend(NULL_LENGTH.to_be_bytes()),
                CopyCell::Bool(value) => field(rows, &[u8::from(*value)]),
                CopyCell::Int(value) => field(rows, &value.to_be_bytes()),
                CopyCell::Long(value) => field(rows, &value.to_be_bytes()),
                CopyCell::Bytes(bytes) => field(rows, bytes),
                CopyCell::Text(text) => field(rows, text.as_bytes()),
                CopyCell::Halves(numbers) => field(rows, &halves(numbers)),
            }
        }
    }

    /// Sends the rows that were added, if there are any.
    pub(super) async fn send(&mut self, connection: &mut PgConnection) -> sqlx::Result<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let statement = format!("COPY {} FROM STDIN (FORMAT binary)", self.table);
        let mut copy = connection.copy_in_raw(&statement).await?;
        copy.send(COPY_HEADER).await?;
        // The driver makes one message of each call, so large rows go in parts.
        for part in self.rows.chunks(MAX_MESSAGE_BYTES) {
            copy.send(part).await?;
        }
        copy.send(COPY_END.as_slice()).await?;
        copy.finish().await?;
        self.rows.clear();
        Ok(())
    }

    /// How many bytes wait to be sent.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }
}

fn field(rows: &mut Vec<u8>, bytes: &[u8]) {
    rows.extend(i32::try_from(bytes.len()).unwrap_or(i32::MAX).to_be_bytes());
    rows.extend(bytes);
}

/// A vector as pgvector takes it: how many numbers, nothing, the numbers.
fn halves(numbers: &[i8]) -> Vec<u8> {
    let mut bytes = i16::try_from(numbers.len()).unwrap_or(i16::MAX).to_be_bytes().to_vec();
    bytes.extend([0, 0]);
    bytes.extend(numbers.iter().flat_map(|number| half(*number).to_be_bytes()));
    bytes
}

/// A whole number as a half: sign, exponent with 15 added, ten bits after the first.
fn half(number: i8) -> u16 {
    let size = number.unsigned_abs();
    if size == 0 {
        return 0;
    }
    let sign = if number < 0 { 0x8000 } else { 0 };
    // The first bit that is set: at most the seventh, so both shifts stay within ten bits.
    let exponent = (0..8_u16).rev().find(|bit| size >> bit != 0).unwrap_or(0);
    sign | (exponent + 15) << 10 | (u16::from(size) << (10 - exponent)) & 0x3ff
}

/// The signature, no flags, no extension.
const COPY_HEADER: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
/// The length of a value that is none.
const NULL_LENGTH: i32 = -1;
const COPY_END: [u8; 2] = (-1_i16).to_be_bytes();
const MAX_MESSAGE_BYTES: usize = 16 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_halves() {
        // From the tables of IEEE 754: 1, 2, 3, 100, 127, and the same below zero.
        let known = [(0, 0), (1, 0x3c00), (2, 0x4000), (3, 0x4200), (100, 0x5640), (127, 0x57f0)];
        for (number, bits) in known {
            assert_eq!(half(number), bits, "{number}");
            assert_eq!(half(-number), if number == 0 { 0 } else { bits | 0x8000 }, "-{number}");
        }
        assert_eq!(half(-128), 0xd800);
    }
}
