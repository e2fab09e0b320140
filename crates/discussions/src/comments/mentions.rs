//! Whom the names that a text mentions stand for: pure decisions. Which names a text mentions is in `plan`.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use planwright_domain::Role;
use planwright_domain::ids::{MentionGroupId, UserId};

/// How many people `@all` may reach.
pub const MOST_OF_ALL: usize = 200;

/// A member of the project or of its program, who can be mentioned.
#[derive(Clone, Debug, PartialEq)]
pub struct Person {
    pub id: UserId,
    pub username: String,
    /// The role in the project; none for those who are in its program alone.
    pub in_project: Option<Role>,
    /// The role in the program; none for those who are in the project alone.
    pub in_program: Option<Role>,
    /// Whether they do a task of the running sprint.
    pub is_in_sprint: bool,
}

/// A group that people made.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    pub id: MentionGroupId,
    /// Without regard to case.
    pub name_key: String,
    pub is_of_program: bool,
    pub members: HashSet<UserId>,
    /// Those who do not want to be told.
    pub muted: HashSet<UserId>,
}

/// Everybody who can be mentioned in a comment.
#[derive(Clone, Debug, Default)]
pub struct Audience {
    pub people: Vec<Person>,
    pub groups: Vec<Group>,
    /// Whether the author manages the project, and may mention all.
    pub author_manages: bool,
}

/// Somebody who is mentioned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// Whether they asked not to be told of this group.
    pub is_muted: bool,
}

/// Whom a text reaches, each with the group by which they were reached first; or what it names that cannot be mentioned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resolved {
    pub reached: BTreeMap<UserId, (Option<String>, Reached)>,
    pub unknown: Vec<String>,
    pub refused_groups: Vec<String>,
}

/// Whom names stand for, except the author. A member goes before a group of the project, and that before one of the program.
pub fn resolve(names: &[String], audience: &Audience, author: UserId) -> Resolved {
    let by_name: HashMap<String, &Person> =
        audience.people.iter().map(|person| (person.username.to_lowercase(), person)).collect();
    let mut resolved = Resolved::default();
    for name in names {
        let key = name.to_lowercase();
        if let Some(person) = by_name.get(&key) {
            resolved.reached.insert(person.id, (None, Reached { is_muted: false }));
            continue;
        }
        match group(&key, audience) {
            Some(Ok((people, muted))) => {
                for id in people {
                    let reached = Reached { is_muted: muted.contains(&id) };
                    let known = resolved.reached.entry(id).or_insert_with(|| (Some(key.clone()), reached));
                    if known.1.is_muted && !reached.is_muted {
                        *known = (Some(key.clone()), reached);
                    }
                }
            }
            Some(Err(())) => resolved.refused_groups.push(name.clone()),
            None => resolved.unknown.push(name.clone()),
        }
    }
    resolved.reached.remove(&author);
    resolved
}

type Members = (BTreeSet<UserId>, HashSet<UserId>);

/// The people of a group and those of them who are not told; an error when the author may not mention it.
fn group(key: &str, audience: &Audience) -> Option<Result<Members, ()>> {
    let made = |of_program: bool| {
        audience.groups.iter().find(|group| group.is_of_program == of_program && group.name_key == key)
    };
    if let Some(group) = made(false).or_else(|| made(true).filter(|_| automatic(key, audience).is_none())) {
        let known: HashSet<UserId> = audience.people.iter().map(|person| person.id).collect();
        let members = group.members.iter().copied().filter(|id| known.contains(id)).collect();
        return Some(Ok((members, group.muted.clone())));
    }
    let people: BTreeSet<UserId> = automatic(key, audience).filter(|_| has_place(key, audience))?;
    let is_refused = key == "all" && (!audience.author_manages || people.len() > MOST_OF_ALL);
    Some(if is_refused { Err(()) } else { Ok((people, HashSet::new())) })
}

/// Whether there is a place that the group is of: a project without a program has no groups of one.
fn has_place(key: &str, audience: &Audience) -> bool {
    !key.starts_with("program-") || audience.people.iter().any(|person| person.in_program.is_some())
}

