//! The table of rate limits (contract 2, Limits), one row for each. `limiter.rs` counts. The routes say which rows
//! apply to them.

use std::collections::HashMap;

/// What a limit counts by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Per {
    /// The client's address.
    Address,
    /// The signed-in account, or the address if there is none.
    Account,
    /// The token that was presented.
    Token,
    /// The user name submitted in the body.
    SubmittedName,
    /// The e-mail address submitted in the body.
    SubmittedEmail,
    /// The project of the URL.
    Project,
    /// The project of the URL and the account together.
    ProjectAndAccount,
}

/// What happens when the counter cannot be reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnOutage {
    /// The request is accepted.
    Open,
    /// The request is refused with 429.
    Closed,
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The name in headers, metrics and the document.
    pub name: &'static str,
    /// The maximum number of accepted requests…
    pub most: u32,
    /// …in every window of this number of seconds.
    pub window_seconds: u32,
    /// What it counts by.
    pub per: Per,
    /// What happens when the counter cannot be reached.
    pub on_outage: OnOutage,
    /// The setting that changes the rate.
    pub setting: Option<&'static str>,
    /// Whether the general limit counts too.
    pub stacks_on_default: bool,
}

impl Row {
    /// The row in the header `RateLimit-Policy`.
    pub fn policy(&self) -> String {
        format!("\"{}\";q={};w={}", self.name, self.most, self.window_seconds)
    }
}

macro_rules! limits {
    ($($variant:ident $name:literal $most:literal / $window:literal $per:ident $outage:ident $stacks:literal $setting:expr;)*) => {
        /// A rate limit that a route can declare.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[allow(missing_docs)]
        pub enum Limit { $($variant),* }

        impl Limit {
            /// Every row of the table.
            pub const ALL: &'static [Limit] = &[$(Limit::$variant),*];

            /// The row as it is without settings.
            pub const fn row(self) -> Row {
                match self { $(Limit::$variant => Row {
                    name: $name,
                    most: $most,
                    window_seconds: $window,
                    per: Per::$per,
                    on_outage: OnOutage::$outage,
                    setting: $setting,
                    stacks_on_default: $stacks,
                }),* }
            }
        }
    };
}

