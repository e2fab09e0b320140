//! Which calendars of the library an import works on: one of the same name and content, else a fresh one.
//! A calendar that somebody else works on is never changed by an import.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::{CalendarId, DeletionId};
use planwright_domain::words::CalendarLayer;
use planwright_store::{Result, Tx};

use super::ids::Ids;
use super::model::{ImportedCalendar, ImportedException, ImportedProject, Subtree};
use super::queries;
use crate::calendars::model::{CalendarRow, ExceptionRow};

/// What makes two calendars the same to a plan.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Content {
    working_days: i64,
    hours: u64,
    /// Blank if nothing says it.
    timezone: String,
    exceptions: Vec<ImportedException>,
}

/// The calendars of one import.
#[derive(Default)]
pub(in crate::import) struct Calendars {
    named: Vec<CalendarId>,
    /// What a project without a calendar gets, when inheriting would give it another one than it means.
    unnamed: Option<CalendarId>,
}

impl Calendars {
    /// The calendar at a place of the import.
    pub(in crate::import) fn at(&self, place: Option<usize>) -> Option<CalendarId> {
        place.map(|place| self.named[place])
    }

    /// The calendar of a project.
    pub(super) fn of(&self, project: &ImportedProject) -> Option<CalendarId> {
        self.at(project.calendar).or(self.unnamed)
    }

    /// The calendars whose days off count in a project besides those of its own.
    pub(super) fn layers_of(&self, project: &ImportedProject) -> Vec<(CalendarId, CalendarLayer)> {
        project.layers.iter().map(|(place, role)| (self.named[*place], *role)).collect()
    }
}

/// Exceptions as storage keeps them, in order of their days. Where one that is worked overlaps one that is not, they are
/// cut apart, since the library knows no order that would say which of them holds.
pub fn settled(exceptions: &[ImportedException]) -> Vec<ImportedException> {
    let mut sorted = exceptions.to_vec();
    sorted.sort();
    let mut reach: [Option<NaiveDate>; 2] = [None, None];
    let clashes = sorted.iter().any(|exception| {
        let other = reach[usize::from(!exception.working)];
        let own = &mut reach[usize::from(exception.working)];
        *own = (*own).max(Some(exception.end));
        other.is_some_and(|end| exception.start <= end)
    });
    if clashes { cut_apart(exceptions) } else { sorted }
}

fn cut_apart(exceptions: &[ImportedException]) -> Vec<ImportedException> {
    let after = |exception: &ImportedException| exception.end.succ_opt().unwrap_or(NaiveDate::MAX);
    let mut cuts: Vec<NaiveDate> = exceptions.iter().flat_map(|one| [one.start, after(one)]).collect();
    cuts.sort_unstable();
    cuts.dedup();
    let mut pieces: Vec<ImportedException> = Vec::new();
    for cut in cuts.windows(2) {
        let covers = |one: &&ImportedException| one.start <= cut[0] && cut[0] <= one.end;
        let Some(holds) = exceptions.iter().rev().find(covers) else { continue };
        let end = cut[1].pred_opt().unwrap_or(cut[0]);
        match pieces.last_mut() {
            Some(last)
                if last.end.succ_opt() == Some(cut[0])
                    && (last.working, &last.description) == (holds.working, &holds.description) =>
            {
                last.end = end;
            }
            _ => pieces.push(ImportedException { start: cut[0], end, ..holds.clone() }),
        }
    }
    pieces
}

/// An exception of the library as an import carries it.
pub fn imported(row: ExceptionRow) -> ImportedException {
    ImportedException {
        start: row.exc_start,
        end: row.exc_end,
        description: row.description,
        working: row.working,
    }
}

/// What the library holds, by name and content.
struct Library {
    exact: HashMap<(String, Content), CalendarId>,
    /// By the name without its number.
    numbered: HashMap<(String, Content), CalendarId>,
    names: HashSet<String>,
    next_number: HashMap<String, u64>,
    now: DateTime<Utc>,
}

impl Library {
    async fn load(tx: &Tx) -> Result<Self> {
        let mut library = Self {
            exact: HashMap::new(),
            numbered: HashMap::new(),
            names: HashSet::new(),
            next_number: HashMap::new(),
            now: tx.now(),
        };
        for (row, exceptions) in queries::library::calendars(tx).await? {
            let exceptions: Vec<_> = exceptions.into_iter().map(imported).collect();
            library.add(&row, settled(&exceptions));
        }
        Ok(library)
    }

    fn add(&mut self, row: &CalendarRow, exceptions: Vec<ImportedException>) {
        let content = Content {
            working_days: row.working_days,
            hours: row.hours_per_day.to_bits(),
            timezone: row.timezone.clone(),
            exceptions,
        };
        let base = without_number(&row.name).to_owned();
        self.names.insert(row.name.clone());
        // A file that says no time zone means a calendar of any.
        for content in [Content { timezone: String::new(), ..content.clone() }, content] {
            self.numbered.entry((base.clone(), content.clone())).or_insert(row.id);
            self.exact.entry((row.name.clone(), content)).or_insert(row.id);
        }
    }

    fn find(&self, name: &str, content: &Content) -> Option<CalendarId> {
        let key = (name.to_owned(), content.clone());
        self.exact.get(&key).or_else(|| self.numbered.get(&key)).copied()
    }

