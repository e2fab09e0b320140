//! Makes slugs out of names: short, unique in their list, and the same for the same names in the same order.

use std::collections::HashSet;

use super::scalars::is_slug;

const LONGEST: usize = 40;

/// The slugs given out in one list.
#[derive(Debug, Default)]
pub struct Slugs {
    taken: HashSet<String>,
}

impl Slugs {
    /// No slug is taken.
    pub fn new() -> Self {
        Self::default()
    }

    /// A slug for `name` that was not given out before: `phase-one`, then `phase-one-2`. A name without a letter or
    /// digit that fits a slug takes `fallback` instead.
    pub fn make(&mut self, name: &str, fallback: &str) -> String {
        let plain = [name, fallback].into_iter().map(slug_of).find(|slug| !slug.is_empty());
        let plain = plain.unwrap_or_else(|| "item".to_owned());
        let numbered = (2u64..).map(|number| with_number(&plain, number));
        let free = std::iter::once(plain.clone()).chain(numbered).find(|slug| !self.taken.contains(slug));
        let slug = free.unwrap_or(plain);
        debug_assert!(is_slug(&slug));
        self.taken.insert(slug.clone());
        slug
    }
}

fn with_number(plain: &str, number: u64) -> String {
    let suffix = format!("-{number}");
    let kept = &plain[..plain.len().min(LONGEST - suffix.len())];
    format!("{}{suffix}", kept.trim_end_matches('-'))
}

fn slug_of(name: &str) -> String {
    let mut slug = String::new();
    for letter in name.chars().flat_map(char::to_lowercase) {
        if slug.len() >= LONGEST {
            break;
        }
        match letter {
            'a'..='z' | '0'..='9' => slug.push(letter),
            // A combining mark belongs to the letter before it, an apostrophe parts no words.
            '\u{300}'..='\u{36f}' | '\'' | '’' => {}
            other => match latin(other) {
                Some(letters) => slug.push_str(letters),
                None if slug.is_empty() || slug.ends_with('-') => {}
                None => slug.push('-'),
            },
        }
    }
    slug.truncate(LONGEST);
    slug.trim_end_matches('-').to_owned()
}

/// Plain letters for the accented ones of European languages.
fn latin(letter: char) -> Option<&'static str> {
    Some(match letter {
        'à' | 'á' | 'â' | 'ã' | 'å' | 'ā' | 'ă' | 'ą' => "a",
        'ä' | 'æ' => "ae",
        'ç' | 'ć' | 'č' => "c",
        'ð' | 'ď' | 'đ' => "d",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ė' | 'ę' | 'ě' => "e",
        'ğ' => "g",
        'ì' | 'í' | 'î' | 'ï' | 'ī' | 'į' | 'ı' => "i",
        'ł' | 'ľ' => "l",
        'ñ' | 'ń' | 'ň' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ő' => "o",
        'ö' | 'ø' | 'œ' => "oe",
        'ř' => "r",
        'ś' | 'š' | 'ş' | 'ș' => "s",
        'ß' => "ss",
        'ť' | 'ţ' | 'ț' => "t",
        'þ' => "th",
        'ù' | 'ú' | 'û' | 'ū' | 'ů' | 'ű' => "u",
        'ü' => "ue",
        'ý' | 'ÿ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_become_slugs_and_repeated_ones_are_numbered() {
        let mut slugs = Slugs::new();
        let long = "x".repeat(60);
        for (name, expected) in [
            ("Phase one", "phase-one"),
            ("Phase  ONE!", "phase-one-2"),
            ("Prüfung & Übergabe", "pruefung-uebergabe"),
            ("L'été", "lete"),
            ("工程", "task"),
            ("--", "task-2"),
            (long.as_str(), &"x".repeat(40)),
            (long.as_str(), &format!("{}-2", "x".repeat(38))),
        ] {
            assert_eq!(slugs.make(name, "task"), expected);
        }
    }

    proptest! {
        #[test]
        fn every_name_gets_a_slug_of_its_own(names in prop::collection::vec(".{0,60}", 0..40)) {
            let mut slugs = Slugs::new();
            let made: Vec<String> = names.iter().map(|name| slugs.make(name, "")).collect();
            prop_assert!(made.iter().all(|slug| is_slug(slug)));
            prop_assert_eq!(made.iter().collect::<HashSet<_>>().len(), names.len());
        }
    }
}
