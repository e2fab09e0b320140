//! `planwright user`: people, their ranks, passwords and sign-ins, without a running server.
//! Whoever may run it owns the data directory, so it asks for no other permission.

use std::io::IsTerminal;

use anyhow::{Context, bail, ensure};
use clap::{Subcommand, ValueEnum};
use planwright_accounts::passwords::rules::{Wanted, weaknesses};
use planwright_accounts::people::{self, NewPerson, PersonRow};
use planwright_accounts::standing::{self, Outcome};
use planwright_accounts::{AccountSettings, passwords, second_factor, sign_in};
use planwright_ceremonies::pulse;
use planwright_domain::{Clock, Role};
use planwright_store::{Db, StoreError};
use planwright_time_tracking::personal_data;

use super::say;
use crate::{Settings, assemble};

/// Words after `user`.
#[derive(Subcommand, Debug)]
pub enum User {
    /// Add a person; the command asks for the password, or reads it from standard input
    Add {
        /// The user name
        name: String,
        /// The e-mail address
        #[arg(long, default_value = "")]
        email: String,
        /// The rank in the workspace
        #[arg(long, value_enum, default_value = "member")]
        workspace_role: Rank,
    },
    /// List all people
    List {
        /// Print JSON for programs
        #[arg(long)]
        json: bool,
    },
    /// Set the password of a person; the command asks for it, or reads it from standard input
    SetPassword {
        /// The user name
        name: String,
    },
    /// Print a link with which a person can choose a new password once
    ResetLink {
        /// The user name
        name: String,
    },
    /// Remove the second factors of a person who lost them, and end their sign-ins
    ResetSecondFactor {
        /// The user name
        name: String,
    },
    /// Change the rank of a person in the workspace
    Rank {
        /// The user name
        name: String,
        /// The new rank
        #[arg(value_enum)]
        rank: Rank,
    },
    /// Block a person: no sign-in, no token. Their data stays
    Deactivate {
        /// The user name
        name: String,
    },
    /// Allow a blocked person to sign in again
    Activate {
        /// The user name
        name: String,
    },
    /// Remove a person who has written nothing and belongs to no project
    Remove {
        /// The user name
        name: String,
    },
    /// Print all minutes, the timer and the submitted weeks of a person as JSON
    Time {
        /// The user name
        name: String,
        /// Remove them permanently, with their history
        #[arg(long)]
        erase: bool,
    },
    /// Print how a person said they felt in sprints, as JSON
    Pulses {
        /// The user name
        name: String,
        /// Remove it for good
        #[arg(long)]
        erase: bool,
    },
    /// List the active sign-ins of a person
    Sessions {
        /// The user name
        name: String,
        /// End all of them
        #[arg(long)]
        end: bool,
        /// Print JSON for programs
        #[arg(long)]
        json: bool,
    },
}

/// A rank in the workspace.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Rank {
    /// Works in projects.
    Member,
    /// Administers the workspace.
    Admin,
    /// Owns it.
    Owner,
}

impl Rank {
    fn role(self) -> Role {
        match self {
            Rank::Member => Role::Member,
            Rank::Admin => Role::ProjectManager,
            Rank::Owner => Role::Owner,
        }
    }
}

impl User {
    /// Runs the command. Only `add` makes a database where there is none, and nothing that reads changes one.
    pub async fn run(self, settings: &Settings) -> anyhow::Result<u8> {
        let db = match self {
            User::Add { .. } => assemble::open_database(settings, Clock::machine())?,
            _ => assemble::open_existing(settings, Clock::machine())?,
        };
        match self {
            User::List { .. }
            | User::Sessions { end: false, .. }
            | User::Time { erase: false, .. }
            | User::Pulses { erase: false, .. } => {
                assemble::check_schema(settings, &db).await?;
            }
            _ => drop(assemble::migrate_at_start(settings, &db).await?),
        }
        let outcome = self.work(settings, &db).await;
        db.settle().await.or_else(busy_is_fine)?;
        outcome
    }

