//! What work costs: units and rates are hundredths, money is hundredths of the one currency that all rates are in.

/// What an hour of the people costs that are allocated to the task `t`, in ten thousandths; null if none of them has a rate.
pub const HOURLY_COST: &str = "(SELECT CAST(SUM(a.units * r.hourly_rate) AS BIGINT) FROM task_resources a
    JOIN resources r ON r.id = a.resource_id WHERE a.task_id = t.id AND a.deletion_id IS NULL)";

/// What a number of hours costs, in hundredths, if an hour costs so many ten thousandths.
pub fn of_hours(hourly_cost: i64, hours: f64) -> i64 {
    (hourly_cost as f64 * hours / 100.0).round() as i64
}

/// Hundredths as a number of the currency.
pub fn amount(hundredths: i64) -> f64 {
    hundredths as f64 / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_person_costs_half_of_the_rate() {
        // 50 hundredths of a person at 90.00 an hour.
        assert_eq!(of_hours(50 * 9_000, 8.0), 36_000);
        assert_eq!(amount(36_000), 360.0);
    }
}
