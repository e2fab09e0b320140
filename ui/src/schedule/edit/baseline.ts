// The plan as it is now, kept as the active baseline, that later dates are measured against.
import { api, ok } from "../../api/client";
import { say, toast } from "../../app/toast";
import { schedule } from "../../words/schedule";
import { t } from "../../words/words";
import type { Desk } from "../desk";

/** Captures the baseline. Undo does not take it back. */
export async function takeBaseline(desk: Desk): Promise<void> {
  const path = { project_pk: desk.projectId };
  let name = "";
  const apply = async () => {
    const made = await ok(api.POST("/api/v1/projects/{project_pk}/baselines/", { params: { path }, body: {} }));
    await ok(
      api.POST("/api/v1/projects/{project_pk}/baselines/{baseline_pk}/activate/", { params: { path: { ...path, baseline_pk: made.id } } }),
    );
    name = made.name;
    return null;
  };
  if (!(await desk.edits.run({ label: t(schedule.takeBaseline), apply }))) return;
  const text = t(schedule.didBaseline, { name });
  say(text);
  toast(text);
  await desk.reload?.();
}
