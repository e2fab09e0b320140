//! What people put beside tasks so that others can open it: files, links to other places, and feeds of them.
//! What people say on tasks is in the crate `discussions`, and the order of tasks is in the plan.

mod assets;
mod files;
mod links;

use std::path::{Path, PathBuf};

use planwright_jobs::Registry;
use planwright_web::app::Extensions;
use planwright_web::{App, Routes};

use files::{FileSettings, FileStorage};

/// The routes of this area.
pub fn routes() -> Routes {
    links::table().and(assets::table()).and(files::table())
}

/// The jobs of this area.
pub fn jobs() -> Registry<App> {
    files::jobs()
}

/// Where the uploaded files are: in the directory of a setting, else in the data directory.
pub fn directory(setting: impl Fn(&str) -> String, data_dir: &Path) -> PathBuf {
    let given = setting("SVC_ATTACHMENTS_DIR");
    if given.trim().is_empty() { data_dir.join("attachments") } else { given.into() }
}

/// Adds what this area needs at run time; `setting` gives the value of a setting, or its default.
pub fn equip(
    extensions: Extensions,
    setting: impl Fn(&str) -> String,
    data_dir: &Path,
) -> anyhow::Result<Extensions> {
    let root = directory(&setting, data_dir);
    let settings = FileSettings::from_settings(&setting)?;
    Ok(extensions.with(settings).with(FileStorage::at(root)))
}
