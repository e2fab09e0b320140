//! Where mail goes and from whom, read from `SVC_MAIL_URL` and `SVC_MAIL_FROM`.
//! A wrong value stops the start; no message repeats the address, which may hold a password.

use std::path::{Path, PathBuf};

use anyhow::Context;
use lettre::message::Mailbox;

/// Mail as the settings want it.
#[derive(Clone)]
pub struct MailSettings {
    pub(super) from: Mailbox,
    pub(super) way: Way,
    /// What links into the client begin with; empty when the operator set nothing.
    pub(super) frontend_url: String,
    /// Certificates in PEM that mail servers may be signed with, besides the public ones.
    pub(super) certificates: Option<Vec<u8>>,
}

/// Which way mail leaves.
#[derive(Clone)]
pub(super) enum Way {
    /// Into files of this directory.
    Directory(PathBuf),
    /// To the server at this address.
    Server(String),
}

impl MailSettings {
    /// Reads the settings; `setting` gives the value of one, or its default.
    pub fn from_settings(setting: impl Fn(&str) -> String, data_dir: &Path) -> anyhow::Result<Self> {
        let sender = setting("SVC_MAIL_FROM");
        let from: Mailbox =
            sender.parse().with_context(|| format!("SVC_MAIL_FROM: {sender:?} is not a mail address"))?;
        let url = setting("SVC_MAIL_URL");
        let way = match url.is_empty() {
            true => Way::Directory(data_dir.join("mail")),
            false => Way::Server(with_encryption(&url)),
        };
        let urls = ["SVC_FRONTEND_BASE_URL", "SVC_PUBLIC_URL"].map(&setting);
        let frontend_url = urls.into_iter().find(|url| !url.is_empty()).unwrap_or_default();
        let file = setting("SVC_EGRESS_CA_FILE");
        let certificates = match file.is_empty() {
            true => None,
            false => {
                Some(std::fs::read(&file).with_context(|| format!("SVC_EGRESS_CA_FILE: reading {file}"))?)
            }
        };
        Ok(Self { from, way, frontend_url, certificates })
    }
}

/// Says how an `smtp://` address is encrypted when it does not say so itself: a password leaves for another machine
/// only under TLS, and anything else is sent under TLS where the server offers it. `?tls=none` wants none.
fn with_encryption(url: &str) -> String {
    let (address, query) = url.split_once('?').unwrap_or((url, ""));
    match query {
        "tls=none" => address.to_owned(),
        "" if address.starts_with("smtp://") => {
            let request = if sends_password_away(address) { "required" } else { "opportunistic" };
            format!("{address}?tls={request}")
        }
        _ => url.to_owned(),
    }
}

fn sends_password_away(address: &str) -> bool {
    let authority = address.trim_start_matches("smtp://").split('/').next().unwrap_or_default();
    let Some((_, host)) = authority.rsplit_once('@') else { return false };
    let name = match host.find(']') {
        Some(end) => &host[..=end],
        None => host.split(':').next().unwrap_or_default(),
    };
    !(matches!(name, "localhost" | "[::1]") || name.starts_with("127."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(url: &str, from: &str) -> anyhow::Result<MailSettings> {
        let setting = |name: &str| match name {
            "SVC_MAIL_URL" => url.to_owned(),
            "SVC_MAIL_FROM" => from.to_owned(),
            _ => String::new(),
        };
        MailSettings::from_settings(setting, Path::new("/data"))
    }

    #[test]
    fn without_an_address_mail_goes_to_files() {
        let settings = read("", "planwright@localhost").unwrap();
        assert!(matches!(settings.way, Way::Directory(directory) if directory.ends_with("mail")));
    }

    #[test]
    fn a_wrong_sender_is_refused_by_the_name_of_its_setting() {
        let error = read("", "nobody").err().unwrap();
        assert!(error.to_string().contains("SVC_MAIL_FROM"));
        assert!(read("", "Planwright <plan@example.test>").is_ok());
    }

    #[test]
    fn a_password_travels_encrypted_unless_somebody_says_otherwise() {
        let cases = [
            ("smtp://u:p@mail.example:587", "smtp://u:p@mail.example:587?tls=required"),
            ("smtp://u:p@127.0.0.1:25", "smtp://u:p@127.0.0.1:25?tls=opportunistic"),
            ("smtp://u:p@[::1]:25", "smtp://u:p@[::1]:25?tls=opportunistic"),
            ("smtp://mail.example", "smtp://mail.example?tls=opportunistic"),
            ("smtp://u:p@mail.example?tls=none", "smtp://u:p@mail.example"),
            ("smtp://mail.example?tls=required", "smtp://mail.example?tls=required"),
            ("smtps://u:p@mail.example", "smtps://u:p@mail.example"),
        ];
        for (given, wanted) in cases {
            assert_eq!(with_encryption(given), wanted);
        }
    }
}
