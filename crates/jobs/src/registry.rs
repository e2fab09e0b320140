//! Which code runs which kind of job, and which kinds run at fixed intervals. Areas register their kinds, and the
//! worker looks them up.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::Duration;
use futures_util::future::BoxFuture;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

/// Why a job ended without being done.
#[derive(Debug)]
pub enum JobError {
    /// Something was not available. The job is retried with a growing delay.
    Retry(anyhow::Error),
    /// A retry would fail in the same way.
    Fail(anyhow::Error),
}

impl From<planwright_store::StoreError> for JobError {
    fn from(error: planwright_store::StoreError) -> Self {
        JobError::Retry(error.into())
    }
}

type Handler<C> = Arc<dyn Fn(C, Json) -> BoxFuture<'static, Result<(), JobError>> + Send + Sync>;

/// What a round of a background task may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Round {
    /// Start new work and continue running work.
    Work,
    /// Only finish running work.
    Finish,
}

/// One round of a background task. True if there was something to do.
pub(crate) type Beside<C> =
    Arc<dyn Fn(C, Round) -> BoxFuture<'static, planwright_store::Result<bool>> + Send + Sync>;

/// Kinds of jobs and their code. All of them get the context `C`.
pub struct Registry<C> {
    handlers: HashMap<&'static str, Handler<C>>,
    schedules: Vec<(&'static str, Duration)>,
    beside: Vec<Beside<C>>,
}

impl<C> Default for Registry<C> {
    fn default() -> Self {
        Self { handlers: HashMap::new(), schedules: Vec::new(), beside: Vec::new() }
    }
}

impl<C: Clone + Send + 'static> Registry<C> {
    /// Registers a kind.
    pub fn on<P, F, Fut>(mut self, kind: &'static str, run: F) -> Self
    where
        P: DeserializeOwned + Send + 'static,
        F: Fn(C, P) -> Fut + Send + Sync + Clone + 'static,
        Fut: Future<Output = Result<(), JobError>> + Send + 'static,
    {
        let handler: Handler<C> = Arc::new(move |context, payload| {
            let run = run.clone();
            Box::pin(async move {
                let payload =
                    serde_json::from_value(payload).map_err(|error| JobError::Fail(error.into()))?;
                run(context, payload).await
            })
        });
        self.handlers.insert(kind, handler);
        self
    }

    /// Registers a kind that also runs at a fixed interval.
    pub fn every<F, Fut>(mut self, kind: &'static str, interval: Duration, run: F) -> Self
    where
        F: Fn(C) -> Fut + Send + Sync + Clone + 'static,
        Fut: Future<Output = Result<(), JobError>> + Send + 'static,
    {
        self.schedules.push((kind, interval));
        self.on(kind, move |context, _: Json| run(context))
    }

    /// Registers a background task that is not a job: its rows wait in a table of its area, and many of them may run
    /// at once. Its rounds run in parallel with the jobs, so neither delays the other.
    pub fn beside<F, Fut>(mut self, round: F) -> Self
    where
        F: Fn(C, Round) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = planwright_store::Result<bool>> + Send + 'static,
    {
        self.beside.push(Arc::new(move |context, how| Box::pin(round(context, how))));
        self
    }

    /// Adds the kinds of another registry.
    pub fn and(mut self, other: Self) -> Self {
        self.handlers.extend(other.handlers);
        self.schedules.extend(other.schedules);
        self.beside.extend(other.beside);
        self
    }

    pub(crate) fn handler(&self, kind: &str) -> Option<Handler<C>> {
        self.handlers.get(kind).cloned()
    }

    pub(crate) fn besides(&self) -> &[Beside<C>] {
        &self.beside
    }

    /// The kinds that run at a fixed interval, with the interval.
    pub fn schedules(&self) -> &[(&'static str, Duration)] {
        &self.schedules
    }
}
