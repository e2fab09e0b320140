//! Texts of other programs without the characters that no program should get: control characters, and those that XML
//! forbids; and names of what stands around the rows as long as they may be. What was changed is noted as a loss, with its row.

use super::Losses;
use super::assembly::{Found, LONGEST_NAME};

const REASON: &str = "Control characters, and characters that XML forbids, became blanks.";
const LONGEST_JOB_ROLE: usize = 120;

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
        self.shorten_names_around();
    }

    /// Names of rows and labels are cut where their places are found.
    fn shorten_names_around(&mut self) {
        let losses = &mut self.losses;
        shorten(&mut self.name, LONGEST_NAME, losses, "Name");
        for resource in &mut self.resources {
            shorten(&mut resource.name, LONGEST_NAME, losses, "Resource");
            shorten(&mut resource.job_role, LONGEST_JOB_ROLE, losses, "Resource");
        }
        for calendar in &mut self.calendars {
            shorten(&mut calendar.name, LONGEST_NAME, losses, "Calendar");
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

fn shorten(text: &mut String, most: usize, losses: &mut Losses, field: &str) {
    let Some((end, _)) = text.char_indices().nth(most) else { return };
    text.truncate(end);
    losses.note(field, &format!("Names are cut after {most} characters."), text.as_str());
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;

    use crate::files::{mspdi, table};

    #[test]
    fn names_that_are_cut_are_named() {
        let long = "n".repeat(300);
        let today = NaiveDate::from_ymd_opt(2026, 1, 5).unwrap();
        let file = format!(
            "<Project><Title>{long}</Title><Tasks><Task><UID>1</UID><ID>1</ID><Name>Dig</Name></Task></Tasks>\
             <Resources><Resource><UID>1</UID><ID>1</ID><Type>1</Type><Name>{long}</Name><Group>{long}</Group>\
             </Resource></Resources></Project>"
        );
        let plan = mspdi::read(file.as_bytes(), today).unwrap();
        let resource = &plan.document.resources[0];
        assert_eq!((resource.name.chars().count(), resource.job_role.chars().count()), (255, 120));
        let cut = plan.losses.0.iter().filter(|loss| loss.reason.starts_with("Names are cut after"));
        let cut: Vec<_> = cut.map(|loss| (loss.field.as_str(), loss.reason.as_str())).collect();
        let [most, least] = ["Names are cut after 255 characters.", "Names are cut after 120 characters."];
        assert_eq!(cut, [("Name", most), ("Resource", most), ("Resource", least)]);
    }

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
