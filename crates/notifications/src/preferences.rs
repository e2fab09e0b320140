//! `/api/v1/me/notification-preferences/`: what the caller wants to hear of, and in which way.
//! A person without a row has the usual preference of [`KINDS`](crate::kinds::KINDS).

use std::collections::HashMap;

use axum::extract::State;
use chrono::{DateTime, Utc};
use planwright_domain::ids::UserId;
use planwright_domain::words::{NotificationChannel, NotificationKind, NotificationPreset};
use planwright_plan::edit::Edit;
use planwright_store::{Read, Result, StoreError, ToValue, Tx, row, sql};
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Json, Page, Paging, Patch, Path, Routes, input, says,
};
use schemars::JsonSchema;
use serde::Serialize;

use crate::kinds::{Kind, ways};

const ALL: &str = "/api/v1/me/notification-preferences/";
const ONE: &str = "/api/v1/me/notification-preferences/{id}/";
const PRESET: &str = "/api/v1/me/notification-preferences/apply-preset/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("What you want to hear of, and in which way."))
        .patch(ONE, update, says("Say whether you want to hear of something in this way."))
        .post(PRESET, apply, says("Replace all your preferences by those of a preset."))
}

row! {
    struct ChoiceRow { kind: NotificationKind, channel: NotificationChannel, enabled: bool, updated_at: DateTime<Utc> }
}

/// Whether the caller wants to hear of something in one way.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct NotificationPreference {
    /// A number that is the same for every person.
    pub id: i64,
    pub event_type: NotificationKind,
    pub channel: NotificationChannel,
    pub enabled: bool,
    /// When the caller chose it. Before that, the time at which they joined.
    pub updated_at: DateTime<Utc>,
}

input! {
    /// Whether the caller wants to hear of something in one way.
    pub struct PatchedNotificationPreferenceRequest {
        pub enabled: Patch<bool>,
    }
}

input! {
    /// A set of preferences.
    pub struct NotificationPresetRequest {
        /// `signal_only`: blocked tasks and changed dates, in the list and not by mail. `everything`: everything in the
        /// list and by mail.
        pub preset: NotificationPreset,
    }
}

async fn list(
    State(app): State<App>,
    actor: Actor,
    paging: Paging,
) -> ApiResult<Page<NotificationPreference>> {
    let all = of_person(&app.db, actor.id).await?;
    let count = i64::try_from(all.len()).unwrap_or(i64::MAX);
    let (before, size) = (paging.offset_in(count)?, paging.size);
    let page = all.into_iter().filter(|row| (before..before + size).contains(&(row.id - 1)));
    Ok(paging.envelope(count, page.collect()))
}

async fn update(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<i64>,
    Body(request): Body<PatchedNotificationPreferenceRequest>,
) -> ApiResult<Json<NotificationPreference>> {
    let (kind, channel) = way(id).ok_or_else(ApiError::not_found)?;
    let mut edit = Edit::locked(&app, &actor).await?;
    if let Some(enabled) = request.enabled.given() {
        choose(&mut edit, actor.id, vec![(kind.kind, channel, enabled)]).await?;
    }
    let shown = of_person(&edit, actor.id).await?.into_iter().find(|row| row.id == id);
    edit.commit().await?;
    shown.map(Json).ok_or_else(ApiError::not_found)
}

async fn apply(
    State(app): State<App>,
    actor: Actor,
    Body(request): Body<NotificationPresetRequest>,
) -> ApiResult<Json<Vec<NotificationPreference>>> {
    let mut edit = Edit::locked(&app, &actor).await?;
    choose(&mut edit, actor.id, chosen(request.preset)).await?;
    let shown = of_person(&edit, actor.id).await?;
    edit.commit().await?;
    Ok(Json(shown))
}

/// The kind and the channel of a preference.
fn way(id: i64) -> Option<(&'static Kind, NotificationChannel)> {
    let place = usize::try_from(id.checked_sub(1)?).ok()?;
    ways().nth(place)
}

/// What a preset chooses.
fn chosen(preset: NotificationPreset) -> Vec<(NotificationKind, NotificationChannel, bool)> {
    let is_signal = |kind, channel| {
        let kinds = [NotificationKind::TaskBlocked, NotificationKind::TaskDueDateChanged];
        channel == NotificationChannel::InApp && kinds.contains(&kind)
    };
    let enabled = |kind, channel| preset == NotificationPreset::Everything || is_signal(kind, channel);
    ways().map(|(row, channel)| (row.kind, channel, enabled(row.kind, channel))).collect()
}

