//! The settings of this area: how much of each kind of file is taken in. Their names and defaults are listed with all others
//! in the settings of the server.

use planwright_domain::sizes::size_in_words;

/// Room for the other fields of a form and its boundaries, beside the file itself.
const FORM_ROOM: usize = 64 * 1024;

/// How much of a file is taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ceiling {
    /// The largest file, in bytes.
    pub bytes: usize,
    /// The most rows, which are tasks or issues.
    pub rows: usize,
}

impl Ceiling {
    /// No ceiling, for files that are at hand anyway.
    pub const NONE: Self = Self { bytes: usize::MAX, rows: usize::MAX };

    const fn of(megabytes: usize, rows: usize) -> Self {
        Self { bytes: megabytes << 20, rows }
    }

    /// The largest request that can hold such a file.
    pub fn request_bytes(self) -> usize {
        self.bytes + FORM_ROOM
    }

    /// What is wrong with the size of a file, in megabytes.
    pub fn too_large(self) -> String {
        format!("The file may have at most {}.", size_in_words(self.bytes))
    }

    /// What is wrong with a file of more rows.
    pub fn too_long(self) -> String {
        format!("The file may have at most {} rows.", self.rows)
    }

    fn read(self, name: &str, setting: &impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let [size, rows] = names(name);
        let bytes = match setting(&size) {
            None => self.bytes,
            Some(given) => {
                let megabytes: Option<f64> = given.trim().parse().ok();
                let megabytes = megabytes.filter(|size| *size > 0.0 && *size <= 1024.0);
                let wrong = || format!("{size}: {given:?} is not a number above 0 and at most 1024");
                (megabytes.ok_or_else(wrong)? * f64::from(1 << 20)) as usize
            }
        };
        let rows = match setting(&rows) {
            None => self.rows,
            Some(given) => {
                let count: Option<usize> = given.trim().parse().ok();
                let wrong = || format!("{rows}: {given:?} is not a whole number from 1 to 1000000");
                count.filter(|count| (1..=1_000_000).contains(count)).ok_or_else(wrong)?
            }
        };
        Ok(Self { bytes, rows })
    }
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
            seed: Ceiling::of(5, 100_000),
            table: Ceiling::of(10, 5_000),
            workbook: Ceiling::of(10, 5_000),
            project_file: Ceiling::of(50, 20_000),
            activities: Ceiling::of(50, 20_000),
            issues: Ceiling::of(25, 20_000),
        }
    }
}

impl ExchangeSettings {
    /// The settings as they were given; the message names the one that is wrong.
    pub fn from_settings(setting: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let usual = Self::default();
        Ok(Self {
            seed: usual.seed.read("SEED", &setting)?,
            table: usual.table.read("CSV", &setting)?,
            workbook: usual.workbook.read("XLSX", &setting)?,
            project_file: usual.project_file.read("MSPROJECT", &setting)?,
            activities: usual.activities.read("PRIMAVERA", &setting)?,
            issues: usual.issues.read("JIRA", &setting)?,
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
