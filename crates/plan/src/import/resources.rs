//! Which resources an import works with: somebody of the same name, job and address, else a fresh one.
//! Within one import no two resources become the same one.

use std::collections::{HashMap, VecDeque};

use planwright_domain::ids::{CalendarId, DeletionId, ResourceId};
use planwright_domain::words::ResourceKind;
use planwright_store::Result;

use super::calendars::Calendars;
use super::ids::Ids;
use super::model::ImportedResource;
use super::queries::library::{self, ResourceRow};
use super::skills;
use super::slices::Slices;

/// Capacity and calendar belong to it as well: a plan must not change because a namesake works other hours. A rate does not:
/// what a known resource costs is said in the catalogue.
type Likeness = (String, String, String, i64, Option<CalendarId>, ResourceKind);

/// Finds or creates the resources of an import, in its order. Fresh ones may be hidden by an act of deletion.
pub(super) async fn find_or_create(
    to: &mut Slices<'_>,
    ids: &mut Ids,
    hidden: Option<DeletionId>,
    wanted: &[ImportedResource],
    calendars: &Calendars,
) -> Result<Vec<ResourceId>> {
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let mut known: HashMap<Likeness, VecDeque<ResourceId>> = HashMap::new();
    for row in library::resources(to).await? {
        let likeness = (row.name, row.email, row.job_role, row.max_units, row.calendar_id, row.kind);
        known.entry(likeness).or_default().push_back(row.id);
    }
    let mut found = Vec::with_capacity(wanted.len());
    let mut fresh = Vec::new();
    let mut skilled = Vec::new();
    for one in wanted {
        let calendar_id = calendars.at(one.calendar);
        let ImportedResource { name, email, job_role, max_units, hourly_rate, kind, .. } = one.clone();
        let likeness = (name.clone(), email.clone(), job_role.clone(), max_units, calendar_id, kind);
        let id = known.get_mut(&likeness).and_then(VecDeque::pop_front).unwrap_or_else(|| {
            let id = ids.next();
            let row = ResourceRow { id, name, email, job_role, max_units, calendar_id, kind, hourly_rate };
            fresh.push((row, one.user));
            skilled.push((id, &one.skills));
            id
        });
        found.push(id);
    }
    library::insert_resources(to.tx().await?, hidden, &fresh).await?;
    skills::of_resources(to, ids, hidden, &skilled).await?;
    Ok(found)
}
