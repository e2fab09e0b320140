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
pub const SAMPLES: &[Sample] = &[
    Sample {
        key: "software-launch",
        title: "Software launch",
        description: "A notes app from the first interview to the look back after launch: phases, sprints, a beta, \
                      estimates, risks, and two weeks of work already under way.",
        filename: "software-launch.json",
        text: include_str!("samples/software-launch.json"),
    },
    Sample {
        key: "mobile-app",
        title: "Mobile app, agile",
        description: "A team builds an app with which neighbours lend each other tools: six sprints, epics, a product \
                      backlog with scores, acceptance criteria, and two releases ahead.",
        filename: "mobile-app.json",
        text: include_str!("samples/mobile-app.json"),
    },
    Sample {
        key: "riverside-library",
        title: "Civic building",
        description: "A town builds a library: 345 rows from the brief to the opening day, with weather days, holidays, \
                      constraints, deadlines, a baseline that slipped, trades and long-lead orders.",
        filename: "riverside-library.json",
        text: include_str!("samples/riverside-library.json"),
    },
    Sample {
        key: "crm-replacement",
        title: "Replacement of a CRM",
        description: "Four projects that wait for each other, up to one weekend of change-over: links between projects, \
                      slips against the plan of the board, and risks with days.",
        filename: "crm-replacement.json",
        text: include_str!("samples/crm-replacement.json"),
    },
];

/// The sample with this key.
pub fn sample(key: &str) -> Option<&'static Sample> {
    SAMPLES.iter().find(|sample| sample.key == key)
}
