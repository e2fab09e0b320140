//! New ranks for rows that are put into another order. Ranks are whole numbers with gaps between them, so that a move
//! writes the row that was moved; only where a gap is used up its neighbours move too.

/// The gap between two ranks that were never moved.
pub const GAP: i64 = 1024;

/// The largest rank that can be written.
pub const HIGHEST: i64 = i32::MAX as i64;

/// The ranks with which rows stand in their order, above `below` and beneath `above`. As many as possible keep theirs.
/// None when there is no room for all of them.
pub fn ordered(ranks: &[Option<i64>], below: Option<i64>, above: Option<i64>) -> Option<Vec<i64>> {
    // Zero leaves no room before it, so nobody keeps it.
    let (floor, ceiling) = (below.unwrap_or(0), above.unwrap_or(HIGHEST + 1));
    let mut kept = longest_rise(ranks, floor, ceiling);
    let mut filled: Vec<i64> = Vec::with_capacity(kept.len());
    while filled.len() < kept.len() {
        let begin = filled.len();
        let end = next_kept(&kept, begin);
        let gap = gap_of(&filled[..begin], &kept, end, (floor, ceiling));
        if begin < end && gap == 0 {
            let start = make_room(&filled, &mut kept, end, (floor, ceiling))?;
            filled.truncate(start);
            continue;
        }
        let is_open = end == kept.len() && above.is_none();
        let step = if is_open { gap.min(GAP) } else { gap };
        let last = filled.last().copied().unwrap_or(floor);
        filled.extend((1..=(end - begin) as i64).map(|nth| last + nth * step));
        filled.extend(kept.get(end).copied().flatten());
    }
    Some(filled)
}

/// Takes the ranks of rows around a run that has no room, behind it and before it in turn, until each of them finds a gap
/// as large as their number: the more rows had to move, the longer it takes until they have to again. Gives the first of them.
fn make_room(filled: &[i64], kept: &mut [Option<i64>], end: usize, bounds: (i64, i64)) -> Option<usize> {
    let (mut start, mut end, mut is_behind) = (filled.len(), end, true);
    while gap_of(&filled[..start], kept, end, bounds) <= (end - start) as i64 {
        if end < kept.len() && (is_behind || start == 0) {
            kept[end] = None;
            end = next_kept(kept, end);
        } else if start > 0 {
            start -= 1;
            kept[start] = None;
        } else {
            break;
        }
        is_behind = !is_behind;
    }
    (gap_of(&filled[..start], kept, end, bounds) > 0).then_some(start)
}

/// The gap between rows that are spread evenly from the last filled place to the next kept one.
fn gap_of(filled: &[i64], kept: &[Option<i64>], end: usize, (floor, ceiling): (i64, i64)) -> i64 {
    let last = filled.last().copied().unwrap_or(floor);
    let next = kept.get(end).copied().flatten().unwrap_or(ceiling);
    (next - last) / (end - filled.len() + 1) as i64
}

fn next_kept(kept: &[Option<i64>], from: usize) -> usize {
    kept[from..].iter().position(Option::is_some).map_or(kept.len(), |at| from + at)
}

/// Whether each row of a list was moved, by the place at which it stood before: as few as possible were.
pub fn moved(places: &[usize]) -> Vec<bool> {
    let places: Vec<Option<i64>> = places.iter().map(|place| Some(*place as i64)).collect();
    longest_rise(&places, -1, i64::MAX).into_iter().map(|kept| kept.is_none()).collect()
}

/// Of some ranks, the longest rising sequence within the bounds; all others are taken away.
fn longest_rise(ranks: &[Option<i64>], floor: i64, ceiling: i64) -> Vec<Option<i64>> {
    // For each length, the place of the smallest rank that ends a sequence of that length; and what stands before each.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; ranks.len()];
    let value = |at: usize| ranks[at].unwrap_or(i64::MAX);
    for (at, rank) in ranks.iter().enumerate() {
        let Some(rank) = rank.filter(|rank| *rank > floor && *rank < ceiling) else { continue };
        let length = ends.partition_point(|end| value(*end) < rank);
        before[at] = length.checked_sub(1).map(|shorter| ends[shorter]);
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut kept = vec![None; ranks.len()];
    let mut place = ends.last().copied();
    while let Some(at) = place {
        kept[at] = ranks[at];
        place = before[at];
    }
    kept
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(before: &[Option<i64>], after: &[i64]) -> usize {
        before.iter().zip(after).filter(|(old, new)| **old != Some(**new)).count()
    }

    #[test]
    fn a_row_that_is_moved_alone_gets_another_rank() {
        let ranks = [Some(1024), Some(4096), Some(2048), Some(3072)];
        let after = ordered(&ranks, None, None).unwrap();
        assert_eq!(after, [1024, 1536, 2048, 3072]);
        assert_eq!(written(&ranks, &after), 1);
        assert_eq!(ordered(&[Some(1), Some(2)], None, None), Some(vec![1, 2]), "what is in order stays");
    }

    #[test]
    fn neighbours_move_only_where_a_gap_is_used_up() {
        let ranks = [Some(10), None, Some(11), Some(12), Some(1000), Some(2000)];
        let after = ordered(&ranks, None, None).unwrap();
        assert!(written(&ranks, &after) <= 4, "the new one and those in its way: {after:?}");
        assert!(after.is_sorted_by(|one, next| one < next));
    }

    #[test]
    fn rows_without_a_rank_go_behind_the_last_one_with_gaps() {
        assert_eq!(ordered(&[Some(5), None, None], None, None), Some(vec![5, 5 + GAP, 5 + 2 * GAP]));
        assert_eq!(ordered(&[], None, None), Some(vec![]));
    }

    #[test]
    fn as_few_rows_as_possible_count_as_moved() {
        assert_eq!(moved(&[0, 3, 1, 2]), [false, true, false, false]);
        assert_eq!(moved(&[1, 2, 3, 0]), [false, false, false, true]);
        assert_eq!(moved(&[]), [false; 0]);
    }

    #[test]
    fn bounds_hold_and_without_room_there_are_no_ranks() {
        assert_eq!(ordered(&[None], Some(10), Some(20)), Some(vec![15]));
        assert_eq!(ordered(&[None], Some(10), Some(11)), None);
        assert_eq!(ordered(&[Some(30), None], Some(10), Some(20)).map(|ranks| ranks.len()), Some(2));
        let at_the_end = ordered(&[None], Some(HIGHEST - 2), None).unwrap();
        assert!(at_the_end[0] <= HIGHEST);
    }

    #[test]
    fn a_thousand_insertions_at_one_place_move_few_rows() {
        let mut ranks: Vec<Option<i64>> = (1..=100).map(|nth| Some(nth * GAP)).collect();
        let mut rows = 0;
        for _ in 0..1000 {
            ranks.insert(50, None);
            let after = ordered(&ranks, None, None).unwrap();
            rows += written(&ranks, &after);
            ranks = after.into_iter().map(Some).collect();
        }
        assert!(rows < 4000, "{rows} rows were written for 1000 moves");
    }

    proptest! {
        #[test]
        fn ranks_rise_and_stay_in_range(ranks in prop::collection::vec(prop::option::of(0..60_i64), 0..40)) {
            let after = ordered(&ranks, None, None).unwrap();
            prop_assert!(after.is_sorted_by(|one, next| one < next));
            prop_assert!(after.iter().all(|rank| (0..=HIGHEST).contains(rank)));
        }
    }
}
