//! A mail as the message that travels (RFC 5322), which every mail client opens.
//! Handing it over is in `mailer.rs`.

use anyhow::Context;
use chrono::{DateTime, Utc};
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::{Address, Message};
use planwright_jobs::mail::Mail;
use planwright_web::form_page::escaped;
use uuid::Uuid;

/// Tells answering machines that nobody waits for their answer (RFC 3834).
const AUTO_SUBMITTED: HeaderName = HeaderName::new_from_ascii_str("Auto-Submitted");
/// Where mail clients send a request to get no more mails of this kind (RFC 2369, RFC 8058).
const LIST_UNSUBSCRIBE: HeaderName = HeaderName::new_from_ascii_str("List-Unsubscribe");
const LIST_UNSUBSCRIBE_POST: HeaderName = HeaderName::new_from_ascii_str("List-Unsubscribe-Post");

/// Writes the message, or says why it cannot be sent to anybody.
pub(super) fn write(
    (from, reply_to): (&Mailbox, Option<Mailbox>),
    mail: &Mail,
    now: DateTime<Utc>,
    id: Uuid,
) -> anyhow::Result<Message> {
    let to: Address =
        mail.to.trim().parse().with_context(|| format!("the mail has no valid recipient: {:?}", mail.to))?;
    // A line break in a subject would begin another header.
    let subject = mail.subject.split_whitespace().collect::<Vec<_>>().join(" ");
    // What looks like an encoded word (RFC 2047, section 5) would be decoded. A word joiner keeps it as it was written.
    let subject = subject.replace("=?", "=\u{2060}?");
    let builder = match reply_to {
        Some(reply_to) => Message::builder().reply_to(reply_to),
        None => Message::builder(),
    };
    let mut builder = builder
        .from(from.clone())
        .to(to.into())
        .subject(subject.clone())
        .date(now.into())
        .message_id(Some(format!("<{id}@{}>", from.email.domain())))
        .raw_header(HeaderValue::new(AUTO_SUBMITTED, "auto-generated".into()));
    let mut body = mail.body.clone();
    if let Some(url) = &mail.unsubscribe_url {
        builder = builder
            .raw_header(HeaderValue::dangerous_new_pre_encoded(
                LIST_UNSUBSCRIBE,
                url.clone(),
                format!("<{url}>"),
            ))
            .raw_header(HeaderValue::new(LIST_UNSUBSCRIBE_POST, "List-Unsubscribe=One-Click".into()));
        body = format!("{}\n\nTo get no more mails of this kind, open\n{url}\n", body.trim_end());
    }
    let shown = page(&subject, &body);
    builder.multipart(MultiPart::alternative_plain_html(body, shown)).context("the mail cannot be written")
}

const BODY: &str =
    "margin:0;padding:24px;background:#f4f5f7;color:#1f2933;font:16px/1.5 system-ui,sans-serif";
const CARD: &str = "max-width:36em;margin:0 auto;padding:24px 32px;background:#ffffff;border-radius:8px";
const BRAND: &str = "margin:0 0 16px;color:#0369a1;font-weight:600";
const LINK: &str = "color:#0369a1;word-break:break-all";

/// The text of a letter as a page in the one look that all letters have. Lines that are an address become links.
fn page(subject: &str, text: &str) -> String {
    let paragraph = |part: &str| {
        let lines: Vec<String> = part.lines().map(line).collect();
        format!("<p>{}</p>", lines.join("<br>"))
    };
    let parts = text.split("\n\n").filter(|part| !part.trim().is_empty());
    let content: String = parts.map(paragraph).collect();
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title></head>\
         <body style=\"{BODY}\"><div style=\"{CARD}\"><p style=\"{BRAND}\">planwright</p>{content}</div></body></html>",
        escaped(subject)
    )
}

fn line(text: &str) -> String {
    let shown = escaped(text);
    match text.starts_with("https://") || text.starts_with("http://") {
        true if !text.contains(char::is_whitespace) => {
            format!("<a style=\"{LINK}\" href=\"{shown}\">{shown}</a>")
        }
        _ => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_that_can_be_turned_off_says_where_in_headers_text_and_page() {
        let url = "https://plan.example.test/unsubscribe/abc_-123/";
        let text = sent(&Mail {
            to: "mara@example.test".into(),
            subject: "Hello".into(),
            body: "First line\n".into(),
            sealed_link: None,
            unsubscribe_url: Some(url.into()),
        });
        let text = text.unwrap();
        assert!(text.contains(&format!("List-Unsubscribe: <{url}>\r\n")), "{text}");
        assert!(text.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"), "{text}");
        assert!(
            text.contains(&format!("First line\r\n\r\nTo get no more mails of this kind, open\r\n{url}"))
        );
        assert!(!written("mara@example.test", "Hello", "").unwrap().contains("List-Unsubscribe"));
    }

    fn written(to: &str, subject: &str, body: &str) -> anyhow::Result<String> {
        sent(&Mail {
            to: to.into(),
            subject: subject.into(),
            body: body.into(),
            sealed_link: None,
            unsubscribe_url: None,
        })
    }

    fn sent(mail: &Mail) -> anyhow::Result<String> {
        let from: Mailbox = "Planwright <plan@example.test>".parse().unwrap();
        let message = write((&from, None), mail, DateTime::UNIX_EPOCH, Uuid::from_u128(1))?;
        Ok(String::from_utf8(message.formatted()).unwrap())
    }

    #[test]
    fn a_message_has_the_headers_that_clients_look_for() {
        let text = written("mara@example.test", "Hello", "First line\nsecond line").unwrap();
        for header in [
            "From: Planwright <plan@example.test>\r\n",
            "To: mara@example.test\r\n",
            "Subject: Hello\r\n",
            "Date: Thu, 01 Jan 1970 00:00:00 +0000\r\n",
            "Message-ID: <00000000-0000-0000-0000-000000000001@example.test>\r\n",
            "MIME-Version: 1.0\r\n",
            "Auto-Submitted: auto-generated\r\n",
        ] {
            assert!(text.contains(header), "{header:?} is missing in {text}");
        }
        assert!(text.contains("First line\r\nsecond line"));
    }

    #[test]
    fn a_subject_cannot_add_a_header() {
        let text = written("mara@example.test", "Hello\r\nBcc: eve@example.test", "").unwrap();
        assert!(text.contains("Subject: Hello Bcc: eve@example.test\r\n"));
    }

    #[test]
    fn a_subject_is_read_as_it_was_written() {
        let text = written("mara@example.test", "Tsk =?utf-8?b?aGk=?=", "").unwrap();
        let subject = text.lines().find(|line| line.starts_with("Subject:")).unwrap();
        assert!(!subject.contains("=?utf-8?b?aGk=?="), "{subject}");
    }

    #[test]
    fn a_wrong_address_is_named() {
        for wrong in
            ["", "mara", "mara@", "a@example.test, b@example.test", "a@example.test\r\nBcc: b@example.test"]
        {
            let error = written(wrong, "Hello", "").unwrap_err();
            assert!(error.to_string().contains("no valid recipient"), "{wrong:?}");
        }
    }

    #[test]
    fn a_letter_cannot_write_into_its_page_and_its_links_are_links() {
        let shown = page("Hi <b>", "Hello <script>,\n\nsee\nhttps://host/a?b=1&c=2\n");
        assert!(shown.contains("Hi &lt;b&gt;") && shown.contains("&lt;script&gt;"));
        assert!(shown.contains("href=\"https://host/a?b=1&amp;c=2\""), "{shown}");
        assert_eq!(shown.matches("<p>").count(), 2);
    }
}