/// The people of a group that makes itself; none when there is no such group.
fn automatic(key: &str, audience: &Audience) -> Option<BTreeSet<UserId>> {
    let at_least = |least: Role| move |role: Role| role.rank() >= least.rank();
    let some = |test: &dyn Fn(&Person) -> bool| {
        audience.people.iter().filter(|person| test(person)).map(|person| person.id).collect()
    };
    let in_project = |least: Role| some(&|person| person.in_project.is_some_and(at_least(least)));
    let in_program = |least: Role| some(&|person| person.in_program.is_some_and(at_least(least)));
    Some(match key {
        "owners" => in_project(Role::Owner),
        "admins" => in_project(Role::ProjectManager),
        "schedulers" => in_project(Role::ResourceManager),
        "members" => in_project(Role::Member),
        "viewers" | "all" => in_project(Role::Viewer),
        "scrum-team" => some(&|person| person.is_in_sprint),
        "program-pms" => in_program(Role::ProjectManager),
        "program-schedulers" => in_program(Role::ResourceManager),
        "program-stakeholders" => some(&|person| person.in_program == Some(Role::Viewer)),
        "program-all" => in_program(Role::Viewer),
        _ => return None,
    })
}

/// Whether a name belongs to a group that makes itself.
pub fn is_automatic(name_key: &str) -> bool {
    automatic(name_key, &Audience::default()).is_some()
}

#[cfg(test)]
mod tests {
    use planwright_plan::mentions::names;
    use uuid::Uuid;

    use super::*;

    fn person(number: u128, username: &str, in_project: Option<Role>) -> Person {
        let in_program = in_project.is_none().then_some(Role::Viewer);
        Person {
            id: UserId(Uuid::from_u128(number)),
            username: username.into(),
            in_project,
            in_program,
            is_in_sprint: false,
        }
    }

    fn audience() -> Audience {
        let people = vec![
            person(1, "Mara", Some(Role::Member)),
            person(2, "ona", Some(Role::Owner)),
            person(3, "guest", None),
        ];
        let group = |name: &str, is_of_program, members: &[u128]| Group {
            id: MentionGroupId(Uuid::from_u128(90)),
            name_key: name.into(),
            is_of_program,
            members: members.iter().map(|id| UserId(Uuid::from_u128(*id))).collect(),
            muted: HashSet::from([UserId(Uuid::from_u128(1))]),
        };
        Audience {
            people,
            groups: vec![group("diggers", false, &[1, 2]), group("diggers", true, &[3])],
            author_manages: false,
        }
    }

    fn reached(text: &str) -> Vec<u128> {
        let found = resolve(&names(text), &audience(), UserId(Uuid::from_u128(2)));
        assert!(found.unknown.is_empty() && found.refused_groups.is_empty(), "{found:?}");
        found.reached.keys().map(|id| id.0.as_u128()).collect()
    }

    #[test]
    fn a_name_is_a_member_or_a_group_and_never_the_author() {
        assert_eq!(reached("@MARA and @ona"), [1], "the author is left out");
        assert_eq!(reached("@viewers"), [1], "those who are in the program alone are not of the project");
        assert_eq!(reached("@program-stakeholders"), [3]);
        assert_eq!(reached("@diggers"), [1], "the group of the project goes first");
    }

    #[test]
    fn who_muted_a_group_is_reached_in_silence_unless_named() {
        let of = |text: &str| resolve(&names(text), &audience(), UserId(Uuid::from_u128(2)));
        let mara = UserId(Uuid::from_u128(1));
        assert!(of("@diggers").reached[&mara].1.is_muted);
        assert!(!of("@diggers @mara").reached[&mara].1.is_muted);
    }

    #[test]
    fn what_cannot_be_mentioned_is_named() {
        let found = resolve(&names("@nobody @all @mara"), &audience(), UserId(Uuid::nil()));
        assert_eq!(
            (found.unknown, found.refused_groups),
            (vec!["nobody".to_owned()], vec!["all".to_owned()])
        );
    }
}
