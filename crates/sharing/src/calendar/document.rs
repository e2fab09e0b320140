//! A calendar as text: RFC 5545 with the names of RFC 7986. The library folds lines and escapes texts.

use calcard::common::PartialDateTime;
use calcard::icalendar::{
    ICalendar, ICalendarComponent, ICalendarComponentType as Kind, ICalendarDuration, ICalendarEntry,
    ICalendarParameter, ICalendarParameterName, ICalendarProperty as Property, ICalendarStatus,
    ICalendarTransparency, ICalendarValue as Value, ICalendarValueType as ValueType, Uri,
};
use chrono::{DateTime, Datelike, NaiveDate, Timelike, Utc};

use super::rules::{Calendar, Event};

/// What made the calendar, in the form that the field wants.
const PRODUCT: &str = "-//planwright//planwright//EN";

/// After how many hours a calendar program should read again.
const REFRESH_HOURS: u32 = 1;

/// A calendar as text; `origin` is what the addresses of tasks begin with.
pub fn text(calendar: &Calendar, origin: &str) -> String {
    let mut components = vec![head(calendar)];
    for shown in &calendar.events {
        add(&mut components, 0, event(shown, origin));
    }
    if calendar.events.is_empty() {
        // A calendar has at least one component (RFC 5545, section 3.6), and this one shows nothing.
        let zone = add(&mut components, 0, universal_time());
        add(&mut components, zone, its_only_offset());
    }
    ICalendar { components }.to_string()
}

/// Adds a component below another one; its place.
fn add(components: &mut Vec<ICalendarComponent>, above: usize, component: ICalendarComponent) -> usize {
    let place = components.len();
    components.push(component);
    components[above].component_ids.push(u32::try_from(place).unwrap_or(u32::MAX));
    place
}

fn head(calendar: &Calendar) -> ICalendarComponent {
    let hourly = || ICalendarDuration { hours: REFRESH_HOURS, ..ICalendarDuration::default() };
    let mut head = ICalendarComponent::new(Kind::VCalendar);
    head.add_property(Property::Version, plain("2.0"));
    head.add_property(Property::Prodid, plain(PRODUCT));
    head.add_property(Property::Calscale, plain("GREGORIAN"));
    head.add_property(Property::Name, plain(&calendar.name));
    head.add_property(other("X-WR-CALNAME"), plain(&calendar.name));
    if calendar.is_cut {
        head.add_property(
            Property::Description,
            plain("There is more. These are the rows with the latest dates."),
        );
    }
    head.entries.push(typed(Property::RefreshInterval, ValueType::Duration, Value::Duration(hourly())));
    head.add_property(other("X-PUBLISHED-TTL"), Value::Duration(hourly()));
    head
}

fn event(shown: &Event, origin: &str) -> ICalendarComponent {
    let url = format!("{origin}/projects/{}/schedule?task={}", shown.project, shown.task);
    let status = match shown.is_tentative {
        true => ICalendarStatus::Tentative,
        false => ICalendarStatus::Confirmed,
    };
    let mut event = ICalendarComponent::new(Kind::VEvent);
    event.add_property(Property::Uid, plain(&shown.task.to_string()));
    event.add_property(Property::Dtstamp, moment(shown.changed_at));
    event.add_property(Property::LastModified, moment(shown.changed_at));
    event.add_property(Property::Sequence, Value::Integer(shown.sequence));
    event.entries.push(typed(Property::Dtstart, ValueType::Date, day(shown.start)));
    event.entries.push(typed(Property::Dtend, ValueType::Date, day(shown.end)));
    event.add_property(Property::Summary, plain(&shown.summary));
    // Some calendar programs do not show an address of its own.
    event.add_property(Property::Description, plain(&format!("{}\n{url}", shown.details)));
    event.add_property(Property::Url, Value::Uri(Uri::Location(url)));
    event.add_property(Property::Categories, plain(&shown.project_name));
    event.add_property(Property::Status, Value::Status(status));
    event.add_property(Property::Transp, Value::Transparency(ICalendarTransparency::Transparent));
    event
}

fn universal_time() -> ICalendarComponent {
    let mut zone = ICalendarComponent::new(Kind::VTimezone);
    zone.add_property(Property::Tzid, plain("UTC"));
    zone
}

fn its_only_offset() -> ICalendarComponent {
    let offset = || PartialDateTime { tz_hour: Some(0), tz_minute: Some(0), ..PartialDateTime::default() };
    let begin = PartialDateTime {
        year: Some(1970),
        month: Some(1),
        day: Some(1),
        hour: Some(0),
        minute: Some(0),
        second: Some(0),
        ..PartialDateTime::default()
    };
    let mut standard = ICalendarComponent::new(Kind::Standard);
    standard.add_property(Property::Dtstart, begin);
    standard.add_property(Property::Tzoffsetfrom, offset());
    standard.add_property(Property::Tzoffsetto, offset());
    standard
}

/// A text. A calendar has no character for other controls than line breaks, and no reader expects a return alone.
fn plain(text: &str) -> Value {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    Value::Text(
        text.chars().filter(|letter| *letter == '\n' || *letter == '\t' || !letter.is_control()).collect(),
    )
}

fn other(name: &str) -> Property {
    Property::Other(name.to_owned())
}

