//! The statements of a search: one for each place where words can be, which finds only what the caller sees, and those that read
//! what the rows of a page belong to.

use planwright_domain::ids::{ProgramId, ProjectId};
use planwright_store::value::list;
use planwright_store::words::{Text, Words, newest};
use planwright_store::{Read, Result, sql};
use planwright_web::Actor;

use uuid::Uuid;

use super::model::{Around, FoundIn, FoundKind, FoundRow, FoundType};

/// How many rows of a place are looked at.
const MOST: i64 = 500;

/// What a search goes through: it is read once, and not again for each place.
pub struct Seen {
    projects: Vec<ProjectId>,
    programs: Vec<ProgramId>,
}

/// The projects and the programs that the caller sees.
pub async fn seen(db: &dyn Read, actor: &Actor) -> Result<Seen> {
    let projects = sql!("SELECT o.id FROM projects o WHERE o.deletion_id IS NULL");
    let programs = sql!("SELECT g.id FROM programs g WHERE g.deletion_id IS NULL");
    Ok(Seen {
        projects: db.scalars(actor.in_visible_projects(projects, "o.id")).await?,
        programs: db.scalars(actor.in_visible_programs(programs, "g.id")).await?,
    })
}

/// The types that were asked for, as conditions on the rows of tasks and of items.
fn conditions(types: &[FoundType]) -> (String, String) {
    let task = |found: &FoundType| match found {
        FoundType::Milestone => "t.is_milestone",
        FoundType::Epic => "NOT t.is_milestone AND t.type = 'epic'",
        FoundType::Story => "NOT t.is_milestone AND t.type = 'story'",
        FoundType::Task => "NOT t.is_milestone AND t.type <> 'epic' AND t.type <> 'story'",
    };
    let item = |found: &FoundType| match found {
        FoundType::Milestone => "FALSE",
        FoundType::Epic => "i.item_type = 'epic'",
        FoundType::Story => "(i.item_type = 'story' OR i.item_type = 'feature')",
        FoundType::Task => "i.item_type <> 'epic' AND i.item_type <> 'story' AND i.item_type <> 'feature'",
    };
    let any = |of: &dyn Fn(&FoundType) -> &'static str| match types {
        [] => String::new(),
        types => format!(" AND ({})", types.iter().map(of).collect::<Vec<_>>().join(" OR ")),
    };
    (any(&task), any(&item))
}

const OF_TASK: &str =
    "SELECT t.id, t.name AS title, t.type AS task_type, CAST(NULL AS TEXT) AS item_type, t.is_milestone";

const OF_ITEM: &str =
    "SELECT i.id, i.title, CAST(NULL AS TEXT) AS task_type, i.item_type, FALSE AS is_milestone";

/// What the caller sees with these words in one place, the newest first.
async fn found(
    db: &dyn Read,
    seen: &Seen,
    words: &Words,
    types: &[FoundType],
    (place, text): (FoundIn, Text),
) -> Result<Vec<(FoundIn, FoundRow)>> {
    let (task, item) = conditions(types);
    let rows = match text {
        Text::ItemTitle | Text::ItemDescription => {
            let items = words.find(db.engine(), text, OF_ITEM, "");
            let live =
                " AND i.program_id IN (:programs) AND i.deletion_id IS NULL AND i.status <> 'archived'";
            items.push(&format!("{live}{item}")).bind("programs", list(seen.programs.iter().copied()))
        }
        Text::TaskName | Text::TaskNotes => {
            let tasks = words.find(db.engine(), text, OF_TASK, "");
            let live = format!(" AND t.project_id IN (:projects) AND t.deletion_id IS NULL{task}");
            tasks.push(&live).bind("projects", list(seen.projects.iter().copied()))
        }
        Text::Comment => {
            let joins = format!("JOIN tasks t ON t.id = c.task_id AND t.deletion_id IS NULL{task}");
            let said = words.find(db.engine(), text, OF_TASK, &joins);
            let live = " AND c.project_id IN (:projects) AND c.deletion_id IS NULL AND c.deleted_at IS NULL";
            said.push(live).bind("projects", list(seen.projects.iter().copied()))
        }
    };
    let order = format!(" ORDER BY {} LIMIT :most", newest(db.engine(), text));
    let rows: Vec<FoundRow> = db.all(rows.push(&order).bind("most", MOST)).await?;
    Ok(rows.into_iter().map(|row| (place, row)).collect())
}

/// What the caller sees with these words. Notes and comments are read only if there are not enough titles.
pub async fn everywhere(
    db: &dyn Read,
    seen: &Seen,
    words: &Words,
    types: &[FoundType],
) -> Result<Vec<(FoundIn, FoundRow)>> {
    let mut rows = Vec::new();
    for place in [(FoundIn::Title, Text::TaskName), (FoundIn::Title, Text::ItemTitle)] {
        rows.append(&mut found(db, seen, words, types, place).await?);
    }
    let others = [
        (FoundIn::Text, Text::TaskNotes),
        (FoundIn::Text, Text::ItemDescription),
        (FoundIn::Comment, Text::Comment),
    ];
    let others = others.into_iter().filter(|_| (rows.len() as i64) < MOST).collect::<Vec<_>>();
    for place in others {
        rows.append(&mut found(db, seen, words, types, place).await?);
    }
    Ok(rows)
}

/// What the rows of a page belong to.
pub async fn around(db: &dyn Read, page: &[FoundRow]) -> Result<Vec<Around>> {
    let of = |kind: FoundKind| -> Vec<Uuid> {
        page.iter().filter(|row| row.kind() == kind).map(|row| row.id).collect()
    };
    let (tasks, items) = (of(FoundKind::Task), of(FoundKind::BacklogItem));
    let mut around = if tasks.is_empty() { Vec::new() } else { around_tasks(db, &tasks).await? };
    if !items.is_empty() {
        around.append(&mut around_items(db, &items).await?);
    }
    Ok(around)
}

/// The projects, programs and epics that tasks belong to.
async fn around_tasks(db: &dyn Read, tasks: &[Uuid]) -> Result<Vec<Around>> {
    let statement = "SELECT t.id, g.id AS program_id, g.name AS program_name, o.id AS project_id, o.name AS project_name,
            e.id AS parent_epic_id, e.name AS parent_epic_name
         FROM tasks t JOIN projects o ON o.id = t.project_id
         LEFT JOIN programs g ON g.id = o.program_id AND g.deletion_id IS NULL
         LEFT JOIN tasks e ON e.id = t.parent_epic_id AND e.project_id = t.project_id AND e.deletion_id IS NULL
         WHERE t.id IN (:tasks)";
    db.all(sql!(statement, tasks = list(tasks.iter().copied()))).await
}

/// The programs that items belong to.
async fn around_items(db: &dyn Read, items: &[Uuid]) -> Result<Vec<Around>> {
    let statement = "SELECT i.id, g.id AS program_id, g.name AS program_name, CAST(NULL AS UUID) AS project_id,
            CAST(NULL AS TEXT) AS project_name, CAST(NULL AS UUID) AS parent_epic_id, CAST(NULL AS TEXT) AS parent_epic_name
         FROM backlog_items i JOIN programs g ON g.id = i.program_id
         WHERE i.id IN (:items)";
    db.all(sql!(statement, items = list(items.iter().copied()))).await
}
