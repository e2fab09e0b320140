//! The state that every handler can use: database, clock, limits, settings of the HTTP layer. The settings of an area
//! are stored here as extensions.

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

/// Settings of the HTTP layer.
#[derive(Clone, Debug)]
pub struct EdgeSettings {
    /// `SVC_IDENTIFIER_PREFIX`: the first part of token, cookie and header names.
    pub prefix: String,
    /// `SVC_PUBLIC_URL`: the first part of absolute links. Empty means the host of the request.
    pub public_url: String,
    /// `SVC_NUM_PROXIES`: the number of trusted proxies that add to `X-Forwarded-For`.
    pub proxies: usize,
    /// `SVC_CORS_ALLOWED_ORIGINS`: origins from which browsers may call.
    pub cors_origins: Vec<String>,
    /// `SVC_ALLOWED_HOSTS`: host names of this server besides those of `SVC_PUBLIC_URL` and of this machine.
    pub allowed_hosts: Vec<String>,
    /// `SVC_MAX_BODY_BYTES`: the maximum size of a body, except uploads.
    pub max_body_bytes: usize,
    /// `SVC_REQUEST_BODY_SECONDS`: the maximum time for a body to arrive.
    pub body_deadline: Duration,
    /// `SVC_IDEMPOTENCY_MAX_BYTES`: the maximum size of the stored answers of one person.
    pub most_replay_bytes: i64,
    /// `SVC_MCP_ENABLED`: whether agent tokens are accepted.
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
    /// Settings of the HTTP layer.
    pub settings: EdgeSettings,
    /// Signs and checks the tokens of sign-ins.
    pub session_tokens: SessionTokens,
    /// Encrypts stored secrets.
    pub sealer: Sealer,
    /// Counts requests.
    pub limiter: Limiter,
    /// The effective table of limits.
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

    /// A value that an area added at the start.
    ///
    /// # Panics
    /// If the composition root did not add it. Every request to the area would show this.
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
