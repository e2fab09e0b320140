//! How sure it is that a caller is who they are: whether their sign-in has shown a second factor, and when they last proved
//! that it is they. The guard asks for as much as the rules of a route say; which factors there are is not known here.

use chrono::{DateTime, Duration, Utc};

use crate::rules::{Confirmation, Rules};
use crate::{Actor, ApiError};

/// For so many minutes after somebody has proved who they are, nobody asks them again.
pub const RECENT_MINUTES: i64 = 10;

/// The code of the answer to somebody who has to prove again who they are.
pub const NOT_RECENT: &str = "recent_sign_in_required";

/// What a sign-in has shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Assurance {
    /// Whether the person has a second factor.
    pub is_secured: bool,
    /// Whether the workspace wants a second factor that this sign-in has not shown.
    pub is_waiting: bool,
    /// When the person last proved that it is they. None for what is no sign-in.
    pub confirmed_at: Option<DateTime<Utc>>,
}

/// Whether somebody who proved then who they are need not do so again.
pub fn is_recent(confirmed_at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    now - confirmed_at <= Duration::minutes(RECENT_MINUTES)
}

/// Why a sign-in may not use a route. Tokens are not asked.
pub(crate) fn refusal(rules: &Rules, actor: &Actor, now: DateTime<Utc>) -> Option<ApiError> {
    actor.credential.session()?;
    let Assurance { is_secured, is_waiting, confirmed_at } = actor.assurance;
    let is_open = rules.before_second_factor || (rules.gives_second_factor && !is_secured);
    if is_waiting && !is_open {
        let (said, code) = match is_secured {
            true => ("Confirm this sign-in with your second factor first.", "second_factor_required"),
            false => {
                ("The workspace wants a second factor. Set one up first.", "second_factor_setup_required")
            }
        };
        return Some(ApiError::forbidden(said).with_code(code));
    }
    let is_asked = match rules.confirmation {
        Confirmation::NotAsked => false,
        Confirmation::OfSecured => is_secured,
        Confirmation::OfEverybody => true,
    };
    let is_old = !confirmed_at.is_some_and(|at| is_recent(at, now));
    (is_asked && is_old).then(|| {
        let said = "Confirm that it is you: POST /api/v1/auth/confirm/, or sign in again.";
        ApiError::forbidden(said).with_code(NOT_RECENT)
    })
}

#[cfg(test)]
mod tests {
    use planwright_domain::Role;
    use planwright_domain::ids::{SessionId, TokenId, UserId};
    use uuid::Uuid;

    use super::*;
    use crate::actor::Credential;
    use crate::says;

    fn at(minute: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + Duration::minutes(minute)
    }

    fn actor(credential: Credential, assurance: Assurance) -> Actor {
        Actor {
            id: UserId(Uuid::nil()),
            username: "ann".into(),
            workspace_role: Role::Member,
            is_guest: false,
            credential,
            ends_at: None,
            assurance,
            source: "unknown".into(),
        }
    }

    fn code(rules: Rules, assurance: Assurance, now: i64) -> Option<String> {
        let actor = actor(Credential::Session(SessionId(Uuid::nil())), assurance);
        refusal(&rules, &actor, at(now)).map(|error| error.body()["code"].as_str().unwrap().to_owned())
    }

    #[test]
    fn a_sign_in_that_waits_for_a_factor_may_only_set_one_up_or_show_it() {
        let waits = Assurance { is_waiting: true, confirmed_at: Some(at(0)), ..Assurance::default() };
        assert_eq!(code(says("Read."), waits, 0).as_deref(), Some("second_factor_setup_required"));
        let secured = Assurance { is_secured: true, ..waits };
        assert_eq!(code(says("Read."), secured, 0).as_deref(), Some("second_factor_required"));
        assert_eq!(code(says("Set up.").before_second_factor(), waits, 0), None);
        assert_eq!(code(says("Add.").gives_second_factor(), waits, 0), None);
        let owns_one = Assurance { is_secured: true, ..waits };
        let refused = code(says("Add.").gives_second_factor(), owns_one, 0);
        assert_eq!(refused.as_deref(), Some("second_factor_required"), "who has one shows it first");
    }

    #[test]
    fn dangerous_acts_ask_those_who_have_a_factor_and_nobody_else() {
        let plain = Assurance { confirmed_at: Some(at(0)), ..Assurance::default() };
        let secured = Assurance { is_secured: true, ..plain };
        assert_eq!(code(says("Delete.").dangerous(), plain, 11), None);
        assert_eq!(code(says("Delete.").dangerous(), secured, 10), None);
        assert_eq!(code(says("Delete.").dangerous(), secured, 11).as_deref(), Some(NOT_RECENT));
        assert_eq!(code(says("Add.").confirmed(), plain, 11).as_deref(), Some(NOT_RECENT));
    }

    #[test]
    fn tokens_are_never_asked() {
        let rules = says("Delete.").confirmed();
        let waits = Assurance { is_waiting: true, ..Assurance::default() };
        let token = actor(Credential::PersonalToken(TokenId(Uuid::nil())), waits);
        assert!(refusal(&rules, &token, at(0)).is_none());
    }
}