limits! {
    Anon "anon" 60/60 Address Open false Some("SVC_THROTTLE_ANON_RATE");
    User "user" 1000/60 Account Open false Some("SVC_THROTTLE_USER_RATE");
    Login "login" 10/60 Address Open false None;
    LoginAccount "login_account" 5/60 SubmittedName Open false Some("SVC_THROTTLE_LOGIN_ACCOUNT_RATE");
    SecondFactor "second_factor" 10/60 Address Open false None;
    SecondFactorAccount "second_factor_account" 20/3600 Account Closed false None;
    PasskeyOptions "passkey_options" 30/60 Address Open false None;
    PasswordReset "password_reset" 5/60 Address Open false None;
    PasswordResetAccount "password_reset_account" 5/3600 SubmittedEmail Open false None;
    Refresh "refresh" 60/60 Address Open false None;
    UserSearch "user_search" 60/60 Account Open false None;
    OmniSearch "omni_search" 60/60 Account Open false Some("SVC_THROTTLE_OMNI_SEARCH_RATE");
    WsTicket "ws_ticket" 120/60 Account Open false None;
    InviteResend "invite_resend" 5/60 Account Open false None;
    EmailSettings "email_settings" 12/60 Account Open false None;
    EmailSettingsProbe "email_settings_probe" 6/60 Account Open false None;
    OidcDiscover "oidc_discover" 30/60 Address Open false None;
    OidcLogin "oidc_login" 20/60 Address Open false None;
    OidcCallback "oidc_callback" 30/60 Address Open false None;
    SsoTestConnection "sso_test_connection" 20/60 Account Open false None;
    CredentialRotate "credential_rotate" 10/60 Account Open false None;
    ExternalSync "external_sync" 20/60 Account Open false None;
    MonteCarlo "monte_carlo" 10/60 Account Open false None;
    MonteCarloWhatif "monte_carlo_whatif" 6/60 Account Open false None;
    SampleLoad "sample_load" 6/60 Account Open false Some("SVC_THROTTLE_SAMPLE_LOAD_RATE");
    SeedImport "seed_import" 6/60 Account Open false Some("SVC_THROTTLE_SEED_IMPORT_RATE");
    SeedValidate "seed_validate" 20/60 Account Open false Some("SVC_THROTTLE_SEED_VALIDATE_RATE");
    SampleDownload "sample_download" 60/60 Account Open false Some("SVC_THROTTLE_SAMPLE_DOWNLOAD_RATE");
    McpRead "mcp_read" 120/60 Token Open false Some("SVC_THROTTLE_MCP_READ_RATE");
    McpReadCompute "mcp_read_compute" 12/60 Token Open false Some("SVC_THROTTLE_MCP_READ_COMPUTE_RATE");
    ShareMint "share_mint" 20/60 Account Open false Some("SVC_THROTTLE_SHARE_MINT_RATE");
    ShareAccess "share_access" 60/60 Address Open false Some("SVC_THROTTLE_SHARE_ACCESS_RATE");
    CalendarFeed "calendar_feed" 120/60 Address Open false Some("SVC_THROTTLE_CALENDAR_FEED_RATE");
    TelemetryTest "telemetry_test" 6/60 Account Open false None;
    ResourcesList "resources_list" 60/60 Account Open false None;
    InvitesAccept "invites_accept" 20/60 Address Open false None;
    TaskSync "task_sync" 100/60 Project Open false Some("SVC_TASK_SYNC_STEADY_STATE_LIMIT");
    TaskSyncBackfill "task_sync_backfill" 1000/60 Project Open false Some("SVC_TASK_SYNC_BACKFILL_LIMIT");
    AcceptanceResult "acceptance_result" 100/60 Token Open false Some("SVC_TASK_SYNC_STEADY_STATE_LIMIT");
    AcceptanceResultBackfill "acceptance_result_backfill" 1000/60 Token Open false Some("SVC_TASK_SYNC_BACKFILL_LIMIT");
    TokenIssuance "token_issuance" 5/60 Account Open true Some("SVC_TOKEN_ISSUANCE_PER_MINUTE");
    TokenRevocation "token_revocation" 30/60 Account Open true Some("SVC_TOKEN_REVOCATION_PER_MINUTE");
    TaskAttachmentUpload "task_attachment_upload" 60/60 Account Open true None;
    SyncUploadProject "sync_upload_project" 60/60 ProjectAndAccount Closed false None;
    SyncUpload "sync_upload" 120/60 Account Closed false None;
    GitWebhook "git_webhook" 120/60 Project Open false None;
    GitWebhookAddress "git_webhook_address" 600/60 Address Open false None;
    TaskLinkRefresh "task_link_refresh" 30/60 Account Open true None;
    Unmatched "unmatched" 300/60 Address Open false None;
    Metrics "metrics" 60/60 Address Open false None;
    Channel "channel" 600/60 Address Open false None;
    MentionHour "mention_hour" 100/3600 Account Open true None;
    MentionDay "mention_day" 1000/86400 Account Open true None;
}

impl Limit {
    /// The limit that holds for a new token instead of this one: whoever begins to push has much to bring.
    pub fn of_new_token(self) -> Self {
        match self {
            Limit::TaskSync => Limit::TaskSyncBackfill,
            Limit::AcceptanceResult => Limit::AcceptanceResultBackfill,
            limit => limit,
        }
    }
}

/// The table with the settings of this installation applied.
#[derive(Clone, Debug, Default)]
pub struct Rates {
    changed: HashMap<&'static str, u32>,
    /// Whether all limits are off.
    pub off: bool,
}

impl Rates {
    /// Reads `SVC_THROTTLE_…` settings: `60/min`, or a bare number for the per-minute ones.
    pub fn from_settings(setting: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let mut changed = HashMap::new();
        for limit in Limit::ALL {
            let row = limit.row();
            let Some((name, text)) = row.setting.and_then(|name| setting(name).map(|text| (name, text)))
            else {
                continue;
            };
            let number = text.strip_suffix("/min").or_else(|| text.strip_suffix("/minute")).unwrap_or(&text);
            let most = number.trim().parse::<u32>().ok().filter(|most| *most > 0);
            let wrong = || format!("{name}: {text:?} is not a rate; write it like 60/min");
            changed.insert(row.name, most.ok_or_else(wrong)?);
        }
        Ok(Self { changed, off: false })
    }

    /// The effective row.
    pub fn row(&self, limit: Limit) -> Row {
        let row = limit.row();
        Row { most: self.changed.get(row.name).copied().unwrap_or(row.most), ..row }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_changes_its_row_and_a_wrong_one_is_refused_by_name() {
        let rates =
            Rates::from_settings(|name| (name == "SVC_THROTTLE_ANON_RATE").then(|| "5/min".into())).unwrap();
        assert_eq!(rates.row(Limit::Anon).most, 5);
        assert_eq!(rates.row(Limit::User).most, 1000);
        let wrong = Rates::from_settings(|name| (name == "SVC_THROTTLE_USER_RATE").then(|| "many".into()));
        assert!(wrong.unwrap_err().contains("SVC_THROTTLE_USER_RATE"));
    }
}
