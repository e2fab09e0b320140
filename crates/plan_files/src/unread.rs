//! Names what stands in a file and no reader looks at. Every reader lists the fields that it knows: those that it reads,
//! and those that the other program computes. Whatever else is filled is a loss.

use std::collections::HashSet;

use super::Losses;
use super::xml::Element;

/// What is said of a field that a plan has no place for.
pub(super) const NOT_READ: &str = "The field is not imported.";

/// The fields of one kind of rows that need no word.
pub(super) struct Known(HashSet<&'static str>);

impl Known {
    /// The fields of several lists.
    pub(super) fn of(lists: &[&[&'static str]]) -> Self {
        Self(lists.iter().flat_map(|list| list.iter().copied()).collect())
    }

    /// Whether a field is one of them.
    pub(super) fn has(&self, field: &str) -> bool {
        self.0.contains(field)
    }

    /// Notes every other field of an element that says something, each once. `kind` stands before the names of the fields.
    pub(super) fn note(&self, element: &Element, kind: &str, mark: &str, losses: &mut Losses) {
        let mut named: Vec<&str> = Vec::new();
        for child in &element.children {
            let is_filled = !child.children.is_empty() || !says_nothing(&child.text);
            if is_filled && !self.has(&child.name) && !named.contains(&child.name.as_str()) {
                named.push(&child.name);
                let name: String = child.name.chars().take(60).collect();
                let field = if kind.is_empty() { name } else { format!("{kind}.{name}") };
                losses.note(&field, NOT_READ, mark);
            }
        }
    }
}

/// Whether a value is what programs write when there is nothing to say.
pub(super) fn says_nothing(value: &str) -> bool {
    let value = value.trim();
    let is_zero_time = value.starts_with("PT") && !value.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
    is_zero_time
        || matches!(value, "" | "-1" | "N" | "NA" | "false" | "-0")
        || value.parse::<f64>().is_ok_and(|number| number == 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml;

    #[test]
    fn filled_fields_that_nobody_knows_are_named_once_for_each_row() {
        let row = "<Task><Name>Dig</Name><Odd>7</Odd><Odd>8</Odd><Zero>0.00</Zero><Time>PT0H0M0S</Time><In><A>1</A></In></Task>";
        let row = xml::read(row.as_bytes(), "Task").unwrap();
        let mut losses = Losses::default();
        Known::of(&[&["Name"]]).note(&row, "Task", "1 Dig", &mut losses);
        let named: Vec<_> = losses.0.iter().map(|loss| (loss.field.as_str(), loss.count)).collect();
        assert_eq!(named, [("Task.Odd", 1), ("Task.In", 1)]);
    }

    #[test]
    fn a_zero_in_any_form_says_nothing() {
        for nothing in ["", " ", "0", "0.0", "-0", "-1", "N", "false", "PT0H0M0S"] {
            assert!(says_nothing(nothing), "{nothing}");
        }
        for something in ["1", "PT8H0M0S", "-2", "Y", "x"] {
            assert!(!says_nothing(something), "{something}");
        }
    }
}
