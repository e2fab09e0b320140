//! Divides the runs among threads and combines the results. The work is cut into parts of fixed size, so the number
//! of threads cannot change the result.

use crate::compiled::Compiled;
use crate::day::Day;
use crate::engine::place;
use crate::inputs::{Inputs, PINNED};
use crate::network::Network;
use crate::passes::{Early, Forward};

use super::forecast::{FinishForecast, Ranked, moments, ranks};
use super::lanes::Lanes;
use super::sampling::{Sampler, WIDTH};
use super::{Simulation, SimulationOptions, TaskForecast};

/// Runs of one piece of work.
const PIECE: u32 = 1_024;

/// Runs that sensitivity is measured on, fewer where many tasks vary: drawn work is kept for all of them.
const MEASURED: u32 = 2_048;

/// Drawn values that are kept at most.
const KEPT: usize = 8_000_000;

/// Runs at most; a percentile gains nothing beyond.
const MOST_RUNS: u32 = 1_000_000;

/// What one piece of runs yields.
struct Piece {
    first: u32,
    /// By project: the boundary at which each run ends.
    over: Vec<Vec<f64>>,
    /// By node: runs in which it decides.
    decides: Vec<u32>,
    /// By node: runs that meet its deadline.
    meets: Vec<u32>,
    /// By varying node: drawn remaining work of measured runs.
    drawn: Vec<Vec<f32>>,
}

/// What all threads read.
struct Job<'a> {
    network: &'a Network,
    compiled: &'a Compiled,
    inputs: &'a Inputs,
    early: &'a Early,
    sampler: Sampler<'a>,
    varying: Vec<usize>,
    deadlines: Vec<(usize, Day)>,
    runs: u32,
    measured: u32,
    watch: &'a (dyn Fn(u32) + Sync),
}

pub(crate) fn simulate(
    network: &Network,
    options: &SimulationOptions,
    watch: &(dyn Fn(u32) + Sync),
) -> Simulation {
    let compiled = Compiled::new(network);
    let (inputs, early) = place(network, &compiled);
    simulate_forward(
        &Forward { network, compiled: &compiled, inputs: &inputs, early: &early },
        options,
        watch,
    )
}

/// Simulates what is compiled and placed already.
pub(super) fn simulate_forward(
    forward: &Forward<'_>,
    options: &SimulationOptions,
    watch: &(dyn Fn(u32) + Sync),
) -> Simulation {
    let Forward { network, compiled, inputs, early } = *forward;
    let sampler = Sampler::new(network, compiled, inputs, options);
    let leaves = || (0..compiled.nodes.len()).filter(|node| compiled.is_leaf(*node));
    let deadline = |node: usize| network.tasks[compiled.nodes[node].task as usize].deadline;
    let varying: Vec<usize> = leaves().filter(|node| sampler.varies(*node)).collect();
    let runs = options.runs.clamp(1, MOST_RUNS);
    let affordable = (KEPT / varying.len().max(1)).max(64) as u32 / WIDTH as u32 * WIDTH as u32;
    let job = Job {
        varying,
        measured: MEASURED.min(affordable).min(runs),
        deadlines: leaves().filter_map(|node| deadline(node).map(|day| (node, day))).collect(),
        runs,
        network,
        compiled,
        inputs,
        early,
        sampler,
        watch,
    };
    let pieces = job.run_all(options.threads.max(1));
    job.answer(&pieces, options)
}

