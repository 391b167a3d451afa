//! A local server that speaks the protocol, one scripted reply after the other.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// The server's reaction to a call.
#[derive(Clone)]
pub(super) enum Act {
    /// Replies with a status and a body.
    Reply(u16, Vec<u8>),
    /// Closes the connection.
    Close,
    /// Stays silent for this time.
    Wait(Duration),
}

/// A call as it arrived.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) head: String,
    pub(super) body: Value,
}

pub(super) struct Server {
    pub(super) url: String,
    calls: Arc<Mutex<Vec<Call>>>,
}

impl Server {
    /// A server that does `acts` in order, one for each call, and then is gone.
    pub(super) fn start(acts: Vec<Act>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let calls = Arc::<Mutex<Vec<Call>>>::default();
        let seen = Arc::clone(&calls);
        thread::spawn(move || {
            for act in acts {
                let (stream, _) = listener.accept().unwrap();
                answer(stream, &act, &seen);
            }
        });
        Self { url, calls }
    }

    pub(super) fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap().clone()
    }
}

fn answer(mut stream: TcpStream, act: &Act, calls: &Mutex<Vec<Call>>) {
    let mut input = BufReader::new(stream.try_clone().unwrap());
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        input.read_line(&mut line).unwrap();
        let line = line.trim_end().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        head.push_str(&line);
        head.push('\n');
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body).unwrap();
    calls.lock().unwrap().push(Call { head, body: serde_json::from_slice(&body).unwrap() });
    match act {
        Act::Reply(status, body) => {
            let head = format!(
                "HTTP/1.1 {status} OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
                body.len()
            );
            // A client that has read enough may be gone.
            stream
                .write_all(head.as_bytes())
                .and_then(|()| stream.write_all(body))
                .unwrap_or_default();
        }
        Act::Close => {}
        Act::Wait(time) => thread::sleep(*time),
    }
}

/// A reply of the protocol with this ruling.
pub(super) fn ruled(ruling: &Value) -> Act {
    said(&ruling.to_string())
}

/// A reply of the protocol with this content.
pub(super) fn said(content: &str) -> Act {
    let message = json!({"role": "assistant", "content": content});
    let reply = json!({"id": "x", "object": "chat.completion", "choices": [{"index": 0, "message": message}]});
    Act::Reply(200, reply.to_string().into_bytes())
}
