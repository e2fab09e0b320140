// A failed call, shown where it happened, with the id of the request and a way to try again.
import type { ComponentChildren } from "preact";
import type { CallError } from "../api/errors";
import type { Read } from "../api/read";
import { calls } from "../words/calls";
import { t } from "../words/words";
import { Icon } from "./icons";

export function Failure({ error, retry, stale }: { error: CallError; retry?: (() => void) | undefined; stale?: boolean }) {
  return (
    <div class="failure" role="alert">
      <Icon name="warn" />
      <span class="grow">
        {error.message} {stale && t(calls.stale)}
        {error.requestId && <span class="small"> {t(calls.requestId, { id: error.requestId })}</span>}
      </span>
      {retry && (
        <button type="button" class="button small" onClick={retry}>
          {t(calls.retry)}
        </button>
      )}
    </div>
  );
}

/** What a read shows: skeleton lines, the error in place, or the data; stale data stays and is marked. */
export function Shown<T>({ read, children, lines = 5 }: { read: Read<T>; children: (data: T) => ComponentChildren; lines?: number }) {
  return (
    <>
      {read.error && <Failure error={read.error} retry={read.retry} stale={read.data !== null} />}
      {read.data !== null ? children(read.data) : !read.error && <Skeleton lines={lines} />}
    </>
  );
}

export function Skeleton({ lines = 5 }: { lines?: number }) {
  return (
    <div class="stack" role="status" aria-label={t(calls.loading)}>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} class="skeleton" style={{ width: `${88 - ((line * 23) % 50)}%` }} />
      ))}
    </div>
  );
}
