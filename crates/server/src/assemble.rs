//! Puts the program together from its settings: database, limits, every route, every job.
//! It is the one list of what the program consists of.

use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use planwright_accounts::AccountSettings;
use planwright_analysis::program_schedule::ProgramPlans;
use planwright_attachments::LooksWithCredentials;
use planwright_domain::Clock;
use planwright_domain::ids::ProgramId;
use planwright_exchange::{ExchangeSettings, ShowProgram, Stops};
use planwright_file_storage::{FileStorage, StorageSettings};
use planwright_jobs::errands::Errands;
use planwright_jobs::{Registry, Worker, offboarding, revoked};
use planwright_outbound::live::{self, Hub};
use planwright_plan::PlanSettings;
use planwright_plan::schedule::PlanCache;
use planwright_plan::tasks::TaskCounts;
use planwright_store::database::Location;
use planwright_store::migrate::{self, MigrationState};
use planwright_store::seal::Sealer;
use planwright_store::{Db, sql, transfer};
use planwright_time_tracking::TimeSettings;
use planwright_web::app::{EdgeSettings, Extensions, Parts};
use planwright_web::limiter::{Limiter, RedisLimiter};
use planwright_web::limits::Rates;
use planwright_web::session_tokens::SessionTokens;
use planwright_web::{Actor, ApiResult, App, Routes};

use crate::backup::restore;
use crate::in_use::InUse;
use crate::listener::Bounds;
use crate::otlp::Collector;
use crate::probes::Boot;
use crate::secrets::Secrets;
use crate::{
    Settings, application, invite_page, pages, private, probes, reactions, reset_page, share_page,
    telemetry_test,
};

/// The program, ready to run.
pub struct Server {
    /// What handlers see.
    pub app: App,
    /// What answers requests.
    pub router: Router,
    /// What runs jobs.
    pub worker: Worker<App>,
    /// What connections may cost.
    pub bounds: Bounds,
}

/// Every route of the program, as it is without settings.
pub fn routes() -> Routes {
    routes_with(&ExchangeSettings::default())
}

/// The OpenAPI document of all of them, made from the types of their handlers.
#[cfg(feature = "document")]
pub fn document(version: &str) -> serde_json::Value {
    planwright_web::document::build(routes().rows(), version)
}

/// Every route of the program; how large an upload may be is a setting.
fn routes_with(exchange: &ExchangeSettings) -> Routes {
    Routes::new()
        .and(pages::routes())
        .and(application::routes())
        .and(reset_page::routes())
        .and(invite_page::routes())
        .and(share_page::routes())
        .and(probes::routes())
        .and(telemetry_test::routes())
        .and(planwright_accounts::routes())
        .and(planwright_plan::routes())
        .and(planwright_editing::routes())
        .and(planwright_analysis::routes())
        .and(planwright_projects::routes())
        .and(planwright_backlogs::routes())
        .and(planwright_ceremonies::routes())
        .and(planwright_boards::routes())
        .and(planwright_governance::routes())
        .and(planwright_attachments::routes())
        .and(planwright_discussions::routes())
        .and(planwright_notifications::routes())
        .and(planwright_people::routes())
        .and(planwright_sprints::routes())
        .and(planwright_time_tracking::routes())
        .and(planwright_workspace::routes())
        .and(planwright_outbound::routes())
        .and(planwright_sharing::routes())
        .and(planwright_sync::routes())
        .and(planwright_agents::routes())
        .and(planwright_integrations::routes())
        .and(planwright_exchange::routes::<ProgramPage>(exchange))
}

/// How programs are shown, for areas that create one and do not know it.
struct ProgramPage;

impl ShowProgram for ProgramPage {
    type Program = planwright_projects::programs::model::Program;

    async fn show(app: &App, actor: &Actor, program: ProgramId) -> ApiResult<Self::Program> {
        planwright_projects::programs::present::one(&app.db, actor, program).await
    }
}

