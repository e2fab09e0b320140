//! The velocity of a team: what its last sprints completed, on average and how much that varies.
//! Who may see it is decided in `velocity_gate.rs`.

use std::collections::HashMap;

use chrono::NaiveDate;
use planwright_domain::ids::{ProjectId, SprintId};
use planwright_store::value::list;
use planwright_store::{Read, Result, row, sql};

/// How many sprints an average is taken over.
pub const WINDOW: usize = 6;

row! {
    /// A sprint that is over and counts.
    #[derive(PartialEq)]
    pub struct Completed {
        pub id: SprintId,
        pub start_date: NaiveDate,
        pub finish_date: NaiveDate,
        pub points: i64,
    }
}

/// The last sprints of a project that count towards its velocity, newest first, without one of them.
pub async fn completed(
    db: &dyn Read,
    project: ProjectId,
    except: Option<SprintId>,
    most: usize,
) -> Result<Vec<Completed>> {
    let select = sql!(
        "SELECT s.id, s.start_date, s.finish_date, s.completed_points AS points FROM sprints s
         WHERE s.project_id = :project AND s.deletion_id IS NULL AND s.state = 'COMPLETED'
           AND s.completed_points IS NOT NULL AND NOT s.exclude_from_velocity",
        project = project
    );
    let order =
        " ORDER BY COALESCE(s.closed_at, s.created_at) DESC, s.finish_date DESC, s.id DESC LIMIT :most";
    db.all(select.when("AND s.id <> :except", "except", except).push(order).bind("most", most as i64)).await
}

row! {
    struct CompletedIn { project_id: ProjectId }
    and sprint: Completed
}

/// The same of several projects: of each the last so many sprints that count.
pub async fn completed_of(
    db: &dyn Read,
    projects: &[ProjectId],
    most: usize,
) -> Result<HashMap<ProjectId, Vec<Completed>>> {
    if projects.is_empty() {
        return Ok(HashMap::new());
    }
    let select = "SELECT x.project_id, x.id, x.start_date, x.finish_date, x.points FROM (
            SELECT s.project_id, s.id, s.start_date, s.finish_date, s.completed_points AS points,
                ROW_NUMBER() OVER (PARTITION BY s.project_id
                    ORDER BY COALESCE(s.closed_at, s.created_at) DESC, s.finish_date DESC, s.id DESC) AS place
            FROM sprints s
            WHERE s.project_id IN (:projects) AND s.deletion_id IS NULL AND s.state = 'COMPLETED'
              AND s.completed_points IS NOT NULL AND NOT s.exclude_from_velocity
         ) AS x WHERE x.place <= :most ORDER BY x.project_id, x.place";
    let projects = list(projects.iter().copied());
    let rows: Vec<CompletedIn> = db.all(sql!(select, projects = projects, most = most as i64)).await?;
    let mut of: HashMap<ProjectId, Vec<Completed>> = HashMap::new();
    for row in rows {
        of.entry(row.project_id).or_default().push(row.sprint);
    }
    Ok(of)
}

/// What a team completes in a sprint.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Velocity {
    /// The mean.
    pub average: f64,
    /// The sample standard deviation; none for fewer than two sprints.
    pub deviation: Option<f64>,
    /// How many sprints it is taken from.
    pub sprints: usize,
}

impl Velocity {
    /// The velocity that these sprints show; nothing when there are none.
    pub fn of(sprints: &[Completed]) -> Option<Self> {
        let points: Vec<f64> = sprints.iter().map(|sprint| sprint.points as f64).collect();
        let count = points.len();
        if count == 0 {
            return None;
        }
        let average = points.iter().sum::<f64>() / count as f64;
        let squares: f64 = points.iter().map(|points| (points - average).powi(2)).sum();
        let deviation = (count > 1).then(|| (squares / (count - 1) as f64).sqrt());
        Some(Self { average, deviation, sprints: count })
    }

    /// The band of one deviation around the mean, in whole points and not below zero; it takes two sprints.
    pub fn band(&self) -> Option<(i64, i64)> {
        let deviation = self.deviation?;
        let low = (self.average - deviation).round().max(0.0);
        Some((low as i64, (self.average + deviation).round() as i64))
    }
}

#[cfg(test)]
mod tests {
    use planwright_domain::ids::SprintId;
    use uuid::Uuid;

    use super::*;

    fn sprints(points: &[i64]) -> Vec<Completed> {
        let day = NaiveDate::default();
        let id = SprintId(Uuid::nil());
        points
            .iter()
            .map(|points| Completed { id, start_date: day, finish_date: day, points: *points })
            .collect()
    }

    #[test]
    fn an_average_takes_one_sprint_and_a_band_takes_two() {
        assert_eq!(Velocity::of(&[]), None);
        let one = Velocity::of(&sprints(&[8])).unwrap();
        assert_eq!((one.average, one.band()), (8.0, None));
        let two = Velocity::of(&sprints(&[10, 20])).unwrap();
        assert_eq!((two.average, two.band()), (15.0, Some((8, 22))));
        let wild = Velocity::of(&sprints(&[0, 30])).unwrap();
        assert_eq!(wild.band().unwrap().0, 0, "never below zero");
    }
}
