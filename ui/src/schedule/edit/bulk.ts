// One change for all chosen rows, in one batch; undone in one step.
import { api, ok } from "../../api/client";
import { refuse } from "../../app/toast";
import { schedule } from "../../words/schedule";
import { t } from "../../words/words";
import type { Desk } from "../desk";
import type { TaskRow } from "../plan/row";
import type { Edit } from "./edits";
import { asSent } from "./finish";
import { type Changes, inverse, merge } from "./patch";

export function bulk(desk: Desk, rows: TaskRow[], changes: (row: TaskRow) => Changes): Edit {
  return {
    label: t(schedule.didBulk, { n: rows.length }),
    apply: async () => {
      const before = new Map(rows.map((row) => [row.id, { ...row }]));
      const wanted = new Map(rows.map((row) => [row.id, changes(row)]));
      const operations = rows.map((row) => ({
        op: "update" as const,
        id: row.id,
        data: asSent(desk.calendar, row, wanted.get(row.id)!) as Record<string, unknown>,
      }));
      const answer = await ok(
        api.POST("/api/v1/projects/{id}/tasks/bulk/", { params: { path: { id: desk.projectId } }, body: { operations } }),
      );
      const done: TaskRow[] = [];
      for (const { id, task } of answer.applied) {
        const row = desk.plan.rows[desk.plan.task(id)];
        if (!row || !task) continue;
        merge(desk, row, task);
        done.push(row);
      }
      const refused = answer.rejected[0];
      if (refused) refuse(`${desk.plan.rows[desk.plan.task(refused.id ?? "")]?.name ?? ""}: ${refused.message}`);
      return bulk(desk, done, (row) => inverse(before.get(row.id)!, wanted.get(row.id)!));
    },
  };
}