/// Every kind of job of the program.
pub fn jobs() -> Registry<App> {
    let forget =
        async |app: App| planwright_web::idempotency::sweep(&app).await.map(drop).map_err(Into::into);
    Registry::default()
        .every("forget_idempotency_keys", chrono::Duration::hours(1), forget)
        .and(planwright_accounts::jobs())
        .and(planwright_plan::jobs(reactions::after_run_by_hand))
        .and(planwright_editing::jobs())
        .and(planwright_analysis::jobs())
        .and(planwright_workspace::jobs())
        .and(planwright_notifications::jobs())
        .and(planwright_outbound::jobs())
        .on(offboarding::OFFBOARD_PERSON, reactions::offboard)
        .on(revoked::CREDENTIALS_REVOKED, reactions::look_again)
        .and(planwright_exchange::jobs())
        .and(planwright_attachments::jobs())
        .and(planwright_integrations::jobs())
        .and(planwright_governance::jobs())
}

/// The storage of files where the settings say.
pub(crate) fn file_storage(settings: &Settings) -> anyhow::Result<FileStorage> {
    let place = StorageSettings::from_settings(|name| settings.text(name), &settings.data_dir)?;
    FileStorage::from_settings(place)
}

/// Where the settings say the database is.
pub fn location(settings: &Settings) -> anyhow::Result<Location> {
    location_at(settings, &settings.text("SVC_DATABASE_URL"))
}

/// Where an address says a database is.
pub fn location_at(settings: &Settings, url: &str) -> anyhow::Result<Location> {
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        let url = url.to_owned();
        return Ok(Location::Server { url, connections: settings.number("SVC_DATABASE_CONNECTIONS")? });
    }
    let path = match url.strip_prefix("sqlite:") {
        _ if url.is_empty() => settings.data_dir.join("planwright.db"),
        Some(path) => path.trim_start_matches("//").into(),
        None => anyhow::bail!("SVC_DATABASE_URL: an address begins with sqlite: or postgres://"),
    };
    Ok(Location::File(path))
}

/// Opens the database that the settings name, and makes it if it is missing. What is made for it only its owner may read:
/// it holds password hashes.
pub fn open_database(settings: &Settings, clock: Clock) -> anyhow::Result<Db> {
    let directory = &settings.data_dir;
    private::directory(directory)
        .with_context(|| format!("creating the data directory {}", directory.display()))?;
    let location = location(settings)?;
    if let Location::File(path) = &location {
        finish_restore(settings, path)?;
        private_database(path).with_context(|| format!("creating the database {}", path.display()))?;
    }
    open(&location, clock)
}

/// Opens the database that the settings name; one that is not there is an error, and nothing is made.
pub fn open_existing(settings: &Settings, clock: Clock) -> anyhow::Result<Db> {
    let location = location(settings)?;
    if let Location::File(path) = &location {
        if !std::fs::metadata(path).is_ok_and(|file| file.len() > 0) {
            anyhow::bail!("there is no database at {}; set --data-dir or SVC_DATABASE_URL", path.display());
        }
        finish_restore(settings, path)?;
    }
    open(&location, clock)
}

fn open(location: &Location, clock: Clock) -> anyhow::Result<Db> {
    let Location::File(path) = location else {
        return Db::open(location, clock).context("opening the database");
    };
    let lock = InUse::together(path)?;
    let db = Db::open(location, clock).with_context(|| format!("opening the database {}", path.display()))?;
    Ok(db.with(lock))
}

/// A restore that was interrupted after its database had taken over is brought to its end.
fn finish_restore(settings: &Settings, database: &Path) -> anyhow::Result<()> {
    if !restore::is_unfinished(&settings.data_dir, database) {
        return Ok(());
    }
    let _alone = InUse::alone(database)?;
    restore::finish_interrupted(settings, database)
}

/// Makes an empty file where there is no database, and closes what is there to others.
fn private_database(path: &Path) -> std::io::Result<()> {
    private::write_missing(path, "")?;
    for suffix in ["", "-wal", "-shm"] {
        let mut file = path.as_os_str().to_owned();
        file.push(suffix);
        private::tighten(Path::new(&file))?;
    }
    Ok(())
}

