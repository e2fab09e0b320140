//! Who is told what when something happened: events of the outbox become notifications, in the transaction that takes them.
//! A person is told of the same occasion once.

mod queries;
mod rules;

use std::collections::BTreeSet;

use planwright_domain::ids::{ProjectId, UserId};
use planwright_domain::words::NotificationChannel;
use planwright_store::outbox::Waiting;
use planwright_store::{Result, Tx};

use crate::kinds::Kind;
use crate::letters;
use crate::preferences::Choices;
use crate::project_preferences::ProjectChoices;
use rules::{Facts, Told};

/// Tells people of events, and queues the mails about them.
pub async fn take_on(tx: &mut Tx, events: &[Waiting]) -> Result<()> {
    let news = rules::news(events);
    if news.is_empty() {
        return Ok(());
    }
    let tasks = queries::tasks(tx, &news).await?;
    let news = rules::worth_telling(news, &tasks);
    if news.is_empty() {
        return Ok(());
    }
    let members = queries::members(tx, &news).await?;
    let mentions = queries::mentions(tx, &news).await?;
    let comments = queries::live_comments(tx, &news).await?;
    let names = queries::names(tx, &news).await?;
    let told = rules::told(&news, &Facts { tasks, members, mentions, comments, names });
    write(tx, told).await
}

/// Writes what people are told, as far as they want to hear of it.
async fn write(tx: &mut Tx, told: Vec<Told>) -> Result<()> {
    if told.is_empty() {
        return Ok(());
    }
    let people: BTreeSet<UserId> = told.iter().map(|row| row.recipient).collect();
    let projects: BTreeSet<ProjectId> = told.iter().map(|row| row.project).collect();
    let (people, projects): (Vec<_>, Vec<_>) = (people.into_iter().collect(), projects.into_iter().collect());
    let choices = Choices::of(tx, &people).await?;
    let in_projects = ProjectChoices::of(tx, &people, &projects).await?;
    let wants = |row: &Told, channel| {
        let kind = Kind::of(row.kind);
        choices.wants(row.recipient, kind, channel)
            && in_projects.allow(row.recipient, row.project, kind, channel)
    };
    let mut rows = Vec::new();
    for row in told {
        let is_listed = wants(&row, NotificationChannel::InApp);
        let is_mailed = wants(&row, NotificationChannel::Email);
        if is_listed || is_mailed {
            rows.push(rules::Chosen { id: tx.mint(), row, is_listed, is_mailed });
        }
    }
    queries::insert(tx, &rows).await?;
    for row in rows.iter().filter(|row| row.is_mailed) {
        letters::request(tx, row.id, chrono::Duration::zero()).await?;
    }
    Ok(())
}
