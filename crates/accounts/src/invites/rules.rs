//! Who may be invited with which rank, and what the mail says: pure decisions.

use chrono::Duration;
use planwright_domain::Role;
use planwright_jobs::mail::{LINK, Mail};
use planwright_web::input::Patch;
use planwright_web::{ApiError, ApiResult};

use super::model::InviteRow;
use crate::settings::AccountSettings;

/// How long an invitation can be accepted, in days.
const GOOD_DAYS: i64 = 7;
/// How many invitations may wait at a time.
pub(super) const MOST_PENDING: i64 = 500;

/// How long an invitation can be accepted.
pub(super) fn lifetime() -> Duration {
    Duration::days(GOOD_DAYS)
}

/// The rank of an invitation.
///
/// # Errors
/// 400 for a rank that the workspace does not have, 403 for one that is not below one's own.
pub(super) fn granted(role: Patch<Role>, own: Role) -> ApiResult<Role> {
    let role = role.given().unwrap_or(Role::Member);
    if !matches!(role, Role::Member | Role::ProjectManager | Role::Owner) {
        return Err(ApiError::invalid_field("role", "Must be 100 (Member) or 300 (Admin)."));
    }
    match role < own {
        true => Ok(role),
        false => Err(ApiError::forbidden("You may only give roles below your own.")),
    }
}

/// An address as addresses are compared.
pub(super) fn key(email: &str) -> String {
    email.trim().to_lowercase()
}

/// The answer to every token that is no good, whatever the reason.
pub(super) fn no_good() -> ApiError {
    ApiError::bad_request("This invitation is not valid any more. Ask for a new one.")
        .with_code("invalid_token")
}

/// The link of an invitation.
pub(super) fn link(settings: &AccountSettings, token: &str) -> String {
    format!("{}/invite/accept?token={token}", settings.frontend_url)
}

/// The mail with that link, which is sealed until it leaves.
pub(super) fn mail(invite: &InviteRow, inviter: &str, workspace: &str, sealed_link: String) -> Mail {
    Mail {
        to: invite.email.clone(),
        subject: format!("{inviter} invites you to {workspace}"),
        body: format!(
            "Hello,\n\n{inviter} invites you to plan together in the workspace {workspace}.\n\n\
             This link lets you choose a user name and a password, once, within {GOOD_DAYS} days:\n\n{LINK}\n\n\
             If you did not expect this mail, there is nothing to do.\n"
        ),
        sealed_link: Some(sealed_link),
        unsubscribe_url: None,
    }
}

/// The user name that an account gets when none is chosen: the first part of the address, as far as it may be one.
pub(super) fn suggested_name(email: &str) -> String {
    let local = email.split('@').next().unwrap_or_default();
    local
        .chars()
        .filter(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_'))
        .take(150)
        .collect()
}

/// What is wrong with the user name that somebody chooses. People are mentioned and told apart by it, so it has only letters that
/// look like no others.
pub(super) fn wrong_with_name(username: &str) -> Option<&'static str> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "@.+-_".contains(letter);
    let has_letter = username.chars().any(|letter| letter.is_ascii_alphanumeric());
    match has_letter && username.chars().all(is_plain) {
        true => None,
        false => Some("A user name has letters from a to z, digits, and the signs @ . + - _."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_name_looks_like_no_other() {
        for right in ["ona", "Ona.Li-2", "ona@corp.test"] {
            assert_eq!(wrong_with_name(right), None, "{right}");
        }
        for wrong in ["", "..", "admin\u{200b}", "\u{430}dmin", "a\u{202e}b", "a/b", "<b>x</b>", "a b"] {
            assert!(wrong_with_name(wrong).is_some(), "{wrong:?}");
        }
    }

    #[test]
    fn a_rank_is_one_of_the_workspace_and_below_ones_own() {
        let status = |role, own| granted(Patch::Set(role), own).map_or_else(|error| error.status(), |_| 200);
        assert_eq!(status(Role::Member, Role::ProjectManager), 200);
        assert_eq!(status(Role::ProjectManager, Role::ProjectManager), 403);
        assert_eq!(status(Role::ProjectManager, Role::Owner), 200);
        assert_eq!(status(Role::Owner, Role::Owner), 403);
        assert_eq!(status(Role::ResourceManager, Role::Owner), 400);
        assert_eq!(granted(Patch::Absent, Role::ProjectManager).unwrap(), Role::Member);
    }

    #[test]
    fn a_suggested_name_has_no_strange_letters() {
        assert_eq!(suggested_name("mara.lund+x@example.test"), "mara.lundx");
    }
}
