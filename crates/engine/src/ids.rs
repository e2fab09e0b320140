//! Finds rows whose id is already used by an earlier row. Ids are split by their hashes first, so that each part fits
//! into the nearest cache.

use std::collections::HashSet;

use crate::network::Network;

/// Ids of one part, about.
const PART: usize = 1_024;
/// Places that are tried before an id counts as crowded.
const TRIES: usize = 32;

/// A number that spreads ids evenly; which ids share one can be told beforehand, so it decides nothing but speed.
pub(crate) fn hash_of(id: u128) -> u64 {
    (id as u64 ^ ((id >> 64) as u64).rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Positions of rows whose id a row before them has, rising; `hashes` are those of all ids.
pub(crate) fn repeated(network: &Network, hashes: &[u64]) -> Vec<usize> {
    let bits = (hashes.len() / PART + 1).ilog2().min(12);
    let part_of = |hash: u64| (hash >> 1 >> (63 - bits)) as usize;
    let mut ends = vec![0u32; (1 << bits) + 1];
    hashes.iter().for_each(|hash| ends[part_of(*hash) + 1] += 1);
    for part in 1..ends.len() {
        ends[part] += ends[part - 1];
    }
    // The tag of each id and its row, part after part, within a part in the order of rows.
    let mut tagged = vec![[0u32; 2]; hashes.len()];
    for (row, hash) in hashes.iter().enumerate() {
        let place = &mut ends[part_of(*hash)];
        tagged[*place as usize] = [(*hash << bits >> 32) as u32, row as u32];
        *place += 1;
    }
    let mut seen = Seen { network, table: Vec::new(), crowded: HashSet::new() };
    let mut repeated = Vec::new();
    let mut begin = 0;
    for end in &ends[..1 << bits] {
        seen.look_through(&tagged[begin..*end as usize], &mut repeated);
        begin = *end as usize;
    }
    repeated.sort_unstable();
    repeated
}

/// The ids of one part that were met. Ids that crowd one place, by chance or by intent, move on to a set that keeps
/// its order secret.
struct Seen<'a> {
    network: &'a Network,
    /// Places in the part, by the tags of what is there.
    table: Vec<u32>,
    crowded: HashSet<u128>,
}

impl Seen<'_> {
    fn look_through(&mut self, part: &[[u32; 2]], repeated: &mut Vec<usize>) {
        self.table.clear();
        self.table.resize((2 * part.len()).next_power_of_two(), u32::MAX);
        for at in 0..part.len() {
            if !self.insert(part, at) {
                repeated.push(part[at][1] as usize);
            }
        }
    }

    /// `false` if a row before has the same id.
    fn insert(&mut self, part: &[[u32; 2]], at: usize) -> bool {
        let id = |row: u32| self.network.tasks[row as usize].id;
        let [tag, row] = part[at];
        let mask = self.table.len() - 1;
        for place in (tag as usize..).take(TRIES) {
            let known = self.table[place & mask];
            if known == u32::MAX {
                self.table[place & mask] = at as u32;
                return true;
            }
            let [other, earlier] = part[known as usize];
            if other == tag && id(earlier) == id(row) {
                return false;
            }
        }
        let id = id(row);
        self.crowded.insert(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Task;

    #[test]
    fn repeated_ids_are_found_however_they_lie() {
        for (count, step) in [(0, 1), (1, 1), (50, 1), (5_000, 1), (5_000, 1 << 64), (9_000, 1 << 96)] {
            let mut ids: Vec<u128> = (0..count).map(|index| index * step).collect();
            let first = ids.iter().copied().step_by(7).take(40).collect::<Vec<_>>();
            ids.extend(&first);
            let tasks = ids.iter().map(|id| Task::new(*id, 1)).collect();
            let network = Network { tasks, ..Network::default() };
            let hashes: Vec<u64> = ids.iter().map(|id| hash_of(*id)).collect();
            let expected: Vec<usize> = (count as usize..ids.len()).collect();
            assert_eq!(repeated(&network, &hashes), expected, "{count} {step}");
        }
    }

    #[test]
    fn ids_that_are_made_to_crowd_one_place_are_found_too() {
        // The upper half takes back what the lower half says.
        let crowded = |index: u64| u128::from(index) | u128::from(index.rotate_right(32)) << 64;
        let ids: Vec<u128> = (0..20_000).chain([7, 19_999]).map(crowded).collect();
        let hashes: Vec<u64> = ids.iter().map(|id| hash_of(*id)).collect();
        assert!(hashes.iter().all(|hash| *hash == 0));
        let tasks = ids.iter().map(|id| Task::new(*id, 1)).collect();
        let network = Network { tasks, ..Network::default() };
        assert_eq!(repeated(&network, &hashes), [20_000, 20_001]);
    }
}
