//! Processor time of other processes, from the proc file system; on other systems it is unknown. It has a resolution
//! of a hundredth of a second, so only sums over many requests are useful.

use std::collections::HashSet;
use std::fs;
use std::time::Duration;

/// The kernel tells these times in a unit that is the same on all machines of today.
const TICKS_PER_SECOND: u64 = 100;

/// What one process has used so far, all its threads together.
pub(crate) fn of_process(id: u32) -> Option<Duration> {
    Some(read(id)?.own)
}

/// What all processes below this one have used so far, those that ended included.
pub(crate) fn of_descendants(id: u32) -> Option<Duration> {
    let ids = fs::read_dir("/proc").ok()?.flatten();
    let ids = ids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let all: Vec<Times> = ids.filter_map(read).collect();
    let mut family = HashSet::from([id]);
    // A child may stand before its parent, so the list is read until nobody is added.
    loop {
        let before = family.len();
        let children: Vec<u32> =
            all.iter().filter(|times| family.contains(&times.parent)).map(|times| times.id).collect();
        family.extend(children);
        if family.len() == before {
            break;
        }
    }
    family.remove(&id);
    Some(all.iter().filter(|times| family.contains(&times.id)).map(|times| times.own + times.ended).sum())
}

struct Times {
    id: u32,
    parent: u32,
    own: Duration,
    /// Of children that ended.
    ended: Duration,
}

fn read(id: u32) -> Option<Times> {
    parse(id, &fs::read_to_string(format!("/proc/{id}/stat")).ok()?)
}

fn parse(id: u32, text: &str) -> Option<Times> {
    // The name in parentheses may hold anything, spaces and parentheses too.
    let (_, rest) = text.rsplit_once(") ")?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<u64>().ok();
    let time = |ticks: u64| Duration::from_millis(ticks * 1000 / TICKS_PER_SECOND);
    Some(Times {
        id,
        parent: fields.get(1)?.parse().ok()?,
        own: time(ticks(11)? + ticks(12)?),
        ended: time(ticks(13)? + ticks(14)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_process_whatever_it_is_called() {
        let text = "7 (a) b (c) S 3 7 7 0 -1 4194304 100 0 0 0 25 5 2 1 20 0 9 0 100 1 1";
        let times = parse(7, text).unwrap();
        assert_eq!((times.id, times.parent), (7, 3));
        assert_eq!(times.own, Duration::from_millis(300));
        assert_eq!(times.ended, Duration::from_millis(30));
        assert!(parse(7, "7 (a) S").is_none());
    }
}
