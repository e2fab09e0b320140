//! Inverse distribution functions as tables: the unit PERT Beta for any mode, the triangle, and the
//! normal distribution both ways.

use std::collections::HashMap;
use std::f64::consts::SQRT_2;

/// Cells of a table; a value lies between two of `CELLS + 1` points.
pub(crate) const CELLS: usize = 256;

/// Quantiles at 0, 1/256 … 1.
pub(crate) type Quantiles = [f64; CELLS + 1];

/// Modes for which exact tables are made; between them tables are blended.
const MODES: usize = 64;

/// Steps of the integration of one density.
const STEPS: usize = 2_048;

/// PERT tables made so far.
#[derive(Default)]
pub(crate) struct PertTables {
    tables: HashMap<usize, Box<Quantiles>>,
}

impl PertTables {
    /// Quantiles of the Beta distribution on 0..1 with α = 1 + 4·mode and β = 5 − 4·mode.
    pub(crate) fn at(&mut self, mode: f64) -> Quantiles {
        let place = mode.clamp(0.0, 1.0) * MODES as f64;
        let lower = (place.floor() as usize).min(MODES - 1);
        let share = place - lower as f64;
        let low = **self.tables.entry(lower).or_insert_with(|| Box::new(pert(lower as f64 / MODES as f64)));
        if share == 0.0 {
            return low;
        }
        let upper = lower + 1;
        let high = self.tables.entry(upper).or_insert_with(|| Box::new(pert(upper as f64 / MODES as f64)));
        // The mean is linear in the mode, so blending keeps it.
        std::array::from_fn(|index| low[index] + share * (high[index] - low[index]))
    }
}

fn pert(mode: f64) -> Quantiles {
    let (left, right) = (4.0 * mode, 4.0 - 4.0 * mode);
    // x = s²(3 − 2s) puts many points at both ends, where the density may be steep.
    let point = |step: usize| {
        let s = step as f64 / STEPS as f64;
        s * s * (3.0 - 2.0 * s)
    };
    let weight = |step: usize| {
        let s = step as f64 / STEPS as f64;
        let x = point(step);
        x.powf(left) * (1.0 - x).powf(right) * 6.0 * s * (1.0 - s)
    };
    // Running integrals of the density and of x times the density.
    let mut sums = vec![(0.0, 0.0)];
    let (mut sum, mut moment) = (0.0, 0.0);
    for step in 1..=STEPS {
        let (before, here) = (weight(step - 1), weight(step));
        sum += before + here;
        moment += before * point(step - 1) + here * point(step);
        sums.push((sum, moment));
    }
    let mut step = 0;
    let mut moments = [0.0; CELLS + 1];
    let mut table: Quantiles = std::array::from_fn(|index| {
        let wanted = sum * index as f64 / CELLS as f64;
        while step + 1 < STEPS && sums[step + 1].0 < wanted {
            step += 1;
        }
        let (from, to) = (sums[step], sums[step + 1]);
        let share = if to.0 > from.0 { ((wanted - from.0) / (to.0 - from.0)).clamp(0.0, 1.0) } else { 1.0 };
        moments[index] = from.1 + share * (to.1 - from.1);
        point(step) + share * (point(step + 1) - point(step))
    });
    // The curve is steep at its ends; the outermost points make the mean of their cells true.
    let cell_mean = |cell: usize| (moments[cell + 1] - moments[cell]) / (sum / CELLS as f64);
    table[0] = (2.0 * cell_mean(0) - table[1]).clamp(0.0, table[1]);
    table[CELLS] = (2.0 * cell_mean(CELLS - 1) - table[CELLS - 1]).clamp(table[CELLS - 1], 1.0);
    table
}

/// Quantiles of the triangle on 0..1 with its tip at `mode`.
pub(crate) fn triangle(mode: f64) -> Quantiles {
    std::array::from_fn(|index| {
        let u = index as f64 / CELLS as f64;
        if u < mode { (u * mode).sqrt() } else { 1.0 - ((1.0 - u) * (1.0 - mode)).sqrt() }
    })
}

/// The share of a standard normal distribution below `z`; error under 2·10⁻⁷.
pub(crate) fn normal_below(z: f64) -> f64 {
    let x = z.abs() / SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let series = t
        * (0.254_829_592
            + t * (-0.284_496_736 + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
    let tail = 0.5 * series * (-x * x).exp();
    if z < 0.0 { tail } else { 1.0 - tail }
}

/// The value below which a share of a standard normal distribution lies; error under 5·10⁻⁴, which
/// sampling noise hides.
pub(crate) fn normal_quantile(share: f64) -> f64 {
    let tail = share.min(1.0 - share).max(1e-12);
    let t = (-2.0 * tail.ln()).sqrt();
    let top = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let bottom = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    let value = t - top / bottom;
    if share < 0.5 { -value } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean_and_variance(table: &Quantiles) -> (f64, f64) {
        // Straight pieces: the mean of a cell is its middle, the mean square has a third of the width.
        let cells = || table.windows(2).map(|pair| (pair[0], pair[1]));
        let mean = cells().map(|(low, high)| (low + high) / 2.0).sum::<f64>() / CELLS as f64;
        let square = cells().map(|(low, high)| (low * low + low * high + high * high) / 3.0).sum::<f64>();
        (mean, square / CELLS as f64 - mean * mean)
    }

    #[test]
    fn pert_tables_have_the_mean_and_variance_of_the_formula() {
        let mut tables = PertTables::default();
        for mode in [0.0, 0.003, 0.1, 0.25, 0.333, 0.5, 0.77, 1.0] {
            let (mean, variance) = mean_and_variance(&tables.at(mode));
            let wanted = (1.0 + 4.0 * mode) / 6.0;
            assert!((mean - wanted).abs() < 1e-4, "mode {mode}: mean {mean}, wanted {wanted}");
            let wanted = wanted * (1.0 - wanted) / 7.0;
            assert!(
                (variance / wanted - 1.0).abs() < 0.01,
                "mode {mode}: variance {variance}, wanted {wanted}"
            );
        }
    }

    #[test]
    fn normal_tables_undo_each_other() {
        for share in [0.001, 0.02, 0.3, 0.5, 0.8, 0.975, 0.9999] {
            assert!((normal_below(normal_quantile(share)) - share).abs() < 2e-4);
        }
    }
}