impl Job<'_> {
    fn run_all(&self, threads: usize) -> Vec<Piece> {
        let starts: Vec<u32> = (0..self.runs).step_by(PIECE as usize).collect();
        let threads = threads.min(starts.len());
        let work = |turn: usize| -> Vec<Piece> {
            let mut lanes = Lanes::new(self.network, self.compiled, self.inputs, self.early);
            starts.iter().skip(turn).step_by(threads).map(|first| self.piece(&mut lanes, *first)).collect()
        };
        if threads <= 1 {
            return work(0);
        }
        let mut pieces: Vec<Piece> = std::thread::scope(|scope| {
            let handles: Vec<_> = (1..threads).map(|turn| scope.spawn(move || work(turn))).collect();
            let mut pieces = work(0);
            for handle in handles {
                match handle.join() {
                    Ok(more) => pieces.extend(more),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            pieces
        });
        pieces.sort_by_key(|piece| piece.first);
        pieces
    }

    /// One piece of runs, with the vectors that this processor has. Wider ones change no bit: every lane is
    /// computed by itself, and nothing is fused.
    fn piece(&self, lanes: &mut Lanes<'_>, first: u32) -> Piece {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // The processor was asked.
            #[allow(unsafe_code)]
            return unsafe { self.piece_avx2(lanes, first) };
        }
        self.piece_anywhere(lanes, first)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn piece_avx2(&self, lanes: &mut Lanes<'_>, first: u32) -> Piece {
        self.piece_anywhere(lanes, first)
    }

    #[inline(always)]
    fn piece_anywhere(&self, lanes: &mut Lanes<'_>, first: u32) -> Piece {
        let count = self.compiled.nodes.len();
        let runs = PIECE.min(self.runs - first);
        let mut piece = Piece {
            first,
            over: vec![Vec::with_capacity(runs as usize); self.network.projects.len()],
            decides: vec![0; count],
            meets: vec![0; count],
            drawn: vec![Vec::new(); self.varying.len()],
        };
        for batch in (first..first + runs).step_by(WIDTH) {
            let valid = WIDTH.min((first + runs - batch) as usize);
            let mut counted = [0u8; WIDTH];
            counted[..valid].fill(1);
            self.sampler.fill(batch, self.inputs, &mut lanes.remaining);
            lanes.forward();
            let last = lanes.finish();
            lanes.trace(&last, &counted);
            for (over, all) in lanes.over.iter().zip(&mut piece.over) {
                all.extend_from_slice(&over[..valid]);
            }
            for (node, day) in &self.deadlines {
                piece.meets[*node] +=
                    (0..valid).map(|index| u32::from(lanes.meets(*node, *day, index))).sum::<u32>();
            }
            if batch < self.measured {
                for (node, drawn) in self.varying.iter().zip(&mut piece.drawn) {
                    drawn.extend_from_slice(
                        &lanes.remaining[*node][..valid.min((self.measured - batch) as usize)],
                    );
                }
            }
        }
        for (sum, deciding) in piece.decides.iter_mut().zip(&mut lanes.deciding) {
            *sum = deciding.iter().map(|count| u32::from(*count)).sum();
            *deciding = [0; WIDTH];
        }
        (self.watch)(runs);
        piece
    }

    fn answer(&self, pieces: &[Piece], options: &SimulationOptions) -> Simulation {
        let over: Vec<Vec<f64>> = (0..self.network.projects.len())
            .map(|project| pieces.iter().flat_map(|piece| piece.over[project].iter().copied()).collect())
            .collect();
        let projects: Vec<Option<FinishForecast>> =
            over.iter().enumerate().map(|(project, over)| self.forecast(project, over)).collect();
        let all: Vec<f64> = (0..self.runs as usize)
            .map(|run| over.iter().map(|over| over[run]).fold(f64::NEG_INFINITY, f64::max))
            .collect();
        Simulation {
            runs: self.runs,
            seed: options.seed,
            finish: self.forecast(0, &all),
            tasks: self.tasks(pieces, &over, &projects),
            projects,
            faults: self.compiled.faults.clone(),
        }
    }

    /// Statistics of a finish, counted in working days of a project's calendar from its start.
    fn forecast(&self, project: usize, over: &[f64]) -> Option<FinishForecast> {
        let frame = self.network.projects.get(project)?;
        if over.iter().any(|boundary| !boundary.is_finite()) {
            return None;
        }
        let axis = &self.compiled.calendars.axes[self.compiled.project_axis[project] as usize];
        let from = f64::from(axis.ordinal(frame.start.0));
        let spans: Vec<f64> = over.iter().map(|boundary| axis.fraction_ordinal(*boundary) - from).collect();
        let day_of = |boundary: &f64| Day(boundary.ceil() as i32 - 1);
        let days = over.iter().map(day_of);
        Some(FinishForecast::new(days.collect(), &spans))
    }

    fn tasks(
        &self,
        pieces: &[Piece],
        over: &[Vec<f64>],
        projects: &[Option<FinishForecast>],
    ) -> Vec<Option<TaskForecast>> {
        let measured = self.measured as usize;
        let finish_ranks: Vec<Ranked> =
            over.iter().map(|over| Ranked::of(&over[..measured.min(over.len())])).collect();
        let sum = |of: &dyn Fn(&Piece) -> u32| pieces.iter().map(of).sum::<u32>();
        let share = |count: u32| f64::from(count) / f64::from(self.runs);
        let mut tasks = vec![None; self.network.tasks.len()];
        for node in (0..self.compiled.nodes.len()).filter(|node| self.compiled.is_leaf(*node)) {
            let index = self.compiled.nodes[node].task as usize;
            let task = &self.network.tasks[index];
            let open = self.inputs.flags[node] & PINNED == 0;
            let criticality = if open { share(sum(&|piece| piece.decides[node])) } else { 0.0 };
            let met = share(sum(&|piece| piece.meets[node]));
            let mut forecast = TaskForecast {
                mean_remaining: f64::from(self.inputs.remaining[node]),
                sd_remaining: 0.0,
                criticality,
                sensitivity: 0.0,
                schedule_sensitivity: 0.0,
                deadline_met: task.deadline.map(|_| met),
            };
            if let Ok(place) = self.varying.binary_search(&node) {
                let drawn: Vec<f64> = pieces
                    .iter()
                    .flat_map(|piece| piece.drawn[place].iter().map(|days| f64::from(*days)))
                    .collect();
                (forecast.mean_remaining, forecast.sd_remaining) = moments(&drawn);
                forecast.sensitivity = {
                    let shares = self.sampler.shares(node, measured as u32);
                    let ranks = shares.unwrap_or_else(|| ranks(&drawn));
                    finish_ranks[task.project].correlation(&ranks).abs()
                };
                let spread = projects[task.project].as_ref().map_or(0.0, |finish| finish.sd_days);
                if spread > 0.0 {
                    forecast.schedule_sensitivity = criticality * forecast.sd_remaining / spread;
                }
            }
            tasks[index] = Some(forecast);
        }
        tasks
    }
}
