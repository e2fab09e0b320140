//! Any bytes as a table; see `any/mod.rs`.

#![no_main]

mod any;

use libfuzzer_sys::fuzz_target;
use planwright_plan_files::FileFormat;

fuzz_target!(|bytes: &[u8]| any::holds(FileFormat::Csv, bytes));
