//! Delivering the mail that any area has enqueued: one attempt of the job is one attempt to hand it over.
//! What a mail says is written by whoever enqueues it.

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
    app.get::<Mailer>().send(&mail, app.clock.now(), app.clock.mint()).await
}
