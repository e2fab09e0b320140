//! The members of projects and programs: one way to enter, change and leave for both, under the lock of the whole.
//! Who may grant which rank to whom is decided by the caller.

use std::ops::{Deref, DerefMut};

use chrono::{DateTime, Utc};
use planwright_domain::Role;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{MembershipId, ProgramId, ProjectId, UserId};
use planwright_domain::words::ChangeKind;
use planwright_store::history::Change;
use planwright_store::record::column;
use planwright_store::{Read, Record, Result, ToValue, Tracked, Tx, record, sql, tracked};
use planwright_web::scope::Container;
use planwright_web::{ApiResult, Place, Resource};
use serde_json::{Value as Json, json};

use super::queries;
use crate::edit::Edit;

record! {
    /// Somebody's place in whatever has members.
    pub struct Membership {
        /// Its id.
        #[serde(skip)]
        pub id: MembershipId,
        /// Who it is.
        #[serde(rename = "user")]
        pub user_id: UserId,
        /// Their rank.
        pub role: Role,
        /// Since when.
        #[serde(skip)]
        pub joined_at: DateTime<Utc>,
        /// When the rank last changed.
        #[serde(skip)]
        pub role_changed_at: Option<DateTime<Utc>>,
        /// The version. It rises by 1 with every change.
        #[serde(skip)]
        pub server_version: i64,
    }
}

record! {
    /// Somebody's place in a project.
    pub struct ProjectMember in project_members {
        /// The project.
        #[serde(skip)]
        pub project_id: ProjectId,
        /// The rank that was given to them directly. None if only groups give them a place.
        pub direct_role: Option<Role>,
    }
    and
    /// What every membership has.
    pub membership: Membership
}

record! {
    /// Somebody's place in a program.
    pub struct ProgramMember in program_members {
        /// The program.
        #[serde(skip)]
        pub program_id: ProgramId,
        /// What they are called there.
        pub role_title: String,
    }
    and
    /// What every membership has.
    pub membership: Membership
}

tracked! {
    ProjectMember as "project_member" {
        fn event(kind: ChangeKind) -> Option<SocketEvent> {
            match kind {
                ChangeKind::Created => Some(SocketEvent::MemberAdded),
                ChangeKind::Updated => Some(SocketEvent::MemberRoleChanged),
                _ => None,
            }
        }

        fn payload(&self) -> Json {
            json!({ "membership_id": self.id, "user_id": self.user_id, "role": self.role })
        }
    }
}

tracked! { ProgramMember as "program_member" }

macro_rules! memberships {
    ($($member:ident in $container:ident by $of:ident;)*) => {$(
        impl Deref for $member {
            type Target = Membership;

            fn deref(&self) -> &Membership {
                &self.membership
            }
        }

        impl DerefMut for $member {
            fn deref_mut(&mut self) -> &mut Membership {
                &mut self.membership
            }
        }

        impl Resource for $member {
            type Container = $container;

            fn container(&self) -> $container {
                self.$of
            }
        }
    )*};
}

memberships! {
    ProjectMember in ProjectId by project_id;
    ProgramMember in ProgramId by program_id;
}

/// A project or program, as what people are members of.
pub trait HasMembers: Container + ToValue + 'static {
    /// A row of its members.
    type Member: Resource<Container = Self> + DerefMut<Target = Membership> + 'static;

    /// The column of that table that names it.
    const COLUMN: &'static str;

    /// The row of a membership in it.
    fn member(self, membership: Membership) -> Self::Member;

    /// The rank that was given to a member directly.
    fn direct(member: &Self::Member) -> Option<Role>;

    /// Notes that rank; [`change`] finds the rank that follows from it.
    fn set_direct(member: &mut Self::Member, role: Option<Role>);

    /// The highest rank that groups give somebody in it.
    fn conferred(self, db: &dyn Read, user: UserId) -> impl Future<Output = Result<Option<Role>>> + Send;

    /// Keeps in step what follows its members, when somebody goes from one rank to another, comes or leaves.
    fn follow(
        edit: &mut Edit,
        member: &Self::Member,
        ranks: (Option<Role>, Option<Role>),
    ) -> impl Future<Output = Result<()>> + Send;
}

impl HasMembers for ProjectId {
    type Member = ProjectMember;

    const COLUMN: &'static str = "project_id";

    fn member(self, membership: Membership) -> ProjectMember {
        ProjectMember { project_id: self, direct_role: Some(membership.role), membership }
    }

    fn direct(member: &ProjectMember) -> Option<Role> {
        member.direct_role
    }

    fn set_direct(member: &mut ProjectMember, role: Option<Role>) {
        member.direct_role = role;
    }

    async fn conferred(self, db: &dyn Read, user: UserId) -> Result<Option<Role>> {
        Ok(queries::conferred(db, self, [user]).await?.pop().map(|(_, role)| role))
    }

