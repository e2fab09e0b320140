//! How names of skills are compared.

/// A name without regard to case and blanks.
pub fn normalized(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}
