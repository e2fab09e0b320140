// The calls of the templates. Using one is a job.
import { allPages, api, ok, type Schemas } from "../api/client";
import { untilEnded } from "../api/jobs";
import type { Template } from "./model";

export type Use = Schemas["TemplateApplication"];
export type Undone = Schemas["TemplateUndo"];
export type Project = Schemas["Project"];

const PAGE = 200;
const RECENT = 10;

export function readTemplates(search: string, program: string): Promise<Template[]> {
  const wish = { ...(search ? { search } : {}), ...(program ? { program } : {}) };
  return allPages(PAGE, (page) =>
    ok(api.GET("/api/v1/project-templates/", { params: { query: { page: String(page), page_size: PAGE, ...wish } } })),
  );
}

export async function readUses(): Promise<Use[]> {
  return (await ok(api.GET("/api/v1/template-applications/", { params: { query: { page_size: RECENT } } }))).results;
}

/** Brings the rows of a template into a project, and says how that ended. */
export async function bringIn(template: string, project: string): Promise<Use> {
  const { application } = await ok(
    api.POST("/api/v1/project-templates/{id}/apply/", { params: { path: { id: template } }, body: { project } }),
  );
  const read = () => ok(api.GET("/api/v1/template-applications/{id}/", { params: { path: { id: application } } }));
  return untilEnded(read, (use) => use.status !== "pending" && use.status !== "running");
}

export async function takeBack(use: string): Promise<Undone> {
  return (await ok(api.POST("/api/v1/template-applications/{id}/undo/", { params: { path: { id: use } } }))).undo;
}

export function previewOf(project: string): Promise<Schemas["TemplatePreview"]> {
  return ok(api.GET("/api/v1/project-templates/publish-preview/", { params: { query: { project } } }));
}

export function publish(body: Schemas["PublishTemplateRequest"]): Promise<Template> {
  return ok(api.POST("/api/v1/project-templates/publish/", { body }));
}
