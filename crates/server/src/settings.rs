//! Where settings come from: flags, then `SVC_*` variables, then `planwright.toml` in the data directory, then defaults.
//! Each setting is listed here once, with its default. The crate that reads a setting decides what it means.

use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

/// The variable that says where the data directory is.
pub const DATA_DIR_VARIABLE: &str = "SVC_DATA_DIR";

/// A setting: its name, its default and what it is for.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The variable.
    pub name: &'static str,
    /// The value without any source.
    pub default: &'static str,
    /// One line for `doctor` and the docs.
    pub about: &'static str,
    /// Whether `doctor` must not show the value.
    pub secret: bool,
}

const fn known(name: &'static str, default: &'static str, about: &'static str) -> Known {
    Known { name, default, about, secret: false }
}

const fn secret(name: &'static str, about: &'static str) -> Known {
    Known { name, default: "", about, secret: true }
}

/// Every setting of the program; rate limits (`SVC_THROTTLE_…`) are listed by the table of limits.
pub const KNOWN: &[Known] = &[
    known("SVC_LISTEN", "127.0.0.1:8080", "address and port to listen on"),
    known("SVC_DATABASE_URL", "", "postgres://… or sqlite:PATH; empty: planwright.db in the data directory"),
    known("SVC_DATABASE_CONNECTIONS", "10", "maximum number of connections to PostgreSQL"),
    known(
        "SVC_REDIS_URL",
        "",
        "redis://… that several nodes share; empty: each process counts limits alone, and nodes hear of changes through the database",
    ),
    known("SVC_FILES_URL", "", "where uploads are stored; empty: files/ in the data directory; not used yet"),
    known(
        "SVC_MAIL_URL",
        "",
        "smtp://… or smtps://…, with ?tls=required|opportunistic|none; empty: .eml files in mail/ in the data directory",
    ),
    known("SVC_MAIL_FROM", "planwright@localhost", "sender address of mail"),
    known(
        "SVC_DNS_SERVERS",
        "",
        "DNS servers for the page on the health of mail, as address:port, separated by commas; empty: those of the machine",
    ),
    known("HISTORY_RETENTION_DAYS", "", "days after which history is deleted; empty: it is kept"),
    known("TASK_RUN_RETENTION_DAYS", "", "days after which ended recalculations are deleted; empty: 30"),
    known(
        "SVC_WEBHOOK_RETENTION_DAYS",
        "",
        "days after which ended webhook deliveries are deleted; empty: 7",
    ),
    known("SVC_IMPORT_RETENTION_DAYS", "", "days after which ended imports are deleted; empty: kept"),
    known(
        "SVC_SYNC_BATCH_RETENTION_HOURS",
        "",
        "hours after which answers for idempotency keys are deleted; empty: 24",
    ),
    known(
        "SVC_PROJECT_SOFT_DELETE_RETENTION_DAYS",
        "",
        "days after which nobody can restore a deleted project; empty: 30",
    ),
    known("SVC_AUDIT_RETENTION_DAYS", "", "days after which lines of the audit are deleted; empty: 365"),
    known("SVC_NOTIFICATION_RETENTION_DAYS", "", "days after which notifications are deleted; empty: 365"),
    known("SVC_PUBLIC_URL", "", "first part of links to this server; empty: the host of the request"),
    known("SVC_FRONTEND_BASE_URL", "", "first part of links to the client; empty: SVC_PUBLIC_URL"),
    known("SVC_IDENTIFIER_PREFIX", "svc", "first part of the names of tokens, cookies and headers"),
    known(
        "SVC_NUM_PROXIES",
        "0",
        "number of trusted proxies in front, for X-Forwarded-For and X-Forwarded-Proto",
    ),
    known("SVC_CORS_ALLOWED_ORIGINS", "", "origins from which browsers may call, separated by commas"),
    known(
        "SVC_ALLOWED_HOSTS",
        "",
        "host names of this server besides localhost and the one of SVC_PUBLIC_URL, separated by commas; .example.org includes all its subdomains, * allows every name",
    ),
    known(
        "SVC_METRICS_LISTEN",
        "",
        "separate address and port for /metrics; empty: /metrics is on SVC_LISTEN, with a rate limit",
    ),
    known(
        "SVC_MAX_CHANNELS_PER_PERSON",
        "50",
        "maximum number of open sockets and event streams of one person on a node",
    ),
    known(
        "SVC_MAX_CONNECTIONS",
        "4096",
        "maximum number of open connections; also at most three quarters of the files that the process may open",
    ),
    known(
        "SVC_MAX_CONNECTIONS_PER_ADDRESS",
        "256",
        "maximum number of open connections from one address (IPv6: one /64); also at most half of all; not counted behind proxies",
    ),
    known(
        "SVC_REQUEST_HEADER_SECONDS",
        "10",
        "maximum time in seconds for the headers of a request, and for an idle connection",
    ),
    known("SVC_REQUEST_BODY_SECONDS", "60", "maximum time in seconds for the body of a request"),
    known(
        "SVC_IDEMPOTENCY_MAX_BYTES",
        "67108864",
        "maximum size in bytes of the answers that are kept for idempotency keys of one person",
    ),
    known("SVC_MAX_WEBHOOKS", "50", "maximum number of webhooks of a project or a program"),
    known("SVC_MAX_BODY_BYTES", "2097152", "maximum size in bytes of a request body, except uploads"),
    known("SVC_AUTO_MIGRATE", "true", "apply missing migrations at the start"),
    known("SVC_READYZ_ALLOW_DB_AHEAD", "false", "be ready even if the database was ahead at the start"),
    known("SVC_EDITION", "community", "name of the edition"),
    known("SVC_BUILD_SHA", "", "commit from which the binary was built"),
    known("SVC_LOG", "info", "log level, in the format of RUST_LOG"),
    known("SVC_LOG_JSON", "false", "write log lines as JSON"),
    known(
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "",
        "http://… or https://… of an OpenTelemetry collector that gets traces and metrics; empty: nothing is sent",
    ),
    known("OTEL_SERVICE_NAME", "planwright", "name of this service in traces and metrics"),
    known("SVC_WORKER", "true", "run jobs inside serve"),
    known("SVC_ADMIN_USERNAME", "admin", "name of the first user"),
    known("SVC_ADMIN_EMAIL", "", "e-mail address of the first user"),
    secret(
        "SVC_ADMIN_PASSWORD",
        "password of the first user, at least 10 characters; empty: a random one is printed once",
    ),
    known("SVC_ADMIN_PASSWORD_FILE", "", "file that contains this password"),
    secret(
        "SECRET_KEY",
        "secret from which all others are derived, at least 32 bytes; empty: created once, in the data directory",
    ),
    secret("JWT_SIGNING_KEY", "signs access tokens, at least 32 bytes; empty: derived from SECRET_KEY"),
    secret(
        "INTEGRATION_ENCRYPTION_KEY",
        "encrypts stored secrets, at least 32 bytes; empty: derived from SECRET_KEY",
    ),
    secret(
        "SVC_FORMER_ENCRYPTION_KEYS",
        "former values of INTEGRATION_ENCRYPTION_KEY, separated by commas; what they encrypted can still be read",
    ),
    known("SVC_AUTH_REFRESH_COOKIE_NAME", "", "name of the refresh cookie; empty: <prefix>_refresh"),
    known("SVC_AUTH_REFRESH_COOKIE_PATH", "/api/v1/auth/token/refresh/", "path of the refresh cookie"),
    known("SVC_AUTH_REFRESH_COOKIE_SAMESITE", "Strict", "Strict, Lax or None"),
    known("SVC_AUTH_REFRESH_COOKIE_SECURE", "True", "send the cookie over HTTPS only"),
    known("SVC_REFRESH_TOKEN_REMEMBER_DAYS", "30", "lifetime of a remembered sign-in, in days"),
    known(
        "SVC_REFRESH_TOKEN_SESSION_HOURS",
        "12",
        "lifetime of any other sign-in after its last use, in hours",
    ),
    known("SVC_SESSION_MAX_DAYS", "90", "maximum lifetime of every sign-in, in days, even if it is used"),
    known("SVC_PASSWORD_RESET_TIMEOUT", "1800", "lifetime of a password reset link, in seconds"),
    known("SVC_MAX_PERSONAL_ACCESS_TOKENS", "10", "maximum number of active personal tokens of a person"),
    known("SVC_MCP_ENABLED", "true", "accept read-only tokens of agents"),
    known(
        "SVC_INLINE_SCHEDULE_MAX_TASKS",
        "20000",
        "plans with at most this number of tasks are recalculated within the write",
    ),
    known(
        "SVC_STATUS_DATE_DEFAULT",
        "",
        "today: the data date is today if it is not set; empty: work may be planned in the past",
    ),
    known("MC_SIMULATION_CAP", "10000", "maximum number of runs of a simulation"),
    known("MC_TASK_CAP", "100000", "maximum number of tasks in a simulated project"),
    known("TIMETRACKING_BACKDATE_DAYS", "60", "number of days back for which people may log time"),
    known(
        "TIMETRACKING_TIMER_MAX_MINUTES",
        "600",
        "number of minutes after which a timer counts as forgotten",
    ),
    known("SEED_MAX_UPLOAD_MB", "5", "maximum size of an imported document, in MiB"),
    known("SVC_ATTACHMENTS_DIR", "", "directory of uploaded files; empty: attachments in the data directory"),
    known(
        "SVC_DEFAULT_FILE_STORAGE",
        "local",
        "where uploaded files are: local (a directory) or s3 (a bucket)",
    ),
    known("SVC_S3_BUCKET", "", "bucket of uploaded files"),
    known("SVC_S3_ENDPOINT", "", "address of the S3 service, http or https; empty: AWS"),
    known("SVC_S3_REGION", "us-east-1", "region of the bucket"),
    known("SVC_S3_ACCESS_KEY_ID", "", "key id for the bucket; empty: the role of this machine"),
    secret("SVC_S3_SECRET_ACCESS_KEY", "secret of this key"),
    known("SVC_S3_PREFIX", "", "folder of all files in the bucket; empty: none"),
    known("SVC_S3_VIRTUAL_HOST", "false", "the bucket is the first part of the host name"),
    known("SVC_ATTACHMENT_MAX_MB", "100", "maximum size of an uploaded file, in MiB"),
    known("SVC_ATTACHMENTS_PROJECT_QUOTA_MB", "0", "room for the files of one project, in MiB; 0: no limit"),
    known("SVC_ATTACHMENTS_QUOTA_MB", "0", "room for all files, in MiB; 0: no limit"),
    known("SVC_PUBLIC_BOARD_SHARING_ENABLED", "true", "whether there are public links"),
    known("SVC_SHARE_BOARD_MAX_CARDS", "1000", "maximum number of cards that a public board shows"),
    known("SVC_SHARE_SCHEDULE_MAX_TASKS", "1000", "maximum number of rows that a public schedule shows"),
    known("SVC_RATE_LIMIT_ENABLED", "true", "apply rate limits"),
    known(
        "SVC_RATE_LIMIT_DISABLE_ACK",
        "",
        "any value, together with SVC_RATE_LIMIT_ENABLED=false, switches rate limits off",
    ),
    known(
        "SVC_BEAT_STALE_SECONDS",
        "120",
        "a worker counts as stale after this number of seconds without a sign of life",
    ),
    known(
        "SVC_FAILED_TASK_BULK_ACTION_MAX",
        "500",
        "maximum number of failed jobs that one -all action changes",
    ),
    known(
        "SVC_EGRESS_ALLOWLISTED_HOSTS",
        "",
        "hosts (or host:port) that may be called although they are not public, separated by commas",
    ),
    known(
        "SVC_INTEGRATION_ALLOWED_HOSTS",
        "",
        "hosts that people may name as places of systems they run, separated by commas; all public ones if it is empty",
    ),
    known(
        "SVC_EXTERNAL_SYNC_ON_OPEN_STALE_SECONDS",
        "300",
        "age in seconds at which the trackers of a person are read again when they look at their items",
    ),
    known(
        "SVC_EGRESS_CA_FILE",
        "",
        "PEM file with additional certificate authorities for the receivers of webhooks",
    ),
    known(
        "SVC_LIVE_HEARTBEAT_SECONDS",
        "30",
        "interval in seconds at which sockets and event streams must show a sign of life and their access is checked again",
    ),
    known(
        "SVC_WEBHOOK_TIMEOUT_SECONDS",
        "10",
        "maximum time in seconds for the answer of a receiver of webhooks",
    ),
];

