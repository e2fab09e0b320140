//! The hub: who in this process follows which project, and how events reach them in the order of the log. It stores
//! nothing. Missed events are read from the log, and messages without a number may be lost.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::Duration;

use planwright_domain::ids::{ProjectId, UserId};
use planwright_store::{Db, Result};
use planwright_web::App;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Notify, broadcast, watch};
use uuid::Uuid;

use super::bus::{Bus, Word};
use super::frame::Frame;
use super::pace::Paces;
use super::seats::Seats;
use super::{log, tending};

/// The maximum number of events that a follower may be behind. It is more than one batch of events, so only slow
/// clients reach it.
const LONGEST_QUEUE: usize = 256;

/// How many events are read at once to close a gap.
const PAGE: i64 = 100;

/// Bounds on channels.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// `SVC_LIVE_HEARTBEAT_SECONDS`: how often a ping is sent, and the access is checked again.
    pub heartbeat: Duration,
    /// `SVC_MAX_CHANNELS_PER_PERSON`: the maximum number of open channels of one person on a node.
    pub channels_per_person: usize,
}

/// The hub of this process; cheap to clone.
#[derive(Clone)]
pub struct Hub(Arc<Inner>);

struct Inner {
    node: Uuid,
    rooms: Mutex<HashMap<Uuid, Room>>,
    behind: Mutex<HashSet<ProjectId>>,
    call: Notify,
    bus: Option<Bus>,
    stop: watch::Sender<bool>,
    tended: OnceLock<()>,
    paces: Paces,
    heartbeat: Duration,
    seats: Seats,
}

/// The followers of one project, or the participants of one workshop.
struct Room {
    sender: broadcast::Sender<Arc<News>>,
    /// The number of the last event that was sent. `None` for a workshop, which has no log.
    last: Option<i64>,
}

/// A message to followers.
#[derive(Debug)]
pub enum News {
    /// An event.
    Frame(Frame),
    /// That person may have lost their access.
    Doubt(UserId),
}

/// The place of a follower or participant. It is released when this is dropped.
pub struct Subscription {
    hub: Hub,
    room: Uuid,
    receiver: Option<broadcast::Receiver<Arc<News>>>,
}

/// A task that is told when the node shuts down. The node waits for it.
pub struct Stopping(watch::Receiver<bool>);

/// Why there are no more messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FellBehind;

impl Hub {
    /// The hub of a node. It is connected to other nodes through Redis, if there is one.
    pub fn new(node: Uuid, redis_url: Option<&str>, bounds: Bounds) -> anyhow::Result<Self> {
        let bus = redis_url.map(Bus::at).transpose()?;
        Ok(Self(Arc::new(Inner {
            node,
            rooms: Mutex::default(),
            behind: Mutex::default(),
            call: Notify::new(),
            bus,
            stop: watch::Sender::new(false),
            tended: OnceLock::new(),
            paces: Paces::default(),
            heartbeat: bounds.heartbeat,
            seats: Seats::of(bounds.channels_per_person),
        })))
    }

    /// The id of this node.
    pub fn node(&self) -> Uuid {
        self.0.node
    }

    /// Ends every connection and waits until all are gone.
    pub async fn close(&self) {
        self.0.stop.send_replace(true);
        self.0.stop.closed().await;
    }

    /// Tells when the node shuts down. The node waits until it is dropped.
    pub fn stopping(&self) -> Stopping {
        Stopping(self.0.stop.subscribe())
    }

    /// How fast people send messages in workshops.
    pub(super) fn paces(&self) -> &Paces {
        &self.0.paces
    }

    /// How often a ping is sent to a client, and its access is checked again.
    pub(super) fn heartbeat(&self) -> Duration {
        self.0.heartbeat
    }

    /// The numbers of open channels of people.
    pub(super) fn seats(&self) -> &Seats {
        &self.0.seats
    }

