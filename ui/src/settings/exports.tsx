// Files of a project for other programs, and what such a file leaves out.
import { useState } from "preact/hooks";
import { api, ok, type Schemas } from "../api/client";
import { useAction } from "../api/read";
import { Icon } from "../app/icons";
import { type FileKind, FILES, saveFile } from "../projects/export_file";
import { LossList } from "../projects/losses";
import { away } from "../words/away";
import { settings as words } from "../words/settings";
import { t } from "../words/words";
import { Part } from "./form";

/** The names under which the server tells what each file leaves out. */
const FORMATS: Record<FileKind, string> = {
  "msproject.xml": "msproject",
  "primavera.xer": "primavera",
  "tasks.csv": "csv",
  "tasks.xlsx": "xlsx",
};

export function Exports({ project, name }: { project: string; name: string }) {
  const [left, setLeft] = useState<{ file: string; losses: Schemas["Loss"][] } | null>(null);
  const save = useAction(async (kind: FileKind) => {
    setLeft(null);
    await saveFile(project, name, kind);
    const { losses } = await ok(
      api.GET("/api/v1/projects/{project_pk}/export/losses/", {
        params: { path: { project_pk: project }, query: { format: FORMATS[kind] } },
      }),
    );
    setLeft({ file: FILES.find(([one]) => one === kind)![1], losses });
  });
  return (
    <Part title={t(words.exportTitle)} error={save.error}>
      <div class="row wrap">
        {FILES.map(([kind, text]) => (
          <button key={kind} type="button" class="button" disabled={save.busy} onClick={() => void save.run(kind)}>
            <Icon name="download" /> {text}
          </button>
        ))}
      </div>
      {left && (
        <div role="status">
          <LossList title={`${left.file}: ${t(away.leaves)}`} none={`${left.file}: ${t(away.leavesNothing)}`} losses={left.losses} />
        </div>
      )}
    </Part>
  );
}
