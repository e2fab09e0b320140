//! Quotes from a small resource, so that the example in `CONTRIBUTING.md` is code that compiles.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// The resource, in one file.
const FILE: &str = "crates/ceremonies/src/meetings.rs";

/// The names of the quotes, and how their items begin.
const ITEMS: [(&str, &str); 4] = [
    ("row", "record! {"),
    ("routes", "pub fn table()"),
    ("create", "async fn create("),
    ("update", "async fn update("),
];

/// Each quote with its name.
pub(super) fn quotes(root: &Path) -> Result<Vec<(&'static str, String)>> {
    let code = fs::read_to_string(root.join(FILE)).with_context(|| format!("could not read {FILE}"))?;
    ITEMS.into_iter().map(|(name, beginning)| Ok((name, quote(&code, beginning)?))).collect()
}

/// An item as a block of Markdown, up to the brace that closes it.
fn quote(code: &str, beginning: &str) -> Result<String> {
    let missing = || format!("{FILE} has no item `{beginning}`");
    let start = code.find(&format!("\n{beginning}")).with_context(missing)? + 1;
    let length = code[start..].find("\n}\n").with_context(missing)? + 2;
    Ok(format!("\n```rust\n{}\n```\n", &code[start..start + length]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_ends_with_the_brace_that_closes_it() {
        let code = "//! A\n\nfn a() {\n    if b {\n    }\n}\n\nfn c() {\n}\n";
        assert_eq!(quote(code, "fn a()").unwrap(), "\n```rust\nfn a() {\n    if b {\n    }\n}\n```\n");
        assert!(quote(code, "fn d()").is_err());
    }
}
