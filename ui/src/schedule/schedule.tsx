// The page of the schedule: grid and chart in one native scroll, tools above, details beside.
import { useNow } from "../app/now";
import { effect, untracked } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { backAgain } from "../api/connection";
import { asCallError, type CallError } from "../api/errors";
import { Failure } from "../app/failure";
import { pageCommands, rowHere } from "../app/palette_state";
import type { PageProps } from "../app/routes";
import { footText } from "../app/status";
import { place } from "../app/router";
import { ProjectFrame, useProject } from "../projects/project_frame";
import { schedule } from "../words/schedule";
import { t } from "../words/words";
import { commandsOf, doAsked } from "./commands";
import { Conflicts, KeptChips } from "./edit/conflict";
import { Desk } from "./desk";
import { kept } from "./edit/patch";
import { EVERYTHING, filterBy, wanted } from "./filter";
import { Inspector } from "./inspect/inspector";
import { Panes } from "./panes";
import { Phone } from "./phone";
import { loadPlan, reloadPlan, readProject } from "./plan/load";
import { follow } from "./plan/sync";
import { firstView, rememberView, showView } from "./saved_views";
import { planSentence } from "./sentence";
import { atStart, openRow } from "./to_row";
import { openTyped } from "./grid/typed";
import { Toolbar } from "./toolbar";
import "./schedule.css";
import "./details.css";

const PHONE = 700;

export default function Schedule({ params }: PageProps) {
  const id = params.id!;
  const desk = useMemo(() => new Desk(id), [id]);
  const project = useProject(id);
  const [state, setState] = useState<"loading" | "part" | "whole">("loading");
  const [error, setError] = useState<CallError | null>(null);
  const [hidden, setHidden] = useState(0);
  const phone = usePhone();

  const load = () => {
    setError(null);
    loadPlan(desk, (whole) => {
      if (state === "loading" && desk.view.zoomed.peek() === 0) desk.fit();
      setState(whole ? "whole" : "part");
      if (!whole) requestAnimationFrame(() => performance.mark("planwright.first_rows"));
      if (whole && desk.plan.count === 0) desk.fit();
      if (whole) atStart(desk, place.peek().query.get("task"));
      if (whole) openTyped(desk);
      desk.view.request();
      if (whole) requestAnimationFrame(() => doAsked(desk));
    }).catch((thrown: unknown) => setError(asCallError(thrown)));
  };
  useEffect(() => {
    filterBy(desk, EVERYTHING);
    const view = firstView(desk, place.peek().query);
    if (view) showView(desk, view);
    load();
    const again = () => reloadPlan(desk).then(() => (setError(null), desk.view.request()));
    const retake = (): void =>
      void again().catch(async (thrown: unknown) => {
        const failed = asCallError(thrown);
        setError(failed);
        if (failed.status !== 0) return;
        await backAgain();
        retake();
      });
    desk.reload = again;
    desk.edits.forbidden = () => void readProject(desk).catch(() => undefined);
    const live = follow(desk, retake);
    const stops = [
      // What can be commanded depends on the role, which is read with the plan.
      effect(() => {
        pageCommands.value = commandsOf(desk);
      }),
      effect(() => {
        wanted.value;
        desk.arrangement.value;
        untracked(() => rememberView(desk));
      }),
    ];
    rowHere.open = (project, task) => project === id && openRow(desk, task);
    if (import.meta.env.DEV || location.search.includes("measure")) (window as never as { desk: Desk }).desk = desk;
    return () => {
      stops.forEach((stop) => stop());
      live.stop();
      kept.value = [];
      footText.value = "";
      pageCommands.value = [];
      rowHere.open = null;
    };
  }, [desk]);
  useNow(() => {
    desk.plan.version.value;
    footText.value = planSentence(desk);
  });

  return (
    <ProjectFrame id={id} project={project} actions={<Present desk={desk} />}>
      <div class="schedule">
        {error && <Failure error={error} retry={load} stale={state !== "loading"} />}
        {phone ? (
          <Phone desk={desk} ready={state !== "loading"} whole={state === "whole"} />
        ) : (
          <>
            <Toolbar desk={desk} />
            <div class="schedule-body">
              <Panes desk={desk} hidden={setHidden} ready={state === "whole"} loading={state === "loading" && !error} />
              {desk.inspector.value && <Inspector desk={desk} />}
            </div>
            {hidden > 0 && <div class="chip hidden-links">{t(schedule.linksHidden, { n: hidden })}</div>}
          </>
        )}
        {phone && <KeptChips desk={desk} />}
        <Conflicts project={id} />
      </div>
    </ProjectFrame>
  );
}

function usePhone(): boolean {
  const [phone, setPhone] = useState(innerWidth <= PHONE);
  useEffect(() => {
    const query = matchMedia(`(max-width: ${PHONE}px)`);
    const change = () => setPhone(query.matches);
    query.addEventListener("change", change);
    return () => query.removeEventListener("change", change);
  }, []);
  return phone;
}

function Present({ desk }: { desk: Desk }) {
  const people = [...desk.others.value.values()].map(({ who }) => who);
  if (!people.length) return null;
  return (
    <span class="row" role="img" title={people.join(", ")} aria-label={t(schedule.here, { n: people.length })}>
      {people.slice(0, 3).map((name) => (
        <span key={name} class="face" aria-hidden="true">
          {name
            .split(/\s+/)
            .map((word) => word[0])
            .join("")
            .slice(0, 2)
            .toUpperCase()}
        </span>
      ))}
    </span>
  );
}