fn edge_settings(settings: &Settings) -> anyhow::Result<EdgeSettings> {
    let prefix = settings.text("SVC_IDENTIFIER_PREFIX");
    if prefix.is_empty() || !prefix.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
        anyhow::bail!("SVC_IDENTIFIER_PREFIX: lower-case letters and digits only, not {prefix:?}");
    }
    Ok(EdgeSettings {
        prefix,
        public_url: settings.text("SVC_PUBLIC_URL"),
        proxies: settings.number("SVC_NUM_PROXIES")?,
        cors_origins: settings.list("SVC_CORS_ALLOWED_ORIGINS"),
        allowed_hosts: settings.list("SVC_ALLOWED_HOSTS"),
        max_body_bytes: settings.number("SVC_MAX_BODY_BYTES")?,
        body_deadline: Duration::from_secs(settings.whole("SVC_REQUEST_BODY_SECONDS", 1..=3600)?),
        most_replay_bytes: settings.whole("SVC_IDEMPOTENCY_MAX_BYTES", 0..=1 << 40)? as i64,
        mcp_enabled: settings.truth("SVC_MCP_ENABLED")?,
        build_sha: settings.text("SVC_BUILD_SHA"),
        edition: settings.text("SVC_EDITION"),
        ..EdgeSettings::default()
    })
}

/// The settings of the plan, which go beside the database.
pub fn plan_settings(settings: &Settings) -> anyhow::Result<PlanSettings> {
    let status_date = settings.text("SVC_STATUS_DATE_DEFAULT");
    if !matches!(status_date.as_str(), "" | "today") {
        anyhow::bail!("SVC_STATUS_DATE_DEFAULT: it is today or nothing, not {status_date:?}");
    }
    Ok(PlanSettings {
        inline_tasks: settings.number("SVC_INLINE_SCHEDULE_MAX_TASKS")?,
        status_date_is_today: status_date == "today",
        most_runs: settings.number("MC_SIMULATION_CAP")?,
        most_simulated_tasks: settings.number("MC_TASK_CAP")?,
    })
}

/// The settings of time tracking.
fn time_settings(settings: &Settings) -> anyhow::Result<TimeSettings> {
    Ok(TimeSettings {
        backdate_days: settings.whole("TIMETRACKING_BACKDATE_DAYS", 0..=36_500)? as i64,
        timer_minutes: settings.whole("TIMETRACKING_TIMER_MAX_MINUTES", 1..=525_600)? as i64,
    })
}

fn rates(settings: &Settings) -> anyhow::Result<Rates> {
    let mut rates = Rates::from_settings(|name| settings.given(name)).map_err(anyhow::Error::msg)?;
    let enabled = settings.truth("SVC_RATE_LIMIT_ENABLED")?;
    let acknowledged = settings.given("SVC_RATE_LIMIT_DISABLE_ACK").is_some();
    if !enabled && !acknowledged {
        anyhow::bail!("SVC_RATE_LIMIT_ENABLED=false also needs SVC_RATE_LIMIT_DISABLE_ACK");
    }
    if !enabled {
        tracing::warn!("rate limits are off");
    }
    rates.off = !enabled;
    Ok(rates)
}

fn limiter(settings: &Settings) -> anyhow::Result<Limiter> {
    match settings.given("SVC_REDIS_URL") {
        None => Ok(Limiter::in_memory()),
        Some(url) => Ok(Limiter::Redis(RedisLimiter::at(&url).context("SVC_REDIS_URL")?)),
    }
}

