use std::fs::{self, DirBuilder, File, Permissions};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};

use super::ScratchDir;

/// A folder of its own for each test, gone with it.
struct TestParent(PathBuf);

impl TestParent {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("dalil-scratch-{}-{name}", std::process::id()));
        fs::remove_dir_all(&path).unwrap_or_default();
        DirBuilder::new().mode(0o700).create(&path).unwrap();
        Self(path)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for TestParent {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap_or_default();
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

#[test]
fn a_scratch_folder_is_private_and_goes_with_its_server() {
    let parent = TestParent::new("private");
    let (one, other) = (ScratchDir::make(&parent.0).unwrap(), ScratchDir::make(&parent.0).unwrap());
    assert_ne!(one.path(), other.path());
    assert_eq!((mode(one.path()), mode(&one.path().join("lock"))), (0o700, 0o600));
    assert_eq!(parent.names().len(), 2, "one that lives is left alone");
    drop((one, other));
    assert_eq!(parent.names(), [""; 0]);
    let made = parent.0.join("new").join("deep");
    drop(ScratchDir::make(&made).unwrap());
    assert_eq!(mode(&made), 0o700);
}

#[test]
fn what_a_killed_server_left_goes_when_the_next_one_starts() {
    let parent = TestParent::new("swept");
    let left = parent.0.join("dalil-serve-0123");
    fs::create_dir_all(left.join("upload-1")).unwrap();
    File::create(left.join("lock")).unwrap();
    fs::create_dir(parent.0.join("dalil-serve-young")).unwrap();
    fs::create_dir(parent.0.join("other")).unwrap();
    let own = ScratchDir::make(&parent.0).unwrap();
    assert!(own.path().exists());
    drop(own);
    assert_eq!(parent.names(), ["dalil-serve-young", "other"]);
}

#[test]
fn a_folder_where_others_exchange_files_is_refused() {
    let parent = TestParent::new("open");
    fs::set_permissions(&parent.0, Permissions::from_mode(0o777)).unwrap();
    let refused = ScratchDir::make(&parent.0).unwrap_err().to_string();
    assert!(refused.starts_with("expected a scratch folder that only its owner can write to"));
    fs::set_permissions(&parent.0, Permissions::from_mode(0o1777)).unwrap();
    assert!(ScratchDir::make(&parent.0).is_ok());
}

#[test]
fn a_folder_of_somebody_else_is_refused() {
    let parent = TestParent::new("foreign");
    // Only root can give a folder away; others cannot show this.
    if chown(&parent.0, Some(4242), None).is_err() {
        return;
    }
    let refused = ScratchDir::make(&parent.0).unwrap_err().to_string();
    let expected = format!(
        "expected a scratch folder of this user, 0, or of root, found {}, which is of user 4242",
        parent.0.display()
    );
    assert_eq!((refused, parent.names()), (expected, Vec::new()));
}

#[test]
fn servers_that_start_at_once_leave_each_other_alone() {
    let parent = TestParent::new("at-once");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..100 {
                    let own = ScratchDir::make(&parent.0).unwrap();
                    assert_eq!(mode(&own.path().join("lock")), 0o600);
                    assert!(!own.path().join("lock.new").exists());
                }
            });
        }
    });
    assert_eq!(parent.names(), [""; 0]);
}
