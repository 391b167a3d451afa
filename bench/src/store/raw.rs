//! The physical limit: a file that 1 KiB is appended to, synced once for all that wait.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};

use super::{BenchError, PAYLOAD_BYTES, load};
use crate::measure::BenchFigures;

pub(super) async fn append(
    path: &str,
    clients: usize,
    seconds: u64,
) -> Result<BenchFigures, BenchError> {
    let file = OpenOptions::new().create(true).append(true).open(path)?;
    let (queue, waiting) = mpsc::channel(4096);
    let writer = std::thread::spawn(move || write(file, waiting));
    let queues: Vec<_> = std::iter::repeat_n(Arc::new(queue), clients).collect();
    let figures = load::run(queues, seconds, |queue, _| async move {
        let (reply, answer) = oneshot::channel();
        queue.send(PendingWrite { bytes: vec![b'x'; PAYLOAD_BYTES], reply }).await?;
        Ok(answer.await?)
    })
    .await?;
    writer.join().map_err(|_| "the writer panicked")??;
    Ok(figures)
}

struct PendingWrite {
    bytes: Vec<u8>,
    reply: oneshot::Sender<()>,
}

fn write(mut file: File, mut waiting: mpsc::Receiver<PendingWrite>) -> Result<(), std::io::Error> {
    let mut bytes = Vec::new();
    while let Some(first) = waiting.blocking_recv() {
        let group = gather(first, &mut waiting);
        bytes.clear();
        group.iter().for_each(|one| bytes.extend_from_slice(&one.bytes));
        file.write_all(&bytes)?;
        file.sync_data()?;
        for one in group {
            // A client that has gone needs no answer.
            one.reply.send(()).ok();
        }
    }
    Ok(())
}

/// As the sequencer does: all waiting writes, then those that arrive at once.
fn gather(first: PendingWrite, waiting: &mut mpsc::Receiver<PendingWrite>) -> Vec<PendingWrite> {
    let mut group = vec![first];
    loop {
        let before = group.len();
        while group.len() < MAX_GROUP_WRITES
            && let Ok(next) = waiting.try_recv()
        {
            group.push(next);
        }
        if group.len() == before || group.len() >= MAX_GROUP_WRITES {
            return group;
        }
        std::thread::yield_now();
    }
}

const MAX_GROUP_WRITES: usize = 512;
