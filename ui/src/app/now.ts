// An effect of signals that runs at once. `useSignalEffect` waits for a frame, and a fast typist does not.
import { effect } from "@preact/signals";
import { useEffect } from "preact/hooks";

export function useNow(act: () => void): void {
  useEffect(() => effect(act), []);
}
