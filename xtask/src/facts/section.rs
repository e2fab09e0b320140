//! The part of a page between two markers, which are comments of Markdown.

use anyhow::{Context, Result};

/// The page with the content between the markers of this name.
pub(super) fn fill(page: &str, name: &str, content: &str) -> Result<String> {
    let begin = format!("<!-- made by cargo xtask facts: {name} -->");
    let end = format!("<!-- end of {name} -->");
    let (before, rest) =
        page.split_once(&begin).with_context(|| format!("the marker `{begin}` is missing"))?;
    let (_, after) = rest.split_once(&end).with_context(|| format!("the marker `{end}` is missing"))?;
    Ok(format!("{before}{begin}{content}{end}{after}"))
}

/// A table of Markdown on lines of its own.
pub(super) fn format_table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut text = format!("\n| {} |\n|{}\n", head.join(" | "), "---|".repeat(head.len()));
    for row in rows {
        text.push_str(&format!("| {} |\n", row.join(" | ")));
    }
    text
}

/// Names as code, separated by commas.
pub(super) fn format_names<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_markers_changes() {
        let page = "It has <!-- made by cargo xtask facts: sum -->7<!-- end of sum --> rows.";
        assert_eq!(fill(page, "sum", "8").unwrap(), page.replace('7', "8"));
        assert!(fill("It has 7 rows.", "sum", "8").is_err());
        assert!(fill("<!-- made by cargo xtask facts: sum -->7", "sum", "8").is_err());
    }

    #[test]
    fn a_table_has_a_head_and_a_line_for_each_row() {
        let text = format_table(&["A", "B"], [vec![format_names(["a"]), format_names(["b", "c"])]]);
        assert_eq!(text, "\n| A | B |\n|---|---|\n| `a` | `b`, `c` |\n");
    }
}
