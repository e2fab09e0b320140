//! Which passwords are good enough, and what a reset mail says: pure decisions.
//! Whether a password is the current one takes a hash to tell, and is handed in.

use passwords::analyzer::is_common_password;
use planwright_jobs::mail::{LINK, Mail};

use crate::people::PersonRow;
use crate::settings::AccountSettings;

/// The fewest characters of a password.
pub const FEWEST_CHARACTERS: usize = 10;

/// Our own name, of which nobody should make a password.
const PRODUCT: &str = "planwright";

/// A password that somebody wants, and what it must not resemble.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The password.
    pub password: &'a str,
    /// The name its owner signs in with.
    pub username: &'a str,
    /// The address of its owner; may be empty.
    pub email: &'a str,
    /// Whether it is the one they have.
    pub is_current: bool,
}

/// Everything that is wrong with a password, in sentences for people; nothing when it is good enough.
pub fn weaknesses(wanted: Wanted<'_>) -> Vec<String> {
    let Wanted { password, username, email, is_current } = wanted;
    let lower = password.to_lowercase();
    let local_part = email.split('@').next().unwrap_or_default();
    let checks = [
        (
            password.chars().count() < FEWEST_CHARACTERS,
            format!("The password must have at least {FEWEST_CHARACTERS} characters."),
        ),
        (
            [password, lower.as_str()].into_iter().any(is_common_password),
            "The password is in a public list of stolen passwords.".to_owned(),
        ),
        (resembles(&lower, PRODUCT), "The password is too similar to the name of this program.".to_owned()),
        (resembles(&lower, username), "The password is too similar to the user name.".to_owned()),
        (
            [email, local_part].iter().any(|part| resembles(&lower, part)),
            "The password is too similar to the e-mail address.".to_owned(),
        ),
        (is_current, "The password is the current one.".to_owned()),
    ];
    checks.into_iter().filter(|(is_wrong, _)| *is_wrong).map(|(_, sentence)| sentence).collect()
}

/// Whether a run of the personal text makes up at least half of the password.
fn resembles(lower: &str, personal: &str) -> bool {
    let personal = personal.to_lowercase();
    let length = lower.chars().count();
    length > 0 && 2 * longest_shared_run(lower, &personal) >= length
}

/// The length of the longest run of characters that stands in both texts.
fn longest_shared_run(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    // How long the run is that ends at each character of the other text and at the last one read of this.
    let mut runs = vec![0; other.len()];
    let mut longest = 0;
    for letter in one.chars() {
        let mut before = 0;
        for (at, run) in runs.iter_mut().enumerate() {
            let diagonal = std::mem::replace(&mut before, *run);
            *run = if other[at] == letter { diagonal + 1 } else { 0 };
            longest = longest.max(*run);
        }
    }
    longest
}

/// Whether a text could be an address that mail is sent to.
pub fn is_address(text: &str) -> bool {
    let plain = !text.chars().any(|letter| letter.is_whitespace() || letter.is_control());
    let parts = text.rsplit_once('@');
    plain && parts.is_some_and(|(local, domain)| !local.is_empty() && !domain.is_empty())
}

/// Whether an address is written plainly, so that one letter goes to one person: ASCII without blanks, control characters or what
/// separates the addresses of a list, with a domain that can be looked up.
pub fn is_plain_address(email: &str) -> bool {
    let is_odd = |letter: char| !letter.is_ascii_graphic() || ",;:<>()[]\"\\".contains(letter);
    let Some((local, domain)) = email.rsplit_once('@') else { return false };
    let is_label = |label: &str| {
        let ends = !label.starts_with('-') && !label.ends_with('-');
        !label.is_empty()
            && ends
            && label.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-')
    };
    let is_dotted = local.split('.').all(|part| !part.is_empty());
    email.len() <= 254
        && !local.contains(is_odd)
        && !local.contains('@')
        && is_dotted
        && domain.split('.').all(is_label)
}

/// The link that lets its holder choose a new password for a person.
pub fn reset_link(settings: &AccountSettings, person: &PersonRow, secret: &str) -> String {
    format!("{}/reset-password/confirm/{}/{secret}/", settings.frontend_url, person.id.0.simple())
}

/// The mail with such a link, which is sealed until it leaves.
pub fn reset_mail(settings: &AccountSettings, person: &PersonRow, sealed_link: String) -> Mail {
    let minutes = settings.reset_link.num_minutes().max(1);
    let name = &person.username;
    Mail {
        to: person.email.clone(),
        subject: "Choose a new password".to_owned(),
        body: format!(
            "Hello {name},\n\nsomebody asked for a new password for your account, most likely you.\n\
             This link lets you choose one, once, within {minutes} minutes:\n\n{LINK}\n\n\
             If it was not you, there is nothing to do: your password stays as it is.\n"
        ),
        sealed_link: Some(sealed_link),
        unsubscribe_url: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(password: &str) -> Vec<String> {
        let (username, email) = ("mara.lund", "mara.lund@example.test");
        weaknesses(Wanted { password, username, email, is_current: false })
    }

    #[test]
    fn a_long_phrase_is_good_enough_whatever_it_is_made_of() {
        assert_eq!(problems("copperlantern"), Vec::<String>::new());
        assert_eq!(problems("8675309867530986"), Vec::<String>::new());
        assert_eq!(problems("copper lantern, northbound"), Vec::<String>::new());
        assert_eq!(problems("møllehjul-7"), Vec::<String>::new());
    }

    #[test]
    fn each_weakness_is_named() {
        for (password, word) in [
            ("short-1", "at least 10"),
            ("Password123", "public list"),
            ("1234567890", "public list"),
            ("planwright-7", "this program"),
            ("Mara.Lund-77", "user name"),
            ("lund@example.test", "e-mail"),
        ] {
            let found = problems(password);
            assert!(found.iter().any(|sentence| sentence.contains(word)), "{password}: {found:?}");
        }
    }

    #[test]
    fn several_weaknesses_are_told_at_once() {
        assert_eq!(problems("12345").len(), 2, "it is short and published");
    }

    #[test]
    fn the_current_password_is_no_new_one() {
        let wanted = Wanted { password: "copper-lantern-7", username: "", email: "", is_current: true };
        assert_eq!(weaknesses(wanted), ["The password is the current one."]);
    }

    #[test]
    fn the_longest_shared_run_is_counted_in_characters() {
        assert_eq!(longest_shared_run("xabcdy", "zabcz"), 3);
        assert_eq!(longest_shared_run("øøø", "aøøb"), 2);
        assert_eq!(longest_shared_run("", "a"), 0);
        assert_eq!(longest_shared_run("a", ""), 0);
    }

    #[test]
    fn a_plain_address_is_one_address() {
        for right in ["ona@example.org", "o.li+x@a-b.example", "a@localhost"] {
            assert!(is_plain_address(right), "{right}");
        }
        let wrong = [
            "a@b.test,evil@x.test",
            "a@b.test;c@d.test",
            "a@b.test>",
            "<s>@b.test",
            "a..b@c.test",
            "a@-b.test",
            "a@[127.0.0.1]",
            "ä@b.test",
            "a b@c.test",
            "a@b..test",
            "@b.test",
            "a@",
        ];
        for wrong in wrong {
            assert!(!is_plain_address(wrong), "{wrong}");
        }
    }

    #[test]
    fn an_address_has_something_on_both_sides_of_its_sign() {
        assert!(is_address("mara@example.test"));
        for wrong in ["mara", "@example.test", "mara@", "ma ra@example.test", "a@b\n"] {
            assert!(!is_address(wrong), "{wrong}");
        }
    }
}
