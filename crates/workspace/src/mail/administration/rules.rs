//! Which mail settings are right, and what records of a name are worth: pure decisions.

use lettre::message::Mailbox;
use planwright_domain::person::is_email;
use planwright_domain::words::{MailSecurity, MailTransport, MailVerdict};
use planwright_web::{ApiResult, Problems};

use super::model::{MailSettingsRow, PatchedEmailSettingsRequest};

/// The SMTP server of SendGrid, and the name with which every customer signs in there.
const SENDGRID: (&str, &str) = ("smtp.sendgrid.net", "apikey");

/// The settings with the wanted fields changed, and what is to become of the password: none when it stays.
pub(super) fn changed(
    mut row: MailSettingsRow,
    request: PatchedEmailSettingsRequest,
) -> ApiResult<(MailSettingsRow, Option<String>)> {
    let mut problems = Problems::default();
    let (host, port) = (row.host.clone(), row.port);
    request.transport_mode.write_to(&mut row.transport_mode);
    request.host.write_to(&mut row.host);
    request.port.write_to(&mut row.port);
    request.security.write_to(&mut row.security);
    request.username.write_to(&mut row.username);
    request.from_name.write_to(&mut row.from_name);
    request.from_email.write_to(&mut row.from_email);
    request.reply_to.write_to(&mut row.reply_to);
    request.dkim_selector.write_to(&mut row.dkim_selector);
    request.max_recipients.write_to(&mut row.max_recipients);
    request.throttle_per_min.write_to(&mut row.throttle_per_min);
    if row.transport_mode == MailTransport::Sendgrid {
        (row.host, row.username) = (SENDGRID.0.to_owned(), SENDGRID.1.to_owned());
    }
    let host_is_name = !row.host.is_empty() && row.host.chars().all(is_of_host);
    match row.transport_mode {
        MailTransport::Smtp | MailTransport::Ses if !host_is_name => {
            problems.say("host", "Enter the name of the mail server.");
        }
        MailTransport::Ses if !row.host.ends_with(".amazonaws.com") => {
            problems.say("host", "The SMTP server of SES ends in amazonaws.com.");
        }
        _ => {}
    }
    for (field, address) in [("from_email", &row.from_email), ("reply_to", &row.reply_to)] {
        let is_address = is_email(address) && address.parse::<lettre::Address>().is_ok();
        if !address.is_empty() && !is_address {
            problems.say(field, "Enter a valid e-mail address.");
        }
    }
    if !row.dkim_selector.is_empty() && !is_selector(&row.dkim_selector) {
        problems.say("dkim_selector", "Use letters, digits, dashes and underscores, with dots between them.");
    }
    if row.from_name.chars().any(char::is_control) {
        problems.say("from_name", "No control characters are allowed.");
    }
    let password = request.password.given().map(String::from);
    if row.is_in_force()
        && row.security == MailSecurity::None
        && password.as_ref().is_some_and(|word| !word.is_empty())
    {
        problems.say("security", "A password leaves under encryption only. Choose tls or ssl.");
    }
    // What is stored goes to the server that it was stored for, and to no other.
    let is_elsewhere = row.host != host || row.port != port;
    if is_elsewhere && row.password_sealed.is_some() && password.is_none() {
        problems.say("password", "Enter the password again: the mail server is another one.");
    }
    problems.check()?;
    Ok((row, password))
}

fn is_of_host(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | ':' | '[' | ']')
}

/// The sender that the settings say, over that of the environment.
pub(crate) fn sender(row: &MailSettingsRow, of_environment: &Mailbox) -> Mailbox {
    let email = row.from_email.parse().unwrap_or_else(|_| of_environment.email.clone());
    let name = match row.from_name.is_empty() {
        true => of_environment.name.clone(),
        false => Some(row.from_name.clone()),
    };
    Mailbox::new(name, email)
}

/// What the records of a name say of who may send for it.
pub(super) fn spf(records: &[String]) -> MailVerdict {
    let says = |record: &&String| record.to_ascii_lowercase().starts_with("v=spf1");
    match records.iter().filter(says).collect::<Vec<_>>().as_slice() {
        // More than one record is an error (RFC 7208, 4.5), and so is one that lets everybody send.
        [one] if !one.contains("+all") => MailVerdict::Pass,
        [_] => MailVerdict::Warn,
        _ => MailVerdict::Fail,
    }
}

/// Whether a text can be part of the name of a DNS record (RFC 6376, 3.1).
fn is_selector(text: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    text.split('.').all(|label| !label.is_empty() && label.chars().all(is_letter))
}

