#![no_main]

use libfuzzer_sys::fuzz_target;
use sift_handlers::fuzz;

fuzz_target!(|bytes: &[u8]| fuzz::json(bytes));
