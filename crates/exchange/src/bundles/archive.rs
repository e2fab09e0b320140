//! The archive of an export: a seed document, and for each project its plan as Microsoft Project XML and as CSV, and the
//! time that its reader logged. The same content gives the same bytes.

use flate2::{Compression, GzBuilder};
use planwright_domain::ids::{ProjectId, UserId};
use planwright_store::Read;
use planwright_web::ApiResult;
use serde::Serialize;

use super::queries::{self, LoggedRow};
use crate::files::{mspdi, table};
use crate::interchange::plan_of;
use crate::programs::export::Exported;

/// The files of an archive, by their names.
#[derive(Debug, Default)]
pub(super) struct Archive {
    files: Vec<(String, Vec<u8>)>,
}

impl Archive {
    /// With the document of the whole.
    pub(super) fn of(exported: Exported) -> Self {
        Self { files: vec![("seed.json".to_owned(), exported.text.into_bytes())] }
    }

    /// Adds a project.
    pub(super) async fn add_project(
        &mut self,
        db: &impl Read,
        project: ProjectId,
        reader: UserId,
    ) -> ApiResult<()> {
        let Some((document, computed)) = plan_of(db, project, reader).await? else { return Ok(()) };
        let written = mspdi::write(&document, &computed).map_err(anyhow::Error::from)?;
        let slug = self.free_name(&document.program.slug);
        self.files.push((format!("projects/{slug}/plan.xml"), written));
        self.files.push((format!("projects/{slug}/tasks.csv"), table::write(&document, &computed)));
        let logged = queries::logged(db, project, reader).await?;
        if !logged.is_empty() {
            self.files.push((format!("projects/{slug}/time-entries.csv"), time_table(&logged)));
        }
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
        self.files.push((name.to_owned(), text));
        Ok(())
    }

    fn free_name(&self, slug: &str) -> String {
        let is_free =
            |name: &String| self.files.iter().all(|(file, _)| *file != format!("projects/{name}/plan.xml"));
        let numbered = (2u32..).map(|number| format!("{slug}-{number}"));
        std::iter::once(slug.to_owned()).chain(numbered).find(is_free).unwrap_or_else(|| slug.to_owned())
    }

    /// The packed bytes.
    pub(super) fn pack(self) -> std::io::Result<Vec<u8>> {
        let packed = GzBuilder::new().mtime(0).write(Vec::new(), Compression::default());
        let mut archive = tar::Builder::new(packed);
        for (name, content) in self.files {
            let mut header = tar::Header::new_gnu();
            header.set_size(content.len() as u64);
            header.set_mode(0o644);
            header.set_mtime(0);
            archive.append_data(&mut header, name, content.as_slice())?;
        }
        archive.into_inner()?.finish()
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
    use std::io::Read as _;

    use super::*;

    #[test]
    fn what_was_packed_is_unpacked_and_the_same_files_give_the_same_bytes() {
        let exported = || Exported { slug: "mill".to_owned(), text: "{}".to_owned() };
        let packed = Archive::of(exported()).pack().unwrap();
        assert_eq!(packed, Archive::of(exported()).pack().unwrap());
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(packed.as_slice()));
        let mut entry = archive.entries().unwrap().next().unwrap().unwrap();
        let mut text = String::new();
        entry.read_to_string(&mut text).unwrap();
        assert_eq!((entry.path().unwrap().to_str(), text.as_str()), (Some("seed.json"), "{}"));
    }
}
