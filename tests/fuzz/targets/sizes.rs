//! What `subjects::sizes` reads, from bytes that a fuzzer makes.
#![no_main]

#[path = "../subjects.rs"]
mod subjects;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| subjects::sizes(bytes));
