//! What a file says and a plan cannot hold: field by field, with the number of rows and the first of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many rows of one loss are named.
const MOST_NAMED: usize = 20;

/// One kind of loss.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Loss {
    /// The field of the file, in the words of its format.
    pub field: String,
    /// What happened to it.
    pub reason: String,
    /// How many rows have it.
    pub count: usize,
    /// The first of these rows, by number and name.
    pub rows: Vec<String>,
}

/// All losses of a file, in the order in which they were met.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Losses(pub Vec<Loss>);

impl Losses {
    /// Notes that a field of a row was not carried, or was carried in another form.
    pub fn note(&mut self, field: &str, reason: &str, row: impl Into<String>) {
        let known = self.0.iter().position(|loss| loss.field == field && loss.reason == reason);
        let at = known.unwrap_or_else(|| {
            let (field, reason) = (field.to_owned(), reason.to_owned());
            self.0.push(Loss { field, reason, count: 0, rows: Vec::new() });
            self.0.len() - 1
        });
        let loss = &mut self.0[at];
        loss.count += 1;
        let row = row.into();
        if loss.rows.len() < MOST_NAMED && !row.is_empty() {
            loss.rows.push(row);
        }
    }

    /// The same as sentences, one for each loss.
    pub fn sentences(&self) -> Vec<String> {
        self.0.iter().map(|loss| format!("{} ({}): {}", loss.field, loss.count, loss.reason)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_with_the_same_loss_are_counted_together_and_the_first_are_named() {
        let mut losses = Losses::default();
        for row in 1..=30 {
            losses.note("Priority", "A plan has no priorities.", format!("{row} Dig"));
        }
        losses.note("Cost", "Costs are not planned.", "1 Dig");
        assert_eq!(losses.0.len(), 2);
        assert_eq!((losses.0[0].count, losses.0[0].rows.len()), (30, MOST_NAMED));
        assert_eq!(losses.sentences()[1], "Cost (1): Costs are not planned.");
    }
}
