//! `/api/v1/workspace/email-settings/`: show, write, send a test letter, look at the sender's name.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::words::MailVerdict;
use planwright_egress::Egress;
use planwright_jobs::JobError;
use planwright_jobs::mail::Mail;
use planwright_plan::edit::Edit;
use planwright_web::limits::Limit;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    Actor, ApiError, ApiResult, App, Json, OpenBody, Routes, WorkspaceScope, WrittenBody, says,
};

use super::dns::TextRecords;
use super::model::*;
use super::{queries, rules};
use crate::Administrator;
use crate::mail::Mailer;
use crate::mail::mailer::{PROBE_PATIENCE, SEALED_FOR};

const PATH: &str = "/api/v1/workspace/email-settings/";

/// Who writes mail settings: whoever reads all letters can take over every account, so only the Owner does.
type Owner = WorkspaceScope<may::OwnWorkspace>;

/// The routes of this file.
pub(super) fn table() -> Routes {
    let write = |what| says(what).session_only().dangerous().limit(Limit::EmailSettings);
    let probe = |what| says(what).limit(Limit::EmailSettingsProbe);
    Routes::new()
        .get(PATH, show, says("Get the mail settings."))
        .write(
            PATH,
            update,
            write("Write all mail settings. The mail server must answer."),
            write("Write some mail settings. The mail server must answer."),
        )
        .post(
            "/api/v1/workspace/email-settings/send-test/",
            send_test,
            probe("Send a test letter with the settings in force.").also_answers(&[502]),
        )
        .get(
            "/api/v1/workspace/email-settings/health/",
            health,
            probe("Look up whether the name of the sender is prepared for mail."),
        )
}

async fn show(State(app): State<App>, scope: Administrator) -> ApiResult<Versioned<EmailSettings>> {
    let row = queries::find(&app.db).await?;
    let version = row.as_ref().map_or(0, |row| row.server_version);
    Ok(Versioned::new(version, shown(&app, row, &scope.actor)))
}

async fn update(
    State(app): State<App>,
    owner: Owner,
    expected: Precondition,
    WrittenBody(request): WrittenBody<PatchedEmailSettingsRequest>,
) -> ApiResult<Versioned<EmailSettings>> {
    let before = queries::find(&app.db).await?;
    let base = before.unwrap_or_else(|| MailSettingsRow::fresh(app.clock.now()));
    let seen = base.server_version;
    let (wanted, password) = rules::changed(base, request)?;
    let wanted = with_password(&app, wanted, password)?;
    probe(&app, &wanted).await?;
    let mut edit = Edit::begin(&app, &owner).await?;
    let before = queries::lock(&edit).await?;
    if let Some(before) = &before {
        edit.expect(before, expected)?;
    }
    if before.as_ref().map_or(0, |row| row.server_version) != seen {
        return Err(ApiError::conflict("Somebody else has changed the settings in the meantime."));
    }
    let after = MailSettingsRow { updated_at: edit.now(), ..wanted };
    let written = save(&mut edit, before, after).await?;
    edit.commit().await?;
    Ok(Versioned::new(written.server_version, shown(&app, Some(written), &owner.actor)))
}

/// A new password is no change of a field that the history may show, so it is noted by hand.
async fn save(
    edit: &mut Edit,
    before: Option<MailSettingsRow>,
    mut after: MailSettingsRow,
) -> ApiResult<MailSettingsRow> {
    let Some(before) = before else {
        after.server_version = 1;
        edit.create(&after).await?;
        return Ok(after);
    };
    after.server_version = before.server_version;
    let mut notes = serde_json::Map::new();
    if after.password_sealed != before.password_sealed {
        notes.insert("password".to_owned(), serde_json::json!([null, null]));
    }
    Ok(edit.update_noting(&before, after, notes).await?.row)
}

fn with_password(app: &App, row: MailSettingsRow, password: Option<String>) -> ApiResult<MailSettingsRow> {
    let password_sealed = match password {
        None => row.password_sealed,
        Some(none) if none.is_empty() => None,
        Some(password) => Some(app.sealer.seal_text(SEALED_FOR, &password)?),
    };
    Ok(MailSettingsRow { password_sealed, ..row })
}

