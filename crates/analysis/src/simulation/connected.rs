//! Which projects of a program are tied to one project by links, over any number of others. Pure. Only these are simulated
//! with it: the others can move none of its dates.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// What can be reached from `first` over links, whichever way they point, itself included.
pub fn connected<T: Copy + Eq + Hash>(first: T, links: &[(T, T)]) -> HashSet<T> {
    let mut next_to: HashMap<T, Vec<T>> = HashMap::new();
    for (one, other) in links {
        next_to.entry(*one).or_default().push(*other);
        next_to.entry(*other).or_default().push(*one);
    }
    let mut found = HashSet::from([first]);
    let mut open = vec![first];
    while let Some(at) = open.pop() {
        let fresh = next_to.get(&at).into_iter().flatten().filter(|next| found.insert(**next));
        open.extend(fresh);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_tied_over_others_is_found_and_nothing_else() {
        let links = [(1, 2), (3, 2), (4, 5), (3, 1)];
        assert_eq!(connected(1, &links), HashSet::from([1, 2, 3]));
        assert_eq!(connected(5, &links), HashSet::from([4, 5]));
        assert_eq!(connected(6, &links), HashSet::from([6]));
    }
}
