//! Who may see the figures of a team, such as its velocity. Every read that could tell them asks here.
//! How far a figure is shown is set in the area `sprints`.

use std::collections::{HashMap, HashSet};

use planwright_domain::Role;
use planwright_domain::access::Facets;
use planwright_domain::ids::{ProjectId, UserId};
use planwright_domain::words::{Signal, SignalAudience};
use planwright_store::value::list;
use planwright_store::{Read, Result, row, sql};

/// How far a figure is shown as long as nobody says otherwise.
pub const DEFAULT_AUDIENCE: SignalAudience = SignalAudience::Team;

/// Where a member stands on the ladder: the smallest audience that contains them.
///
/// Who works in the project is the team. Its Scrum Master and its managers stand above it. A Viewer stands outside.
pub fn tier(role: Role, facets: Facets) -> SignalAudience {
    match (role, facets.is_scrum_master) {
        (Role::Viewer, _) => SignalAudience::ProgramShared,
        (Role::Member | Role::ResourceManager, _) => SignalAudience::Team,
        (_, true) => SignalAudience::TeamSm,
        (_, false) => SignalAudience::TeamSmPm,
    }
}

/// Whether a figure with this audience is for the eyes of a member.
pub fn is_for(audience: SignalAudience, role: Role, facets: Facets) -> bool {
    tier(role, facets) <= audience
}

row! {
    struct Standing {
        project_id: ProjectId,
        role: Role,
        is_scrum_master: bool,
        audience: Option<SignalAudience>,
    }
}

/// Those of some projects in which a person reads a figure.
pub async fn readable(
    db: &dyn Read,
    signal: Signal,
    reader: UserId,
    projects: impl IntoIterator<Item = ProjectId>,
) -> Result<HashSet<ProjectId>> {
    let projects: HashSet<ProjectId> = projects.into_iter().collect();
    if projects.is_empty() {
        return Ok(HashSet::new());
    }
    let select = "SELECT m.project_id, m.role, a.audience, EXISTS (
                SELECT 1 FROM team_members x JOIN teams t ON t.id = x.team_id AND t.is_default
                WHERE t.project_id = m.project_id AND x.user_id = m.user_id AND x.is_scrum_master) AS is_scrum_master
         FROM project_members m
         LEFT JOIN signal_audiences a ON a.project_id = m.project_id AND a.signal = :signal
         WHERE m.user_id = :reader AND m.deletion_id IS NULL AND m.project_id IN (:projects)";
    let rows: Vec<Standing> =
        db.all(sql!(select, signal = signal, reader = reader, projects = list(projects))).await?;
    let reads = |row: &Standing| {
        let facets = Facets { is_scrum_master: row.is_scrum_master, ..Facets::default() };
        is_for(row.audience.unwrap_or(DEFAULT_AUDIENCE), row.role, facets)
    };
    Ok(rows.into_iter().filter(reads).map(|row| row.project_id).collect())
}

/// How far a figure of some projects is shown.
pub async fn audiences(
    db: &dyn Read,
    signal: Signal,
    projects: &[ProjectId],
) -> Result<HashMap<ProjectId, SignalAudience>> {
    let select = "SELECT project_id, audience FROM signal_audiences WHERE signal = :signal AND project_id IN (:projects)";
    let rows: Vec<(ProjectId, SignalAudience)> =
        db.all(sql!(select, signal = signal, projects = list(projects.iter().copied()))).await?;
    Ok(rows.into_iter().collect())
}

/// Whether the velocity of a project is for everybody, such as the receivers of its webhooks.
pub async fn is_public(db: &dyn Read, project: ProjectId) -> Result<bool> {
    let audience = audiences(db, Signal::Velocity, &[project]).await?.remove(&project);
    Ok(audience.unwrap_or(DEFAULT_AUDIENCE) == SignalAudience::ProgramShared)
}

/// Whether somebody reads the velocity of a project.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VelocityGate {
    /// Whether they do.
    pub is_open: bool,
}

impl VelocityGate {
    /// The gate as a person finds it.
    pub async fn of(db: &dyn Read, project: ProjectId, reader: UserId) -> Result<Self> {
        let open = readable(db, Signal::Velocity, reader, [project]).await?;
        Ok(Self { is_open: open.contains(&project) })
    }

    /// A figure, for those who read it.
    pub fn lets<T>(self, figure: Option<T>) -> Option<T> {
        figure.filter(|_| self.is_open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_team_sees_its_own_figures_and_managers_and_viewers_only_what_they_are_shown() {
        let master = Facets { is_scrum_master: true, ..Facets::default() };
        let none = Facets::default();
        use SignalAudience::*;
        let sees = |audience| {
            [
                (Role::Member, none),
                (Role::ProjectManager, master),
                (Role::ProjectManager, none),
                (Role::Owner, none),
                (Role::Viewer, none),
            ]
            .map(|(role, facets)| is_for(audience, role, facets))
        };
        assert_eq!(sees(Team), [true, false, false, false, false]);
        assert_eq!(sees(TeamSm), [true, true, false, false, false]);
        assert_eq!(sees(TeamSmPm), [true, true, true, true, false]);
        assert_eq!(sees(ProgramShared), [true, true, true, true, true]);
    }

    #[test]
    fn a_closed_gate_lets_nothing_through() {
        assert_eq!(VelocityGate { is_open: true }.lets(Some(3)), Some(3));
        assert_eq!(VelocityGate { is_open: false }.lets(Some(3)), None);
    }
}
