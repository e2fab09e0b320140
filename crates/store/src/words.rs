//! Search by words in the text index (`schema/text_index`): the words of a request, and where they are looked for. A
//! word of the request finds words that begin with it. This is the fifth difference between the engines.

pub use crate::letters::plain;

use std::collections::BTreeSet;

use unicode_normalization::char::is_combining_mark;

use crate::engine::Engine;
use crate::value::list;
use crate::{Read, Result, Sql, sql};

/// The largest number of words of a request that are looked for.
const MOST_WORDS: usize = 6;

/// A word is looked for with a wrong letter from this length; among shorter ones, everything is like everything.
const SHORTEST_MISSPELT: usize = 4;

/// From this length the neighbours of a word would be too many.
const LONGEST_MISSPELT: usize = 20;

/// What the index knows the words of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Text {
    /// Names of `tasks t`.
    TaskName,
    /// Notes of `tasks t`.
    TaskNotes,
    /// Bodies of `task_comments c`.
    Comment,
    /// Titles of `backlog_items i`.
    ItemTitle,
    /// Descriptions of `backlog_items i`.
    ItemDescription,
}

impl Text {
    /// The function of PostgreSQL that finds its rows.
    const fn function(self) -> &'static str {
        match self {
            Text::TaskName => "found_task_names",
            Text::TaskNotes => "found_task_notes",
            Text::Comment => "found_comments",
            Text::ItemTitle => "found_item_titles",
            Text::ItemDescription => "found_item_descriptions",
        }
    }

    /// The table with its alias, its column, and the index of SQLite.
    const fn place(self) -> (&'static str, &'static str, &'static str, &'static str) {
        match self {
            Text::TaskName => ("tasks", "t", "name", "search_tasks"),
            Text::TaskNotes => ("tasks", "t", "notes", "search_tasks"),
            Text::Comment => ("task_comments", "c", "body", "search_comments"),
            Text::ItemTitle => ("backlog_items", "i", "title", "search_items"),
            Text::ItemDescription => ("backlog_items", "i", "description", "search_items"),
        }
    }
}

/// The words of a request. There is at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// The spellings of each word. The first is the one of the request.
    spellings: Vec<Vec<String>>,
}

impl Words {
    /// The words of a text in lower case; nothing if it has no letters and no digits.
    pub fn of(text: &str) -> Option<Self> {
        let plain = plain(text);
        let spellings: Vec<_> = terms(&plain).take(MOST_WORDS).map(|word| vec![word.to_owned()]).collect();
        (!spellings.is_empty()).then_some(Self { spellings })
    }

    /// The same words, each also as the words of texts that one slip makes of it: a letter that is wrong, missing, too many,
    /// or changed with the next one. Nothing if no text has such a word.
    pub async fn misspelt(&self, db: &dyn Read) -> Result<Option<Self>> {
        let near: Vec<Vec<String>> = self.spellings.iter().map(|word| neighbours(&word[0])).collect();
        let written = written(db, near.iter().flatten()).await?;
        let with_neighbours = |(word, near): (&Vec<String>, Vec<String>)| {
            let near = near.into_iter().filter(|near| written.contains(near));
            word.iter().cloned().chain(near).collect()
        };
        let spellings = self.spellings.iter().zip(near).map(with_neighbours).collect();
        Ok((!written.is_empty()).then_some(Self { spellings }))
    }

    /// The statement that finds rows by these words: `select`, then the rows of the text, then `joins`, where the words are.
    /// Of the rows only the columns can be read that the functions in `schema/text_index.postgres.sql` return. Conditions can
    /// follow. Order by [`newest`] for a fixed order.
    pub fn find(&self, engine: Engine, text: Text, select: &str, joins: &str) -> Sql {
        let (table, alias, column, index) = text.place();
        let statement = match engine {
            Engine::Sqlite => format!(
                "{select} FROM {index} JOIN search_rows w ON w.number = {index}.rowid
                 JOIN {table} {alias} ON {alias}.id = w.id {joins} WHERE {index} MATCH :words"
            ),
            // In this order the joins end with the last row that is wanted.
            Engine::Postgres => format!(
                "{select} FROM (SELECT * FROM {}(to_tsquery('simple', :words)) ORDER BY id DESC) {alias}
                 {joins} WHERE TRUE",
                text.function()
            ),
        };
        let words = match engine {
            Engine::Sqlite => {
                format!("{column} : ({})", self.text(" AND ", " OR ", |word| format!("\"{word}\""), "*"))
            }
            Engine::Postgres => self.text(" & ", " | ", |word| format!("'{word}'"), ":*"),
        };
        Sql::new(statement).bind("words", words)
    }

    fn text(&self, and: &str, or: &str, quoted: fn(&String) -> String, begins: &str) -> String {
        let one = |spellings: &Vec<String>| {
            let first = format!("{}{begins}", quoted(&spellings[0]));
            let others = spellings[1..].iter().map(quoted);
            let all: Vec<String> = std::iter::once(first).chain(others).collect();
            format!("({})", all.join(or))
        };
        self.spellings.iter().map(one).collect::<Vec<_>>().join(and)
    }
}

