//! The trail as a public log: any client of C2SP `tlog-tiles` reads and checks it.

use dalil_proof::digest::Digest;
use dalil_proof::tree::{self, MerkleTree};
use serde_json::json;

use crate::server::{Server, folder, key};

#[test]
fn a_stranger_recomputes_the_root_of_a_public_trail() {
    let dir = folder("tlog");
    let amal = key(&dir, "acme", "person:amal", &["view", "record"]);
    let zenith = key(&dir, "zenith", "person:amal", &["view"]);
    let config = json!({"public_trails": ["acme", "nobody"],
        "limits": {"rate": 100_000, "burst": 100_000}});
    let server = Server::start(dir, &config.to_string());
    // Enough for a full tile, and for a tile above it.
    for n in 0..260 {
        let body = json!({"answer": format!("Leave is {n} days.")}).to_string();
        server.ask("POST", "/api/v1/sessions", &amal, Some(body.as_bytes())).is(201);
    }
    let get = |path: &str| server.ask("GET", &format!("/tlog/acme/{path}"), "", None);
    let note = get("checkpoint");
    assert_eq!((note.status, note.header("content-type")), (200, "text/plain; charset=utf-8"));
    let note = note.text();
    let lines: Vec<&str> = note.lines().collect();
    assert_eq!(lines[0], "dalil.example/acme");
    let size: usize = lines[1].parse().unwrap();
    let rest = size - 256;

    let full = get("tile/0/000");
    assert_eq!(full.header("content-type"), "application/octet-stream");
    assert_eq!(full.header("cache-control"), "public, max-age=31536000, immutable");
    let edge = get(&format!("tile/0/001.p/{rest}"));
    let hashes: Vec<Digest> = [full.body.clone(), edge.body]
        .concat()
        .chunks(32)
        .map(|hash| Digest::from_bytes(hash.try_into().unwrap()))
        .collect();
    assert_eq!(hashes.len(), size);
    let root = hashes.iter().copied().collect::<MerkleTree>().head().root;
    assert_eq!(lines[2], base64(root.as_bytes()));
    // The tile above has the root of the full one, and a part of a tile is its beginning.
    let above = hashes[..256].iter().copied().collect::<MerkleTree>().head().root;
    assert_eq!(get("tile/1/000.p/1").body, above.as_bytes());
    assert_eq!(get("tile/0/000.p/7").body, full.body[..224]);
    // Entries are the leaves.
    let entries = [get("tile/entries/000").body, get(&format!("tile/entries/001.p/{rest}")).body];
    let mut rest_of = entries.concat();
    let mut leaves = Vec::new();
    while !rest_of.is_empty() {
        let length = usize::from(u16::from_be_bytes([rest_of[0], rest_of[1]]));
        leaves.push(tree::leaf(&rest_of[2..2 + length]));
        rest_of.drain(..2 + length);
    }
    assert_eq!(leaves, hashes);

    // Tiles that do not exist, or are spelled otherwise, and trails that are not public.
    let missing = [
        "tile/0/002",
        "tile/0/001",
        "tile/1/000",
        "tile/2/000.p/1",
        "tile/0/0",
        "tile/entries/002",
        "tile/0/001.p/255",
    ];
    for path in missing {
        get(path).is(404);
    }
    server.ask("GET", "/tlog/nobody/checkpoint", "", None).is(404);
    server.ask("GET", "/tlog/zenith/checkpoint", "", None).is(401);
    server.ask("GET", "/tlog/zenith/checkpoint", &amal, None).is(404);
    let own = server.ask("GET", "/tlog/zenith/tile/0/000.p/1", &zenith, None);
    assert_eq!(own.header("cache-control"), "private, max-age=31536000, immutable");
    assert_eq!((own.status, own.body.len()), (200, 32));
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}
