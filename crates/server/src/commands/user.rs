//! `planwright user`: adds people, lists them, sets their passwords, without a running server.
//! Whoever may run it owns the data directory, so it asks for no other permission.

use std::io::IsTerminal;

use anyhow::{Context, bail, ensure};
use clap::{Subcommand, ValueEnum};
use planwright_accounts::passwords;
use planwright_accounts::passwords::rules::{Wanted, weaknesses};
use planwright_accounts::people::{self, NewPerson};
use planwright_domain::{Clock, Role};
use planwright_store::{Db, StoreError};

use crate::{Settings, assemble};

/// Words after `user`.
#[derive(Subcommand, Debug)]
pub enum User {
    /// Add a person; the password is read from the standard input
    Add {
        /// The name to sign in with
        name: String,
        /// The address that mail goes to
        #[arg(long, default_value = "")]
        email: String,
        /// The rank in the workspace
        #[arg(long, value_enum, default_value = "member")]
        workspace_role: Rank,
    },
    /// List everybody
    List {
        /// For programs
        #[arg(long)]
        json: bool,
    },
    /// Set somebody's password, which is read from the standard input
    SetPassword {
        /// The name they sign in with
        name: String,
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
    /// Runs the command.
    pub async fn run(self, settings: &Settings) -> anyhow::Result<u8> {
        let db = assemble::open_database(settings, Clock::machine())?;
        assemble::migrate_at_start(settings, &db).await?;
        match self {
            User::Add { name, email, workspace_role } => add(&db, name, email, workspace_role.role()).await,
            User::List { json } => list(&db, json).await,
            User::SetPassword { name } => set_password(&db, &name).await,
        }
    }
}

/// A password from the standard input, since others on the machine can read a command line.
fn read_password(username: &str, email: &str) -> anyhow::Result<String> {
    if std::io::stdin().is_terminal() {
        eprintln!("The password of {username}, and Enter:");
    }
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).context("reading the password from the standard input")?;
    let password = line.trim_end_matches(['\r', '\n']).to_owned();
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
    let person = NewPerson { username: username.clone(), email, password_hash, workspace_role: role };
    match people::add(db, &person).await {
        Err(StoreError::Duplicate(_)) => bail!("there is a user called {username} already"),
        added => added?,
    };
    println!("added {username} ({})", role.workspace_label());
    Ok(0)
}

async fn list(db: &Db, json: bool) -> anyhow::Result<u8> {
    for person in people::everybody(db).await? {
        let role = person.workspace_role.workspace_label();
        match json {
            true => println!(
                "{}",
                serde_json::json!({ "id": person.id, "username": person.username, "email": person.email,
                    "workspace_role": person.workspace_role, "is_active": person.is_active })
            ),
            false => println!("{:<24} {:<8} {}", person.username, role, person.email),
        }
    }
    Ok(0)
}

async fn set_password(db: &Db, name: &str) -> anyhow::Result<u8> {
    let Some(person) = people::by_username(db, name).await? else { bail!("there is no user called {name}") };
    let hash = passwords::hash(&read_password(name, &person.email)?)?;
    passwords::set(db, person.id, &hash).await?;
    println!("the password of {name} was changed");
    Ok(0)
}
