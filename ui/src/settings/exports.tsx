// Files of a project to take away. They are read with the credential of the person and then saved by the browser.
import { api } from "../api/client";
import { CallError } from "../api/errors";
import { useAction } from "../api/read";
import { Icon } from "../app/icons";
import { settings as words } from "../words/settings";
import { t } from "../words/words";
import { Part } from "./form";

const KINDS = [["msproject.xml", "Microsoft Project (XML)"], ["primavera.xer", "Primavera (XER)"], ["tasks.csv", "CSV"]] as const;

export function Exports({ project, name }: { project: string; name: string }) {
  const save = useAction(async (kind: (typeof KINDS)[number][0]) => {
    const { data, error, response } = await api.GET(`/api/v1/projects/{project_pk}/export/${kind}` as "/api/v1/projects/{project_pk}/export/tasks.csv", { params: { path: { project_pk: project } }, parseAs: "blob" });
    if (!response.ok) throw new CallError(response.status, (error ?? {}) as Record<string, unknown>, response.headers.get("X-Request-ID"));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(data as unknown as Blob);
    link.download = `${name}.${kind.split(".")[1]}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  });
  return (
    <Part title={t(words.exportTitle)} error={save.error}>
      <div class="row wrap">
        {KINDS.map(([kind, text]) => <button key={kind} type="button" class="button" disabled={save.busy} onClick={() => void save.run(kind)}><Icon name="download" /> {text}</button>)}
      </div>
    </Part>
  );
}
