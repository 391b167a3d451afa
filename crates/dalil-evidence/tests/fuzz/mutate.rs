//! Inputs made from a corpus by a fixed generator.

/// `SplitMix64`: the same numbers on every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    }

    /// A number below `end`; 0 when `end` is 0.
    fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap().max(1);
        usize::try_from(self.next() % end).unwrap()
    }

    /// One of several things.
    fn one<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.below(of.len())]
    }

    /// A range inside `0..length`, mostly short.
    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length);
        let longest = if self.below(4) == 0 { length - start } else { (length - start).min(16) };
        start..start + self.below(longest + 1)
    }
}

/// An input made from the corpus by one to four changes.
pub(crate) fn input(random: &mut Random, corpus: &[Vec<u8>], words: &[&str]) -> Vec<u8> {
    let mut bytes = random.one(corpus).clone();
    for _ in 0..=random.below(4) {
        change(&mut bytes, random, corpus, words);
    }
    bytes.truncate(MAX_INPUT);
    bytes
}

fn change(bytes: &mut Vec<u8>, random: &mut Random, corpus: &[Vec<u8>], words: &[&str]) {
    let at = random.below(bytes.len() + 1);
    match random.below(11) {
        0 => flip(bytes, random),
        1 => drop(bytes.splice(at..at, [*random.one(&BYTES)])),
        2 => bytes.truncate(at),
        3 => drop(bytes.drain(random.range(bytes.len()))),
        4 => repeat(bytes, random),
        5 => splice(bytes, random, corpus),
        6 => nest(bytes, at, random),
        7 => digits(bytes, random),
        8 => drop(bytes.splice(at..at, random.one(words).bytes())),
        9 => {
            let range = random.range(bytes.len());
            drop(bytes.splice(range, random.one(words).bytes()));
        }
        _ => swap(bytes, random),
    }
}

fn flip(bytes: &mut [u8], random: &mut Random) {
    let at = random.below(bytes.len());
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 1 << random.below(8);
    }
}

/// Repeats a piece, once or many times.
fn repeat(bytes: &mut Vec<u8>, random: &mut Random) {
    let range = random.range(bytes.len());
    let times = *random.one(&[1, 1, 2, 7, 100]);
    let piece = bytes[range.clone()].repeat(times);
    drop(bytes.splice(range.end..range.end, piece));
}

/// Puts a piece of another member of the corpus in.
fn splice(bytes: &mut Vec<u8>, random: &mut Random, corpus: &[Vec<u8>]) {
    let other = random.one(corpus);
    let piece = other[random.range(other.len())].to_vec();
    let range = random.range(bytes.len());
    drop(bytes.splice(range, piece));
}

/// Opens something many times over, and sometimes closes it.
fn nest(bytes: &mut Vec<u8>, at: usize, random: &mut Random) {
    let (open, close) = *random.one(&[("[", "]"), ("{\"a\":", "}"), ("(", ")"), ("\"", "\"")]);
    let times = *random.one(&[1, 2, 126, 127, 128, 1000]);
    let closes = close.repeat(times * random.below(2));
    drop(bytes.splice(at..at, open.repeat(times).into_bytes()));
    let end = (at + open.len() * times + random.below(8)).min(bytes.len());
    drop(bytes.splice(end..end, closes.into_bytes()));
}

/// Replaces a run of digits by a number at an edge.
fn digits(bytes: &mut Vec<u8>, random: &mut Random) {
    let from = random.below(bytes.len());
    let is_digit = |at: &usize| bytes[*at].is_ascii_digit();
    let Some(start) = (from..bytes.len()).find(is_digit) else { return };
    let end = (start..bytes.len()).find(|at| !is_digit(at)).unwrap_or(bytes.len());
    drop(bytes.splice(start..end, random.one(&NUMBERS).bytes()));
}

/// Exchanges two lines, or two halves when there is one line.
fn swap(bytes: &mut Vec<u8>, random: &mut Random) {
    let mut lines: Vec<Vec<u8>> =
        bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    if lines.len() < 2 {
        let at = random.below(bytes.len());
        bytes.rotate_left(at);
        return;
    }
    let (one, other) = (random.below(lines.len()), random.below(lines.len()));
    lines.swap(one, other);
    *bytes = lines.concat();
}

/// Large inputs of one idea each, for what only size shows.
pub(crate) fn large() -> Vec<Vec<u8>> {
    let deep_key = format!("{{\"{}\":", "k".repeat(64)).repeat(120);
    vec![
        b"[".repeat(200_000),
        b"{\"a\":".repeat(40_000),
        b"9".repeat(200_000),
        [b"[".as_slice(), &b"0,".repeat(30_000), b"0]"].concat(),
        [b"{".as_slice(), &b"\"a\":0,".repeat(15_000), b"\"a\":0}"].concat(),
        [b"[".as_slice(), &b"{\"\":0,\"\":0},".repeat(8_000), b"0]"].concat(),
        format!("{deep_key}[{}0]{}", "99999999999999999,".repeat(5_000), "}".repeat(120)).into(),
        [b"\"".as_slice(), &b"\\u0000".repeat(15_000), b"\""].concat(),
        "\u{feff}".repeat(30_000).into(),
        b"[cite:".repeat(30_000),
        b"[cite:aaaaaaaa]".repeat(8_000),
        b"\n".repeat(150_000),
        "— ".repeat(30_000).into(),
        b"| a ".repeat(30_000),
        b"1 ".repeat(60_000),
        b"a@a.".repeat(30_000),
        b"password=".repeat(20_000),
        b"-----BEGIN PRIVATE KEY-----\n".repeat(5_000),
        b"eyJhbGciOiJ9.".repeat(8_000),
        Vec::new(),
    ]
}

const MAX_INPUT: usize = 100_000;
const BYTES: [u8; 16] = *b"\0\n\r\t \"\\{}[]:,-\x7f\xff";
const NUMBERS: [&str; 16] = [
    "0",
    "00",
    "-0",
    "-1",
    "1e400",
    "1e-400",
    "0.1",
    "9007199254740991",
    "9007199254740992",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775808",
    "1.7976931348623157e308",
    "5e-324",
    "99999999999999999999999999999999999999999999999999999999999999999999999999999999",
    "0.30000000000000004",
];
