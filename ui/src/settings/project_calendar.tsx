// Which calendar gives a project its working time, and which holidays are laid over it.
import { api, ok, type Schemas } from "../api/client";
import { useAction, useRead } from "../api/read";
import { Shown } from "../app/failure";
import { value } from "../app/field";
import { Icon } from "../app/icons";
import { toast } from "../app/toast";
import { admin as words } from "../words/admin";
import { calls } from "../words/calls";
import { settings } from "../words/settings";
import { t } from "../words/words";
import { Part } from "./form";

export function ProjectCalendar({ project }: { project: string }) {
  const path = { id: project };
  const read = useRead(async () => {
    const [applied, all] = await Promise.all([
      ok(api.GET("/api/v1/projects/{id}/calendars/", { params: { path } })),
      ok(api.GET("/api/v1/calendars/", { params: { query: { page_size: 200 } as never } })),
    ]);
    return { applied, all: all.results };
  }, [project]);
  const save = useAction(async (base: string | null, overlays: Schemas["OverlayInputRequest"][]) => {
    const applied = await ok(
      api.PUT("/api/v1/projects/{id}/calendars/", { params: { path }, body: { base_calendar_id: base, overlays } as never }),
    );
    read.set({ applied, all: read.data!.all });
    toast(t(settings.saved));
  });
  return (
    <Part title={t(words.calendar)} text={t(words.baseText)} error={save.error}>
      <Shown read={read}>
        {({ applied, all }) => {
          const base = applied.base?.id ?? null;
          const layers = applied.overlays.map((one) => ({ calendar_id: one.calendar.id, role: one.role }));
          const free = all.filter((one) => one.id !== base && !layers.some((layer) => layer.calendar_id === one.id));
          return (
            <>
              <label class="field">
                <span>{t(words.baseCalendar)}</span>
                <select value={base ?? ""} disabled={save.busy} onChange={(event) => void save.run(value(event) || null, layers)}>
                  {base === null && <option value="">–</option>}
                  {all.map((one) => (
                    <option key={one.id} value={one.id}>
                      {one.name}
                    </option>
                  ))}
                </select>
              </label>
              <h3>{t(words.layers)}</h3>
              <ul class="setting-list">
                {applied.overlays.map((one) => (
                  <li key={one.layer_id} class="row">
                    <span class="grow">{one.calendar.name}</span>
                    <button
                      type="button"
                      class="icon"
                      disabled={save.busy}
                      aria-label={`${t(calls.remove)}: ${one.calendar.name}`}
                      onClick={() =>
                        void save.run(
                          base,
                          layers.filter((layer) => layer.calendar_id !== one.calendar.id),
                        )
                      }
                    >
                      <Icon name="close" />
                    </button>
                  </li>
                ))}
              </ul>
              {free.length > 0 && (
                <label class="field">
                  <span>{t(words.addLayer)}</span>
                  <select
                    value=""
                    disabled={save.busy}
                    onChange={(event) => value(event) && void save.run(base, [...layers, { calendar_id: value(event), role: "holidays" }])}
                  >
                    <option value="">–</option>
                    {free.map((one) => (
                      <option key={one.id} value={one.id}>
                        {one.name}
                      </option>
                    ))}
                  </select>
                </label>
              )}
            </>
          );
        }}
      </Shown>
    </Part>
  );
}