impl Server {
    /// Puts everything together over a database that is open and migrated.
    pub fn assemble(settings: &Settings, db: Db, booted: MigrationState) -> anyhow::Result<Self> {
        let secrets = Secrets::load(settings)?;
        let redis = settings.given("SVC_REDIS_URL");
        let channels = live::Bounds {
            heartbeat: Duration::from_secs(settings.whole("SVC_LIVE_HEARTBEAT_SECONDS", 1..=3600)?),
            channels_per_person: settings.whole("SVC_MAX_CHANNELS_PER_PERSON", 1..=1_000_000)? as usize,
        };
        let hub = Hub::new(db.clock.mint(), redis.as_deref(), channels).context("SVC_REDIS_URL")?;
        let db = db
            .with(plan_settings(settings)?)
            .with(PlanCache::default())
            .with(TaskCounts::default())
            .with(ProgramPlans::default())
            .with(hub.clone());
        let db = db.with(Errands::default());
        let boot = Boot {
            migrations: booted,
            allow_ahead: settings.truth("SVC_READYZ_ALLOW_DB_AHEAD")?,
            allow_no_cache: settings.truth("SVC_READYZ_ALLOW_NO_CACHE")?,
        };
        let accounts = AccountSettings::from_settings(|name| settings.given(name))?;
        let exchange =
            ExchangeSettings::from_settings(|name| settings.given(name)).map_err(anyhow::Error::msg)?;
        let extensions = Extensions::default()
            .with(boot)
            .with(Collector::from_settings(settings)?)
            .with(application::lost_page())
            .with(accounts)
            .with(exchange)
            .with(Stops::default())
            .with(time_settings(settings)?)
            .with(planwright_accounts::single_sign_on::ProviderMemory::default());
        let extensions = extensions.with(hub);
        let extensions =
            planwright_workspace::equip(extensions, |name| settings.text(name), &settings.data_dir)?;
        let extensions = planwright_attachments::equip(extensions, |name| settings.text(name))?
            .with(file_storage(settings)?);
        let extensions = planwright_notifications::equip(extensions, |name| settings.text(name));
        let extensions = planwright_outbound::equip(extensions, |name| settings.text(name))?;
        let extensions = planwright_sharing::equip(extensions, |name| settings.text(name))?;
        let extensions = planwright_agents::equip(extensions, &db);
        let extensions = planwright_integrations::equip(extensions, |name| settings.text(name))?
            .with(LooksWithCredentials(reactions::look_with_credentials));
        let app = App::new(Parts {
            clock: db.clock.clone(),
            db: db.clone(),
            settings: edge_settings(settings)?,
            session_tokens: SessionTokens::new(&secrets.jwt_signing_key),
            sealer: Sealer::new(&secrets.encryption_key).with_former(&secrets.former_keys),
            limiter: limiter(settings)?,
            rates: rates(settings)?,
            extensions,
        });
        let router = routes_with(&exchange).into_router(app.clone());
        let router = planwright_mcp::with_endpoint(router, app.clone());
        let router = planwright_web::edge::surround(router, app.clone());
        let worker = Worker::new(db, app.clone(), jobs(), reactions::react);
        Ok(Self { app, router, worker, bounds: Bounds::from_settings(settings)? })
    }
}

/// Waits for the answer of a database; one that does not come is an error that names where it was looked for.
pub async fn reach(settings: &Settings, db: &Db) -> anyhow::Result<()> {
    let asked = db.count(sql!("SELECT 1")).await.map(drop);
    asked.with_context(|| match location(settings) {
        Ok(Location::Server { .. }) => {
            format!("the database at {} cannot be reached", settings.shown_text("SVC_DATABASE_URL"))
        }
        Ok(Location::File(path)) => format!("the database {} cannot be read", path.display()),
        Err(_) => "the database cannot be reached".to_owned(),
    })
}

/// Makes sure that the schema is one that this binary knows, and changes nothing.
pub async fn check_schema(settings: &Settings, db: &Db) -> anyhow::Result<()> {
    reach(settings, db).await?;
    match migrate::state(db).await {
        MigrationState::InSync | MigrationState::Ahead => Ok(()),
        MigrationState::Behind => {
            anyhow::bail!("the database has an older schema; run planwright migrate, or start the server")
        }
        MigrationState::Unknown => anyhow::bail!("the schema of the database is not one of planwright"),
    }
}

/// Brings the schema up to date when the settings allow it, and tells how the database stands.
pub async fn migrate_at_start(settings: &Settings, db: &Db) -> anyhow::Result<MigrationState> {
    reach(settings, db).await?;
    if transfer::is_unfinished(db).await? {
        anyhow::bail!("planwright move has not finished copying into this database; run it again");
    }
    let before = migrate::state(db).await;
    if before == MigrationState::Behind && settings.truth("SVC_AUTO_MIGRATE")? {
        for step in migrate::apply(db).await.context("migrating the database")? {
            tracing::info!(step, "migrated");
        }
        return Ok(migrate::state(db).await);
    }
    Ok(before)
}