/// Old names that still work when the new one is not set.
const FALLBACKS: &[(&str, &str)] = &[
    ("SVC_AUTH_REFRESH_COOKIE_NAME", "AUTH_REFRESH_COOKIE_NAME"),
    ("SVC_AUTH_REFRESH_COOKIE_PATH", "AUTH_REFRESH_COOKIE_PATH"),
    ("SVC_AUTH_REFRESH_COOKIE_SAMESITE", "AUTH_REFRESH_COOKIE_SAMESITE"),
    ("SVC_AUTH_REFRESH_COOKIE_SECURE", "AUTH_REFRESH_COOKIE_SECURE"),
    ("SVC_DATABASE_URL", "DATABASE_URL"),
    ("SVC_REDIS_URL", "REDIS_URL"),
];

/// The settings in force, each with where it came from.
#[derive(Clone, Debug)]
pub struct Settings {
    values: BTreeMap<String, (String, String)>,
    /// Where files of this installation are.
    pub data_dir: PathBuf,
}

impl Settings {
    /// Reads every source; `flags` are values given on the command line, by setting name.
    pub fn load(
        data_dir: PathBuf,
        flags: &HashMap<&str, String>,
        environment: impl Fn(&str) -> Option<String>,
    ) -> anyhow::Result<Self> {
        let file = read_file(&data_dir.join("planwright.toml"))?;
        let mut values = BTreeMap::new();
        let limits = planwright_web::limits::Limit::ALL.iter().filter_map(|limit| limit.row().setting);
        let names: Vec<&str> = KNOWN.iter().map(|known| known.name).chain(limits).collect();
        for name in &names {
            let fallback = FALLBACKS.iter().find(|(new, _)| new == name).map(|(_, old)| *old);
            let found = flags
                .get(name)
                .map(|value| (value.clone(), "flag".to_owned()))
                .or_else(|| environment(name).map(|value| (value, "environment".to_owned())))
                .or_else(|| {
                    file.get(&key_of(name)).map(|value| (value.clone(), "planwright.toml".to_owned()))
                })
                .or_else(|| {
                    let old = fallback?;
                    environment(old).map(|value| (value, format!("environment, as {old}")))
                });
            if let Some(found) = found {
                values.insert((*name).to_owned(), found);
            }
        }
        if let Some(unknown) = file.keys().find(|key| !names.iter().any(|name| key_of(name) == **key)) {
            bail!("planwright.toml: there is no setting called {unknown}");
        }
        Ok(Self { values, data_dir })
    }

