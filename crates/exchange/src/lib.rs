//! Ways in and out: seed documents and the samples that ship with the product.

pub mod samples;
pub mod seed;
