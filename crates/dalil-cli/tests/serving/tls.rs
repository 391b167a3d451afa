//! Encrypted connections, by clients that are not ours: `openssl` and Node.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::server::{Server, folder, write};

/// Runs a program in a folder; its standard input is empty.
fn run(dir: &Path, program: &str, args: &[&str]) -> Output {
    Command::new(program).current_dir(dir).args(args).stdin(Stdio::null()).output().unwrap()
}

/// A certificate for `localhost` and its key, valid for `days` days.
fn certificate(dir: &Path, name: &str, days: &str) {
    let (key, file) = (format!("{name}.key"), format!("{name}.pem"));
    let usual = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
    let named = ["-nodes", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
    let to = ["-keyout", &key, "-out", &file, "-days", days];
    let made = run(dir, "openssl", &[&usual[..], &named[..], &to[..]].concat());
    assert!(made.status.success(), "{made:?}");
}

const ENCRYPTED: &str = r#"{"tls":{"certificate":"own.pem","key":"own.key"}}"#;

#[test]
fn connections_are_encrypted_with_tls_1_2_and_1_3_and_nothing_older() {
    let dir = folder("tls");
    certificate(&dir, "own", "1");
    let server = Server::start(dir.clone(), ENCRYPTED);
    let at = server.base.strip_prefix("https://").unwrap().to_owned();
    let handshake = |version: &str, more: &[&str]| {
        let usual = ["s_client", "-connect", &at, "-servername", "localhost", "-CAfile", "own.pem"];
        let done =
            run(&dir, "openssl", &[&usual[..], &["-verify_return_error", version], more].concat());
        let said = [done.stdout, done.stderr].concat();
        (done.status.success(), String::from_utf8_lossy(&said).into_owned())
    };
    for (version, name) in [("-tls1_2", "TLSv1.2"), ("-tls1_3", "TLSv1.3")] {
        let (is_done, said) = handshake(version, &["-alpn", "h2,http/1.1"]);
        assert!(is_done, "{version}: {said}");
        for line in [format!("New, {name}, Cipher is "), "ALPN protocol: http/1.1".to_owned()] {
            assert!(said.contains(&line), "{version}, {line}: {said}");
        }
        assert!(said.contains("Verify return code: 0 (ok)"), "{said}");
    }
    // HTTP/2 alone is refused in the handshake: nothing here times its silences.
    for version in ["-tls1_2", "-tls1_3"] {
        let (is_done, said) = handshake(version, &["-alpn", "h2"]);
        assert!(!is_done, "{version}: {said}");
        for line in ["no peer certificate available", "alert number 120"] {
            assert!(said.contains(line), "{version}, {line}: {said}");
        }
    }
    // The client must be willing to speak the old version, or it refuses before the server does.
    for version in ["-tls1", "-tls1_1"] {
        let (_, said) = handshake(version, &["-cipher", "ALL:@SECLEVEL=0"]);
        assert!(said.contains("New, (NONE), Cipher is (NONE)"), "{version}: {said}");
    }
}

#[test]
fn a_client_of_another_make_asks_over_an_encrypted_connection() {
    let dir = folder("tls-node");
    certificate(&dir, "own", "1");
    let server = Server::start(dir.clone(), ENCRYPTED);
    let script = "const https = require('node:https'), fs = require('node:fs');\
        const [url, ca] = process.argv.slice(1);\
        https.get(url, { ca: fs.readFileSync(ca), servername: 'localhost' }, (reply) => {\
          const version = reply.socket.getProtocol(); let text = ''; reply.on('data', (piece) => text += piece);\
          reply.on('end', () => console.log(reply.statusCode, version, text));\
        }).on('error', (error) => console.log(error.code));";
    let ask = |ca: &str| {
        let url = format!("{}/healthz", server.base);
        let done = run(&dir, "node", &["-e", script, &url, ca]);
        String::from_utf8_lossy(&[done.stdout, done.stderr].concat()).trim().to_owned()
    };
    assert_eq!(ask("own.pem"), r#"200 TLSv1.3 {"status":"ok","version":"0.1.0"}"#);
    certificate(&dir, "other", "1");
    assert_eq!(ask("other.pem"), "DEPTH_ZERO_SELF_SIGNED_CERT");
}

/// The headers of a reply of any status, in small letters.
fn headers(server: &Server, path: &str) -> Vec<String> {
    let url = format!("{}{path}", server.base);
    let done = run(server.dir(), "curl", &["-sk", "-D", "-", "-o", "/dev/null", &url]);
    let head = String::from_utf8(done.stdout).unwrap();
    assert!(head.starts_with("HTTP/1.1 "), "{path}: {head}");
    head.lines().map(str::to_ascii_lowercase).collect()
}

#[test]
fn browsers_are_told_to_stay_encrypted_over_an_encrypted_connection_and_only_there() {
    let dir = folder("tls-always");
    certificate(&dir, "own", "1");
    let encrypted = Server::start(dir, ENCRYPTED);
    let plain = Server::start(folder("tls-never"), "{}");
    // A page, a redirection, an asset, a reply of the API, a refusal, and a path that does not
    // exist.
    let paths = [
        "/verify",
        "/",
        "/assets/dalil.css",
        "/healthz",
        "/api/v1/tenant",
        "/api/v1/nothing",
        "/nothing",
    ];
    for path in paths {
        let told = |server: &Server| {
            let all = headers(server, path);
            all.into_iter().filter(|one| one.starts_with("strict-transport")).collect::<Vec<_>>()
        };
        assert_eq!(told(&encrypted), ["strict-transport-security: max-age=31536000"], "{path}");
        // RFC 6797, section 7.2: the header must not be sent over a connection that is not
        // encrypted.
        assert_eq!(told(&plain), [""; 0], "{path}");
    }
}

#[test]
fn a_plain_request_to_an_encrypted_port_is_told_nothing() {
    let dir = folder("tls-plain");
    certificate(&dir, "own", "1");
    let server = Server::start(dir, ENCRYPTED);
    let at = server.base.strip_prefix("https://").unwrap();
    let mut stream = TcpStream::connect(at).unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n").unwrap();
    let mut reply = Vec::new();
    // The server may also hang up so fast that the rest of the request finds no peer.
    stream.read_to_end(&mut reply).unwrap_or_default();
    let text = String::from_utf8_lossy(&reply);
    assert!(!text.contains("HTTP") && reply.len() < 16, "{text}");
    // A silent client keeps no other one out.
    let _silent = TcpStream::connect(at).unwrap();
    assert!(
        run(server.dir(), "curl", &["-sk", &format!("{}/healthz", server.base)]).status.success()
    );
}

#[test]
fn a_server_does_not_begin_with_a_certificate_that_cannot_be_used() {
    let dir = folder("tls-bad");
    certificate(&dir, "own", "1");
    certificate(&dir, "other", "1");
    write(&dir.join("empty.pem"), "");
    let whole = fs::read_to_string(dir.join("own.pem")).unwrap();
    write(&dir.join("cut.pem"), whole.get(..200).unwrap());
    // A certificate whose time was over before it began.
    let usual = ["x509", "-in", "own.pem", "-signkey", "own.key", "-out", "ended.pem"];
    assert!(run(&dir, "openssl", &[&usual[..], &["-days", "-1"]].concat()).status.success());
    let cases = [
        ("none.pem", "own.key", "expected certificates in PEM in `none.pem`, found "),
        (
            "empty.pem",
            "own.key",
            "expected at least one certificate in PEM in `empty.pem`, found none",
        ),
        ("cut.pem", "own.key", "expected certificates in PEM in `cut.pem`, found "),
        ("own.pem", "none.key", "expected a private key in PEM in `none.key`, found "),
        ("own.pem", "own.pem", "expected a private key in PEM in `own.pem`, found "),
        ("own.pem", "other.key", "expected the key of the certificate in `other.key`, found "),
        (
            "ended.pem",
            "own.key",
            "expected a certificate whose time is not over in `ended.pem`, found one that ended at 20",
        ),
    ];
    for (certificate, key, expected) in cases {
        let config = format!(r#"{{"tls":{{"certificate":"{certificate}","key":"{key}"}}}}"#);
        write(&dir.join("bad.json"), &config);
        let args = ["serve", "--listen", "127.0.0.1:0", "--config", "bad.json"];
        let done = run(&dir, env!("CARGO_BIN_EXE_dalil"), &args);
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(2), "{certificate} {key}: {said}");
        assert!(said.contains(expected), "{certificate} {key}: {said}");
    }
}
