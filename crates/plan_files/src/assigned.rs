//! Resources of a file and who works on its rows. What a plan cannot hold is mended and noted as a loss.

use super::Losses;
use super::assembly::FoundRow;
use super::unread::says_nothing;
use crate::seed::model::{Assignment, Resource};
use crate::seed::scalars;

/// The units of an assignment that says none that a plan could hold, so that nothing is known of them.
pub(super) const UNKNOWN_UNITS: f64 = f64::NAN;

/// How much of a resource there is, from 0.01 to 99.99. `field` is the word of the file for it.
pub(super) fn most_units(said: Option<&str>, field: &str, name: &str, losses: &mut Losses) -> f64 {
    let Some(text) = said.filter(|text| !text.is_empty()) else { return 1.0 };
    match text.replace(',', ".").parse::<f64>().ok().filter(|units| units.is_finite() && *units > 0.0) {
        Some(units) => {
            let held = units.clamp(0.01, 99.99);
            if held != units {
                losses.note(field, "Units are held between 0.01 and 99.99.", name);
            }
            held
        }
        None => {
            losses.note(field, "Units that are not above 0, or that cannot be read, count as 1.", name);
            1.0
        }
    }
}

/// The e-mail address of a resource.
pub(super) fn address(said: Option<&str>, field: &str, name: &str, losses: &mut Losses) -> Option<String> {
    let text = said.filter(|text| !says_nothing(text))?;
    if !scalars::is_email(text) {
        losses.note(field, "A text that is no e-mail address is left out.", name);
        return None;
    }
    Some(text.to_owned())
}

/// Who works on a row, each resource once. Assignments without known units count as one whole resource if nothing else says
/// how much of it.
pub(super) fn once_each(row: &FoundRow, resources: &[Resource], losses: &mut Losses) -> Vec<Assignment> {
    let mut sums: Vec<(usize, f64)> = Vec::new();
    for (place, units) in &row.assignments {
        match sums.iter_mut().find(|(known, _)| known == place) {
            Some((_, sum)) => {
                *sum = if sum.is_nan() { *units } else { *sum + if units.is_nan() { 0.0 } else { *units } };
                losses.note(
                    "Assignment",
                    "Assignments of one resource became one with their sum.",
                    &*row.mark,
                );
            }
            None => sums.push((*place, *units)),
        }
    }
    if row.assignments.iter().any(|(_, units)| units.is_nan()) {
        let reason = "An assignment whose units are not above 0, or cannot be read, says nothing of how much. Alone it is one whole resource.";
        losses.note("Units", reason, &*row.mark);
    }
    let assigned = |(place, units): (usize, f64)| {
        let held = if units.is_nan() { 1.0 } else { units.clamp(0.01, 99.99) };
        let whole = (held * 100.0).round() / 100.0;
        if !units.is_nan() && held != units {
            losses.note("Units", "Units are held between 0.01 and 99.99.", &*row.mark);
        } else if (whole - held).abs() > 1e-9 {
            losses.note("Units", "Units have two decimals.", &*row.mark);
        }
        Some(Assignment { resource: resources.get(place)?.slug.clone(), units: held })
    };
    sums.into_iter().filter_map(assigned).collect()
}
