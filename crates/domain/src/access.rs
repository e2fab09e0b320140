//! The permission table: which role may do what in a project, program or workspace.
//! It is data with one question, [`allows`]; finding the caller's role and hiding what may not be seen is done by the scopes of the web crate.

use crate::roles::Role;

/// Who is let through for an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    /// That role or any above it.
    AtLeast(Role),
    /// That role or above, except the Resource Manager, who never authors the plan.
    Author,
    /// A Project Manager or above, or a member who is Scrum Master or Product Owner.
    Facilitator,
    /// A Project Manager or above, or a member who is Scrum Master.
    ScrumMaster,
}

impl Needs {
    /// Whether it depends on more than the role.
    pub const fn asks_facets(self) -> bool {
        matches!(self, Needs::Facilitator | Needs::ScrumMaster)
    }
}

/// What somebody is in the team of a project besides their role.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Facets {
    /// Whether they are Scrum Master.
    pub is_scrum_master: bool,
    /// Whether they are Product Owner.
    pub is_product_owner: bool,
}

/// Declares the actions, and a marker type of the same name for each, so a scope can carry its action in its type.
macro_rules! actions {
    ($($(#[$doc:meta])* $name:ident: $needs:expr;)*) => {
        /// Everything somebody may be allowed or refused to do.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Action { $($(#[$doc])* $name),* }

        impl Action {
            /// Every action, in the order of the table.
            pub const ALL: &'static [Action] = &[$(Action::$name),*];

            /// The name in the golden matrix.
            pub const fn name(self) -> &'static str {
                match self { $(Action::$name => stringify!($name)),* }
            }

            /// The row of the table.
            pub const fn needs(self) -> Needs {
                match self { $(Action::$name => $needs),* }
            }
        }

        /// Marker types: `ProjectScope<may::EditTasks>` is a project that the caller may edit tasks in.
        pub mod may {
            use super::{Action, May};
            $(
                $(#[$doc])*
                #[derive(Clone, Copy, Debug)]
                pub enum $name {}
                impl May for $name { const ACTION: Action = Action::$name; }
            )*
        }
    };
}

/// A marker type's action.
pub trait May: Send + Sync + 'static {
    /// The action the marker stands for.
    const ACTION: Action;
}

actions! {
    /// Read the calendars of the library.
    ReadCalendars: Needs::AtLeast(Role::Viewer);
    /// Change the calendars of the library; the role is the highest that somebody has in a project or in the workspace.
    EditCalendars: Needs::AtLeast(Role::ProjectManager);
    /// Read the catalogue of resources and skills.
    ReadResources: Needs::AtLeast(Role::Viewer);
    /// Change the catalogue of resources; the role is the highest that somebody has in a project or in the workspace.
    EditResources: Needs::AtLeast(Role::ProjectManager);
    /// Change the catalogue of skills, and who has them.
    EditSkills: Needs::AtLeast(Role::ResourceManager);
    /// See how much of whose capacity is used.
    ReadCapacity: Needs::AtLeast(Role::ResourceManager);
    /// Read a project and everything in it.
    ReadProject: Needs::AtLeast(Role::Viewer);
    /// Change project settings; a Resource Manager only some of them.
    EditProject: Needs::AtLeast(Role::ResourceManager);
    /// Add members and change their roles.
    ManageProjectMembers: Needs::AtLeast(Role::Owner);
    /// Delete, archive, restore or hand over a project.
    OwnProject: Needs::AtLeast(Role::Owner);
    /// Change a team's roles and facets.
    EditTeam: Needs::AtLeast(Role::Member);
    /// Write the plan: create, edit, reorder, classify.
    AuthorPlan: Needs::Author;
    /// Keep phases, delete sprints, sweep what nobody touched, take batches back.
    ManagePlan: Needs::AtLeast(Role::ProjectManager);
    /// Accept suggested estimates.
    ApproveEstimates: Needs::AtLeast(Role::ResourceManager);
    /// Log time and take part: comments, notes, criteria.
    TakePart: Needs::AtLeast(Role::Member);
    /// Be told at once what happens in a project, and be seen there.
    FollowProject: Needs::AtLeast(Role::Member);
    /// Begin a workshop, and end that of somebody else.
    HoldWorkshop: Needs::AtLeast(Role::ProjectManager);
    /// Link tasks, allocate resources, keep the roster.
    ManageLinks: Needs::AtLeast(Role::ResourceManager);
    /// Ask for a recalculation by hand.
    RunSchedule: Needs::AtLeast(Role::ResourceManager);
    /// Stop a recalculation that is queued or under way.
    CancelRun: Needs::AtLeast(Role::ProjectManager);
    /// Say how strictly sprints are guarded.
    EditGuardrails: Needs::AtLeast(Role::Member);
    /// Plan, begin, order, close and cancel sprints.
    RunSprints: Needs::AtLeast(Role::Member);
    /// Say what a sprint can take, how its goal ended and whether its velocity counts.
    RateSprints: Needs::AtLeast(Role::ResourceManager);
    /// Bind sprints to milestones.
    BindMilestones: Needs::AtLeast(Role::ResourceManager);
    /// Accept or reject what was added to a running sprint.
    DecideScope: Needs::Facilitator;
    /// Note that a slip conflict has been seen.
    AcknowledgeSlips: Needs::Facilitator;
    /// Say who sees the figures of a team, below the ceiling.
    SetAudience: Needs::ScrumMaster;
    /// Arrange the columns of the board, and add fields to tasks.
    ArrangeBoard: Needs::AtLeast(Role::ResourceManager);
    /// Say whether Viewers read the decisions of a project.
    EditDecisionPolicy: Needs::AtLeast(Role::ProjectManager);
    /// Make, rename and delete groups of people that can be mentioned in a project.
    ManageMentionGroups: Needs::AtLeast(Role::ProjectManager);
    /// Say who is in such a group of a project.
    FillMentionGroups: Needs::AtLeast(Role::ResourceManager);
    /// Make, rename and delete groups of people that can be mentioned in a program.
    ManageProgramMentionGroups: Needs::AtLeast(Role::Owner);
    /// Say who is in such a group of a program.
    FillProgramMentionGroups: Needs::AtLeast(Role::ProjectManager);
    /// See the people outside who follow a program, and how many a mention reaches.
    ReadStakeholders: Needs::AtLeast(Role::ProjectManager);
    /// Add, change and delete people outside who follow a program.
    ManageStakeholders: Needs::AtLeast(Role::ProjectManager);
    /// Delete risks of the register.
    DeleteRisks: Needs::AtLeast(Role::Owner);
    /// Capture a baseline, and say which one variances are measured against.
    CaptureBaselines: Needs::AtLeast(Role::ProjectManager);
    /// Delete a baseline.
    DeleteBaselines: Needs::AtLeast(Role::Owner);
    /// See what work costs in money.
    SeeCosts: Needs::AtLeast(Role::ProjectManager);
    /// Make the draft of a plan the plan that was promised.
    CommitPlan: Needs::AtLeast(Role::ResourceManager);
    /// Make tasks come back, and stop that.
    ManageRecurrence: Needs::AtLeast(Role::ResourceManager);
    /// Replace the set of calendars of a project.
    EditProjectCalendars: Needs::AtLeast(Role::ResourceManager);
    /// Simulate without writing anything.
    Simulate: Needs::AtLeast(Role::Viewer);
    /// Export a project.
    ExportProject: Needs::AtLeast(Role::ProjectManager);
    /// Bring the rows of a file into a project, and take them back.
    ImportPlan: Needs::AtLeast(Role::ProjectManager);
    /// Make a template of a project, and bring the rows of a template into one.
    UseTemplates: Needs::AtLeast(Role::ProjectManager);
    /// Read what hangs on a project or program: its webhooks and their deliveries.
    ReadContainer: Needs::AtLeast(Role::Viewer);
    /// Keep the webhooks of a project or program, and send deliveries again.
    ManageWebhooks: Needs::AtLeast(Role::ProjectManager);
    /// Mint tokens of a project or program.
    ManageTokens: Needs::AtLeast(Role::ProjectManager);
    /// Revoke the tokens of a project or program, and read what happened to them.
    RevokeTokens: Needs::AtLeast(Role::ProjectManager);
    /// See what merge requests do to the tasks of a project.
    ReadGitAutomation: Needs::AtLeast(Role::ProjectManager);
    /// Say what merge requests do to the tasks of a project.
    AutomateGit: Needs::AtLeast(Role::ProjectManager);
    /// Make a picture of a project public by a link.
    ShareProject: Needs::AtLeast(Role::ProjectManager);
    /// See the public links of a project, and revoke them.
    ManageShareLinks: Needs::AtLeast(Role::ProjectManager);
    /// Read a program and its overview.
    ReadProgram: Needs::AtLeast(Role::Viewer);
    /// Change program settings.
    EditProgram: Needs::AtLeast(Role::ProjectManager);
    /// Lead what a team does around its sprints: rounds of planning poker, and the notes of others on a retrospective.
    LeadCeremonies: Needs::Facilitator;
    /// Keep the backlog of a program, and take work from it into a project.
    KeepProgramBacklog: Needs::AtLeast(Role::Member);
    /// Export a program and follow its imports.
    ExportProgram: Needs::AtLeast(Role::ProjectManager);
    /// Add members and change their roles.
    ManageProgramMembers: Needs::AtLeast(Role::Owner);
    /// Delete, close, reopen or hand over a program.
    OwnProgram: Needs::AtLeast(Role::Owner);
    /// Read the workspace settings.
    ReadWorkspace: Needs::AtLeast(Role::Member);
    /// Change the workspace settings and see operator pages.
    AdministerWorkspace: Needs::AtLeast(Role::ProjectManager);
    /// Delete the workspace or hand it over.
    OwnWorkspace: Needs::AtLeast(Role::Owner);
}

/// Whether a guest is let through for an action at all: they see what they are members of and take part in it. Their
/// role decides within that. Whether a project or program has guests is a setting, and without it they do not see it.
pub const fn is_for_guests(action: Action) -> bool {
    matches!(
        action,
        Action::ReadCalendars
            | Action::ReadProject
            | Action::FollowProject
            | Action::TakePart
            | Action::Simulate
            | Action::ReadProgram
            | Action::ReadWorkspace
    )
}

/// Whether an action is still possible on an archived project or a closed program: reading, following, exporting and the owner's own acts.
pub const fn survives_archiving(action: Action) -> bool {
    matches!(
        action,
        Action::ReadProject
            | Action::FollowProject
            | Action::ReadCapacity
            | Action::SeeCosts
            | Action::ExportProject
            | Action::OwnProject
            | Action::ReadProgram
            | Action::ReadStakeholders
            | Action::ReadContainer
            | Action::ManageShareLinks
            | Action::RevokeTokens
            | Action::ReadGitAutomation
            | Action::ExportProgram
            | Action::OwnProgram
            | Action::ReadWorkspace
    )
}

/// Whether a role is let through for an action, whatever else its holder is.
pub const fn allows(action: Action, role: Role) -> bool {
    allows_with(action, role, Facets { is_scrum_master: false, is_product_owner: false })
}

/// Whether somebody is let through for an action. A facet counts for those who take part in the project.
pub const fn allows_with(action: Action, role: Role, facets: Facets) -> bool {
    let (manages, takes_part) =
        (role.rank() >= Role::ProjectManager.rank(), role.rank() >= Role::Member.rank());
    let Facets { is_scrum_master, is_product_owner } = facets;
    match action.needs() {
        Needs::AtLeast(least) => role.rank() >= least.rank(),
        Needs::Author => takes_part && !matches!(role, Role::ResourceManager),
        Needs::Facilitator => manages || (takes_part && (is_scrum_master || is_product_owner)),
        Needs::ScrumMaster => manages || (takes_part && is_scrum_master),
    }
}

/// The code of the refusal, for actions whose refusal clients tell apart from others.
pub const fn refusal_code(action: Action) -> Option<&'static str> {
    match action {
        Action::DecideScope => Some("scope_accept_forbidden"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_permission_matrix_is_the_golden_one() {
        let mut table = String::from("action                  V M S A O  guests\n");
        for action in Action::ALL {
            let marks: Vec<_> =
                Role::ALL.iter().map(|role| if allows(*action, *role) { "y" } else { "-" }).collect();
            let guests = if is_for_guests(*action) { "y" } else { "-" };
            table += &format!("{:<23} {}  {guests}\n", action.name(), marks.join(" "));
        }
        insta::assert_snapshot!(table);
    }

    #[test]
    fn a_facet_lets_members_through_and_no_viewers() {
        let owns = Facets { is_product_owner: true, ..Facets::default() };
        assert!(!allows(Action::DecideScope, Role::Member));
        assert!(allows_with(Action::DecideScope, Role::Member, owns));
        assert!(!allows_with(Action::DecideScope, Role::Viewer, owns));
        assert!(!allows_with(Action::SetAudience, Role::Member, owns), "that is for the Scrum Master");
    }

    #[test]
    fn a_resource_manager_never_authors_the_plan() {
        assert!(!allows(Action::AuthorPlan, Role::ResourceManager));
        assert!(allows(Action::AuthorPlan, Role::Member));
    }
}
