// Files of a project to take away.
import { useAction } from "../api/read";
import { Icon } from "../app/icons";
import { settings as words } from "../words/settings";
import { t } from "../words/words";
import { FILES, saveFile } from "./export_file";
import { Part } from "./form";

export function Exports({ project, name }: { project: string; name: string }) {
  const save = useAction((kind: (typeof FILES)[number][0]) => saveFile(project, name, kind));
  return (
    <Part title={t(words.exportTitle)} error={save.error}>
      <div class="row wrap">
        {FILES.map(([kind, text]) => <button key={kind} type="button" class="button" disabled={save.busy} onClick={() => void save.run(kind)}><Icon name="download" /> {text}</button>)}
      </div>
    </Part>
  );
}
