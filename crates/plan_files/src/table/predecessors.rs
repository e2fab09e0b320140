//! Links as people write them in a cell: `3`, `3FS+2d`, `5SS`, `7FF-1w`, several of them with commas or semicolons.
//! Which row a name means is decided by whoever knows the rows.

use planwright_domain::words::{DependencyType, Word};

use super::values::{is_grouped, unit_of};

/// A link as it was written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Written {
    /// How it names the row.
    pub(super) row: String,
    pub(super) kind: DependencyType,
    pub(super) lag: Lag,
}

impl Written {
    /// A link from finish to start without a lag.
    pub(super) fn plain(row: String) -> Self {
        Self { row, kind: DependencyType::default(), lag: Lag::Worked(0.0) }
    }
}

/// How far apart a link holds two rows. Less than nothing lets them overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Lag {
    /// Working days, with their fraction.
    Worked(f64),
    /// All time as working days, five for seven.
    Elapsed(f64),
    /// A share of the predecessor's duration, in percent.
    Percent(f64),
}

impl Lag {
    /// The whole days behind a predecessor of so many days, and whether parts of a day were rounded.
    pub(super) fn days(self, duration: u32) -> (i64, bool) {
        let days = match self {
            Self::Worked(days) | Self::Elapsed(days) => days,
            Self::Percent(percent) => percent / 100.0 * f64::from(duration),
        };
        let whole = days.round();
        (whole as i64, (whole - days).abs() > 1e-9)
    }
}

/// The links of a cell. What cannot be read comes back as its text.
pub(super) fn read(cell: &str) -> Vec<Result<Written, String>> {
    let parts = cell.split([',', ';', '\n']).map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| one(part).ok_or_else(|| part.to_owned())).collect()
}

fn one(text: &str) -> Option<Written> {
    let (head, lag) = match text.char_indices().skip(1).find(|(at, letter)| is_lag(text, *at, *letter)) {
        Some((at, _)) => (text[..at].trim(), lag(&text[at..])?),
        None => (text, Lag::Worked(0.0)),
    };
    let (row, kind) = match kind_of(head) {
        Some((kind, letters)) => (head[..head.len() - letters].trim(), Some(kind)),
        None => (head, None),
    };
    // A name without a type may have a hyphen of its own, such as `PLAN-12`.
    let (row, kind) = if row.is_empty() { (head, None) } else { (row, kind) };
    Some(Written { row: row.to_owned(), kind: kind.unwrap_or_default(), lag })
}

/// The types of links in German, French and Spanish files of Microsoft Project: end and start are `E` and `A`, `F` and `D`, `F` and
/// `C` there.
const IN_OTHER_LANGUAGES: [(&str, DependencyType); 10] = [
    ("EA", DependencyType::FinishToStart),
    ("FD", DependencyType::FinishToStart),
    ("FC", DependencyType::FinishToStart),
    ("AA", DependencyType::StartToStart),
    ("DD", DependencyType::StartToStart),
    ("CC", DependencyType::StartToStart),
    ("EE", DependencyType::FinishToFinish),
    ("AE", DependencyType::StartToFinish),
    ("DF", DependencyType::StartToFinish),
    ("CF", DependencyType::StartToFinish),
];

