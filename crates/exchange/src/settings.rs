//! The settings of this area: how much of each kind of file is taken in. Their names and defaults are listed with all others
//! in the settings of the server.

use planwright_plan_files::seed::Ceiling;

/// Room for the other fields of a form and its boundaries, beside the file itself.
const FORM_ROOM: usize = 64 * 1024;

/// So many megabytes and rows.
const fn ceiling(megabytes: usize, rows: usize) -> Ceiling {
    Ceiling { bytes: megabytes << 20, rows }
}

/// The largest request that can hold such a file.
pub(crate) fn request_bytes(ceiling: Ceiling) -> usize {
    ceiling.bytes + FORM_ROOM
}

fn read(usual: Ceiling, name: &str, setting: &impl Fn(&str) -> Option<String>) -> Result<Ceiling, String> {
    let [size, rows] = names(name);
    let bytes = match setting(&size) {
        None => usual.bytes,
        Some(given) => {
            let megabytes: Option<f64> = given.trim().parse().ok();
            let megabytes = megabytes.filter(|size| *size > 0.0 && *size <= 1024.0);
            let wrong = || format!("{size}: {given:?} is not a number above 0 and at most 1024");
            (megabytes.ok_or_else(wrong)? * f64::from(1 << 20)) as usize
        }
    };
    let rows = match setting(&rows) {
        None => usual.rows,
        Some(given) => {
            let count: Option<usize> = given.trim().parse().ok();
            let wrong = || format!("{rows}: {given:?} is not a whole number from 1 to 1000000");
            count.filter(|count| (1..=1_000_000).contains(count)).ok_or_else(wrong)?
        }
    };
    Ok(Ceiling { bytes, rows })
}

/// The names of the settings of a kind of file: its size and its rows.
fn names(kind: &str) -> [String; 2] {
    match kind {
        // The name of the first setting is older than the others.
        "SEED" => ["SEED_MAX_UPLOAD_MB".to_owned(), "SEED_IMPORT_MAX_ROWS".to_owned()],
        kind => [format!("{kind}_IMPORT_MAX_UPLOAD_MB"), format!("{kind}_IMPORT_MAX_ROWS")],
    }
}

/// How much of each kind of file is taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExchangeSettings {
    /// Seed documents.
    pub seed: Ceiling,
    /// Tables as CSV.
    pub table: Ceiling,
    /// Tables as workbooks.
    pub workbook: Ceiling,
    /// Files of Microsoft Project.
    pub project_file: Ceiling,
    /// Files of Primavera.
    pub activities: Ceiling,
    /// Exports of Jira.
    pub issues: Ceiling,
}

impl Default for ExchangeSettings {
    fn default() -> Self {
        Self {
            seed: ceiling(5, 100_000),
            table: ceiling(10, 5_000),
            workbook: ceiling(10, 5_000),
            project_file: ceiling(50, 20_000),
            activities: ceiling(50, 20_000),
            issues: ceiling(25, 20_000),
        }
    }
}

impl ExchangeSettings {
    /// The settings as they were given; the message names the one that is wrong.
    pub fn from_settings(setting: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let usual = Self::default();
        Ok(Self {
            seed: read(usual.seed, "SEED", &setting)?,
            table: read(usual.table, "CSV", &setting)?,
            workbook: read(usual.workbook, "XLSX", &setting)?,
            project_file: read(usual.project_file, "MSPROJECT", &setting)?,
            activities: read(usual.activities, "PRIMAVERA", &setting)?,
            issues: read(usual.issues, "JIRA", &setting)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ceilings_are_given_in_megabytes_and_rows_and_a_wrong_one_is_named() {
        let read = |name: &'static str, value: &'static str| {
            ExchangeSettings::from_settings(move |asked| (asked == name).then(|| value.to_owned()))
        };
        assert_eq!(read("", "").unwrap(), ExchangeSettings::default());
        assert_eq!(ExchangeSettings::default().seed.bytes, 5_242_880);
        assert_eq!(read("SEED_MAX_UPLOAD_MB", "0.5").unwrap().seed.bytes, 524_288);
        assert_eq!(read("JIRA_IMPORT_MAX_ROWS", "7").unwrap().issues.rows, 7);
        for wrong in ["0", "-1", "many", "NaN", "1e9"] {
            for name in ["SEED_MAX_UPLOAD_MB", "CSV_IMPORT_MAX_UPLOAD_MB", "MSPROJECT_IMPORT_MAX_ROWS"] {
                assert!(read(name, wrong).unwrap_err().contains(name), "{name} {wrong}");
            }
        }
    }
}
