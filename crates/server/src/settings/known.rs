//! Every setting of the program with its default and what it is for. What a setting means is decided by the crate that reads
//! it.

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
    known("SVC_READYZ_ALLOW_NO_CACHE", "false", "be ready even while Redis does not answer"),
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
    known("SEED_IMPORT_MAX_ROWS", "100000", "maximum number of tasks in an imported document"),
    known("CSV_IMPORT_MAX_UPLOAD_MB", "10", "maximum size of an imported CSV table, in MiB"),
    known("CSV_IMPORT_MAX_ROWS", "5000", "maximum number of rows in an imported CSV table"),
    known("XLSX_IMPORT_MAX_UPLOAD_MB", "10", "maximum size of an imported workbook, in MiB"),
    known("XLSX_IMPORT_MAX_ROWS", "5000", "maximum number of rows in an imported workbook"),
    known("MSPROJECT_IMPORT_MAX_UPLOAD_MB", "50", "maximum size of a file of Microsoft Project, in MiB"),
    known("MSPROJECT_IMPORT_MAX_ROWS", "20000", "maximum number of tasks in a file of Microsoft Project"),
    known("PRIMAVERA_IMPORT_MAX_UPLOAD_MB", "50", "maximum size of a Primavera file, in MiB"),
    known("PRIMAVERA_IMPORT_MAX_ROWS", "20000", "maximum number of activities in a Primavera file"),
    known("JIRA_IMPORT_MAX_UPLOAD_MB", "25", "maximum size of an export of Jira, in MiB"),
    known("JIRA_IMPORT_MAX_ROWS", "20000", "maximum number of issues in an export of Jira"),
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