    async fn work(self, settings: &Settings, db: &Db) -> anyhow::Result<u8> {
        match self {
            User::Add { name, email, workspace_role } => add(db, name, email, workspace_role.role()).await,
            User::List { json } => list(db, json).await,
            User::SetPassword { name } => set_password(db, &name).await,
            User::ResetLink { name } => reset_link(settings, db, &name).await,
            User::ResetSecondFactor { name } => {
                let person = find(db, &name).await?;
                match second_factor::commands::reset_by_operator(db, person.id).await? {
                    true => say!("{name} has no second factor any more; all sign-ins were ended"),
                    false => say!("{name} had no second factor"),
                }
                Ok(0)
            }
            User::Rank { name, rank } => {
                let done = standing::give_rank(db, &find(db, &name).await?, rank.role()).await?;
                told(done, &format!("{name} is now {}", rank.role().workspace_label()))
            }
            User::Deactivate { name } => {
                let done = standing::set_active(db, &find(db, &name).await?, false).await?;
                told(done, &format!("{name} was deactivated"))
            }
            User::Activate { name } => {
                let done = standing::set_active(db, &find(db, &name).await?, true).await?;
                told(done, &format!("{name} may sign in again"))
            }
            User::Remove { name } => {
                let done = standing::remove(db, &find(db, &name).await?).await?;
                told(done, &format!("{name} was removed"))
            }
            User::Time { name, erase } => time(db, &name, erase).await,
            User::Pulses { name, erase } => pulses(db, &name, erase).await,
            User::Sessions { name, end, json } => sessions(db, &name, end, json).await,
        }
    }
}

/// A server that runs beside a command reads the log of the database, and folds it in when it stops itself.
pub(super) fn busy_is_fine(error: StoreError) -> Result<(), StoreError> {
    match error {
        StoreError::Unavailable(_) => Ok(()),
        other => Err(other),
    }
}

async fn find(db: &Db, name: &str) -> anyhow::Result<PersonRow> {
    people::by_username(db, name).await?.with_context(|| format!("there is no user called {name}"))
}

fn told(outcome: Outcome, done: &str) -> anyhow::Result<u8> {
    match outcome {
        Outcome::Done => say!("{done}"),
        Outcome::Unchanged => say!("nothing to do"),
        Outcome::LastOwner => bail!("the workspace needs an Owner, and this is the last one"),
        Outcome::Referenced => {
            bail!("this person has projects or changes; deactivate them instead (planwright user deactivate)")
        }
    }
    Ok(0)
}

/// A password that is asked for twice at a terminal, and else read from the standard input, since others on the machine
/// can read a command line.
fn read_password(username: &str, email: &str) -> anyhow::Result<String> {
    let password = match std::io::stdin().is_terminal() {
        true => {
            let password = rpassword::prompt_password(format!("Password of {username}: "))?;
            check_password(&password, username, email)?;
            ensure!(rpassword::prompt_password("Again: ")? == password, "the two passwords differ");
            password
        }
        false => {
            let mut line = String::new();
            std::io::stdin().read_line(&mut line).context("reading the password from standard input")?;
            line.trim_end_matches(['\r', '\n']).to_owned()
        }
    };
    check_password(&password, username, email)?;
    Ok(password)
}

/// Refuses a password that the server would refuse too.
pub(super) fn check_password(password: &str, username: &str, email: &str) -> anyhow::Result<()> {
    let weaknesses = weaknesses(Wanted { password, username, email, is_current: false });
    ensure!(weaknesses.is_empty(), "this password is too weak: {}", weaknesses.join(" "));
    Ok(())
}

