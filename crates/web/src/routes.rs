//! The route table: each row has a method, a path, a handler and the rules that are checked before the handler runs.
//! Every path works with and without the final slash. The document lists the form in this table.

use std::collections::HashSet;

use axum::Router;
use axum::extract::{Request, State};
use axum::handler::Handler;
use axum::routing::{MethodFilter, MethodRouter, on};
use http::Method;

use crate::describe::Described;
#[for_document]
use crate::document::Describer;
use crate::lost::LostPage;
use crate::rules::Rules;
use crate::schema::for_document;
use crate::{ApiError, App, conditional, guard, ignored, lost, retry};

/// One row of the table.
pub struct Route {
    /// The method.
    pub method: Method,
    /// The path, with its parameters in braces.
    pub path: &'static str,
    /// The rules that are checked before the handler runs.
    pub rules: Rules,
    inputs: Inputs,
    #[cfg(feature = "document")]
    pub(crate) describe: fn(&mut Describer),
    service: MethodRouter<App>,
}

/// What a handler takes from a request.
#[derive(Clone, Copy)]
struct Inputs {
    query: &'static [&'static [&'static str]],
    body: bool,
}

impl Route {
    /// A unique name: the path without its parameters, and the action.
    pub fn operation_id(&self) -> String {
        let segments: Vec<&str> =
            self.path.trim_matches('/').split('/').filter(|segment| *segment != "api").collect();
        let one = segments.last().is_some_and(|segment| segment.starts_with('{'));
        let verb = match (self.method.as_str(), one) {
            ("GET", false) if self.describes_list() => "list",
            ("GET", _) => "retrieve",
            ("POST", _) => "create",
            ("PUT", _) => "update",
            ("PATCH", _) => "partial_update",
            _ => "destroy",
        };
        let words: Vec<String> = segments
            .into_iter()
            .map(|segment| match segment.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
                None => segment.replace(['-', '.'], "_"),
                Some(_) => String::new(),
            })
            .filter(|word| !word.is_empty())
            .collect();
        let detail = match (one, self.rules.on_many) {
            (true, _) => "_one",
            (false, true) => "_many",
            (false, false) => "",
        };
        format!("{}{detail}_{verb}", words.join("_"))
    }

    /// A collection is a path whose last word is a plural.
    fn describes_list(&self) -> bool {
        let path = self.path.trim_end_matches('/');
        path.ends_with('s') || path.ends_with("criteria")
    }

    /// The group in the document: the first word of the path.
    pub fn tag(&self) -> &'static str {
        self.path
            .trim_start_matches("/api/v1/")
            .split('/')
            .next()
            .filter(|tag| !tag.is_empty())
            .unwrap_or("pages")
    }

    /// The names of the query parameters of its handler.
    pub fn query_names(&self) -> impl Iterator<Item = &'static str> {
        self.inputs.query.iter().copied().flatten().copied()
    }

    /// Whether its handler reads the body.
    pub fn takes_body(&self) -> bool {
        self.inputs.body
    }

    /// The inputs of its handler.
    fn taken(&self, app: &App) -> ignored::Taken {
        let no_body = self.method == Method::POST && !self.inputs.body;
        ignored::Taken { app: app.clone(), query: self.inputs.query, no_body }
    }
}

/// The route table of an area, or of the whole program.
#[derive(Default)]
pub struct Routes {
    rows: Vec<Route>,
}

macro_rules! methods {
    ($($name:ident $method:ident;)*) => {$(
        /// Adds a row for this method.
        pub fn $name<H, T, A>(self, path: &'static str, handler: H, rules: Rules) -> Self
        where
            H: Handler<T, App> + Described<A>,
            T: 'static,
        {
            let service = on(MethodFilter::$method, handler);
            let inputs = Inputs { query: H::QUERY, body: H::BODY };
            self.add(Route {
                method: Method::$method,
                path,
                rules,
                inputs,
                #[cfg(feature = "document")]
                describe: H::describe,
                service,
            })
        }
    )*};
}

impl Routes {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    methods! {
        get GET;
        post POST;
        put PUT;
        patch PATCH;
        delete DELETE;
    }

    /// Adds the two rows of a handler that writes all fields with PUT and some fields with PATCH.
    pub fn write<H, T, A>(self, path: &'static str, handler: H, put: Rules, patch: Rules) -> Self
    where
        H: Handler<T, App> + Described<A>,
        T: 'static,
    {
        self.put(path, handler.clone(), put).patch(path, handler, patch)
    }

    fn add(mut self, row: Route) -> Self {
        self.rows.push(row);
        self
    }

    /// Adds the rows of another table.
    pub fn and(mut self, other: Routes) -> Self {
        self.rows.extend(other.rows);
        self
    }

    /// The rows, for the document and for tests.
    pub fn rows(&self) -> &[Route] {
        &self.rows
    }

    /// The paths below which single rows can be read by their id.
    fn with_single_rows(&self) -> HashSet<&'static str> {
        let reads = self.rows.iter().filter(|row| row.method == Method::GET);
        let above = reads.filter_map(|row| {
            let bare = row.path.trim_end_matches('/');
            let (above, last) = bare.rsplit_once('/')?;
            last.starts_with('{').then(|| &row.path[..above.len() + 1])
        });
        above.collect()
    }

    /// The router: each row with its guard, with and without the final slash, and an answer for unknown paths: JSON, or a page for
    /// people.
    pub fn into_router(self, app: App) -> Router {
        let mut paths: Vec<(&'static str, MethodRouter<App>)> = Vec::new();
        let lists = self.with_single_rows();
        for row in self.rows {
            let shows_rows = conditional::ShowsRows(lists.contains(row.path));
            let taken = row.taken(&app);
            let gate = guard::Gate { app: app.clone(), rules: row.rules.into() };
            let service = row.service.layer(axum::middleware::from_fn(retry::run));
            let service = service.layer(axum::middleware::from_fn_with_state(taken, ignored::watch));
            let service =
                service.layer(axum::middleware::from_fn_with_state(shows_rows, conditional::answer));
            let service = service.layer(axum::middleware::from_fn_with_state(gate, guard::stand));
            match paths.iter_mut().find(|(path, _)| *path == row.path) {
                Some((_, known)) => *known = std::mem::take(known).merge(service),
                None => paths.push((row.path, service)),
            }
        }
        let mut router = Router::new();
        for (path, service) in paths {
            let bare = path.trim_end_matches('/');
            if !bare.is_empty() {
                router = router.route(bare, service.clone()).route(&format!("{bare}/"), service);
            } else {
                router = router.route("/", service);
            }
        }
        router
            // The guard bounds every body by the limit of its route.
            .layer(axum::extract::DefaultBodyLimit::disable())
            .fallback(async |State(app): State<App>, request: Request| {
                let is_for_people = lost::is_for_people(&request);
                let answer = guard::turn_away(&app, request, ApiError::not_found()).await;
                if is_for_people { lost::in_place(answer, app.get::<LostPage>()) } else { answer }
            })
            .method_not_allowed_fallback(async |State(app): State<App>, request: Request| {
                let refusal = ApiError::method_not_allowed(request.method());
                guard::turn_away(&app, request, refusal).await
            })
            .with_state(app)
    }
}
