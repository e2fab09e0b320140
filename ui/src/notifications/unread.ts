// How many notifications wait; read after sign-in, every two minutes while the page is seen, and when something is read.
import { signal } from "@preact/signals";
import { api, ok } from "../api/client";
import { sessionState } from "../api/session";

export const unread = signal(0);

const EVERY = 120_000;

export async function readUnread(): Promise<void> {
  try {
    unread.value = (
      await ok(api.GET("/api/v1/me/notifications/", { params: { query: { unread_only: true, page_size: 1 } as never } }))
    ).count;
  } catch {
    // the number stays as it is; the page of notifications says what failed
  }
}

if (typeof window !== "undefined") {
  sessionState.subscribe((state) => state === "in" && setTimeout(() => void readUnread(), 1500));
  setInterval(() => sessionState.value === "in" && document.visibilityState === "visible" && void readUnread(), EVERY);
}