async fn add(db: &Db, username: String, email: String, role: Role) -> anyhow::Result<u8> {
    let password_hash = Some(passwords::hash(&read_password(&username, &email)?)?);
    let person = NewPerson {
        username: username.clone(),
        email,
        first_name: String::new(),
        last_name: String::new(),
        password_hash,
        workspace_role: role,
    };
    match people::add(db, &person).await {
        Err(StoreError::Duplicate(_)) => bail!("there is already a user called {username}"),
        added => added?,
    };
    say!("added {username} ({})", role.workspace_label());
    Ok(0)
}

async fn list(db: &Db, json: bool) -> anyhow::Result<u8> {
    for person in people::everybody(db).await? {
        let role = person.workspace_role.workspace_label();
        match json {
            true => say!(
                "{}",
                serde_json::json!({ "id": person.id, "username": person.username, "email": person.email,
                    "workspace_role": person.workspace_role, "is_active": person.may_sign_in(),
                    "last_login_at": person.last_login_at })
            ),
            false => {
                let state = if person.may_sign_in() { "" } else { "deactivated" };
                let line = format!("{:<24} {role:<8} {:<32} {state}", person.username, person.email);
                say!("{}", line.trim_end());
            }
        }
    }
    Ok(0)
}

async fn set_password(db: &Db, name: &str) -> anyhow::Result<u8> {
    let person = find(db, name).await?;
    let hash = passwords::hash(&read_password(name, &person.email)?)?;
    passwords::set(db, person.id, &hash).await?;
    say!("the password of {name} was changed");
    Ok(0)
}

async fn reset_link(settings: &Settings, db: &Db, name: &str) -> anyhow::Result<u8> {
    let person = find(db, name).await?;
    ensure!(person.may_sign_in(), "{name} is deactivated");
    ensure!(
        person.password_hash.is_some(),
        "{name} has no password; set one with planwright user set-password"
    );
    let accounts = AccountSettings::from_settings(|name| settings.given(name))?;
    let mut tx = db.begin().await?;
    let link = passwords::new_link(&mut tx, &accounts, &person).await?;
    tx.commit().await?;
    say!("{link}");
    eprintln!("valid once, for {} minutes", accounts.reset_link.num_minutes().max(1));
    Ok(0)
}

async fn time(db: &Db, name: &str, erase: bool) -> anyhow::Result<u8> {
    let person = find(db, name).await?;
    if erase {
        let rows = personal_data::erase(db, person.id).await?;
        say!("{rows} rows of the time tracking of {name} were removed");
        return Ok(0);
    }
    say!("{}", serde_json::to_string_pretty(&personal_data::of(db, person.id).await?)?);
    Ok(0)
}

async fn pulses(db: &Db, name: &str, erase: bool) -> anyhow::Result<u8> {
    let person = find(db, name).await?;
    if erase {
        let rows = pulse::personal_data::erase(db, person.id).await?;
        say!("{rows} pulses of {name} were removed");
        return Ok(0);
    }
    say!("{}", serde_json::to_string_pretty(&pulse::personal_data::of(db, person.id).await?)?);
    Ok(0)
}

async fn sessions(db: &Db, name: &str, end: bool, json: bool) -> anyhow::Result<u8> {
    let person = find(db, name).await?;
    if end {
        standing::sign_out(db, person.id).await?;
        say!("every sign-in of {name} was ended");
        return Ok(0);
    }
    for session in sign_in::sessions::live(db, person.id, db.clock.now()).await? {
        match json {
            true => say!(
                "{}",
                serde_json::json!({ "id": session.id, "source_ip": session.source_ip,
                    "user_agent": session.user_agent, "created_at": session.created_at,
                    "last_used_at": session.last_used_at, "ends_at": session.ends_at })
            ),
            false => say!(
                "{}  last used {}  from {:<15}  {}",
                session.created_at.format("%Y-%m-%d %H:%M"),
                session.last_used_at.format("%Y-%m-%d %H:%M"),
                session.source_ip.as_deref().unwrap_or("unknown"),
                session.user_agent.replace(char::is_control, " ")
            ),
        }
    }
    Ok(0)
}
