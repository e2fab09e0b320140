//! Who is mentioned in a text, by name: pure. A name is `@` and letters, digits, `_`, `.` or `-`; code and a name behind a
//! backslash are not mentions. Whom the names stand for is decided elsewhere.

/// The names that a text mentions, in their order and each once.
pub fn names(text: &str) -> Vec<String> {
    let bare = without_code(text);
    let characters: Vec<char> = bare.chars().collect();
    let is_name =
        |character: &char| character.is_ascii_alphanumeric() || matches!(character, '_' | '.' | '-');
    let mut names = Vec::new();
    let mut place = 0;
    while place < characters.len() {
        let before = place.checked_sub(1).map(|before| characters[before]);
        let begins =
            characters[place] == '@' && before.is_none_or(|before| before != '\\' && !is_name(&before));
        place += 1;
        if !begins {
            continue;
        }
        let name: String = characters[place..].iter().take_while(|character| is_name(character)).collect();
        place += name.len();
        // The end of a sentence is not part of a name.
        let name = name.trim_end_matches(['.', '-']).to_owned();
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// A text without code: neither between fences of backticks or tildes, nor between runs of as many backticks.
fn without_code(text: &str) -> String {
    let mut fence: Option<&str> = None;
    let mut lines = Vec::new();
    for line in text.lines() {
        let start = line.trim_start();
        let found = ["```", "~~~"].into_iter().find(|fence| start.starts_with(fence));
        match (fence, found) {
            (Some(open), Some(close)) if open == close => fence = None,
            (None, Some(open)) => fence = Some(open),
            (None, None) => lines.push(line),
            (Some(_), _) => {}
        }
    }
    without_spans(&lines.join("\n"))
}

/// A text without what stands between two runs of as many backticks. A run that is not closed is text.
fn without_spans(text: &str) -> String {
    let run = |text: &str| text.len() - text.trim_start_matches('`').len();
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('`') {
        kept.push_str(&rest[..at]);
        let ticks = run(&rest[at..]);
        let inside = &rest[at + ticks..];
        let mut from = 0;
        let end = loop {
            let Some(next) = inside[from..].find('`').map(|next| from + next) else { break None };
            let length = run(&inside[next..]);
            if length == ticks {
                break Some(next + length);
            }
            from = next + length;
        };
        kept.push(' ');
        rest = end.map_or(inside, |end| &inside[end..]);
    }
    kept + rest
}

/// Whether a text mentions a person by their user name.
pub fn names_person(text: &str, username: &str) -> bool {
    text.contains('@') && names(text).iter().any(|name| name.to_lowercase() == username.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_behind_an_at_and_not_in_code() {
        assert_eq!(names("@mara, see @ona.b. and (@x-y)!"), ["mara", "ona.b", "x-y"]);
        assert_eq!(names("mail a@b.c, \\@mara, `@code` @after"), ["after"]);
        assert_eq!(
            names("```\n@fenced\n```\n@open `@tail"),
            ["open", "tail"],
            "a backtick alone begins no code"
        );
        assert_eq!(names("``a ` @in`` ~ @out\n~~~\n@fenced\n~~~\n@after"), ["out", "after"]);
        assert_eq!(names("`two\n@lines` @end"), ["end"]);
        assert_eq!(names("@mara @mara @"), ["mara"]);
    }

    #[test]
    fn a_person_is_mentioned_by_the_whole_name_in_any_case() {
        assert!(names_person("Ask @Mara.", "mara"));
        assert!(!names_person("Ask @maria and mara", "mara"));
    }
}
