// Edits of links: new, other type or lag, gone; and those that make typed predecessors come true.
import { api, ok, type Schemas } from "../../api/client";
import { CallError } from "../../api/errors";
import { schedule } from "../../words/schedule";
import { t } from "../../words/words";
import type { Desk } from "../desk";
import { circle } from "../plan/chain";
import { readLinks } from "../plan/load";
import type { LinkRow } from "../plan/row";
import type { Edit } from "./edits";
import type { TypedLink } from "./predecessors";

type Type = Schemas["DependencyType"];

/** The names of the rows of a circle, as one line. */
export function circleText(desk: Desk, from: number, to: number): string | null {
  const path = circle(desk.plan, from, to);
  if (!path.length) return null;
  return t(schedule.circle, { path: [...path, path[0]!].map((task) => desk.plan.rows[task]!.name).join(" → ") });
}

export function addLink(desk: Desk, from: string, to: string, type: Type = "FS", lag = 0): Edit {
  return {
    label: t(schedule.didLink),
    apply: async () => {
      const closed = circleText(desk, desk.plan.task(from), desk.plan.task(to));
      if (closed) throw new CallError(400, { detail: closed }, null);
      const link = await ok(api.POST("/api/v1/dependencies/", { body: { predecessor: from, successor: to, dep_type: type, lag } }));
      keep(desk, link);
      void refreshLinks(desk);
      return removeLink(desk, link);
    },
  };
}

export function changeLink(desk: Desk, link: LinkRow, type: Type, lag: number): Edit {
  const before = { type: link.dep_type, lag: link.lag };
  return {
    label: t(schedule.link),
    apply: async () => {
      keep(desk, await ok(api.PATCH("/api/v1/dependencies/{id}/", { params: { path: { id: link.id } }, body: { dep_type: type, lag } })));
      return changeLink(desk, desk.plan.linkRows.get(link.id)!, before.type, before.lag);
    },
  };
}

/** Gives a link another predecessor or successor. */
export function retargetLink(desk: Desk, link: LinkRow, predecessor: string, successor: string): Edit {
  const before = { predecessor: link.predecessor, successor: link.successor };
  return {
    label: t(schedule.link),
    apply: async () => {
      keep(
        desk,
        await ok(api.PATCH("/api/v1/dependencies/{id}/", { params: { path: { id: link.id } }, body: { predecessor, successor } })),
      );
      void refreshLinks(desk);
      return retargetLink(desk, desk.plan.linkRows.get(link.id)!, before.predecessor, before.successor);
    },
  };
}

export function removeLink(desk: Desk, link: LinkRow): Edit {
  return {
    label: t(schedule.didUnlink),
    apply: async () => {
      await ok(api.DELETE("/api/v1/dependencies/{id}/", { params: { path: { id: link.id } } }));
      desk.plan.linkRows.delete(link.id);
      desk.plan.relink();
      desk.view.request();
      return addLink(desk, link.predecessor, link.successor, link.dep_type, link.lag);
    },
  };
}

function keep(desk: Desk, link: LinkRow): void {
  desk.plan.linkRows.set(link.id, link);
  desk.plan.relink();
  desk.view.request();
}

const FEW = 5000;
let waiting: ReturnType<typeof setTimeout> | undefined;

/** Which links drive changes with every recalculation; they are read again a moment later if they are not too many. */
export function refreshLinks(desk: Desk): void {
  clearTimeout(waiting);
  if (desk.plan.linkRows.size > FEW) return;
  waiting = setTimeout(() => {
    readLinks(desk.projectId).then(
      (links) => {
        desk.plan.setLinks(links);
        desk.view.request();
      },
      () => undefined,
    );
  }, 350);
}

/** The circle that a typed predecessor would close, as one line. */
export function circleOf(desk: Desk, task: number, wanted: TypedLink[]): string | null {
  return wanted.map((one) => circleText(desk, one.task, task)).find(Boolean) ?? null;
}

/** The edits that make the typed predecessors the predecessors of the row. New links come first: they can be refused. */
export function setPredecessors(desk: Desk, task: number, wanted: TypedLink[]): Edit[] {
  const { plan } = desk;
  const left = [...wanted];
  const [removed, changed, others]: [Edit[], Edit[], [LinkRow, number][]] = [[], [], []];
  const take = (row: LinkRow, at: number): void => {
    const [same] = left.splice(at, 1) as [TypedLink];
    if (same.type !== row.dep_type || same.lag !== row.lag) changed.push(changeLink(desk, row, same.type, same.lag));
  };
  // Two rows may have a link of each type, so a link looks for its own type before it takes another one.
  plan.links.eachIn(task, (link, from) => {
    const row = plan.linkRows.get(plan.links.ids[link]!)!;
    const at = left.findIndex((one) => one.task === from && one.type === row.dep_type);
    if (at >= 0) take(row, at);
    else others.push([row, from]);
  });
  for (const [row, from] of others) {
    const at = left.findIndex((one) => one.task === from);
    if (at >= 0) take(row, at);
    else removed.push(removeLink(desk, row));
  }
  const added = left.map((one) => addLink(desk, plan.rows[one.task]!.id, plan.rows[task]!.id, one.type, one.lag));
  return [...added, ...changed, ...removed];
}
