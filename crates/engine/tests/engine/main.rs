//! Tests of the engine from outside: worked examples, properties on random plans, and robustness against any input.
//! They are one binary, so it is built and linked once.

mod compiled_plan;
mod critical_path;
mod cycles;
mod done_work;
mod drag;
mod everything;
mod explanations;
mod float_paths;
mod generate;
mod incremental;
#[cfg(feature = "serde")]
mod kept;
mod late_deliveries;
mod longest_path;
mod metamorphic;
mod naive;
#[cfg(feature = "simple")]
mod page;
mod properties;
mod quality;
mod rare_cases;
mod robustness;
mod rounding;
mod said;
mod second_opinion;
mod simulation;
mod slip;
mod summaries;
mod worked_examples;
