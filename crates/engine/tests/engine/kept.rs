//! Plans and schedules can be serialised and read again, with the feature `serde`.

use crate::everything::{ALL, Mix, everything};
use crate::generate::{Dice, cases};
use planwright_engine::{Network, Schedule, schedule};

#[test]
fn a_plan_that_was_written_down_has_the_same_schedule() {
    for seed in cases(41_000_000, 200) {
        let plan = everything(&mut Dice::new(seed), Mix { first_of_many: true, ..ALL });
        let text = serde_json::to_string(&plan).expect("a plan can be written");
        let read: Network = serde_json::from_str(&text).expect("and read");
        let result = schedule(&read);
        assert_eq!(result, schedule(&plan), "seed {seed}");
        let text = serde_json::to_string(&result).expect("a schedule can be written");
        let read: Schedule = serde_json::from_str(&text).expect("and read");
        assert_eq!(read, result, "seed {seed}");
    }
}
