//! A server of its own for each test: a store with two tenants, members and keys.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use ureq::http::Request;

use crate::contract::contract;

/// A server that runs.
pub(crate) struct Server {
    pub(crate) base: String,
    dir: PathBuf,
    child: Child,
    log: Arc<Mutex<Vec<String>>>,
}

/// An answer of the server.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {} {}", self.status, self.text()))
    }

    #[track_caller]
    pub(crate) fn is(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text());
        self.json()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }
}

/// A folder with a store in it: tenants `acme` and `zenith`, each with its members.
pub(crate) fn folder(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("dalil-serving-{}-{name}", std::process::id()));
    fs::remove_dir_all(&dir).unwrap_or_default();
    fs::create_dir_all(&dir).unwrap();
    fill(&dir);
    dir
}

/// The same on a database that several servers can share, where the tests were given a
/// PostgreSQL: every command in the folder works on it.
pub(crate) fn shared(name: &str) -> Option<PathBuf> {
    let server = std::env::var_os("DALIL_TEST_POSTGRES")?.into_string().ok()?;
    let dir = std::env::temp_dir().join(format!("dalil-serving-{}-{name}", std::process::id()));
    fs::remove_dir_all(&dir).unwrap_or_default();
    fs::create_dir_all(&dir).unwrap();
    let database = format!("serving_{}_{name}", std::process::id());
    for statement in ["DROP DATABASE IF EXISTS", "CREATE DATABASE"] {
        let mut psql = Command::new("psql");
        psql.args([&server, "--quiet", "--command"]).arg(format!("{statement} {database}"));
        let made = psql.env("PGOPTIONS", "--client-min-messages=warning").output().unwrap();
        assert!(made.status.success(), "{made:?}");
    }
    write(&dir.join("store"), &format!("{}/{database}", server.rsplit_once('/').unwrap().0));
    fill(&dir);
    Some(dir)
}

fn fill(dir: &Path) {
    for tenant in ["acme", "zenith"] {
        let origin = format!("dalil.example/{tenant}");
        // Before everything that the tests date: nothing of a trail is older than the trail.
        let since = ["--at", "2019-12-31T00:00:00Z"];
        dalil(dir, &[&["tenant", "create", tenant, "--origin", &origin], &since[..]].concat());
        for (member, role) in [("amal", "admin"), ("noura", "approver"), ("sami", "viewer")] {
            let to = ["--tenant", tenant, "--actor", "system"];
            dalil(dir, &[&["member", "add", member, "--role", role], &to[..]].concat());
        }
    }
}

/// The program, on the store of a folder.
fn program(dir: &Path) -> Command {
    on_store(Command::new(env!("CARGO_BIN_EXE_dalil")), dir)
}

/// The program, which may open few files unless it asks the system for more.
fn program_with_few_files(dir: &Path) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", r#"ulimit -S -n 128 && exec "$0" "$@""#, env!("CARGO_BIN_EXE_dalil")]);
    on_store(shell, dir)
}

fn on_store(mut command: Command, dir: &Path) -> Command {
    command.current_dir(dir).env_remove("DALIL_STORE").env("XDG_DATA_HOME", "/nowhere");
    if let Ok(store) = fs::read_to_string(dir.join("store")) {
        command.env("DALIL_STORE", store).env("DALIL_LAKE", "file:lake");
        command.env("DALIL_IDENTITY", "identity");
    }
    command
}

/// Records the decision of a request for a pack, and seals the pack.
#[track_caller]
pub(crate) fn seal(server: &Server, key: &str, request: &[u8]) {
    let pack: Value = serde_json::from_slice(request).unwrap();
    let decision = pack["decision"].to_string();
    server.ask("POST", "/api/v1/decisions", key, Some(decision.as_bytes())).is(201);
    server.ask("POST", "/api/v1/packs/seal", key, Some(request)).is(201);
}

/// Writes a file.
pub(crate) fn write(path: &Path, text: &str) {
    fs::File::create(path).unwrap().write_all(text.as_bytes()).unwrap();
}

/// Runs the program in a folder, and gives its reply.
#[track_caller]
pub(crate) fn dalil(dir: &Path, args: &[&str]) -> Value {
    let mut command = program(dir);
    command.args(args).arg("--json");
    let done = command.output().unwrap();
    assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
    serde_json::from_slice(&done.stdout).unwrap_or_default()
}

