// Archives of a project or program: the plan with attachments, time and history, made by a job and kept for some days.
import { useEffect } from "preact/hooks";
import { api, ok } from "../api/client";
import { untilEnded } from "../api/jobs";
import { useAction, useRead } from "../api/read";
import { Shown } from "../app/failure";
import { fileSize } from "../app/file_size";
import { Icon } from "../app/icons";
import { moment } from "../dates/format";
import { type Archive, type Owner, saveArchive, saveDocument } from "../projects/export_file";
import { Allowed, useMay } from "../projects/rights";
import { away as words } from "../words/away";
import { calls } from "../words/calls";
import { t } from "../words/words";
import { Part } from "./form";

const SHOWN = 5;

type Jobs = "/api/v1/projects/{id}/export/jobs/";
const jobs = ({ kind }: Owner) => `/api/v1/${kind}/{id}/export/jobs/` as Jobs;
const isKept = (one: Archive): boolean => one.expires_at !== null && Date.parse(one.expires_at) > Date.now();
const isOpen = (one: Archive): boolean => one.status === "pending" || one.status === "running";

export function Archives({ owner, name }: { owner: Owner; name: string }) {
  const open = useMay("export");
  const list = async (): Promise<Archive[]> =>
    open ? (await ok(api.GET(jobs(owner), { params: { path: { id: owner.id }, query: { page_size: SHOWN } } }))).results : [];
  const read = useRead(list, [owner.id, open]);
  const act = useAction(async (work: () => Promise<unknown>) => {
    await work();
    read.retry();
  });
  const waits = read.data?.some(isOpen) ?? false;
  useEffect(() => {
    if (!waits) return;
    let left = false;
    const again = () => list().then((found) => (left || read.set(found), found));
    void untilEnded(again, (found) => left || !found.some(isOpen)).catch(read.retry);
    return () => {
      left = true;
    };
  }, [waits]);
  const make = () =>
    act.run(() =>
      ok(api.POST(`/api/v1/${owner.kind}/{id}/export/` as "/api/v1/projects/{id}/export/", { params: { path: { id: owner.id } } })),
    );
  return (
    <Part title={t(words.archives)} text={t(words.archivesText)} error={act.error}>
      <Allowed right="export" told>
        <div class="row wrap">
          <button type="button" class="button" disabled={act.busy || waits} onClick={() => void make()}>
            {t(words.make)}
          </button>
          <button type="button" class="button" disabled={act.busy} onClick={() => void act.run(() => saveDocument(owner, name))}>
            <Icon name="download" /> {t(words.document)}
          </button>
        </div>
        <Shown read={read}>
          {(found) =>
            found.length === 0 ? null : (
              <ul class="setting-list">
                {found.map((one) => (
                  <Line key={one.id} owner={owner} one={one} busy={act.busy} run={(work) => void act.run(work)} />
                ))}
              </ul>
            )
          }
        </Shown>
      </Allowed>
    </Part>
  );
}

function Line({ owner, one, busy, run }: { owner: Owner; one: Archive; busy: boolean; run: (work: () => Promise<unknown>) => void }) {
  const when = moment(one.created_at);
  const cancel = () =>
    ok(
      api.POST(`${jobs(owner)}{job_id}/cancel/` as "/api/v1/projects/{id}/export/jobs/{job_id}/cancel/", {
        params: { path: { id: owner.id, job_id: one.id } },
      }),
    );
  return (
    <li class="row wrap">
      <span class="grow">
        <b>{when}</b>
        <br />
        <span class="small quiet" role={isOpen(one) ? "status" : undefined}>
          {stateText(one)}
        </span>
      </span>
      {isOpen(one) && (
        <button type="button" class="button small" disabled={busy} onClick={() => run(cancel)}>
          {t(calls.cancel)}
        </button>
      )}
      {one.download_url && isKept(one) && (
        <button
          type="button"
          class="button small"
          disabled={busy}
          aria-label={t(words.saveOf, { when })}
          onClick={() => run(() => saveArchive(owner, one.id))}
        >
          <Icon name="download" /> {t(words.save)}
        </button>
      )}
    </li>
  );
}

/** How far an archive is, or until when it can be fetched. */
function stateText(one: Archive): string {
  if (one.cancelled_at) return t(words.cancelled);
  if (one.status === "failed") return t(words.failed, { why: one.error_detail });
  if (isOpen(one)) return one.progress?.total ? t(words.packing, { done: one.progress.done, total: one.progress.total }) : t(words.waits);
  const size = one.file_size === null ? "" : fileSize(one.file_size);
  return isKept(one)
    ? `${size} · ${t(words.until, { when: moment(one.expires_at!) })}${one.download_url ? "" : ` · ${t(words.notYours)}`}`
    : t(words.gone);
}