    /// The value of a setting, if any source but the default gave one.
    pub fn given(&self, name: &str) -> Option<String> {
        self.values.get(name).map(|(value, _)| value.clone()).filter(|value| !value.is_empty())
    }

    /// The value of a setting, or its default.
    pub fn text(&self, name: &str) -> String {
        let default = KNOWN.iter().find(|known| known.name == name).map_or("", |known| known.default);
        self.given(name).unwrap_or_else(|| default.to_owned())
    }

    /// The value of a setting as people may read it: an address without its password, and of a secret only that it is there.
    pub fn shown(&self, known: &Known) -> String {
        match known.secret && self.given(known.name).is_some() {
            true => "(set)".to_owned(),
            false => without_password(self.text(known.name)),
        }
    }

    /// The value of a setting as people may read it, by its name.
    pub fn shown_text(&self, name: &str) -> String {
        KNOWN.iter().find(|known| known.name == name).map_or_else(String::new, |known| self.shown(known))
    }

    /// The value of a numeric setting.
    pub fn number<T: std::str::FromStr>(&self, name: &str) -> anyhow::Result<T> {
        let text = self.text(name);
        text.trim().parse().ok().with_context(|| format!("{name}: {text:?} is not a valid number"))
    }

    /// The value of a setting that is a whole number within bounds.
    pub fn whole(&self, name: &str, bounds: RangeInclusive<u64>) -> anyhow::Result<u64> {
        let number = self.number(name).ok().filter(|number| bounds.contains(number));
        let (least, most) = (bounds.start(), bounds.end());
        number.with_context(|| {
            format!("{name}: {:?} is not a whole number from {least} to {most}", self.text(name))
        })
    }

