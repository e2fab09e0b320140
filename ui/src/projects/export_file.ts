// Reads a file of a project or program with the credential of the person and lets the browser save it.
import { api, type Schemas } from "../api/client";
import { CallError } from "../api/errors";

/** The files of other programs: the end of the address, and what people call them. */
export const FILES = [
  ["msproject.xml", "Microsoft Project (XML)"],
  ["primavera.xer", "Primavera (XER)"],
  ["tasks.csv", "CSV"],
  ["tasks.xlsx", "Excel (XLSX)"],
] as const;
export type FileKind = (typeof FILES)[number][0];

export interface Owner {
  kind: "projects" | "programs";
  id: string;
}

export type Archive = Schemas["ProjectExportJob"] | Schemas["ProgramExportJob"];

interface Answer {
  data?: unknown;
  error?: unknown;
  response: Response;
}

const asFile = { parseAs: "blob" } as const;

/** Hands an answer to the browser, under the name that the server gives it or under another. */
function keep({ data, error, response }: Answer, name?: string): void {
  if (!response.ok) throw new CallError(response.status, (error ?? {}) as Record<string, unknown>, response.headers.get("X-Request-ID"));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(data as Blob);
  link.download = name ?? /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? "planwright";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export async function saveFile(project: string, name: string, kind: FileKind): Promise<void> {
  const params = { path: { project_pk: project } };
  keep(
    await api.GET(`/api/v1/projects/{project_pk}/export/${kind}` as "/api/v1/projects/{project_pk}/export/tasks.csv", {
      params,
      ...asFile,
    }),
    `${name}.${kind.split(".")[1]}`,
  );
}

/** The document that another planwright reads: the whole plan, without attachments and time. */
export async function saveDocument(owner: Owner, name: string): Promise<void> {
  const params = { path: { id: owner.id } };
  keep(await api.GET(`/api/v1/${owner.kind}/{id}/export/` as "/api/v1/projects/{id}/export/", { params, ...asFile }), `${name}.json`);
}

export async function saveArchive(owner: Owner, archive: string): Promise<void> {
  const params = { path: { id: owner.id, job_id: archive } };
  keep(
    await api.GET(`/api/v1/${owner.kind}/{id}/export/jobs/{job_id}/download/` as "/api/v1/projects/{id}/export/jobs/{job_id}/download/", {
      params,
      ...asFile,
    }),
  );
}