    /// How other nodes are reached.
    pub(super) fn bus(&self) -> Option<&Bus> {
        self.0.bus.as_ref()
    }

    /// Follows a project from its newest event.
    pub async fn follow(&self, app: &App, project: ProjectId) -> Result<Subscription> {
        self.0.tended.get_or_init(|| tending::start(self.clone(), app.clone()));
        let newest = log::latest(&app.db, project).await?;
        let subscription = self.enter(project.0, Some(newest));
        // What was written between the look and the entry went past a room that was not there yet.
        self.fetch(project);
        Ok(subscription)
    }

    /// Takes part in a workshop.
    pub fn join(&self, session: Uuid) -> Subscription {
        self.enter(session, None)
    }

    fn enter(&self, room: Uuid, last: Option<i64>) -> Subscription {
        let new = || Room { sender: broadcast::Sender::new(LONGEST_QUEUE), last };
        let receiver = self.rooms().entry(room).or_insert_with(new).sender.subscribe();
        Subscription { hub: self.clone(), room, receiver: Some(receiver) }
    }

    /// Sends an event to all followers of a project or workshop, on every node.
    pub fn tell(&self, room: Uuid, frame: Frame) {
        if let Some(bus) = &self.0.bus {
            bus.publish(self.0.node, &Word::of_frame(room, &frame));
        }
        self.hand_out(room, frame);
    }

    /// Checks the access of a person again, on every node.
    pub fn doubt(&self, user: UserId) {
        if let Some(bus) = &self.0.bus {
            bus.publish(self.0.node, &Word::Doubt { user });
        }
        self.doubt_here(user);
    }

    /// The same for the connections of this node.
    pub(super) fn doubt_here(&self, user: UserId) {
        for room in self.rooms().values() {
            // A room without listeners has nobody to doubt.
            let _ = room.sender.send(Arc::new(News::Doubt(user)));
        }
    }

    /// Sends a frame to the followers on this node: at once if it is the next one, through the log if one is missing.
    pub(super) fn hand_out(&self, room: Uuid, frame: Frame) {
        let mut rooms = self.rooms();
        let Some(open) = rooms.get_mut(&room) else { return };
        if let (Some(seq), Some(last)) = (frame.seq, open.last) {
            if seq <= last {
                return;
            }
            if seq > last + 1 {
                drop(rooms);
                return self.fetch(ProjectId(room));
            }
            open.last = Some(seq);
        }
        // A room without listeners is about to go.
        let _ = open.sender.send(Arc::new(News::Frame(frame)));
    }

    /// Sends an entry of the log unless it was already sent.
    fn catch_up_with(&self, project: ProjectId, entry: log::Entry) {
        let mut rooms = self.rooms();
        let Some(open) = rooms.get_mut(&project.0) else { return };
        if open.last.is_none_or(|last| entry.seq > last) {
            open.last = Some(entry.seq);
            let frame = Frame::logged(entry.seq, entry.name, &entry.payload);
            // A room without listeners is about to go.
            let _ = open.sender.send(Arc::new(News::Frame(frame)));
        }
    }

    /// Requests the missing events of a project.
    pub(super) fn fetch(&self, project: ProjectId) {
        lock(&self.0.behind).insert(project);
        self.0.call.notify_one();
    }

    /// Waits until something is missing.
    pub(super) async fn called(&self) {
        self.0.call.notified().await;
    }

    /// Reads the missing events of every requested project.
    pub(super) async fn close_gaps(&self, db: &Db) -> Result<()> {
        let behind = std::mem::take(&mut *lock(&self.0.behind));
        for project in &behind {
            if let Err(error) = self.close_gap(db, *project).await {
                lock(&self.0.behind).extend(behind);
                return Err(error);
            }
        }
        Ok(())
    }

