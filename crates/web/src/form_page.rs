//! Small pages that links lead people to: written here, working without scripts, kept by no cache.
//! What is on a page, and what its form does, is in the files that use this one.

use axum::response::IntoResponse;
use http::header::{CACHE_CONTROL, CONTENT_LANGUAGE, CONTENT_SECURITY_POLICY, CONTENT_TYPE, VARY};
use http::{HeaderValue, StatusCode};
use serde_json::Value as Json;

use crate::ApiError;
use crate::language::Language;
use crate::reply::Raw;

const POLICY: &str =
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// A page that answers 200.
pub fn shown(language: Language, title: &str, content: &str) -> Raw<Json> {
    page(language, StatusCode::OK, title, content)
}

/// A page with a title and its content as HTML, which are in this language. Who asks for another language gets another page.
pub fn page(language: Language, status: StatusCode, title: &str, content: &str) -> Raw<Json> {
    let (title, code) = (escaped(title), language.code());
    let text = format!(
        "<!doctype html>\n<html lang=\"{code}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"robots\" content=\"noindex\">\n<title>{title} – planwright</title>\n\
         <link rel=\"stylesheet\" href=\"/api/schema/assets/home.css\">\n</head>\n<body>\n<main>\n{content}\n</main>\n</body>\n</html>\n"
    );
    let mut response = (status, [(CONTENT_TYPE, "text/html; charset=utf-8")], text).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(CONTENT_LANGUAGE, HeaderValue::from_static(code));
    headers.insert(VARY, HeaderValue::from_static("accept-language"));
    Raw::new(response)
}

/// What was wrong with a form, as paragraphs.
pub fn wrongs(lines: &[String]) -> String {
    lines.iter().map(|line| format!("<p class=\"wrong\">{}</p>", escaped(line))).collect()
}

/// What is wrong with a password, if a refusal says so.
pub fn weaknesses(refusal: &ApiError) -> Option<Vec<String>> {
    let messages = refusal.body().get("messages")?.as_array()?;
    Some(messages.iter().filter_map(Json::as_str).map(str::to_owned).collect())
}

/// A text that cannot write into the page.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_says_in_which_language_it_is_and_that_there_are_others() {
        let page = shown(Language::French, "Entrée", "<p>Bonjour</p>");
        let headers = page.0.headers();
        assert_eq!(headers[CONTENT_LANGUAGE], "fr");
        assert_eq!(headers[VARY], "accept-language");
    }
}
