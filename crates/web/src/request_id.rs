//! The id of a request, in its answer and in its log lines. A valid id from the caller is kept, any other is
//! replaced.

use http::HeaderMap;

/// The header of the request id.
pub const HEADER: &str = "x-request-id";

tokio::task_local! {
    static CURRENT: String;
}

/// The id of the current request. `-` outside of a request.
pub fn current() -> String {
    CURRENT.try_with(Clone::clone).unwrap_or_else(|_| "-".to_owned())
}

/// Runs work with its own id, such as a task that lasts longer than its request.
pub(crate) async fn within<T>(id: String, work: impl Future<Output = T>) -> T {
    CURRENT.scope(id, work).await
}

/// The id that a caller gave a request, if it is well-formed.
pub(crate) fn given(headers: &HeaderMap) -> Option<&str> {
    headers.get(HEADER).and_then(|value| value.to_str().ok()).filter(|id| acceptable(id))
}

fn acceptable(id: &str) -> bool {
    !id.is_empty()
        && id.len() <= 128
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte))
}

/// The log form of a text from a caller: its first 512 characters, with control characters escaped.
pub(crate) fn loggable(text: &str) -> String {
    let mut shown = String::new();
    for character in text.chars().take(512) {
        match character.is_control() {
            true => shown.extend(character.escape_default()),
            false => shown.push(character),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_line_is_short_and_steers_no_terminal() {
        assert_eq!(loggable("/api/\u{1b}[2J\u{9b}x"), "/api/\\u{1b}[2J\\u{9b}x");
        assert_eq!(loggable(&"é".repeat(1000)).chars().count(), 512);
        assert_eq!(loggable("/größe/"), "/größe/");
    }
}