/// A property whose value has another type than usual.
fn typed(name: Property, kind: ValueType, value: Value) -> ICalendarEntry {
    ICalendarEntry::new(name)
        .with_param(ICalendarParameter::new(ICalendarParameterName::Value, kind))
        .with_value(value)
}

fn day(day: NaiveDate) -> Value {
    Value::PartialDateTime(Box::new(of_day(day)))
}

fn moment(at: DateTime<Utc>) -> Value {
    let part = |number: u32| u8::try_from(number).ok();
    Value::PartialDateTime(Box::new(PartialDateTime {
        hour: part(at.hour()),
        minute: part(at.minute()),
        second: part(at.second()),
        tz_hour: Some(0),
        tz_minute: Some(0),
        ..of_day(at.date_naive())
    }))
}

fn of_day(day: NaiveDate) -> PartialDateTime {
    PartialDateTime {
        year: u16::try_from(day.year()).ok(),
        month: u8::try_from(day.month()).ok(),
        day: u8::try_from(day.day()).ok(),
        ..PartialDateTime::default()
    }
}

#[cfg(test)]
mod tests {
    use planwright_domain::ids::{ProjectId, TaskId};
    use uuid::Uuid;

    use super::*;

    fn on(day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 3, day).unwrap()
    }

    fn written(summary: &str) -> String {
        let event = Event {
            task: TaskId(Uuid::from_u128(1)),
            project: ProjectId(Uuid::from_u128(2)),
            project_name: "Bridge, north".to_owned(),
            summary: summary.to_owned(),
            details: "BR-31 · Bridge, north".to_owned(),
            start: on(2),
            end: on(5),
            is_tentative: false,
            sequence: 9,
            changed_at: on(1).and_hms_opt(9, 5, 7).unwrap().and_utc(),
        };
        let calendar = Calendar { name: "A, b; c".to_owned(), events: vec![event], is_cut: true };
        text(&calendar, "https://plan.example.test")
    }

    /// The lines as they are before they are folded.
    fn unfolded(text: &str) -> Vec<String> {
        text.replace("\r\n ", "").split("\r\n").map(str::to_owned).collect()
    }

    #[test]
    fn an_event_says_what_programs_need() {
        let lines = unfolded(&written("Dig"));
        for line in [
            "BEGIN:VCALENDAR",
            "VERSION:2.0",
            "PRODID:-//planwright//planwright//EN",
            "CALSCALE:GREGORIAN",
            "NAME:A\\, b\\; c",
            "X-WR-CALNAME:A\\, b\\; c",
            "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
            "X-PUBLISHED-TTL:PT1H",
            "BEGIN:VEVENT",
            "UID:00000000-0000-0000-0000-000000000001",
            "DTSTAMP:20260301T090507Z",
            "LAST-MODIFIED:20260301T090507Z",
            "SEQUENCE:9",
            "DTSTART;VALUE=DATE:20260302",
            "DTEND;VALUE=DATE:20260305",
            "SUMMARY:Dig",
            "CATEGORIES:Bridge\\, north",
            "STATUS:CONFIRMED",
            "TRANSP:TRANSPARENT",
            "END:VEVENT",
            "END:VCALENDAR",
        ] {
            assert!(lines.iter().any(|found| found == line), "{line} is not in\n{}", lines.join("\n"));
        }
        let url = "https://plan.example.test/projects/00000000-0000-0000-0000-000000000002/schedule?task=00000000-0000-0000-0000-000000000001";
        assert!(lines.contains(&format!("URL:{url}")));
        assert!(lines.contains(&format!("DESCRIPTION:BR-31 · Bridge\\, north\\n{url}")));
    }

    #[test]
    fn no_line_is_longer_than_75_octets_and_no_letter_is_cut() {
        for length in 1..200 {
            for letter in ["a", "ß", "日", "🙂", ",", "a b"] {
                let name = letter.repeat(length);
                let text = written(&name);
                assert!(!text.replace("\r\n", "").contains(['\r', '\n']), "lines end with both characters");
                assert!(text.ends_with("END:VCALENDAR\r\n"));
                let longest = text.split("\r\n").map(str::len).max();
                assert!(longest <= Some(75), "{longest:?} octets for {length} of {letter}");
                let line = format!("SUMMARY:{}", name.replace(',', "\\,"));
                assert!(unfolded(&text).contains(&line), "{length} of {letter}");
            }
        }
    }

    #[test]
    fn no_text_breaks_out_of_its_line() {
        let lines = unfolded(&written("a\\b;c\r\nEND:VEVENT\rx\u{7}"));
        assert!(lines.contains(&"SUMMARY:a\\\\b\\;c\\nEND:VEVENT\\nx".to_owned()), "{}", lines.join("\n"));
        assert_eq!(lines.iter().filter(|line| *line == "END:VEVENT").count(), 1);
    }

    #[test]
    fn an_empty_calendar_has_the_component_that_every_calendar_needs() {
        let empty = Calendar { name: "Bridge".to_owned(), events: Vec::new(), is_cut: false };
        let lines = unfolded(&text(&empty, ""));
        for line in
            ["BEGIN:VTIMEZONE", "TZID:UTC", "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETTO:+0000"]
        {
            assert!(lines.iter().any(|found| found == line), "{line} is not in\n{}", lines.join("\n"));
        }
        assert!(!lines.iter().any(|line| line.starts_with("DESCRIPTION") || line == "BEGIN:VEVENT"));
    }
}
