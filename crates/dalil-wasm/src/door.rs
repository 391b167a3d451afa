//! The functions that a host calls, and the memory that they share with it.
//!
//! A host asks for room with [`dalil_input`] for each part, writes it there, and calls
//! [`dalil_verify`] or [`dalil_texts`], which return how long the JSON at [`dalil_output`] is, or 0
//! if a part is missing. An instance of the module has one thread, and a host takes a new one for
//! each file.

use std::sync::{Mutex, PoisonError};

use dalil_phrasebook::Language;
use dalil_phrasebook::verify_page::VerifyPageTexts;

use crate::verification::{self, VerifyInput};

/// Allocates room for a part of `length` bytes, and returns where it is to be written: 0 is the
/// request, 1 the file, 2 a trail export, 3 a list of expected ids. No other part has room.
#[expect(unsafe_code, reason = "a host finds the function by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn dalil_input(part: usize, length: usize) -> *mut u8 {
    let mut parts = INPUT.lock().unwrap_or_else(PoisonError::into_inner);
    match parts.get_mut(part) {
        Some(room) => room.insert(vec![0; length]).as_mut_ptr(),
        None => std::ptr::null_mut(),
    }
}

/// Verifies the input: makes a report, or `{"refused"}` with every fault of the request.
#[expect(unsafe_code, reason = "a host finds the function by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn dalil_verify() -> usize {
    let parts = INPUT.lock().unwrap_or_else(PoisonError::into_inner);
    let [request, file, trail, expected] = parts.each_ref().map(Option::as_deref);
    let (Some(request), Some(file)) = (request, file) else { return 0 };
    let made = match verification::run(&VerifyInput { request, file, trail, expected }) {
        Ok(report) => report.json(),
        Err(refused) => serde_json::to_vec(&refused),
    };
    made.map_or(0, put)
}

/// The texts of the page that verifies, in Arabic or, if `arabic` is 0, in English.
#[expect(unsafe_code, reason = "a host finds the function by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn dalil_texts(arabic: usize) -> usize {
    let language = if arabic == 0 { Language::English } else { Language::Arabic };
    serde_json::to_vec(VerifyPageTexts::in_language(language)).map_or(0, put)
}

/// Where the JSON is that the last call made.
#[expect(unsafe_code, reason = "a host finds the function by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn dalil_output() -> *const u8 {
    OUTPUT.lock().unwrap_or_else(PoisonError::into_inner).as_ptr()
}

fn put(bytes: Vec<u8>) -> usize {
    let mut output = OUTPUT.lock().unwrap_or_else(PoisonError::into_inner);
    *output = bytes;
    output.len()
}

static INPUT: Mutex<[Option<Vec<u8>>; 4]> = Mutex::new([None, None, None, None]);
static OUTPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
