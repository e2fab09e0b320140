//! Ranks of people in a workspace, program, project or team.
//! On the wire a role is an integer with a label; the gaps between the integers are reserved.

use serde::{Serialize, Serializer};

/// A rank, for a project or program membership and, with fewer steps, for the workspace.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// Reads.
    Viewer = 1,
    /// Authors the plan and logs time.
    Member = 100,
    /// Manages allocations, roster and links; does not edit task content.
    ResourceManager = 200,
    /// Runs the project: settings, baselines, webhooks, share links.
    ProjectManager = 300,
    /// Owns it: members, archive, deletion.
    Owner = 400,
}

impl Role {
    /// Every role, lowest first.
    pub const ALL: [Role; 5] =
        [Role::Viewer, Role::Member, Role::ResourceManager, Role::ProjectManager, Role::Owner];

    /// The integer on the wire and in storage.
    pub const fn rank(self) -> i64 {
        self as i64
    }

    /// The role of that exact integer; the reserved ones between are none.
    pub fn from_rank(rank: i64) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.rank() == rank)
    }

    /// The name shown to people in a project.
    pub const fn project_label(self) -> &'static str {
        match self {
            Role::Viewer => "Viewer",
            Role::Member => "Team Member",
            Role::ResourceManager => "Resource Manager",
            Role::ProjectManager => "Project Manager",
            Role::Owner => "Owner",
        }
    }

    /// The name shown to people in a program.
    pub const fn program_label(self) -> &'static str {
        match self {
            Role::ProjectManager => "Program Manager",
            other => other.project_label(),
        }
    }

    /// The name shown to people in the workspace.
    pub const fn workspace_label(self) -> &'static str {
        match self {
            Role::ProjectManager => "Admin",
            Role::Owner => "Owner",
            _ => "Member",
        }
    }
}

impl Serialize for Role {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.rank())
    }
}

#[schemars::for_document]
impl schemars::JsonSchema for Role {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Role".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "integer", "enum": [1, 100, 200, 300, 400] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_ranks_between_two_roles_are_no_role() {
        assert_eq!(Role::from_rank(150), None);
        assert_eq!(Role::from_rank(0), None);
        assert_eq!(Role::from_rank(200), Some(Role::ResourceManager));
    }
}
