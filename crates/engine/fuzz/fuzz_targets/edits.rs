//! A document of the simple format, then edits of three bytes each. After every edit the compiled plan must give the
//! same answer as a new computation.

#![no_main]

use libfuzzer_sys::fuzz_target;
use planwright_engine::simple::parse;
use planwright_engine::{CompiledPlan, Day, Edit, Link, Task, schedule};

fuzz_target!(|input: (&str, &[u8])| {
    let Ok(project) = parse(input.0) else { return };
    let mut plan = CompiledPlan::new(project.network);
    for bytes in input.1.chunks_exact(3).take(32) {
        let (one, other) = (usize::from(bytes[1]), usize::from(bytes[2]));
        let number = i32::from(bytes[2]) - 100;
        let _ = plan.edit(match bytes[0] % 8 {
            0 => Edit::Duration { task: one, days: number },
            1 => Edit::PlannedStart { task: one, day: Some(Day(20_458 + number)) },
            2 => Edit::Deadline { task: one, day: Some(Day(20_458 + number)) },
            3 => Edit::Lag { link: one, lag: number },
            4 => Edit::AddLink(Link::new(one, other)),
            5 => Edit::RemoveLink(one),
            6 => Edit::AddTask(Box::new(Task::new(1 << 64 | other as u128, number))),
            _ => Edit::RemoveTask(one),
        });
        assert_eq!(plan.schedule(), schedule(plan.network()));
    }
});
