//! A compiled plan, edited or not, gives the same answers as its network.

use crate::everything::{ALL, Mix, everything};
use crate::generate::{Dice, cases};
use planwright_engine::{
    CompiledPlan, Edit, Link, Quantity, SimulationOptions, explain, float_paths, paths_to_finish, simulate,
};

#[test]
fn a_compiled_plan_answers_what_its_network_answers() {
    let options = SimulationOptions { runs: 40, ..SimulationOptions::default() };
    for seed in cases(40_000_000, 400) {
        let mut dice = Dice::new(seed);
        let mut plan = CompiledPlan::new(everything(&mut dice, Mix { first_of_many: true, ..ALL }));
        for _ in 0..3 {
            let network = plan.network().clone();
            for task in 0..network.tasks.len() {
                for quantity in [Quantity::Early, Quantity::Late, Quantity::Free] {
                    assert_eq!(
                        plan.explain(task, quantity),
                        explain(&network, task, quantity),
                        "seed {seed}"
                    );
                }
                assert_eq!(plan.float_paths(task, 9), float_paths(&network, task, 9), "seed {seed}");
            }
            assert_eq!(plan.paths_to_finish(0, 9), paths_to_finish(&network, 0, 9), "seed {seed}");
            assert_eq!(plan.simulate(&options), simulate(&network, &options), "seed {seed}");
            let count = network.tasks.len() as i32;
            let [from, to] = [dice.between(0, count - 2) as usize, count as usize - 1];
            plan.edit(Edit::AddLink(Link::new(from, to))).expect("rows that are there");
            let task = dice.between(0, count - 1) as usize;
            plan.edit(Edit::Duration { task, days: dice.between(1, 9) }).expect("a row that is there");
        }
    }
}
