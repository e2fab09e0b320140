//! Which code runs which kind of job, and which kinds run by the clock.
//! Areas register theirs; the worker looks them up.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::Duration;
use futures_util::future::BoxFuture;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

/// Why a job ended without being done.
#[derive(Debug)]
pub enum JobError {
    /// Something was away or busy; the job is tried again with back-off.
    Retry(anyhow::Error),
    /// Trying again would end the same way.
    Fail(anyhow::Error),
}

impl From<planwright_store::StoreError> for JobError {
    fn from(error: planwright_store::StoreError) -> Self {
        JobError::Retry(error.into())
    }
}

type Handler<C> = Arc<dyn Fn(C, Json) -> BoxFuture<'static, Result<(), JobError>> + Send + Sync>;

/// What a round of work beside the jobs may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Round {
    /// Take more work, and go on with what is under way.
    Work,
    /// Only bring to an end what is under way.
    Finish,
}

/// One round of work beside the jobs; true when there was something to do.
pub(crate) type Beside<C> =
    Arc<dyn Fn(C, Round) -> BoxFuture<'static, planwright_store::Result<bool>> + Send + Sync>;

/// Kinds of jobs and their code, over the context `C` that all of them receive.
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

    /// Registers a kind that also runs by itself, every so often.
    pub fn every<F, Fut>(mut self, kind: &'static str, interval: Duration, run: F) -> Self
    where
        F: Fn(C) -> Fut + Send + Sync + Clone + 'static,
        Fut: Future<Output = Result<(), JobError>> + Send + 'static,
    {
        self.schedules.push((kind, interval));
        self.on(kind, move |context, _: Json| run(context))
    }

    /// Registers work that is no job: its rows wait in a table of its area, and many of them may be under way at once.
    /// Rounds follow each other beside the jobs, so neither holds up the other.
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

    /// The kinds that run by themselves, and how often.
    pub fn schedules(&self) -> &[(&'static str, Duration)] {
        &self.schedules
    }
}