    /// The name itself, else the first `name (n)` that nobody has; cut so that the number fits.
    fn free_name(&mut self, name: &str) -> String {
        if !self.names.contains(name) {
            return name.to_owned();
        }
        let kept: String = name.chars().take(240).collect();
        let next = self.next_number.entry(name.to_owned()).or_insert(2);
        loop {
            let numbered = format!("{kept} ({next})");
            *next += 1;
            if !self.names.contains(&numbered) {
                return numbered;
            }
        }
    }
}

/// `Office` for `Office (2)`.
fn without_number(name: &str) -> &str {
    let number = name.strip_suffix(')').and_then(|rest| rest.rsplit_once(" ("));
    match number {
        Some((base, digits)) if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => base,
        _ => name,
    }
}

/// Finds or creates the calendars of an import. Fresh ones may be hidden by an act of deletion.
pub(super) async fn find_or_create(
    tx: &mut Tx,
    ids: &mut Ids,
    hidden: Option<DeletionId>,
    plan: &Subtree,
) -> Result<Calendars> {
    let found = settle_all(tx, ids, plan).await?;
    if found.fresh.is_empty() {
        return Ok(found.calendars);
    }
    // Another import may add the same calendars at this moment: it is waited for, and what it added is found.
    queries::library::lock(tx).await?;
    let found = settle_all(tx, ids, plan).await?;
    queries::library::insert_calendars(tx, ids, hidden, &found.fresh).await?;
    Ok(found.calendars)
}

struct Settled {
    calendars: Calendars,
    fresh: Vec<(CalendarRow, Vec<ImportedException>)>,
}

async fn settle_all(tx: &mut Tx, ids: &mut Ids, plan: &Subtree) -> Result<Settled> {
    let mut library = Library::load(tx).await?;
    let mut fresh = Vec::new();
    let named = plan.calendars.iter().map(|wanted| settle(&mut library, ids, wanted, &mut fresh)).collect();
    let inherits = plan.projects.iter().any(|project| project.calendar.is_none())
        && queries::library::workspace_calendar(tx).await?.is_some();
    let unnamed = inherits.then(|| settle(&mut library, ids, &monday_to_friday(), &mut fresh));
    Ok(Settled { calendars: Calendars { named, unnamed }, fresh })
}

fn settle(
    library: &mut Library,
    ids: &mut Ids,
    wanted: &ImportedCalendar,
    fresh: &mut Vec<(CalendarRow, Vec<ImportedException>)>,
) -> CalendarId {
    let content = Content {
        working_days: wanted.working_days,
        hours: wanted.hours_per_day.to_bits(),
        timezone: wanted.timezone.clone().unwrap_or_default(),
        exceptions: settled(&wanted.exceptions),
    };
    if let Some(known) = library.find(&wanted.name, &content) {
        return known;
    }
    let id = ids.next();
    let row = CalendarRow {
        name: library.free_name(&wanted.name),
        working_days: wanted.working_days,
        hours_per_day: wanted.hours_per_day,
        timezone: wanted.timezone.clone().unwrap_or_else(|| "UTC".to_owned()),
        ..CalendarRow::fresh(id, library.now)
    };
    library.add(&row, content.exceptions.clone());
    fresh.push((row, content.exceptions));
    id
}

/// What a project without a calendar means.
fn monday_to_friday() -> ImportedCalendar {
    ImportedCalendar {
        name: "Monday to Friday".into(),
        working_days: 31,
        hours_per_day: 8.0,
        timezone: Some("UTC".into()),
        exceptions: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exception(start: &str, end: &str, working: bool) -> ImportedException {
        let day = |text: &str| text.parse().unwrap();
        ImportedException { start: day(start), end: day(end), description: String::new(), working }
    }

    #[test]
    fn exceptions_that_contradict_each_other_are_cut_apart_and_the_last_one_holds() {
        let holiday = exception("2026-12-21", "2026-12-27", false);
        let worked = exception("2026-12-23", "2026-12-23", true);
        let pieces = settled(&[holiday.clone(), worked.clone()]);
        let shown: Vec<_> =
            pieces.iter().map(|p| (p.start.to_string(), p.end.to_string(), p.working)).collect();
        assert_eq!(
            shown,
            [
                ("2026-12-21".into(), "2026-12-22".into(), false),
                ("2026-12-23".into(), "2026-12-23".into(), true),
                ("2026-12-24".into(), "2026-12-27".into(), false),
            ]
        );
        assert_eq!(settled(&[worked, holiday.clone()]), [holiday]);
        assert_eq!(settled(&pieces), pieces);
    }

    #[test]
    fn exceptions_that_agree_are_kept_as_they_are() {
        let (a, b) =
            (exception("2026-05-01", "2026-05-03", false), exception("2026-05-02", "2026-05-09", false));
        assert_eq!(settled(&[b.clone(), a.clone()]), [a, b]);
    }

    #[test]
    fn a_number_at_the_end_of_a_name_is_told_from_a_name_in_brackets() {
        assert_eq!(without_number("Office (12)"), "Office");
        assert_eq!(without_number("Office (north)"), "Office (north)");
        assert_eq!(without_number("Office ()"), "Office ()");
    }
}
