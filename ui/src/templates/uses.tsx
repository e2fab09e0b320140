// The last uses of templates: in which project, when, how they ended, and a way to take one back.
import { useAction } from "../api/read";
import { ask } from "../app/dialog";
import { Failure } from "../app/failure";
import { Icon } from "../app/icons";
import { say, toast } from "../app/toast";
import { moment } from "../dates/format";
import { may } from "../projects/rights";
import { templates as words } from "../words/templates";
import { type Message, t } from "../words/words";
import { type Project, takeBack, type Use } from "./calls";
import { sentence } from "./use";

const STATES: Record<Use["status"], [Message, string]> = {
  pending: [words.pending, "chip"],
  running: [words.running, "chip info"],
  success: [words.success, "chip good"],
  failed: [words.broken, "chip bad"],
  undone: [words.undone, "chip"],
};

export function Uses({ list, projects, changed }: { list: Use[]; projects: Project[]; changed: () => void }) {
  const undo = useAction(async (use: Use) => {
    const text = sentence(await takeBack(use.id));
    say(text);
    toast(text);
    changed();
  });
  const take = async (use: Use) => (await ask(t(words.undo), t(words.undoText), t(words.undo))) && undo.run(use);
  if (list.length === 0) return null;
  return (
    <section class="stack">
      <h2>{t(words.uses)}</h2>
      {undo.error && <Failure error={undo.error} />}
      <ul class="template-uses">
        {list.map((use) => {
          const project = projects.find((one) => one.id === use.project);
          const [state, chip] = STATES[use.status];
          return (
            <li key={use.id} class="row wrap">
              <span class="grow template-use">
                <b>{use.template_name}</b>{" "}
                <span class="small quiet">
                  {t(words.version, { n: use.template_version })} · {moment(use.created_at)}
                </span>
                {project && (
                  <a class="clip" href={`/projects/${project.id}/schedule`}>
                    {project.name}
                  </a>
                )}
                {use.error_detail && <span class="small is-bad">{use.error_detail}</span>}
              </span>
              <span class={chip}>{t(state)}</span>
              {use.status === "success" && may(project ?? null, "useTemplates") && (
                <button
                  type="button"
                  class="button small"
                  disabled={undo.busy}
                  aria-label={`${t(words.undo)}: ${use.template_name}, ${project!.name}`}
                  onClick={() => void take(use)}
                >
                  <Icon name="undo" /> {t(words.undo)}
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