/// All preferences of a person, in the order of their ids.
async fn of_person(db: &dyn Read, me: UserId) -> Result<Vec<NotificationPreference>> {
    let select =
        "SELECT kind, channel, enabled, updated_at FROM notification_preferences WHERE user_id = :me";
    let rows: Vec<ChoiceRow> = db.all(sql!(select, me = me)).await?;
    let joined = joined_at(db, me).await?;
    let find = |kind, channel| rows.iter().find(|row| row.kind == kind && row.channel == channel);
    let show = |(id, (row, channel)): (i64, (&Kind, NotificationChannel))| {
        let choice = find(row.kind, channel);
        let enabled = choice.map_or_else(|| row.usually(channel), |choice| choice.enabled);
        let updated_at = choice.map_or(joined, |choice| choice.updated_at);
        NotificationPreference { id, event_type: row.kind, channel, enabled, updated_at }
    };
    Ok((1..).zip(ways()).map(show).collect())
}

/// When a person joined.
pub async fn joined_at(db: &dyn Read, me: UserId) -> Result<DateTime<Utc>> {
    let joined = db.scalar(sql!("SELECT joined_at FROM users WHERE id = :me", me = me)).await?;
    joined.ok_or(StoreError::Missing)
}

/// Writes what a person chose.
pub async fn choose(
    tx: &mut Tx,
    me: UserId,
    choices: Vec<(NotificationKind, NotificationChannel, bool)>,
) -> Result<()> {
    let insert = "INSERT INTO notification_preferences (user_id, kind, channel, enabled, updated_at)
         VALUES (:user, :kind, :channel, :enabled, :now)
         ON CONFLICT (user_id, kind, channel) DO UPDATE SET enabled = excluded.enabled, updated_at = excluded.updated_at";
    let now = tx.now();
    let rows = choices.into_iter().map(|(kind, channel, enabled)| {
        vec![
            ("user", me.to_value()),
            ("kind", kind.to_value()),
            ("channel", channel.to_value()),
            ("enabled", enabled.to_value()),
            ("now", now.to_value()),
        ]
    });
    tx.run_rows(insert, rows).await.map(drop)
}

/// What people chose, by person, kind and channel.
#[derive(Debug, Default)]
pub struct Choices(HashMap<(UserId, NotificationKind, NotificationChannel), bool>);

impl Choices {
    /// Those of some people.
    pub async fn of(db: &dyn Read, people: &[UserId]) -> Result<Self> {
        let select =
            "SELECT user_id, kind, channel, enabled FROM notification_preferences WHERE user_id IN (:people)";
        let people = planwright_store::value::list(people.iter().copied());
        let rows: Vec<(UserId, NotificationKind, NotificationChannel, bool)> =
            db.all(sql!(select, people = people)).await?;
        let by_way = |(user, kind, channel, enabled)| ((user, kind, channel), enabled);
        Ok(Self(rows.into_iter().map(by_way).collect()))
    }

    /// What a person chose for this kind and way; none if they chose nothing.
    pub fn chosen(&self, person: UserId, kind: &Kind, channel: NotificationChannel) -> Option<bool> {
        self.0.get(&(person, kind.kind, channel)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_begin_with_one_and_end_with_the_table() {
        assert_eq!(
            way(1).map(|(row, channel)| (row.kind, channel)),
            Some((NotificationKind::MentionIndividual, NotificationChannel::InApp))
        );
        assert!(way(36).is_some() && way(37).is_none() && way(0).is_none() && way(i64::MIN).is_none());
    }

    #[test]
    fn only_signals_are_left_by_the_smaller_preset() {
        let on = chosen(NotificationPreset::SignalOnly).into_iter().filter(|(_, _, enabled)| *enabled);
        let on: Vec<_> = on.map(|(kind, channel, _)| (kind, channel)).collect();
        let signals = [NotificationKind::TaskDueDateChanged, NotificationKind::TaskBlocked];
        assert_eq!(on, signals.map(|kind| (kind, NotificationChannel::InApp)));
        assert!(chosen(NotificationPreset::Everything).iter().all(|(_, _, enabled)| *enabled));
    }
}
