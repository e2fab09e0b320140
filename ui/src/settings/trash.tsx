// The trash: deleted rows of a project, and deleted projects, each with the days that are left and a way back.
import { api, ok } from "../api/client";
import { type Read, useAction, useRead } from "../api/read";
import { Failure, Shown } from "../app/failure";
import { say, toast } from "../app/toast";
import { moment } from "../dates/format";
import { admin as words } from "../words/admin";
import { sprint } from "../words/sprint";
import { t } from "../words/words";
import { Part } from "./form";

interface Gone {
  id: string;
  name: string;
  deleted_at: string | null;
  days_remaining: number | null;
  can_restore: boolean;
  note: string;
}

export function TaskTrash({ project }: { project: string }) {
  const read = useRead(async () => {
    const found = await ok(api.GET("/api/v1/tasks/trash/", { params: { query: { project } } }));
    const rows: Gone[] = found.results.map((one) => ({
      ...one,
      note: one.subtree_count > 1 ? t(words.below, { n: one.subtree_count - 1 }) : "",
    }));
    return { rows, cut: found.truncated };
  }, [project]);
  return (
    <Trash title={t(words.trash)} read={read} restore={(id) => ok(api.POST("/api/v1/tasks/{id}/restore/", { params: { path: { id } } }))} />
  );
}

export function ProjectTrash() {
  const read = useRead(async () => {
    const found = await ok(api.GET("/api/v1/projects/trash/", {}));
    return { rows: found.map((one): Gone => ({ ...one, note: one.deleted_by_name ?? "" })), cut: false };
  }, []);
  return (
    <Trash
      title={t(words.trashProjects)}
      read={read}
      restore={(id) => ok(api.POST("/api/v1/projects/{id}/restore/", { params: { path: { id } } }))}
    />
  );
}

function Trash({
  title,
  read,
  restore,
}: {
  title: string;
  read: Read<{ rows: Gone[]; cut: boolean }>;
  restore: (id: string) => Promise<unknown>;
}) {
  const back = useAction(async (one: Gone) => {
    await restore(one.id);
    const said = t(words.restored, { name: one.name });
    say(said);
    toast(said);
    read.retry();
  });
  return (
    <Part title={title} text={t(words.trashText)}>
      {back.error && <Failure error={back.error} />}
      <Shown read={read}>
        {({ rows, cut }) => (
          <>
            {rows.length === 0 && <p class="quiet">{t(words.emptyTrash)}</p>}
            <ul class="setting-list">
              {rows.map((one) => (
                <li key={one.id} class="row wrap">
                  <span class="grow">
                    <b>{one.name}</b>
                    <br />
                    <span class="small quiet">
                      {[
                        one.deleted_at && moment(one.deleted_at),
                        one.note,
                        one.days_remaining !== null && t(sprint.daysLeft, { n: one.days_remaining }),
                      ]
                        .filter(Boolean)
                        .join(" · ")}
                    </span>
                  </span>
                  {one.can_restore && (
                    <button
                      type="button"
                      class="button small"
                      disabled={back.busy}
                      aria-label={t(words.restore, { name: one.name })}
                      onClick={() => void back.run(one)}
                    >
                      {t(words.restoreShort)}
                    </button>
                  )}
                </li>
              ))}
            </ul>
            {cut && <p class="quiet small">{t(words.truncated)}</p>}
          </>
        )}
      </Shown>
    </Part>
  );
}
