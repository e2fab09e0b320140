//! The programs that ship with the product, as seed documents whose dates count from the day they are loaded.

/// One bundled program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// The key that a request uses.
    pub key: &'static str,
    /// The title in the list.
    pub title: &'static str,
    /// A short description.
    pub description: &'static str,
    /// Name of the file when it is downloaded.
    pub filename: &'static str,
    /// The document.
    pub text: &'static str,
}

/// All of them, the default first.
pub const SAMPLES: &[Sample] = &[Sample {
    key: "software-launch",
    title: "Software launch",
    description: "A notes app from the first interview to the look back after launch: phases, sprints, a beta, \
                  estimates, risks, and two weeks of work already under way.",
    filename: "software-launch.json",
    text: include_str!("samples/software-launch.json"),
}];

/// The sample with this key.
pub fn sample(key: &str) -> Option<&'static Sample> {
    SAMPLES.iter().find(|sample| sample.key == key)
}
