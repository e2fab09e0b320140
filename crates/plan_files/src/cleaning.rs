//! Texts of other programs without the characters that no program should get: control characters, and those that XML
//! forbids. What was replaced is noted as a loss, with its row.

use super::Losses;
use super::assembly::Found;

const REASON: &str = "Control characters, and characters that XML forbids, became blanks.";

impl Found {
    /// Replaces such characters in all texts that a plan keeps.
    pub(super) fn clean_texts(&mut self) {
        let losses = &mut self.losses;
        clean(&mut self.name, Kind::Line, losses, ("Name", ""));
        for row in &mut self.rows {
            clean(&mut row.mark, Kind::Line, &mut Losses::default(), ("", ""));
            clean(&mut row.task.name, Kind::Line, losses, ("Name", &row.mark));
            clean(&mut row.task.notes, Kind::Lines, losses, ("Notes", &row.mark));
            row.labels.iter_mut().for_each(|label| clean(label, Kind::Line, losses, ("Labels", &row.mark)));
            // What had nothing but such signs is no label any more.
            row.labels.retain(|label| !label.trim().is_empty());
        }
        for resource in &mut self.resources {
            clean(&mut resource.name, Kind::Line, losses, ("Resource", ""));
            clean(&mut resource.job_role, Kind::Line, losses, ("Resource", &resource.name));
        }
        for calendar in &mut self.calendars {
            clean(&mut calendar.name, Kind::Line, losses, ("Calendar", ""));
        }
    }
}

/// Whether a text has one line or several.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Line,
    Lines,
}

fn clean(text: &mut String, kind: Kind, losses: &mut Losses, (field, mark): (&str, &str)) {
    let ends_line = |letter: char| kind == Kind::Lines && matches!(letter, '\n' | '\r' | '\t');
    let is_unfit = |letter: char| {
        !ends_line(letter) && (letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}'))
    };
    if text.contains(is_unfit) {
        *text = text.replace(is_unfit, " ");
        losses.note(field, REASON, mark);
    }
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;

    use crate::{mspdi, table};

    #[test]
    fn characters_that_no_program_should_get_become_blanks_and_are_named_with_their_row() {
        let today = NaiveDate::from_ymd_opt(2026, 1, 5).unwrap();
        let file = "<Project><Name>Mill</Name><Tasks><Task><UID>1</UID><ID>7</ID><Name>a&#1;b&#xFFFE;c</Name>\
            <OutlineLevel>1</OutlineLevel><Notes>one&#10;two&#2;</Notes></Task></Tasks></Project>";
        let plan = mspdi::read(file.as_bytes(), today).unwrap();
        let task = &plan.document.projects[0].tasks[0];
        assert_eq!((task.name.as_str(), task.notes.as_str()), ("a b c", "one\ntwo "));
        let named: Vec<&str> = plan.losses.0.iter().map(|loss| loss.field.as_str()).collect();
        assert!(named.contains(&"Name") && named.contains(&"Notes"), "{:?}", plan.losses);
        let table = table::read(b"Name\na\x01b\n", &table::TableOptions::default(), today).unwrap();
        assert_eq!(table.plan.document.projects[0].tasks[0].name, "a b");
        assert_eq!(table.plan.losses.0[0].rows, ["line 2"]);
        let table =
            table::read(b"Name,Labels,Resource\na,\x7f;dry,\x01\n", &table::TableOptions::default(), today);
        let document = table.unwrap().plan.document;
        assert_eq!(document.projects[0].labels.iter().map(|one| &*one.name).collect::<Vec<_>>(), ["dry"]);
        assert_eq!(document.resources[0].name, "Resource 1");
    }
}
