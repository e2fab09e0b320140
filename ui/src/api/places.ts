// The projects and programs that a person may see, and a new project.
import { allPages, api, ok, type Schemas } from "./client";

export interface Places {
  projects: Schemas["Project"][];
  programs: Schemas["Program"][];
}

const PAGE = 200;

export async function readPlaces(): Promise<Places> {
  const [projects, programs] = await Promise.all([
    allPages(PAGE, (page) => ok(api.GET("/api/v1/projects/", { params: { query: { page: String(page), page_size: PAGE } } }))),
    allPages(PAGE, (page) => ok(api.GET("/api/v1/programs/", { params: { query: { page: String(page), page_size: PAGE } } }))),
  ]);
  return { projects, programs };
}

/** Makes a project, in a program if one is named, and answers its id. */
export async function makeProject(name: string, start: string, program = ""): Promise<string> {
  return (await ok(api.POST("/api/v1/projects/", { body: { name, start_date: start, ...(program ? { program } : {}) } }))).id;
}

/** Deletes a project that has no rows. */
export async function removeEmpty(project: string): Promise<void> {
  const { count } = await ok(api.GET("/api/v1/tasks/", { params: { query: { project, page_size: 1 } } }));
  if (count === 0) await ok(api.DELETE("/api/v1/projects/{id}/", { params: { path: { id: project } } }));
}
