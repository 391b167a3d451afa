//! Bounded decoders of stream filters; those of `hayro-syntax` have no bound.

/// The bytes of pairs of hexadecimal digits.
pub(super) fn hex(text: &[u8]) -> Option<Vec<u8>> {
    let digits = text.iter().take_while(|byte| **byte != b'>').filter(|byte| !is_blank(**byte));
    let digits: Option<Vec<u8>> = digits
        .map(|byte| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect();
    let byte = |pair: &[u8]| match pair {
        [high, low] => high << 4 | low,
        [high] => high << 4,
        _ => 0,
    };
    Some(digits?.chunks(2).map(byte).collect())
}

/// The bytes of groups of five characters.
pub(super) fn base_85(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut group = Vec::with_capacity(5);
    for byte in
        text.iter().copied().take_while(|byte| *byte != b'~').filter(|byte| !is_blank(*byte))
    {
        match byte {
            b'!'..=b'u' => group.push(u32::from(byte - b'!')),
            b'z' => {
                end_group(&mut group, &mut bytes)?;
                bytes.extend([0; 4]);
            }
            _ => return None,
        }
        if group.len() == 5 {
            end_group(&mut group, &mut bytes)?;
        }
    }
    end_group(&mut group, &mut bytes)?;
    Some(bytes)
}

fn end_group(group: &mut Vec<u32>, bytes: &mut Vec<u8>) -> Option<()> {
    let known = match group.len() {
        0 => return Some(()),
        len => len.checked_sub(1).filter(|known| *known > 0)?,
    };
    group.resize(5, 84);
    let value = group.drain(..).try_fold(0_u32, |value, digit| {
        value.checked_mul(85).and_then(|value| value.checked_add(digit))
    })?;
    bytes.extend(value.to_be_bytes().iter().take(known));
    Some(())
}

/// How many bytes runs stand for; no further than past a limit.
pub(super) fn run_lengths(packed: &[u8], most: usize) -> usize {
    let mut rest = packed;
    let mut size = 0_usize;
    while let [length, after @ ..] = rest
        && size <= most
    {
        let length = usize::from(*length);
        let (taken, made) = match length {
            128 => break,
            0..128 => (length + 1, length + 1),
            _ => (1, 257 - length),
        };
        size += made;
        rest = after.get(taken..).unwrap_or_default();
    }
    size
}

/// Counts the bytes of LZW codes, whose width grows a code early or not, until the count is past
/// a limit. Only the lengths of the codes' strings are kept.
pub(super) fn lzw(packed: &[u8], early: bool, most: usize) -> usize {
    let mut lengths: Vec<usize> = vec![1; FIRST_LZW_CODE];
    let mut before: Option<usize> = None;
    let (mut bits, mut held) = (0_u32, 0_u32);
    let mut size = 0_usize;
    for byte in packed {
        // Fewer than twelve bits are held, so that eight more fit.
        bits = bits << 8 | u32::from(*byte);
        held += 8;
        let width = width(lengths.len() + usize::from(early));
        if held < width {
            continue;
        }
        held -= width;
        let code = (bits >> held) as usize;
        bits &= (1 << held) - 1;
        match code {
            LZW_CLEAR_CODE => {
                lengths.truncate(FIRST_LZW_CODE);
                before = None;
                continue;
            }
            LZW_END_CODE => break,
            _ => {}
        }
        let next = before.map(|length| length + 1);
        let Some(length) = lengths.get(code).copied().or(next) else { break };
        if let Some(next) = next
            && lengths.len() < MAX_LZW_CODES
        {
            lengths.push(next);
        }
        before = Some(length);
        size += length;
        if size > most {
            break;
        }
    }
    size
}

fn width(codes: usize) -> u32 {
    match codes {
        0..512 => 9,
        512..1024 => 10,
        1024..2048 => 11,
        _ => 12,
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b'\0' | b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

const LZW_CLEAR_CODE: usize = 256;
const LZW_END_CODE: usize = 257;
const FIRST_LZW_CODE: usize = 258;
/// Codes of twelve bits.
const MAX_LZW_CODES: usize = 4096;
