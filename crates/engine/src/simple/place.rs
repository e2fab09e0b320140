//! A value of a document with its path, so that an error can name it. It knows nothing about schedules.

use std::collections::HashMap;

use serde_json::Value;

use super::SimpleError;
use crate::day::{Day, InvalidDay};

/// A value and where it stands.
pub(super) struct At<'a> {
    pub(super) value: &'a Value,
    place: Place<'a>,
}

/// The steps from the document to a value; put into words only where something is wrong.
#[derive(Clone, Copy)]
struct Place<'a> {
    steps: [Step<'a>; DEEPEST],
    count: usize,
}

/// Steps that the format has at most: `simulation.risks[0].impacts[0].days[0]`, and a member of that.
const DEEPEST: usize = 8;

#[derive(Clone, Copy)]
enum Step<'a> {
    Member(&'a str),
    Item(u32),
}

impl<'a> Place<'a> {
    fn then(&self, step: Step<'a>) -> Place<'a> {
        let mut place = *self;
        if let Some(next) = place.steps.get_mut(self.count) {
            *next = step;
            place.count += 1;
        }
        place
    }

    fn path(&self) -> String {
        self.steps[..self.count].iter().fold("$".to_owned(), |path, step| match step {
            Step::Member(name) => path + "." + name,
            Step::Item(index) => format!("{path}[{index}]"),
        })
    }
}

impl<'a> At<'a> {
    /// A whole document.
    pub(super) fn root(value: &'a Value) -> At<'a> {
        At { value, place: Place { steps: [Step::Item(0); DEEPEST], count: 0 } }
    }

    pub(super) fn fault(&self, message: &str) -> SimpleError {
        SimpleError { path: self.place.path(), message: message.to_owned() }
    }

    /// Refuses all members but these, and all that is no object.
    pub(super) fn expect_keys(&self, known: &[&str]) -> Result<(), SimpleError> {
        let members = self.value.as_object().ok_or_else(|| self.fault("expected an object"))?;
        match members.keys().find(|name| !known.contains(&name.as_str())) {
            None => Ok(()),
            Some(name) => {
                let at = At { value: self.value, place: self.place.then(Step::Member(name)) };
                Err(at.fault(&format!("unknown key; known here are {}", known.join(", "))))
            }
        }
    }

    /// A member that is there and not null.
    pub(super) fn get(&self, name: &'a str) -> Option<At<'a>> {
        let value = self.value.get(name).filter(|value| !value.is_null())?;
        Some(At { value, place: self.place.then(Step::Member(name)) })
    }

    pub(super) fn need(&self, name: &'a str) -> Result<At<'a>, SimpleError> {
        let missing = || At { value: self.value, place: self.place.then(Step::Member(name)) };
        self.get(name).ok_or_else(|| missing().fault("required"))
    }

    /// A member read in some way, `None` if it is not there.
    pub(super) fn read<T>(
        &self,
        name: &'a str,
        read: impl FnOnce(&At<'a>) -> Result<T, SimpleError>,
    ) -> Result<Option<T>, SimpleError> {
        self.get(name).map(|at| read(&at)).transpose()
    }

    pub(super) fn items(&self) -> Result<Vec<At<'a>>, SimpleError> {
        let items = self.value.as_array().ok_or_else(|| self.fault("expected a list"))?;
        let at = |(index, value)| At { value, place: self.place.then(Step::Item(index as u32)) };
        Ok(items.iter().enumerate().map(at).collect())
    }

    /// The items of a list that may be left out.
    pub(super) fn list(&self, name: &'a str) -> Result<Vec<At<'a>>, SimpleError> {
        Ok(self.read(name, At::items)?.unwrap_or_default())
    }

    pub(super) fn entries(&self) -> Result<Vec<(String, At<'a>)>, SimpleError> {
        let members = self.value.as_object().ok_or_else(|| self.fault("expected an object"))?;
        let at = |(name, value): (&'a String, &'a Value)| {
            (name.clone(), At { value, place: self.place.then(Step::Member(name)) })
        };
        Ok(members.iter().map(at).collect())
    }

    pub(super) fn text(&self) -> Result<&'a str, SimpleError> {
        self.value.as_str().ok_or_else(|| self.fault("expected a text"))
    }

    pub(super) fn flag(&self) -> Result<bool, SimpleError> {
        self.value.as_bool().ok_or_else(|| self.fault("expected true or false"))
    }

    pub(super) fn number(&self) -> Result<f64, SimpleError> {
        self.value.as_f64().filter(|number| number.is_finite()).ok_or_else(|| self.fault("expected a number"))
    }

    /// A number from `least` to `most`.
    pub(super) fn within(&self, least: f64, most: f64) -> Result<f64, SimpleError> {
        let number = self.number()?;
        let wrong = || self.fault(&format!("{number} is not from {least} to {most}"));
        (least..=most).contains(&number).then_some(number).ok_or_else(wrong)
    }

    /// A number of whole days; a day begun counts.
    pub(super) fn days(&self) -> Result<i32, SimpleError> {
        let days = self.number()?.ceil();
        let wrong = || self.fault(&format!("{days} is not from -366000 to 366000"));
        if days.abs() <= 366_000.0 { Ok(days as i32) } else { Err(wrong()) }
    }

    /// A date, with or without a time after it, which is ignored.
    pub(super) fn day(&self) -> Result<Day, SimpleError> {
        let text = self.text()?;
        let date = text.split_once('T').map_or(text, |(date, _)| date);
        date.parse().map_err(|error: InvalidDay| self.fault(&error.to_string()))
    }

    pub(super) fn one_of<T: Copy>(&self, choices: &[(&str, T)]) -> Result<T, SimpleError> {
        let text = self.text()?;
        let found = choices.iter().find(|choice| choice.0 == text);
        found.map(|choice| choice.1).ok_or_else(|| {
            let names: Vec<&str> = choices.iter().map(|choice| choice.0).collect();
            self.fault(&format!("expected one of {}, not {text:?}", names.join(", ")))
        })
    }

    /// The place of a name among those that are known.
    pub(super) fn index(&self, known: &HashMap<String, usize>) -> Result<usize, SimpleError> {
        let name = self.text()?;
        known.get(name).copied().ok_or_else(|| self.fault(&format!("unknown name {name:?}")))
    }

    /// Whether a member is a name that is not known.
    pub(super) fn names_nothing(&self, name: &'a str, known: &HashMap<String, usize>) -> bool {
        let text = self.get(name).and_then(|at| at.value.as_str());
        text.is_some_and(|text| !known.contains_key(text))
    }
}
