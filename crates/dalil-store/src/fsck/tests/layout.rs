//! The purpose of each byte of an SQLite file, from the structure of its pages.

use std::collections::BTreeMap;

/// A small SQLite file, its overflow pages and its free pages.
pub(super) struct Layout<'f> {
    file: &'f [u8],
    /// How many bytes of each overflow page are used.
    overflow: BTreeMap<usize, usize>,
    /// How many bytes of each page of the free list are used.
    free: BTreeMap<usize, usize>,
}

/// Why a byte is no evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Idle {
    /// Counters and identifiers of the database, or who may write; nothing is read by it.
    Header,
    /// How many bytes between cells are lost.
    FragmentCount,
    /// Where a free block of a page ends, and the next begins.
    BlockFrame,
    /// Between the cells of a page, in its middle or at the end of a chain: no cell is there.
    Blank,
    /// A page that is used no more, overwritten with zeros.
    FreePage,
}

impl<'f> Layout<'f> {
    pub(super) fn of(file: &'f [u8]) -> Self {
        let mut layout = Self { file, overflow: BTreeMap::new(), free: BTreeMap::new() };
        let mut trunk = long(file, 32);
        while trunk != 0 {
            let page = layout.page(trunk);
            let leaves = long(page, 4);
            for n in 0..leaves {
                layout.free.insert(long(page, 8 + 4 * n), 0);
            }
            layout.free.insert(trunk, 8 + 4 * leaves);
            trunk = long(page, 0);
        }
        for number in 1..=file.len() / PAGE {
            for cell in layout.cells(number) {
                let mut rest = cell.beyond;
                let mut next = cell.next;
                while rest > 0 {
                    let here = rest.min(PAGE - 4);
                    layout.overflow.insert(next, 4 + here);
                    rest -= here;
                    next = long(layout.page(next), 0);
                }
            }
        }
        layout
    }

    /// Why a byte is no evidence; `None` if it may be.
    pub(super) fn idle(&self, at: usize) -> Option<Idle> {
        let counters = [18..19, 24..28, 40..44, 48..52, 56..59, 60..64, 68..100];
        if at < HEADER {
            return counters.iter().any(|range| range.contains(&at)).then_some(Idle::Header);
        }
        let (number, local) = (at / PAGE + 1, at % PAGE);
        if let Some(used) = self.overflow.get(&number) {
            return (local >= *used).then_some(Idle::Blank);
        }
        if let Some(used) = self.free.get(&number) {
            return (local >= *used).then_some(Idle::FreePage);
        }
        let (page, base) = (self.page(number), base(number));
        let cells = self.cells(number);
        let pointers = base + header(page[base]);
        if local == base + 7 {
            return Some(Idle::FragmentCount);
        }
        let is_held = local < pointers + 2 * cells.len()
            || cells.iter().any(|cell| (cell.start..cell.end).contains(&local));
        if is_held {
            return None;
        }
        let mut next = usize::from(short(page, base + 1));
        while next != 0 {
            if (next..next + 4).contains(&local) {
                return Some(Idle::BlockFrame);
            }
            next = usize::from(short(page, next));
        }
        Some(Idle::Blank)
    }

    /// Bytes of every kind of page and of every row: of each page one of its header, one of its
    /// pointers, and one of each cell, which moves on from cell to cell; of pages that hold no
    /// cells the first byte, the middle and the last that is used.
    pub(super) fn sample(&self) -> Vec<usize> {
        let mut places = vec![0, 16, 18, 28, 56];
        let mut turn = 0;
        for number in 1..=self.file.len() / PAGE {
            let start = (number - 1) * PAGE;
            let used = self.overflow.get(&number).or_else(|| self.free.get(&number));
            if let Some(used) = used {
                places.extend(
                    [0, 3, used / 2, used.saturating_sub(1), *used, PAGE - 1]
                        .map(|n| start + n.min(PAGE - 1)),
                );
                continue;
            }
            let (page, base) = (self.page(number), base(number));
            let cells = self.cells(number);
            places.push(start + base + number % header(page[base]));
            if !cells.is_empty() {
                places.push(start + base + header(page[base]) + number % (2 * cells.len()));
            }
            for cell in cells {
                turn += 7;
                let size = cell.end - cell.start;
                places.push(start + cell.start + turn % size);
            }
        }
        places.sort_unstable();
        places.dedup();
        places
    }

    /// Every kind of page that there is.
    pub(super) fn kinds(&self) -> Vec<&'static str> {
        let has = |kind: u8| {
            (1..=self.file.len() / PAGE).any(|number| self.page(number)[base(number)] == kind)
        };
        let kinds = [("index", 2), ("index leaf", 10), ("table", 5), ("table leaf", 13)];
        let kinds = kinds.iter().filter(|(_, kind)| has(*kind)).map(|(name, _)| *name);
        let others = [("overflow", &self.overflow), ("free", &self.free)];
        let others = others.iter().filter(|(_, pages)| !pages.is_empty()).map(|(name, _)| *name);
        kinds.chain(others).collect()
    }

    fn page(&self, number: usize) -> &'f [u8] {
        &self.file[(number - 1) * PAGE..number * PAGE]
    }

    /// The cells of a page; none if it holds no rows and no keys.
    fn cells(&self, number: usize) -> Vec<Cell> {
        if self.free.contains_key(&number) {
            return Vec::new();
        }
        let (page, base) = (self.page(number), base(number));
        let kind = page[base];
        if !matches!(kind, 2 | 5 | 10 | 13) {
            return Vec::new();
        }
        let count = usize::from(short(page, base + 3));
        let pointer = |n: usize| usize::from(short(page, base + header(kind) + 2 * n));
        (0..count).map(|n| Cell::of(page, pointer(n), kind)).collect()
    }
}

/// The place of a cell in its page, and how much of it is in overflow pages.
struct Cell {
    start: usize,
    end: usize,
    beyond: usize,
    /// The first overflow page.
    next: usize,
}

impl Cell {
    fn of(page: &[u8], start: usize, kind: u8) -> Self {
        let mut at = start + if matches!(kind, 2 | 5) { 4 } else { 0 };
        let (payload, size) = varint(page, at);
        at += size;
        if kind == 5 {
            return Self { start, end: at, beyond: 0, next: 0 };
        }
        if kind == 13 {
            at += varint(page, at).1;
        }
        let most = if kind == 13 { PAGE - 35 } else { (PAGE - 12) * 64 / 255 - 23 };
        let least = (PAGE - 12) * 32 / 255 - 23;
        let payload = usize::try_from(payload).unwrap();
        if payload <= most {
            // No cell is smaller than a free block.
            return Self { start, end: (at + payload).max(start + 4), beyond: 0, next: 0 };
        }
        let some = least + (payload - least) % (PAGE - 4);
        let here = if some <= most { some } else { least };
        let next = long(page, at + here);
        Self { start, end: at + here + 4, beyond: payload - here, next }
    }
}

/// Where the header of a page begins: the first page has the file's before it.
fn base(number: usize) -> usize {
    if number == 1 { HEADER } else { 0 }
}

/// How long the header of a page is.
fn header(kind: u8) -> usize {
    if matches!(kind, 2 | 5) { 12 } else { 8 }
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

fn long(page: &[u8], at: usize) -> usize {
    let bytes = page[at..at + 4].try_into().unwrap();
    usize::try_from(u32::from_be_bytes(bytes)).unwrap()
}

/// The size of a page.
const PAGE: usize = 4096;
/// The length of the file's own header.
const HEADER: usize = 100;
