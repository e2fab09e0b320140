//! What the status of an issue becomes. The words of a status belong to each installation; its category (to do, under way,
//! done) stands in every file, and says so in any language.

use planwright_domain::words::TaskStatus;

use super::super::Losses;
use super::super::xml::Element;

/// The three categories that Jira knows.
#[derive(Clone, Copy, PartialEq)]
enum Category {
    New,
    UnderWay,
    Done,
}

impl Category {
    fn of(item: &Element) -> Option<Self> {
        match item.child("statusCategory")?.attribute("key")? {
            "new" => Some(Self::New),
            "indeterminate" => Some(Self::UnderWay),
            "done" => Some(Self::Done),
            _ => None,
        }
    }

    /// What an issue is of which nothing else is known.
    fn usual(self) -> TaskStatus {
        match self {
            Self::New => TaskStatus::NotStarted,
            Self::UnderWay => TaskStatus::InProgress,
            Self::Done => TaskStatus::Complete,
        }
    }

    /// Whether a status can be one of this category. Work waits, and is looked at, in any of them but the last.
    fn has(self, status: TaskStatus) -> bool {
        match status {
            TaskStatus::NotStarted | TaskStatus::Backlog => self == Self::New,
            TaskStatus::InProgress | TaskStatus::Review => self == Self::UnderWay,
            TaskStatus::OnHold => self != Self::Done,
            TaskStatus::Complete => self == Self::Done,
        }
    }
}

/// The status of an issue: by its words, as far as its category agrees with them.
pub(super) fn status(item: &Element, mark: &str, losses: &mut Losses) -> TaskStatus {
    let said = item.text("status").unwrap_or_default();
    let known = by_words(said);
    let Some(category) = Category::of(item) else {
        if known.is_none() && !said.is_empty() {
            losses.note("status", "A status with an unknown word became not started.", mark);
        }
        return known.unwrap_or(TaskStatus::NotStarted);
    };
    known.filter(|status| category.has(*status)).unwrap_or_else(|| {
        losses.note("status", "A status became what its category says.", mark);
        category.usual()
    })
}

/// By whole words. `None` for words that nobody knows, and for those that deny something.
fn by_words(name: &str) -> Option<TaskStatus> {
    let name = name.to_lowercase();
    let words: Vec<&str> = name.split(|letter: char| !letter.is_alphanumeric()).collect();
    let has = |known: &[&str]| words.iter().any(|word| known.contains(word));
    let begins = |stems: &[&str]| words.iter().any(|word| stems.iter().any(|stem| word.starts_with(stem)));
    let is_to_do = words.windows(2).any(|pair| pair == ["to", "do"]);
    let status = match () {
        () if has(&["not", "no", "non", "never"]) => return None,
        () if has(&["done", "closed", "resolved", "complete", "completed"]) => TaskStatus::Complete,
        () if begins(&["review", "verif", "test"]) => TaskStatus::Review,
        () if begins(&["selected", "ready", "planned"]) => TaskStatus::NotStarted,
        () if has(&["progress", "doing", "started"]) || begins(&["develop"]) => TaskStatus::InProgress,
        () if has(&["hold"]) || begins(&["block", "wait"]) => TaskStatus::OnHold,
        () if has(&["backlog"]) => TaskStatus::Backlog,
        () if is_to_do || has(&["todo", "open", "reopened", "new"]) => TaskStatus::NotStarted,
        () => return None,
    };
    Some(status)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(said: &str, category: &str) -> (TaskStatus, bool) {
        let category = ("key".to_owned(), category.to_owned());
        let child = |name: &str, text: &str, attributes| Element {
            name: name.to_owned(),
            text: text.to_owned(),
            attributes,
            children: Vec::new(),
        };
        let item = Element {
            children: vec![child("status", said, Vec::new()), child("statusCategory", "", vec![category])],
            ..child("item", "", Vec::new())
        };
        let mut losses = Losses::default();
        let status = status(&item, "A-1", &mut losses);
        (status, !losses.0.is_empty())
    }

    #[test]
    fn the_words_say_more_than_the_category_and_never_something_else() {
        assert_eq!(read("In Review", "indeterminate"), (TaskStatus::Review, false));
        assert_eq!(read("Backlog", "new"), (TaskStatus::Backlog, false));
        assert_eq!(read("Selected for Development", "new"), (TaskStatus::NotStarted, false));
        assert_eq!(read("Closed", "done"), (TaskStatus::Complete, false));
        assert_eq!(read("Done with analysis", "indeterminate"), (TaskStatus::InProgress, true));
        assert_eq!(read("Blocked", "done"), (TaskStatus::Complete, true));
    }

    #[test]
    fn the_category_says_what_words_of_another_language_do_not() {
        assert_eq!(read("Erledigt", "done"), (TaskStatus::Complete, true));
        assert_eq!(read("In Arbeit", "indeterminate"), (TaskStatus::InProgress, true));
        assert_eq!(read("Not Done", "new"), (TaskStatus::NotStarted, true));
    }

    #[test]
    fn without_a_category_only_whole_words_count_and_nothing_that_is_denied() {
        for said in ["Not Done", "Undone", "Unreviewed", "Not started", "Erledigt"] {
            assert_eq!(read(said, "?"), (TaskStatus::NotStarted, true), "{said}");
        }
        assert_eq!(read("Ready for development", ""), (TaskStatus::NotStarted, false));
        assert_eq!(read("Ready for review", ""), (TaskStatus::Review, false));
        assert_eq!(read("To Do", ""), (TaskStatus::NotStarted, false));
        assert_eq!(read("", ""), (TaskStatus::NotStarted, false));
    }
}
