// How many notifications wait; read after sign-in and when the page of notifications changes it.
import { signal } from "@preact/signals";

export const unread = signal(0);
