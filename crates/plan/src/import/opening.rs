//! The end of an import: what was written in slices is shown at once, and told.
//! The transaction of this is short, however large the plan is.

use planwright_domain::ids::DeletionId;
use planwright_store::{Result, Tx};

use super::{Built, Origin, announce, queries};
use crate::containers::{ProjectRow, open_hidden};
use crate::deletion::queries::close_deletion;
use crate::schedule::First;

/// A plan that is written and that nobody sees.
pub struct Hidden {
    pub(super) act: DeletionId,
    pub(super) projects: Vec<ProjectRow>,
    pub(super) dates: Vec<First>,
    pub(super) built: Built,
}

impl Hidden {
    /// What was written.
    pub fn built(&self) -> &Built {
        &self.built
    }

    /// Shows everything, and tells of its projects, their tasks and their dates.
    pub async fn open(self, tx: &mut Tx, origin: &Origin) -> Result<Built> {
        queries::library::unhide(tx, self.act).await?;
        for project in &self.projects {
            open_hidden(tx, origin.creator, project).await?;
        }
        close_deletion(tx, self.act).await?;
        for dates in self.dates {
            dates.conclude(tx).await?;
        }
        announce(tx, origin, &self.built).await?;
        Ok(self.built)
    }
}
