//! The accounts of a document: those that an import left behind, and the people whom the plan names by now.
//! A person is identified by the user name. Passwords and ranks in the workspace are never exported.

use std::collections::{HashMap, HashSet};

use planwright_domain::Role;
use planwright_domain::ids::{ProjectId, UserId};
use planwright_domain::words::AccountRole;
use planwright_plan_files::seed::model::Account;
use planwright_plan_files::seed::{Slugs, scalars};
use planwright_store::{Read, Result};

use super::library::Library;
use super::project::Inside;
use super::queries::{self, PersonRow};
use super::tree::Tree;
use crate::programs::leftovers::Leftovers;

/// How many people are asked for at once.
const BATCH: usize = 1_000;

/// Somebody: a person who is known here, else an account that an import left behind.
#[derive(Clone, Debug, Default)]
pub(super) struct Reference {
    pub(super) user: Option<UserId>,
    pub(super) account: Option<String>,
}

/// Accounts, and which of them stands for whom.
pub(super) struct People {
    /// The accounts in the order of the document.
    pub(super) accounts: Vec<Account>,
    by_user: HashMap<UserId, String>,
    slugs: HashSet<String>,
}

impl People {
    /// Everybody whom the parts of the document name.
    #[allow(clippy::too_many_arguments)]
    pub(super) async fn load(
        db: &dyn Read,
        projects: &[ProjectId],
        left: &Leftovers,
        lead: &Reference,
        tree: &Tree,
        inside: &[Inside],
        library: &Library,
    ) -> Result<Self> {
        let assignees = tree.projects.iter().flatten().filter_map(|row| row.task.assignee_id);
        let owners = inside.iter().flat_map(|parts| parts.risks.iter().filter_map(|risk| risk.owner_id));
        let named: HashSet<UserId> =
            assignees.chain(owners).chain(library.users()).chain(lead.user).collect();
        let named: Vec<UserId> = named.into_iter().collect();
        let mut persons = Vec::with_capacity(named.len());
        for some in named.chunks(BATCH) {
            persons.extend(queries::people(db, some).await?);
        }
        persons.sort_by(|left, right| left.username.cmp(&right.username));
        let mut ranks: HashMap<UserId, Role> = HashMap::new();
        for (user, role) in queries::ranks(db, projects).await? {
            let highest = ranks.entry(user).or_insert(role);
            *highest = (*highest).max(role);
        }
        Ok(Self::of(left.accounts.clone(), persons, &ranks))
    }

    fn of(accounts: Vec<Account>, persons: Vec<PersonRow>, ranks: &HashMap<UserId, Role>) -> Self {
        let mut slugs = Slugs::new();
        for account in &accounts {
            slugs.make(&account.slug, "");
        }
        let known: HashMap<String, String> =
            accounts.iter().map(|account| (account.username.clone(), account.slug.clone())).collect();
        let mut people = Self { accounts, by_user: HashMap::new(), slugs: HashSet::new() };
        for person in persons {
            let slug = known.get(&person.username).cloned().unwrap_or_else(|| {
                let slug = slugs.make(&person.username, "person");
                people.accounts.push(account(&person, slug.clone(), ranks.get(&person.id).copied()));
                slug
            });
            people.by_user.insert(person.id, slug);
        }
        people.slugs = people.accounts.iter().map(|account| account.slug.clone()).collect();
        people
    }

    /// The account of somebody.
    pub(super) fn account(&self, of: &Reference) -> Option<String> {
        match of.user {
            Some(user) => self.by_user.get(&user).cloned(),
            None => of.account.clone().filter(|slug| self.slugs.contains(slug)),
        }
    }

    /// Whether an account of that slug is in the document.
    pub(super) fn has(&self, slug: &str) -> bool {
        self.slugs.contains(slug)
    }
}

fn account(person: &PersonRow, slug: String, role: Option<Role>) -> Account {
    let full_name = format!("{} {}", person.first_name, person.last_name);
    Account {
        slug,
        username: person.username.clone(),
        email: Some(person.email.clone()).filter(|email| scalars::is_email(email)),
        display_name: full_name.trim().chars().take(255).collect(),
        role: match role {
            Some(Role::Viewer) => AccountRole::Viewer,
            Some(Role::ResourceManager) => AccountRole::Scheduler,
            Some(Role::ProjectManager) => AccountRole::Admin,
            Some(Role::Owner) => AccountRole::Owner,
            Some(Role::Member) | None => AccountRole::Member,
        },
    }
}
