//! Texts of other programs as plain text, and plain text as theirs.

/// A text without the tags of its HTML and with the letters that its entities stand for.
pub(super) fn plain(html: &str) -> String {
    let mut out = String::new();
    let mut rest = html;
    while let Some(at) = rest.find(['<', '&', '\0', '\u{7f}']) {
        out.push_str(&rest[..at]);
        let special = &rest[at..];
        let (letters, taken) = match special.as_bytes()[0] {
            b'<' => tag(special),
            b'&' => entity(special),
            0x7f => ("\n", 1),
            _ => ("", 1),
        };
        out.push_str(letters);
        rest = &special[taken..];
    }
    out.push_str(rest);
    out.trim().to_owned()
}

/// A tag ends a line or says nothing. What is never closed is a plain sign.
fn tag(text: &str) -> (&'static str, usize) {
    let Some(end) = text.find('>') else { return ("<", 1) };
    let name = text[1..end].trim_start_matches('/').to_ascii_lowercase();
    let ends_line = ["br", "p", "div", "li"].iter().any(|known| {
        name.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '/']))
    });
    let opens = !text.starts_with("</") && !name.starts_with("br");
    (if ends_line && !opens { "\n" } else { "" }, end + 1)
}

fn entity(text: &str) -> (&'static str, usize) {
    const KNOWN: [(&str, &str); 6] =
        [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", " "), ("&#39;", "'")];
    let known = KNOWN.iter().find(|(entity, _)| text.starts_with(entity));
    known.map_or(("&", 1), |(entity, letter)| (letter, entity.len()))
}

/// A plain text as HTML, with its lines.
pub(super) fn html(plain: &str) -> String {
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('\n', "<br>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_go_and_lines_and_letters_stay() {
        assert_eq!(plain("<p>Dig &amp; pour</p><p>2 &lt; 3<br/>now</p>"), "Dig & pour\n2 < 3\nnow");
        assert_eq!(plain("a\u{7f}b &copy; 1 < 2"), "a\nb &copy; 1 < 2");
        let text = "one\n<two> & three";
        assert_eq!(plain(&html(text)), text);
    }
}
