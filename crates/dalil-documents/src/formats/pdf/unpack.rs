//! Unpacking streams whose size is known before there is room for them.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::{DeflateDecoder, ZlibDecoder};
use hayro_syntax::Filter;
use hayro_syntax::object::Stream;
use hayro_syntax::object::dict::keys::{DECODE_PARMS, DP};

mod count;

/// Why a stream is not unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnpackFailure {
    Broken,
    Large,
}

/// Unpacks a stream, if it holds at most `most` bytes.
pub(super) fn stream<'a>(stream: &Stream<'a>, most: usize) -> Result<Cow<'a, [u8]>, UnpackFailure> {
    check(stream, most)?;
    let bytes = stream.decoded_data().map_err(|_| UnpackFailure::Broken)?;
    if bytes.len() > most { Err(UnpackFailure::Large) } else { Ok(bytes) }
}

/// Refuses a stream that unpacks to more than `most` bytes, at its end or on the way there.
///
/// One that could be more is unpacked filter by filter, each into no more than that, to find out.
pub(super) fn check(stream: &Stream<'_>, most: usize) -> Result<(), UnpackFailure> {
    let filters = stream.filters();
    let packed = stream.raw_data();
    // Deflate has a highest ratio, so that a small stream need not be tried.
    let could_be =
        filters.iter().fold(packed.len(), |size, filter| size.saturating_mul(max_growth(*filter)));
    if could_be <= most {
        return Ok(());
    }
    let grow = filters.iter().filter(|filter| max_growth(**filter) > MAX_ASCII_GROWTH).count();
    // The output of a predictor between two filters is not known here.
    let dict = stream.dict();
    let has_parameters = dict.contains_key(DECODE_PARMS) || dict.contains_key(DP);
    if filters.len() > MAX_FILTERS || grow > 1 && has_parameters {
        return Err(UnpackFailure::Large);
    }
    let mut bytes = packed;
    let mut rest = filters.iter();
    while let Some(filter) = rest.next() {
        let is_last = rest.len() == 0;
        let next = match filter {
            Filter::Crypt => continue,
            Filter::FlateDecode => inflated(&bytes, most)?,
            Filter::AsciiHexDecode => count::hex(&bytes).ok_or(UnpackFailure::Broken)?,
            Filter::Ascii85Decode => count::base_85(&bytes).ok_or(UnpackFailure::Broken)?,
            Filter::LzwDecode if is_last => {
                fits(count::lzw(&bytes, true, most), most)?;
                let other = if has_parameters { count::lzw(&bytes, false, most) } else { 0 };
                return fits(other, most);
            }
            Filter::RunLengthDecode if is_last => {
                return fits(count::run_lengths(&bytes, most), most);
            }
            // The output of these is only counted, so another filter cannot follow.
            Filter::LzwDecode | Filter::RunLengthDecode => return Err(UnpackFailure::Large),
            Filter::CcittFaxDecode
            | Filter::Jbig2Decode
            | Filter::DctDecode
            | Filter::JpxDecode => return Err(UnpackFailure::Broken),
        };
        fits(next.len(), most)?;
        bytes = Cow::Owned(next);
    }
    Ok(())
}

fn fits(size: usize, most: usize) -> Result<(), UnpackFailure> {
    if size > most { Err(UnpackFailure::Large) } else { Ok(()) }
}

/// Inflates as the parser does: with the head of its format, without one, and past a broken one.
fn inflated(packed: &[u8], most: usize) -> Result<Vec<u8>, UnpackFailure> {
    let headless = packed.get(2..).unwrap_or_default();
    let readers: [Box<dyn Read + '_>; 3] = [
        Box::new(ZlibDecoder::new(packed)),
        Box::new(DeflateDecoder::new(packed)),
        Box::new(DeflateDecoder::new(headless)),
    ];
    let limit = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    for reader in readers {
        let mut bytes = Vec::new();
        let read = reader.take(limit).read_to_end(&mut bytes);
        fits(bytes.len(), most)?;
        if read.is_ok() {
            return Ok(bytes);
        }
    }
    // The parser would continue after the fault, to an unknown end.
    Err(UnpackFailure::Broken)
}

/// The most bytes that one byte can become.
fn max_growth(filter: Filter) -> usize {
    match filter {
        // Pictures are not unpacked at all.
        Filter::AsciiHexDecode
        | Filter::Crypt
        | Filter::CcittFaxDecode
        | Filter::Jbig2Decode
        | Filter::DctDecode
        | Filter::JpxDecode => 1,
        Filter::Ascii85Decode => MAX_ASCII_GROWTH,
        Filter::RunLengthDecode => 64,
        Filter::FlateDecode => 1032,
        // Twelve bits can stand for all but a few of 4096 bytes.
        Filter::LzwDecode => 2731,
    }
}

/// A `z` becomes four bytes.
const MAX_ASCII_GROWTH: usize = 4;
/// No writer packs a stream more often.
const MAX_FILTERS: usize = 8;