    /// The value of a truth setting.
    pub fn truth(&self, name: &str) -> anyhow::Result<bool> {
        match self.text(name).trim().to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" | "on" => Ok(true),
            "false" | "0" | "no" | "off" => Ok(false),
            other => bail!("{name}: {other:?} is neither true nor false"),
        }
    }

    /// The parts of a setting that is a list.
    pub fn list(&self, name: &str) -> Vec<String> {
        self.text(name)
            .split(',')
            .map(|part| part.trim().to_owned())
            .filter(|part| !part.is_empty())
            .collect()
    }

    /// Where the value of a setting came from.
    pub fn source(&self, name: &str) -> &str {
        self.values.get(name).map_or("default", |(_, source)| source)
    }
}

/// Sentences about variables of an environment that look like settings and are none, each with the nearest name.
pub fn unknown_variables(names: impl Iterator<Item = String>) -> Vec<String> {
    let limits = planwright_web::limits::Limit::ALL.iter().filter_map(|limit| limit.row().setting);
    let known: Vec<&str> =
        KNOWN.iter().map(|known| known.name).chain(limits).chain([DATA_DIR_VARIABLE]).collect();
    let mut sentences: Vec<String> = names
        .filter(|name| name.starts_with("SVC_") && !known.contains(&name.as_str()))
        .map(|name| {
            let closeness = |known: &&&str| (strsim::jaro_winkler(known, &name) * 1e6) as u64;
            match known.iter().max_by_key(closeness).filter(|known| closeness(known) > 850_000) {
                Some(nearest) => format!("there is no setting called {name}; did you mean {nearest}?"),
                None => format!("there is no setting called {name}"),
            }
        })
        .collect();
    sentences.sort();
    sentences
}

