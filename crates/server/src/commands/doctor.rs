//! `planwright doctor`: whether the installation is sound, and every setting with where it came from.
//! Exit code 1 means that something needs attention.

use clap::Args;
use planwright_domain::Clock;
use planwright_store::migrate::{self, MigrationState};
use planwright_store::{Read, sql};

use crate::settings::KNOWN;
use crate::{Settings, assemble, private};

/// Flags of `doctor`.
#[derive(Args, Debug)]
pub struct Doctor {
    /// For programs
    #[arg(long)]
    json: bool,
}

impl Doctor {
    /// Runs the command.
    pub async fn run(self, settings: &Settings) -> anyhow::Result<u8> {
        let checks = checks(settings).await;
        let sound = checks.iter().all(|(_, verdict)| verdict.is_ok());
        match self.json {
            true => print_json(settings, &checks)?,
            false => print_table(settings, &checks),
        }
        Ok(u8::from(!sound))
    }
}

type Check = (&'static str, Result<String, String>);

async fn checks(settings: &Settings) -> Vec<Check> {
    let directory = private::directory(&settings.data_dir)
        .map(|()| settings.data_dir.display().to_string())
        .map_err(|error| format!("{}: {error}", settings.data_dir.display()));
    let mut checks = vec![("data directory", directory)];
    let db = match assemble::open_database(settings, Clock::machine()) {
        Ok(db) => db,
        Err(error) => {
            checks.push(("database", Err(format!("{error:#}"))));
            return checks;
        }
    };
    let engine = db.engine().name().to_owned();
    checks.push((
        "database",
        db.count(sql!("SELECT 1")).await.map(|_| engine).map_err(|error| error.to_string()),
    ));
    checks.push((
        "migrations",
        match migrate::state(&db).await {
            MigrationState::InSync => Ok("in_sync".into()),
            MigrationState::Behind => Err("behind: run planwright migrate, or start the server".into()),
            MigrationState::Ahead => Err("ahead: this binary is older than the database".into()),
            MigrationState::Unknown => {
                Err("unknown: the database cannot be read, or a step was changed".into())
            }
        },
    ));
    let secrets = crate::secrets::Secrets::load(settings);
    checks.push(("secrets", secrets.map(|_| "present".into()).map_err(|error| format!("{error:#}"))));
    checks
}

fn print_table(settings: &Settings, checks: &[Check]) {
    for (what, verdict) in checks {
        match verdict {
            Ok(detail) => println!("ok    {what}: {detail}"),
            Err(detail) => println!("FAIL  {what}: {detail}"),
        }
    }
    println!();
    for known in KNOWN {
        println!(
            "{:<36} {:<32} [{}] {}",
            known.name,
            settings.shown(known),
            settings.source(known.name),
            known.about
        );
    }
}

fn print_json(settings: &Settings, checks: &[Check]) -> anyhow::Result<()> {
    let checks: Vec<_> = checks
        .iter()
        .map(|(what, verdict)| {
            let detail = verdict.as_ref().unwrap_or_else(|detail| detail);
            serde_json::json!({ "check": what, "ok": verdict.is_ok(), "detail": detail })
        })
        .collect();
    let settings: Vec<_> = KNOWN
        .iter()
        .map(|known| {
            serde_json::json!({ "name": known.name, "value": settings.shown(known),
                "source": settings.source(known.name), "about": known.about })
        })
        .collect();
    println!(
        "{}",
        serde_json::to_string_pretty(&serde_json::json!({ "checks": checks, "settings": settings }))?
    );
    Ok(())
}
