//! Stores to run the program on: a folder, or a database and a lake.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// The output of the program.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) exit: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Output {
    /// The reply, as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The reply of a command that must have succeeded.
    #[track_caller]
    pub(crate) fn done(&self) -> Value {
        assert_eq!(self.exit, 0, "{self:?}");
        self.json()
    }
}

/// A place for a store.
#[derive(Clone, Debug)]
pub(crate) struct Home {
    /// The folder that commands run in, with the identity.
    pub(crate) dir: PathBuf,
    pub(crate) store: String,
    pub(crate) lake: Option<String>,
    /// How many kilobytes a file may have.
    pub(crate) limit: Option<u32>,
}

impl Home {
    /// A store in a folder.
    #[track_caller]
    pub(crate) fn folder(name: &str) -> Self {
        Self { dir: folder(name), store: "file:data".to_owned(), lake: None, limit: None }
    }

    /// A new database with a lake in a folder, where the tests were given a server.
    #[track_caller]
    pub(crate) fn postgres(name: &str) -> Option<Self> {
        Some(Self::on_server(name, &given("DALIL_TEST_POSTGRES")?))
    }

    /// A new database on a server.
    #[track_caller]
    pub(crate) fn on_server(name: &str, server: &str) -> Self {
        let dir = folder(name);
        // Two checkouts may test on one server.
        let mut hasher = DefaultHasher::new();
        dir.hash(&mut hasher);
        let database = format!("keeping_{:016x}", hasher.finish());
        for statement in ["DROP DATABASE IF EXISTS", "CREATE DATABASE"] {
            let mut psql = Command::new("psql");
            psql.args([server, "--quiet", "--command"]).arg(format!("{statement} {database}"));
            let made = psql.env("PGOPTIONS", "--client-min-messages=warning").output().unwrap();
            assert!(made.status.success(), "{made:?}");
        }
        let store = format!("{}/{database}", server.rsplit_once('/').unwrap().0);
        Self { dir, store, lake: Some("file:lake".to_owned()), limit: None }
    }

    /// The command `dalil` with these arguments, on this store.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let program = env!("CARGO_BIN_EXE_dalil");
        let mut command = Command::new(self.limit.map_or(program, |_| "bash"));
        if let Some(limit) = self.limit {
            // A write beyond the limit is then an error, and no signal.
            let script = format!("trap '' XFSZ; ulimit -f {limit}; exec \"$0\" \"$@\"");
            command.args(["-c", &script, program]);
        }
        command.args(args).current_dir(&self.dir).env("DALIL_STORE", &self.store);
        command.env("DALIL_IDENTITY", "identity").env_remove("DALIL_TENANT");
        // A deep model of this machine would change verdicts.
        command.env("XDG_DATA_HOME", "/nowhere");
        if let Some(lake) = &self.lake {
            command.env("DALIL_LAKE", lake);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs `dalil` to its end, with `input` on standard input.
    #[track_caller]
    pub(crate) fn dalil(&self, args: &[&str], input: &[u8]) -> Output {
        let mut child = self.command(args).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        // The program may answer and leave before it has read everything.
        let feed = std::thread::spawn(move || stdin.write_all(&input).unwrap_or_default());
        let output = child.wait_with_output().unwrap();
        feed.join().unwrap();
        Output {
            exit: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Makes a tenant.
    #[track_caller]
    pub(crate) fn tenant(&self, name: &str) {
        let origin = format!("dalil.example/{name}");
        let made = self.dalil(&["tenant", "create", name, "--origin", &origin], b"");
        assert_eq!(made.exit, 0, "{made:?}");
    }

    /// Nothing disagrees.
    #[track_caller]
    pub(crate) fn sound(&self) {
        let checked = self.dalil(&["fsck"], b"");
        assert_eq!(checked.exit, 0, "{checked:?}");
    }

    /// Writes a file and the folders above it.
    #[track_caller]
    pub(crate) fn put(&self, path: &str, bytes: &[u8]) {
        let path = self.dir.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        File::create(path).and_then(|mut file| file.write_all(bytes)).unwrap();
    }
}

/// An empty folder under the build folder.
#[track_caller]
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("keeping").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A setting of the environment for a server of the tests.
pub(crate) fn given(name: &str) -> Option<String> {
    std::env::var_os(name)?.into_string().ok()
}

/// How often something is done: `usual`, unless the environment sets another number.
#[track_caller]
pub(crate) fn count(name: &str, usual: u64) -> u64 {
    given(name).map_or(usual, |count| count.parse().unwrap())
}

/// Adds a line to the results of `suite/resilience`.
#[track_caller]
pub(crate) fn tell(line: &str) {
    if let Some(file) = given("DALIL_TEST_RESULTS") {
        let mut file = File::options().append(true).create(true).open(file).unwrap();
        file.write_all(format!("{line}\n").as_bytes()).unwrap();
    }
}

/// Numbers that look random, the same in every run.
#[derive(Debug)]
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % limit
    }
}
