//! Sizes of files and bodies as people read them.

/// A size in MB, with one decimal at most, or in KB when it is small. It is rounded down.
pub fn size_in_words(bytes: usize) -> String {
    let tenths = bytes / ((1 << 20) / 10);
    match (bytes >= 1 << 20, tenths % 10) {
        (false, _) => format!("{} KB", bytes >> 10),
        (true, 0) => format!("{} MB", tenths / 10),
        (true, rest) => format!("{}.{rest} MB", tenths / 10),
    }
}

#[cfg(test)]
mod tests {
    use super::size_in_words;

    #[test]
    fn a_size_is_rounded_down_to_one_decimal() {
        for (bytes, words) in
            [(2_048, "2 KB"), (524_288, "512 KB"), (5 << 20, "5 MB"), ((3 << 20) + (1 << 19), "3.5 MB")]
        {
            assert_eq!(size_in_words(bytes), words);
        }
    }
}