/// The order of rows that were found: those that were added last come first.
pub fn newest(engine: Engine, text: Text) -> String {
    let (_, alias, _, index) = text.place();
    match engine {
        Engine::Sqlite => format!("{index}.rowid DESC"),
        Engine::Postgres => format!("{alias}.id DESC"),
    }
}

/// The words of a text that is [`plain`].
fn terms(plain: &str) -> impl Iterator<Item = &str> {
    // A mark belongs to its letter: without this a word of Hindi would be two.
    let is_part = |letter: char| letter.is_alphanumeric() || is_combining_mark(letter);
    plain.split(move |letter: char| !is_part(letter)).filter(|word| word.contains(char::is_alphanumeric))
}

/// The words of a text that are in the list of words, as a list in JSON. Each is there once.
pub(crate) fn terms_json(text: &str) -> String {
    let plain = plain(text);
    let can_be_meant =
        |word: &&str| (SHORTEST_MISSPELT - 1..=LONGEST_MISSPELT + 1).contains(&word.chars().count());
    let words: BTreeSet<&str> = terms(&plain).filter(can_be_meant).collect();
    // Words have letters, marks and digits alone, so nothing has to be escaped.
    let quoted: Vec<String> = words.into_iter().map(|word| format!("\"{word}\"")).collect();
    format!("[{}]", quoted.join(","))
}

/// Those of some words that a text has or had.
async fn written(db: &dyn Read, words: impl Iterator<Item = &String>) -> Result<BTreeSet<String>> {
    let words: Vec<&str> = words.map(String::as_str).collect();
    if words.is_empty() {
        return Ok(BTreeSet::new());
    }
    let select = "SELECT term FROM search_terms WHERE term IN (:words)";
    Ok(db.scalars(sql!(select, words = list(words))).await?.into_iter().collect())
}

/// The spellings of a word that one slip makes.
fn neighbours(word: &str) -> Vec<String> {
    let letters: Vec<char> = word.chars().collect();
    if !(SHORTEST_MISSPELT..=LONGEST_MISSPELT).contains(&letters.len()) {
        return Vec::new();
    }
    let alphabet = alphabet(letters[0]);
    let mut near = Vec::new();
    for at in 0..=letters.len() {
        let (before, after) = letters.split_at(at);
        let mut add = |middle: &[char], rest: &[char]| near.push([before, middle, rest].concat());
        alphabet.clone().for_each(|letter| add(&[letter], after));
        if let Some((own, rest)) = after.split_first() {
            add(&[], rest);
            alphabet.clone().filter(|letter| letter != own).for_each(|letter| add(&[letter], rest));
            if let Some((next, rest)) = rest.split_first() {
                add(&[*next, *own], rest);
            }
        }
    }
    near.sort_unstable();
    near.dedup();
    near.into_iter().filter(|near| *near != letters).map(String::from_iter).collect()
}

/// The letters that can stand for another one in a word that begins with this letter; none for scripts of syllables.
fn alphabet(first: char) -> std::ops::RangeInclusive<char> {
    match first {
        'α'..='ώ' => 'α'..='ω',
        'а'..='ё' => 'а'..='я',
        '\u{3000}'.. => '1'..='0',
        _ => 'a'..='z',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_separate_words_and_never_reach_the_query() {
        let words = Words::of("Plan (the) \"Launch\" OR* x:y").unwrap();
        let text = words.text(" & ", " | ", |word| word.clone(), ":*");
        assert_eq!(text, "(plan:*) & (the:*) & (launch:*) & (or:*) & (x:*) & (y:*)");
        assert_eq!(Words::of("  -- !! "), None);
    }

    #[test]
    fn a_mark_behind_its_letter_is_dropped() {
        assert_eq!(Words::of("cafe\u{301}"), Words::of("cafe"));
    }

    #[test]
    fn every_single_slip_is_a_neighbour() {
        let near = neighbours("launch");
        for slip in ["lauch", "launnch", "lounch", "luanch", "launchx", "aunch"] {
            assert!(near.iter().any(|near| near == slip), "{slip}");
        }
        assert!(near.iter().all(|near| near != "launch" && near != "lanuhc"));
    }

    #[test]
    fn the_list_has_each_word_of_a_text_once_without_very_short_and_long_ones() {
        let long = "x".repeat(22);
        assert_eq!(terms_json(&format!("Łódź, łódź \"and\" a 12 {long}")), r#"["and","lodz"]"#);
        assert_eq!(terms_json(""), "[]");
    }

    #[test]
    fn a_short_word_has_no_neighbours() {
        assert!(neighbours("abc").is_empty());
        assert!(!neighbours("план").is_empty());
    }
}
