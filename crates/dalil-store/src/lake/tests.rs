//! The same scenarios on every lake that there is: a folder, and a bucket where
//! `DALIL_TEST_S3` names one (`suite/servers/s3` starts a server for it).

use std::fmt::Write as _;
use std::sync::Arc;

use bytes::Bytes;
use dalil_proof::digest::Digest;
use expect_test::{Expect, expect};
use object_store::ObjectStoreExt as _;

use super::key::{LakeTenantName, ObjectKey};
use super::{ErasureAuthorization, Lake, LakeBackend, LakeEntry, TenantLake};
use crate::error::Error;
use crate::place::LakePlace;
use crate::scratch::{StoreTestDir, write};

mod bucket;
mod folder;

/// A lake for one test.
struct Shore {
    lake: Lake,
    place: LakePlace,
    scratch: StoreTestDir,
}

impl Shore {
    async fn folder() -> Self {
        let scratch = StoreTestDir::new();
        let place = LakePlace::Folder(scratch.path("lake"));
        Self { lake: Lake::create(&place).await.unwrap(), place, scratch }
    }

    /// A part of its own of the bucket that a variable names.
    async fn bucket(variable: &str) -> Option<Self> {
        let place = std::env::var_os(variable)?.into_string().unwrap();
        let LakePlace::Bucket(mut place) = LakePlace::parse(&place).unwrap() else { panic!() };
        let scratch = StoreTestDir::new();
        let name = scratch.path("").file_name().unwrap().to_str().unwrap().to_owned();
        place.prefix = format!("{}/{name}", place.prefix);
        let place = LakePlace::Bucket(place);
        Some(Self { lake: Lake::create(&place).await.unwrap(), place, scratch })
    }

    async fn each() -> Vec<Self> {
        let mut shores = vec![Self::folder().await];
        shores.extend(Self::bucket("DALIL_TEST_S3").await);
        shores
    }

    fn tenant(&self, name: &str) -> TenantLake {
        self.lake.tenant(name).unwrap()
    }

    /// Puts bytes where no put would put them.
    async fn spoil(&self, path: &str, bytes: &'static [u8]) {
        match &self.lake.engine {
            LakeBackend::Folder(_) => write(&self.scratch.path("lake").join(path), bytes),
            LakeBackend::Bucket(bucket) => {
                let path = bucket.under(path);
                bucket.store.put(&path, Bytes::from_static(bytes).into()).await.unwrap();
            }
        }
    }

    /// The text, with `LAKE` for the lake and the first digits of each digest.
    fn hidden(&self, said: &str) -> String {
        short(&said.replace(&self.place.to_string(), "LAKE"))
    }
}

/// The first digits of each digest are enough to tell them apart.
fn short(said: &str) -> String {
    let mut parts = said.split("sha256:");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |text, part| {
        let (digits, rest) = part.split_at(64);
        format!("{text}sha256:{}{rest}", digits.split_at(8).0)
    })
}

/// Checks that every lake gave the same text, and that it is the expected one.
#[track_caller]
fn agree(texts: &[String], expected: &Expect) {
    for text in texts {
        assert_eq!(text, &texts[0]);
    }
    expected.assert_eq(&texts[0]);
}

/// A line of a transcript.
fn said<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
    match result {
        Ok(value) => format!("{value:?}\n"),
        Err(error) => format!("{:?}: {error}\n", error.kind),
    }
}

#[track_caller]
fn check(shore: &Shore, transcript: &str, expected: &Expect) {
    expected.assert_eq(&shore.hidden(transcript));
}

/// Everything under a tenant's name, sorted.
async fn listed(tenant: &TenantLake) -> String {
    let mut listing = tenant.list();
    let mut lines = Vec::new();
    while let Some(listed) = listing.next().await.unwrap() {
        lines.push(match listed {
            LakeEntry::Object { digest, size } => format!("{digest} {size}\n"),
            LakeEntry::Foreign(foreign) => format!("{foreign:?}\n"),
        });
    }
    lines.sort();
    lines.concat()
}

