// A read of the server as a component sees it: data, error, and a way to try again. Old data stays while new data comes.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { backAgain, lostSince, readOnly } from "./connection";
import { asCallError, type CallError } from "./errors";
import { gate, gateOpens } from "./gate";
import { sessionState, signedIn } from "./session";

export interface Read<T> {
  data: T | null;
  error: CallError | null;
  loading: boolean;
  retry: () => void;
  /** Puts a newer value in place, for example the answer of a write. */
  set: (data: T) => void;
}

export function useRead<T>(read: () => Promise<T>, keys: unknown[]): Read<T> {
  const [state, setState] = useState<{ data: T | null; error: CallError | null; loading: boolean }>({
    data: null,
    error: null,
    loading: true,
  });
  const turn = useRef(0);
  const start = useCallback(() => {
    const mine = ++turn.current;
    setState((old) => ({ ...old, loading: true }));
    read().then(
      (data) => mine === turn.current && setState({ data, error: null, loading: false }),
      (error: unknown) => mine === turn.current && setState((old) => ({ data: old.data, error: asCallError(error), loading: false })),
    );
  }, keys);
  useEffect(() => {
    start();
    return () => {
      turn.current++;
    };
  }, [start]);
  useEffect(() => {
    let left = false;
    void comesBack(state.error)?.then(() => left || start());
    return () => {
      left = true;
    };
  }, [state.error]);
  const set = useCallback((data: T) => setState({ data, error: null, loading: false }), []);
  return { ...state, retry: start, set };
}

/** Whether what was asked for does not exist, or not for this person. */
export function isMissing(read: Pick<Read<unknown>, "data" | "error">): boolean {
  return read.data === null && read.error?.status === 404;
}

/** When a failed read can succeed by itself: with the connection, after a new sign-in, or with the second factor. */
function comesBack(error: CallError | null): Promise<void> | null {
  if (error?.status === 0 && lostSince.peek() !== null) return backAgain();
  if (error?.status === 401 && sessionState.peek() === "out") return signedIn();
  if (error?.status === 403 && gate.peek() !== "open") return gateOpens();
  return null;
}

export interface Action<A extends unknown[]> {
  /** Whether it must not be begun: it runs already, or there is no connection. */
  busy: boolean;
  running: boolean;
  error: CallError | null;
  run: (...input: A) => Promise<boolean>;
  clear: () => void;
}

/** One action at a time: whether it runs, how it failed, and a way to run it. */
export function useAction<A extends unknown[]>(act: (...input: A) => Promise<void>): Action<A> {
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<CallError | null>(null);
  const run = async (...input: A) => {
    setRunning(true);
    setError(null);
    try {
      await act(...input);
      return true;
    } catch (thrown) {
      const failed = asCallError(thrown);
      setError(failed);
      // What only waited for the second factor is no failure any more when it was shown.
      if (failed.status === 403 && gate.peek() !== "open") void gateOpens().then(() => setError((now) => (now === failed ? null : now)));
      return false;
    } finally {
      setRunning(false);
    }
  };
  return { busy: running || readOnly.value, running, error, run, clear: () => setError(null) };
}
