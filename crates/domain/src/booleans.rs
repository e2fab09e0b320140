//! Yes and no as forms and queries send them: as text.

/// What a text says, without regard to case.
pub fn parse_bool(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" | "on" => Some(true),
        "false" | "0" | "no" | "off" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::parse_bool;

    #[test]
    fn a_word_for_yes_or_no_is_read_in_any_case() {
        assert_eq!([parse_bool("ON"), parse_bool("0"), parse_bool("y")], [Some(true), Some(false), None]);
    }
}