/// The type that a text ends with, and how many letters it has. Those of other languages stand only behind a number, since
/// names of rows may end with such letters.
fn kind_of(text: &str) -> Option<(DependencyType, usize)> {
    let upper = text.trim_end().to_ascii_uppercase();
    let trailing = text.len() - text.trim_end().len();
    let known = DependencyType::ALL.iter().find(|kind| upper.ends_with(kind.as_str()));
    if let Some(kind) = known {
        return Some((*kind, kind.as_str().len() + trailing));
    }
    let is_number = |row: &str| {
        let row = row.trim_end();
        !row.is_empty() && row.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    let spelled =
        IN_OTHER_LANGUAGES.iter().find(|(letters, _)| upper.strip_suffix(letters).is_some_and(is_number));
    spelled.map(|(letters, kind)| (*kind, letters.len() + trailing))
}

/// Whether a sign begins a lag: a plus always, a minus only behind the type of a link or a space.
fn is_lag(text: &str, at: usize, letter: char) -> bool {
    letter == '+' || (letter == '-' && kind_of(&text[..at]).is_some())
}

/// The lag of `+2d`, `-1w`, `+3 days`, `+1.5`, `+50%`, `+2 edays`. `+1.000` may be a thousand.
fn lag(text: &str) -> Option<Lag> {
    if is_grouped(text) {
        return None;
    }
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+')?),
    };
    let rest = rest.trim();
    let end = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(rest.len());
    let number: f64 = rest[..end].parse().ok()?;
    let lag = match rest[end..].trim() {
        "%" => Lag::Percent(sign * number),
        unit => match unit_of(unit)? {
            (days, false) => Lag::Worked(sign * number * days),
            (days, true) => Lag::Elapsed(sign * number * days),
        },
    };
    (lag.days(100).0.unsigned_abs() <= 36_525).then_some(lag)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(row: &str, kind: DependencyType, lag: i64) -> Result<Written, String> {
        Ok(Written { row: row.to_owned(), kind, lag: Lag::Worked(lag as f64) })
    }

    #[test]
    fn links_are_read_as_people_write_them() {
        use DependencyType::*;
        assert_eq!(read("3"), [written("3", FinishToStart, 0)]);
        assert_eq!(
            read("3FS+2d, 5SS; 7ff-1w"),
            [written("3", FinishToStart, 2), written("5", StartToStart, 0), written("7", FinishToFinish, -5),]
        );
        assert_eq!(read("PLAN-12"), [written("PLAN-12", FinishToStart, 0)]);
        assert_eq!(read("PLAN-12SS + 3 days"), [written("PLAN-12", StartToStart, 3)]);
        assert_eq!(read("1.2 FS+16h"), [written("1.2", FinishToStart, 2)]);
        assert_eq!(
            read("3EA+2 Tage; 4FD-1j"),
            [written("3", FinishToStart, 2), written("4", FinishToStart, -1)]
        );
        assert_eq!(read("1.2CC"), [written("1.2", StartToStart, 0)]);
        assert_eq!(read("AREA"), [written("AREA", FinishToStart, 0)], "a name that ends so is a name");
        assert_eq!(read(" ,; "), []);
        assert!(read("3FS+12h, 3FS-0.5d").into_iter().all(|link| link.unwrap().lag.days(1).1));
    }

    #[test]
    fn lags_in_percent_and_of_all_time_become_working_days() {
        let lags = |cell| read(cell).into_iter().map(|link| link.unwrap().lag).collect::<Vec<_>>();
        assert_eq!(
            lags("1FS+50%, 1SS-25 %; 1EA+50%"),
            [Lag::Percent(50.0), Lag::Percent(-25.0), Lag::Percent(50.0)]
        );
        assert_eq!(Lag::Percent(50.0).days(4), (2, false));
        assert_eq!(Lag::Percent(-25.0).days(5), (-1, true));
        let Lag::Elapsed(days) = lags("1FS+2 edays")[0] else { panic!("two days of all time") };
        assert!((days - 10.0 / 7.0).abs() < 1e-9);
        assert_eq!(lags("1FF-1 ew")[0].days(9), (-5, false));
    }

    #[test]
    fn what_cannot_be_read_comes_back_as_it_was() {
        assert_eq!(read("3FS+2x"), [Err("3FS+2x".to_owned())]);
        assert_eq!(read("3FS+"), [Err("3FS+".to_owned())]);
        assert_eq!(read("3FS+1.000d"), [Err("3FS+1.000d".to_owned())]);
        assert_eq!(read("3FS+99999999d"), [Err("3FS+99999999d".to_owned())]);
    }
}
