//! `/api/v1/me/notification-settings/`: whether the caller wants to be disturbed, and when they want digests.
//! Whether they want to be disturbed is a field of their profile, which shows it as well.

use axum::extract::State;
use chrono::{DateTime, Utc};
use planwright_domain::ids::UserId;
use planwright_plan::edit::Edit;
use planwright_store::record::{Numbered, OnDelete};
use planwright_store::{Read, Record, Result, Tx, record, row, sql, tracked};
use planwright_web::input::{Int, TimeZone};
use planwright_web::{Actor, ApiResult, App, Body, Json, Patch, Routes, input, says};
use schemars::JsonSchema;
use serde::Serialize;

use crate::preferences::joined_at;

const SETTINGS: &str = "/api/v1/me/notification-settings/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(SETTINGS, show, says("Whether you want to be disturbed, and when you want digests."))
        .patch(SETTINGS, update, says("Change some of these settings."))
}

record! {
    /// Whether a person wants to be disturbed, as their profile has it.
    pub struct DisturbedRow in users {
        #[serde(skip)]
        pub id: UserId,
        pub dnd_enabled: bool,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! {
    DisturbedRow as "user" {
        const ON_DELETE: OnDelete = OnDelete::Remove;
        const NUMBERED: Numbered = Numbered::Nowhere;
    }
}

row! {
    #[derive(PartialEq)]
    struct DigestRow { digest_weekday: i64, digest_hour: i64, digest_timezone: String, updated_at: DateTime<Utc> }
}

/// How the caller is told in general.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct UserNotificationSettings {
    /// Whether the caller does not want to be disturbed. They get no mail then, except for signals.
    pub dnd_enabled: bool,
    /// The day of weekly digests, from 0 for Monday.
    pub digest_weekday: i64,
    /// The hour of digests.
    pub digest_hour: i64,
    /// The time zone of that hour.
    pub digest_timezone: String,
    /// When the digests were changed. Before that, the time at which the caller joined.
    pub updated_at: DateTime<Utc>,
}

input! {
    /// Some fields of the settings.
    pub struct PatchedUserNotificationSettingsRequest {
        /// Whether the caller does not want to be disturbed.
        pub dnd_enabled: Patch<bool>,
        /// The day of weekly digests, from 0 for Monday.
        pub digest_weekday: Patch<Int<0, 6>>,
        /// The hour of digests.
        pub digest_hour: Patch<Int<0, 23>>,
        /// The time zone of that hour.
        pub digest_timezone: Patch<TimeZone>,
    }
}

async fn show(State(app): State<App>, actor: Actor) -> ApiResult<Json<UserNotificationSettings>> {
    let disturbed = disturbed(&app.db, actor.id).await?;
    Ok(Json(shown(&disturbed, digests(&app.db, actor.id).await?)))
}

async fn update(
    State(app): State<App>,
    actor: Actor,
    Body(request): Body<PatchedUserNotificationSettingsRequest>,
) -> ApiResult<Json<UserNotificationSettings>> {
    let mut edit = Edit::locked(&app, &actor).await?;
    let before = disturbed(&edit, actor.id).await?;
    let dnd_enabled = request.dnd_enabled.as_given().copied().unwrap_or(before.dnd_enabled);
    let disturbed = edit.update(&before, DisturbedRow { dnd_enabled, ..before.clone() }).await?.row;
    let known = digests(&edit, actor.id).await?;
    let digests = changed(known.clone(), request, edit.now());
    if digests != known {
        keep(&mut edit, actor.id, &digests).await?;
    }
    edit.commit().await?;
    Ok(Json(shown(&disturbed, digests)))
}

fn shown(disturbed: &DisturbedRow, digests: DigestRow) -> UserNotificationSettings {
    UserNotificationSettings {
        dnd_enabled: disturbed.dnd_enabled,
        digest_weekday: digests.digest_weekday,
        digest_hour: digests.digest_hour,
        digest_timezone: digests.digest_timezone,
        updated_at: digests.updated_at,
    }
}

fn changed(
    mut row: DigestRow,
    request: PatchedUserNotificationSettingsRequest,
    now: DateTime<Utc>,
) -> DigestRow {
    let before = row.clone();
    request.digest_weekday.write_to(&mut row.digest_weekday);
    request.digest_hour.write_to(&mut row.digest_hour);
    request.digest_timezone.write_to(&mut row.digest_timezone);
    if row != before {
        row.updated_at = now;
    }
    row
}

async fn disturbed(db: &dyn Read, me: UserId) -> Result<DisturbedRow> {
    let select = format!("SELECT {} FROM users u WHERE u.id = :me", DisturbedRow::select_list("u"));
    db.one(sql!(select, me = me)).await
}

async fn digests(db: &dyn Read, me: UserId) -> Result<DigestRow> {
    let select = "SELECT digest_weekday, digest_hour, digest_timezone, updated_at FROM notification_settings
         WHERE user_id = :me";
    match db.maybe(sql!(select, me = me)).await? {
        Some(row) => Ok(row),
        None => Ok(DigestRow {
            digest_weekday: 0,
            digest_hour: 8,
            digest_timezone: "UTC".to_owned(),
            updated_at: joined_at(db, me).await?,
        }),
    }
}

async fn keep(tx: &mut Tx, me: UserId, row: &DigestRow) -> Result<()> {
    let insert =
        "INSERT INTO notification_settings (user_id, digest_weekday, digest_hour, digest_timezone, updated_at)
         VALUES (:me, :weekday, :hour, :timezone, :now)
         ON CONFLICT (user_id) DO UPDATE SET digest_weekday = excluded.digest_weekday, digest_hour = excluded.digest_hour,
            digest_timezone = excluded.digest_timezone, updated_at = excluded.updated_at";
    let values = sql!(
        insert,
        me = me,
        weekday = row.digest_weekday,
        hour = row.digest_hour,
        timezone = &*row.digest_timezone,
        now = row.updated_at
    );
    tx.run(values).await.map(drop)
}
