//! Unpacking streams whose size is known before there is room for them.

use std::borrow::Cow;
use std::io::{self, Read};

use flate2::read::ZlibDecoder;
use hayro_syntax::Filter;
use hayro_syntax::object::Stream;

/// Why a stream is not unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnpackFailure {
    Broken,
    Large,
}

/// What a stream holds, if that is no more than so many bytes.
pub(super) fn stream<'a>(stream: &Stream<'a>, most: usize) -> Result<Cow<'a, [u8]>, UnpackFailure> {
    if is_larger(stream, most) {
        return Err(UnpackFailure::Large);
    }
    let bytes = stream.decoded_data().map_err(|_| UnpackFailure::Broken)?;
    if bytes.len() > most { Err(UnpackFailure::Large) } else { Ok(bytes) }
}

/// Whether a stream that is deflated, once or over and over, unpacks to more.
///
/// It is unpacked to nowhere to find out, where it could be more at all.
fn is_larger(stream: &Stream<'_>, most: usize) -> bool {
    let filters = stream.filters();
    let packed = stream.raw_data();
    // Deflate has a highest ratio, so that a small stream need not be tried.
    let could_be =
        filters.iter().fold(packed.len(), |size, _| size.saturating_mul(MAX_DEFLATE_RATIO));
    if could_be <= most || !filters.iter().all(|filter| *filter == Filter::FlateDecode) {
        return false;
    }
    let mut reader: Box<dyn Read + '_> = Box::new(&*packed);
    for _ in filters.iter().take(MAX_COUNTED_FILTERS) {
        reader = Box::new(ZlibDecoder::new(reader));
    }
    let limit = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    // A broken end is no matter: what stands before it is unpacked.
    let mut counted = CountingWriter(0);
    drop(io::copy(&mut reader.take(limit), &mut counted));
    counted.0 > most
}

/// How much was written to it.
struct CountingWriter(usize);

impl io::Write for CountingWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.saturating_add(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What one byte can be deflated from, at the most.
const MAX_DEFLATE_RATIO: usize = 1032;
/// More filters than these are not counted.
const MAX_COUNTED_FILTERS: usize = 8;
