//! Who is told what when something happened: events of the outbox become notifications, in the transaction that takes them.
//! A person is told of the same occasion once.

mod grounds;
mod news;
mod queries;
mod rules;

use std::collections::BTreeSet;

use planwright_domain::ids::{ProjectId, UserId};
use planwright_domain::words::NotificationChannel;
use planwright_store::outbox::Waiting;
use planwright_store::{Result, Tx};

use crate::kinds::{Concerned, Kind};
use crate::letters;
use crate::preferences::Choices;
use crate::project_preferences::ProjectChoices;
use news::News;
use rules::Facts;
pub use rules::Told;

/// Tells people of events, and queues the mails about them.
pub async fn take_on(tx: &mut Tx, events: &[Waiting]) -> Result<()> {
    let news = news::news(events);
    if news.is_empty() {
        return Ok(());
    }
    let grounds = grounds::gather(tx, &news).await?;
    let news = rules::worth_telling(news, &grounds);
    if news.is_empty() {
        return Ok(());
    }
    let facts = facts(tx, &news).await?;
    let told = rules::told(&news, &grounds, &facts);
    write(tx, told).await
}

async fn facts(tx: &mut Tx, news: &[News]) -> Result<Facts> {
    let is_for = |whom: Concerned| news.iter().any(|one| one.kind.concerned == whom);
    let mut facts = Facts {
        members: queries::members(tx, news).await?,
        mentions: queries::mentions(tx, news).await?,
        comments: queries::live_comments(tx, news).await?,
        names: queries::names(tx, news).await?,
        ..Facts::default()
    };
    if is_for(Concerned::Team) {
        facts.team = queries::team(tx, news).await?;
    }
    if is_for(Concerned::Doers) {
        facts.doers = queries::doers(tx, news).await?;
    }
    Ok(facts)
}

/// Writes what people are told, as far as they want to hear of it.
pub async fn write(tx: &mut Tx, told: Vec<Told>) -> Result<()> {
    if told.is_empty() {
        return Ok(());
    }
    let people: BTreeSet<UserId> = told.iter().map(|row| row.recipient).collect();
    let projects: BTreeSet<ProjectId> = told.iter().filter_map(|row| row.project).collect();
    let (people, projects): (Vec<_>, Vec<_>) = (people.into_iter().collect(), projects.into_iter().collect());
    let choices = Choices::of(tx, &people).await?;
    let in_projects = ProjectChoices::of(tx, &people, &projects).await?;
    let wants = |row: &Told, channel| {
        let kind = Kind::of(row.kind);
        let is_usual =
            kind.usually(channel) || (row.is_mailed_by_default && channel == NotificationChannel::Email);
        choices.chosen(row.recipient, kind, channel).unwrap_or(is_usual)
            && row.project.is_none_or(|project| in_projects.allow(row.recipient, project, kind, channel))
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
