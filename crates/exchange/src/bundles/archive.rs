//! The archive of an export: a seed document, and for each project its plan as Microsoft Project XML, as Primavera XER and
//! as CSV, the files and addresses on its tasks, its history, and the time that its reader logged. `pack.rs` writes it.

use chrono::SecondsFormat;
use planwright_domain::ids::{ProjectId, UserId};
use planwright_file_storage::{FileStorage, Incoming};
use planwright_plan_files::seed::Slugs;
use planwright_plan_files::{mspdi, table, xer};
use planwright_store::Read;
use planwright_web::{ApiResult, App};
use serde::Serialize;

use super::queries::{self, AttachedRow, HistoryLine, LoggedRow};
use crate::interchange::plan_of;
use crate::programs::export::Exported;

/// How many changes of a history are read at once.
const CHANGES_AT_ONCE: i64 = 2_000;

/// What one file of an archive holds.
#[derive(Debug)]
pub(super) enum Content {
    /// These bytes.
    Bytes(Vec<u8>),
    /// What was written for this archive alone.
    Written(Incoming),
    /// A file of the storage, by its key. One that is not there any more is left out.
    Stored(String),
}

/// The files of an archive, by their names.
#[derive(Debug, Default)]
pub(super) struct Archive {
    pub(super) files: Vec<(String, Content)>,
    /// The projects that are in it.
    pub(super) projects: Vec<ProjectId>,
}

impl Archive {
    /// With the document of the whole.
    pub(super) fn of(exported: Exported) -> Self {
        let mut archive = Self::default();
        archive.add("seed.json".to_owned(), exported.text.into_bytes());
        archive
    }

    fn add(&mut self, name: String, content: Vec<u8>) {
        self.files.push((name, Content::Bytes(content)));
    }

    /// Adds a project.
    pub(super) async fn add_project(
        &mut self,
        app: &App,
        project: ProjectId,
        reader: UserId,
    ) -> ApiResult<()> {
        let db = &app.db;
        let Some((document, computed)) = plan_of(db, project, reader).await? else { return Ok(()) };
        self.projects.push(project);
        let slug = self.free_name(&document.program.slug);
        let at = |name: &str| format!("projects/{slug}/{name}");
        let written = mspdi::write(&document, &computed).map_err(anyhow::Error::from)?;
        self.add(at("plan.xml"), written.content);
        self.add(at("plan.xer"), xer::write(&document, &computed).content);
        self.add(at("tasks.csv"), table::write(&document, &computed).content);
        let logged = queries::logged(db, project, reader).await?;
        if !logged.is_empty() {
            self.add(at("time-entries.csv"), time_table(&logged));
        }
        self.add_attached(&at("files"), &queries::attached(db, project).await?);
        let history = history(db, app.get::<FileStorage>(), project).await?;
        self.files.push((at("history.jsonl"), Content::Written(history)));
        Ok(())
    }

    /// Adds the files of another archive below a folder.
    pub(super) fn add_below(&mut self, folder: &str, other: Archive) {
        self.files
            .extend(other.files.into_iter().map(|(name, content)| (format!("{folder}/{name}"), content)));
    }

    /// Adds a JSON file.
    pub(super) fn add_json(&mut self, name: &str, content: &impl Serialize) -> ApiResult<()> {
        let text = serde_json::to_vec_pretty(content).map_err(anyhow::Error::from)?;
        self.add(name.to_owned(), text);
        Ok(())
    }

    /// Adds the files on tasks, each with a number before its name, and the list of them and of addresses.
    fn add_attached(&mut self, folder: &str, attached: &[AttachedRow]) {
        if attached.is_empty() {
            return;
        }
        let mut list = vec![
            ["wbs", "task", "name", "size", "media_type", "address", "added_by", "added_at", "file"]
                .map(str::to_owned)
                .to_vec(),
        ];
        for (number, row) in (1usize..).zip(attached) {
            let name = format!("{folder}/{number:05}-{}", unpackable(&row.file_name));
            let is_file = !row.storage_key.is_empty();
            list.push(vec![
                row.wbs_path.clone(),
                row.task.clone(),
                if is_file { row.file_name.clone() } else { row.external_title.clone() },
                row.file_size.map(|size| size.to_string()).unwrap_or_default(),
                row.file_mime.clone(),
                row.external_url.clone(),
                row.username.clone(),
                row.created_at.to_rfc3339_opts(SecondsFormat::Secs, true),
                if is_file { name.clone() } else { String::new() },
            ]);
            if is_file {
                self.files.push((name, Content::Stored(row.storage_key.clone())));
            }
        }
        self.add(format!("{folder}.csv"), table::lines(list.into_iter()));
    }

    fn free_name(&self, slug: &str) -> String {
        let is_free =
            |name: &String| self.files.iter().all(|(file, _)| *file != format!("projects/{name}/plan.xml"));
        let numbered = (2u32..).map(|number| format!("{slug}-{number}"));
        let slug = if slug.is_empty() { Slugs::new().make("", "project") } else { slug.to_owned() };
        std::iter::once(slug.clone()).chain(numbered).find(is_free).unwrap_or(slug)
    }
}

/// A name that can be unpacked everywhere: not longer than so many bytes, with the ending that it has.
fn unpackable(name: &str) -> String {
    const MOST_BYTES: usize = 200;
    const LONGEST_ENDING: usize = 20;
    if name.len() <= MOST_BYTES {
        return name.to_owned();
    }
    let (stem, ending) = match name.rfind('.').filter(|at| name.len() - at <= LONGEST_ENDING) {
        Some(at) => name.split_at(at),
        None => (name, ""),
    };
    let mut end = MOST_BYTES - ending.len();
    while !stem.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}{ending}", &stem[..end])
}

/// The history of a project as lines of JSON, the oldest change first. It may be larger than what fits into memory.
async fn history(db: &dyn Read, storage: &FileStorage, project: ProjectId) -> ApiResult<Incoming> {
    let mut file = storage.begin().await?;
    let mut after = None;
    loop {
        let page: Vec<HistoryLine> = queries::history(db, project, after, CHANGES_AT_ONCE).await?;
        let Some(last) = page.last() else { return Ok(file) };
        after = Some((last.at, last.id));
        let mut lines = Vec::new();
        for line in &page {
            serde_json::to_writer(&mut lines, &line.shown()).map_err(anyhow::Error::from)?;
            lines.push(b'\n');
        }
        file.write(&lines).await.map_err(anyhow::Error::from)?;
    }
}

fn time_table(rows: &[LoggedRow]) -> Vec<u8> {
    let head = ["project", "wbs", "task", "date", "minutes", "note"].map(str::to_owned).to_vec();
    let row = |row: &LoggedRow| {
        vec![
            row.project.clone(),
            row.wbs_path.clone(),
            row.task.clone(),
            row.entry_date.to_string(),
            row.minutes.to_string(),
            row.note.clone(),
        ]
    };
    table::lines(std::iter::once(head).chain(rows.iter().map(row)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_too_long_to_be_unpacked_keeps_its_ending() {
        assert_eq!(unpackable("plan.pdf"), "plan.pdf");
        let long = unpackable(&format!("{}.pdf", "ä".repeat(250)));
        assert!(long.len() <= 200 && long.ends_with("ä.pdf"), "{long}");
        assert_eq!(unpackable(&"y".repeat(255)).len(), 200);
        assert_eq!(unpackable(&format!("a.{}", "y".repeat(255))).len(), 200);
    }
}
