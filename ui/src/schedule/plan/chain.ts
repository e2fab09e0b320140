// Chains of links: what drives a task, what it drives, and the circle that a new link would close.
import type { Plan } from "./plan";

/** The tasks and links that decide when a task happens, and those that follow from it by driving links. */
export interface Chain {
  tasks: Set<number>;
  links: Set<number>;
}

export function drivingChain(plan: Plan, task: number): Chain {
  const chain: Chain = { tasks: new Set([task]), links: new Set() };
  walk(plan, task, chain, true);
  walk(plan, task, chain, false);
  return chain;
}

function walk(plan: Plan, from: number, chain: Chain, back: boolean): void {
  const open = [from];
  const seen = new Set([from]);
  while (open.length) {
    const task = open.pop()!;
    const step = (link: number, other: number) => {
      if (!plan.links.driving[link]) return;
      chain.links.add(link);
      chain.tasks.add(other);
      if (!seen.has(other)) {
        seen.add(other);
        open.push(other);
      }
    };
    if (back) plan.links.eachIn(task, step);
    else plan.links.eachOut(task, step);
  }
}

/** The tasks of the circle that a link `from` → `to` would close, in their order; empty if there is none. */
export function circle(plan: Plan, from: number, to: number): number[] {
  if (from === to) return [from];
  const cameFrom = new Map<number, number>([[to, -1]]);
  const open = [to];
  while (open.length) {
    const task = open.shift()!;
    if (task === from) {
      const path: number[] = [];
      for (let at = task; at >= 0; at = cameFrom.get(at)!) path.push(at);
      return path.reverse();
    }
    plan.links.eachOut(task, (_link, other) => {
      if (!cameFrom.has(other)) {
        cameFrom.set(other, task);
        open.push(other);
      }
    });
  }
  return [];
}