    async fn follow(
        edit: &mut Edit,
        member: &ProjectMember,
        ranks: (Option<Role>, Option<Role>),
    ) -> Result<()> {
        queries::lock_teams(edit, member.project_id).await?;
        let number = edit.change_number().await?;
        queries::mirror(edit, member.project_id, member.user_id, ranks, number).await?;
        match ranks {
            (Some(_), None) => {
                let told = json!({ "membership_id": member.id, "user_id": member.user_id });
                edit.announce(SocketEvent::MemberRemoved, told).await
            }
            _ => Ok(()),
        }
    }
}

impl HasMembers for ProgramId {
    type Member = ProgramMember;

    const COLUMN: &'static str = "program_id";

    fn member(self, membership: Membership) -> ProgramMember {
        ProgramMember { program_id: self, role_title: String::new(), membership }
    }

    fn direct(member: &ProgramMember) -> Option<Role> {
        Some(member.role)
    }

    fn set_direct(member: &mut ProgramMember, role: Option<Role>) {
        member.role = role.unwrap_or(member.role);
    }

    async fn conferred(self, _: &dyn Read, _: UserId) -> Result<Option<Role>> {
        Ok(None)
    }

    async fn follow(_: &mut Edit, _: &ProgramMember, _: (Option<Role>, Option<Role>)) -> Result<()> {
        Ok(())
    }
}

/// Somebody's live place in a project or program.
pub async fn member_of<C: HasMembers>(db: &dyn Read, of: C, user: UserId) -> Result<Option<C::Member>> {
    let select = format!(
        "SELECT {} FROM {} m WHERE m.{} = :of AND m.user_id = :user AND m.deletion_id IS NULL",
        C::Member::select_list("m"),
        C::Member::TABLE,
        C::COLUMN
    );
    db.maybe(sql!(select, of = of, user = user)).await
}

/// A membership that begins now.
pub fn fresh<C: HasMembers>(tx: &Tx, of: C, user: UserId, role: Role) -> C::Member {
    let (id, joined_at) = (tx.mint(), tx.now());
    of.member(Membership { id, user_id: user, role, joined_at, role_changed_at: None, server_version: 1 })
}

/// Makes the creator of a project or program its Owner; nobody is told, since nobody can look at it yet.
pub(super) async fn enter<C: HasMembers>(
    tx: &mut Tx,
    creator: UserId,
    of: C,
    place: Place,
    number: i64,
) -> Result<()> {
    let owner = fresh(tx, of, creator, Role::Owner);
    tx.insert(&owner, column("change_number", number)).await?;
    let created = Change::of(C::Member::ENTITY, owner.id(), ChangeKind::Created, creator).whole(&owner);
    tx.record(Change { project: place.project, program: place.program, ..created }).await
}

/// Puts a person in who is not in yet.
pub async fn add<C: HasMembers>(edit: &mut Edit, member: &C::Member) -> ApiResult<()> {
    C::follow(edit, member, (None, Some(member.role))).await?;
    edit.create(member).await
}

/// Gives a member another direct rank or title. Their rank is the highest of the direct one and those of groups.
pub async fn change<C: HasMembers>(
    edit: &mut Edit,
    before: &C::Member,
    mut after: C::Member,
) -> ApiResult<C::Member> {
    let conferred = before.container().conferred(edit, before.user_id).await?;
    after.role = C::direct(&after).max(conferred).unwrap_or(before.role);
    if before.role != after.role {
        after.role_changed_at = Some(edit.now());
        C::follow(edit, before, (Some(before.role), Some(after.role))).await?;
    }
    Ok(edit.update(before, after).await?.row)
}

/// Takes back the direct place of a member. They leave the teams as well, unless groups still give them a place; what is
/// assigned to them stays assigned.
pub async fn remove<C: HasMembers>(edit: &mut Edit, member: &C::Member) -> ApiResult<()> {
    if member.container().conferred(edit, member.user_id).await?.is_none() {
        C::follow(edit, member, (Some(member.role), None)).await?;
        return edit.delete(member).await;
    }
    let mut after = member.clone();
    C::set_direct(&mut after, None);
    change::<C>(edit, member, after).await.map(drop)
}

/// Makes another member the Owner in place of the one there is, who manages from then on.
pub async fn hand_over<C: HasMembers>(
    edit: &mut Edit,
    (owner, heir): (C::Member, C::Member),
) -> ApiResult<()> {
    // In this order, since there is one Owner at every moment.
    for (member, role) in [(owner, Role::ProjectManager), (heir, Role::Owner)] {
        let mut after = member.clone();
        C::set_direct(&mut after, Some(role));
        change::<C>(edit, &member, after).await?;
    }
    Ok(())
}