/// A key of a member of a tenant, for these scopes.
pub(crate) fn key(dir: &Path, tenant: &str, who: &str, scopes: &[&str]) -> String {
    let mut args = vec!["apikey", "add", "--tenant", tenant, "--for", who, "--actor", "system"];
    for scope in scopes {
        args.extend(["--scope", scope]);
    }
    dalil(dir, &args)["api_key"].as_str().unwrap().to_owned()
}

pub(crate) const ALL: [&str; 5] = ["view", "record", "review", "export", "administer"];

impl Server {
    /// Starts a server over the store in a folder.
    pub(crate) fn start(dir: PathBuf, config: &str) -> Self {
        let command = program(&dir);
        Self::start_as(command, dir, config)
    }

    /// Starts one as many systems do: with fewer open files than it takes connections.
    #[track_caller]
    pub(crate) fn start_with_few_files(dir: PathBuf, config: &str) -> Self {
        let command = program_with_few_files(&dir);
        Self::start_as(command, dir, config)
    }

    #[track_caller]
    fn start_as(mut command: Command, dir: PathBuf, config: &str) -> Self {
        write(&dir.join("server.json"), config);
        let mut child = command
            .args(["serve", "--listen", "127.0.0.1:0", "--config", "server.json"])
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut base = None;
        let mut before = Vec::new();
        for line in lines.by_ref() {
            let line = line.unwrap();
            if let Some(at) = line.strip_prefix("listening on ") {
                base = Some(at.to_owned());
                break;
            }
            before.push(line);
        }
        let base = base.unwrap_or_else(|| panic!("the server did not begin: {before:?}"));
        let log = Arc::new(Mutex::new(Vec::new()));
        let own = Arc::clone(&log);
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                own.lock().unwrap().push(line);
            }
        });
        Self { base, dir, child, log }
    }

    /// The number of its process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The folder of its store.
    pub(crate) fn dir(&self) -> &PathBuf {
        &self.dir
    }

    /// Asks for something.
    #[track_caller]
    pub(crate) fn ask(&self, method: &str, path: &str, key: &str, body: Option<&[u8]>) -> Answer {
        self.ask_with((method, path), key, &[], body)
    }

    /// Asks for something, with headers. Fails where the document does not describe the reply.
    #[track_caller]
    pub(crate) fn ask_with(
        &self,
        (method, path): (&str, &str),
        key: &str,
        headers: &[(&str, &str)],
        body: Option<&[u8]>,
    ) -> Answer {
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.base));
        if !key.is_empty() {
            request = request.header("authorization", format!("Bearer {key}"));
        }
        if body.is_some() && !headers.iter().any(|(name, _)| *name == "content-type") {
            request = request.header("content-type", "application/json");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let agent = agent();
        let reply = match body {
            Some(body) => agent.run(request.body(body.to_vec()).unwrap()),
            None => agent.run(request.body(()).unwrap()),
        };
        let answer = answer(reply.unwrap());
        contract().check((method, path), body, &answer);
        answer
    }

    /// The log so far.
    pub(crate) fn log(&self) -> String {
        self.log.lock().unwrap().join("\n")
    }

    /// Ends the server as the system does, and returns its exit code.
    pub(crate) fn stop(&mut self) -> Option<i32> {
        self.signal("-TERM");
        self.child.wait().unwrap().code()
    }

    /// Sends it a signal.
    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    /// Ends it without a word.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().unwrap_or_default();
        self.child.wait().ok();
        fs::remove_dir_all(&self.dir).unwrap_or_default();
    }
}

pub(crate) fn agent() -> ureq::Agent {
    let config = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .allow_non_standard_methods(true)
        .timeout_global(Some(Duration::from_secs(120)))
        .build();
    config.new_agent()
}

pub(crate) fn answer(mut reply: ureq::http::Response<ureq::Body>) -> Answer {
    let status = reply.status().as_u16();
    let text =
        |value: &ureq::http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers = reply.headers().iter().map(|(name, value)| (name.to_string(), text(value)));
    let headers = headers.collect();
    let body = reply.body_mut().with_config().limit(64 << 20).read_to_vec().unwrap();
    Answer { status, headers, body }
}

pub(crate) const QUICK: &str = r#"{"limits":{"rate":100000,"burst":100000}}"#;