/// Bytes that differ from place to place.
fn large(size: usize) -> Vec<u8> {
    (0..size as u64).flat_map(|n| (n * n).to_le_bytes()).take(size).collect()
}

fn path(tenant: &str, digest: &Digest) -> String {
    ObjectKey::new(&LakeTenantName::parse(tenant).unwrap(), *digest).path()
}

#[tokio::test]
async fn objects_are_kept_read_listed_and_erased() {
    let mut texts = Vec::new();
    for shore in Shore::each().await {
        let acme = shore.tenant("acme");
        let mut text = String::new();
        for bytes in [&b"one"[..], b"one", b"", b"two"] {
            text += &said(acme.put(bytes.to_vec()).await);
        }
        let one = Digest::of(b"one");
        text += &said(acme.get(&one).await);
        text += &said(acme.get(&Digest::of(b"")).await);
        text += &said(acme.has(&one).await);
        text += &said(acme.has(&Digest::of(b"none")).await);
        text += &said(acme.get(&Digest::of(b"none")).await);
        text += &said(acme.check(&one).await);
        text += &said(acme.check(&Digest::of(b"none")).await);
        text += &listed(&acme).await;
        let erasure = ErasureAuthorization::recorded("acme", 7);
        text += &said(acme.delete(&one, &ErasureAuthorization::recorded("other", 7)).await);
        text += &said(acme.delete(&one, &erasure).await);
        text += &said(acme.delete(&one, &erasure).await);
        text += &said(acme.has(&one).await);
        text += &said(acme.put(b"one".to_vec()).await);
        text += &said(acme.get(&one).await);
        text += &said(shore.lake.sweep().await);
        texts.push(shore.hidden(&text));
    }
    agree(
        &texts,
        &expect![[r#"
        sha256:7692c3ad
        sha256:7692c3ad
        sha256:e3b0c442
        sha256:3fc4ccfe
        [111, 110, 101]
        []
        true
        false
        Damaged: cannot read an object: lake `LAKE`, tenant `acme`, `sha256:140bedbf`: expected an object, found none
        hint: restore the object from a backup of the lake; `dalil fsck` lists every one
        Whole { size: 3 }
        Missing
        sha256:3fc4ccfe 3
        sha256:7692c3ad 3
        sha256:e3b0c442 0
        Refused: cannot delete an object: lake `LAKE`, tenant `acme`, `sha256:7692c3ad`: expected an erasure of this tenant's trail, found record 7 of tenant `other`
        true
        false
        false
        sha256:7692c3ad
        [111, 110, 101]
        0
    "#]],
    );
}

#[tokio::test]
async fn tenants_do_not_see_each_other() {
    let mut texts = Vec::new();
    for shore in Shore::each().await {
        let (a, b) = (shore.tenant("a"), shore.tenant("b"));
        let secret = a.put(b"secret".to_vec()).await.unwrap();
        let mut text = String::new();
        text += &said(b.has(&secret).await);
        text += &said(b.get(&secret).await);
        text += &said(b.get_stream(&secret).await);
        text += &said(b.check(&secret).await);
        text += &said(b.delete(&secret, &ErasureAuthorization::recorded("b", 0)).await);
        text += &said(b.delete(&secret, &ErasureAuthorization::recorded("a", 0)).await);
        text += &format!("[{}]\n", listed(&b).await);
        text += &said(a.get(&secret).await);
        text += &said(shore.lake.tenants().await);
        texts.push(shore.hidden(&text));
    }
    agree(
        &texts,
        &expect![[r#"
        false
        Damaged: cannot read an object: lake `LAKE`, tenant `b`, `sha256:2bb80d53`: expected an object, found none
        hint: restore the object from a backup of the lake; `dalil fsck` lists every one
        Damaged: cannot read an object: lake `LAKE`, tenant `b`, `sha256:2bb80d53`: expected an object, found none
        hint: restore the object from a backup of the lake; `dalil fsck` lists every one
        Missing
        false
        Refused: cannot delete an object: lake `LAKE`, tenant `b`, `sha256:2bb80d53`: expected an erasure of this tenant's trail, found record 0 of tenant `a`
        []
        [115, 101, 99, 114, 101, 116]
        (["a"], [])
    "#]],
    );
}

#[tokio::test]
async fn a_tenant_is_a_name_and_no_path() {
    let shore = Shore::folder().await;
    let mut text = String::new();
    let long = "a".repeat(64);
    for name in ["", ".", "..", "a/b", "../a", "A", "a b", ".part", "a\0", "ü", &long] {
        text += &said(shore.lake.tenant(name).map(drop));
    }
    check(
        &shore,
        &text,
        &expect![[r#"
        Refused: cannot open the lake of a tenant: ``: expected a name of 1 to 63 letters a–z, digits and `-`, found another
        Refused: cannot open the lake of a tenant: `.`: expected a name of 1 to 63 letters a–z, digits and `-`, found another
        Refused: cannot open the lake of a tenant: `..`: expected a name of 1 to 63 letters a–z, digits and `-`, found another
        Refused: cannot open the lake of a tenant: `a/b`: expected a name of 1 to 63 letters a–z, digits and `-`, found another
        Refused: cannot open the lake of a tenant: `../a`: expected a name of 1 to 63 letters a–z, digits and `-`, found another
        Refused: cannot open the lake of a tenant: `A`: expected a name of 1 to 63 letters a–z, digits and `-`, found another
        Refused: cannot open the lake of a tenant: `a b`: expected a name of 1 to 63 letters a–z, digits and `-`, found another
        Refused: cannot open the lake of a tenant: `.part`: expected a name of 1 to 63 letters a–z, digits and `-`, found another
        Refused: cannot open the lake of a tenant: `a\u{0}`: expected a name of 1 to 63 letters a–z, digits and `-`, found another
        Refused: cannot open the lake of a tenant: `ü`: expected a name of 1 to 63 letters a–z, digits and `-`, found another
        Refused: cannot open the lake of a tenant: `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…`: expected a name of 1 to 63 letters a–z, digits and `-`, found another
    "#]],
    );
    shore.lake.tenant(&"a".repeat(63)).unwrap();
}

#[tokio::test]
async fn large_objects_go_through_in_pieces() {
    let mut texts = Vec::new();
    for shore in Shore::each().await {
        let acme = shore.tenant("acme");
        let bytes = large((20 << 20) + 5);
        let mut text = String::new();
        text += &said(acme.put_stream(&bytes[..]).await);
        text += &said(acme.put_stream(&bytes[..]).await);
        text += &said(acme.put(bytes.clone()).await);
        text += &said(acme.put(bytes[1..].to_vec()).await);
        text += &said(acme.put_stream(&b"small"[..]).await);
        text += &said(acme.put_stream(&b""[..]).await);
        text += &said(acme.put(b"small".to_vec()).await);
        text += &listed(&acme).await;
        assert!(acme.get(&Digest::of(&bytes)).await.unwrap() == bytes);
        assert!(acme.get(&Digest::of(&bytes[1..])).await.unwrap() == bytes[1..]);
        let mut reader = acme.get_stream(&Digest::of(&bytes)).await.unwrap();
        let mut largest = 0;
        while let Some(piece) = reader.next().await.unwrap() {
            largest = largest.max(piece.len());
        }
        assert!(largest <= 4 << 20, "{largest}");
        texts.push(shore.hidden(&text));
    }
    agree(
        &texts,
        &expect![[r#"
        (sha256:8a81da34, 20971525)
        (sha256:8a81da34, 20971525)
        sha256:8a81da34
        sha256:8fe58f5c
        (sha256:81db8ebb, 5)
        (sha256:e3b0c442, 0)
        sha256:81db8ebb
        sha256:81db8ebb 5
        sha256:8a81da34 20971525
        sha256:8fe58f5c 20971524
        sha256:e3b0c442 0
    "#]],
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn many_writers_of_one_object_agree() {
    let mut texts = Vec::new();
    for shore in Shore::each().await {
        let acme = Arc::new(shore.tenant("acme"));
        for bytes in [large(10), large(9 << 20)] {
            let writers: Vec<_> = (0..8)
                .map(|n| {
                    let (acme, bytes) = (Arc::clone(&acme), bytes.clone());
                    tokio::spawn(async move {
                        if n % 2 == 0 {
                            acme.put(bytes).await
                        } else {
                            acme.put_stream(&bytes[..]).await.map(|(digest, _)| digest)
                        }
                    })
                })
                .collect();
            for writer in writers {
                assert_eq!(writer.await.unwrap().unwrap(), Digest::of(&bytes));
            }
            assert!(acme.get(&Digest::of(&bytes)).await.unwrap() == bytes);
        }
        let mut text = listed(&acme).await;
        text += &said(shore.lake.sweep().await);
        texts.push(shore.hidden(&text));
    }
    agree(
        &texts,
        &expect![[r#"
        sha256:703f5dfa 9437184
        sha256:f1241402 10
        0
    "#]],
    );
}

#[tokio::test]
async fn an_object_with_other_bytes_is_damaged_for_every_reader_and_writer() {
    let mut texts = Vec::new();
    for shore in Shore::each().await {
        let acme = shore.tenant("acme");
        let one = acme.put(b"one".to_vec()).await.unwrap();
        let mut text = String::new();
        for other in [&b"two"[..], b"three", b""] {
            shore.spoil(&path("acme", &one), other).await;
            writeln!(text, "-- {other:?}").unwrap();
            text += &said(acme.get(&one).await);
            text += &said(acme.check(&one).await);
            text += &said(acme.put(b"one".to_vec()).await);
            text += &said(acme.put_stream(&b"one"[..]).await);
            let mut reader = acme.get_stream(&one).await.unwrap();
            text += &said(reader.next().await);
        }
        texts.push(shore.hidden(&text));
    }
    agree(
        &texts,
        &expect![[r#"
        -- [116, 119, 111]
        Damaged: cannot read an object: lake `LAKE`, tenant `acme`, `sha256:7692c3ad`: expected bytes of that digest, found 3 bytes of `sha256:3fc4ccfe`
        hint: restore the object from a backup of the lake; `dalil fsck` lists every one
        Altered { found: sha256:3fc4ccfe, size: 3 }
        Damaged: cannot keep an object: lake `LAKE`, tenant `acme`, `sha256:7692c3ad`: expected bytes of that digest, found bytes of `sha256:3fc4ccfe`
        hint: it is not what the lake wrote; move it away and restore the object
        Damaged: cannot keep an object: lake `LAKE`, tenant `acme`, `sha256:7692c3ad`: expected bytes of that digest, found bytes of `sha256:3fc4ccfe`
        hint: it is not what the lake wrote; move it away and restore the object
        Some(b"two")
        -- [116, 104, 114, 101, 101]
        Damaged: cannot read an object: lake `LAKE`, tenant `acme`, `sha256:7692c3ad`: expected bytes of that digest, found 5 bytes of `sha256:8b5b9db0`
        hint: restore the object from a backup of the lake; `dalil fsck` lists every one
        Altered { found: sha256:8b5b9db0, size: 5 }
        Damaged: cannot keep an object: lake `LAKE`, tenant `acme`, `sha256:7692c3ad`: expected an object of 3 bytes, found one of 5 bytes
        hint: it is not what the lake wrote; move it away and restore the object
        Damaged: cannot keep an object: lake `LAKE`, tenant `acme`, `sha256:7692c3ad`: expected an object of 3 bytes, found one of 5 bytes
        hint: it is not what the lake wrote; move it away and restore the object
        Some(b"three")
        -- []
        Damaged: cannot read an object: lake `LAKE`, tenant `acme`, `sha256:7692c3ad`: expected bytes of that digest, found 0 bytes of `sha256:e3b0c442`
        hint: restore the object from a backup of the lake; `dalil fsck` lists every one
        Altered { found: sha256:e3b0c442, size: 0 }
        Damaged: cannot keep an object: lake `LAKE`, tenant `acme`, `sha256:7692c3ad`: expected an object of 3 bytes, found one of 0 bytes
        hint: it is not what the lake wrote; move it away and restore the object
        Damaged: cannot keep an object: lake `LAKE`, tenant `acme`, `sha256:7692c3ad`: expected an object of 3 bytes, found one of 0 bytes
        hint: it is not what the lake wrote; move it away and restore the object
        Damaged: cannot read an object: lake `LAKE`, tenant `acme`, `sha256:7692c3ad`: expected bytes of that digest, found 0 bytes of `sha256:e3b0c442`
        hint: restore the object from a backup of the lake; `dalil fsck` lists every one
    "#]],
    );
}

#[tokio::test]
async fn what_no_put_makes_is_foreign() {
    let mut texts = Vec::new();
    for shore in Shore::each().await {
        let acme = shore.tenant("acme");
        let one = acme.put(b"one".to_vec()).await.unwrap();
        let hex = one.hex();
        shore.spoil("acme/notes.txt", b"x").await;
        shore.spoil("acme/sha256/ab/cd/notes.txt", b"x").await;
        shore.spoil(&format!("acme/sha256/00/00/{hex}"), b"one").await;
        shore.spoil(&format!("{}.bak", path("acme", &one)), b"one").await;
        shore.spoil("readme", b"x").await;
        shore.spoil("No Tenant/readme", b"x").await;
        let mut text = listed(&acme).await;
        text += &said(shore.lake.tenants().await);
        texts.push(shore.hidden(&text));
    }
    agree(
        &texts,
        &expect![[r#"
            ForeignLakeEntry { path: "acme/notes.txt", what: "a file" }
            ForeignLakeEntry { path: "acme/sha256/00/00/7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed", what: "a file" }
            ForeignLakeEntry { path: "acme/sha256/76/92/7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed.bak", what: "a file" }
            ForeignLakeEntry { path: "acme/sha256/ab/cd/notes.txt", what: "a file" }
            sha256:7692c3ad 3
            (["acme"], [ForeignLakeEntry { path: "No Tenant", what: "a folder" }, ForeignLakeEntry { path: "readme", what: "a file" }])
        "#]],
    );
}

#[tokio::test]
async fn a_source_that_fails_leaves_nothing() {
    let mut texts = Vec::new();
    for shore in Shore::each().await {
        let acme = shore.tenant("acme");
        let source = tokio::io::AsyncReadExt::chain(&b"half of it"[..], Broken);
        let mut text = said(acme.put_stream(source).await);
        text += &format!("[{}]\n", listed(&acme).await);
        text += &said(shore.lake.sweep().await);
        texts.push(shore.hidden(&text));
    }
    agree(
        &texts,
        &expect![[r#"
        Unavailable: cannot keep an object: lake `LAKE`, tenant `acme`: expected bytes to keep, found the client went away
        hint: nothing was kept
        []
        0
    "#]],
    );
}

/// A reader that fails.
struct Broken;

impl tokio::io::AsyncRead for Broken {
    fn poll_read(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
        _: &mut tokio::io::ReadBuf<'_>,
    ) -> std::task::Poll<std::io::Result<()>> {
        std::task::Poll::Ready(Err(std::io::Error::other("the client went away")))
    }
}
