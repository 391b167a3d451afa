use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use dalil_proof::digest::Digest;
use expect_test::expect;

use super::{Shore, agree, check, listed, path, said};
use crate::lake::{ErasureAuthorization, Lake};
use crate::place::LakePlace;
use crate::scratch::write;

/// A link on the way to an object leads nowhere: nothing is read or written through it.
#[tokio::test]
async fn no_link_is_followed() {
    let shore = Shore::folder().await;
    let outside = shore.scratch.path("outside");
    let lake = shore.scratch.path("lake");
    let one = Digest::of(b"one");
    // The same bytes, where a link could find them.
    write(&outside.join(path("acme", &one)), b"one");
    let steps = ["acme", "acme/sha256", "acme/sha256/76", &path("acme", &one)];
    let (mut texts, mut links) = (Vec::new(), String::new());
    for step in steps {
        fs::create_dir_all(lake.join(step).parent().unwrap()).unwrap();
        symlink(outside.join(step), lake.join(step)).unwrap();
        let acme = shore.tenant("acme");
        let mut text = String::new();
        text += &said(acme.get(&one).await);
        text += &said(acme.has(&one).await);
        text += &said(acme.check(&one).await);
        text += &said(acme.put(b"one".to_vec()).await);
        text += &said(acme.put_stream(&b"one"[..]).await);
        texts.push(shore.hidden(&text));
        if step == "acme" {
            links += &said(shore.lake.tenants().await);
        } else {
            links += &listed(&acme).await;
        }
        fs::remove_file(lake.join(step)).unwrap();
    }
    agree(
        &texts,
        &expect![[r#"
        Damaged: cannot read an object: lake `LAKE`, tenant `acme`, `sha256:7692c3ad`: expected an object, found something that is no file
        hint: restore the object from a backup of the lake; `dalil fsck` lists every one
        Damaged: cannot read an object: lake `LAKE`, tenant `acme`, `sha256:7692c3ad`: expected an object, found something that is no file
        hint: it is not what the lake wrote; move it away and restore the object
        Strange
        Damaged: cannot keep an object: lake `LAKE`, tenant `acme`, `sha256:7692c3ad`: expected an object, found something that is no file
        hint: it is not what the lake wrote; move it away and restore the object
        Damaged: cannot keep an object: lake `LAKE`, tenant `acme`, `sha256:7692c3ad`: expected an object, found something that is no file
        hint: it is not what the lake wrote; move it away and restore the object
    "#]],
    );
    expect![[r#"
        ([], [ForeignLakeEntry { path: "acme", what: "a link" }])
        ForeignLakeEntry { path: "acme/sha256", what: "a link" }
        ForeignLakeEntry { path: "acme/sha256/76", what: "a link" }
        ForeignLakeEntry { path: "acme/sha256/76/92/7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed", what: "a link" }
    "#]].assert_eq(&links);
    assert_eq!(fs::read_dir(outside.join("acme/sha256")).unwrap().count(), 1);
}

#[tokio::test]
async fn a_link_in_place_of_the_parts_is_no_way_out() {
    let shore = Shore::folder().await;
    let outside = shore.scratch.path("outside");
    fs::create_dir(&outside).unwrap();
    symlink(&outside, shore.scratch.path("lake/.part")).unwrap();
    let text = said(shore.tenant("acme").put(b"one".to_vec()).await);
    check(
        &shore,
        &text,
        &expect![[r#"
            Unavailable: cannot keep an object: lake `LAKE`, tenant `acme`, `sha256:7692c3ad`: expected a place that can be written, found Not a directory (os error 20)
            hint: look at the disk; nothing was kept, and doing it again is safe
        "#]],
    );
    assert_eq!(fs::read_dir(outside).unwrap().count(), 0);
}

#[tokio::test]
async fn something_that_is_no_file_is_no_object() {
    let shore = Shore::folder().await;
    let acme = shore.tenant("acme");
    let one = acme.put(b"one".to_vec()).await.unwrap();
    let file = shore.scratch.path("lake").join(path("acme", &one));
    let mut text = String::new();
    for make in ["mkfifo", "mkdir"] {
        fs::remove_file(&file).unwrap();
        assert!(Command::new(make).arg(&file).status().unwrap().success());
        text += &said(acme.get(&one).await);
        text += &said(acme.check(&one).await);
        text += &said(acme.put(b"one".to_vec()).await);
        text += &listed(&acme).await;
    }
    text += &said(acme.delete(&one, &ErasureAuthorization::recorded("acme", 1)).await);
    check(
        &shore,
        &text,
        &expect![[r#"
            Damaged: cannot read an object: lake `LAKE`, tenant `acme`, `sha256:7692c3ad`: expected an object, found something that is no file
            hint: restore the object from a backup of the lake; `dalil fsck` lists every one
            Strange
            Damaged: cannot keep an object: lake `LAKE`, tenant `acme`, `sha256:7692c3ad`: expected an object, found something that is no file
            hint: it is not what the lake wrote; move it away and restore the object
            ForeignLakeEntry { path: "acme/sha256/76/92/7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed", what: "something that is no file" }
            Damaged: cannot read an object: lake `LAKE`, tenant `acme`, `sha256:7692c3ad`: expected an object, found something that is no file
            hint: restore the object from a backup of the lake; `dalil fsck` lists every one
            Strange
            Damaged: cannot keep an object: lake `LAKE`, tenant `acme`, `sha256:7692c3ad`: expected an object, found something that is no file
            hint: it is not what the lake wrote; move it away and restore the object
            ForeignLakeEntry { path: "acme/sha256/76/92/7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed", what: "a folder" }
            Unavailable: cannot delete an object: lake `LAKE`, tenant `acme`, `sha256:7692c3ad`: expected a folder that can be written, found Is a directory (os error 21)
            hint: the object is still there, or may be; doing it again is safe
        "#]],
    );
}

#[tokio::test]
async fn a_crash_leaves_parts_that_a_sweep_removes() {
    let shore = Shore::folder().await;
    let acme = shore.tenant("acme");
    let parts = shore.scratch.path("lake/.part");
    write(&parts.join("half"), b"half of an obj");
    symlink("/nowhere", parts.join("link")).unwrap();
    // A writer at work, whose part must stay.
    let (reader, mut writer) = tokio::io::duplex(16);
    let put = tokio::spawn({
        let acme = acme.clone();
        async move { acme.put_stream(reader).await }
    });
    tokio::io::AsyncWriteExt::write_all(&mut writer, b"first half, ").await.unwrap();
    while fs::read_dir(&parts).unwrap().count() < 3 {
        tokio::task::yield_now().await;
    }
    let mut text = format!("[{}]\n", listed(&acme).await);
    text += &said(shore.lake.tenants().await);
    text += &said(shore.lake.sweep().await);
    text += &said(shore.lake.sweep().await);
    tokio::io::AsyncWriteExt::write_all(&mut writer, b"second half").await.unwrap();
    drop(writer);
    text += &said(put.await.unwrap());
    text += &listed(&acme).await;
    check(
        &shore,
        &text,
        &expect![[r#"
            []
            ([], [])
            2
            0
            (sha256:8b4756ee, 23)
            sha256:8b4756ee 23
        "#]],
    );
    assert_eq!(fs::read_dir(&parts).unwrap().count(), 0);
}

#[tokio::test]
async fn a_lake_that_is_not_there_is_said_so() {
    let shore = Shore::folder().await;
    let none = LakePlace::Folder(shore.scratch.path("lake/none"));
    write(&shore.scratch.path("lake/file"), b"x");
    let file = LakePlace::Folder(shore.scratch.path("lake/file"));
    let below = LakePlace::Folder(shore.scratch.path("lake/file/lake"));
    let mut text = String::new();
    text += &said(Lake::open(&none).await.map(drop));
    text += &said(Lake::open(&file).await.map(drop));
    text += &said(Lake::create(&file).await.map(drop));
    text += &said(Lake::create(&below).await.map(drop));
    text += &said(Lake::create(&none).await.map(drop));
    text += &said(Lake::open(&none).await.map(drop));
    check(
        &shore,
        &text,
        &expect![[r#"
        Unavailable: cannot open the lake: lake `LAKE/none`: expected a folder that can be read, found No such file or directory (os error 2)
        hint: name the folder where the lake is, and run as a user that may read it
        Unavailable: cannot open the lake: lake `LAKE/file`: expected a folder that can be read, found Not a directory (os error 20)
        hint: name the folder where the lake is, and run as a user that may read it
        Unavailable: cannot open the lake: lake `LAKE/file`: expected a folder that can be read, found Not a directory (os error 20)
        hint: name the folder where the lake is, and run as a user that may read it
        Unavailable: cannot open the lake: lake `LAKE/file/lake`: expected a folder that can be made, found Not a directory (os error 20)
        hint: check that the folder above it is there and can be written
        ()
        ()
    "#]],
    );
}

/// On a file system of one mebibyte, where the test may mount one.
#[tokio::test]
async fn a_full_or_read_only_disk_keeps_what_it_has_and_nothing_else() {
    let shore = Shore::folder().await;
    let dir = shore.scratch.path("lake");
    let Some(mount) = Mount::new(&dir) else { return };
    let place = LakePlace::Folder(dir.clone());
    let lake = Lake::open(&place).await.unwrap();
    let acme = lake.tenant("acme").unwrap();
    let mut text = String::new();
    text += &said(acme.put(b"one".to_vec()).await);
    text += &said(acme.put(vec![7; 2 << 20]).await);
    text += &said(acme.put_stream(&vec![7; 2 << 20][..]).await);
    text += &said(lake.sweep().await);
    text += &listed(&acme).await;
    mount.read_only();
    text += "-- read-only\n";
    text += &said(acme.put(b"two".to_vec()).await);
    text += &said(acme.put_stream(&b"two"[..]).await);
    text += &said(acme.put(b"one".to_vec()).await);
    text += &said(acme.get(&Digest::of(b"one")).await);
    text +=
        &said(acme.delete(&Digest::of(b"one"), &ErasureAuthorization::recorded("acme", 1)).await);
    text += &listed(&acme).await;
    drop((acme, lake));
    check(
        &shore,
        &text,
        &expect![[r#"
            sha256:7692c3ad
            Unavailable: cannot keep an object: lake `LAKE`, tenant `acme`, `sha256:c406296b`: expected a place that can be written, found No space left on device (os error 28)
            hint: free some space and do it again
            Unavailable: cannot keep an object: lake `LAKE`, tenant `acme`: expected a place that can be written, found No space left on device (os error 28)
            hint: free some space and do it again
            0
            sha256:7692c3ad 3
            -- read-only
            Unavailable: cannot keep an object: lake `LAKE`, tenant `acme`, `sha256:3fc4ccfe`: expected a place that can be written, found Read-only file system (os error 30)
            hint: let the user that runs the program write there
            Unavailable: cannot keep an object: lake `LAKE`, tenant `acme`: expected a place that can be written, found Read-only file system (os error 30)
            hint: let the user that runs the program write there
            sha256:7692c3ad
            [111, 110, 101]
            Unavailable: cannot delete an object: lake `LAKE`, tenant `acme`, `sha256:7692c3ad`: expected a folder that can be written, found Read-only file system (os error 30)
            hint: the object is still there, or may be; doing it again is safe
            sha256:7692c3ad 3
        "#]],
    );
}

/// A small file system in memory, gone when dropped.
struct Mount<'d>(&'d Path);

impl<'d> Mount<'d> {
    fn new(dir: &'d Path) -> Option<Self> {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=1m", "dalil"]).arg(dir);
        mount.output().is_ok_and(|done| done.status.success()).then_some(Self(dir))
    }

    fn read_only(&self) {
        let mut mount = Command::new("mount");
        mount.args(["-o", "remount,ro"]).arg(self.0);
        assert!(mount.status().unwrap().success());
    }
}

impl Drop for Mount<'_> {
    fn drop(&mut self) {
        Command::new("umount").arg("--lazy").arg(self.0).status().unwrap();
    }
}
