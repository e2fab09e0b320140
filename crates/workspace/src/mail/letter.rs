//! A mail as the message that travels (RFC 5322), which every mail client opens.
//! Handing it over is in `mailer.rs`.

use anyhow::Context;
use chrono::{DateTime, Utc};
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, SinglePart};
use lettre::{Address, Message};
use planwright_jobs::mail::Mail;
use uuid::Uuid;

/// Tells answering machines that nobody waits for their answer (RFC 3834).
const AUTO_SUBMITTED: HeaderName = HeaderName::new_from_ascii_str("Auto-Submitted");

/// Writes the message, or says why it cannot be sent to anybody.
pub(super) fn write(from: &Mailbox, mail: &Mail, now: DateTime<Utc>, id: Uuid) -> anyhow::Result<Message> {
    let to: Address =
        mail.to.trim().parse().with_context(|| format!("the mail has no valid recipient: {:?}", mail.to))?;
    // A line break in a subject would begin another header.
    let subject = mail.subject.split_whitespace().collect::<Vec<_>>().join(" ");
    Message::builder()
        .from(from.clone())
        .to(to.into())
        .subject(subject)
        .date(now.into())
        .message_id(Some(format!("<{id}@{}>", from.email.domain())))
        .raw_header(HeaderValue::new(AUTO_SUBMITTED, "auto-generated".into()))
        .singlepart(SinglePart::plain(mail.body.clone()))
        .context("the mail cannot be written")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(to: &str, subject: &str, body: &str) -> anyhow::Result<String> {
        let mail = Mail { to: to.into(), subject: subject.into(), body: body.into() };
        let from: Mailbox = "Planwright <plan@example.test>".parse().unwrap();
        let message = write(&from, &mail, DateTime::UNIX_EPOCH, Uuid::from_u128(1))?;
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
    fn a_wrong_address_is_named() {
        for wrong in
            ["", "mara", "mara@", "a@example.test, b@example.test", "a@example.test\r\nBcc: b@example.test"]
        {
            let error = written(wrong, "Hello", "").unwrap_err();
            assert!(error.to_string().contains("no valid recipient"), "{wrong:?}");
        }
    }
}
