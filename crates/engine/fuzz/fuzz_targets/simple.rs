//! Any text as a document of the simple format: it is read or refused. If it can be read, it is scheduled.

#![no_main]

use libfuzzer_sys::fuzz_target;
use planwright_engine::simple::{parse, write};
use planwright_engine::{Quantity, SimulationOptions, explain, float_paths, paths_to_finish, quality, schedule, simulate};

fuzz_target!(|text: &str| {
    let Ok(project) = parse(text) else { return };
    let result = schedule(&project.network);
    let _ = write(&project, &result);
    let _ = quality(&project.network, &result, &project.records);
    let _ = paths_to_finish(&project.network, 0, 3);
    for task in 0..project.names.len().min(3) {
        let _ = explain(&project.network, task, Quantity::Early);
        let _ = explain(&project.network, task, Quantity::Free);
        let _ = float_paths(&project.network, task, 3);
    }
    let _ = simulate(&project.network, &SimulationOptions { runs: 16, ..project.simulation.clone() });
});
