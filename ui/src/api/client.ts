// The client of the server, typed from its API document. Every call of the application goes through here.
import createClient from "openapi-fetch";
import { calls } from "../words/calls";
import { t } from "../words/words";
import { answered, backAgain, notAnswered, readOnly, writing } from "./connection";
import { CallError } from "./errors";
import { noticeGate } from "./gate";
import type { components, paths } from "./schema";
import { accessToken, renew } from "./session";

export type Schemas = components["schemas"];

const WITHOUT_SIGN_IN = [
  "/api/v1/auth/token/",
  "/api/v1/auth/passkey/",
  "/api/v1/auth/password/reset",
  "/api/v1/workspace/invites/accept/",
  "/api/v1/edition/",
];

/** Sends a request with the credential of the person; renews it once if it has ended. */
async function send(request: Request): Promise<Response> {
  const response = await sendAndRenew(request);
  answered();
  return response;
}

async function sendAndRenew(request: Request): Promise<Response> {
  const open = WITHOUT_SIGN_IN.some((path) => new URL(request.url).pathname.startsWith(path));
  const write = request.method !== "GET";
  if (write && patience === 0 && readOnly.peek()) throw new CallError(0, { detail: t(calls.offline) }, null);
  if (write) writing.value++;
  try {
    if (open) return await fetch(request);
    signed(request);
    const once = async () => {
      const response = await fetch(signed(request.clone()));
      return response.status === 401 && (await renew()) ? fetch(signed(request.clone())) : response;
    };
    return await (write && patience > 0 ? untilAnswered(once) : once());
  } catch (error) {
    if ((error as Error).name !== "AbortError") notAnswered();
    throw error;
  } finally {
    if (write) writing.value--;
  }
}

let patience = 0;

/** Runs `act`; its writes wait for a lost connection and are sent again with the same idempotency key. */
export async function patiently<T>(act: () => Promise<T>): Promise<T> {
  patience++;
  try {
    return await act();
  } finally {
    patience--;
  }
}

async function untilAnswered(once: () => Promise<Response>): Promise<Response> {
  for (;;) {
    try {
      return await once();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      notAnswered();
      await backAgain();
    }
  }
}

function signed(request: Request): Request {
  const token = accessToken();
  if (token) request.headers.set("Authorization", `Bearer ${token}`);
  if (request.method !== "GET" && !request.headers.has("Idempotency-Key")) request.headers.set("Idempotency-Key", randomKey());
  if (request.method !== "GET") request.headers.set("X-Source", "planwright_ui");
  return request;
}

/** A random key; `crypto.randomUUID` is missing where the page is not served over TLS. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const api = createClient<paths>({
  baseUrl: typeof location === "undefined" ? "http://localhost" : location.origin,
  fetch: send,
  credentials: "same-origin",
  querySerializer: { array: { style: "form", explode: false } },
});

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The body of an answer, or a `CallError`. */
export async function ok<T>(call: Promise<Answer<T>>): Promise<NonNullable<T>> {
  const { data, error, response } = await call;
  if (!response.ok) {
    const body = error && typeof error === "object" ? (error as Record<string, unknown>) : {};
    const failed = new CallError(response.status, body, response.headers.get("X-Request-ID"));
    noticeGate(failed);
    throw failed;
  }
  return data as NonNullable<T>;
}

interface Page<T> {
  count: number;
  next?: string | null;
  results: T[];
}

/** All rows of a list: the first page, then the others, four at a time. */
export async function allPages<T>(
  size: number,
  read: (page: number) => Promise<Page<T>>,
  each?: (rows: T[], page: number) => void,
): Promise<T[]> {
  const first = await read(1);
  each?.(first.results, 1);
  const pages = Math.ceil(first.count / size);
  const found: T[][] = [first.results];
  let next = 2;
  const worker = async () => {
    while (next <= pages) {
      const page = next++;
      const { results } = await read(page);
      found[page - 1] = results;
      each?.(results, page);
    }
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  return found.flat();
}
