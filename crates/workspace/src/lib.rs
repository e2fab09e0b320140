//! The workspace: its settings, its members, finding people, mail, and the pages for whoever operates the server.
//! Signing in is the accounts area; what members may do in projects is not decided here.

pub mod audit;
pub mod groups;
pub mod mail;
pub mod members;
pub mod operations;
pub mod people_search;
pub mod settings;

use std::path::Path;

use planwright_domain::access::may;
use planwright_jobs::Registry;
use planwright_web::app::Extensions;
use planwright_web::{App, Routes, WorkspaceScope};

use mail::administration::dns::TextRecords;
use mail::{MailSettings, Mailer};
use operations::OperatorSettings;
use operations::retention::RetentionDefaults;

/// The proof that its holder administers the workspace.
pub type Administrator = WorkspaceScope<may::AdministerWorkspace>;

/// The routes of the workspace.
pub fn routes() -> Routes {
    Routes::new()
        .and(settings::routes())
        .and(members::routes())
        .and(groups::routes())
        .and(audit::routes())
        .and(mail::administration::routes())
        .and(people_search::routes())
        .and(operations::routes())
}

/// The jobs of the workspace.
pub fn jobs() -> Registry<App> {
    Registry::default().on(planwright_jobs::mail::SEND_MAIL, mail::deliver).and(operations::retention::jobs())
}

/// Adds what this area needs at run time; `setting` gives the value of a setting, or its default.
pub fn equip(
    extensions: Extensions,
    setting: impl Fn(&str) -> String,
    data_dir: &Path,
) -> anyhow::Result<Extensions> {
    let mailer = Mailer::new(MailSettings::from_settings(&setting, data_dir)?)?;
    let records = TextRecords::from_settings(&setting)?;
    let retention = RetentionDefaults::from_settings(&setting)?;
    let operator = OperatorSettings::from_settings(&setting)?;
    Ok(extensions.with(mailer).with(records).with(retention).with(operator))
}
