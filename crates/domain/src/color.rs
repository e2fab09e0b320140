//! Colours on the wire: `#RRGGBB`.

/// Whether a text is a colour: six hexadecimal digits behind a hash.
pub fn is_color(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or_default();
    digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::is_color;

    #[test]
    fn a_colour_is_six_hexadecimal_digits_behind_a_hash() {
        assert!(is_color("#1a2B3c"));
        for wrong in ["", "1a2b3c", "#1a2b3", "#1a2b3g", "#1a2b3c4"] {
            assert!(!is_color(wrong), "{wrong}");
        }
    }
}
