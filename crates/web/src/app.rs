//! What every handler can reach: the database, the clock, the limits, the settings of the edge.
//! Settings of an area belong to that area and travel here as extensions.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use planwright_domain::Clock;
use planwright_store::Db;
use planwright_store::seal::Sealer;

use crate::limiter::Limiter;
use crate::limits::Rates;
use crate::session_tokens::SessionTokens;

/// Settings of the edge.
#[derive(Clone, Debug)]
pub struct EdgeSettings {
    /// `SVC_IDENTIFIER_PREFIX`: begins token, cookie and header names.
    pub prefix: String,
    /// `SVC_PUBLIC_URL`: what absolute links begin with; empty means the request's own host.
    pub public_url: String,
    /// `SVC_NUM_PROXIES`: how many trusted proxies append to `X-Forwarded-For`.
    pub proxies: usize,
    /// `SVC_CORS_ALLOWED_ORIGINS`: origins that browsers may call from.
    pub cors_origins: Vec<String>,
    /// `SVC_ALLOWED_HOSTS`: names that this program answers for besides those of `SVC_PUBLIC_URL` and of this machine.
    pub allowed_hosts: Vec<String>,
    /// `SVC_MAX_BODY_BYTES`: the largest body outside uploads.
    pub max_body_bytes: usize,
    /// `SVC_REQUEST_BODY_SECONDS`: how long a body may take to come.
    pub body_deadline: Duration,
    /// `SVC_IDEMPOTENCY_MAX_BYTES`: how much is kept for the repetitions of one person.
    pub most_replay_bytes: i64,
    /// `SVC_MCP_ENABLED`: whether agent tokens are let in at all.
    pub mcp_enabled: bool,
    /// The version of the program.
    pub version: String,
    /// `SVC_BUILD_SHA`.
    pub build_sha: String,
    /// `SVC_EDITION`.
    pub edition: String,
}

impl Default for EdgeSettings {
    fn default() -> Self {
        Self {
            prefix: "svc".into(),
            public_url: String::new(),
            proxies: 0,
            cors_origins: Vec::new(),
            allowed_hosts: Vec::new(),
            max_body_bytes: 2 * 1024 * 1024,
            body_deadline: Duration::from_secs(60),
            most_replay_bytes: 64 * 1024 * 1024,
            mcp_enabled: true,
            version: env!("CARGO_PKG_VERSION").into(),
            build_sha: String::new(),
            edition: "community".into(),
        }
    }
}

/// The program, as handlers see it; cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// The parts of an [`App`].
pub struct Parts {
    /// The database.
    pub db: Db,
    /// The clock.
    pub clock: Clock,
    /// Settings of the edge.
    pub settings: EdgeSettings,
    /// Signs and checks the tokens of sign-ins.
    pub session_tokens: SessionTokens,
    /// Seals secrets at rest.
    pub sealer: Sealer,
    /// Counts requests.
    pub limiter: Limiter,
    /// The table of limits in force.
    pub rates: Rates,
    /// Settings and services of areas, by type.
    pub extensions: Extensions,
}

/// Values of areas, by type.
#[derive(Default)]
pub struct Extensions(HashMap<TypeId, Box<dyn Any + Send + Sync>>);

impl Extensions {
    /// Adds a value.
    pub fn with<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.0.insert(TypeId::of::<T>(), Box::new(value));
        self
    }
}

impl App {
    /// Puts the parts together.
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }

    /// A value that an area put in at the start.
    ///
    /// # Panics
    /// When the composition root forgot it, which any request to the area would show.
    pub fn get<T: Send + Sync + 'static>(&self) -> &T {
        let value = self.0.extensions.0.get(&TypeId::of::<T>()).and_then(|value| value.downcast_ref());
        value.expect("the composition root provides every extension")
    }
}

impl std::ops::Deref for App {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.0
    }
}
