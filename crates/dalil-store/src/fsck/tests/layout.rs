//! Which bytes of an SQLite file hold nothing: from the structure of its pages.

/// Why a byte is no evidence; `None` if it may be.
pub(super) fn idle(file: &[u8], at: usize) -> Option<&'static str> {
    if at < 100 {
        let counters = [24..28, 40..44, 48..52, 60..64, 68..100];
        return counters
            .iter()
            .any(|range| range.contains(&at))
            .then_some("a counter of the header");
    }
    let number = at / PAGE;
    let page = file.get(number * PAGE..)?.get(..PAGE)?;
    let base = if number == 0 { 100 } else { 0 };
    let local = at % PAGE;
    let kind = page[base];
    if !matches!(kind, 2 | 5 | 10 | 13) {
        return Some("a page of an overflow chain or of the free list");
    }
    let header = if matches!(kind, 2 | 5) { 12 } else { 8 };
    if local == base + 7 {
        return Some("the count of fragments of a page");
    }
    let cells = usize::from(short(page, base + 3));
    let pointers = base + header;
    let start = match short(page, base + 5) {
        0 => PAGE,
        start => usize::from(start),
    };
    if (pointers + 2 * cells..start).contains(&local) {
        return Some("free space of a page");
    }
    if local < start {
        return None;
    }
    let mut next = usize::from(short(page, base + 1));
    while next != 0 && next + 4 <= PAGE {
        let size = usize::from(short(page, next + 2));
        if (next + 4..next + size).contains(&local) {
            return Some("a free block of a page");
        }
        if (next..next + 4).contains(&local) {
            return Some("the frame of a free block");
        }
        next = usize::from(short(page, next));
    }
    let held = (0..cells).any(|n| {
        let cell = usize::from(short(page, pointers + 2 * n));
        (cell..cell + length(page, cell, kind)).contains(&local)
    });
    (!held).then_some("a fragment between cells")
}

/// How many bytes of the page a cell takes.
fn length(page: &[u8], cell: usize, kind: u8) -> usize {
    let mut at = cell + if matches!(kind, 2 | 5) { 4 } else { 0 };
    if kind == 5 {
        return at + varint(page, at).1 - cell;
    }
    let (payload, size) = varint(page, at);
    at += size;
    if kind == 13 {
        at += varint(page, at).1;
    }
    let most = if kind == 13 { PAGE - 35 } else { (PAGE - 12) * 64 / 255 - 23 };
    let least = (PAGE - 12) * 32 / 255 - 23;
    let payload = usize::try_from(payload).unwrap();
    let here = if payload <= most {
        payload
    } else {
        let some = least + (payload - least) % (PAGE - 4);
        4 + if some <= most { some } else { least }
    };
    // No cell is smaller than a free block.
    (at + here - cell).max(4)
}

fn varint(page: &[u8], at: usize) -> (u64, usize) {
    let mut value = 0;
    for (n, byte) in page[at..].iter().take(9).enumerate() {
        if n == 8 {
            return (value << 8 | u64::from(*byte), 9);
        }
        value = value << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return (value, n + 1);
        }
    }
    (value, 1)
}

fn short(page: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([page[at], page[at + 1]])
}

/// The size of a page.
const PAGE: usize = 4096;
