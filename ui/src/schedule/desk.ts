// What one open schedule knows: the plan, the view on it, focus, selection, and what is being edited or dragged.
import { computed, signal } from "@preact/signals";
import type { Schemas } from "../api/client";
import { trouble } from "../api/connection";
import { dayOf, NO_DAY, today } from "../dates/days";
import { type Arrangement, OUTLINE } from "./arrange";
import { View } from "./chart/view";
import { Edits } from "./edit/edits";
import { WorkCalendar } from "./plan/calendar";
import type { Cascade } from "./plan/cascade";
import type { Chain } from "./plan/chain";
import { Plan } from "./plan/plan";

export interface Focus {
  /** The id of the row, or null if nothing has the focus. */
  id: string | null;
  /** The column, or −1 if the whole row has the focus. */
  col: number;
}

export interface Editing {
  id: string;
  column: string;
  /** What was typed to open the editor, or null to begin with the value. */
  typed: string | null;
}

/** A bar in motion, or a link that is being drawn. */
export type Gesture =
  | { kind: "move" | "resize" | "start"; task: number; start: number; finish: number; cascade: Cascade | null }
  | { kind: "link"; task: number; x: number; y: number; over: number; refused: number[]; moved?: MovedLink };

/** An existing link whose end is being dragged, and which end. */
export interface MovedLink {
  id: string;
  end: "from" | "to";
}

/** Somebody else in the plan: the row with their focus, and the field that they edit. */
export interface Other {
  who: string;
  task: string | null;
  field: string | null;
}

export const USUAL = ["outline", "name", "duration", "start", "finish", "percent", "predecessors"];
const KEPT = "planwright.columns";
const PROGRESS = "planwright.progress_line";

function readColumns(): readonly string[] {
  try {
    return (JSON.parse(localStorage.getItem(KEPT) ?? "null") as string[] | null) ?? USUAL;
  } catch {
    return USUAL;
  }
}

function readFlag(name: string): boolean {
  try {
    return localStorage.getItem(name) === "1";
  } catch {
    return false;
  }
}

function keep(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch {
    // a browser without storage forgets the choice, nothing else
  }
}

export class Desk {
  readonly plan = new Plan();
  readonly view = new View();
  calendar = new WorkCalendar(31);
  readonly project = signal<Schemas["ProjectDetail"] | null>(null);
  readonly focus = signal<Focus>({ id: null, col: 1 });
  readonly selected = signal<ReadonlySet<string>>(new Set());
  readonly editing = signal<Editing | null>(null);
  readonly inspector = signal(false);
  readonly gesture = signal<Gesture | null>(null);
  /** Which pane the letter keys belong to. */
  readonly pane = signal<"grid" | "chart">("grid");
  /** The task under the pointer in the chart, or −1. */
  hover = -1;
  chain: Chain | null = null;
  /** Who else has the plan open, and where they are; by the id of the person. */
  readonly others = signal<ReadonlyMap<string, Other>>(new Map());
  /** Rows that another person changed a moment ago: until when, and who. */
  readonly touched = new Map<string, { until: number; who: string }>();
  /** The days by which half, and four fifths, of the simulated runs reach a milestone; by id. */
  marks = new Map<string, { p50: number; p80: number }>();
  /** Whether the person may write this plan at all. */
  readonly author = signal(false);
  /** Whether the person may link rows; a Resource Manager may, and a Team Member may not. */
  readonly linker = signal(false);
  readonly canLink = computed(() => this.linker.value && trouble.value !== "banner");
  /** Whether it can be written now: without a connection it is only read. */
  readonly canAuthor = computed(() => this.author.value && trouble.value !== "banner");
  /** The last version of each row that this browser wrote itself; its own edits are no conflict. */
  readonly written = new Map<string, number>();
  readonly edits = new Edits();
  /** Reads the plan again in place; set by the page. */
  reload: (() => Promise<void>) | null = null;
  /** Scrolls to a height; set by the page. */
  scroll: ((top: number) => void) | null = null;
  /** Gives the focus to a pane; set by the page. */
  enter: ((pane: "grid" | "chart") => void) | null = null;
  /** Gives the keys to the details of the row, while they are open. */
  enterDetails: (() => void) | null = null;
  /** The keys of the columns that are shown, in their order. */
  readonly columns = signal<readonly string[]>(readColumns());

  readonly arrangement = signal<Arrangement>(OUTLINE);
  readonly progressLine = signal(readFlag(PROGRESS));
  /** The id of the link that was clicked, or null. */
  link: string | null = null;

  constructor(readonly projectId: string) {}

  get dataDate(): number {
    return dayOf(this.project.peek()?.status_date);
  }

  showColumns(keys: readonly string[]): void {
    this.columns.value = keys;
    keep(KEPT, JSON.stringify(keys));
  }

  showProgress(shown: boolean): void {
    this.progressLine.value = shown;
    keep(PROGRESS, shown ? "1" : "");
    this.view.request();
  }

  nameColumn(): number {
    return Math.max(0, this.columns.peek().indexOf("name"));
  }

  focusTask(): number {
    const { id } = this.focus.peek();
    return id ? this.plan.task(id) : -1;
  }

  /** Shows the whole plan, or the days around today if there is none. */
  fit(): void {
    const { plan, view } = this;
    if (plan.first === NO_DAY) {
      const start = dayOf(this.project.peek()?.start_date);
      return view.place((start === NO_DAY ? today() : start) - 4, 18);
    }
    const days = Math.max(20, plan.last - plan.first + 1);
    const px = Math.max(0.2, Math.min(24, (view.chartWidth - 120) / days));
    view.place(plan.first - 24 / px, px);
  }
}
