// A read of the server as a component sees it: data, error, and a way to try again. Old data stays while new data comes.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { asCallError, type CallError } from "./errors";

export interface Read<T> {
  data: T | null;
  error: CallError | null;
  loading: boolean;
  retry: () => void;
  /** Puts a newer value in place, for example the answer of a write. */
  set: (data: T) => void;
}

export function useRead<T>(read: () => Promise<T>, keys: unknown[]): Read<T> {
  const [state, setState] = useState<{ data: T | null; error: CallError | null; loading: boolean }>({ data: null, error: null, loading: true });
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
  const set = useCallback((data: T) => setState({ data, error: null, loading: false }), []);
  return { ...state, retry: start, set };
}

/** One action at a time: whether it runs, how it failed, and a way to run it. */
export function useAction<A extends unknown[]>(act: (...input: A) => Promise<void>): { busy: boolean; error: CallError | null; run: (...input: A) => Promise<boolean>; clear: () => void } {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CallError | null>(null);
  const run = async (...input: A) => {
    setBusy(true);
    setError(null);
    try {
      await act(...input);
      return true;
    } catch (thrown) {
      setError(asCallError(thrown));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, run, clear: () => setError(null) };
}
