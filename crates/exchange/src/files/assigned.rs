//! Who works on a row of a file. What a plan cannot hold is mended and noted as a loss.

use super::Losses;
use super::assembly::FoundRow;
use crate::seed::model::{Assignment, Resource};

/// Who works on a row, each resource once.
pub(super) fn once_each(row: &FoundRow, resources: &[Resource], losses: &mut Losses) -> Vec<Assignment> {
    let mut sums: Vec<(usize, f64)> = Vec::new();
    for (place, units) in &row.assignments {
        match sums.iter_mut().find(|(known, _)| known == place) {
            Some((_, sum)) => {
                *sum += units;
                losses.note(
                    "Assignment",
                    "Assignments of one resource became one with their sum.",
                    &*row.mark,
                );
            }
            None => sums.push((*place, *units)),
        }
    }
    let assigned = |(place, units): (usize, f64)| {
        let held = if units.is_finite() { units.clamp(0.01, 99.99) } else { 1.0 };
        if !units.is_finite() || held != units {
            losses.note("Units", "Units are held between 0.01 and 99.99.", &*row.mark);
        }
        Some(Assignment { resource: resources.get(place)?.slug.clone(), units: held })
    };
    sums.into_iter().filter_map(assigned).collect()
}
