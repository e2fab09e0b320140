//! The query that a tracker is asked: what the person wrote, within the projects that they named.

/// Which issues are read unless a person says otherwise.
const USUAL: &str = "assignee = currentUser() AND statusCategory != Done";

/// The order unless a person says otherwise.
const ORDER: &str = "ORDER BY updated DESC";

/// The whole query.
pub fn query(jql: &str, keys: &[String]) -> String {
    let (condition, order) = split(jql.trim());
    let condition = if condition.is_empty() { USUAL } else { condition };
    let order = if order.is_empty() { ORDER } else { order };
    match keys.is_empty() {
        true => format!("{condition} {order}"),
        false => {
            let listed: Vec<String> = keys.iter().map(|key| format!("\"{key}\"")).collect();
            format!("project in ({}) AND ({condition}) {order}", listed.join(", "))
        }
    }
}

/// The condition of a query, and its order. What is quoted is no order.
fn split(jql: &str) -> (&str, &str) {
    let lower = jql.to_ascii_lowercase();
    let (mut quote, mut escaped) = (None, false);
    for (at, one) in lower.char_indices() {
        match (one, quote) {
            _ if escaped => escaped = false,
            ('\\', _) => escaped = true,
            (one, Some(open)) if one == open => quote = None,
            ('"' | '\'', None) => quote = Some(one),
            ('o', None) if begins_order(&lower, at) => return (jql[..at].trim_end(), &jql[at..]),
            _ => {}
        }
    }
    (jql, "")
}

fn begins_order(lower: &str, at: usize) -> bool {
    let is_apart = at == 0 || lower[..at].ends_with(char::is_whitespace);
    let mut words = lower[at..].split_whitespace();
    is_apart && words.next() == Some("order") && words.next() == Some("by")
}

/// Whether a text can be the key of a project.
pub fn is_key(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(jql: &str, keys: &[&str]) -> String {
        query(jql, &keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn without_a_wish_it_is_what_is_open_for_the_account() {
        assert_eq!(of("", &[]), format!("{USUAL} {ORDER}"));
        assert_eq!(of("", &["A", "B"]), format!("project in (\"A\", \"B\") AND ({USUAL}) {ORDER}"));
    }

    #[test]
    fn an_order_stays_behind_the_condition() {
        assert_eq!(of("x = 1 order  by key", &["A"]), "project in (\"A\") AND (x = 1) order  by key");
        assert_eq!(of("ORDER BY rank", &[]), format!("{USUAL} ORDER BY rank"));
        assert_eq!(
            of("s ~ \"order by x\"", &["A"]),
            format!("project in (\"A\") AND (s ~ \"order by x\") {ORDER}")
        );
        assert_eq!(of("a = border", &[]), format!("a = border {ORDER}"));
        assert_eq!(of("ü = 'a\\' order by x'", &[]), format!("ü = 'a\\' order by x' {ORDER}"));
    }

    #[test]
    fn a_key_cannot_leave_its_quotes() {
        assert!(is_key("APO_2"));
        for wrong in ["A\"", "A B", "Ä", "A)"] {
            assert!(!is_key(wrong), "{wrong}");
        }
    }
}
