// The socket of a project: events in their order, a new connection after a break, and a replay of what was missed. Who may read a
// project and not follow it is told to read again every minute.
import { signal } from "@preact/signals";
import { api, ok } from "./client";
import { sessionState, signedIn } from "./session";

export interface LiveEvent {
  event_type: string;
  seq: number | null;
  payload: Record<string, unknown>;
  replayed?: boolean;
}

export type LiveState = "connecting" | "open" | "closed";

export interface Live {
  state: { readonly value: LiveState };
  /** Says something to those who follow the project too; dropped while there is no connection. */
  send: (message: object) => void;
  stop: () => void;
}

const FINAL_CODES = [4003, 4004];
const MAY_NOT_FOLLOW = 4003;
const READ_AGAIN_MS = 60_000;

/** Whether the page is only read again from time to time. The status bar says so. */
export const slow = signal(false);

export function followProject(project: string, hear: (event: LiveEvent) => void): Live {
  const state = signal<LiveState>("connecting");
  let last: number | null = null;
  let socket: WebSocket | null = null;
  let stopped = false;
  let tries = 0;
  let reading: ReturnType<typeof setInterval> | undefined;

  const readAgain = () => {
    if (document.visibilityState === "visible") hear({ event_type: "resync_required", seq: null, payload: { latest_seq: last ?? 0 } });
  };
  const later = () => {
    state.value = "connecting";
    tries++;
    setTimeout(() => void connect(), Math.min(15_000, 400 * 2 ** Math.min(tries, 6)) * (0.7 + Math.random() * 0.6));
  };

  const connect = async () => {
    if (stopped) return;
    if (sessionState.peek() === "out") await signedIn();
    try {
      const { ticket } = await ok(api.POST("/api/v1/ws/ticket/", {}));
      if (stopped) return;
      const since = last === null ? "" : `&since=${last}`;
      const scheme = location.protocol === "https:" ? "wss" : "ws";
      socket = new WebSocket(`${scheme}://${location.host}/ws/v1/projects/${project}/?ticket=${ticket}${since}`);
    } catch {
      later();
      return;
    }
    socket.onopen = () => {
      tries = 0;
      state.value = "open";
    };
    socket.onmessage = (message) => {
      const event = JSON.parse(String(message.data)) as LiveEvent;
      if (event.event_type === "resync_required") last = Number(event.payload.latest_seq);
      else if (event.seq !== null) last = event.seq;
      hear(event);
    };
    socket.onclose = (event) => {
      if (!stopped && !FINAL_CODES.includes(event.code)) return later();
      state.value = "closed";
      if (stopped || event.code !== MAY_NOT_FOLLOW) return;
      slow.value = true;
      reading = setInterval(readAgain, READ_AGAIN_MS);
    };
  };

  void connect();
  return {
    state,
    send: (message) => socket?.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message)),
    stop: () => {
      stopped = true;
      clearInterval(reading);
      slow.value = false;
      socket?.close();
    },
  };
}
