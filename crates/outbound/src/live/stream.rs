//! `GET /api/v1/projects/{id}/events/stream`: the same log as server-sent events, for clients without WebSockets. A
//! browser that reconnects sends the last id that it saw in `Last-Event-ID`.

use std::collections::VecDeque;
use std::convert::Infallible;

use axum::extract::State;
use axum::response::sse::Event;
use futures_util::stream;
use http::HeaderMap;
use planwright_domain::access::may;
use planwright_web::actor::Shown;
use planwright_web::socket::EventStream;
use planwright_web::{ApiError, ApiResult, App, ProjectScope, Routes, says};
use tokio::time::{Instant, Interval, interval_at};

use super::client::Client;
use super::connection::CloseReason;
use super::hub::{News, Stopping, Subscription};
use super::{frame, log};

/// When a person with too many open channels may try again.
const WAIT_SECONDS: u64 = 60;

/// The routes of this file.
pub fn table() -> Routes {
    let rules =
        says("The events of a project, as server-sent events. `Last-Event-ID` continues after this event.");
    Routes::new().get("/api/v1/projects/{id}/events/stream", follow, rules)
}

async fn follow(
    State(app): State<App>,
    scope: ProjectScope<may::FollowProject>,
    headers: HeaderMap,
) -> ApiResult<EventStream> {
    let since = last_seen(&headers)?;
    let client = Client::with(&app, scope.project, Shown::by(&scope.actor)).await?;
    let client = client.map_err(|reason| match reason {
        CloseReason::TooMany => ApiError::throttled(WAIT_SECONDS).with_code("too_many_channels"),
        _ => ApiError::not_found(),
    })?;
    let stopping = client.hub.stopping();
    let news = client.hub.follow(&app, scope.project).await?;
    let (waiting, seen) = first_events(&app, &scope, since).await?;
    let every = client.hub.heartbeat();
    let heartbeat = interval_at(Instant::now() + every, every);
    let follower = Follower { client, news, stopping, heartbeat, waiting, seen };
    Ok(EventStream::of(stream::unfold(follower, Follower::go_on)))
}

fn last_seen(headers: &HeaderMap) -> ApiResult<Option<i64>> {
    let Some(text) = headers.get("last-event-id") else { return Ok(None) };
    let number = text.to_str().ok().and_then(|text| text.parse().ok()).filter(|number| *number >= 0);
    number.map(Some).ok_or_else(|| ApiError::bad_request("Last-Event-ID must be the id of an event."))
}

/// The missed events and the last number. A new client gets the current end of the log.
async fn first_events(
    app: &App,
    scope: &ProjectScope<may::FollowProject>,
    since: Option<i64>,
) -> ApiResult<(VecDeque<Event>, i64)> {
    let Some(since) = since else {
        let newest = log::latest(&app.db, scope.project).await?;
        return Ok((VecDeque::from([Event::default().id(newest.to_string())]), newest));
    };
    Ok(match log::missed(&app.db, scope.project, since).await? {
        log::Missed::Events(events) => {
            let seen = events.last().map_or(since, |event| event.seq);
            let shown = |event: log::Entry| {
                let text = frame::replayed(event.seq, &event.name, &event.payload);
                shown(&event.name, &text, Some(event.seq))
            };
            (events.into_iter().map(shown).collect(), seen)
        }
        log::Missed::TooMuch(latest) => {
            let text = frame::resync_required(latest);
            (VecDeque::from([shown("resync_required", &text, Some(latest))]), latest)
        }
    })
}

fn shown(name: &str, text: &str, seq: Option<i64>) -> Event {
    let event = Event::default().event(name).data(text);
    match seq {
        Some(seq) => event.id(seq.to_string()),
        None => event,
    }
}

struct Follower {
    client: Client,
    news: Subscription,
    stopping: Stopping,
    heartbeat: Interval,
    waiting: VecDeque<Event>,
    seen: i64,
}

impl Follower {
    /// The next event, or the end: because the node shuts down, the client is too slow, may not stay, or what they
    /// showed has ended.
    async fn go_on(mut self) -> Option<(Result<Event, Infallible>, Self)> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Some((Ok(event), self));
            }
            let told = tokio::select! {
                told = self.news.next() => told.ok()?,
                () = self.stopping.told() => return None,
                () = self.client.ended() => return None,
                _ = self.heartbeat.tick() => {
                    self.client.look_again().await.ok()?;
                    continue;
                }
            };
            self.client.stays(&told).await.ok()?;
            if let News::Frame(frame) = &*told
                && frame.seq.is_none_or(|seq| seq > self.seen)
            {
                self.seen = frame.seq.unwrap_or(self.seen);
                self.waiting.push_back(shown(&frame.name, &frame.text, frame.seq));
            }
        }
    }
}
