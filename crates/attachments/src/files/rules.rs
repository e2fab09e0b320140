//! What an attachment may be: names, addresses, quotas. Pure decisions.

use planwright_web::{ApiError, ApiResult};

use super::settings::FileSettings;
use crate::address;

/// How many attachments a task may have.
pub const MOST_ON_A_TASK: i64 = 50;
/// The longest name of a file, in characters.
const LONGEST_NAME: usize = 255;
/// What is longer behind a point is no ending.
const LONGEST_ENDING: usize = 10;

/// Endings by which a system runs a file, or a browser opens it as a page with scripts.
#[rustfmt::skip]
const ACTIVE: [&str; 36] = [
    "html", "htm", "xhtml", "xht", "shtml", "mht", "mhtml", "svg", "svgz", "xml", "xsl", "hta", "js", "mjs", "jse", "vbs",
    "vbe", "wsf", "scr", "exe", "com", "bat", "cmd", "msi", "ps1", "jar", "sh", "lnk", "url", "reg", "app", "dll", "pif", "cpl",
    "chm", "desktop",
];

/// The name under which a file is kept and handed out: a name by which a system would run it or open it as a page gets the ending
/// of the type that was checked.
pub fn name_of_type(sent: &str, media_type: &str) -> String {
    let name = file_name(sent);
    let last = name.trim_end_matches(['.', ' ']).rsplit_once('.').map(|(_, last)| last.to_ascii_lowercase());
    if !last.is_some_and(|last| ACTIVE.contains(&last.as_str())) {
        return name;
    }
    let ending = match media_type {
        "application/pdf" => "pdf",
        "image/png" => "png",
        "image/jpeg" => "jpg",
        "image/gif" => "gif",
        "image/webp" => "webp",
        "application/zip" => "zip",
        text if text.starts_with("text/") => "txt",
        _ => "bin",
    };
    let kept: String = name.chars().take(LONGEST_NAME - ending.len() - 1).collect();
    format!("{kept}.{ending}")
}

/// The name of a file without anything that a system or a header could misread.
pub fn file_name(sent: &str) -> String {
    let last = sent.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._- ()".contains(letter);
    let plain: String = last.chars().map(|letter| if is_plain(letter) { letter } else { '_' }).collect();
    let plain = cut(plain.trim().trim_start_matches('.'));
    if plain.is_empty() { "file".to_owned() } else { plain }
}

/// A name that is too long loses the end before its ending. All its letters are plain, so a letter is a byte.
fn cut(name: &str) -> String {
    if name.len() <= LONGEST_NAME {
        return name.to_owned();
    }
    let ending = name.rfind('.').map(|at| &name[at..]).filter(|ending| ending.len() <= LONGEST_ENDING);
    let ending = ending.unwrap_or_default();
    format!("{}{ending}", &name[..LONGEST_NAME - ending.len()])
}

/// The address of another place.
///
/// # Errors
/// 400 on `external_url` for anything but http and https with a host and without a user name.
pub fn external_url(sent: &str) -> ApiResult<String> {
    let wrong = "Enter an address that begins with http:// or https:// and a host.";
    match address::page(sent.trim()) {
        Ok(_) => Ok(sent.trim().to_owned()),
        Err(_) => Err(ApiError::invalid_field("external_url", wrong)),
    }
}

/// How many bytes files take.
#[derive(Clone, Copy, Debug)]
pub struct Used {
    /// Those of the project.
    pub of_project: i64,
    /// Those of all projects.
    pub of_all: i64,
}

/// Refuses a file of so many bytes for which a project or the installation has no room.
pub fn check_room(settings: &FileSettings, used: Used, size: u64) -> ApiResult<()> {
    let Used { of_project, of_all } = used;
    let is_full = |used: i64, most: Option<u64>| most.is_some_and(|most| used.unsigned_abs() + size > most);
    match () {
        () if is_full(of_project, settings.project_quota_bytes) => Err(ApiError::invalid_field(
            "file",
            "The files of this project take all the room that they may have.",
        )),
        () if is_full(of_all, settings.quota_bytes) => Err(ApiError::invalid_field(
            "file",
            "The files of this installation take all the room that they may have.",
        )),
        () => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_that_comes_counts_too() {
        let settings = FileSettings { most_bytes: 100, project_quota_bytes: Some(10), quota_bytes: Some(20) };
        let room =
            |of_project, of_all, size| check_room(&settings, Used { of_project, of_all }, size).is_ok();
        assert!(room(0, 0, 10) && !room(0, 0, 11));
        assert!(room(9, 19, 1) && !room(9, 19, 2) && !room(0, 20, 1));
    }

    #[test]
    fn a_name_keeps_nothing_that_could_be_misread() {
        for (sent, kept) in [
            ("plan (2).pdf", "plan (2).pdf"),
            ("../../etc/passwd", "passwd"),
            ("C:\\temp\\a.docx", "a.docx"),
            ("a\"b\r\nc.png", "a_b__c.png"),
            (".htaccess", "htaccess"),
            ("工程.pdf", "__.pdf"),
            ("", "file"),
        ] {
            assert_eq!(file_name(sent), kept, "{sent}");
        }
        assert_eq!(file_name(&"x".repeat(10_000)).len(), LONGEST_NAME);
        let long = file_name(&format!("{}.pdf", "x".repeat(10_000)));
        assert!(long.len() == LONGEST_NAME && long.ends_with("x.pdf"), "{long}");
    }

    #[test]
    fn a_name_that_a_system_would_run_gets_the_ending_of_its_type() {
        for (sent, media_type, kept) in [
            ("a.html", "application/pdf", "a.html.pdf"),
            ("x/../evil.SVG. ", "image/png", "evil.SVG..png"),
            ("run.exe", "application/octet-stream", "run.exe.bin"),
            ("page.htm", "text/plain", "page.htm.txt"),
            ("plan.pdf", "application/pdf", "plan.pdf"),
            ("html", "text/plain", "html"),
        ] {
            assert_eq!(name_of_type(sent, media_type), kept, "{sent}");
        }
        assert_eq!(name_of_type(&format!("{}.html", "x".repeat(300)), "text/plain").len(), LONGEST_NAME);
    }

    #[test]
    fn only_addresses_of_the_web_are_kept() {
        assert!(external_url(" https://example.org/a ").is_ok());
        for wrong in [
            "",
            "example.org",
            "javascript:alert(1)",
            "ftp://a/b",
            "https://user:pw@example.org",
            "data:text/html,x",
        ] {
            assert!(external_url(wrong).is_err(), "{wrong}");
        }
    }
}
