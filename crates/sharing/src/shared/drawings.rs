//! What this process remembers of pictures between two reads, and the tag by which a reader keeps one. Losing it costs time and
//! nothing else: what a picture is made from is asked at every read and tells whether it holds.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use http::{HeaderMap, HeaderValue};
use planwright_domain::ids::ProjectId;
use planwright_domain::words::SharedContent;
use planwright_web::conditional::{has_already, weak_tag};
use planwright_web::language::Language;
use planwright_web::{ApiResult, App};

use super::queries::{self, Person, Versions};
use super::{OpenLink, count};

/// What all pictures that are remembered may take together.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// How a picture is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// As JSON, for programs.
    Json,
    /// As the content of a page, for people who read this language.
    Page(Language),
}

/// Which picture it is: two links that show the same show one picture.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Subject {
    project: ProjectId,
    content: SharedContent,
    shows_assignees: bool,
    shows_milestone_dates: bool,
}

/// What a picture is made from, as far as that can change while the process runs.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Basis {
    versions: Versions,
    /// The people who are named; nobody unless the link shows people.
    people: Vec<Person>,
}

/// A picture as it was written.
#[derive(Debug)]
pub struct Drawing {
    /// The name of its project.
    title: String,
    /// The picture.
    text: String,
    /// The weak tag of what its reader sees: it is another one exactly if the picture is.
    tag: String,
}

impl Drawing {
    /// A picture with the name of its project. Pages in two languages have two tags also where their contents are alike.
    pub fn new(form: Form, title: String, text: String) -> Self {
        let tag = match form {
            Form::Json => weak_tag(&text),
            Form::Page(language) => weak_tag(&format!("{} {text}", language.code())),
        };
        Self { title, text, tag }
    }
}

/// A picture for a reader.
pub struct Shown {
    drawing: Arc<Drawing>,
    /// Whether the reader has it already, so that nothing of it has to be sent.
    is_known: bool,
}

impl Shown {
    /// The name of its project.
    pub fn title(&self) -> &str {
        &self.drawing.title
    }

    /// What is sent of it.
    pub fn text(&self) -> &str {
        if self.is_known { "" } else { &self.drawing.text }
    }

    /// Its tag as a header.
    ///
    /// # Errors
    /// Never: a tag has plain signs alone.
    pub fn tag(&self) -> ApiResult<HeaderValue> {
        Ok(HeaderValue::try_from(&self.drawing.tag).map_err(anyhow::Error::from)?)
    }
}

/// The pictures that this process remembers, beside the database.
#[derive(Clone, Debug, Default)]
pub struct Drawings(Arc<Mutex<Kept>>);

type Kept = HashMap<(Subject, Form), (Basis, Arc<Drawing>)>;

impl Drawings {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn holding(&self, key: &(Subject, Form), basis: &Basis) -> Option<Arc<Drawing>> {
        let kept = self.kept();
        let (drawn_from, drawing) = kept.get(key)?;
        (drawn_from == basis).then(|| drawing.clone())
    }

    fn keep(&self, key: (Subject, Form), basis: Basis, drawing: Arc<Drawing>) {
        let mut kept = self.kept();
        let bytes: usize = kept.values().map(|(_, drawing)| drawing.text.len()).sum();
        if bytes + drawing.text.len() > MOST_BYTES {
            kept.clear();
        }
        kept.insert(key, (basis, drawing));
    }
}

/// The picture of a link for a reader who sent these headers. It counts as a use unless the reader has it already.
///
/// # Errors
/// When it cannot be drawn.
pub async fn shown(
    app: &App,
    link: &OpenLink,
    headers: &HeaderMap,
    form: Form,
    draw: impl AsyncFnOnce() -> ApiResult<Drawing>,
) -> ApiResult<Shown> {
    let drawing = drawn(app, link, form, draw).await?;
    let is_known = has_already(headers, &drawing.tag);
    if !is_known {
        count(app, link).await;
    }
    Ok(Shown { drawing, is_known })
}

/// The picture of a link in a form: remembered if nothing has changed since, otherwise drawn anew.
async fn drawn(
    app: &App,
    OpenLink(link): &OpenLink,
    form: Form,
    draw: impl AsyncFnOnce() -> ApiResult<Drawing>,
) -> ApiResult<Arc<Drawing>> {
    let subject = Subject {
        project: link.project_id,
        content: link.content_kind,
        shows_assignees: link.show_assignees,
        shows_milestone_dates: link.show_milestone_dates,
    };
    let versions = queries::versions(&app.db, link.project_id).await?;
    let people = match link.show_assignees {
        true => queries::people(&app.db, link.project_id).await?,
        false => Vec::new(),
    };
    let (key, basis, drawings) = ((subject, form), Basis { versions, people }, app.get::<Drawings>());
    if let Some(drawing) = drawings.holding(&key, &basis) {
        return Ok(drawing);
    }
    let drawing = Arc::new(draw().await?);
    drawings.keep(key, basis, drawing.clone());
    Ok(drawing)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(form: Form) -> (Subject, Form) {
        let subject = Subject {
            project: ProjectId(uuid::Uuid::nil()),
            content: SharedContent::Board,
            shows_assignees: false,
            shows_milestone_dates: true,
        };
        (subject, form)
    }

    fn basis(plan: i64) -> Basis {
        Basis { versions: Versions { plan, project: 1, board: 0 }, people: Vec::new() }
    }

    fn drawing(letters: usize) -> Arc<Drawing> {
        Arc::new(Drawing::new(Form::Json, String::new(), "x".repeat(letters)))
    }

    #[test]
    fn a_picture_holds_until_what_it_is_made_from_changes() {
        let drawings = Drawings::default();
        drawings.keep(key(Form::Json), basis(1), drawing(1));
        assert!(drawings.holding(&key(Form::Json), &basis(1)).is_some());
        assert!(drawings.holding(&key(Form::Json), &basis(2)).is_none());
        let page = key(Form::Page(Language::English));
        assert!(drawings.holding(&page, &basis(1)).is_none(), "the other form was not drawn");
    }

    #[test]
    fn pictures_never_take_more_than_their_room() {
        let drawings = Drawings::default();
        drawings.keep(key(Form::Json), basis(1), drawing(MOST_BYTES));
        let page = key(Form::Page(Language::English));
        drawings.keep(page.clone(), basis(1), drawing(1));
        assert!(drawings.holding(&key(Form::Json), &basis(1)).is_none());
        assert!(drawings.holding(&page, &basis(1)).is_some());
    }

    #[test]
    fn nobody_gets_the_page_of_a_reader_of_another_language() {
        let drawings = Drawings::default();
        let [english, german] = [Language::English, Language::German].map(Form::Page);
        drawings.keep(key(german), basis(1), drawing(1));
        assert!(drawings.holding(&key(english), &basis(1)).is_none());
        assert!(drawings.holding(&key(german), &basis(1)).is_some());
        let tag = |form| Drawing::new(form, String::new(), "alike".to_owned()).tag;
        assert_ne!(tag(english), tag(german));
    }
}
