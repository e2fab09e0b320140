//! The answers to a client: which tools, prompts and resources there are, the call of a tool, and the read of a resource.

use rmcp::ErrorData;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, GetPromptRequestParams, GetPromptResponse,
    Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    ResourceContents, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};

use crate::arguments::Given;
use crate::reader::{Reader, Refusal};
use crate::{calls, guides, resources, tools};

/// The server over one way to read.
#[derive(Clone)]
pub(crate) struct Handler {
    source: Source,
}

/// Where a handler gets the reader of a request.
#[derive(Clone)]
enum Source {
    /// From the router, for the client of each request.
    Router(axum::Router),
    /// It has one.
    Reader(Reader),
}

impl Handler {
    /// A handler that reads within this process, with the token of each request.
    pub(crate) fn here(router: axum::Router) -> Self {
        Self { source: Source::Router(router) }
    }

    /// A handler with one reader.
    pub(crate) fn with(reader: Reader) -> Self {
        Self { source: Source::Reader(reader) }
    }

    fn reader(&self, context: &RequestContext<RoleServer>) -> Result<Reader, ErrorData> {
        match &self.source {
            Source::Reader(reader) => Ok(reader.clone()),
            Source::Router(router) => {
                let parts = context.extensions.get::<http::request::Parts>();
                let lost = || ErrorData::internal_error("The request has no headers.", None);
                parts.map(|parts| Reader::here(router.clone(), parts)).ok_or_else(lost)
            }
        }
    }
}

fn refused(refusal: Refusal) -> CallToolResult {
    CallToolResult::structured_error(refusal.problem)
}

/// Why a resource cannot be read, as the API said it.
fn not_read(refusal: Refusal) -> ErrorData {
    if refusal.is_not_found() {
        return ErrorData::resource_not_found(
            "There is no resource with this address.",
            Some(refusal.problem),
        );
    }
    let detail = refusal.problem["detail"].as_str().unwrap_or("The resource cannot be read.");
    ErrorData::invalid_request(detail.to_owned(), Some(refusal.problem.clone()))
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities =
            ServerCapabilities::builder().enable_tools().enable_prompts().enable_resources().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("planwright", env!("CARGO_PKG_VERSION")))
            .with_instructions(guides::INSTRUCTIONS)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::tool(name).map(tools::Told::described)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::TOOLS.iter().map(tools::Told::described).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(told) = tools::tool(&request.name) else {
            let said = format!("There is no tool {}.", request.name);
            return Err(ErrorData::invalid_params(said, None));
        };
        let sent = request.arguments.unwrap_or_default();
        let given = match Given::read(told.arguments, &sent) {
            Ok(given) => given,
            Err(wrong) => return Ok(refused(Refusal::said(&wrong)).into()),
        };
        let reader = self.reader(&context)?;
        Ok(match calls::call(&reader, told.name, &given).await {
            Ok(answer) => CallToolResult::structured(answer).into(),
            Err(refusal) => refused(refusal).into(),
        })
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let seen = resources::seen(&self.reader(&context)?).await;
        seen.map(ListResourcesResult::with_all_items).map_err(not_read)
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let reader = self.reader(&context)?;
        let found = resources::read(&reader, &request.uri).await.map_err(not_read)?;
        let unknown = || ErrorData::resource_not_found("There is no resource with this address.", None);
        let text = found.ok_or_else(unknown)?.to_string();
        let contents = ResourceContents::text(text, request.uri).with_mime_type(resources::MEDIA_TYPE);
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(guides::prompts()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let unknown = || ErrorData::invalid_params(format!("There is no prompt {}.", request.name), None);
        let guide = guides::guide(&request.name).ok_or_else(unknown)?;
        let arguments = request.arguments.unwrap_or_default();
        let project = arguments.get("project_id").and_then(|value| value.as_str());
        match project.filter(|project| uuid::Uuid::try_parse(project).is_ok()) {
            Some(project) => Ok(guide.about(project).into()),
            None => Err(ErrorData::invalid_params("project_id: an id is expected.", None)),
        }
    }
}
