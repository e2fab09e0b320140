//! How a person is shown to others: a name, initials, a colour.
//! All of it follows from what is stored, so it is the same on every node and after every restart.

use crate::ids::UserId;

/// The colours of initials, dark enough for white letters.
const COLORS: [&str; 10] = [
    "#b91c1c", "#c2410c", "#a16207", "#4d7c0f", "#15803d", "#0f766e", "#0369a1", "#4338ca", "#7e22ce",
    "#be185d",
];

/// First and last name, or the user name when neither is known.
pub fn display_name(first_name: &str, last_name: &str, username: &str) -> String {
    let name = format!("{} {}", first_name.trim(), last_name.trim());
    match name.trim() {
        "" => username.to_owned(),
        name => name.to_owned(),
    }
}

/// Two capitals: of the first and the last word, or the first two letters of a single word.
pub fn initials(display_name: &str) -> String {
    let words: Vec<&str> = display_name.split_whitespace().collect();
    let letters: String = match words.as_slice() {
        [] => String::new(),
        [word] => word.chars().take(2).collect(),
        [first, .., last] => first.chars().take(1).chain(last.chars().take(1)).collect(),
    };
    letters.to_uppercase()
}

/// The colour behind somebody's initials.
pub fn color(id: UserId) -> &'static str {
    let sum: usize = id.0.as_bytes().iter().map(|byte| usize::from(*byte)).sum();
    COLORS[sum % COLORS.len()]
}

/// Whether a text can be an e-mail address: something on both sides of one @, and no white space.
pub fn is_email(text: &str) -> bool {
    let plain = !text.contains(|letter: char| letter.is_whitespace() || letter.is_control());
    plain
        && text
            .split_once('@')
            .is_some_and(|(user, host)| !user.is_empty() && !host.is_empty() && !host.contains('@'))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_name_is_what_is_known_of_it() {
        assert_eq!(display_name("Mara", "Lind", "ml"), "Mara Lind");
        assert_eq!(display_name("", " Lind ", "ml"), "Lind");
        assert_eq!(display_name(" ", "", "ml"), "ml");
    }

    #[test]
    fn initials_are_two_capitals_where_there_are_two_letters() {
        assert_eq!(initials("Mara van der Lind"), "ML");
        assert_eq!(initials("ägir"), "ÄG");
        assert_eq!(initials("x"), "X");
        assert_eq!(initials(""), "");
    }

    #[test]
    fn a_person_keeps_their_colour() {
        let id = UserId(Uuid::from_u128(7));
        assert_eq!(color(id), color(id));
        assert_ne!(color(id), color(UserId(Uuid::from_u128(8))));
    }

    #[test]
    fn an_email_address_has_something_on_both_sides_of_one_at() {
        for (text, is_one) in
            [("a@b", true), ("a", false), ("@b", false), ("a@", false), ("a@b@c", false), ("a b@c", false)]
        {
            assert_eq!(is_email(text), is_one, "{text}");
        }
    }
}
