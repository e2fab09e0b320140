//! What events carry: the list is frozen, and both pages of the documentation say the same.
//! That the program itself keeps to it is seen by every other test: the kit looks at each event that is handed out.

use std::collections::BTreeMap;

use planwright_domain::events::{SocketEvent, WebhookEvent};
use planwright_domain::words::Word;
use planwright_outbound::payloads::{Keys, of_socket, of_webhook};

const WEBHOOKS: &str = include_str!("../../docs/events.md");
const CHANNELS: &str = include_str!("../../docs/channels.md");

#[test]
fn what_events_carry_is_frozen() {
    let line = |name: &str, keys: Keys| {
        let sometimes: String = keys.sometimes.iter().map(|key| format!(" [{key}]")).collect();
        format!("{name}: {}{sometimes}", keys.always.join(" ")).trim_end().to_owned()
    };
    let webhooks = WebhookEvent::ALL.iter().map(|event| line(event.as_str(), of_webhook(*event)));
    let sockets = SocketEvent::ALL.iter().map(|event| line(event.as_str(), of_socket(*event)));
    let lines: Vec<String> = webhooks.chain(sockets).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

/// The rows below a head, as the cells between their bars.
fn rows(page: &'static str, head: &str) -> Vec<Vec<&'static str>> {
    let rows = page.lines().skip_while(|line| !line.starts_with(head)).skip(2);
    rows.take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split(" | ").collect())
        .collect()
}

/// What stands between backticks.
fn marked(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

#[test]
fn the_page_of_webhooks_names_what_each_carries() {
    let table: BTreeMap<&str, &str> = rows(WEBHOOKS, "| Webhook |")
        .iter()
        .filter_map(|row| Some((marked(row[0]).next()?, row[2])))
        .collect();
    // Rows say "the task" where another row has named its fields.
    let of_task: Vec<&str> = marked(table["task.created"]).collect();
    // No machine writes comments.
    let of_people: Vec<&str> = of_task.iter().copied().filter(|field| *field != "short_id").collect();
    let of_sprint: Vec<&str> = marked(table["sprint.activated"]).collect();
    let of_risk: Vec<&str> = marked(table["risk.opened"]).collect();
    for event in WebhookEvent::ALL {
        let said = table[event.as_str()];
        let mut named: Vec<&str> = marked(said).collect();
        let rows = [
            ("the task", &of_task),
            ("the fields of a task", &of_people),
            ("the same", &of_sprint),
            ("the risk", &of_risk),
        ];
        for (words, fields) in rows {
            if said.trim().starts_with(words) && named.len() < fields.len() {
                named.extend(fields);
            }
        }
        let keys = of_webhook(*event);
        named.sort_unstable();
        named.dedup();
        let mut expected = [keys.always, keys.sometimes].concat();
        expected.sort_unstable();
        assert_eq!(named, expected, "{}", event.as_str());
    }
}

#[test]
fn the_page_of_channels_lists_every_event_and_what_it_carries() {
    let mut table: BTreeMap<String, &str> = BTreeMap::new();
    for row in rows(CHANNELS, "| Events |") {
        let mut family = "";
        for name in marked(row[0]) {
            let name = match name.strip_prefix('_') {
                Some(_) => format!("{family}{name}"),
                None => {
                    family = name.rsplit_once('_').map_or(name, |(family, _)| family);
                    name.to_owned()
                }
            };
            assert!(table.insert(name.clone(), row[1]).is_none(), "{name} is listed twice");
        }
    }
    let known: Vec<&str> = SocketEvent::ALL.iter().map(|event| event.as_str()).collect();
    let strange: Vec<&String> = table.keys().filter(|name| !known.contains(&name.as_str())).collect();
    assert!(strange.is_empty(), "no event of the registry: {strange:?}");
    for event in SocketEvent::ALL {
        let said = table.get(event.as_str()).unwrap_or_else(|| panic!("{} is not listed", event.as_str()));
        let Keys { always, sometimes } = of_socket(*event);
        // Where events share a row, what one does not carry may be said of another.
        for key in always.iter().chain(&sometimes) {
            let is_rest = *key == "truncated" || *key == "id" && said.contains("these");
            assert!(is_rest || marked(said).any(|named| named == *key), "{} carries {key}", event.as_str());
        }
    }
}
