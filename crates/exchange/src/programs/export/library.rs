//! The calendars and resources that exported projects work with, each once and in an order of their content.
//! Two calendars of the same name and content are one to a plan, so they are one here.

use std::collections::HashMap;

use planwright_domain::ids::{CalendarId, ProjectId, ResourceId, UserId};
use planwright_domain::words::ResourceKind;
use planwright_plan::calendars::model::ExceptionRow;
use planwright_plan::import::calendars::{imported, settled};
use planwright_plan_files::seed::model::{Calendar, CalendarException, Resource, Skill};
use planwright_plan_files::seed::{Slugs, scalars};
use planwright_store::{Read, Result};

use super::around::{self, Gathered};
use super::people::{People, Reference};
use super::queries::{self, ProjectRow, ResourceRow};
use crate::programs::leftovers::Leftovers;

/// How many calendars are asked for at once.
const BATCH: usize = 1_000;

/// What projects share.
pub(super) struct Library {
    /// The calendars in the order of the document.
    pub(super) calendars: Vec<Calendar>,
    calendar_slugs: HashMap<CalendarId, String>,
    resources: Vec<(ResourceRow, String)>,
    resource_places: HashMap<ResourceId, usize>,
    skills: HashMap<ResourceId, Vec<Skill>>,
}

impl Library {
    /// Everything that the projects name.
    pub(super) async fn load(
        db: &dyn Read,
        projects: &[ProjectRow],
        ids: &[ProjectId],
        around: &Gathered,
        of_rows: impl Iterator<Item = CalendarId>,
    ) -> Result<Self> {
        let mut resources = queries::resources(db, ids).await?;
        let mut seniority: HashMap<ResourceId, usize> = HashMap::new();
        for (at, id) in around.on_rosters().enumerate() {
            seniority.entry(id).or_insert(at);
        }
        resources.sort_by(|left, right| {
            let key = |one: &ResourceRow| seniority.get(&one.id).copied().unwrap_or(usize::MAX);
            (&left.name, &left.job_role, &left.email, key(left), left.id).cmp(&(
                &right.name,
                &right.job_role,
                &right.email,
                key(right),
                right.id,
            ))
        });
        let of_projects = projects.iter().filter_map(|project| project.calendar_id);
        let mut wanted: Vec<CalendarId> = of_projects
            .chain(resources.iter().filter_map(|one| one.calendar_id))
            .chain(around.calendars())
            .chain(of_rows)
            .collect();
        wanted.sort_unstable();
        wanted.dedup();
        let (calendars, calendar_slugs) = calendars(db, &wanted).await?;
        let ids: Vec<ResourceId> = resources.iter().map(|one| one.id).collect();
        let skills = around::owned_skills(db, &ids).await?;
        let mut slugs = Slugs::new();
        let resource_places = resources.iter().enumerate().map(|(at, one)| (one.id, at)).collect();
        let named = |row: ResourceRow| {
            let slug = slugs.make(&row.name, "resource");
            (row, slug)
        };
        let resources = resources.into_iter().map(named).collect();
        Ok(Self { calendars, calendar_slugs, resources, resource_places, skills })
    }

    /// The people that resources stand for.
    pub(super) fn users(&self) -> impl Iterator<Item = UserId> + '_ {
        self.resources.iter().filter_map(|(row, _)| row.user_id)
    }

    /// The slug of a calendar.
    pub(super) fn calendar(&self, id: Option<CalendarId>) -> Option<String> {
        id.and_then(|id| self.calendar_slugs.get(&id).cloned())
    }

    /// The place of a resource and its slug.
    pub(super) fn resource(&self, id: ResourceId) -> Option<(usize, &str)> {
        let place = *self.resource_places.get(&id)?;
        Some((place, &self.resources[place].1))
    }

    /// The resources in the order of the document.
    pub(super) fn resources(&self, people: &People, left: &Leftovers) -> Vec<Resource> {
        let written = |(row, slug): &(ResourceRow, String)| Resource {
            slug: slug.clone(),
            name: row.name.clone(),
            email: Some(row.email.clone()).filter(|email| scalars::is_email(email)),
            job_role: row.job_role.chars().take(120).collect(),
            max_units: units(row.max_units),
            calendar: self.calendar(row.calendar_id),
            account: people
                .account(&Reference { user: row.user_id, account: left.resources.get(&row.id).cloned() }),
            kind: Some(row.kind).filter(|kind| *kind != ResourceKind::Person),
            skills: self.skills.get(&row.id).cloned().unwrap_or_default(),
            hourly_rate: row.hourly_rate.map(money),
        };
        self.resources.iter().map(written).collect()
    }
}

/// Hundredths as the number that a document holds.
pub(super) fn units(hundredths: i64) -> f64 {
    hundredths.clamp(1, 9_999) as f64 / 100.0
}

/// Money, stored in hundredths, as the number that a document holds.
pub(super) fn money(hundredths: i64) -> f64 {
    hundredths.max(0) as f64 / 100.0
}

async fn calendars(
    db: &dyn Read,
    wanted: &[CalendarId],
) -> Result<(Vec<Calendar>, HashMap<CalendarId, String>)> {
    let mut rows = Vec::with_capacity(wanted.len());
    let mut exceptions: HashMap<CalendarId, Vec<ExceptionRow>> = HashMap::new();
    for some in wanted.chunks(BATCH) {
        rows.extend(queries::calendars(db, some).await?);
        for exception in queries::exceptions(db, some).await? {
            exceptions.entry(exception.calendar_id).or_default().push(exception);
        }
    }
    let mut written: Vec<(CalendarId, Calendar)> = rows
        .into_iter()
        .map(|row| {
            let own = exceptions.remove(&row.id).unwrap_or_default();
            let own: Vec<_> = own.into_iter().map(imported).collect();
            let shown = settled(&own).into_iter().map(|one| CalendarException {
                start: one.start,
                end: one.end,
                description: one.description,
                working: one.working,
            });
            let calendar = Calendar {
                slug: String::new(),
                name: row.name,
                working_days: u8::try_from(row.working_days & 127).unwrap_or(31),
                hours_per_day: row.hours_per_day,
                timezone: row.timezone,
                exceptions: shown.collect(),
            };
            (row.id, calendar)
        })
        .collect();
    written.sort_by_cached_key(|(_, calendar)| format!("{calendar:?}"));
    let mut slugs = Slugs::new();
    let mut shown: Vec<Calendar> = Vec::new();
    let mut slug_of = HashMap::new();
    for (id, calendar) in written {
        let is_known =
            shown.last().is_some_and(|last| Calendar { slug: String::new(), ..last.clone() } == calendar);
        if !is_known {
            let slug = slugs.make(&calendar.name, "calendar");
            shown.push(Calendar { slug, ..calendar });
        }
        slug_of.extend(shown.last().map(|last| (id, last.slug.clone())));
    }
    Ok((shown, slug_of))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_has_no_bounds_of_units() {
        assert_eq!([0, 1, 10_050, 500_000_000].map(money), [0.0, 0.01, 100.5, 5_000_000.0]);
        assert_eq!([0, 50, 500_000].map(units), [0.01, 0.5, 99.99]);
    }
}
