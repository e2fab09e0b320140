//! Mail settings on the wire and in storage. The password is stored sealed and never answered.

use chrono::{DateTime, Utc};
use planwright_domain::words::{MailSecurity, MailTransport, MailVerdict};
use planwright_store::record::OnDelete;
use planwright_store::{ToValue, Tracked, Value, record};
use planwright_web::body;
use planwright_web::input::{Int, Name, Patch, Secret};
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

/// The settings in the history, which knows rows by id.
const SETTINGS: Uuid = Uuid::from_u128(2);

record! {
    /// Mail settings as they are stored.
    pub struct MailSettingsRow in mail_settings {
        #[serde(skip)]
        pub id: i64,
        pub transport_mode: MailTransport,
        pub host: String,
        pub port: i64,
        pub security: MailSecurity,
        pub username: String,
        #[serde(skip)]
        pub password_sealed: Option<String>,
        pub from_name: String,
        pub from_email: String,
        pub reply_to: String,
        pub dkim_selector: String,
        pub max_recipients: i64,
        pub throttle_per_min: i64,
        #[serde(skip)]
        pub updated_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

// There is one row; nobody deletes it.
impl Tracked for MailSettingsRow {
    const ENTITY: &'static str = "mail_settings";

    const ON_DELETE: OnDelete = OnDelete::Remove;

    fn id(&self) -> Uuid {
        SETTINGS
    }

    fn key(&self) -> Value {
        self.id.to_value()
    }

    fn version(&self) -> i64 {
        self.server_version
    }

    fn set_version(&mut self, version: i64) {
        self.server_version = version;
    }
}

impl MailSettingsRow {
    /// What holds before anybody writes: mail leaves as the environment says.
    pub fn fresh(now: DateTime<Utc>) -> Self {
        Self {
            id: 1,
            transport_mode: MailTransport::Cloud,
            host: String::new(),
            port: 587,
            security: MailSecurity::Tls,
            username: String::new(),
            password_sealed: None,
            from_name: String::new(),
            from_email: String::new(),
            reply_to: String::new(),
            dkim_selector: String::new(),
            max_recipients: 50,
            throttle_per_min: 0,
            updated_at: now,
            server_version: 0,
        }
    }

    /// Whether mail leaves as these settings say, and not as the environment says.
    pub fn is_in_force(&self) -> bool {
        self.transport_mode != MailTransport::Cloud
    }
}

body! {
    /// Mail settings. Fields that are left out have their default.
    pub struct EmailSettingsRequest;
    /// Some mail settings.
    pub struct PatchedEmailSettingsRequest;
    optional {
        /// How mail leaves: `cloud` as the operator of the server set it up, `smtp` to a server of yours, or by the SMTP server of a service.
        transport_mode: MailTransport,
        /// The name of the SMTP server. SendGrid needs none; that of SES ends in `amazonaws.com`.
        host: Name<0, 255>,
        port: Int<1, 65535>,
        /// `tls` asks for encryption after the connection (STARTTLS), `ssl` begins with it.
        security: MailSecurity,
        username: Name<0, 255>,
        /// The password. An empty text removes it; without the field it stays.
        password: Secret<0, 1024>,
        /// The name of the sender.
        from_name: Name<0, 255>,
        /// The address of the sender. Empty means that of the environment.
        from_email: Name<0, 254>,
        /// The address that answers go to.
        reply_to: Name<0, 254>,
        /// The selector of the DKIM key, for the health page.
        dkim_selector: Name<0, 63>,
        /// How many recipients a letter may have. It is kept and has no effect, since every letter has one.
        max_recipients: Int<1, 1000>,
        /// How many letters leave in a minute on each node. 0 means no bound.
        throttle_per_min: Int<0, 100_000>,
    }
}

/// Mail settings as they are shown.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EmailSettings {
    pub transport_mode: MailTransport,
    /// The name of the SMTP server.
    pub host: String,
    pub port: i64,
    pub security: MailSecurity,
    pub username: String,
    /// Whether there is a password.
    pub password_is_set: bool,
    pub from_name: String,
    /// The address of the sender.
    pub from_email: String,
    pub reply_to: String,
    pub dkim_selector: String,
    pub max_recipients: i64,
    pub throttle_per_min: i64,
    /// When somebody wrote them last.
    pub updated_at: Option<DateTime<Utc>>,
    /// Whether the caller may write them.
    pub can_edit: bool,
    /// `database` if the settings that were written here hold, otherwise `environment`.
    pub configured_via: &'static str,
    /// Whether mail goes to a server, and not into files.
    pub host_configured: bool,
    /// What links in letters begin with.
    pub frontend_base_url: String,
    /// Whether the operator has set it.
    pub frontend_base_url_configured: bool,
}

/// What a test letter did.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EmailTestResult {
    /// Always true; a letter that does not leave is an error.
    pub sent: bool,
    /// Where it went.
    pub recipient: String,
}

/// How well the name of the sender is prepared for mail.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EmailHealth {
    /// Whether the records could be looked up.
    pub available: bool,
    /// The name behind the @ of the sender.
    pub domain: String,
    /// Whether the name says who may send for it.
    pub spf: MailVerdict,
    /// Whether the key of the selector is there.
    pub dkim: MailVerdict,
    /// Whether the name says what happens to forged letters.
    pub dmarc: MailVerdict,
}

planwright_web::input! {
    /// Where a test letter goes.
    pub struct EmailTestRequest {
        /// The address. Yours by default.
        pub recipient: Patch<Name<0, 254>>,
    }
}