/// `SVC_LISTEN` is `listen` in the file.
fn key_of(name: &str) -> String {
    name.strip_prefix("SVC_").unwrap_or(name).to_ascii_lowercase()
}

fn read_file(path: &Path) -> anyhow::Result<BTreeMap<String, String>> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(error) => return Err(error).with_context(|| format!("reading {}", path.display())),
    };
    let table: toml::Table = text.parse().map_err(|error| not_toml(path, &text, &error))?;
    Ok(table
        .into_iter()
        .map(|(key, value)| match value {
            toml::Value::String(text) => (key, text),
            other => (key, other.to_string()),
        })
        .collect())
}

/// Where a file is wrong, without the line itself: it may hold a secret.
fn not_toml(path: &Path, text: &str, error: &toml::de::Error) -> anyhow::Error {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    anyhow::anyhow!("{} is not TOML: line {line}: {}", path.display(), error.message())
}

/// The platform's place for an application's data.
pub fn default_data_dir(environment: impl Fn(&str) -> Option<String>) -> PathBuf {
    let base = environment("XDG_DATA_HOME").map(PathBuf::from).or_else(|| {
        let home = environment("HOME").map(PathBuf::from)?;
        Some(if cfg!(target_os = "macos") {
            home.join("Library/Application Support")
        } else {
            home.join(".local/share")
        })
    });
    base.unwrap_or_else(|| PathBuf::from(".")).join("planwright")
}

