use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use dalil_proof::digest::Digest;
use expect_test::expect;

use super::{Shore, agree, check, large, listed, said, short};
use crate::lake::{ErasureAuthorization, Lake, LakeBackend};
use crate::place::LakePlace;
use crate::scratch::StoreTestDir;

fn time(text: &str) -> dalil_proof::time::Time {
    text.parse().unwrap()
}

#[tokio::test]
async fn a_locked_object_outlives_its_erasure() {
    let Some(shore) = Shore::bucket("DALIL_TEST_S3_LOCKED").await else { return };
    let acme = shore.tenant("acme");
    let (soon, later) = (time("2098-01-01T00:00:00Z"), time("2099-01-01T00:00:00.500Z"));
    let mut text = String::new();
    text += &said(acme.put_retained(b"pack".to_vec(), soon).await);
    text += &said(acme.put_retained(b"pack".to_vec(), soon).await);
    text += &said(acme.put_retained(b"pack".to_vec(), later).await);
    text += &said(acme.put(b"plain".to_vec()).await);
    text += &said(acme.put_retained(b"plain".to_vec(), soon).await);
    let past = time("2001-01-01T00:00:00Z");
    text += &said(acme.put_retained(b"past".to_vec(), past).await);
    let erasure = ErasureAuthorization::recorded("acme", 3);
    text += &said(acme.delete(&Digest::of(b"pack"), &erasure).await);
    text += &said(acme.get(&Digest::of(b"pack")).await);
    check(
        &shore,
        &text,
        &expect![[r#"
            (sha256:4862f447, Locked)
            (sha256:4862f447, Locked)
            (sha256:4862f447, Locked)
            sha256:a116c9ed
            (sha256:a116c9ed, Locked)
            Refused: cannot keep an object: lake `LAKE`, tenant `acme`, `sha256:84ccdf8a`: expected a time to come until which the object is locked, found 2001-01-01T00:00:00.000Z
            hint: a lock begins when it is made; give a later time
            Refused: cannot delete an object: lake `LAKE`, tenant `acme`, `sha256:4862f447`: expected an object that may be deleted, found a server that refuses (`AccessDenied`)
            hint: it is locked until its retention ends, or the credentials may not delete
            [112, 97, 99, 107]
        "#]],
    );
}

#[tokio::test]
async fn without_object_lock_the_trail_alone_retains() {
    let mut texts = Vec::new();
    for shore in Shore::each().await {
        let acme = shore.tenant("acme");
        let later = time("2099-01-01T00:00:00Z");
        let mut text = said(acme.put_retained(b"pack".to_vec(), later).await);
        text += &said(acme.put_retained(b"pack".to_vec(), later).await);
        text += &said(acme.get(&Digest::of(b"pack")).await);
        texts.push(shore.hidden(&text));
    }
    agree(
        &texts,
        &expect![[r#"
        (sha256:4862f447, Trail)
        (sha256:4862f447, Trail)
        [112, 97, 99, 107]
    "#]],
    );
}

/// A bucket with object lock keeps versions; an erasure must reach all of them.
#[tokio::test]
async fn an_erasure_takes_every_version() {
    let Some(shore) = Shore::bucket("DALIL_TEST_S3_LOCKED").await else { return };
    let acme = shore.tenant("acme");
    let LakeBackend::Bucket(bucket) = &shore.lake.engine else { panic!() };
    let one = Digest::of(b"one");
    let key = crate::lake::key::ObjectKey::new(&acme.tenant, one);
    let path = bucket.path(&key);
    for _ in 0..3 {
        let put = object_store::ObjectStoreExt::put(&bucket.store, &path, b"one".to_vec().into());
        put.await.unwrap();
    }
    let erasure = ErasureAuthorization::recorded("acme", 3);
    let mut text = format!("{} versions\n", bucket.versions(&key, &path).await.unwrap().len());
    text += &said(acme.delete(&one, &erasure).await);
    text += &format!("{} versions\n", bucket.versions(&key, &path).await.unwrap().len());
    text += &said(acme.delete(&one, &erasure).await);
    text += &said(acme.get(&one).await);
    check(
        &shore,
        &text,
        &expect![[r#"
            3 versions
            true
            0 versions
            false
            Damaged: cannot read an object: lake `LAKE`, tenant `acme`, `sha256:7692c3ad`: expected an object, found none
            hint: restore the object from a backup of the lake; `dalil fsck` lists every one
        "#]],
    );
}

#[tokio::test]
async fn a_bucket_that_is_not_there_is_said_so() {
    let Some(shore) = Shore::bucket("DALIL_TEST_S3").await else { return };
    let LakePlace::Bucket(mut place) = shore.place.clone() else { panic!() };
    "no-such-bucket".clone_into(&mut place.bucket);
    place.prefix.clear();
    let mut text = said(Lake::open(&LakePlace::Bucket(place)).await.map(drop));
    let nobody = LakePlace::parse("s3://dalil?endpoint=http://127.0.0.1:1").unwrap();
    text += &said(Lake::open(&nobody).await.map(drop));
    let endpoint = shore.place.to_string();
    let endpoint = endpoint.rsplit_once(' ').unwrap().1;
    expect![[r#"
        Unavailable: cannot open the lake: lake `s3://no-such-bucket at ENDPOINT`: expected an answer of the server, found no such bucket
        hint: make the bucket, or correct its name, its endpoint and its region
        Unavailable: cannot open the lake: lake `s3://dalil at http://127.0.0.1:1`: expected an answer of the server, found no connection
        hint: see that the server runs and can be reached; doing it again is safe
    "#]].assert_eq(&short(&text.replace(endpoint, "ENDPOINT")));
}

/// A server of its own stops and starts again while objects are put.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_loses_nothing_that_was_acknowledged() {
    if std::env::var_os("DALIL_TEST_S3").is_none() {
        return;
    }
    let server = Server::start();
    let lake = Lake::open(&LakePlace::parse(&server.place).unwrap()).await.unwrap();
    let acme = lake.tenant("acme").unwrap();
    let mut kept = Vec::new();
    for n in 0..8_u32 {
        kept.push(acme.put(n.to_le_bytes().to_vec()).await.unwrap());
    }

    // Uploads in parts are under way when the server goes.
    let uploads: Vec<_> = (0..3_usize)
        .map(|n| {
            let acme = acme.clone();
            tokio::spawn(async move { acme.put(large((24 << 20) + n)).await })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(300)).await;
    server.run("stop");
    let mut text = String::new();
    for upload in uploads {
        match upload.await.unwrap() {
            Ok(digest) => kept.push(digest),
            Err(error) => assert_eq!(error.kind, crate::ErrorKind::Unavailable, "{error}"),
        }
    }
    text += &said(acme.put(b"while it is away".to_vec()).await);
    text += &said(acme.get(&kept[0]).await);

    // A put that waits finds the server again.
    let waiting = tokio::spawn({
        let acme = acme.clone();
        async move { acme.put(b"while it comes back".to_vec()).await }
    });
    server.run("start");
    match waiting.await.unwrap() {
        // It took longer to come back than a put waits; then the caller does it again.
        Err(_) => text += &said(acme.put(b"while it comes back".to_vec()).await),
        put => text += &said(put),
    }
    for digest in &kept {
        acme.get(digest).await.unwrap();
    }
    let all = listed(&acme).await;
    for line in all.lines() {
        let digest: Digest = line.split(' ').next().unwrap().parse().unwrap();
        acme.get(&digest).await.unwrap();
    }
    text += &said(acme.put(b"while it is away".to_vec()).await);
    let endpoint = server.place.rsplit_once('=').unwrap().1;
    expect![[r#"
        Unavailable: cannot keep an object: lake `s3://dalil/test at ENDPOINT`, tenant `acme`, `sha256:534ca74c`: expected an answer of the server, found no connection
        hint: see that the server runs and can be reached; doing it again is safe
        Unavailable: cannot read an object: lake `s3://dalil/test at ENDPOINT`, tenant `acme`, `sha256:df3f6198`: expected an answer of the server, found no connection
        hint: see that the server runs and can be reached; doing it again is safe
        sha256:2d5adbe6
        sha256:534ca74c
    "#]].assert_eq(&short(&text.replace(endpoint, "ENDPOINT")));
}

/// A server of one test, stopped and gone when dropped.
struct Server {
    place: String,
    scratch: StoreTestDir,
}

impl Server {
    fn start() -> Self {
        let mut server = Self { place: String::new(), scratch: StoreTestDir::new() };
        let said = server.run("start");
        let (_, place) = said.split_once("DALIL_TEST_S3='").unwrap();
        place.split_once('\'').unwrap().0.clone_into(&mut server.place);
        server
    }

    fn run(&self, what: &str) -> String {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/servers/s3");
        let dir: PathBuf = self.scratch.path("server");
        let done = Command::new(script).arg(what).arg(dir).output().unwrap();
        assert!(done.status.success(), "{done:?}");
        String::from_utf8(done.stdout).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.run("stop");
    }
}
