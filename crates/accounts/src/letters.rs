//! Letters about the doors of an account: whoever has one learns when its password or a second factor of it changes, so that
//! nobody changes them unseen. A letter is queued in the transaction of the change. Nobody can turn these letters off.

use planwright_domain::ids::UserId;
use planwright_jobs::mail::{self, Mail};
use planwright_store::{Result, Tx};

use crate::people;
use crate::second_factor::commands::Means;

/// What has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Changed {
    /// There is another password.
    Password {
        /// Whether its owner chose it.
        by_owner: bool,
    },
    /// There is one more second factor.
    FactorAdded(Means),
    /// There is one second factor less.
    FactorRemoved {
        /// Which.
        means: Means,
        /// Whether none is left.
        is_last: bool,
    },
    /// Other recovery codes replace the ones before.
    NewRecoveryCodes,
    /// A recovery code was used, and few are left.
    FewRecoveryCodes(usize),
    /// Somebody else took all second factors away.
    FactorsReset {
        /// Whether it was an administrator, and not whoever runs this installation.
        by_administrator: bool,
    },
}

/// Queues the letter. Who has no address gets none.
pub(crate) async fn tell(tx: &mut Tx, user: UserId, changed: Changed) -> Result<()> {
    match people::by_id(tx, user).await?.filter(|person| !person.email.is_empty()) {
        Some(person) => mail::send(tx, &letter(person.email, &person.username, changed)).await,
        None => Ok(()),
    }
}

fn letter(to: String, username: &str, changed: Changed) -> Mail {
    let (subject, what) = words(changed);
    let body = format!(
        "Hello {username},\n\n{what}\n\n\
         If it was not you, choose a new password, look at your sign-ins in the settings, and tell an administrator.\n"
    );
    Mail { to, subject: subject.to_owned(), body, sealed_link: None, unsubscribe_url: None }
}

/// The subject, and what has changed.
fn words(changed: Changed) -> (&'static str, String) {
    match changed {
        Changed::Password { by_owner } => {
            let who = if by_owner { "" } else { " by whoever runs this installation" };
            let ended = "All sign-ins, personal tokens and calendar feeds from before have ended.";
            ("Your password was changed", format!("the password of your account was changed{who}. {ended}"))
        }
        Changed::FactorAdded(means) => {
            let what = format!("{} was added to your account. It can be asked for at sign-in.", named(means));
            ("A second factor was added", what)
        }
        Changed::FactorRemoved { means, is_last } => {
            let left = match is_last {
                true => "Your account has no second factor any more; its password alone opens it.",
                false => "Your other second factors stay.",
            };
            ("A second factor was removed", format!("{} was removed from your account. {left}", named(means)))
        }
        Changed::NewRecoveryCodes => {
            let what = "new recovery codes were made for your account. The ones before have ended.";
            ("You have new recovery codes", what.to_owned())
        }
        Changed::FewRecoveryCodes(left) => {
            let few = match left {
                0 => "None is left".to_owned(),
                1 => "One is left".to_owned(),
                left => format!("{left} are left"),
            };
            let what =
                format!("a recovery code of your account was used. {few}: make new ones in the settings.");
            ("Few recovery codes are left", what)
        }
        Changed::FactorsReset { by_administrator } => {
            let who = match by_administrator {
                true => "an administrator of the workspace",
                false => "whoever runs this installation",
            };
            let what = format!(
                "{who} removed all second factors of your account and ended its sign-ins. Its password alone \
                 opens it now; you can set up a second factor again in the settings."
            );
            ("Your second factors were removed", what)
        }
    }
}

fn named(means: Means) -> &'static str {
    match means {
        Means::Totp => "an app that makes codes",
        Means::Passkey => "a passkey",
        Means::RecoveryCode => "a recovery code",
        Means::Password => "a password",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_says_what_changed_and_what_to_do() {
        let said = |changed| letter("mara@example.test".to_owned(), "mara", changed);
        let removed = said(Changed::FactorRemoved { means: Means::Passkey, is_last: true });
        assert_eq!(removed.subject, "A second factor was removed");
        assert!(removed.body.starts_with("Hello mara,\n\na passkey was removed from your account."));
        assert!(
            removed.body.contains("its password alone opens it")
                && removed.body.contains("If it was not you")
        );
        let kept = said(Changed::FactorRemoved { means: Means::Totp, is_last: false });
        assert!(
            kept.body.contains("an app that makes codes") && kept.body.contains("other second factors stay")
        );
        for (left, text) in [(0, "None is left"), (1, "One is left"), (3, "3 are left")] {
            assert!(said(Changed::FewRecoveryCodes(left)).body.contains(text));
        }
        let by_administrator = said(Changed::FactorsReset { by_administrator: true }).body;
        let by_operator = said(Changed::FactorsReset { by_administrator: false }).body;
        assert!(by_administrator.contains("an administrator of the workspace removed"));
        assert!(by_operator.contains("whoever runs this installation removed"));
    }
}
