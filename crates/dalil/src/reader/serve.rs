//! The child's side: limits first, then one file after the other.

use std::io::{self, Read, Write};

use dalil_engine::read::{Attached, Attachment, Unreadable, attachments, read};
use rustix::process::{Resource, Rlimit, setrlimit};

use super::frame::{self, Kind};

/// Limits this process for good, then reads what `input` brings until it ends.
///
/// # Errors
/// Limits that cannot be set, or pipes that break.
pub fn serve(memory: u64, mut input: impl Read, mut out: impl Write) -> io::Result<()> {
    confine(memory)?;
    while let Some((kind, name)) = frame::read(&mut input)? {
        let Some((_, bytes)) = frame::read(&mut input)? else { return Ok(()) };
        let answered = if kind == Kind::Holder {
            attachments(&bytes).map(|found| attached(&found, &mut out))
        } else {
            let document = read(&bytes, &String::from_utf8_lossy(&name));
            document.map(|document| frame::write(&mut out, Kind::Document, &document.to_bytes()))
        };
        match answered {
            Ok(written) => written?,
            Err(Unreadable { message, hint }) => {
                let said = format!("{message}\n{}", hint.unwrap_or_default());
                frame::write(&mut out, Kind::Unreadable, said.as_bytes())?;
            }
        }
    }
    Ok(())
}

fn attached(found: &Attached, out: &mut impl Write) -> io::Result<()> {
    let Attached { files, creator, language } = found;
    for Attachment { name, bytes } in files {
        frame::write(out, Kind::Name, name.as_bytes())?;
        frame::write(out, Kind::Bytes, bytes)?;
    }
    frame::write(out, Kind::Attached, format!("{language}\n{creator}").as_bytes())
}

/// No more memory or time than agreed, no file, no trace of a crash.
fn confine(memory: u64) -> io::Result<()> {
    let limits = [
        (Resource::As, memory),
        (Resource::Cpu, MAX_CPU),
        (Resource::Core, 0),
        (Resource::Fsize, 0),
        (Resource::Nofile, STANDARD),
    ];
    for (resource, most) in limits {
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    Ok(())
}

/// Seconds of a processor for all the files of one child: what stops it when nobody else can.
const MAX_CPU: u64 = 600;
/// Input, output and errors are open; nothing else can be.
const STANDARD: u64 = 3;
