//! What a link is told to be: which addresses are taken, whose pages they are, and what a change does.
//! Nothing here calls another server; `refresh.rs` does.

use planwright_domain::words::{LinkProvider, LinkStatus, PreviewType};
use planwright_web::{ApiError, ApiResult};
use serde_json::{Value as Json, json};
use url::Url;

use super::model::{LinkRow, PatchedTaskLinkRequest};
use crate::address::{self, Refusal};

/// The row after a change. A new address forgets what was seen at the old one.
///
/// # Errors
/// 400 for an address that is not taken. An address without a scheme is one of https.
pub fn changed(before: LinkRow, request: PatchedTaskLinkRequest) -> ApiResult<LinkRow> {
    let mut row = before.clone();
    request.url.write_to(&mut row.url);
    let names_a_host = |text: &str| text.split('/').next().is_some_and(|host| host.contains('.'));
    if !row.url.contains("://") && names_a_host(&row.url) {
        row.url.insert_str(0, "https://");
    }
    request.custom_title.write_to(&mut row.custom_title);
    if let Some(labels) = request.labels.given() {
        let labels: Vec<String> = labels.0.into_iter().map(String::from).collect();
        row.labels = json!(unique(labels));
    }
    if let Some(order) = request.display_order.given() {
        row.display_order = order.0;
    }
    if row.url != before.url {
        let url = read(&row.url)?;
        row.provider = provider(url.host_str().unwrap_or_default());
        row.preview_type = preview_type(&url);
        row.title = String::new();
        row.status = LinkStatus::Unknown;
        row.fetched_at = None;
    }
    Ok(row)
}

/// The fields by which links can be ordered, and their columns.
const ORDERINGS: [(&str, &str); 5] = [
    ("display_order", "l.display_order"),
    ("created_at", "l.created_at"),
    ("title", "l.title"),
    ("status", "l.status"),
    ("fetched_at", "l.fetched_at"),
];

/// The keys of an order; blank asks for the usual one. Rows without a value are last, and the id is always the last key.
///
/// # Errors
/// 400 for a field that is not in the table.
pub fn order(asked: &str) -> ApiResult<String> {
    if asked.is_empty() {
        return Ok("l.display_order, l.created_at, l.id".to_owned());
    }
    let mut keys = String::new();
    for part in asked.split(',').map(str::trim) {
        let (name, way) = part.strip_prefix('-').map_or((part, ""), |name| (name, " DESC"));
        let Some((_, column)) = ORDERINGS.iter().find(|(known, _)| *known == name) else {
            let names = ORDERINGS.map(|(known, _)| known).join(", ");
            let problem = format!("\"{name}\" is not a valid choice. Choose from: {names}.");
            return Err(ApiError::invalid_field("ordering", problem));
        };
        keys.push_str(&format!("{column} IS NULL, {column}{way}, "));
    }
    Ok(keys + "l.id")
}

/// The texts of a stored list.
pub fn texts(stored: &Json) -> Vec<String> {
    let list = stored.as_array().into_iter().flatten();
    list.filter_map(Json::as_str).map(str::to_owned).collect()
}

fn unique(labels: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for label in labels {
        if !kept.contains(&label) {
            kept.push(label);
        }
    }
    kept
}

fn read(text: &str) -> ApiResult<Url> {
    let refused = |message: &str| ApiError::invalid_field("url", message);
    address::page(text).map_err(|refusal| match refusal {
        Refusal::Unreadable => refused("Enter a valid URL."),
        Refusal::OtherScheme => refused("Only http and https are allowed."),
        Refusal::SignIn => refused("The URL must not contain a user name or a password."),
    })
}

/// Whose pages a host has.
fn provider(host: &str) -> LinkProvider {
    let is = |name: &str| host == name || host.strip_suffix(name).is_some_and(|front| front.ends_with('.'));
    match host {
        _ if is("github.com") => LinkProvider::Github,
        _ if is("gitlab.com") || host.starts_with("gitlab.") => LinkProvider::Gitlab,
        "drive.google.com" | "docs.google.com" => LinkProvider::GoogleDrive,
        _ if is("dropbox.com") => LinkProvider::Dropbox,
        _ if is("box.com") => LinkProvider::Box,
        _ if is("onedrive.live.com") || is("1drv.ms") || is("sharepoint.com") => LinkProvider::Onedrive,
        _ => LinkProvider::Generic,
    }
}

/// What an address leads to, as far as its path says.
fn preview_type(url: &Url) -> PreviewType {
    let path = url.path().to_ascii_lowercase();
    let has = |part: &str| path.split('/').any(|one| one == part);
    if url.host_str() == Some("docs.google.com") {
        match () {
            () if has("document") => return PreviewType::Document,
            () if has("spreadsheets") => return PreviewType::Spreadsheet,
            () if has("presentation") => return PreviewType::Presentation,
            () => {}
        }
    }
    match path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, ending)| ending) {
        Some("pdf") => PreviewType::Pdf,
        Some("png" | "jpg" | "jpeg" | "gif" | "webp") => PreviewType::Image,
        Some("doc" | "docx" | "odt" | "md" | "txt") => PreviewType::Document,
        Some("xls" | "xlsx" | "ods" | "csv") => PreviewType::Spreadsheet,
        Some("ppt" | "pptx" | "odp") => PreviewType::Presentation,
        _ if has("folders") || has("folder") => PreviewType::Folder,
        _ => PreviewType::File,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_that_only_ends_like_a_known_one_is_generic() {
        assert_eq!(provider("github.com"), LinkProvider::Github);
        assert_eq!(provider("gist.github.com"), LinkProvider::Github);
        assert_eq!(provider("notgithub.com"), LinkProvider::Generic);
        assert_eq!(provider("github.com.example.org"), LinkProvider::Generic);
        assert_eq!(provider("gitlab.example.org"), LinkProvider::Gitlab);
        assert_eq!(provider("team.sharepoint.com"), LinkProvider::Onedrive);
    }

    #[test]
    fn the_path_says_what_an_address_leads_to() {
        let of = |text: &str| preview_type(&Url::parse(text).unwrap());
        assert_eq!(of("https://docs.google.com/spreadsheets/d/1/edit"), PreviewType::Spreadsheet);
        assert_eq!(of("https://drive.google.com/drive/folders/1"), PreviewType::Folder);
        assert_eq!(of("https://example.org/a/Plan.PDF?x=1"), PreviewType::Pdf);
        assert_eq!(of("https://example.org/"), PreviewType::File);
    }

    #[test]
    fn an_order_names_known_fields_only() {
        assert_eq!(order("").unwrap(), "l.display_order, l.created_at, l.id");
        assert_eq!(
            order("-title, status").unwrap(),
            "l.title IS NULL, l.title DESC, l.status IS NULL, l.status, l.id"
        );
        assert!(order("url; DROP TABLE tasks").is_err());
        assert!(order("title,").is_err());
    }

    #[test]
    fn only_addresses_of_pages_are_taken() {
        for text in ["javascript:alert(1)", "data:text/html,x", "ftp://example.org/", "plan", "http://a:b@c/"]
        {
            assert!(read(text).is_err(), "{text}");
        }
        assert!(read("https://example.org/a?b#c").is_ok());
    }
}
