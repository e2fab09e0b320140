//! The links of the rows of a table, by the rows that they name.

use std::collections::HashMap;

use super::{Field, FoundLink, Reading};
use crate::table::predecessors::{self, Lag, Written};

impl Reading {
    /// The links of all rows, by the places of the rows in the file. A name is an external id, else an outline number
    /// that some row has, else the number of a row.
    pub(super) fn links(&mut self) -> Vec<FoundLink> {
        self.note_doubled_ids();
        let names = self.names();
        let has_ids = self.rows.iter().any(|row| !row.external_id.is_empty());
        let by_number = |name: &str| {
            let number =
                name.parse().ok().filter(|number| (1..=self.rows.len()).contains(number) && !has_ids);
            number.map(|number: usize| number - 1)
        };
        let place = |name: &str| names.get(name).copied().or_else(|| by_number(name));
        let (mut links, mut unknown, mut noted) = (Vec::new(), Vec::new(), Vec::new());
        for (successor, row) in self.rows.iter().enumerate() {
            for written in predecessors::read(&row.predecessors) {
                // A name may have a sign in it that begins a lag elsewhere.
                let written = written.or_else(|text| match names.contains_key(text.as_str()) {
                    true => Ok(Written::plain(text)),
                    false => Err(format!("\"{text}\" is no link that can be read.")),
                });
                let found = written.and_then(|link| {
                    let found = place(&link.row).map(|place| (place, link.kind, link.lag));
                    found.ok_or_else(|| format!("\"{}\" names no row that is there.", link.row))
                });
                match found {
                    Ok((predecessor, kind, lag)) => {
                        let (days, is_rounded) = lag.days(self.rows[predecessor].found.task.duration);
                        noted.push((successor, lag, is_rounded));
                        links.push(FoundLink { predecessor, successor, kind, lag: days });
                    }
                    Err(message) => unknown.push((successor, message)),
                }
            }
        }
        for (at, lag, is_rounded) in noted {
            self.note_lag(at, lag, is_rounded);
        }
        for (at, message) in unknown {
            self.doubt_at(at, Field::Predecessors, message);
        }
        links
    }

    /// The places of the rows by what names them. Of several rows with one name the first counts.
    fn names(&self) -> HashMap<String, usize> {
        let mut names: HashMap<String, usize> = HashMap::new();
        for (at, row) in self.rows.iter().enumerate().rev() {
            names.insert(row.wbs.clone(), at);
        }
        for (at, row) in self.rows.iter().enumerate().rev() {
            names.insert(row.external_id.clone(), at);
        }
        names.remove("");
        names
    }

    fn note_doubled_ids(&mut self) {
        let mut ids: HashMap<&str, usize> = HashMap::new();
        for row in self.rows.iter().filter(|row| !row.external_id.is_empty()) {
            *ids.entry(row.external_id.as_str()).or_default() += 1;
        }
        for row in &self.rows {
            if ids.get(row.external_id.as_str()).is_some_and(|count| *count > 1) {
                let reason = "Several rows have the same id. Predecessors name the first of them.";
                self.losses.note("external_id", reason, &*row.found.mark);
            }
        }
    }

    fn note_lag(&mut self, at: usize, lag: Lag, is_rounded: bool) {
        let mark = self.rows[at].found.mark.as_str();
        let converted = match lag {
            Lag::Worked(_) => None,
            Lag::Elapsed(_) => Some("An elapsed lag was turned into working days, five for seven."),
            Lag::Percent(_) => Some("A lag in percent was turned into days of the predecessor's duration."),
        };
        let rounded = is_rounded.then_some("A lag of parts of a day was rounded to whole days.");
        for reason in converted.into_iter().chain(rounded) {
            self.losses.note("predecessors", reason, mark);
        }
    }
}