/// An address whose password, in front of the host or among its parameters, is replaced.
fn without_password(text: String) -> String {
    const HIDDEN: &str = "***";
    let Ok(mut url) = url::Url::parse(&text) else { return text };
    let is_secret = |name: &str| name.contains("password") || name.contains("secret");
    if url.password().is_some() && url.set_password(Some(HIDDEN)).is_err() {
        return HIDDEN.to_owned();
    }
    if url.query_pairs().any(|(name, _)| is_secret(&name)) {
        let kept: Vec<(String, String)> = url
            .query_pairs()
            .map(|(name, value)| match is_secret(&name) {
                true => (name.into_owned(), HIDDEN.to_owned()),
                false => (name.into_owned(), value.into_owned()),
            })
            .collect();
        url.query_pairs_mut().clear().extend_pairs(kept);
    }
    // What has no password is shown letter by letter as it was given.
    if url.as_str().contains(HIDDEN) { url.into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_beats_the_environment_which_beats_the_file_which_beats_an_old_name() {
        let dir = std::env::temp_dir().join("planwright-settings-test");
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join("planwright.toml"), "listen = \"file:1\"\nnum_proxies = 2\n").unwrap();
        let environment = |name: &str| match name {
            "SVC_MAX_BODY_BYTES" => Some("9".to_owned()),
            "AUTH_REFRESH_COOKIE_NAME" => Some("old".to_owned()),
            _ => None,
        };
        let flags = HashMap::from([("SVC_LISTEN", "flag:1".to_owned())]);
        let settings = Settings::load(dir, &flags, environment).unwrap();
        assert_eq!(settings.text("SVC_LISTEN"), "flag:1");
        assert_eq!(settings.number::<usize>("SVC_MAX_BODY_BYTES").unwrap(), 9);
        assert_eq!(settings.source("SVC_NUM_PROXIES"), "planwright.toml");
        assert_eq!(settings.text("SVC_AUTH_REFRESH_COOKIE_NAME"), "old");
        assert_eq!(settings.source("SVC_EDITION"), "default");
        assert!(settings.number::<u8>("SVC_EDITION").unwrap_err().to_string().contains("SVC_EDITION"));
    }

    #[test]
    fn a_variable_that_is_no_setting_is_named_with_the_nearest_one() {
        let names =
            ["SVC_LISTEN", "SVC_DATA_DIR", "SVC_THROTTLE_USER_RATE", "PATH", "SVC_DATABSE_URL", "SVC_QQ"];
        let said = unknown_variables(names.iter().map(|name| (*name).to_owned()));
        assert_eq!(
            said,
            [
                "there is no setting called SVC_DATABSE_URL; did you mean SVC_DATABASE_URL?",
                "there is no setting called SVC_QQ",
            ]
        );
    }

    #[test]
    fn a_file_that_is_wrong_is_named_with_the_line_and_without_what_stands_there() {
        let text = "listen = \"x:1\"\nsecret_key = \"hush-hush\n";
        let error = text.parse::<toml::Table>().unwrap_err();
        let said = not_toml(Path::new("planwright.toml"), text, &error).to_string();
        assert!(said.contains("planwright.toml is not TOML: line 2:") && !said.contains("hush"), "{said}");
    }

    #[test]
    fn a_password_in_an_address_is_not_shown() {
        let shown = |text: &str| without_password(text.to_owned());
        assert_eq!(shown("postgres://ann:pass@db:5432/plans"), "postgres://ann:***@db:5432/plans");
        assert_eq!(
            shown("postgres://db/plans?user=ann&password=x"),
            "postgres://db/plans?user=ann&password=***"
        );
        assert_eq!(shown("redis://:pass@cache/0"), "redis://:***@cache/0");
        assert_eq!(
            shown("postgres://ann@db/plans?sslmode=disable"),
            "postgres://ann@db/plans?sslmode=disable"
        );
        assert_eq!(shown("127.0.0.1:8400"), "127.0.0.1:8400");
    }
}
