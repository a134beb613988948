#![no_main]

use libfuzzer_sys::fuzz_target;
use sift_handlers::html::fuzz;

fuzz_target!(|bytes: &[u8]| fuzz::page(bytes));
