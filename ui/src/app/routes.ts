// All pages: their addresses and the module that draws each of them, loaded when it is first opened.
// To add a page, add a line here, and a link in `rail.tsx` or `project_bar.tsx`.
import type { ComponentType } from "preact";
import { onward } from "./onward";

export interface PageProps {
  params: Record<string, string>;
}

type Load = () => Promise<{ default: ComponentType<PageProps> }>;

export const ROUTES: [pattern: string, load: Load][] = [
  ["/", () => import("../projects/home")],
  ["/sign-in", () => onward(() => "/")],
  ["/my-work", () => import("../my_work/my_work")],
  ["/projects/:id/board", () => import("../board/board")],
  ["/projects/:id/sprint", () => import("../sprint/sprint")],
  ["/projects/:id/forecast", () => import("../forecast/forecast")],
  ["/projects/:id/risks", () => import("../risks/risks")],
  ["/projects/:id/people", () => import("../people/people")],
  ["/programs/:id", () => import("../programs/program")],
  ["/programs/:id/settings", () => import("../settings/program")],
  ["/import", () => import("../imports/import_page")],
  ["/templates", () => import("../templates/gallery")],
  ["/notifications", () => import("../notifications/notifications")],
  ["/settings", () => import("../settings/settings")],
  ["/projects/:id/settings", () => import("../settings/project")],
  ["/projects/:id/history", () => import("../history/history")],
  ["/projects/:id", () => onward((params) => `/projects/${params.id}/schedule`)],
  ["/projects/:id/schedule", () => import("../schedule/schedule")],
];
