//! What is shown of the pulse of a team: never what one person answered.

use super::model::{Pulse, PulsePoint, PulseTrend, SumRow};

/// How many people must have answered before their mean is shown.
pub const FEWEST: i64 = 4;

/// The trend for somebody who may read it, or may not.
pub fn trend(is_readable: bool, sums: Vec<SumRow>, own: Option<Pulse>) -> PulseTrend {
    let points: Vec<PulsePoint> = sums.into_iter().filter_map(point).collect();
    if !is_readable || points.is_empty() {
        return PulseTrend { gated: true, points: None, energy_declining: None, my_response: None };
    }
    PulseTrend {
        gated: false,
        energy_declining: Some(is_declining(&points)),
        points: Some(points),
        my_response: Some(own),
    }
}

/// The means of a sprint; none when too few people answered.
fn point(row: SumRow) -> Option<PulsePoint> {
    (row.answers >= FEWEST).then(|| PulsePoint {
        avg_mood: mean(row.mood, row.answers),
        avg_energy: mean(row.energy, row.answers),
        avg_confidence: (row.confident >= FEWEST).then(|| mean(row.confidence, row.confident)),
        response_count: row.answers,
        sprint_id: row.sprint_id,
        sprint_name: row.sprint_name,
    })
}

/// A mean with one decimal.
fn mean(sum: i64, count: i64) -> f64 {
    (sum as f64 / count as f64 * 10.0).round() / 10.0
}

fn is_declining(points: &[PulsePoint]) -> bool {
    let last = &points[points.len().saturating_sub(3)..];
    last.len() == 3 && last.windows(2).all(|pair| pair[1].avg_energy < pair[0].avg_energy)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn sums(answers: i64, energy: i64) -> SumRow {
        SumRow {
            sprint_id: Uuid::nil().into(),
            sprint_name: "Sprint".into(),
            answers,
            mood: answers * 3,
            energy,
            confident: 3,
            confidence: 9,
        }
    }

    #[test]
    fn fewer_than_four_answers_are_never_shown() {
        assert!(trend(true, vec![sums(3, 9), sums(1, 5)], None).gated);
        let shown = trend(true, vec![sums(3, 9), sums(4, 9)], None);
        assert_eq!(shown.points.as_ref().map(Vec::len), Some(1));
        let point = &shown.points.unwrap()[0];
        assert_eq!((point.avg_mood, point.avg_energy, point.avg_confidence), (3.0, 2.3, None));
        assert!(trend(false, vec![sums(4, 9)], None).gated, "the team does not let them");
    }

    #[test]
    fn energy_declines_when_it_falls_twice_in_a_row() {
        let declining = |energies: &[i64]| {
            let sums = energies.iter().map(|energy| sums(4, *energy)).collect();
            trend(true, sums, None).energy_declining.unwrap()
        };
        assert!(declining(&[8, 20, 16, 12]));
        assert!(!declining(&[20, 16, 16]));
        assert!(!declining(&[20, 16]));
    }
}
