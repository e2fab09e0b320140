//! The two ends of a task, and which of them each type of link connects.

use crate::network::LinkKind;

/// An end of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum End {
    Start = 0,
    Finish = 1,
}

/// The two ends that a kind of link ties together.
pub(crate) fn ends(kind: LinkKind) -> (End, End) {
    match kind {
        LinkKind::FinishToStart => (End::Finish, End::Start),
        LinkKind::StartToStart => (End::Start, End::Start),
        LinkKind::FinishToFinish => (End::Finish, End::Finish),
        LinkKind::StartToFinish => (End::Start, End::Finish),
    }
}
