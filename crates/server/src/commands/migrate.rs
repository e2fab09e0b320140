//! `planwright migrate`: applies what is missing, or only says how the database stands.
//! Exit code 1 of `--check` means that it is not in step with this binary.

use clap::Args;
use planwright_domain::Clock;
use planwright_store::migrate::{self, MigrationState};

use super::say;
use crate::{Settings, assemble};

/// Flags of `migrate`.
#[derive(Args, Debug)]
pub struct Migrate {
    /// Change nothing; only print in_sync, behind, ahead or unknown
    #[arg(long)]
    check: bool,
}

impl Migrate {
    /// Runs the command.
    pub async fn run(self, settings: &Settings) -> anyhow::Result<u8> {
        let db = match self.check {
            true => assemble::open_existing(settings, Clock::machine())?,
            false => assemble::open_database(settings, Clock::machine())?,
        };
        assemble::reach(settings, &db).await?;
        if !self.check {
            let taken = migrate::apply(&db).await?;
            for step in &taken {
                say!("applied {step}");
            }
            if taken.is_empty() {
                say!("nothing to do");
            }
        }
        let state = migrate::state(&db).await;
        say!("{}", serde_json::to_value(state)?.as_str().unwrap_or_default());
        Ok(u8::from(state != MigrationState::InSync))
    }
}