/// What the records of a selector say of the key; without a selector nothing is known.
pub(super) fn dkim(selector: &str, records: &[String]) -> MailVerdict {
    let has_key = |record: &String| {
        record.split(';').any(|tag| tag.trim().strip_prefix("p=").is_some_and(|key| !key.trim().is_empty()))
    };
    match records.iter().any(has_key) {
        _ if selector.is_empty() => MailVerdict::Warn,
        true => MailVerdict::Pass,
        false => MailVerdict::Fail,
    }
}

/// What the records of a name say of what happens to forged letters.
pub(super) fn dmarc(records: &[String]) -> MailVerdict {
    let says = |record: &&String| record.to_ascii_lowercase().starts_with("v=dmarc1");
    let Some(record) = records.iter().find(says) else { return MailVerdict::Fail };
    let policy = record.split(';').find_map(|tag| tag.trim().strip_prefix("p=").map(str::trim));
    match policy {
        Some("quarantine" | "reject") => MailVerdict::Pass,
        _ => MailVerdict::Warn,
    }
}

#[cfg(test)]
mod tests {
    use planwright_web::Input;
    use serde_json::{Value, json};

    use super::*;

    fn outcome(body: Value) -> Result<MailSettingsRow, Value> {
        let request = PatchedEmailSettingsRequest::read(body.as_object().unwrap()).unwrap();
        let changed = changed(MailSettingsRow::fresh(Default::default()), request);
        changed.map(|(row, _)| row).map_err(|error| Value::Object(error.body().clone()))
    }

    #[test]
    fn a_service_has_its_own_server() {
        let row = outcome(json!({"transport_mode": "sendgrid", "password": "key"})).unwrap();
        assert_eq!((row.host.as_str(), row.username.as_str()), ("smtp.sendgrid.net", "apikey"));
        assert!(outcome(json!({"transport_mode": "ses", "host": "mail.example.test"})).is_err());
        assert!(
            outcome(json!({"transport_mode": "ses", "host": "email-smtp.eu-west-1.amazonaws.com"})).is_ok()
        );
        assert!(outcome(json!({"transport_mode": "cloud"})).is_ok());
    }

    #[test]
    fn a_stored_password_goes_to_no_other_server() {
        let stored = MailSettingsRow {
            host: "mail.example.test".to_owned(),
            password_sealed: Some("sealed".to_owned()),
            ..MailSettingsRow::fresh(Default::default())
        };
        let outcome = |body: Value| {
            let request = PatchedEmailSettingsRequest::read(body.as_object().unwrap()).unwrap();
            changed(stored.clone(), request).map(|_| ())
        };
        for moved in [json!({"host": "evil.example.test"}), json!({"port": 2525})] {
            let refusal = outcome(moved.clone()).unwrap_err();
            assert!(refusal.body().contains_key("password"), "{moved}");
        }
        assert!(outcome(json!({"host": "new.example.test", "password": "again"})).is_ok());
        assert!(outcome(json!({"from_name": "Plans"})).is_ok());
    }

    #[test]
    fn everything_that_is_wrong_is_named() {
        let wrong = json!({"transport_mode": "smtp", "host": "a b", "from_email": "nobody", "reply_to": "x@",
            "security": "none", "password": "word"});
        let wrong = outcome(wrong).unwrap_err();
        for field in ["host", "from_email", "reply_to", "security"] {
            assert!(wrong.get(field).is_some(), "{field}: {wrong}");
        }
    }

    #[test]
    fn records_are_worth_what_they_say() {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        assert_eq!(spf(&texts(&["v=spf1 mx -all", "other"])), MailVerdict::Pass);
        assert_eq!(spf(&texts(&["v=spf1 +all"])), MailVerdict::Warn);
        assert_eq!(spf(&texts(&["v=spf1 mx", "v=spf1 a"])), MailVerdict::Fail);
        assert_eq!(dkim("s1", &texts(&["v=DKIM1; k=rsa; p=MIGf"])), MailVerdict::Pass);
        assert_eq!(dkim("s1", &texts(&["v=DKIM1; p="])), MailVerdict::Fail);
        assert_eq!(dkim("", &[]), MailVerdict::Warn);
        assert_eq!(dmarc(&texts(&["v=DMARC1; p=reject"])), MailVerdict::Pass);
        assert_eq!(dmarc(&texts(&["v=DMARC1; p=none"])), MailVerdict::Warn);
        assert_eq!(dmarc(&[]), MailVerdict::Fail);
    }
}
