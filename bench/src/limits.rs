//! What the machine itself allows: hashes, signatures, copies, syncs and 8-bit products.
//!
//! The input is a folder on the disk to be measured, as a JSON string.

use std::error::Error;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::thread;

use dalil_kernel::isa::InstructionSet;
use dalil_kernel::matrix::PackedMatrix;
use dalil_kernel::quantize::QuantizedRows;
use dalil_proof::digest::Digest;
use dalil_proof::key::SecretKey;
use dalil_proof::tree::{leaf, node};

use crate::measure::{BenchFigures, median};

pub(crate) fn measure(input: &[u8]) -> Result<(BenchFigures, Vec<u8>), Box<dyn Error>> {
    let folder: PathBuf = serde_json::from_slice(input)?;
    let mut figures = hashes();
    figures.extend(signatures()?);
    figures.extend(copies());
    figures.push(("sync", sync(&folder)?));
    figures.push(("int8_products_a_second", products(1)?));
    figures.push(("int8_products_a_second_2", products(2)?));
    Ok((figures, b"null".to_vec()))
}

/// Bytes a second of SHA-256, and seconds for a leaf of 1 KiB and a node.
fn hashes() -> BenchFigures {
    let text = vec![b'x'; LARGE_BYTES];
    let (whole, _) = median(5, || Digest::of(&text));
    let small = vec![b'x'; 1024];
    let (leaves, last) = median(9, || (0..MANY).fold(leaf(&small), |_, _| leaf(black_box(&small))));
    let (nodes, _) = median(9, || (0..MANY).fold(last, |hash, _| node(&hash, &last)));
    vec![
        ("sha256_bytes_a_second", each(LARGE_BYTES) / whole),
        ("leaf", leaves / each(MANY)),
        ("node", nodes / each(MANY)),
    ]
}

/// Seconds for an Ed25519 signature, made and checked.
fn signatures() -> Result<BenchFigures, Box<dyn Error>> {
    let key = SecretKey::from_seed("dalil.example/limits", &[7; 32])?;
    let text = [b'x'; 128];
    let (made, signature) =
        median(9, || (0..SOME).fold(key.sign(&text), |_, _| key.sign(black_box(&text))));
    let (checked, right) = median(9, || {
        (0..SOME).filter(|_| key.public().verify(black_box(&text), &signature)).count()
    });
    if right != SOME {
        return Err("expected signatures that hold".into());
    }
    Ok(vec![("sign", made / each(SOME)), ("verify_signature", checked / each(SOME))])
}

/// Bytes a second that one core copies from memory to memory, and that it gets anew.
fn copies() -> BenchFigures {
    let (from, mut to) = (vec![1_u8; LARGE_BYTES], vec![0; LARGE_BYTES]);
    let (copy, ()) = median(9, || to.copy_from_slice(black_box(&from)));
    black_box(&to);
    let (fresh, _) = median(9, || from.clone());
    vec![
        ("copy_bytes_a_second", each(LARGE_BYTES) / copy),
        ("fresh_copy_bytes_a_second", each(LARGE_BYTES) / fresh),
    ]
}

/// Seconds until 4 KiB at the end of a file are on the disk.
fn sync(folder: &Path) -> Result<f64, Box<dyn Error>> {
    let path = folder.join("sync");
    let mut file = File::create(&path)?;
    let page = [b'x'; 4096];
    let (seconds, synced) = median(201, || file.write_all(&page).and_then(|()| file.sync_data()));
    synced?;
    fs::remove_file(path)?;
    Ok(seconds)
}

/// Multiplications of 8-bit integers a second by the kernel, on data that stay in the cache.
fn products(threads: usize) -> Result<f64, Box<dyn Error>> {
    let path = InstructionSet::best();
    let weights = vec![3_u8; WIDTH * WIDTH];
    let matrix = PackedMatrix::pack(&weights, &[0.5; WIDTH], &[0.0; WIDTH])
        .ok_or("expected a matrix that can be packed")?;
    let mut rows = QuantizedRows::default();
    rows.quantize(path, &vec![0.25; ROWS * WIDTH], WIDTH);
    let (seconds, ()) = median(9, || {
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let mut made = Vec::new();
                    for _ in 0..SOME {
                        matrix.product(path, black_box(&rows), &mut made);
                    }
                    black_box(made);
                });
            }
        });
    });
    Ok(each(threads * SOME * ROWS) * each(WIDTH * WIDTH) / seconds)
}

/// A count as a double: none here is large.
fn each(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

const LARGE_BYTES: usize = 64 << 20;
const MANY: usize = 20_000;
const SOME: usize = 200;
/// The width of the small model's layers, and rows that fit into the nearest cache with them.
const WIDTH: usize = 384;
const ROWS: usize = 64;