/// Asks the mail server that is wanted, so that wrong settings are not kept.
async fn probe(app: &App, row: &MailSettingsRow) -> ApiResult<()> {
    if !row.is_in_force() {
        return Ok(());
    }
    let refused = |why: String| ApiError::invalid_field("non_field_errors", why);
    let address = format!("http://{}:{}/", row.host, row.port);
    app.get::<Egress>().admit(&address).await.map_err(|why| refused(why.to_string()))?;
    let server = app.get::<Mailer>().server_of(&app.sealer, row)?;
    let asked = tokio::time::timeout(PROBE_PATIENCE, server.test_connection()).await;
    let silent = |_| refused("The mail server does not answer within 10 seconds.".to_owned());
    match asked.map_err(silent)? {
        Ok(true) => Ok(()),
        Ok(false) => Err(refused("The mail server answers but accepts no mail.".to_owned())),
        Err(error) => Err(refused(format!("The mail server cannot be reached: {error}"))),
    }
}

async fn send_test(
    State(app): State<App>,
    owner: Owner,
    OpenBody(request): OpenBody<EmailTestRequest>,
) -> ApiResult<Json<EmailTestResult>> {
    let given = request.recipient.given().map(String::from).filter(|text| !text.is_empty());
    let recipient = match given {
        Some(recipient) => recipient,
        None => queries::address_of(&app.db, owner.actor.id).await?,
    };
    if !planwright_domain::person::is_email(&recipient) {
        return Err(ApiError::invalid_field("recipient", "Enter a valid e-mail address."));
    }
    let mail = Mail {
        to: recipient.clone(),
        subject: "A test letter of planwright".to_owned(),
        body: "Hello,\n\nthis letter shows that the mail settings work.\n".to_owned(),
        sealed_link: None,
        unsubscribe_url: None,
    };
    match app.get::<Mailer>().send(&app, &mail).await {
        Ok(()) => Ok(Json(EmailTestResult { sent: true, recipient })),
        Err(JobError::Retry(error) | JobError::Fail(error)) => {
            Err(ApiError::bad_gateway(format!("The letter did not leave: {error:#}")))
        }
    }
}

async fn health(State(app): State<App>, _: Administrator) -> ApiResult<Json<EmailHealth>> {
    let row = queries::find(&app.db).await?.unwrap_or_else(|| MailSettingsRow::fresh(app.clock.now()));
    let sender = rules::sender(&row, app.get::<Mailer>().sender());
    let domain = sender.email.domain().to_owned();
    let records = app.get::<TextRecords>();
    let selector = row.dkim_selector.as_str();
    let key = format!("{selector}._domainkey.{domain}");
    let policy = format!("_dmarc.{domain}");
    if !domain.contains('.') {
        // Nobody was asked, so nothing is known to be wrong.
        let (spf, dkim, dmarc) = (MailVerdict::Warn, MailVerdict::Warn, MailVerdict::Warn);
        return Ok(Json(EmailHealth { available: false, domain, spf, dkim, dmarc }));
    }
    let (own, key, policy) = tokio::join!(
        records.of(&domain),
        async { if selector.is_empty() { Ok(Vec::new()) } else { records.of(&key).await } },
        records.of(&policy),
    );
    let available = own.is_ok() && key.is_ok() && policy.is_ok();
    let verdict = |found: anyhow::Result<Vec<String>>, rule: &dyn Fn(&[String]) -> MailVerdict| match found {
        Ok(records) => rule(&records),
        Err(_) => MailVerdict::Warn,
    };
    Ok(Json(EmailHealth {
        available,
        domain,
        spf: verdict(own, &rules::spf),
        dkim: verdict(key, &|records| rules::dkim(selector, records)),
        dmarc: verdict(policy, &rules::dmarc),
    }))
}

/// The settings in force: those that were written, over those of the environment.
fn shown(app: &App, row: Option<MailSettingsRow>, me: &Actor) -> EmailSettings {
    let mailer = app.get::<Mailer>();
    let updated_at = row.as_ref().map(|row| row.updated_at);
    let row = row.unwrap_or_else(|| MailSettingsRow::fresh(app.clock.now()));
    let sender = rules::sender(&row, mailer.sender());
    EmailSettings {
        host_configured: row.is_in_force() || mailer.has_server(),
        configured_via: if row.is_in_force() { "database" } else { "environment" },
        can_edit: me.may(planwright_domain::access::Action::OwnWorkspace, me.workspace_role),
        password_is_set: row.password_sealed.is_some(),
        from_name: sender.name.clone().unwrap_or_default(),
        from_email: sender.email.to_string(),
        frontend_base_url: mailer.frontend_url().to_owned(),
        frontend_base_url_configured: !mailer.frontend_url().is_empty(),
        transport_mode: row.transport_mode,
        host: row.host,
        port: row.port,
        security: row.security,
        username: row.username,
        reply_to: row.reply_to,
        dkim_selector: row.dkim_selector,
        max_recipients: row.max_recipients,
        throttle_per_min: row.throttle_per_min,
        updated_at,
    }
}