    async fn close_gap(&self, db: &Db, project: ProjectId) -> Result<()> {
        while let Some(last) = self.last_of(project) {
            let entries = log::after(db, project, last, PAGE).await?;
            let is_last = (entries.len() as i64) < PAGE;
            entries.into_iter().for_each(|entry| self.catch_up_with(project, entry));
            if is_last {
                break;
            }
            tokio::task::yield_now().await;
        }
        Ok(())
    }

    /// Checks whether the logs have events that were not sent, and reads them. This finds events without a message.
    pub(super) async fn look(&self, db: &Db) -> Result<()> {
        let sent: HashMap<ProjectId, i64> =
            self.rooms().iter().filter_map(|(room, open)| Some((ProjectId(*room), open.last?))).collect();
        if sent.is_empty() {
            return Ok(());
        }
        let projects: Vec<ProjectId> = sent.keys().copied().collect();
        for (project, newest) in log::latest_of(db, &projects).await? {
            if sent.get(&project).is_some_and(|last| *last < newest) {
                self.fetch(project);
            }
        }
        self.close_gaps(db).await
    }

    fn last_of(&self, project: ProjectId) -> Option<i64> {
        self.rooms().get(&project.0)?.last
    }

    fn rooms(&self) -> MutexGuard<'_, HashMap<Uuid, Room>> {
        lock(&self.0.rooms)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Subscription {
    /// Waits for the next message.
    pub async fn next(&mut self) -> std::result::Result<Arc<News>, FellBehind> {
        let Some(receiver) = &mut self.receiver else { return Err(FellBehind) };
        match receiver.recv().await {
            Ok(news) => Ok(news),
            // The sender lives as long as somebody listens, so a closed room is none that this is in.
            Err(RecvError::Lagged(_) | RecvError::Closed) => Err(FellBehind),
        }
    }
}

impl Stopping {
    /// Waits until the node shuts down.
    pub async fn told(&mut self) {
        // A hub that is gone is one that has been shut down.
        let _ = self.0.wait_for(|stopping| *stopping).await;
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let mut rooms = self.hub.rooms();
        self.receiver = None;
        if rooms.get(&self.room).is_some_and(|open| open.sender.receiver_count() == 0) {
            rooms.remove(&self.room);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn frame(seq: i64) -> Frame {
        Frame::logged(seq, "task_updated".into(), &json!({}))
    }

    const BOUNDS: Bounds = Bounds { heartbeat: Duration::from_secs(30), channels_per_person: 9 };

    async fn number(subscription: &mut Subscription) -> Option<i64> {
        match &*subscription.next().await.unwrap() {
            News::Frame(frame) => frame.seq,
            News::Doubt(_) => None,
        }
    }

    #[tokio::test]
    async fn what_was_sent_is_not_sent_again_and_a_gap_is_closed_from_the_log() {
        let hub = Hub::new(Uuid::nil(), None, BOUNDS).unwrap();
        let project = ProjectId(Uuid::from_u128(1));
        let mut follower = hub.enter(project.0, Some(4));
        for seq in [4, 5, 5, 8] {
            hub.tell(project.0, frame(seq));
        }
        assert_eq!(number(&mut follower).await, Some(5));
        assert!(lock(&hub.0.behind).contains(&project));
        for seq in [5, 6, 7, 8] {
            hub.catch_up_with(project, log::Entry { seq, name: "x".into(), payload: json!({}) });
        }
        hub.tell(project.0, frame(9));
        for expected in 6..=9 {
            assert_eq!(number(&mut follower).await, Some(expected));
        }
    }

    #[tokio::test]
    async fn whoever_falls_behind_is_told_so_and_an_empty_room_is_closed() {
        let hub = Hub::new(Uuid::nil(), None, BOUNDS).unwrap();
        let room = Uuid::from_u128(1);
        let mut slow = hub.enter(room, Some(0));
        for seq in 1..=(LONGEST_QUEUE as i64 + 1) {
            hub.tell(room, frame(seq));
        }
        assert!(slow.next().await.is_err());
        drop(slow);
        assert!(hub.rooms().is_empty());
    }
}
