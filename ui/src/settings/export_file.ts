// Reads a file of a project with the credential of the person and lets the browser save it.
import { api } from "../api/client";
import { CallError } from "../api/errors";

export const FILES = [["msproject.xml", "Microsoft Project (XML)"], ["primavera.xer", "Primavera (XER)"], ["tasks.csv", "CSV"]] as const;

export async function saveFile(project: string, name: string, kind: (typeof FILES)[number][0]): Promise<void> {
  const { data, error, response } = await api.GET(`/api/v1/projects/{project_pk}/export/${kind}` as "/api/v1/projects/{project_pk}/export/tasks.csv", { params: { path: { project_pk: project } }, parseAs: "blob" });
  if (!response.ok) throw new CallError(response.status, (error ?? {}) as Record<string, unknown>, response.headers.get("X-Request-ID"));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(data as unknown as Blob);
  link.download = `${name}.${kind.split(".")[1]}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
