//! Delivering the mail that any area has enqueued: one attempt of the job is one attempt to hand it over.
//! What a mail says is written by whoever enqueues it.

pub mod administration;
mod letter;
pub mod mailer;
pub mod settings;

use planwright_jobs::JobError;
use planwright_jobs::mail::Mail;
use planwright_web::App;

pub use mailer::Mailer;
pub use settings::MailSettings;

/// Hands one mail over.
pub async fn deliver(app: App, mail: Mail) -> Result<(), JobError> {
    let mail = mail.opened(&app.sealer)?;
    app.get::<Mailer>().send(&app, &mail).await
}
