//! A judge that takes its time, so that a check lasts as long as a test needs on any machine.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::json;

/// How long a verdict takes until the judge is hurried.
const PAUSE: Duration = Duration::from_millis(200);

pub(crate) struct PacedJudge {
    url: String,
    hurries: Arc<AtomicBool>,
}

impl PacedJudge {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let hurries = Arc::new(AtomicBool::new(false));
        let shared = Arc::clone(&hurries);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let hurries = Arc::clone(&shared);
                thread::spawn(move || answer(stream.unwrap(), &hurries));
            }
        });
        Self { url, hurries }
    }

    /// A configuration of a server that asks it.
    pub(crate) fn config(&self) -> String {
        let limits = json!({"rate": 100_000, "burst": 100_000});
        let endpoint = json!({"url": self.url, "model": "paced"});
        json!({"limits": limits, "judge": {"endpoint": endpoint}}).to_string()
    }

    /// From now on it rules at once.
    pub(crate) fn hurry(&self) {
        self.hurries.store(true, Ordering::Relaxed);
    }
}

fn answer(mut stream: TcpStream, hurries: &AtomicBool) {
    let mut input = BufReader::new(stream.try_clone().unwrap());
    let mut length = 0;
    loop {
        let mut line = String::new();
        // A server that was killed sends no more.
        if input.read_line(&mut line).unwrap_or(0) == 0 {
            return;
        }
        let line = line.trim_end().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    if input.read_exact(&mut body).is_err() {
        return;
    }
    if !hurries.load(Ordering::Relaxed) {
        thread::sleep(PAUSE);
    }
    let message = json!({"role": "assistant", "content": r#"{"verdict":"not_found"}"#});
    let reply = json!({"choices": [{"index": 0, "message": message}]}).to_string();
    let head = format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}", reply.len());
    // The caller may be gone.
    stream.write_all(format!("{head}\r\n\r\n{reply}").as_bytes()).unwrap_or_default();
}
