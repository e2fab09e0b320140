//! Single sign-on: the providers of an installation below `/api/v1/workspace/sso/providers/`, and signing in with one of them
//! below `/api/v1/auth/oidc/` (contract 1, Single sign-on). What a provider says is believed only after its signature and the
//! person's domain were checked.

mod catalogue;
mod cleanup;
mod completion_page;
mod github;
mod http_client;
mod login;
mod open_id;
mod providers;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use planwright_jobs::Registry;
use planwright_web::{App, Routes};

/// The routes of single sign-on.
pub fn routes() -> Routes {
    providers::routes().and(login::routes()).and(completion_page::table())
}

/// The jobs of single sign-on.
pub fn jobs() -> Registry<App> {
    cleanup::jobs()
}

/// What providers said of themselves a short while ago. Losing it costs one more request.
#[derive(Clone, Default)]
pub struct ProviderMemory(Arc<Mutex<HashMap<String, open_id::Known>>>);

/// Who somebody is at a provider.
#[derive(Clone, Debug, PartialEq)]
pub struct Identity {
    /// Who vouches for it.
    pub issuer: String,
    /// Who it is there. It never changes.
    pub subject: String,
    /// The address, if the provider has seen that mail to it arrives.
    pub verified_email: Option<String>,
    /// What the person calls themselves.
    pub name: String,
}

/// The longest subject (OpenID Connect Core, section 2).
const LONGEST_SUBJECT: usize = 255;

impl Identity {
    /// The same, once it can be believed: a subject tells people apart, an address is one that mail can go to, and a name has
    /// no control characters.
    pub(crate) fn checked(mut self) -> Result<Self, Failure> {
        let is_plain = self.subject.chars().all(|character| character.is_ascii_graphic() || character == ' ');
        if self.subject.trim().is_empty() || self.subject.len() > LONGEST_SUBJECT || !is_plain {
            return Err(Failure::refused(
                Refusal::InvalidIdToken,
                "the subject is blank, too long or no plain text",
            ));
        }
        self.verified_email = self.verified_email.filter(|email| crate::passwords::is_plain_address(email));
        self.name.retain(|character| !character.is_control());
        Ok(self)
    }
}

/// Why nobody is signed in. The spelling goes into the address of the client; it tells nothing that is secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The person or the provider said no.
    AccessDenied,
    /// There is no such provider.
    NotConfigured,
    /// The answer of the provider is incomplete.
    InvalidRequest,
    /// The answer does not belong to a sign-in that this browser has begun.
    InvalidState,
    /// The provider did not exchange the code.
    ExchangeFailed,
    /// What the provider signed is not valid.
    InvalidIdToken,
    /// The account here was deactivated.
    AccountDisabled,
    /// Nobody here is that person, and nobody is added.
    NoMember,
    /// The provider does not vouch for the address.
    EmailUnverified,
    /// Anything else that the provider did wrong.
    ProviderError,
    /// No refusal: the person has to show their second factor here.
    SecondFactor,
}

impl Refusal {
    /// Its spelling in `error`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Refusal::AccessDenied => "access_denied",
            Refusal::NotConfigured => "sso_not_configured",
            Refusal::InvalidRequest => "invalid_request",
            Refusal::InvalidState => "invalid_state",
            Refusal::ExchangeFailed => "token_exchange_failed",
            Refusal::InvalidIdToken => "invalid_id_token",
            Refusal::AccountDisabled => "sso_account_disabled",
            Refusal::NoMember => "sso_no_member",
            Refusal::EmailUnverified => "email_unverified",
            Refusal::ProviderError => "oidc_error",
            Refusal::SecondFactor => "second_factor_required",
        }
    }
}

/// Why an answer of a provider cannot be used.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// It cannot be reached, or does not answer.
    Unreachable(String),
    /// It answers, and what it says cannot be accepted.
    Refused(Refusal, String),
}

impl Failure {
    fn refused(refusal: Refusal, why: impl std::fmt::Display) -> Self {
        Self::Refused(refusal, why.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(subject: &str, email: &str) -> Identity {
        Identity {
            issuer: "https://idp.example".to_owned(),
            subject: subject.to_owned(),
            verified_email: Some(email.to_owned()),
            name: "Ona\0 Li\r\n".to_owned(),
        }
    }

    #[test]
    fn a_subject_that_tells_nobody_apart_is_refused() {
        for subject in ["", " ", "a\0b", "ä", &"x".repeat(256)] {
            assert!(identity(subject, "ona@example.org").checked().is_err(), "{subject:?}");
        }
        assert!(identity(&"x".repeat(255), "ona@example.org").checked().is_ok());
    }

    #[test]
    fn an_address_that_no_mail_can_go_to_is_not_believed() {
        let odd = [
            "a\r\nb@corp.test",
            "admin@corp.test ",
            "adm\u{200b}in@corp.test",
            "a\0@corp.test",
            "a@b.test,c@d.test",
            "corp.test",
        ];
        for email in odd {
            assert_eq!(identity("1", email).checked().unwrap().verified_email, None, "{email:?}");
        }
        let plain = identity("1", "ona.li+x@example.org").checked().unwrap();
        assert_eq!(
            (plain.verified_email.as_deref(), plain.name.as_str()),
            (Some("ona.li+x@example.org"), "Ona Li")
        );
    }
}
