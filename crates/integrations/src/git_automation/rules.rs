//! Where a task goes when its merge request is opened or merged: forward, or nowhere.

use planwright_domain::words::{GitOutcome, TaskStatus};

use super::events::Told;

/// What is to be done about something that was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Nothing, and why.
    Nothing(GitOutcome),
    /// Nothing, because it is no event that moves tasks.
    Ignore(String),
    /// The tasks that have this address as a link go there.
    Move {
        /// The address of the merge request.
        url: String,
        /// Where they go.
        to: TaskStatus,
        /// What it is called.
        outcome: GitOutcome,
    },
}

/// What something that was told asks for.
pub fn wish(told: Told) -> Wish {
    let (url, to, outcome) = match told {
        Told::Draft => return Wish::Nothing(GitOutcome::Draft),
        Told::Other(name) => return Wish::Ignore(name),
        Told::Opened(url) => (url, TaskStatus::Review, GitOutcome::OpenedReview),
        Told::Merged(url) => (url, TaskStatus::Complete, GitOutcome::MergedComplete),
    };
    let url = url.trim_end_matches('/').to_owned();
    match url.is_empty() || url.len() > 2048 || url.contains('\0') {
        true => Wish::Nothing(GitOutcome::NoUrl),
        false => Wish::Move { url, to, outcome },
    }
}

/// An address as links may have it, in small letters: without the port of its scheme, and with it. Hosts have no case, and forges
/// tell repositories apart without regard to it.
pub fn spellings(url: &str) -> [String; 2] {
    let lower = url.to_lowercase();
    let port = |scheme: &str| if scheme == "https" { ":443" } else { ":80" };
    let Some((scheme, rest)) = lower.split_once("://") else { return [lower.clone(), lower] };
    let (host, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let host = host.strip_suffix(port(scheme)).unwrap_or(host);
    let has_other_port = host.rsplit(']').next().is_some_and(|end| end.contains(':'));
    let plain = format!("{scheme}://{host}{path}");
    let with_port = format!("{scheme}://{host}{}{path}", port(scheme));
    [plain.clone(), if has_other_port { plain } else { with_port }]
}

/// Whether a status lies before another on the way to the end. What is on hold is under way.
pub fn is_forward(from: TaskStatus, to: TaskStatus) -> bool {
    let step = |status| match status {
        TaskStatus::Backlog => 0,
        TaskStatus::NotStarted => 1,
        TaskStatus::InProgress | TaskStatus::OnHold => 2,
        TaskStatus::Review => 3,
        TaskStatus::Complete => 4,
    };
    step(to) > step(from)
}

#[cfg(test)]
mod tests {
    use planwright_domain::words::Word;

    use super::*;

    #[test]
    fn a_task_never_goes_back() {
        for status in TaskStatus::ALL {
            assert!(!is_forward(TaskStatus::Complete, *status), "{status:?}");
            assert!(!is_forward(*status, *status));
        }
        assert!(is_forward(TaskStatus::OnHold, TaskStatus::Review));
        assert!(is_forward(TaskStatus::Review, TaskStatus::Complete));
        assert!(!is_forward(TaskStatus::Review, TaskStatus::Review));
    }

    #[test]
    fn an_address_is_the_same_with_the_port_of_its_scheme() {
        let both = ["https://x.org/a/1".to_owned(), "https://x.org:443/a/1".to_owned()];
        assert_eq!(spellings("https://X.org/A/1"), both);
        assert_eq!(spellings("HTTPS://x.org:443/a/1"), both);
        assert_eq!(spellings("https://x.org:8443/a")[1], "https://x.org:8443/a");
        assert_eq!(
            spellings("http://[::1]:80/a"),
            ["http://[::1]/a", "http://[::1]:80/a"].map(str::to_owned)
        );
    }

    #[test]
    fn a_merge_request_without_an_address_moves_nothing() {
        assert_eq!(wish(Told::Opened(String::new())), Wish::Nothing(GitOutcome::NoUrl));
        assert_eq!(wish(Told::Merged("x\0".into())), Wish::Nothing(GitOutcome::NoUrl));
        let Wish::Move { url, to, .. } = wish(Told::Merged("https://x.org/1/".into())) else { panic!() };
        assert_eq!((url.as_str(), to), ("https://x.org/1", TaskStatus::Complete));
    }
}
