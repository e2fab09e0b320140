// The calls of an import. Files go as forms; the job that writes the rows is asked for until it ends.
import { api, ok, type Schemas } from "../api/client";
import { untilEnded } from "../api/jobs";
import type { Kind } from "./kind";
import { inWords } from "../projects/reasons";

export type Import = Schemas["FileImport"];

export interface Target {
  project: string | null;
  program: string;
  name: string;
  start: string;
}

function formOf(file: File, fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value) form.append(name, value);
  form.append("file", file);
  return form;
}

const asForm = (form: FormData) => ({ body: form as never, bodySerializer: () => form as never });

/** What a table would bring, into a project or as a new one. */
export function previewTable(project: string | null, file: File, fields: Record<string, string>): Promise<Schemas["TablePreview"]> {
  const form = asForm(formOf(file, fields));
  const asked = project
    ? ok(api.POST("/api/v1/projects/{project_pk}/import/csv/preview/", { params: { path: { project_pk: project } }, ...form }))
    : ok(api.POST("/api/v1/projects/import/csv/preview/", { ...form }));
  return inWords(asked);
}

/** What a file of another program would bring as a new project. */
export function previewPlan(file: File): Promise<Schemas["PlanPreview"]> {
  return inWords(ok(api.POST("/api/v1/projects/import/preview/", asForm(formOf(file, {})))));
}

/** Sends the file; the answer names the project and the import. A table or Jira file needs a project that exists. */
export async function sendFile(
  kind: Kind,
  file: File,
  project: string | null,
  program: string,
  fields: Record<string, string>,
): Promise<{ project: string; id: string }> {
  const form = asForm(formOf(file, project ? fields : { ...fields, program }));
  const params = { path: { project_pk: project! } };
  const sent =
    kind === "table"
      ? ok(api.POST("/api/v1/projects/{project_pk}/import/csv/", { params, ...form }))
      : kind === "jira"
        ? ok(api.POST("/api/v1/projects/{project_pk}/import/jira/", { params, ...form }))
        : kind === "primavera"
          ? ok(
              project
                ? api.POST("/api/v1/projects/{project_pk}/import/primavera/", { params, ...form })
                : api.POST("/api/v1/projects/import/primavera/", { ...form }),
            )
          : ok(
              project
                ? api.POST("/api/v1/projects/{project_pk}/import/msproject/", { params, ...form })
                : api.POST("/api/v1/projects/import/msproject/", { ...form }),
            );
  const answer = await inWords(sent);
  return { project: answer.project_id, id: answer.import_request_id };
}

/** Waits until the import has ended, and says how. */
export function ended(project: string, id: string): Promise<Import> {
  const read = async () =>
    (await ok(api.GET("/api/v1/projects/{project_pk}/imports/", { params: { path: { project_pk: project } } }))).results.find(
      (one) => one.id === id,
    );
  return untilEnded(read, (job) => job.status !== "pending" && job.status !== "dispatched");
}

export async function undoImport(project: string, id: string): Promise<void> {
  await ok(api.POST("/api/v1/projects/{project_pk}/imports/{id}/undo/", { params: { path: { project_pk: project, id } } } as never));
}
